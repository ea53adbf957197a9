//! What a result's call asked for: whether its text must stay as it is, and the words it was about.

use serde_json::Value;

use crate::calls::content::{is_shown_by, kind_of, strings};
use crate::calls::scripts::{calls_of, script_in};
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
        let kind = kind_of(&table.describe(name), parameters);
        let is_exact = is_exact_kind(kind)
            || is_kept_tool(name)
            || is_shown_by(name, parameters, table)
            || script_in(parameters).is_some_and(|script| writes_in_script(script, table));
        let mut texts = Vec::new();
        strings(parameters, &mut |text| texts.push(text));
        let text = texts.join("\n");
        Self { kind, is_exact, words: words(&text), text }
    }

    /// Whether the call names something by a word of its own.
    pub(super) fn names(&self, word: &str) -> bool {
        super::lines::has_word(&self.text, word)
    }
}

/// Whether a script calls a tool whose results stay exact.
fn writes_in_script(script: &str, table: &ToolTable) -> bool {
    let calls = calls_of(script).unwrap_or_default();
    calls.iter().any(|call| Call::new(&call.name, &call.parameters, table).is_exact)
}

fn is_exact_kind(kind: ToolKind) -> bool {
    matches!(kind, ToolKind::Read | ToolKind::Write | ToolKind::Edit | ToolKind::Todo)
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
