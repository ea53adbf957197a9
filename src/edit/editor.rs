//! The pipeline: propose, close over groups, check, reprice, accept or refuse.

use std::collections::{BinaryHeap, HashMap};

use super::ledger::{Ledger, count_text, remaining};
use super::{Edit, Logged, RULES, Rule, TextId};
use crate::error::Error;
use crate::view::{Block, Kind, NONE, Speaker, TextSource, View, flags};

/// What became of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It was made.
    Accepted,
    /// It is forbidden, or it wouldn't make anything smaller.
    Refused,
    /// It is forbidden for now: propose it again in the next run.
    Deferred,
}

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
    texts: Vec<String>,
    /// Lengths of the texts as JSON.
    lengths: Vec<u32>,
    cuts: HashMap<u32, Vec<(u32, u32)>>,
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
            texts: vec![placeholder.to_owned()],
            lengths: vec![json_length(placeholder)],
            cuts: HashMap::new(),
        }
    }

    /// A text by its number.
    #[must_use]
    pub fn text(&self, id: TextId) -> &str {
        self.texts.get(id as usize).map_or("", String::as_str)
    }

    /// All texts, in the order of their numbers.
    #[must_use]
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Adds a text to the table.
    pub fn add_text(&mut self, text: String) -> TextId {
        self.lengths.push(json_length(&text));
        self.texts.push(text);
        u32::try_from(self.texts.len() - 1).unwrap_or(0)
    }

    /// The text that a block's payload was replaced by.
    pub(super) fn replacement(&self, block: &Block) -> Option<&str> {
        (block.replacement != NONE).then(|| self.text(block.replacement))
    }

    /// The spans that were cut from a block's text.
    #[must_use]
    pub fn cuts_of(&self, block: u32) -> Option<&[(u32, u32)]> {
        self.cuts.get(&block).map(Vec::as_slice)
    }

    /// Drops blocks and all that stands or falls with them: the other half of a pair, the members
    /// of an atom, what would be left of a unit without substance.
    pub fn drop_blocks(&mut self, view: &mut View, seeds: &[u32], rule: Rule, cause: u32) -> Decision {
        let mut open = seeds.to_vec();
        let mut closure = Vec::with_capacity(open.len() + 2);
        while let Some(index) = open.pop() {
            let block = *view.block(index);
            if !block.is_live() {
                continue;
            }
            let decision = Self::may_drop(view, index);
            if decision != Decision::Accepted {
                self.restore(view, &closure);
                return decision;
            }
            view.mark_dropped(index);
            self.ledger.dropped(&block);
            closure.push(index);
            open.extend(view.partner(index));
            if block.atom != 0 {
                open.extend_from_slice(view.atom(block.atom));
            }
            let unit = view.unit(block.unit);
            if unit.substance == 0 && unit.live > 0 {
                open.extend(view.blocks_of(block.unit).filter(|&left| view.block(left).is_live()));
            }
        }
        if closure.is_empty() {
            return Decision::Refused;
        }
        self.log_drops(view, &closure, rule, cause);
        Decision::Accepted
    }

    fn may_drop(view: &View, index: u32) -> Decision {
        let block = view.block(index);
        if view.unit(block.unit).is_protected() || block.kind == Kind::Opaque {
            return Decision::Refused;
        }
        let in_open_loop = view.last_human().is_none_or(|human| block.unit > human);
        if block.kind == Kind::Thinking && in_open_loop && view.capabilities.open_loop_keeps_thinking {
            return Decision::Deferred;
        }
        Decision::Accepted
    }

    fn restore(&mut self, view: &mut View, closure: &[u32]) {
        for &index in closure {
            view.mark_restored(index);
            self.ledger.restored(view.block(index));
        }
    }

    fn log_drops(&mut self, view: &mut View, closure: &[u32], rule: Rule, cause: u32) {
        let pending = closure.iter().any(|&index| view.block(index).unit < self.given_out);
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
            self.log.push(Logged { edit, rule, cause, pending });
        }
        self.count(rule);
    }

    fn count(&mut self, rule: Rule) {
        if let Some(count) = self.counts.get_mut(rule as usize) {
            *count += 1;
        }
    }

    /// How many edits of a rule were accepted since the log was last taken.
    #[must_use]
    pub fn count_of(&self, rule: Rule) -> u32 {
        self.counts.get(rule as usize).copied().unwrap_or(0)
    }

    /// Takes a rule's edits of units that are gone by now out of the log.
    pub fn forget_edits_of_dropped(&mut self, view: &View, rule: Rule) {
        let before = self.log.len();
        self.log.retain(|logged| logged.rule != rule || !view.unit(logged.edit.unit()).dropped);
        let forgotten = u32::try_from(before - self.log.len()).unwrap_or(0);
        if let Some(count) = self.counts.get_mut(rule as usize) {
            *count -= forgotten.min(*count);
        }
    }

    /// Drops whole units; the caller answers for the pairs (it cuts at boundaries only).
    pub fn drop_units(&mut self, view: &mut View, units: &[u32], rule: Rule, cause: u32) -> Decision {
        if units.iter().any(|&unit| view.unit(unit).is_protected()) {
            return Decision::Refused;
        }
        let pending = units.iter().any(|&unit| unit < self.given_out);
        for &unit in units {
            for index in view.blocks_of(unit) {
                let block = *view.block(index);
                if !block.is_live() {
                    continue;
                }
                view.mark_dropped(index);
                self.ledger.dropped(&block);
                if block.kind == Kind::ToolResponse {
                    self.dropped_responses.push(index);
                }
            }
            view.mark_unit_dropped(unit);
            self.log.push(Logged { edit: Edit::DropUnit { unit }, rule, cause, pending });
            self.count(rule);
        }
        Decision::Accepted
    }

    /// Replaces a response's payload by a text, if the text is shorter.
    ///
    /// # Errors
    /// The caller's counter failed on the text; then nothing was changed.
    pub fn set_text(
        &mut self,
        view: &mut View,
        source: &dyn TextSource,
        index: u32,
        text: TextId,
        (rule, cause): (Rule, u32),
    ) -> Result<Decision, Error> {
        let block = *view.block(index);
        let fixed = block.has(flags::COMPACTED | flags::FIXED_RESULT | flags::DROPPED);
        if block.kind != Kind::ToolResponse
            || fixed
            || view.unit(block.unit).is_protected()
            || self.lengths.get(text as usize).is_none_or(|&length| length >= block.size)
        {
            return Ok(Decision::Refused);
        }
        let now = if block.has(flags::COUNTED) { count_text(source, self.text(text))? } else { 0 };
        if let Some(block) = view.block_mut(index) {
            block.replacement = text;
            self.ledger.repriced(block, now);
            // What the payload said of success is gone; what the `error` field says is not.
            block.flags |= flags::COMPACTED;
        }
        let edit = Edit::SetText { unit: block.unit, block: index - view.unit(block.unit).first_block, text };
        self.log.push(Logged { edit, rule, cause, pending: block.unit < self.given_out });
        self.count(rule);
        Ok(Decision::Accepted)
    }

    /// Cuts spans from the text of one unit's blocks. A block that would be emptied is dropped if
    /// the unit has others, else `pointer` takes its place, if that is shorter.
    ///
    /// # Errors
    /// The caller's counter failed on what is left; then nothing was changed.
    pub fn cut(
        &mut self,
        view: &mut View,
        source: &dyn TextSource,
        spans: &[(u32, u32, u32)],
        pointer: &str,
        (rule, cause): (Rule, u32),
    ) -> Result<Decision, Error> {
        let Some(&(first, ..)) = spans.first() else { return Ok(Decision::Refused) };
        let unit = view.block(first).unit;
        if view.unit(unit).is_protected() {
            return Ok(Decision::Refused);
        }
        let Some(plan) = self.plan_cut(view, spans, pointer) else { return Ok(Decision::Refused) };
        let mut prices = Vec::with_capacity(plan.len());
        for step in &plan {
            prices.push(self.price(view, source, step, pointer)?);
        }
        for (step, price) in plan.iter().zip(prices) {
            self.apply_cut(view, step, price, pointer, (rule, cause));
        }
        self.count(rule);
        Ok(Decision::Accepted)
    }

    fn plan_cut(&self, view: &View, spans: &[(u32, u32, u32)], pointer: &str) -> Option<Vec<CutStep>> {
        let mut plan: Vec<CutStep> = Vec::new();
        for &(block, start, end) in spans {
            match plan.last_mut() {
                Some(step) if step.block == block => step.spans.push((start, end)),
                _ => plan.push(CutStep { block, spans: vec![(start, end)], outcome: Outcome::Shorter }),
            }
        }
        let unit = view.unit(view.block(plan.first()?.block).unit);
        let mut left = unit.live;
        for step in &mut plan {
            let size = view.block(step.block).size;
            let before: u32 =
                self.cuts_of(step.block).unwrap_or(&[]).iter().map(|(start, end)| end - start).sum();
            let cut: u32 = step.spans.iter().map(|(start, end)| end - start).sum();
            if size > before + cut {
                continue;
            }
            if left > 1 {
                left -= 1;
                step.outcome = Outcome::Dropped;
            } else if utf16_length(pointer) < size - before {
                step.outcome = Outcome::Pointer;
            } else {
                return None;
            }
        }
        Some(plan)
    }

    fn price(
        &self,
        view: &View,
        source: &dyn TextSource,
        step: &CutStep,
        pointer: &str,
    ) -> Result<u32, Error> {
        if !view.block(step.block).has(flags::COUNTED) {
            return Ok(0);
        }
        match step.outcome {
            Outcome::Dropped => Ok(0),
            Outcome::Pointer => count_text(source, pointer),
            Outcome::Shorter => {
                let cuts = self.merged(step);
                count_text(source, &remaining(view, source, step.block, &cuts))
            }
        }
    }

    fn merged(&self, step: &CutStep) -> Vec<(u32, u32)> {
        let mut cuts = self.cuts_of(step.block).unwrap_or(&[]).to_vec();
        cuts.extend_from_slice(&step.spans);
        in_order(cuts)
    }

    fn apply_cut(&mut self, view: &mut View, step: &CutStep, price: u32, pointer: &str, from: (Rule, u32)) {
        let index = step.block;
        let block = *view.block(index);
        let unit = block.unit;
        let inner = index - view.unit(unit).first_block;
        let (rule, cause) = from;
        let pending = unit < self.given_out;
        let mut replacement = NONE;
        let mut log = |edit| self.log.push(Logged { edit, rule, cause, pending });
        match step.outcome {
            Outcome::Dropped => {
                log(Edit::DropBlock { unit, block: inner });
                view.mark_dropped(index);
                self.ledger.dropped(&block);
                return;
            }
            Outcome::Shorter => {
                for &(start, end) in &step.spans {
                    log(Edit::Cut { unit, block: inner, start, end });
                }
                let cuts = self.merged(step);
                self.cuts.insert(index, cuts);
            }
            Outcome::Pointer => {
                let text = self.add_text(pointer.to_owned());
                self.log.push(Logged {
                    edit: Edit::SetText { unit, block: inner, text },
                    rule,
                    cause,
                    pending,
                });
                replacement = text;
            }
        }
        if let Some(block) = view.block_mut(index) {
            block.replacement = replacement;
            self.ledger.repriced(block, price);
        }
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
            Edit::DropBlock { unit, block } => self.replay_drop(view, index(unit, block)),
            Edit::SetText { unit, block, text } => {
                let index = index(unit, block);
                if let Some(block) = view.block_mut(index) {
                    block.replacement = text;
                    block.flags |= if block.kind == Kind::ToolResponse { flags::COMPACTED } else { 0 };
                }
            }
            Edit::Cut { unit, block, start, end } => {
                let cuts = self.cuts.entry(index(unit, block)).or_default();
                // Nearly always the newest cut is the last one in the text, too.
                let at = cuts.partition_point(|&(before, _)| before < start);
                cuts.insert(at, (start, end));
            }
        }
    }

    fn replay_drop(&mut self, view: &mut View, index: u32) {
        if view.block(index).is_live() && view.block(index).kind == Kind::ToolResponse {
            self.dropped_responses.push(index);
        }
        view.mark_dropped(index);
    }

    /// Drops thinking behind `first`, whose prefix an edit has changed: a provider that binds
    /// thinking to its prefix refuses it. Returns how many blocks went.
    pub fn drop_bound_thinking(&mut self, view: &mut View, first: u32) -> u32 {
        let units = first.saturating_add(1)..view.len();
        let thinking: Vec<u32> = units
            .filter(|&unit| view.unit(unit).speaker == Speaker::Ai)
            .flat_map(|unit| view.blocks_of(unit))
            .filter(|&index| view.block(index).kind == Kind::Thinking && view.block(index).is_live())
            .collect();
        let cause = view.len().saturating_sub(1);
        let drop = |index: u32| self.drop_blocks(view, &[index], Rule::BoundThinking, cause);
        let dropped = thinking.into_iter().map(drop).filter(|&decision| decision == Decision::Accepted);
        u32::try_from(dropped.count()).unwrap_or(NONE)
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let texts: usize = self.texts.iter().map(|text| text.capacity() + size_of::<String>()).sum();
        let cuts: usize = self.cuts.values().map(|cuts| cuts.capacity() * size_of::<(u32, u32)>()).sum();
        texts + cuts
    }
}

/// What is to be done to one block.
struct CutStep {
    block: u32,
    spans: Vec<(u32, u32)>,
    outcome: Outcome,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Shorter,
    Dropped,
    Pointer,
}

/// Spans in the order of their starts. A heap sort: the library's faster sorts weigh ten times as
/// much, and there are seldom more than a few spans.
pub(super) fn in_order(spans: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    BinaryHeap::from(spans).into_sorted_vec()
}

/// Length of `JSON.stringify(text)` in UTF-16 code units.
fn json_length(text: &str) -> u32 {
    let escaped = |character: char| match character {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        _ => u32::from(character.len_utf16() == 2) + 1,
    };
    text.chars().map(escaped).fold(2, u32::saturating_add)
}

/// Length in UTF-16 code units.
pub(crate) fn utf16_length(text: &str) -> u32 {
    text.chars().map(|character| u32::from(character.len_utf16() == 2) + 1).sum()
}
