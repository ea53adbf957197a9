//! Values that a plan replaces by others: `~ password = "old" -> "new"`.

use super::bytes::{MOST_BACKSLASHES, after_blanks, at, has, is_quote, part, run_end_within};
use super::extent::{Extent, extent};
use super::found::Found;
use super::value::{is_chosen, is_reference};

/// Where the value starts that replaces the one which ends at a place.
pub(super) fn behind(bytes: &[u8], end: usize) -> Option<usize> {
    let quote = run_end_within(bytes, end, MOST_BACKSLASHES, |byte| byte == b'\\');
    let end = if is_quote(at(bytes, quote)) { quote + 1 } else { end };
    let arrow = after_blanks(bytes, end);
    let is_arrow = arrow > end && (has(bytes, arrow, "-> ") || has(bytes, arrow, "=> "));
    is_arrow.then(|| after_blanks(bytes, arrow + 2))
}

/// The value that replaces a secret; it is in quotes, as values of plans are.
pub(super) fn find_successor(bytes: &[u8], found: Found) -> Option<Found> {
    let Extent { start, end, is_closed, .. } = extent(bytes, behind(bytes, found.end)?, false);
    let value = part(bytes, start, end);
    (is_closed && is_chosen(value) && !is_reference(value)).then_some(Found { start, end, kind: found.kind })
}
