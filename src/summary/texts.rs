//! Small things that are done with texts.

use serde_json::Value;

use super::History;
use crate::view::{Kind, Leaf, LeafAddress, flags};

/// A leaf's text.
#[inline(never)] // Twice the same is twice the size.
pub(super) fn read(history: History<'_>, address: LeafAddress) -> String {
    let mut text = String::new();
    history.source.read(address, &mut |chunk| text.push_str(chunk));
    text
}

/// A text as JSON; null if it is none.
pub(super) fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

/// The text of a block that holds text, or of a response as the model sees it.
#[inline(never)] // Twice the same is twice the size.
pub(super) fn text_leaf(history: History<'_>, index: u32) -> Option<LeafAddress> {
    let block = history.view.block(index);
    let leaf = match block.kind {
        Kind::Text | Kind::Code | Kind::Thinking => Leaf::Text,
        Kind::ToolResponse if block.has(flags::FIXED_RESULT) => return None,
        Kind::ToolResponse if block.flags & (flags::STRING_RESULT | flags::OUTPUT_RESULT) != 0 => Leaf::Text,
        Kind::ToolResponse | Kind::ToolCall | Kind::Opaque => Leaf::Json,
        Kind::Media => return None,
    };
    Some(history.view.leaf(index, leaf))
}

/// A unit's top-level texts, one line end between neighbours.
pub(super) fn unit_text(history: History<'_>, unit: u32) -> String {
    let mut text = String::new();
    for index in history.view.blocks_of(unit) {
        if history.view.block(index).kind == Kind::Text {
            if !text.is_empty() {
                text.push('\n');
            }
            history.source.read(history.view.leaf(index, Leaf::Text), &mut |chunk| text.push_str(chunk));
        }
    }
    text
}

/// A text with every run of white space as one blank, and quotation marks as on a typewriter.
#[inline(never)] // Twice the same is twice the size.
pub(super) fn normalize(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(word.chars().map(|character| match character {
            '\u{2018}' | '\u{2019}' => '\'',
            '\u{201c}' | '\u{201d}' => '"',
            other => other,
        }));
    }
    out
}

/// The first UTF-16 code units of a text, never half a character.
#[inline(never)] // Twice the same is twice the size.
pub(super) fn prefix(text: &str, units: u32) -> &str {
    let mut left = units as usize;
    let end = text.char_indices().find(|(_, character)| match left.checked_sub(character.len_utf16()) {
        Some(rest) => {
            left = rest;
            false
        }
        None => true,
    });
    end.map_or(text, |(at, _)| text.get(..at).unwrap_or_default())
}

/// Joins texts with line ends.
pub(super) fn lines<'text>(parts: impl IntoIterator<Item = &'text str>) -> String {
    let mut text = String::new();
    for part in parts {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(part);
    }
    text
}

/// The beginning of a text, and `…` if there is more.
pub(super) fn clipped(text: &str, units: u32) -> String {
    let start = prefix(text, units);
    if start.len() < text.len() { [start, "…"].concat() } else { text.to_owned() }
}
