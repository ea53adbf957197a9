//! Cells of tables that are drawn with bars: the cell before a value may name it.

use super::bytes::{before, part, run_end_within};
use super::found::Found;
use super::names::{Strength, classify};
use super::tokens;
use super::value::{LONGEST_JUDGED, is_chosen_bare, is_random, is_reference, is_term};

/// Whether the cell of a table before a bar names a secret.
pub(super) fn is_secret_cell(bytes: &[u8], bar: usize) -> bool {
    cell_name(bytes, bar).is_some()
}

/// The name in the cell before a bar.
fn cell_before(bytes: &[u8], bar: usize) -> Option<&[u8]> {
    const LONGEST: usize = 48;
    let near = part(bytes, bar.saturating_sub(LONGEST), bar);
    let length = near.iter().rev().take_while(|byte| **byte != b'|' && **byte != b'\n').count();
    if length == near.len() || before(bytes, bar - length) != b'|' {
        return None;
    }
    name_in(part(near, near.len() - length, near.len()))
}

/// The name in a cell, without the marks of Markdown around it.
pub(super) fn name_in(cell: &[u8]) -> Option<&[u8]> {
    let is_mark = |byte: &&u8| matches!(byte, b'*' | b'`');
    let cell = cell.trim_ascii();
    let opening = cell.iter().take_while(is_mark).count();
    let closing = cell.iter().rev().take_while(is_mark).count();
    let name = part(cell, opening, cell.len().checked_sub(closing)?);
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b' ' | b'.');
    (!name.is_empty() && name.iter().all(is_name)).then_some(name)
}

/// What the cell before a bar says of another.
fn cell_name(bytes: &[u8], bar: usize) -> Option<(Strength, &'static str)> {
    classify(cell_before(bytes, bar)?).filter(|(strength, _)| strength.is_of_column())
}

/// The secret in the cell behind a bar, if the cell before names one.
pub(super) fn find_behind_name(bytes: &[u8], bar: usize) -> Option<Found> {
    let (strength, kind) = cell_name(bytes, bar)?;
    let end = run_end_within(bytes, bar + 1, 2 * LONGEST_JUDGED, |byte| byte >= b' ' && byte != b'|');
    if bytes.get(end) == Some(&b'|') { secret_in(bytes, (bar + 1, end), strength, kind) } else { None }
}

/// The secret that is all of a cell, blanks and the marks of code aside.
pub(super) fn secret_in(
    bytes: &[u8],
    (start, end): (usize, usize),
    strength: Strength,
    kind: &'static str,
) -> Option<Found> {
    let cell = part(bytes, start, end);
    let is_around = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r' | b'`');
    let head = cell.iter().take_while(is_around).count();
    let tail = cell.iter().rev().take_while(is_around).count();
    let (start, end) = (start + head, end.checked_sub(tail)?);
    let value = part(bytes, start, end);
    let judged = part(value, 0, value.len().min(LONGEST_JUDGED));
    let is_secret = match strength {
        Strength::Chosen => is_chosen_bare(judged, true) && !is_term(judged),
        _ => judged.len() >= 16 && is_random(judged),
    };
    let is_word = value.iter().all(|byte| *byte > b' ');
    (is_word && is_secret && !is_reference(judged) && !is_type(judged)).then_some(Found {
        start,
        end,
        kind: tokens::kind_of(value).unwrap_or(kind),
    })
}

/// Whether a value is a type with its length: `varchar(255)`.
fn is_type(value: &[u8]) -> bool {
    let mut parts = value.splitn(2, |byte| *byte == b'(');
    let is_name = parts.next().is_some_and(|name| name.iter().all(u8::is_ascii_alphabetic));
    let length = parts.next().unwrap_or_default();
    is_name
        && length.ends_with(b")")
        && length.iter().all(|byte| byte.is_ascii_digit() || b"), ".contains(byte))
}
