//! Hosts that answer a repeated read with a stub: what the stub means is there for the model to see.

use densify::content::Content;
use densify::options::{CompressSettings, FlushPolicy, OptimizeSettings, Preset};
use densify::{compress_contents, optimize_contents};
use serde_json::json;

use crate::results::{exchange, lines, read, with};
use crate::session::Session;
use crate::support::options;

const STUBS: &[&str] = &[
    "File unchanged since last read. The content from the earlier Read tool_result in this conversation is still \
     current — refer to that instead of re-reading.",
    "Wasted call — file unchanged since your last Read. Refer to that earlier tool_result instead.",
    "[The file has not been modified since you read it.]",
    "You have already read this file. Refer to the previous result.",
    "[File a.rs unchanged since last read in this session — the full content was provided earlier. If you cannot retrieve that \
     prior content, or you suspect the file was modified by a shell command, re-read with explicit offset/limit.]",
];

fn text(name: &str) -> String {
    lines(name, 0..800)
}

/// A file, and others behind it.
fn history(others: usize) -> Vec<Vec<Content>> {
    let other = |at: usize| read(&format!("o{at}"), &format!("/o{at}.rs"), &text(&format!("o{at}")));
    std::iter::once(read("1", "/a.rs", &text("a"))).chain((0..others).map(other)).collect()
}

fn stub(id: &str, words: &str) -> Vec<Content> {
    exchange(id, "read_file", json!({"path": "/a.rs"}), json!(words))
}

fn is_shown(contents: &[Content]) -> bool {
    let left = serde_json::to_string(contents).unwrap();
    text("a").lines().all(|line| left.contains(line))
}

#[test]
fn what_a_stub_means_stays_while_the_stub_is_young() {
    for words in STUBS {
        for preset in [Preset::Lossless, Preset::Balanced, Preset::Aggressive] {
            let mut exchanges = history(80);
            assert_eq!(
                is_shown(&optimize_contents(&exchanges.concat(), &with(preset)).unwrap().0),
                preset == Preset::Lossless
            );
            exchanges.push(stub("s", words));
            assert!(is_shown(&optimize_contents(&exchanges.concat(), &with(preset)).unwrap().0), "{words}");
        }
    }
}

#[test]
fn what_was_cut_comes_back_in_the_place_of_the_stub_and_nothing_before_it_changes() {
    for words in STUBS {
        let settings = OptimizeSettings { flush: Some(FlushPolicy::Always), ..with(Preset::Balanced) };
        let mut session = Session::new(&settings);
        for part in history(80) {
            session.push(&part);
            session.run(false);
        }
        assert!(!is_shown(&session.output()));
        let before = session.output();
        for number in 0..3 {
            session.push(&stub(&format!("s{number}"), words));
            let run = session.run(false);
            assert!(is_shown(&session.output()), "{words}: {number}");
            if number == 0 {
                assert_eq!((run.flush, &session.output()[..before.len()]), (None, &before[..]), "{words}");
            }
        }
        let mut reborn = session.reborn();
        assert_eq!(reborn.run(false).edits, vec![], "{words}");
        assert!(is_shown(&reborn.output()), "{words}");
    }
}

#[test]
fn a_stub_may_be_structured_stand_before_a_reminder_and_behind_a_failed_read() {
    let read = |id, result| exchange(id, "read_file", json!({"path": "/a.rs"}), result);
    let reminder = "Consider whether you want to read it.\n".repeat(40);
    let refused = read("f", json!("The user doesn't want to proceed with this tool use."));
    for (what, file, between, stub) in [
        (
            "reminder",
            json!(text("a")),
            vec![],
            json!(format!("{}\n\n<system-reminder>\n{reminder}</system-reminder>", STUBS[0])),
        ),
        ("failed", json!(text("a")), refused, json!(STUBS[0])),
        ("output", json!({"output": text("a")}), vec![], json!({"output": STUBS[0]})),
        ("list", json!(text("a")), vec![], json!([{"type": "text", "text": STUBS[1]}])),
    ] {
        let exchanges = [vec![read("1", file), between], history(80).split_off(1), vec![read("s", stub)]];
        let settings = OptimizeSettings { flush: Some(FlushPolicy::Always), ..with(Preset::Balanced) };
        let mut session = Session::new(&settings);
        for part in exchanges.concat() {
            session.push(&part);
            session.run(false);
        }
        assert!(is_shown(&session.output()), "{what}");
    }
}

#[test]
fn once_a_host_gives_stubs_no_pointer_says_to_read_again() {
    let mut exchanges = history(1);
    exchanges.push(stub("s", STUBS[0]));
    exchanges.extend(history(80).into_iter().skip(1));
    let (output, _) = optimize_contents(&exchanges.concat(), &with(Preset::Aggressive)).unwrap();
    let output = serde_json::to_string(&output).unwrap();
    assert!(output.contains("were cut]") && !output.contains("read it again"));
}

#[test]
fn compress_keeps_what_a_stub_in_the_tail_means() {
    for strategy in ["high-density", "top-down-truncation"] {
        let mut exchanges = history(80);
        exchanges.push(stub("s", STUBS[1]));
        let settings = json!({"strategy": strategy, "contextLimit": 100_000, "threshold": 1});
        let settings: CompressSettings = options(settings);
        let (output, _) = compress_contents(&exchanges.concat(), &settings).unwrap();
        assert!(output != exchanges.concat() && is_shown(&output), "{strategy}");
    }
}

#[test]
fn a_short_file_that_holds_such_words_stays() {
    let history = [read("1", "/a.rs", &text("a")), stub("2", "// unchanged since 1990\n")].concat();
    let (output, _) = optimize_contents(&history, &with(Preset::Lossless)).unwrap();
    assert_eq!(output, history);
}

/// What densify sends turn by turn, each turn's edits made at once.
fn sent(exchanges: &[Vec<Content>], preset: Preset) -> Vec<Content> {
    let settings = OptimizeSettings { flush: Some(FlushPolicy::Always), ..with(preset) };
    let mut session = Session::new(&settings);
    for part in exchanges {
        session.push(part);
        session.run(false);
    }
    let mut reborn = session.reborn();
    assert_eq!(reborn.run(false).edits, vec![]);
    session.output()
}

/// Hosts have their own words, and their own languages.
#[test]
fn a_stub_in_words_that_nobody_knows_brings_the_file_back_as_shown_before() {
    for words in [
        "[cached]",
        "304 Not Modified",
        "no diff",
        "see above",
        "Same as before.",
        "File not modified.",
        "You already have this file in your context.",
        "[DUPLICATE FILE READ]",
        "BLOCKED: You have read this file 3 times. The content has NOT changed.",
        "{\"status\":\"unchanged\"}",
        "{\"type\":\"file_unchanged\",\"file\":{\"filePath\":\"/a.rs\"}}",
        "Datei seit dem letzten Lesen unverändert.",
        "文件自上次读取后未更改。",
        "Файл не изменился.",
        "abc def ghi",
    ] {
        let mut exchanges = history(24);
        exchanges.push(stub("s", words));
        let output = sent(&exchanges, Preset::Aggressive);
        assert!(is_shown(&output), "{words}");
        let said = serde_json::to_string(output.last().unwrap()).unwrap();
        assert!(said.contains("[… shown before: read_file: /a.rs]"), "{words}");
    }
}

#[test]
fn a_short_read_that_is_none_brings_nothing_back() {
    let ranged = |id, words: &str| {
        exchange(id, "read_file", json!({"path": "/a.rs", "offset": 350, "limit": 2}), json!(words))
    };
    let write = |content: &str| {
        exchange("w", "write_file", json!({"path": "/a.rs", "content": content}), json!("written"))
    };
    let known = text("a").lines().take(2).collect::<Vec<_>>().join("\n");
    for (what, between, last) in [
        ("a range", vec![], ranged("s", "// skip if the file has not changed since the last run\n}")),
        ("numbered", vec![], stub("s", "350\t// unchanged since the last run")),
        ("lines of the file", vec![], stub("s", &known)),
        ("no such file", vec![], stub("s", "Error: no such file or directory: /a.rs")),
        ("written anew", write("short\n"), stub("s", "short")),
    ] {
        let mut exchanges = history(34);
        exchanges.extend([between, last.clone()].into_iter().filter(|part| !part.is_empty()));
        let output = sent(&exchanges, Preset::Balanced);
        assert_eq!(output.last(), last.last(), "{what}");
    }
}

#[test]
fn what_was_shown_before_a_change_says_so() {
    let edit = json!({"file_path": "/a.rs", "old_string": "compute_a(7)", "new_string": "compute_a(8)"});
    let mut exchanges = history(34);
    exchanges.extend([exchange("e", "Edit", edit, json!("edited")), stub("s", STUBS[0])]);
    let output = sent(&exchanges, Preset::Balanced);
    let said = serde_json::to_string(output.last().unwrap()).unwrap();
    assert!(said.contains("[… shown before later changes: read_file: /a.rs]") && is_shown(&output));
}

#[test]
fn a_stub_means_all_parts_of_its_file_under_any_spelling_of_its_path() {
    let part = |id: &str, path: &str, from: usize, to: usize| {
        let parameters = json!({"path": path, "offset": from + 1, "limit": to - from});
        exchange(id, "read_file", parameters, json!(lines("a", from..to)))
    };
    let others = || history(34).split_off(1);
    let whole = |path: &str| exchange("s", "read_file", json!({"path": path}), json!(STUBS[0]));
    for (old, new) in [
        ("/w/a.rs", "a.rs"),
        ("a.rs", "/w/a.rs"),
        ("~/w/a.rs", "/home/me/w/a.rs"),
        (r"C:\w\a.rs", r"c:\W\a.rs"),
    ] {
        let first = exchange("1", "read_file", json!({"path": old}), json!(text("a")));
        let exchanges = [vec![first], others(), vec![whole(new)]].concat();
        assert!(is_shown(&sent(&exchanges, Preset::Balanced)), "{old}, {new}");
        let parts = vec![part("1", old, 0, 400), part("2", old, 400, 800)];
        let exchanges = [parts, others(), vec![whole(new)]].concat();
        assert!(is_shown(&sent(&exchanges, Preset::Balanced)), "in parts: {old}, {new}");
    }
    // A part that was read last is not all that it means.
    let first = exchange("1", "read_file", json!({"path": "/a.rs"}), json!(text("a")));
    let limited = exchange("s", "read_file", json!({"path": "/a.rs", "limit": 2000}), json!(STUBS[0]));
    let exchanges = [vec![first, part("2", "/a.rs", 100, 140)], others(), vec![limited]].concat();
    assert!(is_shown(&sent(&exchanges, Preset::Balanced)));
}

#[test]
fn a_tool_that_nobody_knows_may_give_a_stub_to_the_same_call() {
    let fetch = |id, said: &str| exchange(id, "fetch_page", json!({"url": "https://a.example"}), json!(said));
    let others = history(34).split_off(1);
    let exchanges = [vec![fetch("1", &text("a"))], others, vec![fetch("s", STUBS[1])]].concat();
    assert!(is_shown(&sent(&exchanges, Preset::Balanced)));
}
