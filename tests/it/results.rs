//! The rules that look into results: lines that a later result repeats, line numbers, old results.

use densify::content::{Block, Content, KnownBlock};
use densify::edit::{Edit, RuleName};
use densify::optimize_contents;
use densify::options::{FlushPolicy, OptimizeSettings, Preset, RuleSettings};
use serde_json::{Value, json};

use crate::session::Session;

/// A call and its response.
pub fn exchange(id: &str, tool: &str, parameters: Value, result: Value) -> Vec<Content> {
    let call = json!({"speaker": "ai", "blocks": [{"type": "tool_call", "id": id, "name": tool, "parameters": parameters}]});
    let response = json!({"speaker": "tool", "blocks": [
        {"type": "tool_response", "callId": id, "toolName": tool, "result": result},
    ]});
    vec![serde_json::from_value(call).unwrap(), serde_json::from_value(response).unwrap()]
}

pub fn read(id: &str, path: &str, text: &str) -> Vec<Content> {
    exchange(id, "read_file", json!({"path": path}), json!(text))
}

pub fn shell(id: &str, command: &str, text: &str) -> Vec<Content> {
    exchange(id, "bash", json!({"command": command}), json!(text))
}

/// Lines that occur nowhere else.
pub fn lines(of: &str, range: std::ops::Range<usize>) -> String {
    range.map(|number| format!("let {of}_{number} = compute_{of}({number});\n")).collect()
}

/// The same lines in another order: no rule for repeated lines finds them.
pub fn reversed(text: &str) -> String {
    text.lines().rev().map(|line| format!("{line}\n")).collect()
}

pub fn numbered(text: &str, first: usize) -> String {
    text.lines().enumerate().map(|(at, line)| format!("{:6}→{line}\n", at + first)).collect()
}

pub fn with(preset: Preset) -> OptimizeSettings {
    let flush = Some(FlushPolicy::Always);
    OptimizeSettings { preset: Some(preset), flush, ..OptimizeSettings::default() }
}

/// The same with single rules switched.
pub fn switched(mut settings: OptimizeSettings, switch: impl FnOnce(&mut RuleSettings)) -> OptimizeSettings {
    switch(&mut settings.rules);
    settings
}

/// The preset `lossless` without the rules that look at what calls did.
pub fn by_content() -> OptimizeSettings {
    switched(with(Preset::Lossless), |rules| {
        rules.superseded_reads = Some(false);
        rules.repeated_calls = Some(false);
        rules.failed_calls = Some(false);
        rules.write_arguments = Some(false);
    })
}

/// The text of the response in an entry.
pub fn text_of(content: &Content) -> &str {
    let Block::Known(KnownBlock::ToolResponse { result: Some(result), .. }) = &content.blocks[0] else {
        panic!("{content:?} holds no result")
    };
    result.as_str().or_else(|| result["output"].as_str()).unwrap()
}

pub fn optimized(history: &[Content], settings: &OptimizeSettings) -> Vec<Content> {
    optimize_contents(history, settings).unwrap().0
}

#[test]
fn a_result_that_comes_again_is_a_pointer_to_its_later_twin() {
    let text = lines("a", 0..40);
    let history = [read("1", "/a.rs", &text), read("2", "/a.rs", &text)].concat();
    let output = optimized(&history, &by_content());
    assert_eq!(text_of(&output[1]), "[… the same: again later]");
    assert_eq!(output[3], history[3]);
}

#[test]
fn a_structured_result_goes_if_all_of_it_comes_again() {
    let rows = json!((0..20).map(|row| json!({"id": row, "name": format!("row {row}")})).collect::<Vec<_>>());
    let output = json!({"output": lines("a", 0..20), "exit_code": 0, "took": 12});
    let mut slower = output.clone();
    slower["took"] = json!(13);
    let ask = |id, what, result: &Value| exchange(id, "query", json!({"query": what}), result.clone());
    for (older, newer, goes) in [
        (json!({"rows": rows}), json!({"rows": rows}), true),
        (rows.clone(), rows.clone(), true),
        (json!({"rows": rows}), json!({"rows": rows, "more": true}), false),
        (output.clone(), output.clone(), true),
        // What stands beside the text isn't in the later one.
        (output.clone(), slower, false),
        (output.clone(), output["output"].clone(), false),
        (json!({"output": lines("a", 0..20)}), output["output"].clone(), true),
        (output["output"].clone(), output.clone(), true),
    ] {
        let history = [ask("1", "old", &older), ask("2", "new", &newer)].concat();
        let output = optimized(&history, &by_content());
        assert_eq!(output[1] != history[1], goes, "{older} before {newer}");
        if goes {
            assert_eq!(text_of(&output[1]), "[… the same: query: new]");
        }
        assert_eq!(output[3], history[3]);
    }
}

#[test]
fn of_a_part_that_comes_again_in_another_result_the_rest_stays_and_the_pointer_says_where_it_is() {
    let whole = lines("a", 0..100);
    let part = lines("a", 20..80);
    let history = [read("1", "/a.rs", &whole), shell("2", "sed -n '21,80p' /a.rs", &part)].concat();
    let output = optimized(&history, &with(Preset::Lossless));
    // Two lines at either end show where the part begins and ends.
    let left = lines("a", 0..22) + "[… 56 lines: bash: sed -n '21,80p' /a.rs]\n" + &lines("a", 78..100);
    assert_eq!(text_of(&output[1]), left);
}

#[test]
fn lines_that_come_again_at_two_places_are_cut_once() {
    let once = lines("x", 0..4) + &lines("a", 0..40);
    let twice = lines("a", 0..40) + &lines("b", 0..3) + &lines("a", 0..40);
    let history = [shell("1", "one", &once), shell("2", "two", &twice)].concat();
    let (_, run) = optimize_contents(&history, &by_content()).unwrap();
    assert_eq!(run.edits.len(), 1, "{:?}", run.edits);
}

#[test]
fn lines_in_another_order_or_with_another_one_between_are_no_repetition() {
    let once = lines("a", 0..3) + &lines("b", 0..3) + &lines("c", 0..3);
    let reordered = lines("c", 0..3) + &lines("a", 0..3) + &lines("b", 0..3);
    let history = [read("1", "/a.rs", &once), read("2", "/a.rs", &reordered)].concat();
    assert_eq!(optimized(&history, &by_content()), history);
}

#[test]
fn results_are_repeated_whatever_numbers_stand_before_their_lines() {
    let text = lines("a", 0..60);
    let read = |id, from: usize| {
        exchange(id, "Read", json!({"path": "/a.rs", "offset": from}), json!(numbered(&text, from)))
    };
    // Ten lines above them are new.
    let change =
        exchange("w", "Edit", json!({"path": "/a.rs", "old_string": "a", "new_string": "b"}), json!("ok"));
    let history = [read("1", 1), change, read("2", 11)].concat();
    let settings = switched(with(Preset::Balanced), |rules| {
        (rules.line_numbers, rules.superseded_reads, rules.old_results) =
            (Some(false), Some(false), Some(false));
    });
    let output = optimized(&history, &settings);
    assert!(text_of(&output[1]).starts_with("[… 60 lines: again later]"), "{}", text_of(&output[1]));
    assert_eq!(output[5], history[5]);
    // `lossless` doesn't guess that these are the same lines.
    let settings = switched(by_content(), |rules| rules.line_numbers = Some(false));
    assert_eq!(optimized(&history, &settings), history);
}

#[test]
fn numbers_stay_where_a_series_begins_and_at_every_hundredth_line() {
    let text = lines("a", 0..120);
    let history = exchange("1", "Read", json!({"path": "/a.rs", "offset": 7}), json!(numbered(&text, 7)));
    let output = optimized(&history, &with(Preset::Lossless));
    let left: Vec<String> = text_of(&output[1]).lines().map(str::to_owned).collect();
    for (at, (left, line)) in left.iter().zip(text.lines()).enumerate() {
        let number = at + 7;
        let keeps = number == 7 || number % 100 == 0;
        assert_eq!(*left, if keeps { format!("{number:6}→{line}") } else { line.to_owned() });
    }
    assert_eq!(left.len(), 120);
}

#[test]
fn a_few_numbers_in_a_row_are_content() {
    let text = "1: first\n2: second\n3: third\n".to_owned() + &lines("a", 0..20);
    let history = read("1", "/a.rs", &text);
    assert_eq!(optimized(&history, &with(Preset::Lossless)), history);
}

#[test]
fn what_instructs_and_what_sub_agents_and_plans_gave_is_never_cut() {
    let text = lines("a", 0..400);
    let kept = [
        read("1", "/work/AGENTS.md", &text),
        exchange("2", "Task", json!({"prompt": "look"}), json!(text)),
        exchange("3", "Skill", json!({"name": "x"}), json!(text)),
        exchange("4", "todo_write", json!({"todos": []}), json!(text)),
        shell("5", "cat CLAUDE.md", &text),
    ]
    .concat();
    let later: Vec<Content> = (0..40).flat_map(|at| shell(&format!("x{at}"), "true", "ok")).collect();
    let history = [kept.clone(), later].concat();
    for preset in [Preset::Lossless, Preset::Balanced, Preset::Aggressive] {
        assert_eq!(optimized(&history, &with(preset))[..kept.len()], kept, "{preset:?}");
    }
}

#[test]
fn instructions_stay_whatever_else_the_line_shows() {
    let text = lines("a", 0..400);
    let left = |command: &str| {
        let mut history = shell("1", command, &text);
        history.extend((0..40).flat_map(|at| shell(&format!("x{at}"), &format!("make {at}"), "ok")));
        text_of(&optimized(&history, &with(Preset::Balanced))[1]) == text
    };
    for line in [
        "cat AGENTS.md && git status",
        "cat AGENTS.md; ls -la",
        "cat AGENTS.md README.md",
        "bash -lc \"cat AGENTS.md\"",
        "cat AGENTS.md 2>/dev/null || true",
        "nl AGENTS.md",
        "tail -n +1 AGENTS.md",
        "git show HEAD:AGENTS.md",
        "sed -n '1,220p' .claude/skills/commit/SKILL.md && sed -n '1,80p' a.rs",
        "rg -n . AGENTS.md",
        "cat *.md",
        "cat {AGENTS,README}.md",
        "python3 -c \"print(open('AGENTS.md').read())\"",
        "git cat-file -p HEAD:AGENTS.md",
        "find . -name AGENTS.md -exec cat {} +",
        "glow AGENTS.md",
        "gh api repos/a/b/contents/AGENTS.md",
    ] {
        assert!(left(line), "{line}");
    }
    for line in [
        "ls AGENTS.md",
        "git add AGENTS.md && make test",
        "rm AGENTS.md; npm test",
        "cd /w/.claude/worktrees/x && npm test",
        "find . -name AGENTS.md",
        "rg foo AGENTS.md",
        "rg foo docs .agents",
        "git diff AGENTS.md",
    ] {
        assert!(!left(line), "{line}");
    }
}

#[test]
fn instructions_stay_whichever_tool_shows_them() {
    let text = lines("a", 0..400);
    let left = |tool: &str, parameters: Value| {
        let mut history = exchange("1", tool, parameters, json!(text));
        history.extend((0..40).flat_map(|at| shell(&format!("x{at}"), &format!("make {at}"), "ok")));
        text_of(&optimized(&history, &with(Preset::Balanced))[1]) == text
    };
    assert!(left("mcp__serena__find_file", json!({"relative_path": "docs/AGENTS.md"})));
    assert!(left("view_files", json!({"files": [{"name": "a.rs"}, {"name": "CLAUDE.md"}]})));
    assert!(left("fetch", json!({"uri": "file:///w/.cursor/rules/style.mdc"})));
    assert!(left("PowerShell", json!({"command": "gc AGENTS.md"})));
    assert!(left("shell", json!({"command": ["cat", "AGENTS.md"]})));
    assert!(left("Grep", json!({"pattern": ".", "path": "/r/AGENTS.md", "output_mode": "content"})));
    assert!(left("read_file", json!({"target_file": "AGENTS.md"})));
    assert!(left("read_many_files", json!({"include": ["AGENTS.md"]})));
    // What another agent answers stays, too.
    assert!(left("Bash", json!({"command": "git diff | claude -p 'review this'"})));
    assert!(left("Bash", json!({"command": "codex exec --full-auto 'review'"})));
    assert!(!left("Bash", json!({"command": "claude --version"})));
    assert!(!left("Grep", json!({"pattern": "AGENTS.md", "path": "src"})));
    assert!(!left("deploy", json!({"files": ["README.md"]})));
}

#[test]
fn a_file_gives_way_to_a_file_and_not_to_output_which_goes_sooner() {
    let text = lines("a", 0..200);
    let later = |tool: &str, parameters: Value| {
        let mut history = [
            read("1", "/a.rs", &text),
            exchange("2", tool, parameters, json!(format!("{text}{}", lines("b", 0..200)))),
        ]
        .concat();
        history.extend((0..20).flat_map(|at| shell(&format!("x{at}"), "true", "ok")));
        serde_json::to_string(&optimized(&history, &with(Preset::Balanced))).unwrap()
    };
    let by_output = later("Bash", json!({"command": "npm test"}));
    assert!(by_output.contains("compute_a(100)") && by_output.contains("lines of Bash: npm test were cut"));
    let by_file = later("Read", json!({"file_path": "/c.rs"}));
    assert!(by_file.contains("[… 198 lines as in the next: Read: /c.rs]"));
}

/// A large result goes earlier than a small one would have.
#[test]
fn a_small_read_does_not_give_way_to_a_large_one() {
    let part = lines("a", 0..40);
    let read_of = |rest: usize| {
        let whole = format!("{part}{}", lines("b", 0..rest));
        let mut history = [read("1", "/a.rs", &part), read("2", "/a.rs", &whole)].concat();
        history.extend((0..20).flat_map(|at| shell(&format!("x{at}"), &format!("make {at}"), "ok")));
        history
    };
    let left = |history: &[Content], preset| optimized(history, &with(preset))[1] == history[1];
    assert!(left(&read_of(2_000), Preset::Balanced));
    assert!(!left(&read_of(40), Preset::Balanced));
    assert!(!left(&read_of(2_000), Preset::Lossless), "there, nothing goes by age");
}

#[test]
fn a_pointer_to_lines_of_another_file_names_one_version_of_it() {
    let copy = read("1", "/copy.rs", &lines("a", 0..200));
    let other = read("2", "/a.rs", &lines("c", 0..50));
    let same = read("3", "/a.rs", &format!("{}{}", lines("a", 0..200), lines("b", 0..50)));
    for preset in [Preset::Lossless, Preset::Balanced] {
        let left = |parts: &[&[Content]]| optimized(&parts.concat(), &with(preset))[1].clone();
        let pointed = serde_json::to_string(&left(&[&copy, &same])).unwrap();
        assert!(pointed.contains("[… 198 lines as in the next: read_file: /a.rs]"), "{pointed}");
        assert_eq!(left(&[&copy, &other, &same]), copy[1], "the next read of the file shows other lines");
    }
}

#[test]
fn a_shell_line_that_shows_a_file_stays_as_long_as_a_read() {
    let file = lines("file", 0..100);
    let later: Vec<Content> = (0..20).flat_map(|at| shell(&format!("x{at}"), "true", "ok")).collect();
    let lines = [
        ("cd src && sed -n '1,100p' a.rs", true),
        ("sed -n -e '1,40p' -e '50,90p' a.rs", true),
        ("git show main:a.rs | head -n 90", true),
        ("ssh host cat a.rs", true),
        ("foo a.rs", false),
    ];
    for (command, stays) in lines {
        let history = [shell("1", command, &file), later.clone()].concat();
        assert_eq!(optimized(&history, &with(Preset::Balanced))[1] == history[1], stays, "{command}");
    }
}

/// Calls may name it by a relative path, in a script or patch, or in a parameter of an unknown tool.
#[test]
fn a_file_stays_young_while_it_is_worked_on_in_any_way() {
    let file = lines("file", 0..400);
    let left = |work: &dyn Fn(&str) -> Vec<Content>| {
        let mut history = read("1", "/r/src/a.rs", &file);
        for at in 0..24 {
            history.extend(work(&format!("w{at}")));
            history.extend(shell(&format!("x{at}"), "make", &lines("out", 0..40)));
        }
        optimized(&history, &with(Preset::Balanced))[1] == history[1]
    };
    assert!(left(&|id| shell(id, "sed -i s/a/b/ src/a.rs", "")));
    assert!(left(&|id| shell(id, "python3 - <<'E'\nopen('x')\nE\ncat src/a.rs | wc -l", "12")));
    let script = "python3 - <<'E'\np='/r/src/a.rs'\nopen(p,'w').write('x')\nE";
    assert!(left(&|id| shell(id, script, "")));
    assert!(left(&|id| shell(id, "git apply <<'E'\n--- a/src/a.rs\n+++ b/src/a.rs\nE", "")));
    assert!(left(&|id| exchange(
        id,
        "search_replace",
        json!({"target_file": "src/a.rs", "old": id}),
        json!("done")
    )));
    assert!(!left(&|id| shell(id, "sed -i s/a/b/ src/b.rs", "")));
}

/// The referent of a pointer stays as long as what gave way to it would have.
#[test]
fn what_a_pointer_leads_to_stays_while_the_file_is_worked_on() {
    let file = lines("file", 0..400);
    let mut history = [read("1", "/r/a.rs", &file), read("2", "/copy/of_a.rs", &file)].concat();
    for at in 0..24 {
        history.extend(exchange(
            &format!("e{at}"),
            "replace",
            json!({"file_path": "/r/a.rs", "old_string": format!("x{at}"), "new_string": format!("y{at}")}),
            json!("done"),
        ));
    }
    let left = serde_json::to_string(&optimized(&history, &with(Preset::Balanced))).unwrap();
    assert!(left.contains("compute_file(200)"), "{left}");
}

#[test]
fn structured_results_are_left_whole_but_count_as_later_ones() {
    let text = lines("a", 0..40);
    let result = json!({"output": text, "exit_code": 1});
    let structured = exchange("1", "bash", json!({"command": "x"}), result);
    let plain = shell("2", "y", &(lines("b", 0..4) + &text));
    let history = [structured.clone(), plain.clone()].concat();
    assert_eq!(optimized(&history, &with(Preset::Lossless)), history);
    let history = [plain, structured].concat();
    let output = optimized(&history, &with(Preset::Lossless));
    assert!(text_of(&output[1]).contains("lines: bash: x]"), "{}", text_of(&output[1]));
    assert_eq!(output[3], history[3]);
}

#[test]
fn a_second_run_finds_nothing_more() {
    let text = lines("a", 0..40);
    let history = [read("1", "/a.rs", &text), read("2", "/a.rs", &text)].concat();
    let mut session = Session::new(&with(Preset::Aggressive));
    session.push(&history);
    session.run(false);
    let edits = session.log.len();
    session.run(false);
    assert!(edits > 0);
    assert_eq!(session.log.len(), edits);
}

#[test]
fn each_edit_says_its_rule_and_rests_on_the_result_that_repeats() {
    let text = lines("a", 0..40);
    let history = [read("1", "/a.rs", &text), shell("2", "cat a", &(lines("b", 0..3) + &text))].concat();
    let (_, run) = optimize_contents(
        &history,
        &OptimizeSettings { flush: Some(FlushPolicy::Always), ..with(Preset::Lossless) },
    )
    .unwrap();
    let [logged] = run.edits.as_slice() else { panic!("{:?}", run.edits) };
    assert!(matches!(logged.edit, Edit::Replace { unit: 1, .. }), "{logged:?}");
    assert_eq!((logged.rule, logged.cause), (RuleName::Repeats, 3));
    assert_eq!(run.counts[RuleName::Repeats as usize], 1);
}
