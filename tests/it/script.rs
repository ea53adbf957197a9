//! Histories as short text, so that a case and what comes of it can be read at a glance.
//!
//! ```text
//! human: words
//! ai: "words" | ~a thought | read_file#1 a.ts | grep#2 {"pattern":"x"}
//! tool: #1 result | #2! result of a failed call | #3= {"exit_code":1} | <media>
//! ```
//! Parts stand between ` | `. A call's bare argument is its `file_path`; a response has the tool's
//! name of the newest call with its id. `\n` is a line end, `x*60` sixty of them. Anything else is a
//! JSON block after `@`.

use std::collections::HashMap;

use densify::content::{Block, Content, KnownBlock, Speaker};
use serde_json::{Value, json};

/// The contents of a script.
#[track_caller]
pub fn parse(script: &str) -> Vec<Content> {
    let mut tools = HashMap::new();
    let lines = script.lines().map(str::trim).filter(|line| !line.is_empty());
    let entries: Vec<Value> = lines
        .map(|line| {
            let (speaker, parts) = line.split_once(':').unwrap();
            let parts = parts.trim().split(" | ").filter(|part| !part.is_empty());
            let blocks: Vec<Value> = parts.map(|part| block(part, speaker, &mut tools)).collect();
            json!({"speaker": speaker, "blocks": blocks})
        })
        .collect();
    entries.into_iter().map(|entry| serde_json::from_value(entry).unwrap()).collect()
}

fn block(part: &str, speaker: &str, tools: &mut HashMap<String, String>) -> Value {
    if let Some(raw) = part.strip_prefix('@') {
        return serde_json::from_str(raw).unwrap();
    }
    if let Some(thought) = part.strip_prefix('~') {
        return json!({"type": "thinking", "thought": text(thought)});
    }
    if part == "<media>" {
        return json!({"type": "media", "mimeType": "image/png", "data": "iVBORw0KGgo=", "encoding": "base64"});
    }
    if let Some(response) = part.strip_prefix('#') {
        return self::response(response, tools);
    }
    if speaker == "human" || part.starts_with('"') {
        return json!({"type": "text", "text": text(part.trim_matches('"'))});
    }
    let (name, rest) = part.split_once('#').unwrap();
    let (id, argument) = rest.split_once(' ').unwrap_or((rest, "{}"));
    let parameters = match argument.chars().next() {
        Some('{' | '[' | '"') => serde_json::from_str(argument).unwrap(),
        _ if argument == "null" => Value::Null,
        _ => json!({"file_path": argument}),
    };
    tools.insert(id.to_owned(), name.to_owned());
    json!({"type": "tool_call", "id": id, "name": name, "parameters": parameters})
}

fn response(part: &str, tools: &HashMap<String, String>) -> Value {
    let (id, payload) = part.split_once(' ').unwrap_or((part, ""));
    let (is_failed, is_json) = (id.ends_with('!'), id.ends_with('='));
    let id = id.trim_end_matches(['!', '=']);
    let tool = tools.get(id).map_or("unknown", String::as_str);
    let result = if is_json { serde_json::from_str(payload).unwrap() } else { Value::from(text(payload)) };
    let mut block = json!({"type": "tool_response", "callId": id, "toolName": tool, "result": result});
    if is_failed {
        block["error"] = json!("it failed");
    }
    block
}

fn text(written: &str) -> String {
    let words = written.split(' ').map(|word| match word.split_once('*') {
        Some((what, times)) if times.parse::<usize>().is_ok() => what.repeat(times.parse().unwrap()),
        _ => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ").replace("\\n", "\n").replace("\\r", "\r")
}

/// Contents as a script.
pub fn render(contents: &[Content]) -> String {
    let line = |content: &Content| {
        let speaker = match &content.speaker {
            Speaker::Human => "human",
            Speaker::Ai => "ai",
            Speaker::Tool => "tool",
            Speaker::Other(_) => "other",
        };
        let parts: Vec<String> = content.blocks.iter().map(|block| part(block, speaker)).collect();
        format!("{speaker}: {}\n", parts.join(" | "))
    };
    contents.iter().map(line).collect()
}

fn part(block: &Block, speaker: &str) -> String {
    let Block::Known(known) = block else { return format!("@{}", serde_json::to_string(block).unwrap()) };
    match known {
        KnownBlock::Text { text, .. } if speaker == "human" => written(text),
        KnownBlock::Text { text, .. } => format!("\"{}\"", written(text)),
        KnownBlock::Thinking { thought, .. } => format!("~{}", written(thought)),
        KnownBlock::Media { .. } => "<media>".to_owned(),
        KnownBlock::Code { .. } => format!("@{}", serde_json::to_string(block).unwrap()),
        KnownBlock::ToolCall { id, name, parameters, .. } => {
            let argument = match parameters.as_object() {
                Some(object) if object.len() == 1 && object.contains_key("file_path") => {
                    object["file_path"].as_str().unwrap_or("?").to_owned()
                }
                _ => parameters.to_string(),
            };
            let argument = if argument == "{}" { String::new() } else { format!(" {argument}") };
            format!("{}#{}{argument}", name.as_str().unwrap_or("?"), id.as_str().unwrap_or("?"))
        }
        KnownBlock::ToolResponse { call_id, result, error, .. } => {
            let mark = if error.is_some() { "!" } else { "" };
            let id = call_id.as_str().unwrap_or("?");
            match result {
                Some(Value::String(text)) => format!("#{id}{mark} {}", written(text)),
                Some(result) => format!("#{id}{mark}= {result}"),
                None => format!("#{id}{mark}"),
            }
        }
    }
}

/// A text with long runs of one character shortened.
fn written(text: &str) -> String {
    let first = text.chars().next();
    let count = text.chars().count();
    if count > 9 && text.chars().all(|character| Some(character) == first) {
        return format!("{}*{count}", first.unwrap_or_default());
    }
    text.replace('\n', "\\n").replace('\r', "\\r")
}

/// Asserts what comes of a script; both sides are written alike.
#[track_caller]
pub fn assert_script(contents: &[Content], expected: &str) {
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let rendered = render(contents);
    let rendered: Vec<&str> = rendered.lines().map(str::trim_end).collect();
    assert_eq!(rendered.join("\n"), expected.join("\n"));
}
