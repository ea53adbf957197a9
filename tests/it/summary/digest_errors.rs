//! What a digest says of calls that failed: why, and only as long as it is so.

use densify::content::Content;
use densify::summary::{DigestSettings, Digested, digest_contents};
use serde_json::{Value, json};

use super::{ai, calls, human};
use crate::support::{contents, options};

/// A call that failed: its result, and what marks the failure.
fn failed(id: &str, name: &str, parameters: Value, result: &str, error: &str) -> [Value; 2] {
    let [call, _] = calls(id, name, parameters, json!(""));
    let response =
        json!({"type": "tool_response", "callId": id, "toolName": name, "result": result, "error": error});
    [call, json!({"speaker": "tool", "blocks": [response]})]
}

fn shell(command: &str, result: &str, error: &str) -> [Value; 2] {
    failed(command, "bash", json!({"command": command}), result, error)
}

/// The open errors that a digest of some calls tells of.
fn errors(made: impl IntoIterator<Item = [Value; 2]>) -> String {
    let mut session = vec![human("Fix it.")];
    session.extend(made.into_iter().flatten());
    session.extend(calls("l", "bash", json!({"command": "make all"}), json!("line of output\n".repeat(900))));
    session.extend((0..8).map(|at| ai(format!("tail {at}"))));
    let found: Vec<Content> = contents(session.into());
    let settings = options::<DigestSettings>(json!({"preserve": {"messages": 8}}));
    let Digested::Applied(applied) = digest_contents(&found, &settings).unwrap().0 else { panic!("noop") };
    let text = &applied.insert[0].text;
    let (_, list) = text.split_once("## Errors that are still open\n").unwrap_or_default();
    list.split("\n\n").next().unwrap_or_default().to_owned()
}

#[test]
fn the_reason_of_a_failure_is_told_in_its_words() {
    let refused = "The user doesn't want to proceed with this tool use. To tell you how, the user said:\nuse the other branch\nthanks";
    for (result, error, expected) in [
        // The mark says no more than that it failed.
        (
            "Exit code 128\nfatal: pathspec 'a.go' did not match any files",
            "failed",
            "fatal: pathspec 'a.go' did not match any files",
        ),
        (
            "<returncode>1</returncode>\n<output>\n/usr/bin/python3: No module named pytest\n</output>",
            "failed",
            "/usr/bin/python3: No module named pytest",
        ),
        (
            "Chunk ID: 5b4b9c\nWall time: 0.4 seconds\nProcess exited with code 2\nOriginal token count: 4\nOutput:\nsed: can't read a.ts",
            "failed",
            "sed: can't read a.ts",
        ),
        (
            "🔒 Blocked: command references protected directory \".secrets\"",
            "failed",
            "🔒 Blocked: command references protected directory \".secrets\"",
        ),
        ("<tool_use_error>File does not exist.</tool_use_error>", "failed", "File does not exist."),
        (
            refused,
            "failed",
            "[2 lines]\nbash make: The user doesn't want to proceed with this tool use. To tell you how, the user said:\n> use the other branch",
        ),
        // What no word tells of: the last lines.
        (
            "one\ntwo\nthree\nusage: tool <subcommand>\n\nCommand exited with code 1",
            "failed",
            "[3 lines]\nbash make: two\n> three\n> usage: tool <subcommand>",
        ),
        // Three lines at most, each once; passing tests don't tell.
        (
            "✔ keeps errors\nerror: a\nerror: a\nerror: b\nfatal: c\nerror: d",
            "failed",
            "[3 lines]\nbash make: error: a\n> error: b\n> fatal: c",
        ),
        (r#"{"output":"boom: no such table","metadata":{"exit_code":1}}"#, "failed", "boom: no such table"),
        // The mark is all there is, or says more.
        ("", "failed", "failed"),
        ("", "connection lost", "connection lost"),
        ("half of it", "connection timed out", "connection timed out"),
        ("Exit code 3", "failed", "exit code 3"),
    ] {
        let told = errors([shell("make", result, error)]);
        let item = if expected.starts_with('[') {
            format!("- {expected}")
        } else {
            format!("- bash make: {expected}")
        };
        assert_eq!(told, item, "{result}");
    }
    let long = errors([shell("make", &format!("error: {}", "x".repeat(900)), "failed")]);
    assert!(long.ends_with("xx…") && long.chars().count() < 260, "{long}");
}

#[test]
fn of_a_command_that_looks_its_own_words_are_told() {
    let shown =
        "throw new Error('failed')\nif (error) fail();\nsed: can't read src/b.ts: No such file or directory";
    let told = errors([shell("cat src/a.ts && sed -n 1,9p src/b.ts", shown, "failed")]);
    assert!(told.ends_with("b.ts: sed: can't read src/b.ts: No such file or directory"), "{told}");
}

#[test]
fn what_found_nothing_did_not_fail() {
    for (command, result) in [
        ("grep -n x a.py", "<returncode>1</returncode>\n<output>\n</output>"),
        (
            "cd w && rg -n \"a|b\" src -g '*.ts' 2>&1",
            "Chunk ID: 1\nWall time: 0.0 seconds\nProcess exited with code 1\nOutput:\n",
        ),
        ("which tool", "Exit code 1"),
        ("find . | grep x", "(no output)\n\nCommand exited with code 1"),
    ] {
        assert_eq!(errors([shell(command, result, "failed")]), "", "{command}");
    }
    assert_eq!(errors([shell("rg x", "", "exit code 1")]), "");
    for (command, result) in [
        ("grep x a.py", "Exit code 2"),
        ("grep x a.py", "Exit code 1\ngrep: a.py: No such file or directory"),
        ("make", "Exit code 1"),
        ("grep x a.py > found.txt", "Exit code 1"),
        ("grep x a.py && make", "Exit code 1"),
    ] {
        assert_ne!(errors([shell(command, result, "failed")]), "", "{command}");
    }
}

#[test]
fn errors_of_a_file_end_where_it_is_written() {
    let path = "/w/src/a.ts";
    let edit = || failed("1", "edit", json!({"filePath": path}), "String to replace not found", "failed");
    let read = || failed("2", "read", json!({"filePath": "/w/src/b.ts"}), "File not found", "failed");
    let other = || shell("cat /w/src/a.ts", "cat: Permission denied", "failed");
    let all = errors([edit(), read(), other()]);
    assert_eq!(all.lines().count(), 3, "{all}");
    let left = |id: &str, name: &str, parameters: Value| {
        let told = errors([edit(), read(), other(), calls(id, name, parameters, json!("done"))]);
        told.lines().map(|line| line.split(' ').nth(1).unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    let headers = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** End Patch";
    for (name, parameters) in [
        ("write", json!({"filePath": path, "content": "x"})),
        ("replace", json!({"file_path": path})),
        ("edit", json!({"filePath": "src/a.ts"})),
        ("apply_patch", json!({"input": headers})),
        ("bash", json!({"command": "cat > /w/src/a.ts <<'E'\nx\nE"})),
    ] {
        // How a shell's command went is known here, since one has failed.
        assert_eq!(left("3", name, parameters), "read bash", "{name}");
    }
    assert_eq!(left("3", "write", json!({"filePath": "/w/src/b.ts"})), "edit bash");
    assert_eq!(left("3", "write", json!({"filePath": "/w/lib/src-a.ts"})), "edit read bash");
    assert_eq!(left("3", "read", json!({"filePath": path})), "edit read bash");
    // A patch names its files itself.
    let bad =
        failed("4", "apply_patch", json!({"input": headers}), "Failed to find expected lines", "failed");
    assert_eq!(errors([bad.clone()]), "- apply_patch src/a.ts: Failed to find expected lines");
    assert_eq!(errors([bad, calls("5", "write", json!({"filePath": path}), json!("done"))]), "");
}

#[test]
fn an_open_error_keeps_its_place_and_values() {
    for (command, output, needed) in [
        (
            "npm test",
            "FAIL src/cart.test.ts\n  ● total\n    Expected: 4711\n    Received: 4712\n    at src/cart.test.ts:42:22",
            vec!["4711", "4712", "cart.test.ts:42"],
        ),
        (
            "cargo build",
            "   Compiling x v0.1.0\nerror[E0308]: mismatched types\n --> src/cart.rs:42:18\n  |\n42 | \"4711\"\n  | ^^^ expected i32",
            vec!["E0308", "cart.rs:42"],
        ),
        (
            "go test ./...",
            "--- FAIL: TestCart (0.00s)\n    cart_test.go:42: total = 4712, want 4711\nFAIL",
            vec!["want 4711"],
        ),
    ] {
        let mut entries = vec![super::human("Fix it")];
        let noise = |entries: &mut Vec<serde_json::Value>, from: usize| {
            for at in from..from + 10 {
                let output = json!("out of a run that went well\n".repeat(20));
                entries.extend(super::calls(
                    &format!("n{at}"),
                    "run_shell_command",
                    json!({"command": format!("./run-{at}")}),
                    output,
                ));
            }
        };
        noise(&mut entries, 0);
        let mut failed = super::calls("f", "run_shell_command", json!({"command": command}), json!(null));
        failed[1]["blocks"][0] = json!({"type": "tool_response", "callId": "f", "toolName": "run_shell_command", "error": format!("Exit code 1\n{output}")});
        entries.extend(failed);
        noise(&mut entries, 20);
        entries.push(super::ai("Well."));
        let (_, after) =
            densify::summary::digest_contents(&super::history(entries), &crate::support::options(json!({})))
                .unwrap();
        let text = super::text(&after.unwrap()[0]);
        for word in needed {
            assert!(text.contains(word), "{word}: {text}");
        }
    }
}
