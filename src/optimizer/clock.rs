//! Whether the provider's cache is cold: it drops what nobody used for some time.

use crate::view::View;

/// What is known of the time of requests. A time is in seconds since 1970; 0 is an unknown one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    /// The seconds that the cache keeps an unused prefix; none without a clock.
    lifetime: Option<u32>,
    /// What the caller says of the request to come.
    told: Option<bool>,
    /// The time of the request to come, and of the one before, as the host says.
    now: u32,
    sent: u32,
    /// The turns when the times last said that the cache is cold.
    cooled: Option<u32>,
}

impl Clock {
    /// A clock for a cache that keeps things for some seconds.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub fn new(lifetime: Option<f64>) -> Self {
        Self { lifetime: lifetime.map(|seconds| seconds as u32), ..Self::default() }
    }

    /// Says of the request to come whether the cache is cold, if the caller knows, and when it is sent.
    pub const fn tell(&mut self, told: Option<bool>, now: u32) {
        self.told = told;
        self.now = now;
    }

    /// Says when the request before was sent.
    pub const fn resume(&mut self, sent: u32) {
        self.sent = sent;
    }

    /// When the newest request was sent.
    pub const fn sent(&self) -> u32 {
        self.sent
    }

    /// Takes back the time of the next request, for an earlier one.
    pub const fn take(&mut self) -> (Option<bool>, u32) {
        let told = (self.told, self.now);
        self.tell(None, 0);
        told
    }

    /// Whether the request to come finds a cold cache. The messages and the host may both have clocks: a clock may lie,
    /// so none that says that the cache is warm is overruled. A clock that runs backwards makes no gap.
    pub fn is_cold(&mut self, view: &View) -> bool {
        let (told, now) = self.take();
        let sent = std::mem::replace(&mut self.sent, now);
        if let Some(told) = told {
            return told;
        }
        let Some(lifetime) = self.lifetime else { return false };
        let asked = view.asked_at();
        let by_messages = gap(view.answered_at(), if asked > 0 { asked } else { now });
        let by_host = gap(sent, now);
        let mut gaps = by_messages.into_iter().chain(by_host).peekable();
        // An answer that is asked for twice is asked for at a later time only if the host says so.
        let is_known = gaps.peek().is_some() && (by_host.is_some() || self.cooled != Some(view.turns()));
        let is_cold = is_known && gaps.all(|gap| gap > lifetime);
        if is_cold {
            self.cooled = Some(view.turns());
        }
        is_cold
    }
}

/// The seconds between two times, if both are known.
fn gap(before: u32, after: u32) -> Option<u32> {
    (before > 0 && after > 0).then(|| after.saturating_sub(before))
}
