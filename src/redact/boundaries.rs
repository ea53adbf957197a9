//! What no word and no value goes across: lines of PEM, and what stands for a credential already.

use super::bytes::{at, before, has, part, rest, run_end};

/// The text before the kind of a replaced credential.
pub(super) const REPLACED: &str = "[REDACTED: ";

/// What a line of PEM begins with.
pub(super) const BEGIN: &str = "-----BEGIN ";
pub(super) const END: &str = "-----END ";

/// What kind of boundary it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `[REDACTED: <kind>]`
    Replaced,
    /// `-----BEGIN `
    Begin,
    /// `-----END `
    End,
}

/// A boundary and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Boundary {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

/// The first boundary of a text.
pub(super) fn find(bytes: &[u8], from: usize) -> Option<Boundary> {
    let mut start = from;
    loop {
        start = run_end(bytes, start, |byte| !matches!(byte, b'-' | b'['));
        if start >= bytes.len() {
            return None;
        }
        if let Some(boundary) = starting(bytes, start) {
            return Some(boundary);
        }
        start += 1;
    }
}

/// Whether a boundary stands around a sign or blank where a word ends.
pub(super) fn is_around(bytes: &[u8], word: usize, stop: usize) -> bool {
    match at(bytes, stop) {
        b' ' => is_line(part(bytes, word, stop + 1)),
        b':' => stop - word == "REDACTED".len() && may_be_replaced(bytes, stop),
        _ => false,
    }
}

fn is_line(word: &[u8]) -> bool {
    // Few words end like this.
    matches!(word, [.., b'N' | b'D', b' ']) && [BEGIN, END].iter().any(|line| word.ends_with(line.as_bytes()))
}

/// Whether the sign behind a word may stand in `[REDACTED: <kind>]`.
pub(super) fn may_be_replaced(bytes: &[u8], sign: usize) -> bool {
    let start = sign.checked_sub("[REDACTED".len()).filter(|_| before(bytes, sign) == b'D');
    start.and_then(|start| starting(bytes, start)).is_some_and(|found| found.kind == Kind::Replaced)
}

fn starting(bytes: &[u8], start: usize) -> Option<Boundary> {
    let of = |kind, end| Some(Boundary { kind, start, end });
    if has(bytes, start, BEGIN) {
        return of(Kind::Begin, start + BEGIN.len());
    }
    if has(bytes, start, END) {
        return of(Kind::End, start + END.len());
    }
    if !has(bytes, start, REPLACED) {
        return None;
    }
    let kind = start + REPLACED.len();
    let end = run_end(bytes, kind, |byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if end > kind && at(bytes, end) == b']' { of(Kind::Replaced, end + 1) } else { None }
}

/// Whether what was replaced here was a private key.
pub(super) fn is_private_key(bytes: &[u8], boundary: Boundary) -> bool {
    boundary.kind == Kind::Replaced
        && rest(bytes, boundary.start + REPLACED.len()).starts_with(b"private-key]")
}
