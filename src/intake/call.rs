//! What a result's call asked for: whether its text must stay as it is, and the words it was about.

use serde_json::Value;

use super::command::{reads_in_script, shows_files};
use crate::calls::parameters::{COMMANDS, text_under, value_under};
use crate::calls::scripts::{ScriptCall, calls_of, script_in};
use crate::tools::{ToolKind, ToolTable, is_kept_tool};

/// A call, as far as its result depends on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// What the tool does.
    pub kind: ToolKind,
    /// Whether its result shows file content that an edit may quote: that stays letter by letter.
    pub is_exact: bool,
    pub(super) words: Vec<String>,
    pub(super) text: String,
}

/// Parameters with the text of a script, and parameters with the keys for a running shell.
const CODE: &str = "code python source";
const TYPED: &str = "script chars keys keystrokes stdin";

/// Most words of a call that are looked for in its result.
const WORDS: usize = 24;
/// Shorter words stand everywhere.
const SHORTEST_WORD: usize = 4;

impl Call {
    /// A call of which only the kind is known.
    #[must_use]
    pub fn of_kind(kind: ToolKind) -> Self {
        Self { kind, is_exact: is_exact_kind(kind), words: Vec::new(), text: String::new() }
    }

    /// A call by its tool's name and its parameters, as far as they are known.
    #[must_use]
    pub fn new(name: &str, parameters: &Value, table: &ToolTable) -> Self {
        let tool = table.describe(name);
        let kind = match &tool.mode {
            Some(mode) => {
                let value = parameters.get(&mode.key).and_then(Value::as_str);
                mode.kinds.iter().find(|(known, _)| Some(known.as_str()) == value).map(|(_, kind)| *kind)
            }
            None => Some(tool.kind),
        };
        let kind = kind.unwrap_or(ToolKind::Other);
        let command = command(parameters);
        let is_exact = is_exact_kind(kind)
            || is_kept_tool(name)
            || (kind == ToolKind::Other && (tool.mode.is_some() || names_a_read(name)))
            || command.as_deref().is_some_and(|command| shows_files(command, 2))
            || text_under(parameters, CODE).is_some_and(reads_in_script)
            || script_in(parameters).is_some_and(|script| script_shows_files(script, table));
        let mut texts = Vec::new();
        strings(parameters, &mut texts);
        let text = texts.join("\n");
        Self { kind, is_exact, words: words(&text), text }
    }

    /// Whether the call names something by a word of its own.
    pub(super) fn names(&self, word: &str) -> bool {
        super::lines::has_word(&self.text, word)
    }
}

/// Whether a call in a script shows file content. A script that isn't understood may.
fn script_shows_files(script: &str, table: &ToolTable) -> bool {
    let shows = |call: &ScriptCall| Call::new(&call.name, &call.parameters, table).is_exact;
    calls_of(script).is_none_or(|calls| calls.iter().any(shows))
}

fn is_exact_kind(kind: ToolKind) -> bool {
    matches!(kind, ToolKind::Read | ToolKind::Write | ToolKind::Edit | ToolKind::Todo)
}

/// Tools that the table doesn't know say by their names that they show files.
fn names_a_read(name: &str) -> bool {
    let is_read = |part: &str| {
        let part = part.to_ascii_lowercase();
        READS.contains(&part.as_str()) || part.contains("readfile") || part.contains("getfile")
    };
    name.split(|character: char| !character.is_ascii_alphanumeric())
        .any(|part| is_read(part) || humps(part).any(is_read))
}

const READS: &[&str] = &[
    "read", "view", "cat", "open", "file", "files", "edit", "source", "sources", "content", "contents",
    "lines", "notebook", "document",
];

/// The words of a name in camel case.
fn humps(name: &str) -> impl Iterator<Item = &str> {
    let mut rest = name;
    std::iter::from_fn(move || {
        let is_start = |at: &usize| {
            let bytes = rest.as_bytes();
            let is_upper = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_uppercase);
            is_upper(*at) && (!is_upper(at - 1) || bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase))
        };
        let end = (1..rest.len()).find(is_start).unwrap_or(rest.len());
        let (word, behind) = rest.split_at_checked(end).filter(|(word, _)| !word.is_empty())?;
        rest = behind;
        Some(word)
    })
}

/// The text of a command, given as a string or word by word.
fn command(parameters: &Value) -> Option<String> {
    let value = value_under(parameters, COMMANDS).or_else(|| value_under(parameters, TYPED))?;
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => Some(words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")),
        _ => None,
    }
}

/// The strings of a call's parameters, however deep.
fn strings<'value>(value: &'value Value, found: &mut Vec<&'value str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(values) => values.iter().for_each(|value| strings(value, found)),
        Value::Object(values) => values.values().for_each(|value| strings(value, found)),
        _ => {}
    }
}

fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let all = text.split(|character: char| !character.is_alphanumeric() && character != '_');
    for word in all.filter(|word| word.chars().count() >= SHORTEST_WORD) {
        if words.len() == WORDS {
            break;
        }
        if !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
    }
    words
}
