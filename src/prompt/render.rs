//! One function for each text of a request.

use super::Framing;
use super::sections::{STRUCTURED, snapshot_form};
use super::todo::one_line;

/// What opens the summary so far in a request.
pub const PREVIOUS_OPEN: &str = "<previous-summary>";
/// What closes the summary so far in a request.
pub const PREVIOUS_CLOSE: &str = "</previous-summary>";

/// How much of a request or a todo item an acknowledgement quotes, in characters.
const QUOTED: usize = 300;

/// What varies in a prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PromptOptions<'text> {
    /// The language of the reply; that of the conversation if there is none.
    pub language: Option<&'text str>,
    /// Whether there is an earlier summary, which is to be integrated.
    pub previous: bool,
    /// Whether todo items follow the history.
    pub todos: bool,
    /// Whether the prompt follows the caller's own messages: the model is told to pause its task.
    pub append: bool,
}

/// The prompt of a framing: who is asked, the rules, and the form of the reply.
#[must_use]
pub fn compression_prompt(framing: Framing, options: &PromptOptions<'_>) -> String {
    let opening = match framing {
        Framing::MiddleOut => include_str!("text/middle-out.md"),
        Framing::OneShot => include_str!("text/one-shot.md"),
        Framing::Structured => return structured_prompt(options),
    };
    let mut text = opening_and_rules(opening, options);
    if options.previous {
        text.push_str(include_str!("text/previous.md"));
    }
    text.push('\n');
    text.push_str(include_str!("text/snapshot-form.md"));
    text.push('\n');
    text.push_str(&snapshot_form(framing.sections()));
    text
}

/// The prompt of the structured summary: the first one, or with a previous summary its update.
#[must_use]
pub fn structured_prompt(options: &PromptOptions<'_>) -> String {
    let opening = if options.previous {
        include_str!("text/structured-update.md")
    } else {
        include_str!("text/structured.md")
    };
    let mut text = opening_and_rules(opening, options);
    text.push('\n');
    text.push_str(include_str!("text/structured-form.md"));
    text.push('\n');
    text.push_str(STRUCTURED.trim_end());
    text
}

fn opening_and_rules(opening: &str, options: &PromptOptions<'_>) -> String {
    let mut text = opening.to_owned();
    if options.append {
        text.push('\n');
        text.push_str(include_str!("text/append.md"));
    }
    text.push('\n');
    text.push_str(include_str!("text/data.md"));
    text.push_str(&language_rule(options.language));
    if options.todos {
        text.push_str(include_str!("text/todos.md"));
    }
    text
}

pub(super) fn language_rule(language: Option<&str>) -> String {
    match language.map(one_line).filter(|language| !language.is_empty()) {
        Some(language) => include_str!("text/language-given.md").replace("{language}", &language),
        None => include_str!("text/language-same.md").to_owned(),
    }
}

/// The last instruction of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trigger<'text> {
    /// The number of this part, from 1, and of all parts, if the history is sent in parts.
    pub part: Option<(usize, usize)>,
    /// Whether there is an earlier summary, which is to be integrated.
    pub previous: bool,
    /// Whether the prompt is the caller's own: its form is its own as well.
    pub overridden: bool,
    /// The language of the reply, if one was asked for.
    pub language: Option<&'text str>,
}

/// The trigger instruction, which stands last: the model writes right behind it.
#[must_use]
pub fn trigger_instruction(framing: Framing, trigger: &Trigger<'_>) -> String {
    let mut text = String::new();
    if let Some((part, parts)) = trigger.part.filter(|(_, parts)| *parts > 1) {
        let note = include_str!("text/trigger-part.md");
        text.push_str(&note.replace("{part}", &part.to_string()).replace("{parts}", &parts.to_string()));
    }
    text.push_str(match framing {
        _ if trigger.overridden => include_str!("text/trigger-override.md"),
        Framing::Structured => include_str!("text/trigger-structured.md"),
        Framing::MiddleOut | Framing::OneShot => include_str!("text/trigger-snapshot.md"),
    });
    if trigger.previous {
        text.push_str(include_str!("text/trigger-previous.md"));
    }
    if let Some(language) = trigger.language.map(one_line).filter(|language| !language.is_empty()) {
        text.push_str(&include_str!("text/trigger-language-given.md").replace("{language}", &language));
    } else if trigger.overridden {
        // Our own prompts have the rule among theirs.
        text.push_str(include_str!("text/trigger-language.md"));
    }
    text.truncate(text.trim_end().len());
    text
}

/// The lines around a history in a request. No text in the history can hold them as long as the id
/// depends on all of it.
#[must_use]
pub fn history_fence(id: &str) -> (String, String) {
    (format!("===== HISTORY {id} BEGINS ====="), format!("===== HISTORY {id} ENDS ====="))
}

/// Which part of the messages above is meant, in a request that is appended to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryRange<'text> {
    /// The first message, counted from 0.
    pub start: usize,
    /// Behind the last message.
    pub end: usize,
    /// The first words of the first message.
    pub first_words: &'text str,
    /// The first words of the last message.
    pub last_words: &'text str,
}

/// Names a part of the messages above by position, first words and last words.
#[must_use]
pub fn range_note(range: &EntryRange<'_>) -> String {
    let note = include_str!("text/range.md").trim_end();
    let numbered = note.replace("{first}", &(range.start + 1).to_string());
    let mut text = numbered.replace("{last}", &range.end.to_string());
    for (which, words) in [("first", range.first_words), ("last", range.last_words)] {
        let words = quoted(words);
        if !words.is_empty() {
            for part in [" The ", which, " of them begins with \"", &words, "\"."] {
                text.push_str(part);
            }
        }
    }
    text
}

/// The user's instructions for this summary, in addition to the prompt.
#[must_use]
pub fn additional_focus(instructions: &str) -> Option<String> {
    let instructions = instructions.trim();
    let focus = || include_str!("text/focus.md").trim_end().replace("{instructions}", instructions);
    (!instructions.is_empty()).then(focus)
}

/// Where the whole conversation can be read, in a request and in a stored summary (REQ-HD-012).
#[must_use]
pub fn transcript_note(path: &str) -> String {
    include_str!("text/transcript.md").trim_end().replace("{path}", &path.replace(['\r', '\n'], " "))
}

/// What stands before the user's newest request where a request quotes it.
#[must_use]
pub fn request_introduction() -> &'static str {
    include_str!("text/request-introduction.md").trim_end()
}

/// What the agent "answers" to the summary: it names the newest request and the first open todo.
#[must_use]
pub fn acknowledgement(newest_request: Option<&str>, first_open_todo: Option<&str>) -> String {
    let mut text = include_str!("text/acknowledgement.md").trim_end().to_owned();
    let named = [("The newest request", newest_request), ("The next open todo", first_open_todo)];
    for (what, words) in named {
        let words = words.map(quoted).unwrap_or_default();
        if !words.is_empty() {
            for part in [" ", what, ": \"", &words, "\"."] {
                text.push_str(part);
            }
        }
    }
    text
}

/// A text on one line, cut if it is long.
fn quoted(text: &str) -> String {
    // Only so much is looked at: a request may hold a whole file.
    let start: String = text.chars().take(QUOTED * 4).collect();
    let line = one_line(&start);
    if line.chars().count() <= QUOTED && start.len() == text.len() {
        return line;
    }
    let cut: String = line.chars().take(QUOTED - 1).collect();
    format!("{}…", cut.trim_end())
}
