//! Legal cut points (requirements, end of section 2).

use densify::boundary::Boundaries;
use densify::view::{ContentSource, View, push_contents};
use proptest::prelude::*;

use crate::histories::{Manner, cases, history};
use crate::oracle;
use crate::script::parse;

fn boundaries(history: &[densify::content::Content]) -> Boundaries {
    let mut view = View::default();
    push_contents(&mut view, &mut ContentSource::default(), history);
    Boundaries::of(&view)
}

/// The legal positions of a script.
fn legal(script: &str) -> Vec<usize> {
    let boundaries = boundaries(&parse(script));
    (0..=boundaries.len()).filter(|&position| boundaries.is_legal(position)).collect()
}

/// Where each position of a script is moved to.
fn adjusted(script: &str) -> Vec<usize> {
    let boundaries = boundaries(&parse(script));
    (0..=boundaries.len()).map(|position| boundaries.adjust(position)).collect()
}

#[test]
fn a_call_is_never_parted_from_its_response() {
    let script = "human: a\nai: grep#1 | grep#2\ntool: #1 x\ntool: #2 x\nai: \"b\"";
    assert_eq!(legal(script), [0, 1, 4, 5]);
    assert_eq!(adjusted(script), [0, 1, 4, 4, 4, 5]);
}

#[test]
fn a_late_response_forbids_all_that_lies_between() {
    assert_eq!(legal("ai: grep#1\nhuman: a\nai: \"b\"\ntool: #1 x\nhuman: c"), [0, 4, 5]);
}

#[test]
fn unanswered_calls_at_the_end_belong_to_the_tail() {
    let script = "human: a\nai: grep#1\ntool: #1 x\nai: grep#2 | grep#3";
    assert_eq!(legal(script), [0, 1, 3]);
    assert_eq!(adjusted(script), [0, 1, 3, 3, 3]);
}

#[test]
fn a_cut_inside_the_last_open_batch_moves_to_the_entry_that_opened_it() {
    let script = "human: a\nai: grep#1 | grep#2 | grep#3\ntool: #1 x\ntool: #2 x";
    assert_eq!(legal(script), [0, 1]);
    assert_eq!(adjusted(script), [0, 1, 1, 1, 1]);
}

#[test]
fn a_call_that_was_abandoned_forbids_only_the_place_behind_it() {
    assert_eq!(legal("human: a\nai: grep#1\nhuman: b\nai: \"c\""), [0, 1, 3, 4]);
}

#[test]
fn responses_without_calls_are_no_place_to_move_to() {
    assert_eq!(adjusted("human: a\ntool: #9 x\ntool: #9 x"), [0, 1, 2, 3]);
    assert_eq!(adjusted("human: a\ntool: #9 x\nhuman: b"), [0, 2, 2, 3]);
}

#[test]
fn the_start_is_always_legal() {
    assert_eq!(legal(""), [0]);
    assert_eq!(legal("ai: grep#1"), [0]);
}

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn boundaries_are_those_of_the_naive_implementation(history in history(Manner::Any, 16)) {
        let boundaries = boundaries(&history);
        let entries = oracle::entries(&history, 0);
        for position in 0..=history.len() {
            prop_assert_eq!(boundaries.is_legal(position), oracle::is_legal(&entries, position), "{}", position);
            let adjusted = boundaries.adjust(position);
            prop_assert!(boundaries.is_legal(adjusted));
            prop_assert_eq!(boundaries.adjust(adjusted), adjusted);
        }
        let ends: Vec<usize> = boundaries.groups().map(|group| group.end).collect();
        let legal: Vec<usize> = (1..=history.len()).filter(|&at| boundaries.is_legal(at)).collect();
        prop_assert_eq!(ends, legal);
    }
}
