//! Facts about single blocks, read afresh each time.

use densify::content::{Block, Content, KnownBlock};
use densify::tokens::estimate::{estimate, media_tokens};
use serde_json::Value;

/// Length in UTF-16 code units.
pub fn utf16(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Length of the JSON in UTF-16 code units.
pub fn json_length(value: &Value) -> usize {
    utf16(&value.to_string())
}

pub fn is_truthy(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        Some(Value::String(text)) => !text.is_empty(),
        Some(_) => true,
    }
}

/// Whether a response shows that its call failed.
pub fn is_failure(result: Option<&Value>, error: Option<&Value>) -> bool {
    let code = |key: &str| match result.and_then(|result| result.get(key)) {
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        _ => false,
    };
    let structured = result.filter(|result| result.is_object()).and_then(|result| result.get("error"));
    let is = |key: &str, value: Value| result.and_then(|result| result.get(key)) == Some(&value);
    let says = is("success", false.into()) || is("ok", false.into()) || is("isError", true.into());
    let statuses = ["failed", "error", "cancelled", "canceled", "rejected"];
    let has_ended = statuses.iter().any(|&status| is("status", status.into()));
    says || has_ended || is_truthy(error) || is_truthy(structured) || code("exit_code") || code("exitCode")
}

/// At most 80 units of a tool's name, as it stands in a summary line.
pub fn short_name(tool: &str) -> String {
    let line: String = tool.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if utf16(&line) <= 80 {
        return line;
    }
    let mut short = String::new();
    for character in line.chars() {
        if utf16(&short) + character.len_utf16() > 79 {
            break;
        }
        short.push(character);
    }
    short + "…"
}

/// A text without ` (recall r…)` before its last bracket.
fn without_reference(text: &str) -> String {
    let Some((bare, rest)) = text.rsplit_once(" (recall r") else { return text.to_owned() };
    let is_reference = rest.len() == 15 && rest.ends_with(")]");
    if is_reference { format!("{bare}]") } else { text.to_owned() }
}

/// Whether a payload is the pointer, or a summary line of its tool.
pub fn is_compacted(result: Option<&Value>, tool: &Value) -> bool {
    let Some(text) = result.and_then(Value::as_str) else { return false };
    let text = &without_reference(text);
    if text == "[Result pruned — re-run tool to retrieve]" {
        return true;
    }
    let name = short_name(tool.as_str().unwrap_or_default());
    let Some(inner) = text.strip_prefix(&format!("[{name}")).and_then(|rest| rest.strip_suffix(']')) else {
        return false;
    };
    let mut outcomes = vec!["success".to_owned(), "error".to_owned()];
    let digits: String = inner.chars().filter(char::is_ascii_digit).collect();
    for start in 0..digits.len() {
        for outcome in ["success", "error"] {
            for unit in ["lines", "chars"] {
                outcomes.push(format!("{outcome}, {} {unit}", &digits[start..]));
            }
        }
    }
    outcomes.iter().any(|outcome| {
        let subject = inner.strip_suffix(&format!(" — {outcome}"));
        subject.is_some_and(|subject| {
            let key = subject.strip_prefix(": ");
            subject.is_empty() || key.is_some_and(|key| !key.contains('\n') && utf16(key) <= 80)
        })
    })
}

/// What an entry costs by the estimator.
pub fn tokens_of(content: &Content) -> u64 {
    content.blocks.iter().map(|block| u64::from(block_tokens(block))).sum()
}

fn block_tokens(block: &Block) -> u32 {
    let json = |value: &Value| estimate(&value.to_string());
    match block {
        Block::Unknown(value) => json(value),
        Block::Known(KnownBlock::Text { text, .. }) => estimate(text),
        Block::Known(KnownBlock::Thinking { thought, .. }) => estimate(thought),
        Block::Known(KnownBlock::Code { code, .. }) => estimate(code),
        Block::Known(KnownBlock::ToolCall { name, parameters, .. }) => {
            json(parameters) + estimate(name.as_str().unwrap_or_default())
        }
        Block::Known(KnownBlock::ToolResponse { result, error, .. }) => match result {
            None | Some(Value::Null) if is_truthy(error.as_ref()) => match error {
                Some(Value::String(message)) => estimate(message),
                error => error.as_ref().map_or(0, json),
            },
            None => 0,
            Some(Value::String(text)) => estimate(text),
            Some(value) => json(value),
        },
        Block::Known(KnownBlock::Media { mime_type, data, rest }) => {
            let is_url = rest.get("encoding") == Some(&Value::String("url".to_owned()));
            let units = if is_url { 0 } else { data.as_str().map_or(0, utf16) };
            media_tokens(mime_type.as_str().unwrap_or_default(), u32::try_from(units * 3 / 4).unwrap())
        }
    }
}
