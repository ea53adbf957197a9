//! Columns of tables whose header names a secret: the keys of `intake`'s tables of JSON, the first line of CSV, the header
//! of `psql`.

use super::assignment::{Place, secret_at};
use super::bytes::{at, before, is_blank, part, run_end, run_end_within};
use super::found::Found;
use super::names::{Strength, classify, may_be_secret};

/// Longer lines are no headers.
const LONGEST: usize = 1024;
/// So many columns are looked at.
const MOST: usize = 32;

/// What parts the cells of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parting {
    /// The commas of a list in JSON.
    Json,
    /// A comma, or a tab.
    Sign(u8),
    /// Bars, with a rule below the header.
    Bars,
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

/// The columns that a line names, if the word that ends at a place names a secret one.
pub(super) fn of_header(bytes: &[u8], stop: usize) -> Option<(Columns, (Strength, &'static str))> {
    let is_ended = matches!(at(bytes, stop), 0 | b'\n' | b'\r' | b',' | b'\t' | b' ' | b'|' | b'"');
    if !is_ended || !may_be_secret(bytes, stop) {
        return None;
    }
    let start = line_start(bytes, stop)?;
    let end = run_end_within(bytes, stop, LONGEST, |byte| byte != b'\n');
    if end == stop + LONGEST {
        return None;
    }
    let line = part(bytes, start, end).trim_ascii_end();
    let parting = match line {
        [b'[', b'"', .., b'"', b']'] => Parting::Json,
        [b'|' | b'[' | b'{' | b'<' | b'#', ..] => return None,
        _ if line.contains(&b'|') => Parting::Bars,
        _ if line.contains(&b'\t') => Parting::Sign(b'\t'),
        _ if line.contains(&b',') => Parting::Sign(b','),
        _ => return None,
    };
    let mut columns = Columns { parting, count: 0, secret: 0 };
    let mut strength = None;
    let mut cell = 0;
    while let Some((from, to)) = parting.cell(line, cell) {
        let name = name_in(part(line, from, to), parting)?;
        let found = classify(name).filter(|(strength, _)| *strength != Strength::Cookie);
        if let Some(found) = found.filter(|_| columns.count < MOST) {
            columns.secret |= 1 << columns.count;
            // Passwords are found by less than tokens.
            strength = strength.filter(|(known, _)| *known == Strength::Chosen).or(Some(found));
        }
        columns.count += 1;
        cell = to + 1;
    }
    let least = if parting == Parting::Json { 1 } else { 2 };
    strength.filter(|_| columns.count >= least).map(|strength| (columns, strength))
}

/// Where the line of a place starts, if that is near.
fn line_start(bytes: &[u8], place: usize) -> Option<usize> {
    let near = part(bytes, place.saturating_sub(LONGEST), place);
    let length = near.iter().rev().take_while(|byte| **byte != b'\n').count();
    (length < LONGEST).then_some(place - length)
}

/// The name in a header's cell, without quotes; nothing if it is no name.
fn name_in(cell: &[u8], parting: Parting) -> Option<&[u8]> {
    let cell = if parting == Parting::Bars { cell.trim_ascii() } else { cell };
    let (name, is_quoted) = match cell {
        [b'"', name @ .., b'"'] => (name, true),
        _ => (cell, false),
    };
    let may_part = is_quoted || parting == Parting::Bars;
    let is_name = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.') || *byte == b' ' && may_part
    };
    let begins = name.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
    (begins && name.iter().all(is_name) && (is_quoted || parting != Parting::Json)).then_some(name)
}

impl Parting {
    /// The cell of a line that starts at a place, from that place or behind the bracket that opens the line.
    fn cell(self, line: &[u8], start: usize) -> Option<(usize, usize)> {
        let is_json = self == Self::Json;
        let last = line.len().checked_sub(usize::from(is_json))?;
        let start = start + usize::from(is_json && start == 0);
        if start > last {
            return None;
        }
        let sign = match self {
            Self::Json => b',',
            Self::Sign(sign) => sign,
            Self::Bars => b'|',
        };
        let (mut is_quoted, mut depth, mut place) = (false, 0_usize, start);
        while place < last {
            match at(line, place) {
                b'\\' if is_json && is_quoted => place += 1,
                b'"' if self != Self::Bars => is_quoted = !is_quoted,
                b'[' | b'{' if is_json && !is_quoted => depth += 1,
                b']' | b'}' if is_json && !is_quoted => depth = depth.saturating_sub(1),
                byte if byte == sign && !is_quoted && depth == 0 => break,
                _ => {}
            }
            place += 1;
        }
        Some((start, place.min(last)))
    }
}

impl Columns {
    /// What the line from `start` to `end` is, the first one below the header or a later one.
    pub(super) fn row(&self, bytes: &[u8], (start, end): (usize, usize), is_first: bool) -> Row {
        let line = part(bytes, start, end).trim_ascii_end();
        if self.parting == Parting::Bars && is_first {
            let is_rule = line.contains(&b'-') && line.iter().all(|byte| b"-+| :".contains(byte));
            return if is_rule { Row::Rule } else { Row::Other };
        }
        if line.is_empty() || self.parting == Parting::Json && !matches!(line, [b'[', .., b']']) {
            return Row::Other;
        }
        let (mut count, mut cell) = (0, 0);
        while let Some((_, to)) = self.parting.cell(line, cell) {
            count += 1;
            cell = to + 1;
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
        let (mut column, mut cell) = (0, 0);
        while let Some((left, right)) = self.parting.cell(line, cell) {
            if column < MOST && self.secret & (1 << column) != 0 && start + left >= from {
                // A value doesn't go on behind its cell.
                let within = part(bytes, 0, start + right);
                let place = run_end(within, start + left, is_blank);
                let found = secret_at(within, place, strength, kind, Place::Setting);
                let is_alone = |found: &Found| {
                    let behind = part(within, found.end, within.len()).trim_ascii_end();
                    matches!(behind, [] | [b'"']) && before(within, found.start) != b'='
                };
                if let Some(found) = found.filter(is_alone) {
                    return Some(found);
                }
            }
            column += 1;
            cell = right + 1;
        }
        None
    }
}
