//! Messages of several units, as formats have them whose user says words beside results.

use std::collections::HashSet;

use densify::boundary::Boundaries;
use densify::content::Content;
use densify::edit::{Edit, RuleName, apply_edits};
use densify::optimizer::Optimizer;
use densify::strategy::{NoopReason, Outcome};
use densify::view::{Block, Capabilities, Kind, Messages, Speaker, flags};
use serde_json::json;

use crate::encode::Encoder;
use crate::invariants::to_target;
use crate::oracle::Strategy;
use crate::script::{assert_script, parse};
use crate::support::options;

/// An optimizer with a history of which some units continue the message before them.
fn pushed(script: &str, continuing: &[usize], capabilities: Capabilities) -> (Optimizer, Vec<Content>) {
    let mut optimizer = Optimizer::new(&options(json!({"preset": "seed"}))).unwrap();
    optimizer.view.capabilities = capabilities;
    let mut encoder = Encoder::default();
    encoder.continuing = continuing.iter().copied().collect();
    let contents = parse(script);
    let words = encoder.encode(&mut optimizer, &contents);
    optimizer.push_stream(&words, &contents.as_slice()).unwrap();
    (optimizer, contents)
}

/// Steps whose results come in one message with words of the user: units 2 and 3, 5 and 6, …
const STEPS: &str = "human: Begin, please.
    ai: grep#1
    tool: #1 x*300
    human: One.
    ai: grep#2
    tool: #2 x*300
    human: Two.
    ai: grep#3
    tool: #3 x*300
    human: Three.
    ai: \"Done.\"";
const WORDS: [usize; 3] = [3, 6, 9];

#[test]
fn no_boundary_lies_within_a_message() {
    let (optimizer, _) = pushed(STEPS, &WORDS, Capabilities::default());
    let boundaries = Boundaries::of(&optimizer.view);
    let legal: Vec<usize> = (0..=boundaries.len()).filter(|&at| boundaries.is_legal(at)).collect();
    assert_eq!(legal, [0, 1, 4, 7, 10, 11]);
    assert_eq!(boundaries.messages(0..11), 8);
    assert_eq!(boundaries.messages(3..6), 2);
    assert_eq!(boundaries.position_of(3), 4);
    assert_eq!(boundaries.by_message(&[1; 11]), [1, 1, 2, 1, 2, 1, 2, 1]);
    // From the middle of the list a cut moves to where a message begins that isn't results.
    assert_eq!([2, 4, 5].map(|at| boundaries.adjust(at)), [4, 4, 7]);
}

#[test]
fn what_is_left_of_a_message_begins_it() {
    let script = "ai: \"I look.\" | read_file#1 a.ts
        tool: #1 x*99
        human: Word.
        ai: write_file#2 a.ts
        tool: #2 ok";
    let (mut optimizer, contents) = pushed(script, &[2], Capabilities::default());
    let run = optimizer.run(&contents.as_slice(), false).unwrap();
    let edits: Vec<Edit> = run.edits.iter().map(|logged| logged.edit).collect();
    assert_script(
        &apply_edits(&contents, &edits, optimizer.editor.texts()),
        "ai: \"I look.\"\nhuman: Word.\nai: write_file#2 a.ts\ntool: #2 ok",
    );
    let boundaries = Boundaries::of(&optimizer.view);
    assert!(boundaries.is_legal(1), "the results are gone, so the words are the message");
    assert_eq!(boundaries.messages(0..boundaries.len()), 4);
}

#[test]
fn strategies_drop_and_count_messages() {
    for strategy in [Strategy::TopDown, Strategy::HighDensity] {
        let (mut optimizer, contents) = pushed(STEPS, &WORDS, Capabilities::from_bits(1));
        let mut settings = to_target(strategy, 20, 0.3, true);
        settings.preserve = Some(densify::options::Size::Messages(3.0));
        let (outcome, run) = optimizer.compress(&settings, &contents.as_slice()).unwrap();
        let Outcome::Applied(metadata) = outcome else { panic!("{strategy:?}: {outcome:?}") };
        let dropped: HashSet<u32> = run
            .edits
            .iter()
            .filter(|logged| logged.rule == RuleName::Truncation)
            .map(|logged| logged.edit.unit())
            .collect();
        let messages = Messages::of(&optimizer.view);
        let whole: HashSet<u32> = dropped.iter().map(|&unit| messages.of_unit(unit)).collect();
        let units: HashSet<u32> = whole.iter().flat_map(|&message| messages.units(message)).collect();
        assert_eq!(dropped, units, "{strategy:?} drops whole messages");
        assert_eq!(metadata.original_message_count, 8);
        assert_eq!(metadata.entries_dropped as usize, whole.len());
        assert_eq!(metadata.compressed_message_count as usize, 8 - whole.len());
        assert!(!dropped.contains(&0), "the user opens");
    }
}

#[test]
fn a_count_that_was_given_is_that_of_the_message() {
    let mut optimizer = Optimizer::new(&options(json!({"preset": "seed"}))).unwrap();
    let view = &mut optimizer.view;
    view.push_unit(Speaker::Tool, 0, Some(100));
    view.push_block(Block::new(0, Kind::Text, 0, 30), &[]);
    view.push_unit(Speaker::Human, flags::CONTINUES, None);
    view.push_block(Block::new(1, Kind::Text, 0, 10), &[]);
    assert_eq!(view.message_of(1), 0..2);
    assert_eq!(optimizer.tokens(&[].as_slice()).unwrap(), (100, 100));
    assert_eq!([0, 1].map(|index| optimizer.view.block(index).tokens.raw), [Some(75), Some(25)]);
}

/// The bits of thinking that is bound to its prefix, and kept while calls are open.
const BOUND: u32 = 1 << 1;
const KEPT: u32 = 1 << 2;

const THOUGHT: &str = "human: Go.
    ai: ~What is in it? | read_file#1 a.ts
    tool: #1 x*99
    ai: ~Now write. | write_file#2 a.ts
    tool: #2 ok";

#[test]
fn an_edit_before_thinking_that_may_neither_stay_nor_go_waits() {
    let (mut optimizer, contents) = pushed(THOUGHT, &[], Capabilities::from_bits(BOUND | KEPT));
    let run = optimizer.run(&contents.as_slice(), true).unwrap();
    assert_eq!((run.edits.len(), run.flush), (0, None), "thinking of an open loop doesn't go");
    let script = THOUGHT.replace("~What is in it?", "\"I look.\"");
    let (mut optimizer, contents) = pushed(&script, &[], Capabilities::from_bits(BOUND | KEPT));
    let run = optimizer.run(&contents.as_slice(), true).unwrap();
    assert_eq!(run.flush, None);
    assert!(run.edits.iter().all(|logged| logged.pending), "even if it is asked for");
    let settings = to_target(Strategy::HighDensity, 1, 0.0, true);
    let (outcome, run) = optimizer.compress(&settings, &contents.as_slice()).unwrap();
    assert!(matches!(outcome, Outcome::Applied(_)), "what must become smaller does");
    assert_eq!(run.flush, Some(0));
    let edits: Vec<Edit> = run.edits.iter().map(|logged| logged.edit).collect();
    let left = apply_edits(&contents, &edits, optimizer.editor.texts());
    assert!(!left.iter().any(|entry| format!("{entry:?}").contains("Thinking")), "{left:?}");
    assert_eq!(
        optimizer.view.capabilities,
        Capabilities::from_bits(BOUND | KEPT),
        "and then all is demanded again"
    );
}

#[test]
fn a_thought_that_is_protected_keeps_all_that_it_is_bound_to() {
    let mut optimizer = Optimizer::new(&options(json!({}))).unwrap();
    optimizer.view.capabilities = Capabilities::from_bits(BOUND);
    let mut encoder = Encoder::default();
    encoder.protected = HashSet::from([3]);
    let contents = parse(THOUGHT);
    let words = encoder.encode(&mut optimizer, &contents);
    optimizer.push_stream(&words, &contents.as_slice()).unwrap();
    let settings = to_target(Strategy::HighDensity, 1, 0.0, true);
    let (outcome, run) = optimizer.compress(&settings, &contents.as_slice()).unwrap();
    assert_eq!((outcome, run.edits.len()), (Outcome::Noop(NoopReason::ThinkingBound), 0));
}

#[test]
fn words_of_the_user_beside_results_close_no_loop() {
    let script = format!("{THOUGHT}\nhuman: And hurry.");
    for (continuing, edits) in [(vec![5], 0), (vec![], 2)] {
        let (mut optimizer, contents) = pushed(&script, &continuing, Capabilities::from_bits(KEPT));
        let run = optimizer.run(&contents.as_slice(), false).unwrap();
        assert_eq!(run.edits.len(), edits, "{continuing:?}");
    }
}

#[test]
fn words_close_the_turn_once_the_results_before_them_are_gone() {
    let script = "human: Go.
        ai: ~Hm. | read_file#1 a.ts
        tool: #1 x*99
        ai: read_file#2 a.ts
        tool: #2 x*99
        human: And hurry.
        ai: write_file#3 a.ts
        tool: #3 ok";
    let (mut optimizer, contents) = pushed(script, &[5], Capabilities::from_bits(KEPT));
    let run = optimizer.run(&contents.as_slice(), false).unwrap();
    let edits: Vec<Edit> = run.edits.iter().map(|logged| logged.edit).collect();
    let left = apply_edits(&contents, &edits, optimizer.editor.texts());
    assert_script(&left, "human: Go.\nhuman: And hurry.\nai: write_file#3 a.ts\ntool: #3 ok");
    assert_eq!(run.held, [0_u32; 0], "what waited for that isn't held any more");
    // Of two results before the words one is left, and the turn stays open.
    let more = script
        .replace("read_file#2 a.ts", "read_file#2 a.ts | grep#4")
        .replace("    human", "        tool: #4 y\n    human");
    let (mut optimizer, contents) = pushed(&more, &[5, 6], Capabilities::from_bits(KEPT));
    let run = optimizer.run(&contents.as_slice(), false).unwrap();
    assert_eq!((run.counts[RuleName::StaleReads as usize], run.held), (1, vec![1]));
}

#[test]
fn a_turn_whose_end_is_gone_is_open() {
    let script = format!("{THOUGHT}\nhuman: Thanks.\nai: grep#3\ntool: #3 x");
    for (gone, edits) in [(None, 2), (Some(5), 0)] {
        let (mut optimizer, contents) = pushed(&script, &[], Capabilities::from_bits(KEPT));
        if let Some(unit) = gone {
            optimizer.replay(Edit::DropUnit { unit });
        }
        let run = optimizer.run(&contents.as_slice(), false).unwrap();
        assert_eq!(run.edits.len(), edits, "{gone:?}");
    }
}

#[test]
fn bound_thinking_of_a_protected_entry_holds_all_before_it() {
    let (mut optimizer, contents) = pushed(THOUGHT, &[], Capabilities::from_bits(BOUND));
    let run = optimizer.run(&contents.as_slice(), false).unwrap();
    assert_eq!(run.counts[RuleName::BoundThinking as usize], 1);
    let mut optimizer = Optimizer::new(&options(json!({"preset": "seed"}))).unwrap();
    optimizer.view.capabilities = Capabilities::from_bits(BOUND);
    let mut encoder = Encoder::default();
    encoder.protected = HashSet::from([3]);
    let words = encoder.encode(&mut optimizer, &contents);
    optimizer.push_stream(&words, &contents.as_slice()).unwrap();
    let run = optimizer.run(&contents.as_slice(), true).unwrap();
    assert_eq!(run.flush, None);
    assert!(run.edits.iter().all(|logged| logged.pending));
}

#[test]
fn where_calls_follow_others_none_comes_to_stand_behind_words() {
    let follow = Capabilities::from_bits(1 << 4);
    let spoken = "human: Go.
        ai: \"I look.\" | read_file#1 a.ts
        tool: #1 x*99
        ai: write_file#2 a.ts
        tool: #2 ok";
    let (mut optimizer, contents) = pushed(spoken, &[], follow);
    let run = optimizer.run(&contents.as_slice(), false).unwrap();
    assert_eq!(run.edits, vec![], "the write would stand behind the words");
    assert_eq!(run.held, [1], "which is told");
    let run = optimizer.run(&contents.as_slice(), false).unwrap();
    assert_eq!(run.held, [0_u32; 0], "once");
    for script in [
        spoken.replace("\"I look.\" | ", ""),
        spoken.replace("    ai: write", "    human: And?\n    ai: write"),
    ] {
        let (mut optimizer, contents) = pushed(&script, &[], follow);
        let run = optimizer.run(&contents.as_slice(), false).unwrap();
        assert_eq!(run.counts[RuleName::StaleReads as usize], 1, "{script}");
    }
}

#[test]
fn what_an_edit_makes_possible_is_made_in_the_same_run() {
    let follow = Capabilities::from_bits(1 << 4);
    // Each read stands behind words and before the next read; only the last of them may go at once.
    let script = "human: Go.
        ai: \"One.\" | read_file#1 a.ts
        tool: #1 x*99
        ai: \"Two.\" | read_file#2 b.ts
        tool: #2 x*99
        ai: \"Three.\" | read_file#3 c.ts
        tool: #3 x*99
        human: Write.
        ai: write_file#4 a.ts
        tool: #4 ok
        ai: write_file#5 b.ts
        tool: #5 ok
        ai: write_file#6 c.ts
        tool: #6 ok";
    let (mut optimizer, contents) = pushed(script, &[], follow);
    let run = optimizer.run(&contents.as_slice(), false).unwrap();
    assert_eq!(run.counts[RuleName::StaleReads as usize], 3);
    assert_eq!(run.held, [0_u32; 0]);
    let cause = |unit: u32| run.edits.iter().find(|logged| logged.edit.unit() == unit).unwrap().cause;
    assert_eq!([1, 3, 5].map(cause), [13; 3], "they rest on the write that let the last one go");
}

/// The same of thinking that may not stand last.
const LEADS: u32 = 1 << 5;

#[test]
fn where_thinking_leads_none_is_left_last() {
    let left = |script: &str, bits: u32| {
        let (mut optimizer, contents) = pushed(script, &[], Capabilities::from_bits(bits));
        let run = optimizer.run(&contents.as_slice(), false).unwrap();
        let edits: Vec<Edit> = run.edits.iter().map(|logged| logged.edit).collect();
        apply_edits(&contents, &edits, optimizer.editor.texts())
    };
    let script = "human: Go.
        ai: \"I look.\" | ~Into a. | read_file#1 a.ts
        tool: #1 x*99
        human: And?
        ai: write_file#2 a.ts
        tool: #2 ok";
    let cut = "human: Go.\nai: \"I look.\" | ~Into a.\nhuman: And?\nai: write_file#2 a.ts\ntool: #2 ok";
    assert_script(&left(script, 0), cut);
    assert_script(&left(script, LEADS), &cut.replace(" | ~Into a.", ""));
    // The same of a thought that is an entry of its own.
    let apart = script.replace("\"I look.\" | ~Into a. | ", "~Into a.\n        ai: ");
    assert_script(&left(&apart, LEADS), &cut.replace("ai: \"I look.\" | ~Into a.\n", ""));
    // Behind the thought the model goes on.
    let on = apart.replace("        human: And?\n", "");
    assert_script(&left(&on, LEADS), "human: Go.\nai: ~Into a.\nai: write_file#2 a.ts\ntool: #2 ok");
}

#[test]
fn no_boundary_lies_behind_thinking_that_leads() {
    let script = "human: Go.\nai: ~Hm.\nai: \"Well.\"\nhuman: Go on.\nai: ~Hm.";
    let legal = |bits: u32| -> Vec<usize> {
        let (optimizer, _) = pushed(script, &[], Capabilities::from_bits(bits));
        let boundaries = Boundaries::of(&optimizer.view);
        (0..=boundaries.len()).filter(|&at| boundaries.is_legal(at)).collect()
    };
    assert_eq!(legal(0), [0, 1, 2, 3, 4, 5]);
    assert_eq!(legal(LEADS), [0, 1, 3, 4, 5]);
}

#[test]
fn words_between_words_of_the_model_and_a_call_are_not_given_up() {
    let script = "ai: \"Hello.\"
        human: Go.
        ai: read_file#1 a.ts
        tool: #1 ok
        human: And?
        ai: \"Done.\"";
    for strategy in [Strategy::TopDown, Strategy::HighDensity] {
        for (bits, is_given_up) in [(0, true), (1 << 4, false)] {
            let mut optimizer = Optimizer::new(&options(json!({}))).unwrap();
            optimizer.view.capabilities = Capabilities::from_bits(bits);
            let mut encoder = Encoder::default();
            encoder.protected = HashSet::from([0, 2, 3]);
            let contents = parse(script);
            let words = encoder.encode(&mut optimizer, &contents);
            optimizer.push_stream(&words, &contents.as_slice()).unwrap();
            let target = contents.iter().map(crate::oracle::tokens_of).sum::<u64>() - 1;
            let mut settings = to_target(strategy, target, 0.0, true);
            settings.preserve = Some(densify::options::Size::Messages(2.0));
            settings.keep_first_request = Some(densify::options::KeepFirst::No);
            let (_, run) = optimizer.compress(&settings, &contents.as_slice()).unwrap();
            let dropped = |unit: u32| run.edits.iter().any(|logged| logged.edit == Edit::DropUnit { unit });
            assert_eq!(dropped(1), is_given_up, "{strategy:?} {bits}");
        }
    }
}
