//! Limits, triggers and targets (requirements 8.1).

use densify::ErrorCode;
use densify::budget::{Budget, tail_start};
use densify::options::{CompressSettings, Size};
use serde_json::{Value, json};

use crate::support::options;

fn settings(further: Value) -> CompressSettings {
    let mut settings = json!({"strategy": "high-density", "contextLimit": 1000});
    settings.as_object_mut().unwrap().append(&mut further.as_object().unwrap().clone());
    options(settings)
}

fn budget(further: Value) -> (f64, f64, u64) {
    let budget = Budget::new(&settings(further)).unwrap();
    (budget.limit, budget.trigger, budget.target)
}

#[test]
fn req_8_1_the_limit_is_what_reserve_and_overhead_leave() {
    assert_eq!(budget(json!({})), (1000.0, 850.0, 510));
    assert_eq!(budget(json!({"threshold": 0.5})), (1000.0, 500.0, 300));
    assert_eq!(budget(json!({"reserve": 100, "overhead": 50, "threshold": 1})), (850.0, 850.0, 510));
    assert_eq!(budget(json!({"reserve": 1.5, "threshold": 1})), (998.5, 998.5, 599));
}

#[test]
fn req_8_1_the_trigger_is_reached_with_what_is_to_come() {
    let budget = Budget::new(&settings(json!({}))).unwrap();
    assert!(!budget.is_due(849, 0));
    assert!(budget.is_due(850, 0));
    assert!(!budget.is_due(800, 49));
    assert!(budget.is_due(800, 50));
    assert!(budget.is_due(0, u64::MAX / 2));
}

#[test]
fn a_target_never_lies_above_its_trigger() {
    for threshold in [0.01, 0.3, 0.85, 1.0] {
        for reserve in [0, 1, 500, 999] {
            let budget = Budget::new(&settings(json!({"threshold": threshold, "reserve": reserve}))).unwrap();
            assert!(!budget.is_due(budget.target, 0), "{budget:?}");
        }
    }
}

#[test]
fn numbers_out_of_their_range_are_errors_that_name_the_key() {
    for (key, value) in [
        ("threshold", json!(0)),
        ("threshold", json!(1.01)),
        ("threshold", json!(-1)),
        ("contextLimit", json!(0)),
        ("contextLimit", json!(-5)),
        ("reserve", json!(-1)),
        ("overhead", json!(-0.5)),
        ("preserve", json!(1.5)),
        ("preserve", json!(-0.1)),
        ("preserve", json!({"fraction": 2})),
        ("preserve", json!({"messages": -1})),
        ("preserve", json!({"tokens": -1})),
    ] {
        let settings = settings(json!({key: value}));
        for history in [vec![], crate::script::parse("human: x*500")] {
            let error = densify::compress_contents(&history, &settings).unwrap_err();
            assert_eq!((error.code(), error.option_key()), (ErrorCode::InvalidOptions, Some(key)), "{value}");
        }
    }
    let error = Budget::new(&settings(json!({"reserve": 600, "overhead": 400}))).unwrap_err();
    assert_eq!(error.option_key(), Some("contextLimit"));
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let given = CompressSettings { context_limit: number, ..settings(json!({})) };
        assert!(Budget::new(&given).is_err(), "{number}");
        let given = CompressSettings { threshold: Some(number), ..settings(json!({})) };
        assert!(Budget::new(&given).is_err(), "{number}");
    }
}

#[test]
fn the_tail_is_a_fraction_rounded_up_or_a_number_of_messages_or_tokens() {
    let tokens = [10, 20, 30, 40, 50, 60, 70];
    for (preserve, start) in [
        (None, 4), // ceil(7 × 0.3) = 3
        (Some(Size::Fraction(0.0)), 7),
        (Some(Size::Fraction(0.01)), 6),
        (Some(Size::Fraction(1.0)), 0),
        (Some(Size::Messages(2.9)), 5),
        (Some(Size::Messages(1e9)), 0),
        (Some(Size::Tokens(130.0)), 5),
        (Some(Size::Tokens(129.9)), 6),
        (Some(Size::Tokens(0.0)), 7),
    ] {
        assert_eq!(tail_start(preserve, &tokens).unwrap(), start, "{preserve:?}");
    }
    assert_eq!(tail_start(None, &[]).unwrap(), 0);
}
