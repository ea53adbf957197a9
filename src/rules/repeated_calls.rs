//! The same call made again: with nothing changed in between, the later result says what the older one says; and
//! once a call has succeeded, what it answered when it failed is history.

use super::compacted::Subject;
use super::deeds::Deed;
use super::references::References;
use super::superseded::Result;
use super::table::Table;
use crate::edit::{Editor, Rule};
use crate::lines::fingerprint;
use crate::search::contains;
use crate::view::{NONE, Speaker, TextSource, View, flags};

/// Stands in calls whose results change by themselves, or with what the shell puts into them.
const CHANGING: &[&str] = &["sleep", "date", "tail ", ".log", "/proc", "/tmp", "ps ", "$"];

/// Results of calls that were made again.
#[derive(Clone, Debug, Default)]
pub struct RepeatedCalls {
    /// By call: how much had changed when its newest result came, that result, and the failed ones; of results the
    /// block.
    calls: Table,
    /// How many calls may have changed anything.
    changes: u32,
    /// Whether results go whose call was repeated with nothing changed in between.
    repeated: bool,
    /// Whether results of failed calls go once the call has succeeded.
    failed: bool,
}

impl RepeatedCalls {
    /// With one of its two parts, or both.
    #[must_use]
    pub fn new(repeated: bool, failed: bool) -> Self {
        Self { repeated, failed, ..Self::default() }
    }

    /// Takes in a result, with the JSON of its call's parameters and what the call did.
    pub fn see(
        &mut self,
        view: &mut View,
        editor: &mut Editor,
        source: &dyn TextSource,
        references: &mut References,
        (result, parameters, deeds): (&Result<'_>, &str, &[Deed]),
    ) {
        let block = *view.block(result.block);
        self.changes += u32::from(deeds.iter().any(|deed| !matches!(deed, Deed::Shows { .. })));
        // What may have done anything may say something else each time, and all of it counts; of files other rules
        // know more.
        let is_pure = || {
            deeds.is_empty()
                && !view.block(result.call).has(flags::READ | flags::WRITE)
                && !CHANGING.iter().any(|changing| contains(parameters, changing))
        };
        let key = fingerprint(parameters) ^ u64::from(block.tool.0).rotate_left(24);
        let equal = self.calls.at(key);
        let mut older = Vec::new();
        if let [at, newest, ..] = *equal.as_slice()
            && at == self.changes
            && self.repeated
            && result.is_effective
            && view.block(newest).size / 2 <= block.size
            && !(view.block(newest).unit..block.unit).any(|unit| view.unit(unit).speaker == Speaker::Human)
            && is_pure()
        {
            older.push((newest, "the same call, made again later"));
        }
        if self.failed && !result.is_refused {
            for &failed in equal.get(2..).unwrap_or_default() {
                older.push((failed, "it failed, and succeeded later"));
            }
            equal.truncate(2);
        }
        let newest = if result.is_cuttable { result.block } else { NONE };
        if let [at, last, ..] = equal.as_mut_slice() {
            (*at, *last) = (self.changes, newest);
        } else {
            *equal = vec![self.changes, newest];
        }
        if block.has(flags::FAILED) && result.is_cuttable {
            equal.push(result.block);
        }
        if result.is_decided || block.has(flags::COMPACTED) {
            return;
        }
        for (index, why) in older {
            let subject = Subject::of(view, source, result.block);
            if references.are_in(&subject, &[index]) {
                let pointer = editor.add_text(subject.instead(why));
                editor.set_text(view, index, pointer, None, (Rule::RepeatedCalls, block.unit));
            }
        }
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.calls.bytes()
    }
}
