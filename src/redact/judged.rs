//! The value behind a word, which ends with its quotation, at a blank or with the sentence.

use super::bytes::{before, part};
use super::extent::{Extent, bare_end, extent, is_call};
use super::found::Found;
use super::value::is_reference;

/// The value that starts here, in quotation marks or without, if it is judged to be secret.
#[inline(never)]
pub(super) fn secret_from(
    bytes: &[u8],
    start: usize,
    is_secret: &dyn Fn(&[u8], bool) -> bool,
) -> Option<Found> {
    let found = extent(bytes, start, false);
    let Extent { start, core, is_opened, is_closed, .. } = found;
    let is_end = |end| !is_opened && end > start && b".!?:".contains(&before(bytes, end));
    let without_end = |mut end| {
        while is_end(end) {
            end -= 1;
        }
        end
    };
    let is_whole = is_closed && core == found.end;
    let is_likely = |end| {
        let value = part(bytes, start, without_end(end));
        !is_reference(value) && is_secret(value, is_whole)
    };
    let fits = !is_call(bytes, &found)
        && is_opened == is_closed
        && (is_likely(core) || !is_opened && is_likely(found.end));
    fits.then(|| {
        let end =
            if is_opened { found.end } else { without_end(bare_end(bytes, start, found.end, usize::MAX)) };
        Found { start, end, kind: "password" }
    })
}
