//! Lengths as JavaScript counts them.

/// Length in UTF-16 code units.
pub(crate) fn utf16_length(text: &str) -> u32 {
    if text.is_ascii() {
        return u32::try_from(text.len()).unwrap_or(u32::MAX);
    }
    text.chars().map(|character| u32::from(character.len_utf16() == 2) + 1).fold(0, u32::saturating_add)
}
