//! What a text costs at least and at most in `o200k_base` and `cl100k_base`, without a vocabulary.
//!
//! Two facts about byte-pair encodings carry the bounds, and a test holds them against both vocabularies:
//!
//! - *At least*: each piece that the encoding's pattern cuts costs a token. Counted are beginnings of
//!   pieces that both patterns agree on whatever stands around them.
//! - *At most*: no two neighbouring tokens of a piece stand together in the vocabulary, else they would
//!   have been merged. So where two letters are known to be a token they can't both be tokens by
//!   themselves; a number of up to three digits, and a run of blanks, are a single token.
//!
//! Characters outside ASCII may be of any class, so nothing is taken for granted beside them.

/// Blanks in a row that are one token in both vocabularies.
const BLANKS: u64 = 79;
/// Bytes of the longest token.
const LONGEST: u64 = 128;

/// For each letter, capitals first, the small letters that are one token with it in both vocabularies.
#[rustfmt::skip]
static PAIRS: [u32; 52] = [
    0x3fe_ffee, 0x116_4951, 0x196_499f, 0x01e_4113, 0x1bf_bc2e, 0x096_691d, 0x016_4913, 0x310_c111, 0x08e_fc28,
    0x014_4011, 0x102_2191, 0x138_6131, 0x11e_c11f, 0x196_51db, 0x00e_bdaa, 0x19e_4dd1, 0x018_0100, 0x094_c091,
    0x35b_fd95, 0x1f6_c599, 0x00e_b982, 0x114_5511, 0x106_4191, 0x000_0108, 0x010_4011, 0x000_0090,
    0x3ff_ffff, 0x3fe_ffff, 0x3ff_ffff, 0x3ff_ffff, 0x3ff_ffff, 0x1ff_fdff, 0x3fe_f9ff, 0x3ff_fdff, 0x3ff_ffff,
    0x01f_ffbf, 0x17e_ffff, 0x3fe_ffff, 0x1ff_ffff, 0x3fe_ffff, 0x3fe_ffff, 0x3ff_ffff, 0x0df_b99f, 0x3ff_fdff,
    0x3ff_ffff, 0x3fe_fdff, 0x3fe_ffff, 0x1fe_ffff, 0x1de_ffff, 0x38e_f93f, 0x3de_fddf, 0x3dc_fdbf,
];

/// What a byte is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Class {
    /// There is no byte.
    #[default]
    None,
    Letter,
    Digit,
    /// The blank itself.
    Blank,
    /// White space that ends no line.
    Space,
    Newline,
    Sign,
    /// Part of a character outside ASCII, which may be anything.
    Other,
}

impl Class {
    #[inline]
    fn of(byte: u8) -> Self {
        CLASSES.get(usize::from(byte)).copied().unwrap_or(Self::Other)
    }

    const fn of_byte(byte: u8) -> Self {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => Self::Letter,
            b'0'..=b'9' => Self::Digit,
            b' ' => Self::Blank,
            b'\n' | b'\r' => Self::Newline,
            b'\t' | 0x0b | 0x0c => Self::Space,
            0x80.. => Self::Other,
            _ => Self::Sign,
        }
    }

    const fn is_space(self) -> bool {
        matches!(self, Self::Blank | Self::Space | Self::Newline)
    }
}

/// The classes of ASCII.
static CLASSES: [Class; 128] = {
    let mut classes = [Class::None; 128];
    let mut rest: &mut [Class] = &mut classes;
    let mut byte = 0;
    while let Some((class, others)) = rest.split_first_mut() {
        *class = Class::of_byte(byte);
        rest = others;
        byte += 1;
    }
    classes
};

/// The fewest and the most tokens that a text can cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// At least so many.
    pub lower: u32,
    /// At most so many.
    pub upper: u32,
}

impl Bounds {
    /// A count that is known.
    #[must_use]
    pub const fn exact(tokens: u32) -> Self {
        Self { lower: tokens, upper: tokens }
    }

    /// Whether the count is known.
    #[must_use]
    pub const fn is_exact(self) -> bool {
        self.lower == self.upper
    }
}

/// Bounds the tokens of one text that arrives in chunks, cut anywhere between characters.
#[derive(Clone, Debug, Default)]
pub struct Bounder {
    bytes: u64,
    byte: u8,
    class: Class,
    pieces: Pieces,
    tokens: Tokens,
}

impl Bounder {
    /// Reads the next chunk of the text, which is in UTF-8.
    pub fn feed(&mut self, chunk: &[u8]) {
        self.bytes += chunk.len() as u64;
        // Local copies stay in registers; the fields would be written back for every byte.
        let (mut before, mut tokens) = ((self.byte, self.class), self.tokens.clone());
        for &byte in chunk {
            let now = (byte, Class::of(byte));
            // Inside a word nothing begins.
            if before.1 != Class::Letter || now.1 != Class::Letter {
                self.pieces.step(before, now);
            }
            tokens.step(before, now);
            before = now;
        }
        ((self.byte, self.class), self.tokens) = (before, tokens);
    }

    /// The bounds of everything fed so far.
    #[must_use]
    pub fn finish(&self) -> Bounds {
        let mut pieces = self.pieces.clone();
        pieces.step((self.byte, self.class), (0, Class::None));
        let lower = pieces.count.max(self.bytes.div_ceil(LONGEST));
        let most = u64::try_from(self.tokens.most).unwrap_or(0);
        let whole = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        Bounds { lower: whole(lower), upper: whole(most.min(self.bytes)) }
    }
}

/// The bounds of a text.
#[must_use]
pub fn bounds(text: &str) -> Bounds {
    let mut bounder = Bounder::default();
    bounder.feed(text.as_bytes());
    bounder.finish()
}

/// Counts pieces that there are at least.
#[derive(Clone, Debug, Default)]
struct Pieces {
    count: u64,
    /// Whether the run of signs or of white space stands beside ASCII, so that nothing else joins it.
    is_apart: bool,
    /// Signs of the run, digits modulo three, or white space behind the newest newline.
    length: u64,
    /// The run of white space has a newline that no sign before it took.
    has_newline: bool,
    after_sign: bool,
}

impl Pieces {
    fn step(&mut self, (before, was): (u8, Class), (byte, class): (u8, Class)) {
        let is_new = was != class && !(was.is_space() && class.is_space());
        if is_new && was.is_space() {
            self.end_spaces(class);
        }
        // A sign alone is a piece, unless a letter follows, which it may lead.
        let is_alone = was == Class::Sign && self.is_apart && self.length == 1;
        if is_new && is_alone && !matches!(class, Class::Letter | Class::Other) {
            self.count += 1;
        }
        match class {
            // What follows an apostrophe may be a contraction.
            Class::Letter => self.count += u64::from(is_new && was != Class::Other && before != b'\''),
            Class::Digit => {
                // Digits outside ASCII may have begun the number: up to two of these go with them.
                self.length = if is_new { u64::from(was == Class::Other) } else { (self.length + 1) % 3 };
                self.count += u64::from(self.length == 0);
            }
            Class::Sign => {
                // A slash may belong to the newlines before it, and they to other signs.
                let joins = was == Class::Other || (was == Class::Newline && byte == b'/');
                (self.is_apart, self.length) =
                    if is_new { (!joins, 1) } else { (self.is_apart, self.length + 1) };
                self.count += u64::from(self.is_apart && self.length == 2);
            }
            Class::Blank | Class::Space | Class::Newline => {
                if is_new {
                    (self.is_apart, self.length) = (was != Class::Other, 0);
                    (self.has_newline, self.after_sign) = (false, was == Class::Sign);
                }
                self.has_newline |= class == Class::Newline;
                self.length = if class == Class::Newline { 0 } else { self.length + 1 };
            }
            Class::None | Class::Other => {}
        }
    }

    /// The pieces of a run of white space: up to its last newline, and the rest without the last character, which may
    /// belong to the next piece.
    fn end_spaces(&mut self, next: Class) {
        if !self.is_apart {
            return;
        }
        let lines = u64::from(self.has_newline && !self.after_sign);
        let blanks = u64::from(self.length > 1);
        self.count += match next {
            // That may be white space too, and all of it one piece.
            Class::Other => lines.max(blanks),
            Class::Digit => lines + blanks + u64::from(self.length > 0),
            _ => lines + blanks,
        };
    }
}

/// The most tokens that the text so far can be cut into. Three numbers tell how that goes on: the most if the last
/// byte is a token, ends a longer one, or begins one that continues. They lie so close together that there are only
/// so many cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Ending {
    /// Alone, or the beginning of more; nothing before it can belong to it.
    #[default]
    Begun,
    /// Alone or in a longer one, in which there is one token less.
    Apart,
    /// It has merged with the byte before.
    Merged,
    /// Both are as many.
    Either,
}

impl Ending {
    /// One byte more, and whether there is a token more.
    const fn next(self, merges: bool) -> (Self, i64) {
        match (self, merges) {
            (Self::Begun | Self::Apart, false) | (Self::Either, _) => (Self::Apart, 1),
            (Self::Begun | Self::Apart, true) => (Self::Merged, 0),
            (Self::Merged, _) => (Self::Either, 1),
        }
    }
}

/// Counts the tokens that there are at most.
#[derive(Clone, Debug, Default)]
struct Tokens {
    most: i64,
    ending: Ending,
    /// Before the run of blanks, and its length.
    before_run: i64,
    run: u64,
    /// So many letters may be parted from each other by the end of a contraction.
    contracted: u8,
    /// Digits of the group of three; `None` if there may be digits outside ASCII before them.
    digits: Option<u8>,
}

impl Tokens {
    #[inline]
    fn step(&mut self, (before, was): (u8, Class), (byte, class): (u8, Class)) {
        match class {
            Class::Letter => {
                let is_parted = self.contracted > 0;
                self.contracted = self.contracted.saturating_sub(1);
                return self.next(!is_parted && merge(before, byte));
            }
            Class::Digit => self.digit(was),
            Class::Blank => self.blank(was),
            Class::Newline => self.next(byte == b'\n' && before == b'\n'),
            Class::None | Class::Space | Class::Sign | Class::Other => self.next(false),
        }
        self.contracted = if byte == b'\'' { 3 } else { 0 };
    }

    /// One byte more; `merges` says that it is a token with the byte before it, and of the same piece.
    #[inline]
    fn next(&mut self, merges: bool) {
        let (ending, more) = self.ending.next(merges);
        self.ending = ending;
        self.most += more;
    }

    /// Begins a piece behind so many tokens.
    const fn begin(&mut self, tokens: i64) {
        self.most = tokens + 1;
        self.ending = Ending::Begun;
    }

    fn digit(&mut self, was: Class) {
        self.digits = match (was, self.digits) {
            (Class::Digit, Some(digits)) => Some((digits + 1) % 3),
            (Class::Digit, None) | (Class::Other, _) => None,
            _ => Some(0),
        };
        match self.digits {
            None => self.next(false),
            Some(0) => self.begin(self.most),
            Some(_) => self.begin(self.most - 1),
        }
    }

    /// The last blank of a run may lead what follows; those before it are one token, beside one that may
    /// have begun in other white space before them.
    fn blank(&mut self, was: Class) {
        if was != Class::Blank {
            let begins_before = matches!(was, Class::Space | Class::Newline | Class::Other);
            (self.before_run, self.run) = (self.most + i64::from(begins_before), 0);
            return self.begin(self.most);
        }
        self.run += 1;
        let long = if self.run > BLANKS { self.run * 2 / BLANKS + 1 } else { 0 };
        self.begin(self.before_run + 1 + i64::try_from(long).unwrap_or(0));
    }
}

/// Whether a letter is one token with the byte before it, in both vocabularies.
#[inline]
fn merge(before: u8, letter: u8) -> bool {
    let row = ROWS.get(usize::from(before)).copied().unwrap_or(0);
    row >> (letter & 31) & 1 == 1 && (letter >= b'a' || before == b' ')
}

/// For each byte of ASCII, the letters that are one token with it, by their place in the alphabet from 1
/// on; a blank is one with every letter.
static ROWS: [u32; 128] = {
    let mut rows = [0; 128];
    let mut rest: &mut [u32] = &mut rows;
    let mut pairs: &[u32] = &PAIRS;
    let mut byte = 0_u8;
    while let Some((row, others)) = rest.split_first_mut() {
        if byte == b' ' {
            *row = u32::MAX;
        } else if byte.is_ascii_alphabetic()
            && let Some((&bits, behind)) = pairs.split_first()
        {
            *row = bits << 1;
            pairs = behind;
        }
        rest = others;
        byte += 1;
    }
    rows
};

#[cfg(test)]
mod tests {
    use super::{Bounds, bounds};

    #[test]
    fn known_texts() {
        let of = |text| {
            let Bounds { lower, upper } = bounds(text);
            (lower, upper)
        };
        assert_eq!(of(""), (0, 0));
        assert_eq!(of("a"), (1, 1));
        assert_eq!(of("1234"), (2, 2));
        assert_eq!(of("if x == 10:\n    return"), (8, 16));
        assert_eq!(of(&"=".repeat(1_280)), (10, 1_280));
    }
}
