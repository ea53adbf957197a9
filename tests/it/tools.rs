//! The one table of tools.

use densify::tools::{KEY_PARAMETERS, ToolKind, ToolTable};
use serde_json::json;

use crate::script::parse;
use crate::support::optimize_with;

#[test]
fn req_005_2_req_005_3_the_documents_tools_come_with_their_kinds() {
    let table = ToolTable::default();
    for (kind, names) in [
        (ToolKind::Read, "read_file read_line_range read_many_files ast_read_file"),
        (ToolKind::Write, "write_file"),
        (ToolKind::Edit, "ast_edit replace insert_at_line delete_line_range apply_patch"),
        (ToolKind::Todo, "todo_write TodoWrite todowrite update_plan write_todos"),
        (ToolKind::Other, "__proto__ constructor hasOwnProperty toString"),
    ] {
        for name in names.split(' ').chain((kind == ToolKind::Other).then_some("")) {
            assert_eq!(table.describe(name).kind, kind, "{name}");
        }
    }
    assert_eq!(table.describe("read_file").path_keys, ["file_path", "absolute_path", "path"]);
    assert_eq!(table.describe("read_many_files").path_list_key.as_deref(), Some("paths"));
}

#[test]
fn other_agents_tools_are_known_with_their_parameters() {
    for (read, write) in [
        (r#"Read#1 {"file_path":"/a"}"#, r#"MultiEdit#2 {"file_path":"/a"}"#),
        (r#"NotebookRead#1 {"notebook_path":"/a"}"#, r#"NotebookEdit#2 {"notebook_path":"/a"}"#),
        (r#"read#1 {"filePath":"a"}"#, r#"edit#2 {"filePath":"/a"}"#),
        (r#"read#1 {"path":"a"}"#, r#"write#2 {"path":"a"}"#),
        (r#"view#1 {"path":"a"}"#, r#"create#2 {"path":"a"}"#),
        (
            r#"str_replace_editor#1 {"command":"view","path":"/a"}"#,
            r#"str_replace_editor#2 {"command":"str_replace","path":"/a"}"#,
        ),
    ] {
        let history = parse(&format!("ai: {read}\ntool: #1 x\nai: {write}\ntool: #2 ok"));
        assert_eq!(optimize_with(&history, json!({})).len(), 2, "{read}, {write}");
    }
}

#[test]
fn an_editor_that_does_several_things_is_told_by_its_command() {
    for command in [r#","command":"rename""#, r#","command":7"#, ""] {
        let history = parse(&format!(
            "ai: read_file#1 /a\ntool: #1 x\nai: str_replace_editor#2 {{\"path\":\"/a\"{command}}}\ntool: #2 ok"
        ));
        assert_eq!(optimize_with(&history, json!({})), history, "{command}");
    }
}

#[test]
fn a_callers_own_tools_win() {
    let history = parse(
        r#"ai: slurp#1 {"where":"a","path":"b"} | read_file#2 a
           tool: #1 x | #2 x
           ai: bulk_read#3 {"files":["a","b"]}
           tool: #3 x
           ai: scribble#4 a
           tool: #4 ok
           ai: scribble#5 b
           tool: #5 ok"#,
    );
    let tools = json!([
        {"name": "slurp", "kind": "read", "pathKeys": ["where"]},
        {"name": "bulk_read", "kind": "read", "pathListKey": "files"},
        {"name": "scribble", "kind": "edit"},
    ]);
    assert_eq!(optimize_with(&history, json!({"tools": tools})).len(), 4);
    assert_eq!(optimize_with(&history, json!({})), history);
    // A tool that the table knows may be known differently.
    let tools = json!([{"name": "read_file", "kind": "other"}, {"name": "scribble", "kind": "write"}]);
    let left = optimize_with(&history, json!({"tools": tools}));
    assert_eq!(left, history);
}

#[test]
fn key_parameters_start_with_the_documents_path_keys() {
    assert_eq!(KEY_PARAMETERS[..3], ["file_path", "absolute_path", "path"]);
}
