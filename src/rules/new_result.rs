//! What rules learn of a new result: it is read once, for all of them.

use crate::lines::Row;

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
    /// Whether its call may have run on another machine.
    pub may_be_away: bool,
    /// Whether the text is none of the result's, but what the call wrote.
    pub is_written: bool,
}
