//! Private keys in PEM form.

use super::bytes::{at, find, has, part, run_end};
use super::found::Found;

const DASHES: &str = "-----";

/// The least that makes a key of what stands between its lines.
const SHORTEST_RUN: usize = 20;

/// The end of the opening line, if it opens a private key: `-----BEGIN` ends at `label`.
fn opening_end(bytes: &[u8], label: usize) -> Option<usize> {
    let end =
        run_end(bytes, label, |byte| byte == b' ' || byte.is_ascii_uppercase() || byte.is_ascii_digit());
    let is_private = find(part(bytes, label, end), 0, "PRIVATE KEY").is_some();
    (is_private && has(bytes, end, DASHES)).then_some(end + DASHES.len())
}

/// Whether more text could tell more about a key.
pub(super) fn is_open(bytes: &[u8], label: usize) -> bool {
    opening_end(bytes, label).is_some_and(|body| {
        let Some(dashes) = find(bytes, body, DASHES) else { return true };
        has(bytes, dashes, "-----END") && find(bytes, dashes + DASHES.len(), DASHES).is_none()
    })
}

/// The private key whose opening line's label starts here.
pub(super) fn find_key(bytes: &[u8], label: usize) -> Option<Found> {
    let start = label.checked_sub("-----BEGIN".len())?;
    let body = opening_end(bytes, label)?;
    // Each search ends at the next dashes, which may open the next key: all together are one pass.
    let dashes = find(bytes, body, DASHES).unwrap_or(bytes.len());
    if has(bytes, dashes, "-----END") && has_long_run(part(bytes, body, dashes)) {
        let label_end =
            run_end(bytes, dashes + "-----END".len(), |byte| byte == b' ' || byte.is_ascii_alphanumeric());
        let end = if has(bytes, label_end, DASHES) { label_end + DASHES.len() } else { label_end };
        return Some(Found { start, end, kind: "private-key" });
    }
    let end = unclosed_end(bytes, body);
    has_long_run(part(bytes, body, end)).then_some(Found { start, end, kind: "private-key" })
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
