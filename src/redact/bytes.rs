//! Looking at text byte by byte. Everything that delimits a credential is ASCII, so that every place
//! between delimiters is a place between characters.

use crate::search::is_same;

/// Whether a byte opens or closes a quotation.
pub(super) const fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

/// Whether a byte belongs to a word: letters, digits, `_` and `-`.
#[allow(clippy::indexing_slicing)] // The table has an entry for each byte.
pub(super) const fn is_word(byte: u8) -> bool {
    WORD[byte as usize]
}

#[allow(clippy::indexing_slicing)] // A byte is below 256, and a constant that isn't doesn't compile.
const WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut at = 0;
    while at < 128 {
        #[allow(clippy::cast_possible_truncation)]
        let byte = at as u8;
        table[at] = byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        at += 1;
    }
    table
};

/// Pairs of bytes, to see at a glance that a text begins or ends like none of many: rarely one too many.
pub(super) struct Pairs([u32; 128]);

impl Pairs {
    pub(super) const fn none() -> Self {
        Self([0; 128])
    }

    /// With one more pair.
    #[allow(clippy::indexing_slicing)] // A masked byte is below 128.
    pub(super) const fn and(mut self, first: u8, second: u8) -> Self {
        self.0[(first & 127) as usize] |= 1 << (second & 31);
        self
    }

    pub(super) fn may_have(&self, first: u8, second: u8) -> bool {
        self.0.get(usize::from(first & 127)).is_some_and(|seconds| seconds & (1 << (second & 31)) != 0)
    }
}

/// Three letters in a row, in whatever case.
pub(super) struct Triples([u32; 1024]);

impl Triples {
    pub(super) const fn none() -> Self {
        Self([0; 1024])
    }

    /// With one more triple.
    #[allow(clippy::indexing_slicing)] // Two masked bytes are below 1024.
    pub(super) const fn and(mut self, first: u8, second: u8, third: u8) -> Self {
        self.0[(second & 31) as usize * 32 + (third & 31) as usize] |= 1 << (first & 31);
        self
    }

    /// Whether three letters are one of them.
    pub(super) fn has(&self, [first, second, third]: [u8; 3]) -> bool {
        self.firsts(second, third) & (1 << (first & 31)) != 0
    }

    /// Whether two letters are the last of one of them.
    pub(super) fn has_pair(&self, second: u8, third: u8) -> bool {
        self.firsts(second, third) != 0
    }

    fn firsts(&self, second: u8, third: u8) -> u32 {
        self.0.get(usize::from(second & 31) * 32 + usize::from(third & 31)).copied().unwrap_or(0)
    }
}

/// Words of four bytes, to see at a glance that a text ends like none of many: rarely one too many.
pub(super) struct Words([u32; 128]);

impl Words {
    pub(super) const fn none() -> Self {
        Self([0; 128])
    }

    /// With one more word.
    #[allow(clippy::indexing_slicing)] // Seven bits are below 128.
    pub(super) const fn and(mut self, word: [u8; 4]) -> Self {
        let hash = Self::hash(word);
        self.0[(hash >> 5) as usize] |= 1 << (hash & 31);
        self
    }

    pub(super) fn may_have(&self, word: [u8; 4]) -> bool {
        let hash = Self::hash(word);
        self.0.get((hash >> 5) as usize).is_some_and(|words| words & (1 << (hash & 31)) != 0)
    }

    /// Twelve bits.
    const fn hash(word: [u8; 4]) -> u32 {
        u32::from_le_bytes(word).wrapping_mul(0x9e37_79b1) >> 20
    }
}

/// The byte at a place, 0 beyond the ends.
pub(super) fn at(bytes: &[u8], place: usize) -> u8 {
    bytes.get(place).copied().unwrap_or(0)
}

/// The byte before a place, 0 at the start.
pub(super) fn before(bytes: &[u8], place: usize) -> u8 {
    place.checked_sub(1).map_or(0, |place| at(bytes, place))
}

/// A part of the bytes, empty if there is none.
pub(super) fn part(bytes: &[u8], start: usize, end: usize) -> &[u8] {
    bytes.get(start..end).unwrap_or_default()
}

/// What follows a place.
pub(super) fn rest(bytes: &[u8], start: usize) -> &[u8] {
    bytes.get(start..).unwrap_or_default()
}

/// Where a run of bytes that belong together ends.
pub(super) fn run_end(bytes: &[u8], start: usize, belongs: impl Fn(u8) -> bool) -> usize {
    let length = rest(bytes, start).iter().position(|byte| !belongs(*byte));
    length.map_or(bytes.len().max(start), |length| start + length)
}

/// As [`run_end`], but looks at so many bytes at most: what is judged from many places in one long run
/// would otherwise cost the square of its length.
pub(super) fn run_end_within(bytes: &[u8], start: usize, most: usize, belongs: impl Fn(u8) -> bool) -> usize {
    shared_run_end(bytes, start, most, &belongs)
}

/// One loop for all callers, which keeps the machine code small.
#[inline(never)]
fn shared_run_end(bytes: &[u8], start: usize, most: usize, belongs: &dyn Fn(u8) -> bool) -> usize {
    run_end(part(bytes, 0, bytes.len().min(start.saturating_add(most))), start, belongs)
}

/// Blanks, which a call's parameters have as JSON writes them too.
pub(super) const fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// Letters that stand for blanks behind a backslash. No line end is among them: what follows it is another line.
const fn is_blank_letter(byte: u8) -> bool {
    matches!(byte, b't' | b'r' | b'f' | b'b')
}

/// Where what follows a place stands, blanks aside.
#[inline(never)]
pub(super) fn after_blanks(bytes: &[u8], start: usize) -> usize {
    let mut start = start;
    loop {
        start = run_end(bytes, start, is_blank);
        let letter = run_end_within(bytes, start, MOST_BACKSLASHES, |byte| byte == b'\\');
        if letter == start || !is_blank_letter(at(bytes, letter)) {
            return start;
        }
        start = letter + 1;
    }
}

/// A text without the blank at its end that JSON has written, in however many strings of strings.
pub(super) fn without_written_blank(bytes: &[u8]) -> Option<&[u8]> {
    let [rest @ .., letter] = bytes else { return None };
    let count = backslashes(rest);
    (count > 0 && is_blank_letter(*letter)).then(|| part(rest, 0, rest.len() - count))
}

/// How many backslashes a text ends with.
pub(super) fn backslashes(bytes: &[u8]) -> usize {
    bytes.iter().rev().take(MOST_BACKSLASHES).take_while(|byte| **byte == b'\\').count()
}

/// Backslashes that are looked at before a letter or a quotation mark.
pub(super) const MOST_BACKSLASHES: usize = 7;

/// Whether a text follows a place.
pub(super) fn has(bytes: &[u8], place: usize, text: &str) -> bool {
    rest(bytes, place).starts_with(text.as_bytes())
}

/// Whether a text follows a place, in whatever case.
pub(super) fn has_in_any_case(bytes: &[u8], place: usize, text: &str) -> bool {
    bytes.get(place..place + text.len()).is_some_and(|part| part.eq_ignore_ascii_case(text.as_bytes()))
}

/// Whether a text is one of a list, in whatever case. One loop for all lists keeps the machine code small.
#[inline(never)]
pub(super) fn is_one_of(list: &[&str], text: &[u8]) -> bool {
    list.iter().any(|known| text.eq_ignore_ascii_case(known.as_bytes()))
}

/// Where a text stands first, from a place on.
#[inline(never)]
pub(super) fn find(bytes: &[u8], start: usize, text: &str) -> Option<usize> {
    let found = rest(bytes, start).windows(text.len()).position(|window| is_same(window, text));
    found.map(|offset| start + offset)
}

/// Where a text stands last, or the start.
pub(super) fn find_last(bytes: &[u8], text: &str) -> usize {
    bytes.windows(text.len()).rposition(|window| is_same(window, text)).unwrap_or(0)
}

/// How far before a word or a sign another word may stand that gives it its meaning.
pub(super) const NEAR: usize = 200;

/// Where a word begins, behind a line end or a tab as JSON writes it.
pub(super) fn begun(bytes: &[u8], word: usize) -> usize {
    word + usize::from(before(bytes, word) == b'\\' && matches!(at(bytes, word), b'n' | b't' | b'r'))
}
