//! Which results are referred to by the pointers in others: what was cut there is only here.

use super::compacted::{OURS, Subject};
use super::superseded::Result;
use super::table::{MOST, Table};
use crate::edit::{Editor, Rule, unreferred};
use crate::lines::{Row, fingerprint};
use crate::search::around_first;
use crate::view::{TextSource, View, flags};

/// The results in which pointers stand, by the subject that they name. Pointers name subjects, not places: a later
/// result of the same call is as good.
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
        let named = line.strip_prefix(OURS).and_then(|line| unreferred(line.trim_end()));
        let Some((what, subject)) = named.and_then(|named| around_first(named, ": ")) else { return };
        if !what.ends_with(" lines") && what != "the same" {
            return;
        }
        let is_own = subject == "again later";
        let key = if is_own { Subject::of(view, source, block).key() } else { fingerprint(subject) };
        let results = self.results.at(key);
        if results.last() != Some(&block) {
            results.push(block);
        }
    }

    /// Whether what refers to a subject stands in some results only; too many to look at are others, too.
    #[must_use]
    pub fn are_in(&mut self, subject: &Subject, known: &[u32]) -> bool {
        let results = self.results.at(subject.key());
        results.len() <= MOST && results.iter().all(|result| known.contains(result))
    }

    /// Puts a pointer to a new result in the place of an older one, unless that was decided before, the new one is a
    /// pointer itself, or others refer to what is only in the old one.
    pub fn give_way(
        &mut self,
        view: &mut View,
        editor: &mut Editor,
        source: &dyn TextSource,
        (old, new): (u32, &Result<'_>),
        (why, rule): (&str, Rule),
    ) {
        let block = *view.block(new.block);
        if new.is_decided || block.has(flags::COMPACTED) {
            return;
        }
        let subject = Subject::of(view, source, new.block);
        if self.are_in(&subject, &[old]) {
            editor.put_stand_in(view, source, (old, subject.instead(why)), (rule, block.unit));
        }
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.results.bytes()
    }
}
