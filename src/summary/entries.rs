//! Entries of a history as text for a request. Each stands under a header line with a mark that depends
//! on the content of the whole range, so no text in the history can pass for an entry.

use std::borrow::Cow;

use super::History;
use super::texts::{clipped, prefix, read, text_leaf};
use super::types::Segment;
use super::voices::name_of;
use crate::prompt::one_line;
use crate::utf16::utf16_length;
use crate::view::{Kind, Leaf, Speaker, View, flags};

/// What stands before the message of a failed call.
const ERROR: &str = "error: ";
/// The outcome of a call that the user didn't allow.
pub(super) const REFUSED: &str = "refused by the user";
/// The shown part of an unknown block, in UTF-16 code units.
const UNKNOWN_LIMIT: u32 = 4_000;
/// Longest name that is shown of a tool or a file.
const NAME_LIMIT: u32 = 120;

/// An entry as text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    /// The unit.
    pub unit: u32,
    /// Its text, header line first, with a line end behind it.
    pub segments: Vec<Segment>,
}

/// Writes a unit; `None` if nothing of it can be shown (thinking is left out).
pub(super) fn entry(history: History<'_>, unit: u32, mark: &str) -> Option<Entry> {
    let mut writer = Writer { history, segments: Vec::new(), pending: String::new() };
    let speaker = match history.view.unit(unit).speaker {
        Speaker::Human => "user",
        Speaker::Ai => "assistant",
        Speaker::Tool => "tool",
        Speaker::Other => "other",
    };
    let is_human = history.view.unit(unit).speaker == Speaker::Human;
    let name = is_human.then(|| name_of(history, unit)).flatten();
    let name = name.map(|name| [" ", &name].concat()).unwrap_or_default();
    let mut is_headed = false;
    for index in history.view.blocks_of(unit) {
        let block = history.view.block(index);
        let is_response = block.kind == Kind::ToolResponse;
        if block.kind == Kind::Thinking || block.kind == Kind::Text && block.has(flags::BLANK) {
            continue;
        }
        if is_response {
            writer.response_header(mark, index);
            is_headed = false;
        } else if !is_headed {
            writer.text(&["\n[", mark, " ", speaker, &name, "]\n"]);
            is_headed = true;
        }
        writer.block(index);
    }
    writer.flush();
    (!writer.segments.is_empty()).then_some(Entry { unit, segments: writer.segments })
}

/// Collects segments; texts of ours that stand side by side become one.
struct Writer<'history> {
    history: History<'history>,
    segments: Vec<Segment>,
    pending: String,
}

impl Writer<'_> {
    fn text(&mut self, parts: &[&str]) {
        for part in parts {
            self.pending.push_str(part);
        }
    }

    fn flush(&mut self) {
        if !self.pending.is_empty() {
            self.segments.push(Segment::Text(std::mem::take(&mut self.pending)));
        }
    }

    fn leaf(&mut self, segment: Segment) {
        self.flush();
        self.segments.push(segment);
    }

    fn response_header(&mut self, mark: &str, index: u32) {
        let block = self.history.view.block(index);
        let name = self.history.view.names.tool_name(block.tool);
        let name = if name.is_empty() {
            // A response may not say of which tool it is; its call does.
            let call = self.history.view.partner(index).map(|call| self.history.view.block(call).tool);
            call.map_or("", |tool| self.history.view.names.tool_name(tool))
        } else {
            name
        };
        let name = shown(name);
        let outcome = if block.has(flags::FAILED) { ", failed" } else { "" };
        self.text(&["\n[", mark, " tool result: ", &name, outcome, "]\n"]);
    }

    fn block(&mut self, index: u32) {
        let view = self.history.view;
        let block = view.block(index);
        match block.kind {
            Kind::Text => self.leaf(Segment::Leaf(view.leaf(index, Leaf::Text))),
            Kind::Code => {
                self.text(&["```\n"]);
                self.leaf(Segment::Leaf(view.leaf(index, Leaf::Text)));
                self.text(&["\n```"]);
            }
            Kind::ToolCall => {
                self.text(&[&call_opening(view, index)]);
                self.leaf(Segment::Leaf(view.leaf(index, Leaf::Json)));
                self.text(&[")"]);
            }
            Kind::ToolResponse => self.response(index),
            Kind::Media => self.media(index),
            Kind::Opaque => self.unknown(index),
            Kind::Thinking => {}
        }
        self.text(&["\n"]);
    }

    fn response(&mut self, index: u32) {
        let view = self.history.view;
        if let Some(address) = text_leaf(self.history, index) {
            self.leaf(Segment::Leaf(address));
        }
        let detail = view.leaf(index, Leaf::Detail);
        let has_detail = view.block(index).has(flags::FAILED) && !read(self.history, detail).is_empty();
        if has_detail || view.block(index).has(flags::REFUSED) {
            self.text(&["\n", &detail_opening(view, index)]);
        }
        if has_detail {
            self.leaf(Segment::Leaf(detail));
        }
    }

    fn media(&mut self, index: u32) {
        let view = self.history.view;
        let mime = read(self.history, view.leaf(index, Leaf::KeyParameter));
        let name = read(self.history, view.leaf(index, Leaf::Detail));
        let kind =
            ["image", "audio", "video"].into_iter().find(|kind| mime.starts_with(kind)).unwrap_or("file");
        let name = shown(if name.trim().is_empty() { &mime } else { &name });
        self.text(&["[", kind, ": ", &name, "]"]);
    }

    fn unknown(&mut self, index: u32) {
        let address = self.history.view.leaf(index, Leaf::Json);
        let text = read(self.history, address);
        let (all, shown) = (utf16_length(&text), utf16_length(prefix(&text, UNKNOWN_LIMIT)));
        if all == shown {
            self.leaf(Segment::Leaf(address));
        } else {
            self.leaf(Segment::Span(address, 0, shown));
            self.text(&["\n[", &(all - shown).to_string(), " more characters of this block aren't shown]"]);
        }
    }
}

/// What stands before the parameters of a call.
pub(super) fn call_opening(view: &View, index: u32) -> String {
    [&*shown(view.names.tool_name(view.block(index).tool)), "("].concat()
}

/// What stands before the detail of a failed response.
pub(super) fn detail_opening(view: &View, index: u32) -> String {
    if view.block(index).has(flags::REFUSED) { [REFUSED, ": "].concat() } else { ERROR.to_owned() }
}

/// A name on one line, cut if it is long.
fn shown(name: &str) -> Cow<'_, str> {
    if name.len() <= NAME_LIMIT as usize && name.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(clipped(&one_line(name), NAME_LIMIT))
}
