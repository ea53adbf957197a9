//! top-down-truncation: drops the oldest entries, up to a boundary, until the target is reached.

use std::ops::Range;

use super::{Done, Job, NoopReason};
use crate::edit::{Decision, RuleName};
use crate::error::Error;
use crate::options::{KeepFirst, Size};

/// This many entries stay at least, unless the caller says otherwise.
const KEPT: usize = 2;

/// What a truncation drops.
struct Cut {
    units: Vec<u32>,
    messages: usize,
    /// Where the rest starts.
    position: usize,
    /// The tokens that stay.
    rest: u64,
}

/// Drops everything before the smallest boundary that leaves at most the target.
///
/// # Errors
/// [`crate::ErrorCode::InvalidOptions`] if `preserve` is out of range.
pub(super) fn run(job: &mut Job<'_>) -> Result<Result<Done, NoopReason>, Error> {
    let (summary, keep) = (job.summary(), job.keeps_first(false));
    let request = if keep == KeepFirst::No { None } else { job.first_request() };
    let last = last_cut(job)?;
    // Without `keepFirstRequest` the oldest entries go, also requests.
    let newest = if keep == KeepFirst::No { None } else { job.newest_request() };
    let mut chosen = cut(job, [request, newest, summary], last);
    // The first request goes before the newest one.
    let gives_first = request.is_some() && keep != KeepFirst::Always;
    let without_first = if gives_first { None } else { request };
    let mut gave_up_first_request = false;
    if gives_first && request != newest {
        gave_up_first_request = instead(job, &mut chosen, [None, newest, summary], last);
    }
    if newest.is_some() && (gives_first || request != newest) {
        let gave_up = instead(job, &mut chosen, [without_first, None, summary], last);
        gave_up_first_request |= gives_first && gave_up;
    }
    let Some(cut) = chosen else { return Ok(Err(NoopReason::NothingToGain)) };
    // The only request is the first one.
    let newest = job.newest_request().filter(|&at| Some(at) != job.first_request());
    let newest = newest.and_then(|at| job.boundaries.units().get(at));
    let gave_up_newest_request = newest.is_some_and(|unit| cut.units.contains(unit));
    let cause = job.cause(cut.position);
    if cut.units.is_empty()
        || job.editor.drop_units(job.view, &cut.units, RuleName::Truncation, cause) != Decision::Accepted
    {
        return Ok(Err(NoopReason::NothingToGain));
    }
    let entries_dropped = u32::try_from(cut.messages).unwrap_or(u32::MAX);
    let tail_count = job.boundaries.messages(cut.position..job.boundaries.len());
    Ok(Ok(Done {
        tail_count,
        results_summarized: 0,
        entries_dropped,
        gave_up_first_request,
        gave_up_newest_request,
    }))
}

/// The last position at which the history may be cut: what lies behind it stays.
fn last_cut(job: &Job<'_>) -> Result<usize, Error> {
    // Only a caller who asks for one message leaves less.
    let fewest = if matches!(job.settings.preserve, Some(Size::Messages(1.0..2.0))) { 1 } else { KEPT };
    let length = job.boundaries.len();
    let last = (0..=length).rev().find(|&at| job.boundaries.messages(at..length) >= fewest).unwrap_or(0);
    let is_given = job.settings.preserve.is_some();
    Ok(if is_given { last.min(job.boundaries.adjust(job.tail_start()?)) } else { last })
}

/// Takes the cut that keeps less instead of the chosen one, if that one is too large and it helps.
fn instead(job: &Job<'_>, chosen: &mut Option<Cut>, kept: [Option<usize>; 3], last: usize) -> bool {
    if reaches(job, chosen.as_ref()) {
        return false;
    }
    let less = cut(job, kept, last).filter(|less| helps(job, chosen.as_ref(), less));
    let is_taken = less.is_some();
    *chosen = less.or(chosen.take());
    is_taken
}

fn reaches(job: &Job<'_>, cut: Option<&Cut>) -> bool {
    cut.is_some_and(|cut| cut.rest <= job.budget.target)
}

/// Whether dropping a request is worth it: without it the history reaches the target, gets below the
/// trigger or fits the limit, and with it it doesn't.
#[allow(clippy::cast_precision_loss)]
fn helps(job: &Job<'_>, kept: Option<&Cut>, without: &Cut) -> bool {
    let rest = kept.map_or(u64::MAX, |kept| kept.rest) as f64;
    let (without, budget) = (without.rest as f64, job.budget);
    without <= budget.target as f64
        || (without < budget.trigger && rest >= budget.trigger)
        || (without <= budget.limit && rest > budget.limit)
}

/// The smallest cut that leaves at most the target, or else the largest; the groups at `kept` stay.
fn cut(job: &Job<'_>, kept: [Option<usize>; 3], last: usize) -> Option<Cut> {
    let mut rest: u64 = job.tokens.iter().copied().map(u64::from).sum();
    let mut opening = None;
    let mut units = Vec::new();
    let mut messages = 0;
    // The numbers of removed units and messages, the start of the rest, and its cost.
    let mut found = None;
    for group in job.boundaries.groups() {
        let position = group.end;
        if position > last {
            break;
        }
        if must_stay(job, &group, kept) {
            // An entry of a system stays as well. It opens the history only where the provider allows that.
            opening = opening.or_else(|| job.boundaries.opening(group.clone()).map(|_| group.start));
        } else {
            let tokens = job.tokens.get(group.clone()).unwrap_or(&[]);
            rest -= tokens.iter().copied().map(u64::from).sum::<u64>();
            messages += job.boundaries.messages(group.clone());
            units.extend(job.units(group));
        }
        if job.boundaries.may_open(opening.unwrap_or(position), job.view) {
            found = Some((units.len(), messages, position, rest));
            if rest <= job.budget.target {
                break;
            }
        }
    }
    let (count, messages, position, rest) = found?;
    units.truncate(count);
    Some(Cut { units, messages, position, rest })
}

/// Whether a group stays: it holds a request or a summary that is kept, or the caller protects a part of it.
fn must_stay(job: &Job<'_>, group: &Range<usize>, kept: [Option<usize>; 3]) -> bool {
    kept.into_iter().flatten().any(|at| group.contains(&at)) || job.is_protected(group)
}
