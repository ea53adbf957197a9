//! A history that is larger than the summarising model's window, in parts that fit.

use super::History;
use super::entries::Entry;
use super::prices::Prices;
use super::texts::read;
use super::types::Segment;
use crate::edit::count_text;
use crate::error::Error;
use crate::tokens::estimate::Estimator;
use crate::utf16::utf16_length;
use crate::view::LeafAddress;

/// What a header line and the joints of an entry may cost, in tokens.
const HEADER: u64 = 40;
/// A text is cut where so many bytes more would be too many.
const STEP: usize = 64;

/// The entries of one part.
pub(super) type Part = Vec<Segment>;

/// Cuts entries into parts of at most `room` tokens each. `is_legal` says where a history may be cut;
/// there parts end if that leaves them half full.
pub(super) fn cut(
    history: History<'_>,
    entries: &[Entry],
    prices: &mut Prices<'_>,
    room: u64,
    is_legal: &dyn Fn(u32) -> bool,
) -> Result<Vec<Part>, Error> {
    let mut cutter = Cutter { history, room, parts: Vec::new(), open: Vec::new(), tokens: 0 };
    for entry in entries {
        let tokens = u64::from(prices.unit(entry.unit)?) + HEADER;
        cutter.entry(entry, tokens, is_legal)?;
    }
    cutter.finish();
    Ok(cutter.parts)
}

/// An entry, or a piece of one, that waits for its part to be full.
struct Piece {
    segments: Vec<Segment>,
    tokens: u64,
    /// Whether a part may end before it without parting a call from its response.
    opens: bool,
}

struct Cutter<'history> {
    history: History<'history>,
    room: u64,
    parts: Vec<Part>,
    open: Vec<Piece>,
    tokens: u64,
}

impl Cutter<'_> {
    fn entry(&mut self, entry: &Entry, tokens: u64, is_legal: &dyn Fn(u32) -> bool) -> Result<(), Error> {
        if tokens <= self.room {
            self.push(Piece { segments: entry.segments.clone(), tokens, opens: is_legal(entry.unit) });
            return Ok(());
        }
        // Too large for any part: each of its texts is cut. What stands before the cut and after it is
        // in neighbouring parts.
        let mut opens = is_legal(entry.unit);
        for segment in &entry.segments {
            for (segment, tokens) in self.spans(segment)? {
                self.push(Piece { segments: vec![segment], tokens, opens });
                opens = false;
            }
        }
        Ok(())
    }

    fn push(&mut self, piece: Piece) {
        if self.tokens + piece.tokens > self.room && !self.open.is_empty() {
            let at = if piece.opens { self.open.len() } else { self.best_end() };
            let rest = self.open.split_off(at);
            self.finish();
            self.tokens = rest.iter().map(|piece| piece.tokens).sum();
            self.open = rest;
            if self.tokens + piece.tokens > self.room {
                self.finish();
            }
        }
        self.tokens += piece.tokens;
        self.open.push(piece);
    }

    /// Where the open part is best ended: at the last boundary in its second half, else behind all.
    fn best_end(&self) -> usize {
        let mut before = self.tokens;
        for (at, piece) in self.open.iter().enumerate().rev() {
            before -= piece.tokens;
            if before * 2 < self.room {
                break;
            }
            if piece.opens {
                return at;
            }
        }
        self.open.len()
    }

    fn finish(&mut self) {
        let pieces = std::mem::take(&mut self.open);
        self.tokens = 0;
        if !pieces.is_empty() {
            self.parts.push(pieces.into_iter().flat_map(|piece| piece.segments).collect());
        }
    }

    /// A segment in pieces that fit, with their tokens.
    fn spans(&self, segment: &Segment) -> Result<Vec<(Segment, u64)>, Error> {
        let (address, from, text) = match segment {
            Segment::Text(text) => {
                let tokens = u64::from(count_text(self.history.source, text)?);
                return Ok(vec![(segment.clone(), tokens)]);
            }
            Segment::Previous => return Ok(vec![(segment.clone(), 0)]),
            Segment::Leaf(address) => (*address, 0, read(self.history, *address)),
            Segment::Span(address, from, to) => {
                let text = read(self.history, *address);
                let tail = crate::edit::without(&text, &[(0, *from), (*to, u32::MAX)]);
                (*address, *from, tail)
            }
        };
        self.cut_text(address, from, &text)
    }

    fn cut_text(&self, address: LeafAddress, from: u32, text: &str) -> Result<Vec<(Segment, u64)>, Error> {
        // The caller's counter may see more tokens than the estimator; the cuts are the estimator's.
        let estimated = u64::from(crate::tokens::estimate::estimate(text)).max(1);
        let counted = match self.history.source.count(address) {
            Some(counted) => u64::from(counted?).max(estimated),
            None => estimated,
        };
        let most = (self.room.saturating_mul(estimated) / counted).max(1);
        let mut spans = Vec::new();
        let (mut start, mut end) = (from, from);
        let mut estimator = Estimator::default();
        for step in steps(text) {
            let mut ahead = estimator.clone();
            ahead.feed(step);
            if u64::from(ahead.finish()) > most && end > start {
                spans.push((Segment::Span(address, start, end), self.priced(&estimator, counted, estimated)));
                start = end;
                ahead = Estimator::default();
                ahead.feed(step);
            }
            estimator = ahead;
            end += utf16_length(step);
        }
        if end > start {
            spans.push((Segment::Span(address, start, end), self.priced(&estimator, counted, estimated)));
        }
        Ok(spans)
    }

    fn priced(&self, estimator: &Estimator, counted: u64, estimated: u64) -> u64 {
        (u64::from(estimator.finish()).saturating_mul(counted) / estimated).min(self.room)
    }
}

/// A text in small steps, cut between characters.
fn steps(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let at = (STEP.min(text.len())..=text.len()).find(|&at| text.is_char_boundary(at))?;
        let (step, rest) = text.split_at_checked(at)?;
        text = rest;
        (!step.is_empty()).then_some(step)
    })
}
