//! What results say of themselves, as far as words tell: that they are a part, that a call did nothing, that it wrote.

use super::is_one_of;
use crate::lines::Row;
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
/// Behind these a zero says that all went well; elsewhere it says that nothing was written.
const CODES: &str = "code exitcode exit_code returncode status time";
/// With these a call did nothing.
const NOT: &str = "not never nothing already";

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
];
/// Longer texts are no such answer, in bytes.
const LONGEST_STUB: usize = 1000;

/// Whether the result of a read refers to an earlier one instead of showing the file.
pub fn refers_back(text: &str) -> bool {
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

/// Whether the result of a call that writes a file says so, or says nothing at all. Only known words count: there are
/// more ways to refuse, to wait and to write a part than to succeed.
pub fn says_written(text: &str) -> bool {
    let mut words = String::new();
    for line in head(text).lines().take(STUB + 1) {
        words.push_str(&words_of(line));
        // A listing of what was written follows.
        if line.ends_with(':') && words.split(' ').any(|word| is_one_of(word, "here here's")) {
            break;
        }
    }
    let (mut is_negated, mut is_code) = (false, false);
    let mut is_written = words.is_empty() || SILENT.iter().any(|silent| contains(&words, silent));
    let is_sign =
        |word: &str| is_one_of(word, "✅ ✓ ✔ — – ·") || word.bytes().all(|byte| byte.is_ascii_punctuation());
    for word in words.split(' ').filter(|word| !is_sign(word)) {
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let is_zero = is_number && !word.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
        let is_known =
            if is_number { is_zero == is_code } else { is_one_of(word, BESIDE) || is_one_of(word, WROTE) };
        // A name such as `a.rs` may be any word.
        if !is_known && (is_number || !word.contains('.')) {
            return false;
        }
        is_code = is_one_of(word, CODES);
        is_written |= !is_negated && is_one_of(word, WROTE);
        is_negated |= is_one_of(word, NOT);
    }
    is_written
}

fn names_nothing(words: &str) -> bool {
    let mut lists = TROUBLE.iter().chain([&NOTHING]);
    lists.any(|list| list.iter().any(|nothing| contains(words, nothing)))
}

/// The words of a text in lower case, each with a space behind it, but for paths: files are called `error.rs`, too.
fn words_of(text: &str) -> String {
    // Not `contains`: to look for a letter in a text brings the library's search into the module.
    let is_mark = |letter: char| {
        matches!(
            letter,
            '"' | '{' | '}' | '[' | ']' | '(' | ')' | '<' | '>' | ',' | ';' | '!' | '*' | '=' | ':' | '`'
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
pub fn is_part(text: &str, rows: &[Row<'_>]) -> bool {
    let text = text.as_bytes();
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
    rows.iter().any(|row| is_cut(row.content))
        || text.iter().enumerate().any(|(at, byte)| PART_STARTS.contains(byte) && is_named(at))
}
