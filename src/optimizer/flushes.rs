//! Which waiting edits are made: a flush from a unit on.
//!
//! It is made only if it is expected to pay, and never if the requests so far, with the next one, would cost much more
//! than they had without any edit: whenever the conversation ends.

use super::books::Course;
use super::turns::make_waiting;
use super::{Optimizer, Run};
use crate::edit::{Edit, Logged, is_before, newest_bound};
use crate::error::Error;
use crate::options::{FlushPolicy, Prices};
use crate::rules::{COLD, FLUSHED};
use crate::view::{Block, NONE, TextSource, Unit, flags};

/// A conversation is expected to go on for as many turns as it has had, but for no more than this.
const HORIZON: u32 = 15;
/// Waiting edits have cost something by waiting. This share of it counts for a flush.
const RENT: f64 = 0.5;
/// A flush must save at least this part of the tokens that it sends uncached. The next flush sends them uncached again.
const BATCH: f64 = 0.2;
/// More new edits than this are put in order by sorting all.
const FEW: usize = 8;
/// Where more edits wait than this, not every turn looks at all of them.
const MANY: u32 = 256;
/// The requests so far may cost this many times what they had without edits.
const SOLVENT: f64 = 1.02;

/// A provider that finds the cache at breakpoints looks for it at so many blocks before one, too.
const LOOK_BACK: u32 = 20;

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

/// An edit that waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    /// See [`Logged::anchor`].
    anchor: u32,
    since: u32,
    /// What it edits.
    edit: Edit,
    /// The tokens that it saves; negative if it brings a text back. None are counted where the policy needs no count.
    saved: i64,
}

/// An edit that waits, and that an earlier instance of the history decided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub edit: Edit,
    pub anchor: u32,
    pub since: u32,
}

/// Which edits are due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    None,
    /// Those that wait for a flush from this unit on, or from one behind it.
    From(u32),
    All,
    /// All, as the cache holds nothing.
    Cold,
}

/// A flush that begins with some waiting edits.
#[derive(Clone, Copy, Debug)]
struct Start {
    anchor: u32,
    /// The first unit that it changes.
    first: u32,
    saved: i64,
    /// The sum, over its edits, of the tokens that each sent while it waited.
    rent: f64,
}

/// Whether a policy goes by tokens.
pub(super) const fn is_counting(policy: FlushPolicy) -> bool {
    !matches!(policy, FlushPolicy::Always | FlushPolicy::Never)
}

impl Optimizer {
    /// Whether tokens are counted in each run, because the policy goes by them.
    pub(super) const fn is_counting(&self) -> bool {
        is_counting(self.policy)
    }

    /// Makes the waiting edits again that an earlier instance decided. It keeps their order, so that each saves as many
    /// tokens as before.
    ///
    /// # Errors
    /// The caller's token counter failed.
    pub(super) fn catch_up(&mut self, source: &dyn TextSource) -> Result<(), Error> {
        while !self.known.is_empty() || !self.redone.is_empty() {
            self.editor.count_tokens(&mut self.view, source)?;
            // The waiting edits aren't made yet here, so the rest of a block was sent.
            self.book_units(|_, block| left(block));
            let sorted = self.waiting.len();
            for known in std::mem::take(&mut self.redone).iter().rev() {
                self.wait(known.edit, known.anchor, known.since);
            }
            self.sort_waiting(sorted);
            let Some(since) = self.known.iter().map(|known| known.since).min() else { break };
            let (next, others) =
                std::mem::take(&mut self.known).into_iter().partition(|known| known.since == since);
            (self.redone, self.known) = (next, others);
            for known in &self.redone {
                self.editor.redo(&mut self.view, known.edit);
            }
        }
        Ok(())
    }

    /// Puts units on the books that are new there, with the tokens that are sent of each block. All of them were counted.
    fn book_units(&mut self, sent_of: impl Fn(&Unit, &Block) -> u32) {
        while self.books.units < self.view.len() {
            let unit = *self.view.unit(self.books.units);
            let (mut sent, mut raw) = (0_u64, 0_u64);
            for index in self.view.blocks_of(self.books.units) {
                let Some(block) = self.view.block_mut(index) else { continue };
                let pushed = block.tokens.raw.unwrap_or(0);
                block.tokens.booked = sent_of(&unit, block);
                sent += u64::from(block.tokens.booked);
                raw += u64::from(pushed);
            }
            self.books.push(unit.speaker, (sent, raw), self.prices);
        }
        self.books.settle();
    }

    /// Puts an edit on the books. Returns the tokens that it saves in addition.
    fn book(&mut self, edit: Edit) -> i64 {
        let mut saved = 0;
        for index in edit.blocks(&self.view) {
            let Some(block) = self.view.block_mut(index) else { continue };
            let now = left(block);
            saved += i64::from(block.tokens.booked) - i64::from(now);
            block.tokens.booked = now;
        }
        saved
    }

    fn wait(&mut self, edit: Edit, anchor: u32, since: u32) {
        let saved = if self.is_counting() { self.book(edit) } else { 0 };
        self.waiting.push(Waiting { anchor, since, edit, saved });
        self.waiting_saved += saved;
    }

    /// Puts the waiting edits in order again, behind so many that are.
    fn sort_waiting(&mut self, sorted: usize) {
        if self.waiting.len() > sorted + FEW {
            self.waiting.sort_by_key(|waiting| waiting.anchor);
            return;
        }
        for new in sorted..self.waiting.len() {
            let Some((before, &[waiting, ..])) = self.waiting.split_at_checked(new) else { break };
            let at = before.partition_point(|before| before.anchor <= waiting.anchor);
            if let Some(moved) = self.waiting.get_mut(at..=new) {
                moved.rotate_right(1);
            }
        }
    }

    /// Puts the edits on the books that were decided since. Where the policy goes by tokens all were counted.
    pub(super) fn book_log(&mut self) {
        if self.is_counting() {
            // The view has made the waiting edits already; the requests have not.
            let pushed = |block: &Block| block.tokens.raw.unwrap_or(0);
            self.book_units(|unit, block| if unit.waits() { pushed(block) } else { left(block) });
        }
        let sorted = self.waiting.len();
        // Of several edits of a block the last one, which waits for the longest flush, counts for all.
        for at in (self.logged..self.editor.log.len()).rev() {
            let Some(&Logged { edit, pending, anchor, since, .. }) = self.editor.log.get(at) else {
                continue;
            };
            if pending {
                self.wait(edit, anchor, since);
                continue;
            }
            self.hide(edit);
            if self.is_counting() {
                let saved = self.book(edit);
                self.books.save(edit.unit(), saved);
            }
        }
        self.logged = self.editor.log.len();
        self.sort_waiting(sorted);
    }

    /// Notes that an edit is made.
    pub(super) fn hide(&mut self, edit: Edit) {
        if edit.hides() {
            for index in edit.blocks(&self.view) {
                if let Some(block) = self.view.block_mut(index) {
                    block.flags |= flags::HIDDEN;
                }
            }
        }
    }

    /// The starts that a flush can have, from the tail to the head; each has all edits behind it.
    fn starts(&self) -> impl Iterator<Item = Start> {
        let turns = self.view.turns();
        let mut sum = Start { anchor: NONE, first: NONE, saved: 0, rent: 0.0 };
        let bound = self.bound();
        let groups = self.waiting.chunk_by(|one, other| one.anchor == other.anchor).rev();
        let starts = groups.map(move |group| {
            for waiting in group {
                sum.anchor = waiting.anchor;
                sum.first = sum.first.min(waiting.edit.unit());
                sum.saved = sum.saved.saturating_add(waiting.saved);
                #[allow(clippy::cast_precision_loss)]
                let saved = waiting.saved as f64;
                sum.rent += saved * f64::from(turns.saturating_sub(waiting.since));
            }
            sum
        });
        starts.take_while(move |start| bound.is_none_or(|bound| !is_before(&self.view, start.first, bound)))
    }

    /// The newest thinking that no flush may invalidate now.
    fn bound(&self) -> Option<u32> {
        self.waiting.first().and_then(|waiting| newest_bound(&self.view, waiting.anchor))
    }

    /// The tokens that the longest flush saves that may be made now.
    fn saved_by_all(&self) -> i64 {
        if self.bound().is_none() { self.waiting_saved } else { self.all().map_or(0, |all| all.saved) }
    }

    /// The longest flush that may be made now.
    fn all(&self) -> Option<Start> {
        self.starts().last()
    }

    /// The start of the flush that gains most, if one pays.
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)]
    fn best(&mut self, source: &dyn TextSource) -> Option<Start> {
        let is_due = self.view.turns().is_multiple_of((self.waiting.len() as u32).div_ceil(MANY).max(1));
        if self.waiting.is_empty() || !is_due && !self.books.is_rewound() {
            return None;
        }
        let (rules, context) = self.rules_with(source);
        let mut further = rules.further_savings(&context).into_iter().rev().peekable();
        let (mut cut, mut counted) = (0, 0);
        let Prices { cached, uncached } = self.prices;
        let turns = f64::from(self.view.turns().min(HORIZON));
        let (sent, raw) = (self.books.sent, self.books.raw);
        let most = (SOLVENT * (raw.bill + raw.cost(self.prices))).max(sent.bill + sent.cost(self.prices));
        let mut best = None;
        let (mut gained, mut nearest) = (0.0, f64::NEG_INFINITY);
        let mut anchor = self.anchor;
        for start in self.starts() {
            // A flush cuts further in what follows it.
            while let Some(further) = further.next_if(|further| further.unit >= start.first) {
                cut += further.saved;
                counted += further.counted;
            }
            let all = start.saved.saturating_add(counted);
            let saved = all as f64;
            let found = self.found(start.first);
            let kept_ahead = self.books.kept_before(start.first);
            let kept = if found == start.first { kept_ahead } else { self.books.kept_before(found) };
            let after = self.books.without(all, kept);
            // The extra cost in this request, compared with a flush that saves as much of the cached part.
            let cost_of = |after: Course| after.cost(self.prices) - sent.cost(self.prices) + cached * saved;
            let gain_of = |cost: f64| cached * (RENT * start.rent + saved * turns) - cost;
            let cost = cost_of(after);
            let gain = gain_of(cost);
            // It may be a side question: then the other list goes on, with the cache of this one.
            if self.is_fork && kept_ahead < sent.kept {
                continue;
            }
            let behind = if uncached > cached { (cost / (uncached - cached)).max(0.0) } else { 0.0 };
            // With a breakpoint right ahead of it.
            let best_case = gain_of(cost_of(self.books.without(all, kept_ahead)));
            if best_case > nearest {
                nearest = best_case;
                anchor = start.first;
            }
            // The bill has what is really sent.
            let made = self.books.without(start.saved.saturating_add(cut), kept);
            let cost = made.cost(self.prices) + self.books.unseen(found, self.prices);
            let is_solvent = made.bill + cost <= most;
            let is_cached = !self.books.is_too_small(made.total);
            if gain > gained && saved >= BATCH * behind && is_solvent && is_cached {
                gained = gain;
                best = Some(start);
            }
        }
        self.anchor = anchor;
        best
    }

    /// The unit up to which the provider finds the cache, if the request to come differs from a unit on. Some providers look for
    /// it only at breakpoints and a little before: at the end, and where the host keeps an anchor.
    pub(super) fn found(&self, first: u32) -> u32 {
        if !self.view.capabilities.cache_at_breakpoints {
            return first;
        }
        let blocks = self.view.block_count();
        let is_near = |&unit: &u32| blocks - self.view.unit(unit).first_block <= LOOK_BACK;
        let near = self.books.end_before(first).filter(is_near);
        // The breakpoint of this request stands where it changes: from there, too, the provider looks back only so far.
        let is_kept = |&anchor: &u32| {
            let block = |unit| self.view.unit(unit).first_block;
            let is_near = || block(first).saturating_sub(block(anchor)) <= LOOK_BACK;
            self.view.capabilities.keeps_anchor && anchor <= first && is_near()
        };
        near.or(Some(self.anchor).filter(is_kept)).unwrap_or(0)
    }

    /// What the policy makes now. `is_past`: of a turn before the request to come.
    ///
    /// # Errors
    /// The caller's token counter failed.
    pub(super) fn due(&mut self, source: &dyn TextSource, is_past: bool) -> Result<Due, Error> {
        if self.policy == FlushPolicy::Always {
            return Ok(Due::All);
        }
        if !self.is_counting() {
            return Ok(Due::None);
        }
        self.tokens(source)?;
        if is_past && self.books.is_rewound() {
            // Nobody sends a request there: what the caller changed goes out with the request to come.
            return Ok(Due::None);
        }
        if self.books.is_rewound() && self.anchor == NONE {
            // The cache still holds the newest request that ended before the change. The host's own breakpoints may be too far from there.
            self.anchor = self.books.ends().last().copied().unwrap_or(NONE);
        }
        if self.clock.is_cold(&self.view) {
            self.books.cool();
            return Ok(Due::Cold);
        }
        #[allow(clippy::cast_precision_loss)]
        if self.budget.is_some_and(|budget| self.books.tokens() as f64 > budget) {
            return Ok(Due::All);
        }
        Ok(match self.policy {
            #[allow(clippy::cast_precision_loss)]
            FlushPolicy::Tokens(least) if !self.waiting.is_empty() && self.saved_by_all() as f64 >= least => {
                Due::All
            }
            FlushPolicy::WhenItPays => self.best(source).map_or(Due::None, |start| Due::From(start.anchor)),
            _ => Due::None,
        })
    }

    /// The first unit that the next request sends uncached in any case, if the policy is to save, and how many rungs
    /// further results may go from there on.
    pub(super) fn sent_anew(&self, due: Due) -> Option<(u32, u32)> {
        let first = match due {
            Due::From(anchor) => self.starts().find(|start| start.anchor == anchor).map(|start| start.first),
            Due::Cold => return Some((0, COLD)),
            Due::None | Due::All => None,
        };
        first.map(|first| (first, FLUSHED))
    }

    /// The cost and gain of a flush now; none if nothing waits for one, or none may be made. If the policy does not
    /// count, `held` is the savings of the waiting edits.
    ///
    /// # Errors
    /// The caller's token counter failed.
    pub fn outlook(&mut self, source: &dyn TextSource, held: u64) -> Result<Option<Outlook>, Error> {
        self.tokens(source)?;
        let Some(Start { first, saved, .. }) = self.all() else { return Ok(None) };
        let saved = if self.is_counting() { u64::try_from(saved).unwrap_or(0) } else { held };
        // What was never sent is sent uncached in any case; what the newest run gave out first wasn't before more came.
        let is_sent = self.output_length < self.view.len();
        let end = if is_sent { self.given_out() } else { self.editor.given_out };
        let behind = (first..end).flat_map(|unit| self.view.blocks_of(unit));
        let behind = behind.map(|index| u64::from(left(self.view.block(index)))).sum();
        Ok(Some(Outlook::of(saved, behind, self.prices)))
    }

    /// Makes the edits that are due, and returns all decisions.
    pub(super) fn finish(&mut self, due: Due) -> Run {
        self.book_log();
        let is_bound = self.bound().is_some();
        let all = if is_bound || due != Due::None { self.all() } else { None };
        let first = self.waiting.iter().map(|waiting| waiting.edit.unit());
        let first = if is_bound { first.min() } else { None };
        let held_back = first.filter(|&first| all.is_none_or(|all| first < all.first));
        let mut start = match due {
            Due::None => None,
            Due::All | Due::Cold => all,
            Due::From(anchor) => self.starts().find(|start| start.anchor == anchor),
        };
        while let Some(Start { anchor, first, .. }) = start {
            if !self.view.capabilities.thinking_bound_to_prefix {
                break;
            }
            self.editor.drop_bound_thinking(&mut self.view, first);
            let new = self.editor.log.get(self.logged..).unwrap_or_default();
            let least = new.iter().map(|logged| logged.anchor).min().unwrap_or(NONE);
            self.book_log();
            if least >= anchor {
                break;
            }
            // The thinking stood with something further ahead.
            start = self.starts().find(|start| start.anchor == least).or(start);
        }
        let mut from = NONE;
        if let Some(Start { anchor, .. }) = start {
            from = anchor;
            start = self.starts().find(|start| start.anchor <= anchor).or(start);
            self.make_from(anchor);
            self.anchor = start.map_or(self.anchor, |start| start.first);
        }
        self.drop_doubtful_thinking((start.map(|start| start.first), from));
        self.logged = 0;
        self.output_length = self.view.len();
        let mut edits = std::mem::take(&mut self.editor.log);
        make_waiting(&mut edits, from);
        Run {
            edits,
            counts: std::mem::take(&mut self.editor.counts),
            flush: start.map(|start| start.first),
            from,
            anchor: self.anchor,
            unbalanced: self.rules.take_unbalanced(),
            held: self.rules.take_held(),
            held_back,
        }
    }

    /// Makes the edits that wait for a flush from a unit on, or from one behind it.
    fn make_from(&mut self, anchor: u32) {
        let at = self.waiting.partition_point(|waiting| waiting.anchor < anchor);
        for Waiting { edit, saved, .. } in self.waiting.split_off(at) {
            self.waiting_saved -= saved;
            self.hide(edit);
            let unit = edit.unit();
            if self.view.unit(unit).anchor >= anchor {
                self.view.mark_waiting(unit, NONE);
            }
            if self.is_counting() {
                self.books.save(unit, saved);
                let found = self.found(unit);
                self.books.change_from(unit, found, self.prices);
            }
        }
    }
}

/// What is left of a counted block.
const fn left(block: &Block) -> u32 {
    if block.is_live() { block.tokens.now.lower } else { 0 }
}
