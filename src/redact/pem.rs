//! Private keys in PEM form.

use super::boundaries::{self, BEGIN, Boundary, Kind};
use super::bytes::{at, find, has, part, rest, run_end};
use super::found::Found;

const DASHES: &str = "-----";

const KIND: &str = "private-key";

/// The least that makes a key of what stands between its lines.
const SHORTEST_RUN: usize = 20;
/// The least of a full line of base64.
const WIDTH: usize = 60;

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

/// What labels of private keys have.
const PRIVATE: &str = "PRIVATE KEY";
/// Labels of private keys that have small letters.
const OTHERS: [&str; 4] = [
    "OpenVPN Static key V1",
    "OpenVPN tls-crypt-v2 client key",
    "OpenVPN tls-crypt-v2 server key",
    "OpenVPN auth-token server key",
];

/// The end of a line's label, if it is that of a private key.
fn private_label_end(bytes: &[u8], label: usize) -> Option<usize> {
    if let Some(other) = OTHERS.iter().find(|other| has(bytes, label, other)) {
        return Some(label + other.len());
    }
    let end =
        run_end(bytes, label, |byte| byte == b' ' || byte.is_ascii_uppercase() || byte.is_ascii_digit());
    find(part(bytes, label, end), 0, PRIVATE).map(|_| end)
}

/// The end of the opening line, if it opens a private key.
fn opening_end(bytes: &[u8], label: usize) -> Option<usize> {
    let end = private_label_end(bytes, label)?;
    has(bytes, end, DASHES).then_some(end + DASHES.len())
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
    let end = private_label_end(bytes, label)
        .unwrap_or_else(|| run_end(bytes, label, |byte| byte == b' ' || byte.is_ascii_alphanumeric()));
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

/// The rest of a key whose beginning was cut off, up to a closing line; it starts behind `from`.
pub(super) fn close(bytes: &[u8], from: usize, closing: Boundary) -> Option<Found> {
    let end = closing_end(bytes, closing.end);
    private_label_end(bytes, closing.end)?;
    let line = line_start(bytes, from, closing.start);
    // In a string the line breaks are written: the body stands on the same line.
    let written = part(bytes, line, closing.start);
    // What was replaced there was none of the key.
    if written.contains(&b']') {
        return None;
    }
    let length = written.iter().rev().take_while(|byte| is_base64(**byte) || **byte == b'\\').count();
    let start = if has_long_run(part(written, written.len() - length, written.len())) {
        closing.start - length
    } else {
        body(bytes, from, line)?.0
    };
    Some(Found { start, end, kind: KIND })
}

/// Where the lines of a key's body that end before a place start, and where the first of these lines does. There is a
/// full line among them.
pub(super) fn body(bytes: &[u8], from: usize, end: usize) -> Option<(usize, usize)> {
    let (mut found, mut line, mut is_full) = (None, end, false);
    while line > from {
        let above = line_start(bytes, from, line - 1);
        let content = part(bytes, above, line).trim_ascii_end();
        let Some(length) = run_of_line(content) else { break };
        if length < WIDTH && found.is_some() {
            break;
        }
        is_full |= length >= WIDTH;
        found = Some((above + content.len() - length, above));
        line = above;
    }
    found.filter(|_| is_full)
}

/// The length of the base64 at the end of a line, if that is all but a number, a path or the sign of a difference. The
/// last line of a key may be short.
fn run_of_line(line: &[u8]) -> Option<usize> {
    const LONGEST_PREFIX: usize = 80;
    const SHORTEST_LINE: usize = 4;
    let length = line.iter().rev().take_while(|byte| is_base64(**byte)).count();
    let prefix = part(line, 0, line.len() - length);
    let has_words = prefix.trim_ascii().iter().any(|byte| *byte <= b' ');
    let is_prefix = prefix.len() <= LONGEST_PREFIX && !has_words;
    let is_ended = prefix.last().is_none_or(|byte| !byte.is_ascii_alphanumeric());
    (is_prefix && is_ended && length >= SHORTEST_LINE).then_some(length)
}

/// Where the line starts that a byte before a place belongs to.
fn line_start(bytes: &[u8], from: usize, place: usize) -> usize {
    part(bytes, from, place).iter().rposition(|byte| *byte == b'\n').map_or(from, |at| from + at + 1)
}
