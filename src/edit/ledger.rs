//! The tokens of a history, before and after its edits.

use super::texts::{Scissors, Texts};
use crate::error::Error;
use crate::tokens;
use crate::view::{Block, Counted, Kind, Leaf, NONE, TextSource, View, flags};

/// The pointer for pruned results is the first of an editor's texts.
const POINTER: super::TextId = 0;

/// Running totals of tokens over the blocks that were counted so far. An edit doesn't count: what
/// it left is priced when a total is asked for, so that a caller's counter that fails can't stop an
/// edit halfway.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    next_unit: u32,
    /// Blocks that were edited since they were counted.
    unpriced: Vec<u32>,
    /// Tokens of the pointer, which stands in many blocks.
    pointer: Option<u32>,
    /// The counted units as they were pushed.
    pub raw: u64,
    /// What is left of them.
    pub now: u64,
}

impl Ledger {
    /// Counts the units that weren't counted yet, each once, and what was edited since.
    ///
    /// # Errors
    /// The caller's counter failed; then nothing of the failing unit is counted.
    pub(super) fn count(
        &mut self,
        view: &mut View,
        texts: &Texts,
        source: &dyn TextSource,
    ) -> Result<(), Error> {
        while let Some(&index) = self.unpriced.last() {
            let now = self.edited_tokens(view, texts, source, index)?;
            self.unpriced.pop();
            if let Some(block) = view.block_mut(index) {
                block.flags &= !flags::UNPRICED;
                if let Some(now) = now.filter(|_| block.is_live()) {
                    self.reprice(block, now);
                }
            }
        }
        while self.next_unit < view.len() {
            self.count_unit(view, texts, source, self.next_unit)?;
            for index in view.blocks_of(self.next_unit) {
                let Some(block) = view.block_mut(index) else { continue };
                block.flags |= flags::COUNTED;
                self.raw += u64::from(block.tokens.raw);
                self.now += if block.is_live() { u64::from(block.tokens.now) } else { 0 };
            }
            self.next_unit += 1;
        }
        Ok(())
    }

    /// Takes a dropped block off the books.
    pub(super) fn dropped(&mut self, block: &Block) {
        if block.has(flags::COUNTED) {
            self.now = self.now.saturating_sub(u64::from(block.tokens.now));
        }
    }

    /// Puts a block back on the books whose drop was refused.
    pub(super) fn restored(&mut self, block: &Block) {
        if block.has(flags::COUNTED) {
            self.now += u64::from(block.tokens.now);
        }
    }

    /// Notes that a block was edited; `price` is what it costs now, if that is known.
    pub(super) fn edited(&mut self, index: u32, block: &mut Block, price: Option<u32>) {
        match price {
            _ if !block.has(flags::COUNTED) => {}
            Some(now) => self.reprice(block, now),
            None if block.has(flags::UNPRICED) => {}
            None => {
                block.flags |= flags::UNPRICED;
                self.unpriced.push(index);
            }
        }
    }

    fn reprice(&mut self, block: &mut Block, now: u32) {
        self.now = self.now.saturating_sub(u64::from(block.tokens.now)) + u64::from(now);
        block.tokens.now = now;
    }

    fn count_unit(
        &mut self,
        view: &mut View,
        texts: &Texts,
        source: &dyn TextSource,
        unit: u32,
    ) -> Result<(), Error> {
        let message = view.message_of(unit);
        let first = view.unit(message.start).first_block;
        let shares = view.unit(message.start).given_tokens.map(|given| shares(view, message, given));
        for index in view.blocks_of(unit) {
            let number = index.saturating_sub(first) as usize;
            let raw = match shares.as_ref().and_then(|shares| shares.get(number)) {
                Some(&share) => share,
                None => count_block(view, source, index)?,
            };
            let now = self.edited_tokens(view, texts, source, index)?.unwrap_or(raw);
            if let Some(block) = view.block_mut(index) {
                block.tokens = Counted { raw, now };
            }
        }
        Ok(())
    }

    /// The tokens of a block that was edited; `None` if it wasn't, or if it is gone.
    fn edited_tokens(
        &mut self,
        view: &View,
        texts: &Texts,
        source: &dyn TextSource,
        index: u32,
    ) -> Result<Option<u32>, Error> {
        let block = view.block(index);
        if !block.is_live() {
            return Ok(None);
        }
        match (block.replacement, texts.cuts_of(index)) {
            (NONE, None) if texts.patch_of(index).is_some() => {
                let text = view.text(source, index, Leaf::Text);
                count_text(source, &texts.patched(index, &text).unwrap_or_default()).map(Some)
            }
            (NONE, None) => Ok(None),
            (NONE, Some(cuts)) => count_text(source, &remaining(view, source, index, cuts)).map(Some),
            (POINTER, _) => {
                let known = self.pointer.map_or_else(|| count_text(source, texts.get(POINTER)), Ok)?;
                self.pointer = Some(known);
                Ok(self.pointer)
            }
            (text, _) => count_text(source, texts.get(text)).map(Some),
        }
    }
}

/// The blocks' shares, by size, of a count that was given for their message; the first block also
/// takes what rounding leaves, so that the shares add up to the count.
fn shares(view: &View, units: std::ops::Range<u32>, given: u32) -> Vec<u32> {
    let blocks = || units.clone().flat_map(|unit| view.blocks_of(unit));
    let sizes = || blocks().map(|index| u64::from(view.block(index).size));
    let total: u64 = sizes().sum();
    let of = |size: u64| u64::from(given).saturating_mul(size).checked_div(total).unwrap_or(0);
    let mut shares: Vec<u32> = sizes().map(|size| u32::try_from(of(size)).unwrap_or(NONE)).collect();
    let others = shares.iter().skip(1).copied().fold(0, u32::saturating_add);
    if let Some(first) = shares.first_mut() {
        *first = given.saturating_sub(others);
    }
    shares
}

/// The tokens of a unit as it was pushed, off the books.
pub(crate) fn unit_price(view: &View, source: &dyn TextSource, unit: u32) -> Result<u32, Error> {
    if let Some(given) = view.unit(unit).given_tokens {
        return Ok(given);
    }
    view.blocks_of(unit)
        .try_fold(0_u32, |sum, index| Ok(sum.saturating_add(count_block(view, source, index)?)))
}

fn count_block(view: &View, source: &dyn TextSource, index: u32) -> Result<u32, Error> {
    let block = view.block(index);
    let leaf = match block.kind {
        Kind::Media => {
            let mime = view.text(source, index, Leaf::KeyParameter);
            return Ok(tokens::estimate::media_tokens(&mime, block.size));
        }
        Kind::ToolResponse if block.has(flags::STRING_RESULT) => Leaf::Text,
        Kind::Opaque | Kind::ToolCall | Kind::ToolResponse => Leaf::Json,
        Kind::Text | Kind::Thinking | Kind::Code => Leaf::Text,
    };
    let address = view.leaf(index, leaf);
    if let Some(counted) = source.count(address) {
        return counted;
    }
    let mut estimator = tokens::estimate::Estimator::default();
    source.read(address, &mut |chunk| estimator.feed(chunk));
    let name = if block.kind == Kind::ToolCall {
        tokens::estimate::estimate(view.names.tool_name(block.tool))
    } else {
        0
    };
    Ok(estimator.finish().saturating_add(name))
}

/// The tokens of a text that isn't part of the caller's messages.
pub(crate) fn count_text(source: &dyn TextSource, text: &str) -> Result<u32, Error> {
    source.count_text(text).unwrap_or_else(|| Ok(tokens::estimate::estimate(text)))
}

/// What is left of a text after its cuts.
fn remaining(view: &View, source: &dyn TextSource, index: u32, cuts: &[(u32, u32)]) -> String {
    let mut text = String::new();
    let mut scissors = Scissors::new(cuts);
    source.read(view.leaf(index, Leaf::Text), &mut |chunk| scissors.feed(chunk, &mut text));
    text
}
