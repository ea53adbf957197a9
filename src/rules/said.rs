//! What results say of themselves, as far as words tell: that they are a part, that a call did nothing, that it wrote.

use super::deeds::is_one_of;
use super::superseded::Result;
use crate::search::contains;

/// What tools say, in words of theirs or in the middle of a line, where they don't show all that was asked for, and
/// what the intake says of what it left out: `truncated`, `elided`, `… (3 lines left out)`; `omitted` beside these.
/// Content that says so isn't told apart.
const PARTS: &[&str] = &[
    "uncated",
    "more lines",
    "clipped",
    "Showing ",
    "[… ",
    "… (",
    "… +",
    "lided",
    "lines skipped",
    "nipped",
    "[snip",
    "not shown",
];
/// How these begin.
const PART_STARTS: &[u8] = b"umcS[\xe2ln";
/// Tools cut lines of so many bytes, some of them without a word.
const LONG: usize = 2000;
/// What tools say, in a few lines, where they did nothing or show nothing.
const NOTHING: &[&str] = &[
    "no such file",
    "not found",
    "error",
    "denied",
    "permission",
    "cancel",
    "abort",
    "interrupt",
    "decline",
    "skipped",
    "dry run",
    "dry-run",
    "review",
    "would",
    "could",
    "should",
    "not applied",
    "no change",
    "no space",
    "read-only",
    "wait",
    "directory",
    "unchanged",
    "not exist",
    "empty",
    "fail",
    "refus",
    "cannot",
    "reject",
    "timed out",
    "exit code 1",
];
/// Longer texts are content, whatever stands in them.
const STUB: usize = 5;
/// What they say where they wrote, and what a shell's tool says where all went well.
const WROTE: &str =
    "created wrote written overwrote overwritten updated saved success successful successfully done ok";
const SILENT: &[&str] = &["code 0", "no output"];
/// What else stands beside such a word where nothing was written, and what stands before it.
const UNLESS: &str = "since must before unless until exists blocked invalid unable false";
const NOT: &str = "not never nothing already";

/// Whether a text is a few words on why there is nothing.
pub fn says_nothing(text: &str) -> bool {
    text.starts_with("Traceback") || text.lines().nth(STUB).is_none() && names_nothing(&words_of(text))
}

/// Whether what a call gave that writes a file says so, or says nothing at all. There are more ways to refuse than to
/// succeed.
pub fn says_written(text: &str) -> bool {
    let mut lines = text.lines();
    let first = words_of(lines.next().unwrap_or_default());
    let mut words = first.clone();
    for line in lines.take(STUB) {
        words.push_str(&words_of(line));
    }
    if words.is_empty() {
        return true;
    }
    let mut is_negated = false;
    let mut is_written = SILENT.iter().any(|silent| contains(&words, silent));
    for word in words.split(' ') {
        is_written |= !is_negated && is_one_of(word, WROTE);
        is_negated |= is_one_of(word, NOT) || word.ends_with("n't");
    }
    is_written && !names_nothing(&first) && !words.split(' ').any(|word| is_one_of(word, UNLESS))
}

fn names_nothing(words: &str) -> bool {
    NOTHING.iter().any(|nothing| contains(words, nothing))
}

/// The words of a text in lower case, each with a space behind it, but for paths: files are called `error.rs`, too.
fn words_of(text: &str) -> String {
    // Not `contains`: to look for a letter in a text brings the library's search into the module.
    let is_mark = |letter: char| {
        matches!(
            letter,
            '"' | '{' | '}' | '[' | ']' | '(' | ')' | '<' | '>' | ',' | ';' | '!' | '*' | '=' | ':'
        )
    };
    let is_between = |letter: char| letter.is_ascii_whitespace() || is_mark(letter);
    let mut words = String::new();
    for word in text.split(is_between).filter(|word| !word.contains(['/', '\\'])) {
        let word = word.trim_matches(['.', '\'']);
        if !word.is_empty() {
            words += word;
            words.push(' ');
        }
    }
    words.make_ascii_lowercase();
    words
}

/// Whether a result may leave out lines, or ends of lines.
pub fn is_part(result: &Result<'_>) -> bool {
    let text = result.text.as_bytes();
    let is_named = |at: usize| {
        let is = |part: &str| text.get(at..).is_some_and(|text| text.starts_with(part.as_bytes()));
        // Code says `committed`, `submitted`, `emitted`.
        let is_omitted = match text.get(at.saturating_sub(2)..at) {
            Some([b'o' | b'O']) => true,
            Some([before, b'o' | b'O']) => !before.is_ascii_alphabetic(),
            _ => false,
        };
        PARTS.iter().any(|part| is(part)) || is_omitted && is("mitted")
    };
    let is_cut = |content: &str| {
        content.len() >= LONG
            || content.len() >= LONG / 10 && (content.ends_with("...") || content.ends_with('…'))
    };
    result.rows.iter().any(|row| is_cut(row.content))
        || text.iter().enumerate().any(|(at, byte)| PART_STARTS.contains(byte) && is_named(at))
}
