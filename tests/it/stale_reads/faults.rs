//! What reference implementations got wrong about stale reads (requirements, section 7).

use serde_json::json;

use super::{check, check_untouched, read_then_write};
use crate::script::parse;
use crate::support::optimize;

#[test]
fn fault_a_failed_write_supersedes_nothing() {
    for response in [
        "#w! ENOSPC",
        r#"#w= {"error":"disk full"}"#,
        r#"#w= {"error":{"code":28}}"#,
        r#"#w= {"exit_code":1}"#,
        r#"#w= {"exitCode":127,"output":"x"}"#,
        r#"#w= {"exit_code":-1.5}"#,
    ] {
        check_untouched(&format!(
            "ai: read_file#r a.ts\ntool: #r content\nai: write_file#w a.ts\ntool: {response}\n"
        ));
    }
    // What says so in words only is no failure, nor is an empty field.
    for response in
        ["#w error: 3 warnings", r#"#w= {"error":"","exit_code":0}"#, r#"#w= {"error":null}"#, "#w= [1]"]
    {
        let script =
            format!("ai: read_file#r a.ts\ntool: #r content\nai: write_file#w a.ts\ntool: {response}\n");
        assert_eq!(optimize(&parse(&script)).len(), 2, "{response}");
    }
}

#[test]
fn fault_a_write_without_a_response_supersedes_nothing() {
    check_untouched("ai: read_file#r a.ts\ntool: #r content\nai: write_file#w a.ts");
}

#[test]
fn fault_a_preview_supersedes_nothing() {
    for parameters in [
        r#"{"file_path":"a.ts","force":false}"#,
        r#"{"file_path":"a.ts","preview":true}"#,
        r#"{"file_path":"a.ts","dry_run":true}"#,
    ] {
        check_untouched(&read_then_write("read_file#r a.ts", &format!("ast_edit#w {parameters}")));
    }
    // A bare edit is a write, and so is one that says that it is no preview.
    for parameters in [
        r#"{"file_path":"a.ts"}"#,
        r#"{"file_path":"a.ts","force":true}"#,
        r#"{"file_path":"a.ts","preview":false,"dry_run":false}"#,
        r#"{"file_path":"a.ts","preview":"true","force":0}"#,
    ] {
        let history = parse(&read_then_write("read_file#r a.ts", &format!("ast_edit#w {parameters}")));
        assert_eq!(optimize(&history).len(), 3, "{parameters}");
    }
}

#[test]
fn fault_a_read_stays_in_the_batch_of_its_write() {
    check_untouched("ai: read_file#r a.ts | write_file#w a.ts\ntool: #r content | #w ok");
    // The call's place counts, not its response's.
    check_untouched("ai: write_file#w a.ts\nai: read_file#r a.ts\ntool: #r content\ntool: #w ok");
}

#[test]
fn req_8_3_a_read_without_a_response_stays() {
    check_untouched("ai: read_file#r a.ts\nhuman: Never mind.\nai: write_file#w a.ts\ntool: #w ok");
}

#[test]
fn req_8_3_a_late_response_makes_the_read_stale() {
    check(
        "ai: read_file#r a.ts
         human: Wait.
         ai: write_file#w a.ts
         tool: #w ok
         tool: #r content",
        "human: Wait.
         ai: write_file#w a.ts
         tool: #w ok",
    );
}

#[test]
fn fault_a_repeated_id_never_takes_another_calls_response() {
    // Numbered anew in each turn: the response belongs to the newest call with its id.
    check(
        "ai: read_file#1 a.ts
         tool: #1 old
         ai: read_file#1 b.ts
         tool: #1 other
         ai: write_file#1 a.ts
         tool: #1 ok",
        "ai: read_file#1 b.ts
         tool: #1 other
         ai: write_file#1 a.ts
         tool: #1 ok",
    );
    // Twice in one entry: in order.
    check(
        "ai: read_file#1 a.ts | read_file#1 b.ts
         tool: #1 one | #1 two
         ai: write_file#2 b.ts
         tool: #2 ok",
        "ai: read_file#1 a.ts
         tool: #1 one
         ai: write_file#2 b.ts
         tool: #2 ok",
    );
}

#[test]
fn fault_responses_without_calls_are_left_alone() {
    check_untouched("tool: #r content\nai: write_file#w a.ts\ntool: #w ok | #w again");
}

#[test]
fn fault_ids_that_are_no_strings_pair_nothing() {
    let history = crate::support::contents(json!([
        {"speaker": "ai", "blocks": [
            {"type": "tool_call", "id": 7, "name": "read_file", "parameters": {"path": "a.ts"}},
            {"type": "tool_call", "name": "read_file", "parameters": {"path": "a.ts"}}]},
        {"speaker": "tool", "blocks": [
            {"type": "tool_response", "callId": 7, "toolName": "read_file", "result": "x"},
            {"type": "tool_response", "toolName": "read_file", "result": "x"}]},
        {"speaker": "ai", "blocks": [
            {"type": "tool_call", "id": "w", "name": "write_file", "parameters": {"path": "a.ts"}}]},
        {"speaker": "tool", "blocks": [
            {"type": "tool_response", "callId": "w", "toolName": "write_file", "result": "ok"}]},
    ]));
    assert_eq!(optimize(&history), history);
}

#[test]
fn fault_no_media_is_left_alone_in_a_tool_entry() {
    check(
        "ai: read_file#r a.png
         tool: #r shown | <media>
         ai: write_file#w a.png
         tool: #w ok",
        "ai: write_file#w a.png
         tool: #w ok",
    );
    // Beside another response it stays.
    check(
        "ai: read_file#r a.png | grep#g
         tool: #r shown | <media> | #g none
         ai: write_file#w a.png
         tool: #w ok",
        "ai: grep#g
         tool: <media> | #g none
         ai: write_file#w a.png
         tool: #w ok",
    );
}

#[test]
fn fault_a_tool_entry_left_without_a_response_goes_but_for_unknown_blocks() {
    check(
        "ai: read_file#r a.ts
         tool: #r content | \"a note\"
         ai: write_file#w a.ts
         tool: #w ok",
        "ai: write_file#w a.ts
         tool: #w ok",
    );
    check(
        "ai: read_file#r a.ts
         tool: #r content | @{\"type\":\"hologram\"}
         ai: write_file#w a.ts
         tool: #w ok",
        "tool: @{\"type\":\"hologram\"}
         ai: write_file#w a.ts
         tool: #w ok",
    );
}

#[test]
fn fault_req_8_7_no_entry_of_mere_thinking_or_blanks_is_left_behind() {
    check(
        "human: Go.
         ai: ~What is in it? | \" \\n\" | read_file#r a.ts
         tool: #r content
         ai: ~Now write. | write_file#w a.ts
         tool: #w ok",
        "human: Go.
         ai: ~Now write. | write_file#w a.ts
         tool: #w ok",
    );
    // Entries that were like that before are none of our business.
    check_untouched("human: Go.\nai: ~Hm.\nhuman: And?\nai: \" \"");
    // Words and code keep their entry, thinking included.
    check(
        "ai: ~Hm. | \"So.\" | read_file#r a.ts
         tool: #r content
         ai: write_file#w a.ts
         tool: #w ok",
        "ai: ~Hm. | \"So.\"
         ai: write_file#w a.ts
         tool: #w ok",
    );
}

#[test]
fn fault_a_compacted_write_no_longer_counts() {
    check_untouched(
        "ai: read_file#r a.ts
         tool: #r content
         ai: write_file#w a.ts
         tool: #w [write_file: a.ts — error]",
    );
}
