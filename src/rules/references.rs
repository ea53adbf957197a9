//! Which results are referred to by the pointers in others: what was cut there is only here.

use super::compacted::{LINES_OF_NEXT, NEXT, OURS, Subject};
use super::table::{MOST, Table};
use crate::edit::{Editor, unreferred};
use crate::lines::{Row, fingerprint};
use crate::search::around_first;
use crate::view::{TextSource, View};

/// Ends a pointer to lines that a call wrote.
const WRITTEN: &str = " as written";

/// The results that hold pointers, by the key of the subject that a pointer names. If it names text that the subject
/// wrote, the key's complement is used. Results that lead there by way of others are included. Pointers name subjects,
/// not places: a later result of the same call is as good.
#[derive(Clone, Debug, Default)]
pub struct References {
    results: Table,
}

impl References {
    /// Takes in the pointers of a result: in its text as it came, and in what edits made of it since.
    pub fn see(
        &mut self,
        view: &View,
        editor: &Editor,
        source: &dyn TextSource,
        block: u32,
        rows: &[Row<'_>],
    ) {
        for row in rows {
            self.note(view, source, block, row.content);
        }
        for &(_, _, text) in editor.patch_of(block).map_or(&[][..], |patch| patch.spans()) {
            self.note(view, source, block, editor.text(text));
        }
        self.note(view, source, block, editor.replacement_of(view, block));
    }

    fn note(&mut self, view: &View, source: &dyn TextSource, block: u32, line: &str) {
        let Some((what, subject)) = pointer(line) else { return };
        let written = what.strip_suffix(WRITTEN);
        let lines = written.unwrap_or(what);
        let is_ours = lines.ends_with(" lines") || lines.ends_with(LINES_OF_NEXT);
        if !is_ours && lines != "the same" && lines != NEXT {
            return;
        }
        let own = Subject::of(view, source, block).key();
        let named = if subject == "again later" { own } else { fingerprint(subject) };
        let key = if written.is_some() { !named } else { named };
        let results = self.results.at(key);
        if results.last() != Some(&block) {
            results.push(block);
        }
        // Lines that are pointed away in turn are led to from here, too.
        self.pass_on(own, key);
    }

    /// What leads to one subject leads on to another.
    pub fn pass_on(&mut self, from: u64, to: u64) {
        let others = if from == to { Vec::new() } else { self.results.at(from).clone() };
        let results = self.results.at(to);
        for other in others {
            if results.len() <= MOST && !results.contains(&other) {
                results.push(other);
            }
        }
    }

    /// Takes in a text among what a call wrote: a pointer names its new place.
    pub fn see_written(&mut self, view: &View, source: &dyn TextSource, call: u32, text: &str) {
        if let Some((_, subject)) = pointer(text) {
            self.note(view, source, call, text);
            self.pass_on(!Subject::of(view, source, call).key(), fingerprint(subject));
        }
    }

    /// The results with pointers that lead to a subject.
    #[must_use]
    pub fn to(&self, key: u64) -> &[u32] {
        self.results.get(key)
    }

    /// Whether pointers to a subject (to the text it wrote: its key's complement) stands in some results only; too
    /// many to look at are others, too.
    #[must_use]
    pub fn are_in(&mut self, key: u64, known: &[u32]) -> bool {
        let results = self.results.at(key);
        results.len() <= MOST && results.iter().all(|result| known.contains(result))
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.results.bytes()
    }
}

/// The text of a pointer, and its subject.
fn pointer(line: &str) -> Option<(&str, &str)> {
    around_first(unreferred(line.strip_prefix(OURS)?.trim_end())?, ": ")
}
