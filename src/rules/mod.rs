//! The deterministic rules, one a file, and the list of them. Each keeps its own state, sees every new block once and
//! proposes edits to the [`Editor`](crate::edit::Editor); none rescans the history.

#[macro_use]
mod registry;

pub mod compacted;
mod failed_calls;
mod inclusions;
mod line_numbers;
mod new_result;
mod numbers;
mod old_results;
mod old_thinking;
mod recency;
mod references;
mod repeated_calls;
mod repeated_media;
mod repeats;
mod results;
mod rule;
mod stale_reads;
mod stubs;
mod superseded;
mod table;
mod unchanged;
mod write_arguments;

use crate::error::Error;
use crate::options::OptimizeSettings;
use failed_calls::FailedCalls;
use inclusions::Inclusions;
use line_numbers::LineNumbers;
use new_result::NewResult;
use old_results::Further;
use recency::Recency;
use repeated_calls::RepeatedCalls;
use repeated_media::RepeatedMedia;
use repeats::Repeats;
use results::Results;
use rule::{Rule, Setup};
use stale_reads::StaleReads;
use superseded::Superseded;
use write_arguments::WriteArguments;

pub use inclusions::{Inclusion, Span, scan};
pub use old_results::{COLD, FLUSHED};
pub use references::References;
pub use rule::Context;
pub use stubs::{meant_from, restore_all};

// The option of each rule, and the rule. They run in this order, and look at each new result in this order: a later rule
// finds what an earlier one replaced.
registry! {
    read_write_pruning: StaleReads,
    file_dedupe: Inclusions,
    recency_pruning: Recency,
    superseded_reads: Superseded,
    repeated_calls: RepeatedCalls,
    failed_calls: FailedCalls,
    write_arguments: WriteArguments,
    line_numbers: LineNumbers,
    repeats: Repeats,
    repeated_media: RepeatedMedia,
}

impl Registry {
    /// Notes that old results were cut: nothing that repeats them may rest on them.
    fn hide(&mut self, context: &Context<'_>, cut: impl IntoIterator<Item = u32>) {
        let Some(repeats) = &mut self.repeats else { return };
        for block in cut {
            repeats.hide(context, block);
        }
    }
}

/// The rules of a history.
#[derive(Clone, Debug)]
pub struct Rules {
    registry: Registry,
    results: Option<Results>,
}

impl Rules {
    /// The rules that the options and the preset switch on.
    ///
    /// # Errors
    /// [`crate::ErrorCode::InvalidOptions`] if a number is out of its range.
    pub fn new(settings: &OptimizeSettings) -> Result<Self, Error> {
        let preset = settings.preset.unwrap_or_default();
        let rung = old_results::rung(preset, settings.rules.old_results);
        let retention = recency::retention(settings.rules.recency_retention)?;
        let setup = Setup { settings, preset, rung, retention };
        let registry = Registry::new(&setup);
        let results = Results::new(&setup, &registry);
        Ok(Self { registry, results })
    }

    /// Runs the rules over what is new. Of the first `decided` units an earlier instance decided.
    pub fn run(&mut self, context: &mut Context<'_>, decided: u32) {
        self.registry.run(context);
        if self.registry.recency_pruning.is_none() {
            context.editor.dropped_responses.clear();
        }
        if let Some(results) = &mut self.results {
            results.run(&mut self.registry, context, decided);
        }
    }

    /// Cuts old results so many rungs further in a unit or behind it: a flush sends all of that again.
    pub fn deepen(&mut self, context: &mut Context<'_>, anew: (u32, u32)) {
        if let Some(results) = &mut self.results {
            results.deepen(&mut self.registry, context, anew);
        }
    }

    /// What a flush now would save by cutting further: the results in order.
    pub fn further_savings(&mut self, context: &Context<'_>) -> Vec<Further> {
        self.results.as_mut().map(|results| results.further_savings(context)).unwrap_or_default()
    }

    /// A budget begins to cut.
    pub fn reset_pressure(&mut self) {
        if let Some(results) = &mut self.results {
            results.reset_pressure();
        }
    }

    /// Cuts old thinking or one old result, beyond the preset; whether there was one to cut.
    pub fn cut_next(&mut self, context: &mut Context<'_>) -> bool {
        let results = self.results.as_mut();
        results.is_some_and(|results| results.cut_next(&mut self.registry, context))
    }

    /// Takes the units with a stale read that the provider doesn't let go, new since they were last taken.
    pub fn take_held(&mut self) -> Vec<u32> {
        let rule = self.registry.read_write_pruning.as_mut();
        rule.map(|rule| std::mem::take(&mut rule.held)).unwrap_or_default()
    }

    /// Takes the units whose inclusion markers don't match up, new since they were last taken.
    pub fn take_unbalanced(&mut self) -> Vec<u32> {
        let rule = self.registry.file_dedupe.as_mut();
        rule.map(|rule| std::mem::take(&mut rule.unbalanced)).unwrap_or_default()
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.registry.bytes() + self.results.as_ref().map_or(0, Results::bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::{Inclusions, Recency, Rule, StaleReads};
    use crate::defaults;
    use crate::options::Preset;

    #[test]
    fn the_preset_of_the_documents_has_the_defaults_of_the_settings() {
        let is_on = |presets: &[Preset]| presets.contains(&Preset::Seed);
        assert_eq!(is_on(StaleReads::PRESETS), defaults::READ_WRITE_PRUNING);
        assert_eq!(is_on(Inclusions::PRESETS), defaults::FILE_DEDUPE);
        assert_eq!(is_on(Recency::PRESETS), defaults::RECENCY_PRUNING);
    }
}
