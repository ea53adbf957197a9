//! What requests have cost: as they were sent, and as they would have been without edits.

use crate::options::Prices;
use crate::view::{NONE, Speaker};

/// A sum of numbers before each place of a list; a change costs little wherever it is.
#[derive(Clone, Debug, Default)]
struct Sums(Vec<u64>);

impl Sums {
    /// Adds a number to the end: node `n` of the list, counted from 1, holds the sum of the numbers from the one behind
    /// `n` without its lowest bit up to `n`.
    fn push(&mut self, number: u64) {
        let node = self.0.len() + 1;
        let start = node & (node - 1);
        let (mut sum, mut inner) = (number, node - 1);
        while inner > start {
            sum = sum.saturating_add(self.0.get(inner - 1).copied().unwrap_or(0));
            inner &= inner - 1;
        }
        self.0.push(sum);
    }

    fn change(&mut self, place: u32, by: i64) {
        let mut node = place as usize + 1;
        while let Some(sum) = self.0.get_mut(node - 1) {
            *sum = sum.saturating_add_signed(by);
            node += node & node.wrapping_neg();
        }
    }

    fn before(&self, place: u32) -> u64 {
        let (mut node, mut sum) = ((place as usize).min(self.0.len()), 0_u64);
        while node > 0 {
            sum = sum.saturating_add(self.0.get(node - 1).copied().unwrap_or(0));
            node &= node - 1;
        }
        sum
    }
}

/// One way for requests to be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Course {
    /// What the requests before the one to come have cost.
    pub bill: f64,
    /// The tokens of the request to come.
    pub total: u64,
    /// So many of them, from the first on, the cache holds.
    pub kept: u64,
}

impl Course {
    /// What the request to come costs.
    #[allow(clippy::cast_precision_loss)]
    pub fn cost(&self, prices: Prices) -> f64 {
        self.kept as f64 * prices.cached + self.total.saturating_sub(self.kept) as f64 * prices.uncached
    }

    /// The request was sent.
    fn send(&mut self, prices: Prices) {
        self.bill += self.cost(prices);
        self.kept = self.total;
    }
}

/// Tokens that may stand before the messages without a breakpoint of their own, where the caller does not say.
const UNSEEN: f64 = 5_000.0;

/// What stands before the messages in each request: the system prompt and the tools.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ahead {
    /// Its tokens, or 0 if nobody knows.
    pub tokens: u64,
    /// Whether the cache holds it alone, whatever follows.
    pub is_apart: bool,
    /// A request with fewer tokens isn't cached.
    pub least: u64,
}

/// Whether the newest request was sent, which decides whether the bills include it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewestRequest {
    /// It is still to come.
    Unsent,
    /// Nobody knows: the bills include it if that makes ours worse.
    MaybeSent,
    /// The bills include it.
    Sent,
}

/// Where the books go on that another instance kept.
#[derive(Clone, Copy, Debug)]
struct Resumed {
    /// So many units were given out.
    units: u32,
    /// The history was taken back to so many units; none if it wasn't.
    rewound: Option<u32>,
}

/// The books of a history.
#[derive(Clone, Debug, Default)]
pub struct Books {
    /// The units that are booked.
    pub units: u32,
    /// The requests as they are sent.
    pub sent: Course,
    /// The requests as they would be without edits.
    pub raw: Course,
    ahead: Ahead,
    sums: Sums,
    /// The ends of earlier requests up to which nothing has changed since: a provider that finds the cache at breakpoints has
    /// one there.
    ends: Vec<u32>,
    resumed: Option<Resumed>,
    /// Whether the history was taken back since the last request: then the next one sends all that follows, and sends it
    /// uncached in any case.
    is_rewound: bool,
    is_ai: bool,
}

impl Books {
    /// Adds the next unit, with its tokens after edits and before them.
    pub fn push(&mut self, speaker: Speaker, (sent, raw): (u64, u64), prices: Prices) {
        self.go_on();
        let is_ai = speaker == Speaker::Ai;
        if is_ai && !self.is_ai && self.resumed.is_none() && !self.is_rewound {
            self.sent.send(prices);
            self.raw.send(prices);
            self.ends.push(self.units);
        }
        self.is_ai = is_ai;
        self.sums.push(sent);
        self.sent.total = self.sent.total.saturating_add(sent);
        self.raw.total = self.raw.total.saturating_add(raw);
        self.units += 1;
    }

    /// Notes what stands before the messages, from the next request on.
    pub fn put_ahead(&mut self, ahead: Ahead) {
        for course in [&mut self.sent, &mut self.raw] {
            course.total = course.total.saturating_sub(self.ahead.tokens).saturating_add(ahead.tokens);
        }
        self.ahead = ahead;
    }

    /// The tokens of the messages in the request to come.
    pub const fn tokens(&self) -> u64 {
        self.sent.total.saturating_sub(self.ahead.tokens)
    }

    /// All units that there are were added.
    pub fn settle(&mut self) {
        self.go_on();
    }

    /// Whether the history was taken back since the last request.
    pub fn is_rewound(&self) -> bool {
        self.is_rewound || self.resumed.is_some_and(|resumed| resumed.rewound.is_some())
    }

    /// The request to come is sent.
    pub const fn close(&mut self) {
        self.is_rewound = false;
    }

    /// Goes on where an earlier instance was, once its units are there.
    fn go_on(&mut self) {
        let Some(Resumed { units, rewound }) = self.resumed else { return };
        if self.units == units {
            // After a rewind whatever was sent may be in the cache; else what was known to be.
            let most = if rewound.is_some() { u64::MAX } else { self.sent.kept };
            self.sent.kept = most.min(self.sent.total);
        }
        if self.units == rewound.unwrap_or(units).max(units) {
            let most = if rewound.is_some() { u64::MAX } else { self.raw.kept };
            self.raw.kept = most.min(self.raw.total);
            self.is_rewound = rewound.is_some();
            self.resumed = None;
        }
    }

    /// Takes over the ends of requests that an earlier instance knew.
    pub fn resume_ends(&mut self, ends: impl Iterator<Item = u32>) {
        let Some(Resumed { units, rewound }) = self.resumed else { return };
        self.ends = ends.filter(|&end| end <= rewound.unwrap_or(units)).collect();
    }

    /// The ends of earlier requests that the cache may still hold.
    #[must_use]
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// Goes on where an earlier instance stopped, which gave out this number of units: with [its bills](Self::bills), or without any,
    /// if they are lost. `rewound`: the history was taken back to so many units since.
    pub fn resume(&mut self, units: u32, rewound: Option<u32>, bills: &[f64]) {
        let known = |at: usize| bills.get(at).copied().filter(|bill| bill.is_finite() && *bill >= 0.0);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let kept = |at| known(at).map_or(u64::MAX, |kept| kept as u64);
        let (sent, raw) = (known(0).zip(known(2))).unwrap_or((0.0, 0.0));
        let total = self.ahead.tokens;
        self.sent = Course { bill: sent, total, kept: kept(1) };
        self.raw = Course { bill: raw, total, kept: kept(3) };
        self.resumed = Some(Resumed { units, rewound });
    }

    /// The numbers that a later instance needs to continue.
    #[allow(clippy::cast_precision_loss)]
    #[must_use]
    pub fn bills(&self, newest: NewestRequest, prices: Prices) -> [f64; 4] {
        let (mut sent, mut raw) = (self.sent, self.raw);
        let is_billed = match newest {
            NewestRequest::Unsent => false,
            NewestRequest::MaybeSent => sent.cost(prices) > raw.cost(prices),
            NewestRequest::Sent => true,
        };
        if is_billed {
            sent.send(prices);
            raw.send(prices);
        }
        [sent.bill, sent.kept as f64, raw.bill, raw.kept as f64]
    }

    /// The cache holds nothing.
    pub fn cool(&mut self) {
        self.sent.kept = 0;
        self.raw.kept = 0;
        self.ends.clear();
    }

    /// The tokens before a unit that the cache holds, if it holds all of them.
    fn before(&self, unit: u32) -> u64 {
        let Ahead { tokens, is_apart, least } = self.ahead;
        if unit == 0 && !is_apart {
            return 0;
        }
        let before = tokens.saturating_add(self.sums.before(unit));
        if before < least { 0 } else { before }
    }

    /// The tokens that the cache still holds for the request to come, if it differs from a unit on.
    #[must_use]
    pub fn kept_before(&self, unit: u32) -> u64 {
        if unit == NONE { self.sent.kept } else { self.sent.kept.min(self.before(unit)) }
    }

    /// The request to come, with fewer tokens, and with a number of them cached.
    #[must_use]
    pub fn without(&self, saved: i64, kept: u64) -> Course {
        let Course { bill, total, .. } = self.sent;
        Course { bill, total: total.saturating_add_signed(saved.saturating_neg()), kept }
    }

    /// What a request may cost in addition, if the cache is found up to a unit: with the first message it loses what stands
    /// before the messages.
    #[must_use]
    pub fn unseen(&self, found: u32, prices: Prices) -> f64 {
        let is_unknown = self.ahead.tokens == 0 && !self.ahead.is_apart;
        let is_lost = found == 0 && self.sent.kept > 0;
        if is_unknown && is_lost { UNSEEN * (prices.uncached - prices.cached) } else { 0.0 }
    }

    /// Whether a request of so many tokens isn't cached, while the one before was.
    #[must_use]
    pub const fn is_too_small(&self, total: u64) -> bool {
        total < self.ahead.least && self.sent.total >= self.ahead.least
    }

    /// So many tokens of a unit go.
    pub fn save(&mut self, unit: u32, saved: i64) {
        let by = saved.saturating_neg();
        self.sums.change(unit, by);
        self.sent.total = self.sent.total.saturating_add_signed(by);
    }

    /// From a unit on nothing is as the cache holds it, which is found up to a unit.
    pub fn change_from(&mut self, unit: u32, found: u32, prices: Prices) {
        self.sent.bill += self.unseen(found, prices);
        self.sent.kept = self.sent.kept.min(self.before(found));
        let held = self.ends.partition_point(|&end| end <= unit);
        self.ends.truncate(held);
    }

    /// The newest end of an earlier request at or before a unit, if nothing has changed before that end.
    #[must_use]
    pub fn end_before(&self, unit: u32) -> Option<u32> {
        let held = self.ends.partition_point(|&end| end <= unit);
        held.checked_sub(1).and_then(|last| self.ends.get(last)).copied()
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.sums.0.capacity() * size_of::<u64>() + self.ends.capacity() * size_of::<u32>()
    }
}
