//! One table of calls, asked of every reader of calls: rules, summaries and digests, intake.

use serde_json::{Value, json};

use crate::calls::{Calls, Effect, only_looks};
use crate::content::Content;
use crate::intake::Call;
use crate::summary::History;
use crate::summary::files::file_operations;
use crate::tools::{ToolKind, ToolTable};
use crate::view::{Capabilities, ContentSource, Kind, Names, View, push_contents};

/// How the readers understand a call.
#[derive(Debug, PartialEq, Eq)]
struct Readings {
    /// Rules: whether it changes no file.
    looks: bool,
    /// Rules: the file of which it shows lines.
    shows: Option<String>,
    /// Summaries: files that were read.
    read: Vec<String>,
    /// Summaries: files that were written or changed.
    changed: Vec<String>,
    /// Intake: whether the result stays letter by letter.
    is_exact: bool,
}

/// A history of one call, with the view of it.
pub fn history_of(name: &str, parameters: &Value) -> (Vec<Content>, View) {
    let history: Vec<Content> = serde_json::from_value(json!([
        {"speaker": "ai", "blocks": [{"type": "tool_call", "id": "1", "name": name, "parameters": parameters}]},
        {"speaker": "tool", "blocks": [{"type": "tool_response", "callId": "1", "toolName": name, "result": "ok"}]},
    ]))
    .unwrap();
    let mut view = View::new(Names::new("/w"), Capabilities::default());
    push_contents(&mut view, &mut ContentSource::new(ToolTable::default()), &history);
    (history, view)
}

fn readings(name: &str, parameters: &Value) -> Readings {
    let tools = ToolTable::default();
    let (history, mut view) = history_of(name, parameters);
    let call = (0..view.block_count()).find(|&index| view.block(index).kind == Kind::ToolCall).unwrap();
    let units = 0..view.len();
    let operations =
        file_operations(History { view: &view, source: &history.as_slice(), tools: &tools }, units);
    let (effects, _) = Calls::default().of(&mut view, &tools, call, &parameters.to_string());
    let shown = effects.iter().find_map(|effect| match effect {
        Effect::Shows { path, .. } => Some(view.names.path_texts()[*path as usize].to_owned()),
        _ => None,
    });
    let is_look = |effect: &Effect| matches!(effect, Effect::Shows { .. });
    Readings {
        looks: effects.iter().all(is_look),
        shows: shown,
        read: operations.read,
        changed: [operations.written, operations.edited].concat(),
        is_exact: Call::new(name, parameters, &tools).is_exact,
    }
}

/// Commands: `l` if it only looks, `r` if it shows the file `/w/a.ts`, `e` if the intake keeps its output exactly though no
/// file is named for certain, `w` if it changes `/w/a.ts`.
const COMMANDS: &[(&str, &str)] = &[
    ("cat a.ts", "lr"),
    ("cat < a.ts", "lr"),
    ("cat -n a.ts | head -5", "lr"),
    ("tac a.ts", "lr"),
    ("head -n 20 a.ts", "lr"),
    ("tail -n 20 a.ts", "lr"),
    ("nl -ba a.ts | sed -n '1,9p'", "lr"),
    ("less a.ts", "lr"),
    ("more a.ts", "lr"),
    ("sed -n '3,9p' a.ts", "lr"),
    ("sed 's/a/b/' a.ts", "lr"),
    ("sed -i 's/a/b/' a.ts", "w"),
    ("sed -f script a.ts", "e"),
    ("jq . a.ts", "lr"),
    ("jq --arg x y .a a.ts", "le"),
    ("yq . a.ts", "lr"),
    ("yq -i .a=1 a.ts", "e"),
    ("awk '{print $1}' a.ts", "lr"),
    ("awk -F: '{print $1}' a.ts", "lr"),
    ("gawk 1 a.ts", "lr"),
    ("awk '{print > \"b\"}' a.ts", "e"),
    ("cut -d: -f1 a.ts", "le"),
    ("sort a.ts", "le"),
    ("sort -o a.ts a.ts", "e"),
    ("uniq -c", "l"),
    ("bat a.ts", "le"),
    ("xxd a.ts", "e"),
    ("git show HEAD:a.ts", "le"),
    ("git blame a.ts", "le"),
    ("git diff a.ts", "l"),
    ("git ls-files", "l"),
    ("git status", "l"),
    ("git rev-parse HEAD", "l"),
    ("git log -3", "l"),
    ("git branch new", ""),
    ("git push", ""),
    ("diff a.ts b.ts", "l"),
    ("cmp a.ts b.ts", "l"),
    ("ls -la", "l"),
    ("find . -name a.ts", "l"),
    ("find . -name a.ts -delete", ""),
    ("grep -rn foo .", "l"),
    ("rg foo", "l"),
    ("rg --pre ./x foo", ""),
    ("tree", "l"),
    ("wc -l a.ts", "l"),
    ("[ -f a.ts ]", "l"),
    ("echo x > a.ts", "w"),
    ("echo x >> a.ts", "w"),
    ("make | tee a.ts", "w"),
    ("cat > a.ts <<'EOF'\nx\nEOF", "w"),
    ("cargo test", ""),
    ("rm a.ts", ""),
    ("LANG=C git diff", ""),
    ("bash -lc 'cat a.ts'", "r"),
    ("python3 -c 'print(open(\"a.ts\").read())'", "e"),
    ("python3 - <<'PY'\nprint(open('a.ts').read())\nPY", "e"),
    ("ssh host cat a.ts", "e"),
    ("for f in a.ts; do cat $f; done", "e"),
    ("cat $(git ls-files)", "e"),
];

#[test]
fn all_readers_understand_a_command_alike() {
    for &(command, expected) in COMMANDS {
        let has = |letter| expected.contains(letter);
        let found = readings("Bash", &json!({"command": command}));
        let file = "/w/a.ts".to_owned();
        assert_eq!(found.is_exact, has('r') || has('e'), "{command}: intake, {found:?}");
        assert_eq!(found.read.contains(&file), has('r'), "{command}: summary, {found:?}");
        assert_eq!(found.changed.contains(&file), has('w'), "{command}: summary, {found:?}");
        assert_eq!(only_looks(command), has('l'), "{command}: digest, {found:?}");
        // A file that is written as a whole is known better than that anything may have happened.
        assert_eq!(found.looks, has('l'), "{command}: rules, {found:?}");
        assert!(found.shows.is_none_or(|shown| shown == file && has('r')), "{command}: rules");
    }
}

/// Tools of agents: `r`, `w` and `l` as above, with `/w/a.ts` as the file.
#[test]
fn all_readers_understand_a_tool_alike() {
    let file = json!({"file_path": "a.ts"});
    let path = json!({"path": "a.ts"});
    let change = json!({"input": "*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** End Patch"});
    let editor = |command: &str| json!({"command": command, "path": "a.ts"});
    let script = |text: &str| json!({"input": text});
    for (name, parameters, expected) in [
        ("Read", file.clone(), "lr"),
        ("read_file", path.clone(), "lr"),
        ("read", json!({"filePath": "a.ts"}), "lr"),
        ("read", json!({"path": "a.ts:3-9"}), "lr"),
        ("view", path.clone(), "lr"),
        ("read_text_file", path.clone(), "lr"),
        ("str_replace_editor", editor("view"), "lr"),
        ("str_replace_editor", editor("create"), "w"),
        ("Write", file.clone(), "w"),
        ("write_to_file", path.clone(), "w"),
        ("create", path.clone(), "w"),
        ("Edit", file.clone(), "w"),
        ("MultiEdit", file.clone(), "w"),
        ("edit_file", path.clone(), "w"),
        ("apply_patch", change, "w"),
        ("exec", script("text(await tools.exec_command({cmd: \"cat a.ts\"}))"), "lr"),
        ("exec", script("text(await tools.exec_command({cmd: \"git status\"}))"), "l"),
        ("exec", script("text(await tools.exec_command({cmd: \"make\"}))"), ""),
        ("Grep", json!({"pattern": "x"}), "l"),
        ("Glob", json!({"pattern": "x"}), "l"),
        ("rg", json!({"pattern": "x"}), "l"),
        ("unheard_of", path, ""),
    ] {
        let has = |letter| expected.contains(letter);
        let found = readings(name, &parameters);
        let file = "/w/a.ts".to_owned();
        assert_eq!(found.read.contains(&file), has('r'), "{name} {parameters}: summary, {found:?}");
        assert_eq!(found.changed.contains(&file), has('w'), "{name} {parameters}: summary, {found:?}");
        assert_eq!(found.looks, has('l'), "{name} {parameters}: rules, {found:?}");
        assert_eq!(found.shows.is_some(), has('r'), "{name} {parameters}: rules, {found:?}");
        assert!(found.is_exact || !has('r'), "{name} {parameters}: intake, {found:?}");
    }
}

/// What must hold of any call, whatever it does: no reader may know less than another one acts on.
fn agree(name: &str, parameters: &Value) -> Readings {
    let found = readings(name, parameters);
    let said = format!("{name} {parameters}: {found:?}");
    let shown: Vec<&String> = found.shows.iter().collect();
    assert!(
        shown.iter().all(|path| found.read.contains(path)),
        "rules show what summaries don't list: {said}"
    );
    assert!(found.read.is_empty() || found.is_exact, "the intake shortens a file: {said}");
    assert!(
        found.changed.is_empty() || !found.looks,
        "rules see a look where summaries see a change: {said}"
    );
    found
}

#[test]
fn all_readers_agree_on_every_command_of_the_table() {
    for name in crate::calls::commands::names() {
        let mut reads = 0;
        for rest in [
            "",
            " a.ts",
            " . a.ts",
            " -n 3 a.ts",
            " -i a.ts",
            " 's/a/b/' a.ts",
            " a.ts > b.ts",
            " a.ts | make",
        ] {
            let command = format!("{name}{rest}");
            let found = agree("Bash", &json!({"command": command}));
            assert_eq!(only_looks(&command), found.looks, "{command}: digest and rules, {found:?}");
            reads += usize::from(!found.read.is_empty());
        }
        // A row that shows files is one that some form of the command reads.
        let shows = matches!(crate::calls::commands::shows(name), crate::calls::commands::Shows::Files(..));
        assert_eq!(reads > 0, shows, "{name}");
    }
}

#[test]
fn all_readers_agree_on_every_tool_of_the_table() {
    for name in crate::tools::known_names() {
        let of = |parameters: Value| {
            let found = agree(name, &parameters);
            (!found.read.is_empty(), !found.changed.is_empty(), found.looks)
        };
        let kind = ToolTable::default().kind(name);
        let forms = ["file_path", "absolute_path", "path", "filePath", "notebook_path"]
            .map(|key| of(json!({key: "a.ts"})));
        let nothing = of(json!({"unheard_of": 1}));
        match kind {
            ToolKind::Read => assert!(forms.iter().any(|form| form.0) && !nothing.0, "{name}"),
            ToolKind::Write | ToolKind::Edit if name != "apply_patch" => {
                assert!(forms.iter().any(|form| form.1) && !nothing.2, "{name}");
            }
            ToolKind::Search | ToolKind::Todo => {
                assert!(forms.iter().all(|form| form.2 && !form.1), "{name}");
            }
            _ => assert!(!nothing.0 && !nothing.2, "{name}"),
        }
    }
}

#[test]
fn what_looks_is_told_from_what_changes() {
    for text in [
        "cat a.txt | head",
        "cd x && rg -n \"a|b; c & d\" src 2>&1",
        "find . -name '*.rs' 2>/dev/null || true",
        "git diff --stat; git log",
        "git branch && git branch -a",
        "git branch -r --merged main",
        "git branch --sort=-committerdate --list 'x*'",
        "ls\nwc -l f",
        "jq . f && diff a b",
        "git ls-files | awk 1",
        "git rev-parse HEAD",
        "",
    ] {
        assert!(only_looks(text), "{text}");
    }
    for text in [
        "cargo test",
        "cat a | tee b",
        "echo done > log.txt",
        "sed -i.bak s/a/b/ f",
        "find . -name '*.o' -delete",
        "find src -name '*.ts' -exec sed -i 's/a/b/' {} +",
        "git push",
        "git branch -D old-feature",
        "git branch new && git status",
        "git branch -v --delete --merged x",
        "git branch -m old new",
        "ls\nmake",
        "cat $(make list)",
        "awk '{print > \"a\"}' f",
        "cat a 2> b",
        "cat a >& b",
        "GIT_EXTERNAL_DIFF=./x git diff",
    ] {
        assert!(!only_looks(text), "{text}");
    }
}
