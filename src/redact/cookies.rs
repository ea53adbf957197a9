//! Values of `Cookie:` and `Set-Cookie:`: pairs of names and values, some of which open a session.

use super::bytes::{at, is_blank, is_quote, part, run_end_within};
use super::found::Found;
use super::value::{LONGEST_JUDGED, is_random, is_reference};

/// Longer values are judged by their beginning, and go as a whole.
const MOST: usize = 8192;

/// The pairs that start here, without the attributes of a cookie that is set.
pub(super) fn find(bytes: &[u8], name: &[u8], start: usize) -> Option<Found> {
    let start = start + usize::from(is_quote(at(bytes, start)));
    let sets =
        name.len() > "cookie".len() && name.get(..3).is_some_and(|head| head.eq_ignore_ascii_case(b"set"));
    let ends = |byte| {
        byte < b' ' || is_quote(byte) || matches!(byte, b'\\' | b'<' | b'[' | b'$') || sets && byte == b';'
    };
    let mut end = run_end_within(bytes, start, MOST, |byte| !ends(byte));
    while end > start && is_blank(at(bytes, end - 1)) {
        end -= 1;
    }
    let is_secret = part(bytes, start, end).split(|byte| *byte == b';').any(|pair| {
        let mut parts = pair.splitn(2, |byte| *byte == b'=');
        let name = parts.next().unwrap_or_default().trim_ascii();
        let value = parts.next().unwrap_or_default().trim_ascii();
        let judged = part(value, 0, value.len().min(LONGEST_JUDGED));
        let is_name = !name.is_empty() && !name.contains(&b' ');
        is_name && value.len() >= 8 && is_random(judged) && !is_reference(judged)
    });
    is_secret.then_some(Found { start, end, kind: "cookie" })
}
