//! What an edit may not touch: reasoning that the provider wants back, blocks that are bound together, blocks that
//! are not results.

use super::Decision;
use crate::view::{Kind, Speaker, View, flags};

/// The model's thinking that is left behind an edit of the unit `first`.
pub(super) fn thinking_behind(view: &View, first: u32) -> impl Iterator<Item = u32> + '_ {
    (first_behind(view, first)..view.block_count()).filter(|&index| {
        let block = view.block(index);
        block.kind == Kind::Thinking && block.is_live() && view.unit(block.unit).speaker == Speaker::Ai
    })
}

/// The remaining thinking that is bound to a unit.
pub(super) fn bound_thinking(view: &View, unit: u32) -> Vec<u32> {
    let blocks = view.bound_to(unit).flat_map(|unit| view.blocks_of(unit));
    blocks.filter(|&index| view.block(index).is_live() && view.block(index).kind == Kind::Thinking).collect()
}

/// The thinking that would end a model message after a block is gone, if the provider forbids that.
pub(super) fn last_thinking(view: &View, dropped: u32) -> Option<u32> {
    let is_live = |&index: &u32| view.block(index).is_live();
    let is_ai = |index: u32| view.unit(view.block(index).unit).speaker == Speaker::Ai;
    if !view.capabilities.thinking_leads || !is_ai(dropped) {
        return None;
    }
    let last = (0..dropped).rev().find(is_live)?;
    let goes_on = || (dropped..view.block_count()).find(is_live).is_some_and(is_ai);
    (view.block(last).kind == Kind::Thinking && is_ai(last) && !goes_on()).then_some(last)
}

/// The provider's limits on a unit that lost blocks.
pub(super) fn verdict(view: &View, unit: u32) -> Decision {
    // Thinking goes with everything bound to it or stays; the model's text is worth more.
    if is_bond_broken(view, unit) {
        Decision::Forbidden
    } else if misplaces_call(view, unit, true) {
        Decision::Deferred
    } else {
        Decision::Accepted
    }
}

/// Whether of what is bound together with a unit anything is left.
fn is_bond_broken(view: &View, unit: u32) -> bool {
    view.bound_to(unit).any(|unit| view.unit(unit).live > 0)
}

/// The units whose drops are taken for made where one of this unit is judged: it must not be made before them.
pub(super) fn drop_rests_on(view: &View, unit: u32) -> Vec<u32> {
    let mut units: Vec<u32> = view.bound_to(unit).collect();
    if view.capabilities.calls_follow_others || view.capabilities.thinking_leads {
        let ends = |found: &u32| view.unit(*found).live > 0;
        for others in [&mut (0..unit).rev() as &mut dyn Iterator<Item = u32>, &mut (unit + 1..view.len())] {
            for other in others {
                units.push(other);
                if ends(&other) {
                    break;
                }
            }
        }
    }
    units
}

/// Whether a block is thinking that the provider demands back: of the turn that waits for results.
pub(super) fn must_think(view: &View, index: u32) -> bool {
    let block = view.block(index);
    let in_open_loop = view.last_human().is_none_or(|human| block.unit > human);
    block.kind == Kind::Thinking && in_open_loop && view.capabilities.open_loop_keeps_thinking
}

/// Whether a call of the model would stand right behind words of its own, where the provider forbids that, since
/// nothing is left of the unit between them.
pub(super) fn moves_call_behind_words(view: &View, unit: u32) -> bool {
    misplaces_call(view, unit, false)
}

/// The same; or, if that counts, whether it would open the history.
fn misplaces_call(view: &View, unit: u32, counts_opening: bool) -> bool {
    let is_there = |unit: &u32| view.unit(*unit).live > 0;
    if !view.capabilities.calls_follow_others || is_there(&unit) {
        return false;
    }
    let is_ai = |unit: u32| view.unit(unit).speaker == Speaker::Ai;
    let is_misplaced = (0..unit).rev().find(is_there).map_or(counts_opening, is_ai);
    let behind = (unit + 1..view.len()).find(is_there).filter(|&unit| is_ai(unit));
    let calls = |index: u32| view.block(index).kind == Kind::ToolCall && view.block(index).is_live();
    is_misplaced && behind.is_some_and(|unit| view.blocks_of(unit).any(calls))
}

/// The newest thinking, from a unit on, that is bound to what lies before it and may not go: edits before it must wait.
pub(crate) fn newest_bound(view: &View, from: u32) -> Option<u32> {
    if !view.capabilities.thinking_bound_to_prefix {
        return None;
    }
    let is_bound = |index: &u32| {
        let block = view.block(*index);
        let unit = view.unit(block.unit);
        block.kind == Kind::Thinking
            && block.is_live()
            && unit.speaker == Speaker::Ai
            && (unit.is_protected() || must_think(view, *index))
    };
    let behind = view.unit(from).first_block..view.block_count();
    behind.rev().find(is_bound)
}

/// Whether an edit of a unit lies before such thinking.
pub(crate) fn is_before(view: &View, unit: u32, thinking: u32) -> bool {
    first_behind(view, unit) <= thinking
}

/// Whether an edit of a unit must wait for such thinking.
pub(crate) fn holds_prefix(view: &View, first: u32) -> bool {
    newest_bound(view, first).is_some_and(|thinking| is_before(view, first, thinking))
}

/// The first block behind an edit of a unit.
fn first_behind(view: &View, unit: u32) -> u32 {
    // The model's own entries are edited by drops alone.
    let dropped = view.blocks_of(unit).find(|&index| !view.block(index).is_live());
    dropped.unwrap_or(view.blocks_of(unit).end)
}

/// Whether a text may take the place of a response's payload, or of media.
#[must_use]
pub fn may_replace(view: &View, index: u32) -> bool {
    is_open(view, index, |kind| matches!(kind, Kind::ToolResponse | Kind::Media))
}

/// Whether a block is of some kind and may be replaced by a text.
fn is_open(view: &View, index: u32, is_kind: impl FnOnce(Kind) -> bool) -> bool {
    !view.block(index).has(flags::COMPACTED) && is_free(view, index, is_kind)
}

/// The same for a block that may hold a text of ours already.
fn is_free(view: &View, index: u32, is_kind: impl FnOnce(Kind) -> bool) -> bool {
    let block = view.block(index);
    is_kind(block.kind)
        && !block.has(flags::FIXED_RESULT | flags::DROPPED)
        && !view.unit(block.unit).is_protected()
}

/// Whether a longer text may take the place of a response's payload; that may be a text of ours.
pub(super) fn may_bring_back(view: &View, index: u32) -> bool {
    is_free(view, index, |kind| kind == Kind::ToolResponse)
}

/// Whether spans of a response's text may be changed: what stands beside a text in a structured payload has
/// its own say.
#[must_use]
pub fn may_patch(view: &View, index: u32) -> bool {
    may_replace(view, index) && view.block(index).has(flags::STRING_RESULT)
}

/// Whether the long strings among a call's arguments may be changed.
#[must_use]
pub fn may_shorten(view: &View, index: u32) -> bool {
    is_open(view, index, |kind| kind == Kind::ToolCall)
}
