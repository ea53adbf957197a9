//! top-down-truncation: the oldest entries go, at a boundary, until the target is reached.

use std::ops::Range;

use super::{Done, Job, NoopReason};
use crate::edit::{Decision, Rule};

/// So many entries stay at least.
const KEPT: usize = 2;

/// Drops everything before the smallest boundary that leaves at most the target.
pub(super) fn run(job: &mut Job<'_>) -> Result<Done, NoopReason> {
    let length = job.boundaries.len();
    let kept = [job.first_request(false), job.summary()];
    let mut rest: u64 = job.tokens.iter().copied().map(u64::from).sum();
    let mut opening = None;
    let mut units = Vec::new();
    let mut messages = 0;
    // How many of these units and messages go, and where the rest starts.
    let mut cut = None;
    for group in job.boundaries.groups() {
        let position = group.end;
        // A boundary that would leave too little is no choice, nor is any behind it.
        if job.boundaries.messages(position..length) < KEPT {
            break;
        }
        if must_stay(job, &group, kept) {
            // An entry of a system stays as well, and opens nothing, unless it would be said to.
            opening = opening.or_else(|| job.boundaries.opening(group.clone()).map(|_| group.start));
        } else {
            let tokens = job.tokens.get(group.clone()).unwrap_or(&[]);
            rest -= tokens.iter().copied().map(u64::from).sum::<u64>();
            messages += job.boundaries.messages(group.clone());
            units.extend(job.units(group));
        }
        if job.boundaries.may_open(opening.unwrap_or(position), job.view) {
            cut = Some((units.len(), messages, position));
            if rest <= job.budget.target {
                break;
            }
        }
    }
    let (count, dropped, position) = cut.ok_or(NoopReason::NothingToGain)?;
    units.truncate(count);
    let cause = job.cause(position);
    if units.is_empty()
        || job.editor.drop_units(job.view, &units, Rule::Truncation, cause) != Decision::Accepted
    {
        return Err(NoopReason::NothingToGain);
    }
    let entries_dropped = u32::try_from(dropped).unwrap_or(u32::MAX);
    let tail_count = job.boundaries.messages(position..length);
    Ok(Done { tail_count, results_summarized: 0, entries_dropped })
}

/// Whether a group must stay: as the first request or a summary, or since the caller protects a part of it.
fn must_stay(job: &Job<'_>, group: &Range<usize>, kept: [Option<usize>; 2]) -> bool {
    let units = job.boundaries.units().get(group.clone()).unwrap_or(&[]);
    kept.into_iter().flatten().any(|at| group.contains(&at))
        || units.iter().any(|&unit| job.view.unit(unit).is_protected())
}
