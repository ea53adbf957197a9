//! The tokens of a history, before and after its edits.

use super::editor::Editor;
use crate::error::Error;
use crate::tokens;
use crate::view::{Block, Counted, Kind, Leaf, NONE, TextSource, View, flags};

/// Running totals of tokens over the blocks that were counted so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ledger {
    next_unit: u32,
    /// The counted units as they were pushed.
    pub raw: u64,
    /// What is left of them.
    pub now: u64,
}

impl Ledger {
    /// Counts the units that weren't counted yet; each is counted once.
    ///
    /// # Errors
    /// The caller's counter failed; then nothing of the failing unit is counted.
    pub fn count(&mut self, view: &mut View, editor: &Editor, source: &dyn TextSource) -> Result<(), Error> {
        while self.next_unit < view.len() {
            count_unit(view, editor, source, self.next_unit)?;
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

    /// Notes that a block now costs another number of tokens.
    pub(super) fn repriced(&mut self, block: &mut Block, now: u32) {
        if block.has(flags::COUNTED) {
            self.now = self.now.saturating_sub(u64::from(block.tokens.now)) + u64::from(now);
            block.tokens.now = now;
        }
    }
}

fn count_unit(view: &mut View, editor: &Editor, source: &dyn TextSource, unit: u32) -> Result<(), Error> {
    let shares = view.unit(unit).given_tokens.map(|given| shares(view, unit, given));
    for (number, index) in view.blocks_of(unit).enumerate() {
        let raw = match shares.as_ref().and_then(|shares| shares.get(number)) {
            Some(&share) => share,
            None => count_block(view, source, index)?,
        };
        let now = match (editor.replacement(view.block(index)), editor.cuts_of(index)) {
            (Some(text), _) => count_text(source, text)?,
            (None, Some(cuts)) => count_text(source, &remaining(view, source, index, cuts))?,
            (None, None) => raw,
        };
        if let Some(block) = view.block_mut(index) {
            block.tokens = Counted { raw, now };
        }
    }
    Ok(())
}

/// The blocks' shares, by size, of a count that was given for their unit; the first block also
/// takes what rounding leaves, so that the shares add up to the count.
fn shares(view: &View, unit: u32, given: u32) -> Vec<u32> {
    let sizes = || view.blocks_of(unit).map(|index| u64::from(view.block(index).size));
    let total: u64 = sizes().sum();
    let of = |size: u64| u64::from(given).saturating_mul(size).checked_div(total).unwrap_or(0);
    let mut shares: Vec<u32> = sizes().map(|size| u32::try_from(of(size)).unwrap_or(NONE)).collect();
    let others = shares.iter().skip(1).copied().fold(0, u32::saturating_add);
    if let Some(first) = shares.first_mut() {
        *first = given.saturating_sub(others);
    }
    shares
}

fn count_block(view: &View, source: &dyn TextSource, index: u32) -> Result<u32, Error> {
    let block = view.block(index);
    let leaf = match block.kind {
        Kind::Media => {
            let mut mime = String::new();
            source.read(view.leaf(index, Leaf::KeyParameter), &mut |chunk| mime.push_str(chunk));
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
pub(super) fn count_text(source: &dyn TextSource, text: &str) -> Result<u32, Error> {
    source.count_text(text).unwrap_or_else(|| Ok(tokens::estimate::estimate(text)))
}

/// What is left of a text after its cuts.
pub(super) fn remaining(view: &View, source: &dyn TextSource, index: u32, cuts: &[(u32, u32)]) -> String {
    let mut text = String::new();
    source.read(view.leaf(index, Leaf::Text), &mut |chunk| text.push_str(chunk));
    without(&text, cuts)
}

/// A text without some spans (UTF-16 offsets, sorted, apart from each other).
pub(super) fn without(text: &str, cuts: &[(u32, u32)]) -> String {
    let mut cuts = cuts.iter().copied().peekable();
    let mut offset = 0_u32;
    text.chars()
        .filter(|character| {
            let at = offset;
            offset += u32::from(character.len_utf16() == 2) + 1;
            while cuts.peek().is_some_and(|&(_, end)| end <= at) {
                cuts.next();
            }
            cuts.peek().is_none_or(|&(start, _)| at < start)
        })
        .collect()
}
