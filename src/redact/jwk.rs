//! JSON web keys: objects with a `"kty"`, of which some members are private.

use super::bytes::{after_blanks, at, backslashes, is_quote, is_word, part, run_end, run_end_within};
use super::found::Found;
use super::value::is_random;

/// The members that are private: those of an elliptic curve and of RSA, and a symmetric key.
const PRIVATE: [&[u8]; 7] = [b"d", b"k", b"p", b"q", b"dp", b"dq", b"qi"];
/// Objects are looked at so far.
const LONGEST: usize = 8192;
/// The least of a private member.
const SHORTEST: usize = 16;

/// Whether the quoted name before a colon may be one of a key's members, at a glance.
pub(super) fn may_be_member(bytes: &[u8], colon: usize) -> bool {
    let ([near @ .., b'\\', b'"'] | [near @ .., b'"']) = part(bytes, 0, colon) else { return false };
    let is_name = match near {
        [.., b'"', b'd' | b'k' | b'p' | b'q'] | [.., b'"', b'd', b'p' | b'q'] | [.., b'"', b'q', b'i'] => {
            true
        }
        [.., last] if *last != b'y' => false,
        _ => near.ends_with(b"\"kty"),
    };
    is_name && is_quote(at(bytes, run_end(bytes, after_blanks(bytes, colon + 1), |byte| byte == b'\\')))
}

/// The name of the member before a colon.
fn name_before(bytes: &[u8], colon: usize) -> &[u8] {
    let quoted = part(bytes, 0, colon).strip_suffix(b"\"").unwrap_or_default();
    let quoted = part(quoted, 0, quoted.len() - backslashes(quoted));
    let length = quoted.iter().rev().take(4).take_while(|byte| byte.is_ascii_alphabetic()).count();
    part(quoted, quoted.len() - length, quoted.len())
}

/// The private value behind a colon.
pub(super) fn private_behind(bytes: &[u8], colon: usize) -> Option<Found> {
    if !may_be_member(bytes, colon) || !PRIVATE.contains(&name_before(bytes, colon)) {
        return None;
    }
    let quote = run_end(bytes, after_blanks(bytes, colon + 1), |byte| byte == b'\\');
    let start = quote + 1;
    let end = run_end_within(bytes, start, LONGEST, |byte| is_word(byte) || byte == b'=');
    let is_value = is_quote(at(bytes, quote)) && matches!(at(bytes, end), b'"' | b'\'' | b'\\');
    let judged = part(bytes, start, end.min(start + 128));
    (is_value && end - start >= SHORTEST && is_random(judged)).then_some(Found {
        start,
        end,
        kind: "private-key",
    })
}

/// A key's object, as far as it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    place: usize,
    /// How many bytes of the object may follow.
    left: usize,
}

impl Key {
    /// The key that the member before a colon belongs to; one before the `"kty"` must have it behind it.
    pub(super) fn of_member(bytes: &[u8], colon: usize) -> Option<Self> {
        if !may_be_member(bytes, colon) {
            return None;
        }
        let name = name_before(bytes, colon);
        let is_key =
            name == b"kty" || private_behind(bytes, colon).is_some() && has_type(bytes, colon) == Some(true);
        is_key.then_some(Self { place: colon, left: LONGEST })
    }

    /// The same in a text with more before it.
    pub(super) const fn shifted(self, by: usize) -> Self {
        Self { place: self.place + by, ..self }
    }

    /// The same at the start of another line.
    pub(super) const fn at(self, place: usize) -> Self {
        Self { place, ..self }
    }

    /// Whether lines below may belong to the object.
    pub(super) const fn is_open(&self) -> bool {
        self.left > 0
    }

    /// The next private value before a place.
    pub(super) fn next(&mut self, bytes: &[u8], end: usize) -> Option<Found> {
        let bytes = part(bytes, 0, end);
        while self.left > 0 {
            let sign = run_end_within(bytes, self.place, self.left, |byte| !matches!(byte, b':' | b'}'));
            self.left = self.left.saturating_sub(sign + 1 - self.place);
            self.place = sign + 1;
            match at(bytes, sign) {
                b':' => {
                    if let Some(found) = private_behind(bytes, sign) {
                        self.left = self.left.saturating_sub(found.end - self.place);
                        self.place = found.end;
                        return Some(found);
                    }
                }
                b'}' => self.left = 0,
                _ => break,
            }
        }
        None
    }
}

/// Whether the rest of an object has a `"kty"`; `None` if the text ends before the object.
pub(super) fn has_type(bytes: &[u8], from: usize) -> Option<bool> {
    let most = bytes.len().min(from + LONGEST);
    let end = run_end(part(bytes, 0, most), from, |byte| byte != b'}');
    let object = part(bytes, from, end);
    let has = object.windows(4).any(|window| matches!(window, [b'k', b't', b'y', b'"' | b'\\']));
    if has || at(bytes, end) == b'}' || most < bytes.len() { Some(has) } else { None }
}
