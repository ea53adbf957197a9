//! One path on several machines, changes that nobody announces, and calls that are made together: none of them costs the
//! only copy of lines.

use densify::content::Content;
use densify::optimize_contents;
use densify::options::Preset;
use serde_json::{Value, json};

use crate::results::{lines, numbered, read, shell, with};
use crate::superseded::{call, edit, file, gone, part, rules};

/// Whether each line of a text is left, in `lossless` and without regard to age.
#[track_caller]
fn keeps(what: &str, text: &str, exchanges: &[Vec<Content>]) {
    for settings in [with(Preset::Lossless), rules()] {
        let (output, _) = optimize_contents(&exchanges.concat(), &settings).unwrap();
        let left = serde_json::to_string(&output).unwrap();
        for line in text.lines() {
            assert!(left.contains(line), "{what}: lost {line}");
        }
    }
}

#[test]
fn a_parameter_that_is_not_known_means_an_unknown_place() {
    let (one, other) = (lines("web1", 0..40), lines("web2", 0..40));
    let at = |mut parameters: Value, key: &str, value: Value| {
        parameters[key] = value;
        parameters
    };
    for key in "host container session session_id shellId working_dir working_directory server branch Rechner"
        .split(' ')
    {
        for tool in ["bash", "execute_command"] {
            let cat = |id, place: &str, text: &str| {
                call(id, tool, at(json!({"command": "cat /etc/app.conf"}), key, json!(place)), text)
            };
            let cats = [cat("1", "web1", &one), cat("2", "web2", &other)];
            keeps(key, &one, &cats);
            assert_eq!(gone(&cats, &rules()), [0_usize; 0], "{tool} {key}");
        }
        let write = at(json!({"path": "/etc/app.conf", "content": other}), key, json!("prod"));
        let written = [read("1", "/etc/app.conf", &one), call("2", "write_file", write.clone(), "ok")];
        keeps(key, &one, &written);
        // What was written there stays when the file of that name is written here.
        let here = call("2", "write_file", json!({"path": "/etc/app.conf", "content": one}), "ok");
        keeps(key, &other, &[call("1", "write_file", write, "ok"), here]);
    }
    for key in ["run_in_background", "is_background", "is_input"] {
        let cat =
            |id, text: &str| call(id, "bash", at(json!({"command": "cat a.rs"}), key, json!(true)), text);
        keeps(key, &one, &[cat("1", &one), cat("2", &other)]);
    }
}

#[test]
fn a_change_that_nobody_announced_costs_no_line() {
    let now = |id, first: &[String], rest: &str| {
        let text = first.concat() + rest;
        let parameters = json!({"file_path": "/a.rs", "offset": 100, "limit": 100});
        call(
            id,
            "Read",
            parameters,
            &numbered(&text.lines().take(100).map(|line| format!("{line}\n")).collect::<String>(), 100),
        )
    };
    let header: Vec<String> = (0..80).map(|at| format!("// header {at}\n")).collect();
    let old = part("1", 100, 100);
    let formatted = edit("2", "let file_120 = compute_file(120);", "let file_120 = 1;");
    for (what, between) in [
        ("a formatter behind an edit", vec![formatted]),
        ("a background job", vec![shell("2", "sleep 30", "")]),
        ("todos", vec![call("2", "TodoWrite", json!({"todos": []}), "ok")]),
        ("nothing", vec![]),
    ] {
        let exchanges = [vec![old.clone()], between, vec![now("9", &header, &file(99..199))]].concat();
        keeps(what, &file(121..199), &exchanges);
    }
    let link = |id, text: &str| read(id, "/link.rs", text);
    let changed = file(0..20) + "let other = 1;\n" + &file(21..40);
    keeps("a link", &file(0..40), &[link("1", &file(0..40)), edit("2", "x", "y"), link("3", &changed)]);
}

#[test]
fn calls_that_are_made_together_supersede_nothing_of_each_other_by_words() {
    let together = |calls: Vec<Vec<Content>>| {
        let mut calls = calls.into_iter();
        let mut all = calls.next().unwrap();
        for call in calls {
            for (message, more) in all.iter_mut().zip(call) {
                message.blocks.extend(more.blocks);
            }
        }
        all
    };
    let write = |id, text: &str| call(id, "write_file", json!({"path": "/tmp.rs", "content": text}), "ok");
    let (one, other) = (lines("one", 0..40), lines("other", 0..40));
    // The copy was made before the write, whichever answers first.
    let copied = together(vec![write("2", &other), shell("3", "cp tmp.rs final.rs", "")]);
    let exchanges = [read("1", "/tmp.rs", &one), copied].concat();
    let (output, _) = optimize_contents(&exchanges, &with(Preset::Lossless)).unwrap();
    assert!(serde_json::to_string(&output).unwrap().contains("one_7"));
    keeps("two writes", &one, &[together(vec![write("1", &one), write("2", &other)])]);
    keeps("a read beside a write", &one, &[together(vec![read("1", "/tmp.rs", &one), write("2", &other)])]);
}

#[test]
fn a_write_that_says_nothing_certain_supersedes_nothing() {
    for said in "ok: pending|Successfully queued|Wrote 0 of 3000 bytes|0 files written|Created backup only; target locked\
        |done (scheduled)|Erfolgreich vorgemerkt|成功: 待機中|written to buffer"
        .split('|')
    {
        let write = call("2", "write_file", json!({"path": "/a.rs", "content": "new"}), said);
        keeps(said, &file(0..40), &[read("1", "/a.rs", &file(0..40)), write]);
    }
}

#[test]
fn files_that_differ_in_blanks_alone_are_two_files() {
    let plain = file(0..40);
    for (what, other) in [
        ("blank lines", plain.replace("file_20", "\n\nfile_20").replace("let \n\n", "\n\nlet ")),
        ("blanks at the end of lines", plain.replace(";\n", "; \n")),
        ("line breaks", plain.replace('\n', "\r\n")),
    ] {
        let exchanges = [read("1", "/a.rs", &other), read("2", "/b.rs", &plain)];
        let (output, _) = optimize_contents(&exchanges.concat(), &with(Preset::Lossless)).unwrap();
        let left = serde_json::to_string(&output).unwrap();
        let inner: String = other.split_inclusive('\n').skip(3).take(30).collect();
        assert!(left.contains(serde_json::to_string(&inner).unwrap().trim_matches('"')), "{what}");
    }
}
