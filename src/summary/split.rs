//! Which entries are summarised, and which are kept.

use std::ops::Range;

use super::History;
use super::prices::Prices;
use super::settings::SummarySettings;
use crate::boundary::Boundaries;
use crate::budget::tail_start;
use crate::defaults;
use crate::edit::holds_prefix;
use crate::error::Error;
use crate::options::Size;
use crate::prompt::Framing;
use crate::rules::meant_from;
use crate::strategy::NoopReason;
use crate::view::{Kind, Messages, NONE, Speaker, View};

/// From this many tokens on the newest request is quoted, not moved.
const LONG_REQUEST: u32 = 500;
/// Results that stubs refer to are kept up to the range's tokens divided by this.
const SHARE_OF_MEANT: u64 = 2;
/// A summary that stands within this many times the top is the one that the top was kept for.
const KEPT_TOP: usize = 2;

/// The entries to summarise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Split {
    pub start: u32,
    pub end: u32,
    /// Entries of the range that are kept, behind the summary.
    pub moved: Vec<u32>,
}

impl Split {
    /// The same in messages.
    pub fn in_messages(&self, messages: &Messages) -> Self {
        let mut moved: Vec<u32> = self.moved.iter().map(|&unit| messages.of_unit(unit)).collect();
        moved.dedup();
        Self { start: messages.before(self.start), end: messages.before(self.end), moved }
    }
}

/// Splits a history; `earlier` are the units of earlier summaries.
pub(super) fn split(
    history: History<'_>,
    framing: Framing,
    settings: &SummarySettings,
    earlier: &[u32],
    prices: &mut Prices<'_>,
) -> Result<Result<Split, NoopReason>, Error> {
    let boundaries = Boundaries::of(history.view);
    let (top, tail) = cuts(history.view, framing, settings, &boundaries, earlier, prices)?;
    if boundaries.is_empty() {
        return Ok(Err(NoopReason::EmptyHistory));
    }
    // What a system says first stays first.
    let mut top = top.max(boundaries.first_word(0..boundaries.len()).unwrap_or(0));
    if settings.keep_first_request == Some(true) {
        top = top.max(behind_first_request(&boundaries, earlier));
    }
    let range = match range(framing, settings.fewest(framing), &boundaries, earlier, top..tail) {
        Ok(range) => range,
        Err(reason) => return Ok(Err(reason)),
    };
    let (start, end) = (position(range.start), position(range.end));
    let moved = moved(history, framing, &boundaries, &range, earlier, prices)?;
    if holds_prefix(history.view, end.saturating_sub(1)) {
        return Ok(Err(NoopReason::ThinkingBound));
    }
    let is_left = |unit: &u32| earlier.binary_search(unit).is_err() && moved.binary_search(unit).is_err();
    if !(start..end).any(|unit| is_left(&unit)) {
        return Ok(Err(NoopReason::NothingToGain));
    }
    Ok(Ok(Split { start, end, moved }))
}

/// The boundary behind the first request; 0 if a summary stands in front of it.
fn behind_first_request(boundaries: &Boundaries, earlier: &[u32]) -> usize {
    let units = boundaries.units();
    let is_request = |&at: &usize| boundaries.is_human(at);
    let Some(request) = (0..boundaries.len()).find(is_request) else { return 0 };
    if units.get(request).is_some_and(|unit| earlier.binary_search(unit).is_ok()) {
        return 0;
    }
    (request + 1..=boundaries.len()).find(|&at| boundaries.is_legal(at)).unwrap_or(0)
}

/// Where top and tail are cut, before that is moved to boundaries. What the model hasn't answered is always in the tail.
fn cuts(
    view: &View,
    framing: Framing,
    settings: &SummarySettings,
    boundaries: &Boundaries,
    earlier: &[u32],
    prices: &mut Prices<'_>,
) -> Result<(usize, usize), Error> {
    let length = boundaries.messages(0..boundaries.len());
    let is_tokens = |size| matches!(size, Some(Size::Tokens(_)));
    let tokens = if is_tokens(settings.preserve) || is_tokens(settings.top_preserve) {
        boundaries.by_message(&prices.all()?)
    } else {
        vec![0; length]
    };
    let preserve = match framing {
        Framing::Structured => settings.preserve.unwrap_or(Size::Messages(0.0)),
        _ => settings.preserve.unwrap_or(Size::Fraction(defaults::PRESERVE)),
    };
    let tail = match preserve {
        Size::Fraction(fraction) => whole(fraction, length, f64::floor, true),
        other => tail_start(Some(other), &tokens)?,
    };
    let tail_position = boundaries.position_of(tail).min(behind_last_answer(boundaries, view, earlier));
    if framing != Framing::MiddleOut {
        return Ok((0, tail_position));
    }
    let top = match settings.top_preserve.unwrap_or(Size::Fraction(defaults::TOP_PRESERVE)) {
        Size::Fraction(fraction) => whole(fraction, length, f64::ceil, false),
        other => {
            // The longest top of so many tokens is the longest tail of the reversed history.
            let reversed: Vec<u32> = tokens.iter().rev().copied().collect();
            length - tail_start(Some(other), &reversed)?
        }
    };
    Ok((boundaries.position_of(top), tail_position))
}

/// The position behind the model's last message or the newest summary: the model never saw what follows, so no summary
/// stands for that. A history without either is as the caller says.
fn behind_last_answer(boundaries: &Boundaries, view: &View, earlier: &[u32]) -> usize {
    let is_models =
        |unit: &u32| view.unit(*unit).speaker == Speaker::Ai || earlier.binary_search(unit).is_ok();
    boundaries.units().iter().rposition(is_models).map_or(usize::MAX, |at| at + 1)
}

/// A part of a length, or the rest of it, rounded.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn whole(fraction: f64, length: usize, round: fn(f64) -> f64, is_rest: bool) -> usize {
    let part = if is_rest { 1.0 - fraction } else { fraction };
    round(length as f64 * part) as usize
}

fn range(
    framing: Framing,
    fewest: usize,
    boundaries: &Boundaries,
    earlier: &[u32],
    Range { start: top, end: tail }: Range<usize>,
) -> Result<Range<usize>, NoopReason> {
    // An earlier summary is merged into the new one, or summaries would pile up at the top.
    let first_summary = earlier.first().map_or(usize::MAX, |&unit| unit as usize);
    let legal = |at: usize| (0..=at).rev().find(|&at| boundaries.is_legal(at)).unwrap_or(0);
    let enough = |start: usize, end: usize| boundaries.messages(start..end) >= fewest;
    // What an earlier summary kept in front of it stays in front: the provider's cache holds it.
    let is_kept = |top: usize| {
        (top..=top.saturating_mul(KEPT_TOP)).contains(&first_summary) && enough(legal(first_summary), tail)
    };
    let start = |top: usize| if first_summary < top || is_kept(top) { legal(first_summary) } else { top };
    let too_few = if tail == 0 { NoopReason::TailCoversAll } else { NoopReason::TooFewCompressible };
    if framing == Framing::MiddleOut && !enough(start(top), tail) {
        return Err(too_few);
    }
    let (top, tail) = (if top == 0 { 0 } else { start(boundaries.adjust(top)) }, boundaries.adjust(tail));
    if enough(top, tail) { Ok(top..tail) } else { Err(too_few) }
}

/// What is kept of a range: the newest request, if short, protected messages with everything bound to them, and the results
/// that stubs behind the range refer to ("unchanged since your last read").
fn moved(
    history: History<'_>,
    framing: Framing,
    boundaries: &Boundaries,
    range: &Range<usize>,
    earlier: &[u32],
    prices: &mut Prices<'_>,
) -> Result<Vec<u32>, Error> {
    let view = history.view;
    let mut moved = Vec::new();
    for group in boundaries.groups() {
        let inside = group.start >= range.start && group.end <= range.end;
        let units = position(group.start)..position(group.end);
        if inside && units.clone().any(|unit| view.unit(unit).is_protected()) {
            moved.extend(units.filter(|unit| earlier.binary_search(unit).is_err()));
        }
    }
    for units in meant_by_stubs(history, boundaries, range, prices)? {
        moved.extend(units.filter(|unit| earlier.binary_search(unit).is_err()));
    }
    moved.sort_unstable();
    moved.dedup();
    if framing == Framing::MiddleOut
        && let Some(request) = super::voices::newest_request(history, earlier, view.len())
        && (position(range.start)..position(range.end)).contains(&request)
        && stands_alone(history, request)
        && prices.unit(request)? < LONG_REQUEST
        && let Err(at) = moved.binary_search(&request)
    {
        moved.insert(at, request);
    }
    Ok(moved)
}

/// The groups of a range with results that stubs behind it mean, as long as they are a small part of the range: a summary must
/// still make the history smaller.
fn meant_by_stubs(
    history: History<'_>,
    boundaries: &Boundaries,
    range: &Range<usize>,
    prices: &mut Prices<'_>,
) -> Result<Vec<Range<u32>>, Error> {
    let meant = meant_from(history.view, history.source, position(range.end));
    if meant.is_empty() {
        return Ok(Vec::new());
    }
    let mut left = prices.sum(position(range.start)..position(range.end))? / SHARE_OF_MEANT;
    let mut kept: Vec<Range<u32>> = Vec::new();
    for index in meant {
        let unit = history.view.block(index).unit;
        let holds = |group: &Range<usize>| (position(group.start)..position(group.end)).contains(&unit);
        let Some(group) = boundaries.groups().find(holds) else { continue };
        let units = position(group.start)..position(group.end);
        if group.start < range.start || group.end > range.end || kept.contains(&units) {
            continue;
        }
        let tokens = prices.sum(units.clone())?;
        if tokens <= left {
            left -= tokens;
            kept.push(units);
        }
    }
    Ok(kept)
}

/// Whether a unit is a message that may leave its place without parting anything.
pub(super) fn stands_alone(history: History<'_>, unit: u32) -> bool {
    let view = history.view;
    view.message_of(unit).len() == 1
        && view.blocks_of(unit).all(|index| {
            let block = view.block(index);
            block.atom == 0 && !matches!(block.kind, Kind::ToolCall | Kind::ToolResponse)
        })
}

/// Whether the model waits for results.
pub(super) fn has_open_calls(history: History<'_>) -> bool {
    let view = history.view;
    (0..view.block_count()).any(|index| {
        let block = view.block(index);
        block.kind == Kind::ToolCall && block.is_live() && block.call != 0 && view.partner(index).is_none()
    })
}

/// Whether the history holds calls or responses.
pub(super) fn has_calls(history: History<'_>) -> bool {
    let view = history.view;
    (0..view.block_count()).any(|index| matches!(view.block(index).kind, Kind::ToolCall | Kind::ToolResponse))
}

/// The units that hold earlier summaries of ours.
pub(super) fn earlier_summaries(history: History<'_>) -> Vec<u32> {
    let view = history.view;
    (0..view.len()).filter(|&unit| view.is_summary(history.source, unit)).collect()
}

fn position(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(NONE)
}
