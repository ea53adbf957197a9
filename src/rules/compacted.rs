//! The short notes that replace cut texts, and how to recognise them.

use crate::edit::unreferred;
pub use crate::lines::OURS;
use crate::lines::fingerprint;
use crate::search::around_last;
use crate::utf16::utf16_length;
use crate::view::{Kind, Leaf, TextSource, View};

/// Stands for a pruned result (REQ-HD-007.2).
pub const POINTER: &str = "[Result pruned — re-run tool to retrieve]";

/// Stands for a pruned result whose tool may do more than read if it runs again (requirements 8.20).
pub const PRUNED: &str = "[Result pruned]";

/// Longest tool name and key parameter in a summary line, in UTF-16 code units.
const PART_LIMIT: u32 = 80;

/// Stands for inclusions that were everything an entry held.
#[must_use]
pub fn inclusion_pointer(path: &str) -> String {
    format!("[Earlier inclusion of {path} removed]")
}

/// How large a result was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultSize {
    /// A string of so many lines.
    Lines(u32),
    /// A string of so many UTF-16 code units inside a structured result.
    Chars(u32),
    /// Anything else.
    Unknown,
}

/// The line that stands for a result outside the tail, for instance
/// `[read_file: src/index.ts — success, 245 lines]`.
#[must_use]
pub fn summary_line(tool: &str, key_parameter: Option<&str>, failed: bool, size: ResultSize) -> String {
    let outcome = if failed { "error" } else { "success" };
    let size = match size {
        ResultSize::Lines(lines) => format!(", {lines} lines"),
        ResultSize::Chars(chars) => format!(", {chars} chars"),
        ResultSize::Unknown => String::new(),
    };
    format!("[{} — {outcome}{size}]", subject(tool, key_parameter))
}

/// What a call was about, as pointers name it: its tool and key parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject(String);

impl Subject {
    /// That of a call, or of the call that a response answers.
    #[must_use]
    pub fn of(view: &View, source: &dyn TextSource, block: u32) -> Self {
        let is_call = view.block(block).kind == Kind::ToolCall;
        let call = if is_call { Some(block) } else { view.partner(block) };
        let key = call.map(|call| view.text(source, call, Leaf::KeyParameter)).unwrap_or_default();
        let tool = view.names.tool_name(view.block(call.unwrap_or(block)).tool);
        Self(subject(tool, Some(&key)))
    }

    /// A number by which subjects are looked up.
    #[must_use]
    pub fn key(&self) -> u64 {
        fingerprint(&self.0)
    }

    /// Stands for a text in whose place there is something in what another call gave or wrote.
    #[must_use]
    pub fn instead(&self, what: &str) -> String {
        format!("{OURS}{what}: {}]", self.0)
    }
}

/// Stands for the text of a file whose copy the next result of a call shows.
pub const NEXT: &str = "the same as the next";

/// The same for some of its lines.
pub const LINES_OF_NEXT: &str = " lines as in the next";

/// Stands for a result that says what an older one says, which is still there. Hosts say so in similar words.
pub const UNCHANGED: &str = "unchanged since the earlier result";

/// Whether a text stands for a result that an older one shows.
#[must_use]
pub fn is_unchanged(text: &str) -> bool {
    text.strip_prefix(OURS).is_some_and(|words| words.starts_with(UNCHANGED))
}

/// Stands for lines, or for a whole result, that a later result shows too, or that a call wrote; no subject: a later
/// result of the same call.
#[must_use]
pub fn repeated(lines: Option<usize>, later: Option<&Subject>, is_written: bool) -> String {
    let later = later.map_or("again later", |subject| subject.0.as_str());
    let written = if is_written { " as written" } else { "" };
    match lines {
        Some(lines) => format!("[… {lines} lines{written}: {later}]"),
        None => format!("[… the same{written}: {later}]"),
    }
}

/// Stands for what was cut from an old result. It says whether the call failed, or else whether a new read shows the same: only
/// a read has no other effects when it runs again.
#[must_use]
pub fn cut_lines(lines: usize, subject: &Subject, (has_failed, is_there): (bool, bool)) -> String {
    let more = match (has_failed, is_there) {
        (true, _) => "; it failed",
        (false, true) => "; read it again if you need them",
        (false, false) => "",
    };
    format!("[… {lines} lines of {} were cut{more}]", subject.0)
}

/// Whether a response's payload is a pointer or a summary line of its tool already.
#[must_use]
pub fn is_compacted(text: &str, tool: &str) -> bool {
    if text.starts_with(OURS) && !text.contains('\n') {
        return true;
    }
    let Some(bare) = unreferred(text) else { return false };
    if matches!(bare.strip_prefix("[Result pruned"), Some("" | " — re-run tool to retrieve")) {
        return true;
    }
    let tool = clip(&one_line(tool), Clip::End);
    let Some(rest) = bare.strip_prefix('[').and_then(|inner| inner.strip_prefix(tool.as_str())) else {
        return false;
    };
    let Some((subject, outcome)) = around_last(rest, " — ") else { return false };
    let subject_fits = subject.is_empty()
        || subject
            .strip_prefix(": ")
            .is_some_and(|key| !key.contains('\n') && utf16_length(key) <= PART_LIMIT);
    subject_fits && is_outcome(outcome)
}

/// `success`, `error`, with or without a size.
fn is_outcome(text: &str) -> bool {
    let Some(size) = text.strip_prefix("success").or_else(|| text.strip_prefix("error")) else {
        return false;
    };
    let Some(size) = size.strip_prefix(", ") else { return size.is_empty() };
    size.split_once(' ').is_some_and(|(number, unit)| {
        !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
            && matches!(unit, "lines" | "chars")
    })
}

/// A tool's name with the key parameter of a call.
fn subject(tool: &str, key_parameter: Option<&str>) -> String {
    let tool = clip(&one_line(tool), Clip::End);
    let key = key_parameter.map(one_line).filter(|key| !key.is_empty());
    // A path says most at its end, a command at its start.
    let keep =
        |key: &str| if key.contains(['/', '\\']) && !key.contains(' ') { Clip::Start } else { Clip::End };
    key.map_or(tool.clone(), |key| format!("{tool}: {}", clip(&key, keep(&key))))
}

fn one_line(text: &str) -> String {
    text.trim().chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

#[derive(Clone, Copy)]
enum Clip {
    Start,
    End,
}

/// At most 80 code units: 79 and an ellipsis, on the side that says least.
fn clip(text: &str, side: Clip) -> String {
    if utf16_length(text) <= PART_LIMIT {
        return text.to_owned();
    }
    let mut room = PART_LIMIT - 1;
    let mut fits = |character: &char| {
        let length = u32::from(character.len_utf16() == 2) + 1;
        let fits = length <= room;
        room = room.saturating_sub(length);
        fits
    };
    match side {
        Clip::End => text.chars().take_while(&mut fits).chain(['…']).collect(),
        Clip::Start => {
            let end: Vec<char> = text.chars().rev().take_while(&mut fits).collect();
            std::iter::once('…').chain(end.into_iter().rev()).collect()
        }
    }
}
