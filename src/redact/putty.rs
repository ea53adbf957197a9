//! Private keys of `PuTTY`: a line says how many lines of base64 follow.

use super::bytes::{before, part};

/// What stands before the number of lines.
const NAME: &[u8] = b"Private-Lines";
/// Keys have fewer lines.
const MOST: usize = 200;

/// Whether a colon stands behind the name that opens a key, which begins a line.
pub(super) fn opens(bytes: &[u8], colon: usize) -> bool {
    let head = || part(bytes, 0, colon).strip_suffix(NAME);
    before(bytes, colon) == b's' && head().is_some_and(|head| matches!(head, [] | [.., b'\n' | b' ' | b'\t']))
}

/// How many lines follow.
pub(super) fn count(text: &[u8]) -> Option<usize> {
    let count: usize = std::str::from_utf8(text.trim_ascii()).ok()?.parse().ok()?;
    (count > 0 && count <= MOST).then_some(count)
}

/// Whether a line may be one of a key.
pub(super) fn is_line(text: &[u8]) -> bool {
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    !text.is_empty() && text.iter().all(is_base64)
}
