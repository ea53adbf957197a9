//! Which messages of a request hold nothing to redact. Every text is read anyway, for the fingerprint:
//! it is looked at on the way, so that a request is redacted only where something was found.

use std::cell::RefCell;

use super::entries::{call_opening, detail_opening};
use super::types::Segment;
use crate::error::Error;
use crate::redact::has_event;
use crate::tokens::bounds::Bounds;
use crate::view::{Kind, Leaf, LeafAddress, TextSource, View};

/// So much is gathered before it is looked at.
const PORTION: usize = 1 << 16;

/// A source of texts that looks at each for credentials when it is first read.
pub struct Screen<'history> {
    view: &'history View,
    source: &'history dyn TextSource,
    findings: RefCell<Findings>,
    /// A bit for each leaf of a block that was looked at.
    judged: RefCell<Vec<u8>>,
    is_eager: bool,
}

/// What was found so far. Most texts are a few words and most end within a line: such pieces are gathered and
/// looked at together, since a look has to be begun and ended.
#[derive(Default)]
struct Findings {
    /// Lines that weren't looked at yet; the last one may go on.
    lines: Vec<u8>,
    has_found: bool,
}

impl Findings {
    /// Takes a piece of a line.
    fn piece(&mut self, text: &[u8]) {
        if self.lines.capacity() == 0 {
            self.lines.reserve(2 * PORTION);
        }
        self.lines.extend_from_slice(text);
    }

    /// Takes the next chunk of a text.
    fn chunk(&mut self, chunk: &[u8]) {
        let is_open = self.lines.last().is_some_and(|last| *last != b'\n');
        let end_of = |place: Option<usize>| place.map_or(chunk.len(), |place| place + 1);
        let first = if is_open { end_of(chunk.iter().position(|byte| *byte == b'\n')) } else { 0 };
        let (head, rest) = chunk.split_at(first);
        let last = rest.iter().rposition(|byte| *byte == b'\n').map_or(0, |place| place + 1);
        let (lines, open) = rest.split_at(last);
        self.piece(head);
        self.has_found = self.has_found || has_event(lines);
        self.piece(open);
    }

    /// Ends a line.
    fn end(&mut self, closing: &[u8]) {
        self.piece(closing);
        self.piece(b"\n");
        if self.lines.len() > PORTION {
            self.look();
        }
    }

    fn look(&mut self) {
        self.has_found = self.has_found || has_event(&self.lines);
        self.lines.clear();
    }
}

impl<'history> Screen<'history> {
    /// A screen before the texts of a history.
    #[must_use]
    pub fn new(view: &'history View, source: &'history dyn TextSource) -> Self {
        Self { view, source, findings: RefCell::default(), judged: RefCell::default(), is_eager: true }
    }

    /// The same where most texts are read but not sent: a text is looked at if it turns out to be.
    #[must_use]
    pub fn at_leisure(self) -> Self {
        Self { is_eager: false, ..self }
    }

    /// Whether there is nothing to redact in a text that is made of these segments.
    ///
    /// Credentials are looked for line by line. So a text has none if there are none in its pieces, as long
    /// as each line lies in one of them, or was looked at as it stands there.
    #[must_use]
    pub fn is_clean(&self, segments: &[Segment]) -> bool {
        let mut before = "\n";
        let mut rest = segments.iter();
        while let Some(segment) = rest.next() {
            match segment {
                Segment::Text(text) => {
                    if !(before.ends_with('\n') || text.starts_with('\n')) {
                        return false;
                    }
                    before = text;
                }
                Segment::Leaf(address) => {
                    let Some(Segment::Text(after)) = rest.next() else { return false };
                    let (opening, closing) = self.frame(*address);
                    let line =
                        before.rfind('\n').map_or(before, |end| before.get(end + 1..).unwrap_or_default());
                    let is_framed = line == opening
                        && after.strip_prefix(closing).is_some_and(|after| after.starts_with('\n'));
                    if !is_framed {
                        return false;
                    }
                    before = after;
                }
                Segment::Span(..) | Segment::Previous => return false,
            }
        }
        let all = self.look(segments, self.findings.take(), |address| !self.is_judged(address));
        let has_found = all.has_found;
        self.findings.replace(all);
        // A finding may lie in texts that are not among these.
        !has_found || !self.look(segments, Findings::default(), |_| true).has_found
    }

    /// Looks at segments and at those of their leaves that are `wanted`.
    fn look(
        &self,
        segments: &[Segment],
        mut findings: Findings,
        wanted: impl Fn(LeafAddress) -> bool,
    ) -> Findings {
        for segment in segments {
            match segment {
                Segment::Text(text) => findings.end(text.as_bytes()),
                Segment::Leaf(address) if wanted(*address) => {
                    self.judge(*address, &mut findings, |look| self.source.read_bytes(*address, look));
                }
                Segment::Leaf(_) | Segment::Span(..) | Segment::Previous => {}
            }
        }
        findings.look();
        findings
    }

    /// What stands in a request on the same lines as a leaf: before it and behind it.
    fn frame(&self, address: LeafAddress) -> (String, &'static str) {
        let index = self.index(address);
        match (self.view.block(index).kind, address.leaf) {
            (Kind::ToolCall, Leaf::Json) => (call_opening(self.view, index), ")"),
            (Kind::ToolResponse, Leaf::Detail) => (detail_opening(self.view, index), ""),
            _ => (String::new(), ""),
        }
    }

    fn index(&self, address: LeafAddress) -> u32 {
        self.view.unit(address.unit).first_block + address.block
    }

    /// Reads a text and looks for credentials on the way.
    fn judge(&self, address: LeafAddress, findings: &mut Findings, read: impl FnOnce(&mut dyn FnMut(&[u8]))) {
        let (opening, closing) = self.frame(address);
        findings.piece(opening.as_bytes());
        // JSON is one line.
        if address.leaf == Leaf::Json {
            read(&mut |chunk| findings.piece(chunk));
        } else {
            read(&mut |chunk| findings.chunk(chunk));
        }
        findings.end(closing.as_bytes());
        self.note(address);
    }

    /// The same, remembering what is found.
    fn judge_first(&self, address: LeafAddress, read: impl FnOnce(&mut dyn FnMut(&[u8]))) {
        // Not the shared ones: reading may call whoever made the messages, and they may ask for a request.
        let mut findings = self.findings.take();
        self.judge(address, &mut findings, read);
        self.findings.replace(findings);
    }

    fn is_judged(&self, address: LeafAddress) -> bool {
        let leaves = self.judged.borrow().get(self.index(address) as usize).copied();
        leaves.is_some_and(|leaves| leaves & (1 << address.leaf as u8) != 0)
    }

    fn note(&self, address: LeafAddress) {
        let mut judged = self.judged.borrow_mut();
        let index = self.index(address) as usize;
        if judged.len() <= index {
            judged.resize(index + 1, 0);
        }
        if let Some(leaves) = judged.get_mut(index) {
            *leaves |= 1 << address.leaf as u8;
        }
    }
}

impl TextSource for Screen<'_> {
    fn read(&self, address: LeafAddress, sink: &mut dyn FnMut(&str)) {
        if !self.is_eager || self.is_judged(address) {
            return self.source.read(address, sink);
        }
        self.judge_first(address, |look| {
            self.source.read(address, &mut |chunk| {
                look(chunk.as_bytes());
                sink(chunk);
            });
        });
    }

    fn read_bytes(&self, address: LeafAddress, sink: &mut dyn FnMut(&[u8])) {
        if !self.is_eager || self.is_judged(address) {
            return self.source.read_bytes(address, sink);
        }
        self.judge_first(address, |look| {
            self.source.read_bytes(address, &mut |chunk| {
                look(chunk);
                sink(chunk);
            });
        });
    }

    fn has_counter(&self) -> bool {
        self.source.has_counter()
    }

    fn count(&self, address: LeafAddress) -> Option<Result<u32, Error>> {
        self.source.count(address)
    }

    fn bound(&self, address: LeafAddress) -> Option<Bounds> {
        self.source.bound(address)
    }

    fn bound_text(&self, text: &str) -> Option<Bounds> {
        self.source.bound_text(text)
    }

    fn count_text(&self, text: &str) -> Option<Result<u32, Error>> {
        self.source.count_text(text)
    }
}
