//! What adapters tell the core beyond pairs: atoms, protected units, and what a provider demands.

use densify::boundary::Boundaries;
use densify::content::{Content, Speaker};
use densify::edit::{Edit, RuleName, apply_edits};
use densify::optimizer::{Optimizer, Run};
use densify::options::FlushPolicy;
use densify::strategy::Outcome;
use densify::view::Capabilities;
use proptest::prelude::*;
use serde_json::json;

use crate::encode::Encoder;
use crate::histories::{Manner, cases, history};
use crate::invariants::{config, part, strategy, to_target};
use crate::oracle::{Config, Strategy as Named};
use crate::script::{assert_script, parse, render};
use crate::session::{Session, settings};
use crate::support::{check_pairs, options};

/// An optimizer behind an adapter.
struct Adapted {
    optimizer: Optimizer,
    encoder: Encoder,
    raw: Vec<Content>,
    edits: Vec<Edit>,
}

impl Adapted {
    fn new(atoms: &[((usize, usize), u32)], protected: &[usize], capabilities: Capabilities) -> Self {
        let settings = json!({"preset": "seed", "rules": {"recencyPruning": true, "recencyRetention": 2}});
        let mut optimizer = Optimizer::new(&options(settings)).unwrap();
        optimizer.view.capabilities = capabilities;
        let mut encoder = Encoder::default();
        encoder.atoms = atoms.iter().copied().collect();
        encoder.protected = protected.iter().copied().collect();
        Self { optimizer, encoder, raw: Vec::new(), edits: Vec::new() }
    }

    fn push(&mut self, script: &str) -> Run {
        let contents = parse(script);
        let words = self.encoder.encode(&mut self.optimizer, &contents);
        self.raw.extend(contents);
        let raw = self.raw.as_slice();
        self.optimizer.push_stream(&words, &raw).unwrap();
        let run = self.optimizer.run(&raw, false).unwrap();
        self.edits.extend(run.edits.iter().map(|logged| logged.edit));
        run
    }

    fn output(&self) -> Vec<Content> {
        apply_edits(&self.raw, &self.edits, self.optimizer.editor.texts())
    }
}

/// What comes of a script behind an adapter.
#[track_caller]
fn check(atoms: &[((usize, usize), u32)], protected: &[usize], script: &str, expected: &str) {
    let mut adapted = Adapted::new(atoms, protected, Capabilities::default());
    adapted.push(script);
    assert_script(&adapted.output(), expected);
}

const STALE: &str = "human: Go.
    ai: \"I look.\" | read_file#1 a.ts | grep#2
    tool: #1 content | #2 found
    ai: write_file#3 a.ts
    tool: #3 ok";

#[test]
fn atoms_stand_or_fall_together() {
    check(
        &[((1, 0), 1), ((1, 1), 1)],
        &[],
        STALE,
        "human: Go.
         ai: grep#2
         tool: #2 found
         ai: write_file#3 a.ts
         tool: #3 ok",
    );
}

#[test]
fn a_call_of_an_atom_goes_when_all_of_its_calls_are_stale() {
    let both = [((1, 1), 2), ((1, 2), 2)];
    // What grep found is worth no less because the read went stale.
    check(&both, &[], STALE, &render(&parse(STALE)));
    // The same through a chain: the read's response with the other's.
    check(&[((2, 0), 1), ((2, 1), 1), ((1, 0), 2), ((1, 2), 2)], &[], STALE, &render(&parse(STALE)));
    let reads = STALE.replace("grep#2", "read_file#2 b.ts");
    check(&both, &[], &reads, &render(&parse(&reads)));
    check(
        &both,
        &[],
        &format!("{reads}\n    ai: write_file#4 b.ts\n    tool: #4 ok"),
        "human: Go.
         ai: \"I look.\"
         ai: write_file#3 a.ts
         tool: #3 ok
         ai: write_file#4 b.ts
         tool: #4 ok",
    );
}

#[test]
fn a_proposal_that_reaches_what_must_stay_is_refused_as_a_whole() {
    // The response shares an atom with the entry of the user, which the caller protects.
    check(&[((0, 0), 1), ((2, 0), 1)], &[0], STALE, &render(&parse(STALE)));
    let opaque = STALE.replace("human: Go.", "human: Go. | @{\"type\":\"hologram\"}");
    check(&[((0, 1), 1), ((1, 1), 1)], &[], &opaque, &render(&parse(&opaque)));
}

#[test]
fn a_refused_proposal_leaves_no_trace() {
    let mut adapted = Adapted::new(&[((0, 0), 1), ((2, 0), 1)], &[0], Capabilities::default());
    let raw = |adapted: &Adapted| adapted.raw.clone();
    adapted.push(STALE);
    let before = adapted.optimizer.tokens(&raw(&adapted).as_slice()).unwrap();
    assert_eq!(before.0, before.1);
    // Both results of the unit are still there for other rules.
    adapted
        .push("ai: read_file#4 c\ntool: #4 x*99\nai: read_file#5 d\ntool: #5 x*99\nai: grep#6\ntool: #6 x");
    assert_eq!(adapted.output().len(), adapted.raw.len());
    assert_eq!(adapted.optimizer.view.unit(2).live, 2);
}

#[test]
fn wide_atoms_of_calls_and_of_responses_go_at_once() {
    let count = 3_000;
    let calls: Vec<String> = (0..count).map(|number| format!("read_file#{number} a.ts")).collect();
    let responses: Vec<String> = (0..count).map(|number| format!("#{number} x")).collect();
    let script = format!(
        "ai: {}\ntool: {}\nai: write_file#w a.ts\ntool: #w ok",
        calls.join(" | "),
        responses.join(" | ")
    );
    let atoms: Vec<_> = (0..count).flat_map(|block| [((0, block), 1), ((1, block), 2)]).collect();
    let mut adapted = Adapted::new(&atoms, &[], Capabilities::default());
    let run = adapted.push(&script);
    assert_eq!(run.counts[RuleName::StaleReads as usize], 1, "one proposal took them all");
    assert_eq!(adapted.output().len(), 2);
}

#[test]
fn protected_entries_are_edited_by_nothing() {
    let script = "human: x\\n--- a ---\\n1\\n--- End of content ---\\n
        ai: read_file#1 a.ts
        tool: #1 x*99
        human: x\\n--- a ---\\n2\\n--- End of content ---\\n
        ai: read_file#2 b.ts
        tool: #2 x*99
        ai: read_file#3 c.ts
        tool: #3 x*99
        ai: read_file#4 d.ts
        tool: #4 x*99
        ai: write_file#5 a.ts
        tool: #5 ok";
    let all: Vec<usize> = (0..12).collect();
    check(&[], &all, script, &render(&parse(script)));
    // The protected half of a pair keeps the other one; a protected result counts for recency.
    let kept = [0, 1, 5];
    let mut adapted = Adapted::new(&[], &kept, Capabilities::default());
    adapted.push(script);
    let changed: Vec<u32> = adapted.edits.iter().map(Edit::unit).collect();
    assert_eq!(changed, [2], "the first result is beyond the newest two, the second is protected");
}

#[test]
fn opens_with_human_keeps_a_human_entry_in_front() {
    let capabilities = Capabilities { opens_with_human: true, ..Capabilities::default() };
    let history = parse(
        "human: Words of the user, some more of them.
         ai: grep#1
         tool: #1 x*300
         ai: \"Words of the model, some more of them.\"
         human: Other words.
         ai: grep#2
         tool: #2 x*300
         ai: \"Done.\"",
    );
    for (strategy, keep, left) in [
        (Named::TopDown, false, vec![4, 5, 6, 7]),
        (Named::TopDown, true, vec![0, 4, 5, 6, 7]),
        (Named::HighDensity, false, vec![0, 4, 5, 6, 7]),
        (Named::HighDensity, true, vec![0, 4, 5, 6, 7]),
    ] {
        let mut session = Session::with(&settings(&Config::default(), FlushPolicy::Always), capabilities);
        session.push(&history);
        session.compress(&to_target(strategy, 10, 0.5, keep));
        let output = session.output();
        let kept: Vec<usize> = (0..8).filter(|&at| output.contains(&history[at])).collect();
        assert_eq!(kept, left, "{strategy:?}, {keep}");
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn opens_with_human_holds_for_every_strategy_and_option(
        (history, config) in (history(Manner::WellFormed, 20), config()),
        (strategy, goal, preserve, keep) in (strategy(), 0.0..1.0_f64, 0.0..0.8_f64, any::<bool>()),
    ) {
        let opening = parse("human: Begin, please.");
        let capabilities = Capabilities { opens_with_human: true, ..Capabilities::default() };
        let mut session = Session::with(&settings(&config, FlushPolicy::Always), capabilities);
        session.push(&[opening, history].concat());
        session.run(false);
        let target = part(session.tokens().1, goal);
        session.compress(&to_target(strategy, target, preserve, keep));
        let output = session.output();
        prop_assert_eq!(&output[0].speaker, &Speaker::Human);
        prop_assert_eq!(check_pairs(&output), Ok(()));
    }
}

const THOUGHT: &str = "human: Go.
    ai: ~What is in it? | read_file#1 a.ts
    tool: #1 content
    ai: ~Now write. | write_file#2 a.ts
    tool: #2 ok";

#[test]
fn open_loop_keeps_thinking_defers_an_edit_until_the_loop_is_closed() {
    let capabilities = Capabilities { open_loop_keeps_thinking: true, ..Capabilities::default() };
    let mut adapted = Adapted::new(&[], &[], capabilities);
    assert_eq!(adapted.push(THOUGHT).edits, vec![]);
    assert_eq!(adapted.push("ai: \"Done.\"").edits, vec![]);
    // The user speaks: the loop is closed, and the edit is made.
    let run = adapted.push("human: Thanks.");
    assert_eq!((run.edits.len(), run.flush), (2, Some(1)));
    assert_script(
        &adapted.output(),
        "human: Go.
         ai: ~Now write. | write_file#2 a.ts
         tool: #2 ok
         ai: \"Done.\"
         human: Thanks.",
    );
}

#[test]
fn open_loop_keeps_thinking_allows_what_leaves_the_thinking() {
    let capabilities = Capabilities { open_loop_keeps_thinking: true, ..Capabilities::default() };
    let mut adapted = Adapted::new(&[], &[], capabilities);
    adapted.push(&THOUGHT.replace("~What is in it?", "~What is in it? | \"I look.\""));
    assert_script(
        &adapted.output(),
        "human: Go.
         ai: ~What is in it? | \"I look.\"
         ai: ~Now write. | write_file#2 a.ts
         tool: #2 ok",
    );
}

#[test]
fn thinking_bound_to_its_prefix_goes_behind_an_edit() {
    let capabilities = Capabilities { thinking_bound_to_prefix: true, ..Capabilities::default() };
    let mut adapted = Adapted::new(&[], &[], capabilities);
    let run = adapted.push(
        "human: Go.
         ai: ~Before. | grep#0
         tool: #0 x
         ai: ~Here. | \"I look.\" | read_file#1 a.ts
         tool: #1 content
         ai: ~Behind. | write_file#2 a.ts
         tool: #2 ok
         ai: ~Mere thought.",
    );
    assert_eq!(run.flush, Some(3));
    assert_eq!(run.counts[RuleName::BoundThinking as usize], 2);
    assert_eq!(run.metadata().read_write_pairs_pruned, 1);
    assert_script(
        &adapted.output(),
        "human: Go.
         ai: ~Before. | grep#0
         tool: #0 x
         ai: ~Here. | \"I look.\"
         ai: write_file#2 a.ts
         tool: #2 ok",
    );
    // Without an edit of what was given out nothing of the kind happens.
    let run = adapted.push("human: And?\nai: ~New. | \"Yes.\"");
    assert_eq!((run.edits.len(), run.flush), (0, None));
}

fn reasoning() -> Capabilities {
    Capabilities { thinking_keeps_successors: true, ..Capabilities::default() }
}

#[test]
fn thinking_goes_with_the_call_that_follows_it() {
    let mut adapted = Adapted::new(&[], &[], reasoning());
    adapted.push(
        "human: Go.
         ai: ~What is in it?
         ai: read_file#1 a.ts
         tool: #1 content
         ai: ~Now write.
         ai: write_file#2 a.ts
         tool: #2 ok",
    );
    assert_script(
        &adapted.output(),
        "human: Go.
         ai: ~Now write.
         ai: write_file#2 a.ts
         tool: #2 ok",
    );
}

#[test]
fn thinking_that_words_or_another_call_follow_keeps_the_call_too() {
    for others in ["ai: \"I look.\"", "ai: grep#9"] {
        let mut adapted = Adapted::new(&[], &[], reasoning());
        let run = adapted.push(&format!(
            "human: Go.
             ai: ~What is in it?
             {others}
             ai: read_file#1 a.ts
             tool: #1 content
             ai: write_file#2 a.ts
             tool: #2 ok"
        ));
        assert_eq!(run.edits, vec![], "{others}");
    }
}

#[test]
fn no_cut_lies_between_thinking_and_what_follows_it() {
    let mut session = Session::with(&settings(&Config::default(), FlushPolicy::Always), reasoning());
    session.push(&parse(
        "human: Go.
         ai: ~A first thought. | \"I say a few words.\"
         ai: ~What is in it?
         ai: ~What else?
         ai: \"I look, and I say why.\"
         ai: \"Then I think again.\"
         ai: ~Done.
         ai: \"Done.\"",
    ));
    session.run(false);
    let boundaries = Boundaries::of(&session.optimizer.view);
    let legal: Vec<usize> = (0..=8).filter(|&at| boundaries.is_legal(at)).collect();
    assert_eq!(legal, [0, 1, 2, 6, 8]);
}

#[test]
fn an_edit_of_new_entries_waits_with_one_that_shares_its_entry() {
    // The half of a pair that was given out and a whole pair that is new share the entry of their
    // responses. Neither may go before the other.
    let mut session = Session::new(&settings(&Config::default(), FlushPolicy::Never));
    session.push(&parse("ai: read_file#1 a.ts"));
    session.run(false);
    session.push(&parse(
        "tool: write_file#2 a.ts | read_file#3 a.ts
         tool: #1 x | #2 ok | #3 x
         tool: write_file#4 a.ts
         tool: #4 ok",
    ));
    session.run(false);
    let (calls, responses) = crate::support::calls_and_responses(&session.output());
    assert_eq!(calls, responses);
    session.run(true);
    assert_script(
        &session.output(),
        "tool: write_file#2 a.ts\ntool: #2 ok\ntool: write_file#4 a.ts\ntool: #4 ok",
    );
}

#[test]
fn a_response_to_a_call_that_was_given_up_is_an_orphan() {
    let mut session = Session::new(&settings(&Config::default(), FlushPolicy::Always));
    session.push(&parse(
        "human: Some words of the user, to be given up.
         ai: write_file#1 a.ts
         human: Never mind.
         ai: read_file#2 a.ts
         tool: #2 x
         ai: \"Done.\"",
    ));
    session.run(false);
    let (outcome, _) = session.compress(&to_target(Named::TopDown, 20, 0.3, false));
    assert!(matches!(outcome, Outcome::Applied(_)));
    let before = session.output();
    session.push(&parse("tool: #1 ok"));
    assert_eq!(session.run(false).edits, vec![]);
    assert_eq!(session.output()[..before.len()], before);
}
