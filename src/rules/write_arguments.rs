//! The arguments of calls that wrote or changed a file give way once a later result shows what they wrote, or once
//! the file is written again as a whole.

use serde_json::Value;

use super::compacted::Subject;
use super::deeds::{Deed, takes_out, written_by};
use super::superseded::Result;
use super::table::remember;
use crate::edit::{Editor, Rule, has_long, may_shorten};
use crate::json;
use crate::lines::{Row, rows};
use crate::view::{Leaf, TextSource, View};

/// A call that wrote, whose arguments are still there.
#[derive(Clone, Debug)]
struct Written {
    call: u32,
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
}

impl WriteArguments {
    /// With or without caution for what may have been copied.
    #[must_use]
    pub fn new(is_strict: bool) -> Self {
        Self { is_strict, ..Self::default() }
    }

    /// Takes in what the only deed of a call was, with the call's parameters.
    pub fn see(
        &mut self,
        view: &mut View,
        editor: &mut Editor,
        source: &dyn TextSource,
        (result, deed, (json, parameters)): (&Result<'_>, Deed, (&str, Option<&Value>)),
    ) {
        if !result.is_effective {
            return;
        }
        let call = result.call;
        let (path, is_written) = match deed {
            Deed::Writes { path } => (path, true),
            Deed::Shows { path, .. } | Deed::Changes { path, .. } | Deed::Spoils { path } => (path, false),
            Deed::Anything => return,
        };
        let index = path as usize;
        if self.calls.len() <= index {
            self.calls.resize_with(index + 1, Vec::new);
        }
        let is_strict = self.is_strict;
        let Some(calls) = self.calls.get_mut(index) else { return };
        let is_shown = matches!(deed, Deed::Shows { .. });
        if !result.is_decided && (is_written || is_shown) {
            let cause = view.block(result.block).unit;
            calls.retain(|older| {
                // Fingerprints tell most; what is cut was compared.
                let is_due = is_written && !is_strict
                    || hold(result.prints, &older.texts)
                        && shows(result.rows, &view.text(source, older.call, Leaf::Json));
                if is_due {
                    let text = Subject::of(view, source, result.block).instead("shown or rewritten later");
                    editor.shorten_arguments(view, older.call, text, (Rule::WriteArguments, cause));
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
            && !takes_out(parameters)
        {
            let lines = |text: &String| rows(text, false).map(|row| row.print()).collect();
            remember(calls, Written { call, texts: written_by(parameters).iter().map(lines).collect() });
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

/// Whether some lines hold, together and in order, the lines of all texts.
fn hold<T: PartialEq>(shown: &[T], texts: &[Vec<T>]) -> bool {
    let is_shown =
        |lines: &Vec<T>| lines.is_empty() || shown.windows(lines.len()).any(|window| window == lines);
    !texts.is_empty() && texts.iter().all(is_shown)
}

/// Whether some lines hold all that a call wrote.
fn shows(shown: &[Row<'_>], json: &str) -> bool {
    let Some(parameters) = json::read(json) else { return false };
    let texts = written_by(&parameters);
    let lines = |text| rows(text, false).map(|row| row.content).collect();
    let texts: Vec<Vec<&str>> = texts.iter().map(|text| lines(text)).collect();
    let shown: Vec<&str> = shown.iter().map(|row| row.content).collect();
    hold(&shown, &texts)
}
