//! The pipeline: propose, close over groups, check, reprice, accept or refuse.

use super::ledger::Ledger;
use super::limits::{
    bound_thinking, drop_rests_on, last_thinking, may_patch, may_replace, moves_call_behind_words,
    must_think, thinking_behind, verdict,
};
use super::texts::Texts;
use super::{Change, Decision, Edit, Logged, Patch, RULES, RuleName, TextId, Wait};
use crate::error::Error;
use crate::view::{Block, Kind, Leaf, NONE, TextSource, View, flags};

/// Makes edits and keeps their books. State that a later run needs (texts, cuts, totals) stays;
/// the log of a run is taken out by the caller.
#[derive(Clone, Debug)]
pub struct Editor {
    /// The edits accepted since the log was last taken.
    pub log: Vec<Logged>,
    /// Totals of tokens.
    pub ledger: Ledger,
    /// How many edits of each rule were accepted since the log was last taken.
    pub counts: [u32; RULES],
    /// The responses that were dropped since this list was last taken.
    pub dropped_responses: Vec<u32>,
    /// Units below this index were given out: an edit there is a flush.
    pub given_out: u32,
    /// Whether all tokens will be counted.
    pub is_counting: bool,
    pub(super) texts: Texts,
}

impl Editor {
    /// An editor whose pointer for pruned results is `placeholder`.
    #[must_use]
    pub fn new(placeholder: &str) -> Self {
        Self {
            log: Vec::new(),
            ledger: Ledger::default(),
            counts: [0; RULES],
            dropped_responses: Vec::new(),
            given_out: 0,
            is_counting: false,
            texts: Texts::new(placeholder),
        }
    }

    /// The text that stands in the place of a block's payload; nothing if none does.
    #[must_use]
    pub fn replacement_of(&self, view: &View, block: u32) -> &str {
        self.texts.get(view.block(block).replacement)
    }

    /// A text by its number.
    #[must_use]
    pub fn text(&self, id: TextId) -> &str {
        self.texts.get(id)
    }

    /// All texts, in the order of their numbers.
    #[must_use]
    pub fn texts(&self) -> &[String] {
        self.texts.all()
    }

    /// Adds a text to the table.
    pub fn add_text(&mut self, text: String) -> TextId {
        self.texts.add(text)
    }

    /// The spans that were cut from a block's text.
    #[must_use]
    pub fn cuts_of(&self, block: u32) -> Option<&[(u32, u32)]> {
        self.texts.cuts_of(block)
    }

    /// Drops blocks and all that stands or falls with them: the other half of a pair, the members
    /// of an atom, what would be left of a unit without substance. Calls go only if they are among the seeds.
    pub fn drop_blocks(&mut self, view: &mut View, seeds: &[u32], rule: RuleName, cause: u32) -> Decision {
        let mut open = seeds.to_vec();
        let mut closure: Vec<u32> = Vec::with_capacity(open.len() + 2);
        // What stands last is known when nothing else goes.
        while let Some(index) =
            open.pop().or_else(|| closure.iter().find_map(|&index| last_thinking(view, index)))
        {
            let block = *view.block(index);
            if !block.is_live() {
                continue;
            }
            // What other calls of a set gave is worth no less because one of them may go.
            let is_foreign = block.kind == Kind::ToolCall && !seeds.contains(&index);
            let decision = if is_foreign { Decision::Forbidden } else { Self::may_drop(view, index) };
            if decision != Decision::Accepted {
                self.restore(view, &closure);
                return decision;
            }
            view.mark_dropped(index);
            self.ledger.dropped(&block);
            closure.push(index);
            open.extend(view.partner(index));
            if block.atom != 0 {
                open.extend_from_slice(view.take_atom(block.atom));
            }
            open.extend(bound_thinking(view, block.unit));
            let unit = view.unit(block.unit);
            // What is left goes with the last block of substance; looked for once in each unit.
            let is_last = block.is_substance(unit.speaker) || seeds.contains(&index);
            if is_last && unit.substance == 0 && unit.live > 0 {
                open.extend(view.blocks_of(block.unit).filter(|&left| view.block(left).is_live()));
            }
        }
        let mut verdicts = closure.iter().map(|&index| verdict(view, view.block(index).unit));
        let forbidden = verdicts.find(|&verdict| verdict != Decision::Accepted);
        let decision = if closure.is_empty() { Some(Decision::Refused) } else { forbidden };
        if let Some(decision) = decision {
            self.restore(view, &closure);
            return decision;
        }
        self.log_drops(view, &closure, rule, cause);
        Decision::Accepted
    }

    fn may_drop(view: &View, index: u32) -> Decision {
        let block = view.block(index);
        if view.unit(block.unit).is_protected() || block.kind == Kind::Opaque {
            return Decision::Refused;
        }
        if must_think(view, index) { Decision::Deferred } else { Decision::Accepted }
    }

    fn restore(&mut self, view: &mut View, closure: &[u32]) {
        for &index in closure {
            view.mark_restored(index);
            self.ledger.restored(view.block(index));
        }
    }

    fn log_drops(&mut self, view: &mut View, closure: &[u32], rule: RuleName, cause: u32) {
        let units: Vec<u32> = closure.iter().map(|&index| view.block(index).unit).collect();
        let rests_on: Vec<u32> = units.iter().flat_map(|&unit| drop_rests_on(view, unit)).collect();
        let wait = self.must_wait(view, &units, &rests_on);
        for &index in closure {
            let (unit, kind) = (view.block(index).unit, view.block(index).kind);
            if kind == Kind::ToolResponse {
                self.dropped_responses.push(index);
            }
            let edit = if view.unit(unit).live > 0 {
                Edit::DropBlock { unit, block: index - view.unit(unit).first_block }
            } else if view.unit(unit).dropped {
                continue;
            } else {
                view.mark_unit_dropped(unit);
                Edit::DropUnit { unit }
            };
            self.log.push(wait.log(edit, (rule, cause)));
        }
        self.count(rule);
    }

    /// Whether an edit of these units waits for a flush: one of them was given out, or an edit waits already of one of
    /// them (the halves of two pairs may share a unit), or of another one that it rests on.
    pub(super) fn must_wait(&self, view: &mut View, units: &[u32], rests_on: &[u32]) -> Wait {
        let others = units.iter().chain(rests_on).map(|&unit| view.unit(unit).anchor).min().unwrap_or(NONE);
        let pending = others != NONE || units.iter().any(|&unit| unit < self.given_out);
        let mut anchor = others;
        if pending {
            anchor = units.iter().map(|&unit| view.message_of(unit).start).fold(anchor, u32::min);
            for &unit in units {
                view.mark_waiting(unit, anchor);
            }
        }
        Wait { pending, anchor, since: view.turns() }
    }

    pub(super) fn count(&mut self, rule: RuleName) {
        if let Some(count) = self.counts.get_mut(rule as usize) {
            *count += 1;
        }
    }

    /// How many edits of a rule were accepted since the log was last taken.
    #[must_use]
    pub fn count_of(&self, rule: RuleName) -> u32 {
        self.counts.get(rule as usize).copied().unwrap_or(0)
    }

    /// Takes a rule's edits of units that are gone by now out of the log.
    pub fn forget_edits_of_dropped(&mut self, view: &View, rule: RuleName) {
        let before = self.log.len();
        self.log.retain(|logged| logged.rule != rule || !view.unit(logged.edit.unit()).dropped);
        let forgotten = u32::try_from(before - self.log.len()).unwrap_or(0);
        if let Some(count) = self.counts.get_mut(rule as usize) {
            *count -= forgotten.min(*count);
        }
    }

    /// Drops whole units; the caller answers for the pairs (it cuts at boundaries only).
    pub fn drop_units(&mut self, view: &mut View, units: &[u32], rule: RuleName, cause: u32) -> Decision {
        if units.iter().any(|&unit| view.unit(unit).is_protected()) {
            return Decision::Refused;
        }
        let blocks = units.iter().flat_map(|&unit| view.blocks_of(unit));
        let live: Vec<u32> = blocks.filter(|&index| view.block(index).is_live()).collect();
        for &index in &live {
            view.mark_dropped(index);
            self.ledger.dropped(view.block(index));
        }
        // Between neighbours that go nothing comes to stand.
        let mut ends =
            units.iter().zip(units.iter().skip(1).chain([&NONE])).filter(|&(unit, next)| unit + 1 != *next);
        if ends.any(|(&unit, _)| moves_call_behind_words(view, unit)) {
            self.restore(view, &live);
            return Decision::Deferred;
        }
        let responses = live.into_iter().filter(|&index| view.block(index).kind == Kind::ToolResponse);
        self.dropped_responses.extend(responses);
        let wait = self.must_wait(view, units, &[]);
        for &unit in units {
            view.mark_unit_dropped(unit);
            self.log.push(wait.log(Edit::DropUnit { unit }, (rule, cause)));
            self.count(rule);
        }
        Decision::Accepted
    }

    /// Replaces a response's payload by a text, if the text is shorter, or media, for which the caller answers;
    /// `price` is what the text costs, if it was counted already.
    pub fn set_text(
        &mut self,
        view: &mut View,
        index: u32,
        text: TextId,
        price: Option<u32>,
        (rule, cause): (RuleName, u32),
    ) -> Decision {
        let block = *view.block(index);
        let is_shorter = block.kind == Kind::Media || self.texts.is_shorter(text, index, &block);
        if !may_replace(view, index) || !is_shorter {
            return Decision::Refused;
        }
        self.place(view, (index, &[]), text, price, (rule, cause))
    }

    /// Changes spans of a response's text, if that saves tokens.
    pub fn patch(
        &mut self,
        view: &mut View,
        source: &dyn TextSource,
        (index, text): (u32, &str),
        changes: &[Change],
        (rule, cause): (RuleName, u32),
    ) -> Decision {
        let saves = |editor: &Self, view| editor.saves(view, source, (index, text), changes);
        if !may_patch(view, index) || changes.is_empty() || !saves(self, view) {
            return Decision::Refused;
        }
        let Block { unit, .. } = *view.block(index);
        let block = index - view.unit(unit).first_block;
        let wait = self.must_wait(view, &[unit], &[]);
        for change in changes {
            let edit = match change {
                &Change::Unnumber { start, end } => Edit::Unnumber { unit, block, start, end },
                Change::Replace { start, end, text } => {
                    let text = self.add_text(text.clone());
                    Edit::Replace { unit, block, start: *start, end: *end, text }
                }
            };
            self.replay(view, edit);
            self.log.push(wait.log(edit, (rule, cause)));
        }
        if let Some(block) = view.block_mut(index) {
            self.ledger.edited(index, block, None);
        }
        self.count(rule);
        Decision::Accepted
    }

    /// What was changed inside a response's text.
    #[must_use]
    pub fn patch_of(&self, block: u32) -> Option<&Patch> {
        self.texts.patch_of(block)
    }

    /// Counts new blocks, and blocks that were edited since.
    ///
    /// # Errors
    /// The caller's token counter failed; no edit is lost by that.
    pub fn count_tokens(&mut self, view: &mut View, source: &dyn TextSource) -> Result<(), Error> {
        self.ledger.count(view, &self.texts, source)
    }

    /// Counts at most this many uncounted live blocks, if the counter knows bounds; all of them where they can't.
    ///
    /// # Errors
    /// As [`Self::count_tokens`].
    pub fn settle_tokens(
        &mut self,
        view: &mut View,
        source: &dyn TextSource,
        blocks: usize,
    ) -> Result<(), Error> {
        self.ledger.settle(view, &self.texts, source, blocks)
    }

    /// Counts a text that was read for a rule anyway, so that it needn't be read once more.
    pub fn count_read(
        &mut self,
        view: &mut View,
        source: &dyn TextSource,
        (index, leaf): (u32, Leaf),
        text: &str,
    ) {
        if self.is_counting && !source.has_counter() {
            self.ledger.note_read(view, source, (index, leaf), text);
        }
    }

    /// Whether at most so many tokens are left; counts no further than needed.
    ///
    /// # Errors
    /// As [`Self::count_tokens`].
    pub fn is_within(&mut self, view: &mut View, source: &dyn TextSource, limit: u64) -> Result<bool, Error> {
        self.settle_tokens(view, source, 0)?;
        while self.ledger.now <= limit && limit < self.ledger.most {
            self.settle_tokens(view, source, 1)?;
        }
        Ok(self.ledger.most <= limit)
    }

    /// Makes an edit again that an earlier instance of this history made: no checks, no log.
    pub fn replay(&mut self, view: &mut View, edit: Edit) {
        let index = |unit: u32, block: u32| view.unit(unit).first_block.saturating_add(block);
        match edit {
            Edit::DropUnit { unit } => {
                for index in view.blocks_of(unit) {
                    self.replay_drop(view, index);
                }
                view.mark_unit_dropped(unit);
            }
            Edit::DropBlock { unit, block } => {
                self.replay_drop(view, index(unit, block));
                // A unit that is a part of a message is dropped block by block.
                if view.unit(unit).live == 0 {
                    view.mark_unit_dropped(unit);
                }
            }
            Edit::SetText { unit, block, text } => {
                let index = index(unit, block);
                if let Some(block) = view.block_mut(index) {
                    block.replacement = text;
                    let is_cut = matches!(block.kind, Kind::ToolResponse | Kind::ToolCall | Kind::Media);
                    block.flags |= if is_cut { flags::COMPACTED } else { 0 };
                }
            }
            Edit::Cut { unit, block, start, end } => {
                self.texts.cut(index(unit, block), start, end);
            }
            Edit::Replace { unit, block, start, end, text } => {
                let length = self.texts.length(text);
                self.texts.patch(index(unit, block), |patch| patch.replace_by(start, end, text, length));
            }
            Edit::Unnumber { unit, block, start, end } => {
                self.texts.patch(index(unit, block), |patch| patch.unnumber(start, end));
            }
        }
    }

    /// Makes an edit again that waits: its blocks may have been counted.
    pub fn redo(&mut self, view: &mut View, edit: Edit) {
        let before: Vec<(u32, Block)> = edit.blocks(view).map(|index| (index, *view.block(index))).collect();
        self.replay(view, edit);
        for (index, block) in before.into_iter().filter(|(_, block)| block.is_live()) {
            match view.block_mut(index) {
                Some(after) if after.is_live() => self.ledger.edited(index, after, None),
                _ => self.ledger.dropped(&block),
            }
        }
    }

    fn replay_drop(&mut self, view: &mut View, index: u32) {
        if view.block(index).is_live() && view.block(index).kind == Kind::ToolResponse {
            self.dropped_responses.push(index);
        }
        view.mark_dropped(index);
    }

    /// Drops the thinking behind an edit of the unit `first`: a provider that binds thinking to its
    /// prefix refuses it.
    pub fn drop_bound_thinking(&mut self, view: &mut View, first: u32) {
        let cause = view.len().saturating_sub(1);
        let behind: Vec<u32> = thinking_behind(view, first).collect();
        for index in behind {
            self.drop_blocks(view, &[index], RuleName::BoundThinking, cause);
        }
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.texts.bytes()
    }
}
