//! A model's reply, read: what would be stored of it, or why nothing can be.

use super::types::Code;
use crate::prompt::{Framing, structured_headings};

/// What opens a snapshot.
pub(super) const OPEN: &str = "<state_snapshot>";
/// What closes a snapshot.
pub(super) const CLOSE: &str = "</state_snapshot>";
/// Where a model thinks aloud. The first is the prompt's own; the others are habits of models, and only
/// before the summary they can't be part of it.
const PRIVATE: [(&str, &str); 3] =
    [("<scratchpad>", "</scratchpad>"), ("<think>", "</think>"), ("<thinking>", "</thinking>")];
/// What lines of a reply begin with that calls a tool or shows the model's own protocol.
const JUNK: &[&str] = &[
    "<tool_call>",
    "<tool_calls>",
    "<function_call>",
    "<function_calls>",
    "<invoke ",
    "<function=",
    "<|tool",
    "<|im_start|>",
    "<|im_end|>",
    "<|channel|>",
    "<|python_tag|>",
    "<|start_header_id|>",
    "[TOOL_CALLS]",
    "{\"tool_calls\"",
    "{\"function_call\"",
    "{\"name\":\"",
    "{\"name\": \"",
    "<|assistant|>",
    "<|user|>",
    "<|start|>",
];

/// What would be stored of a reply.
pub(super) fn body_of(reply: &str, framing: Framing, overridden: bool) -> Result<String, Code> {
    let text = reply.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err(Code::Empty);
    }
    let text = without_private(text).ok_or(Code::CutOff)?;
    let text = text.trim();
    let body = if overridden {
        // Its form is the caller's, whatever tags stand in it.
        if ends_in_tag(text) || has_open_fence(text) || has_open_snapshot(text) {
            return Err(Code::CutOff);
        }
        if text.replace(OPEN, "").replace(CLOSE, "").trim().is_empty() {
            return Err(Code::Empty);
        }
        text.to_owned()
    } else if text.contains(OPEN) && framing != Framing::Structured {
        snapshot(text, framing)?
    } else if framing == Framing::Structured {
        markdown(text)?
    } else {
        return Err(if has_junk(text) {
            Code::ProtocolJunk
        } else if ends_in_tag(text) {
            Code::CutOff
        } else {
            Code::Incomplete
        });
    };
    if body.trim().is_empty() {
        return Err(Code::Empty);
    }
    if !overridden && has_junk(&body) { Err(Code::ProtocolJunk) } else { Ok(body) }
}

/// A needle, and where it stands next; each text is searched once, however many needles it holds.
struct Finder<'text> {
    text: &'text str,
    needle: &'text str,
    at: Option<usize>,
}

impl<'text> Finder<'text> {
    fn new(text: &'text str, needle: &'text str) -> Self {
        Self { text, needle, at: text.find(needle) }
    }

    fn from(&mut self, start: usize) -> Option<usize> {
        if self.at.is_some_and(|at| at < start) {
            let rest = self.text.get(start..).unwrap_or_default();
            self.at = rest.find(self.needle).map(|at| at + start);
        }
        self.at
    }
}

/// A reply without what the model thought aloud; `None` if it ends there.
fn without_private(text: &str) -> Option<String> {
    let mut open = PRIVATE.map(|(open, _)| Finder::new(text, open));
    let mut close = PRIVATE.map(|(_, close)| Finder::new(text, close));
    let mut snapshot = Finder::new(text, OPEN);
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    let mut is_inside = false;
    loop {
        let first =
            open.iter_mut().enumerate().filter_map(|(kind, finder)| Some((finder.from(at)?, kind))).min();
        let Some((start, kind)) = first else { break };
        is_inside |= snapshot.from(at).is_some_and(|snapshot| snapshot < start);
        if is_inside && kind > 0 {
            break;
        }
        let closing = PRIVATE.get(kind).map_or("", |(_, close)| *close);
        match close.get_mut(kind).and_then(|finder| finder.from(start)) {
            Some(end) => {
                kept.push_str(text.get(at..start).unwrap_or_default());
                at = end + closing.len();
            }
            // In a summary it is a word like any other.
            None if is_inside => break,
            None => {
                // Never closed, but the summary may follow all the same.
                kept.push_str(text.get(at..start).unwrap_or_default());
                at = snapshot.from(start)?;
                break;
            }
        }
    }
    kept.push_str(text.get(at..).unwrap_or_default());
    Some(kept)
}

/// Whether a snapshot begins on a line of its own and doesn't end.
fn has_open_snapshot(text: &str) -> bool {
    let last = text.rsplit_once(CLOSE).map_or(text, |(_, rest)| rest);
    last.lines().any(|line| line.trim_start().starts_with(OPEN))
}

/// The snapshot of a reply: of several the one with the most sections, the last one among equals.
fn snapshot(text: &str, framing: Framing) -> Result<String, Code> {
    let mut best: Option<(usize, &str)> = None;
    let mut rest = text;
    let mut is_open = false;
    while let Some((_, after)) = rest.split_once(OPEN) {
        let Some((inner, after)) = after.split_once(CLOSE) else {
            is_open = true;
            break;
        };
        let sections = framing.sections().iter().filter(|known| section(inner, known.name).is_some()).count();
        if best.is_none_or(|(most, _)| sections >= most) {
            best = Some((sections, inner));
        }
        rest = after;
    }
    match best {
        // The model began again and didn't get to the end: what it had finished before counts.
        Some((_, inner)) if inner.trim().is_empty() => Err(Code::Incomplete),
        Some((_, inner)) => {
            Ok([OPEN, "\n", inner.trim_matches(['\n', '\r']).trim_end(), "\n", CLOSE].concat())
        }
        None if is_open => Err(Code::CutOff),
        None => Err(Code::Incomplete),
    }
}

/// A structured summary, from its first heading on.
fn markdown(text: &str) -> Result<String, Code> {
    let goal = structured_headings().next().unwrap_or_default();
    let mut offset = 0;
    let mut fences = 0;
    for line in text.split_inclusive('\n') {
        if is_heading(line, goal) {
            let mut body = text.get(offset..).unwrap_or_default().trim_end();
            if fences % 2 == 1 {
                // All of it stood in a fence.
                body = body.strip_suffix("```").unwrap_or(body).trim_end();
            }
            return if has_open_fence(body) || ends_in_tag(body) {
                Err(Code::CutOff)
            } else {
                Ok(body.to_owned())
            };
        }
        fences += usize::from(line.trim_start().starts_with("```"));
        offset += line.len();
    }
    Err(if has_junk(text) { Code::ProtocolJunk } else { Code::Incomplete })
}

/// Whether a line is a heading; a colon behind it changes nothing.
pub(super) fn is_heading(line: &str, heading: &str) -> bool {
    line.trim().trim_end_matches(':').eq_ignore_ascii_case(heading)
}

/// What stands between a section's tags.
pub(super) fn section<'text>(body: &'text str, name: &str) -> Option<&'text str> {
    let (_, rest) = body.split_once(&["<", name, ">"].concat())?;
    rest.split_once(&["</", name, ">"].concat()).map(|(inner, _)| inner)
}

fn has_open_fence(text: &str) -> bool {
    text.lines().filter(|line| line.trim_start().starts_with("```")).count() % 2 == 1
}

/// Whether a text ends in the middle of a tag.
fn ends_in_tag(text: &str) -> bool {
    let Some((_, tag)) = text.rsplit_once('<') else { return false };
    let name = tag.strip_prefix('/').unwrap_or(tag);
    tag.len() < 40
        && name.chars().all(|character| character.is_ascii_lowercase() || matches!(character, '_' | '-'))
}

/// Whether a line outside fenced code begins with the syntax of a call.
fn has_junk(text: &str) -> bool {
    let mut is_code = false;
    text.lines().any(|line| {
        let line = line.trim_start();
        if line.starts_with("```") {
            is_code = !is_code;
        }
        !is_code && JUNK.iter().any(|junk| line.starts_with(junk))
    })
}
