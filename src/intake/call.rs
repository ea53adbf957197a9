//! What a result's call asked for: whether its text must stay as it is, and the words it was about.

use serde_json::Value;

use crate::calls::content::{command_of, is_shown_by, kind_of, strings};
use crate::calls::operands::base;
use crate::calls::scripts::{calls_of, script_in};
use crate::calls::words::{Command, split_loosely};
use crate::tools::{ToolKind, ToolTable, is_kept_tool};

/// A call, as far as its result depends on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// What the tool does.
    pub kind: ToolKind,
    /// Whether its result shows file content that an edit may quote: that stays letter by letter.
    pub is_exact: bool,
    /// Whether each line of its result is one that it asked for, as those of searches and reports are.
    pub(super) asks_for_lines: bool,
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
        let asks_for_lines = kind == ToolKind::Search;
        Self { kind, is_exact: is_exact_kind(kind), asks_for_lines, words: Vec::new(), text: String::new() }
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
        let asks_for_lines = kind == ToolKind::Search
            || command_of(parameters).is_some_and(|command| asks_for_lines(&command, DEPTH));
        Self { kind, is_exact, asks_for_lines, words: words(&text), text }
    }

    /// Whether the call names something by a word of its own.
    pub(super) fn names(&self, word: &str) -> bool {
        super::lines::has_word(&self.text, word)
    }
}

/// Commands within commands that are looked into.
const DEPTH: u32 = 2;
/// Commands that print only the lines that a search asks for, and commands that pass lines on.
const SEARCHES: &[&str] = &[
    "grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "jq", "yq", "awk", "gawk", "psql", "mysql",
    "mariadb", "sqlite3", "duckdb",
];
const PASSING_ON: &[&str] = &["head", "tail", "sort", "uniq", "cut", "tee", "cat", "less", "sed", "wc"];
const SHELLS: &[&str] = &["bash", "sh", "zsh", "ssh"];
/// Goals of builds that report: their lines have levels like a log's.
const REPORTS: &[&str] = &["dependency:", "help:", "versions:", "dependencyTree", "dependencyUpdates"];

/// Whether a command ends with a search, so that its output is the answer.
fn asks_for_lines(command: &str, depth: u32) -> bool {
    let commands = split_loosely(command);
    let names =
        |words: &[&str], command: &Command| command.name().is_some_and(|name| words.contains(&base(name)));
    let Some(last) = commands.iter().rev().find(|command| !names(PASSING_ON, command)) else { return false };
    let has = |test: &dyn Fn(&str) -> bool| last.words.iter().any(|word| test(&word.text));
    if names(SHELLS, last) {
        let words = last.words.iter().map(|word| word.text.as_str());
        let inner =
            words.skip(1 + usize::from(names(&["ssh"], last))).skip_while(|word| word.starts_with('-'));
        return depth > 0 && asks_for_lines(&inner.collect::<Vec<_>>().join(" "), depth - 1);
    }
    // What is left of a log without some lines is still one.
    names(SEARCHES, last) && !has(&|word| word == "-v" || word == "--invert-match")
        || has(&|word| REPORTS.iter().any(|goal| word.starts_with(goal)))
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
