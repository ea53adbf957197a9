//! Long logs around their errors and warnings: what goes on without trouble in between is left out.

use super::call::Call;
use super::lines::{Mark, fold, is_trouble};

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
        // An indented line goes on with the one before; any other without a level may be from elsewhere.
        let goes_on =
            lines.get(at).is_some_and(|line| line.trim().is_empty() || line.starts_with([' ', '\t']));
        last_level = if goes_on { level.or(last_level) } else { *level };
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

/// The level of a line: whatever in it tells of trouble decides, wherever it stands; that all is well, a
/// level near its beginning says.
fn level(line: &str) -> Option<Level> {
    if is_trouble(line) || words(line).any(|word| LOUD.iter().any(|loud| word.eq_ignore_ascii_case(loud))) {
        return Some(Level::Trouble);
    }
    let end = line.char_indices().nth(90).map_or(line.len(), |(at, _)| at);
    words(line.get(..end)?).any(|word| CALM.contains(&word)).then_some(Level::Calm)
}

const LOUD: &[&str] = &["severe", "alert", "emerg", "emergency", "crit", "err"];
const CALM: &[&str] = &[
    "INFO", "DEBUG", "TRACE", "NOTICE", "VERBOSE", "FINE", "Info", "Debug", "Trace", "info", "debug", "trace",
];

/// Words as a level stands alone: not a part of a name (`trace_id`) or of a path (`/srv/debug/app`).
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part =
        |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '/' | '.');
    text.split(move |character| !is_part(character)).map(|word| word.trim_matches(['-', '.']))
}
