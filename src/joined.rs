//! Texts in a row. The standard library's `join` is compiled for each kind of list and each length of separator.

/// The texts with a separator between them.
pub(crate) fn joined<'text>(texts: impl IntoIterator<Item = &'text str>, separator: &str) -> String {
    let mut texts = texts.into_iter();
    let mut row = String::new();
    append(&mut row, &mut texts, separator);
    row
}

fn append(row: &mut String, texts: &mut dyn Iterator<Item = &str>, separator: &str) {
    if let Some(first) = texts.next() {
        row.push_str(first);
    }
    for text in texts {
        row.push_str(separator);
        row.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn separators_stand_between_texts_only() {
        for texts in [&[][..], &["a"], &["a", ""], &["", "b", "c"]] {
            assert_eq!(joined(texts.iter().copied(), ", "), texts.join(", "));
        }
    }
}
