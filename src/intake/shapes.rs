//! Shapes of lines: what a line says apart from its numbers and names. A line whose shape stands nowhere else is news.

use super::lines::is_ours;

/// The shapes of some lines, and how often each stands among them.
pub(super) struct Shapes {
    each: Vec<u64>,
    sorted: Vec<u64>,
    /// A line is odd if its shape stands at most this often.
    rare: usize,
}

/// Odd lines are at most one in so many: where most lines differ, none is odd.
const ODD: usize = 8;
/// Lines of a shape that is one in so many or less may be odd.
const RARE: usize = 100;
/// What says nothing by itself has no shape.
const NONE: u64 = 0;

impl Shapes {
    pub(super) fn of<'text>(lines: impl Iterator<Item = &'text str>) -> Self {
        let each: Vec<u64> = lines.map(shape).collect();
        let mut sorted = each.clone();
        sorted.sort_unstable();
        let mut shapes = Self { each, sorted, rare: 0 };
        let odd = |most: &usize| {
            let counts = shapes.sorted.chunk_by(u64::eq).map(<[u64]>::len);
            counts.filter(|count| count <= most).sum::<usize>() * ODD <= shapes.each.len()
        };
        shapes.rare = [(shapes.each.len() / RARE).max(1), 1].into_iter().find(odd).unwrap_or(0);
        shapes
    }

    /// How often the shape of a line stands there.
    pub(super) fn count(&self, line: usize) -> usize {
        let Some(shape) = self.each.get(line).filter(|shape| **shape != NONE) else { return usize::MAX };
        let start = self.sorted.partition_point(|other| other < shape);
        self.sorted.get(start..).map_or(0, |rest| rest.partition_point(|other| other == shape))
    }

    /// Whether a line differs from nearly all others, which are alike.
    pub(super) fn is_odd(&self, line: usize) -> bool {
        self.count(line) <= self.rare
    }

    /// Whether many others are like a line.
    pub(super) fn is_common(&self, line: usize) -> bool {
        self.count(line) > (self.each.len() / RARE).max(2)
    }
}

/// FNV-1a of a line, with one sign for every word that is a number or a name, and one for blanks in a row.
fn shape(line: &str) -> u64 {
    let line = line.trim();
    if line.is_empty() || is_ours(line) {
        return NONE;
    }
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let mut rest = line.as_bytes();
    let mut last = 0;
    while let Some((&first, behind)) = rest.split_first() {
        let length = rest.iter().take_while(|byte| is_part(**byte)).count();
        let Some((word, behind_word)) = rest.split_at_checked(length).filter(|_| length > 0) else {
            let sign = if first.is_ascii_whitespace() { b' ' } else { first };
            if sign != last {
                add(sign);
            }
            (last, rest) = (sign, behind);
            continue;
        };
        for byte in if is_name(word) { b"#" } else { word } {
            add(*byte);
        }
        (last, rest) = (0, behind_word);
    }
    hash | 1
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || !byte.is_ascii()
        || matches!(byte, b'_' | b'-' | b'.' | b'/' | b':' | b'@' | b'\\')
}

/// Whether a word is a number or names something: zero is no number like the others.
fn is_name(word: &[u8]) -> bool {
    let joins = |three: &[u8]| matches!(three, [a, b'.' | b':', b] if a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric());
    let humps = |two: &[u8]| matches!(two, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase());
    let is_hex = word.len() > 2 && word.iter().all(|byte| matches!(byte, b'a'..=b'f'));
    word != b"0"
        && (is_hex
            || word.iter().any(u8::is_ascii_digit)
            || word.iter().any(u8::is_ascii_alphabetic)
                && (word.iter().any(|byte| matches!(byte, b'/' | b'\\' | b'_' | b'@'))
                    || word.windows(3).any(joins)
                    || word.windows(2).any(humps)))
}
