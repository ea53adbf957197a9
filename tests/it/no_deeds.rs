//! What only looks like a read, a write or a repetition: it supersedes nothing.

use serde_json::{Value, json};

use crate::results::{lines, numbered, read, reversed, shell};
use crate::superseded::{call, failed, file, goes, part, stays};

#[test]
fn what_is_kept_by_default_is_never_superseded() {
    let one = lines("one", 0..20);
    let twice = |what: &str, tool: &str, parameters: Value| {
        stays(
            what,
            &[call("1", tool, parameters.clone(), &one), call("2", tool, parameters, &lines("two", 0..20))],
        );
    };
    twice("a sub-agent", "Task", json!({"prompt": "look"}));
    twice("a skill", "Skill", json!({"command": "pdf"}));
    twice("a plan", "ExitPlanMode", json!({"plan": "first"}));
    twice("todos", "TodoWrite", json!({"todos": []}));
    twice("instructions", "Read", json!({"file_path": "/AGENTS.md"}));
    twice("instructions by a shell", "Bash", json!({"command": "cat AGENTS.md 2>/dev/null | head -n 50"}));
    let write = json!({"file_path": "/CLAUDE.md", "content": lines("three", 0..20)});
    stays("rewritten", &[read("1", "/CLAUDE.md", &one), call("2", "Write", write, "written")]);
}

#[test]
fn more_of_what_runs_is_no_repetition() {
    let more = |id: &str, text: &str| call(id, "execute_bash", json!({"command": ""}), text);
    let (one, two) = (lines("one", 0..20), reversed(&lines("one", 0..20)));
    stays("its next output", &[more("1", &one), more("2", &two)]);
    let same = |id: &str, text: &str| call(id, "execute_bash", json!({"command": "make -n"}), text);
    stays("unlike an unknown command", &[same("1", &one), same("2", &two)]);
    let look = |id: &str, text: &str| call(id, "execute_bash", json!({"command": "git status"}), text);
    goes("but like one that looks", &[look("1", &one), look("2", &two)]);
}

#[test]
fn what_only_looks_like_it_supersedes_nothing() {
    let old = read("1", "/a.rs", &file(0..40));
    let again = |id| shell(id, "cat a.rs", &file(0..40));
    stays("a shell that stays where it went", &[old.clone(), shell("2", "cd src", ""), again("3")]);
    stays("or where others went", &[old.clone(), shell("2", "make && cd src", ""), again("3")]);
    goes(
        "a folder that is named",
        &[old.clone(), shell("2", "cd src", ""), shell("3", "cd / && cat a.rs", &file(0..40))],
    );
    let there = json!({"command": "cat a.rs", "workdir": "/"});
    goes(
        "a folder of its own",
        &[old.clone(), shell("2", "cd src", ""), call("3", "shell", there, &file(0..40))],
    );
    let terminal = |parameters: Value| call("2", "terminal", parameters, &file(0..40));
    goes("a terminal", &[old.clone(), terminal(json!({"command": "cat a.rs", "is_input": false}))]);
    goes("and where it is told to be", &[old.clone(), terminal(json!({"command": "cat a.rs", "cd": "/"}))]);
    stays("another folder", &[old.clone(), terminal(json!({"command": "cat a.rs", "cd": "src"}))]);
    for typed in [json!(true), json!("true")] {
        let typed = terminal(json!({"command": "cat a.rs", "is_input": typed}));
        stays("what a running program is told", &[old.clone(), typed]);
    }
    let end = |id| part(id, 2_001, 30);
    let capped = read("2", "/a.rs", &numbered(&file(0..2_000), 1));
    stays("the most that a tool shows", &[end("1"), capped.clone()]);
    goes("a part of it", &[part("1", 1_001, 30), capped]);
    let patch = "*** Begin Patch\n*** Add File: a.rs\n+new\n*** End Patch";
    for command in [
        format!("apply_patch <<'EOF'\n{patch}\nEOF\ngit checkout a.rs"),
        format!("apply_patch <<'EOF' || git checkout a.rs\n{patch}\nEOF"),
        format!("echo <<'EOF'\n{patch}\nEOF"),
        "cat > $F <<'EOF'\nnew\nEOF".to_owned(),
        "cat > a.rs <<'EOF' | sh\nnew\nEOF".to_owned(),
        "echo new > b.rs".to_owned(),
    ] {
        stays(&command, &[old.clone(), shell("2", &command, "done")]);
    }
    let write = json!({"file_path": "a.rs", "content": "new"});
    for text in ["Error: the disk is full", "Permission denied", "Write rejected by the user", "Exit code: 1"]
    {
        stays(text, &[old.clone(), call("2", "write_file", write.clone(), text)]);
    }
}

#[test]
fn the_same_words_in_another_folder_are_another_call() {
    let ls = |id, text: &str| shell(id, "ls -la", text);
    let (one, two) = (lines("one", 0..20), reversed(&lines("one", 0..20)));
    goes("in the same one", &[ls("1", &one), ls("2", &two)]);
    stays("the shell went on", &[ls("1", &one), shell("2", "cd sub && pwd", "/sub"), ls("3", &two)]);
    let there = |id, text: &str| shell(id, "cd /w && git status", text);
    goes("a folder that is named", &[there("1", &one), there("2", &two)]);
    let failing = |id, text: &str| failed(shell(id, "pytest -q", text));
    let mended = || call("m", "write_file", json!({"file_path": "/m.py", "content": "new"}), "written");
    stays(
        "a failure there",
        &[
            failing("1", &one),
            shell("2", "cd ../web", ""),
            mended(),
            shell("3", "pytest -q", "5 passed\nexit code: 0"),
        ],
    );
    goes(
        "a failure here",
        &[
            failing("1", &one),
            shell("2", "pwd", "/"),
            mended(),
            shell("3", "pytest -q", "5 passed\nexit code: 0"),
        ],
    );
    let own = |id, text: &str| call(id, "shell_command", json!({"command": "ls -la"}), text);
    let gone_to = call("2", "shell_command", json!({"command": "cd sub && pwd"}), "/sub");
    goes("a shell for each call", &[own("1", &one), gone_to, own("3", &two)]);
}

#[test]
fn a_shorter_repetition_is_a_part() {
    let grep = |id, text: &str| call(id, "Grep", json!({"pattern": "foo"}), text);
    let all = lines("one", 0..40);
    goes("as much", &[grep("1", &all), grep("2", &reversed(&all))]);
    stays("less", &[grep("1", &all), grep("2", &reversed(&lines("one", 0..30)))]);
    let cut = reversed(&lines("one", 5..45)) + "(Results are truncated. Consider a more specific pattern.)";
    stays("more, but cut off", &[grep("1", &all), grep("2", &cut)]);
}
