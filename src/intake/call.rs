//! What a result's call asked for: whether its text must stay as it is, and the words it was about.

use serde_json::Value;

use crate::tools::{ToolKind, ToolTable};

/// A call, as far as its result depends on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// What the tool does.
    pub kind: ToolKind,
    /// Whether its result shows what a file holds, or what an edit depends on: that stays letter by letter.
    pub is_exact: bool,
    pub(super) words: Vec<String>,
    pub(super) text: String,
}

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
            || (kind == ToolKind::Other && (tool.mode.is_some() || names_a_read(name)))
            || command.as_deref().is_some_and(|command| shows_files(command, 2));
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

fn is_exact_kind(kind: ToolKind) -> bool {
    matches!(kind, ToolKind::Read | ToolKind::Write | ToolKind::Edit | ToolKind::Todo)
}

/// Tools that the table doesn't know say by their names that they show files.
fn names_a_read(name: &str) -> bool {
    let name = name.to_lowercase();
    let parts = name.split(|character: char| !character.is_ascii_alphanumeric());
    let is_read = |part: &str| matches!(part, "read" | "view" | "cat" | "open" | "file" | "files" | "edit");
    parts.into_iter().any(is_read) || name.contains("readfile") || name.contains("getfile")
}

/// The text of a command, given as a string or word by word.
fn command(parameters: &Value) -> Option<String> {
    let value = ["command", "cmd", "script"].iter().find_map(|key| parameters.get(key))?;
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

/// Commands that show what a file holds, and how many operands they have before the first file.
const READERS: &[(&str, usize)] = &[
    ("cat", 0),
    ("nl", 0),
    ("head", 0),
    ("tail", 0),
    ("less", 0),
    ("more", 0),
    ("bat", 0),
    ("batcat", 0),
    ("tac", 0),
    ("type", 0),
    ("get-content", 0),
    ("gc", 0),
    ("xxd", 0),
    ("sed", 1),
    ("awk", 1),
    ("cut", 0),
    ("jq", 1),
    ("yq", 1),
];
/// Words before a command that leave it what it is.
const WRAPPERS: &[&str] = &[
    "sudo", "time", "env", "nohup", "command", "xargs", "do", "then", "else", "{", "(", "!", "exec", "nice",
];

/// Whether a part of a shell's text shows files. Logs and saved output aren't files in this sense.
fn shows_files(command: &str, depth: usize) -> bool {
    parts(command).iter().any(|words| {
        let mut words = words.iter().map(String::as_str).peekable();
        let is_no_command =
            |word: &&str| WRAPPERS.contains(word) || word.contains('=') || word.starts_with('-');
        while words.next_if(is_no_command).is_some() {}
        let Some(name) = words.next().map(|name| name.rsplit('/').next().unwrap_or(name)) else {
            return false;
        };
        let operands: Vec<&str> = words.filter(|word| !word.starts_with('-')).collect();
        match name {
            "bash" | "sh" | "zsh" if depth > 0 => {
                operands.iter().any(|script| script.contains(' ') && shows_files(script, depth - 1))
                    || shows_files(&operands.join(" "), depth - 1)
            }
            "git" => {
                let shows = operands.first().is_some_and(|first| matches!(*first, "show" | "cat-file"));
                operands.first() == Some(&"blame")
                    || (shows && operands.iter().any(|word| word.contains(':')))
            }
            _ => {
                let lower = name.to_ascii_lowercase();
                let reader = READERS.iter().find(|(known, _)| *known == lower);
                reader.is_some_and(|(_, before)| operands.iter().skip(*before).any(|word| is_file(word)))
            }
        }
    })
}

fn is_file(word: &str) -> bool {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    let is_output = [".log", ".out", ".err"].iter().any(|end| word.ends_with(end));
    !is_number && !is_output && !word.starts_with(['>', '<', '&'])
}

/// The words of each simple command; quotes are heeded, the rest is taken as it stands.
fn parts(command: &str) -> Vec<Vec<String>> {
    let mut parts = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in command.chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, ' ' | '\t' | '|' | ';' | '&' | '\n') => {
                parts.last_mut().into_iter().for_each(|part: &mut Vec<String>| part.extend(word.take()));
                if !matches!(character, ' ' | '\t') {
                    parts.push(Vec::new());
                }
            }
            _ => word.get_or_insert_default().push(character),
        }
    }
    parts.last_mut().into_iter().for_each(|part| part.extend(word.take()));
    parts
}
