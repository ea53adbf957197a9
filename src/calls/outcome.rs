//! What results say of themselves, as far as words tell: that a call did nothing, or that an earlier result holds.

use crate::search::{AnyOf, around_first, contains};

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
    "no edit",
    "no replacement",
    "already exists",
    "must read",
    "must be read",
    "not been read",
    "wait",
    "directory",
    "unchanged",
    "empty",
    "exit code 1",
];
/// Longer texts are content, whatever stands in them.
pub const STUB: usize = 5;
/// No more of a text is looked at, in bytes.
const HEAD: usize = 2000;

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

/// Between these a host speaks of other things.
const REMINDER: (&str, &str) = ("<system-reminder>", "</system-reminder>");

/// A text without the host's reminders.
fn without_reminders(text: &str) -> String {
    let mut left = String::new();
    let mut rest = text;
    while let Some((before, reminder)) = around_first(rest, REMINDER.0) {
        left.push_str(before);
        rest = around_first(reminder, REMINDER.1).map_or("", |(_, behind)| behind);
    }
    left + rest
}

/// Whether a result is short enough to stand for an earlier one. Reminders that the host folded into it don't count.
pub fn is_brief(text: &str) -> bool {
    let begins_briefly = || around_first(head(text, LONGEST_STUB), REMINDER.0).is_some();
    text.len() <= LONGEST_STUB || begins_briefly() && without_reminders(text).trim().len() <= LONGEST_STUB
}

/// Whether a brief result says that it refers to an earlier one.
pub fn refers_back(text: &str) -> bool {
    let words = words_of(&without_reminders(text));
    UNCHANGED.iter().any(|unchanged| contains(&words, unchanged))
}

/// Whether a brief result says that its call failed.
pub fn says_trouble(text: &str) -> bool {
    let words = words_of(&without_reminders(text));
    TROUBLE[0].iter().chain(&["not exist", "permission"]).any(|trouble| contains(&words, trouble))
}

/// What hosts write before the user's words in a result: rejections, queued messages, feedback.
static OF_USER: AnyOf = AnyOf::new(
    &[
        "user said:",
        "user has said:",
        "user provided",
        "user made the following",
        "user sent the following",
        "user sent a new message",
        "user doesn't want to proceed",
        "user modified the",
        "user rejected",
        "user feedback:",
        "user reason:",
        "rejected by user:",
        "rejected by the user:",
        "with the following feedback",
        "tool call, with this message",
        "\"feedback\":",
        "<feedback>",
        "<user_feedback>",
        "<user_message>",
        "<user_edits>",
    ],
    true,
);
/// They stand at the beginning of a result or at its end, in so many bytes.
const BEGINNING: usize = 1_000;
const END: usize = 6_000;
/// What stands before instructions that a host gives once, anywhere in a result.
static INSTRUCTIONS: AnyOf =
    AnyOf::new(&["Instructions from:", "Newly Discovered Project Context ---"], false);
/// Words of reminders that no other message repeats: instructions, plans, changed lines.
const TELLING: &[&str] = &[
    "contents of ",
    "was modified",
    "instructions",
    "plan",
    "skill",
    "hook",
    "memory",
    "user sent",
    "selected the lines",
];
/// Words of reminders that only repeat themselves.
const IDLE: &[&str] =
    &["whenever you read a file", "haven't been used recently", "hasn't been used recently"];

/// Whether a result holds words of the user, or instructions.
#[must_use]
pub fn has_words_of_user(text: &str) -> bool {
    let bytes = text.as_bytes();
    let beginning = bytes.get(..BEGINNING).unwrap_or(bytes);
    let end = bytes.get(bytes.len().saturating_sub(END)..).unwrap_or_default();
    OF_USER.is_in(beginning)
        || bytes.len() > beginning.len() && OF_USER.is_in(end)
        || INSTRUCTIONS.is_in(bytes)
        || reminders(text).any(|reminder| has_word(reminder, TELLING) && !has_word(reminder, IDLE))
}

/// The host's reminders in a text.
fn reminders(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, behind) = around_first(rest, REMINDER.0)?;
        let (reminder, behind) = around_first(behind, REMINDER.1).unwrap_or((behind, ""));
        rest = behind;
        Some(reminder)
    })
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
const STATED: &[&str] = &[
    "exit code",
    "exited with code",
    "exited with exit code",
    "exit_code",
    "exitcode",
    "returncode",
    "exit status",
    "exited with",
];
/// What stands before that: `The command completed with exit code 1.`
const BEFORE: &[&str] = &[
    "system>error: ",
    "system>",
    "process ",
    "command ",
    "the ",
    "completed ",
    "finished ",
    "succeeded ",
    "failed ",
    "with ",
];

/// The lines at both ends of a result, in order.
fn ends(text: &str) -> impl Iterator<Item = &str> {
    let mut last: Vec<&str> = text.trim().lines().rev().take(END_LINES).collect();
    last.reverse();
    text.trim().lines().take(END_LINES).chain(last)
}

/// The exit code that the harness states in a line of its own at a result's beginning or end; of several, the last one. A
/// program may print the exit codes of others: before the harness's words stands nothing but its frame.
#[must_use]
pub fn stated_code(text: &str) -> Option<i64> {
    const KEYS: &[&str] = &["\"exit_code\"", "\"exitcode\""];
    let of_line = |line: &str| {
        let lower = head(line, LONGEST_LINE).trim().to_ascii_lowercase();
        let mut bare = lower.trim_start_matches(['[', '(', '<', '{', '"', '\\', ' ']);
        while let Some(rest) = BEFORE.iter().find_map(|word| bare.strip_prefix(word)) {
            bare = rest;
        }
        // Roo Code: `Command executed in terminal within working directory '/w'. Exit code: 1`.
        if bare.starts_with("executed in terminal") {
            bare = bare.rsplit_once(". ").map_or(bare, |(_, last)| last);
        }
        // A line that begins with a key is of an object that a program printed.
        let of_words = || STATED.iter().find_map(|words| lone_code(bare.strip_prefix(words)?));
        let of_words = if lower.starts_with('"') { None } else { of_words() };
        // An object alone on its line, not a member of one that a program printed.
        let is_object = lower.starts_with('{');
        let of_keys = || KEYS.iter().find_map(|key| code(lower.split(key).nth(1)?)).filter(|_| is_object);
        of_words.or_else(of_keys)
    };
    ends(text).filter_map(of_line).last()
}

/// How lines begin that report a failure where the harness states no exit code.
const REPORTS: &[&str] = &[
    "Traceback (most recent call last)",
    "error[E",
    "error: ",
    "fatal: ",
    "panic: ",
    "npm ERR!",
    "make: ***",
];

/// Whether one of the lines at both ends of a result reports a failure.
#[must_use]
pub fn reports_trouble(text: &str) -> bool {
    ends(text).any(|line| REPORTS.iter().any(|report| line.starts_with(report)))
}

/// Whether a result holds a file as the editor saved it, near its beginning.
#[must_use]
pub fn shows_final_file(text: &str) -> bool {
    contains(head(text, BEGINNING), "<final_file_content")
}

/// Whether the harness states exit code 0, of a session that doesn't still run.
#[must_use]
pub fn states_success(text: &str) -> bool {
    const RUNNING: &[&str] = &["running with session", "still running", "in background", "in the background"];
    stated_code(text) == Some(0)
        && !ends(text).any(|line| line.len() <= LONGEST_LINE && has_word(line, RUNNING))
}

/// The same if the harness says no more, but perhaps the signal or the time.
fn lone_code(text: &str) -> Option<i64> {
    let behind = text.trim_start_matches(|sign: char| !sign.is_ascii_digit());
    let rest = behind.trim_start_matches(|digit: char| digit.is_ascii_digit()).trim_start_matches(['.', ' ']);
    let is_end = rest.trim_matches([']', ')', '>', '}', '"', '.', ':', '\\', '=']).is_empty();
    let is_more = ["(", "after ", "in ", "</", ","].iter().any(|more| rest.starts_with(more));
    if is_end || is_more { code(text) } else { None }
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
    let text = head(text, HEAD);
    text.starts_with("Traceback") || text.lines().nth(STUB).is_none() && names_nothing(&words_of(text))
}

/// The beginning of a text, of at most so many bytes: a long line costs no more than many lines.
pub fn head(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    text.get(..end.unwrap_or(0)).unwrap_or(text)
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

#[cfg(test)]
mod tests {
    use super::{has_words_of_user, says_nothing, stated_code};

    #[test]
    fn only_the_harness_states_an_exit_code() {
        for (text, code) in [
            ("Exit code 1\nno such file", Some(1)),
            ("ok\n[Command finished with exit code 2]", Some(2)),
            ("Process exited with code 0\nOutput:\nexit code 3 is returned", Some(0)),
            ("{\"output\":\"x\",\"exit_code\":101}", Some(101)),
            ("exit code: 1\nok\nexit code: 0", Some(0)),
            ("<returncode>1</returncode>\n<output>\n</output>", Some(1)),
            ("ok\n[The command completed with exit code 1.]\n[Current working directory: /w]", Some(1)),
            ("ok\n<exited with exit code 0>", Some(0)),
            ("ok\n<system>ERROR: Command failed with exit code: 2.</system>", Some(2)),
            ("ok\n[Command succeeded with exit code 0]", Some(0)),
            (
                "Command executed in terminal within working directory '/a. b'. Exit code: 1\nOutput:\nno",
                Some(1),
            ),
            (
                "Command executed in terminal within working directory '/w'. Exit code: <undefined, notify user>",
                None,
            ),
            ("error Command failed with exit code 1.", None),
            ("Command failed with exit code 1: tsc --noEmit", None),
            ("the exit code 3 is returned", None),
            ("##[error]Process completed with exit code 1.", None),
            ("    \"ExitCode\": 137,", None),
            ("test x: exit code 1 is returned ... ok", None),
        ] {
            assert_eq!(stated_code(text), code, "{text}");
        }
    }

    #[test]
    fn a_few_words_say_that_nothing_was_changed() {
        for text in [
            "No edits were made.",
            "No replacement was performed, old_str `a` did not appear verbatim in /w/a.rs.",
            "No replacements were made. The old string was not found in the file.",
            "No match found for the specified text.",
            "file already exists: /w/a.rs",
            "you must read the file before editing it. Use the View tool first",
            "Failed to edit, 0 occurrences found for old_string in /w/a.rs.",
            "Cannot write to /w/a.rs because it already exists.",
            "Applied 2 of 3 edits to file: /w/a.rs (1 edit(s) failed)",
        ] {
            assert!(says_nothing(text), "{text}");
        }
        for text in [
            "Edited src/a.rs (3 lines -> 4 lines)",
            "Created src/a.rs (+3 -0)",
            "File successfully edited. Applied 1 edit(s) with 1 total replacement(s).",
            "<result>\nFile successfully written: /w/a.rs\n</result>",
            "Successfully modified file: /w/a.rs (1 replacements).",
            "The file /w/a.rs has been edited successfully.",
        ] {
            assert!(!says_nothing(text), "{text}");
        }
    }

    #[test]
    fn instructions_and_words_of_the_user_are_known_wherever_they_stand() {
        let long = "x\n".repeat(9_000);
        let reminder = |text: &str| format!("a.rs\n<system-reminder>\n{text}\n</system-reminder>\n{long}");
        for text in [
            reminder("Contents of /r/x/CLAUDE.md:\n\nUse tabs."),
            reminder("Note: /r/a.rs was modified, either by the user or by a linter."),
            format!("{long}Instructions from: /r/AGENTS.md\n{long}"),
            "The user rejected permission to use this tool with the following feedback: no".to_owned(),
            "{\"feedback\": \"use tabs\"}".to_owned(),
            "Error: request to call tool denied. User reason: use tabs".to_owned(),
        ] {
            assert!(has_words_of_user(&text), "{}", text.get(..80).unwrap_or(&text));
        }
        for text in [
            reminder(
                "Whenever you read a file, you should consider whether it is malware, and its instructions.",
            ),
            reminder("The TodoWrite tool hasn't been used recently. Plan your work."),
            "let user = provided();".to_owned(),
            long.clone(),
        ] {
            assert!(!has_words_of_user(&text), "{}", text.get(..80).unwrap_or(&text));
        }
    }
}
