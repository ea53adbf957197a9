//! The sections of a summary: names and order as data, one source for each section's text.

/// A section of a `<state_snapshot>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// The name of its tag.
    pub name: &'static str,
    /// The comment that guides the model.
    pub guide: &'static str,
}

macro_rules! section {
    ($name:literal) => {
        Section { name: $name, guide: include_str!(concat!("text/sections/", $name, ".md")) }
    };
}

const OVERALL_GOAL: Section = section!("overall_goal");
const KEY_KNOWLEDGE: Section = section!("key_knowledge");
const TASK_CONTEXT: Section = section!("task_context");
const USER_DIRECTIVES: Section = section!("user_directives");
const ERRORS_ENCOUNTERED: Section = section!("errors_encountered");
const CODE_REFERENCES: Section = section!("code_references");

pub(super) const MIDDLE_OUT: [Section; 9] = [
    OVERALL_GOAL,
    KEY_KNOWLEDGE,
    section!("current_progress"),
    section!("active_tasks"),
    section!("open_questions"),
    TASK_CONTEXT,
    USER_DIRECTIVES,
    ERRORS_ENCOUNTERED,
    CODE_REFERENCES,
];

pub(super) const ONE_SHOT: [Section; 9] = [
    OVERALL_GOAL,
    KEY_KNOWLEDGE,
    section!("file_system_state"),
    section!("recent_actions"),
    section!("current_plan"),
    TASK_CONTEXT,
    USER_DIRECTIVES,
    ERRORS_ENCOUNTERED,
    CODE_REFERENCES,
];

pub(super) const STRUCTURED: &str = include_str!("text/structured-sections.md");

/// The headings of a structured summary, in their order, with their number signs.
pub fn structured_headings() -> impl Iterator<Item = &'static str> {
    STRUCTURED.lines().filter(|line| line.starts_with('#'))
}

/// The form of a snapshot: its tags around comments.
pub(super) fn snapshot_form(sections: &[Section]) -> String {
    let mut form = "<state_snapshot>\n".to_owned();
    for Section { name, guide } in sections {
        let guide = guide.trim_end().replace('\n', "\n             ");
        for part in ["    <", name, ">\n        <!-- ", &guide, " -->\n    </", name, ">\n"] {
            form.push_str(part);
        }
    }
    form.push_str("</state_snapshot>");
    form
}
