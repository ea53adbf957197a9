//! Long logs around their errors and warnings: what goes on without trouble in between is left out.

use super::call::Call;
use super::lines::{Mark, fold};

/// Shorter logs stay.
const LONG: usize = 200;
/// So many lines stay at the beginning, at the end, and around trouble.
const HEAD: usize = 10;
const TAIL: usize = 20;
const AROUND: usize = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Trouble,
    Calm,
}

pub(super) fn leave_out(text: &str, call: &Call) -> Option<String> {
    let lines: Vec<&str> = text.split('\n').collect();
    if lines.len() < LONG {
        return None;
    }
    let levels: Vec<Option<Level>> = lines.iter().map(|line| level(line)).collect();
    let quiet = levels.iter().filter(|level| **level == Some(Level::Calm)).count();
    let is_log = levels.iter().flatten().count() * 2 > lines.len();
    if !is_log || quiet == levels.iter().flatten().count() {
        return None; // without trouble nobody can say what matters
    }
    let mut marks = vec![Mark::Keep; lines.len()];
    let mut last_level = None;
    for (at, (mark, level)) in marks.iter_mut().zip(&levels).enumerate() {
        last_level = level.or(last_level); // a line without a level goes on with the one before
        let is_inside = at >= HEAD && at + TAIL < lines.len();
        let is_asked_for =
            lines.get(at).is_some_and(|line| call.words.iter().any(|word| line.contains(word.as_str())));
        if is_inside && last_level == Some(Level::Calm) && !is_asked_for {
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

/// The level that a line of a log names near its beginning.
fn level(line: &str) -> Option<Level> {
    let end = line.char_indices().nth(90).map_or(line.len(), |(at, _)| at);
    let words = line.get(..end)?.split(|character: char| !character.is_ascii_alphanumeric());
    words.into_iter().find_map(|word| match word {
        "ERROR" | "WARN" | "WARNING" | "FATAL" | "CRITICAL" | "PANIC" | "SEVERE" | "ALERT" | "error"
        | "warn" | "warning" | "fatal" | "panic" => Some(Level::Trouble),
        "INFO" | "DEBUG" | "TRACE" | "NOTICE" | "VERBOSE" | "FINE" | "info" | "debug" | "trace" => {
            Some(Level::Calm)
        }
        _ => None,
    })
}
