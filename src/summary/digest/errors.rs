//! Why a call failed, in the words of its result, and which errors a later call has mended.

use super::super::History;
use super::super::texts::{clipped, parse, read, text_leaf};
use super::body::{ERROR_LINES as LINES, Facts, Topic};
use super::files::{FileOperations, files_of};
use crate::calls::commands::is_word_of_a_look;
use crate::calls::outcome::{TROUBLE, has_word, stated_code};
use crate::search::{around_first, around_last};
use crate::tools::ToolKind;
use crate::view::{Leaf, path};

/// So long is each line at most, in UTF-16 code units.
const LONGEST: u32 = 200;
/// So many lines behind them give place and values, at most so far behind.
const DETAILS: usize = 4;
const AFTER: usize = 8;

/// What begins lines that a harness puts around an output, or that mark a failure; codes are said elsewhere.
const AROUND: &[&str] = &[
    "exit code",
    "exit status",
    "wall time",
    "chunk id",
    "process exited with",
    "command exited with",
    "original token count",
    "returncode>",
    "output>",
    "(no output)",
    "signal:",
];
/// The same, where nothing follows.
const MARKS: &[&str] = &["output:", "failed", "error", "true"];
/// Members of a result in which its words are.
const WORDS: &[&str] = &["error", "stderr", "message", "output", "stdout", "content"];
/// Beginnings of lines about passing tests, whose names may mention trouble.
const PASSED: &[&str] = &["✔", "✓", "√", "ok "];

/// The lines of a failed result that say most; of a command that only looks, those of its own.
pub(super) fn reason(history: History<'_>, response: u32, is_looking: bool) -> String {
    let Failure { text, detail, code } = Failure::of(history, response);
    let mut said = said(&text);
    // What marks a failure mostly says no more than that.
    said.extend(self::said(&detail));
    let mut chosen: Vec<&str> = Vec::new();
    if is_looking {
        chosen = choose(&said, &is_word_of_a_look);
    }
    for words in TROUBLE.iter().filter(|_| !is_looking) {
        if chosen.is_empty() {
            chosen = choose(&said, &|line| has_word(line, words) && !begins(line, PASSED));
        }
    }
    if chosen.is_empty() {
        chosen = said.iter().skip(said.len().saturating_sub(LINES)).copied().collect();
    }
    // Then the place and the values: these lines go first if there is little room.
    for line in details(&said, &chosen) {
        chosen.push(line);
    }
    let mut shown = String::new();
    for line in chosen {
        // What a tool says stands behind a mark: no line of it reads like a heading or an item of ours.
        shown.push_str(if shown.is_empty() { "" } else { "\n> " });
        shown.push_str(&clipped(line, LONGEST));
    }
    match code {
        _ if !shown.is_empty() => shown,
        Some(code) => ["exit code ", &code.to_string()].concat(),
        None => "failed".to_owned(),
    }
}

/// The first lines that tell something, each once; one that ends in a colon says nothing without the next one.
#[inline(never)] // Twice the same is twice the size.
fn choose<'text>(lines: &[&'text str], tells: &dyn Fn(&str) -> bool) -> Vec<&'text str> {
    let mut chosen: Vec<&str> = Vec::new();
    let mut is_announced = false;
    for &line in lines {
        let is_chosen = is_announced || tells(line);
        is_announced = is_chosen && line.ends_with(':');
        if is_chosen && !chosen.contains(&line) {
            chosen.push(line);
        }
        if chosen.len() == LINES {
            break;
        }
    }
    chosen
}

/// What begins a line that gives the values of a failed check, in lower case.
const VALUES: &[&str] = &[
    "expected",
    "received",
    "actual",
    "want",
    "got",
    "have",
    "left:",
    "right:",
    "- ",
    "+ ",
    "e ",
    "found",
    "where ",
    "caused by",
];

/// The lines behind the chosen ones that give a place or a value.
fn details<'text>(lines: &[&'text str], chosen: &[&str]) -> Vec<&'text str> {
    let mut details = Vec::new();
    let mut near = 0;
    for &line in lines {
        near = if chosen.contains(&line) { AFTER } else { near.saturating_sub(1) };
        let is_value = || VALUES.iter().any(|begin| line.to_ascii_lowercase().starts_with(begin));
        let is_new = !chosen.contains(&line) && !details.contains(&line);
        if near > 0 && is_new && (is_value() || has_place(line)) && details.len() < DETAILS {
            details.push(line);
        }
    }
    details
}

/// Whether a line names a place in a file: `src/cart.rs:42`, `--> a.rs:1:2`, `line 9`.
fn has_place(line: &str) -> bool {
    line.split_whitespace().any(|word| {
        let mut parts = word.trim_start_matches(['(', '"', '\'']).split([':', '(']);
        let is_file = parts.next().and_then(|path| path.rsplit_once('.')).is_some_and(|(stem, extension)| {
            !stem.is_empty()
                && (1..=5).contains(&extension.len())
                && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
        is_file && parts.next().is_some_and(|number| number.starts_with(|sign: char| sign.is_ascii_digit()))
    }) || line.contains("\", line ")
}

/// Whether a call that failed only found nothing: `grep` and its like end so, with a code and no word.
pub(super) fn found_nothing(history: History<'_>, response: u32) -> bool {
    let Failure { text, code, .. } = Failure::of(history, response);
    code == Some(1) && said(&text).is_empty()
}

/// A failed result: its words, what marks it as a failure, and its code.
struct Failure {
    text: String,
    detail: String,
    code: Option<i64>,
}

impl Failure {
    #[inline(never)] // Twice the same is twice the size.
    fn of(history: History<'_>, response: u32) -> Self {
        let mut text = text_leaf(history, response).map(|leaf| read(history, leaf)).unwrap_or_default();
        let detail = read(history, history.view.leaf(response, Leaf::Detail));
        let code = stated_code(&text).or_else(|| stated_code(&detail));
        let parsed = parse(&text);
        // Of an object's text the words are those of its members.
        let members: Vec<&str> = WORDS.iter().filter_map(|&key| parsed.get(key)?.as_str()).collect();
        if !members.is_empty() {
            text = members.join("\n");
        }
        Self { text, detail, code }
    }
}

/// Takes away the errors of files that a call has written or changed: what failed on them before is mended.
pub(super) fn mended(history: History<'_>, index: u32, facts: &mut Facts) {
    let is_of_file = |name: &str| {
        let tool = history.tools.describe(name);
        tool.mode.is_some() || matches!(tool.kind, ToolKind::Read | ToolKind::Write | ToolKind::Edit)
    };
    let mut open = facts.of(Topic::Errors);
    open.retain(|(key, _)| key.split_once(' ').is_some_and(|(name, _)| is_of_file(name)));
    if open.is_empty() {
        return;
    }
    let FileOperations { written, edited, .. } = files_of(history, index);
    let root = history.view.names.workspace_root();
    let is_changed = |about: &str| {
        let path = path::resolve(root, about);
        written.iter().chain(&edited).any(|changed| is_same(changed, &path) || is_same(changed, about))
    };
    for (key, _) in open {
        let abouts = key.split_once(' ').map(|(_, abouts)| abouts).unwrap_or_default();
        if abouts.split(", ").all(is_changed) {
            facts.remove(Topic::Errors, &key);
        }
    }
}

/// Whether two paths are of one file: the same, or one is relative and the other one ends in it.
fn is_same(one: &str, other: &str) -> bool {
    let ends = |whole: &str, end: &str| {
        let before = whole.strip_suffix(end).filter(|_| !end.is_empty() && !end.starts_with('/'));
        before.is_some_and(|before| before.ends_with('/'))
    };
    one == other || ends(one, other) || ends(other, one)
}

/// The subject of a call whose arguments name no file: the files of its patch.
pub(super) fn patched(history: History<'_>, index: u32) -> String {
    let FileOperations { mut written, edited, .. } = files_of(history, index);
    written.extend(edited);
    written.join(", ")
}

/// The lines of an output, without those around it.
#[inline(never)] // Twice the same is twice the size.
fn said(text: &str) -> Vec<&str> {
    text.split(['\n', '\r']).map(bare).filter(|line| !line.is_empty() && !is_around(line)).collect()
}

/// A line without the tags that say that it is an error.
fn bare(line: &str) -> &str {
    let line = line.trim();
    let opened = line.strip_prefix('<').and_then(|line| around_first(line, "error>"));
    let line = opened.filter(|(tag, _)| !tag.contains(['<', ' '])).map_or(line, |(_, rest)| rest);
    let closed = line.strip_suffix("error>").and_then(|line| around_last(line, "</"));
    closed.filter(|(_, tag)| !tag.contains(' ')).map_or(line, |(rest, _)| rest).trim()
}

/// Whether a line is only a harness's: a long one says more.
fn is_around(line: &str) -> bool {
    let lower = line.trim_start_matches(['<', '/']).to_ascii_lowercase();
    lower.len() < 60 && begins(&lower, AROUND) || MARKS.contains(&lower.as_str())
}

#[inline(never)] // Twice the same is twice the size.
fn begins(line: &str, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|begin| line.starts_with(begin))
}
