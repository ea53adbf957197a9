//! What makes a history fit once it has passed its threshold: one strategy a file.
//!
//! Neither deterministic one gives up the newest summary: it holds what is pinned.
//!
//! # Which one should you use?
//! - **high-density** summarises every result outside the tail in one line and truncates only if
//!   that isn't enough: all requests, answers and calls stay. The default choice without a model.
//! - **top-down-truncation** drops the oldest entries: the fastest and the most forgetful.
//! - **middle-out**, **one-shot** and **structured** let a language model write a summary; they
//!   aren't deterministic and aren't run by [`compress`].
//! - **digest** puts a summary together by rules: requests, files, commands, errors. Instant, and it never fails; it
//!   cannot report a model's understanding. It is run where summaries are made.
//! - **auto** optimizes, then runs high-density, and asks a model for a summary only of what is still too large: the
//!   choice of a conversation with a model. [`compress`] doesn't run it.

mod high_density;
mod top_down;

use serde::Serialize;
use serde_json::Value;

use crate::boundary::Boundaries;
use crate::budget::{Budget, tail_start};
use crate::defaults;
use crate::edit::{Editor, holds_prefix};
use crate::error::{Error, ErrorCode};
use crate::joined::joined;
use crate::options::{CompressSettings, KeepFirst, found};
use crate::rules::restore_all;
use crate::view::{Speaker, TextSource, View, flags};

/// The strategies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// A model summarises the middle; top and bottom stay.
    MiddleOut,
    /// The oldest entries go.
    TopDownTruncation,
    /// A model summarises everything before the tail.
    OneShot,
    /// Deterministic edits before each send; results in one line when that isn't enough.
    HighDensity,
    /// A model writes a structured summary, which is updated from then on.
    Structured,
    /// A summary that rules make of the history.
    Digest,
    /// Deterministic edits first; a model summarises only what is still too large.
    Auto,
}

/// When a strategy works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum TriggerMode {
    /// Once the token count passes the threshold.
    Threshold,
    /// Before each send, and once the token count passes the threshold.
    Continuous,
}

/// When a strategy works, and from which token count on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct StrategyTrigger {
    /// Whether the strategy also works below the threshold.
    pub mode: TriggerMode,
    /// A part of the context limit.
    pub default_threshold: f64,
}

/// What there is to know of a strategy.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct StrategyInfo {
    /// The strategy's name.
    #[cfg_attr(feature = "wasm", tsify(type = "StrategyName"))]
    pub name: &'static str,
    /// Whether it needs a language model.
    #[serde(rename = "requiresLLM")]
    pub requires_llm: bool,
    /// When it works.
    pub trigger: StrategyTrigger,
}

impl Strategy {
    /// All strategies: the one list that names, settings and types derive from.
    pub const ALL: [Self; 7] = [
        Self::MiddleOut,
        Self::TopDownTruncation,
        Self::OneShot,
        Self::HighDensity,
        Self::Structured,
        Self::Digest,
        Self::Auto,
    ];

    /// The strategy of conversations unless set otherwise.
    pub const DEFAULT: Self = Self::Auto;

    /// The strategy's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MiddleOut => "middle-out",
            Self::TopDownTruncation => "top-down-truncation",
            Self::OneShot => "one-shot",
            Self::HighDensity => "high-density",
            Self::Structured => "structured",
            Self::Digest => "digest",
            Self::Auto => "auto",
        }
    }

    /// Whether the strategy needs a language model.
    #[must_use]
    pub const fn requires_llm(self) -> bool {
        match self {
            Self::MiddleOut | Self::OneShot | Self::Structured | Self::Auto => true,
            Self::TopDownTruncation | Self::HighDensity | Self::Digest => false,
        }
    }

    /// Whether it also works below its threshold: then the history is optimized before each send.
    #[must_use]
    pub const fn is_continuous(self) -> bool {
        matches!(self, Self::HighDensity | Self::Auto)
    }

    /// Name, needs and trigger.
    #[must_use]
    pub const fn info(self) -> StrategyInfo {
        let mode = if self.is_continuous() { TriggerMode::Continuous } else { TriggerMode::Threshold };
        let trigger = StrategyTrigger { mode, default_threshold: defaults::THRESHOLD };
        StrategyInfo { name: self.name(), requires_llm: self.requires_llm(), trigger }
    }

    /// The strategy of a name.
    ///
    /// # Errors
    /// [`ErrorCode::UnknownStrategy`], with the names that there are.
    pub fn named(name: &str) -> Result<Self, Error> {
        Self::find(name)
            .ok_or_else(|| unknown(name, &format!("one of {}", joined(Self::ALL.map(Self::name), ", "))))
    }

    fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|strategy| strategy.name() == name)
    }
}

/// The strategies that [`compress`] takes.
const TAKEN: &str = "'high-density' or 'top-down-truncation'";

fn unknown(name: &str, expected: &str) -> Error {
    let found = found(&Value::from(name));
    let message = format!("option strategy: found {found}, expected {expected}");
    Error::new(ErrorCode::UnknownStrategy, message).key("strategy")
}

/// Why a compression changed nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "kebab-case")]
pub enum NoopReason {
    /// There are no entries.
    EmptyHistory,
    /// The tail that is kept, once it begins at a legal cut, is all there is; of very short histories it is.
    TailCoversAll,
    /// The history is at or below its target.
    AlreadyUnderTarget,
    /// There is something outside the tail, but too little for a summary; only those are refused for it.
    TooFewCompressible,
    /// Nothing that may go would make the history smaller.
    NothingToGain,
    /// The provider refuses thinking behind a change, and a protected message holds some.
    ThinkingBound,
}

/// What a compression did.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
#[allow(clippy::struct_excessive_bools)] // Facts side by side: the caller reads each by its name.
pub struct CompressMetadata {
    /// Entries before.
    pub original_message_count: u32,
    /// Entries after.
    pub compressed_message_count: u32,
    /// The strategy that ran.
    #[cfg_attr(feature = "wasm", tsify(type = "StrategyName"))]
    pub strategy_used: &'static str,
    /// Whether a language model was asked; never by a deterministic strategy.
    pub llm_call_made: bool,
    /// Tokens before.
    pub tokens_before: u64,
    /// Tokens after.
    pub tokens_after: u64,
    /// The tokens that were aimed at.
    pub target_tokens: u64,
    /// Whether the target was reached.
    pub target_reached: bool,
    /// Results that became one line.
    pub results_summarized: u32,
    /// Entries that were given up.
    pub entries_dropped: u32,
    /// Whether the first request went though it was to stay: the target couldn't be reached with it.
    pub gave_up_first_request: bool,
    /// Whether the newest request went: nothing fits the limit with it.
    pub gave_up_newest_request: bool,
    /// Entries of the tail that was kept unchanged.
    pub tail_count: u32,
}

/// What came of a compression.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Edits were made.
    Applied(Box<CompressMetadata>),
    /// Nothing was changed.
    Noop(NoopReason),
}

/// What the strategies work on.
pub(crate) struct Job<'job> {
    pub view: &'job mut View,
    pub editor: &'job mut Editor,
    pub source: &'job dyn TextSource,
    pub settings: &'job CompressSettings,
    pub budget: Budget,
    /// The history before the strategy's edits.
    pub boundaries: Boundaries,
    /// Tokens of each live unit before the strategy's edits.
    pub tokens: Vec<u32>,
}

impl Job<'_> {
    /// The tokens of the units at some positions, as they are now.
    pub fn tokens_now(&self, positions: std::ops::Range<usize>) -> u64 {
        let units = self.boundaries.units().get(positions).unwrap_or(&[]);
        units.iter().map(|&unit| u64::from(unit_tokens(self.view, unit))).sum()
    }

    /// The units at some positions.
    pub fn units(&self, positions: std::ops::Range<usize>) -> Vec<u32> {
        self.boundaries.units().get(positions).unwrap_or(&[]).to_vec()
    }

    /// Where the tail starts that is to be kept, before that is moved to a boundary.
    pub fn tail_start(&self) -> Result<usize, Error> {
        let start = tail_start(self.settings.preserve, &self.boundaries.by_message(&self.tokens))?;
        Ok(self.boundaries.position_of(start))
    }

    /// Whether the first request stays. The default depends on the strategy, and on the format: some providers
    /// want a user message first.
    pub fn keeps_first(&self, by_default: bool) -> KeepFirst {
        let demands = self.view.capabilities;
        let is_demanded = by_default || demands.opens_with_human || demands.keeps_first_request;
        let default = if is_demanded { KeepFirst::WhilePossible } else { KeepFirst::No };
        self.settings.keep_first_request.unwrap_or(default)
    }

    /// The position of the first request.
    pub fn first_request(&self) -> Option<usize> {
        let is_request = |&unit: &u32| self.view.unit(unit).speaker == Speaker::Human;
        self.boundaries.units().iter().position(is_request)
    }

    /// The position of the newest request. The agent is at work on it, so it stays longer than the first one.
    pub fn newest_request(&self) -> Option<usize> {
        let is_request = |&unit: &u32| {
            let of = self.view.unit(unit);
            of.speaker == Speaker::Human
                && of.flags & flags::OBSERVATION == 0
                && !self.view.is_summary(self.source, unit)
        };
        self.boundaries.units().iter().rposition(is_request)
    }

    /// Whether the caller protects a unit of a group.
    pub fn is_protected(&self, group: &std::ops::Range<usize>) -> bool {
        let units = self.boundaries.units().get(group.clone()).unwrap_or(&[]);
        units.iter().any(|&unit| self.view.unit(unit).is_protected())
    }

    /// The position of the newest summary of ours. Truncation leaves it: it holds the user's standing instructions
    /// and pins, which would be lost silently.
    pub fn summary(&self) -> Option<usize> {
        let units = self.boundaries.units();
        units.iter().rposition(|&unit| self.view.is_summary(self.source, unit))
    }

    /// The first unit of the tail: an edit of what lies before it doesn't outlive its loss.
    pub fn cause(&self, tail: usize) -> u32 {
        self.boundaries.units().get(tail).or(self.boundaries.units().last()).copied().unwrap_or(0)
    }
}

fn unit_tokens(view: &View, unit: u32) -> u32 {
    let live = view.blocks_of(unit).map(|index| view.block(index)).filter(|block| block.is_live());
    live.map(|block| block.tokens.now.lower).fold(0, u32::saturating_add)
}

/// What a strategy did: of how many messages the tail is, and how many results and messages it changed.
pub(crate) struct Done {
    pub tail_count: usize,
    pub results_summarized: u32,
    pub entries_dropped: u32,
    pub gave_up_first_request: bool,
    pub gave_up_newest_request: bool,
}

/// Runs a deterministic strategy on a view; the edits are in the editor's log.
///
/// # Errors
/// [`ErrorCode::InvalidOptions`], [`ErrorCode::UnknownStrategy`],
/// [`ErrorCode::StrategyNeedsModel`], or the caller's token counter failed; then nothing changed.
pub fn compress(
    view: &mut View,
    editor: &mut Editor,
    source: &dyn TextSource,
    settings: &CompressSettings,
) -> Result<Outcome, Error> {
    let strategy = Strategy::find(&settings.strategy).ok_or_else(|| unknown(&settings.strategy, TAKEN))?;
    if strategy == Strategy::Digest {
        let message = "option strategy: found 'digest', which compress doesn't run; call digest() or createConversation";
        return Err(Error::new(ErrorCode::InvalidOptions, message).key("strategy"));
    }
    if strategy.requires_llm() {
        let why = match strategy {
            Strategy::Auto => "which is for createConversation",
            _ => "which needs a model: use createConversation or requestSummary",
        };
        let message = format!("option strategy: found '{}', {why}; compress takes {TAKEN}", strategy.name());
        return Err(Error::new(ErrorCode::StrategyNeedsModel, message).key("strategy"));
    }
    let budget = Budget::new(settings)?;
    // An option that is out of range is an error whatever the history holds.
    tail_start(settings.preserve, &[])?;
    let is_within = editor.is_within(view, source, budget.target)?;
    let boundaries = Boundaries::of(view);
    if boundaries.is_empty() {
        return Ok(Outcome::Noop(NoopReason::EmptyHistory));
    }
    if is_within {
        return Ok(Outcome::Noop(NoopReason::AlreadyUnderTarget));
    }
    if holds_prefix(view, 0) {
        return Ok(Outcome::Noop(NoopReason::ThinkingBound));
    }
    editor.settle_tokens(view, source, usize::MAX)?;
    let tokens: Vec<u32> = boundaries.units().iter().map(|&unit| unit_tokens(view, unit)).collect();
    let before = editor.ledger.now;
    let count = boundaries.messages(0..boundaries.len());
    let mut job = Job { view, editor, source, settings, budget, boundaries, tokens };
    let done = match strategy {
        Strategy::HighDensity => high_density::run(&mut job)?,
        _ => top_down::run(&mut job)?,
    };
    let done = match done {
        Ok(done) => done,
        Err(reason) => return Ok(Outcome::Noop(reason)),
    };
    restore_all(view, editor, source);
    editor.settle_tokens(view, source, usize::MAX)?;
    let after = editor.ledger.now;
    Ok(Outcome::Applied(Box::new(metadata(strategy, count, before, after, budget.target, &done))))
}

fn metadata(
    strategy: Strategy,
    count: usize,
    before: u64,
    after: u64,
    target: u64,
    done: &Done,
) -> CompressMetadata {
    let count_of = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    CompressMetadata {
        original_message_count: count_of(count),
        compressed_message_count: count_of(count) - done.entries_dropped,
        strategy_used: strategy.name(),
        llm_call_made: false,
        tokens_before: before,
        tokens_after: after,
        target_tokens: target,
        target_reached: after <= target,
        results_summarized: done.results_summarized,
        entries_dropped: done.entries_dropped,
        gave_up_first_request: done.gave_up_first_request,
        gave_up_newest_request: done.gave_up_newest_request,
        tail_count: count_of(done.tail_count),
    }
}
