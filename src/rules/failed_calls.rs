//! Once a call has succeeded, what it answered when it failed is history. Only a stated exit code of 0 is a success: a
//! result without an error may be a notice that the command runs on, was stopped, or was never started.

use super::new_result::NewResult;
use super::references::References;
use super::table::Table;
use crate::calls::outcome::stated_code;
use crate::edit::{Editor, Rule};
use crate::view::{TextSource, View, flags};

/// Results of failed calls that didn't succeed yet, by call.
#[derive(Clone, Debug, Default)]
pub struct FailedCalls {
    results: Table,
}

impl FailedCalls {
    /// Takes in a result, with the number of what its call asked for.
    pub fn see(
        &mut self,
        view: &mut View,
        editor: &mut Editor,
        source: &dyn TextSource,
        references: &mut References,
        (result, asked): (&NewResult<'_>, u64),
    ) {
        let failed = self.results.at(asked);
        if !result.is_refused && !failed.is_empty() && stated_code(result.text) == Some(0) {
            for index in std::mem::take(failed) {
                let why = ("it failed, and succeeded later", Rule::FailedCalls);
                references.give_way(view, editor, source, (index, result), why);
            }
        }
        if view.block(result.block).has(flags::FAILED) && result.is_cuttable {
            failed.push(result.block);
        }
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.results.bytes()
    }
}
