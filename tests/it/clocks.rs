//! When times say that the provider's cache is cold.

use densify::content::Content;
use densify::options::{FlushPolicy, OptimizeSettings, Preset, Prices};
use serde_json::{Value, json};

use crate::results::{lines, shell, with};
use crate::session::Session;

/// A noon, in seconds since 1970.
const NOON: u32 = 1_780_000_000;

/// A call and its result, which were written at these times; 0 is none.
fn turn(number: u32, (called, answered): (u32, u32)) -> Vec<Content> {
    let mut turn = shell(&number.to_string(), "make", &lines(&format!("t{number}"), 0..80));
    for (content, time) in turn.iter_mut().zip([called, answered]) {
        if time > 0 {
            let stamp: Value = json!({"timestamp": u64::from(time) * 1000});
            content.rest.insert("metadata".to_owned(), stamp);
        }
    }
    turn
}

/// A session in which some edits wait, with a cache of 300 seconds; whether the next request flushes. `before`: the times of
/// the newest turn; `host`: those of the last two requests, as the host says.
fn is_cold(before: (u32, u32), told: Option<bool>, host: (u32, u32)) -> bool {
    // So dear that no flush pays by itself.
    let prices = Some(Prices { cached: 0.001, uncached: 1.25 });
    let settings = OptimizeSettings {
        flush: Some(FlushPolicy::WhenItPays),
        cache_ttl: Some(300.0),
        prices,
        ..with(Preset::Aggressive)
    };
    let mut session = Session::new(&settings);
    for number in 0..6 {
        session.push(&turn(number, (0, 0)));
        session.optimizer.tell(None, host.0);
        assert_eq!(session.run(false).flush, None);
    }
    session.push(&turn(6, before));
    session.optimizer.tell(told, host.1);
    session.run(false).flush.is_some()
}

#[test]
fn a_gap_longer_than_the_cache_lives_makes_it_cold() {
    let unknown = (0, 0);
    for (name, before, told, host, expected) in [
        ("nobody knows", unknown, None, unknown, false),
        ("messages tell", (NOON, NOON + 301), None, unknown, true),
        ("messages tell of a short gap", (NOON, NOON + 300), None, unknown, false),
        ("messages run backwards", (NOON + 4000, NOON), None, unknown, false),
        ("one message tells", (NOON, 0), None, unknown, false),
        ("the host tells", unknown, None, (NOON, NOON + 301), true),
        ("the host's clock runs backwards", unknown, None, (NOON + 4000, NOON), false),
        ("the host's clock stands", unknown, None, (NOON, NOON), false),
        ("messages and host agree", (NOON, NOON + 301), None, (NOON, NOON + 310), true),
        ("messages lie", (NOON, NOON + 301), None, (NOON, NOON + 10), false),
        ("the host lies", (NOON, NOON + 10), None, (NOON, NOON + 4000), false),
        ("the host's first time", (NOON, 0), None, (0, NOON + 301), true),
        ("the caller knows better", (NOON, NOON + 301), Some(false), (NOON, NOON + 310), false),
        ("the caller knows", unknown, Some(true), unknown, true),
    ] {
        assert_eq!(is_cold(before, told, host), expected, "{name}");
    }
}

#[test]
fn an_answer_that_is_asked_for_twice_finds_a_cold_cache_once() {
    let settings = OptimizeSettings { cache_ttl: Some(300.0), ..with(Preset::Aggressive) };
    let settings = OptimizeSettings { flush: Some(FlushPolicy::WhenCold), ..settings };
    let mut session = Session::new(&settings);
    for number in 0..6 {
        session.push(&turn(number, (NOON, NOON)));
        assert_eq!(session.run(false).flush, None);
    }
    session.push(&turn(6, (NOON, NOON + 1000)));
    assert!(session.run(false).flush.is_some());
    session.push(&turn(7, (0, NOON + 1001))[1..]);
    assert_eq!(session.run(false).flush, None);
}

#[test]
fn a_history_in_one_portion_is_cold_where_its_turns_were() {
    let settings = OptimizeSettings { cache_ttl: Some(300.0), ..with(Preset::Balanced) };
    let history = |session: &mut Session, is_whole: bool| {
        for number in 0..30 {
            let time = NOON + 10 * number + if number >= 15 { 1000 } else { 0 };
            session.push(&turn(number, (time, time + if number == 14 { 1000 } else { 1 })));
            if is_whole && number < 29 {
                session.optimizer.end_turn(&session.raw.clone().as_slice()).unwrap();
            } else {
                session.run(false);
            }
        }
    };
    let settings = OptimizeSettings { flush: Some(FlushPolicy::WhenCold), ..settings };
    let (mut step_by_step, mut whole) = (Session::new(&settings), Session::new(&settings));
    history(&mut step_by_step, false);
    history(&mut whole, true);
    assert_ne!(whole.output(), whole.raw);
    assert_eq!(whole.output(), step_by_step.output());
}
