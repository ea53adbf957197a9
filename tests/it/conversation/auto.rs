//! `auto`: deterministic first, a summary in the background for what remains.

use densify::conversation::{Compression, Machine, Step, SummaryEnd};
use serde_json::json;

use super::{IN_BACKGROUND, LINES, READY, SUMMARIZE, clean, machine, machine_with, over_limit};

#[test]
fn below_the_soft_threshold_it_only_optimizes() {
    let mut machine = machine("auto");
    assert_eq!(machine.next(699, 0), Step::Optimize);
    machine.optimized();
    assert_eq!(machine.next(699, 0), READY);
}

#[test]
fn at_the_soft_threshold_lines_come_first_and_may_suffice() {
    let mut machine = clean("auto");
    assert_eq!(machine.next(600, 100), LINES);
    machine.compressed(510, 100);
    assert_eq!(machine.next(510, 100), READY);
    machine.added(1);
    assert_eq!(machine.next(520, 100), Step::Optimize);
    machine.optimized();
    assert_eq!(machine.next(520, 100), READY);
}

#[test]
fn what_remains_is_summarised_in_the_background_while_the_conversation_goes_on() {
    let mut machine = clean("auto");
    assert_eq!(machine.next(720, 0), LINES);
    machine.compressed(710, 0);
    assert_eq!(machine.next(710, 0), IN_BACKGROUND);
    let ticket = machine.summary_started(true);
    assert_eq!(machine.next(710, 0), READY);
    machine.added(2);
    // While it is awaited nothing is edited.
    assert_eq!(machine.next(840, 0), READY);
    assert_eq!(machine.queued(), 2);
    // It is awaited only at the hard threshold.
    machine.added(1);
    assert_eq!(machine.next(850, 0), Step::Pending);
    assert!(machine.summary_ended(ticket, SummaryEnd::Applied, 300, 0));
    assert_eq!(machine.queued(), 0);
    // What was added meanwhile is optimized now.
    assert_eq!(machine.next(300, 0), Step::Optimize);
    machine.optimized();
    assert_eq!(machine.next(300, 0), READY);
}

#[test]
fn at_the_hard_threshold_the_summary_is_awaited() {
    let mut machine = clean("auto");
    assert_eq!(machine.next(900, 0), LINES);
    machine.compressed(860, 0);
    assert_eq!(machine.next(860, 0), SUMMARIZE);
    machine.summary_started(false);
    assert_eq!(machine.next(860, 0), Step::Pending);
}

#[test]
fn lines_that_get_below_the_hard_threshold_leave_the_rest_to_the_background() {
    let mut machine = clean("auto");
    assert_eq!(machine.next(900, 0), LINES);
    machine.compressed(800, 0);
    assert_eq!(machine.next(800, 0), IN_BACKGROUND);
}

#[test]
fn a_summary_that_leaves_too_much_is_not_made_again_every_turn() {
    let mut machine = clean("auto");
    assert_eq!(machine.next(760, 0), LINES);
    machine.compressed(760, 0);
    assert_eq!(machine.next(760, 0), IN_BACKGROUND);
    let ticket = machine.summary_started(true);
    machine.summary_ended(ticket, SummaryEnd::Applied, 750, 0);
    assert_eq!(machine.next(750, 0), READY);
    assert_eq!(machine.next(799, 0), READY);
    assert_eq!(machine.next(800, 0), LINES);
}

#[test]
fn a_failed_summary_brings_no_second_round_of_lines() {
    let mut machine = clean("auto");
    machine.compressed(710, 0);
    let ticket = machine.summary_started(true);
    machine.summary_ended(ticket, SummaryEnd::Failed, 710, 0);
    assert_eq!(machine.next(710, 0), IN_BACKGROUND);
}

#[test]
fn over_the_limit_auto_goes_through_everything_and_then_says_so() {
    let mut machine = machine_with("auto", json!({"giveUp": []}));
    assert_eq!(machine.next(1500, 0), Step::Optimize);
    machine.optimized();
    assert_eq!(machine.next(1400, 0), LINES);
    machine.compressed(1300, 0);
    assert_eq!(machine.next(1300, 0), SUMMARIZE);
    let ticket = machine.summary_started(false);
    machine.summary_ended(ticket, SummaryEnd::Applied, 1100, 0);
    assert_eq!(machine.next(1100, 0), over_limit(1100));
}

#[test]
fn the_soft_threshold_can_be_set_and_taken_away() {
    let mut early = machine_with("auto", json!({"softThreshold": 0.6}));
    early.optimized();
    assert_eq!(early.next(599, 0), READY);
    assert_eq!(early.next(600, 0), LINES);
    // At the hard threshold or above nothing happens in the background.
    let mut never = machine_with("auto", json!({"softThreshold": 1}));
    never.optimized();
    assert_eq!(never.next(849, 0), READY);
    assert_eq!(never.next(850, 0), LINES);
    never.compressed(850, 0);
    assert_eq!(never.next(850, 0), SUMMARIZE);
    // Below the target there is nothing to do, wherever the soft threshold lies.
    let mut low = machine_with("auto", json!({"softThreshold": 0.1}));
    low.optimized();
    assert_eq!(low.next(510, 0), READY);
    assert_eq!(low.next(511, 0), LINES);
}

const PAYBACK: Step = Step::Compress(Compression::Payback);

/// Sends requests of a history that grows by so many tokens each; returns where a digest pays for itself.
fn pays_at(machine: &mut Machine, start: u64, growth: u64) -> Option<u64> {
    machine.optimized();
    (0..3000).map(|at| start + at * growth).take_while(|&tokens| tokens < 650_000).find(|&tokens| {
        match machine.next(tokens, 0) {
            READY => false,
            PAYBACK => true,
            other => panic!("{other:?} at {tokens}"),
        }
    })
}

#[test]
fn in_a_large_window_a_digest_comes_once_reading_on_costs_more() {
    let million = || machine_with("auto", json!({"contextLimit": 1_000_000}));
    // S + √(2·(S + C)·g / r): the faster a history grows, the later.
    for (growth, expected) in [(300, 100_000), (1_000, 120_000), (2_000, 158_000), (4_000, 211_000)] {
        let found = pays_at(&mut million(), 0, growth).unwrap();
        assert!(found.abs_diff(expected) <= expected / 12, "{growth}: {found}");
    }
    // What was left is where the next count begins.
    let mut machine = million();
    pays_at(&mut machine, 0, 1_000).unwrap();
    machine.compressed(40_000, 0);
    assert_eq!(machine.next(40_000, 0), READY);
    let second = pays_at(&mut machine, 40_000, 1_000).unwrap();
    assert!((110_000..160_000).contains(&second), "{second}");
    // One that changes nothing isn't tried again soon.
    machine.compressed(second, 0);
    assert!(pays_at(&mut machine, second, 1_000).unwrap() > second + 100_000);
}

#[test]
fn a_restart_and_a_summary_in_the_background_dont_lose_what_reading_has_cost() {
    let settings = json!({"contextLimit": 1_000_000});
    let mut machine = machine_with("auto", settings.clone());
    pays_at(&mut machine, 0, 1_000).unwrap();
    machine.compressed(40_000, 0);
    for at in 0..70 {
        assert_eq!(machine.next(40_000 + at * 1_000, 0), READY);
    }
    let mut again = machine_with("auto", settings);
    again.restore(&machine.state()).unwrap();
    let rest = |machine: &mut Machine| pays_at(machine, 110_000, 1_000);
    assert_eq!(rest(&mut again), rest(&mut machine));
}

#[test]
fn no_digest_pays_in_a_small_window_elsewhere_or_where_the_soft_threshold_is_set() {
    let never = [
        ("auto", json!({"contextLimit": 1_000_000, "softThreshold": 0.7})),
        ("high-density", json!({"contextLimit": 1_000_000})),
        ("middle-out", json!({"contextLimit": 1_000_000})),
    ];
    for (strategy, settings) in never {
        assert_eq!(pays_at(&mut machine_with(strategy, settings), 0, 500), None, "{strategy}");
    }
    let mut small = machine_with("auto", json!({"contextLimit": 119_000}));
    small.optimized();
    assert!((0..300).all(|_| small.next(80_000, 0) == READY));
}
