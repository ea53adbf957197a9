//! The strategies against the naive ones, and what every compression keeps.

use densify::options::{CompressSettings, FlushPolicy, KeepFirst, Size};
use densify::strategy::{CompressMetadata, NoopReason, Outcome};
use proptest::prelude::*;

use super::incremental::config;
use crate::histories::{Manner, cases, history};
use crate::oracle::{self, Strategy as Named, compress, entries, naive_run, tokens_of};
use crate::session::{Session, settings};

/// The settings for a target: the limit is such that `floor(limit × 1 × 0.6)` is the target.
#[allow(clippy::cast_precision_loss)]
pub fn to_target(strategy: Named, target: u64, preserve: f64, keep_first_request: bool) -> CompressSettings {
    let name = match strategy {
        Named::HighDensity => "high-density",
        Named::TopDown => "top-down-truncation",
    };
    let keep = match (keep_first_request, strategy) {
        (false, _) => KeepFirst::No,
        (true, Named::HighDensity) => KeepFirst::WhilePossible,
        (true, Named::TopDown) => KeepFirst::Always,
    };
    CompressSettings {
        strategy: name.to_owned(),
        context_limit: (target as f64 + 0.5) / 0.6,
        threshold: Some(1.0),
        reserve: None,
        overhead: None,
        preserve: (strategy == Named::HighDensity).then_some(Size::Fraction(preserve)),
        keep_first_request: Some(keep),
        truncate: None,
        workspace_root: None,
        tools: None,
    }
}

pub fn strategy() -> impl Strategy<Value = Named> {
    prop_oneof![Just(Named::HighDensity), Just(Named::TopDown)]
}

/// A part of a number of tokens.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn part(tokens: u64, part: f64) -> u64 {
    (tokens as f64 * part) as u64
}

fn reason(reason: NoopReason) -> String {
    serde_json::to_value(reason).unwrap().as_str().unwrap().to_owned()
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn compress_equals_naive(
        history in history(Manner::Any, 24),
        config in config(),
        optimized in any::<bool>(),
        (strategy, goal, preserve, keep) in (strategy(), 0.0..1.2_f64, 0.0..1.0_f64, any::<bool>()),
    ) {
        let mut session = Session::new(&settings(&config, FlushPolicy::Always));
        let mut naive = entries(&history, 0);
        session.push(&history);
        if optimized {
            session.run(false);
            naive_run(&mut naive, &config);
        }
        let before: u64 = naive.iter().map(|entry| tokens_of(&entry.content)).sum();
        let target = part(before, goal);
        let count = naive.len();
        let expected = compress(&mut naive, strategy, target, preserve, keep);
        let (outcome, _) = session.compress(&to_target(strategy, target, preserve, keep));
        let contents: Vec<_> = naive.into_iter().map(|entry| entry.content).collect();
        prop_assert_eq!(session.output(), contents);
        match (outcome, expected) {
            (Outcome::Noop(found), Err(expected)) => prop_assert_eq!(reason(found), expected),
            (Outcome::Applied(found), Ok(expected)) => {
                assert_metadata(&found, &expected, count, before, target);
            }
            (found, expected) => prop_assert!(false, "{found:?} instead of {expected:?}"),
        }
    }
}

#[track_caller]
fn assert_metadata(
    found: &CompressMetadata,
    expected: &oracle::Compressed,
    count: usize,
    before: u64,
    target: u64,
) {
    assert_eq!(found.original_message_count as usize, count);
    assert_eq!(found.compressed_message_count as usize, count - expected.dropped);
    assert_eq!(found.entries_dropped as usize, expected.dropped);
    assert_eq!(found.results_summarized as usize, expected.summarized);
    assert_eq!(found.tail_count as usize, expected.tail);
    assert_eq!((found.tokens_before, found.tokens_after), (before, expected.tokens_after));
    assert_eq!(found.target_tokens, target);
    assert_eq!(found.target_reached, expected.tokens_after <= target);
    assert!(!found.llm_call_made);
}
