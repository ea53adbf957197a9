//! What calls of current agents did, asked of every reader of calls.

use densify::content::Content;
use densify::intake::Call;
use densify::tools::{KEY_PARAMETERS, ToolKind, ToolTable};
use serde_json::{Value, json};

use crate::files::{operations, short};
use crate::results::{exchange, lines, read, reversed};
use crate::superseded::{file, goes, stays};

fn exec(id: &str, script: &str, text: &str) -> Vec<Content> {
    let output = format!("Script completed\nWall time 0.1 seconds\nOutput:\n{text}");
    exchange(id, "exec", json!({"input": script}), json!(output))
}

#[track_caller]
fn check(name: &str, parameters: Value, expected: &str) {
    assert_eq!(
        short(&operations(&crate::files::call(name, parameters.clone()))),
        expected,
        "{name} {parameters}"
    );
}

const PATCH: &str = "const patch = \"*** Begin Patch\\n*** Update File: a.rs\\n@@\\n-file 3;\\n+new;\\n*** End Patch\";\n\
                     text(await tools.apply_patch(patch));\n";

#[test]
fn codex_scripts_are_read_as_the_calls_that_they_make() {
    check(
        "exec",
        json!({"input": "const r = await tools.exec_command({cmd:\"cat a.rs\"});text(r.output)"}),
        "r/w/a.rs",
    );
    check(
        "exec",
        json!({"input": "await tools.exec_command({cmd:\"cat a.rs\",\"workdir\":\"/x\"})"}),
        "r/x/a.rs",
    );
    check("exec", json!({"input": PATCH}), "e/w/a.rs");
    check("exec", json!(PATCH), "e/w/a.rs");
    check("exec", json!({"input": "for (;;) await tools.exec_command({cmd:\"cat a.rs\"})"}), "");
    let both = "await Promise.all([tools.exec_command({cmd:'cat a'}), tools.exec_command({cmd:'cat b'})])";
    check("exec", json!({"input": both}), "r/w/a r/w/b");
    let old = read("1", "/a.rs", &file(0..40));
    let show = "const r = await tools.exec_command({cmd:\"cat /a.rs\"});text(r.output)";
    goes("shown by a script", &[old.clone(), exec("2", show, &file(0..40))]);
    let other = lines("other", 0..40);
    stays("but not with other lines", &[old.clone(), exec("2", show, &other)]);
    let twice =
        "await Promise.all([tools.exec_command({cmd:'cat /a.rs'}), tools.exec_command({cmd:'cat /b.rs'})])";
    stays("what several calls show is one text", &[old.clone(), exec("2", twice, &other)]);
    let unknown = "const f = files(); await f.map(x => tools.exec_command({cmd: x}))";
    stays("an unknown script", &[old, exec("2", unknown, &other)]);
}

#[test]
fn a_repeated_look_by_a_script_is_a_repeated_call() {
    let look = |id, text: &str| {
        exec(id, "const r = await tools.exec_command({cmd:\"git status\"});text(r.output)", text)
    };
    goes("only looks", &[look("1", &lines("one", 0..20)), look("2", &reversed(&lines("one", 0..20)))]);
    let run =
        |id, text: &str| exec(id, "const r = await tools.exec_command({cmd:\"make\"});text(r.output)", text);
    stays("runs", &[run("1", &lines("one", 0..20)), run("2", &reversed(&lines("one", 0..20)))]);
    let type_in =
        |id, text: &str| exec(id, "const r = await tools.write_stdin({session_id:1,chars:\"\"})", text);
    stays("types", &[type_in("1", &lines("one", 0..20)), type_in("2", &reversed(&lines("one", 0..20)))]);
}

#[test]
fn a_wait_for_a_script_or_an_agent_stays() {
    let wait = |id, text: &str| exchange(id, "wait", json!({"cell_id": 1}), json!(text));
    stays("waits", &[wait("1", &lines("one", 0..20)), wait("2", &lines("one", 0..20))]);
}

#[test]
fn a_shell_of_its_own_says_nothing_of_where_another_one_is() {
    let bash = |id, text: &str| exchange(id, "Bash", json!({"command": "cat a.rs"}), json!(text));
    let old = bash("1", &file(0..40));
    for (tool, parameters) in [
        ("write_stdin", json!({"session_id": 1, "chars": "ssh host\n"})),
        ("exec", json!({"input": "await tools.exec_command({cmd: \"ssh host\"})"})),
        ("wait", json!({"cell_id": 1})),
    ] {
        let other = exchange("2", tool, parameters, json!("ok"));
        goes(tool, &[old.clone(), other, bash("3", &file(0..40))]);
    }
}

#[test]
fn a_read_may_name_its_lines_in_its_path() {
    check("read", json!({"path": "src/a.rs:60-110"}), "r/w/src/a.rs");
    check("read", json!({"path": "a:b-c"}), "r/w/a:b-c");
    check("read", json!({"path": "a:9-3"}), "r/w/a:9-3");
    check("read", json!({"path": "a:0-3"}), "r/w/a:0-3");
    check("write", json!({"path": "a.rs:1-9", "content": ""}), "w/w/a.rs:1-9");
    let range = |id, lines: std::ops::Range<usize>| {
        let path = format!("/a.rs:{}-{}", lines.start + 1, lines.end);
        exchange(id, "read", json!({"path": path, "i": "look"}), json!(file(lines)))
    };
    goes("the same lines again", &[range("1", 10..40), range("2", 0..60)]);
    goes("the whole file", &[range("1", 10..40), read("2", "/a.rs", &file(0..60))]);
    stays("other lines", &[range("1", 10..40), range("2", 40..80)]);
}

#[test]
fn tools_of_current_agents_are_in_the_table() {
    let table = ToolTable::default();
    for (name, kind) in [
        ("PowerShell", ToolKind::Shell),
        ("exec", ToolKind::Shell),
        ("write_stdin", ToolKind::Shell),
        ("rg", ToolKind::Search),
        ("sql", ToolKind::Search),
    ] {
        assert_eq!(table.kind(name), kind, "{name}");
    }
    assert!(KEY_PARAMETERS.contains(&"input"));
    // Its words mean other things than those of a Unix shell.
    let power = |id, text: &str| exchange(id, "PowerShell", json!({"command": "cat a.rs"}), json!(text));
    stays("PowerShell", &[read("1", "/a.rs", &file(0..40)), power("2", &lines("other", 0..40))]);
}

#[test]
fn the_intake_keeps_what_scripts_show() {
    let is_exact =
        |script: &str| Call::new("exec", &json!({"input": script}), &ToolTable::default()).is_exact;
    assert!(is_exact("const r = await tools.exec_command({cmd:\"cat a.rs\"});text(r.output)"));
    assert!(is_exact("for (const f of files) text(await tools.exec_command({cmd:`cat ${f}`}))"));
    assert!(!is_exact("const r = await tools.exec_command({cmd:\"make\"});text(r.output)"));
}
