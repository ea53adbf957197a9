//! Columns of tables whose header names a secret: the keys of `intake`'s tables of JSON, the first line of CSV, headers
//! with a rule below, as Markdown and databases write them.

use super::assignment::{Place, secret_at};
use super::bytes::{at, before, is_blank, part, run_end, run_end_within};
use super::cells;
use super::found::Found;
use super::names::{Strength, classify, may_be_secret};

/// Longer lines are no headers.
const LONGEST: usize = 1024;
/// So many columns are looked at.
const MOST: usize = 32;
/// Names of columns have no more words.
const MOST_WORDS: usize = 4;

/// What parts the cells of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parting {
    /// The commas of a list in JSON.
    Json,
    /// A comma, a semicolon or a tab.
    Sign(u8),
    /// Bars, with a rule below the header.
    Bars,
    /// Blanks, with a rule below the header.
    Blanks,
}

/// The columns of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Columns {
    parting: Parting,
    count: usize,
    /// A bit for each column that is secret.
    secret: u32,
}

/// What a line below a header is.
pub(super) enum Row {
    /// A row of the table.
    Values,
    /// The rule below the header.
    Rule,
    /// Something else.
    Other,
}

/// The columns of rows with tabs below a statement of `PostgreSQL` whose first word ends at a place: `COPY users (id, …)
/// FROM stdin;`.
pub(super) fn of_copy(bytes: &[u8], word: usize, stop: usize) -> Option<(Columns, (Strength, &'static str))> {
    if !is_copy(part(bytes, word, stop)) {
        return None;
    }
    let line = part(bytes, stop, run_end_within(bytes, stop, LONGEST, |byte| byte != b'\n'));
    let names = line.splitn(2, |byte| *byte == b'(').nth(1)?;
    let mut parts = names.splitn(2, |byte| *byte == b')');
    let names = parts.next()?;
    let is_stdin = parts.next().is_some_and(|rest| rest.to_ascii_lowercase().starts_with(b" from stdin"));
    let names = names.split(|byte| *byte == b',').map(|name| Some(name.trim_ascii()));
    if is_stdin { Columns::named(Parting::Sign(b'\t'), names) } else { None }
}

/// The word that begins such a statement.
pub(super) const COPY: [&str; 2] = ["COPY", "copy"];

/// Whether a word begins such a statement.
pub(super) fn is_copy(name: &[u8]) -> bool {
    COPY.iter().any(|copy| name == copy.as_bytes())
}

/// The columns that a line names, if the word that ends at a place names a secret one.
pub(super) fn of_header(bytes: &[u8], stop: usize) -> Option<(Columns, (Strength, &'static str))> {
    let may_name = match at(bytes, stop) {
        0 | b'\n' | b'\r' | b',' | b';' | b'\t' | b' ' | b'"' => may_be_secret(bytes, stop),
        b'|' => may_be_secret(bytes, stop) || cells::is_secret_cell(bytes, stop),
        _ => false,
    };
    if !may_name {
        return None;
    }
    let start = line_start(bytes, stop)?;
    let end = run_end_within(bytes, stop, LONGEST, |byte| byte != b'\n');
    if end == stop + LONGEST {
        return None;
    }
    let line = part(bytes, start, end).trim_ascii_end();
    let parting = Parting::behind(bytes, stop, line)?;
    let mut cell = parting.first(line);
    let mut is_loose = false;
    let names = std::iter::from_fn(|| {
        let (from, to, next) = parting.cell(line, cell)?;
        cell = next;
        let text = part(line, from, to);
        // Code and prose have blanks behind commas, too.
        is_loose |= matches!(parting, Parting::Sign(_)) && at(text, 0) == b' ';
        Some(parting.name_in(text))
    });
    let (columns, (strength, kind)) = Columns::named(parting, names)?;
    Some((columns, (if is_loose { Strength::Made } else { strength }, kind)))
}

/// Where the line of a place starts, if that is near.
fn line_start(bytes: &[u8], place: usize) -> Option<usize> {
    let near = part(bytes, place.saturating_sub(LONGEST), place);
    let length = near.iter().rev().take_while(|byte| **byte != b'\n').count();
    (length < LONGEST).then_some(place - length)
}

impl Parting {
    /// What parts the cells of a header, as far as what stands behind the name that ends at a place tells.
    fn behind(bytes: &[u8], stop: usize, line: &[u8]) -> Option<Self> {
        match line {
            [b'[', b'"', .., b'"', b']'] => return Some(Self::Json),
            [b'[' | b'{' | b'<' | b'#', ..] => return None,
            [b'|', .., last] if *last != b'|' => return None,
            _ => {}
        }
        let cell = stop + usize::from(at(bytes, stop) == b'"');
        let next = run_end(bytes, cell, |byte| byte == b' ');
        match at(bytes, next) {
            b'|' => Some(Self::Bars),
            0xe2 if is_drawn_bar(part(bytes, next, next + 3)) => Some(Self::Bars),
            sign @ (b',' | b';' | b'\t') => Some(Self::Sign(sign)),
            0 | b'\n' | b'\r' => Self::before_last(line),
            _ => (next > cell + 1).then_some(Self::Blanks),
        }
    }

    /// What parts the cells of a header, at a look at all of it.
    fn before_last(line: &[u8]) -> Option<Self> {
        if line.contains(&b'|') || line.windows(3).any(is_drawn_bar) {
            return Some(Self::Bars);
        }
        let sign = [b'\t', b';', b','].into_iter().find(|sign| line.contains(sign));
        let is_aligned = || line.trim_ascii().windows(2).any(|pair| pair == b"  ");
        sign.map(Self::Sign).or_else(|| is_aligned().then_some(Self::Blanks))
    }

    /// The name in a header's cell, without quotes, which is empty if a table may have such a cell; nothing if the cell
    /// can be none of a header.
    fn name_in(self, cell: &[u8]) -> Option<&[u8]> {
        if self == Self::Bars {
            return Some(cells::name_in(cell).unwrap_or_default());
        }
        let cell = cell.strip_prefix(b" ").unwrap_or(cell);
        let (name, is_quoted) = match cell {
            [b'"', name @ .., b'"'] => (name, true),
            _ => (cell, false),
        };
        let is_name = |byte: &u8| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b' ' | b'(' | b')')
        };
        let begins = name.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
        let words = name.split(|byte| *byte == b' ').count();
        // Without quotes, names of several words begin with a capital: keywords are parted by tabs, too.
        let is_title = words == 1 || words <= MOST_WORDS && (is_quoted || at(name, 0).is_ascii_uppercase());
        let fits = begins && is_title && name.iter().all(is_name) && (is_quoted || self != Self::Json);
        fits.then_some(name)
    }

    /// Where the first cell of a line starts.
    fn first(self, line: &[u8]) -> usize {
        match self {
            Self::Json => 1,
            Self::Blanks => run_end(line, 0, is_blank),
            _ => 0,
        }
    }

    /// The cell of a line that starts at a place: its start, its end, and where the next one starts.
    fn cell(self, line: &[u8], start: usize) -> Option<(usize, usize, usize)> {
        let is_json = self == Self::Json;
        let last = line.len().checked_sub(usize::from(is_json))?;
        if start > last || self == Self::Blanks && start == last {
            return None;
        }
        let (mut is_quoted, mut depth, mut place) = (false, 0_usize, start);
        while place < last {
            match at(line, place) {
                b'\\' if is_json && is_quoted => place += 1,
                b'"' if !matches!(self, Self::Bars | Self::Blanks) => is_quoted = !is_quoted,
                b'[' | b'{' if is_json && !is_quoted => depth += 1,
                b']' | b'}' if is_json && !is_quoted => depth = depth.saturating_sub(1),
                byte if !is_quoted && depth == 0 => {
                    let width = self.width(line, place, byte);
                    if width > 0 {
                        return Some((start, place, place + width));
                    }
                }
                _ => {}
            }
            place += 1;
        }
        Some((start, last, last + 1))
    }

    /// The length of what parts two cells at a place, 0 if nothing does.
    fn width(self, line: &[u8], place: usize, byte: u8) -> usize {
        match self {
            Self::Json => usize::from(byte == b','),
            Self::Sign(sign) => usize::from(byte == sign),
            Self::Bars if byte == b'|' => 1,
            Self::Bars if byte == 0xe2 && is_drawn_bar(part(line, place, place + 3)) => 3,
            Self::Bars => 0,
            Self::Blanks => run_end(line, place, is_blank) - place,
        }
    }
}

/// Whether three bytes are one of the bars that lines are drawn with: `│`, `┃`.
fn is_drawn_bar(bytes: &[u8]) -> bool {
    matches!(bytes, [0xe2, 0x94, 0x82 | 0x83])
}

/// Whether a line is nothing but a rule, with signs where it crosses bars.
fn is_rule(line: &[u8], parting: Parting) -> bool {
    let signs = if parting == Parting::Bars { &b"-=+| :"[..] } else { b"- " };
    let is_drawn = |byte: u8| parting == Parting::Bars && (0x80..0xf0).contains(&byte);
    line.iter().all(|byte| signs.contains(byte) || is_drawn(*byte))
        && line.iter().any(|byte| matches!(byte, b'-' | b'=') || is_drawn(*byte))
}

impl Columns {
    /// The columns of a header, and the kind of the secret ones. Each item must be a name.
    fn named<'text>(
        parting: Parting,
        names: impl Iterator<Item = Option<&'text [u8]>>,
    ) -> Option<(Self, (Strength, &'static str))> {
        let mut columns = Self { parting, count: 0, secret: 0 };
        let mut strength = None;
        for name in names {
            let found = classify(name?).filter(|(strength, _)| strength.is_of_column());
            if let Some(found) = found.filter(|_| columns.count < MOST) {
                columns.secret |= 1 << columns.count;
                // Passwords are found by less than tokens.
                strength = strength.filter(|(known, _)| *known == Strength::Chosen).or(Some(found));
            }
            columns.count += 1;
        }
        let least = if parting == Parting::Json { 1 } else { 2 };
        strength.filter(|_| columns.count >= least).map(|strength| (columns, strength))
    }

    /// What the line from `start` to `end` is, the first one below the header or a later one.
    pub(super) fn row(&self, bytes: &[u8], (start, end): (usize, usize), is_first: bool) -> Row {
        let line = part(bytes, start, end).trim_ascii_end();
        if matches!(self.parting, Parting::Bars | Parting::Blanks) && is_first {
            return if is_rule(line, self.parting) { Row::Rule } else { Row::Other };
        }
        if line.is_empty() || self.parting == Parting::Json && !matches!(line, [b'[', .., b']']) {
            return Row::Other;
        }
        let (mut count, mut cell) = (0, self.parting.first(line));
        while let Some((_, _, next)) = self.parting.cell(line, cell) {
            count += 1;
            cell = next;
        }
        if count == self.count { Row::Values } else { Row::Other }
    }

    /// The first secret of a row that starts at `start`, from a place on.
    pub(super) fn secret(
        &self,
        bytes: &[u8],
        (start, end): (usize, usize),
        from: usize,
        (strength, kind): (Strength, &'static str),
    ) -> Option<Found> {
        let line = part(bytes, start, end).trim_ascii_end();
        let (mut column, mut cell) = (0, self.parting.first(line));
        while let Some((left, right, next)) = self.parting.cell(line, cell) {
            if column < MOST && self.secret & (1 << column) != 0 && start + left >= from {
                let found = match self.parting {
                    Parting::Bars => cells::secret_in(bytes, (start + left, start + right), strength, kind),
                    _ => secret_in(bytes, (start + left, start + right), strength, kind),
                };
                if found.is_some() {
                    return found;
                }
            }
            column += 1;
            cell = next;
        }
        None
    }
}

/// The secret that is all of a cell, quotes aside.
fn secret_in(
    bytes: &[u8],
    (start, end): (usize, usize),
    strength: Strength,
    kind: &'static str,
) -> Option<Found> {
    // A value doesn't go on behind its cell.
    let within = part(bytes, 0, end);
    let place = run_end(within, start, is_blank);
    secret_at(within, place, strength, kind, Place::Setting).filter(|found| {
        let behind = part(within, found.end, within.len()).trim_ascii_end();
        matches!(behind, [] | [b'"']) && before(within, found.start) != b'='
    })
}
