//! What rules learn of a new result: it is read once, for all of them.

use serde_json::Value;

use crate::calls::Effect;
use crate::lines::{Row, bare_lines};
use crate::search::position_of;
use crate::view::PathId;

/// A new result of a call.
#[allow(clippy::struct_excessive_bools)] // Each is a fact of its own.
pub struct NewResult<'text> {
    pub block: u32,
    pub call: u32,
    /// A number for its call's tool and parameters.
    pub asked: u64,
    /// The same with the folder: the same words in another folder ask for something else.
    pub asked_here: u64,
    /// The call's parameters as JSON, and as values if they had to be read.
    pub json: &'text str,
    pub parameters: Option<&'text Value>,
    /// What the call did to files.
    pub effects: &'text [Effect],
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
    /// Whether it is a text that rules may compare line by line.
    pub is_comparable: bool,
    /// Whether it is a structure that may be cut as a whole, but not in parts.
    pub is_structure: bool,
    /// Whether the call did what it was to do, as far as can be seen.
    pub is_effective: bool,
    /// Whether it says that the call did nothing.
    pub is_refused: bool,
    /// Whether it shows a file.
    pub is_file: bool,
    /// The file that it shows or that its call changed, if that is certain.
    pub path: Option<PathId>,
    /// The first line of that file that the call asked for or wrote, if that is certain.
    pub first_line: Option<u32>,
    /// The number of calls up to this one that may have changed a file.
    pub changes: u32,
    /// Whether its call may have run on another machine.
    pub may_be_away: bool,
    /// Whether the text is none of the result's, but what the call wrote.
    pub is_written: bool,
}

impl NewResult<'_> {
    /// Whether rows of a text stand in the result together and in order. Fingerprints tell most; then the letters are
    /// compared. `is_exact`: blanks and blank lines count, too, as for what may be another file. `at_same_place`: numbers
    /// before the lines must agree, where both have them.
    pub fn holds(
        &self,
        (text, rows, prints): (&str, &[Row<'_>], &[u64]),
        (is_numbered, is_exact, at_same_place): (bool, bool, bool),
    ) -> bool {
        let shown = position_of(self.prints, prints).and_then(|at| self.rows.get(at..at + rows.len()));
        shown.is_some_and(|shown| {
            let are_same = |(one, other): (&Row<'_>, &Row<'_>)| one.content == other.content;
            let disagree = |(one, other): (&Row<'_>, &Row<'_>)| {
                one.number.zip(other.number).is_some_and(|(one, other)| one != other)
            };
            let is_same = || {
                let theirs = bare_lines(self.text, shown, self.is_numbered && !self.is_written);
                bare_lines(text, rows, is_numbered).eq(theirs)
            };
            !rows.is_empty()
                && rows.iter().zip(shown).all(are_same)
                && !(at_same_place && rows.iter().zip(shown).any(disagree))
                && (!(is_exact || self.may_be_away) || is_same())
        })
    }

    /// Whether the blank lines above and below the rows of a text stand around rows of the result with some fingerprints,
    /// too. Whether a line break ends a text depends on the tool.
    pub fn has_blank_ends(&self, (text, rows): (&str, &[Row<'_>]), prints: &[u64]) -> bool {
        let shown = position_of(self.prints, prints).and_then(|at| self.rows.get(at..at + prints.len()));
        let others = shown.and_then(|shown| ends_of(self.text, shown));
        match (ends_of(text, rows), others) {
            (Some((above, below)), Some((others_above, others_below))) => {
                let is_blank = |part: &str| part.trim().is_empty();
                let below = below.strip_suffix('\n').unwrap_or(below);
                (!is_blank(above) || others_above.ends_with(above))
                    && (!is_blank(below) || others_below.starts_with(below))
            }
            _ => true,
        }
    }
}

/// What stands in a text above the content of the first of some rows, and below that of the last one.
fn ends_of<'text>(text: &'text str, rows: &[Row<'_>]) -> Option<(&'text str, &'text str)> {
    let place = |row: &Row<'_>| (row.content.as_ptr() as usize).checked_sub(text.as_ptr() as usize);
    let (first, last) = (rows.first()?, rows.last()?);
    Some((text.get(..place(first)?)?, text.get(place(last)? + last.content.len()..)?))
}
