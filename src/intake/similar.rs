//! Runs of lines that differ only in what goes on while something runs: in lines that report progress: rising
//! percentages and counters, times, bars and amounts; elsewhere only in consecutive numbers, so that the cut lines
//! can be inferred. The first and the last of a run stay. Measurements and rows are not progress.

use std::mem::discriminant;

use super::json::ROWS;
use super::lines::{Mark, digits, fold, is_ours, is_trouble};

/// Shorter runs stay.
const LEAST: usize = 4;
/// Longer lines are no news of progress; reading them part by part would take the square of their length.
const LONGEST: usize = 2_000;

pub(super) fn leave_out(text: &str) -> Option<String> {
    if text.contains(ROWS) {
        return None;
    }
    let lines: Vec<Vec<Part>> = text.split('\n').map(parts).collect();
    let mut marks = vec![Mark::Keep; lines.len()];
    let mut start = 0;
    for at in 1..=lines.len() {
        let before = at.checked_sub(2).filter(|before| *before >= start).and_then(|before| lines.get(before));
        let goes_on = matches!((lines.get(at - 1), lines.get(at)), (Some(one), Some(next))
            if follows(one, next)
                && !before.is_some_and(|before| turns(before, one, next) || pauses(before, one, next)));
        if goes_on {
            continue;
        }
        if at - start >= LEAST
            && let Some(run) = marks.get_mut(start + 1..at - 1)
        {
            run.fill(Mark::Out("similar lines"));
        }
        start = at;
    }
    fold(text, &marks, LEAST - 2)
}

/// A part of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part<'text> {
    Text(&'text str),
    /// A time, a date: none before it follows.
    Time(&'text str),
    /// An amount with its unit, and whether that is a rate.
    Amount(f64, &'text str, bool),
    /// A percentage: never a smaller one follows.
    Share(f64),
    /// A counter of so many: never a smaller one follows.
    Rising(f64),
    /// A number by itself: the same or the next one follows.
    Count(f64),
    Blank,
    /// Some signs in a row, and whether they are what bars are drawn with: others lead to a value.
    Bar(bool),
}

/// Whether a line says the same as the one before, a little later.
fn follows(one: &[Part], next: &[Part]) -> bool {
    // What a line says of itself takes longer to look for, and most lines are followed by others.
    let is_alike = |pair: (&Part, &Part)| match pair {
        (Part::Text(one), Part::Text(next)) => one == next,
        (one, next) => discriminant(one) == discriminant(next),
    };
    if one.len() != next.len() || !one.iter().zip(next).all(is_alike) {
        return false;
    }
    let told = told(one);
    let is_told = told > Told::Nothing;
    let is_share = one.iter().any(|part| matches!(part, Part::Share(_)));
    let is_rising = is_share || one.iter().any(|part| matches!(part, Part::Rising(_)));
    let mut moves = false;
    let goes_on = one.iter().zip(next).all(|pair| match pair {
        (Part::Time(one), Part::Time(next)) => {
            let goes_on = is_rising && is_told || told > Told::Done;
            moves |= goes_on;
            one == next || goes_on && (is_rising || (one.len(), one) <= (next.len(), next))
        }
        (Part::Amount(one, unit, is_rate), Part::Amount(next, next_unit, _)) => {
            let is_equal = unit == next_unit && one.total_cmp(next).is_eq();
            moves |= !is_equal;
            let least = if SIZES.contains(unit) { Told::Moving } else { Told::Waiting };
            is_equal || is_told && (is_share || is_rising && *is_rate) || told >= least && unit == next_unit
        }
        (Part::Share(one), Part::Share(next)) => {
            moves = true;
            is_told && one <= next
        }
        (Part::Rising(one), Part::Rising(next)) => {
            moves = true;
            is_told && one <= next || is_next(*one, *next)
        }
        (Part::Count(one), Part::Count(next)) => {
            let is_next = is_next(*one, *next);
            moves |= is_next;
            is_next || (one - next).abs() < f64::EPSILON
        }
        _ => true,
    });
    goes_on && moves
}

fn is_next(one: f64, next: f64) -> bool {
    (next - one - 1.0).abs() < f64::EPSILON
}

/// A pause this long (in seconds), and this much longer than the one before, is news.
const PAUSE: u32 = 60;
const TIMES_LONGER: u32 = 10;

/// Whether much more time passed before a line than before the one above it.
fn pauses(before: &[Part], one: &[Part], next: &[Part]) -> bool {
    let times = [before, one, next].map(|line| line.iter().take(2).find_map(seconds));
    let [Some(before), Some(one), Some(next)] = times else { return false };
    let pause = next.abs_diff(one);
    pause >= PAUSE && pause > one.abs_diff(before).max(1) * TIMES_LONGER
}

/// The second of the day that a time names.
fn seconds(part: &Part) -> Option<u32> {
    let Part::Time(time) = part else { return None };
    let time = time.rsplit_once('T').map_or(*time, |(_, time)| time);
    let mut units = time.split([':', '.', 'Z', '+']).map(|unit| unit.parse::<u32>().ok());
    match [units.next()??, units.next()??, units.next()??] {
        [hours, minutes, seconds] if hours < 24 => Some((hours * 60 + minutes) * 60 + seconds),
        _ => None,
    }
}

/// Whether an amount that nothing but words says to be of progress rises and falls: that is news.
fn turns(before: &[Part], one: &[Part], next: &[Part]) -> bool {
    !one.iter().any(|part| matches!(part, Part::Share(_)))
        && before.iter().zip(one).zip(next).any(|parts| match parts {
            ((Part::Amount(before, ..), Part::Amount(one, _, false)), Part::Amount(next, ..)) => {
                (one - before) * (next - one) < 0.0
            }
            _ => false,
        })
}

/// What of a line goes on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Told {
    Nothing,
    /// Shares and counters, which rise: what each part of it took was measured.
    Done,
    /// The time, too.
    Running,
    /// And how many bytes.
    Moving,
    /// And how long it has taken.
    Waiting,
}

const WORDS: &[(Told, &[&str])] = &[
    (Told::Waiting, &["waiting", "elapsed"]),
    (
        Told::Moving,
        &[
            "downloading",
            "uploading",
            "receiving",
            "fetching",
            "pulling",
            "pushing",
            "extracting",
            "transferring",
            "copying",
        ],
    ),
    (Told::Running, &["remaining", "progress", "still", "loading", "processing"]),
    (Told::Done, &["processed", "completed"]),
];

/// What a line says to go on: by a word, a bar, or as a percentage by itself.
fn told(parts: &[Part]) -> Told {
    let of = |part: &Part| match part {
        Part::Text(text) => {
            let text = text.to_ascii_lowercase();
            let is_in = |(_, words): &&(Told, &[&str])| words.iter().any(|word| text.contains(word));
            WORDS.iter().find(is_in).map_or(Told::Nothing, |(told, _)| *told)
        }
        Part::Bar(true) => Told::Moving,
        _ => Told::Nothing,
    };
    let is_name = |part: &Part| match part {
        Part::Text(text) => text.contains(char::is_alphanumeric),
        Part::Time(_) | Part::Count(_) => true,
        _ => false,
    };
    let least = if parts.iter().any(is_name) { Told::Nothing } else { Told::Running };
    let measures = |part: &Part| match part {
        Part::Text(text) => MEASURED.iter().any(|word| text.to_ascii_lowercase().contains(word)),
        _ => false,
    };
    if parts.iter().any(measures) {
        return Told::Nothing;
    }
    parts.iter().map(of).fold(least, Ord::max)
}

/// Words whose percentages measure something. Other percentages show progress.
const MEASURED: &[&str] =
    &["memory", "cpu", "disk", "heap", "usage", "used", "coverage", "accuracy", "battery"];

/// Units of what is moved; `k`, `M` and `b` stand for anything.
const SIZES: &[&str] = &["B", "kB", "KB", "MB", "GB", "KiB", "MiB", "GiB"];
pub(super) const UNITS: &[&str] = &[
    "ms", "s", "m", "h", "min", "sec", "secs", "seconds", "B", "b", "kB", "KB", "k", "K", "M", "G", "MB",
    "GB", "KiB", "MiB", "GiB", "kbit", "Mbit",
];

fn is_bar(character: char) -> bool {
    matches!(character, '=' | '#' | '>' | '.' | '-' | '·' | '\u{2500}'..='\u{259f}' | '\u{2800}'..='\u{28ff}')
}

fn parts(line: &str) -> Vec<Part<'_>> {
    if is_ours(line)
        || line.len() > LONGEST
        || !line.bytes().any(|byte| byte.is_ascii_digit())
        || is_trouble(line)
    {
        return vec![Part::Text(line), Part::Text("")];
    }
    let mut parts = Vec::new();
    let mut rest = line;
    let mut in_word = false;
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        let (part, length) = if first.is_ascii_digit() && !in_word {
            let (part, length) = number(rest);
            // What stands in a name or a path names something.
            let is_apart = matches!(before, ' ' | '\t' | '[' | '(' | '#' | ':' | '=');
            match part {
                Part::Count(_) if !is_apart => (Part::Text(rest.get(..length).unwrap_or_default()), length),
                _ => (part, length),
            }
        } else if first == ' ' || first == '\t' {
            (Part::Blank, rest.len() - rest.trim_start_matches([' ', '\t']).len())
        } else if is_bar(first) {
            let length = rest.len() - rest.trim_start_matches(is_bar).len();
            let is_spinner = matches!(first, '\u{2800}'..='\u{28ff}');
            let bar = rest.get(..length).unwrap_or_default();
            let is_drawn = bar.contains(|sign: char| !matches!(sign, '.' | '-' | '·'));
            (if length > 2 || is_spinner { Part::Bar(is_drawn) } else { Part::Text(bar) }, length)
        } else {
            let end = |character: char| character == ' ' || character == '\t' || is_bar(character);
            let word = rest.find(end).unwrap_or(rest.len());
            let plain = rest.find(|character: char| character.is_ascii_digit()).unwrap_or(rest.len());
            let is_name = rest
                .get(..plain)
                .is_some_and(|text| text.ends_with(|c: char| c.is_alphanumeric() || c == '_'));
            let length = if plain < word && is_name { word } else { word.min(plain) };
            (Part::Text(rest.get(..length).unwrap_or_default()), length)
        };
        in_word =
            matches!(part, Part::Text(text) if text.ends_with(|c: char| c.is_alphanumeric() || c == '_'));
        parts.push(part);
        before = rest.get(..length).and_then(|text| text.chars().next_back()).unwrap_or(' ');
        rest = rest.get(length.max(1)..).unwrap_or_default();
    }
    parts
}

/// The number at the start of a text.
fn number(text: &str) -> (Part<'_>, usize) {
    let end =
        text.find(|c: char| !(c.is_ascii_digit() || matches!(c, ':' | '-' | '.' | ',' | 'T' | 'Z' | '+')));
    let whole =
        text.get(..end.unwrap_or(text.len())).unwrap_or_default().trim_end_matches(['.', ',', '-', '+', ':']);
    let figures = |part: &str| part.len() > 1 && part.bytes().all(|byte| byte.is_ascii_digit());
    // 12:30:59, 2026-02-09, 2026-02-09T07:09:41.018Z
    if whole.split([':', '-', 'T']).filter(|part| figures(part)).count() > 1 && whole.contains([':', '-']) {
        return (Part::Time(whole), whole.len());
    }
    let Some((integer, rest)) = digits(text) else { return (Part::Text(""), 1) };
    let (value, rest) = match rest.strip_prefix('.').and_then(digits) {
        Some((decimals, rest)) => (text.get(..integer.len() + 1 + decimals.len()).unwrap_or(integer), rest),
        None => (integer, rest),
    };
    let amount = value.parse::<f64>().unwrap_or(f64::NAN);
    if rest.starts_with('%') {
        return (Part::Share(amount), value.len() + 1);
    }
    if let Some(of) = ["/", " of "].iter().find(|of| rest.starts_with(**of))
        && rest.get(of.len()..).and_then(digits).is_some()
    {
        return (Part::Rising(amount), value.len() + of.len());
    }
    let gap = usize::from(rest.starts_with(' '));
    let unit = rest.get(gap..).unwrap_or_default();
    let unit =
        unit.get(..unit.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(unit.len())).unwrap_or_default();
    if UNITS.contains(&unit) && !unit.is_empty() {
        let rate = rest.get(gap + unit.len()..).is_some_and(|rest| rest.starts_with("/s"));
        let length = value.len() + gap + unit.len() + usize::from(rate) * 2;
        return (Part::Amount(amount, unit, rate), length);
    }
    let is_whole =
        value.len() == integer.len() && !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    (if is_whole { Part::Count(amount) } else { Part::Text(value) }, value.len())
}
