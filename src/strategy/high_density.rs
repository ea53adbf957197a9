//! high-density: every result outside the tail becomes one line; if that isn't enough, the oldest
//! groups of entries go.

use std::ops::Range;

use super::{Done, Job, NoopReason};
use crate::budget::Budget;
use crate::calls::outcome::has_words_of_user;
use crate::edit::{Decision, RuleName, count_text, stand_in};
use crate::error::Error;
use crate::options::KeepFirst;
use crate::rules::compacted::{ResultSize, summary_line};
use crate::tools::{brings_answers, is_answered_by_user};
use crate::view::{Kind, Leaf, Speaker, flags};

/// Summarises, then truncates.
pub(super) fn run(job: &mut Job<'_>) -> Result<Result<Done, NoopReason>, Error> {
    let tail = job.boundaries.adjust(job.tail_start()?);
    if tail == 0 {
        return Ok(Err(NoopReason::TailCoversAll));
    }
    summarize(job, tail)?;
    let may_truncate = job.settings.truncate.unwrap_or(true);
    let (entries_dropped, [gave_up_first_request, gave_up_newest_request]) =
        if may_truncate { truncate(job, tail) } else { (0, [false; 2]) };
    // What went altogether was not summarised.
    job.editor.forget_edits_of_dropped(job.view, RuleName::ResultSummary);
    let results_summarized = job.editor.count_of(RuleName::ResultSummary);
    if results_summarized + entries_dropped == 0 {
        return Ok(Err(NoopReason::NothingToGain));
    }
    let tail_count = job.boundaries.messages(tail..job.boundaries.len());
    Ok(Ok(Done {
        tail_count,
        results_summarized,
        entries_dropped,
        gave_up_first_request,
        gave_up_newest_request,
    }))
}

fn summarize(job: &mut Job<'_>, tail: usize) -> Result<(), Error> {
    let mut lines = Vec::new();
    for unit in job.units(0..tail) {
        for index in job.view.blocks_of(unit) {
            let block = job.view.block(index);
            let is_open = block.kind == Kind::ToolResponse
                && block.is_live()
                && !block.has(flags::COMPACTED | flags::FIXED_RESULT);
            if !is_open {
                continue;
            }
            let short = (block.size <= LONGEST_ANSWER).then(|| job.view.text(job.source, index, Leaf::Text));
            let short = short.as_deref();
            if short.is_some_and(|text| is_of_user(job, index, text)) {
                continue;
            }
            let line = stand_in(job.view, job.source, index, line_of(job, index, short));
            if let Some(line) = line {
                lines.push((brings_answers(job.view.names.tool_name(block.tool)), index, line));
            }
        }
    }
    // Nobody says a long answer again: such answers come last, the oldest ones first.
    lines.sort_by_key(|&(is_answer, ..)| is_answer);
    // A counter that fails does so before anything is changed.
    let counted: Result<Vec<u32>, Error> =
        lines.iter().map(|(.., line)| count_text(job.source, line)).collect();
    let cause = job.cause(tail);
    for ((is_answer, index, line), price) in lines.into_iter().zip(counted?) {
        if is_answer && job.editor.ledger.now <= job.budget.target {
            break;
        }
        if !job.editor.is_cheaper(job.view, job.source, index, &line) {
            continue;
        }
        let text = job.editor.add_text(line);
        job.editor.set_text(job.view, index, text, Some(price), (RuleName::ResultSummary, cause));
    }
    Ok(())
}

/// Larger results become a line, in UTF-16 code units of JSON. An answer of the user does so only where the target is out
/// of reach otherwise.
const LONGEST_ANSWER: u32 = 4_000;

/// Whether a result of this text holds what the user answered.
fn is_of_user(job: &Job<'_>, index: u32, text: &str) -> bool {
    is_answered_by_user(job.view.names.tool_name(job.view.block(index).tool)) || has_words_of_user(text)
}

/// The line that stands for a result, whose text may be known.
fn line_of(job: &Job<'_>, index: u32, text: Option<&str>) -> String {
    let block = job.view.block(index);
    let call = job.view.partner(index);
    let key = call.map(|call| job.view.text(job.source, call, Leaf::KeyParameter)).unwrap_or_default();
    let mut units = 0_u32;
    let mut lines = 1_u32;
    let mut count = |chunk: &str| {
        units = units.saturating_add(crate::utf16::utf16_length(chunk));
        let breaks = chunk.bytes().filter(|&byte| byte == b'\n').count();
        lines = lines.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX));
    };
    match text {
        Some(text) => count(text),
        None => job.source.read(job.view.leaf(index, Leaf::Text), &mut count),
    }
    let size = if block.has(flags::STRING_RESULT) {
        ResultSize::Lines(lines)
    } else if block.has(flags::OUTPUT_RESULT) {
        ResultSize::Chars(units)
    } else {
        ResultSize::Unknown
    };
    let tool = job.view.names.tool_name(block.tool);
    summary_line(tool, Some(&key), block.has(flags::FAILED), size)
}

/// The ranks of the requests: what has a lower one goes before them.
const FIRST: u8 = 2;
const NEWEST: u8 = 3;

/// No message of the user goes for a gain below one part in 100 of the history's tokens.
const LEAST_GAIN: u64 = 100;
/// Where the target is out of reach: the part of the limit that stays free below the trigger, so that the next
/// message doesn't trigger truncation again.
const ROOM: f64 = 0.05;

/// Drops the oldest groups, then the newest list of todos, then the first request, then the newest one, until the
/// target is reached (requirements 8.13); a request that can't stay goes first. The tail and the newest summary stay.
///
/// Returns how many entries went, and whether the first and the newest request did.
fn truncate(job: &mut Job<'_>, tail: usize) -> (u32, [bool; 2]) {
    let mut total = job.editor.ledger.now;
    if total <= job.budget.target {
        return (0, [false; 2]);
    }
    let holds =
        |group: &Range<usize>, position: Option<usize>| position.is_some_and(|at| group.contains(&at));
    let keep = job.keeps_first(true);
    let request = if keep == KeepFirst::No { None } else { job.first_request() };
    let (summary, newest) = (job.summary(), job.newest_request());
    // A caller who keeps no first request doesn't keep the only one either.
    let newest = newest.filter(|_| keep != KeepFirst::No || newest != job.first_request());
    let todos = newest_todos(job);
    let is_kept =
        |group: &Range<usize>| holds(group, summary) || (keep == KeepFirst::Always && holds(group, request));
    let groups = job.boundaries.groups().take_while(|group| group.end <= tail);
    let groups: Vec<_> = groups.filter(|group| !is_kept(group)).collect();
    // The others go before the newest todos, these before the first request, and that before the newest one.
    let rank = |group: &Range<usize>| {
        if holds(group, newest) {
            NEWEST
        } else if holds(group, request) {
            FIRST
        } else {
            u8::from(holds(group, todos))
        }
    };
    let [mut others, mut old, mut all] = [0; 3];
    for group in groups.iter().filter(|group| !job.is_protected(group)) {
        let tokens = job.tokens_now(group.clone());
        all += tokens;
        others += if rank(group) < FIRST { tokens } else { 0 };
        old += if rank(group) < NEWEST { tokens } else { 0 };
    }
    let goal = goal(job, total, total.saturating_sub(all));
    let until = goal.unwrap_or(job.budget.target);
    // A request that can't stay goes first: all that went before it would go in vain.
    let must_go = |tokens| goal.is_some() && total.saturating_sub(tokens) > until;
    let (first_must_go, newest_must_go) = (must_go(others), must_go(old));
    let order = match (first_must_go, newest_must_go) {
        (false, _) => [0, 1, FIRST, NEWEST],
        (true, false) => [FIRST, 0, 1, NEWEST],
        (true, true) => [FIRST, NEWEST, 0, 1],
    };
    let cause = job.cause(tail);
    let mut dropped = 0_usize;
    let [mut gave_up_first, mut gave_up_newest] = [false; 2];
    let mut head = 0;
    for group in order.into_iter().flat_map(|which| groups.iter().filter(move |group| rank(group) == which)) {
        if total <= until {
            break;
        }
        let (is_first, is_newest) = (rank(group) == FIRST, rank(group) == NEWEST);
        head = next_word(job, head);
        let range = if group.contains(&head) { up_to_opening(job, group, tail) } else { Some(group.clone()) };
        let Some(range) = range.filter(|range| is_live(job, range.start)) else { continue };
        let along = group.end..range.end;
        if job.is_protected(&along) || [summary, request, newest, todos].iter().any(|&at| holds(&along, at)) {
            continue;
        }
        // A message of the user that goes for nothing is a loss without a gain.
        if goal.is_none() && range.clone().any(|at| job.boundaries.is_human(at)) {
            continue;
        }
        let tokens = job.tokens_now(range.clone());
        // A request says what all the rest is for: it goes only where that is enough.
        let may_stay = is_first && !first_must_go || is_newest && !newest_must_go;
        if may_stay && total - tokens > until {
            continue;
        }
        let live = range.clone().filter(|&at| is_live(job, at));
        let units: Vec<u32> = live.clone().flat_map(|at| job.units(at..at + 1)).collect();
        let messages: usize = live.map(|at| job.boundaries.messages(at..at + 1)).sum();
        if job.editor.drop_units(job.view, &units, RuleName::Truncation, cause) == Decision::Accepted {
            total -= tokens;
            dropped += messages;
            // The only request is the first and the newest.
            gave_up_first |= is_first || is_newest && holds(&range, request);
            gave_up_newest |= is_newest && newest != job.first_request();
        }
    }
    (u32::try_from(dropped).unwrap_or(u32::MAX), [gave_up_first, gave_up_newest])
}

/// The size that truncation can reach: the target, else below the trigger, else within the limit. Nothing if
/// none can be reached, or if it saves too little to drop a message of the user.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn goal(job: &Job<'_>, total: u64, floor: u64) -> Option<u64> {
    let before: u64 = job.tokens.iter().copied().map(u64::from).sum();
    if (total - job.budget.target) * LEAST_GAIN < before {
        return None;
    }
    let Budget { target, trigger, limit } = job.budget;
    let below = (trigger - limit * ROOM).max(0.0) as u64;
    [target, below.max(target), limit as u64].into_iter().find(|&goal| floor <= goal)
}

/// A group that opens the history, and what must go along so that something else can open it; nothing if only the
/// tail could.
fn up_to_opening(job: &Job<'_>, group: &Range<usize>, tail: usize) -> Option<Range<usize>> {
    let mut end = group.end;
    while !may_open(job, end) {
        let word = next_word(job, end);
        end = (word + 1..=tail).find(|&at| job.boundaries.is_legal(at))?;
    }
    Some(group.start..end)
}

/// Whether the unit at a position is still there.
fn is_live(job: &Job<'_>, position: usize) -> bool {
    job.boundaries.units().get(position).is_some_and(|&unit| !job.view.unit(unit).dropped)
}

/// Whether the history may open with what is left from a position on: a system's entry opens nothing.
fn may_open(job: &Job<'_>, from: usize) -> bool {
    let position = next_live(job, from, |_| true);
    let is_legal = position < job.boundaries.len() && job.boundaries.is_legal(position);
    is_legal && (!job.view.capabilities.opens_with_human || job.boundaries.is_human(next_word(job, from)))
}

/// The first position from a given one on whose unit is still there and isn't a system's.
fn next_word(job: &Job<'_>, from: usize) -> usize {
    next_live(job, from, |speaker| speaker != Speaker::Other || job.boundaries.needs_word())
}

/// The first position from a given one on whose unit is still there, of such a speaker.
fn next_live(job: &Job<'_>, from: usize, speaks: impl Fn(Speaker) -> bool) -> usize {
    let units = job.boundaries.units();
    let is_found = |&at: &usize| {
        is_live(job, at) && units.get(at).is_some_and(|&unit| speaks(job.view.unit(unit).speaker))
    };
    (from..units.len()).find(is_found).unwrap_or(units.len())
}

/// The position of the newest successful call that set the todos.
fn newest_todos(job: &Job<'_>) -> Option<usize> {
    job.boundaries.units().iter().rposition(|&unit| {
        job.view.blocks_of(unit).any(|index| {
            let response = job.view.partner(index).map(|partner| job.view.block(partner));
            job.view.block(index).has(flags::TODO)
                && job.view.block(index).kind == Kind::ToolCall
                && response.is_some_and(|response| !response.has(flags::FAILED))
        })
    })
}
