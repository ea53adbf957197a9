//! Summaries: what is asked for, how a reply is judged, and what becomes of the history.

mod apply;
mod digest;
mod digest_answers;
mod digest_errors;
mod digest_paths;
mod digest_words;
mod directives;
mod faults;
mod forgery;
mod hostile;
mod laundering;
mod overrides;
mod properties;
mod real;
mod request;
mod screen;
mod split;
mod substance;
mod ten_times;

use densify::content::Content;
use densify::summary::{Outcome, Planned, Request, SummarySettings, message_text, request_contents};
use serde_json::{Value, json};

use crate::support::{contents, options};

/// Entry of the user's.
pub fn human(text: impl Into<String>) -> Value {
    json!({"speaker": "human", "blocks": [{"type": "text", "text": text.into()}]})
}

/// Entry of the model's.
pub fn ai(text: impl Into<String>) -> Value {
    json!({"speaker": "ai", "blocks": [{"type": "text", "text": text.into()}]})
}

/// The model reads a file, and the host answers.
pub fn reads(id: &str, path: &str, result: impl Into<String>) -> [Value; 2] {
    calls(id, "read_file", json!({"file_path": path}), json!(result.into()))
}

/// The model calls a tool, and the host answers.
pub fn calls(id: &str, name: &str, parameters: Value, result: Value) -> [Value; 2] {
    [
        json!({"speaker": "ai", "blocks": [{"type": "tool_call", "id": id, "name": name, "parameters": parameters}]}),
        json!({"speaker": "tool", "blocks": [
            {"type": "tool_response", "callId": id, "toolName": name, "result": result}]}),
    ]
}

/// A history with so many turns: a request, a read, an answer.
pub fn turns(count: usize) -> Vec<Value> {
    let mut history = Vec::new();
    for turn in 0..count {
        history.push(human(format!("Please look into item {turn} of the list, as we agreed yesterday.")));
        let text = format!("line of file {turn} with some words in it\n").repeat(40);
        history.extend(reads(&format!("c{turn}"), &format!("src/file{turn}.rs"), text));
        history.push(ai(format!("Item {turn} is done: the file has what it needs.")));
    }
    history
}

/// Settings of a strategy with further options.
pub fn settings(strategy: &str, more: Value) -> SummarySettings {
    let mut all = json!({"strategy": strategy});
    for (key, value) in more.as_object().unwrap() {
        all[key] = value.clone();
    }
    options(all)
}

/// The request for a history.
#[track_caller]
pub fn asked(history: &[Content], settings: &SummarySettings) -> Request {
    match request_contents(history, settings).unwrap() {
        Planned::Request(request) => *request,
        Planned::Noop { reason } => panic!("nothing to ask for: {reason:?}"),
    }
}

/// A request's texts, one behind the other.
pub fn text_of(history: &[Content], request: &Request) -> String {
    let texts: Vec<String> =
        request.messages.iter().map(|message| message_text(history, message, "")).collect();
    texts.join("\n")
}

/// A reply with all sections of a strategy; some are given.
pub fn reply(strategy: &str, given: &[(&str, &str)]) -> String {
    let middle = ["current_progress", "active_tasks", "open_questions"];
    let whole = ["file_system_state", "recent_actions", "current_plan"];
    let own = if strategy == "middle-out" { middle } else { whole };
    let last = ["task_context", "user_directives", "errors_encountered", "code_references"];
    let mut text = "<scratchpad>what matters here?</scratchpad>\n<state_snapshot>\n".to_owned();
    for name in ["overall_goal", "key_knowledge"].into_iter().chain(own).chain(last) {
        let usual = if name == "overall_goal" { "Look into the items of the list." } else { "None." };
        let content =
            given.iter().find(|(section, _)| *section == name).map_or(usual, |(_, content)| content);
        text += &format!("<{name}>\n{content}\n</{name}>\n");
    }
    text + "</state_snapshot>"
}

/// A structured reply.
pub const STRUCTURED: &str = "## Goal\nFinish the list.\n\n## Constraints & Preferences\n- (none)\n\n## Progress\n### Done\n- [x] item 0\n\n### In Progress\n- [ ] item 1\n\n### Blocked\n- (none)\n\n## Key Decisions\n- (none)\n\n## Next Steps\n1. item 2\n\n## Critical Context\n- (none)";

/// The history after a compaction; the reply must be usable.
#[track_caller]
pub fn compacted(history: &[Content], settings: &SummarySettings, reply: &str) -> (Vec<Content>, Outcome) {
    let request = asked(history, settings);
    let (outcome, contents) =
        densify::summary::apply_contents(history, &request.plan, reply, settings).unwrap();
    let contents = contents.unwrap_or_else(|| panic!("not applied: {outcome:?}"));
    (contents, outcome)
}

/// Contents from a list of entries.
#[track_caller]
pub fn history(entries: Vec<Value>) -> Vec<Content> {
    contents(Value::Array(entries))
}

/// A content's texts.
pub fn text(content: &Content) -> String {
    let value = serde_json::to_value(content).unwrap();
    let blocks = value["blocks"].as_array().unwrap().clone();
    blocks.iter().filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n")
}
