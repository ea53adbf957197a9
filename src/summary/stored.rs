//! The stored summary: what the model wrote between lines of ours, and how those are told apart again.
//!
//! ```text
//! [Summary of the conversation so far, kept by densify]
//!
//! <state_snapshot>…</state_snapshot>            or Markdown
//!
//! [Requests of the user, verbatim]
//! - The tax table is /data/tax.csv.
//!
//! Full pre-compression transcript available at: …
//!
//! [Pinned, verbatim]
//! - a fact
//! - [2 lines]
//! a fact
//! of two lines
//!
//! [Standing instructions of the user, verbatim]
//! - Never push.
//!
//! <read-files>…</read-files>                    structured only
//! ```
//! Lines of the model that read like ours are marked. So the first such line is ours.

use super::files::{FileLists, strip_file_lists};
use super::texts::lines;
pub use crate::view::SUMMARY_HEAD as HEAD;

/// What opens the list of pins.
pub const PINS: &str = "[Pinned, verbatim]";
/// What opens the list of the user's standing instructions.
pub const CONSTRAINTS: &str = "[Standing instructions of the user, verbatim]";

/// What opens the list of requests that the summary holds no word of; it is a part of the body.
pub(super) const REQUESTS: &str = "[Requests of the user, verbatim]";

/// A stored summary, taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    /// What the model wrote.
    pub body: String,
    /// Where the whole conversation can be read.
    pub transcript_path: Option<String>,
    /// What stays to the letter.
    pub pins: Vec<String>,
    /// The user's standing instructions.
    pub constraints: Vec<String>,
    /// Files that were read.
    pub read_files: Vec<String>,
    /// Files that were changed.
    pub modified_files: Vec<String>,
}

impl Stored {
    /// The text that is put into the history.
    #[must_use]
    pub fn compose(&self) -> String {
        let mut text = [HEAD, "\n\n", self.body.trim()].concat();
        if let Some(path) = &self.transcript_path {
            text.push_str("\n\n");
            text.push_str(&crate::prompt::transcript_note(path));
        }
        for (head, items) in [(PINS, &self.pins), (CONSTRAINTS, &self.constraints)] {
            if !items.is_empty() {
                text.push_str("\n\n");
                text.push_str(head);
                for item in items {
                    text.push_str(&list_item(item));
                }
            }
        }
        let lists = FileLists { read: self.read_files.clone(), modified: self.modified_files.clone() };
        text.push_str(&lists.format());
        text
    }

    /// Takes a stored summary apart. A text without our first line (the caller's metadata says that it is
    /// a summary) is all body, but for the lists at its end.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let is_ours = text.lines().next().is_some_and(|line| line.trim_end() == HEAD);
        // In ours the items of our lists are counted off before the lists of files begin: a pin may look like one.
        let items_end = if is_ours { items_end(text) } else { 0 };
        let (before, after) = text.split_at_checked(items_end).unwrap_or(("", text));
        let (after, lists) = strip_file_lists(after);
        let mut stored = Self { read_files: lists.read, modified_files: lists.modified, ..Self::default() };
        let text = [before, &after].concat();
        let mut rest = text.lines();
        let mut body = Vec::new();
        let mut is_first = true;
        while let Some(line) = rest.next() {
            let bare = line.trim_end();
            if is_first && bare == HEAD {
                // Ours; nothing of it goes back into a prompt.
            } else if let Some(path) = bare.strip_prefix(note_start().as_str()) {
                stored.transcript_path = Some(path.to_owned());
            } else if bare == PINS || bare == CONSTRAINTS {
                let (items, after) = read_list(rest);
                rest = after;
                if bare == PINS { &mut stored.pins } else { &mut stored.constraints }.extend(items);
            } else {
                body.push(line);
            }
            is_first = false;
        }
        lines(body).trim().clone_into(&mut stored.body);
        stored
    }
}

/// Where the last of our lists of items ends in a text, in bytes.
fn items_end(text: &str) -> usize {
    let mut rest = text.lines();
    let mut end = 0;
    while let Some(line) = rest.next() {
        if matches!(line.trim_end(), PINS | CONSTRAINTS) {
            rest = read_list(rest).1;
            end = rest.clone().next().map_or(text.len(), |next| offset_of(text, next));
        }
    }
    end
}

/// Where a line of a text begins in it.
fn offset_of(text: &str, line: &str) -> usize {
    (line.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// The note without its path.
fn note_start() -> String {
    crate::prompt::transcript_note("")
}

/// An item of a list, with the line end before it.
#[inline(never)] // Twice the same is twice the size.
pub(super) fn list_item(item: &str) -> String {
    let count = item.split('\n').count();
    if count == 1 && counted(item).is_none() {
        ["\n- ", item].concat()
    } else {
        ["\n- [", &count.to_string(), " lines]\n", item].concat()
    }
}

/// The number in `[N lines]`.
fn counted(text: &str) -> Option<usize> {
    text.strip_prefix('[')?.strip_suffix(" lines]")?.parse().ok()
}

/// The items of a list, and what follows it.
#[inline(never)] // Twice the same is twice the size.
pub(super) fn read_list(mut rest: std::str::Lines<'_>) -> (Vec<String>, std::str::Lines<'_>) {
    let mut items = Vec::new();
    loop {
        let mut ahead = rest.clone();
        let Some(item) = ahead.next().and_then(|line| line.strip_prefix("- ")) else { return (items, rest) };
        rest = ahead;
        match counted(item) {
            // As many as there are: the text may have been cut.
            Some(count) => {
                let own: Vec<&str> = rest.by_ref().take(count).collect();
                items.push(own.join("\n"));
            }
            None => items.push(item.to_owned()),
        }
    }
}

/// Marks the lines of a model's text that read like ours.
#[must_use]
pub fn neutralize(body: &str) -> String {
    let note = note_start();
    let is_ours = |line: &str| {
        let bare = line.trim();
        let tags = ["<read-files>", "</read-files>", "<modified-files>", "</modified-files>"];
        bare == HEAD
            || bare == PINS
            || bare == CONSTRAINTS
            || bare == REQUESTS
            || bare.starts_with(note.trim_end())
            || tags.iter().any(|tag| bare.contains(tag))
    };
    let mut text = String::with_capacity(body.len());
    for (number, line) in body.lines().enumerate() {
        if number > 0 {
            text.push('\n');
        }
        if is_ours(line) {
            // Broken tags and a mark before the line: still readable, and no line of ours.
            text.push_str("> ");
            text.push_str(&line.replace("-files>", "-files >"));
        } else {
            text.push_str(line);
        }
    }
    text
}

/// A summary for a request: its closing tag can't stand in it.
#[must_use]
pub fn enclosed(text: &str) -> String {
    text.replace("</previous-summary", "<\\/previous-summary")
        .replace("<previous-summary", "<\\previous-summary")
}

/// Adds items that aren't there yet.
pub(super) fn add_new(items: &mut Vec<String>, more: impl IntoIterator<Item = String>) {
    for item in more {
        if !item.trim().is_empty() && !items.contains(&item) {
            items.push(item);
        }
    }
}
