//! Arguments of calls whose long strings give way to a short text.

use serde_json::{Map, Value};

use super::limits::may_shorten;
use super::stand_in::REFERENCE;
use super::texts::json_length;
use super::{Decision, Edit, Editor, RuleName, referring};
use crate::utf16::utf16_length;
use crate::view::{Block, Leaf, TextSource, View};

/// Strings of so many UTF-16 code units and more are long.
pub const LONG: u32 = 150;
/// Parameters that hold new file content, which a later result can show in full; no other one gives way.
pub const WRITTEN_KEYS: [&str; 8] =
    ["content", "file_text", "contents", "new_string", "new_str", "newText", "newString", "new_text"];
/// The parameter with changes that a call makes one after the other.
const PARTS: &str = "edits";

impl Editor {
    /// Replaces the long strings that a call wrote by a text, if that saves tokens.
    pub fn shorten_arguments(
        &mut self,
        view: &mut View,
        source: &dyn TextSource,
        (index, mut text): (u32, String),
        (rule, cause): (RuleName, u32),
    ) -> Decision {
        let length = json_length(&text);
        if !may_shorten(view, index) || length > LONG {
            return Decision::Refused;
        }
        // A longer text would be cut again.
        if length + REFERENCE <= LONG {
            text = referring(view, source, index, &text).unwrap_or(text);
        }
        let json = view.text(source, index, Leaf::Json);
        if !self.is_cheaper(view, source, index, &shortened(&json, &text)) {
            return Decision::Refused;
        }
        let Block { unit, .. } = *view.block(index);
        let edit =
            Edit::SetText { unit, block: index - view.unit(unit).first_block, text: self.add_text(text) };
        let wait = self.must_wait(view, &[unit], &[]);
        self.replay(view, edit);
        if let Some(block) = view.block_mut(index) {
            self.ledger.edited(index, block, None);
        }
        self.log.push(wait.log(edit, (rule, cause)));
        self.count(rule);
        Decision::Accepted
    }
}

/// The JSON of arguments with a text in the place of each long string that was written; all else stays.
#[must_use]
pub fn shortened(json: &str, text: &str) -> String {
    let short = quoted(text);
    let mut left = String::with_capacity(json.len());
    let mut rest = json;
    // What opened around the string, and the last key there and among all arguments.
    let (mut around, mut key, mut outer) = (Vec::new(), "", "");
    while let Some((before, literal)) = rest.split_once('"') {
        for byte in before.bytes() {
            match byte {
                b'{' | b'[' => around.push(byte),
                b'}' | b']' => _ = around.pop(),
                _ => {}
            }
        }
        let (length, end) = literal_end(literal);
        let (inner, behind) = literal.split_at_checked(end).unwrap_or((literal, ""));
        left.push_str(before);
        let is_key = behind.get(1..).is_some_and(|behind| behind.trim_start().starts_with(':'));
        if is_key {
            key = inner;
            if around.len() == 1 {
                outer = inner;
            }
        }
        let is_written = around == b"{" || around == b"{[{" && outer == PARTS;
        if length >= LONG && !is_key && is_written && WRITTEN_KEYS.contains(&key) {
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

/// The texts among arguments that a call put into its file.
#[must_use]
pub fn written(parameters: &Value) -> Vec<&str> {
    let parts = parameters.get(PARTS).and_then(Value::as_array);
    let members = std::iter::once(parameters).chain(parts.into_iter().flatten()).filter_map(Value::as_object);
    let texts = members.flatten().filter(|(key, _)| WRITTEN_KEYS.contains(&key.as_str()));
    texts.filter_map(|(_, value)| value.as_str()).collect()
}

/// Whether there is a long string among what was written; the measured size may leave out what lies deeper.
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

/// What [`shortened`] does, of a value.
pub(super) fn shorten(parameters: &mut Value, text: &str) {
    let Some(members) = parameters.as_object_mut() else { return };
    if let Some(parts) = members.get_mut(PARTS).and_then(Value::as_array_mut) {
        parts.iter_mut().filter_map(Value::as_object_mut).for_each(|part| shorten_written(part, text));
    }
    shorten_written(members, text);
}

fn shorten_written(members: &mut Map<String, Value>, text: &str) {
    for (key, value) in members {
        if let Value::String(string) = value
            && WRITTEN_KEYS.contains(&key.as_str())
            && utf16_length(string) >= LONG
        {
            text.clone_into(string);
        }
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::{LONG, has_long, shorten, shortened, written};
    use proptest::prelude::*;
    use serde_json::Value;

    fn values() -> impl Strategy<Value = Value> {
        let keys = prop::sample::select(vec!["content", "newText", "edits", "notes", "path"]);
        let text = (prop::sample::select(vec!["a", "\"", "\\", "{", "é😀"]), 0_usize..200);
        let leaf = prop_oneof![text.prop_map(|(part, count)| part.repeat(count).into()), Just(Value::Null)];
        leaf.prop_recursive(4, 24, 4, move |inner| {
            let members = prop::collection::vec((keys.clone(), inner.clone()), 0..4);
            prop_oneof![
                prop::collection::vec(inner, 0..4).prop_map(Value::from),
                members.prop_map(|members| members
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value))
                    .collect()),
            ]
        })
    }

    proptest! {
        #![proptest_config(crate::cases::cases(1000))]
        #[test]
        fn text_and_value_lose_the_same_and_only_what_was_written(value in values()) {
            let json = value.to_string();
            let mut after = value.clone();
            shorten(&mut after, "[… \"q\"]");
            prop_assert_eq!(shortened(&json, "[… \"q\"]"), after.to_string());
            let long = |text: &&str| text.encode_utf16().count() >= LONG as usize;
            prop_assert_eq!(has_long(&json), written(&value).iter().any(long));
        }
    }
}
