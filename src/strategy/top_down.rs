//! top-down-truncation: the oldest entries go, at a boundary, until the target is reached.

use super::{Done, Job, NoopReason};
use crate::edit::{Decision, Rule};
use crate::view::Speaker;

/// So many entries stay at least.
const KEPT: usize = 2;

/// Drops everything before the smallest boundary that leaves at most the target.
pub(super) fn run(job: &mut Job<'_>) -> Result<Done, NoopReason> {
    let length = job.boundaries.len();
    let first_request = first_request(job);
    let kept_tokens = first_request.and_then(|at| job.tokens.get(at)).copied().map_or(0, u64::from);
    let mut rest: u64 = job.tokens.iter().copied().map(u64::from).sum();
    let mut cut = None;
    for position in 0..length {
        let is_after_request = first_request.is_some_and(|at| at < position);
        let total = rest + if is_after_request { kept_tokens } else { 0 };
        let is_enough = total <= job.budget.target || length - position <= KEPT;
        if job.boundaries.may_open(position, job.view) {
            // A boundary behind the one that would leave too little is no choice.
            if length - position < KEPT {
                break;
            }
            cut = Some(position);
            if is_enough {
                break;
            }
        }
        rest -= job.tokens.get(position).copied().map_or(0, u64::from);
    }
    let cut = cut.filter(|&cut| cut > 0).ok_or(NoopReason::NothingToGain)?;
    let dropped = droppable(job, cut, first_request);
    let cause = job.cause(cut);
    if dropped.is_empty()
        || job.editor.drop_units(job.view, &dropped, Rule::Truncation, cause) != Decision::Accepted
    {
        return Err(NoopReason::NothingToGain);
    }
    let entries_dropped = u32::try_from(dropped.len()).unwrap_or(u32::MAX);
    Ok(Done { tail: cut, results_summarized: 0, entries_dropped })
}

/// The units of the groups before the cut. One that holds a protected unit or the first request
/// stays whole, so that no call is parted from its response.
fn droppable(job: &Job<'_>, cut: usize, first_request: Option<usize>) -> Vec<u32> {
    let is_kept = |at: usize| {
        let unit = job.boundaries.units().get(at);
        first_request == Some(at) || unit.is_some_and(|&unit| job.view.unit(unit).is_protected())
    };
    let groups = job.boundaries.groups().take_while(|group| group.end <= cut);
    groups.filter(|group| !group.clone().any(is_kept)).flat_map(|group| job.units(group)).collect()
}

/// The position of the first request, if it is to be kept.
fn first_request(job: &Job<'_>) -> Option<usize> {
    if !job.settings.keep_first_request.unwrap_or(false) {
        return None;
    }
    job.boundaries.units().iter().position(|&unit| job.view.unit(unit).speaker == Speaker::Human)
}
