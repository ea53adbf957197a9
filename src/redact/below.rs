//! Values that are secret because of what stands below them, in the same object: a `value:` above its `name: TOKEN`, and
//! the private members of a JSON web key above its `"kty"`.

use super::assignment::{Place, key_end, name_before, secret_at};
use super::boundaries::REPLACED;
use super::bytes::{after_blanks, find, is_blank, part, run_end};
use super::found::Found;
use super::names::{Strength, may_be_secret};
use super::{jwk, pairs};

/// So many lines below may hold the name.
const MOST_LINES: usize = 6;
/// The name stands no further below.
const FAR: usize = 1024;

/// What the text below says.
pub(super) enum Verdict {
    Secret(Found),
    Ordinary,
    /// More text could tell more.
    Unknown,
}

/// Whether the text below may say that the value behind a colon is secret.
pub(super) fn may_decide(bytes: &[u8], colon: usize) -> bool {
    let has_value = || pairs::is_value(name_before(bytes, colon).name);
    may_be_secret(bytes, key_end(bytes, colon))
        && has_value()
        && value_behind(bytes, colon, (Strength::Chosen, "secret")).is_some()
        || jwk::private_behind(bytes, colon).is_some()
}

/// The value behind a colon, if it is all that stands on its line.
fn value_behind(bytes: &[u8], colon: usize, (strength, kind): (Strength, &'static str)) -> Option<Found> {
    let found = secret_at(bytes, after_blanks(bytes, colon + 1), strength, kind, Place::Member)?;
    let end = run_end(bytes, found.end, |byte| byte != b'\n');
    let is_mark = |byte: &u8| matches!(byte, b'"' | b'\'' | b',' | b' ' | b'\r');
    part(bytes, found.end, end).iter().all(is_mark).then_some(found)
}

/// What the text below says of the value behind a colon.
pub(super) fn judge(bytes: &[u8], colon: usize, is_complete: bool) -> Verdict {
    if let Some(found) = jwk::private_behind(bytes, colon) {
        return match jwk::has_type(bytes, colon) {
            Some(true) => Verdict::Secret(found),
            None if !is_complete => Verdict::Unknown,
            _ => Verdict::Ordinary,
        };
    }
    let key = name_before(bytes, colon);
    let head = part(bytes, 0, key.start);
    let column = head.iter().rev().take_while(|byte| **byte != b'\n').count();
    let column = column - head.iter().rev().take_while(|byte| matches!(byte, b'"' | b'\'')).count();
    let most = bytes.len().min(colon + FAR);
    let mut start = run_end(bytes, colon, |byte| byte != b'\n') + 1;
    for _ in 0..MOST_LINES {
        let end = run_end(part(bytes, 0, most), start, |byte| byte != b'\n');
        if end >= most {
            let may_go_on = most == bytes.len() && !is_complete;
            if may_go_on {
                return Verdict::Unknown;
            }
        }
        let line = part(bytes, start, end);
        // Members of the same object begin at the same column.
        if run_end(line, 0, is_blank) != column || find(line, 0, REPLACED).is_some() {
            break;
        }
        let name = pairs::named_in(line.trim_ascii_end());
        if let Some(found) = name.and_then(|name| value_behind(bytes, colon, name)) {
            return Verdict::Secret(found);
        }
        start = end + 1;
    }
    Verdict::Ordinary
}
