//! A pass over a text, line by line where something is found.
//!
//! Credentials are looked for in *segments*: what lies between two boundaries. A credential that is
//! replaced is a boundary itself, and what is left on its two sides are segments that are looked at by
//! themselves. The output thus consists of boundaries and of segments in which nothing is found, and
//! redacting it again finds the same boundaries and segments.

use super::boundaries::{self, Kind, REPLACED};
use super::bytes::{at, before, part, rest, run_end};
use super::found::Found;
use super::pem::{self, Opened};
use super::words::{SHORTEST, Words};
use super::{assignment, tokens, url};

/// So many times, what precedes a credential may turn out to be one only because that ends it. A segment
/// of more goes as a whole, so that the work stays linear.
const DEEPEST: usize = 8;

/// A pass over a text.
pub(super) struct Scan<'text, 'output> {
    text: &'text str,
    output: &'output mut String,
    /// Up to where the text has been written to the output.
    emitted: usize,
}

impl<'text, 'output> Scan<'text, 'output> {
    pub(super) const fn new(text: &'text str, output: &'output mut String) -> Self {
        Self { text, output, emitted: 0 }
    }

    /// Writes everything up to the last credential; of a text that isn't complete, everything that no
    /// later text can change. Answers how much of the text that was.
    pub(super) fn run(mut self, is_complete: bool) -> usize {
        let bytes = self.text.as_bytes();
        let mut place = 0;
        while let Some(event) = first_event(rest(bytes, place)) {
            // No rule but that of private keys looks across lines.
            let line = line_start(bytes, place, place + event.start);
            match self.lines(line, is_complete) {
                Ok(end) => place = end,
                Err(open) => {
                    self.emit(open);
                    return self.emitted;
                }
            }
        }
        if !is_complete {
            self.emit(bytes.len());
        }
        self.emitted
    }

    /// Replaces what is found in a line, and in those that its keys reach into; answers where they end, or
    /// which key needs more text.
    fn lines(&mut self, line: usize, is_complete: bool) -> Result<usize, usize> {
        let bytes = self.text.as_bytes();
        let (mut start, mut end) = (line, line_end(bytes, line));
        while let Some(boundary) = boundaries::find(part(bytes, 0, end), start) {
            self.segment(start, boundary.start, 0);
            start = boundary.end;
            if boundary.kind != Kind::Begin {
                continue;
            }
            match pem::open(bytes, boundary, is_complete) {
                Opened::Key(found) => {
                    self.replace(found);
                    start = found.end;
                    if start > end {
                        end = line_end(bytes, start);
                    }
                }
                Opened::Unknown => return Err(boundary.start),
                Opened::Other => {}
            }
        }
        self.segment(start, end, 0);
        Ok(end)
    }

    /// Replaces what is found in a segment.
    fn segment(&mut self, start: usize, end: usize, depth: usize) {
        let mut start = start;
        while let Some(found) = first_event(part(self.text.as_bytes(), start, end)) {
            if depth == DEEPEST {
                return self.replace(Found { start, end, kind: found.kind });
            }
            let found = Found { start: start + found.start, end: start + found.end, kind: found.kind };
            self.segment(start, found.start, depth + 1);
            self.replace(found);
            start = found.end;
        }
    }

    /// Writes what precedes a credential and what stands for it.
    fn replace(&mut self, found: Found) {
        self.emit(found.start);
        for part in [REPLACED, found.kind, "]"] {
            self.output.push_str(part);
        }
        self.emitted = found.end;
    }

    fn emit(&mut self, end: usize) {
        self.output.push_str(self.text.get(self.emitted..end).unwrap_or_default());
        self.emitted = end;
    }
}

/// Whether a text holds a credential or a boundary.
pub(super) fn has_event(bytes: &[u8]) -> bool {
    first_event(bytes).is_some()
}

/// The first credential of a text, or an empty one where a boundary stands: a segment has none.
fn first_event(bytes: &[u8]) -> Option<Found> {
    let mut words = Words::new(bytes);
    let mut place = 0;
    while let Some((word, stop)) = words.next(place) {
        if boundaries::is_around(bytes, word, stop) {
            return Some(Found { start: stop, end: stop, kind: "" });
        }
        if let Some(found) = find_at(bytes, word, stop) {
            return Some(found);
        }
        place = stop + 1;
    }
    None
}

/// The credential that is the word, or that what follows the word introduces.
fn find_at(bytes: &[u8], word: usize, stop: usize) -> Option<Found> {
    if stop - word >= SHORTEST
        && let Some(found) = tokens::find_token(bytes, word, stop)
    {
        return Some(found);
    }
    match at(bytes, stop) {
        b':' if at(bytes, stop + 1) == b'/' => url::find_secret(bytes, stop),
        b'=' | b'>' | b':' => assignment::find_value(bytes, stop),
        b' ' | b'\t' | b'\\' if at(bytes, word) == b'-' => assignment::find_flag_value(bytes, word, stop),
        b'~' => tokens::find_around_tilde(bytes, stop),
        _ => None,
    }
}

/// Where the line starts that a byte belongs to, from a line's start on.
fn line_start(bytes: &[u8], from: usize, place: usize) -> usize {
    let mut start = place;
    while start > from && before(bytes, start) != b'\n' {
        start -= 1;
    }
    start
}

/// Where the next line starts.
fn line_end(bytes: &[u8], place: usize) -> usize {
    (run_end(bytes, place, |byte| byte != b'\n') + 1).min(bytes.len())
}
