//! The trait of every rule, and the context that it works with.

use super::compacted::Subject;
use super::new_result::NewResult;
use super::references::References;
use crate::edit::{Editor, RuleName};
use crate::lines::Row;
use crate::options::{FlushPolicy, OptimizeSettings, Preset};
use crate::tools::ToolTable;
use crate::view::{TextSource, View, flags};

/// A rule that one option switches on or off. It keeps its own state, looks at every new block once, and proposes edits
/// to the [`Editor`].
pub trait Rule: Sized {
    /// The name that its edits carry.
    const NAME: RuleName;
    /// The presets that switch it on.
    const PRESETS: &'static [Preset];
    /// Whether it needs results that were read, or other blocks. Nothing is read if no rule needs it.
    const READS: bool = true;

    /// The rule at the start of a history.
    fn new(setup: &Setup<'_>) -> Self;

    /// Runs once a turn, before anything new is read.
    fn run(&mut self, _context: &mut Context<'_>) {}

    /// Looks at a new block that is not a result. `is_decided`: an earlier instance decided what follows from it.
    fn see_block(&mut self, _context: &mut Context<'_>, _index: u32, _is_decided: bool) {}

    /// Looks at a new result.
    fn see(&mut self, _context: &mut Context<'_>, _result: &NewResult<'_>) {}

    /// Bytes held, approximately.
    fn bytes(&self) -> usize {
        0
    }
}

/// The history that rules read, and the editor that makes their edits.
pub struct Context<'run> {
    /// The history.
    pub view: &'run mut View,
    /// Checks edits and makes them.
    pub editor: &'run mut Editor,
    /// What the calls' tools do.
    pub tools: &'run ToolTable,
    /// The texts of the history.
    pub source: &'run dyn TextSource,
    /// The results that hold pointers to other results.
    pub references: &'run mut References,
}

impl Context<'_> {
    /// Replaces an older result by a pointer to a new one. It does nothing if the older one was decided before, if
    /// the new one is a pointer, or if other pointers need the older one.
    pub fn give_way(&mut self, old: u32, new: &NewResult<'_>, why: &str, rule: RuleName) {
        let block = *self.view.block(new.block);
        if new.is_decided || block.has(flags::COMPACTED) {
            return;
        }
        let subject = Subject::of(self.view, self.source, new.block);
        if self.references.are_in(subject.key(), &[old]) {
            let text = subject.instead(why);
            self.editor.put_stand_in(self.view, self.source, (old, text), (rule, block.unit));
        }
    }

    /// Notes the pointers in a result: in some rows of it, and in what edits made of it.
    pub fn note_pointers(&mut self, block: u32, rows: &[Row<'_>]) {
        self.references.see(self.view, self.editor, self.source, block, rows);
    }
}

/// The options that rules are made from, and facts that follow from them.
pub struct Setup<'settings> {
    /// The options.
    pub settings: &'settings OptimizeSettings,
    /// The preset that applies.
    pub preset: Preset,
    /// How far old results are cut; none if the rule is off.
    pub rung: Option<u32>,
    /// The number of results of each tool that `recencyPruning` keeps.
    pub retention: u32,
}

impl Setup<'_> {
    /// Whether a rule is on, by its option or else by the preset.
    pub fn is_on<R: Rule>(&self, option: Option<bool>) -> bool {
        option.unwrap_or_else(|| R::PRESETS.contains(&self.preset))
    }

    /// Whether the rules are those of the high-density documents, to the letter.
    #[must_use]
    pub fn is_seed(&self) -> bool {
        self.preset == Preset::Seed
    }

    /// Whether only text goes that the rest of the history still shows.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        self.preset == Preset::Lossless
    }

    /// Whether the rule for old results is on.
    #[must_use]
    pub const fn is_aging(&self) -> bool {
        self.rung.is_some()
    }

    /// Whether edits wait at all, because the provider caches prompts.
    #[must_use]
    pub fn caches(&self) -> bool {
        self.settings.flush_policy() != FlushPolicy::Always
    }

    /// Whether edits wait until a flush pays.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.settings.flush_policy() == FlushPolicy::WhenItPays
    }
}
