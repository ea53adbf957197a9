//! When a digest pays for itself: a long history is read again with each request, also from the provider's cache.
//!
//! It is the rule of rent and purchase. A request costs [`READ`] for each token that a digest would have taken away.
//! The digest is made once that sum has reached the price of the digest. The price has two parts: the rest is written
//! into the cache again, and the agent has to look up what it forgot. With a growth of `g` tokens per request that is at
//! `S + √(2·(S + C)·g / r)` tokens, so the growth is learned from the conversation.

/// The price of a cached token, as a part of the price of an uncached one.
const READ: f64 = 0.08;
/// The price of forgetting, in tokens that the cache doesn't hold: with less, agents missed what was gone.
const FORGETTING: f64 = 300_000.0;
/// The tokens that a first digest is expected to leave, its tail included.
const EXPECTED: f64 = 30_000.0;
/// Below this many tokens nothing is given up: it is knowledge that the agent still uses.
const LEAST: f64 = 100_000.0;

/// What re-reading a history has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Payback {
    /// The tokens that the last digest or summary left; none while there was no such.
    pub left: Option<u64>,
    /// The requests since then.
    pub requests: u32,
}

#[allow(clippy::cast_precision_loss)]
impl Payback {
    /// Something left so many tokens.
    pub const fn from(tokens: u64) -> Self {
        Self { left: Some(tokens), requests: 0 }
    }

    /// A request was sent.
    pub const fn sent(&mut self) {
        self.requests = self.requests.saturating_add(1);
    }

    /// Whether a history of so many tokens has been read for the price of a digest.
    pub fn is_due(self, tokens: u64) -> bool {
        let start = self.left.unwrap_or_default() as f64;
        let expected = self.left.map_or(EXPECTED, |left| left as f64);
        let now = tokens as f64;
        if now < LEAST || now <= expected {
            return false;
        }
        // The history grew evenly from `start`; only what was above `expected` could have been saved.
        let growth = (now - start) / f64::from(self.requests.max(1));
        let above = now - expected;
        READ * above * above / (2.0 * growth) >= expected + FORGETTING
    }
}
