//! Shapes of lines: what a line says apart from its numbers and names. A line whose shape stands nowhere else is news. So is
//! one with a rare value where nearly all lines of its shape have the same.

use super::lines::is_ours;

/// The shapes of some lines, and how often each stands among them.
pub(super) struct Shapes {
    each: Vec<u64>,
    sorted: Vec<u64>,
    /// A line is odd if its shape stands at most this often.
    rare: usize,
    /// The lines with a rare value.
    deviant: Vec<bool>,
}

/// Odd lines are at most one in so many: where most lines differ, none is odd.
const ODD: usize = 8;
/// Lines of a shape that is one in so many or less may be odd.
const RARE: usize = 100;
/// What says nothing by itself has no shape.
const NONE: u64 = 0;
/// Among fewer lines of a shape, no value counts as rare.
const FAMILY: usize = 40;
/// Further values of a line aren't compared.
const VALUES: usize = 24;

impl Shapes {
    pub(super) fn of<'text>(lines: impl Iterator<Item = &'text str>) -> Self {
        let lines: Vec<&str> = lines.collect();
        let each: Vec<u64> = lines.iter().map(|line| shape(line)).collect();
        let mut sorted = each.clone();
        sorted.sort_unstable();
        let deviant = deviants(&lines, &each);
        let mut shapes = Self { each, sorted, rare: 0, deviant };
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
        self.count(line) <= self.rare || self.deviant.get(line) == Some(&true)
    }

    /// Whether many others are like a line.
    pub(super) fn is_common(&self, line: usize) -> bool {
        self.count(line) > (self.each.len() / RARE).max(2)
    }
}

/// Which lines have a rare value: one of at most a hundredth of the lines of its shape, where all others have the same.
fn deviants<'text>(lines: &[&'text str], shapes: &[u64]) -> Vec<bool> {
    let mut deviant = vec![false; lines.len()];
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|&at| shapes.get(at));
    for family in order.chunk_by(|&one, &other| shapes.get(one) == shapes.get(other)) {
        let has_shape = family.first().and_then(|&at| shapes.get(at)).is_some_and(|&shape| shape != NONE);
        if family.len() < FAMILY || !has_shape {
            continue;
        }
        let values: Vec<Vec<&[u8]>> =
            family.iter().map(|&at| lines.get(at).map_or_else(Vec::new, |line| values(line))).collect();
        for place in 0..values.first().map_or(0, Vec::len) {
            let value = |values: &[&'text [u8]]| values.get(place).copied();
            let usual = majority(values.iter().map(|values| value(values)));
            let others = || family.iter().zip(&values).filter(|(_, values)| value(values) != usual);
            if others().count() <= (family.len() / RARE).max(1) {
                for (&at, _) in others() {
                    if let Some(is_deviant) = deviant.get_mut(at) {
                        *is_deviant = true;
                    }
                }
            }
        }
    }
    // Where many lines have such values, none is news.
    if deviant.iter().filter(|is_deviant| **is_deviant).count() * ODD > lines.len() {
        deviant.fill(false);
    }
    deviant
}

/// The item that more than half of a list are, if there is one (Boyer and Moore); else any.
fn majority<'text>(items: impl Iterator<Item = Option<&'text [u8]>>) -> Option<&'text [u8]> {
    let (mut found, mut votes) = (None, 0_usize);
    for item in items {
        if votes == 0 {
            found = item;
        }
        if item == found { votes += 1 } else { votes -= 1 }
    }
    found
}

/// The numbers and names of a line, in order.
fn values(line: &str) -> Vec<&[u8]> {
    let mut found = Vec::new();
    let mut rest = line.trim().as_bytes();
    while !rest.is_empty() && found.len() < VALUES {
        let length = rest.iter().take_while(|byte| is_part(**byte)).count();
        let (word, behind) = rest.split_at_checked(length.max(1)).unwrap_or((rest, &[]));
        if length > 0 && is_name(word) {
            found.push(word);
        }
        rest = behind;
    }
    found
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
