//! Whatever happens in whatever order: the machine answers as the model, and a host that follows
//! it comes to an end.

use densify::conversation::{GiveUp, Machine, Step, SummaryEnd, Warning};
use densify::strategy::Strategy;
use proptest::prelude::*;
use proptest::strategy::Strategy as Generator;
use serde_json::json;

use crate::histories::cases;

use super::model::{Event, Model, without_warning};
use super::{machine, machine_with};

/// What a host does, in order; numbers are what its history has become.
#[derive(Clone, Debug)]
enum Act {
    Add,
    Ask(u64, u64),
    Optimized,
    Compressed(u64, u64),
    Start(bool),
    End(SummaryEnd, u64, u64),
    /// A second end of a summary that is over.
    Late(SummaryEnd),
    Changed,
    Rewound,
    Restart,
}

fn ends() -> impl Generator<Value = SummaryEnd> {
    (0_u32..5).prop_map(|code| SummaryEnd::of_code(code).unwrap())
}

fn tokens() -> impl Generator<Value = u64> {
    prop_oneof![0_u64..1300, 640_u64..720, 800_u64..900, 480_u64..530]
}

fn pendings() -> impl Generator<Value = u64> {
    prop_oneof![3 => Just(0), 1 => 0_u64..400]
}

fn acts() -> impl Generator<Value = Act> {
    prop_oneof![
        3 => Just(Act::Add),
        6 => (tokens(), pendings()).prop_map(|(tokens, pending)| Act::Ask(tokens, pending)),
        2 => Just(Act::Optimized),
        2 => (tokens(), pendings()).prop_map(|(tokens, pending)| Act::Compressed(tokens, pending)),
        2 => any::<bool>().prop_map(Act::Start),
        4 => (ends(), tokens(), pendings()).prop_map(|(end, tokens, pending)| Act::End(end, tokens, pending)),
        1 => ends().prop_map(Act::Late),
        1 => Just(Act::Changed),
        1 => Just(Act::Rewound),
        1 => Just(Act::Restart),
    ]
}

/// A machine that gives nothing up, as the model.
fn strict(strategy: Strategy) -> Machine {
    machine_with(strategy.name(), json!({"giveUp": []}))
}

fn strategies() -> impl Generator<Value = Strategy> {
    proptest::sample::select(Strategy::ALL.to_vec())
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn any_interleaving_is_answered_as_the_model_says(
        strategy in strategies(),
        acts in proptest::collection::vec(acts(), 0..60),
    ) {
        let mut machine = strict(strategy);
        let mut model = Model { strategy, log: Vec::new() };
        let mut ticket = 0;
        for act in acts {
            play(&mut machine, &mut model, &mut ticket, act);
            prop_assert_eq!(machine.is_dirty(), model.is_dirty());
            prop_assert_eq!(machine.is_locked(), model.awaited().is_some());
            prop_assert_eq!(machine.queued() as usize, model.queued());
        }
    }
}

fn play(machine: &mut Machine, model: &mut Model, ticket: &mut u32, act: Act) {
    match act {
        Act::Add => {
            machine.added(1);
            model.log.push(Event::Added);
        }
        Act::Ask(tokens, pending) => {
            let step = machine.next(tokens, pending);
            assert_eq!(without_warning(step), model.next(tokens, pending), "{:?}", model.log);
            model.log.push(Event::Asked(tokens, pending, step));
        }
        Act::Optimized => {
            machine.optimized();
            model.log.push(Event::Optimized);
        }
        Act::Compressed(tokens, pending) => {
            machine.compressed(tokens, pending);
            model.log.push(Event::Compressed(tokens, pending));
        }
        Act::Start(background) => {
            *ticket = machine.summary_started(background);
            model.log.push(Event::Started(background));
        }
        Act::End(end, tokens, pending) => {
            if machine.summary_ended(*ticket, end, tokens, pending) {
                model.log.push(Event::Ended(end, tokens, pending));
            }
        }
        Act::Late(end) => assert!(!machine.summary_ended(ticket.wrapping_sub(1), end, 0, 0)),
        Act::Changed => {
            machine.changed();
            model.log.push(Event::Changed);
        }
        Act::Rewound => {
            machine.rewound();
            model.log.push(Event::Rewound);
        }
        Act::Restart => {
            // A summary that is awaited isn't part of what is remembered.
            if !machine.is_locked() {
                let mut other = strict(machine.strategy());
                other.restore(&machine.state()).unwrap();
                *ticket = 0;
                *machine = other;
            }
        }
    }
}

/// A host whose edits save something or nothing, and whose model works or doesn't.
#[derive(Clone, Debug)]
struct Turn {
    grows: u64,
    pending: u64,
    /// What each kind of work leaves, in hundredths.
    leaves: [u64; 3],
    end: SummaryEnd,
    /// Whether a summary in the background is ready at the next turn.
    is_ready: bool,
}

fn turns() -> impl Generator<Value = Vec<Turn>> {
    let leaves = [50_u64..=100, 50_u64..=100, 20_u64..=100];
    let turn = (0_u64..400, pendings(), leaves, ends(), any::<bool>());
    let turn = turn.prop_map(|(grows, pending, leaves, end, is_ready)| Turn {
        grows,
        pending,
        leaves,
        end,
        is_ready,
    });
    proptest::collection::vec(turn, 1..40)
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn a_host_that_follows_comes_to_an_end_and_never_sends_too_much(strategy in strategies(), turns in turns()) {
        let mut machine = machine(strategy.name());
        let (mut tokens, mut background) = (0_u64, None);
                for turn in turns {
            tokens += turn.grows;
            machine.added(1);
            if let Some(ticket) = background.take_if(|_| turn.is_ready) {
                tokens = end(&mut machine, ticket, &turn, tokens);
            }
            let mut steps = Vec::new();
            loop {
                prop_assert!(steps.len() < 16, "{steps:?}");
                let (is_locked, is_dirty) = (machine.is_locked(), machine.is_dirty());
                let step = machine.next(tokens, turn.pending);
                let edits = matches!(step, Step::Optimize | Step::Compress(_) | Step::Summarize { .. });
                prop_assert!(!(is_locked && edits), "edits while a summary is awaited: {step:?}");
                if strategy.is_continuous() && is_dirty && !is_locked {
                    prop_assert_eq!(step, Step::Optimize);
                }
                prop_assert!(!steps.contains(&step) || !matches!(step, Step::Optimize | Step::Compress(_)), "{steps:?}");
                steps.push(step);
                match step {
                    Step::Optimize => {
                        tokens = tokens * turn.leaves[0] / 100;
                        machine.optimized();
                    }
                    Step::Compress(_) => {
                        tokens = tokens * turn.leaves[1] / 100;
                        machine.compressed(tokens, turn.pending);
                    }
                    Step::Summarize { background: true } => background = Some(machine.summary_started(true)),
                    Step::Summarize { background: false } => {
                        let ticket = machine.summary_started(false);
                        tokens = end(&mut machine, ticket, &turn, tokens);
                        // A host that gives up doesn't ask on.
                        if matches!(turn.end, SummaryEnd::Cancelled | SummaryEnd::Conflict) {
                            break;
                        }
                    }
                    Step::GiveUp(what) => {
                        prop_assert!(tokens + turn.pending > 1000 && !is_locked);
                        if what == GiveUp::Model || !strategy.requires_llm() {
                            tokens = tokens * turn.leaves[1] / 100;
                            machine.compressed(tokens, turn.pending);
                        } else {
                            let ticket = machine.summary_started(false);
                            tokens = end(&mut machine, ticket, &turn, tokens);
                            if matches!(turn.end, SummaryEnd::Cancelled | SummaryEnd::Conflict) {
                                break;
                            }
                        }
                    }
                    Step::Pending => {
                        let Some(ticket) = background.take() else { panic!("nothing is awaited") };
                        tokens = end(&mut machine, ticket, &turn, tokens);
                        if matches!(turn.end, SummaryEnd::Cancelled | SummaryEnd::Conflict) {
                            break;
                        }
                    }
                    Step::Ready { warning } => {
                        prop_assert!(tokens + turn.pending <= 1000);
                        // Below the threshold nothing is out of reach.
                        if warning == Some(Warning::ThresholdUnreachable) {
                            prop_assert!(tokens + turn.pending >= 850);
                        }
                        break;
                    }
                    Step::OverLimit { floor, .. } => {
                        prop_assert_eq!(floor, tokens);
                        prop_assert!(tokens + turn.pending > 1000);
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn any_state_is_an_error_or_is_remembered(strategy in strategies(), flags in 0_u32..3200, words in any::<[u32; 5]>(), tokens in any::<u64>()) {
        let mut machine = machine(strategy.name());
        let before = machine.state();
        let [failures, a, b, c, d] = words;
        let state = [1, flags, failures, a, b, c, d];
        if machine.restore(&state).is_ok() {
            let taken = machine.state();
            prop_assert!(flags < 5 << 9 && taken[..3] == state[..3]);
            machine.restore(&taken).unwrap();
            prop_assert_eq!(machine.state(), taken);
            machine.next(tokens, 0);
            machine.compressed(tokens, tokens);
            machine.next(tokens, tokens);
        } else {
            prop_assert_eq!(machine.state(), before);
        }
    }

    #[test]
    fn a_model_that_never_helps_is_asked_seldom(strategy in strategies(), end_code in 0_u32..3, turns in 20_usize..80) {
        // Every turn adds a token to a history that is above its threshold for good.
        let mut machine = machine(strategy.name());
        let end = SummaryEnd::of_code(end_code).unwrap();
        let (mut asked, mut compressed, mut warned) = (0_usize, 0_usize, 0_usize);
        for turn in 0..turns {
            let tokens = 870 + turn as u64;
            machine.added(1);
            loop {
                match machine.next(tokens, 0) {
                    Step::Optimize => machine.optimized(),
                    Step::Compress(_) => {
                        compressed += 1;
                        machine.compressed(tokens, 0);
                    }
                    Step::Summarize { background } => {
                        asked += 1;
                        let ticket = machine.summary_started(background);
                        machine.summary_ended(ticket, end, tokens, 0);
                    }
                    Step::Ready { warning } => {
                        warned += usize::from(warning.is_some());
                        break;
                    }
                    step => panic!("{step:?}"),
                }
            }
        }
        prop_assert_eq!(warned, 1);
        // One try for each twentieth of the limit; failures are tried once a turn, at first thrice.
        let most = if end == SummaryEnd::Failed { turns + 2 } else { turns / 50 + 1 };
        prop_assert!(asked <= most && compressed <= turns / 50 + 1, "{asked} {compressed}");
    }
}

/// Ends a summary as the turn says; returns the tokens.
fn end(machine: &mut Machine, ticket: u32, turn: &Turn, tokens: u64) -> u64 {
    let left = if turn.end == SummaryEnd::Applied { tokens * turn.leaves[2] / 100 } else { tokens };
    assert!(machine.summary_ended(ticket, turn.end, left, turn.pending));
    left
}
