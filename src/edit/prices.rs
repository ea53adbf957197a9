//! What blocks and texts cost: by the caller's counter, where there is one, else by the estimator.

use std::borrow::Cow;

use super::arguments::shortened;
use super::texts::{Scissors, Texts};
use crate::error::Error;
use crate::tokens::{self, bounds::Bounds};
use crate::view::{Counted, Kind, Leaf, LeafAddress, NONE, TextSource, ToolId, View, flags};

/// The tokens of tools' names, each counted once.
#[derive(Clone, Debug, Default)]
pub(crate) struct NamePrices(Vec<Option<u32>>);

impl NamePrices {
    fn of(&mut self, view: &View, source: &dyn TextSource, tool: ToolId) -> Result<u32, Error> {
        let at = tool.0 as usize;
        if let Some(&Some(known)) = self.0.get(at) {
            return Ok(known);
        }
        let tokens = count_text(source, view.names.tool_name(tool))?;
        if self.0.len() <= at {
            self.0.resize(at + 1, None);
        }
        if let Some(known) = self.0.get_mut(at) {
            *known = Some(tokens);
        }
        Ok(tokens)
    }
}

/// The tokens of a unit as it was pushed, off the books.
pub(crate) fn unit_price(
    view: &View,
    source: &dyn TextSource,
    names: &mut NamePrices,
    unit: u32,
) -> Result<u32, Error> {
    if let Some(given) = view.unit(unit).given_tokens {
        return Ok(given);
    }
    view.blocks_of(unit)
        .try_fold(0_u32, |sum, index| Ok(sum.saturating_add(count_block(view, source, names, index)?)))
}

/// The string of a block that costs tokens; media have none, unless they are texts.
pub(super) fn priced_leaf(view: &View, index: u32) -> Option<LeafAddress> {
    let block = view.block(index);
    let leaf = match block.kind {
        Kind::Media if block.has(flags::READABLE) => Leaf::Text,
        Kind::Media => return None,
        Kind::ToolResponse if block.has(flags::STRING_RESULT) => Leaf::Text,
        // A failed call may have nothing but its message.
        Kind::ToolResponse if block.has(flags::FIXED_RESULT) && block.has(flags::FAILED) => Leaf::Detail,
        Kind::Opaque | Kind::ToolCall | Kind::ToolResponse => Leaf::Json,
        Kind::Text | Kind::Thinking | Kind::Code => Leaf::Text,
    };
    Some(view.leaf(index, leaf))
}

/// The tokens of a block as it was pushed.
#[inline(never)]
pub(super) fn count_block(
    view: &View,
    source: &dyn TextSource,
    names: &mut NamePrices,
    index: u32,
) -> Result<u32, Error> {
    let block = view.block(index);
    let Some(address) = priced_leaf(view, index) else {
        if block.has(flags::TOKENS) {
            return Ok(block.size);
        }
        let mime = view.text(source, index, Leaf::KeyParameter);
        return Ok(tokens::estimate::media_tokens(&mime, block.size));
    };
    let tokens = if let Some(counted) = source.count(address) {
        counted?
    } else {
        let mut estimator = tokens::estimate::Estimator::default();
        source.read(address, &mut |chunk| estimator.feed(chunk));
        estimator.finish()
    };
    Ok(tokens.saturating_add(name_price(view, source, names, index)?))
}

/// The same, if it may be only bounded as far as it is known without counting.
pub(super) fn price_block(
    view: &View,
    source: &dyn TextSource,
    names: &mut NamePrices,
    (index, is_late): (u32, bool),
) -> Result<Counted, Error> {
    if let Some(known) = view.block(index).tokens.raw {
        return Ok(Counted::exact(known));
    }
    let leaf = if is_late { priced_leaf(view, index) } else { None };
    let Some(bounds) = leaf.and_then(|address| source.bound(address)) else {
        let raw = count_block(view, source, names, index)?;
        return Ok(Counted::exact(raw));
    };
    let name = name_price(view, source, names, index)?;
    let now = Bounds { lower: bounds.lower.saturating_add(name), upper: bounds.upper.saturating_add(name) };
    Ok(Counted { raw: None, now, booked: 0 })
}

/// The tokens of a call's name, and of the images in what is opaque: its JSON says them in short.
#[inline(never)]
pub(super) fn name_price(
    view: &View,
    source: &dyn TextSource,
    names: &mut NamePrices,
    index: u32,
) -> Result<u32, Error> {
    let block = view.block(index);
    match block.kind {
        Kind::ToolCall => names.of(view, source, block.tool),
        Kind::Opaque => Ok(block.size),
        _ => Ok(0),
    }
}

/// The tokens of a text that isn't part of the caller's messages.
#[inline(never)]
pub(crate) fn count_text(source: &dyn TextSource, text: &str) -> Result<u32, Error> {
    source.count_text(text).unwrap_or_else(|| Ok(tokens::estimate::estimate(text)))
}

/// The text that edits made of a block's.
#[inline(never)]
pub(super) fn edited_text<'texts>(
    view: &View,
    texts: &'texts Texts,
    source: &dyn TextSource,
    index: u32,
) -> Option<Cow<'texts, str>> {
    match (view.block(index).replacement, texts.cuts_of(index)) {
        (NONE, None) => {
            texts.patch_of(index)?;
            texts.patched(index, &view.text(source, index, Leaf::Text)).map(Cow::Owned)
        }
        (NONE, Some(cuts)) => {
            let mut text = String::new();
            let mut scissors = Scissors::new(cuts);
            source.read(view.leaf(index, Leaf::Text), &mut |chunk| scissors.feed(chunk, &mut text));
            Some(Cow::Owned(text))
        }
        (text, _) if view.block(index).kind == Kind::ToolCall => {
            Some(Cow::Owned(shortened(&view.text(source, index, Leaf::Json), texts.get(text))))
        }
        (text, _) => Some(Cow::Borrowed(texts.get(text))),
    }
}

/// The blocks' shares, by size, of a count that was given for their message; the first block also
/// takes what rounding leaves, so that the shares add up to the count.
pub(super) fn shares(view: &View, units: std::ops::Range<u32>, given: u32) -> Vec<u32> {
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
