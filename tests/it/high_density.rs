//! The strategy high-density (REQ-HD-008, requirements 8.8, 8.13).

use densify::compress_contents;
use densify::content::Content;
use densify::options::CompressSettings;
use densify::rules::compacted::{ResultSize, is_compacted, summary_line};
use densify::strategy::{CompressMetadata, NoopReason, Outcome};
use serde_json::{Value, json};

use crate::oracle::tokens_of;
use crate::script::{assert_script, parse};
use crate::support::{contents, options};

/// Settings whose target is so many tokens; further ones go on top.
fn settings(target: u64, further: Value) -> CompressSettings {
    #[allow(clippy::cast_precision_loss)]
    let limit = (target as f64 + 0.5) / 0.6;
    let mut settings = json!({"strategy": "high-density", "contextLimit": limit, "threshold": 1});
    settings.as_object_mut().unwrap().append(&mut further.as_object().unwrap().clone());
    options(settings)
}

#[track_caller]
fn compress(history: &[Content], target: u64, further: Value) -> (Vec<Content>, CompressMetadata) {
    match compress_contents(history, &settings(target, further)).unwrap() {
        (output, Outcome::Applied(metadata)) => (output, *metadata),
        (_, Outcome::Noop(reason)) => panic!("nothing was done: {reason:?}"),
    }
}

fn noop(history: &[Content], target: u64, further: Value) -> NoopReason {
    match compress_contents(history, &settings(target, further)).unwrap() {
        (output, Outcome::Noop(reason)) => {
            assert_eq!(output, history);
            reason
        }
        (_, Outcome::Applied(metadata)) => panic!("something was done: {metadata:?}"),
    }
}

fn tokens(history: &[Content]) -> u64 {
    history.iter().map(tokens_of).sum()
}

/// A session with large results outside of its tail.
fn session() -> Vec<Content> {
    parse(
        "human: Fix the bug.
         ai: \"I look.\" | read_file#1 src/index.ts | run_shell_command#2 {\"command\":\"cargo test\"}
         tool: #1 line\\nline\\nline | #2= {\"output\":\"0123456789012345678901234567890123456789\",\"exit_code\":1}
         ai: grep#3 {\"pattern\":\"TODO\"}
         tool: #3! x*200
         human: And now?
         ai: read_file#4 b.ts
         tool: #4 x*200",
    )
}

#[test]
fn req_008_1_no_model_is_asked() {
    assert!(!compress(&session(), 40, json!({})).1.llm_call_made);
}

#[test]
fn req_008_2_the_tail_is_kept() {
    let history = session();
    for (preserve, tail) in [
        (json!(0.25), 2),
        (json!(0.3), 3),
        (json!({"fraction": 0.375}), 3),
        (json!({"messages": 4}), 3), // the cut would stand before a tool entry and moves on
        (json!({"messages": 2}), 2),
        (json!({"tokens": 1}), 0),
        (json!(0), 0),
    ] {
        let (output, metadata) = compress(&history, 100, json!({"preserve": preserve}));
        assert_eq!(metadata.tail_count, tail, "{preserve}");
        let tail = tail as usize;
        assert_eq!(output[output.len() - tail..], history[history.len() - tail..], "{preserve}");
    }
}

#[test]
fn req_008_3_req_008_4_results_become_a_line_and_all_else_stays() {
    let history = session();
    let (output, metadata) = compress(&history, tokens(&history) - 1, json!({"preserve": 0.25}));
    assert_script(
        &output,
        "human: Fix the bug.
         ai: \"I look.\" | read_file#1 src/index.ts | run_shell_command#2 {\"command\":\"cargo test\"}
         tool: #1 line\\nline\\nline | #2 [run_shell_command: cargo test — error, 40 chars]
         ai: grep#3 {\"pattern\":\"TODO\"}
         tool: #3! [grep: TODO — error, 1 lines]
         human: And now?
         ai: read_file#4 b.ts
         tool: #4 x*200",
    );
    assert_eq!(metadata.results_summarized, 2, "a line that would be longer isn't written");
    assert_eq!(metadata.entries_dropped, 0);
}

#[test]
fn req_008_5_the_result_tells_what_was_done() {
    let history = session();
    let (output, metadata) = compress(&history, tokens(&history) - 1, json!({"preserve": 0.25}));
    let expected = CompressMetadata {
        original_message_count: 8,
        compressed_message_count: 8,
        strategy_used: "high-density",
        llm_call_made: false,
        tokens_before: tokens(&history),
        tokens_after: tokens(&output),
        target_tokens: tokens(&history) - 1,
        target_reached: true,
        results_summarized: 2,
        entries_dropped: 0,
        gave_up_first_request: false,
        gave_up_newest_request: false,
        tail_count: 2,
    };
    assert_eq!(metadata, expected);
}

#[test]
fn req_008_6_the_target_is_a_part_of_the_trigger() {
    let settings: CompressSettings =
        options(json!({"strategy": "high-density", "contextLimit": 101, "threshold": 0.85}));
    let (_, outcome) = compress_contents(&session(), &settings).unwrap();
    let Outcome::Applied(metadata) = outcome else { panic!("nothing was done") };
    assert_eq!(metadata.target_tokens, 51);
}

#[test]
fn req_008_6_the_oldest_go_until_the_target_is_reached() {
    let history = session();
    let (output, metadata) = compress(&history, 80, json!({"preserve": 0.25}));
    assert!(metadata.target_reached && metadata.entries_dropped > 0, "{metadata:?}");
    assert_eq!(metadata.tokens_after, tokens(&output));
    assert_eq!(output.len(), 8 - metadata.entries_dropped as usize);
}

#[test]
fn a_long_answer_of_the_user_stays_where_the_target_is_reached_without_it() {
    let answer = "The field must have at most 40 characters. ".repeat(120);
    let call = |id: &str, name: &str| json!({"speaker": "ai", "blocks": [{"type": "tool_call", "id": id, "name": name, "parameters": {"a": 1}}]});
    let result = |id: &str, name: &str, text: &str| json!({"speaker": "tool", "blocks": [{"type": "tool_response", "callId": id, "toolName": name, "result": text}]});
    let history = contents(json!([
        {"speaker": "human", "blocks": [{"type": "text", "text": "Build the form."}]},
        call("q", "AskUserQuestion"),
        result("q", "AskUserQuestion", &answer),
        call("o", "ask_oracle"),
        result("o", "ask_oracle", &answer),
        call("b", "bash"),
        result("b", "bash", &answer),
        {"speaker": "ai", "blocks": [{"type": "text", "text": "Done."}]},
    ]));
    let of = |output: &[Content]| {
        let text = serde_json::to_string(output).unwrap();
        [text.matches("at most 40").count() / 120, text.matches("[AskUserQuestion").count()]
    };
    let further = json!({"preserve": {"messages": 1}, "truncate": false});
    let (output, _) = compress(&history, tokens(&history) / 2, further.clone());
    assert_eq!(of(&output), [1, 0]);
    let (output, _) = compress(&history, 100, further);
    assert_eq!(of(&output), [0, 1]);
}

#[test]
fn without_truncation_only_lines_are_written() {
    let (output, metadata) = compress(&session(), 1, json!({"preserve": {"messages": 1}, "truncate": false}));
    assert_eq!(output.len(), session().len());
    assert_eq!((metadata.entries_dropped, metadata.target_reached), (0, false));
    assert!(metadata.results_summarized > 0);
}

#[test]
fn fault_a_target_that_cannot_be_reached_is_not_called_reached() {
    let history = session();
    let (output, metadata) = compress(&history, 1, json!({"preserve": 0.25}));
    assert!(!metadata.target_reached);
    let left = [&history[..1], &history[5..]].concat();
    assert_eq!(output, left, "the tail stays, and the user's messages, whose loss would not be enough");
}

fn tokens_of_words(words: usize) -> usize {
    let text = "sentence ".repeat(words);
    usize::try_from(tokens(&parse(&format!("human: {text}")))).unwrap()
}

/// The tail and the user's messages, of sizes such that each goal of a truncation is just in reach or just out of it.
#[test]
fn messages_of_the_user_go_only_where_that_reaches_something() {
    let of = |old: usize, tail: usize| {
        let words = |tokens: usize| "sentence ".repeat(tokens * 100 / tokens_of_words(100));
        let (old, tail) = (words(old), words(tail));
        parse(&format!(
            "human: Go.\nhuman: {old}\nai: \"Some words of the model.\"\nhuman: {tail}\nai: \"Yes.\""
        ))
    };
    let left = |history: &[Content], limit: u64| {
        let further = json!({"strategy": "high-density", "contextLimit": limit, "preserve": {"messages": 2}});
        let (output, outcome) = compress_contents(history, &options(further)).unwrap();
        let Outcome::Applied(metadata) = outcome else { return (output, true) };
        (output, metadata.target_reached)
    };
    // The target (0.51 of the window) is in reach: the old message goes. Else the trigger is, else the limit.
    for (tail, is_reached) in [(400, true), (800, false), (1050, false)] {
        let history = of(600, tail);
        let (output, reached) = left(&history, 1200);
        assert_eq!((output.contains(&history[1]), reached), (false, is_reached), "{tail}");
    }
    // Nothing is in reach: every message of the user stays, and the model's goes.
    let history = of(600, 1300);
    let (output, reached) = left(&history, 1200);
    assert_eq!((output, reached), ([&history[..2], &history[3..]].concat(), false));
    // For under 1 % no message of the user goes.
    let history = of(40, 600);
    let total = tokens(&history);
    for (missing, is_kept) in [(total / 100 - 2, true), (total / 100 + 20, false)] {
        #[allow(clippy::cast_precision_loss)]
        let limit = ((total - missing) as f64 + 0.5) / 0.51;
        let further = json!({"strategy": "high-density", "contextLimit": limit, "preserve": {"messages": 2}});
        let (output, _) = compress_contents(&history, &options(further)).unwrap();
        assert_eq!(output.contains(&history[1]), is_kept, "{missing} of {total}");
    }
}

#[test]
fn a_first_request_that_keeps_all_else_from_being_enough_goes_alone() {
    let large = "word ".repeat(500);
    let history = parse(&format!(
        "human: {large}\nai: \"Well.\"\nhuman: And now?\nai: \"Yes.\"\nhuman: Go on.\nai: \"Done.\""
    ));
    let further = |keep: &str| json!({"preserve": {"messages": 2}, "keepFirstRequest": keep});
    let (output, metadata) = compress(&history, 100, json!({"preserve": {"messages": 2}}));
    assert_eq!((output, metadata.target_reached), (history[1..].to_vec(), true));
    assert!(metadata.gave_up_first_request);
    // A caller who keeps it loses no message of the user for nothing.
    let output = compress_contents(&history, &settings(100, further("always"))).unwrap().0;
    assert!([0, 2, 4].into_iter().all(|at| output.contains(&history[at])));
}

/// What is left under ever smaller targets, by the entries' numbers, where a tool sets the todos.
fn steps_with_todos(tool: &str) -> Vec<String> {
    let script = "ai: \"Hello.\"
         human: Build it.
         ai: todo_write#1 {\"todos\":[\"old\"]}
         tool: #1 x*300
         ai: todo_write#2 {\"todos\":[\"new\"]}
         tool: #2 ok
         ai: todo_write#3 {\"todos\":[\"failed\"]}
         tool: #3! denied
         ai: \"Some words that are not needed any more, and some more of them.\"
         human: Go on.
         ai: \"Done.\"";
    let history = parse(&script.replace("todo_write", tool));
    let preserve = json!({"preserve": {"messages": 2}});
    let mut seen: Vec<String> = (1..tokens(&history))
        .rev()
        .map(|target| compress_contents(&history, &settings(target, preserve.clone())).unwrap().0)
        .map(|output| {
            output
                .iter()
                .map(|content| {
                    history
                        .iter()
                        .position(|raw| raw == content)
                        .map_or('x', |at| char::from_digit(u32::try_from(at).unwrap(), 16).unwrap())
                })
                .collect()
        })
        .collect();
    seen.dedup();
    seen
}

#[test]
fn fault_the_first_request_and_the_newest_todos_go_last() {
    // x: the first list's result in one line. Where even the loss of the request isn't enough, it stays.
    let order = ["012x456789a", "12x456789a", "1456789a", "14589a", "1459a", "19a", "9a", "19a"];
    for tool in ["todo_write", "TodoWrite", "todowrite", "update_plan", "write_todos"] {
        assert_eq!(steps_with_todos(tool), order, "{tool}");
    }
    // Any other tool's results go like all others.
    assert_ne!(steps_with_todos("plan_write"), order);
}

#[test]
fn fault_a_later_pass_changes_no_line_of_an_earlier_one() {
    let mut history = session();
    history.extend(session());
    for preserve in [0.0, 0.25] {
        let lines_only = json!({"preserve": preserve, "truncate": false});
        let (once, _) = compress(&history, 1, lines_only.clone());
        let lines: Vec<String> = once.iter().map(|entry| serde_json::to_string(entry).unwrap()).collect();
        assert!(
            lines.iter().any(|line| line.contains("— error"))
                && lines.iter().any(|line| line.contains("— success"))
        );
        assert_eq!(noop(&once, 1, lines_only.clone()), NoopReason::NothingToGain);
        // With more behind it, what was in the tail becomes lines too; the earlier ones stay as they are.
        let mut longer = once.clone();
        longer.extend(session());
        let (twice, _) = compress(&longer, 1, lines_only);
        assert_eq!(twice[..12], once[..12]);
    }
}

#[test]
fn fault_applied_is_said_only_if_something_changed() {
    assert_eq!(noop(&[], 0, json!({})), NoopReason::EmptyHistory);
    assert_eq!(noop(&session(), 100_000, json!({})), NoopReason::AlreadyUnderTarget);
    assert_eq!(noop(&session(), 10, json!({"preserve": 1})), NoopReason::TailCoversAll);
    let words = parse("human: Some words.\nai: \"Some other words.\"");
    assert_eq!(noop(&words[..1], 1, json!({"preserve": 0})), NoopReason::NothingToGain);
}

#[test]
fn req_8_8_the_lines_shape() {
    let path = "src/index.ts";
    let line = |key: Option<&str>, failed, size| summary_line("read_file", key, failed, size);
    assert_eq!(
        line(Some(path), false, ResultSize::Lines(245)),
        "[read_file: src/index.ts — success, 245 lines]"
    );
    assert_eq!(
        line(Some("cargo test"), true, ResultSize::Chars(128)),
        "[read_file: cargo test — error, 128 chars]"
    );
    assert_eq!(line(None, true, ResultSize::Unknown), "[read_file — error]");
    assert_eq!(line(Some(" \n "), true, ResultSize::Unknown), "[read_file — error]");
    assert_eq!(line(Some("a\nb\r\nc"), false, ResultSize::Unknown), "[read_file: a b  c — success]");
    // Over 80 units: 79 and an ellipsis; of a path the end, of anything else the start.
    let long = "x".repeat(81);
    assert_eq!(
        line(Some(&long), true, ResultSize::Unknown),
        format!("[read_file: {}… — error]", "x".repeat(79))
    );
    let deep = format!("{}/end.ts", "d".repeat(80));
    let kept = format!("…{}/end.ts", "d".repeat(72));
    assert_eq!(line(Some(&deep), true, ResultSize::Unknown), format!("[read_file: {kept} — error]"));
    let fits = "x".repeat(80);
    assert_eq!(line(Some(&fits), true, ResultSize::Unknown), format!("[read_file: {fits} — error]"));
    // A pair of surrogates isn't split: 39 of them and the ellipsis.
    let smileys = "😀".repeat(41);
    assert_eq!(
        line(Some(&smileys), true, ResultSize::Unknown),
        format!("[read_file: {}… — error]", "😀".repeat(39))
    );
}

#[test]
fn req_8_8_lines_are_recognised_by_exact_shape_and_tool() {
    let pointer = "[Result pruned — re-run tool to retrieve]";
    let is = |text: &str| is_compacted(text, "grep");
    for (key, failed, size) in [
        (None, false, ResultSize::Unknown),
        (Some("a — b"), true, ResultSize::Lines(0)),
        (Some("x — success"), false, ResultSize::Chars(4_000_000_000)),
        (Some(&*"y".repeat(500)), false, ResultSize::Lines(1)),
    ] {
        let line = summary_line("grep", key, failed, size);
        assert!(is(&line), "{line}");
        assert!(!is_compacted(&line, "bash"), "{line} of another tool");
        assert!(!is(&format!("{line} ")) && !is(&format!(" {line}")), "{line} with more");
        let bare = line.strip_suffix(']').unwrap();
        assert!(is(&format!("{bare} (recall r0123456789abc)]")), "{line} with its reference");
        for other in ["(recall r0123456789ab)", "(recall 00123456789abc)", "recall r0123456789abc"] {
            assert!(!is(&format!("{bare} {other}]")), "{line} with {other}");
        }
    }
    for text in [
        "",
        "[]",
        "[grep]",
        "[grep — ok]",
        "[grep - success]",
        "[grep — success,1 lines]",
        "[grep — success, lines]",
        "[grep — success, 1 words]",
        "[grep — success, -1 lines]",
        "[grep:x — success]",
        "[grepx — success]",
        "[grep: x\ny — success]",
        "[grep — success, 1 lines, 2 lines]",
    ] {
        assert!(!is(text), "{text}");
    }
    assert!(is(pointer));
    for text in [pointer, "[Result pruned]", "[… 12 lines of bash: make were cut]"] {
        assert!(is(&text.replace(']', " (recall r0123456789abc)]")), "{text}");
    }
    assert!(!is(&format!("[grep: {} — success]", "x".repeat(81))));
}

#[test]
fn req_8_8_the_key_parameter_comes_from_the_call() {
    let of = |parameters: Value| {
        let history = contents(json!([
            {"speaker": "ai", "blocks": [{"type": "tool_call", "id": "1", "name": "tool", "parameters": parameters}]},
            {"speaker": "tool", "blocks": [
                {"type": "tool_response", "callId": "1", "toolName": "tool", "result": {"data": "x".repeat(400)}}]},
            {"speaker": "human", "blocks": [{"type": "text", "text": "x"}]},
        ]));
        let (output, _) = compress(&history, tokens(&history) - 1, json!({"preserve": {"messages": 1}}));
        let line = serde_json::to_value(&output[1]).unwrap()["blocks"][0]["result"].clone();
        line.as_str().unwrap().trim_start_matches("[tool").trim_end_matches(" — success]").to_owned()
    };
    assert_eq!(of(json!({"path": "b", "file_path": "a"})), ": a");
    assert_eq!(of(json!({"paths": ["a", "b"]})), ": a, b");
    assert_eq!(of(json!({"command": "ls", "query": "q"})), ": ls");
    assert_eq!(of(json!({"pattern": "", "query": "q"})), ": q");
    assert_eq!(of(json!({"path": 7})), "");
    assert_eq!(of(json!("path")), "");
    assert_eq!(of(json!(null)), "");
}

#[test]
fn fault_outcomes_come_from_fields_never_from_words() {
    let of = |response: Value| {
        let mut block = json!({"type": "tool_response", "callId": "1", "toolName": "bash"});
        block.as_object_mut().unwrap().append(&mut response.as_object().unwrap().clone());
        let history = contents(json!([
            {"speaker": "ai", "blocks": [{"type": "tool_call", "id": "1", "name": "bash", "parameters": {}}]},
            {"speaker": "tool", "blocks": [block]},
            {"speaker": "human", "blocks": [{"type": "text", "text": "x"}]},
        ]));
        let (output, _) = compress(&history, tokens(&history) - 1, json!({"preserve": {"messages": 1}}));
        serde_json::to_string(&output[1]).unwrap().contains("— error")
    };
    let words = "error: it failed, error, FAILED ".repeat(9);
    assert!(!of(json!({"result": words})));
    assert!(!of(json!({"result": {"output": words, "error": ""}})));
    assert!(!of(json!({"result": {"output": words, "exit_code": 0}})));
    assert!(of(json!({"result": {"output": "fine ".repeat(30), "exit_code": 2}})));
    assert!(of(json!({"result": {"output": "fine ".repeat(30), "error": "x"}})));
    assert!(of(json!({"result": "fine ".repeat(30), "error": "x"})));
}
