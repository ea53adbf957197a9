//! Limits, triggers, targets and tails.

use crate::defaults;
use crate::error::Error;
use crate::options::{CompressSettings, Size, invalid, number};

/// What compression aims at, as a part of the trigger (REQ-HD-008.6).
const TARGET: f64 = 0.6;

/// What a history may cost, in tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// What is left for the history: the window without reserve and overhead.
    pub limit: f64,
    /// At this many tokens compression is due: threshold × limit.
    pub trigger: f64,
    /// What compression aims at: floor(threshold × limit × 0.6).
    pub target: u64,
}

/// The parts of a budget, in tokens, apart from the threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// The model's context window.
    pub context_limit: f64,
    /// The part of the limit at which compression is due; nothing for the default.
    pub threshold: Option<f64>,
    /// What is kept free for the answer.
    pub reserve: Option<f64>,
    /// What goes with every request but isn't history.
    pub overhead: Option<f64>,
}

impl From<&CompressSettings> for Window {
    fn from(settings: &CompressSettings) -> Self {
        let CompressSettings { context_limit, threshold, reserve, overhead, .. } = *settings;
        Self { context_limit, threshold, reserve, overhead }
    }
}

impl Budget {
    /// The budget of a window.
    ///
    /// # Errors
    /// [`crate::ErrorCode::InvalidOptions`] if a number is out of its range, or if reserve and
    /// overhead leave nothing for the history.
    pub fn new(window: impl Into<Window>) -> Result<Self, Error> {
        let Window { context_limit, threshold, reserve, overhead } = window.into();
        let threshold = threshold.unwrap_or(defaults::THRESHOLD);
        if !(threshold > 0.0 && threshold <= 1.0) {
            return Err(invalid("threshold", number(threshold), "a number above 0, at most 1"));
        }
        let window = at_least_zero("contextLimit", context_limit)?;
        let reserve = at_least_zero("reserve", reserve.unwrap_or(0.0))?;
        let overhead = at_least_zero("overhead", overhead.unwrap_or(0.0))?;
        let limit = window - reserve - overhead;
        if limit <= 0.0 {
            let found = format!(
                "{}, of which reserve and overhead take {}",
                number(window),
                number(reserve + overhead)
            );
            return Err(invalid("contextLimit", found, "more than reserve and overhead together"));
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let target = (threshold * limit * TARGET).floor() as u64;
        Ok(Self { limit, trigger: threshold * limit, target })
    }

    /// Whether a history of this size, with this many tokens to come, must be compressed.
    #[must_use]
    #[allow(clippy::cast_precision_loss)]
    pub fn is_due(&self, current: u64, pending: u64) -> bool {
        current.saturating_add(pending) as f64 >= self.trigger
    }
}

/// Where a tail starts, before it is moved to a boundary.
///
/// # Errors
/// [`crate::ErrorCode::InvalidOptions`] if the size is negative or a fraction above 1.
pub fn tail_start(preserve: Option<Size>, tokens: &[u32]) -> Result<usize, Error> {
    let length = tokens.len();
    let kept = match preserve.unwrap_or(Size::Fraction(defaults::PRESERVE)) {
        Size::Fraction(fraction) => part(length, fraction)?,
        Size::Messages(messages) => whole(at_least_zero("preserve", messages)?),
        Size::Tokens(limit) => tail_of(tokens, at_least_zero("preserve", limit)?),
    };
    Ok(length.saturating_sub(kept))
}

/// The longest tail of at most so many tokens.
fn tail_of(tokens: &[u32], limit: f64) -> usize {
    let mut sum = 0.0;
    let fits = |&&tokens: &&u32| {
        sum += f64::from(tokens);
        sum <= limit
    };
    tokens.iter().rev().take_while(fits).count()
}

#[allow(clippy::cast_precision_loss)]
fn part(length: usize, fraction: f64) -> Result<usize, Error> {
    if !(0.0..=1.0).contains(&fraction) {
        return Err(invalid("preserve", number(fraction), FRACTION));
    }
    Ok(whole((length as f64 * fraction).ceil()))
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
const fn whole(number: f64) -> usize {
    number as usize
}

/// A number where a [`Size`] may stand: whoever gave more than 1 meant something else.
pub(crate) const FRACTION: &str = "a fraction from 0 to 1, {messages} or {tokens}";

pub(crate) fn at_least_zero(key: &str, value: f64) -> Result<f64, Error> {
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err(invalid(key, number(value), "a number of at least 0"))
    }
}
