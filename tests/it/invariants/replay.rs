//! I13, the other half: a new optimizer that is told what an earlier one did goes on exactly like
//! the one that never died.

use densify::options::FlushPolicy;
use densify::view::Capabilities;
use proptest::prelude::*;

use super::compression::{part, strategy, to_target};
use super::incremental::config;
use super::{capabilities, policy};
use crate::histories::{Manner, cases, pushes};
use crate::oracle::Config;
use crate::script::parse;
use crate::session::{Session, settings};

fn config_of(stale_reads: bool, inclusions: bool) -> Config {
    Config { stale_reads, inclusions, recency: None, recency_tools: None, root: "/".to_owned() }
}

#[test]
fn a_read_that_waits_longer_than_others_keeps_its_own_cause() {
    // The open loop keeps its thinking; the older read may go at once.
    let capabilities = Capabilities::from_bits(1 << 2);
    let mut session = Session::with(&settings(&config_of(true, false), FlushPolicy::Always), capabilities);
    session.push(&parse(
        "human: Look.
        ai: read_file#1 c.ts
        tool: #1 x*99
        human: Go.
        ai: ~Hm. | read_file#2 a.ts
        tool: #2 x*99
        ai: write_file#3 a.ts
        tool: #3 ok",
    ));
    assert_eq!(session.run(false).edits, vec![]);
    session.push(&parse("ai: write_file#4 c.ts\ntool: #4 ok"));
    assert_eq!(session.run(false).edits.len(), 2);
    let mut reborn = session.reborn();
    for session in [&mut session, &mut reborn] {
        session.push(&parse("human: Thanks."));
        let run = session.run(false);
        assert!(!run.edits.is_empty());
        assert!(run.edits.iter().all(|logged| logged.cause == 7), "{:?}", run.edits);
    }
}

#[test]
fn a_rebuilt_optimizer_counts_no_made_edit_among_those_that_wait() {
    let policy = FlushPolicy::Tokens(1e6);
    let mut session = Session::with(&settings(&config_of(false, true), policy), Capabilities::default());
    let file =
        |name: &str| format!("\\n--- {name} ---\\n{}\\n--- End of content ---\\n", "let x = 1; ".repeat(20));
    let (a, b) = (file("a.ts"), file("b.ts"));
    session.push(&parse(&format!("human: One.{a}{b}\nhuman: Two.{a}")));
    let made = session.run(false).edits;
    assert_eq!(made.iter().map(|logged| logged.pending).collect::<Vec<_>>(), [false]);
    session.push(&parse(&format!("human: Three.{b}")));
    let waiting = session.run(false).edits;
    assert_eq!(waiting.iter().map(|logged| logged.pending).collect::<Vec<_>>(), [true]);
    assert_eq!(waiting[0].edit.unit(), made[0].edit.unit());
    let mut reborn = session.reborn();
    let saved = |session: &mut Session| {
        let raw = session.raw.clone();
        session.optimizer.outlook(&raw.as_slice(), 0).unwrap().unwrap().saved
    };
    assert_eq!(saved(&mut reborn), saved(&mut session));
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn i13_a_rebuilt_optimizer_goes_on_like_the_one_that_never_died(
        (before, after) in (pushes(Manner::Any, 10), pushes(Manner::Any, 8)),
        (config, policy) in (config(), policy()),
        (strategy, goal, compressed) in (strategy(), 0.2..0.9_f64, any::<bool>()),
        capabilities in capabilities(),
    ) {
        let mut session = Session::with(&settings(&config, policy), capabilities);
        for part in &before {
            session.push(part);
            session.run(false);
        }
        if compressed {
            let target = part(session.tokens().1, goal);
            session.compress(&to_target(strategy, target, 0.3, true));
        }
        let mut reborn = session.reborn();
        prop_assert_eq!(reborn.output(), session.output());
        prop_assert_eq!(reborn.tokens(), session.tokens());
        for part in &after {
            session.push(part);
            reborn.push(part);
            let (expected, found) = (session.run(false), reborn.run(false));
            prop_assert_eq!(found.edits, expected.edits);
            prop_assert_eq!(found.counts, expected.counts);
            prop_assert_eq!(found.flush, expected.flush);
            prop_assert_eq!(reborn.output(), session.output());
        }
        prop_assert_eq!(reborn.tokens(), session.tokens());
        let again = reborn.reborn();
        prop_assert_eq!(again.flushed_output(), session.flushed_output());
        // Nothing is left to do at once.
        let mut settled = session.reborn();
        let run = settled.run(policy == FlushPolicy::Always);
        prop_assert_eq!(run.edits, vec![]);
    }
}
