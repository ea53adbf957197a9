//! The same call with the same result again: where edits wait, the new result gives way to the older one.

use densify::content::Content;
use densify::options::{CompressSettings, FlushPolicy, OptimizeSettings, Preset};
use densify::{compress_contents, optimize_contents};
use serde_json::json;

use crate::results::{exchange, lines, read, switched, with};
use crate::session::Session;
use crate::support::options;

const NOTE: &str = "[… unchanged since the earlier result: read_file: /a.rs]";

fn file(id: &str) -> Vec<Content> {
    read(id, "/a.rs", &lines("a", 0..200))
}

fn others(count: usize) -> Vec<Vec<Content>> {
    (0..count)
        .map(|at| read(&format!("o{at}"), &format!("/o{at}.rs"), &lines(&format!("o{at}"), 0..50)))
        .collect()
}

fn waiting(preset: Preset) -> OptimizeSettings {
    OptimizeSettings { flush: Some(FlushPolicy::WhenItPays), ..with(preset) }
}

/// What is sent turn by turn. Restarts, and calls without memory, send the same.
fn sent(exchanges: &[Vec<Content>], settings: &OptimizeSettings) -> Vec<Content> {
    let mut session = Session::new(settings);
    for part in exchanges {
        session.push(part);
        session.run(false);
    }
    let mut reborn = session.reborn();
    assert_eq!(reborn.run(false).edits, vec![]);
    let output = session.output();
    assert_eq!(reborn.output(), output);
    assert_eq!(optimize_contents(&exchanges.concat(), settings).unwrap().0, output);
    assert_eq!(optimize_contents(&output, settings).unwrap().0, output, "its own output changes no more");
    output
}

fn last(output: &[Content]) -> serde_json::Value {
    serde_json::to_value(output.last().unwrap()).unwrap()["blocks"][0]["result"].clone()
}

/// Whether the last of these results gives way.
fn gives_way(exchanges: &[Vec<Content>], settings: &OptimizeSettings) -> bool {
    let output = sent(exchanges, settings);
    let before = exchanges.concat();
    let is_note = last(&output) == json!(NOTE);
    assert!(is_note || output.last() == before.last());
    is_note
}

fn history(between: Vec<Vec<Content>>) -> Vec<Vec<Content>> {
    [vec![file("1")], between, vec![file("2")]].concat()
}

#[test]
fn the_new_result_gives_way_where_edits_wait_and_the_older_one_where_they_dont() {
    for preset in [Preset::Lossless, Preset::Balanced, Preset::Aggressive] {
        let exchanges = history(others(3));
        let output = sent(&exchanges, &waiting(preset));
        assert_eq!(last(&output), json!(NOTE), "{preset:?}");
        assert_eq!(output[..output.len() - 1], exchanges.concat()[..output.len() - 1], "{preset:?}");
        let at_once = OptimizeSettings { flush: Some(FlushPolicy::Always), ..with(preset) };
        assert!(!gives_way(&exchanges, &at_once), "{preset:?}");
    }
}

#[test]
fn who_asks_again_at_once_gets_all_of_it() {
    let mut exchanges = history(others(3));
    exchanges.push(file("3"));
    assert!(!gives_way(&exchanges, &waiting(Preset::Balanced)));
    // Later it is the third result that is meant.
    exchanges.extend(others(9));
    exchanges.push(file("4"));
    assert!(gives_way(&exchanges, &waiting(Preset::Balanced)));
}

#[test]
fn a_range_that_is_all_of_the_file_gives_way_too() {
    let ranged = exchange("2", "read_file", json!({"path": "/a.rs", "offset": 1}), json!(lines("a", 0..200)));
    assert!(gives_way(&[file("1"), ranged], &waiting(Preset::Lossless)));
}

#[test]
fn the_time_that_a_command_took_says_nothing() {
    let cat = |id: &str, time: &str, code: u32, count: usize| {
        let header = format!("Chunk ID: {id}7\nWall time: {time} seconds\nProcess exited with code {code}");
        let text = format!("{header}\nOriginal token count: 900\nOutput:\n{}", lines("a", 0..count));
        exchange(id, "exec_command", json!({"cmd": "cat a.rs"}), json!(text))
    };
    let is_note = |last_one| {
        let output = sent(&[cat("1", "0.01", 0, 200), last_one], &waiting(Preset::Lossless));
        last(&output).as_str().unwrap().starts_with("[… unchanged since")
    };
    assert!(is_note(cat("2", "0.3", 0, 200)));
    assert!(!is_note(cat("2", "0.3", 1, 200)));
    assert!(!is_note(cat("2", "0.3", 0, 201)));
}

#[test]
fn results_that_may_say_something_else_stay() {
    let settings = waiting(Preset::Lossless);
    let write = |id: &str, text: &str| {
        exchange(id, "write_file", json!({"path": "/a.rs", "content": text}), json!("written"))
    };
    let unknown = |id: &str| exchange(id, "deploy", json!({}), json!(lines("a", 0..200)));
    let failed = |id: &str| {
        exchange(
            id,
            "run_shell_command",
            json!({"command": "ls /a"}),
            json!(format!("ls: cannot access '/a'\nExit code: 2\n{}", lines("a", 0..100))),
        )
    };
    let short = |id: &str| read(id, "/a.rs", &lines("a", 0..20));
    for (what, exchanges) in [
        ("written and written back", history(vec![write("w", "other"), write("v", &lines("a", 0..200))])),
        ("the file has grown", vec![file("1"), read("2", "/a.rs", &lines("a", 0..201))]),
        ("blanks", vec![file("1"), read("2", "/a.rs", &lines("a", 0..200).replace('\n', " \n"))]),
        ("what does more than look", vec![unknown("1"), unknown("2")]),
        ("a failure", vec![failed("1"), failed("2")]),
        ("a short one", vec![short("1"), short("2")]),
        (
            "another tool",
            vec![file("1"), exchange("2", "view", json!({"path": "/a.rs"}), json!(lines("a", 0..200)))],
        ),
    ] {
        assert!(!gives_way(&exchanges, &settings), "{what}");
    }
    // As does everything that keeps a number of results.
    let recency = switched(waiting(Preset::Balanced), |rules| rules.recency_pruning = Some(true));
    assert!(!gives_way(&history(others(1)), &recency));
    let off = switched(waiting(Preset::Balanced), |rules| rules.repeats = Some(false));
    assert!(!gives_way(&history(others(1)), &off));
}

#[test]
fn a_result_that_was_cut_or_is_about_to_be_is_shown_again() {
    let exchanges = history(others(120));
    let output = sent(&exchanges, &waiting(Preset::Aggressive));
    assert_eq!(last(&output), json!(lines("a", 0..200)));
}

#[test]
fn the_older_result_stays_as_long_as_the_note_is_young() {
    let settings = OptimizeSettings { flush: Some(FlushPolicy::Always), ..with(Preset::Aggressive) };
    // Its own output, as a host hands it in.
    let mut given = sent(&history(others(20)), &waiting(Preset::Aggressive));
    assert_eq!(last(&given), json!(NOTE));
    given.extend(others(10).into_iter().flatten());
    let text = lines("a", 0..200);
    let is_shown = |contents: &[Content]| {
        let left = serde_json::to_string(contents).unwrap();
        text.lines().all(|line| left.contains(line))
    };
    assert!(is_shown(&optimize_contents(&given, &settings).unwrap().0));
    for strategy in ["high-density", "top-down-truncation"] {
        let settings: CompressSettings =
            options(json!({"strategy": strategy, "contextLimit": 16_000, "threshold": 0.9}));
        let (output, _) = compress_contents(&given, &settings).unwrap();
        assert!(output != given && is_shown(&output), "{strategy}");
    }
}
