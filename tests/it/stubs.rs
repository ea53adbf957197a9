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
