//! Old results: what goes when.

use densify::content::Content;
use densify::options::{FlushPolicy, OptimizeSettings, Preset};
use serde_json::json;

use crate::results::{exchange, lines, optimized, read, shell, text_of, with};
use crate::session::Session;

#[test]
fn long_output_of_commands_goes_before_files_and_short_results_stay() {
    let output = lines("test", 0..100);
    let file = lines("file", 0..100);
    let mut history =
        [shell("1", "make test", &output), read("2", "/a.rs", &file), shell("3", "pwd", "/work")].concat();
    history.extend((0..20).flat_map(|at| shell(&format!("x{at}"), "true", "ok")));
    let after = optimized(&history, &with(Preset::Balanced));
    assert_eq!(text_of(&after[1]), "[… 100 lines of bash: make test were cut]");
    assert_eq!(after[3], history[3], "files stay longer");
    assert_eq!(after[5], history[5]);
}

#[test]
fn what_takes_more_room_goes_sooner_and_goes_as_a_whole() {
    let of = |id: &str, count| read(id, &format!("/{id}.rs"), &lines(id, 0..count));
    let later = |count| (0..count).flat_map(|at| shell(&format!("x{at}"), "true", "ok"));
    let history = [of("long", 800), of("middle", 400), of("short", 80)].concat();
    let left = |count| {
        let after = optimized(
            &history.iter().cloned().chain(later(count)).collect::<Vec<_>>(),
            &with(Preset::Balanced),
        );
        [1, 3, 5].map(|at| after[at] == history[at])
    };
    assert_eq!(left(16), [false, true, true]);
    assert_eq!(left(40), [false, false, true]);
    let after = optimized(&[history.clone(), later(16).collect()].concat(), &with(Preset::Balanced));
    let pointer = "[… 800 lines of read_file: /long.rs were cut; read it again if you need them]";
    assert_eq!(text_of(&after[1]), pointer);
}

#[test]
fn what_the_model_did_not_answer_yet_stays_whatever_its_size() {
    let calls = |at: usize| read(&at.to_string(), &format!("/{at}.rs"), &lines(&format!("f{at}"), 0..3_000));
    let (asked, answers): (Vec<_>, Vec<_>) =
        (0..6).map(calls).map(|pair| (pair[0].clone(), pair[1].clone())).unzip();
    let mut history = [asked, answers].concat();
    let settings = [with(Preset::Balanced), with(Preset::Aggressive)];
    let budget = OptimizeSettings { budget: Some(1.0), ..with(Preset::Lossless) };
    for settings in settings.iter().chain([&budget]) {
        assert_eq!(optimized(&history, settings), history, "six files at once");
    }
    history.extend(shell("next", "true", "ok"));
    let cut = |history: &[Content], settings: &OptimizeSettings| {
        let after = optimized(history, settings);
        (6..12).filter(|&at| text_of(&after[at]).starts_with("[… 3000 lines of ")).count()
    };
    assert_eq!(cut(&history, &budget), 6);
    for settings in &settings {
        assert_eq!(cut(&history, settings), 3, "four results follow at least, this one among them");
        let three = (2..5).flat_map(|id| shell(&id.to_string(), "true", "ok"));
        let later = history.iter().cloned().chain(three).collect::<Vec<_>>();
        assert_eq!(cut(&later, settings), 6);
    }
}

/// How many results follow a long one before it goes, with something done after each.
fn stays(first: &[Content], then: impl Fn(usize) -> Vec<Content>, preset: Preset) -> usize {
    let mut session = Session::new(&OptimizeSettings { flush: Some(FlushPolicy::Always), ..with(preset) });
    session.push(first);
    let whole = first.last().unwrap();
    (0..60)
        .find(|&at| {
            session.run(false);
            let is_gone = session.output().iter().all(|content| content != whole);
            session.push(&then(at));
            is_gone
        })
        .unwrap_or(60)
}

#[test]
fn a_long_file_stays_as_long_as_it_is_edited() {
    let file = read("1", "/long.rs", &lines("long", 0..1_600));
    let edit = |at: usize| {
        let parameters =
            json!({"file_path": "/long.rs", "old_string": format!("long {at}"), "new_string": "b"});
        exchange(&format!("e{at}"), "Edit", parameters, json!("The file has been updated."))
    };
    let other = |at: usize| shell(&format!("x{at}"), "true", "ok");
    let now_and_then = |at| if at % 3 == 1 { edit(at) } else { other(at) };
    // What is read again stays longer.
    let again = [file.clone(), read("2", "/long.rs", &lines("anew", 0..1_600))].concat();
    for preset in [Preset::Balanced, Preset::Aggressive] {
        let all = [
            stays(&file, other, preset),
            stays(&again, other, preset),
            stays(&file, edit, preset),
            stays(&file, now_and_then, preset),
        ];
        assert_eq!(all, [4, 6, 60, 60], "{preset:?}");
    }
}

#[test]
fn what_failed_stays_longer_than_what_did_not() {
    let output = lines("test", 0..900);
    let done = shell("1", "make test", &output);
    let mut failed = done.clone();
    failed[1] = serde_json::from_value(json!({"speaker": "tool", "blocks": [
        {"type": "tool_response", "callId": "1", "toolName": "bash", "result": output, "error": "exit code 1"},
    ]}))
    .unwrap();
    let other = |at: usize| shell(&format!("x{at}"), "true", "ok");
    for preset in [Preset::Balanced, Preset::Aggressive] {
        assert_eq!([&done, &failed].map(|first| stays(first, other, preset)), [3, 8], "{preset:?}");
    }
}
