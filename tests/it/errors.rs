//! Errors: stable codes, and nothing half done (requirements 8.18).

use std::cell::Cell;
use std::collections::BTreeSet;

use densify::content::Content;
use densify::options::FlushPolicy;
use densify::strategy::Outcome;
use densify::view::{Leaf, LeafAddress, TextSource};
use densify::{Error, ErrorCode};
use proptest::prelude::*;

use crate::histories::{Manner, cases, history};
use crate::invariants::{config, part, strategy, to_target};
use crate::oracle::{Config, tokens_of};
use crate::script::parse;
use crate::session::{Session, settings};

/// Counts like the estimator, and fails at one of its calls.
struct Failing<'contents> {
    contents: &'contents [Content],
    calls_left: Cell<usize>,
}

impl Failing<'_> {
    fn count(&self, text: &str) -> Result<u32, Error> {
        let left = self.calls_left.get();
        self.calls_left.set(left.saturating_sub(1));
        if left == 0 {
            return Err(Error::new(ErrorCode::TokenCounterFailed, "the counter failed").at(7));
        }
        Ok(densify::tokens::estimate::estimate(text))
    }
}

impl TextSource for Failing<'_> {
    fn read(&self, address: LeafAddress, sink: &mut dyn FnMut(&str)) {
        self.contents.read(address, sink);
    }

    fn count(&self, address: LeafAddress) -> Option<Result<u32, Error>> {
        // Structured payloads are left to the estimator.
        if address.leaf != Leaf::Text {
            return None;
        }
        let mut text = String::new();
        self.read(address, &mut |chunk| text.push_str(chunk));
        Some(Failing::count(self, &text))
    }

    fn count_text(&self, text: &str) -> Option<Result<u32, Error>> {
        Some(Failing::count(self, text))
    }
}

#[test]
fn codes_are_stable_words() {
    let words: BTreeSet<&str> = ErrorCode::ALL.into_iter().map(ErrorCode::as_str).collect();
    assert_eq!(words.len(), ErrorCode::ALL.len());
    for code in ["invalid-options", "unknown-strategy", "strategy-needs-model", "invalid-density-result"] {
        assert!(words.contains(code), "{code}");
    }
    for code in ["invalid-messages", "token-counter-failed", "disposed", "stale-result"] {
        assert!(words.contains(code), "{code}");
    }
}

#[test]
fn an_error_shows_its_sentence_and_tells_index_and_key() {
    let error = Error::new(ErrorCode::InvalidMessages, "found 5, expected a list").at(3).key("messages");
    assert_eq!(error.to_string(), "found 5, expected a list");
    assert_eq!((error.index(), error.option_key()), (Some(3), Some("messages")));
    let _: &dyn std::error::Error = &error;
}

#[test]
fn req_8_18_a_counter_that_fails_is_named() {
    let history = parse("human: Hello.");
    let mut session = Session::new(&settings(&Config::default(), FlushPolicy::Always));
    session.push(&history);
    let source = Failing { contents: &history, calls_left: Cell::new(0) };
    let error = session.optimizer.tokens(&source).unwrap_err();
    assert_eq!((error.code(), error.index()), (ErrorCode::TokenCounterFailed, Some(7)));
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn req_8_18_req_013_1_a_counter_that_fails_leaves_nothing_half_done(
        history in history(Manner::Any, 16),
        (config, calls, tokens) in (config(), 0..60_usize, 0..100_u32),
        (strategy, goal) in (strategy(), 0.0..1.0_f64),
    ) {
        let policy = FlushPolicy::Tokens(f64::from(tokens));
        let (mut session, mut control) = (Session::new(&settings(&config, policy)), Session::new(&settings(&config, policy)));
        for half in history.chunks(history.len().div_ceil(2).max(1)) {
            session.push(half);
            control.push(half);
            let source = Failing { contents: &session.raw, calls_left: Cell::new(calls) };
            // Whether the counter failed or not: with the next run everything is as it should be.
            let run = session.optimizer.run(&source, false);
            let failed = run.is_err();
            prop_assert!(!failed || source.calls_left.get() == 0);
            if let Ok(run) = run {
                session.take(&run);
            }
            session.run(true);
            control.run(true);
            prop_assert_eq!(session.output(), control.output());
            prop_assert_eq!(session.tokens(), control.tokens());
        }
        let target = part(control.tokens().1, goal);
        let settings = to_target(strategy, target, 0.3, true);
        let before = session.output();
        let source = Failing { contents: &session.raw, calls_left: Cell::new(calls / 2) };
        match session.optimizer.compress(&settings, &source) {
            Err(error) => {
                prop_assert_eq!(error.code(), ErrorCode::TokenCounterFailed);
                prop_assert_eq!(session.output(), before);
                prop_assert_eq!(session.compress(&settings), control.compress(&settings));
                prop_assert_eq!(session.output(), control.output());
            }
            Ok((outcome, _)) => prop_assert_eq!(outcome, control.compress(&settings).0),
        }
        let left: u64 = control.output().iter().map(tokens_of).sum();
        prop_assert_eq!(control.tokens().1, left);
    }
}

#[test]
fn compress_says_nothing_of_a_failed_counter_if_there_is_none() {
    let history = parse("human: Hello.\nai: \"Hello.\"");
    let settings = to_target(crate::oracle::Strategy::HighDensity, 1, 0.0, true);
    let (_, outcome) = densify::compress_contents(&history, &settings).unwrap();
    assert!(matches!(outcome, Outcome::Applied(_)));
}
