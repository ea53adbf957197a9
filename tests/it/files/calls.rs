//! Calls of tools that say what they are.

use serde_json::{Value, json};

use super::{call, operations, operations_with, short};
use crate::script::parse;
use crate::support::options;

#[track_caller]
fn check(name: &str, parameters: Value, expected: &str) {
    assert_eq!(short(&operations(&call(name, parameters.clone()))), expected, "{name} {parameters}");
}

#[test]
fn the_well_known_agents_tools() {
    check("read_file", json!({"file_path": "a.ts"}), "r/w/a.ts");
    check("read_file", json!({"absolute_path": "/x/a.ts"}), "r/x/a.ts");
    check("read_many_files", json!({"paths": ["b", "./a", "src/*.ts", "a"]}), "r/w/a r/w/b");
    check("write_file", json!({"file_path": "../a"}), "w/a");
    check("replace", json!({"file_path": "a"}), "e/w/a");
    check("Write", json!({"file_path": "/w/a", "content": "x"}), "w/w/a");
    check("MultiEdit", json!({"file_path": "/w/a", "edits": []}), "e/w/a");
    check("NotebookEdit", json!({"notebook_path": "n.ipynb"}), "e/w/n.ipynb");
    check("NotebookRead", json!({"notebook_path": "n.ipynb"}), "r/w/n.ipynb");
    check("read", json!({"filePath": "a"}), "r/w/a");
    check("edit", json!({"path": "a"}), "e/w/a");
    check("create", json!({"path": "a"}), "w/w/a");
    check("write_to_file", json!({"path": "a"}), "w/w/a");
    for (command, expected) in [
        ("view", "r/w/a"),
        ("create", "w/w/a"),
        ("str_replace", "e/w/a"),
        ("insert", "e/w/a"),
        ("undo_edit", "e/w/a"),
        ("delete", ""),
    ] {
        check("str_replace_editor", json!({"command": command, "path": "a"}), expected);
        check("str_replace_based_edit_tool", json!({"command": command, "path": "a"}), expected);
    }
}

#[test]
fn calls_that_arent_understood_yield_nothing() {
    check("grep", json!({"path": "a"}), "");
    check("unheard_of", json!({"file_path": "a"}), "");
    for odd in
        [json!(null), json!([]), json!("a"), json!({}), json!({"file_path": 7}), json!({"file_path": ""})]
    {
        for tool in ["read_file", "write_file", "apply_patch", "run_shell_command", "str_replace_editor"] {
            check(tool, odd.clone(), "");
        }
    }
    check("run_shell_command", json!({"command": {"cat": "a"}}), "");
    check("shell", json!({"command": ["cat", 7]}), "");
    check("write_file", json!({"file_path": "a", "dry_run": true}), "");
}

#[test]
fn failed_and_unanswered_calls_dont_count() {
    for (history, expected) in [
        ("ai: read_file#1 a\ntool: #1 x", "r/w/a"),
        ("ai: read_file#1 a\ntool: #1! x", ""),
        (
            r#"ai: write_file#1 a
            tool: #1= {"exit_code":1}"#,
            "",
        ),
        (
            r#"ai: write_file#1 a
            tool: #1= {"error":"no"}"#,
            "",
        ),
        ("ai: read_file#1 a", ""),
        ("ai: read_file#1 a\ntool: #2 x", ""),
        // The word says nothing; the line that a result became does.
        ("ai: read_file#1 a\ntool: #1 error", "r/w/a"),
        ("ai: read_file#1 a\ntool: #1 [read_file: a — error]", ""),
        ("ai: read_file#1 a\ntool: #1 [read_file: a — error, 3 lines]", ""),
        ("ai: read_file#1 a\ntool: #1 [read_file: a — success, 3 lines]", "r/w/a"),
        ("ai: read_file#1 a\ntool: #1 [other: a — error]", "r/w/a"),
        ("ai: read_file#1 a\ntool: #1 [Result pruned — re-run tool to retrieve]", "r/w/a"),
    ] {
        assert_eq!(short(&operations(&parse(history))), expected, "{history}");
    }
}

#[test]
fn lists_are_sorted_by_utf16_unit_and_name_a_file_once() {
    let history = parse(
        "ai: read_file#1 b | read_file#2 \u{ff5e} | read_file#3 😀 | read_file#4 ./b | read_file#5 B
         tool: #1 x | #2 x | #3 x | #4 x | #5 x",
    );
    assert_eq!(operations(&history).read, ["/w/B", "/w/b", "/w/😀", "/w/\u{ff5e}"]);
}

#[test]
fn patches_name_their_files_in_their_headers() {
    let patch = "*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: src/b.ts\n@@\n-x\n+*** Update File: no\n \
                 *** Add File: no\n*** Add File: /n/new.ts\n+x\n*** Delete File: old.ts\n*** Update File: \n*** End Patch\n\
                 *** Update File: behind";
    let expected = "w/n/new.ts e/w/old.ts e/w/src/a.ts e/w/src/b.ts";
    for parameters in
        [json!({"input": patch}), json!({"patchText": patch}), json!({"patch": patch}), json!(patch)]
    {
        check("apply_patch", parameters, expected);
    }
    check("apply_patch", json!({"input": "*** Update File: a"}), "");
    check(
        "apply_patch",
        json!({"input": "x\n*** Begin Patch\r\n*** Update File: a\r\n*** End Patch"}),
        "e/w/a",
    );
    // As a command, in a here-document or as a word.
    check("shell", json!({"command": ["apply_patch", patch]}), expected);
    let document = format!("cd /w && apply_patch <<'PATCH'\n{patch}\nPATCH\ncat a");
    check("exec_command", json!({"cmd": document}), &format!("r/w/a {expected}"));
    check("shell", json!({"command": ["bash", "-lc", document]}), &format!("r/w/a {expected}"));
    check(
        "exec_command",
        json!({"cmd": "apply_patch <<EOF\n*** Begin Patch\n*** Update File: a", "workdir": "/v"}),
        "e/v/a",
    );
}

#[test]
fn a_callers_own_tools_are_known() {
    let tools = options::<densify::options::OptimizeSettings>(json!({"tools": [
        {"name": "slurp", "kind": "read", "pathKeys": ["where"]},
        {"name": "scribble", "kind": "edit"},
        {"name": "run", "kind": "shell"},
    ]}));
    let tools = tools.tools.unwrap();
    for (name, parameters, expected) in [
        ("slurp", json!({"where": "a"}), "r/w/a"),
        ("scribble", json!({"path": "a"}), "e/w/a"),
        ("run", json!({"cmd": "cat a"}), "r/w/a"),
    ] {
        assert_eq!(short(&operations_with(&call(name, parameters), "/w", &tools)), expected);
    }
}

#[test]
fn windows_paths_resolve_where_the_workspace_is_one() {
    let operations = operations_with(&call("read_file", json!({"file_path": "src/a.ts"})), r"C:\w", &[]);
    assert_eq!(operations.read, [r"C:\w\src\a.ts"]);
    let shell = call("Bash", json!({"command": "cat src/a.ts"}));
    assert_eq!(operations_with(&shell, r"C:\w", &[]).read, [r"C:\w\src\a.ts"]);
    // What a backslash is to that shell, nobody knows.
    let shell = call("Bash", json!({"command": r"cat src\a.ts"}));
    assert_eq!(short(&operations_with(&shell, r"C:\w", &[])), "");
}
