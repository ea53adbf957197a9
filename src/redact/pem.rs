//! Private keys in PEM form.

use super::boundaries::{self, BEGIN, Boundary, Kind};
use super::bytes::{at, find, has, part, rest, run_end};
use super::found::Found;

const DASHES: &str = "-----";

const KIND: &str = "private-key";

/// The least that makes a key of what stands between its lines.
const SHORTEST_RUN: usize = 20;

/// What a line of PEM turned out to open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opened {
    Key(Found),
    /// More text could tell more.
    Unknown,
    /// No private key.
    Other,
}

/// The block that the line at a boundary opens.
pub(super) fn open(bytes: &[u8], begin: Boundary, is_complete: bool) -> Opened {
    let Some(body) = opening_end(bytes, begin.end) else { return Opened::Other };
    // Each search ends at the next line of PEM: all together are one pass.
    let stop = stop_of(bytes, body);
    if stop.is_none() && !is_complete {
        return Opened::Unknown;
    }
    let inside = part(bytes, 0, stop.map_or(bytes.len(), |stop| stop.start));
    let end = match stop.filter(|stop| stop.kind == Kind::End) {
        Some(closing) if has_long_run(rest(inside, body)) => closing_end(bytes, closing.end),
        _ => unclosed_end(inside, body),
    };
    let is_key = has_long_run(part(bytes, body, end));
    if is_key { Opened::Key(Found { start: begin.start, end, kind: KIND }) } else { Opened::Other }
}

/// The end of the opening line, if it opens a private key.
fn opening_end(bytes: &[u8], label: usize) -> Option<usize> {
    let end =
        run_end(bytes, label, |byte| byte == b' ' || byte.is_ascii_uppercase() || byte.is_ascii_digit());
    let is_private = find(part(bytes, label, end), 0, "PRIVATE KEY").is_some();
    (is_private && has(bytes, end, DASHES)).then_some(end + DASHES.len())
}

/// What ends the search for a key's end: a line of PEM, or a key that was replaced, which had one.
fn stop_of(bytes: &[u8], body: usize) -> Option<Boundary> {
    let mut from = body;
    loop {
        let boundary = boundaries::find(bytes, from)?;
        if boundary.kind != Kind::Replaced || boundaries::is_private_key(bytes, boundary) {
            return Some(boundary);
        }
        from = boundary.end;
    }
}

/// The end of the closing line.
fn closing_end(bytes: &[u8], label: usize) -> usize {
    let end = run_end(bytes, label, |byte| byte == b' ' || byte.is_ascii_alphanumeric());
    // The dashes may be those of the next key.
    if has(bytes, end, DASHES) && !has(bytes, end, BEGIN) { end + DASHES.len() } else { end }
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

fn has_long_run(body: &[u8]) -> bool {
    body.split(|byte| !is_base64(*byte)).any(|run| run.len() >= SHORTEST_RUN)
}

/// Where a key ends that was cut off: with its last long run of base64.
fn unclosed_end(bytes: &[u8], body: usize) -> usize {
    let mut end = body;
    loop {
        let mut next = run_end(bytes, end, |byte| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'+'));
        while at(bytes, next) == b'\\' {
            next = run_end(bytes, next + 2, |byte| byte.is_ascii_whitespace());
        }
        let stop = run_end(bytes, next, is_base64);
        if stop - next < SHORTEST_RUN {
            return end;
        }
        end = stop;
    }
}
