//! Reads that a later write made stale (REQ-HD-005).

mod faults;

use densify::optimizer::DensityMetadata;
use serde_json::json;

use crate::script::{assert_script, parse};
use crate::support::{check, check_untouched, density_config, optimize, optimize_with, options};

/// A read and, in a later entry, a write, with one response each.
fn read_then_write(read: &str, write: &str) -> String {
    format!("human: Go.\nai: {read}\ntool: #r content\nai: {write}\ntool: #w ok\n")
}

#[test]
fn req_005_1_a_read_goes_once_its_file_was_written() {
    check(
        &read_then_write("read_file#r a.ts", "write_file#w a.ts"),
        "human: Go.
         ai: write_file#w a.ts
         tool: #w ok",
    );
}

#[test]
fn req_005_1_a_write_of_another_file_changes_nothing() {
    check_untouched(&read_then_write("read_file#r a.ts", "write_file#w b.ts"));
}

#[test]
fn req_005_2_all_read_tools_count() {
    for tool in ["read_file", "read_line_range", "ast_read_file", "Read", "read", "view", "NotebookRead"] {
        let history = parse(&read_then_write(&format!("{tool}#r a.ts"), "write_file#w a.ts"));
        assert_eq!(optimize(&history).len(), 3, "{tool}");
    }
    let many = r#"read_many_files#r {"paths":["a.ts"]}"#;
    assert_eq!(optimize(&parse(&read_then_write(many, "write_file#w a.ts"))).len(), 3);
    for tool in ["grep", "run_shell_command", "readfile", "READ_FILE", "constructor", "__proto__"] {
        check_untouched(&read_then_write(&format!("{tool}#r a.ts"), "write_file#w a.ts"));
    }
}

#[test]
fn req_005_3_all_write_tools_count() {
    let tools = [
        "write_file",
        "ast_edit",
        "replace",
        "insert_at_line",
        "delete_line_range",
        "Write",
        "Edit",
        "MultiEdit",
        "write",
        "edit",
        "create",
        "write_to_file",
    ];
    for tool in tools {
        let history = parse(&read_then_write("read_file#r a.ts", &format!("{tool}#w a.ts")));
        assert_eq!(optimize(&history).len(), 3, "{tool}");
    }
    for tool in ["todo_write", "grep", "write_files", "toString"] {
        check_untouched(&read_then_write("read_file#r a.ts", &format!("{tool}#w a.ts")));
    }
}

#[test]
fn req_005_4_the_path_comes_from_the_first_key_that_holds_one() {
    let stale = [
        r#"{"absolute_path":"/a.ts"}"#,
        r#"{"path":"a.ts"}"#,
        r#"{"path":"b.ts","file_path":"a.ts"}"#,
        r#"{"path":"b.ts","absolute_path":"/a.ts"}"#,
        r#"{"file_path":7,"path":"a.ts"}"#,
        r#"{"file_path":"","path":"a.ts"}"#,
        r#"{"file_path":null,"absolute_path":["x"],"path":"a.ts"}"#,
    ];
    for parameters in stale {
        let history = parse(&read_then_write(&format!("read_file#r {parameters}"), "write_file#w a.ts"));
        assert_eq!(optimize(&history).len(), 3, "{parameters}");
    }
    for parameters in
        [r#"{"file_path":"b.ts","path":"a.ts"}"#, r#"{"filename":"a.ts"}"#, r#"{"file_path":""}"#]
    {
        check_untouched(&read_then_write(&format!("read_file#r {parameters}"), "write_file#w a.ts"));
    }
}

#[test]
fn req_005_5_paths_are_resolved_and_compared_exactly() {
    for path in ["./a.ts", "/a.ts", "src/../a.ts", "//a.ts", "a.ts/", "../../a.ts", "./././a.ts"] {
        let history = parse(&read_then_write(&format!("read_file#r {path}"), "write_file#w a.ts"));
        assert_eq!(optimize(&history).len(), 3, "{path}");
    }
    for path in ["A.ts", "a.TS", "a.ts2", "b/a.ts", "a.ts.", "a%2ets"] {
        check_untouched(&read_then_write(&format!("read_file#r {path}"), "write_file#w a.ts"));
    }
}

#[test]
fn req_005_6_call_and_response_both_go() {
    check(
        "human: Go.
         ai: \"I look.\" | read_file#r a.ts | grep#g {\"pattern\":\"x\"}
         tool: #r content | #g found
         ai: write_file#w a.ts
         tool: #w ok",
        "human: Go.
         ai: \"I look.\" | grep#g {\"pattern\":\"x\"}
         tool: #g found
         ai: write_file#w a.ts
         tool: #w ok",
    );
}

#[test]
fn req_005_7_reads_behind_the_newest_write_stay() {
    check(
        "ai: read_file#1 a.ts
         tool: #1 old
         ai: write_file#2 a.ts
         tool: #2 ok
         ai: read_file#3 a.ts
         tool: #3 middle
         ai: replace#4 a.ts
         tool: #4 ok
         ai: read_file#5 a.ts
         tool: #5 new",
        "ai: write_file#2 a.ts
         tool: #2 ok
         ai: replace#4 a.ts
         tool: #4 ok
         ai: read_file#5 a.ts
         tool: #5 new",
    );
}

#[test]
fn req_005_8_mixed_entries_are_replaced_not_removed() {
    let history = parse(
        "ai: \"Both.\" | read_file#1 a.ts | read_file#2 b.ts
         tool: #1 a | #2 b
         ai: write_file#3 a.ts
         tool: #3 ok",
    );
    let result = densify::propose_density(&history, &options(density_config())).unwrap();
    assert_eq!(result.removals, Vec::<usize>::new());
    assert_eq!(result.replacements.keys().copied().collect::<Vec<_>>(), [0, 1]);
    assert_script(&[result.replacements[&0].clone()], "ai: \"Both.\" | read_file#2 b.ts");
    assert_script(&[result.replacements[&1].clone()], "tool: #2 b");
    assert_eq!(result.metadata, DensityMetadata { read_write_pairs_pruned: 1, ..DensityMetadata::default() });
}

#[test]
fn req_005_9_a_read_of_several_files_goes_once_all_were_written() {
    let several = |paths: &str, writes: &[&str]| {
        let read = format!("ai: read_many_files#r {{\"paths\":{paths}}}\ntool: #r content\n");
        let write = |(number, path): (usize, &&str)| {
            format!("ai: write_file#w{number} {{\"path\":\"{path}\"}}\ntool: #w{number} ok\n")
        };
        let writes: Vec<String> = writes.iter().enumerate().map(write).collect();
        let history = parse(&(read + &writes.concat()));
        optimize(&history).len() < history.len()
    };
    assert!(several(r#"["a.ts","b.ts"]"#, &["a.ts", "b.ts"]));
    assert!(several(r#"["a.ts","b.ts"]"#, &["b.ts", "c.ts", "./a.ts"]));
    assert!(several(r#"["a.ts","/a.ts","a.ts"]"#, &["a.ts"]));
    assert!(several(r#"["[x]{y}.ts"]"#, &["[x]{y}.ts"]), "brackets and braces are ordinary characters");
    assert!(!several(r#"["a.ts","b.ts"]"#, &["a.ts"]));
    assert!(!several(r#"["a.ts","*.ts"]"#, &["a.ts", "*.ts"]));
    assert!(!several(r#"["a?.ts"]"#, &["a?.ts"]));
    assert!(!several("[]", &["a.ts"]));
    assert!(!several(r#"["a.ts",7]"#, &["a.ts"]));
    assert!(!several(r#"["a.ts",""]"#, &["a.ts"]));
    assert!(!several(r#""a.ts""#, &["a.ts"]));
}

#[test]
fn req_005_9_all_writes_must_stand_behind_the_read() {
    check_untouched(
        "ai: write_file#1 a.ts
         tool: #1 ok
         ai: read_many_files#2 {\"paths\":[\"a.ts\",\"b.ts\"]}
         tool: #2 content
         ai: write_file#3 b.ts
         tool: #3 ok",
    );
}

#[test]
fn req_005_10_the_rule_can_be_switched_off() {
    let history = parse(&read_then_write("read_file#r a.ts", "write_file#w a.ts"));
    assert_eq!(optimize_with(&history, json!({"rules": {"readWritePruning": false}})), history);
}

#[test]
fn req_005_11_relative_paths_start_at_the_workspace_root() {
    for (root, read, is_same) in [
        ("/w", "/w/a.ts", true),
        ("/w/", "/w/a.ts", true),
        ("w", "/w/a.ts", true),
        ("/w", "../w/a.ts", true),
        ("/w", "/a.ts", false),
        ("/w", "w/a.ts", false),
    ] {
        let history = parse(&read_then_write(&format!("read_file#r {read}"), "write_file#w a.ts"));
        let left = optimize_with(&history, json!({"workspaceRoot": root}));
        assert_eq!(left.len() == 3, is_same, "{read} in {root}");
    }
}

#[test]
fn req_013_5_odd_parameters_are_passed_over() {
    for parameters in
        ["null", "[]", "\"a.ts\"", "{}", r#"{"file_path":{"a":1}}"#, r#"[{"file_path":"a.ts"}]"#]
    {
        check_untouched(&read_then_write(&format!("read_file#r {parameters}"), "write_file#w a.ts"));
        check_untouched(&read_then_write("read_file#r a.ts", &format!("write_file#w {parameters}")));
    }
}
