//! top-down-truncation: drops the oldest entries, up to a boundary, until the target is reached.

use std::ops::Range;

use super::{Done, Job, NoopReason};
use crate::edit::{Decision, Rule};
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
    let kept = cut(job, [request, summary], last);
    let without = if request.is_some() && keep != KeepFirst::Always && !reaches(job, kept.as_ref()) {
        cut(job, [None, summary], last).filter(|without| helps(job, kept.as_ref(), without))
    } else {
        None
    };
    let gave_up_first_request = without.is_some();
    let Some(cut) = without.or(kept) else { return Ok(Err(NoopReason::NothingToGain)) };
    let cause = job.cause(cut.position);
    if cut.units.is_empty()
        || job.editor.drop_units(job.view, &cut.units, Rule::Truncation, cause) != Decision::Accepted
    {
        return Ok(Err(NoopReason::NothingToGain));
    }
    let entries_dropped = u32::try_from(cut.messages).unwrap_or(u32::MAX);
    let tail_count = job.boundaries.messages(cut.position..job.boundaries.len());
    Ok(Ok(Done { tail_count, results_summarized: 0, entries_dropped, gave_up_first_request }))
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

fn reaches(job: &Job<'_>, cut: Option<&Cut>) -> bool {
    cut.is_some_and(|cut| cut.rest <= job.budget.target)
}

/// Whether dropping the first request is worth it: without it the history reaches the target, gets below the
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
fn cut(job: &Job<'_>, kept: [Option<usize>; 2], last: usize) -> Option<Cut> {
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

/// Whether a group stays: it holds the first request or a summary, or the caller protects a part of it.
fn must_stay(job: &Job<'_>, group: &Range<usize>, kept: [Option<usize>; 2]) -> bool {
    kept.into_iter().flatten().any(|at| group.contains(&at)) || job.is_protected(group)
}
