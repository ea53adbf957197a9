//! When flushes pay: the figures of `plan`, and the policies that follow them.

use densify::optimizer::NewestRequest;
use densify::options::{CompressSettings, FlushPolicy, OptimizeSettings, Preset, Prices, read_options};
use densify::tokens::estimate::estimate;
use densify::view::Capabilities;
use proptest::prelude::*;
use serde_json::json;

use crate::histories::cases;
use crate::results::{lines, read, shell, text_of, with};
use crate::session::Session;

fn settings(flush: FlushPolicy) -> OptimizeSettings {
    OptimizeSettings { flush: Some(flush), ..with(Preset::Aggressive) }
}

/// The tokens of the results, and of all else.
fn tokens(session: &Session, flushed: bool) -> Vec<u64> {
    let output = if flushed { session.flushed_output() } else { session.output() };
    let of = |(at, content): (usize, &densify::content::Content)| {
        // Calls aren't edited here.
        u64::from(if at % 2 == 0 { 0 } else { estimate(text_of(content)) })
    };
    output.iter().enumerate().map(of).collect()
}

/// The cost of requests, with a cache that holds the start shared with the request before.
#[derive(Default)]
struct Bill {
    sum: f64,
    before: Vec<u64>,
}

impl Bill {
    /// The next request: the tokens of its calls, and of its results.
    fn send(&mut self, calls: &[u64], results: Vec<u64>) {
        let prices = Prices::default();
        let same = results.iter().zip(&self.before).take_while(|(new, old)| new == old).count();
        for (at, tokens) in results.iter().zip(calls).map(|(result, call)| result + call).enumerate() {
            let price = if at < same { prices.cached } else { prices.uncached };
            self.sum += price * f64::from(u32::try_from(tokens).unwrap());
        }
        self.before = results;
    }
}

/// Turns of which every other result is long output of a command.
fn turn(number: usize, size: usize) -> Vec<densify::content::Content> {
    let text = lines(&format!("t{number}"), 0..size + 1);
    if number.is_multiple_of(2) {
        shell(&number.to_string(), "make", &text)
    } else {
        read(&number.to_string(), &format!("/{number}.rs"), &text)
    }
}

proptest! {
    #![proptest_config(cases(24))]

    /// The naive twin compares the tokens that were sent with those of an unedited history.
    #[test]
    fn a_plan_says_what_is_saved_and_what_it_costs(sizes in prop::collection::vec(0..60_usize, 1..30), cold in any::<bool>()) {
        let prices = Prices { cached: 0.2, uncached: 1.0 };
        let mut session = Session::new(&OptimizeSettings { prices: Some(prices), ..settings(FlushPolicy::WhenCold) });
        for (number, &size) in sizes.iter().enumerate() {
            session.push(&turn(number, size));
            if cold && number % 5 == 4 {
                session.optimizer.cool();
            }
            session.run(false);
            let (sent, flushed) = (tokens(&session, false), tokens(&session, true));
            let first = session.log.iter().filter(|logged| logged.pending).map(|logged| logged.edit.unit() as usize).min();
            let raw = session.raw.clone();
            let outlook = session.optimizer.outlook(&raw.as_slice(), 0).unwrap();
            prop_assert_eq!(outlook.is_some(), first.is_some());
            let (Some(outlook), Some(first)) = (outlook, first) else { continue };
            prop_assert_eq!(outlook.saved, sent.iter().sum::<u64>() - flushed.iter().sum::<u64>());
            let view = &session.optimizer.view;
            let call = |unit: u32| u64::from(view.block(view.unit(unit).first_block).tokens.now.lower);
            let calls: u64 = (u32::try_from(first).unwrap()..view.len()).filter(|unit| unit.is_multiple_of(2)).map(call).sum();
            // The newest result was never sent: that costs as much without the flush.
            let behind = flushed[first..flushed.len() - 1].iter().sum::<u64>() + calls;
            prop_assert_eq!(outlook.behind, behind);
            let number = |tokens: u64| f64::from(u32::try_from(tokens).unwrap());
            let turns = number(behind) * 0.8 / (number(outlook.saved) * 0.2);
            prop_assert!((outlook.pays_back_after - turns).abs() <= turns * 1e-9);
        }
    }

    #[test]
    fn flushes_that_are_to_pay_never_cost_two_per_cent_and_leave_no_more_than_always_leaves(sizes in prop::collection::vec(20..60_usize, 20..60)) {
        let mut session = Session::new(&settings(FlushPolicy::WhenItPays));
        let mut always = Session::new(&settings(FlushPolicy::Always));
        let (mut bill, mut raw_bill) = (Bill::default(), Bill::default());
        for (number, &size) in sizes.iter().enumerate() {
            session.push(&turn(number, size));
            always.push(&turn(number, size));
            let before: u64 = tokens(&session, false).iter().sum();
            let run = session.run(false);
            always.run(false);
            let left = |session: &Session| tokens(session, true).iter().sum::<u64>();
            prop_assert!(left(&session) <= left(&always), "a flush cuts further, never less");
            if run.flush.is_some() {
                let after: u64 = tokens(&session, false).iter().sum();
                prop_assert!(after < before, "a flush that saves nothing");
            }
            let view = &session.optimizer.view;
            let call = |unit: u32| u64::from(view.block(view.unit(unit).first_block).tokens.now.lower);
            let calls: Vec<u64> = (0..view.len()).map(|unit| if unit.is_multiple_of(2) { call(unit) } else { 0 }).collect();
            let raw = session.raw.iter().enumerate();
            let raw = raw.map(|(at, content)| if at % 2 == 0 { 0 } else { estimate(text_of(content)).into() });
            raw_bill.send(&calls, raw.collect());
            bill.send(&calls, tokens(&session, false));
            prop_assert!(bill.sum <= 1.02 * raw_bill.sum + 1.0, "{} for {}", bill.sum, raw_bill.sum);
        }
    }
}

#[test]
fn a_cold_cache_flushes_for_nothing_unless_that_is_never_to_be() {
    for (policy, flushes) in [
        (FlushPolicy::WhenCold, true),
        (FlushPolicy::WhenItPays, true),
        (FlushPolicy::Tokens(1e9), true),
        (FlushPolicy::Never, false),
    ] {
        // So dear that none pays by itself.
        let prices = Some(Prices { cached: 0.001, uncached: 1.25 });
        let mut session = Session::new(&OptimizeSettings { prices, ..settings(policy) });
        for number in 0..6 {
            session.push(&turn(number, 80));
            assert_eq!(session.run(false).flush, None, "{policy:?}");
        }
        session.optimizer.cool();
        assert_eq!(session.run(false).flush.is_some(), flushes, "{policy:?}");
        assert_eq!(session.run(false).flush, None, "a cache is cold once");
    }
}

#[test]
fn what_waits_is_made_once_the_history_must_become_smaller_even_if_nothing_else_can_be() {
    let mut session = Session::new(&settings(FlushPolicy::Never));
    for number in 0..12 {
        session.push(&turn(number, 80));
        session.run(false);
    }
    assert_ne!(session.output(), session.flushed_output());
    let settings: CompressSettings = read_options(&json!({
        "strategy": "high-density", "contextLimit": 1000, "preserve": 1.0,
    }))
    .unwrap();
    let (outcome, run) = session.compress(&settings);
    assert!(matches!(outcome, densify::strategy::Outcome::Noop(_)), "{outcome:?}");
    assert!(run.flush.is_some());
    assert_eq!(session.output(), session.flushed_output());
}

#[test]
fn what_no_flush_may_make_is_in_no_plan_and_told_of_under_every_policy() {
    let demands = Capabilities {
        thinking_bound_to_prefix: true,
        open_loop_keeps_thinking: true,
        ..Capabilities::default()
    };
    let policies = [
        FlushPolicy::Always,
        FlushPolicy::Never,
        FlushPolicy::WhenCold,
        FlushPolicy::WhenItPays,
        FlushPolicy::Tokens(1.0),
    ];
    for policy in policies {
        let mut session = Session::with(&settings(policy), demands);
        session.push(&[said("human", json!({"type": "text", "text": "Go."}))]);
        for number in 0..6 {
            let mut both = turn(number, 80);
            let thought = said("ai", json!({"type": "thinking", "thought": "So it is."})).blocks.remove(0);
            both[0].blocks.insert(0, thought);
            session.push(&both);
            session.run(false);
        }
        let first = session.log.iter().filter(|logged| logged.pending).map(|logged| logged.edit.unit()).min();
        assert!(first.is_some(), "{policy:?}");
        let raw = session.raw.clone();
        assert_eq!(session.optimizer.outlook(&raw.as_slice(), 1).unwrap(), None, "{policy:?}");
        session.optimizer.cool();
        for force in [false, true] {
            let run = session.run(force);
            assert_eq!((run.flush, run.held_back), (None, first), "{policy:?}");
        }
        // The user speaks, and nothing is demanded back any more.
        session.push(&[said("human", json!({"type": "text", "text": "And now?"}))]);
        let raw = session.raw.clone();
        assert!(session.optimizer.outlook(&raw.as_slice(), 1).unwrap().is_some(), "{policy:?}");
        let run = session.run(true);
        assert_eq!((run.flush, run.held_back), (first, None), "{policy:?}");
    }
}

fn said(speaker: &str, block: serde_json::Value) -> densify::content::Content {
    serde_json::from_value(json!({"speaker": speaker, "blocks": [block]})).unwrap()
}

/// The client masks a result of its own: all that stands behind it is sent uncached, with or without edits.
#[test]
fn what_the_caller_changes_is_a_free_flush_of_what_stands_behind_it() {
    // So dear that no flush pays by itself.
    let prices = Some(Prices { cached: 0.001, uncached: 1.25 });
    let settings = OptimizeSettings { prices, ..settings(FlushPolicy::WhenItPays) };
    let mut session = Session::new(&settings);
    for number in 0..6 {
        session.push(&turn(2 * number, 80));
        assert_eq!(session.run(false).flush, None);
    }
    assert!(session.log.iter().filter(|logged| logged.pending).count() > 3);
    let bills = session.optimizer.bills(NewestRequest::MaybeSent).unwrap();
    // The second result is changed.
    let mut changed = Session::new(&settings);
    changed.push(&session.raw[..3]);
    changed.optimizer.resume(3, Some(3), &bills);
    let is_ai = |content: &densify::content::Content| content.speaker == densify::content::Speaker::Ai;
    let masked = turn(2, 3).remove(1);
    for content in [&masked].into_iter().chain(&session.raw[4..]) {
        if is_ai(content) {
            changed.optimizer.end_turn(&changed.raw.clone().as_slice()).unwrap();
        }
        changed.push(std::slice::from_ref(content));
    }
    let run = changed.run(false);
    assert!(run.flush.is_some_and(|first| first > 3), "{run:?}");
    assert!(run.edits.iter().all(|logged| !logged.pending || logged.anchor < 3), "{run:?}");
    assert_eq!(changed.log.iter().filter(|logged| !logged.pending).count(), 2);
}

/// Two files that `balanced` keeps for more results, and one between them that is read again at the end, longer by a line.
#[test]
fn a_flush_cuts_further_in_what_it_sends_again_and_a_cold_cache_everywhere() {
    let file = |id: &str, name: &str| read(id, &format!("/{name}.rs"), &lines(name, 0..400));
    let later = (0..10).flat_map(|at| shell(&format!("x{at}"), "true", "ok"));
    let first = [file("1", "before"), file("2", "again"), file("3", "behind")];
    let longer = read("4", "/again.rs", &lines("again", 0..401));
    let history: Vec<_> = first.into_iter().flatten().chain(later).chain(longer).collect();
    let left = |flush, is_cold: bool| {
        let prices = Some(Prices { cached: 1.0, uncached: 1.25 });
        let mut session =
            Session::new(&OptimizeSettings { flush: Some(flush), prices, ..with(Preset::Balanced) });
        for both in history.chunks(2) {
            session.push(both);
            session.run(false);
        }
        if is_cold {
            session.optimizer.cool();
            session.run(false);
        }
        let output = session.output();
        [1, 3, 5].map(|at| output[at] == history[at])
    };
    assert_eq!(left(FlushPolicy::Always, false), [true, false, true]);
    assert_eq!(left(FlushPolicy::WhenItPays, false), [true, false, false]);
    assert_eq!(left(FlushPolicy::WhenItPays, true), [false, false, false]);
}

/// What requests cost a provider that finds the cache at the breakpoint at the end, and at 20 blocks before it; with
/// `anchors` also at the end of the message before the anchor.
#[derive(Default)]
struct BreakpointBill {
    sum: f64,
    /// The beginnings that the cache holds.
    held: Vec<Vec<u64>>,
}

impl BreakpointBill {
    /// The next request: the tokens of each of its messages, which have one block each.
    fn send(&mut self, messages: &[u64], anchor: Option<usize>) {
        let prices = Prices::default();
        let breakpoints = [Some(messages.len()), anchor].into_iter().flatten();
        let looked_at = breakpoints.clone().flat_map(|end| (end.saturating_sub(20)..=end).rev());
        let same = looked_at.filter(|&end| self.held.iter().any(|held| held[..] == messages[..end])).max();
        for (at, &tokens) in messages.iter().enumerate() {
            let price = if same.is_some_and(|same| at < same) { prices.cached } else { prices.uncached };
            self.sum += price * f64::from(u32::try_from(tokens).unwrap());
        }
        self.held.extend(breakpoints.map(|end| messages[..end].to_vec()));
    }
}

/// The bills with and without edits, and the flushes, of a session over results of some sizes.
fn at_breakpoints(sizes: &[usize], keeps_anchor: bool) -> (f64, f64, u32) {
    let demands = Capabilities { cache_at_breakpoints: true, keeps_anchor, ..Capabilities::default() };
    let mut session = Session::with(&settings(FlushPolicy::WhenItPays), demands);
    let (mut bill, mut raw_bill) = (BreakpointBill::default(), BreakpointBill::default());
    let (mut flushes, mut worst) = (0, 0.0_f64);
    for (number, &size) in sizes.iter().enumerate() {
        session.push(&turn(number, size));
        let run = session.run(false);
        flushes += u32::from(run.flush.is_some());
        let view = &session.optimizer.view;
        let call = |unit: u32| u64::from(view.block(view.unit(unit).first_block).tokens.now.lower);
        let calls: Vec<u64> =
            (0..view.len()).map(|unit| if unit.is_multiple_of(2) { call(unit) } else { 0 }).collect();
        let of = |results: Vec<u64>| {
            results.iter().zip(&calls).map(|(result, call)| result + call).collect::<Vec<_>>()
        };
        let raw = session.raw.iter().enumerate();
        let raw = raw.map(|(at, content)| if at % 2 == 0 { 0 } else { estimate(text_of(content)).into() });
        raw_bill.send(&of(raw.collect()), None);
        let anchor = (keeps_anchor && run.anchor != densify::view::NONE).then_some(run.anchor as usize);
        bill.send(&of(tokens(&session, false)), anchor);
        worst = worst.max(bill.sum / raw_bill.sum);
    }
    (worst, bill.sum / raw_bill.sum, flushes)
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn where_the_cache_is_found_at_breakpoints_no_flush_costs_three_per_cent(sizes in prop::collection::vec(20..60_usize, 20..60), keeps_anchor in any::<bool>()) {
        let (worst, _, _) = at_breakpoints(&sizes, keeps_anchor);
        prop_assert!(worst <= 1.03, "{}", worst);
    }
}

#[test]
fn an_anchor_ahead_of_the_next_flush_saves_money() {
    // Long files stay for so long that a flush begins far ahead of the end.
    let sizes = [1600; 48];
    let (_, alone, flushes) = at_breakpoints(&sizes, false);
    let (_, anchored, more) = at_breakpoints(&sizes, true);
    assert!(flushes > 0 && more > 0);
    assert!(anchored < alone && alone < 1.0, "{anchored} {alone}");
}

#[test]
fn a_history_that_was_taken_back_keeps_a_breakpoint_where_its_cache_ends() {
    let demands = Capabilities { cache_at_breakpoints: true, keeps_anchor: true, ..Capabilities::default() };
    let settings = settings(FlushPolicy::WhenItPays);
    let history: Vec<_> = (0..20).flat_map(|number| turn(number, 3)).collect();
    // Requests ended behind the units 10 and 30; the history is as it was up to unit 24.
    let bills = [1.0, 500.0, 1.0, 500.0, 0.0, 10.0, 30.0];
    let anchor = |rewound: Option<u32>| {
        let mut session = Session::with(&settings, demands);
        session.optimizer.resume(rewound.unwrap_or(40), rewound, &bills);
        session.push(&history);
        session.run(false).anchor
    };
    assert_eq!(anchor(Some(24)), 10);
    assert_eq!(anchor(None), densify::view::NONE);
}
