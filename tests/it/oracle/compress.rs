//! The two deterministic strategies, naively.

use std::ops::Range;

use densify::content::{Block, KnownBlock, Speaker};
use densify::summary::SUMMARY_HEAD;
use serde_json::Value;

use super::facts::{is_failure, short_name};
use densify::tokens::estimate::estimate;

use super::{Entry, is_compacted, is_editable, json_length, known, pairs, tokens_of, utf16};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strategy {
    HighDensity,
    TopDown,
}

/// What a compression did; `Err` with the reason if it did nothing.
#[derive(Debug, PartialEq)]
pub struct Compressed {
    pub summarized: usize,
    pub dropped: usize,
    pub tail: usize,
    pub tokens_after: u64,
}

/// Compresses to a target, with a tail of `preserve` (a fraction of the entries).
pub fn compress(
    history: &mut Vec<Entry>,
    strategy: Strategy,
    target: u64,
    preserve: f64,
    keep_request: bool,
) -> Result<Compressed, &'static str> {
    if history.is_empty() {
        return Err("empty-history");
    }
    if total(history) <= target {
        return Err("already-under-target");
    }
    match strategy {
        Strategy::HighDensity => high_density(history, target, preserve, keep_request),
        Strategy::TopDown => top_down(history, target, keep_request),
    }
}

fn total(history: &[Entry]) -> u64 {
    history.iter().map(|entry| tokens_of(&entry.content)).sum()
}

/// Whether a history may be cut before the entry at `position`.
pub fn is_legal(history: &[Entry], position: usize) -> bool {
    if position == 0 {
        return true;
    }
    let pairs = pairs(history);
    let parts = pairs.iter().any(|(call, response)| call.0 < position && position <= response.0);
    let opens = |entry: usize| {
        let blocks = 0..history[entry].content.blocks.len();
        history[entry].content.speaker == Speaker::Ai
            && blocks.into_iter().any(|block| {
                let is_answered = pairs.iter().any(|(call, _)| *call == (entry, block));
                let call = known(history, (entry, block));
                !is_answered && matches!(call, Some(KnownBlock::ToolCall { id, .. }) if id.is_string())
            })
    };
    let newest = history.iter().rposition(|entry| entry.content.speaker != Speaker::Tool);
    let in_open_batch = newest.is_some_and(|newest| opens(newest) && position > newest);
    !parts && !opens(position - 1) && !in_open_batch
}

/// The stretches between neighbouring boundaries.
fn groups(history: &[Entry]) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut start = 0;
    for position in 1..=history.len() {
        if is_legal(history, position) {
            groups.push(start..position);
            start = position;
        }
    }
    groups
}

fn is_protected(history: &[Entry], group: &Range<usize>) -> bool {
    history[group.clone()].iter().any(|entry| !is_editable(&entry.content))
}

fn first_request(history: &[Entry]) -> Option<usize> {
    history.iter().position(|entry| entry.content.speaker == Speaker::Human)
}

/// The newest summary, which stays.
fn summary(history: &[Entry]) -> Option<usize> {
    history.iter().rposition(|entry| {
        let says_so = entry.content.rest.get("metadata").is_some_and(|about| about["isSummary"] == true);
        let text = entry.content.blocks.iter().find_map(|block| match block {
            Block::Known(KnownBlock::Text { text, .. }) => Some(text.as_str()),
            _ => None,
        });
        let opens =
            text.and_then(|text| text.lines().next()).is_some_and(|line| line.trim_end() == SUMMARY_HEAD);
        entry.content.speaker == Speaker::Human && (says_so || opens)
    })
}

/// The newest request, which goes last; the only one is the first as well.
fn newest_request(history: &[Entry], keep_request: bool) -> Option<usize> {
    let is_summary = |at: usize| summary(&history[..=at]) == Some(at);
    let humans = (0..history.len()).filter(|&at| history[at].content.speaker == Speaker::Human);
    let newest = humans.rev().find(|&at| !is_summary(at));
    newest.filter(|_| keep_request || newest != first_request(history))
}

fn drop_groups(history: &mut Vec<Entry>, dropped: &[Range<usize>]) -> usize {
    let before = history.len();
    let mut index = 0;
    history.retain(|_| {
        index += 1;
        !dropped.iter().any(|group| group.contains(&(index - 1)))
    });
    before - history.len()
}

fn top_down(history: &mut Vec<Entry>, target: u64, keep_request: bool) -> Result<Compressed, &'static str> {
    let request = first_request(history).filter(|_| keep_request);
    let newest = newest_request(history, keep_request).filter(|_| keep_request);
    let mut best = top_down_cut(history, target, [request, newest]);
    // The newest request goes only where that helps.
    let rest = best.as_ref().map_or(u64::MAX, |(.., rest)| *rest);
    if rest > target && newest != request {
        #[allow(clippy::cast_precision_loss)]
        let limit = (target as f64 + 0.5) / 0.6;
        #[allow(clippy::cast_precision_loss)]
        let helps = |less: u64| {
            less <= target
                || (less as f64) < limit && rest as f64 >= limit
                || less as f64 <= limit && rest as f64 > limit
        };
        let less = top_down_cut(history, target, [request, None]);
        best = less.filter(|(.., rest)| helps(*rest)).or(best);
    }
    let Some((cut, groups, _)) = best else { return Err("nothing-to-gain") };
    let tail = history.len() - cut;
    let dropped = drop_groups(history, &groups);
    if dropped == 0 {
        return Err("nothing-to-gain");
    }
    Ok(Compressed { summarized: 0, dropped, tail, tokens_after: total(history) })
}

/// The first cut that leaves at most the target, else the last one; what goes, and what is left.
fn top_down_cut(
    history: &[Entry],
    target: u64,
    kept: [Option<usize>; 2],
) -> Option<(usize, Vec<Range<usize>>, u64)> {
    let stays: Vec<usize> = kept.into_iter().flatten().chain(summary(history)).collect();
    let mut best = None;
    for cut in 1..(history.len() + 1).saturating_sub(2) {
        if !is_legal(history, cut) {
            continue;
        }
        let before = groups(history).into_iter().filter(|group| group.end <= cut);
        let (kept, dropped): (Vec<_>, Vec<_>) = before
            .partition(|group| is_protected(history, group) || stays.iter().any(|at| group.contains(at)));
        let rest = total(&history[cut..]) + kept.into_iter().map(|group| total(&history[group])).sum::<u64>();
        best = Some((cut, dropped, rest));
        if rest <= target {
            break;
        }
    }
    best
}

fn high_density(
    history: &mut Vec<Entry>,
    target: u64,
    preserve: f64,
    keep_request: bool,
) -> Result<Compressed, &'static str> {
    let tail = tail_start(history, preserve);
    if tail == 0 {
        return Err("tail-covers-all");
    }
    let length = history.len();
    let todos = newest_todos(history);
    let before = total(history);
    let summarized = summarize(history, tail);
    let groups = truncated(history, tail, (before, target), keep_request, todos);
    let lost = summarized.iter().filter(|at| groups.iter().any(|group| group.contains(at))).count();
    let dropped = drop_groups(history, &groups);
    if summarized.len() - lost + dropped == 0 {
        return Err("nothing-to-gain");
    }
    let tokens_after = total(history);
    Ok(Compressed { summarized: summarized.len() - lost, dropped, tail: length - tail, tokens_after })
}

#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn tail_start(history: &[Entry], preserve: f64) -> usize {
    let kept = (history.len() as f64 * preserve).ceil() as usize;
    let mut start = history.len() - kept.min(history.len());
    let is_tool = |at: usize| history[at].content.speaker == Speaker::Tool;
    let forward = (start..history.len()).find(|at| !is_tool(*at));
    start = forward.unwrap_or(start);
    (0..=start).rev().find(|at| is_legal(history, *at)).unwrap_or(0)
}

/// Writes the lines; returns the entry of each of them.
fn summarize(history: &mut [Entry], tail: usize) -> Vec<usize> {
    let mut lines = Vec::new();
    for entry in 0..tail {
        for block in 0..history[entry].content.blocks.len() {
            let Some(KnownBlock::ToolResponse { tool_name, result, error, .. }) =
                known(history, (entry, block))
            else {
                continue;
            };
            let Some(result) = result.as_ref().filter(|result| !result.is_null()) else { continue };
            if is_compacted(Some(result), tool_name) || !is_editable(&history[entry].content) {
                continue;
            }
            let outcome = if is_failure(Some(result), error.as_ref()) { "error" } else { "success" };
            let size = match (result, result.get("output")) {
                (Value::String(text), _) => format!(", {} lines", text.split('\n').count()),
                (Value::Object(_), Some(Value::String(text))) => format!(", {} chars", utf16(text)),
                _ => String::new(),
            };
            let tool = short_name(tool_name.as_str().unwrap_or_default());
            let key = key_of(history, (entry, block));
            let line = Value::String(format!("[{tool}{key} — {outcome}{size}]"));
            let tokens = |value: &Value| match value {
                Value::String(text) => estimate(text),
                value => estimate(&value.to_string()),
            };
            let is_certain = json_length(result) > 64 * line.as_str().map_or(0, str::len);
            if json_length(&line) < json_length(result) && (is_certain || tokens(&line) < tokens(result)) {
                lines.push((entry, block, line));
            }
        }
    }
    for (entry, block, line) in &lines {
        if let Block::Known(KnownBlock::ToolResponse { result, .. }) =
            &mut history[*entry].content.blocks[*block]
        {
            *result = Some(line.clone());
        }
    }
    lines.into_iter().map(|(entry, ..)| entry).collect()
}

/// `: key parameter` of the call that a response answers; random histories name files, commands
/// and patterns of ordinary length only.
fn key_of(history: &[Entry], response: (usize, usize)) -> String {
    let pairs = pairs(history);
    let Some((call, _)) = pairs.iter().find(|pair| pair.1 == response) else { return String::new() };
    let Some(KnownBlock::ToolCall { parameters, .. }) = known(history, *call) else { return String::new() };
    for key in ["file_path", "absolute_path", "path", "paths", "command", "pattern", "query"] {
        let text = match parameters.get(key) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Array(list)) if list.iter().all(Value::is_string) => {
                list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
            }
            _ => continue,
        };
        if !text.is_empty() {
            return format!(": {text}");
        }
    }
    String::new()
}

/// The groups that go: the oldest, then the newest todos, then the first request.
fn truncated(
    history: &[Entry],
    tail: usize,
    (before, target): (u64, u64),
    keep_request: bool,
    todos: Option<usize>,
) -> Vec<Range<usize>> {
    let request = first_request(history).filter(|_| keep_request);
    let newest = newest_request(history, keep_request);
    let rank = |group: &Range<usize>| {
        if newest.is_some_and(|at| group.contains(&at)) {
            3
        } else if request.is_some_and(|at| group.contains(&at)) {
            2
        } else {
            usize::from(todos.is_some_and(|at| group.contains(&at)))
        }
    };
    let mut candidates: Vec<_> = groups(history).into_iter().filter(|group| group.end <= tail).collect();
    candidates.retain(|group| summary(history).is_none_or(|at| !group.contains(&at)));
    let mut rest = total(history);
    let goal = goal(history, &candidates, (before, target));
    let until = goal.unwrap_or(target);
    let must_go = [2, 3].map(|least| {
        let before = candidates.iter().filter(|group| rank(group) < least && !is_protected(history, group));
        let before = before.map(|group| total(&history[group.clone()])).sum::<u64>();
        goal.is_some() && rest - before > until
    });
    candidates.sort_by_key(|group| match (rank(group), must_go) {
        (2, [true, _]) => 0,
        (3, [_, true]) => 1,
        (rank, _) => rank + 2,
    });
    let mut dropped: Vec<Range<usize>> = Vec::new();
    let mut left = history.len();
    for group in candidates {
        if rest <= until {
            break;
        }
        let is_users = history[group.clone()].iter().any(|entry| entry.content.speaker == Speaker::Human);
        if goal.is_none() && is_users {
            continue;
        }
        let saved = total(&history[group.clone()]);
        let may_go = match rank(&group) {
            rank @ 2.. => must_go[rank - 2],
            _ => true,
        };
        let is_in_vain = !may_go && rest - saved > until;
        if !is_protected(history, &group) && left > group.len() && !is_in_vain {
            rest -= saved;
            left -= group.len();
            dropped.push(group);
        }
    }
    dropped
}

/// The size that dropping groups reaches, of a window with the threshold 1; none if that drops requests in vain.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn goal(history: &[Entry], candidates: &[Range<usize>], (before, target): (u64, u64)) -> Option<u64> {
    let now = total(history);
    if now <= target || (now - target) * 100 < before {
        return None;
    }
    let may_go = candidates.iter().filter(|group| !is_protected(history, group));
    let floor = now - may_go.map(|group| total(&history[group.clone()])).sum::<u64>();
    let limit = (target as f64 + 0.5) / 0.6;
    [target, target.max((limit * 0.95) as u64), limit as u64].into_iter().find(|&goal| floor <= goal)
}

fn newest_todos(history: &[Entry]) -> Option<usize> {
    let names = ["todo_write", "TodoWrite", "todowrite", "update_plan", "write_todos"];
    let mut newest = None;
    for (call, response) in pairs(history) {
        let Some(KnownBlock::ToolCall { name, .. }) = known(history, call) else { continue };
        let Some(KnownBlock::ToolResponse { result, error, .. }) = known(history, response) else { continue };
        let is_todo = name.as_str().is_some_and(|name| names.contains(&name));
        if is_todo && !is_failure(result.as_ref(), error.as_ref()) {
            newest = newest.max(Some(call.0));
        }
    }
    newest
}
