//! Once a call has succeeded because a file was changed, what it answered when it failed is history. Only a stated exit
//! code of 0 is a success: a result without an error may be a notice that the command runs on, was stopped, or was never
//! started. Where no known change explains the success, the failure may be there still: a test may be flaky, and a
//! `git stash` is taken back later.

use super::new_result::NewResult;
use super::references::References;
use super::table::Table;
use crate::calls::Effect;
use crate::calls::outcome::states_success;
use crate::edit::{Editor, Rule};
use crate::view::{TextSource, View, flags};

/// Results of failed calls that a known change may still explain, by call.
#[derive(Clone, Debug, Default)]
pub struct FailedCalls {
    results: Table,
    /// The newest result of a call that changed a file in a known way.
    changed: Option<u32>,
}

impl FailedCalls {
    /// Takes in a result, with the number of what its call asked for.
    pub fn see(
        &mut self,
        view: &mut View,
        editor: &mut Editor,
        source: &dyn TextSource,
        references: &mut References,
        (result, asked, effects): (&NewResult<'_>, u64, &[Effect]),
    ) {
        let failed = self.results.at(asked);
        if !result.is_refused && !failed.is_empty() && states_success(result.text) {
            for index in std::mem::take(failed) {
                if self.changed > Some(index) {
                    let why = ("it failed, and succeeded later", Rule::FailedCalls);
                    references.give_way(view, editor, source, (index, result), why);
                }
            }
        }
        if view.block(result.block).has(flags::FAILED) && result.is_cuttable {
            failed.push(result.block);
        }
        self.note(result, asked, effects);
    }

    /// Notes what a call may have changed.
    fn note(&mut self, result: &NewResult<'_>, asked: u64, effects: &[Effect]) {
        let is_change = |effect: &Effect| {
            matches!(effect, Effect::Changes { .. } | Effect::Writes { .. } | Effect::Spoils { .. })
        };
        if effects.iter().any(|effect| matches!(effect, Effect::Anything)) {
            // It may explain any later success, but for that of the same call, made again.
            let own = std::mem::take(self.results.at(asked));
            self.results = Table::default();
            *self.results.at(asked) = own;
        } else if effects.iter().any(is_change) && !result.is_refused {
            self.changed = Some(result.block);
        }
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.results.bytes()
    }
}
