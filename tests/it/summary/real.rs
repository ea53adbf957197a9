//! Real and lifelike conversations through all strategies: those of the demo, and logs where they are at
//! hand.

use densify::content::{Block, Content, KnownBlock, Speaker};
use densify::summary::{Code, Outcome, Planned, apply_contents, message_text, request_contents};
use serde_json::{Value, json};

use super::{STRUCTURED, reply, settings, text};
use crate::support::{blocks, check_pairs, contents, json as read_json, root, shared};

/// The demo's conversations, and chat logs as contents, without those too short for a summary.
fn conversations() -> Vec<(String, Vec<Content>)> {
    let mut all = Vec::new();
    for folder in
        [Some(root().join("demo/conversations")), shared("transcripts/openai-chat")].into_iter().flatten()
    {
        let Ok(files) = std::fs::read_dir(&folder) else {
            eprintln!("skipped: no {}", folder.display());
            continue;
        };
        let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|end| end == "json")) {
            let value: Value = read_json(path);
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if value["contents"].is_array() {
                all.push((name, contents(value["contents"].clone())));
            } else if let Some(messages) = value["messages"].as_array() {
                all.push((name, contents(Value::Array(messages.iter().filter_map(chat_message).collect()))));
            }
        }
    }
    all.retain(|(_, found)| found.iter().map(text).map(|text| text.len()).sum::<usize>() > 2_000);
    all
}

/// A chat message as an entry.
fn chat_message(message: &Value) -> Option<Value> {
    let text = message["content"].as_str().unwrap_or_default();
    let said = json!({"type": "text", "text": text});
    Some(match message["role"].as_str()? {
        "user" => json!({"speaker": "human", "blocks": [said]}),
        "assistant" => {
            let calls = message["tool_calls"].as_array().cloned().unwrap_or_default();
            let call = |call: &Value| {
                let arguments = call["function"]["arguments"].as_str().unwrap_or("{}");
                let parameters: Value = serde_json::from_str(arguments).unwrap_or_default();
                json!({"type": "tool_call", "id": call["id"], "name": call["function"]["name"], "parameters": parameters})
            };
            let blocks: Vec<Value> = std::iter::once(said).chain(calls.iter().map(call)).collect();
            json!({"speaker": "ai", "blocks": blocks})
        }
        "tool" => json!({"speaker": "tool", "blocks": [{
            "type": "tool_response", "callId": message["tool_call_id"], "toolName": message["name"], "result": text}]}),
        _ => return None,
    })
}

fn given(strategy: &str) -> String {
    if strategy == "structured" { STRUCTURED.to_owned() } else { reply(strategy, &[]) }
}

#[test]
fn real_conversations_go_through_every_strategy() {
    let mut applied = 0;
    for (name, found) in conversations() {
        for strategy in ["middle-out", "one-shot", "structured"] {
            let settings = settings(strategy, json!({"pins": ["a pin"]}));
            let Planned::Request(request) = request_contents(&found, &settings).unwrap() else { continue };
            let (start, end) = (request.plan.start as usize, request.plan.end as usize);
            for part in [&found[..start], &found[start..end]] {
                assert_eq!(check_pairs(part), Ok(()), "{name}");
            }
            let sent: String =
                request.messages.iter().map(|message| message_text(&found, message, "")).collect();
            for content in &found[start..end] {
                for block in blocks(std::slice::from_ref(content)) {
                    if let KnownBlock::Text { text, .. } = block {
                        assert!(sent.contains(text.as_str()), "{name}: a text isn't sent");
                    }
                }
            }
            let (outcome, after) =
                apply_contents(&found, &request.plan, &given(strategy), &settings).unwrap();
            let Outcome::Applied(result) = outcome else { panic!("{name} {strategy}: {outcome:?}") };
            let after = after.unwrap();
            assert_eq!(after.len(), result.metadata.compressed_message_count as usize);
            assert_eq!(after[after.len() - (found.len() - end)..], found[end..]);
            assert!(text(&after[start]).contains("[Pinned, verbatim]\n- a pin"));
            for constraint in &request.plan.constraints {
                let is_human = |content: &&Content| content.speaker == Speaker::Human;
                let mut humans = found[start..end].iter().filter(is_human);
                assert!(
                    humans.any(|content| text(content).contains(constraint.as_str())),
                    "{name}: {constraint}"
                );
            }
            applied += 1;
        }
    }
    assert!(applied >= 12, "{applied}");
}

#[test]
fn real_conversations_go_through_small_windows_in_parts() {
    for (name, found) in conversations() {
        let settings = settings("structured", json!({"window": 6_000, "replyTokens": 500}));
        let Planned::Request(request) = request_contents(&found, &settings).unwrap() else { continue };
        let mut plan = request.plan.clone();
        for (number, part) in std::iter::once(&request.messages).chain(&request.remaining).enumerate() {
            let tokens: u32 = part
                .iter()
                .map(|message| densify::tokens::estimate::estimate(&message_text(&found, message, "")))
                .sum();
            assert!(tokens <= 5_500, "{name}: part {number} has {tokens}");
            let (outcome, _) = apply_contents(&found, &plan, STRUCTURED, &settings).unwrap();
            match outcome {
                Outcome::Continue { plan: next, .. } => plan = *next,
                Outcome::Applied(_) => assert_eq!(number, request.remaining.len()),
                other => panic!("{name}: {other:?}"),
            }
        }
    }
}

/// The sentences of a text that can be a directive.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| {
        let words = line.split_whitespace().count();
        (6..30).contains(&words)
            && !line.contains(['"', '\'', '`', '’', '“', '…', '「', '»', '«'])
            && line.is_ascii()
            && !line.contains("...")
            && line.starts_with(char::is_alphabetic)
    })
}

#[test]
fn real_quotes_are_the_users_and_real_results_are_not() {
    let (mut said, mut invented) = (0, 0);
    for (name, found) in conversations() {
        let settings = settings("one-shot", json!({}));
        let Planned::Request(request) = request_contents(&found, &settings).unwrap() else { continue };
        let human: Vec<String> =
            found.iter().filter(|content| content.speaker == Speaker::Human).map(text).collect();
        let tools: Vec<String> = found
            .iter()
            .flat_map(|content| &content.blocks)
            .filter_map(|block| match block {
                Block::Known(KnownBlock::ToolResponse { result: Some(Value::String(text)), .. }) => {
                    Some(text.clone())
                }
                _ => None,
            })
            .collect();
        let verdict = |line: &str| {
            let given = reply("one-shot", &[("user_directives", &format!("- User said: \"{line}\""))]);
            match apply_contents(&found, &request.plan, &given, &settings).unwrap().0 {
                Outcome::Applied(applied) => applied.findings.first().map(|finding| finding.code),
                Outcome::Failed { findings, .. } => findings.first().map(|finding| finding.code),
                other => panic!("{other:?}"),
            }
        };
        for line in
            human.iter().flat_map(|text| sentences(text)).filter(|line| !line.starts_with("---")).take(3)
        {
            let is_included = human.iter().any(|text| text.contains("--- End of content ---"));
            if !is_included {
                assert_eq!(verdict(line), None, "{name}: {line}");
                said += 1;
            }
        }
        for line in tools.iter().flat_map(|text| sentences(text)).take(3) {
            if !human.iter().any(|text| text.to_lowercase().contains(&line.to_lowercase())) {
                assert_eq!(verdict(line), Some(Code::InventedDirective), "{name}: {line}");
                invented += 1;
            }
        }
    }
    assert!(said > 0 && invented > 0, "{said} said, {invented} invented");
}
