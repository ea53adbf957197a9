//! Long logs around their errors and warnings: what goes on without trouble in between is left out.

use super::call::Call;
use super::lines::{Mark, digits, fold, is_place, is_trouble};
use super::shapes::Shapes;
use super::tables::is_joined_rule;

/// Shorter logs stay.
const LONG: usize = 200;
/// So many lines stay at the beginning, at the end, and around trouble.
const HEAD: usize = 10;
const TAIL: usize = 20;
const AROUND: usize = 3;
/// What stands so often says the same.
const REPEATED: usize = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Trouble,
    Calm,
}

pub(super) fn leave_out(text: &str, call: &Call) -> Option<String> {
    let lines: Vec<&str> = text.split('\n').collect();
    if call.asks_for_lines || lines.len() < LONG || lines.iter().any(|line| is_joined_rule(line)) {
        return None; // or drawn as a table
    }
    let mut levels: Vec<Option<Level>> = lines.iter().map(|line| level(line)).collect();
    let quiet = levels.iter().filter(|level| **level == Some(Level::Calm)).count();
    let is_log = levels.iter().flatten().count() * 2 > lines.len();
    if !is_log || quiet == levels.iter().flatten().count() {
        return None; // without trouble nobody can say what matters
    }
    // A report may have levels, too: what goes is said again and again, or when it happened.
    let shapes = Shapes::of(lines.iter().copied());
    for (at, (level, line)) in levels.iter_mut().zip(&lines).enumerate() {
        if *level == Some(Level::Calm) && shapes.count(at) < REPEATED && !has_time(line) {
            *level = None;
        }
    }
    let mut marks = vec![Mark::Keep; lines.len()];
    let mut last_level = None;
    for (at, (mark, level)) in marks.iter_mut().zip(&levels).enumerate() {
        // An indented line goes on with the one before, unless it names a place, as tests do that fail; any other without
        // a level may be from elsewhere.
        let goes_on = lines.get(at).is_some_and(|line| {
            let is_indented = line.trim().is_empty() || line.starts_with([' ', '\t']);
            is_indented && !line.split_whitespace().next().is_some_and(is_place)
        });
        last_level = if goes_on { level.or(last_level) } else { *level };
        let is_inside = at >= HEAD && at + TAIL < lines.len();
        let is_asked_for =
            lines.get(at).is_some_and(|line| call.words.iter().any(|word| line.contains(word.as_str())));
        if is_inside && last_level == Some(Level::Calm) && !is_asked_for && !shapes.is_odd(at) {
            *mark = Mark::Out("log lines");
        }
    }
    for (at, level) in levels.iter().enumerate() {
        if *level == Some(Level::Trouble)
            && let Some(near) = marks.get_mut(at.saturating_sub(AROUND)..(at + AROUND + 1).min(lines.len()))
        {
            near.fill(Mark::Keep);
        }
    }
    fold(text, &marks, AROUND)
}

/// The level of a line: any word of trouble in it decides; that all is well, a level near its beginning says.
fn level(line: &str) -> Option<Level> {
    if is_trouble(line) || words(line).any(|word| LOUD.iter().any(|loud| word.eq_ignore_ascii_case(loud))) {
        return Some(Level::Trouble);
    }
    let end = line.char_indices().nth(90).map_or(line.len(), |(at, _)| at);
    let head = line.get(..end)?;
    (has_field(line, head) || has_level(head)).then_some(Level::Calm)
}

const LOUD: &[&str] = &["severe", "alert", "emerg", "emergency", "crit", "err"];
const CALM: &[&str] = &[
    "INFO", "DEBUG", "TRACE", "NOTICE", "VERBOSE", "FINE", "Info", "Debug", "Trace", "info", "debug", "trace",
];
const FIELDS: &[&str] = &["level", "lvl", "severity"];

/// Words as a level stands alone: not a part of a name (`trace_id`) or of a path (`/srv/debug/app`).
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part =
        |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '/' | '.');
    text.split(move |character| !is_part(character)).map(|word| word.trim_matches(['-', '.']))
}

/// Whether a calm level stands in a field of its own (`level=info`), beside a message if that is JSON.
fn has_field(line: &str, head: &str) -> bool {
    let value = |field: &str| {
        let (_, rest) = head.split_once(field)?;
        let value = rest.strip_prefix('=').or_else(|| rest.strip_prefix("\":"))?;
        value.trim_start_matches(['"', ' ']).split(|c: char| !c.is_ascii_alphabetic()).next()
    };
    FIELDS.iter().filter_map(|field| value(field)).any(|value| CALM.contains(&value))
        && (!head.starts_with('{') || line.contains("\"msg\":") || line.contains("\"message\":"))
}

/// Whether a calm level stands where logs have it: behind a time, marked as one, or in capitals among the first
/// words. A cell of a table and a line of code that was found may hold the same word.
fn has_level(head: &str) -> bool {
    let is_place = |(path, line): (&str, &str)| path.contains(['/', '.']) && digits(line).is_some();
    let first = head.split_whitespace().next().unwrap_or_default();
    if first == "|" || first.split_once(':').is_some_and(is_place) {
        return false;
    }
    let has_time = has_time(head);
    head.split_whitespace().enumerate().any(|(at, word)| {
        let bare = word.trim_start_matches(['[', '(', '<']);
        let end = bare.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(bare.len());
        let (name, rest) = bare.split_at_checked(end).unwrap_or_default();
        let is_marked = bare.len() < word.len() || rest.starts_with(':');
        let is_first = at < 3 && name.bytes().all(|byte| byte.is_ascii_uppercase()) && !head.contains('|');
        CALM.contains(&name)
            && !rest.starts_with("::")
            && (rest.is_empty() || rest.starts_with([']', ')', '>', ':']))
            && (has_time || is_marked || is_first)
    })
}

/// Whether a line begins with a time.
fn has_time(line: &str) -> bool {
    let is_time = |five: &[u8]| {
        five.iter().enumerate().all(|(at, byte)| match at {
            2 => *byte == b':',
            _ => byte.is_ascii_digit(),
        })
    };
    line.as_bytes().windows(5).take(40).any(is_time)
}
