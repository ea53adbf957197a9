//! The documents' own form of what `optimize` proposes: removals and replacements by index.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::content::Content;
use crate::error::{Error, ErrorCode};
use crate::options::number;

/// How often each density rule fired: accepted edits only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct DensityMetadata {
    /// Stale reads that were removed, call and response counted as one.
    pub read_write_pairs_pruned: u32,
    /// Earlier inclusions of a file that were cut.
    pub file_deduplications_pruned: u32,
    /// Old results that were replaced by a pointer.
    pub recency_pruned: u32,
}

/// What the density rules propose for a history.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DensityResult {
    /// Indices of the raw history that go, ascending.
    pub removals: Vec<usize>,
    /// Entries that are replaced, by index of the raw history.
    pub replacements: BTreeMap<usize, Content>,
    /// How often each rule fired.
    pub metadata: DensityMetadata,
}

/// Applies a density result: replacements first, then removals.
///
/// # Errors
/// [`ErrorCode::InvalidDensityResult`], as [`check_density`].
pub fn apply_density_result(history: &[Content], result: &DensityResult) -> Result<Vec<Content>, Error> {
    #[allow(clippy::cast_precision_loss)]
    let as_numbers = |indices: Vec<usize>| indices.into_iter().map(|index| index as f64).collect::<Vec<_>>();
    let replaced = as_numbers(result.replacements.keys().copied().collect());
    check_density(history.len(), &as_numbers(result.removals.clone()), &replaced)?;
    let mut is_removed = vec![false; history.len()];
    for &index in &result.removals {
        if let Some(place) = is_removed.get_mut(index) {
            *place = true;
        }
    }
    let kept = history.iter().enumerate().zip(is_removed).filter(|(_, gone)| !gone).map(|(kept, _)| kept);
    Ok(kept.map(|(index, content)| result.replacements.get(&index).unwrap_or(content).clone()).collect())
}

/// Checks that a density result fits a history: whole numbers within it, none twice, none both
/// removed and replaced (REQ-HD-001.6, 001.7).
///
/// # Errors
/// [`ErrorCode::InvalidDensityResult`] with the first index that is wrong.
pub fn check_density(length: usize, removals: &[f64], replacements: &[f64]) -> Result<(), Error> {
    let mut is_taken = vec![false; length];
    for (list, what) in [(removals, "removals"), (replacements, "replacements")] {
        for &index in list {
            #[allow(clippy::cast_precision_loss)]
            let is_valid = index.fract() == 0.0 && index >= 0.0 && index < length as f64;
            if !is_valid {
                let message = format!(
                    "{what}: found index {}, expected a whole number from 0 to {}",
                    number(index),
                    length.saturating_sub(1)
                );
                return Err(Error::new(ErrorCode::InvalidDensityResult, message));
            }
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let at = index as usize;
            let Some(place) = is_taken.get_mut(at) else { continue };
            if std::mem::replace(place, true) {
                let message = format!(
                    "{what}: found index {} a second time, expected each index once, in removals or in replacements",
                    number(index)
                );
                return Err(Error::new(ErrorCode::InvalidDensityResult, message).at(at));
            }
        }
    }
    Ok(())
}
