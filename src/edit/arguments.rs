//! Arguments of calls whose long strings give way to a short text.

use serde_json::Value;

use super::limits::may_shorten;
use super::texts::json_length;
use super::{Decision, Edit, Editor, Logged, Rule};
use crate::utf16::utf16_length;
use crate::view::{Block, View};

/// Strings of so many UTF-16 code units and more are long.
pub const LONG: u32 = 150;
/// Parameters of what stood there before, and of why: no later result shows them.
pub const KEPT_KEYS: [&str; 10] = [
    "old_string",
    "old_str",
    "oldText",
    "oldString",
    "old_text",
    "explanation",
    "instructions",
    "description",
    "reason",
    "prompt",
];

impl Editor {
    /// Puts a text in the place of the long strings among a call's arguments.
    pub fn shorten_arguments(
        &mut self,
        view: &mut View,
        index: u32,
        text: String,
        (rule, cause): (Rule, u32),
    ) -> Decision {
        if !may_shorten(view, index) || json_length(&text) > LONG {
            return Decision::Refused;
        }
        let Block { unit, .. } = *view.block(index);
        let edit =
            Edit::SetText { unit, block: index - view.unit(unit).first_block, text: self.add_text(text) };
        let pending = self.must_wait(view, &[unit]);
        self.replay(view, edit);
        if let Some(block) = view.block_mut(index) {
            self.ledger.edited(index, block, None);
        }
        self.log.push(Logged { edit, rule, cause, pending });
        self.count(rule);
        Decision::Accepted
    }
}

/// The JSON of arguments with a text in the place of each long string; keys stay.
#[must_use]
pub fn shortened(json: &str, text: &str) -> String {
    let short = quoted(text);
    let mut left = String::with_capacity(json.len());
    let mut rest = json;
    let mut is_kept = false;
    while let Some((before, literal)) = rest.split_once('"') {
        let (length, end) = literal_end(literal);
        let (inner, behind) = literal.split_at_checked(end).unwrap_or((literal, ""));
        left.push_str(before);
        let is_key = behind.get(1..).is_some_and(|behind| behind.trim_start().starts_with(':'));
        if is_key {
            is_kept = KEPT_KEYS.contains(&inner);
        }
        if length >= LONG && !is_key && !is_kept {
            left.push_str(&short);
        } else {
            left.push('"');
            left.push_str(inner);
            left.push('"');
        }
        rest = behind.get(1..).unwrap_or_default();
    }
    left.push_str(rest);
    left
}

/// Whether there is a long string among arguments; their measured size may leave out what lies deeper.
#[must_use]
pub fn has_long(json: &str) -> bool {
    shortened(json, "").len() < json.len()
}

/// A text of ours, which has no control characters, as JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        if matches!(character, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted.push('"');
    quoted
}

/// The length of a string of JSON from behind its opening quote on, and where it ends.
fn literal_end(literal: &str) -> (u32, usize) {
    let (mut length, mut bytes) = (0_u32, literal.char_indices());
    while let Some((at, character)) = bytes.next() {
        match character {
            '"' => return (length, at),
            '\\' => {
                if bytes.next().is_some_and(|(_, escaped)| escaped == 'u') {
                    bytes.nth(3);
                }
                length += 1;
            }
            _ => length += u32::from(character.len_utf16() == 2) + 1,
        }
    }
    (length, literal.len())
}

/// The same of a value.
pub(super) fn shorten(value: &mut Value, text: &str) {
    shorten_under(false, value, text);
}

/// The same of what stands under a key.
fn shorten_under(is_kept: bool, value: &mut Value, text: &str) {
    match value {
        Value::String(string) if !is_kept && utf16_length(string) >= LONG => text.clone_into(string),
        Value::Array(list) => list.iter_mut().for_each(|value| shorten_under(is_kept, value, text)),
        Value::Object(members) => {
            for (key, value) in members.iter_mut() {
                shorten_under(KEPT_KEYS.contains(&key.as_str()), value, text);
            }
        }
        _ => {}
    }
}
