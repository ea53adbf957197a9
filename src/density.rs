//! One-shot calls on contents, for native callers.

use std::collections::BTreeMap;

use crate::content::{Content, Speaker};
use crate::edit::{DensityResult, Edit, apply_to};
use crate::error::Error;
use crate::optimizer::{Optimizer, Run};
use crate::options::{CompressSettings, DensityConfig, FlushPolicy, OptimizeSettings};
use crate::strategy::Outcome;
use crate::view::{ContentSource, push_contents};

/// What the density rules propose for a raw history (REQ-HD-001.2).
///
/// # Errors
/// [`crate::ErrorCode::InvalidOptions`].
pub fn propose_density(history: &[Content], config: &DensityConfig) -> Result<DensityResult, Error> {
    let mut optimizer = Optimizer::new(&config.clone().into())?;
    load(&mut optimizer, history)?;
    let run = optimizer.run(&history, true)?;
    let metadata = run.metadata();
    let mut removals = Vec::new();
    let mut replacements = BTreeMap::new();
    for (unit, edits) in by_unit(&run) {
        let Some(content) = history.get(unit) else { continue };
        match apply_to(content, &edits, optimizer.editor.texts()) {
            None => removals.push(unit),
            Some(replacement) => {
                replacements.insert(unit, replacement);
            }
        }
    }
    Ok(DensityResult { removals, replacements, metadata })
}

/// A history after the rules. It is what an [`Optimizer`] would have sent that ran right before each answer of the model.
/// If all edits are made at once ([`FlushPolicy::Always`]), the rules run over the whole history, until they find nothing
/// more: the run reports the decisions of the first time; later ones, by what it left, are only counted.
///
/// # Errors
/// [`crate::ErrorCode::InvalidOptions`].
pub fn optimize_contents(
    history: &[Content],
    settings: &OptimizeSettings,
) -> Result<(Vec<Content>, Run), Error> {
    let (mut output, first) = run_once(history, settings)?;
    let mut run = first.clone();
    let mut newest = first;
    while settings.flush_policy() == FlushPolicy::Always && leads_on(&newest) {
        let (left, later) = run_once(&output, settings)?;
        run.counts.iter_mut().zip(later.counts).for_each(|(count, more)| *count += more);
        (output, newest) = (left, later);
    }
    Ok((output, run))
}

fn run_once(history: &[Content], settings: &OptimizeSettings) -> Result<(Vec<Content>, Run), Error> {
    let mut optimizer = Optimizer::new(settings)?;
    load(&mut optimizer, history)?;
    let run = optimizer.run(&history, false)?;
    Ok((apply(history, &run, &optimizer), run))
}

/// Whether an edit was made that may lead to others.
fn leads_on(run: &Run) -> bool {
    run.edits.iter().any(|logged| !logged.pending && logged.rule.leads_on())
}

/// A history after a deterministic strategy.
///
/// # Errors
/// As [`crate::strategy::compress`].
pub fn compress_contents(
    history: &[Content],
    settings: &CompressSettings,
) -> Result<(Vec<Content>, Outcome), Error> {
    let mut optimizer = Optimizer::for_compression(settings)?;
    load(&mut optimizer, history)?;
    let (outcome, run) = optimizer.compress(settings, &history)?;
    Ok((apply(history, &run, &optimizer), outcome))
}

fn load(optimizer: &mut Optimizer, history: &[Content]) -> Result<(), Error> {
    let mut source = ContentSource::new(optimizer.tools.clone());
    for content in history {
        if matches!(content.speaker, Speaker::Ai) {
            optimizer.end_turn(&history)?;
        }
        push_contents(&mut optimizer.view, &mut source, std::slice::from_ref(content));
    }
    optimizer.recognize(&history);
    Ok(())
}

fn by_unit(run: &Run) -> BTreeMap<usize, Vec<Edit>> {
    let mut edits: BTreeMap<usize, Vec<Edit>> = BTreeMap::new();
    for logged in &run.edits {
        edits.entry(logged.edit.unit() as usize).or_default().push(logged.edit);
    }
    edits
}

fn apply(history: &[Content], run: &Run, optimizer: &Optimizer) -> Vec<Content> {
    let made: Vec<Edit> =
        run.edits.iter().filter(|logged| !logged.pending).map(|logged| logged.edit).collect();
    crate::edit::apply_edits(history, &made, optimizer.editor.texts())
}
