//! Rows of SQL whose list of columns names a secret: `INSERT INTO users (name, password) VALUES ('a', '…'), …`. A statement
//! may go over many lines.

use super::assignment::{Place, secret_at};
use super::bytes::{at, has_in_any_case, is_quote, is_word, part, run_end, run_end_within};
use super::found::Found;
use super::names::{LONGEST_KEY, Strength, classify};

/// What of a statement comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The name of the table and the bracket behind it.
    Table,
    /// The name of a column.
    Column,
    /// The word between columns and rows.
    Values,
    /// The bracket that opens a row.
    Row,
    /// A value.
    Cell,
    /// What follows a value, on the next line.
    Behind,
    /// Nothing more.
    Done,
}

/// A statement, as far as it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Insert {
    phase: Phase,
    place: usize,
    column: u32,
    /// A bit for each column that is secret.
    secret: u64,
    strength: Strength,
    kind: &'static str,
}

/// So many columns are looked at.
const MOST: u32 = 64;
/// Names of tables are shorter, with what databases put around them.
const LONGEST_TABLE: usize = 160;
/// Further than this no text of a row is followed.
const LONGEST_TEXT: usize = 1 << 14;

/// The word before the name of the table.
pub(super) const WORDS: [&str; 3] = ["INTO", "into", "Into"];

/// Whether a word may be the `INTO` of a statement.
pub(super) fn may_begin(bytes: &[u8], word: usize, name: &[u8]) -> bool {
    if name.len() != 4 || !WORDS.iter().any(|into| name == into.as_bytes()) {
        return false;
    }
    let head = part(bytes, word.saturating_sub(8), word);
    [&b"insert "[..], b"replace ", b"ignore ", b"upsert "].iter().any(|verb| {
        head.len() >= verb.len() && part(head, head.len() - verb.len(), head.len()).eq_ignore_ascii_case(verb)
    })
}

impl Insert {
    /// A statement whose `INTO` ends at a place.
    pub(super) const fn new(place: usize) -> Self {
        let (strength, kind) = (Strength::Made, "");
        Self { phase: Phase::Table, place, column: 0, secret: 0, strength, kind }
    }

    /// The same in a text with more before it.
    pub(super) const fn shifted(self, by: usize) -> Self {
        Self { place: self.place + by, ..self }
    }

    /// The same at the start of another line.
    pub(super) const fn at(self, place: usize) -> Self {
        Self { place, ..self }
    }

    /// Whether lines below may hold a secret of the statement.
    pub(super) fn is_open(&self) -> bool {
        match self.phase {
            Phase::Done => false,
            Phase::Table | Phase::Column => true,
            Phase::Values | Phase::Row | Phase::Cell | Phase::Behind => self.secret != 0,
        }
    }

    /// The next secret before a place, where a line ends or a text that was replaced begins.
    pub(super) fn next(&mut self, bytes: &[u8], end: usize) -> Option<Found> {
        let bytes = part(bytes, 0, end);
        while self.place < end {
            match self.phase {
                Phase::Table => self.table(bytes),
                Phase::Column => self.name(bytes),
                Phase::Values => self.values(bytes),
                Phase::Row => self.row(bytes),
                Phase::Behind => self.behind(bytes),
                Phase::Cell => {
                    if let Some(found) = self.cell(bytes) {
                        return Some(found);
                    }
                }
                Phase::Done => return None,
            }
        }
        None
    }

    fn table(&mut self, bytes: &[u8]) {
        let is_name =
            |byte: u8| is_word(byte) || is_space(byte) || b"\"`[].\\".contains(&byte) || byte >= 0x80;
        self.place = run_end_within(bytes, self.place, LONGEST_TABLE, is_name);
        if self.place < bytes.len() {
            self.phase = if at(bytes, self.place) == b'(' { Phase::Column } else { Phase::Done };
            self.place += 1;
        }
    }

    fn name(&mut self, bytes: &[u8]) {
        let start = after_spaces(bytes, self.place);
        let is_name = |byte: u8| is_word(byte) || byte == b' ' || b"\"`[]\\".contains(&byte) || byte >= 0x80;
        let end = run_end_within(bytes, start, LONGEST_KEY, is_name);
        let name = part(bytes, start, end);
        let is_mark = |byte: &&u8| !is_word(**byte);
        let opening = name.iter().take_while(is_mark).count();
        let closing = name.iter().rev().take_while(is_mark).count();
        if let Some((strength, kind)) = classify(part(name, opening, name.len().saturating_sub(closing)))
            && strength.is_of_column()
            && self.column < MOST
        {
            self.secret |= 1 << self.column;
            // Passwords are found by less than tokens.
            if self.strength != Strength::Chosen {
                (self.strength, self.kind) = (strength, kind);
            }
        }
        let next = after_spaces(bytes, end);
        if next < bytes.len() || end > start {
            self.column += 1;
        }
        self.phase = match at(bytes, next) {
            b',' => Phase::Column,
            b')' if self.secret != 0 => Phase::Values,
            // The list goes on behind the line's end, with a comma first.
            _ if next >= bytes.len() => {
                self.column -= u32::from(end > start && !name.is_empty());
                Phase::Column
            }
            _ => Phase::Done,
        };
        self.place = next + 1;
    }

    fn values(&mut self, bytes: &[u8]) {
        self.place = after_spaces(bytes, self.place);
        if self.place < bytes.len() {
            let is_values = has_in_any_case(bytes, self.place, "values");
            self.phase = if is_values { Phase::Row } else { Phase::Done };
            self.place += "values".len();
        }
    }

    fn row(&mut self, bytes: &[u8]) {
        self.place = after_spaces(bytes, self.place);
        if self.place < bytes.len() {
            self.phase = match at(bytes, self.place) {
                b'(' => Phase::Cell,
                b',' => Phase::Row,
                _ => Phase::Done,
            };
            self.column = 0;
            self.place += 1;
        }
    }

    fn behind(&mut self, bytes: &[u8]) {
        self.place = after_spaces(bytes, self.place);
        if self.place < bytes.len() {
            self.phase = match at(bytes, self.place) {
                b',' => Phase::Cell,
                b')' => Phase::Row,
                _ => Phase::Done,
            };
            self.place += 1;
        }
    }

    fn cell(&mut self, bytes: &[u8]) -> Option<Found> {
        let start = after_spaces(bytes, self.place);
        if start >= bytes.len() {
            self.place = start;
            return None;
        }
        let Some(end) = cell_end(bytes, start) else {
            (self.phase, self.place) = (Phase::Done, bytes.len());
            return None;
        };
        let is_secret = self.column < MOST && self.secret & (1 << self.column) != 0;
        self.phase = match at(bytes, end) {
            b')' => Phase::Row,
            b',' => Phase::Cell,
            _ => Phase::Behind,
        };
        self.place = end + 1;
        self.column += 1;
        // A letter before the text may tell its kind.
        let quote = run_end_within(bytes, start, 1, |byte| matches!(byte, b'N' | b'E' | b'n' | b'e'));
        let is_text = is_quote(at(bytes, run_end(bytes, quote, |byte| byte == b'\\')));
        if !is_secret || !is_text {
            return None;
        }
        secret_at(part(bytes, 0, end), quote, self.strength, self.kind, Place::Setting)
    }
}

/// Where a value ends: at the comma or bracket behind it, or at the line's end. A text, or what stands in brackets, may have them, too.
fn cell_end(bytes: &[u8], start: usize) -> Option<usize> {
    let bytes = part(bytes, 0, bytes.len().min(start + LONGEST_TEXT));
    let (mut place, mut depth, mut quote) = (start, 0_usize, 0);
    while let Some(&byte) = bytes.get(place) {
        match byte {
            b'\\' if quote == b'\'' && at(bytes, place + 1) != b'"' => place += 1,
            _ if quote != 0 => quote = if byte == quote { 0 } else { quote },
            b'\'' | b'"' => quote = byte,
            b'(' => depth += 1,
            b')' if depth > 0 => depth -= 1,
            b',' | b')' if depth == 0 => return Some(place),
            _ => {}
        }
        place += 1;
    }
    (quote == 0 && depth == 0 && place >= bytes.len()).then_some(bytes.len())
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Where what follows stands, spaces aside; JSON may have written them.
fn after_spaces(bytes: &[u8], start: usize) -> usize {
    let mut start = run_end(bytes, start, is_space);
    while at(bytes, start) == b'\\' && matches!(at(bytes, start + 1), b'n' | b'r' | b't') {
        start = run_end(bytes, start + 2, is_space);
    }
    start
}
