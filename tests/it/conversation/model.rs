//! The rules of a conversation once more, read off the list of all that happened.

use densify::conversation::{Compression, OverLimitReason, Step, SummaryEnd, Warning};
use densify::strategy::Strategy;

/// What can happen to a conversation; tokens and pending tokens where they matter.
#[derive(Clone, Debug)]
pub enum Event {
    Added,
    Changed,
    Rewound,
    Optimized,
    Compressed(u64, u64),
    Started(bool),
    /// The end of the summary that is awaited.
    Ended(SummaryEnd, u64, u64),
    Asked(u64, u64, Step),
}

/// 1,000 tokens, three failures.
pub struct Model {
    pub strategy: Strategy,
    pub log: Vec<Event>,
}

impl Model {
    fn is_auto(&self) -> bool {
        self.strategy == Strategy::Auto
    }

    /// The events behind the newest one that a test holds for.
    fn since(&self, is_last: impl Fn(&Event) -> bool) -> &[Event] {
        let at = self.log.iter().rposition(is_last).map_or(0, |at| at + 1);
        &self.log[at..]
    }

    pub fn is_dirty(&self) -> bool {
        let log = self.since(|event| matches!(event, Event::Optimized));
        let is_first = log.len() == self.log.len();
        is_first || log.iter().any(|event| matches!(event, Event::Added | Event::Rewound))
    }

    pub fn awaited(&self) -> Option<bool> {
        let is_end = |event: &Event| matches!(event, Event::Ended(..) | Event::Rewound);
        self.since(is_end).iter().rev().find_map(|event| match event {
            Event::Started(background) => Some(*background),
            _ => None,
        })
    }

    pub fn queued(&self) -> usize {
        if self.awaited().is_none() {
            return 0;
        }
        let log = self.since(|event| matches!(event, Event::Started(..)));
        log.iter().filter(|event| matches!(event, Event::Added)).count()
    }

    fn is_stopped(&self) -> bool {
        let is_reset = |event: &Event| {
            matches!(event, Event::Changed | Event::Rewound | Event::Ended(SummaryEnd::Applied, ..))
        };
        let is_failure = |event: &Event| matches!(event, Event::Ended(SummaryEnd::Failed, ..));
        let row = self.since(is_reset);
        let failures = row.iter().filter(|event| is_failure(event)).count();
        let news = row.iter().rposition(|event| matches!(event, Event::Added));
        failures >= 3 && row.iter().rposition(is_failure) > news
    }

    pub fn is_wanted(&self, tokens: u64, pending: u64) -> bool {
        let sum = tokens + pending;
        sum >= 850 || (self.is_auto() && sum >= 700 && tokens > 510)
    }

    /// What the last attempt that didn't suffice left, and whether something was added since.
    fn remembered(
        &self,
        is_attempt: impl Fn(&Event) -> Option<(u64, bool)>,
        ends: impl Fn(&Event) -> bool,
    ) -> Option<(u64, bool)> {
        let mut found: Option<(u64, bool)> = None;
        let mut queued = false;
        for event in &self.log {
            match event {
                Event::Started(..) => queued = false,
                Event::Added => {
                    queued = true;
                    if let Some(found) = &mut found {
                        found.1 = true;
                    }
                }
                Event::Changed | Event::Rewound => found = None,
                Event::Asked(tokens, pending, step) => {
                    let is_smaller = found.is_some_and(|(left, _)| *tokens < left);
                    if ends(event) && is_smaller && tokens + pending < 850 && !matches!(step, Step::Optimize)
                    {
                        found = None;
                    }
                }
                event if ends(event) => found = None,
                _ => {}
            }
            if let Some((left, sees_queue)) = is_attempt(event) {
                found = Some((left, sees_queue && queued));
            }
        }
        found
    }

    fn last(&self) -> Option<(u64, bool)> {
        let tries = |event: &Event| match *event {
            Event::Compressed(tokens, pending) if !self.is_auto() => Some((tokens, pending, false)),
            Event::Ended(SummaryEnd::Applied | SummaryEnd::Noop, tokens, pending) => {
                Some((tokens, pending, true))
            }
            _ => None,
        };
        let falls_short = |event: &Event| {
            tries(event)
                .filter(|&(tokens, pending, _)| self.is_wanted(tokens, pending) || tokens > 510)
                .map(|(left, _, queue)| (left, queue))
        };
        self.remembered(falls_short, |event| {
            // While a summary is awaited nothing is weighed.
            tries(event).is_some() || matches!(event, Event::Asked(_, _, step) if !self.waits(event, *step))
        })
    }

    fn waits(&self, asked: &Event, step: Step) -> bool {
        if matches!(step, Step::Pending) {
            return true;
        }
        let at = self.log.iter().position(|event| std::ptr::eq(event, asked)).unwrap();
        let before = Model { strategy: self.strategy, log: self.log[..at].to_vec() };
        before.awaited().is_some()
    }

    fn lines(&self) -> Option<(u64, bool)> {
        let tries = |event: &Event| match *event {
            Event::Compressed(tokens, _) if self.is_auto() => Some((tokens, false)),
            _ => None,
        };
        self.remembered(tries, |event| matches!(event, Event::Ended(SummaryEnd::Applied, ..)))
    }

    /// What comes next, whatever warnings there are.
    pub fn next(&self, tokens: u64, pending: u64) -> Step {
        let (sum, ready) = (tokens + pending, Step::Ready { warning: None });
        if let Some(background) = self.awaited() {
            return if background && sum < 850 { ready } else { Step::Pending };
        }
        if self.is_dirty() && matches!(self.strategy, Strategy::Auto | Strategy::HighDensity) {
            return Step::Optimize;
        }
        if !self.is_wanted(tokens, pending) {
            return ready;
        }
        let may = |before: Option<(u64, bool)>| {
            before.is_none_or(|(left, has_news)| {
                tokens >= left + 50 || (sum > 1000 && has_news) || (sum < 850 && tokens < left)
            })
        };
        let last = self.last();
        if may(last) {
            let lines_may =
                self.lines().is_none_or(|(left, has_news)| tokens >= left + 50 || (sum > 1000 && has_news));
            match self.strategy {
                Strategy::HighDensity => return Step::Compress(Compression::HighDensity),
                Strategy::TopDownTruncation => return Step::Compress(Compression::TopDown),
                Strategy::Digest => return Step::Compress(Compression::Digest),
                Strategy::Auto if lines_may => return Step::Compress(Compression::Lines),
                _ if !self.is_stopped() => {
                    return Step::Summarize { background: self.is_auto() && sum < 850 };
                }
                _ => {}
            }
        }
        let reason =
            if self.is_stopped() { OverLimitReason::SummariesStopped } else { OverLimitReason::NothingLeft };
        if sum > 1000 { Step::OverLimit { floor: tokens, reason } } else { ready }
    }
}

/// A step without what it says only once.
pub fn without_warning(step: Step) -> Step {
    match step {
        Step::Ready { warning: None | Some(Warning::ThresholdUnreachable | Warning::SummariesStopped) } => {
            Step::Ready { warning: None }
        }
        step => step,
    }
}
