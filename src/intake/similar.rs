//! Runs of lines that differ only in numbers which the reader can infer. The first and the last line of a run stay.
//!
//! There are two kinds of runs. In the first, every number stays the same or counts up by one on each line. In the
//! second, one task reports its progress: only times, percentages, counters and amounts of bytes change, and they agree.
//! A number that identifies something beside a number that carries a value makes neither.

use std::mem::discriminant;

use super::json::ROWS;
use super::lines::{Mark, digits, fold, has_word, is_ours, is_trouble};

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
    let mut run = Run::ANY;
    for at in 1..=lines.len() {
        let before = at.checked_sub(2).filter(|before| *before >= start).and_then(|before| lines.get(before));
        let next = match (lines.get(at - 1), lines.get(at)) {
            (Some(one), Some(next)) if are_alike(one, next) => run.with(before, one, next),
            _ => Run::NONE,
        };
        if next != Run::NONE {
            run = next;
            continue;
        }
        if at - start >= LEAST
            && let Some(lines) = marks.get_mut(start + 1..at - 1)
        {
            let noun = if run.counts { "lines with consecutive numbers" } else { "similar lines" };
            lines.fill(Mark::Out(noun));
        }
        (start, run) = (at, Run::ANY);
    }
    fold(text, &marks, LEAST - 2)
}

/// The two kinds of runs that lines may still form.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Run {
    counts: bool,
    progresses: bool,
}

impl Run {
    const ANY: Self = Self { counts: true, progresses: true };
    const NONE: Self = Self { counts: false, progresses: false };

    /// The same with one more line.
    fn with(self, before: Option<&Vec<Part>>, one: &[Part], next: &[Part]) -> Self {
        let goes_on = |before: &Vec<Part>| !turns(before, one, next) && !pauses(before, one, next);
        Self {
            counts: self.counts && counts(before, one, next),
            progresses: self.progresses && before.is_none_or(goes_on) && progresses(before, one, next),
        }
    }
}

/// A part of a line. Numbers keep their digits, so that no rounding makes two of them equal.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part<'text> {
    Text(&'text str),
    /// A time or a date.
    Time(&'text str),
    /// An amount with its unit, and whether that is a rate.
    Amount(&'text str, &'text str, bool),
    /// A percentage.
    Share(&'text str),
    /// A counter, and how far it goes.
    Rising(&'text str, &'text str),
    /// A number by itself.
    Count(&'text str),
    Blank(&'text str),
    Bar(Bar),
}

/// Some signs in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bar {
    /// Whether bars are drawn with them. Others lead to a value.
    is_drawn: bool,
    /// The columns up to what follows the bar and its blanks, and up to the end of that.
    widths: (usize, usize),
}

impl Part<'_> {
    fn number(&self) -> f64 {
        match self {
            Self::Amount(text, ..) | Self::Share(text) | Self::Rising(text, _) | Self::Count(text) => {
                text.parse().unwrap_or(f64::NAN)
            }
            _ => f64::NAN,
        }
    }

    /// How much of a task is done, as a part of 1.
    fn done(&self) -> Option<f64> {
        match self {
            Self::Share(_) => Some(self.number() / 100.0),
            Self::Rising(_, all) => all.parse::<f64>().ok().map(|all| self.number() / all),
            _ => None,
        }
    }

    /// The columns of a number or a blank.
    const fn width(&self) -> usize {
        match self {
            Self::Blank(text) | Self::Share(text) | Self::Rising(text, _) | Self::Count(text) => text.len(),
            _ => 0,
        }
    }
}

/// Whether two lines have the same texts and the same kinds of numbers.
fn are_alike(one: &[Part], next: &[Part]) -> bool {
    let is_alike = |pair: (&Part, &Part)| match pair {
        (Part::Text(one), Part::Text(next)) => one == next,
        (one, next) => discriminant(one) == discriminant(next),
    };
    one.len() == next.len() && one.iter().zip(next).all(is_alike)
}

/// Whether each number of a line stays the same or counts up by one, as it did on the line before.
fn counts(before: Option<&Vec<Part>>, one: &[Part], next: &[Part]) -> bool {
    let mut moves = false;
    let goes_on = one.iter().zip(next).enumerate().all(|(at, pair)| match pair {
        (Part::Count(a), Part::Count(b)) | (Part::Rising(a, _), Part::Rising(b, _)) => {
            let step = step(a, b);
            moves |= step == Some(1);
            let last = before.and_then(|before| before.get(at)).map(|last| match last {
                Part::Count(last) | Part::Rising(last, _) => self::step(last, a),
                _ => None,
            });
            step.is_some() && last.is_none_or(|last| last == step)
        }
        (Part::Blank(a), Part::Blank(b)) => a == b || pads(a) && pads(b) && is_aligned(one, next, at),
        (a, b) => a == b,
    });
    goes_on && moves
}

/// 0 if a number stays the same, 1 if it counts up.
fn step(one: &str, next: &str) -> Option<u8> {
    if one == next {
        return Some(0);
    }
    let is_padded = |text: &str| text.starts_with('0');
    let has_form = one.len() == next.len() || !is_padded(one) && !is_padded(next);
    let is_next = one.parse::<u64>().ok()?.checked_add(1)? == next.parse::<u64>().ok()?;
    (has_form && is_next).then_some(1)
}

fn pads(blank: &str) -> bool {
    blank.bytes().all(|byte| byte == b' ')
}

/// Whether a blank is wider or narrower only because the number beside it is.
fn is_aligned(one: &[Part], next: &[Part], at: usize) -> bool {
    let width = |parts: &[Part], at: usize| parts.get(at).map_or(0, Part::width);
    [at.wrapping_sub(1), at + 1].iter().any(|beside| {
        width(one, at) + width(one, *beside) == width(next, at) + width(next, *beside)
            && width(one, *beside) != width(next, *beside)
    })
}

/// Whether a line says how far the same task is, a little later.
fn progresses(before: Option<&Vec<Part>>, one: &[Part], next: &[Part]) -> bool {
    let told = told(one);
    if told == Told::Nothing {
        return false;
    }
    let is_bar = one.iter().any(|part| matches!(part, Part::Bar(bar) if bar.is_drawn));
    // Each finished step may name its share and the time that it took.
    let is_share = is_bar
        || one.iter().zip(next).any(|(a, b)| matches!(a, Part::Share(_)) && (a != b || a.number() < 100.0));
    let rises = one.iter().zip(next).any(|(a, b)| matches!(a, Part::Rising(..)) && a != b);
    let (mut moves, mut tries, mut measures) = (false, false, false);
    let goes_on = one.iter().zip(next).enumerate().all(|(at, (a, b))| match (a, b) {
        (Part::Bar(a), Part::Bar(b)) => !a.is_drawn || a.widths.0 == b.widths.0 || a.widths.1 == b.widths.1,
        (Part::Blank(_), Part::Blank(_)) => true,
        _ if a == b => true,
        (Part::Time(a), Part::Time(b)) => {
            let are_seconds = [a, b].iter().all(|time| time.matches(':').count() > 1);
            let is_later = (a.len(), a) <= (b.len(), b);
            moves = true;
            (told > Told::Done || rises || is_share)
                && a.contains(':')
                && (is_share || are_seconds && is_later)
        }
        (Part::Amount(_, unit, is_rate), Part::Amount(_, next_unit, _)) => {
            (moves, measures) = (true, true);
            let is_size = SIZES.contains(unit);
            let least = if is_size { Told::Moving } else { Told::Waiting };
            let is_own = told >= least && unit == next_unit && (is_bar || !rises);
            let has_share = one.iter().any(|part| matches!(part, Part::Share(_))) && is_share;
            has_share
                || *is_rate && (rises || is_bar)
                || is_own && (is_size || is_steady(before.and_then(|before| before.get(at)), a, b))
        }
        (Part::Share(_), Part::Share(_)) => {
            (moves, measures) = (true, true);
            a.number() <= b.number()
        }
        (Part::Rising(_, all), Part::Rising(_, next_all)) => {
            (moves, measures) = (true, true);
            a.number() <= b.number() && all == next_all
        }
        // The tries of one task have numbers of their own.
        (Part::Count(a), Part::Count(b)) => {
            (moves, tries) = (true, true);
            told > Told::Done && step(a, b) == Some(1) && is_try(one, at)
        }
        _ => false,
    });
    goes_on && moves && !(tries && measures) && agree(one, one, next) && agree(next, one, next)
}

/// Percentages and counters of the same task differ by so much, because they are rounded.
const ROUNDED: f64 = 0.015;

/// Whether all percentages and counters of a line that change say that as much is done: if they don't, one of them
/// identifies something.
fn agree(line: &[Part], one: &[Part], next: &[Part]) -> bool {
    let moving = line.iter().zip(one.iter().zip(next)).filter(|(_, (one, next))| one != next);
    let mut done = moving.filter_map(|(part, _)| part.done());
    done.next().is_none_or(|first| done.all(|other| (first - other).abs() <= ROUNDED))
}

/// Times that someone waited grow evenly, those that were measured don't.
const EVEN: f64 = 0.2;

fn is_steady(before: Option<&Part>, one: &Part, next: &Part) -> bool {
    let step = next.number() - one.number();
    before
        .map(|before| one.number() - before.number())
        .is_none_or(|last| (step - last).abs() <= EVEN * step.abs().max(last.abs()))
}

const TRIES: &[&str] = &["attempt", "try", "retry", "retries", "poll"];

/// Whether the number at a place counts tries.
fn is_try(parts: &[Part], at: usize) -> bool {
    let words = parts.get(..at).unwrap_or_default().iter().rev();
    let mut words = words.filter_map(|part| match part {
        Part::Text(text) if text.contains(char::is_alphabetic) => Some(text.to_ascii_lowercase()),
        _ => None,
    });
    words.next().is_some_and(|last| TRIES.iter().any(|word| has_word(&last, word)))
}

/// A pause this long (in seconds), and this much longer than the one before, is news.
const PAUSE: u32 = 60;
const TIMES_LONGER: u32 = 10;
/// A pause this long always is: no progress is reported so seldom.
const LONG_PAUSE: u32 = 600;

/// Whether much more time passed before a line than before the one above it.
fn pauses(before: &[Part], one: &[Part], next: &[Part]) -> bool {
    let times = [before, one, next].map(|line| line.iter().take(4).find_map(seconds));
    let [Some(before), Some(one), Some(next)] = times else { return false };
    let pause = next.abs_diff(one);
    pause >= LONG_PAUSE || pause >= PAUSE && pause > one.abs_diff(before).max(1) * TIMES_LONGER
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
        && before.iter().zip(one).zip(next).any(|((before, one), next)| {
            matches!(one, Part::Amount(_, _, false))
                && (one.number() - before.number()) * (next.number() - one.number()) < 0.0
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
            let is_in = |(_, words): &&(Told, &[&str])| words.iter().any(|word| has_word(&text, word));
            WORDS.iter().find(is_in).map_or(Told::Nothing, |(told, _)| *told)
        }
        Part::Bar(bar) if bar.is_drawn => Told::Moving,
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
            let length = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            (Part::Blank(rest.get(..length).unwrap_or_default()), length)
        } else if is_bar(first) {
            let length = rest.len() - rest.trim_start_matches(is_bar).len();
            let is_spinner = matches!(first, '\u{2800}'..='\u{28ff}');
            let bar = rest.get(..length).unwrap_or_default();
            let is_drawn = bar.contains(|sign: char| !matches!(sign, '.' | '-' | '·'));
            let is_bar = length > 2 || is_spinner;
            (if is_bar { Part::Bar(Bar { is_drawn, widths: (0, 0) }) } else { Part::Text(bar) }, length)
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
        let text = rest.get(..length).unwrap_or_default();
        widen(&mut parts, text);
        parts.push(part);
        if let Some(Part::Bar(bar)) = parts.last_mut() {
            let width = text.chars().count();
            bar.widths = (width, width);
        }
        before = text.chars().next_back().unwrap_or(' ');
        rest = rest.get(length.max(1)..).unwrap_or_default();
    }
    parts
}

/// Adds the text behind a bar to its widths.
fn widen(parts: &mut [Part], text: &str) {
    let (rest, is_blank) = match parts {
        [rest @ .., Part::Blank(_)] => (rest, true),
        rest => (rest, false),
    };
    let Some(Part::Bar(bar)) = rest.last_mut() else { return };
    let width = text.chars().count();
    if !is_blank && text.starts_with([' ', '\t']) {
        bar.widths = (bar.widths.0 + width, bar.widths.0 + width);
    } else {
        bar.widths.1 = bar.widths.0 + width;
    }
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
    let Some((value, rest)) = decimal(text) else { return (Part::Text(""), 1) };
    if rest.starts_with('%') {
        return (Part::Share(value), value.len() + 1);
    }
    if let Some(of) = ["/", " of "].iter().find(|of| rest.starts_with(**of))
        && let Some((all, _)) = rest.get(of.len()..).and_then(decimal)
    {
        return (Part::Rising(value, all), value.len() + of.len());
    }
    let gap = usize::from(rest.starts_with(' '));
    let unit = rest.get(gap..).unwrap_or_default();
    let unit =
        unit.get(..unit.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(unit.len())).unwrap_or_default();
    if UNITS.contains(&unit) && !unit.is_empty() {
        let rate = rest.get(gap + unit.len()..).is_some_and(|rest| rest.starts_with("/s"));
        let length = value.len() + gap + unit.len() + usize::from(rate) * 2;
        return (Part::Amount(value, unit, rate), length);
    }
    let is_whole = !value.contains('.') && !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    (if is_whole { Part::Count(value) } else { Part::Text(value) }, value.len())
}

/// The digits that a text begins with, with a point among them, and what follows.
fn decimal(text: &str) -> Option<(&str, &str)> {
    let (whole, rest) = digits(text)?;
    let decimals = rest.strip_prefix('.').and_then(digits).map_or(0, |(decimals, _)| decimals.len() + 1);
    text.split_at_checked(whole.len() + decimals)
}
