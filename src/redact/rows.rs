//! Secrets that one name announces for many places behind it: the rows of a statement, the rows of a table of HTML, the
//! members of a key. They may stand on the same line and on those below.

use super::bytes::{at, begun, part};
use super::found::Found;
use super::html::{self, Table};
use super::jwk::Key;
use super::sql::{self, Insert};

/// The rows that a name announces, as far as they were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rows {
    Insert(Insert),
    Table(Table),
    Key(Key),
}

impl Rows {
    /// The rows that a word or sign announces.
    pub(super) fn of(bytes: &[u8], word: usize, stop: usize) -> Option<Self> {
        match at(bytes, stop) {
            b':' => Key::of_member(bytes, stop).map(Self::Key),
            b'>' => html::may_open(bytes, word, stop).then(|| Self::Table(Table::new(word - 1))),
            b'<' => Table::of_name(bytes, stop).map(Self::Table),
            _ => {
                let word = begun(bytes, word);
                sql::may_begin(bytes, word, part(bytes, word, stop)).then(|| Self::Insert(Insert::new(stop)))
            }
        }
    }

    /// The next secret before a place: the end of a line, or of a text between credentials that were replaced.
    pub(super) fn next(&mut self, bytes: &[u8], end: usize) -> Option<Found> {
        match self {
            Self::Insert(insert) => insert.next(bytes, end),
            Self::Table(table) => table.next(bytes, end),
            Self::Key(key) => key.next(bytes, end),
        }
    }

    /// The same in a text with more before it.
    pub(super) const fn shifted(self, by: usize) -> Self {
        match self {
            Self::Insert(insert) => Self::Insert(insert.shifted(by)),
            Self::Table(table) => Self::Table(table.shifted(by)),
            Self::Key(key) => Self::Key(key.shifted(by)),
        }
    }

    /// The same at the start of another line.
    pub(super) const fn at(self, place: usize) -> Self {
        match self {
            Self::Insert(insert) => Self::Insert(insert.at(place)),
            Self::Table(table) => Self::Table(table.at(place)),
            Self::Key(key) => Self::Key(key.at(place)),
        }
    }

    /// Whether lines below may hold more.
    pub(super) fn is_open(&self) -> bool {
        match self {
            Self::Insert(insert) => insert.is_open(),
            Self::Table(table) => table.is_open(),
            Self::Key(key) => key.is_open(),
        }
    }
}
