//! The incremental optimizer: a history that grows, and the edits that keep it dense.
//!
//! The cost of a run depends on the new entries, not on the history's length. Decisions freeze: an edit that was made
//! stays made. The definition is a composition (and the tests hold this against a naive implementation of it):
//! `output_n = rules(output_{n-1} followed by the new entries)`.

mod presets;
mod turns;

use crate::budget::at_least_zero;
use crate::defaults;
pub use crate::edit::DensityMetadata;
use crate::edit::{Edit, Editor, holds_prefix};
use crate::error::Error;
use crate::options::{CompressSettings, FlushPolicy, OptimizeSettings, Preset, Prices, invalid};
use crate::rules::compacted::{POINTER, is_compacted};
use crate::rules::{Inclusions, Recency, Results, StaleReads};
use crate::strategy::{Outcome, compress};
use crate::tools::ToolTable;
use crate::view::{Block, Capabilities, Kind, Leaf, Names, TextSource, View, flags, stream};
pub use turns::Run;
use turns::make_waiting;

/// A history that grows, with its rules.
#[derive(Clone, Debug)]
pub struct Optimizer {
    /// The history.
    pub view: View,
    /// Its edits.
    pub editor: Editor,
    /// What the calls' tools do.
    pub tools: ToolTable,
    stale_reads: Option<StaleReads>,
    inclusions: Option<Inclusions>,
    recency: Option<Recency>,
    results: Option<Results>,
    budget: Option<f64>,
    policy: FlushPolicy,
    prices: Prices,
    is_cold: bool,
    output_length: u32,
    /// The first unit that an edit which waits for a flush touches.
    waiting: Option<u32>,
    recognized: u32,
    ledger_at_flush: u64,
    /// The turns that were run since a caller was told of one.
    untold: Option<Run>,
    /// So many units were there when a caller was told of a run.
    told: u32,
}

/// A conversation goes on for as many turns as it has had, times this.
const PATIENCE: f64 = 2.0;
/// Of a budget that was passed so much is filled again.
const ROOM: f64 = 0.8;
/// A flush pays only if it saves at least this part of the rest.
const BATCH: f64 = 0.5;

/// What a flush comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlook {
    /// The tokens that every turn saves from then on.
    pub saved: u64,
    /// The tokens behind the first edit, which the cache doesn't hold any more.
    pub behind: u64,
    /// After so many turns it has cost less than it saved.
    pub pays_back_after: f64,
}

impl Outlook {
    #[allow(clippy::cast_precision_loss)]
    fn of(saved: u64, behind: u64, prices: Prices) -> Self {
        // Without the flush, all of this is read from the cache.
        let cost = behind as f64 * (prices.uncached - prices.cached);
        let gain = saved as f64 * prices.cached;
        Self { saved, behind, pays_back_after: if gain > 0.0 { cost / gain } else { f64::INFINITY } }
    }
}

impl Optimizer {
    /// An optimizer for an empty history.
    ///
    /// # Errors
    /// [`crate::ErrorCode::InvalidOptions`] if a number is out of its range.
    pub fn new(settings: &OptimizeSettings) -> Result<Self, Error> {
        let retention = retention(settings.recency_retention)?;
        let root = settings.workspace_root.as_deref().unwrap_or("/");
        let preset = settings.preset.unwrap_or_default();
        let policy = settings.flush.unwrap_or_else(|| FlushPolicy::of(preset));
        let is_seed = preset == Preset::Seed;
        let is_on = |switch: Option<bool>, default: bool| switch.unwrap_or(default);
        Ok(Self {
            view: View::new(Names::new(root), Capabilities::default()),
            editor: Editor::new(POINTER),
            tools: ToolTable::with(settings.tools.as_deref().unwrap_or(&[])),
            stale_reads: is_on(settings.read_write_pruning, is_seed && defaults::READ_WRITE_PRUNING)
                .then(StaleReads::default),
            inclusions: is_on(settings.file_dedupe, defaults::FILE_DEDUPE)
                .then(|| Inclusions::new(preset != Preset::Seed)),
            recency: is_on(settings.recency_pruning, defaults::RECENCY_PRUNING)
                .then(|| Recency::new(retention, settings.recency_tools.clone(), is_seed)),
            results: presets::results(settings, preset),
            budget: settings.budget.map(|budget| at_least_zero("budget", budget)).transpose()?,
            policy,
            prices: settings.prices.unwrap_or_default(),
            is_cold: false,
            output_length: 0,
            waiting: None,
            recognized: 0,
            ledger_at_flush: 0,
            untold: None,
            told: 0,
        })
    }

    /// An optimizer that only compresses.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn for_compression(settings: &CompressSettings) -> Result<Self, Error> {
        let CompressSettings { workspace_root, tools, .. } = settings.clone();
        let flush = Some(FlushPolicy::Always);
        Self::new(&OptimizeSettings { workspace_root, flush, tools, ..OptimizeSettings::default() })
    }

    /// Adds the units of an [integer stream](stream).
    ///
    /// # Errors
    /// [`crate::ErrorCode::InvalidStream`].
    pub fn push_stream(&mut self, words: &[u32], source: &dyn TextSource) -> Result<(), Error> {
        stream::push_stream(&mut self.view, words)?;
        self.recognize(source);
        Ok(())
    }

    /// Finds the responses that are pointers or summary lines already, among the new ones. Call it
    /// after pushing units to the view directly.
    pub fn recognize(&mut self, source: &dyn TextSource) {
        while self.recognized < self.view.block_count() {
            let index = self.recognized;
            self.recognized += 1;
            let block = self.view.block(index);
            if block.kind != Kind::ToolResponse || !block.has(flags::BRACKETED) {
                continue;
            }
            let text = self.view.text(source, index, Leaf::Text);
            let tool = self.view.names.tool_name(self.view.block(index).tool);
            if is_compacted(&text, tool)
                && let Some(block) = self.view.block_mut(index)
            {
                block.flags |= flags::COMPACTED;
            }
        }
    }

    /// Makes an edit again that an earlier instance of this history made; before the next run.
    pub fn replay(&mut self, edit: Edit, pending: bool) {
        if pending {
            self.waiting = Some(self.waiting.map_or(edit.unit(), |unit| unit.min(edit.unit())));
        }
        self.editor.replay(&mut self.view, edit);
    }

    /// Notes that the output of an earlier instance held this history's first `units` units, and
    /// what its edits had [saved](Self::saved_at_flush) when it flushed last.
    pub fn resume(&mut self, units: u32, saved_at_flush: u64) {
        self.output_length = units;
        self.told = units;
        self.editor.given_out = units;
        self.ledger_at_flush = saved_at_flush;
    }

    /// Tokens that all edits together had saved at the last flush, and what later edits saved without
    /// one.
    #[must_use]
    pub const fn saved_at_flush(&self) -> u64 {
        self.ledger_at_flush
    }

    /// Notes that the provider's cache is cold, so the next flush is free.
    pub const fn cool(&mut self) {
        self.is_cold = true;
    }

    /// Runs the rules over what is new. `force` flushes whatever the policy says.
    ///
    /// # Errors
    /// The caller's token counter failed; what was decided until then comes with the next run.
    pub fn run(&mut self, source: &dyn TextSource, force: bool) -> Result<Run, Error> {
        let run = self.turn(source, force)?;
        self.told = self.view.len();
        Ok(self.told_of(run))
    }

    /// Runs the rules over the newest turn.
    fn turn(&mut self, source: &dyn TextSource, force: bool) -> Result<Run, Error> {
        self.editor.given_out = self.given_out();
        if let Some(rule) = &mut self.stale_reads {
            rule.run(&mut self.view, &mut self.editor);
        }
        if let Some(rule) = &mut self.inclusions {
            rule.run(&mut self.view, &mut self.editor, source);
        }
        if let Some(rule) = &mut self.recency {
            rule.run(&mut self.view, &mut self.editor, source);
        } else {
            self.editor.dropped_responses.clear();
        }
        if let Some(rule) = &mut self.results {
            rule.run(&mut self.view, &mut self.editor, &self.tools, source, self.output_length);
        }
        self.keep_budget(source)?;
        let is_free = std::mem::take(&mut self.is_cold) && self.policy != FlushPolicy::Never;
        let is_due = self.is_flush_due(source)? || is_free || force;
        Ok(self.finish(is_due))
    }

    /// Runs a deterministic strategy; its edits always flush, and so does what waits: the history must become smaller.
    ///
    /// # Errors
    /// As [`compress`].
    pub fn compress(
        &mut self,
        settings: &CompressSettings,
        source: &dyn TextSource,
    ) -> Result<(Outcome, Run), Error> {
        if !matches!(self.policy, FlushPolicy::Always | FlushPolicy::Never) {
            // They go by what the edits saved of everything.
            self.tokens(source)?;
        }
        self.editor.given_out = self.given_out();
        let demands = self.view.capabilities;
        self.view.capabilities = demands.in_need();
        let outcome = compress(&mut self.view, &mut self.editor, source, settings);
        let done = outcome.map(|outcome| {
            let run = self.finish(true);
            self.told = self.view.len();
            (outcome, self.told_of(run))
        });
        self.view.capabilities = demands;
        done
    }

    /// Tokens of all units as they were pushed, and of what is left of them.
    ///
    /// # Errors
    /// The caller's token counter failed.
    pub fn tokens(&mut self, source: &dyn TextSource) -> Result<(u64, u64), Error> {
        self.editor.count_tokens(&mut self.view, source)?;
        Ok((self.editor.ledger.raw, self.editor.ledger.now))
    }

    /// Everything up to its newest entry was seen by the model, whoever sent it.
    fn given_out(&self) -> u32 {
        self.output_length.max(self.view.last_ai().map_or(0, |unit| unit + 1))
    }

    /// Cuts old results further once the history is larger than the budget; it frees some room, because otherwise
    /// every turn would change sent messages.
    #[allow(clippy::cast_precision_loss)]
    fn keep_budget(&mut self, source: &dyn TextSource) -> Result<(), Error> {
        let Some(budget) = self.budget else { return Ok(()) };
        if self.tokens(source)?.1 as f64 <= budget {
            return Ok(());
        }
        let enough = if self.output_length == 0 { budget } else { budget * ROOM };
        if let Some(rule) = &mut self.results {
            rule.press_anew();
        }
        while self.tokens(source)?.1 as f64 > enough {
            let Some(rule) = &mut self.results else { break };
            if !rule.cut_next(&mut self.view, &mut self.editor, source) {
                break;
            }
        }
        Ok(())
    }

    fn is_flush_due(&mut self, source: &dyn TextSource) -> Result<bool, Error> {
        match self.policy {
            FlushPolicy::Always => return Ok(true),
            FlushPolicy::Never => return Ok(false),
            FlushPolicy::Tokens(_) | FlushPolicy::WhenItPays | FlushPolicy::WhenCold => {}
        }
        self.tokens(source)?;
        self.ledger_at_flush = self.ledger_at_flush.saturating_add_signed(self.saved_for_free());
        #[allow(clippy::cast_precision_loss)]
        let (saved, left) = (self.waiting_tokens() as f64, self.editor.ledger.now as f64);
        // What comes soon after a flush is sent anew for the next: each is to save enough.
        let is_enough = match self.policy {
            FlushPolicy::Tokens(least) => return Ok(saved >= least && self.first_waiting().is_some()),
            FlushPolicy::WhenItPays => saved >= BATCH * left,
            FlushPolicy::Always | FlushPolicy::Never | FlushPolicy::WhenCold => false,
        };
        let outlook = if is_enough { self.outlook(source, 0)? } else { None };
        Ok(outlook.is_some_and(|outlook| outlook.pays_back_after <= PATIENCE * f64::from(self.view.turns())))
    }

    /// The tokens that the edits save which wait for a flush, once all are counted.
    fn waiting_tokens(&self) -> u64 {
        self.editor.ledger.raw.saturating_sub(self.editor.ledger.now).saturating_sub(self.ledger_at_flush)
    }

    /// The first unit that an edit which waits for a flush touches.
    fn first_waiting(&self) -> Option<u32> {
        let new = self.editor.log.iter().filter(|logged| logged.pending).map(|logged| logged.edit.unit());
        new.chain(self.waiting).min()
    }

    /// The cost and gain of a flush now; none if nothing waits for one, or none may be made. If the policy does not
    /// count, `held` is the savings of the waiting edits.
    ///
    /// # Errors
    /// The caller's token counter failed.
    pub fn outlook(&mut self, source: &dyn TextSource, held: u64) -> Result<Option<Outlook>, Error> {
        let Some(first) = self.first_waiting().filter(|&first| !holds_prefix(&self.view, first)) else {
            return Ok(None);
        };
        self.tokens(source)?;
        let is_counted = !matches!(self.policy, FlushPolicy::Always | FlushPolicy::Never);
        let saved = if is_counted { self.waiting_tokens() } else { held };
        let left = |block: &Block| if block.is_live() { u64::from(block.tokens.now.lower) } else { 0 };
        // What was never sent is sent uncached in any case; what the newest run gave out first wasn't before more came.
        let is_sent = self.output_length < self.view.len();
        let end = if is_sent { self.given_out() } else { self.editor.given_out };
        let behind = (first..end).flat_map(|unit| self.view.blocks_of(unit));
        let behind = behind.map(|index| left(self.view.block(index))).sum();
        Ok(Some(Outlook::of(saved, behind, self.prices)))
    }

    /// The tokens that this run saves without a flush: in units that nobody has seen yet.
    fn saved_for_free(&self) -> i64 {
        let units = (self.editor.given_out..self.view.len()).filter(|&unit| !self.view.unit(unit).waits);
        let blocks = units.flat_map(|unit| self.view.blocks_of(unit)).map(|index| self.view.block(index));
        let saved = |block: &Block| {
            // All of it was counted.
            let now = if block.is_live() { block.tokens.now.lower } else { 0 };
            i64::from(block.tokens.raw.unwrap_or(0)) - i64::from(now)
        };
        blocks.map(saved).sum()
    }

    fn finish(&mut self, is_due: bool) -> Run {
        let first = self.first_waiting();
        let held_back = first.filter(|&first| holds_prefix(&self.view, first));
        let flush = first.filter(|_| is_due && held_back.is_none());
        self.waiting = if flush.is_some() { None } else { first };
        if let Some(first) = flush {
            if self.view.capabilities.thinking_bound_to_prefix {
                self.editor.drop_bound_thinking(&mut self.view, first);
            }
            self.ledger_at_flush = self.editor.ledger.raw.saturating_sub(self.editor.ledger.now);
        }
        self.output_length = self.view.len();
        let held = self.stale_reads.as_mut().map(|rule| std::mem::take(&mut rule.held));
        let unbalanced = self.inclusions.as_mut().map(|rule| std::mem::take(&mut rule.unbalanced));
        let mut edits = std::mem::take(&mut self.editor.log);
        if let Some(first) = flush {
            make_waiting(&mut edits, first);
        }
        Run {
            edits,
            counts: std::mem::take(&mut self.editor.counts),
            flush,
            unbalanced: unbalanced.unwrap_or_default(),
            held: held.unwrap_or_default(),
            held_back,
        }
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.view.bytes()
            + self.editor.bytes()
            + self.stale_reads.as_ref().map_or(0, StaleReads::bytes)
            + self.inclusions.as_ref().map_or(0, Inclusions::bytes)
            + self.recency.as_ref().map_or(0, Recency::bytes)
            + self.results.as_ref().map_or(0, Results::bytes)
    }
}

/// `max(1, floor(n))`; what isn't a number is an error (requirements 8.5).
fn retention(given: Option<f64>) -> Result<u32, Error> {
    let given = given.unwrap_or(defaults::RECENCY_RETENTION);
    if given.is_nan() {
        return Err(invalid("recencyRetention", "NaN", "a number"));
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    Ok((given.floor() as u32).max(1))
}
