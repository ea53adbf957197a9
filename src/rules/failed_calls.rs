//! Once a call has succeeded because a file was changed, what it answered when it failed is history. Only a stated exit
//! code of 0 is a success: a result without an error may be a notice that the command runs on, was stopped, or was never
//! started. Where no known change explains the success, the failure may be there still: a test may be flaky, and a
//! `git stash` is taken back later.

use super::new_result::NewResult;
use super::rule::{Context, Rule, Setup};
use super::table::Table;
use crate::calls::Effect;
use crate::calls::outcome::states_success;
use crate::edit::RuleName;
use crate::options::Preset;
use crate::view::{NONE, flags};

/// Results of failed calls that a known change may still explain, by call.
#[derive(Clone, Debug, Default)]
pub struct FailedCalls {
    results: Table,
    /// The newest call that changed a file in a known way.
    changed: Option<u32>,
}

impl Rule for FailedCalls {
    const NAME: RuleName = RuleName::FailedCalls;
    // An earlier result is not part of a later one, unless both are equal: `lossless` keeps it.
    const PRESETS: &'static [Preset] = &[Preset::Balanced, Preset::Aggressive];

    fn new(_: &Setup<'_>) -> Self {
        Self::default()
    }

    fn see(&mut self, context: &mut Context<'_>, result: &NewResult<'_>) {
        if result.call == NONE {
            return;
        }
        let failed = self.results.at(result.asked_here);
        if !result.is_refused && !failed.is_empty() && states_success(result.text) {
            for index in std::mem::take(failed) {
                // Of calls that were made together any may have run first.
                if self.changed > Some(index) {
                    context.give_way(index, result, "it failed, and succeeded later", Self::NAME);
                }
            }
        }
        if context.view.block(result.block).has(flags::FAILED) && result.is_cuttable {
            failed.push(result.block);
        }
        self.note(result);
    }

    fn bytes(&self) -> usize {
        self.results.bytes()
    }
}

impl FailedCalls {
    /// Notes what a call may have changed.
    fn note(&mut self, result: &NewResult<'_>) {
        let (asked, effects) = (result.asked_here, result.effects);
        let is_change = |effect: &Effect| {
            matches!(effect, Effect::Changes { .. } | Effect::Writes { .. } | Effect::Spoils { .. })
        };
        if effects.iter().any(|effect| matches!(effect, Effect::Anything)) {
            // It may explain any later success, but for that of the same call, made again.
            let own = std::mem::take(self.results.at(asked));
            self.results = Table::default();
            *self.results.at(asked) = own;
        } else if effects.iter().any(is_change) && !result.is_refused {
            self.changed = Some(result.call);
        }
    }
}
