//! The lists of files at the end of a structured summary.

use super::files::{FileLists, file_operations, strip_file_lists};

/// The lists as they stand at the end of a summary; an empty list emits no tag.
pub(super) fn format_lists(read: &[String], modified: &[String]) -> String {
    FileLists { read: read.to_vec(), modified: modified.to_vec() }.format()
}

/// A text without its lists, and what they hold.
pub(super) fn split_lists(text: &str) -> (String, Vec<String>, Vec<String>) {
    let (rest, lists) = strip_file_lists(text);
    (rest, lists.read, lists.modified)
}

/// The files of a range and of what was known before: read and not changed, and changed; sorted.
pub(super) fn union(
    history: super::History<'_>,
    range: std::ops::Range<u32>,
    read: &[String],
    modified: &[String],
) -> (Vec<String>, Vec<String>) {
    let earlier = FileLists { read: read.to_vec(), modified: modified.to_vec() };
    let lists = FileLists::of(&file_operations(history, range), &[&earlier]);
    (lists.read, lists.modified)
}
