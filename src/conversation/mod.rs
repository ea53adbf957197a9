//! When a conversation is optimized, compressed and summarised: the decisions, without messages.
//!
//! The host holds the messages and does the work; a [`Machine`] says what comes next. Before each send the host asks
//! [`Machine::next`], does the [`Step`] and reports the outcome. It repeats this until [`Step::Ready`],
//! [`Step::Pending`] or [`Step::OverLimit`]. Every way through takes at most one optimization and one compression,
//! and a summary is awaited by the host.
//!
//! A history that stays over the limit loses content that the strategy normally keeps, one step at a time
//! ([`GiveUp`]). The machine answers [`Step::OverLimit`] only once nothing is left to give up.
//!
//! While a summary is awaited nothing is edited: it would be a summary of something else.

mod payback;
mod settings;
mod state;
mod step;

pub use settings::ConversationSettings;
pub use step::{Compression, GiveUp, OverLimitReason, Step, SummaryEnd, Warning};

use crate::budget::Budget;
use crate::error::Error;
use crate::strategy::Strategy;
use payback::Payback;
use settings::Limits;

/// A summary that the host waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Awaited {
    ticket: u32,
    background: bool,
    queued: u32,
}

/// A failed attempt, remembered so that it is not repeated every turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Attempt {
    /// The tokens that it left; none while there was no such attempt.
    left: Option<u64>,
    /// Whether something was added since.
    has_news: bool,
    /// Whether what it left still was above the threshold.
    is_above: bool,
}

impl Attempt {
    const fn left(tokens: u64, has_news: bool) -> Self {
        Self { left: Some(tokens), has_news, is_above: false }
    }

    /// Whether another one is worth it: the history has grown by a step, or it can't be sent as
    /// it is and something was added.
    fn may_repeat(self, tokens: u64, step: u64, is_over: bool) -> bool {
        self.left.is_none_or(|left| tokens.checked_sub(left).is_some_and(|grown| grown >= step))
            || (is_over && self.has_news)
    }
}

/// The warnings that were given.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    unreachable: bool,
    stopped: bool,
}

/// What decides before each send.
#[derive(Clone, Debug)]
pub struct Machine {
    strategy: Strategy,
    limits: Limits,
    budget: Budget,
    /// Content was added since the last optimization; a conversation starts like that.
    is_dirty: bool,
    /// The last attempt to get below the threshold, if it didn't suffice.
    last: Attempt,
    /// `auto`: the last deterministic compression.
    lines: Attempt,
    /// `auto`: what re-reading the history has cost since it was last made smaller.
    payback: Payback,
    /// The host makes a digest for it now.
    is_paying_back: bool,
    /// Summaries that failed since one succeeded.
    failures: u32,
    /// No summary is tried until something is added.
    is_stopped: bool,
    told: Told,
    /// How many of the things that the strategy can give up were given up since its last own attempt.
    given_up: usize,
    /// What the host gives up now.
    giving_up: Option<GiveUp>,
    awaited: Option<Awaited>,
    tickets: u32,
}

impl Machine {
    /// A conversation that nothing has happened in.
    ///
    /// # Errors
    /// [`crate::ErrorCode::InvalidOptions`], [`crate::ErrorCode::UnknownStrategy`].
    pub fn new(settings: &ConversationSettings) -> Result<Self, Error> {
        let strategy = settings.strategy()?;
        let limits = settings.limits(strategy)?;
        Ok(Self {
            strategy,
            limits,
            budget: limits.budget(None)?,
            is_dirty: true,
            last: Attempt::default(),
            lines: Attempt::default(),
            payback: Payback::default(),
            is_paying_back: false,
            failures: 0,
            is_stopped: false,
            told: Told::default(),
            given_up: 0,
            giving_up: None,
            awaited: None,
            tickets: 0,
        })
    }

    /// The strategy that settings named.
    #[must_use]
    pub const fn strategy(&self) -> Strategy {
        self.strategy
    }

    /// Limit, trigger and target, with the threshold that applies now.
    #[must_use]
    pub const fn budget(&self) -> Budget {
        self.budget
    }

    /// Whether content was added since the last optimization.
    #[must_use]
    pub const fn is_dirty(&self) -> bool {
        self.is_dirty
    }

    /// What [`Step::GiveUp`] named, until the host reports the outcome.
    #[must_use]
    pub const fn giving_up(&self) -> Option<GiveUp> {
        self.giving_up
    }

    /// Whether a summary is awaited; then the history may be added to, and nothing else.
    #[must_use]
    pub const fn is_locked(&self) -> bool {
        self.awaited.is_some()
    }

    /// The entries that were added while the summary is awaited.
    #[must_use]
    pub fn queued(&self) -> u32 {
        self.awaited.map_or(0, |awaited| awaited.queued)
    }

    /// Sets the threshold that precedes all others, or takes it back; attempts may be made again.
    ///
    /// # Errors
    /// [`crate::ErrorCode::InvalidOptions`]; then nothing has changed.
    pub fn set_threshold(&mut self, threshold: Option<f64>) -> Result<(), Error> {
        self.budget = self.limits.budget(threshold)?;
        self.changed();
        Ok(())
    }

    /// The host added entries to the history.
    pub fn added(&mut self, entries: u32) {
        if entries == 0 {
            return;
        }
        self.is_dirty = true;
        self.is_stopped = false;
        self.last.has_news = true;
        self.lines.has_news = true;
        if let Some(awaited) = &mut self.awaited {
            awaited.queued = awaited.queued.saturating_add(entries);
        }
    }

    /// The history or what limits it was changed by the caller (an explicit compression, other
    /// limits): what failed before may work now. The history counts as optimized as before.
    pub fn changed(&mut self) {
        self.payback = Payback::default();
        self.last = Attempt::default();
        self.lines = Attempt::default();
        self.failures = 0;
        self.is_stopped = false;
        self.told = Told::default();
        self.given_up = 0;
    }

    /// The history is another one (a rewind): as [`Machine::changed`], and a summary that is
    /// awaited is awaited no more.
    pub fn rewound(&mut self) {
        self.changed();
        self.awaited = None;
        self.is_dirty = true;
    }

    /// Whether what comes next may depend on how many tokens there are between a least and a most number.
    #[must_use]
    pub fn is_near(&self, least: u64, most: u64, pending: u64) -> bool {
        self.comparisons(least, pending) != self.comparisons(most, pending)
    }

    /// All that [`Machine::next`] compares tokens with. Each comes true with more tokens, or ceases to, so what
    /// is the same for two numbers is so for all between them.
    #[allow(clippy::cast_precision_loss)]
    fn comparisons(&self, tokens: u64, pending: u64) -> [bool; 8] {
        let step = self.limits.step(&self.budget);
        let is_over = self.is_over(tokens, pending);
        [
            self.budget.is_due(tokens, pending),
            tokens.saturating_add(pending) as f64 >= self.limits.soft(&self.budget),
            tokens > self.budget.target,
            is_over,
            self.last.left.is_some_and(|left| tokens < left),
            self.last.may_repeat(tokens, step, is_over),
            self.lines.may_repeat(tokens, step, is_over),
            self.pays_back(tokens),
        ]
    }

    /// The next step for a history of this size, with this many tokens to come.
    pub fn next(&mut self, tokens: u64, pending: u64) -> Step {
        let is_due = self.budget.is_due(tokens, pending);
        if let Some(awaited) = self.awaited {
            let is_ready = awaited.background && !is_due;
            return if is_ready { self.ready(None) } else { Step::Pending };
        }
        self.giving_up = None;
        self.is_paying_back = false;
        if self.is_dirty && self.strategy.is_continuous() {
            return Step::Optimize;
        }
        // Something made it smaller: whatever couldn't be reached is another matter now.
        if !is_due && self.last.left.is_some_and(|left| tokens < left) {
            self.last = Attempt::default();
            self.told.unreachable = false;
        }
        self.is_paying_back = self.pays_back(tokens);
        if self.is_paying_back {
            return Step::Compress(Compression::Payback);
        }
        if !self.is_wanted(tokens, pending) {
            return self.ready(None);
        }
        let is_over = self.is_over(tokens, pending);
        match self.attempt(tokens, is_due, is_over) {
            Some(step) => step,
            None if is_over => self
                .give_up()
                .map_or_else(|| Step::OverLimit { floor: tokens, reason: self.over_limit() }, Step::GiveUp),
            None => {
                let warning = self.warning(is_due);
                self.ready(warning)
            }
        }
    }

    /// Whether the next step may make the history smaller; nothing does while a summary is awaited.
    #[must_use]
    pub fn may_shrink(&self, tokens: u64, pending: u64) -> bool {
        !self.is_locked() && (self.is_wanted(tokens, pending) || self.pays_back(tokens))
    }

    /// The history is sent as it is.
    const fn ready(&mut self, warning: Option<Warning>) -> Step {
        self.payback.sent();
        Step::Ready { warning }
    }

    /// Whether a digest costs less than re-reading the history did since it was last made smaller.
    fn pays_back(&self, tokens: u64) -> bool {
        self.limits.has_payback && self.strategy == Strategy::Auto && self.payback.is_due(tokens)
    }

    /// Whether something must go: at the threshold, or, since a summary takes its time, at `auto`'s
    /// soft one.
    #[allow(clippy::cast_precision_loss)]
    fn is_wanted(&self, tokens: u64, pending: u64) -> bool {
        let soft = self.limits.soft(&self.budget);
        let is_soft = (tokens.saturating_add(pending)) as f64 >= soft && tokens > self.budget.target;
        self.budget.is_due(tokens, pending) || (self.strategy == Strategy::Auto && is_soft)
    }

    #[allow(clippy::cast_precision_loss)]
    fn is_over(&self, tokens: u64, pending: u64) -> bool {
        tokens.saturating_add(pending) as f64 > self.budget.limit
    }

    fn attempt(&self, tokens: u64, is_due: bool, is_over: bool) -> Option<Step> {
        let step = self.limits.step(&self.budget);
        if !self.last.may_repeat(tokens, step, is_over) {
            return None;
        }
        let is_auto = self.strategy == Strategy::Auto;
        let compression = Compression::of(self.strategy);
        let compression = compression.filter(|_| !is_auto || self.lines.may_repeat(tokens, step, is_over));
        if let Some(compression) = compression {
            return Some(Step::Compress(compression));
        }
        let may_summarize = self.strategy.requires_llm() && !self.is_stopped;
        may_summarize.then_some(Step::Summarize { background: is_auto && !is_due })
    }

    /// The next thing to give up, if the strategy has one left and the caller allows it.
    fn give_up(&mut self) -> Option<GiveUp> {
        if self.is_stopped {
            return None;
        }
        let left = GiveUp::of(self.strategy).iter().skip(self.given_up);
        self.giving_up = left.copied().find(|&what| self.limits.may_give_up(what));
        self.giving_up
    }

    const fn over_limit(&self) -> OverLimitReason {
        if self.is_stopped { OverLimitReason::SummariesStopped } else { OverLimitReason::NothingLeft }
    }

    /// What the caller should know and wasn't told yet.
    fn warning(&mut self, is_due: bool) -> Option<Warning> {
        if self.is_stopped {
            let is_news = !std::mem::replace(&mut self.told.stopped, true);
            return is_news.then_some(Warning::SummariesStopped);
        }
        let is_news = is_due && self.last.is_above && !self.told.unreachable;
        self.told.unreachable |= is_news;
        is_news.then_some(Warning::ThresholdUnreachable)
    }

    /// [`Step::Optimize`] was done, with whatever effect.
    pub fn optimized(&mut self) {
        self.is_dirty = false;
    }

    /// [`Step::Compress`] was done, or changed nothing: so many tokens are left.
    pub fn compressed(&mut self, tokens: u64, pending: u64) {
        if std::mem::take(&mut self.is_paying_back) {
            self.payback = Payback::from(tokens);
        } else if self.strategy == Strategy::Auto && self.giving_up.is_none() {
            // Whether that suffices is seen next; if not, a summary follows.
            self.lines = Attempt::left(tokens, false);
        } else {
            self.settle(tokens, pending, false);
        }
    }

    /// Notes what an attempt left, if that is more than it was to leave: the next one is worth it only once the
    /// history has grown.
    fn settle(&mut self, tokens: u64, pending: u64, has_news: bool) {
        let given = self.giving_up.take();
        let place = |what| GiveUp::of(self.strategy).iter().position(|&each| each == what);
        self.given_up = given.and_then(place).map_or(0, |at| at + 1);
        let is_wanted = self.is_wanted(tokens, pending);
        let is_short = is_wanted || tokens > self.budget.target;
        let left = Attempt { is_above: is_wanted, ..Attempt::left(tokens, has_news) };
        self.last = if is_short { left } else { Attempt::default() };
        self.told.unreachable &= is_wanted;
    }

    /// The host waits for a summary from now on; the ticket names it when it ends. One that was
    /// awaited before no longer is.
    pub fn summary_started(&mut self, background: bool) -> u32 {
        self.tickets = self.tickets.wrapping_add(1);
        self.awaited = Some(Awaited { ticket: self.tickets, background, queued: 0 });
        self.tickets
    }

    /// Whether this is the summary that is awaited.
    #[must_use]
    pub fn is_awaited(&self, ticket: u32) -> bool {
        self.awaited.is_some_and(|awaited| awaited.ticket == ticket)
    }

    /// A summary came, or won't: the history has so many tokens now, those of entries added
    /// meanwhile among them. Returns whether it was the one that is awaited; else nothing happens.
    pub fn summary_ended(&mut self, ticket: u32, end: SummaryEnd, tokens: u64, pending: u64) -> bool {
        if !self.is_awaited(ticket) {
            return false;
        }
        let has_news = self.queued() > 0;
        self.awaited = None;
        match end {
            SummaryEnd::Applied => {
                self.payback = Payback::from(tokens);
                self.failures = 0;
                self.is_stopped = false;
                self.told.stopped = false;
                self.lines = Attempt::default();
                self.settle(tokens, pending, has_news);
            }
            SummaryEnd::Noop => self.settle(tokens, pending, has_news),
            SummaryEnd::Failed => {
                self.failures = self.failures.saturating_add(1);
                self.is_stopped = self.failures >= self.limits.max_failures;
            }
            SummaryEnd::Cancelled | SummaryEnd::Conflict => {}
        }
        self.giving_up = None;
        true
    }
}
