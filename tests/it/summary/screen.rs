//! Whether a message holds nothing to redact is known from its texts, without a look at the whole.

use densify::redact::redact;
use densify::summary::{History, Message, Planned, Screen, message_text, request};
use densify::tools::ToolTable;
use densify::view::{Capabilities, ContentSource, Names, View, push_contents};
use serde_json::{Value, json};

use super::{ai, calls, human, settings, turns};
use crate::support::contents;

/// Of each message of a request its text, and whether it is said to be clean.
fn screened(history: &[Value]) -> Vec<(String, bool)> {
    let history = contents(json!(history));
    let mut view = View::new(Names::new("/"), Capabilities::default());
    push_contents(&mut view, &mut ContentSource::default(), &history);
    let source = history.as_slice();
    let screen = Screen::new(&view, &source);
    let lazy = Screen::new(&view, &source).at_leisure();
    let tools = ToolTable::with(&[]);
    let settings = settings("one-shot", json!({"preserve": {"messages": 0}}));
    let planned = request(History { view: &view, source: &screen, tools: &tools }, &settings).unwrap();
    let Planned::Request(request) = planned else { panic!("{planned:?}") };
    let of = |message: &Message| {
        let is_clean = screen.is_clean(&message.segments);
        assert_eq!(lazy.is_clean(&message.segments), is_clean, "what is looked at later is judged alike");
        (message_text(&history, message, ""), is_clean)
    };
    request.messages.iter().map(of).collect()
}

/// Ordinary turns, and what else a request has a form for.
fn ordinary() -> Vec<Value> {
    let mut history = turns(5);
    history.extend(calls(
        "x",
        "fetch",
        json!({"headers": {"accept": "*/*"}}),
        json!({"status": 200, "body": "ok"}),
    ));
    history.push(json!({"speaker": "ai", "blocks": [
        {"type": "code", "code": "let session: u8 = 438;"},
        {"type": "tool_call", "id": "y", "name": "shell", "parameters": {"command": "ls -la"}}]}));
    history.push(json!({"speaker": "tool", "blocks": [
        {"type": "tool_response", "callId": "y", "toolName": "shell", "result": "", "error": "no such folder"}]}));
    history.push(json!({"speaker": "human", "blocks": [
        {"type": "media", "mimeType": "image/png", "data": "", "encoding": "url", "filename": "a.png"}]}));
    history.push(ai("done"));
    history
}

#[test]
fn an_ordinary_history_is_clean() {
    for (text, is_clean) in screened(&ordinary()) {
        assert!(is_clean, "{text}");
    }
}

#[test]
fn a_credential_anywhere_is_seen() {
    let token = format!("ghp_{}", "aB3dE6gH9k".repeat(4));
    let planted = [
        vec![human(format!("it is {token}"))],
        vec![ai(format!("line\n{token}"))],
        calls("z", "fetch", json!({"auth": token.clone()}), json!("ok")).to_vec(),
        calls("z", "fetch", json!({}), json!({"token": token.clone()})).to_vec(),
        calls("z", "fetch", json!({}), json!(format!("{}{token}", "line\n".repeat(20_000)))).to_vec(),
        calls("z", &token, json!({}), json!("ok")).to_vec(),
        // A password only behind what stands before the message of an error.
        vec![
            json!({"speaker": "ai", "blocks": [
                {"type": "tool_call", "id": "z", "name": "curl", "parameters": {}}]}),
            json!({"speaker": "tool", "blocks": [{"type": "tool_response", "callId": "z", "toolName": "curl",
                "result": "", "error": "-u bob:S3cr3t!pass"}]}),
        ],
    ];
    for more in planted {
        let history = [ordinary(), more.clone(), vec![human("go on"), ai("Well.")]].concat();
        let screened = screened(&history);
        assert!(screened.iter().any(|(_, is_clean)| !is_clean), "{more:?}");
        for (text, is_clean) in screened {
            assert_eq!(is_clean, redact(&text) == text.as_str(), "{text}");
        }
    }
}
