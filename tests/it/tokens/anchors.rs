//! Counts that go on from a place within a piece, against counts of the whole.

use crate::histories::cases;

use densify::tokens::exact::Encoding;
use proptest::prelude::*;

use super::splits::hostile_text;
use super::vocabularies::Vocabulary;

/// Runs of which pieces are made, and what may follow them.
const RUNS: [&str; 7] = ["ab", "AB", "\u{4e2d}\u{6587}", "\u{e01}\u{e34}", "=-", " ", "\n"];
const LETTERS: &str = "abAB\u{4e2d}\u{6587}\u{e01}\u{e34}=- \n1'";

fn vocabulary() -> impl Strategy<Value = Vocabulary> {
    proptest::collection::vec(any::<(u16, u16)>(), 0..80).prop_map(|picks| Vocabulary::of(LETTERS, &picks))
}

fn run() -> impl Strategy<Value = String> {
    proptest::sample::select(RUNS.to_vec()).prop_flat_map(|letters| {
        let letter = proptest::sample::select(letters.chars().collect::<Vec<_>>());
        let first = proptest::option::of(proptest::sample::select(LETTERS.chars().collect::<Vec<_>>()));
        (first, proptest::collection::vec(letter, 1..60))
            .prop_map(|(first, run)| first.into_iter().chain(run).collect())
    })
}

proptest! {
    #![proptest_config(cases(1_024))]

    #[test]
    fn what_goes_on_from_an_anchor_counts_as_in_the_whole(
        vocabulary in vocabulary(), encoding in proptest::sample::select(Encoding::ALL.to_vec()), text in run(),
        more in proptest::collection::vec(prop_oneof![3 => run(), 1 => hostile_text(9)], 1..4), window in 1..40_usize,
    ) {
        let mut tokenizer = vocabulary.tokenizer(encoding);
        let Some(anchor) = tokenizer.anchor(&text, window) else { return Ok(()) };
        prop_assert!(anchor.at > 0 && anchor.at + window <= text.len());
        let mut whole = text.clone();
        for more in more {
            whole.push_str(&more);
            if let Some(tokens) = tokenizer.count_on(&whole[anchor.at..], anchor.token) {
                prop_assert_eq!(u64::from(anchor.tokens) + tokens, tokenizer.count(&whole), "{:?}", whole);
            }
        }
    }
}

#[test]
fn long_runs_have_anchors_that_hold() {
    let vocabulary =
        Vocabulary::of(LETTERS, &[(0, 1), (1, 0), (5, 3), (2, 2), (8, 9), (4, 4), (7, 1), (300, 256)]);
    for encoding in Encoding::ALL {
        let mut tokenizer = vocabulary.tokenizer(encoding);
        for letters in ["ab", "AB", "\u{4e2d}\u{6587}", "=-", " ", "\n"] {
            let text = letters.repeat(200);
            let anchor = tokenizer.anchor(&text, 64).unwrap();
            assert!(anchor.at > text.len() / 2, "{letters:?}: {anchor:?}");
            let whole = text + letters + "1";
            let tokens = tokenizer.count_on(&whole[anchor.at..], anchor.token).unwrap();
            assert_eq!(u64::from(anchor.tokens) + tokens, tokenizer.count(&whole), "{letters:?}");
        }
    }
}

#[test]
fn what_would_be_split_another_way_has_none() {
    let mut tokenizer = Vocabulary::of(LETTERS, &[]).tokenizer(Encoding::O200kBase);
    // A small letter before decides that a capital behind ends the piece; of digits there are never more than three.
    for text in
        ["a\u{4e2d}".repeat(50), format!("a{}", "\u{4e2d}".repeat(50)), "1".repeat(99), "a b".repeat(50)]
    {
        assert_eq!(tokenizer.anchor(&text, 8), None, "{text:?}");
    }
}
