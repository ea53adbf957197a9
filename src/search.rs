//! Looking for a text in another one. The library's search is linear whatever the needle, and its way to fail
//! brings nine kilobytes of formatting into the module; these needles are short words of ours.

/// Whether a text stands in another one.
pub(crate) fn contains(text: &str, needle: &str) -> bool {
    needle.is_empty() || text.as_bytes().windows(needle.len()).any(|window| is_same(window, needle))
}

/// Most windows differ in their first byte already, which is cheaper to see.
#[allow(clippy::inline_always)] // It runs once a byte, and code for size would call it.
#[inline(always)]
pub(crate) fn is_same(window: &[u8], needle: &str) -> bool {
    window.first() == needle.as_bytes().first() && window == needle.as_bytes()
}

/// What stands before and behind the first place of a text.
#[inline(never)] // Twice the same is twice the size.
pub(crate) fn around_first<'text>(text: &'text str, needle: &str) -> Option<(&'text str, &'text str)> {
    around(text, needle, text.as_bytes().windows(needle.len()).position(|window| is_same(window, needle))?)
}

/// What stands before and behind the last place of a text.
#[inline(never)] // Twice the same is twice the size.
pub(crate) fn around_last<'text>(text: &'text str, needle: &str) -> Option<(&'text str, &'text str)> {
    around(text, needle, text.as_bytes().windows(needle.len()).rposition(|window| is_same(window, needle))?)
}

fn around<'text>(text: &'text str, needle: &str, at: usize) -> Option<(&'text str, &'text str)> {
    Some((text.get(..at)?, text.get(at + needle.len()..)?))
}

/// Where some items first stand, together and in order, among others; in linear time (Knuth, Morris and Pratt).
pub(crate) fn position_of<Item: PartialEq>(all: &[Item], part: &[Item]) -> Option<usize> {
    // For each number of items that are found: how many of them are still found if the next one isn't.
    let mut fewer: Vec<usize> = vec![0];
    let mut found = 0;
    for item in part.iter().skip(1) {
        fewer.push(found);
        found = extended(part, &fewer, found, item);
    }
    fewer.push(found);
    found = 0;
    if part.is_empty() {
        return Some(0);
    }
    all.iter().enumerate().find_map(|(at, item)| {
        found = extended(part, &fewer, found, item);
        (found == part.len()).then(|| at + 1 - found)
    })
}

/// How many items are found once another one has come.
fn extended<Item: PartialEq>(part: &[Item], fewer: &[usize], mut found: usize, item: &Item) -> usize {
    while part.get(found) != Some(item) {
        if found == 0 {
            return 0;
        }
        found = fewer.get(found).copied().unwrap_or(0);
    }
    found + 1
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::{around_first, around_last, contains, position_of};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(crate::cases::cases(2000))]
        #[test]
        fn finds_what_the_library_finds(text in "[ab é—|]{0,12}", needle in "[ab é—|]{1,3}") {
            prop_assert_eq!(contains(&text, &needle), text.contains(needle.as_str()));
            prop_assert_eq!(around_first(&text, &needle), text.split_once(needle.as_str()));
            prop_assert_eq!(around_last(&text, &needle), text.rsplit_once(needle.as_str()));
        }
    }

    proptest! {
        #![proptest_config(crate::cases::cases(2000))]
        #[test]
        fn items_stand_where_comparing_at_each_place_finds_them(
            all in proptest::collection::vec(0_u64..3, 0..24),
            part in proptest::collection::vec(0_u64..3, 0..6),
        ) {
            let mut places = 0..=all.len();
            prop_assert_eq!(position_of(&all, &part), places.find(|&at| all[at..].starts_with(&part)));
        }
    }

    /// A search that starts again at each place would compare a million million times.
    #[test]
    fn equal_items_are_each_compared_a_few_times() {
        let part: Vec<u64> = vec![1; 1_000_000].into_iter().chain([2]).collect();
        assert_eq!(position_of(&vec![1; 2_000_000], &part), None);
    }
}
