//! The order of the steps, the dirty flag, the emergency path, thresholds out of reach.

use densify::conversation::{GiveUp, Machine, Step, SummaryEnd};
use serde_json::{Value, json};

use super::{
    HIGH_DENSITY, READY, SUMMARIZE, TOP_DOWN, UNREACHABLE, clean, machine, machine_with, over_limit,
};

#[test]
fn req_002_1_history_is_optimized_before_the_threshold_is_checked() {
    let mut machine = machine("high-density");
    assert_eq!(machine.next(900, 0), Step::Optimize);
    machine.optimized();
    // What the edits left is what counts (REQ-HD-002.4).
    assert_eq!(machine.clone().next(849, 0), READY);
    assert_eq!(machine.next(850, 0), HIGH_DENSITY);
}

#[test]
fn req_002_2_a_strategy_that_doesnt_optimize_is_never_asked_to() {
    for strategy in ["middle-out", "one-shot", "structured", "top-down-truncation"] {
        let mut machine = machine(strategy);
        assert!(machine.is_dirty());
        assert_eq!(machine.next(10, 0), READY, "{strategy}");
    }
}

#[test]
fn req_002_3_req_002_7_nothing_new_nothing_to_optimize() {
    let mut machine = machine("high-density");
    assert_eq!(machine.next(10, 0), Step::Optimize);
    // An optimization without effect clears the flag too.
    machine.optimized();
    assert_eq!(machine.next(10, 0), READY);
    assert_eq!(machine.next(10, 0), READY);
}

#[test]
fn req_002_6_content_that_is_added_is_new_and_our_own_edits_arent() {
    let mut machine = clean("high-density");
    assert_eq!(machine.next(900, 0), HIGH_DENSITY);
    machine.compressed(400, 0);
    assert_eq!(machine.next(400, 0), READY);
    machine.changed();
    assert_eq!(machine.next(400, 0), READY);
    machine.added(0);
    assert_eq!(machine.next(400, 0), READY);
    machine.added(1);
    assert_eq!(machine.next(410, 0), Step::Optimize);
}

#[test]
fn req_002_8_the_emergency_path_optimizes_first() {
    let mut machine = machine_with("high-density", json!({"giveUp": []}));
    assert_eq!(machine.next(2000, 500), Step::Optimize);
    machine.optimized();
    assert_eq!(machine.next(1900, 500), HIGH_DENSITY);
    machine.compressed(1200, 500);
    assert_eq!(machine.next(1200, 500), over_limit(1200));
    // Asking again changes nothing; once something was added it is tried again.
    assert_eq!(machine.next(1200, 500), over_limit(1200));
    machine.added(1);
    assert_eq!(machine.next(1210, 500), Step::Optimize);
    machine.optimized();
    assert_eq!(machine.next(1210, 500), HIGH_DENSITY);
    machine.compressed(400, 500);
    assert_eq!(machine.next(400, 500), UNREACHABLE);
}

#[test]
fn req_8_1_current_and_pending_tokens_meet_the_trigger() {
    for (tokens, pending, is_due) in
        [(849, 0, false), (850, 0, true), (0, 850, true), (425, 424, false), (425, 425, true)]
    {
        let expected = if is_due { TOP_DOWN } else { READY };
        assert_eq!(machine("top-down-truncation").next(tokens, pending), expected, "{tokens} + {pending}");
    }
    // Reserve and overhead take from the limit: 0.5 × (1000 − 100 − 300).
    let further = json!({"reserve": 100, "overhead": 300, "threshold": 0.5});
    let mut machine = machine_with("top-down-truncation", further);
    assert_eq!(machine.next(299, 0), READY);
    assert_eq!(machine.next(300, 0), TOP_DOWN);
}

#[test]
fn req_008_6_req_8_1_the_target_is_a_part_of_the_trigger() {
    assert_eq!(machine("high-density").budget().target, 510);
}

#[test]
fn req_8_16_the_answers_of_before_send() {
    let mut machine = machine_with("middle-out", json!({"giveUp": []}));
    assert_eq!(machine.next(10, 0), READY);
    assert_eq!(machine.next(900, 0), SUMMARIZE);
    let ticket = machine.summary_started(false);
    assert_eq!(machine.next(900, 0), Step::Pending);
    assert!(machine.summary_ended(ticket, SummaryEnd::Applied, 300, 0));
    assert_eq!(machine.next(300, 0), READY);
    assert_eq!(machine.next(1001, 0), SUMMARIZE);
    let ticket = machine.summary_started(false);
    machine.summary_ended(ticket, SummaryEnd::Noop, 1001, 0);
    assert_eq!(machine.next(1001, 0), over_limit(1001));
}

/// Goes through all that a strategy gives up, with a history that nothing makes small enough.
fn given_up(machine: &mut Machine, tokens: u64) -> Vec<GiveUp> {
    let mut given = Vec::new();
    loop {
        match machine.next(tokens, 0) {
            Step::Optimize => machine.optimized(),
            Step::Compress(_) | Step::GiveUp(GiveUp::Model) => {
                given.extend(machine.giving_up());
                machine.compressed(tokens, 0);
            }
            Step::Summarize { .. } | Step::GiveUp(_) => {
                given.extend(machine.giving_up());
                if machine.strategy().requires_llm() {
                    let ticket = machine.summary_started(false);
                    machine.summary_ended(ticket, SummaryEnd::Noop, tokens, 0);
                } else {
                    machine.compressed(tokens, 0);
                }
            }
            step => {
                assert_eq!(step, over_limit(tokens));
                return given;
            }
        }
    }
}

#[test]
fn before_over_limit_each_strategy_gives_up_all_that_it_keeps_in_order() {
    use GiveUp::{FirstRequest, Model, Tail, Top};
    for (strategy, expected) in [
        ("middle-out", &[Top, FirstRequest, Tail, Model][..]),
        ("auto", &[Top, FirstRequest, Tail, Model]),
        ("one-shot", &[Tail, Model]),
        ("structured", &[Tail, Model]),
        ("high-density", &[Tail]),
        ("top-down-truncation", &[Tail]),
        ("digest", &[Tail]),
    ] {
        let mut machine = machine(strategy);
        assert_eq!(given_up(&mut machine, 1001), expected, "{strategy}");
        // Nothing is tried twice, until something is added.
        assert_eq!(machine.next(1001, 0), over_limit(1001), "{strategy}");
        machine.added(1);
        assert_eq!(given_up(&mut machine, 1002), expected, "{strategy}");
        let mut machine = machine_with(strategy, json!({"giveUp": ["first-request", "model"]}));
        let allowed: Vec<_> =
            expected.iter().copied().filter(|what| matches!(what, FirstRequest | Model)).collect();
        assert_eq!(given_up(&mut machine, 1001), allowed, "{strategy}");
    }
}

#[test]
fn a_summary_that_keeps_the_first_request_gives_it_up_first() {
    use GiveUp::{FirstRequest, Model, Tail};
    for strategy in ["one-shot", "structured"] {
        let kept = |more: Value| {
            let mut all = json!({"keepFirstRequest": true});
            all.as_object_mut().unwrap().append(&mut more.as_object().unwrap().clone());
            machine_with(strategy, all)
        };
        assert_eq!(given_up(&mut kept(json!({})), 1001), [FirstRequest, Tail, Model], "{strategy}");
        let only = |what: &[&str]| given_up(&mut kept(json!({"giveUp": what})), 1001);
        assert_eq!(only(&["first-request", "model"]), [FirstRequest, Model], "{strategy}");
        assert_eq!(only(&["first-request"]), [FirstRequest], "{strategy}");
        assert_eq!(only(&["tail"]), [Tail], "{strategy}");
        // A summary that keeps none has none to give up.
        let mut without = machine_with(strategy, json!({"keepFirstRequest": false}));
        assert_eq!(given_up(&mut without, 1001), [Tail, Model], "{strategy}");
        // The state of a restored conversation names the same steps, whether it keeps the request or not.
        let mut machine = kept(json!({}));
        assert_eq!(machine.next(1001, 0), SUMMARIZE);
        let ticket = machine.summary_started(false);
        machine.summary_ended(ticket, SummaryEnd::Noop, 1001, 0);
        assert_eq!(machine.next(1001, 0), Step::GiveUp(FirstRequest));
        let ticket = machine.summary_started(false);
        machine.summary_ended(ticket, SummaryEnd::Noop, 1001, 0);
        without.restore(&machine.state()).unwrap();
        assert_eq!(without.next(1001, 0), Step::GiveUp(Tail), "{strategy}");
    }
}

#[test]
fn what_fits_the_window_gives_nothing_up_and_a_failed_summary_is_asked_for_again() {
    let mut machine = machine("middle-out");
    assert_eq!(machine.next(1000, 0), SUMMARIZE);
    let ticket = machine.summary_started(false);
    machine.summary_ended(ticket, SummaryEnd::Noop, 1000, 0);
    assert_eq!(machine.next(1000, 0), UNREACHABLE);
    assert_eq!(machine.next(1000, 1), Step::GiveUp(GiveUp::Top));
    let ticket = machine.summary_started(false);
    machine.summary_ended(ticket, SummaryEnd::Failed, 1000, 1);
    assert_eq!(machine.next(1000, 1), Step::GiveUp(GiveUp::Top));
    let ticket = machine.summary_started(false);
    machine.summary_ended(ticket, SummaryEnd::Applied, 400, 1);
    assert_eq!(machine.next(400, 1), READY);
    // From now on its own attempt comes first again.
    assert_eq!(machine.next(900, 0), SUMMARIZE);
}

#[test]
fn section_5_a_threshold_out_of_reach_is_reported_once_and_not_tried_every_turn() {
    let mut machine = clean("top-down-truncation");
    assert_eq!(machine.next(900, 0), TOP_DOWN);
    machine.compressed(880, 0);
    assert_eq!(machine.next(880, 0), UNREACHABLE);
    // Each turn adds a little: nothing is said or tried until it has grown by a twentieth.
    for tokens in (885..930).step_by(5) {
        machine.added(2);
        assert_eq!(machine.next(tokens, 0), READY, "{tokens}");
    }
    assert_eq!(machine.next(930, 0), TOP_DOWN);
    machine.compressed(900, 0);
    assert_eq!(machine.next(900, 0), READY);
    // Once it was below, it is news again.
    assert_eq!(machine.next(400, 0), READY);
    assert_eq!(machine.next(900, 0), TOP_DOWN);
    machine.compressed(880, 0);
    assert_eq!(machine.next(880, 0), UNREACHABLE);
}

#[test]
fn section_5_a_summary_that_doesnt_suffice_isnt_asked_for_every_turn() {
    for end in [SummaryEnd::Applied, SummaryEnd::Noop] {
        let mut machine = machine("one-shot");
        assert_eq!(machine.next(900, 0), SUMMARIZE);
        let ticket = machine.summary_started(false);
        assert!(machine.summary_ended(ticket, end, 880, 0));
        assert_eq!(machine.next(880, 0), UNREACHABLE);
        machine.added(1);
        assert_eq!(machine.next(890, 0), READY);
        // Over the limit it is tried whatever it brought before.
        machine.added(1);
        assert_eq!(machine.next(890, 200), SUMMARIZE);
    }
}

#[test]
fn what_gets_below_the_threshold_and_not_to_the_target_waits_for_growth_too_and_is_no_news() {
    let mut machine = machine("one-shot");
    let ticket = machine.summary_started(false);
    assert!(machine.summary_ended(ticket, SummaryEnd::Applied, 840, 0));
    for tokens in [845, 860, 889] {
        machine.added(1);
        assert_eq!(machine.next(tokens, 0), READY, "{tokens}");
    }
    assert_eq!(machine.next(890, 0), SUMMARIZE);
    // At the target it is a success like any other.
    let ticket = machine.summary_started(false);
    assert!(machine.summary_ended(ticket, SummaryEnd::Applied, 510, 0));
    assert_eq!(machine.next(850, 0), SUMMARIZE);
}

#[test]
fn pending_tokens_that_come_and_go_start_nothing_anew() {
    let mut machine = clean("high-density");
    assert_eq!(machine.next(800, 100), HIGH_DENSITY);
    machine.compressed(800, 100);
    assert_eq!(machine.next(800, 100), UNREACHABLE);
    assert_eq!(machine.next(800, 0), READY);
    assert_eq!(machine.next(800, 100), READY);
}

#[test]
fn other_limits_or_another_history_let_it_be_tried_again() {
    let mut machine = clean("high-density");
    machine.compressed(900, 0);
    assert_eq!(machine.clone().next(900, 0), UNREACHABLE);
    let mut other = machine.clone();
    other.set_threshold(Some(0.8)).unwrap();
    assert_eq!(other.next(900, 0), HIGH_DENSITY);
    machine.rewound();
    assert_eq!(machine.next(900, 0), Step::Optimize);
    machine.optimized();
    assert_eq!(machine.next(900, 0), HIGH_DENSITY);
}
