//! The sections of a summary: names and order as data, one source for each section's text.

use super::Framing;

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

/// The names of a framing's sections, as they stand in a reply.
#[must_use]
pub fn section_names(framing: Framing) -> Vec<&'static str> {
    match framing {
        Framing::Structured => structured_headings().collect(),
        _ => framing.sections().iter().map(|section| section.name).collect(),
    }
}

/// The sections of a framing that a prompt asks for, if it asks for that framing's form: a snapshot, or a heading
/// for the goal.
#[must_use]
pub fn sections_in(prompt: &str, framing: Framing) -> Vec<&'static str> {
    let names = section_names(framing);
    let is_asked = |name: &str| match framing {
        Framing::Structured => prompt.lines().any(|line| line.trim() == name),
        _ => prompt.contains(&["<", name, ">"].concat()),
    };
    let has_form = match framing {
        Framing::Structured => names.first().is_some_and(|goal| is_asked(goal)),
        _ => prompt.contains("<state_snapshot>"),
    };
    if has_form { names.into_iter().filter(|name| is_asked(name)).collect() } else { Vec::new() }
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
