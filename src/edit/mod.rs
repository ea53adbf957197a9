//! Edits: the smallest changes of a history, and the one pipeline that makes them.
//!
//! A rule proposes; the [`Editor`] adds the rest of its groups, checks the limits of caller and provider, and
//! reprices it. It accepts or refuses it as a whole.

mod apply;
mod arguments;
mod cut;
mod density;
mod editor;
mod gain;
mod ledger;
mod limits;
mod patch;
mod prices;
mod stand_in;
mod texts;

use crate::view::View;

pub(crate) use prices::{NamePrices, count_text, unit_price};
pub(crate) use texts::without;

pub use crate::options::RuleName;
pub use apply::{apply_edits, apply_to};
pub use arguments::{LONG, WRITTEN_KEYS, has_long, written};
pub use density::{DensityMetadata, DensityResult, apply_density_result, check_density};
pub use editor::Editor;
pub use ledger::Ledger;
pub(crate) use limits::{holds_prefix, is_before, newest_bound};
pub use limits::{may_patch, may_replace, may_shorten};
pub use patch::{Change, Patch};
pub use stand_in::{referring, stand_in, unreferred};

/// The number of [`RuleName`]s.
pub const RULES: usize = RuleName::ALL.len();

/// The kinds of edits by their numbers, and how many words beside the unit describe one.
pub const EDIT_KINDS: [(&str, usize); 6] =
    [("drop", 0), ("drop-block", 1), ("set", 2), ("cut", 3), ("replace", 4), ("unnumber", 3)];

/// What became of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It was made.
    Accepted,
    /// The caller forbids it, or it wouldn't make anything smaller.
    Refused,
    /// The provider forbids it, whatever else is edited.
    Forbidden,
    /// The provider forbids it for now: propose it again when something else was edited, and in the next run.
    Deferred,
}

/// A text of the [`Editor`]'s table; 0 is the pointer that stands for a pruned result.
pub type TextId = u32;

/// One change. Units are counted as pushed, blocks within their unit as pushed, offsets in UTF-16
/// code units of the text as pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// The unit goes.
    DropUnit {
        /// The unit.
        unit: u32,
    },
    /// One block goes.
    DropBlock {
        /// The unit.
        unit: u32,
        /// The block in the unit.
        block: u32,
    },
    /// A response's payload, or an image or file, becomes a text; of a call, each long string among the arguments.
    SetText {
        /// The unit.
        unit: u32,
        /// The block in the unit.
        block: u32,
        /// The new text.
        text: TextId,
    },
    /// A span of a text goes.
    Cut {
        /// The unit.
        unit: u32,
        /// The block in the unit.
        block: u32,
        /// Where the span starts.
        start: u32,
        /// Where it ends.
        end: u32,
    },
    /// A span of a response's text becomes another text.
    Replace {
        /// The unit.
        unit: u32,
        /// The block in the unit.
        block: u32,
        /// Where the span starts.
        start: u32,
        /// Where it ends.
        end: u32,
        /// The new text.
        text: TextId,
    },
    /// The lines of a response's text that start in a span lose the numbers before them.
    Unnumber {
        /// The unit.
        unit: u32,
        /// The block in the unit.
        block: u32,
        /// Where the first of the lines starts.
        start: u32,
        /// Where the last of them ends.
        end: u32,
    },
}

impl Edit {
    /// The unit that the edit changes.
    #[must_use]
    pub const fn unit(&self) -> u32 {
        match *self {
            Self::DropUnit { unit }
            | Self::DropBlock { unit, .. }
            | Self::SetText { unit, .. }
            | Self::Cut { unit, .. }
            | Self::Replace { unit, .. }
            | Self::Unnumber { unit, .. } => unit,
        }
    }

    /// The blocks that the edit changes, as indices of the view.
    #[must_use]
    pub fn blocks(&self, view: &View) -> std::ops::Range<u32> {
        match *self {
            Self::DropUnit { unit } => view.blocks_of(unit),
            Self::DropBlock { unit, block }
            | Self::SetText { unit, block, .. }
            | Self::Cut { unit, block, .. }
            | Self::Replace { unit, block, .. }
            | Self::Unnumber { unit, block, .. } => {
                let index = view.unit(unit).first_block.saturating_add(block);
                index..index.saturating_add(1)
            }
        }
    }

    /// Whether the edit takes text away that nobody could write down again.
    #[must_use]
    pub const fn hides(&self) -> bool {
        !matches!(self, Self::Unnumber { .. })
    }
}

/// An accepted edit with where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Logged {
    /// The edit.
    pub edit: Edit,
    /// The rule that proposed it.
    pub rule: RuleName,
    /// The newest unit that the decision rests on: if the history is ever taken back to before
    /// that unit, the edit is taken back too.
    pub cause: u32,
    /// Whether the edit waits for a flush.
    pub pending: bool,
    /// If it waits: a flush must begin at this unit or before it to make the edit. It is the first unit of the edit's
    /// group, or of another waiting group that the edit depends on.
    pub anchor: u32,
    /// If it waits: the model's turns when it was decided.
    pub since: u32,
}

/// Whether an edit waits for a flush, and for which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wait {
    pending: bool,
    anchor: u32,
    since: u32,
}

impl Wait {
    pub(super) const fn log(self, edit: Edit, (rule, cause): (RuleName, u32)) -> Logged {
        let Self { pending, anchor, since } = self;
        Logged { edit, rule, cause, pending, anchor, since }
    }
}
