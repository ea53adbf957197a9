//! The arguments of calls that wrote or changed a file give way once a later result shows what they wrote, or once
//! the file is written again as a whole.

use serde_json::Value;

use super::compacted::Subject;
use super::deeds::Deed;
use super::references::References;
use super::superseded::Result;
use super::table::remember;
use crate::edit::{Editor, Rule, has_long, may_shorten, written};
use crate::json;
use crate::lines::{rows, rows_and_prints};
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

    /// Takes in what the only deed of a call was, with the call's parameters and the results of its file: what these
    /// refer to goes with them.
    pub fn see(
        &mut self,
        view: &mut View,
        editor: &mut Editor,
        source: &dyn TextSource,
        (references, of_file): (&mut References, &[u32]),
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
                let key = !Subject::of(view, source, older.call).key();
                // Fingerprints tell most; what is cut was compared.
                let is_shown = hold(result.prints, &older.texts)
                    && shows(result, &view.text(source, older.call, Leaf::Json));
                let own = view.partner(older.call);
                let mut is_free =
                    || references.are_in(key, &own.iter().chain(of_file).copied().collect::<Vec<_>>());
                let is_due = is_shown || is_written && !is_strict && is_free();
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
            remember(calls, Written { call, texts });
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
    !texts.is_empty() && texts.iter().all(|lines| place(shown, lines).is_some())
}

/// Where some lines stand first, together and in order, among others; in linear time (Knuth, Morris and Pratt).
pub fn place(shown: &[u64], lines: &[u64]) -> Option<usize> {
    // For each number of lines that are found how many of them are still found if the next one isn't.
    let mut fewer: Vec<usize> = vec![0];
    let mut found = 0;
    for line in lines.iter().skip(1) {
        fewer.push(found);
        found = extended(lines, &fewer, found, *line);
    }
    fewer.push(found);
    found = 0;
    if lines.is_empty() {
        return Some(0);
    }
    shown.iter().enumerate().find_map(|(at, line)| {
        found = extended(lines, &fewer, found, *line);
        (found == lines.len()).then(|| at + 1 - found)
    })
}

/// How many of some lines are found once another line has come.
fn extended(lines: &[u64], fewer: &[usize], mut found: usize, line: u64) -> usize {
    while lines.get(found) != Some(&line) {
        if found == 0 {
            return 0;
        }
        found = fewer.get(found).copied().unwrap_or(0);
    }
    found + 1
}

/// Whether the lines of a result hold all that a call wrote.
fn shows(result: &Result<'_>, json: &str) -> bool {
    let Some(parameters) = json::read(json) else { return false };
    written(&parameters).into_iter().all(|text| {
        place(result.prints, &prints(text)).is_some_and(|at| {
            let shown = result.rows.get(at..).unwrap_or_default();
            rows(text, false).iter().zip(shown).all(|(line, shown)| line.content == shown.content)
        })
    })
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::place;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(crate::cases::cases(2000))]
        #[test]
        fn lines_stand_where_comparing_at_each_place_finds_them(
            shown in proptest::collection::vec(0_u64..3, 0..24),
            lines in proptest::collection::vec(0_u64..3, 0..6),
        ) {
            let mut places = 0..=shown.len();
            prop_assert_eq!(place(&shown, &lines), places.find(|&at| shown[at..].starts_with(&lines)));
        }
    }

    /// At each place anew it would be a million million comparisons.
    #[test]
    fn of_equal_lines_each_is_compared_a_few_times() {
        let lines: Vec<u64> = vec![1; 1_000_000].into_iter().chain([2]).collect();
        assert_eq!(place(&vec![1; 2_000_000], &lines), None);
    }
}
