//! The same call made again: with nothing changed in between, the later result says what the older one says.

use super::new_result::NewResult;
use super::rule::{Context, Rule, Setup};
use super::superseded::Held;
use super::table::Table;
use crate::calls::Effect;
use crate::edit::RuleName;
use crate::lines::{Row, rows};
use crate::options::Preset;
use crate::search::{AnyOf, contains};
use crate::view::{Leaf, NONE, Speaker, flags};

/// Appears in calls whose results change without a change of files, or by shell expansion.
const CHANGING: &[&str] = &["sleep", "date", "tail ", ".log", "/proc", "/tmp", "ps ", "$"];

/// A query of a database changes no file, but the words of the query may change a table.
static WRITING: AnyOf = AnyOf::new(
    &["insert ", "update ", "delete ", "create ", "alter ", "drop ", "merge ", "truncate ", "replace "],
    true,
);

/// Results of calls that were made again.
#[derive(Clone, Debug, Default)]
pub struct RepeatedCalls {
    /// By call: how much had changed when its newest result came, and that result's block.
    calls: Table,
    /// How many calls may have changed anything.
    changes: u32,
}

impl Rule for RepeatedCalls {
    const NAME: RuleName = RuleName::RepeatedCalls;
    // An earlier result is not part of a later one, unless both are equal: `lossless` keeps it.
    const PRESETS: &'static [Preset] = &[Preset::Balanced, Preset::Aggressive];

    fn new(_: &Setup<'_>) -> Self {
        Self::default()
    }

    fn see(&mut self, context: &mut Context<'_>, result: &NewResult<'_>) {
        if result.call == NONE {
            return;
        }
        let view = &*context.view;
        let block = *view.block(result.block);
        let effects = result.effects;
        let is_change = effects.iter().any(|effect| !matches!(effect, Effect::Shows { .. }))
            || effects.is_empty() && WRITING.is_in(result.json.as_bytes());
        self.changes += u32::from(is_change);
        // What may have done anything may say something else each time, and all of it counts; of files other rules
        // know more.
        let is_pure = || {
            effects.is_empty()
                && !view.block(result.call).has(flags::READ | flags::WRITE)
                && !CHANGING.iter().any(|changing| contains(result.json, changing))
        };
        let equal = self.calls.at(result.asked_here);
        if let [at, newest] = *equal.as_slice()
            && at == self.changes
            && result.is_effective
            && view.block(newest).size <= block.size
            && !(view.block(newest).unit..block.unit).any(|unit| view.unit(unit).speaker == Speaker::Human)
            && is_pure()
            && has_all(result, &view.text(context.source, newest, Leaf::Text))
        {
            context.give_way(newest, result, "the same call, made again later", Self::NAME);
        }
        *equal = vec![self.changes, if result.is_cuttable { result.block } else { NONE }];
    }

    fn bytes(&self) -> usize {
        self.calls.bytes()
    }
}

/// Whether each line of a text stands in a result, in any order. Lines that a limit left out, or that have changed, would
/// be lost.
fn has_all(result: &NewResult<'_>, text: &str) -> bool {
    let held: Held = result.prints.iter().copied().collect();
    let is_held = |row: &Row<'_>| match row.print() {
        // A line that looks like ours has no print.
        0 => result.rows.iter().any(|shown| shown.content == row.content),
        print => held.contains(&print),
    };
    !text.is_empty() && rows(text, result.is_numbered).iter().all(is_held)
}
