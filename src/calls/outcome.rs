//! What results say of themselves, as far as words tell: that a call did nothing, or that it wrote.

use super::is_one_of;
use crate::search::{around_first, contains};
use crate::tools::file_name;
use crate::utf16::utf16_length;

/// Words of trouble: first the strong ones, then weaker ones for texts without them.
pub const TROUBLE: [&[&str]; 2] = [
    &[
        "error",
        "fail",
        "panic",
        "exception",
        "cannot",
        "not found",
        "no such",
        "no module",
        "did not match",
        "doesn't want",
        "denied",
        "reject",
        "timed out",
        "fatal",
    ],
    &[
        "refus",
        "blocked",
        "cancel",
        "unknown",
        "undefined",
        "invalid",
        "ambiguous",
        "unable",
        "can't",
        "could not",
        "no match",
        "not exist",
        "abort",
        "interrupt",
        "decline",
        "permission",
        "no space",
        "read-only",
    ],
];
/// What tools say, in a few lines, where they did nothing or show nothing, beside words of trouble.
const NOTHING: &[&str] = &[
    "skipped",
    "dry run",
    "dry-run",
    "review",
    "would",
    "could",
    "should",
    "not applied",
    "no change",
    "wait",
    "directory",
    "unchanged",
    "empty",
    "exit code 1",
];
/// Longer texts are content, whatever stands in them.
const STUB: usize = 5;
/// No more of a text is looked at, in bytes.
const HEAD: usize = 2000;
/// Words of success after a write, and those of a shell.
const WROTE: &str =
    "created wrote written overwrote overwritten updated saved success successful successfully done ok";
const SILENT: &[&str] = &["code 0", "no output"];
/// What may stand beside these words. Any other word may say that nothing was written, in any language.
const BESIDE: &str = "a an the this it is has been was were and or to at in into on of with for file files path content \
                      contents new line lines byte bytes character characters chars code exit exitcode exit_code \
                      returncode wall time second seconds output stdout stderr status true operation notice state current \
                      your context no need you do not read re-read back here here's result running cat -n snippet \
                      edited following bash completed command m d total";
/// Behind these a zero says that all went well.
const CODES: &str = "code exitcode exit_code returncode status";
/// Behind a number these say how long it took, or how much was written.
const TIMES: &str = "second seconds s ms";
const SIZES: &str = "byte bytes char chars character characters";
/// With these a call did nothing, unless one of the others follows: "no need to read it back".
const NOT: &str = "no not";
const NEEDLESS: &str = "need read re-read output";

/// What hosts answer instead of a file that the model has read before, in lower case. Claude Code: "File unchanged since
/// last read", "Wasted call — file unchanged since your last Read. Refer to that earlier `tool_result` instead."
const UNCHANGED: &[&str] = &[
    "unchanged since",
    "not changed since",
    "hasn't changed since",
    "not been modified since",
    "not been changed since",
    "no changes since",
    "wasted call",
    "already read this",
    "already been read",
    "refer to that",
    "refer to the earlier",
    "refer to the previous",
    "earlier tool_result",
    "still current",
    "same content as",
    "already in context",
    "duplicate read",
];
/// Longer texts are no such answer, in bytes.
const LONGEST_STUB: usize = 1000;

/// Behind this a host speaks of other things.
const REMINDER: &str = "<system-reminder>";

/// Whether the result of a read refers to an earlier one instead of showing the file.
pub fn refers_back(text: &str) -> bool {
    let text = around_first(text, REMINDER).map_or(text, |(text, _)| text).trim_end();
    text.len() <= LONGEST_STUB && text.lines().nth(STUB).is_none() && {
        let words = words_of(text);
        UNCHANGED.iter().any(|unchanged| contains(&words, unchanged))
    }
}

/// Whether a line has one of some words in lower case, in any case.
#[must_use]
pub fn has_word(line: &str, words: &[&str]) -> bool {
    let lower = line.to_ascii_lowercase();
    words.iter().any(|word| contains(&lower, word))
}

/// At most this many lines at each end of a result are the harness's, and this many bytes of each.
const END_LINES: usize = 6;
const LONGEST_LINE: usize = 240;
const STATED: &[&str] =
    &["exit code", "exited with code", "exit_code", "exitcode", "returncode", "exit status", "exited with"];

/// The exit code that a result states at its beginning or its end; of several, one that tells of a failure.
#[must_use]
pub fn stated_code(text: &str) -> Option<i64> {
    let text = text.trim();
    let ends = text.lines().take(END_LINES).chain(text.lines().rev().take(END_LINES));
    let mut found = None;
    for line in ends {
        let from = line.len().saturating_sub(LONGEST_LINE);
        let from = (from..=line.len()).find(|at| line.is_char_boundary(*at)).unwrap_or(0);
        let lower = line.get(from..).unwrap_or(line).to_ascii_lowercase();
        for code in STATED.iter().flat_map(|words| lower.split(words).skip(1)).filter_map(code) {
            found = found.filter(|known| *known != 0).or(Some(code));
        }
    }
    found
}

/// The number that stands at a text's beginning, behind signs.
fn code(text: &str) -> Option<i64> {
    let number = text.trim_start_matches(['"', '\'', ':', '=', ' ', '>', '\\']);
    let (sign, digits) = number.strip_prefix('-').map_or((1, number), |rest| (-1, rest));
    let end = digits.bytes().take_while(u8::is_ascii_digit).count();
    digits.get(..end)?.parse::<i64>().ok().map(|code| sign * code)
}

/// Whether a text is a few words on why there is nothing.
pub fn says_nothing(text: &str) -> bool {
    let text = head(text);
    text.starts_with("Traceback") || text.lines().nth(STUB).is_none() && names_nothing(&words_of(text))
}

/// The part of a text in which it would say so: a long line costs no more than many lines.
fn head(text: &str) -> &str {
    let end = (0..=HEAD.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    text.get(..end.unwrap_or(0)).unwrap_or(text)
}

/// What a call was to write.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'call> {
    /// The paths of its files.
    pub files: &'call [&'call str],
    /// The whole text, if it is known.
    pub text: Option<&'call str>,
}

/// Whether the result of a call that writes files says so, or says nothing at all. Only known words count: there are
/// more ways to refuse, to wait and to write a part than to succeed. Other files and other sizes are no success either.
pub fn says_written(text: &str, wanted: Wanted<'_>) -> bool {
    let mut all = String::new();
    for line in head(text).lines().take(STUB + 1) {
        add_words(&mut all, line, |_| true);
        // A listing of what was written follows.
        if line.ends_with(':') && all.split(' ').any(|word| is_one_of(word, "here here's")) {
            break;
        }
    }
    let words: Vec<&str> = all.split_whitespace().collect();
    let is_known = |(at, word): (usize, &&str)| {
        let near = |at: Option<usize>| at.and_then(|at| words.get(at)).copied().unwrap_or_default();
        let (before, next) = (near(at.checked_sub(1)), near(Some(at + 1)));
        let is_sign = is_one_of(word, "✅ ✓ ✔ — – ·") || word.bytes().all(|byte| byte.is_ascii_punctuation());
        if word.starts_with(|letter: char| letter.is_ascii_digit()) {
            return is_known_number(word, (before, next), wanted);
        }
        let is_named = |path: &&str| file_name(path).eq_ignore_ascii_case(file_name(word));
        // An element may end: `</output>`.
        let bare = word.strip_prefix('/').unwrap_or(word);
        let is_word = is_one_of(bare, BESIDE) || is_one_of(word, WROTE);
        let is_no = is_one_of(word, NOT) && !is_one_of(next, NEEDLESS);
        is_sign || is_word && !is_no || wanted.files.iter().any(is_named)
    };
    let is_silent = words.is_empty() || SILENT.iter().any(|silent| contains(&all, silent));
    (is_silent || words.iter().any(|word| is_one_of(word, WROTE))) && words.iter().enumerate().all(is_known)
}

/// Whether a number says nothing else than that all was written.
fn is_known_number(word: &str, (before, next): (&str, &str), wanted: Wanted<'_>) -> bool {
    let number = word.parse::<usize>().ok();
    let is_size = |size: usize| number == Some(size) || number == Some(size + 1);
    match next {
        _ if is_one_of(next, TIMES) => true,
        _ if is_one_of(before, CODES) => number == Some(0),
        _ if is_one_of(next, SIZES) => wanted.text.is_some_and(|text| {
            [text.len(), text.chars().count(), utf16_length(text) as usize].into_iter().any(is_size)
        }),
        "line" | "lines" => wanted.text.is_some_and(|text| is_size(text.lines().count())),
        "file" | "files" => number == Some(wanted.files.len()),
        _ => false,
    }
}

fn names_nothing(words: &str) -> bool {
    let mut lists = TROUBLE.iter().chain([&NOTHING]);
    lists.any(|list| list.iter().any(|nothing| contains(words, nothing)))
}

/// The words of a text in lower case, each with a space behind it, but for paths: files are called `error.rs`, too.
fn words_of(text: &str) -> String {
    let mut words = String::new();
    add_words(&mut words, text, |word| !word.contains(['/', '\\']));
    words
}

/// Adds the words of a text that are wanted.
fn add_words(words: &mut String, text: &str, is_wanted: impl Fn(&str) -> bool) {
    // Not `contains`: to look for a letter in a text brings the library's search into the module.
    let is_mark = |letter: char| {
        matches!(
            letter,
            '"' | '{' | '}' | '[' | ']' | '(' | ')' | '<' | '>' | ',' | ';' | '!' | '*' | '=' | ':' | '`'
        )
    };
    let is_between = |letter: char| letter.is_ascii_whitespace() || is_mark(letter);
    for word in text.split(is_between).filter(|word| is_wanted(word)) {
        let word = word.trim_matches(['.', '\'']);
        if !word.is_empty() {
            words.push_str(&word.to_ascii_lowercase());
            words.push(' ');
        }
    }
}
