//! The tokens of a history, before and after its edits.

use super::prices::{
    NamePrices, count_block, count_text, edited_text, name_price, price_block, priced_leaf, shares,
};
use super::texts::Texts;
use crate::error::Error;
use crate::tokens::{bounds::Bounds, estimate::estimate};
use crate::view::{Block, Counted, Leaf, TextSource, View, flags};

/// The pointer for pruned results is the first of an editor's texts.
const POINTER: super::TextId = 0;

/// Running totals of tokens over the blocks of a history. An edit doesn't count: prices are updated when a total is
/// requested, so a failing counter cannot stop an edit halfway.
///
/// Where the caller's counts can be [bounded](TextSource::bound) a block is counted only if a decision
/// is so near that bounds don't tell, or if somebody wants to know the number.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    next_unit: u32,
    /// Blocks that were edited since they were priced.
    unpriced: Vec<u32>,
    /// Blocks of which something wasn't counted; one may stand here twice.
    open: Vec<u32>,
    /// Those that are gone or known as they are now, but not as they were pushed: no decision needs that.
    late: Vec<u32>,
    /// Tokens of the pointer, which stands in many blocks.
    pointer: Option<u32>,
    names: NamePrices,
    /// The counted blocks as they were pushed.
    pub raw: u64,
    /// What is left of all blocks, at least.
    pub now: u64,
    /// The same at most.
    pub most: u64,
}

impl Ledger {
    /// Counts all blocks, as they are and as they were pushed, each once.
    ///
    /// # Errors
    /// The caller's counter failed; then nothing of the failing block is counted.
    pub(super) fn count(
        &mut self,
        view: &mut View,
        texts: &Texts,
        source: &dyn TextSource,
    ) -> Result<(), Error> {
        self.price(view, texts, source, false)?;
        self.settle(view, texts, source, usize::MAX)?;
        while let Some(&index) = self.late.last() {
            if view.block(index).tokens.raw.is_none() {
                let raw = count_block(view, source, &mut self.names, index)?;
                self.set_raw(view, index, raw);
            }
            self.late.pop();
        }
        Ok(())
    }

    /// Estimates the tokens of a text of a new block, if its price depends on that text.
    pub(super) fn note_read(
        &mut self,
        view: &mut View,
        source: &dyn TextSource,
        (index, leaf): (u32, Leaf),
        text: &str,
    ) {
        let is_priced = priced_leaf(view, index).is_some_and(|priced| priced.leaf == leaf);
        if view.block(index).has(flags::COUNTED) || !is_priced {
            return;
        }
        let Ok(name) = name_price(view, source, &mut self.names, index) else { return };
        if let Some(block) = view.block_mut(index) {
            block.tokens.raw = Some(estimate(text).saturating_add(name));
        }
    }

    /// Counts at most so many of the live blocks that are only bounded, the newest first.
    ///
    /// # Errors
    /// As [`Self::count`].
    #[inline(never)]
    pub(super) fn settle(
        &mut self,
        view: &mut View,
        texts: &Texts,
        source: &dyn TextSource,
        blocks: usize,
    ) -> Result<(), Error> {
        self.price(view, texts, source, true)?;
        let mut left = blocks;
        while left > 0
            && let Some(&index) = self.open.last()
        {
            let block = view.block(index);
            if block.is_live() && !block.tokens.now.is_exact() {
                let now = if let Some(edited) = self.edited_price(view, texts, source, (index, false))? {
                    edited
                } else {
                    let raw = count_block(view, source, &mut self.names, index)?;
                    self.set_raw(view, index, raw);
                    Bounds::exact(raw)
                };
                if let Some(block) = view.block_mut(index) {
                    self.reprice(block, now);
                }
                left -= 1;
            }
            if view.block(index).tokens.raw.is_none() {
                self.late.push(index);
            }
            self.open.pop();
        }
        Ok(())
    }

    #[inline(never)]
    fn set_raw(&mut self, view: &mut View, index: u32, raw: u32) {
        if let Some(block) = view.block_mut(index) {
            block.tokens.raw = Some(raw);
            self.raw += u64::from(raw);
        }
    }

    /// Prices edited blocks and new units: late by their bounds, where they have any.
    fn price(
        &mut self,
        view: &mut View,
        texts: &Texts,
        source: &dyn TextSource,
        is_late: bool,
    ) -> Result<(), Error> {
        while let Some(&index) = self.unpriced.last() {
            let now = self.edited_price(view, texts, source, (index, is_late))?;
            self.unpriced.pop();
            if let Some(block) = view.block_mut(index) {
                block.flags &= !flags::UNPRICED;
                if let Some(now) = now.filter(|_| block.is_live()) {
                    self.reprice(block, now);
                    self.note(index, block);
                }
            }
        }
        while self.next_unit < view.len() {
            self.price_unit(view, texts, source, (self.next_unit, is_late))?;
            for index in view.blocks_of(self.next_unit) {
                let Some(block) = view.block_mut(index) else { continue };
                block.flags |= flags::COUNTED;
                self.raw += u64::from(block.tokens.raw.unwrap_or(0));
                if block.is_live() {
                    self.restored(block);
                }
                self.note(index, block);
            }
            self.next_unit += 1;
        }
        Ok(())
    }

    fn note(&mut self, index: u32, block: &Block) {
        if block.tokens.raw.is_none() || !block.tokens.now.is_exact() {
            self.open.push(index);
        }
    }

    /// Takes a dropped block off the books.
    pub(super) fn dropped(&mut self, block: &Block) {
        if block.has(flags::COUNTED) {
            let Bounds { lower, upper } = block.tokens.now;
            self.now = self.now.saturating_sub(u64::from(lower));
            self.most = self.most.saturating_sub(u64::from(upper));
        }
    }

    /// Puts a block back on the books whose drop was refused.
    pub(super) fn restored(&mut self, block: &Block) {
        if block.has(flags::COUNTED) {
            let Bounds { lower, upper } = block.tokens.now;
            self.now += u64::from(lower);
            self.most += u64::from(upper);
        }
    }

    /// Notes that a block was edited; `price` is its current cost, if known.
    pub(super) fn edited(&mut self, index: u32, block: &mut Block, price: Option<u32>) {
        match price {
            _ if !block.has(flags::COUNTED) => {}
            Some(now) => self.reprice(block, Bounds::exact(now)),
            None if block.has(flags::UNPRICED) => {}
            None => {
                block.flags |= flags::UNPRICED;
                self.unpriced.push(index);
            }
        }
    }

    #[inline(never)]
    fn reprice(&mut self, block: &mut Block, now: Bounds) {
        self.dropped(block);
        block.tokens.now = now;
        self.restored(block);
    }

    fn price_unit(
        &mut self,
        view: &mut View,
        texts: &Texts,
        source: &dyn TextSource,
        (unit, is_late): (u32, bool),
    ) -> Result<(), Error> {
        let message = view.message_of(unit);
        let first = view.unit(message.start).first_block;
        let shares = view.unit(message.start).given_tokens.map(|given| shares(view, message, given));
        for index in view.blocks_of(unit) {
            let number = index.saturating_sub(first) as usize;
            let mut tokens = match shares.as_ref().and_then(|shares| shares.get(number)) {
                Some(&share) => Counted::exact(share),
                None => price_block(view, source, &mut self.names, (index, is_late))?,
            };
            tokens.now = self.edited_price(view, texts, source, (index, is_late))?.unwrap_or(tokens.now);
            if let Some(block) = view.block_mut(index) {
                block.tokens = tokens;
            }
        }
        Ok(())
    }

    /// The price of a block that was edited; `None` if it wasn't, or if it is gone.
    fn edited_price(
        &mut self,
        view: &View,
        texts: &Texts,
        source: &dyn TextSource,
        (index, is_late): (u32, bool),
    ) -> Result<Option<Bounds>, Error> {
        let block = view.block(index);
        if !block.is_live() {
            return Ok(None);
        }
        if block.replacement == POINTER {
            let known = self.pointer.map_or_else(|| count_text(source, texts.get(POINTER)), Ok)?;
            self.pointer = Some(known);
            return Ok(Some(Bounds::exact(known)));
        }
        let Some(text) = edited_text(view, texts, source, index) else { return Ok(None) };
        let bounds = if is_late { source.bound_text(&text) } else { None };
        let Bounds { lower, upper } =
            bounds.map_or_else(|| count_text(source, &text).map(Bounds::exact), Ok)?;
        let name = name_price(view, source, &mut self.names, index)?;
        Ok(Some(Bounds { lower: lower.saturating_add(name), upper: upper.saturating_add(name) }))
    }
}
