//! Arguments of writes and edits go once a later result shows their text. What is written over stays: it may be the only
//! copy of an earlier version.

use serde_json::Value;

use super::compacted::Subject;
use super::new_result::NewResult;
use super::references::References;
use super::table::remember;
use crate::calls::Effect;
use crate::edit::{Editor, Rule, has_long, may_shorten, written};
use crate::json;
use crate::lines::rows_and_prints;
use crate::search::position_of;
use crate::view::{Leaf, TextSource, View};

/// A call that wrote, whose arguments are still there.
#[derive(Clone, Debug)]
struct Written {
    call: u32,
    /// Whether it may have written the file of this path on another machine.
    is_elsewhere: bool,
    /// Of each text that it wrote the lines, by fingerprint.
    texts: Vec<Vec<u64>>,
}

/// Calls that wrote, by file.
#[derive(Clone, Debug, Default)]
pub struct WriteArguments {
    /// By path.
    calls: Vec<Vec<Written>>,
    /// Whether blanks and blank lines must be shown, too.
    is_strict: bool,
}

impl WriteArguments {
    /// `is_strict`: a text goes only if its blanks and blank lines are shown, too.
    #[must_use]
    pub fn new(is_strict: bool) -> Self {
        Self { calls: Vec::new(), is_strict }
    }

    /// Takes in what the only effect of a call was, with the call's parameters.
    pub fn see(
        &mut self,
        view: &mut View,
        editor: &mut Editor,
        source: &dyn TextSource,
        references: &mut References,
        (result, (effect, is_elsewhere), (json, parameters)): (
            &NewResult<'_>,
            (&Effect, bool),
            (&str, Option<&Value>),
        ),
    ) {
        if !result.is_effective {
            return;
        }
        let call = result.call;
        let (Effect::Writes { path }
        | Effect::Shows { path, .. }
        | Effect::Changes { path, .. }
        | Effect::Spoils { path }) = *effect
        else {
            return;
        };
        let index = path as usize;
        if self.calls.len() <= index {
            self.calls.resize_with(index + 1, Vec::new);
        }
        let is_strict = self.is_strict;
        let Some(calls) = self.calls.get_mut(index) else { return };
        let is_shown = matches!(effect, Effect::Shows { .. });
        if !result.is_decided && is_shown {
            let cause = view.block(result.block).unit;
            calls.retain(|older| {
                // Fingerprints tell most; what is cut was compared.
                let is_whole = hold(result.prints, &older.texts)
                    && shows(
                        result,
                        &view.text(source, older.call, Leaf::Json),
                        is_strict || older.is_elsewhere,
                    );
                if is_whole {
                    let later = Subject::of(view, source, result.block);
                    let key = !Subject::of(view, source, older.call).key();
                    references.pass_on(key, later.key());
                    let text = later.instead("shown again later");
                    editor.shorten_arguments(view, source, (older.call, text), (Rule::WriteArguments, cause));
                }
                !is_whole
            });
        }
        if let Some(parameters) = parameters
            && !is_shown
            && may_shorten(view, call)
            // The text may be all that says which file it is.
            && !view.paths_of(view.block(call)).is_empty()
            && has_long(json)
        {
            let texts = written(parameters).into_iter().map(prints).collect();
            remember(calls, Written { call, is_elsewhere, texts });
        }
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let held = |written: &Written| {
            size_of::<Written>()
                + written.texts.iter().map(|lines| lines.capacity() * size_of::<u64>() + 24).sum::<usize>()
        };
        self.calls.iter().flatten().map(held).sum()
    }
}

/// The lines of a text, by fingerprint.
fn prints(text: &str) -> Vec<u64> {
    rows_and_prints(text, false).1
}

/// Whether some lines hold, together and in order, the lines of all texts.
fn hold(shown: &[u64], texts: &[Vec<u64>]) -> bool {
    !texts.is_empty() && texts.iter().all(|lines| position_of(shown, lines).is_some())
}

/// Whether the lines of a result hold all that a call wrote; `is_exact`: blanks and blank lines as well.
fn shows(result: &NewResult<'_>, json: &str, is_exact: bool) -> bool {
    let Some(parameters) = json::read(json) else { return false };
    written(&parameters).into_iter().all(|text| {
        let (rows, prints) = rows_and_prints(text, false);
        rows.is_empty() || result.holds((text, &rows, &prints), (false, is_exact, false))
    })
}
