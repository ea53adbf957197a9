//! Finds the known name that an unknown one probably means.

/// A name is compared up to this length: no known one is longer.
const LONGEST: usize = 64;

/// The place of the name that differs in the fewest letters, or whose end behind a dot does, and how many they are.
pub fn nearest(given: &str, names: impl Iterator<Item = &'static str>) -> Option<(usize, usize)> {
    let given: Vec<u8> = given.bytes().take(LONGEST).collect();
    names.map(|name| edits_to_end(&given, name)).enumerate().min_by_key(|&(_, edits)| edits)
}

/// The number of letters to insert, remove or replace, to reach a name or the part of it after a dot.
#[inline(never)]
fn edits_to_end(given: &[u8], name: &str) -> usize {
    let mut fewest = usize::MAX;
    let mut end = name.as_bytes();
    loop {
        fewest = fewest.min(edits(given, end));
        let Some(dot) = end.iter().position(|&letter| letter == b'.') else { return fewest };
        end = end.get(dot + 1..).unwrap_or_default();
    }
}

/// The same for the whole name.
#[inline(never)]
fn edits(given: &[u8], name: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=given.len()).collect();
    for letter in name {
        let mut above = row.first_mut().map_or(0, |first| std::mem::replace(first, *first + 1));
        let mut left = above + 1;
        for (cell, other) in row.iter_mut().skip(1).zip(given) {
            let replaced = above + usize::from(!other.eq_ignore_ascii_case(letter));
            above = *cell;
            *cell = replaced.min(above + 1).min(left + 1);
            left = *cell;
        }
    }
    row.last().copied().unwrap_or(0)
}
