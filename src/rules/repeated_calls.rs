//! The same call made again: with nothing changed in between, the later result says what the older one says.

use super::new_result::NewResult;
use super::references::References;
use super::superseded::Held;
use super::table::Table;
use crate::calls::Effect;
use crate::edit::{Editor, Rule};
use crate::lines::rows;
use crate::search::contains;
use crate::view::{Leaf, NONE, Speaker, TextSource, View, flags};

/// Appears in calls whose results change without a change of files, or by shell expansion.
const CHANGING: &[&str] = &["sleep", "date", "tail ", ".log", "/proc", "/tmp", "ps ", "$"];

/// Results of calls that were made again.
#[derive(Clone, Debug, Default)]
pub struct RepeatedCalls {
    /// By call: how much had changed when its newest result came, and that result's block.
    calls: Table,
    /// How many calls may have changed anything.
    changes: u32,
}

impl RepeatedCalls {
    /// Takes in a result, with its call's parameters as JSON, the number of its subject, and its effects.
    pub fn see(
        &mut self,
        view: &mut View,
        editor: &mut Editor,
        source: &dyn TextSource,
        references: &mut References,
        (result, parameters, asked, effects): (&NewResult<'_>, &str, u64, &[Effect]),
    ) {
        let block = *view.block(result.block);
        self.changes += u32::from(effects.iter().any(|effect| !matches!(effect, Effect::Shows { .. })));
        // What may have done anything may say something else each time, and all of it counts; of files other rules
        // know more.
        let is_pure = || {
            effects.is_empty()
                && !view.block(result.call).has(flags::READ | flags::WRITE)
                && !CHANGING.iter().any(|changing| contains(parameters, changing))
        };
        let equal = self.calls.at(asked);
        if let [at, newest] = *equal.as_slice()
            && at == self.changes
            && result.is_effective
            && view.block(newest).size <= block.size
            && !(view.block(newest).unit..block.unit).any(|unit| view.unit(unit).speaker == Speaker::Human)
            && is_pure()
            && has_all(result, &view.text(source, newest, Leaf::Text))
        {
            let why = ("the same call, made again later", Rule::RepeatedCalls);
            references.give_way(view, editor, source, (newest, result), why);
        }
        *equal = vec![self.changes, if result.is_cuttable { result.block } else { NONE }];
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.calls.bytes()
    }
}

/// Whether each line of a text stands in a result, in any order. Lines that a limit left out, or that have changed, would
/// be lost.
fn has_all(result: &NewResult<'_>, text: &str) -> bool {
    let held: Held = result.prints.iter().copied().collect();
    !text.is_empty() && rows(text, result.is_numbered).iter().all(|row| held.contains(&row.print()))
}
