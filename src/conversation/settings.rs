//! What callers can choose for a conversation. The documentation here is that of the TypeScript types.

use super::step::GiveUp;
use crate::budget::{Budget, Window};
use crate::error::Error;
use crate::options::{FromOptions, Reader, found, invalid, number};
use crate::strategy::Strategy;

/// When a conversation is compressed, and how.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "wasm-full", derive(tsify::Tsify))]
#[cfg_attr(feature = "wasm-full", serde(rename_all = "camelCase"))]
pub struct ConversationSettings {
    /// The strategy.
    ///
    /// @default "auto"
    #[cfg_attr(feature = "wasm-full", tsify(optional, type = "StrategyName"))]
    pub strategy: Option<String>,
    /// The model's context window, in tokens.
    pub context_limit: f64,
    /// The part of the window at which compression is due.
    ///
    /// @default that of the strategy: 0.85
    #[cfg_attr(feature = "wasm-full", tsify(optional))]
    pub threshold: Option<f64>,
    /// The part of the window at which `auto` starts a summary in the background. A value of `threshold` or more switches
    /// this off. Without a value, windows of 200,000 tokens and more get a digest earlier: once re-reading the history costs
    /// more than the digest, at about 120,000 tokens.
    ///
    /// @default 14/17 of the threshold: 0.7 for 0.85
    #[cfg_attr(feature = "wasm-full", tsify(optional))]
    pub soft_threshold: Option<f64>,
    /// Tokens kept free for the model's answer.
    ///
    /// @default 0
    #[cfg_attr(feature = "wasm-full", tsify(optional))]
    pub reserve: Option<f64>,
    /// Tokens of the system prompt and tool definitions, which are sent with every request.
    ///
    /// @default 0
    #[cfg_attr(feature = "wasm-full", tsify(optional))]
    pub overhead: Option<f64>,
    /// Content that the conversation may remove, in this order, before it answers `over-limit`. These are the messages at
    /// the top, the first request, and the tail down to the newest exchange. Last, a shorter summary by rules replaces the
    /// model's. Each removal gives the warning `gave-up`.
    ///
    /// @default all of them
    #[cfg_attr(feature = "wasm-full", tsify(optional, type = "readonly GiveUp[]"))]
    pub give_up: Option<Vec<String>>,
    /// Whether the first user message stays: in compressions as in `compress`, and before summaries.
    ///
    /// @default as for `compress`, false for summaries
    #[cfg_attr(feature = "wasm-full", tsify(optional))]
    pub keep_first_request: Option<bool>,
    /// The number of summaries that may fail in a row. After that, none is tried until you add a message.
    ///
    /// @default 3
    #[cfg_attr(feature = "wasm-full", tsify(optional))]
    pub max_failures: Option<f64>,
}

impl FromOptions for ConversationSettings {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        Ok(Self {
            strategy: reader.text("strategy")?,
            context_limit: reader.number("contextLimit")?.ok_or_else(|| reader.missing("contextLimit"))?,
            threshold: reader.number("threshold")?,
            soft_threshold: reader.number("softThreshold")?,
            reserve: reader.number("reserve")?,
            overhead: reader.number("overhead")?,
            give_up: reader.texts("giveUp")?,
            keep_first_request: reader.boolean("keepFirstRequest")?,
            max_failures: reader.number("maxFailures")?,
        })
    }
}

/// The numbers behind the decisions, checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limits {
    context_limit: f64,
    reserve: Option<f64>,
    overhead: Option<f64>,
    /// Applies while no other threshold is set.
    threshold: f64,
    soft: Option<f64>,
    /// Whether `auto` makes a digest where that pays for itself.
    pub has_payback: bool,
    give_up: [bool; GiveUp::ALL.len()],
    pub max_failures: u32,
}

/// From this window on a history costs much before it is too large. Providers say 200,000 of up to 1.6 times as many
/// tokens.
const LARGE: f64 = 120_000.0;
/// The soft threshold unless set otherwise, as a part of the threshold.
const SOFT: f64 = 14.0 / 17.0;
/// How much a history must grow, as a part of the limit, before what didn't suffice is tried again.
const STEP: f64 = 0.05;
const DEFAULT_MAX_FAILURES: f64 = 3.0;

impl ConversationSettings {
    pub(super) fn strategy(&self) -> Result<Strategy, Error> {
        self.strategy.as_deref().map_or(Ok(Strategy::DEFAULT), Strategy::named)
    }

    /// What may be given up. A summary that doesn't keep the first request has none to give up.
    fn allowed(&self, strategy: Strategy) -> Result<[bool; GiveUp::ALL.len()], Error> {
        let mut allowed = give_up(self.give_up.as_deref())?;
        let drops_first = matches!(strategy, Strategy::OneShot | Strategy::Structured)
            && self.keep_first_request != Some(true);
        for (what, is_allowed) in GiveUp::ALL.into_iter().zip(&mut allowed) {
            *is_allowed &= !(drops_first && what == GiveUp::FirstRequest);
        }
        Ok(allowed)
    }

    pub(super) fn limits(&self, strategy: Strategy) -> Result<Limits, Error> {
        let own = check("threshold", self.threshold)?;
        let default = strategy.info().trigger.default_threshold;
        Ok(Limits {
            context_limit: self.context_limit,
            reserve: self.reserve,
            overhead: self.overhead,
            threshold: own.unwrap_or(default),
            soft: check("softThreshold", self.soft_threshold)?,
            has_payback: self.context_limit >= LARGE && self.soft_threshold.is_none(),
            give_up: self.allowed(strategy)?,
            max_failures: max_failures(self.max_failures.unwrap_or(DEFAULT_MAX_FAILURES))?,
        })
    }
}

impl Limits {
    /// Whether the conversation may give something up.
    pub fn may_give_up(&self, what: GiveUp) -> bool {
        GiveUp::ALL.into_iter().zip(self.give_up).any(|(each, is_allowed)| each == what && is_allowed)
    }

    /// The budget with a threshold that precedes the one of the settings.
    pub fn budget(&self, threshold: Option<f64>) -> Result<Budget, Error> {
        Budget::new(Window {
            context_limit: self.context_limit,
            threshold: threshold.or(Some(self.threshold)),
            reserve: self.reserve,
            overhead: self.overhead,
        })
    }

    /// At this many tokens `auto` starts a summary in the background.
    pub fn soft(&self, budget: &Budget) -> f64 {
        self.soft.map_or(budget.trigger * SOFT, |soft| (soft * budget.limit).min(budget.trigger))
    }

    /// How many tokens a history must grow by before what didn't suffice is tried again.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    #[allow(clippy::unused_self)]
    pub fn step(&self, budget: &Budget) -> u64 {
        (budget.limit * STEP).max(1.0) as u64
    }
}

fn give_up(names: Option<&[String]>) -> Result<[bool; GiveUp::ALL.len()], Error> {
    let Some(names) = names else { return Ok([true; GiveUp::ALL.len()]) };
    for name in names {
        if !GiveUp::ALL.into_iter().any(|each| each.name() == name) {
            let known = GiveUp::ALL.map(|each| ["'", each.name(), "'"].concat()).join(", ");
            return Err(invalid("giveUp", found(&name.as_str().into()), &["a list of ", &known].concat()));
        }
    }
    Ok(GiveUp::ALL.map(|each| names.iter().any(|name| name == each.name())))
}

fn check(key: &str, threshold: Option<f64>) -> Result<Option<f64>, Error> {
    match threshold {
        Some(value) if !(value > 0.0 && value <= 1.0) => {
            Err(invalid(key, number(value), "a number above 0, at most 1"))
        }
        _ => Ok(threshold),
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn max_failures(value: f64) -> Result<u32, Error> {
    if value >= 1.0 {
        Ok(value as u32)
    } else {
        Err(invalid("maxFailures", number(value), "a number of at least 1"))
    }
}
