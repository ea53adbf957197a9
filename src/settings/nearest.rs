//! Which setting was meant by a name that is none.

use super::{Setting, settings};

/// So much of a name is compared: no setting's is longer.
const LONGEST: usize = 64;

/// The setting whose name, or the end of whose name behind a dot, differs in the fewest letters.
pub(super) fn nearest(name: &str) -> Option<&'static Setting> {
    let given: Vec<char> = name.to_lowercase().chars().take(LONGEST).collect();
    let distance = |setting: &&Setting| {
        let names = setting.names().flat_map(ends);
        names.map(|name| edits(&given, &name.to_lowercase())).min().unwrap_or(usize::MAX)
    };
    settings().iter().min_by_key(distance)
}

/// A name, and what is left of it behind each of its dots.
fn ends(name: &'static str) -> impl Iterator<Item = &'static str> {
    std::iter::successors(Some(name), |name| name.split_once('.').map(|(_, end)| end))
}

/// How many letters must be put in, taken out or replaced to turn one name into the other.
#[inline(never)]
fn edits(given: &[char], name: &str) -> usize {
    let mut row: Vec<usize> = (0..=given.len()).collect();
    for letter in name.chars() {
        let mut above = row.first_mut().map_or(0, |first| std::mem::replace(first, *first + 1));
        let mut left = above + 1;
        for (cell, other) in row.iter_mut().skip(1).zip(given) {
            let replaced = above + usize::from(*other != letter);
            above = *cell;
            *cell = replaced.min(above + 1).min(left + 1);
            left = *cell;
        }
    }
    row.last().copied().unwrap_or(0)
}
