//! Arguments of writes and edits go once a later result shows their text. What is written over stays: it may be the only
//! copy of an earlier version.

use super::compacted::{Subject, repeated};
use super::new_result::NewResult;
use super::old_results::outlives;
use super::rule::{Context, Rule, Setup};
use super::table::remember;
use crate::calls::Effect;
use crate::edit::{RuleName, has_long, may_shorten, written};
use crate::json;
use crate::lines::rows_and_prints;
use crate::options::Preset;
use crate::search::position_of;
use crate::view::Leaf;

/// A call that wrote, whose arguments are still there.
#[derive(Clone, Debug)]
struct Written {
    call: u32,
    /// Whether it may have written the file of this path on another machine, or in another folder.
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

impl Rule for WriteArguments {
    const NAME: RuleName = RuleName::WriteArguments;
    const PRESETS: &'static [Preset] = &[Preset::Lossless, Preset::Balanced, Preset::Aggressive];

    fn new(setup: &Setup<'_>) -> Self {
        Self { calls: Vec::new(), is_strict: setup.is_strict() }
    }

    fn see(&mut self, context: &mut Context<'_>, result: &NewResult<'_>) {
        // What a later result shows of a write is there, wherever it was written.
        let ([effect] | [effect @ Effect::Spoils { .. }, Effect::Anything]) = result.effects else { return };
        let is_elsewhere = result.effects.len() > 1 || result.may_be_away;
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
            let Context { view, editor, source, references, .. } = &mut *context;
            let source = *source;
            let cause = view.block(result.block).unit;
            calls.retain(|older| {
                // Of a short change, a read of a much larger file would soon leave nothing.
                let sizes = (view.block(older.call).size, view.block(result.block).size);
                let stays_longer = !is_strict && outlives(sizes.0, sizes.1);
                // Fingerprints tell most; what is cut was compared.
                let is_whole = !stays_longer
                    && hold(result.prints, &older.texts)
                    && shows(
                        result,
                        &view.text(source, older.call, Leaf::Json),
                        is_strict || older.is_elsewhere,
                    );
                if is_whole {
                    let later = Subject::of(view, source, result.block);
                    // The file elsewhere stays as it was while this one may change: the result that shows its text must stay.
                    let text = if older.is_elsewhere {
                        repeated(None, Some(&later), false)
                    } else {
                        later.instead("shown again later")
                    };
                    references.see_written(view, source, older.call, &text);
                    editor.shorten_arguments(view, source, (older.call, text), (Self::NAME, cause));
                }
                !is_whole
            });
        }
        let view = &*context.view;
        if let Some(parameters) = result.parameters
            && !is_shown
            && may_shorten(view, call)
            // The text may be all that says which file it is.
            && !view.paths_of(view.block(call)).is_empty()
            && has_long(result.json)
        {
            let texts = written(parameters).into_iter().map(prints).collect();
            remember(calls, Written { call, is_elsewhere, texts });
        }
    }

    fn bytes(&self) -> usize {
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
        rows.is_empty()
            || result.holds((text, &rows, &prints), (false, is_exact, false))
                && (!is_exact || result.has_blank_ends((text, &rows), &prints))
    })
}
