//! Results that only look complete supersede nothing. A result may be a part, or show the file by another name. A write may
//! have done nothing, output may change by itself, and the numbers of a table may be data.

use densify::content::Content;
use densify::options::Preset;
use densify::{optimize_contents, tools::is_kept_path, tools::is_kept_tool, view::Names};
use serde_json::{Value, json};

use crate::results::{exchange, lines, numbered, read, reversed, shell, switched, text_of, with};
use crate::superseded::{call, failed, file, goes, gone, rules, stays};

/// What `lossless` leaves of some exchanges, as text.
fn left(exchanges: &[Vec<Content>]) -> String {
    let (output, _) = optimize_contents(&exchanges.concat(), &with(Preset::Lossless)).unwrap();
    serde_json::to_string(&output).unwrap()
}

/// Notices that harnesses put where they cut a result.
const NOTICES: &str = "... | ⋮ | … 200 lines … | [200 lines hidden] | [... 8123 characters removed ...] | [OUTPUT CUT: 8123 bytes] \
    | ... [200 LINES OMITTED] ... | Output limited to 30000 chars | (file has 600 lines, displaying first 200 and last 200) \
    | Full output saved to x.log | [Omitting 200 lines] | <response clipped> | … (160 lines left out) | [snip] \
    | … +160 lines (ctrl+o to expand) | (160 lines not shown) | (File has more lines. Use 'offset' to read beyond line 700) \
    | 9000 characters elided | [200 Zeilen ausgelassen] | (200 lignes masquées) | 〔200行を省略〕 | [已省略 200 行] \
    | [опущено 200 строк] | [200 líneas suprimidas] | [٢٠٠ سطر محذوف]";

#[test]
fn a_result_that_was_cut_in_its_middle_supersedes_no_line_that_it_lacks() {
    let old = shell("1", "sed -n '280,330p' a.rs", &file(279..330));
    let whole = |text: &str| shell("2", "cat a.rs", text);
    for notice in NOTICES.split(" | ").chain([""]) {
        let cut = file(0..200) + notice.trim() + "\n" + &file(400..600);
        stays(notice, &[old.clone(), whole(&cut)]);
        assert!(left(&[old.clone(), whole(&cut)]).contains("let file_300 ="), "{notice}");
        goes(notice, &[old.clone(), whole(&(file(0..400) + notice.trim() + "\n" + &file(400..600)))]);
    }
    let page = "<html>\n".to_owned() + &lines("a proxy's error page", 0..700);
    for text in [page, "cat: Input/output error\n".to_owned() + &lines("noise", 0..700)] {
        stays("no file at all", &[old.clone(), whole(&text)]);
    }
}

#[test]
fn a_whole_file_has_as_many_lines_as_it_must_have_by_now() {
    let whole = |id, text: &str| call(id, "Read", json!({"file_path": "/a.rs"}), &numbered(text, 1));
    let grown = "// top\n".repeat(300);
    let edit = json!({"file_path": "/a.rs", "old_string": "top", "new_string": grown});
    let edit = call("2", "Edit", edit, "edited");
    let old = whole("1", &file(0..1_000));
    stays("cut off", &[old.clone(), edit.clone(), whole("3", &(grown.clone() + &file(0..900)))]);
    goes("all of it", &[old, edit, whole("3", &(grown + &file(0..1_000)))]);
}

#[test]
fn lines_that_a_tool_shortened_supersede_none() {
    let long = format!("let table = \"{}\";\n", "abcdefghij".repeat(400));
    let old = shell("1", "cat /a.rs", &(file(0..20) + &long));
    for end in ["... [truncated]\n", "...\n", "\n"] {
        stays(end, &[old.clone(), read("2", "/a.rs", &(file(0..20) + &long[..2_000] + end))]);
    }
}

#[test]
fn a_change_under_another_name_of_the_file_moves_its_lines() {
    let there = |id, text: &str| {
        call(
            id,
            "shell",
            json!({"command": ["bash", "-lc", "sed -n '1,200p' src/a.rs"], "workdir": "/repo"}),
            text,
        )
    };
    let added: String = (0..150).map(|number| format!("+// new {number}\n")).collect();
    let patch = format!("*** Begin Patch\n*** Update File: src/a.rs\n@@\n{added}*** End Patch\n");
    let patch = call("2", "apply_patch", json!({"input": patch}), "Success");
    let now = lines("new", 0..150) + &file(0..50);
    stays("a relative patch", &[there("1", &file(0..200)), patch, there("3", &now)]);
}

#[test]
fn seed_judges_a_write_by_the_documents_alone() {
    let kept = |parameters: Value, result: Value| {
        let history =
            [read("1", "/a.rs", &file(0..40)), exchange("2", "write_file", parameters, result)].concat();
        optimize_contents(&history, &with(Preset::Seed)).unwrap().0.len() == history.len()
    };
    let with_key = |key: &str, value: Value| {
        let mut parameters = json!({"file_path": "/a.rs", "content": "new"});
        parameters[key] = value;
        parameters
    };
    let plain = with_key("n", json!(1));
    for result in [json!({"error": "no"}), json!({"exit_code": 1}), json!({"exitCode": 2})] {
        assert!(kept(plain.clone(), result.clone()), "{result}");
    }
    for (key, value) in [("force", json!(false)), ("preview", json!(true)), ("dry_run", json!(true))] {
        assert!(kept(with_key(key, value), json!("ok")), "{key}");
    }
    for result in [
        json!({"success": true}),
        json!({"success": false}),
        json!({"ok": false, "output": "written"}),
        json!({"status": "cancelled"}),
        json!({"isError": true}),
    ] {
        assert!(!kept(plain.clone(), result.clone()), "{result}");
    }
    for (key, value) in [("dryRun", json!(true)), ("apply", json!(false)), ("mode", json!("preview"))] {
        assert!(!kept(with_key(key, value), json!("ok")), "{key}");
    }
}

#[test]
fn lossless_keeps_what_a_command_said_and_what_a_failure_said() {
    let (one, two) = (lines("one", 0..20), lines("two", 0..20));
    for command in ["sleep 30; tail -50 build.log", "git status", "du -k target"] {
        let left = left(&[shell("1", command, &one), shell("2", command, &two)]);
        assert!(left.contains("one_7"), "{command}");
    }
    let test = |id, text: &str| shell(id, "npm test", text);
    let left = left(&[failed(test("1", &one)), shell("2", "make", "done"), test("3", &two)]);
    assert!(left.contains("one_7"), "a failure");
}

#[test]
fn what_changes_by_itself_or_by_people_is_no_repetition() {
    let (one, two) = (lines("one", 0..20), lines("two", 0..20));
    for command in ["sleep 30; git status", "tail -50 build.txt", "cat out.log | wc", "ls /tmp", "date"] {
        stays(command, &[shell("1", command, &one), shell("2", command, &two)]);
    }
    let human =
        serde_json::from_value(json!({"speaker": "human", "blocks": [{"type": "text", "text": "again"}]}));
    let human: Content = human.unwrap();
    let history = [shell("1", "git status", &one), vec![human], shell("2", "git status", &two)].concat();
    let (output, _) = optimize_contents(&history, &rules()).unwrap();
    assert_eq!(output, history, "a human in between");
}

#[test]
fn numbers_that_are_data_are_compared_and_stay() {
    let sizes = |times: usize| -> String {
        (1..41).map(|number| format!("{}\ttarget/folder_{number}\n", number * times)).collect()
    };
    for command in ["du -k target", "git diff --numstat"] {
        let left =
            left(&[shell("1", command, &sizes(4)), shell("2", "make", "ok"), shell("3", command, &sizes(9))]);
        assert!(left.contains("80\\ttarget/folder_20"), "{command}");
    }
    let ids = sizes(1);
    for shown in [shell("1", "cat ids.tsv", &ids), read("1", "/ids.tsv", &ids)] {
        let (output, _) = optimize_contents(&shown, &with(Preset::Lossless)).unwrap();
        assert_eq!(text_of(&output[1]), ids);
    }
    let (output, _) =
        optimize_contents(&shell("1", "cat -n a.rs", &numbered(&file(0..40), 1)), &with(Preset::Lossless))
            .unwrap();
    assert!(text_of(&output[1]).contains("\nlet file_7"), "those of a tool go");
}

#[test]
fn the_first_two_offsets_of_a_tool_that_counts_from_0_are_two() {
    let part = |id, offset: usize, range| {
        call(id, "read_file", json!({"path": "/a.rs", "offset": offset, "limit": 50}), &file(range))
    };
    stays("line by line", &[part("1", 0, 0..50), part("2", 1, 1..51)]);
    goes("the same", &[part("1", 0, 0..50), part("2", 0, 0..50)]);
    let rest = call("2", "read_file", json!({"path": "/a.rs", "offset": 1}), &file(1..90));
    stays("up to the end", &[part("1", 0, 0..50), rest]);
}

#[test]
fn tools_and_files_that_are_kept_go_by_many_names() {
    for name in "Task subagent run_subagent runSubagent dispatch_agent delegate_task TaskOutput AgentOutput \
        codebase_investigator wait use_skill load_skill create_plan write_plan TodoRead todo_read todo TaskList new_task background_task_output \
        TaskGet ask_human interactive_feedback get_user_feedback clarify prompt_user oracle handoff_to delegate \
        sessions_spawn ask_user ask_followup_question read_memory fetch_rules request_user_input ExitPlanMode"
        .split_whitespace()
    {
        assert!(is_kept_tool(name), "{name}");
    }
    for name in "Bash Read BashOutput grep explain await_server run_task gradle_task check_firewall_rules \
        user_agent_stats memory_profile questionnaire_results autodoc ExplainTable"
        .split_whitespace()
    {
        assert!(!is_kept_tool(name), "{name}");
    }
    for path in "AGENTS.md agents.md CLAUDE.local.md .cursorrules .cursor/rules/style.mdc \
        .github/instructions/ts.instructions.md .github/copilot-instructions.md .clinerules/a.md .roo/rules/x.md \
        .windsurf/rules/a.md .junie/guidelines.md .goosehints .claude/agents/x.md .claude/commands/x.md \
        .kiro/steering/x.md .github/prompts/a.md .amazonq/rules/a.md .openhands/microagents/a.md .specify/memory/c.md \
        memory-bank/active.md plans/next.md skills/pdf/reference.md"
        .split_whitespace()
    {
        assert!(is_kept_path(&format!("/repo/{path}")) && is_kept_path(&format!(r"C:\repo\{path}")), "{path}");
    }
    for path in "/repo/README.md /repo/src/claude.ts /repo/docs/agents.html /repo/src/app.root.tsx /repo/src/chat.rooms.ts /repo/src/editor.cursor.ts /repo/src/floorplans.ts /repo/src/reskills.ts /repo/docs/floorplans.md /repo/test/query_plans.rs /repo/src/billing/plans/pricing.ts /repo/agents.md-site/a.ts"
        .split_whitespace()
    {
        assert!(!is_kept_path(path), "{path}");
    }
}

/// The settings that the two rules which left `lossless` can still be had by.
#[test]
fn the_rules_that_lossless_leaves_out_can_be_switched_on() {
    let one = lines("one", 0..20);
    let two = reversed(&one);
    let twice = [shell("1", "git status", &one), shell("2", "git status", &two)];
    let on = switched(with(Preset::Lossless), |rules| rules.repeated_calls = Some(true));
    assert_eq!(gone(&twice, &on), [0]);
    assert_eq!(gone(&twice, &with(Preset::Lossless)), [0_usize; 0]);
    assert_eq!(gone(&twice, &with(Preset::Balanced)), [0]);
}

/// What may have been changed by others, moved or copied meanwhile stands nowhere else for certain.
#[test]
fn what_was_shown_before_anything_might_have_happened_stays_under_lossless() {
    let human =
        json!({"speaker": "human", "blocks": [{"type": "text", "text": "I added a header by hand."}]});
    let human: Vec<Content> = vec![serde_json::from_value(human).unwrap()];
    let write = |id, text: &str| {
        call(id, "write_file", json!({"file_path": "/a.rs", "content": text}), "Wrote the file")
    };
    let (old, new) = (file(0..40), lines("header", 0..20) + &file(0..20));
    let first = |id, text: &str| {
        call(id, "Read", json!({"file_path": "/a.rs", "offset": 1, "limit": 40}), &numbered(text, 1))
    };
    for (what, exchanges) in [
        ("by hand", vec![first("1", &old), human, first("2", &new)]),
        ("moved", vec![read("1", "/a.rs", &old), shell("2", "mv a.rs b.rs", ""), write("3", "new\n")]),
        (
            "cancelled",
            vec![
                write("1", &old),
                call("2", "write_file", json!({"file_path": "/a.rs", "content": new}), "Cancelled by user."),
            ],
        ),
        ("copied", vec![write("1", &old), shell("2", "cp a.rs b.rs", ""), write("3", &new)]),
        (
            "checked out",
            vec![read("1", "/a.rs", &old), shell("2", "git checkout -", ""), read("3", "/a.rs", &new)],
        ),
    ] {
        let left = left(&exchanges);
        assert!(file(0..40).lines().all(|line| left.contains(line)), "{what}");
    }
    // That a write took place is the word of its result.
    let rewritten = [read("1", "/a.rs", &old), write("2", "new\n")];
    for preset in [Preset::Lossless, Preset::Balanced] {
        assert_eq!(gone(&rewritten, &with(preset)), [0_usize; 0]);
    }
}

#[test]
fn a_folder_is_known_only_behind_an_and() {
    let old = read("1", "/src/a.rs", &file(0..40));
    let shown = |command: &str| [old.clone(), shell("2", command, &file(0..40))];
    goes("only if it went there", &shown("cd src && cat a.rs"));
    for command in ["cd src; cat a.rs", "cd src || cat a.rs", "cd src\ncat a.rs", "cd src && cat a.rs; true"]
    {
        stays(command, &shown(command));
    }
}

#[test]
fn what_the_shell_puts_into_a_command_may_be_another_thing_each_time() {
    let twice = |command: &str| {
        [shell("1", command, &lines("one", 0..20)), shell("2", command, &reversed(&lines("one", 0..20)))]
    };
    goes("named", &twice("grep needle a.txt"));
    stays("a variable", &twice("grep needle \"$F\""));
}

#[test]
fn folders_that_a_workspace_lies_in_keep_none_of_its_files() {
    for (root, path, is_kept) in [
        ("/home/me/.claude/worktrees/x", "/home/me/.claude/worktrees/x/src/a.rs", false),
        ("/home/me/.claude/worktrees/x", "src/a.rs", false),
        ("/home/me/.claude/worktrees/x", "/home/me/.claude/worktrees/x/.claude/agents/a.txt", true),
        ("/home/me/.claude/worktrees/x", "/home/me/.claude/skills/pdf/a.txt", true),
        ("/home/me/skills", "/home/me/skills-of-others/.claude/a.md", true),
        ("/home/me/skills", "/home/me/skills-of-others/.claude/a.rs", false),
        (r"C:\plans\x", r"C:\plans\x\src\a.rs", false),
        ("/", "/home/me/.claude/worktrees/x/src/a.rs", false),
    ] {
        let mut names = Names::new(root);
        let path = names.path(path);
        assert_eq!(names.is_kept(path), is_kept, "{root}: {}", names.path_text(path));
    }
}
