//! The turns of a history that comes in larger portions.

use super::Optimizer;
use crate::edit::{DensityMetadata, Logged, RULES, RuleName};
use crate::error::Error;
use crate::options::FlushPolicy;
use crate::view::{NONE, Speaker, TextSource, stream};

/// What a run decided.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// The edits that are new; some of them may still wait for a flush of a later run.
    pub edits: Vec<Logged>,
    /// How many edits of each rule.
    pub counts: [u32; RULES],
    /// Whether this run flushes: edits that wait, of this and earlier runs, are made now.
    /// The index is the first unit that changes among those that were given out.
    pub flush: Option<u32>,
    /// With a flush: of the edits of earlier runs that wait those are made whose [anchor](Logged::anchor) is this unit
    /// or one behind it.
    pub from: u32,
    /// The first unit that the next flush is expected to change; [`NONE`](crate::view::NONE) if no edit waits. After a flush
    /// it is the first unit that this flush changed.
    pub anchor: u32,
    /// Human units whose inclusion markers don't match up.
    pub unbalanced: Vec<u32>,
    /// Units with a stale read that the provider doesn't let go.
    pub held: Vec<u32>,
    /// The first unit with a waiting edit that no flush may make now: thinking behind it is bound to what lies before
    /// it, and must stay.
    pub held_back: Option<u32>,
}

impl Run {
    /// Whether this run makes an edit of an earlier run, which waited.
    #[must_use]
    pub const fn makes(&self, earlier: &Logged) -> bool {
        self.flush.is_some() && earlier.anchor >= self.from
    }

    /// The counts under the documents' names.
    #[must_use]
    pub fn metadata(&self) -> DensityMetadata {
        let count = |rule: RuleName| self.counts.get(rule as usize).copied().unwrap_or(0);
        DensityMetadata {
            read_write_pairs_pruned: count(RuleName::StaleReads),
            file_deduplications_pruned: count(RuleName::Inclusions),
            recency_pruned: count(RuleName::Recency),
        }
    }

    /// This run and the next one as one: a flush of the next makes edits of this one, too.
    fn followed_by(mut self, next: Self) -> Self {
        if next.flush.is_some() {
            make_waiting(&mut self.edits, next.from);
        }
        self.edits.extend(next.edits);
        self.counts.iter_mut().zip(next.counts).for_each(|(count, more)| *count += more);
        self.unbalanced.extend(next.unbalanced);
        self.held.extend(next.held);
        let flush = self.flush.into_iter().chain(next.flush).min();
        let Self { anchor, held_back, .. } = next;
        Self { flush, from: self.from.min(next.from), anchor, held_back, ..self }
    }
}

impl Optimizer {
    /// Adds units right before a [run](Self::run), which may be those of many turns. Unless all edits are made at once,
    /// the rules run right before each answer of the model, since a request was made there: the outcome is the same in
    /// whatever portions a history comes. The run tells what was decided on the way. Where the provider binds thinking to
    /// the messages before it, only the first run looks at turns before its own.
    ///
    /// # Errors
    /// [`crate::ErrorCode::InvalidStream`]; the caller's token counter failed.
    pub fn push_turns(&mut self, words: &[u32], source: &dyn TextSource) -> Result<(), Error> {
        let mut units = stream::Units::new(words)?;
        loop {
            if units.next_speaker() == Some(Speaker::Ai) {
                self.end_turn(source)?;
            }
            if !units.push_next(&mut self.view)? {
                break;
            }
        }
        self.recognize(source);
        Ok(())
    }

    /// Runs the rules over what was pushed since the last run, unless all edits are made at once. Call it before an
    /// answer of the model is pushed to the view directly: a request was made there.
    ///
    /// # Errors
    /// The caller's token counter failed.
    pub fn end_turn(&mut self, source: &dyn TextSource) -> Result<(), Error> {
        let length = self.view.len();
        let is_answer = |last: u32| self.view.unit(last).speaker == Speaker::Ai;
        // A request between two runs was sent without new edits of ours. Bound thinking must not stand behind one.
        // Where a provider wants the newest thinking back, too, edits before it wait.
        let demands = self.view.capabilities;
        let may_go = self.told == 0 && !demands.open_loop_keeps_thinking;
        if self.policy == FlushPolicy::Always
            || demands.thinking_bound_to_prefix && !may_go
            || self.output_length >= length
            || length.checked_sub(1).is_none_or(is_answer)
        {
            return Ok(());
        }
        self.recognize(source);
        // What the caller says of the cache and the time is true now, not then.
        let (told, now) = self.clock.take();
        let run = self.turn(source, false, true);
        self.clock.tell(told, now);
        let mut run = run.map(|run| self.told_of(run))?;
        // The caller has not seen these units yet.
        if run.flush.is_some_and(|first| first >= self.told) {
            run.flush = None;
        }
        self.untold = Some(run);
        Ok(())
    }

    /// Before the first run we can't know whether earlier requests had our edits. So if the provider binds thinking to the
    /// messages before it, all thinking behind the first edit goes. `flush`: the first unit that a flush changes; `from`: see
    /// [`Run::from`].
    pub(super) fn drop_doubtful_thinking(&mut self, (flush, from): (Option<u32>, u32)) {
        if self.told > 0 || !self.view.capabilities.thinking_bound_to_prefix {
            return;
        }
        let is_made = |logged: &&Logged| !logged.pending || logged.anchor >= from;
        let made = self.editor.log.iter().filter(is_made).map(|logged| logged.edit.unit());
        self.changed_from = made.chain(flush).fold(self.changed_from, u32::min);
        if self.changed_from == NONE {
            return;
        }
        let known = self.editor.log.len();
        let given_out = std::mem::replace(&mut self.editor.given_out, 0);
        self.editor.drop_bound_thinking(&mut self.view, self.changed_from);
        self.editor.given_out = given_out;
        let dropped = self.editor.log.iter_mut().skip(known);
        let apply_now = |logged: &mut Logged| {
            logged.pending = false;
            logged.edit.unit()
        };
        let first = dropped.map(apply_now).min();
        self.book_log();
        if let Some(first) = first.filter(|_| self.is_counting()) {
            let found = self.found(first);
            self.books.change_from(first, found, self.prices);
        }
    }

    /// A run with those before it of which the caller wasn't told.
    pub(super) fn told_of(&mut self, run: Run) -> Run {
        let Some(untold) = self.untold.take() else { return run };
        untold.followed_by(run)
    }
}

/// A flush makes the waiting edits whose anchor is a unit or one behind it.
pub(super) fn make_waiting(edits: &mut [Logged], from: u32) {
    let made = edits.iter_mut().filter(|logged| logged.anchor >= from);
    made.for_each(|logged| logged.pending = false);
}
