use proptest::prelude::*;

use crate::cases::cases;

use super::super::assignment;
use super::super::bytes::{at, is_word, run_end};
use super::{SHORTEST, Words};

/// The next word that matters, byte by byte.
fn next_word(bytes: &[u8], place: usize) -> Option<(usize, usize)> {
    let mut word = place;
    for (stop, &byte) in bytes.iter().enumerate().skip(place) {
        let is_long = is_word(byte) && stop - word >= SHORTEST - 1;
        let is_pair = byte == b'-' && at(bytes, stop + 1) == b'-';
        let is_sign = b":=>~".contains(&byte) && assignment::may_introduce(bytes, stop, || word);
        if is_long || is_pair || is_sign {
            return Some((word, run_end(bytes, stop, is_word)));
        }
        if !is_word(byte) {
            word = stop + 1;
        }
    }
    None
}

/// Every word that matters, if the search goes on as far behind each as `steps` say in turn.
fn all(
    text: &str,
    steps: &[usize],
    mut next: impl FnMut(usize) -> Option<(usize, usize)>,
) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut place = 0_usize;
    let mut steps = steps.iter().cycle();
    while let Some((word, stop)) = next(place) {
        found.push((word, stop));
        place = (stop + steps.next().unwrap_or(&1)).min(text.len() + 1);
    }
    found
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn blocks_find_what_a_look_at_every_byte_finds(
        parts in prop::collection::vec(
            prop_oneof![
                "[a-zA-Z0-9_-]{1,20}",
                "[ -~]{0,12}",
                Just("-".to_owned()),
                Just("password".to_owned()),
                Just("\": \"".to_owned()),
                Just("=".to_owned()),
                Just(" -u a:".to_owned()),
                "[a-z]{14,18}[ =:~>]",
                "\\PC{0,6}",
                "[ ]{0,70}",
            ],
            0..60,
        ),
        steps in prop::collection::vec(1..40_usize, 1..5),
    ) {
        let text = parts.concat();
        let bytes = text.as_bytes();
        let mut words = Words::new(bytes);
        let expected = all(&text, &steps, |place| next_word(bytes, place));
        prop_assert_eq!(all(&text, &steps, |place| words.next(place)), expected);
    }
}
