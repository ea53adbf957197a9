//! Thresholds and their precedence, options out of range, what is remembered.

use densify::ErrorCode;
use densify::conversation::{ConversationSettings, GiveUp, Machine, Step, SummaryEnd};
use densify::options::read_options;
use densify::strategy::Strategy;
use serde_json::{Value, json};

use super::{READY, SUMMARIZE, machine, machine_with, over_limit};

#[track_caller]
fn error(settings: Value) -> densify::Error {
    let settings = read_options::<ConversationSettings>(&settings);
    settings.and_then(|settings| Machine::new(&settings).map(drop)).unwrap_err()
}

#[track_caller]
fn assert_trigger(machine: &Machine, expected: f64) {
    assert!((machine.budget().trigger - expected).abs() < 1e-9, "{:?}", machine.budget());
}

#[test]
fn req_001_10_req_8_17_the_threshold_that_was_set_precedes_the_option_and_that_the_strategys() {
    for (settings, trigger) in [(json!({"threshold": 0.5}), 500.0), (json!({}), 850.0)] {
        let mut machine = machine_with("high-density", settings.clone());
        assert_trigger(&machine, trigger);
        machine.set_threshold(Some(0.25)).unwrap();
        assert_trigger(&machine, 250.0);
        assert_eq!(machine.budget().target, 150);
        machine.set_threshold(None).unwrap();
        assert_trigger(&machine, trigger);
    }
}

#[test]
fn the_strategy_is_auto_unless_set_otherwise() {
    let settings = read_options::<ConversationSettings>(&json!({"contextLimit": 10})).unwrap();
    assert_eq!(Machine::new(&settings).unwrap().strategy(), Strategy::Auto);
    for strategy in Strategy::ALL {
        assert_eq!(machine(strategy.name()).strategy(), strategy);
    }
}

#[test]
fn options_out_of_range_are_errors_that_name_the_key() {
    for (key, values) in [
        ("threshold", json!([0, -1, 1.1, "x", null])),
        ("softThreshold", json!([0, -1, 1.1, "x", null])),
        ("contextLimit", json!([0, -1, "x", null])),
        ("reserve", json!([-1, 1000, null])),
        ("overhead", json!([-1, [], null])),
        ("maxFailures", json!([0, -1, "x", null])),
        ("strategy", json!([3, null])),
        ("treshold", json!([0.5])),
    ] {
        for value in values.as_array().unwrap() {
            let mut settings = json!({"contextLimit": 1000});
            settings[key] = value.clone();
            let error = error(settings);
            assert_eq!(error.code(), ErrorCode::InvalidOptions, "{error}");
            let expected = if (key, value) == ("reserve", &json!(1000)) { "contextLimit" } else { key };
            assert_eq!(error.option_key(), Some(expected), "{error}");
        }
    }
    assert_eq!(error(json!({"contextLimit": 10, "strategy": "x"})).code(), ErrorCode::UnknownStrategy);
    assert_eq!(error(json!({})).option_key(), Some("contextLimit"));
}

#[test]
fn an_invalid_threshold_changes_nothing() {
    for value in [0.0, -1.0, 1.5, f64::NAN, f64::INFINITY] {
        let mut machine = machine("high-density");
        let error = machine.set_threshold(Some(value)).unwrap_err();
        assert_eq!(error.option_key(), Some("threshold"));
        assert_trigger(&machine, 850.0);
    }
}

#[test]
fn what_is_remembered_survives_a_restart() {
    let mut machine = machine("auto");
    machine.optimized();
    machine.compressed(u64::from(u32::MAX) + 7, 0);
    for _ in 0..3 {
        let ticket = machine.summary_started(false);
        machine.summary_ended(ticket, SummaryEnd::Failed, 900, 0);
    }
    let mut restored = super::machine("auto");
    restored.restore(&machine.state()).unwrap();
    assert_eq!(restored.state(), machine.state());
    assert_eq!(restored.next(900, 0), machine.next(900, 0));
    // A summary that was awaited isn't any more: whoever restores the state starts another.
    machine.changed();
    machine.summary_started(false);
    restored.restore(&machine.state()).unwrap();
    assert!(!restored.is_locked());
}

#[test]
fn what_was_given_up_is_remembered_over_a_restart() {
    let mut machine = machine("one-shot");
    assert_eq!(machine.next(1200, 0), SUMMARIZE);
    let ticket = machine.summary_started(false);
    machine.summary_ended(ticket, SummaryEnd::Noop, 1200, 0);
    assert_eq!(machine.next(1200, 0), Step::GiveUp(GiveUp::Tail));
    let ticket = machine.summary_started(false);
    machine.summary_ended(ticket, SummaryEnd::Applied, 1100, 0);
    let mut restored = super::machine("one-shot");
    restored.restore(&machine.state()).unwrap();
    assert_eq!(restored.next(1100, 0), Step::GiveUp(GiveUp::Model));
}

#[test]
fn a_state_that_isnt_ours_is_an_error_and_changes_nothing() {
    let mut machine = machine("middle-out");
    machine.optimized();
    let before = machine.state();
    for state in
        [&[][..], &[0; 7], &[2, 0, 0, 0, 0, 0, 0], &[1, 0, 0, 0, 0, 0], &[1, 5 << 9, 0, 0, 0, 0, 0], &[1; 8]]
    {
        let error = machine.restore(state).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidSnapshot);
        assert_eq!(machine.state(), before);
    }
}

#[test]
fn numbers_at_the_edges_are_no_trouble() {
    let mut machine = machine("top-down-truncation");
    assert_ne!(machine.next(u64::MAX, u64::MAX), READY);
    machine.compressed(u64::MAX, u64::MAX);
    assert_eq!(machine.next(u64::MAX, u64::MAX), Step::GiveUp(GiveUp::Tail));
    machine.compressed(u64::MAX, u64::MAX);
    assert_eq!(machine.next(u64::MAX, u64::MAX), over_limit(u64::MAX));
    machine.added(u32::MAX);
}
