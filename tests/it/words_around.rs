//! What stands around the content of results: words of the user, reminders, exit codes, the calls that notes name.

use densify::content::Content;
use densify::options::{OptimizeSettings, Preset};
use serde_json::{Value, json};

use crate::results::{exchange, lines, numbered, optimized, read, shell, with};

const WORDS: &[&str] = &[
    "<system-reminder>\nThe user sent the following message:\nNever touch the billing table.\n</system-reminder>",
    "<system-reminder>\nInstructions from: /w/pkg/AGENTS.md\nNever touch the billing table.\n</system-reminder>",
    "<feedback>\nNever touch the billing table.\n</feedback>",
    "<new-diagnostics>\nNever touch the billing table.\n</new-diagnostics>",
];

fn claude(id: &str, text: &str) -> Vec<Content> {
    exchange(id, "Read", json!({"file_path": "/w/a.ts"}), json!(text))
}

fn left(parts: &[Vec<Content>], settings: &OptimizeSettings) -> String {
    serde_json::to_string(&optimized(&parts.concat(), settings)).unwrap()
}

fn others(count: usize) -> impl Iterator<Item = Vec<Content>> {
    (0..count).map(|at| shell(&format!("o{at}"), &format!("make t{at}"), &lines(&format!("o{at}"), 0..60)))
}

#[test]
fn words_around_a_numbered_file_stay_when_the_file_is_shown_again() {
    let file = numbered(&lines("a", 0..60), 1);
    for words in WORDS {
        for preset in [Preset::Lossless, Preset::Balanced, Preset::Aggressive] {
            for around in [format!("{file}\n{words}"), format!("{words}\n{file}")] {
                let history = [claude("1", &around), claude("2", &file)];
                assert!(left(&history, &with(preset)).contains("Never touch the billing"), "{words}");
            }
        }
    }
    // A tool's own note on the lines is no such word.
    let history = [claude("1", &format!("{file}\n(End of file - total 60 lines)")), claude("2", &file)];
    assert!(left(&history, &with(Preset::Lossless)).contains("shown again later"));
}

#[test]
fn words_of_the_user_in_results_do_not_grow_old() {
    let order = format!("Use the old API, please. {}", "And mind the mobile app! ".repeat(40));
    let rejected = format!("The user doesn't want to proceed with this tool use. The user said:\n{order}");
    let feedback = format!("<feedback>\n{order}\n</feedback>");
    for said in [rejected, feedback] {
        let mut parts = vec![exchange("1", "write_to_file", json!({"path": "/a.ts"}), json!(said))];
        parts.extend(others(60));
        assert!(left(&parts, &with(Preset::Aggressive)).contains(&order), "{said}");
    }
    for tool in [
        "requestUserInput",
        "getUserInput",
        "chat_with_user",
        "mcp__serena__read_memory",
        "mcp__memory__read_graph",
    ] {
        let mut parts = vec![exchange("1", tool, json!({}), json!(order))];
        parts.extend(others(60));
        assert!(left(&parts, &with(Preset::Aggressive)).contains(&order), "{tool}");
    }
}

#[test]
fn a_failure_goes_only_if_a_change_explains_the_success() {
    let failed = shell("1", "npm test", &format!("{}exit code 1", lines("fail", 0..30)));
    let passed = |says: &str| shell("9", "npm test", &format!("{}{says}", lines("pass", 0..3)));
    let edit = || {
        exchange(
            "2",
            "Edit",
            json!({"file_path": "/a.ts", "old_string": "x", "new_string": "y"}),
            json!("ok"),
        )
    };
    let settings = with(Preset::Balanced);
    let goes = |parts: Vec<Vec<Content>>| !left(&parts, &settings).contains("compute_fail(7)");
    let as_failure = |mut part: Vec<Content>| {
        let mut value = serde_json::to_value(&part[1]).unwrap();
        value["blocks"][0]["error"] = json!("failed");
        part[1] = serde_json::from_value(value).unwrap();
        part
    };
    let failed = as_failure(failed);
    assert!(goes(vec![failed.clone(), edit(), passed("exit code 0")]));
    assert!(!goes(vec![failed.clone(), passed("exit code 0")]), "flaky");
    assert!(!goes(vec![failed.clone(), shell("2", "git stash", ""), passed("exit code 0")]), "stashed");
    assert!(
        !goes(vec![failed.clone(), edit(), shell("3", "export DB=x", ""), passed("exit code 0")]),
        "elsewhere"
    );
    for running in
        ["migrate-1 exited with code 0", "Process running with session ID 5\nexit code 0", "all good"]
    {
        assert!(!goes(vec![failed.clone(), edit(), passed(running)]), "{running}");
    }
}

#[test]
fn a_note_counts_all_lines_that_were_cut() {
    let file: String = lines("a", 0..60).lines().map(|line| format!("{line}\n\n")).collect();
    let part: String = file.lines().skip(20).take(61).map(|line| format!("{line}\n")).collect();
    let ranged = exchange("2", "read_file", json!({"path": "/a.py", "offset": 21}), json!(part));
    let history = [read("1", "/a.py", &file), ranged];
    let text = left(&history, &with(Preset::Lossless));
    let count: usize = text.split("[… ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    let stay = optimized(&history.concat(), &with(Preset::Lossless))[1].clone();
    let stay = crate::results::text_of(&stay).lines().count();
    assert_eq!(count + stay - 1, file.lines().count(), "{text}");
}

#[test]
fn a_query_that_differs_in_an_unnamed_argument_is_another_one() {
    let rows = lines("row", 0..60);
    let query = |id: &str, base: &str| {
        exchange(id, "sql", json!({"database": base, "query": "select 1"}), json!(rows))
    };
    for settings in [with(Preset::Lossless), with(Preset::Balanced)] {
        let text = left(&[query("1", "old"), query("2", "new")], &settings);
        assert!(!text.contains("again later"), "{text}");
        let text = left(&[query("1", "old"), query("2", "old")], &settings);
        assert!(text.contains("again later"), "{text}");
    }
}

#[test]
fn the_same_lines_at_another_place_of_a_file_are_no_repetition_of_it() {
    let block = lines("twice", 0..40);
    let part = |id: &str, from: usize| {
        let parameters = json!({"file_path": "/w/a.ts", "offset": from, "limit": 40});
        exchange(id, "Read", parameters, json!(numbered(&block, from)))
    };
    let text = left(&[part("1", 100), part("2", 500)], &with(Preset::Lossless));
    assert!(!text.contains("shown again later"), "{text}");
}

#[test]
fn blanks_count_where_nothing_may_be_lost() {
    let exact: String = lines("a", 0..60).lines().map(|line| format!("{line}  \n")).collect();
    let plain = lines("a", 0..60);
    let history = [shell("1", "cat /a.md", &exact), read("2", "/a.md", &plain)];
    assert!(left(&history, &with(Preset::Lossless)).contains("compute_a(30);  \\n"));
}

#[test]
fn notes_on_old_results_say_what_holds() {
    let old = |first: Vec<Content>, then: Option<Vec<Content>>| {
        let parts: Vec<_> = [first].into_iter().chain(then).chain(others(80)).collect();
        left(&parts, &with(Preset::Aggressive))
    };
    let long = lines("long", 0..900);
    let text = old(shell("1", "npm run deploy", &format!("{long}exit code 1")), None);
    assert!(text.contains("lines of bash: npm run deploy were cut; it failed]"), "{text}");
    let gone = shell("2", "cat > /old.ts <<'EOF'\nx\nEOF", "");
    assert!(old(read("1", "/old.ts", &long), None).contains("read it again"));
    assert!(!old(read("1", "/old.ts", &long), Some(gone)).contains("read it again"));
}

#[test]
fn calls_of_one_message_count_as_one_for_how_long_results_stay() {
    let batch = |from: usize| -> Vec<Content> {
        let ids: Vec<String> = (from..from + 8).map(|at| format!("g{at}")).collect();
        let call = |id: &String| json!({"type": "tool_call", "id": id, "name": "grep", "parameters": {"pattern": id}});
        let response = |id: &String| json!({"type": "tool_response", "callId": id, "toolName": "grep", "result": lines(id, 0..90)});
        let calls: Vec<Value> = ids.iter().map(call).collect();
        let responses: Vec<Value> = ids.iter().map(response).collect();
        [json!({"speaker": "ai", "blocks": calls}), json!({"speaker": "tool", "blocks": responses})]
            .map(|entry| serde_json::from_value(entry).unwrap())
            .into()
    };
    let answer: Content =
        serde_json::from_value(json!({"speaker": "ai", "blocks": [{"type": "text", "text": "I see."}]}))
            .unwrap();
    let text = left(&[batch(0), vec![answer]], &with(Preset::Balanced));
    assert!(!text.contains("were cut"), "a batch that was answered once is as young as its newest result");
    let text = left(&[vec![batch(0)], others(60).collect()].concat(), &with(Preset::Balanced));
    assert!(text.contains("were cut"));
}

#[test]
fn instructions_and_plans_stay_however_they_are_shown() {
    let shown = lines("rule", 0..200);
    for command in [
        "Get-Content -Raw AGENTS.md",
        "if [ -f AGENTS.md ]; then cat AGENTS.md; fi",
        "find . -name AGENTS.md -exec cat {} \\;",
        "for f in AGENTS.md CLAUDE.md; do cat \"$f\"; done",
        "cat \"$(git rev-parse --show-toplevel)/AGENTS.md\"",
        "sudo cat AGENTS.md",
        "cat AGENTS.override.md",
        "cat IMPLEMENTATION_PLAN.md",
        "cat docs/fix_plan.md",
        "cat specs/001-x/tasks.md",
        "cat TODO.md",
    ] {
        let parts: Vec<_> = [shell("1", command, &shown)].into_iter().chain(others(60)).collect();
        assert!(left(&parts, &with(Preset::Balanced)).contains("compute_rule(100)"), "{command}");
    }
    for command in ["git add AGENTS.md", "rg foo AGENTS.md", "ls AGENTS.md"] {
        let parts: Vec<_> = [shell("1", command, &shown)].into_iter().chain(others(60)).collect();
        assert!(!left(&parts, &with(Preset::Balanced)).contains("compute_rule(100)"), "{command}");
    }
}
