//! What was changed inside a response's text.

use super::TextId;
use crate::lines::number_before;

/// A change of a text that a rule proposes; offsets in UTF-16 code units of the text as pushed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A span becomes another text.
    Replace {
        /// Where the span starts.
        start: u32,
        /// Where it ends.
        end: u32,
        /// The new text.
        text: String,
    },
    /// The lines that start in a span lose the numbers before them.
    Unnumber {
        /// Where the first of the lines starts.
        start: u32,
        /// Where the last of them ends.
        end: u32,
    },
}

/// All changes of one text. Spans may lie in each other: then the outer one counts, and of two that
/// begin at one place the longer one.
#[derive(Clone, Debug, Default)]
pub struct Patch {
    /// Start, end and new text, in order.
    spans: Vec<(u32, u32, TextId)>,
    /// The spans whose lines lose their numbers, in order.
    unnumbered: Vec<(u32, u32)>,
    saved: u32,
}

impl Patch {
    /// Whether nothing was changed.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.spans.is_empty() && self.unnumbered.is_empty()
    }

    /// The spans that were replaced, in order: those that lie in others too.
    #[must_use]
    pub fn spans(&self) -> &[(u32, u32, TextId)] {
        &self.spans
    }

    pub(super) fn replace(&mut self, start: u32, end: u32, text: TextId) {
        self.replace_by(start, end, text, 0);
    }

    pub(super) fn replace_by(&mut self, start: u32, end: u32, text: TextId, length: u32) {
        // What lies in the new span was saved already.
        let inner = self.spans.iter().filter(|span| start <= span.0 && span.1 <= end);
        let known = inner.map(|span| span.1 - span.0).fold(0, u32::saturating_add);
        self.saved = self.saved.saturating_add(end.saturating_sub(start).saturating_sub(known + length));
        let at = self.spans.partition_point(|&(from, to, _)| (from, u32::MAX - to) < (start, u32::MAX - end));
        self.spans.insert(at, (start, end, text));
    }

    pub(super) fn unnumber(&mut self, start: u32, end: u32) {
        let at = self.unnumbered.partition_point(|&span| span < (start, end));
        self.unnumbered.insert(at, (start, end));
    }

    /// At least so many UTF-16 code units were saved.
    #[must_use]
    pub const fn saved(&self) -> u32 {
        self.saved
    }

    /// The changed text.
    #[must_use]
    pub fn apply<'texts>(&self, text: &str, text_of: impl Fn(TextId) -> &'texts str) -> String {
        let mut left = String::new();
        let (mut spans, mut unnumbered) = (self.spans.as_slice(), self.unnumbered.as_slice());
        let (mut at, mut hidden) = (0_u32, 0_u32);
        for line in text.split_inclusive('\n') {
            while let [(_, end), rest @ ..] = unnumbered
                && *end <= at
            {
                unnumbered = rest;
            }
            let loses = unnumbered.first().is_some_and(|(start, _)| *start <= at);
            let number = if loses { number_before(line).map_or(0, |found| found.units) } else { 0 };
            let body = at.saturating_add(number);
            for character in line.chars() {
                while let [(start, end, text), rest @ ..] = spans
                    && *start <= at
                {
                    if *start >= hidden {
                        left.push_str(text_of(*text));
                    }
                    hidden = hidden.max(*end);
                    spans = rest;
                }
                if at >= hidden && at >= body {
                    left.push(character);
                }
                at += u32::from(character.len_utf16() == 2) + 1;
            }
        }
        left
    }

    /// Bytes held, approximately.
    pub(super) fn bytes(&self) -> usize {
        self.spans.capacity() * size_of::<(u32, u32, TextId)>()
            + self.unnumbered.capacity() * size_of::<(u32, u32)>()
    }
}
