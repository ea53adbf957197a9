//! Attacks of somebody who wants to lose data: a later result that looks like the newer copy of an older one, and is
//! none. Each row is an older result, what comes between, and the later one; both lists of presets keep the older.

use densify::content::{Block, Content, KnownBlock};
use densify::optimize_contents;
use densify::options::Preset;
use serde_json::{Value, json};

use crate::results::{exchange, lines, numbered, read, shell, switched, with};
use crate::superseded::{call, failed, file, goes, stays};

/// Whether all lines of an older result are left, in presets in which age takes nothing.
#[track_caller]
fn keeps(what: &str, old: &str, history: &[Vec<Content>]) {
    for preset in [Preset::Lossless, Preset::Balanced, Preset::Aggressive] {
        let settings = switched(with(preset), |rules| rules.old_results = Some(false));
        let output = optimize_contents(&history.concat(), &settings).unwrap().0;
        let left = serde_json::to_string(&output).unwrap();
        let lost = old.lines().find(|line| !left.contains(line.trim()));
        assert_eq!(lost, None, "{what}, {preset:?}");
    }
}

fn bash(id: &str, parameters: Value, text: &str) -> Vec<Content> {
    exchange(id, "bash", parameters, json!(text))
}

#[test]
fn another_place_by_any_parameter() {
    let (one, two) = (file(0..40), lines("other", 0..40));
    for key in
        "host hostname container container_id session session_id shell_id vm target machine env environment \
                namespace pod region worktree branch working_dir workingDirectory user Rechner 主机"
            .split_whitespace()
    {
        let cat = |id, place: &str, text: &str| bash(id, json!({"command": "cat /a.rs", key: place}), text);
        keeps(key, &one, &[cat("1", "one", &one), cat("2", "two", &two)]);
        keeps(key, &one, &[read("1", "/a.rs", &one), cat("2", "two", &two)]);
        let write = json!({"path": "/a.rs", "content": two, key: "two"});
        keeps(key, &one, &[read("1", "/a.rs", &one), call("2", "write_file", write, "Successfully wrote")]);
        let show = json!({"path": "/a.rs", key: "two"});
        keeps(key, &one, &[read("1", "/a.rs", &one), call("2", "read_file", show, &two)]);
    }
}

#[test]
fn another_place_by_words_of_the_shell() {
    let (one, two) = (file(0..40), lines("other", 0..40));
    for go in [
        "ssh prod",
        "docker exec -it web bash",
        "kubectl exec -it pod -- sh",
        "su - deploy",
        "chroot /mnt",
        "cd /elsewhere",
        "pushd /elsewhere",
        "z elsewhere",
        "source ~/.profile",
        "git checkout other",
        "git stash",
        "tmux attach -t 2",
    ] {
        let history = [shell("1", "cat a.rs", &one), shell("2", go, ""), shell("3", "cat a.rs", &two)];
        keeps(go, &one, &history);
    }
    for command in [
        "ssh prod cat a.rs",
        "docker exec web cat a.rs",
        "git show HEAD:a.rs",
        "git -C /b show :a.rs",
        "cat ~other/a.rs",
    ] {
        keeps(command, &one, &[shell("1", "cat a.rs", &one), shell("2", command, &two)]);
    }
}

#[test]
fn a_change_that_nobody_sees() {
    let old = call(
        "1",
        "Read",
        json!({"file_path": "/a.rs", "offset": 100, "limit": 100}),
        &numbered(&file(99..199), 100),
    );
    // A formatter put lines above: the same numbers show others, and the old lines are still in the file.
    let moved = lines("import", 0..20) + &file(99..179);
    let again =
        call("3", "Read", json!({"file_path": "/a.rs", "offset": 100, "limit": 100}), &numbered(&moved, 100));
    let edit = json!({"file_path": "/a.rs", "old_string": "let file_3 = compute_file(3);", "new_string": "let file_3 = 3;"});
    for (what, between) in [
        (
            "a formatter",
            call("2", "Edit", edit.clone(), "The file has been updated. auto-formatted with prettier"),
        ),
        ("an edit", call("2", "Edit", edit, "The file /a.rs has been updated.")),
        ("sleep", shell("2", "sleep 30", "")),
        ("a job", bash("2", json!({"command": "npm run watch", "run_in_background": true}), "started")),
        ("a job of the shell", shell("2", "(sleep 5; cp b.rs a.rs) &", "")),
        ("todos", call("2", "TodoWrite", json!({"todos": []}), "ok")),
        (
            "another file by a link",
            call(
                "2",
                "Write",
                json!({"file_path": "/link.rs", "content": moved}),
                "File created successfully",
            ),
        ),
        ("an agent", call("2", "Task", json!({"prompt": "tidy"}), "tidied")),
    ] {
        keeps(what, &file(179..199), &[old.clone(), between, again.clone()]);
    }
}

/// Calls that were made together, in the order of their calls, and their results in another.
fn batch(calls: &[(&str, &str, Value)], results: &[(&str, &str, &str)]) -> Vec<Content> {
    let block = |&(id, tool, ref parameters): &(&str, &str, Value)| json!({"type": "tool_call", "id": id, "name": tool, "parameters": parameters});
    let response = |&(id, tool, text): &(&str, &str, &str)| json!({"type": "tool_response", "callId": id, "toolName": tool, "result": text});
    let entries = [
        json!({"speaker": "ai", "blocks": calls.iter().map(block).collect::<Vec<_>>()}),
        json!({"speaker": "tool", "blocks": results.iter().map(response).collect::<Vec<_>>()}),
    ];
    entries.into_iter().map(|entry| serde_json::from_value(entry).unwrap()).collect()
}

#[test]
fn calls_made_together_may_have_run_in_any_order() {
    let one = file(0..40);
    let write = json!({"file_path": "/a.rs", "content": lines("new", 0..40)});
    for command in ["cp /a.rs /final.rs", "git checkout -- a.rs", "mv /a.rs /b.rs", "cat /a.rs >> /all.rs"] {
        let run = json!({"command": command});
        let calls = [("2", "bash", run.clone()), ("3", "Write", write.clone())];
        let results = [("3", "Write", "File created successfully"), ("2", "bash", "")];
        for (calls, results) in [
            (calls.clone(), results),
            ([calls[1].clone(), calls[0].clone()], results),
            (calls.clone(), [results[1], results[0]]),
            ([calls[1].clone(), calls[0].clone()], [results[1], results[0]]),
        ] {
            // What stood there before may have been copied: `lossless` keeps it.
            let history = [read("1", "/a.rs", &one), batch(&calls, &results)];
            let output = optimize_contents(&history.concat(), &with(Preset::Lossless)).unwrap().0;
            assert!(serde_json::to_string(&output).unwrap().contains("file_7 "), "{command}");
        }
    }
}

#[test]
fn a_write_in_another_folder() {
    let (one, two) = (file(0..40), lines("other", 0..40));
    let write = |id, path: &str, text: &str| {
        call(id, "write_file", json!({"path": path, "content": text}), "Successfully wrote")
    };
    let old = || read("1", "/a.rs", &one);
    for (go, path) in
        [("cd sub", "a.rs"), ("pushd sub", "./a.rs"), ("z sub", "a.rs"), ("ls", "/link/../a.rs")]
    {
        keeps(go, &one, &[old(), shell("2", go, ""), write("3", path, &two)]);
    }
    let there = [shell("0", "cd sub", ""), write("1", "a.rs", &one), shell("2", "cd ..", "")];
    keeps("two folders", &one, &[there.concat(), write("3", "a.rs", &two)]);
    for go in ["cp a.rs b.rs", "git mv a.rs b.rs"] {
        keeps(go, &one, &[write("1", "/a.rs", &one), shell("2", go, ""), write("3", "/a.rs", &two)]);
    }
}

#[test]
fn the_same_call_that_shows_something_else() {
    let (one, two) = (lines("hit", 0..40), lines("hit", 100..140));
    let cut = lines("hit", 10..60) + "... (more)\n";
    for command in "rg foo | head -40|cat a.rs b.rs|ls -t|git log -40|find . -name x|git diff|sort -R a|git status|head -5 *.rs"
        .split('|')
        .chain(["tree"])
    {
        for later in [&two, &cut] {
            keeps(command, &one, &[shell("1", command, &one), shell("2", command, later)]);
        }
    }
    let grep = |id, text: &str| call(id, "Grep", json!({"pattern": "x"}), text);
    keeps("a search", &one, &[grep("1", &one), grep("2", &two)]);
}

#[test]
fn lines_of_another_machine_that_the_host_showed_before_they_changed_there() {
    let (one, two) = (file(0..40), lines("other", 0..40));
    let part: String = one.split_inclusive('\n').skip(10).take(9).collect();
    let write = || {
        let parameters = json!({"file_path": "/w/b.rs", "content": two});
        call("4", "Write", parameters, "File created successfully at: /w/b.rs")
    };
    for go in ["ssh b", "docker exec -it b bash"] {
        for command in ["sed -n '11,19p' b.rs", "sed -n '11,19p' /w/b.rs"] {
            let there = [shell("1", go, ""), shell("2", command, &part)].concat();
            let cat = exchange("3", "exec_command", json!({"cmd": "cat b.rs", "workdir": "/w"}), json!(one));
            for here in [cat, call("3", "Read", json!({"file_path": "/w/b.rs"}), &one)] {
                keeps(&format!("{go}, {command}"), &part, &[there.clone(), here, write()]);
            }
            let line = part.lines().nth(4).unwrap();
            let edit = json!({"file_path": "/w/b.rs", "old_string": line, "new_string": "changed here"});
            let edited = call("3", "Edit", edit, "The file /w/b.rs has been updated.");
            let shown = read("4", "/w/b.rs", &one.replace(line, "changed here"));
            keeps(&format!("{go}, {command}, edited"), &part, &[there, edited, shown]);
        }
    }
}

#[test]
fn a_call_that_failed_elsewhere() {
    let errors = lines("error", 0..30);
    let done = "ok: all tests passed. ".repeat(12);
    for go in ["cd sub", "z sub", "ssh prod", "docker exec -it web bash", "source env.sh", "su - x", "exit"] {
        let first = failed(shell("1", "make test", &errors));
        keeps(go, &errors, &[first, shell("2", go, ""), shell("3", "make test", &done)]);
    }
}

#[test]
fn another_file_of_that_name_that_differs_in_blanks() {
    let plain = file(0..40);
    let lines_apart = plain.replace("let file_20 ", "\n\nlet file_20 ");
    let inner = |text: &str| text.split_inclusive('\n').skip(3).take(30).collect::<String>();
    let cat = || shell("3", "cat /a.rs", &plain);
    for old in [lines_apart, plain.replace(";\n", ";  \n")] {
        for (what, later) in [
            ("host", call("2", "read_file", json!({"path": "/a.rs", "host": "b"}), &plain)),
            ("ref", call("2", "read_file", json!({"path": "/a.rs", "ref": "main"}), &plain)),
            ("ssh", [shell("2", "ssh b", ""), cat()].concat()),
            ("docker", [shell("2", "docker exec -it b sh", ""), cat()].concat()),
            ("folder", [shell("2", "z /b", ""), cat()].concat()),
        ] {
            let written = json!({"path": "/a.rs", "content": old});
            for first in
                [read("1", "/a.rs", &old), call("1", "write_file", written.clone(), "Successfully wrote")]
            {
                let history = [first, later.clone()].concat();
                let output = optimize_contents(&history, &with(Preset::Lossless)).unwrap().0;
                let wanted = serde_json::to_string(&inner(&old)).unwrap();
                let left = serde_json::to_string(&output).unwrap();
                assert!(left.contains(wanted.trim_matches('"')), "{what}");
            }
        }
    }
}

#[test]
fn what_stands_beside_a_text() {
    let one = file(0..40);
    let old = exchange("1", "read_file", json!({"path": "/a.rs"}), json!({"output": one, "note": "by hand"}));
    let history = [old, read("2", "/a.rs", &one)].concat();
    let output = optimize_contents(&history, &with(Preset::Lossless)).unwrap().0;
    assert!(serde_json::to_string(&output).unwrap().contains("by hand"));
}

#[test]
fn a_result_that_is_less_than_it_looks() {
    let one = file(0..400);
    // Cut in its middle, at either end, with every second line, or with each line shortened, and not a word of it.
    let odd: String = one.lines().step_by(2).map(|line| format!("{line}\n")).collect();
    let short: String = one.lines().map(|line| format!("{}\n", &line[..12])).collect();
    for (what, text) in [
        ("middle", file(0..100) + &file(300..400)),
        ("head", file(0..390)),
        ("tail", file(10..400)),
        ("every second", odd),
        ("short lines", short),
        ("reversed", one.lines().rev().map(|line| format!("{line}\n")).collect()),
        ("an error page", lines("html", 0..700)),
        ("wrapped", one.replace(" = ", "\n = ")),
    ] {
        for later in [shell("2", "cat /a.rs", &text), read("2", "/a.rs", &text)] {
            keeps(what, &one, &[read("1", "/a.rs", &one), later]);
        }
    }
}

/// The lines of an older result, each with what stood at its end.
#[track_caller]
fn keeps_exactly(what: &str, old: &str, history: &[Vec<Content>]) {
    let output = optimize_contents(&history.concat(), &with(Preset::Lossless)).unwrap().0;
    let left = serde_json::to_string(&output).unwrap();
    let wanted = serde_json::to_string(old).unwrap();
    assert!(left.contains(wanted.trim_matches('"')), "{what}");
}

#[test]
fn what_an_edit_does_not_explain_counts_even_if_it_is_blank() {
    let plain = file(0..40);
    let line = plain.lines().nth(20).unwrap().to_owned();
    let edit = |old: &str| {
        let parameters = json!({"file_path": "/a.rs", "old_string": old, "new_string": "changed();"});
        call("2", "Edit", parameters, "The file /a.rs has been updated.")
    };
    let now = plain.replace(&line, "changed();");
    for (what, end) in [
        ("blanks", "  \n"),
        ("CR", "\r\n"),
        ("blank lines", "\n\n"),
        ("form feed", "\u{c}\n"),
        ("nbsp", "\u{a0}\n"),
    ] {
        let old = plain.replace('\n', end);
        let inner: String = old.split_inclusive('\n').skip(4).take(8).collect();
        keeps_exactly(what, &inner, &[read("1", "/a.rs", &old), edit(&line), read("3", "/a.rs", &now)]);
    }
    for (old, blank) in [
        (format!("\n\n\n{plain}"), "\n\n\n"),
        (format!("{plain}\n\n\n"), "\n\n\n"),
        (format!("\u{c}\n{plain}"), "\u{c}\n"),
    ] {
        keeps_exactly("an edit", blank, &[read("1", "/a.rs", &old), edit(&line), read("3", "/a.rs", &now)]);
        keeps_exactly("the same", blank, &[read("1", "/a.rs", &old), read("3", "/a.rs", &plain)]);
        let write =
            call("1", "Write", json!({"file_path": "/a.rs", "content": old}), "File created successfully");
        keeps_exactly("a write", blank, &[write, read("3", "/a.rs", &plain)]);
    }
    // What the edit removed itself stands in its call.
    let old = plain.replace(&line, &format!("{line}  "));
    let history = [read("1", "/a.rs", &old), edit(&format!("{line}  ")), read("3", "/a.rs", &now)];
    let output = optimize_contents(&history.concat(), &with(Preset::Lossless)).unwrap().0;
    assert!(serde_json::to_string(&output).unwrap().contains("shown later, as edited"));
    let history = [read("1", "/a.rs", &old), edit(&line), read("3", "/a.rs", &now)];
    keeps_exactly("blanks behind an edited line", &format!("{line}  \n"), &history);
}

#[test]
fn remarks_beside_numbered_lines_are_no_notes_of_a_tool() {
    let one = numbered(&file(0..40), 1);
    let part = |id, text: &str| call(id, "Read", json!({"file_path": "/a.rs"}), text);
    for remark in [
        "Diagnostics: line 12 Type string is not assignable to number",
        "<error>src/a.rs: Type string is not assignable to number</error>",
        "Only Tom may edit line 40",
        "The file was truncated by another process at 10:03",
        "<diagnostic line=\"12\" message=\"unused variable\"/>",
        "Zeile 40 darf nur Tom ändern (offset 3)",
        "(End of file - total 40 lines; locked by Anna)",
        "warning: 3 bytes of BOM were skipped",
        "<file>locked by Anna</file>",
        "<path>/a.rs</path><error>stale</error>",
    ] {
        for text in [format!("{one}\n{remark}"), format!("{remark}\n{one}")] {
            for preset in [Preset::Lossless, Preset::Balanced] {
                let history = [part("1", &text), part("2", &one)].concat();
                let left =
                    serde_json::to_string(&optimize_contents(&history, &with(preset)).unwrap().0).unwrap();
                assert!(left.contains(serde_json::to_string(remark).unwrap().trim_matches('"')), "{remark}");
            }
        }
    }
    for note in [
        "(End of file - total 40 lines)",
        "(Showing lines 1-40 of 90. Use offset=41 to continue.)",
        "[50 more lines in file. Use offset=41 to continue.]",
        "(File has more lines. Use 'offset' parameter to read beyond line 40)",
        "<file>",
        "</content>",
        "<path>/a.rs</path>",
        "<type>file</type>",
    ] {
        let history = [part("1", &format!("{one}\n{note}")), part("2", &one)].concat();
        let output = optimize_contents(&history, &with(Preset::Lossless)).unwrap().0;
        assert!(serde_json::to_string(&output).unwrap().contains("shown again later"), "{note}");
    }
}

#[test]
fn equal_lines_at_another_place_of_a_file_hide_none_of_it() {
    let body: String = (0..200)
        .map(|at| if at % 10 == 0 { "}\n".to_owned() } else { format!("value_{} = {};\n", at % 7, at % 7) })
        .collect();
    let of = |from: usize, count: usize| -> String {
        body.split_inclusive('\n').skip(from - 1).take(count).collect()
    };
    let part = |id, from, count| {
        let parameters = json!({"file_path": "/a.rs", "offset": from, "limit": count});
        call(id, "Read", parameters, &numbered(&of(from, count), from))
    };
    let bare = |id, from, count| {
        let parameters = json!({"file_path": "/a.rs", "offset": from, "limit": count});
        call(id, "Read", parameters, &of(from, count))
    };
    let sed = |id, from: usize, count: usize| {
        shell(id, &format!("sed -n '{from},{}p' /a.rs", from + count - 1), &of(from, count))
    };
    let head = |id, count: usize| shell(id, &format!("head -n {count} /a.rs"), &of(1, count));
    for (what, history) in [
        ("numbers", [part("1", 101, 20), part("2", 31, 60)]),
        ("parameters", [bare("1", 101, 20), bare("2", 31, 60)]),
        ("sed", [sed("1", 101, 20), sed("2", 31, 60)]),
        ("numbers, then sed", [part("1", 101, 20), sed("2", 31, 60)]),
        ("sed, then numbers", [sed("1", 101, 20), part("2", 31, 60)]),
        ("head", [sed("1", 71, 20), head("2", 60)]),
        ("the same text", [sed("1", 141, 20), sed("2", 71, 20)]),
    ] {
        for preset in [Preset::Lossless, Preset::Balanced] {
            let settings = switched(with(preset), |rules| rules.line_numbers = Some(false));
            let output = optimize_contents(&history.concat(), &settings).unwrap().0;
            assert_eq!(output, history.concat(), "{what}, {preset:?}");
        }
    }
    // A text that was written elsewhere in the file is no copy of the lines that were read.
    let insert = json!({"file_path": "/a.rs", "old_string": "x", "new_string": of(101, 20)});
    let history = [part("1", 101, 20), call("2", "Edit", insert, "The file has been updated.")].concat();
    let settings = switched(with(Preset::Lossless), |rules| rules.line_numbers = Some(false));
    assert_eq!(optimize_contents(&history, &settings).unwrap().0, history);
    // A change moves lines no further than it is long.
    let add = |lines: usize| {
        let parameters =
            json!({"file_path": "/a.rs", "old_string": "x", "new_string": "y\n".repeat(lines) + "x"});
        call("2", "Edit", parameters, "The file has been updated.")
    };
    for (lines, is_kept) in [(2, true), (10, false)] {
        let later = call(
            "3",
            "Read",
            json!({"file_path": "/a.rs", "offset": 111, "limit": 40}),
            &numbered(&of(101, 40), 111),
        );
        let history = [part("1", 101, 20), add(lines), later].concat();
        let output = optimize_contents(&history, &settings).unwrap().0;
        assert_eq!(output == history, is_kept, "{lines} lines");
    }
    // At its own place it goes.
    let history = [sed("1", 41, 20), part("2", 31, 60)];
    let output = optimize_contents(&history.concat(), &with(Preset::Lossless)).unwrap().0;
    assert!(crate::results::text_of(&output[1]).contains("[… "), "{output:?}");
}

fn work(count: usize) -> Vec<Content> {
    (0..count)
        .flat_map(|at| shell(&format!("w{at}"), &format!("make t{at}"), &lines(&format!("w{at}"), 0..12)))
        .collect()
}

/// What `balanced` leaves behind some other work.
fn after_work(parts: Vec<Vec<Content>>, count: usize) -> String {
    let history = [parts.concat(), work(count)].concat();
    serde_json::to_string(&optimize_contents(&history, &with(Preset::Balanced)).unwrap().0).unwrap()
}

#[test]
fn errors_without_an_exit_code_stay_as_long_as_other_errors() {
    let trace = lines("frame", 0..60);
    for first in
        ["Traceback (most recent call last):", "error[E0382]: borrow of moved value", "fatal: bad object"]
    {
        let text = after_work(vec![shell("1", "npm test", &format!("{first}\n{trace}"))], 5);
        assert!(text.contains("compute_frame(30)"), "{first}");
    }
    assert!(!after_work(vec![shell("1", "npm test", &trace)], 5).contains("compute_frame(30)"));
}

#[test]
fn a_file_as_its_formatter_left_it_is_a_file() {
    let (old, now) = (lines("old", 0..200), lines("now", 0..200));
    let saved =
        format!("The content was saved.\n\n<final_file_content path=\"a.rs\">\n{now}</final_file_content>\n");
    let write = call("2", "write_to_file", json!({"path": "/a.rs", "content": old}), &saved);
    assert!(after_work(vec![read("1", "/a.rs", &old), write], 4).contains("compute_now(100)"));
}

#[test]
fn a_short_edit_does_not_give_way_to_a_large_file() {
    let (part, file) = (lines("part", 0..20), lines("before", 0..400) + &lines("part", 0..20));
    let edit = json!({"file_path": "/a.rs", "old_string": "x", "new_string": part});
    let parts = vec![call("1", "Edit", edit, "The file has been updated."), read("2", "/a.rs", &file)];
    let text = after_work(parts, 20);
    assert!(!text.contains("shown again later"), "the arguments of the change");
}

#[test]
fn a_note_does_not_send_the_model_to_a_file_that_could_not_be_read() {
    let gone = failed(call("2", "read_file", json!({"path": "/a.rs"}), "File does not exist."));
    let text = after_work(vec![read("1", "/a.rs", &file(0..400)), gone], 60);
    assert!(text.contains("were cut") && !text.contains("read it again"));
}

fn says(speaker: &str, blocks: Value) -> Vec<Content> {
    vec![serde_json::from_value(json!({"speaker": speaker, "blocks": blocks})).unwrap()]
}

#[test]
fn the_name_and_the_caption_of_an_image_that_comes_again() {
    let show = |name: &str, caption: &str| {
        let image = json!({"type": "media", "mimeType": "image/png", "data": "A".repeat(4_000), "encoding": "base64",
            "filename": name, "caption": caption});
        says("human", json!([{"type": "text", "text": "See."}, image]))
    };
    let left = |later: Vec<Content>| {
        let answer = says("ai", json!([{"type": "text", "text": "Yes."}]));
        let history = [show("a.png", "before the fix"), answer, later].concat();
        let output = optimize_contents(&history, &with(Preset::Lossless)).unwrap().0;
        serde_json::to_string(&output[0]).unwrap()
    };
    assert!(left(show("b.png", "before the fix")).contains("a.png"));
    assert!(left(show("a.png", "as it is now")).contains("before the fix"));
    assert!(left(show("a.png", "before the fix")).contains("the same image"));
}

#[test]
fn blanks_at_the_end_of_what_the_user_pasted() {
    let paste = |end: &str| {
        let text = format!("--- a.txt ---\n{}{end}--- End of content ---\nLook.", file(0..20));
        says("human", json!([{"type": "text", "text": text}]))
    };
    let answer = says("ai", json!([{"type": "text", "text": "Yes."}]));
    for end in ["\n\n\n", "\u{c}\n", "  \n"] {
        let history = [paste(end), answer.clone(), paste("")].concat();
        assert_eq!(optimize_contents(&history, &with(Preset::Lossless)).unwrap().0, history, "{end:?}");
    }
    let history = [paste("\n"), answer, paste("\n")].concat();
    assert_ne!(optimize_contents(&history, &with(Preset::Lossless)).unwrap().0, history);
}

#[test]
fn a_search_in_the_folder_of_the_shell() {
    let names = lines("hit", 0..20);
    let more = lines("above", 0..2) + &names;
    for (tool, parameters) in [
        ("Grep", json!({"pattern": "x"})),
        ("Glob", json!({"pattern": "*.rs"})),
        ("ls", json!({})),
        ("list_directory", json!({"path": "."})),
    ] {
        let old = call("1", tool, parameters.clone(), &names);
        let new = call("3", tool, parameters, &more);
        for go in ["cd sub", "cd /w && ls"] {
            stays(tool, &[old.clone(), shell("2", go, ""), new.clone()]);
        }
        goes(tool, &[old, shell("2", "ls", ""), new]);
    }
    // A note that names no call means the same folder.
    let cat = |id, text: &str| shell(id, "cat b.rs", text);
    let (one, two) = (file(0..40), file(0..40).replace("compute_file(7)", "7"));
    let edit = json!({"file_path": "/w/b.rs", "old_string": "compute_file(7)", "new_string": "7"});
    let edit = call("4", "Edit", edit, "The file has been updated.");
    for go in ["cd /w", "cd ../w && ls"] {
        let history = [cat("1", &one), shell("2", go, ""), cat("3", &one), edit.clone(), cat("5", &two)];
        let output = optimize_contents(&history.concat(), &with(Preset::Lossless)).unwrap().0;
        assert_eq!(output[1], history[0][1], "{go}");
    }
    // Who goes to the same folder again is still there.
    let test = |id, text: &str| shell(id, "npm test", text);
    let cd = |id| shell(id, "cd /w && ls src", "a.rs");
    let history = [cd("1"), test("2", &one), cd("3"), test("4", &one)].concat();
    let output = optimize_contents(&history, &with(Preset::Lossless)).unwrap().0;
    assert_eq!(crate::results::text_of(&output[3]), "[… the same: again later]");
}

#[test]
fn a_note_of_ours_beside_numbered_lines_leads_to_others() {
    let one = numbered(&file(0..20), 1);
    let part = |id, text: &str| call(id, "Read", json!({"file_path": "/a.rs", "limit": 20}), text);
    let note = "[… 36 lines: bash: cat x]";
    let history = [part("1", &format!("{one}{note}\n")), part("2", &one)].concat();
    let output = optimize_contents(&history, &with(Preset::Lossless)).unwrap().0;
    assert!(serde_json::to_string(&output).unwrap().contains(note));
}

#[test]
fn what_adds_lines_moves_none_up() {
    let body: String = (0..200).map(|at| format!("value_{0} = {0};\n", at % 20)).collect();
    let part = |id, from: usize, count: usize| {
        let lines: String = body.split_inclusive('\n').skip(from - 1).take(count).collect();
        let parameters = json!({"file_path": "/a.rs", "offset": from, "limit": count});
        call(id, "Read", parameters, &numbered(&lines, from))
    };
    let change = |old: &str, new: &str| {
        let parameters = json!({"file_path": "/a.rs", "old_string": old, "new_string": new});
        call("2", "Edit", parameters, "The file has been updated.")
    };
    let settings = switched(with(Preset::Lossless), |rules| {
        rules.line_numbers = Some(false);
        rules.repeats = Some(false);
    });
    let is_kept = |history: [Vec<Content>; 3]| {
        optimize_contents(&history.concat(), &settings).unwrap().0 == history.concat()
    };
    let many = "y\n".repeat(70) + "zzz";
    assert!(is_kept([part("1", 101, 20), change("zzz", &many), part("3", 31, 40)]));
    assert!(is_kept([part("1", 31, 20), change(&many, "zzz"), part("3", 91, 40)]));
    assert!(!is_kept([part("1", 101, 20), change(&many, "zzz"), part("3", 31, 40)]));
    assert!(!is_kept([part("1", 31, 20), change("zzz", &many), part("3", 91, 40)]));
}

#[test]
fn an_edit_beside_a_failed_call_explains_no_success() {
    let (errors, done) = (lines("error", 0..30), "ok: all passed. ".repeat(20) + "\nexit code: 0");
    let edit = json!({"file_path": "/b.rs", "old_string": "x", "new_string": "y"});
    let calls = [("1", "Edit", edit), ("2", "bash", json!({"command": "make test"}))];
    let results = [("2", "bash", errors.as_str()), ("1", "Edit", "The file has been updated.")];
    for calls in [calls.clone(), [calls[1].clone(), calls[0].clone()]] {
        for results in [results, [results[1], results[0]]] {
            let mut both = batch(&calls, &results);
            for block in &mut both[1].blocks {
                if let Block::Known(KnownBlock::ToolResponse { call_id, error, .. }) = block
                    && call_id == "2"
                {
                    *error = Some(json!("failed"));
                }
            }
            keeps("together", &errors, &[both, shell("3", "make test", &done)]);
        }
    }
}

#[test]
fn words_beside_the_text_of_a_file() {
    let one = file(0..40);
    let read = |id, more: Value| {
        let mut result = json!({"output": one});
        result.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        exchange(id, "read_file", json!({"path": "/a.rs"}), result)
    };
    let warned = json!({"took": 1, "diagnostics": ["error: type mismatch in line 12"]});
    keeps("words", "error: type mismatch in line 12", &[read("1", warned), read("2", json!({"took": 2}))]);
    let timed = |took: u32| json!({"took": took, "status": "read"});
    let history = [read("1", timed(1)), read("2", timed(2))].concat();
    assert_ne!(optimize_contents(&history, &with(Preset::Balanced)).unwrap().0, history);
}

#[test]
fn the_next_result_of_a_call_is_the_one_that_a_note_means() {
    let one = file(0..40);
    let gone = failed(call("2", "read_file", json!({"path": "/b.rs"}), "File does not exist."));
    let copy = [shell("3", "cp /a.rs /b.rs", ""), read("4", "/b.rs", &one)].concat();
    let history = [read("1", "/a.rs", &one), gone, copy.clone()].concat();
    assert_eq!(optimize_contents(&history, &with(Preset::Lossless)).unwrap().0, history);
    let history = [read("1", "/a.rs", &one), copy].concat();
    assert_ne!(optimize_contents(&history, &with(Preset::Lossless)).unwrap().0, history);
}

#[test]
fn a_note_names_no_call_that_was_made_in_between_with_another_result() {
    let found = lines("match", 0..40);
    // A note names the path.
    let search = |id, pattern: &str, text: &str| {
        exchange(id, "grep", json!({"pattern": pattern, "path": "/src"}), json!(text))
    };
    for preset in [Preset::Lossless, Preset::Balanced] {
        let settings = switched(with(preset), |rules| rules.old_results = Some(false));
        let packed = |history: &[Vec<Content>]| {
            let history = history.concat();
            let output = optimize_contents(&history, &settings).unwrap().0;
            output != history
        };
        let first = shell("1", "make check", &found);
        assert!(packed(&[first.clone(), search("3", "match", &found)]));
        let other = search("2", "other", &lines("other", 0..40));
        assert!(!packed(&[first.clone(), other, search("3", "match", &found)]));
    }
}

#[test]
fn what_was_written_elsewhere_before_the_same_file_changed_here() {
    let one = file(0..40);
    let edit = json!({"file_path": "/a.rs", "old_string": "compute_file(7)", "new_string": "7"});
    let here = [
        read("2", "/a.rs", &one),
        call("3", "Edit", edit, "The file /a.rs has been updated."),
        read("4", "/a.rs", &one.replace("compute_file(7)", "7")),
    ]
    .concat();
    let write = |parameters| call("1", "write_file", parameters, "Successfully wrote");
    for (what, there) in [
        ("a host", write(json!({"path": "/a.rs", "content": one, "host": "b"}))),
        ("a branch", write(json!({"path": "/a.rs", "content": one, "branch": "b"}))),
        ("a folder", [shell("0", "cd sub", ""), write(json!({"path": "a.rs", "content": one}))].concat()),
        ("a link", write(json!({"path": "/link/../a.rs", "content": one}))),
    ] {
        keeps(what, &one, &[there.clone(), here.clone()]);
        // Some hosts keep what they sent, so it is packed again.
        let first = [there, read("2", "/a.rs", &one)].concat();
        let packed = optimize_contents(&first, &with(Preset::Balanced)).unwrap().0;
        keeps(what, &one, &[packed, here[2..].to_vec()]);
    }
}

#[test]
fn numbers_in_a_file_that_a_tool_shows_which_writes_none() {
    let program: String = (0..20).map(|at| format!("fn main_{at}() {{\n\n    run({at});\n}}\n")).collect();
    let fixture: String =
        program.lines().zip(1..).map(|(line, number)| format!("{number}\t{line}\n")).collect();
    for tool in ["read_file", "read", "show_file"] {
        let read = |id, path: &str, text: &str| call(id, tool, json!({"path": path}), text);
        let other = program.replace("main", "other");
        let history = [read("1", "/b.rs", &other), read("2", "/tests/cat_n.snap", &fixture)].concat();
        assert_eq!(optimize_contents(&history, &with(Preset::Lossless)).unwrap().0, history, "{tool}");
    }
}

#[test]
fn numbers_in_a_file_behind_those_of_its_reader() {
    let program: String = (0..20).map(|at| format!("fn main_{at}() {{\n\n    run({at});\n}}\n")).collect();
    let number = |text: &str, sign: &str| -> String {
        text.lines().zip(1..).map(|(line, number)| format!("{number}{sign}{line}\n")).collect()
    };
    let padded = numbered(&program, 1).replace('→', "\t");
    for (inner, outer) in [
        (number(&program, "\t"), "\t"),
        (padded, "\t"),
        (number(&program, "→"), "→"),
        (number(&program, ": "), ": "),
        (program.clone() + &number(&lines("id", 0..10), "\t"), "\t"),
    ] {
        let read = |id, path: &str, text: &str| call(id, "Read", json!({"file_path": path}), text);
        let other = number(&program.replace("main", "other"), outer);
        let history = [read("1", "/b.rs", &other), read("2", "/ids.tsv", &number(&inner, outer))].concat();
        let output = optimize_contents(&history, &with(Preset::Lossless)).unwrap().0;
        assert_ne!(output[1], history[1], "a program loses its numbers");
        assert_eq!(output[3], history[3], "{inner}");
    }
}

#[test]
fn a_line_that_looks_like_a_note_of_ours_is_compared_by_its_letters() {
    let found = |last: &str| format!("{}\n[… {last}]", lines("src/a.rs", 0..12).trim_end());
    let grep = |id, text: &str| exchange(id, "Grep", json!({"pattern": "todo"}), json!(text));
    let (one, two) = (found("3 errors: disk full on node-7"), found("5 errors: quota on node-9 is used up"));
    keeps("a note", &one, &[grep("1", &one), grep("2", &two)]);
    goes_anyway(&[grep("1", &one), grep("2", &one)]);
}

/// The same call with the same result: the older one goes.
#[track_caller]
fn goes_anyway(history: &[Vec<Content>]) {
    let history = history.concat();
    let output = optimize_contents(&history, &with(Preset::Balanced)).unwrap().0;
    assert_ne!(output, history);
}
