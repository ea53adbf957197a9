//! A pass over a text, line by line where something is found.
//!
//! Credentials are looked for in *segments*: what lies between two boundaries. A replaced credential is a boundary.
//! The segments on its two sides are searched separately. The output thus consists of boundaries and of segments in
//! which nothing is found, and redacting it again finds the same boundaries and segments.

use super::assignment::WIDE_COLON;
use super::below::{self, Verdict};
use super::boundaries::{self, Kind, REPLACED};
use super::bytes::{at, before, has, is_word, part, rest, run_end};
use super::found::Found;
use super::hanging::{Line, find_hanging, hanging_in, rows_in};
use super::pem::{self, Opened};
use super::rows::Rows;
use super::value::is_random;
use super::words::{self, SHORTEST};
use super::{assignment, cells, changes, cookies, hashes, html, pairs, phrases, setters, tokens, url};

/// The number of times that a replacement may turn the text before it into a credential. A segment of more goes as a
/// whole, so that the work stays linear.
const DEEPEST: usize = 8;

/// A pass over a text.
pub(super) struct Scan<'text, 'output> {
    text: &'text str,
    output: &'output mut String,
    /// Up to where the text has been written to the output.
    emitted: usize,
    /// The credential that was replaced last.
    last: Option<Found>,
}

impl<'text, 'output> Scan<'text, 'output> {
    /// A pass over what follows a place; what precedes it was written before.
    pub(super) const fn new(text: &'text str, from: usize, output: &'output mut String) -> Self {
        Self { text, output, emitted: from, last: None }
    }

    /// Writes everything up to the last credential; of a text that isn't complete, everything that no
    /// later text can change. Answers how much of the text that was.
    pub(super) fn run(mut self, is_complete: bool) -> usize {
        let bytes = self.text.as_bytes();
        let mut place = self.emitted;
        while let Some(Event { found: event, .. }) = first_event(bytes, (place, bytes.len()), true) {
            // Private keys, wrapped credentials and values below their names span several lines.
            let line = line_start(bytes, place, event.start);
            match self.lines(line, is_complete) {
                Ok(end) => place = end,
                Err(open) => {
                    self.emit(open);
                    return self.emitted;
                }
            }
        }
        if !is_complete {
            // These may be lines of a private key, which only its closing line tells.
            let (_, held) = pem::body(bytes, self.emitted, bytes.len()).unwrap_or((0, bytes.len()));
            self.emit(held);
        }
        self.emitted
    }

    /// Replaces findings in a line, and in lines that its keys and names reach into; answers where they end, or which
    /// line needs more text.
    fn lines(&mut self, line: usize, is_complete: bool) -> Result<usize, usize> {
        let bytes = self.text.as_bytes();
        let before = (self.output.len(), self.emitted);
        let mut end = self.line(line, is_complete)?;
        let mut wide = width(bytes, end);
        while let Some(found) = self.last
            && found.end > line
            && wide >= WRAPPED
            && is_line_end(bytes, found.end)
        {
            let Some(next) = next_line(bytes, end, is_complete) else { return self.undo(before, line) };
            let Some(more) = continuation(bytes, (end, next), wide) else { break };
            self.replace(Found { kind: found.kind, ..more });
            wide = next - end;
            end = next;
        }
        let from = self.last.map_or(line, |found| found.end.max(line));
        let rows = || if from > line { rows_in(bytes, line, end) } else { None };
        let Some(mut hanging) = hanging_in(bytes, from, end).or_else(rows) else { return Ok(end) };
        if let Some(colon) = hanging.undecided() {
            return self.decide((line, end), colon, before, is_complete);
        }
        match hanging.is_secret(bytes, line, end, is_complete) {
            None => return self.undo(before, line),
            Some(false) => return Ok(end),
            Some(true) => {}
        }
        loop {
            let Some(next) = next_line(bytes, end, is_complete) else { return self.undo(before, line) };
            if next == end {
                return Ok(end);
            }
            let found = hanging.line(bytes, end, next);
            if boundaries::find(part(bytes, 0, next), end).is_some() {
                return Ok(end);
            }
            match found {
                Line::End => return Ok(end),
                Line::Secret(found) => {
                    self.segment(end, found.start, 0);
                    self.replace(found);
                    let mut from = found.end;
                    while let Some(found) = hanging.next_in_row(bytes, (end, next), from) {
                        self.segment(from, found.start, 0);
                        self.replace(found);
                        from = found.end;
                    }
                    self.segment(from, next, 0);
                    if hanging.is_done() {
                        return Ok(next);
                    }
                }
                Line::Other => self.segment(end, next, 0),
            }
            end = next;
        }
    }

    /// Replaces the value behind a colon of a line in which nothing else was found, if the lines below say that it is
    /// secret.
    fn decide(
        &mut self,
        (line, end): (usize, usize),
        colon: usize,
        before: (usize, usize),
        is_complete: bool,
    ) -> Result<usize, usize> {
        let bytes = self.text.as_bytes();
        let is_own = self.last.is_none_or(|found| found.end <= line);
        if !is_own || boundaries::find(part(bytes, 0, end), line).is_some() {
            return Ok(end);
        }
        match below::judge(bytes, colon, is_complete) {
            Verdict::Unknown => self.undo(before, line),
            Verdict::Ordinary => Ok(end),
            Verdict::Secret(found) => {
                self.segment(line, found.start, 0);
                self.replace(found);
                self.segment(found.end, end, 0);
                Ok(end)
            }
        }
    }

    /// Takes back the output since a line's start: later text decides on it.
    fn undo(&mut self, (length, emitted): (usize, usize), line: usize) -> Result<usize, usize> {
        self.output.truncate(length);
        self.emitted = emitted;
        // A key whose beginning was cut off starts on an earlier line.
        let start = self.last.filter(|found| found.end > line && found.start < line).map(|found| found.start);
        Err(start.map_or(line, |start| line_start(self.text.as_bytes(), emitted, start)))
    }

    /// Replaces findings in a line, and in lines that its keys reach into; answers where they end, or which key needs
    /// more text.
    fn line(&mut self, line: usize, is_complete: bool) -> Result<usize, usize> {
        let bytes = self.text.as_bytes();
        let (mut start, mut end) = (line, line_end(bytes, line));
        while let Some(boundary) = boundaries::find(part(bytes, 0, end), start) {
            self.segment(start, boundary.start, 0);
            start = boundary.end;
            if boundary.kind == Kind::End
                && let Some(found) = pem::close(bytes, self.emitted, boundary)
            {
                self.replace(found);
                start = found.end;
            }
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
        let bytes = self.text.as_bytes();
        while let Some(Event { found, rows }) = first_event(bytes, (start, end), false) {
            if depth == DEEPEST {
                return self.replace(Found { start, end, kind: found.kind });
            }
            self.segment(start, found.start, depth + 1);
            self.replace(found);
            start = found.end;
            let mut rows = rows;
            let mut next = || match &mut rows {
                Some(rows) => rows.next(bytes, end),
                None => None,
            };
            let mut more = changes::find_successor(part(bytes, 0, end), found).or_else(&mut next);
            while let Some(found) = more {
                self.segment(start, found.start, depth + 1);
                self.replace(found);
                start = found.end;
                more = next();
            }
        }
    }

    /// Writes what precedes a credential and what stands for it.
    fn replace(&mut self, found: Found) {
        self.emit(found.start);
        for part in [REPLACED, found.kind, "]"] {
            self.output.push_str(part);
        }
        self.emitted = found.end;
        self.last = Some(found);
    }

    fn emit(&mut self, end: usize) {
        self.output.push_str(self.text.get(self.emitted..end).unwrap_or_default());
        self.emitted = end;
    }
}

/// Where the line ends that starts at a place, or `None` if it isn't there yet.
fn next_line(bytes: &[u8], start: usize, is_complete: bool) -> Option<usize> {
    let end = line_end(bytes, start);
    let is_known = is_complete || end > start && before(bytes, end) == b'\n';
    is_known.then_some(end)
}

/// Lines of fewer bytes aren't wrapped.
const WRAPPED: usize = 40;

/// Whether nothing but a line's end follows a place.
fn is_line_end(bytes: &[u8], place: usize) -> bool {
    matches!(rest(bytes, place), [b'\n', ..] | [b'\r', b'\n', ..])
}

/// The length of the line before a place. The line may begin in text that was written already; its last `FAR` bytes are
/// still at hand.
fn width(bytes: &[u8], end: usize) -> usize {
    end - line_start(bytes, end.saturating_sub(pairs::FAR), end.saturating_sub(1))
}

/// The rest of a credential that was wrapped: a line of nothing but its letters, no longer than the one before.
fn continuation(bytes: &[u8], (start, end): (usize, usize), most: usize) -> Option<Found> {
    let first = run_end(bytes, start, |byte| byte == b' ' || byte == b'\t');
    let last = run_end(part(bytes, 0, end), first, |byte| {
        is_word(byte) || matches!(byte, b'+' | b'/' | b'=' | b'.')
    });
    let is_alone = matches!(part(bytes, last, end), [] | [b'\n'] | [b'\r', b'\n']);
    let fits = last - first >= 8 && end - start <= most;
    (is_alone && fits && is_random(part(bytes, first, last))).then_some(Found {
        start: first,
        end: last,
        kind: "",
    })
}

/// Whether a text holds a credential or a boundary, whatever precedes it.
pub(super) fn has_event(bytes: &[u8]) -> bool {
    first_found(bytes, None, true).is_some()
}

/// The first finding, with the rows that begin there.
struct Event {
    found: Found,
    rows: Option<Rows>,
}

/// The first credential between two places, or an empty one where a boundary stands: a segment has none. With names,
/// one whose value stands below counts as well.
fn first_event(bytes: &[u8], (start, end): (usize, usize), with_names: bool) -> Option<Event> {
    let Event { found, rows } =
        first_found(part(bytes, start, end), Some(part(bytes, 0, start)), with_names)?;
    let found = Found { start: start + found.start, end: start + found.end, kind: found.kind };
    Some(Event { found, rows: rows.map(|rows| rows.shifted(start)) })
}

/// The same in a text, with what precedes it if that is known.
fn first_found(bytes: &[u8], above: Option<&[u8]>, with_names: bool) -> Option<Event> {
    let mark = |stop| Some(Event { found: Found { start: stop, end: stop, kind: "" }, rows: None });
    let mut place = 0;
    while let Some((word, stop)) = words::next(bytes, place) {
        if boundaries::is_around(bytes, word, stop) {
            return mark(stop);
        }
        if let Some(found) = find_at(bytes, above, word, stop) {
            return Some(Event { found, rows: None });
        }
        if let Some(mut rows) = Rows::of(bytes, word, stop)
            && let Some(found) = rows.next(bytes, run_end(bytes, stop, |byte| byte != b'\n'))
        {
            return Some(Event { found, rows: Some(rows) });
        }
        if with_names && find_hanging(bytes, word, stop).is_some() {
            return mark(stop);
        }
        place = stop + 1;
    }
    None
}

/// The credential that is the word, or that what follows the word introduces.
fn find_at(bytes: &[u8], above: Option<&[u8]>, word: usize, stop: usize) -> Option<Found> {
    if stop - word >= SHORTEST
        && let Some(found) = tokens::find_token(bytes, word, stop)
    {
        return Some(found);
    }
    match at(bytes, stop) {
        b':' if at(bytes, stop + 1) == b'/' => url::find_secret(bytes, stop),
        b'=' | b'>' | b':' | WIDE_COLON => {
            assignment::find_value(bytes, above, stop).or_else(|| html::find_behind_name(bytes, stop))
        }
        b'<' if html::may_name(bytes, stop) => html::find_behind_name(bytes, stop),
        b'$' => {
            hashes::find_hash(bytes, word, stop).or_else(|| tokens::find_around_dollar(bytes, word, stop))
        }
        b'|' => cells::find_behind_name(bytes, stop),
        b' ' | b'\t' | b'\\' if has(bytes, word, "--") => assignment::find_flag_value(bytes, word, stop),
        b'~' => tokens::find_around_tilde(bytes, stop),
        sign if cookies::may_be_in_file(part(bytes, word, stop), sign) => cookies::find_in_file(bytes, stop),
        _ => phrases::find_announced(bytes, above, word, stop)
            .or_else(|| setters::find_set_value(bytes, word, stop)),
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
