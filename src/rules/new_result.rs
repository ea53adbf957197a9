//! What rules learn of a new result: it is read once, for all of them.

use crate::lines::{Row, bare_lines};
use crate::search::position_of;
use crate::view::PathId;

/// A new result of a call.
#[allow(clippy::struct_excessive_bools)] // Each is a fact of its own.
pub struct NewResult<'text> {
    pub block: u32,
    pub call: u32,
    pub text: &'text str,
    /// The text's lines, and a fingerprint of each; 0 for those of ours.
    pub rows: &'text [Row<'text>],
    pub prints: &'text [u64],
    /// Whether its tool writes numbers before lines.
    pub is_numbered: bool,
    /// Whether an earlier instance decided what follows from it.
    pub is_decided: bool,
    /// Whether it may be cut itself.
    pub is_cuttable: bool,
    /// Whether the call did what it was to do, as far as can be seen.
    pub is_effective: bool,
    /// Whether it says that the call did nothing.
    pub is_refused: bool,
    /// Whether it shows a file.
    pub is_file: bool,
    /// The file that it shows or that its call changed, if that is certain.
    pub path: Option<PathId>,
    /// Whether its call may have run on another machine.
    pub may_be_away: bool,
    /// Whether the text is none of the result's, but what the call wrote.
    pub is_written: bool,
}

impl NewResult<'_> {
    /// Whether rows of a text stand in the result together and in order. Fingerprints tell most; then the letters are
    /// compared. Of what may be another file blanks and blank lines count, too.
    pub fn holds(
        &self,
        (text, rows, prints): (&str, &[Row<'_>], &[u64]),
        (is_numbered, may_be_another): (bool, bool),
    ) -> bool {
        let shown = position_of(self.prints, prints).and_then(|at| self.rows.get(at..at + rows.len()));
        shown.is_some_and(|shown| {
            let are_same = |(one, other): (&Row<'_>, &Row<'_>)| one.content == other.content;
            let is_exact = || {
                let theirs = bare_lines(self.text, shown, self.is_numbered && !self.is_written);
                bare_lines(text, rows, is_numbered).eq(theirs)
            };
            !rows.is_empty()
                && rows.iter().zip(shown).all(are_same)
                && (!(may_be_another || self.may_be_away) || is_exact())
        })
    }
}
