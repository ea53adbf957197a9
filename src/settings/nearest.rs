//! Finds the setting that an unknown name probably means.

use super::{Setting, settings};

/// So much of a name is compared: no setting's is longer.
const LONGEST: usize = 64;

/// The setting whose name, or the end of whose name behind a dot, differs in the fewest letters.
pub(super) fn nearest(name: &str) -> Option<&'static Setting> {
    let given: Vec<u8> = name.bytes().take(LONGEST).collect();
    let mut nearest = None;
    let mut fewest = usize::MAX;
    for setting in settings() {
        for name in setting.names() {
            let edits = edits_to_end(&given, name);
            if edits < fewest {
                (nearest, fewest) = (Some(setting), edits);
            }
        }
    }
    nearest
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
