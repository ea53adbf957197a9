//! The state of a conversation, as a few words in a snapshot.

use super::payback::Payback;
use super::{Attempt, GiveUp, Machine};
use crate::error::{Error, ErrorCode};

const VERSION: u32 = 2;

const DIRTY: u32 = 1;
const STOPPED: u32 = 1 << 1;
const TOLD_UNREACHABLE: u32 = 1 << 2;
const TOLD_STOPPED: u32 = 1 << 3;
const LAST: u32 = 1 << 4;
const LAST_NEWS: u32 = 1 << 5;
const LINES: u32 = 1 << 6;
const LINES_NEWS: u32 = 1 << 7;
const LAST_ABOVE: u32 = 1 << 8;
const PAID: u32 = 1 << 9;
/// How many things were given up stands in the bits above the flags.
const GIVEN_UP: u32 = 10;
const GIVEN_UP_AT_MOST: usize = GiveUp::ALL.len();
const ALL: u32 = (1 << GIVEN_UP) - 1;

impl Machine {
    /// The remembered state, without a running summary: whoever restores it starts another.
    #[must_use]
    pub fn state(&self) -> [u32; 10] {
        let flags = [
            (self.is_dirty, DIRTY),
            (self.is_stopped, STOPPED),
            (self.told.unreachable, TOLD_UNREACHABLE),
            (self.told.stopped, TOLD_STOPPED),
            (self.last.left.is_some(), LAST),
            (self.last.has_news, LAST_NEWS),
            (self.last.is_above, LAST_ABOVE),
            (self.lines.left.is_some(), LINES),
            (self.lines.has_news, LINES_NEWS),
            (self.payback.left.is_some(), PAID),
        ];
        let flags: u32 = flags.into_iter().map(|(is_set, flag)| if is_set { flag } else { 0 }).sum();
        let flags = flags | u32::try_from(self.given_up).unwrap_or(0) << GIVEN_UP;
        let (last_low, last_high) = halves(self.last.left.unwrap_or(0));
        let (lines_low, lines_high) = halves(self.lines.left.unwrap_or(0));
        let (paid_low, paid_high) = halves(self.payback.left.unwrap_or(0));
        let requests = self.payback.requests;
        #[rustfmt::skip]
        let state = [
            VERSION, flags, self.failures, last_low, last_high, lines_low, lines_high, paid_low, paid_high, requests,
        ];
        state
    }

    /// Takes over what [`Machine::state`] gave; the settings stay.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidSnapshot`]; then nothing has changed.
    pub fn restore(&mut self, state: &[u32]) -> Result<(), Error> {
        let &[
            VERSION,
            flags,
            failures,
            last_low,
            last_high,
            lines_low,
            lines_high,
            paid_low,
            paid_high,
            requests,
        ] = state
        else {
            return Err(Error::new(
                ErrorCode::InvalidSnapshot,
                "the conversation's state is of another version",
            ));
        };
        let given_up = (flags >> GIVEN_UP) as usize;
        let flags = flags & ALL;
        if given_up > GIVEN_UP_AT_MOST {
            return Err(Error::new(ErrorCode::InvalidSnapshot, "the conversation's state has unknown flags"));
        }
        let count = |flag, low, high| (flags & flag != 0).then(|| u64::from(low) | u64::from(high) << 32);
        let attempt = |flag, news, low, high| Attempt {
            left: count(flag, low, high),
            has_news: flags & news != 0,
            is_above: flag == LAST && flags & LAST_ABOVE != 0,
        };
        self.is_dirty = flags & DIRTY != 0;
        self.is_stopped = flags & STOPPED != 0;
        self.told.unreachable = flags & TOLD_UNREACHABLE != 0;
        self.told.stopped = flags & TOLD_STOPPED != 0;
        self.failures = failures;
        self.last = attempt(LAST, LAST_NEWS, last_low, last_high);
        self.lines = attempt(LINES, LINES_NEWS, lines_low, lines_high);
        self.payback = Payback { left: count(PAID, paid_low, paid_high), requests };
        self.is_paying_back = false;
        self.given_up = given_up;
        self.giving_up = None;
        self.awaited = None;
        Ok(())
    }
}

#[allow(clippy::cast_possible_truncation)]
const fn halves(tokens: u64) -> (u32, u32) {
    (tokens as u32, (tokens >> 32) as u32)
}
