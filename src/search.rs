//! Looking for a text in another one. The library's search is linear whatever the needle, and its way to fail
//! brings nine kilobytes of formatting into the module; these needles are short words of ours.

/// Whether a text stands in another one.
pub(crate) fn contains(text: &str, needle: &str) -> bool {
    text.as_bytes().windows(needle.len()).any(|window| is_same(window, needle))
}

/// Most windows differ in their first byte already, which is cheaper to see.
fn is_same(window: &[u8], needle: &str) -> bool {
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

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::{around_first, around_last, contains};
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
}
