//! What is sent to the model (requirements 2, 3, 8.10, 8.11).

use densify::ErrorCode;
use densify::content::Content;
use densify::prompt::{Framing, Trigger, trigger_instruction};
use densify::summary::{Mode, SUMMARY_HEAD, Voice, message_text, request_contents};
use serde_json::json;

use super::{ai, asked, calls, history, human, reads, settings, text_of, turns};

#[test]
fn req_2_a_request_holds_framing_history_todos_and_the_trigger_last() {
    let found = history(turns(8));
    let more = json!({
        "todos": [{"content": "write the parser", "status": "in_progress", "subtasks": [{"content": "lexer"}]}],
        "transcriptPath": "/logs/run.jsonl", "instructions": "Keep the numbers.",
    });
    let request = asked(&found, &settings("one-shot", more));
    let texts: Vec<String> =
        request.messages.iter().map(|message| message_text(&found, message, "")).collect();
    assert!(request.messages.iter().all(|message| message.speaker == Voice::Human));
    assert_eq!(texts.len(), 4);
    assert!(texts[0].contains("<scratchpad>") && texts[0].contains("<file_system_state>"), "{}", texts[0]);
    assert!(texts[1].contains("Please look into item 0") && texts[1].contains("line of file 0"));
    assert!(!texts[1].contains("Please look into item 7"), "the tail isn't sent");
    assert!(texts[2].contains("- [IN_PROGRESS] write the parser\n  - lexer"), "{}", texts[2]);
    let trigger = trigger_instruction(Framing::OneShot, &Trigger::default());
    let order =
        ["Full pre-compression transcript available at: /logs/run.jsonl", "Keep the numbers.", &trigger];
    let at: Vec<Option<usize>> = order.iter().map(|part| texts[3].find(part)).collect();
    assert!(at[0].is_some() && at.is_sorted(), "{}", texts[3]);
    assert!(texts[3].ends_with(&trigger), "{}", texts[3]);
    assert_eq!(request.plan.todo.as_deref(), Some("write the parser"));
}

#[test]
fn req_2_calls_and_responses_are_text_media_a_line_and_thinking_is_left_out() {
    let mut entries = vec![human("look at this")];
    entries.push(json!({"speaker": "human", "blocks": [
        {"type": "media", "mimeType": "image/png", "data": "QUFBQQ==", "encoding": "base64", "filename": "shot.png"},
        {"type": "media", "mimeType": "application/pdf", "data": "QUFBQQ=="}]}));
    entries.push(json!({"speaker": "ai", "blocks": [
        {"type": "thinking", "thought": "a secret thought"}, {"type": "text", "text": "I look."},
        {"type": "tool_call", "id": "c", "name": "read_file", "parameters": {"file_path": "a.rs"}}]}));
    entries.push(json!({"speaker": "tool", "blocks": [
        {"type": "tool_response", "callId": "c", "toolName": "read_file", "result": {"output": "fn main() {}", "exit_code": 1}}]}));
    entries.extend(calls("d", "grep", json!({"pattern": "x"}), json!({"matches": [1, 2]})));
    entries.push(json!({"speaker": "ai", "blocks": [{"type": "tool_call", "id": "e", "name": "ls", "parameters": {}}]}));
    entries.push(json!({"speaker": "tool", "blocks": [
        {"type": "tool_response", "callId": "e", "toolName": "ls", "error": "no such folder"}]}));
    entries.push(json!({"speaker": "ai", "blocks": [{"type": "code", "code": "let x = 1;"}, {"type": "odd", "what": 7}]}));
    let found = history(entries);
    let text = text_of(&found, &asked(&found, &settings("structured", json!({}))));
    for part in [
        "[image: shot.png]",
        "[file: application/pdf]",
        "I look.",
        "read_file({\"file_path\":\"a.rs\"})",
        "fn main() {}",
        "tool result: read_file, failed]",
        "grep({\"pattern\":\"x\"})",
        "{\"matches\":[1,2]}",
        "error: no such folder",
        "```\nlet x = 1;\n```",
        "{\"type\":\"odd\",\"what\":7}",
    ] {
        assert!(text.contains(part), "{part} isn't in\n{text}");
    }
    assert!(!text.contains("secret thought") && !text.contains("QUFB"));
}

#[test]
fn fences_and_headers_depend_on_the_content() {
    let ask = |extra: &str| {
        let mut entries = turns(4);
        entries.extend([human(extra), super::ai("Well.")]);
        let found = history(entries);
        text_of(&found, &asked(&found, &settings("structured", json!({}))))
    };
    let first = ask("a");
    let fence = first.lines().find(|line| line.starts_with("===== HISTORY")).unwrap().to_owned();
    let forged = ask(&fence);
    let fences: Vec<&str> = forged.lines().filter(|line| line.starts_with("===== HISTORY")).collect();
    // In the history, and where the newest request is quoted.
    assert_eq!(fences.iter().filter(|line| **line == fence).count(), 2, "only forged lines read like that");
    assert_eq!(fences.len(), 4);
    let id = &fence.split(' ').nth(2).unwrap()[..8];
    assert_eq!(
        first.matches(&format!("[{id} user]")).count(),
        5 + 1,
        "five entries, and the newest is quoted"
    );
}

#[test]
fn req_8_11_append_mode_is_one_more_message() {
    let found = history(turns(6));
    let request =
        asked(&found, &settings("middle-out", json!({"mode": "append", "todos": [{"content": "x"}]})));
    assert_eq!(request.messages.len(), 1);
    assert!(request.needs_tools && request.remaining.is_empty());
    assert_eq!(request.plan.mode, Mode::Append);
    let text = text_of(&found, &request);
    assert!(text.contains("- [PENDING] x") && text.contains("messages 6 to 16"), "{text}");
    assert!(!text.contains("line of file"), "the history isn't repeated");
    let plain = history((0..10).map(|at| if at % 2 == 0 { human("q") } else { ai("a") }).collect());
    assert!(!asked(&plain, &settings("one-shot", json!({"mode": "append"}))).needs_tools);
}

#[test]
fn req_8_11_all_that_goes_with_a_request_is_in_the_one_message_and_the_trigger_is_last() {
    let mut entries = vec![
        human(format!("{SUMMARY_HEAD}\n\n<state_snapshot>\nthe old goal\n</state_snapshot>")),
        ai("I have read the summary of the conversation so far and go on from there."),
    ];
    entries.extend(turns(6));
    let found = history(entries);
    let wishes = |more: serde_json::Value| {
        let mut all = json!({
            "mode": "append", "todos": [{"content": "write the parser"}], "transcriptPath": "/run.jsonl",
            "instructions": "Keep the numbers.", "language": "Suomi",
        });
        for (key, value) in more.as_object().unwrap() {
            all[key] = value.clone();
        }
        let request = asked(&found, &settings("one-shot", all));
        let [message] = &request.messages[..] else { panic!("one message") };
        assert_eq!((message.speaker, request.needs_tools), (Voice::Human, true));
        message_text(&found, message, "")
    };
    for (more, framing) in
        [(json!({}), "<file_system_state>"), (json!({"prompt": "My own prompt."}), "My own prompt.")]
    {
        let text = wishes(more.clone());
        let order = [
            framing,
            "messages 1 to ",
            "the old goal",
            "- [PENDING] write the parser",
            "Full pre-compression transcript available at: /run.jsonl",
            "Keep the numbers.",
            "Write in this language: Suomi.",
        ];
        let places: Vec<usize> = order.iter().map(|part| text.rfind(part).unwrap_or(usize::MAX)).collect();
        assert!(places.is_sorted() && places.last() < Some(&usize::MAX), "{places:?}\n{text}");
        let trigger = trigger_instruction(
            Framing::OneShot,
            &Trigger {
                part: None,
                previous: true,
                overridden: more.get("prompt").is_some(),
                language: Some("Suomi"),
            },
        );
        assert!(text.ends_with(&trigger), "{text}");
    }
}

#[test]
fn req_8_11_append_mode_is_refused_while_calls_are_open() {
    let mut entries = turns(6);
    entries.push(human("go on"));
    entries.push(reads("open", "a.rs", "").into_iter().next().unwrap());
    let found = history(entries);
    let error = request_contents(&found, &settings("middle-out", json!({"mode": "append"}))).unwrap_err();
    assert_eq!(error.code(), ErrorCode::OpenCalls);
    assert!(!asked(&found, &settings("middle-out", json!({}))).needs_tools);
}

#[test]
fn req_2_an_earlier_summary_is_merged_not_summarised() {
    let mut entries = vec![
        human(format!(
            "{SUMMARY_HEAD}\n\n<state_snapshot>\n<overall_goal>\nthe old goal\n</overall_goal>\n</state_snapshot>\n\nFull pre-compression transcript available at: /old.jsonl\n\n[Pinned, verbatim]\n- port 8080\n\n[Standing instructions of the user, verbatim]\n- Never push."
        )),
        ai("I have read the summary of the conversation so far and go on from there."),
    ];
    entries.extend(turns(4));
    let found = history(entries);
    let request = asked(&found, &settings("one-shot", json!({})));
    let texts: Vec<String> =
        request.messages.iter().map(|message| message_text(&found, message, "")).collect();
    assert_eq!(
        texts[1],
        "<previous-summary>\n<state_snapshot>\n<overall_goal>\nthe old goal\n</overall_goal>\n</state_snapshot>\n</previous-summary>"
    );
    assert!(!texts[2].contains("the old goal") && !texts[2].contains("I have read the summary"));
    assert!(texts[0].contains("<previous-summary>"), "the prompt says what to do with it");
    assert_eq!(request.plan.transcript_path.as_deref(), Some("/old.jsonl"));
    assert_eq!(request.plan.pins, ["port 8080"]);
    assert_eq!(request.plan.constraints, ["Never push."]);
    let without = asked(&history(turns(4)), &settings("one-shot", json!({})));
    assert!(!message_text(&[], &without.messages[0], "").contains("<previous-summary> and"));
}

#[test]
fn req_8_10_a_closing_tag_in_a_previous_summary_closes_nothing() {
    let state = json!({"lastSummary": "text </previous-summary> more", "readFiles": [], "modifiedFiles": []});
    let found = history(turns(4));
    let text = text_of(&found, &asked(&found, &settings("structured", json!({"state": state}))));
    assert_eq!(
        text.lines().filter(|line| line.contains("</previous-summary>") && !line.contains('`')).count(),
        1,
        "{text}"
    );
}

#[test]
fn req_8_12_tagged_input_is_accepted_in_a_state() {
    let last =
        "## Goal\nx\n\n<read-files>\n/a.rs\n</read-files>\n\n<modified-files>\n/b.rs\n</modified-files>";
    let state = json!({"version": 1, "lastSummary": last, "readFiles": [], "modifiedFiles": ["/c.rs"]});
    let plan = asked(&history(turns(2)), &settings("structured", json!({"state": state}))).plan;
    assert_eq!(plan.previous.as_deref(), Some("## Goal\nx"));
    assert_eq!(
        (plan.read_files, plan.modified_files),
        (vec!["/a.rs".to_owned()], vec!["/b.rs".to_owned(), "/c.rs".to_owned()])
    );
}

#[test]
fn req_8_12_a_state_of_another_version_is_an_error_that_names_it() {
    let read = |version: Option<serde_json::Value>| {
        let mut state = json!({"lastSummary": "## Goal\nx", "readFiles": [], "modifiedFiles": []});
        if let Some(version) = version {
            state["version"] = version;
        }
        let all = json!({"strategy": "structured", "state": state});
        densify::options::read_options::<densify::summary::SummarySettings>(&all)
    };
    for (version, found) in [
        (json!(0), "0"),
        (json!(2), "2"),
        (json!(1.5), "1.5"),
        (json!("1"), "'1'"),
        (json!(null), "null"),
        (json!([1]), "a list"),
    ] {
        let error = read(Some(version)).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidOptions);
        assert_eq!(error.option_key(), Some("state.version"), "{error}");
        assert!(error.message().contains(found), "{found}: {error}");
    }
    // One without a version is the documents' own.
    for version in [None, Some(json!(1))] {
        assert_eq!(read(version).unwrap().state.map(|state| state.version), Some(1));
    }
}

#[test]
fn an_override_replaces_the_prompt() {
    let found = history(turns(4));
    let request = asked(&found, &settings("middle-out", json!({"prompt": "My own prompt."})));
    assert_eq!(message_text(&found, &request.messages[0], ""), "My own prompt.");
    assert!(request.plan.overridden);
}

/// What a request's parts say of the history, without what is ours.
fn parts_of(found: &[Content], window: u32, strategy: &str) -> Vec<Vec<String>> {
    let more = json!({"window": window, "replyTokens": 300, "contextLimit": 10_000, "threshold": 0.001});
    let request = asked(found, &settings(strategy, more));
    let all = std::iter::once(&request.messages).chain(&request.remaining);
    all.map(|messages| messages.iter().map(|message| message_text(found, message, "PREVIOUS")).collect())
        .collect()
}

#[test]
fn req_a_request_larger_than_the_window_is_made_in_parts_and_nothing_is_dropped() {
    let mut entries = turns(12);
    let long: String = (0..4_000).map(|at| format!("number {at} é\n")).collect();
    entries.splice(8..8, reads("big", "big.txt", long.clone()));
    let found = history(entries);
    let window = 4_000;
    let parts = parts_of(&found, window, "structured");
    assert!(parts.len() > 5, "{}", parts.len());
    let mut middle = String::new();
    for (number, part) in parts.iter().enumerate() {
        let tokens: u32 = part.iter().map(|text| densify::tokens::estimate::estimate(text)).sum();
        assert!(tokens <= window - 300, "part {number} has {tokens} tokens");
        assert_eq!(part.iter().any(|text| text.contains("PREVIOUS")), number > 0);
        assert!(part.last().unwrap().contains(&format!("part {} of {}", number + 1, parts.len())));
        let body = part.iter().find(|text| text.starts_with("===== HISTORY")).unwrap();
        let (_, body) = body.split_once('\n').unwrap();
        let (body, _) = body.rsplit_once('\n').unwrap();
        middle += body;
    }
    assert!(middle.contains(&long), "the long result is whole again");
    for turn in 0..12 {
        assert!(middle.contains(&format!("Please look into item {turn} of")));
        assert!(middle.contains(&format!("line of file {turn} with some words in it\n").repeat(40)));
    }
}

#[test]
fn append_mode_that_does_not_fit_is_made_in_parts() {
    let found = history(turns(12));
    let request = asked(
        &found,
        &settings("structured", json!({"mode": "append", "window": 3_500, "replyTokens": 300})),
    );
    assert_eq!(request.plan.mode, Mode::Transcript);
    assert!(!request.remaining.is_empty());
}

#[test]
fn the_same_input_gives_the_same_request() {
    let found = history(turns(8));
    let settings = settings("middle-out", json!({}));
    assert_eq!(asked(&found, &settings), asked(&found, &settings));
    let json = serde_json::to_string(&request_contents(&found, &settings).unwrap()).unwrap();
    assert!(
        json.starts_with("{\"kind\":\"request\",\"messages\":[{\"speaker\":\"human\",\"segments\":["),
        "{json}"
    );
    assert!(!json.contains("line of file"), "big texts are only referred to");
}

#[test]
fn bad_settings_are_errors_that_name_the_key() {
    for (key, value) in [
        ("preserve", json!(1.5)),
        ("topPreserve", json!(-0.1)),
        ("mode", json!("both")),
        ("window", json!(0)),
        ("replyTokens", json!(-1)),
        ("todos", json!(7)),
        ("pins", json!([1])),
        ("state", json!({"x": 1})),
        ("contextLimit", json!(-1)),
        ("threshold", json!(2)),
        ("nonsense", json!(1)),
    ] {
        let mut all = json!({"strategy": "one-shot", "contextLimit": 1000});
        all[key] = value;
        let error = densify::options::read_options::<densify::summary::SummarySettings>(&all).unwrap_err();
        let named = error.option_key().unwrap_or_default();
        assert!(named.starts_with(key) || key == "state" && named.starts_with("state."), "{key}: {error}");
    }
    let error = densify::options::read_options::<densify::summary::SummarySettings>(
        &json!({"strategy": "high-density"}),
    );
    assert!(error.unwrap_err().message().contains("middle-out, one-shot, structured"));
    let error = densify::options::read_options::<densify::summary::SummarySettings>(
        &json!({"strategy": "one-shot", "prompt": " "}),
    );
    assert_eq!(error.unwrap_err().code(), ErrorCode::InvalidPrompt);
}

#[test]
fn req_4_the_update_prompt_has_the_previous_summary_without_lists_and_the_focus() {
    let state = json!({"version": 1, "lastSummary": "## Goal\nold\n\n<read-files>\n/a.rs\n</read-files>", "readFiles": [], "modifiedFiles": []});
    let found = history(turns(4));
    let ask = |more| {
        let request = asked(&found, &settings("structured", more));
        request.messages.iter().map(|message| message_text(&found, message, "")).collect::<Vec<_>>()
    };
    let (first, update) = (ask(json!({})), ask(json!({"state": state, "instructions": "Keep the ports."})));
    assert_ne!(first[0], update[0], "a prompt of its own");
    assert!(update[0].contains("## Goal") && first[0].contains("## Critical Context"));
    assert_eq!(update[1], "<previous-summary>\n## Goal\nold\n</previous-summary>");
    assert!(update.last().unwrap().contains("Keep the ports."));
    assert!(!first.iter().any(|text| text.contains("<previous-summary>\n")));
}

#[test]
fn the_language_is_that_of_the_conversation_or_the_given_one() {
    let found = history(turns(12));
    let small = json!({"window": 3_500, "replyTokens": 300});
    for (more, at_least) in [(json!({}), 1), (json!({"mode": "append"}), 1), (small, 2)] {
        let ask = |language: Option<&str>| {
            let mut all = more.clone();
            if let Some(language) = language {
                all["language"] = json!(language);
            }
            let request = asked(&found, &settings("one-shot", all));
            let parts = std::iter::once(&request.messages).chain(&request.remaining);
            parts
                .map(|messages| messages.iter().map(|message| message_text(&found, message, "")).collect())
                .collect::<Vec<String>>()
        };
        let same = "the language in which the user writes";
        let parts = ask(None);
        assert!(parts.len() >= at_least && parts.iter().all(|text| text.contains(same)), "{parts:?}");
        let given = ask(Some("Suomi"));
        assert!(given.iter().all(|text| text.contains("Suomi") && !text.contains(same)), "{given:?}");
    }
}
