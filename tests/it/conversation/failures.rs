//! Summaries that fail, are cancelled, come late.

use densify::conversation::{OverLimitReason, Step, SummaryEnd};
use serde_json::json;

use super::{IN_BACKGROUND, READY, STOPPED, SUMMARIZE, clean, machine, machine_with, over_limit};

#[test]
fn section_5_three_failures_in_a_row_stop_the_retrying_until_something_is_added() {
    let mut machine = machine("middle-out");
    for attempt in 1..=3 {
        assert_eq!(machine.next(900, 0), SUMMARIZE, "{attempt}");
        let ticket = machine.summary_started(false);
        assert!(machine.summary_ended(ticket, SummaryEnd::Failed, 900, 0));
    }
    assert_eq!(machine.next(900, 0), STOPPED);
    assert_eq!(machine.next(900, 0), READY);
    machine.added(1);
    assert_eq!(machine.next(910, 0), SUMMARIZE);
    // It is the fourth in a row: one more attempt a turn, not three.
    let ticket = machine.summary_started(false);
    machine.summary_ended(ticket, SummaryEnd::Failed, 910, 0);
    assert_eq!(machine.next(910, 0), READY);
}

#[test]
fn a_success_ends_the_row() {
    let mut machine = machine("structured");
    for end in
        [SummaryEnd::Failed, SummaryEnd::Failed, SummaryEnd::Applied, SummaryEnd::Failed, SummaryEnd::Failed]
    {
        let ticket = machine.summary_started(false);
        machine.summary_ended(ticket, end, 400, 0);
    }
    assert_eq!(machine.next(900, 0), SUMMARIZE);
}

#[test]
fn a_summary_that_was_given_up_is_no_failure() {
    for end in [SummaryEnd::Cancelled, SummaryEnd::Conflict] {
        let mut machine = machine("middle-out");
        for _ in 0..9 {
            assert_eq!(machine.next(900, 0), SUMMARIZE);
            let ticket = machine.summary_started(false);
            assert!(machine.summary_ended(ticket, end, 900, 0));
            assert!(!machine.is_locked());
        }
    }
}

#[test]
fn over_the_limit_with_a_model_that_fails_is_an_answer_not_a_loop() {
    let mut machine = machine_with("one-shot", json!({"maxFailures": 1, "giveUp": []}));
    assert_eq!(machine.next(1200, 0), SUMMARIZE);
    let ticket = machine.summary_started(false);
    machine.summary_ended(ticket, SummaryEnd::Failed, 1200, 0);
    let stopped = Step::OverLimit { floor: 1200, reason: OverLimitReason::SummariesStopped };
    assert_eq!(machine.next(1200, 0), stopped);
    assert_eq!(machine.next(1200, 0), stopped);
    machine.added(1);
    assert_eq!(machine.next(1200, 0), SUMMARIZE);
    let ticket = machine.summary_started(false);
    machine.summary_ended(ticket, SummaryEnd::Noop, 1200, 0);
    assert_eq!(machine.next(1200, 0), over_limit(1200));
}

#[test]
fn in_the_background_failures_count_too() {
    let mut machine = clean("auto");
    machine.compressed(720, 0);
    for _ in 0..3 {
        assert_eq!(machine.next(720, 0), IN_BACKGROUND);
        let ticket = machine.summary_started(true);
        machine.summary_ended(ticket, SummaryEnd::Failed, 720, 0);
    }
    assert_eq!(machine.next(720, 0), STOPPED);
    assert_eq!(machine.next(720, 0), READY);
}

#[test]
fn only_the_summary_that_is_awaited_counts() {
    let mut machine = machine("middle-out");
    let first = machine.summary_started(false);
    assert!(machine.summary_ended(first, SummaryEnd::Cancelled, 900, 0));
    let second = machine.summary_started(false);
    assert!(!machine.summary_ended(first, SummaryEnd::Failed, 900, 0));
    assert!(machine.is_locked() && machine.is_awaited(second));
    machine.rewound();
    assert!(!machine.is_locked());
    assert!(!machine.summary_ended(second, SummaryEnd::Applied, 300, 0));
}

#[test]
fn section_5_adds_are_counted_while_a_summary_is_awaited_however_it_ends() {
    for end in [
        SummaryEnd::Applied,
        SummaryEnd::Noop,
        SummaryEnd::Failed,
        SummaryEnd::Cancelled,
        SummaryEnd::Conflict,
    ] {
        let mut machine = clean("high-density");
        machine.added(5);
        assert_eq!(machine.queued(), 0);
        let ticket = machine.summary_started(false);
        machine.added(2);
        machine.added(3);
        assert_eq!((machine.queued(), machine.is_locked()), (5, true));
        assert!(machine.summary_ended(ticket, end, 300, 0));
        assert_eq!((machine.queued(), machine.is_locked()), (0, false));
        assert_eq!(machine.next(300, 0), Step::Optimize, "{end:?}");
    }
}
