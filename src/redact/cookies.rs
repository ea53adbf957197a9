//! Cookies: the values of `Cookie:` and `Set-Cookie:`, which are pairs of names and values, and lines of `cookies.txt`. Some
//! of them open a session.

use super::bytes::{at, is_blank, is_quote, is_word, part, run_end_within};
use super::found::Found;
use super::value::{LONGEST_JUDGED, is_random, is_reference};

const KIND: &str = "cookie";

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
    has_secret(part(bytes, start, end)).then_some(Found { start, end, kind: KIND })
}

/// The pairs of a command's word, which ends at a blank if no quote opens it.
pub(super) fn find_word(bytes: &[u8], start: usize) -> Option<Found> {
    if is_quote(at(bytes, start)) {
        return find(bytes, b"cookie", start);
    }
    let end = run_end_within(bytes, start, MOST, |byte| byte > b' ' && !is_quote(byte) && byte != b'\\');
    has_secret(part(bytes, start, end)).then_some(Found { start, end, kind: KIND })
}

/// Whether one of some pairs opens a session.
fn has_secret(pairs: &[u8]) -> bool {
    pairs.split(|byte| *byte == b';').any(|pair| {
        let mut parts = pair.splitn(2, |byte| *byte == b'=');
        let name = parts.next().unwrap_or_default().trim_ascii();
        let value = parts.next().unwrap_or_default().trim_ascii();
        !name.is_empty() && !name.contains(&b' ') && is_secret(value)
    })
}

fn is_secret(value: &[u8]) -> bool {
    let judged = part(value, 0, value.len().min(LONGEST_JUDGED));
    value.len() >= 8 && is_random(judged) && !is_reference(judged)
}

/// Whether a word may be the second cell of a line of `cookies.txt`.
pub(super) fn may_be_in_file(name: &[u8], sign: u8) -> bool {
    sign == b'\t' && matches!(name, b"TRUE" | b"FALSE")
}

/// The value of a line of `cookies.txt` whose second cell ends at a place: a path, `TRUE` or `FALSE`, a time, a name and
/// the value follow.
pub(super) fn find_in_file(bytes: &[u8], stop: usize) -> Option<Found> {
    let end = run_end_within(bytes, stop, MOST, |byte| byte >= b' ' || byte == b'\t');
    let mut cells = part(bytes, stop, end).split(|byte| *byte == b'\t').skip(1);
    let is_path = cells.next().is_some_and(|path| path.starts_with(b"/"));
    let is_flag = cells.next().is_some_and(|flag| matches!(flag, b"TRUE" | b"FALSE"));
    let is_time = cells.next().is_some_and(|time| !time.is_empty() && time.iter().all(u8::is_ascii_digit));
    let is_name = cells.next().is_some_and(|name| name.iter().all(|byte| is_word(*byte) || *byte == b'.'));
    let value = cells.next()?.trim_ascii_end();
    let is_line = is_path && is_flag && is_time && is_name && cells.next().is_none();
    let end = stop + part(bytes, stop, end).trim_ascii_end().len();
    (is_line && is_secret(value)).then_some(Found { start: end - value.len(), end, kind: KIND })
}
