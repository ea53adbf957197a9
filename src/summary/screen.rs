//! Which messages of a request hold nothing to redact. Every text is read anyway, for the fingerprint:
//! it is looked at on the way, so that a request is redacted only where something was found.

use std::cell::RefCell;

use super::entries::call_opening;
use super::types::Segment;
use crate::error::Error;
use crate::redact::Detector;
use crate::tokens::bounds::Bounds;
use crate::view::{Kind, Leaf, LeafAddress, TextSource, View};

/// What stands before the message of a failed call.
pub(super) const ERROR: &str = "error: ";

/// A source of texts that looks at each for credentials when it is first read.
pub struct Screen<'history> {
    view: &'history View,
    source: &'history dyn TextSource,
    detector: RefCell<Detector>,
    /// What is known of a block's leaves.
    verdicts: RefCell<Vec<Verdicts>>,
    is_eager: bool,
}

/// A bit for each leaf of a block.
#[derive(Clone, Copy, Debug, Default)]
struct Verdicts {
    known: u8,
    clean: u8,
}

impl<'history> Screen<'history> {
    /// A screen before the texts of a history.
    #[must_use]
    pub fn new(view: &'history View, source: &'history dyn TextSource) -> Self {
        Self { view, source, detector: RefCell::default(), verdicts: RefCell::default(), is_eager: true }
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
                    if !(before.ends_with('\n') || text.starts_with('\n')) || self.has_event(text) {
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
                    if !is_framed || !self.is_leaf_clean(*address) || self.has_event(after) {
                        return false;
                    }
                    before = after;
                }
                Segment::Span(..) | Segment::Previous => return false,
            }
        }
        true
    }

    /// What stands in a request on the same lines as a leaf: before it and behind it.
    fn frame(&self, address: LeafAddress) -> (String, &'static str) {
        let index = self.index(address);
        match (self.view.block(index).kind, address.leaf) {
            (Kind::ToolCall, Leaf::Json) => (call_opening(self.view, index), ")"),
            (Kind::ToolResponse, Leaf::Detail) => (ERROR.to_owned(), ""),
            _ => (String::new(), ""),
        }
    }

    fn index(&self, address: LeafAddress) -> u32 {
        self.view.unit(address.unit).first_block + address.block
    }

    fn has_event(&self, text: &str) -> bool {
        let mut detector = self.detector.borrow_mut();
        detector.push(text);
        detector.finish()
    }

    fn is_leaf_clean(&self, address: LeafAddress) -> bool {
        if self.verdict(address).is_none() {
            self.judge(address, &mut |_| {});
        }
        self.verdict(address).unwrap_or(false)
    }

    /// Reads a text and looks for credentials on the way.
    fn judge(&self, address: LeafAddress, sink: &mut dyn FnMut(&str)) {
        // Not the shared one: reading may call whoever made the messages, and they may ask for a request.
        let mut detector = self.detector.take();
        let (opening, closing) = self.frame(address);
        detector.push(&opening);
        self.source.read(address, &mut |chunk| {
            detector.push(chunk);
            sink(chunk);
        });
        detector.push(closing);
        self.note(address, !detector.finish());
        self.detector.replace(detector);
    }

    fn verdict(&self, address: LeafAddress) -> Option<bool> {
        let verdicts = self.verdicts.borrow();
        let Verdicts { known, clean } = verdicts.get(self.index(address) as usize)?;
        let bit = 1 << address.leaf as u8;
        (known & bit != 0).then_some(clean & bit != 0)
    }

    fn note(&self, address: LeafAddress, is_clean: bool) {
        let mut verdicts = self.verdicts.borrow_mut();
        let index = self.index(address) as usize;
        if verdicts.len() <= index {
            verdicts.resize(index + 1, Verdicts::default());
        }
        if let Some(Verdicts { known, clean }) = verdicts.get_mut(index) {
            let bit = 1 << address.leaf as u8;
            *known |= bit;
            *clean |= if is_clean { bit } else { 0 };
        }
    }
}

impl TextSource for Screen<'_> {
    fn read(&self, address: LeafAddress, sink: &mut dyn FnMut(&str)) {
        if !self.is_eager || self.verdict(address).is_some() {
            return self.source.read(address, sink);
        }
        self.judge(address, sink);
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
