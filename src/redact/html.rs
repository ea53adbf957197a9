//! Tables and lists of HTML: a cell that names a secret, and the cell behind it or those below it.

use super::bytes::{at, has_in_any_case, is_blank, is_one_of, is_word, part, run_end, run_end_within};
use super::cells;
use super::found::Found;
use super::names::{Strength, classify, may_be_secret};

/// Tags that end a cell's name; marks of text may stand inside.
const CLOSING: [&str; 8] = ["</td", "</th", "</dt", "</b>", "</strong", "</code", "</span", "</p>"];
/// Those among them that stand in text.
const IN_TEXT: [&str; 4] = ["</b>", "</strong", "</code", "</span"];
/// Tags that begin a value.
const VALUES: [&str; 3] = ["td", "dd", "th"];
/// So many columns are looked at.
const MOST: u32 = 32;
/// Cells are judged by names and values that are shorter, with the tags around them.
const LONGEST: usize = 512;

/// What part of a table comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Header,
    Rows,
    Done,
}

/// A table, as far as it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Table {
    phase: Phase,
    place: usize,
    column: u32,
    /// A bit for each column that is secret.
    secret: u32,
    strength: Strength,
    kind: &'static str,
    /// How many lines of the header were read.
    lines: usize,
}

/// Whether the end of a word, or a colon there, may end a secret's name in a cell.
pub(super) fn may_name(bytes: &[u8], stop: usize) -> bool {
    let tag = stop + usize::from(at(bytes, stop) == b':');
    at(bytes, tag) == b'<'
        && at(bytes, tag + 1) == b'/'
        && may_be_secret(bytes, stop)
        && CLOSING.iter().any(|closing| has_in_any_case(bytes, tag, closing))
}

/// Whether a row of a table begins with a tag at the end of a line.
pub(super) fn may_open(bytes: &[u8], word: usize, sign: usize) -> bool {
    at(bytes, sign) == b'>'
        && matches!(part(bytes, word, sign), b"tr" | b"TR")
        && part(bytes, 0, word).ends_with(b"<")
        && matches!(at(bytes, sign + 1), 0 | b'\n' | b'\r')
}

/// The name of a secret in the cell whose text ends at a place.
fn name_before(bytes: &[u8], stop: usize) -> Option<(Strength, &'static str)> {
    const LONGEST_NAME: usize = 48;
    let near = part(bytes, stop.saturating_sub(LONGEST_NAME), stop);
    let text = near.rsplit(|byte| *byte == b'>').next().filter(|text| text.len() < near.len())?;
    classify(cells::name_in(text.trim_ascii())?).filter(|(strength, _)| strength.is_of_column())
}

/// The value in the cell behind the one whose name ends at a place, on the same line.
pub(super) fn find_behind_name(bytes: &[u8], stop: usize) -> Option<Found> {
    if !may_name(bytes, stop) {
        return None;
    }
    let (strength, kind) = name_before(bytes, stop)?;
    let has_colon = at(bytes, stop) == b':';
    let mut place = stop + usize::from(has_colon);
    // Behind a name with a colon no cell needs to begin.
    let mut is_value = has_colon && IN_TEXT.iter().any(|tag| has_in_any_case(bytes, place, tag));
    while at(bytes, place) == b'<' {
        let tag = Tag::at(bytes, place)?;
        if !is_value && !tag.closes && !is_one_of(&VALUES, tag.name) || is_one_of(&["tr", "table"], tag.name)
        {
            return None;
        }
        is_value |= is_one_of(&VALUES, tag.name) && !tag.closes;
        place = run_end(bytes, tag.end, |byte| is_blank(byte) || byte == b':');
    }
    let end = run_end_within(bytes, place, LONGEST, |byte| byte >= b' ' && byte != b'<');
    if is_value { cells::secret_in(bytes, (place, end), strength, kind) } else { None }
}

/// What the name in a cell at the end of a line says of the cell on the next one. Below the header of a table other names
/// stand.
pub(super) fn named_below(bytes: &[u8], stop: usize) -> Option<(Strength, &'static str)> {
    if !may_name(bytes, stop) {
        return None;
    }
    let tag = stop + usize::from(at(bytes, stop) == b':');
    let last = run_end_within(bytes, tag, 16, |byte| byte > b' ');
    let is_cell = !has_in_any_case(bytes, tag, "</th") && matches!(at(bytes, last), 0 | b'\n' | b'\r');
    if is_cell { name_before(bytes, stop) } else { None }
}

/// A tag in a text.
struct Tag<'text> {
    name: &'text [u8],
    closes: bool,
    end: usize,
}

impl<'text> Tag<'text> {
    fn at(bytes: &'text [u8], start: usize) -> Option<Self> {
        let closes = at(bytes, start + 1) == b'/';
        let name = start + 1 + usize::from(closes);
        let name_end = run_end_within(bytes, name, 16, is_word);
        let end = run_end_within(bytes, name_end, LONGEST, |byte| byte != b'>' && byte != b'<');
        let is_tag = name_end > name && at(bytes, end) == b'>';
        is_tag.then_some(Tag { name: part(bytes, name, name_end), closes, end: end + 1 })
    }
}

impl Table {
    /// A table whose first row begins at a place.
    pub(super) const fn new(place: usize) -> Self {
        let (strength, kind) = (Strength::Made, "");
        Self { phase: Phase::Header, place, column: 0, secret: 0, strength, kind, lines: 0 }
    }

    /// The table whose first row is on one line and has a name that ends at a place.
    pub(super) fn of_name(bytes: &[u8], stop: usize) -> Option<Self> {
        const LONGEST_ROW: usize = 2048;
        if !may_name(bytes, stop) {
            return None;
        }
        name_before(bytes, stop)?;
        let near = part(bytes, stop.saturating_sub(LONGEST_ROW), stop);
        let line = near.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let row = line.windows(3).rposition(|tag| tag.eq_ignore_ascii_case(b"<tr"))?;
        Some(Self::new(stop - line.len() + row))
    }

    /// The same in a text with more before it.
    pub(super) const fn shifted(self, by: usize) -> Self {
        Self { place: self.place + by, ..self }
    }

    /// The same at the start of another line.
    pub(super) const fn at(self, place: usize) -> Self {
        Self { place, lines: self.lines + 1, ..self }
    }

    /// Whether lines below may hold a secret of the table.
    pub(super) const fn is_open(&self) -> bool {
        const MOST_LINES: usize = 64;
        match self.phase {
            Phase::Header => self.lines < MOST_LINES,
            Phase::Rows => true,
            Phase::Done => false,
        }
    }

    /// The next secret before a place, where a line ends or a text that was replaced begins.
    pub(super) fn next(&mut self, bytes: &[u8], end: usize) -> Option<Found> {
        let bytes = part(bytes, 0, end);
        while self.phase != Phase::Done {
            let start = run_end(bytes, self.place, |byte| byte != b'<');
            if start >= end {
                self.place = end;
                return None;
            }
            let Some(tag) = Tag::at(bytes, start) else {
                self.place = start + 1;
                continue;
            };
            self.place = tag.end;
            if let Some(found) = self.tag(bytes, &tag) {
                return Some(found);
            }
        }
        None
    }

    fn tag(&mut self, bytes: &[u8], tag: &Tag<'_>) -> Option<Found> {
        let is = |name: &[u8]| tag.name.eq_ignore_ascii_case(name);
        if is(b"tr") {
            let is_end = self.phase == Phase::Header && self.column > 0;
            self.column = 0;
            if is_end {
                self.phase = if self.secret == 0 { Phase::Done } else { Phase::Rows };
            }
        } else if is(b"table") && tag.closes {
            self.phase = Phase::Done;
        } else if !tag.closes && (is(b"td") || is(b"th")) {
            let bit = if self.column < MOST { 1 << self.column } else { 0 };
            self.column += 1;
            let is_name = is(b"th");
            // The next header is another table's.
            if is_name && self.phase == Phase::Rows && self.column > 1 {
                self.phase = Phase::Done;
                return None;
            }
            return self.cell(bytes, tag.end, bit, is_name);
        }
        None
    }

    /// Reads the cell that starts at a place; only cells of headers have names of columns.
    fn cell(&mut self, bytes: &[u8], start: usize, bit: u32, is_name: bool) -> Option<Found> {
        let mut place = run_end(bytes, start, is_blank);
        while at(bytes, place) == b'<' {
            let tag = Tag::at(bytes, place)?;
            if is_one_of(&["td", "th", "tr"], tag.name) {
                return None;
            }
            place = run_end(bytes, tag.end, is_blank);
        }
        let end = run_end_within(bytes, place, LONGEST, |byte| byte >= b' ' && byte != b'<');
        if self.phase == Phase::Rows {
            let is_secret = self.secret & bit != 0 && !is_name;
            return if is_secret {
                cells::secret_in(bytes, (place, end), self.strength, self.kind)
            } else {
                None
            };
        }
        if is_name
            && let Some((strength, kind)) = cells::name_in(part(bytes, place, end)).and_then(classify)
            && strength.is_of_column()
        {
            self.secret |= bit;
            if self.strength != Strength::Chosen {
                (self.strength, self.kind) = (strength, kind);
            }
        }
        None
    }
}
