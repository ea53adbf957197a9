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

/// ASCII words that are searched together. Each pair of letters tells how many bytes the search may skip, so it reads
/// few of them.
pub(crate) struct AnyOf {
    words: &'static [&'static str],
    ignores_case: bool,
    /// The length of the shortest word.
    least: usize,
    /// For each pair of letters, by their five low bits: how many bytes further a word may end at the earliest.
    skips: [u8; 1024],
}

impl AnyOf {
    #[allow(clippy::indexing_slicing, clippy::cast_possible_truncation)] // A wrong constant doesn't compile.
    pub(crate) const fn new(words: &'static [&'static str], ignores_case: bool) -> Self {
        let (mut least, mut word) = (usize::MAX, 0);
        while word < words.len() {
            least = if words[word].len() < least { words[word].len() } else { least };
            word += 1;
        }
        assert!(least >= 2 && least < 256);
        let mut skips = [least as u8 - 1; 1024];
        word = 0;
        while word < words.len() {
            let bytes = words[word].as_bytes();
            let mut end = 2;
            while end <= least {
                let slot = Self::slot(bytes[end - 2], bytes[end - 1]);
                let left = (least - end) as u8;
                skips[slot] = if left < skips[slot] { left } else { skips[slot] };
                end += 1;
            }
            word += 1;
        }
        Self { words, ignores_case, least, skips }
    }

    const fn slot(first: u8, second: u8) -> usize {
        (first & 31) as usize * 32 + (second & 31) as usize
    }

    /// Whether one of the words stands in a text.
    pub(crate) fn is_in(&self, bytes: &[u8]) -> bool {
        let mut end = self.least;
        while let Some(&[first, second]) = bytes.get(end.saturating_sub(2)..end) {
            let skip = self.skips.get(Self::slot(first, second)).map_or(0, |skip| usize::from(*skip));
            if skip == 0 && self.is_at(bytes, end - self.least) {
                return true;
            }
            end += skip.max(1);
        }
        false
    }

    fn is_at(&self, bytes: &[u8], start: usize) -> bool {
        self.words.iter().any(|word| {
            let found = bytes.get(start..start + word.len());
            found.is_some_and(|found| {
                found == word.as_bytes() || self.ignores_case && found.eq_ignore_ascii_case(word.as_bytes())
            })
        })
    }
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
    use super::{AnyOf, around_first, around_last, contains, position_of};
    use proptest::prelude::*;

    const WORDS: &[&str] = &["ab:", "ba b", "bb\"a"];
    static ANY: AnyOf = AnyOf::new(WORDS, true);
    static EXACT: AnyOf = AnyOf::new(WORDS, false);

    proptest! {
        #![proptest_config(crate::cases::cases(2000))]
        #[test]
        fn any_of_some_words_is_found_wherever_it_stands(text in "[abAB:\" é\u{1}]{0,12}") {
            let lower = text.to_ascii_lowercase();
            prop_assert_eq!(ANY.is_in(text.as_bytes()), WORDS.iter().any(|word| lower.contains(word)));
            prop_assert_eq!(EXACT.is_in(text.as_bytes()), WORDS.iter().any(|word| text.contains(word)));
        }
    }

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
