//! A counter whose counts are bounded is asked late, and whatever is decided is what an eager one decides.

use std::cell::RefCell;

use densify::content::Content;
use densify::optimizer::NewestRequest;
use densify::options::FlushPolicy;
use densify::strategy::Outcome;
use densify::tokens::bounds::Bounds;
use densify::tokens::estimate::estimate;
use densify::view::{LeafAddress, TextSource};
use densify::{Error, ErrorCode};
use proptest::prelude::*;

use crate::histories::{Manner, cases, history};
use crate::invariants::{config, part, strategy, to_target};
use crate::oracle::Config;
use crate::script::parse;
use crate::session::{Session, settings};

/// Counts like the estimator, notes what it counts, and knows bounds that lie so far apart.
struct Counter<'contents> {
    contents: &'contents [Content],
    slack: Option<u32>,
    counted: RefCell<Vec<String>>,
    fails: bool,
}

impl<'contents> Counter<'contents> {
    fn new(contents: &'contents [Content], slack: Option<u32>) -> Self {
        Self { contents, slack, counted: RefCell::default(), fails: false }
    }

    fn text(&self, address: LeafAddress) -> String {
        let mut text = String::new();
        self.contents.read(address, &mut |chunk| text.push_str(chunk));
        text
    }
}

impl TextSource for Counter<'_> {
    fn read(&self, address: LeafAddress, sink: &mut dyn FnMut(&str)) {
        self.contents.read(address, sink);
    }

    fn count(&self, address: LeafAddress) -> Option<Result<u32, Error>> {
        self.count_text(&self.text(address))
    }

    fn bound(&self, address: LeafAddress) -> Option<Bounds> {
        self.bound_text(&self.text(address))
    }

    fn bound_text(&self, text: &str) -> Option<Bounds> {
        let (count, slack) = (estimate(text), self.slack?);
        // Of some texts nothing is known, of some everything.
        let known = |slack: u32| Bounds { lower: count.saturating_sub(slack), upper: count + slack };
        match text.len() % 4 {
            0 => None,
            1 => Some(known(0)),
            2 => Some(known(slack)),
            _ => Some(known(slack / 3 + 1)),
        }
    }

    fn count_text(&self, text: &str) -> Option<Result<u32, Error>> {
        if self.fails {
            return Some(Err(Error::new(ErrorCode::TokenCounterFailed, "the counter failed")));
        }
        self.counted.borrow_mut().push(text.to_owned());
        Some(Ok(estimate(text)))
    }
}

fn session(config: &Config, policy: FlushPolicy, history: &[Content]) -> Session {
    let mut session = Session::new(&settings(config, policy));
    session.push(history);
    session
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn a_late_counter_decides_as_an_eager_one(
        history in history(Manner::Any, 20),
        (config, slack, flushed) in (config(), 0..200_u32, proptest::option::of(0..60_u32)),
        (strategy, goal, preserve) in (strategy(), 0.0..1.3_f64, 0.0..0.6_f64),
        settled in 0..12_usize,
    ) {
        let policy = || match flushed {
            None => FlushPolicy::Always,
            Some(0..20) => FlushPolicy::WhenItPays,
            Some(tokens) => FlushPolicy::Tokens(f64::from(tokens)),
        };
        let mut eager = session(&config, policy(), &history);
        let mut late = session(&config, policy(), &history);
        let exact = Counter::new(&history, None);
        let bounded = Counter::new(&history, Some(slack));
        let total = eager.optimizer.tokens(&exact).unwrap().1;
        // Some blocks are known before they are edited, some aren't.
        let optimizer = &mut late.optimizer;
        optimizer.editor.settle_tokens(&mut optimizer.view, &bounded, settled).unwrap();
        for (session, source) in [(&mut eager, &exact), (&mut late, &bounded)] {
            let run = session.optimizer.run(source, false).unwrap();
            session.take(&run);
        }
        let target = part(total, goal);
        let settings = to_target(strategy, target, preserve, true);
        let (expected, run) = eager.optimizer.compress(&settings, &exact).unwrap();
        eager.take(&run);
        let (found, run) = late.optimizer.compress(&settings, &bounded).unwrap();
        late.take(&run);
        prop_assert_eq!(&found, &expected);
        prop_assert_eq!(late.output(), eager.output());
        let (raw, now) = eager.optimizer.tokens(&exact).unwrap();
        let optimizer = &mut late.optimizer;
        for limit in [now.saturating_sub(1), now, target] {
            let is_within = optimizer.editor.is_within(&mut optimizer.view, &bounded, limit).unwrap();
            prop_assert_eq!(is_within, now <= limit);
        }
        prop_assert_eq!(optimizer.tokens(&bounded).unwrap(), (raw, now));
        prop_assert_eq!(optimizer.editor.ledger.most, now);
        if flushed.is_some() {
            prop_assert_eq!(late.optimizer.bills(NewestRequest::Unsent), eager.optimizer.bills(NewestRequest::Unsent));
        }
    }
}

const SCRIPT: &str = "
    human: Look at both.
    ai: read_file#1 a.ts
    tool: #1 one line
    ai: read_file#2 b.ts
    tool: #2 another line";

#[test]
fn far_from_the_limit_nothing_is_counted_but_names() {
    let history = parse(SCRIPT);
    let mut session = session(&Config::default(), FlushPolicy::Always, &history);
    let counter = Counter { slack: Some(9), ..Counter::new(&history, None) };
    let optimizer = &mut session.optimizer;
    let is_within = optimizer.editor.is_within(&mut optimizer.view, &counter, 1_000_000).unwrap();
    assert!(is_within);
    // Beside them only that of which no bounds are known.
    let unknown = |text: &String| !text.len().is_multiple_of(4) && text != "read_file";
    assert!(!counter.counted.borrow().iter().any(unknown), "{:?}", counter.counted.borrow());
    optimizer.tokens(&counter).unwrap();
    assert!(counter.counted.borrow().iter().any(unknown));
}

#[test]
fn a_tools_name_is_counted_once_and_costs_in_each_call() {
    let history = parse(SCRIPT);
    let mut session = session(&Config::default(), FlushPolicy::Always, &history);
    let counter = Counter::new(&history, None);
    let (raw, _) = session.optimizer.tokens(&counter).unwrap();
    let names = counter.counted.borrow().iter().filter(|text| *text == "read_file").count();
    assert_eq!(names, 1);
    let others: u32 =
        counter.counted.borrow().iter().filter(|text| *text != "read_file").map(|text| estimate(text)).sum();
    assert_eq!(raw, u64::from(others + 2 * estimate("read_file")));
}

#[test]
fn a_counter_that_fails_late_changes_nothing() {
    let history = parse(SCRIPT);
    let mut session = session(&Config::default(), FlushPolicy::Always, &history);
    let fails = Counter { slack: Some(1_000), fails: true, ..Counter::new(&history, None) };
    let settings = to_target(crate::oracle::Strategy::TopDown, 2, 0.0, true);
    let before = session.output();
    let error = session.optimizer.compress(&settings, &fails).unwrap_err();
    assert_eq!(error.code(), ErrorCode::TokenCounterFailed);
    assert_eq!(session.output(), before);
    let works = Counter::new(&history, Some(1_000));
    let (outcome, _) = session.optimizer.compress(&settings, &works).unwrap();
    assert!(matches!(outcome, Outcome::Applied(_) | Outcome::Noop(_)));
}
