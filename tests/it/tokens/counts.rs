//! Counts against the definition, whole and in chunks, and what no text and no vocabulary may do.

use std::time::{Duration, Instant};

use crate::histories::cases;

use densify::ErrorCode;
use densify::tokens::exact::{Count, Encoding, Tokenizer};
use proptest::prelude::*;

use super::splits::hostile_text;
use super::vocabularies::Vocabulary;

/// Few different bytes, so that merges meet in every way.
const LETTERS: &str = "ab =\u{4e2d}\n1";

fn text_of_few_characters(most: usize) -> impl Strategy<Value = String> {
    let character = proptest::sample::select(LETTERS.chars().collect::<Vec<_>>());
    proptest::collection::vec((character, 1..9_usize), 0..most)
        .prop_map(|runs| runs.into_iter().flat_map(|(c, times)| std::iter::repeat_n(c, times)).collect())
}

fn made_up() -> impl Strategy<Value = Vocabulary> {
    proptest::collection::vec(any::<(u16, u16)>(), 0..80).prop_map(|picks| Vocabulary::of(LETTERS, &picks))
}

fn encoding() -> impl Strategy<Value = Encoding> {
    proptest::sample::select(Encoding::ALL.to_vec())
}

fn naive_count(vocabulary: &Vocabulary, tokenizer: &Tokenizer, text: &str) -> u64 {
    tokenizer.pieces(text).map(|piece| vocabulary.encode(piece.as_bytes()).len() as u64).sum()
}

/// The chunks of a text, cut at characters.
fn chunks<'text>(text: &'text str, lengths: &[usize]) -> Vec<&'text str> {
    let mut rest = text;
    let mut chunks = Vec::new();
    for &length in lengths.iter().cycle() {
        let Some((at, _)) = rest.char_indices().nth(length) else { break };
        let (chunk, behind) = rest.split_at(at);
        chunks.push(chunk);
        rest = behind;
    }
    chunks.push(rest);
    chunks
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn counts_follow_the_definition(
        vocabulary in made_up(), encoding in encoding(), texts in proptest::collection::vec(text_of_few_characters(40), 1..4),
    ) {
        let mut tokenizer = vocabulary.tokenizer(encoding);
        for text in &texts {
            let expected = naive_count(&vocabulary, &tokenizer, text);
            prop_assert_eq!(tokenizer.count(text), expected);
            prop_assert_eq!(tokenizer.count(text), expected, "from memory");
        }
    }

    #[test]
    fn chunks_change_nothing(
        vocabulary in made_up(), encoding in encoding(), text in hostile_text(60), lengths in proptest::collection::vec(1..12_usize, 1..6),
    ) {
        let mut tokenizer = vocabulary.tokenizer(encoding);
        let whole = tokenizer.count(&text);
        let mut count = Count::default();
        let mut settled = 0;
        for chunk in chunks(&text, &lengths) {
            count.feed(&mut tokenizer, chunk);
            prop_assert!(count.settled() >= settled);
            settled = count.settled();
            prop_assert!(text.contains(count.open()));
            let open = tokenizer.count(count.open());
            prop_assert_eq!(count.total(&mut tokenizer), settled + open);
        }
        prop_assert_eq!(count.total(&mut tokenizer), whole);
    }

    #[test]
    fn no_vocabulary_makes_it_panic(vocabulary in made_up(), damages in proptest::collection::vec((any::<u16>(), any::<u8>()), 0..4), text in hostile_text(40)) {
        let mut bytes = vocabulary.bytes();
        for (at, byte) in damages {
            // The number of merges at the beginning says how long all the rest is.
            let at = 4 + usize::from(at) % (bytes.len() - 4);
            bytes[at] = byte;
        }
        match Tokenizer::new(Encoding::O200kBase, bytes) {
            Ok(mut tokenizer) => {
                let long = text.repeat(9);
                prop_assert!(tokenizer.count(&long) <= long.len() as u64);
            }
            Err(error) => prop_assert_eq!(error.code(), ErrorCode::InvalidOptions),
        }
    }

    #[test]
    fn bytes_that_are_no_text_do_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), encoding in encoding()) {
        let mut tokenizer = Vocabulary::of("ab", &[(0, 1)]).tokenizer(encoding);
        prop_assert!(tokenizer.count_utf8(&bytes) <= bytes.len() as u64);
    }
}

/// Tokens of 2, 4, 8 … equal characters, and of pairs of them.
fn doubling(characters: &str) -> Vocabulary {
    let mut vocabulary = Vocabulary::new();
    for character in characters.chars() {
        let mut last = vocabulary.encode(character.to_string().as_bytes());
        while last.len() > 1 {
            vocabulary.merge(last[0], last[1]);
            last = vocabulary.encode(character.to_string().as_bytes());
        }
        let mut last = last[0];
        for _ in 0..6 {
            vocabulary.merge(last, last);
            last = vocabulary.tokens.len() - 1;
        }
    }
    vocabulary
}

#[test]
fn worst_cases_take_linear_time() {
    let vocabulary = doubling("=a \n中1");
    for encoding in Encoding::ALL {
        let mut tokenizer = vocabulary.tokenizer(encoding);
        for (character, expected) in [('=', 4_688), ('a', 4_688), (' ', 4_688), ('\n', 4_688), ('中', 4_688)]
        {
            let text = character.to_string().repeat(300_000);
            let start = Instant::now();
            assert_eq!(tokenizer.count(&text), expected, "{character:?}");
            // Quadratic work would take minutes; the slowest debug build on a busy machine doesn't.
            assert!(start.elapsed() < Duration::from_secs(60), "{character:?}: {:?}", start.elapsed());
        }
        let text =
            "中A".repeat(1_000) + &"A".repeat(300_000) + &" \n".repeat(100_000) + &"\u{301}".repeat(200_000);
        let start = Instant::now();
        assert!(tokenizer.count(&text) > 0);
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    }
}

#[test]
fn a_piece_without_end_is_cut_at_the_same_place_in_any_chunks() {
    let mut tokenizer = doubling("aA中").tokenizer(Encoding::O200kBase);
    for text in ["a".repeat(2_500_000), "中".repeat(900_000) + "AAA", "A".repeat(1_048_575) + "中aaaa"] {
        let whole = tokenizer.count(&text);
        let longest = tokenizer.pieces(&text).map(str::len).max();
        assert!(longest <= Some(1 << 20), "{longest:?}");
        for length in [65_536, 700_001] {
            let mut count = Count::default();
            for chunk in chunks(&text, &[length]) {
                count.feed(&mut tokenizer, chunk);
            }
            assert_eq!(count.total(&mut tokenizer), whole);
        }
    }
}

#[test]
fn a_text_in_single_characters_takes_linear_time() {
    let mut tokenizer = doubling("a").tokenizer(Encoding::O200kBase);
    let start = Instant::now();
    let mut count = Count::default();
    for _ in 0..200_000 {
        count.feed(&mut tokenizer, "a");
    }
    assert_eq!(count.total(&mut tokenizer), 200_000 / 64);
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn unreadable_vocabularies_are_errors() {
    let bytes = Vocabulary::of("ab", &[(0, 1), (2, 0)]).bytes();
    let with = |at: usize, byte: u8| {
        bytes.iter().zip(0..).map(|(old, i)| if i == at { byte } else { *old }).collect()
    };
    let shorter = bytes[..bytes.len() - 1].to_vec();
    let longer = [&bytes[..], &[0]].concat();
    let rank = bytes.len() - 3; // the middle bytes of two ranks, and their high bits
    let (later, beyond) = (with(rank, 0), with(rank, 200));
    let groups = 4..4 + (256_usize + 2 * 2).div_ceil(8);
    let no_groups =
        bytes.iter().zip(0..).map(|(old, at)| if groups.contains(&at) { 0 } else { *old }).collect();
    let none = vec![0; 4];
    let too_many = [&[255; 4][..], &[0; 100]].concat();
    // Two merges of token 0 with itself.
    let twice = [&[2, 0, 0, 0, 0b11][..], &[0; 32], &[0, 0, 0, 0, 0], &[0, 1, 1, 1, 0]].concat();
    for (vocabulary, why) in [
        (vec![], "no merges"),
        (vec![2], "no merges"),
        (none, "no merges"),
        (too_many, "more than there can be"),
        (shorter, "longer or shorter"),
        (longer, "longer or shorter"),
        (later, "made of later ones"),
        (beyond, "made of later ones"),
        (no_groups, "its groups aren't its merges"),
        (twice, "aren't in order"),
    ] {
        let Err(error) = Tokenizer::new(Encoding::O200kBase, vocabulary.clone()) else {
            panic!("{vocabulary:?}")
        };
        assert_eq!((error.code(), error.option_key()), (ErrorCode::InvalidOptions, Some("vocabulary")));
        assert!(error.message().contains(why), "{why}: {}", error.message());
    }
}

#[test]
fn encodings_are_found_by_their_names() {
    for encoding in Encoding::ALL {
        assert_eq!(Encoding::named(encoding.name()).unwrap(), encoding);
    }
    let error = Encoding::named("p50k_base").unwrap_err();
    assert_eq!(error.message(), "encoding: found 'p50k_base', expected one of 'o200k_base', 'cl100k_base'");
}

#[test]
fn what_is_held_is_reported() {
    let mut tokenizer = doubling("a").tokenizer(Encoding::O200kBase);
    let before = tokenizer.bytes();
    assert!(before > 500_000);
    tokenizer.count(&"a".repeat(1 << 20));
    assert!(tokenizer.bytes() < before + (8 << 20), "a long piece's rooms are given back");
}
