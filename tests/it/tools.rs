//! The one table of tools.

use densify::tools::{KEY_PARAMETERS, ToolKind, ToolTable, known_names};
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
    // Those of other hosts come behind them.
    assert_eq!(table.describe("read_file").path_keys[..3], ["file_path", "absolute_path", "path"]);
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
fn names_are_known_however_agents_spell_them() {
    let table = ToolTable::default();
    for (name, spellings) in [
        ("read_file", "readFile ReadFile Read_File read-file functions.readFile default_api:read_file"),
        (
            "read_file",
            "mcp__filesystem__read_file mcp_filesystem_read_file mcp__fs__readFile filesystem_read_file",
        ),
        ("read_text_file", "filesystem.read_text_file filesystem_read_text_file filesystem__readTextFile"),
        ("write_file", "writeFile WriteFile mcp__filesystem__write_file"),
        ("edit_file", "editFile mcp__filesystem__edit_file"),
        ("apply_patch", "applyPatch ApplyPatch functions.apply_patch"),
        ("run_shell_command", "runShellCommand"),
        ("execute_bash", "executeBash ExecuteBash"),
        ("list_directory", "listDirectory mcp__filesystem__list_directory"),
        ("todo_write", "todoWrite todo-write"),
        ("read_multiple_files", "readMultipleFiles mcp__filesystem__read_multiple_files"),
        ("file_editor", "FileEditor fileEditor"),
        ("str_replace_editor", "strReplaceEditor"),
    ] {
        for spelled in spellings.split(' ') {
            let (known, found) = (table.describe(name), table.describe(spelled));
            assert_eq!(found.kind, known.kind, "{spelled}");
            assert_eq!(table.kind(spelled), known.kind, "{spelled}");
            assert_eq!((found.mode, found.path_list_key), (known.mode, known.path_list_key), "{spelled}");
            // Parameters in camel case come first.
            assert_eq!(found.path_keys[0], "filePath", "{spelled}");
            assert_eq!(found.path_keys[1..], known.path_keys, "{spelled}");
        }
    }
}

#[test]
fn names_that_could_mean_something_else_are_unknown() {
    let table = ToolTable::default();
    for name in [
        // Single words, and plans, mean many things.
        "Replace View CREATE EXECUTE mcp__filesystem__read filesystem.view functions.create updatePlan",
        // Other servers have files of their own.
        "mcp__github__read_file mcp__ssh__execute_command mcp_drive_read_file mcp__write_file s3.write_file",
        "mcp__filesystem__backup__write_file remote_filesystem_write_file mcp__my-fs__read_file mcp_fs_write_file",
        // More or fewer words are another tool.
        "readAFile readFile2 readTheFile tryReadFile read_file_v2 readfile READ_FILE read_FILE READFile rea_dfile read__file read_file_ -read_file readFile\u{e9} re\u{e1}dFile",
        "mcp_ mcp__filesystem__ _ __ filesystem functions. writeFileToCloud",
    ]
    .iter()
    .flat_map(|names| names.split(' '))
    {
        assert_eq!(table.kind(name), ToolKind::Other, "{name}");
        assert_eq!(table.describe(name).mode, None, "{name}");
    }
}

#[test]
fn a_callers_word_wins_over_every_spelling() {
    let tools = json!([
        {"name": "readFile", "kind": "other"},
        {"name": "write_file", "kind": "shell", "pathKeys": ["where"]},
        {"name": "mcp__github__read_file", "kind": "read", "pathKeys": ["at"]},
    ]);
    let own: densify::options::OptimizeSettings =
        densify::options::read_options(&json!({"tools": tools})).unwrap();
    let table = ToolTable::with(&own.tools.unwrap());
    for (name, kind) in [
        ("readFile", ToolKind::Other),
        ("ReadFile", ToolKind::Read),
        ("read_file", ToolKind::Read),
        ("write_file", ToolKind::Shell),
        ("writeFile", ToolKind::Shell),
        ("mcp__filesystem__write_file", ToolKind::Shell),
        ("mcp__github__read_file", ToolKind::Read),
        ("mcp__gitlab__read_file", ToolKind::Other),
    ] {
        assert_eq!((table.kind(name), table.describe(name).kind), (kind, kind), "{name}");
    }
    // A caller's own parameters are all that is looked at.
    assert_eq!(table.describe("writeFile").path_keys, ["where"]);
}

#[test]
fn differently_spelled_tools_supersede_each_other() {
    for (read, write) in [
        (r#"readFile#1 {"filePath":"a"}"#, r#"writeFile#2 {"path":"/a"}"#),
        (
            r#"mcp__filesystem__read_text_file#1 {"path":"/a"}"#,
            r#"mcp__filesystem__edit_file#2 {"path":"/a"}"#,
        ),
        (r#"filesystem.read_file#1 {"path":"/a"}"#, r#"Write#2 {"file_path":"/a"}"#),
        (r#"mcp__filesystem__read_multiple_files#1 {"paths":["/a"]}"#, r#"Write#2 {"file_path":"/a"}"#),
        (
            r#"file_editor#1 {"command":"view","path":"/a"}"#,
            r#"file_editor#2 {"command":"str_replace","path":"/a"}"#,
        ),
    ] {
        let history = parse(&format!("ai: {read}\ntool: #1 x\nai: {write}\ntool: #2 ok"));
        assert_eq!(optimize_with(&history, json!({})).len(), 2, "{read}, {write}");
        let other = read.replacen("#1", "_of_another#1", 1);
        let history = parse(&format!("ai: {other}\ntool: #1 x\nai: {write}\ntool: #2 ok"));
        assert_eq!(optimize_with(&history, json!({})), history, "{other}, {write}");
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

/// The table of `docs/known-tools.md`: a row for each way in which tools of a kind name their files.
fn rows() -> String {
    let table = ToolTable::default();
    let mut rows: Vec<(ToolKind, String, Vec<&str>)> = Vec::new();
    for name in known_names() {
        let tool = table.describe(name);
        // Those of other hosts come behind these, for all tools alike.
        let usual = tool.path_keys.iter().position(|key| key == "path").unwrap();
        let keys: Vec<String> = tool.path_keys[..=usual].iter().map(|key| format!("`{key}`")).collect();
        let files = match (tool.kind, &tool.path_list_key, &tool.mode) {
            (_, _, Some(mode)) => {
                let kinds: Vec<String> =
                    mode.kinds.iter().map(|(value, kind)| format!("`{value}` {}", kind.name())).collect();
                format!("{}; `{}` says which: {}", keys.join(", "), mode.key, kinds.join("; "))
            }
            (_, Some(list), _) => format!("{}, a list in `{list}`", keys.join(", ")),
            (ToolKind::Read | ToolKind::Write | ToolKind::Edit, ..) => keys.join(", "),
            _ => String::new(),
        };
        match rows.iter_mut().find(|(kind, known, _)| *kind == tool.kind && *known == files) {
            Some((_, _, names)) => names.push(name),
            None => rows.push((tool.kind, files, vec![name])),
        }
    }
    rows.sort_by_key(|(kind, ..)| *kind as u8);
    let row = |(kind, files, names): &(ToolKind, String, Vec<&str>)| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let kind = if files.contains("says which") { "several" } else { kind.name() };
        format!("| {kind} | {} | {files} |\n", names.join(" "))
    };
    rows.iter().map(row).collect()
}

#[test]
fn the_table_of_the_documents_is_the_one_in_use() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/known-tools.md");
    // The crate is published without the documents.
    let Ok(text) = std::fs::read_to_string(&path) else { return };
    let (head, rest) = text.split_once("|---|---|---|\n").unwrap();
    for key in &ToolTable::default().describe("read_file").path_keys[3..] {
        assert!(text.contains(&format!("`{key}`")), "{key}");
    }
    let old: String =
        rest.lines().take_while(|line| line.starts_with('|')).map(|line| format!("{line}\n")).collect();
    let rows = rows();
    if std::env::var_os("UPDATE_FIXTURES").is_some() {
        std::fs::write(&path, format!("{head}|---|---|---|\n{rows}{}", &rest[old.len()..])).unwrap();
        return;
    }
    assert_eq!(old, rows, "make it anew by UPDATE_FIXTURES=1 cargo test --test it tools");
}
