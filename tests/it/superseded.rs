//! The rules that know what calls do to files: reads that are shown again, repeated and failed calls,
//! arguments of writes; and beside them a naive twin that keeps the files themselves.

use std::collections::{BTreeMap, BTreeSet};

use densify::content::{Block, Content, KnownBlock};
use densify::edit::{LONG, RuleName};
use densify::optimize_contents;
use densify::options::{FlushPolicy, OptimizeSettings, Preset};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::histories::cases;
use crate::results::{exchange, lines, numbered, read, reversed, shell, switched, text_of, with};
use crate::session::Session;

/// Only the rules of this file, on both kinds of results.
pub fn rules() -> OptimizeSettings {
    switched(with(Preset::Balanced), |rules| {
        rules.repeats = Some(false);
        rules.line_numbers = Some(false);
        rules.old_results = Some(false);
    })
}

/// Which of some exchanges have a pointer for a result.
pub fn gone(exchanges: &[Vec<Content>], settings: &OptimizeSettings) -> Vec<usize> {
    let (output, _) = optimize_contents(&exchanges.concat(), settings).unwrap();
    let is_gone = |at: &usize| text_of(&output[at * 2 + 1]).starts_with("[… ");
    (0..exchanges.len()).filter(is_gone).collect()
}

#[track_caller]
pub fn goes(what: &str, exchanges: &[Vec<Content>]) {
    assert_eq!(gone(exchanges, &rules()), [0], "{what}");
}

#[track_caller]
pub fn stays(what: &str, exchanges: &[Vec<Content>]) {
    assert_eq!(gone(exchanges, &rules()), [0_usize; 0], "{what}");
}

pub fn file(range: std::ops::Range<usize>) -> String {
    lines("file", range)
}

pub fn call(id: &str, tool: &str, parameters: Value, text: &str) -> Vec<Content> {
    exchange(id, tool, parameters, json!(text))
}

pub fn failed(mut exchange: Vec<Content>) -> Vec<Content> {
    let Block::Known(KnownBlock::ToolResponse { error, .. }) = &mut exchange[1].blocks[0] else { panic!() };
    *error = Some(json!("failed"));
    exchange
}

pub fn edit(id: &str, old: &str, new: &str) -> Vec<Content> {
    call(id, "Edit", json!({"file_path": "/a.rs", "old_string": old, "new_string": new}), "edited")
}

pub fn part(id: &str, offset: usize, limit: usize) -> Vec<Content> {
    let text = numbered(&file(offset - 1..offset - 1 + limit), offset);
    call(id, "Read", json!({"file_path": "/a.rs", "offset": offset, "limit": limit}), &text)
}

pub fn line(number: usize) -> String {
    file(number..number + 1)
}

#[test]
fn a_later_result_that_holds_the_lines_supersedes() {
    let old = read("1", "/a.rs", &file(0..40));
    let changed = file(0..20) + "something else;\n" + &file(21..40);
    let known = edit("2", &line(20), "something else;\n");
    goes("edited, then read", &[old.clone(), known.clone(), read("3", "/a.rs", &changed)]);
    stays("changed somehow", &[old.clone(), shell("2", "make format", ""), read("3", "/a.rs", &changed)]);
    let grown = lines("grown", 0..9) + &file(0..40) + &lines("more", 0..9);
    goes("grown somehow", &[old.clone(), shell("2", "make format", ""), read("3", "/a.rs", &grown)]);
    goes("shown by a shell", &[old.clone(), shell("2", "cat a.rs", &file(0..40))]);
    let numbers = numbered(&file(0..40), 1);
    goes("in a folder", &[old.clone(), shell("2", "cd / && cat -n ./a.rs 2>/dev/null", &numbers)]);
    let parameters = json!({"command": ["bash", "-lc", "cat a.rs"], "workdir": "/"});
    goes("in words", &[old.clone(), call("2", "shell", parameters, &file(0..40))]);
    stays("another file", &[old.clone(), shell("2", "cat b.rs", &file(0..40))]);
    stays("in another folder", &[old.clone(), shell("2", "cd src && cat a.rs", &file(0..40))]);
    stays("part of it", &[old.clone(), shell("2", "head -n 30 a.rs", &file(0..30))]);
    stays("a line that isn't understood", &[old.clone(), shell("2", "cat $(ls) a.rs", &file(0..40))]);
    stays("a failure", &[old.clone(), failed(read("2", "/a.rs", &file(0..40)))]);
    stays("a stub", &[old.clone(), read("2", "/a.rs", "File unchanged since it was read last")]);
    let words = "<file>\n".to_owned() + &numbers + "(End of file)\n</file>\n";
    goes(
        "words of a tool's own",
        &[read("1", "/a.rs", &words), known, read("3", "/a.rs", &numbered(&changed, 1))],
    );
}

#[test]
fn a_write_supersedes_nothing_since_it_may_be_undone() {
    let old = read("1", "/a.rs", &file(0..40));
    let write = json!({"file_path": "a.rs", "content": "new"});
    stays("a write", &[old.clone(), call("2", "write_file", write, "written")]);
    stays("by a shell", &[old.clone(), shell("2", "cat > a.rs <<'EOF'\nnew\nEOF", "")]);
    let patch = "*** Begin Patch\n*** Add File: a.rs\n+new\n*** End Patch";
    stays("by a patch", &[old, shell("2", &format!("apply_patch <<'EOF'\n{patch}\nEOF"), "done")]);
}

#[test]
fn a_call_that_is_repeated_with_nothing_changed_in_between_says_what_it_said_before() {
    let (one, two) = (lines("one", 0..20), reversed(&lines("one", 0..20)));
    let status = |id, text: &str| shell(id, "git status", text);
    goes("repeated", &[status("1", &one), status("2", &two)]);
    goes("looked at in between", &[status("1", &one), shell("2", "ls", "a"), status("3", &two)]);
    stays("changed in between", &[status("1", &one), edit("2", "x", "y"), status("3", &two)]);
    stays("perhaps changed", &[status("1", &one), shell("2", "make", "ok"), status("3", &two)]);
    stays("another call", &[status("1", &one), shell("2", "git status -s", &two)]);
    stays("what isn't understood", &[shell("1", "make test", &one), shell("2", "make test", &two)]);
    let poll = |id, text: &str| call(id, "BashOutput", json!({"bash_id": "1"}), text);
    stays("output in pieces", &[poll("1", &one), poll("2", &two)]);
    stays("a failure", &[status("1", &one), failed(status("2", &two))]);
    stays("a stub", &[status("1", &lines("one", 0..60)), status("2", &lines("two", 0..6))]);
    let search = |id, text: &str| call(id, "Grep", json!({"pattern": "one"}), text);
    goes("a search", &[search("1", &one), search("2", &two)]);
    let glob = |id, text: &str| call(id, "Glob", json!({"pattern": "one"}), text);
    goes("another tool in between", &[search("1", &one), glob("2", "none"), search("3", &two)]);
    let sql = |id, query: &str, text: &str| call(id, "sql", json!({"query": query}), text);
    let all = "SELECT * FROM todos";
    goes("a query in between", &[sql("1", all, &one), sql("2", "SELECT 1", "1"), sql("3", all, &two)]);
    let insert = sql("2", "insert into todos select * from plans", "INSERT 0 3");
    stays("a changed table", &[sql("1", all, &one), insert, sql("3", all, &two)]);
}

#[test]
fn a_failure_is_history_once_the_same_call_succeeds() {
    let (one, two) = (lines("one", 0..20), lines("two", 0..20));
    let test = |id, text: &str| shell(id, "make test", text);
    let between = || edit("2", "x", "y");
    let passed = |id| test(id, &format!("{two}exit code: 0"));
    goes("success", &[failed(test("1", &one)), between(), passed("3")]);
    for (what, notice) in [
        ("in the background", "Command running in background with ID: bash_3"),
        ("still running", "Process running with session ID 7"),
        ("stopped", "Stopped by user."),
        ("killed", "Killed"),
        ("a code of its own", "rc=1"),
        ("JSON", "{\"ok\":false}"),
        ("in another language", "命令未执行"),
        ("nothing", ""),
        ("no failure that anybody knows", &two),
    ] {
        stays(what, &[failed(test("1", &one)), between(), test("3", notice)]);
    }
    stays("failed again", &[failed(test("1", &one)), between(), failed(test("3", &two))]);
    stays("failed later", &[test("1", &one), between(), failed(test("3", &two))]);
    let off = switched(rules(), |rules| rules.failed_calls = Some(false));
    assert_eq!(gone(&[failed(test("1", &one)), between(), passed("3")], &off), [0_usize; 0]);
}

#[test]
fn what_a_call_wrote_goes_once_it_is_shown_and_only_its_long_strings() {
    let content = file(0..30);
    let write = call("1", "write_file", json!({"file_path": "/a.rs", "content": content}), "written");
    let shown = |history: &[Vec<Content>]| {
        let (output, run) = optimize_contents(&history.concat(), &rules()).unwrap();
        assert_eq!(run.counts[RuleName::WriteArguments as usize] == 1, output[0] != history.concat()[0]);
        let Block::Known(KnownBlock::ToolCall { parameters, .. }) = &output[0].blocks[0] else { panic!() };
        parameters.clone()
    };
    let cut = json!({"file_path": "/a.rs", "content": "[… shown again later: read_file: /a.rs]"});
    assert_eq!(shown(&[write.clone(), read("2", "/a.rs", &content)]), cut);
    let numbers = numbered(&(lines("b", 0..3) + &content), 1);
    assert_eq!(shown(&[write.clone(), read("2", "/a.rs", &numbers)]), cut);
    let kept = json!({"file_path": "/a.rs", "content": content});
    assert_eq!(shown(&[write.clone(), read("2", "/a.rs", &file(0..29))]), kept, "not all of it");
    assert_eq!(shown(&[write.clone(), read("2", "/b.rs", &content)]), kept, "another file");
    assert_eq!(shown(&[write.clone(), failed(read("2", "/a.rs", &content))]), kept, "a failure");
    assert!(content.len() > LONG as usize);
    let new = file(0..10);
    let change = json!({"file_path": "/a.rs", "old_string": "short", "new_string": new});
    let cut = json!({"file_path": "/a.rs", "old_string": "short", "new_string": "[… shown again later: read_file: /a.rs]"});
    assert_eq!(shown(&[call("1", "Edit", change, "edited"), read("2", "/a.rs", &content)]), cut);
}

#[test]
fn what_others_refer_to_stays_unless_they_show_the_same_file() {
    let text = file(0..40);
    let later = lines("new", 0..40);
    let settings = switched(with(Preset::Lossless), |rules| rules.line_numbers = Some(false));
    // The first file is only in the second one's result; when that file is rewritten, it must stay there.
    let copied = [read("1", "/a.rs", &text), read("2", "/b.rs", &text), read("3", "/b.rs", &later)];
    assert_eq!(gone(&copied, &settings), [0]);
    let (output, _) = optimize_contents(&copied.concat(), &settings).unwrap();
    assert_eq!(text_of(&output[1]), "[… the same as the next: read_file: /b.rs]");
    // Not the next one: its name would lead to another version.
    let versions = [read("1", "/a.rs", &text), read("2", "/b.rs", &later), read("3", "/b.rs", &text)];
    assert_eq!(gone(&versions, &settings), [0_usize; 0]);
    let same = [read("1", "/b.rs", &text), read("2", "/b.rs", &text), read("3", "/b.rs", &(later + &text))];
    assert_eq!(gone(&same, &settings), [0, 1]);
}

/// A step of some work on a file of up to a hundred lines.
#[derive(Clone, Debug)]
enum Step {
    Read(usize),
    Part(usize, usize, usize),
    Change(usize, usize, usize, bool),
    Write(usize, usize),
    Test,
    Look,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => (0..2_usize).prop_map(Step::Read),
        6 => (0..2_usize, 0..60_usize, 10..60_usize).prop_map(|(file, from, count)| Step::Part(file, from, count)),
        4 => (0..2_usize, 0..60_usize, 0..6_usize, any::<bool>()).prop_map(|(file, at, new, fails)| Step::Change(file, at, new, fails)),
        1 => (0..2_usize, 10..60_usize).prop_map(|(file, count)| Step::Write(file, count)),
        1 => Just(Step::Test),
        2 => Just(Step::Look),
    ]
}

/// The files as they are, and what is known of results that show them.
#[derive(Default)]
struct Twin {
    files: BTreeMap<usize, Vec<String>>,
    /// Of each result: its number, its file, its lines.
    shown: Vec<(usize, usize, Vec<String>)>,
    history: Vec<Vec<Content>>,
    fresh: usize,
}

impl Twin {
    fn line(&mut self) -> String {
        self.fresh += 1;
        format!("    let value_{} = something.that_is_called({});", self.fresh, self.fresh)
    }

    fn file(&mut self, file: usize) -> Vec<String> {
        if !self.files.contains_key(&file) {
            let lines = (0..80).map(|_| self.line()).collect();
            self.files.insert(file, lines);
        }
        self.files[&file].clone()
    }

    fn take(&mut self, step: &Step) {
        let id = self.history.len().to_string();
        let done = match *step {
            Step::Read(file) => {
                let lines = self.file(file);
                self.shown.push((self.history.len(), file, lines.clone()));
                read(&id, &format!("/{file}.rs"), &(lines.join("\n") + "\n"))
            }
            Step::Part(file, from, count) => {
                let lines = self.file(file);
                let from = from.min(lines.len() - 1);
                let lines = lines[from..lines.len().min(from + count)].to_vec();
                self.shown.push((self.history.len(), file, lines.clone()));
                let parameters =
                    json!({"file_path": format!("/{file}.rs"), "offset": from + 1, "limit": count});
                call(&id, "Read", parameters, &numbered(&(lines.join("\n") + "\n"), from + 1))
            }
            Step::Change(file, at, count, fails) => {
                let mut lines = self.file(file);
                let at = at.min(lines.len() - 2);
                let new: Vec<String> = (0..count).map(|_| self.line()).collect();
                let parameters = json!({
                    "file_path": format!("/{file}.rs"),
                    "old_string": lines[at..at + 2].iter().map(|line| format!("{line}\n")).collect::<String>(),
                    "new_string": new.iter().map(|line| format!("{line}\n")).collect::<String>(),
                });
                let done = call(&id, "Edit", parameters, "edited");
                if fails {
                    failed(done)
                } else {
                    lines.splice(at..at + 2, new);
                    lines.extend((lines.len()..10).map(|_| self.line()));
                    self.files.insert(file, lines);
                    done
                }
            }
            Step::Write(file, count) => {
                let lines: Vec<String> = (0..count).map(|_| self.line()).collect();
                let parameters = json!({"file_path": format!("/{file}.rs"), "content": lines.join("\n")});
                self.files.insert(file, lines);
                call(&id, "write_file", parameters, "written")
            }
            Step::Test => shell(&id, &format!("make test-{id}"), &lines(&format!("t{id}"), 0..20)),
            Step::Look => shell(&id, "git status", &lines(&format!("s{id}"), 0..20)),
        };
        self.history.push(done);
    }
}

/// All lines that are left of a history, in results and in arguments.
fn lines_left(contents: &[Content]) -> BTreeSet<String> {
    let text = serde_json::to_string(contents).unwrap().replace("\\n", "\n").replace(['"', '→'], "\n");
    text.lines().map(str::to_owned).collect()
}

proptest! {
    #![proptest_config(cases(200))]

    /// The twin that keeps the files: whatever of their present lines was ever seen is still there.
    #[test]
    fn no_line_of_a_file_as_it_is_now_is_lost(steps in prop::collection::vec(step(), 1..40)) {
        let mut twin = Twin::default();
        for step in &steps {
            twin.take(step);
        }
        let history = twin.history.concat();
        for settings in [rules(), with(Preset::Lossless)] {
            let (output, _) = optimize_contents(&history, &settings).unwrap();
            let (before, after) = (lines_left(&history), lines_left(&output));
            for line in twin.files.values().flatten().filter(|line| before.contains(*line)) {
                prop_assert!(after.contains(line), "lost {line}");
            }
        }
    }

    /// The twin that looks at content alone: a result goes only if nothing of what it shows is lost by that.
    #[test]
    fn a_read_goes_only_if_its_lines_are_there_or_are_no_more(steps in prop::collection::vec(step(), 1..40)) {
        let mut twin = Twin::default();
        for step in &steps {
            twin.take(step);
        }
        let gone = gone(&twin.history, &rules());
        let (output, _) = optimize_contents(&twin.history.concat(), &rules()).unwrap();
        let left = lines_left(&output);
        for (number, file, lines) in &twin.shown {
            let kept: Vec<_> = lines.iter().filter(|line| twin.files[file].contains(line) && !left.contains(*line)).collect();
            prop_assert!(!gone.contains(number) || kept.is_empty(), "result {number} is missed: {kept:?}");
        }
    }

    #[test]
    fn i13_turn_by_turn_as_at_once_and_as_after_a_trap(steps in prop::collection::vec(step(), 1..40), lossless in any::<bool>()) {
        let mut twin = Twin::default();
        for step in &steps {
            twin.take(step);
        }
        let settings = if lossless { with(Preset::Lossless) } else { rules() };
        let settings = OptimizeSettings { flush: Some(FlushPolicy::Always), ..settings };
        let mut session = Session::new(&settings);
        for (turn, part) in twin.history.iter().enumerate() {
            session.push(part);
            session.run(false);
            if turn % 7 == 3 {
                session = session.reborn();
            }
        }
        let mut at_once = Session::new(&settings);
        at_once.push(&twin.history.concat());
        at_once.run(false);
        prop_assert_eq!(session.output(), at_once.output());
        let mut session = session;
        prop_assert_eq!(session.run(false).edits, vec![], "idempotent");
        // Without state it goes on as long as it finds something.
        let (stateless, _) = optimize_contents(&twin.history.concat(), &settings).unwrap();
        let (again, _) = optimize_contents(&stateless, &settings).unwrap();
        prop_assert_eq!(again, stateless, "its own output says no more");
    }
}
