//! Old results of a tool (REQ-HD-007, requirements 8.4, 8.5).

use serde_json::{Value, json};

use crate::script::{assert_script, parse};
use crate::support::{blocks, contents, optimize, optimize_with};
use densify::content::{Content, KnownBlock};

const POINTER: &str = "[Result pruned — re-run tool to retrieve]";

/// Calls of one tool, each with a result.
fn results(tool: &str, results: &[Value]) -> Vec<Content> {
    let turn = |(number, result): (usize, &Value)| {
        let id = format!("{tool}{number}");
        let call = json!({"type": "tool_call", "id": id, "name": tool, "parameters": {}});
        let response = json!({"type": "tool_response", "callId": id, "toolName": tool, "result": result});
        [json!({"speaker": "ai", "blocks": [call]}), json!({"speaker": "tool", "blocks": [response]})]
    };
    contents(results.iter().enumerate().flat_map(turn).collect())
}

fn long(count: usize) -> Vec<Value> {
    vec![json!("x".repeat(100)); count]
}

/// Which results were pruned, oldest first.
fn pruned(history: &[Content]) -> Vec<bool> {
    let results = blocks(history).filter_map(|block| match block {
        KnownBlock::ToolResponse { result, .. } => Some(*result == Some(json!(POINTER))),
        _ => None,
    });
    results.collect()
}

fn prune(history: &[Content], retention: f64) -> Vec<bool> {
    pruned(&optimize_with(history, json!({"rules": {"recencyPruning": true, "recencyRetention": retention}})))
}

#[test]
fn req_007_1_the_newest_results_of_each_tool_stay() {
    let history = [results("grep", &long(4)), results("bash", &long(2)), results("ls", &long(3))].concat();
    assert_eq!(
        prune(&history, 2.0),
        [true, true, false, false, /* bash */ false, false, /* ls */ true, false, false]
    );
}

#[test]
fn req_007_2_the_pointer_is_the_documents() {
    assert_script(
        &optimize_with(
            &parse("ai: grep#1\ntool: #1 x*100\nai: grep#2\ntool: #2 x*100"),
            json!({"rules": {"recencyPruning": true, "recencyRetention": 1}}),
        ),
        "ai: grep#1
         tool: #1 [Result pruned — re-run tool to retrieve]
         ai: grep#2
         tool: #2 x*100",
    );
}

#[test]
fn req_8_20_only_reads_are_to_be_run_again() {
    let texts: Vec<Value> = (0..3).map(|at| json!(format!("{at}: {}", "x".repeat(100)))).collect();
    let pointer = |tool: &str, preset: &str| {
        let wishes = json!({
            "flush": "always", "preset": preset, "rules": {
                "recencyPruning": true, "recencyRetention": 1,
                "oldResults": false, "repeatedCalls": false, "supersededReads": false,
            },
        });
        let output = optimize_with(&results(tool, &texts), wishes.clone());
        assert_eq!(optimize_with(&output, wishes), output, "{tool}, {preset}");
        let results = blocks(&output).filter_map(|block| match block {
            KnownBlock::ToolResponse { result, .. } => result.clone(),
            _ => None,
        });
        let found: Vec<Value> = results.collect();
        assert_eq!(found[2], texts[2], "{tool}, {preset}");
        assert_eq!(found[0], found[1], "{tool}, {preset}");
        found[0].as_str().unwrap().to_owned()
    };
    for preset in ["lossless", "balanced", "aggressive"] {
        assert_eq!(pointer("read_file", preset), POINTER);
        for tool in ["run_shell_command", "write_file", "send_mail"] {
            assert_eq!(pointer(tool, preset), "[Result pruned]");
        }
    }
    // What the documents say holds for every tool.
    for tool in ["read_file", "run_shell_command", "write_file", "send_mail"] {
        assert_eq!(pointer(tool, "seed"), POINTER);
    }
}

#[test]
fn req_007_3_calls_responses_and_all_other_fields_stay() {
    let mut history = results("grep", &long(2));
    let mut first = serde_json::to_value(&history[1]).unwrap();
    first["blocks"][0]["error"] = json!("timed out");
    first["blocks"][0]["durationMs"] = json!(12);
    first["metadata"] = json!({"x": [1]});
    history[1] = serde_json::from_value(first.clone()).unwrap();
    let output = optimize_with(&history, json!({"rules": {"recencyPruning": true, "recencyRetention": 1}}));
    first["blocks"][0]["result"] = json!(POINTER);
    assert_eq!(serde_json::to_value(&output[1]).unwrap(), first);
    assert_eq!((&output[0], &output[2..]), (&history[0], &history[2..]));
}

#[test]
fn req_007_4_three_stay_by_default() {
    let output = optimize_with(&results("grep", &long(5)), json!({"rules": {"recencyPruning": true}}));
    assert_eq!(pruned(&output), [true, true, false, false, false]);
}

#[test]
fn req_007_5_req_007_6_off_by_default_and_then_it_does_nothing() {
    let history = results("grep", &long(9));
    assert_eq!(optimize(&history), history);
    assert_eq!(
        optimize_with(&history, json!({"rules": {"recencyPruning": false, "recencyRetention": 1}})),
        history
    );
}

#[test]
fn req_013_6_req_8_5_a_retention_below_one_is_one_and_fractions_are_cut_off() {
    let history = results("grep", &long(3));
    for (retention, kept) in [(0.0, 1), (-7.0, 1), (0.99, 1), (1.9, 1), (2.0, 2), (2.999, 2), (1e300, 3)] {
        let left = prune(&history, retention).iter().filter(|pruned| !**pruned).count();
        assert_eq!(left, kept, "{retention}");
    }
}

#[test]
fn req_8_5_results_count_from_the_last_inside_an_entry_too_errors_included() {
    let history = parse(
        "ai: grep#1 | grep#2 | grep#3
         tool: #1 x*100 | #2! x*100 | #3 x*100",
    );
    assert_eq!(prune(&history, 1.0), [true, true, false]);
    assert_eq!(prune(&history, 2.0), [true, false, false]);
}

#[test]
fn req_8_5_the_rule_can_be_limited_to_some_tools() {
    let history = [results("grep", &long(2)), results("bash", &long(2))].concat();
    let settings = json!({"rules": {"recencyPruning": true, "recencyRetention": 1, "recencyTools": ["bash", "constructor"]}});
    assert_eq!(pruned(&optimize_with(&history, settings)), [false, false, true, false]);
    let none = json!({"rules": {"recencyPruning": true, "recencyRetention": 1, "recencyTools": []}});
    assert_eq!(optimize_with(&history, none), history);
}

#[test]
fn fault_req_8_4_no_result_grows_or_stays_as_long() {
    let pointer = json!(POINTER).to_string().encode_utf16().count();
    // As long as the pointer, quotes included; then one unit more.
    for (result, goes) in [
        (json!(""), false),
        (json!("é".repeat(pointer - 2)), false),
        (json!("é".repeat(pointer - 1)), true),
        (json!("😀".repeat(20)), false),
        (json!("😀".repeat(21)), true),
        (json!("\"".repeat(20)), false),
        (json!("\"".repeat(21)), true),
        (json!("\u{1}".repeat(7)), true),
        (json!(true), false),
        (json!(null), false),
        (json!([1, 2]), false),
        (json!({"output": "x".repeat(40)}), true),
    ] {
        let history = results("grep", &[result.clone(), json!("newest")]);
        assert_eq!(prune(&history, 1.0)[0], goes, "{result}");
    }
}

#[test]
fn req_8_4_what_was_cut_already_counts_and_is_never_rewritten() {
    let cut = [
        json!(POINTER),
        json!(format!("[grep: {} — success, 120 lines]", "x".repeat(60))),
        json!(format!("[grep: {} — error]", "x".repeat(70))),
    ];
    for line in cut {
        let history = results("grep", &[json!("x".repeat(100)), line.clone(), json!("x".repeat(100))]);
        let output =
            optimize_with(&history, json!({"rules": {"recencyPruning": true, "recencyRetention": 1}}));
        let result = serde_json::to_value(&output[3]).unwrap()["blocks"][0]["result"].clone();
        assert_eq!(result, line);
        assert!(prune(&history, 2.0)[0], "{line} counts");
    }
    // A line of another tool, or of another shape, is an ordinary result.
    for line in [
        "[bash: x — success, 1 lines]",
        "[grep: x — success, few lines]",
        "[grep: x — won]",
        "grep: x — error",
    ] {
        let result = json!(format!("{line:>60}").trim_start().to_owned() + &" ".repeat(60));
        assert_eq!(prune(&results("grep", &[result, json!("newest")]), 1.0), [true, false], "{line}");
    }
}

#[test]
fn results_of_stale_reads_do_not_count() {
    let history = parse(
        "ai: read_file#1 a.ts
         tool: #1 x*100
         ai: read_file#2 b.ts
         tool: #2 x*100
         ai: write_file#3 b.ts
         tool: #3 ok",
    );
    assert_eq!(prune(&history, 1.0), [false, false]);
}

#[test]
fn responses_without_a_tools_name_are_left_alone() {
    let mut history = results("grep", &long(3));
    for entry in &mut history {
        let mut json = serde_json::to_value(&*entry).unwrap();
        if let Some(block) = json["blocks"].get_mut(0).filter(|block| block["type"] == "tool_response") {
            block["toolName"] = json!(7);
        }
        *entry = serde_json::from_value(json).unwrap();
    }
    assert_eq!(prune(&history, 1.0), [false, false, false]);
}
