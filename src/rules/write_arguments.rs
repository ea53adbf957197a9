//! Arguments of writes and edits go once a later result shows their text, or once the whole file is written again.

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
    /// How often anything might have happened before.
    age: u32,
    /// Of each text that it wrote the lines, by fingerprint.
    texts: Vec<Vec<u64>>,
}

/// Calls that wrote, by file.
#[derive(Clone, Debug, Default)]
pub struct WriteArguments {
    /// By path.
    calls: Vec<Vec<Written>>,
    /// Whether only what is shown goes: what is written again as a whole may have been copied before.
    is_strict: bool,
    /// How often anything might have happened.
    age: u32,
}

impl WriteArguments {
    /// With or without caution for what may have been copied.
    #[must_use]
    pub fn new(is_strict: bool) -> Self {
        Self { is_strict, ..Self::default() }
    }

    /// Notes that anything might have happened: what was written may have been copied, or moved.
    pub const fn grow_old(&mut self) {
        self.age += 1;
    }

    /// Takes in what the only effect of a call was, with the call's parameters and the results of its file: what these
    /// refer to goes with them.
    pub fn see(
        &mut self,
        view: &mut View,
        editor: &mut Editor,
        source: &dyn TextSource,
        (references, of_file): (&mut References, &[u32]),
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
        let (path, is_written) = match *effect {
            Effect::Writes { path } => (path, true),
            Effect::Shows { path, .. } | Effect::Changes { path, .. } | Effect::Spoils { path } => {
                (path, false)
            }
            Effect::Anything => return,
        };
        let index = path as usize;
        if self.calls.len() <= index {
            self.calls.resize_with(index + 1, Vec::new);
        }
        let (is_strict, age) = (self.is_strict, self.age);
        let Some(calls) = self.calls.get_mut(index) else { return };
        let is_shown = matches!(effect, Effect::Shows { .. });
        if !result.is_decided && (is_written || is_shown) {
            let cause = view.block(result.block).unit;
            calls.retain(|older| {
                let key = !Subject::of(view, source, older.call).key();
                // Fingerprints tell most; what is cut was compared.
                let is_shown = hold(result.prints, &older.texts)
                    && shows(result, &view.text(source, older.call, Leaf::Json), older.is_elsewhere);
                let own = view.partner(older.call);
                let mut is_free =
                    || references.are_in(key, &own.iter().chain(of_file).copied().collect::<Vec<_>>());
                // The order of parallel calls is unknown.
                let is_over = is_written && !is_strict && !older.is_elsewhere && older.age == age;
                let is_over = is_over && own.is_some_and(|own| own < call);
                let is_due = is_shown || is_over && is_free();
                if is_due {
                    let later = Subject::of(view, source, result.block);
                    references.pass_on(key, later.key());
                    let text = later.instead("shown or rewritten later");
                    editor.shorten_arguments(view, source, (older.call, text), (Rule::WriteArguments, cause));
                }
                !is_due
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
            remember(calls, Written { call, is_elsewhere, age, texts });
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
pub fn prints(text: &str) -> Vec<u64> {
    rows_and_prints(text, false).1
}

/// Whether some lines hold, together and in order, the lines of all texts.
fn hold(shown: &[u64], texts: &[Vec<u64>]) -> bool {
    !texts.is_empty() && texts.iter().all(|lines| position_of(shown, lines).is_some())
}

/// Whether the lines of a result hold all that a call wrote.
fn shows(result: &NewResult<'_>, json: &str, is_elsewhere: bool) -> bool {
    let Some(parameters) = json::read(json) else { return false };
    written(&parameters).into_iter().all(|text| {
        let (rows, prints) = rows_and_prints(text, false);
        rows.is_empty() || result.holds((text, &rows, &prints), (false, is_elsewhere))
    })
}
