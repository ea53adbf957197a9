//! Of a call's arguments only what it wrote gives way, once a later result shows it: what else stands there was shown
//! to nobody.

use densify::content::Content;
use densify::edit::RuleName;
use densify::optimize_contents;
use densify::options::Preset;
use serde_json::{Value, json};

use crate::results::{lines, numbered, shell, text_of, with};
use crate::superseded::call;

/// The arguments of a call that a preset leaves once a file is read, or written again.
fn left(parameters: Value, preset: Preset, is_rewritten: bool) -> Value {
    let later = if is_rewritten {
        call("2", "write_file", json!({"file_path": "/a.rs", "content": lines("b", 0..40)}), "written")
    } else {
        call("2", "read_file", json!({"file_path": "/a.rs"}), &lines("a", 0..40))
    };
    let history = [call("1", "write_file", parameters, "written"), later].concat();
    let (output, _) = optimize_contents(&history, &with(preset)).unwrap();
    serde_json::to_value(&output[0]).unwrap()["blocks"][0]["parameters"].clone()
}

#[test]
fn what_nothing_shows_stays_letter_by_letter() {
    let (content, other) = (lines("a", 0..40), lines("other", 0..40));
    let plain = json!({"file_path": "/a.rs", "content": content});
    // The first version may be the only copy of itself.
    assert_eq!(left(plain.clone(), Preset::Balanced, true), plain);
    for preset in [Preset::Lossless, Preset::Balanced] {
        let cut = left(plain.clone(), preset, false);
        assert!(cut["content"].as_str().unwrap().starts_with("[… shown again later: "), "{cut}");
        for (key, value) in [
            ("rationale", json!(other)),
            ("commit_message", json!(other)),
            ("explanation", json!(other)),
            ("nested", json!({"content": other})),
            ("files", json!([{"path": "/b.rs", "content": other}])),
            ("backup", json!({"path": "/b.rs", "content": other})),
            ("edits", json!({"a": {"new_text": other}})),
            ("edits", json!([{"notes": other, "parts": [other], "inner": {"new_text": other}}, other])),
            ("contents", json!([other])),
        ] {
            let mut parameters = plain.clone();
            parameters[key] = value.clone();
            let mut after = left(parameters.clone(), preset, false);
            assert_eq!(after[key], value, "{key}");
            after.as_object_mut().unwrap().remove(key);
            // With a parameter that nobody knows it may have been written elsewhere.
            let note = after["content"].as_str().unwrap().replace("the same: ", "shown again later: ");
            after["content"] = note.into();
            assert_eq!(after, cut, "{key}");
        }
    }
}

/// A formatter may take blank lines out before the file is shown again: then they stand in the arguments alone.
#[test]
fn blank_lines_that_only_the_arguments_have_stay_in_lossless() {
    let spaced = lines("a", 0..40).replace('\n', "\n\n");
    let written = json!({"file_path": "/a.rs", "content": spaced});
    assert_eq!(left(written.clone(), Preset::Lossless, false), written);
    assert_ne!(left(written.clone(), Preset::Balanced, false), written);
}

#[test]
fn where_one_of_several_written_texts_is_not_shown_all_stay() {
    let (content, other) = (lines("a", 0..40), lines("other", 0..40));
    for parameters in [
        json!({"file_path": "/a.rs", "content": content, "file_text": other}),
        json!({"file_path": "/a.rs", "content": content, "new_string": other}),
        json!({"file_path": "/a.rs", "content": content, "edits": [{"new_text": other}]}),
    ] {
        assert_eq!(left(parameters.clone(), Preset::Lossless, false), parameters);
    }
}

/// A call that writes a file, and what its tool shows of it.
fn write(id: &str, path: &str, content: &str, shown: &str) -> Vec<Content> {
    call(id, "write_file", json!({"file_path": path, "content": content}), shown)
}

#[test]
fn what_a_tool_shows_of_what_it_wrote_stands_in_the_call_and_the_rest_stays() {
    let (written, formatted) = (lines("a", 0..40), lines("a", 0..20) + "}\n" + &lines("a", 21..40));
    // The first two lines stay, to show where the written text begins.
    let all = lines("a", 0..2) + "[… 38 lines as written: write_file: /a.rs]\n";
    for (shown, left) in [
        (format!("Written:\n{written}"), format!("Written:\n{all}")),
        (
            format!("Written:\n{formatted}"),
            "Written:\n".to_owned()
                + &lines("a", 0..2)
                + "[… 16 lines as written: write_file: /a.rs]\n"
                + &lines("a", 18..20)
                + "}\n"
                + &lines("a", 21..23)
                + "[… 17 lines as written: write_file: /a.rs]\n",
        ),
        (
            format!("What `cat -n` shows:\n{}", numbered(&written, 1)),
            "What `cat -n` shows:\n     1→let a_0 = compute_a(0);\n".to_owned()
                + &lines("a", 1..2)
                + "[… 38 lines as written: write_file: /a.rs]\n",
        ),
        (written.clone(), "[… the same as written: write_file: /a.rs]".to_owned()),
    ] {
        let history = write("1", "/a.rs", &written, &shown);
        let (output, _) = optimize_contents(&history, &with(Preset::Lossless)).unwrap();
        assert_eq!(text_of(&output[1]), left);
        assert_eq!(output[0], history[0]);
        assert_eq!(optimize_contents(&output, &with(Preset::Lossless)).unwrap().0, output);
    }
}

#[test]
fn what_an_older_result_shows_is_cut_there_once_a_call_writes_it() {
    let shown = shell("1", "cat /b.rs", &lines("a", 0..60));
    let refused = [shown.clone(), write("2", "/b.rs", &lines("a", 20..60), "Error: no space left")].concat();
    assert_eq!(optimize_contents(&refused, &with(Preset::Lossless)).unwrap().0, refused);
    let history = [shown, write("2", "/b.rs", &lines("a", 20..60), "written")].concat();
    let (output, run) = optimize_contents(&history, &with(Preset::Lossless)).unwrap();
    let left = lines("a", 0..22) + "[… 38 lines as written: write_file: /b.rs]\n";
    assert_eq!(text_of(&output[1]), left);
    // The cause is the result: written text is looked at when the result has come.
    let [logged] = run.edits.as_slice() else { panic!("{:?}", run.edits) };
    assert_eq!((logged.rule, logged.cause), (RuleName::Repeats, 3));
}

/// The lines stay at the newest place, so whoever follows a pointer finds them.
#[test]
fn of_what_was_written_shown_and_read_again_one_copy_is_left() {
    let content = lines("a", 0..40);
    let history = [
        shell("1", "cat b", &content),
        write("2", "/a.rs", &content, &format!("Written:\n{content}")),
        call("3", "read_file", json!({"file_path": "/a.rs"}), &content),
    ]
    .concat();
    let (output, _) = optimize_contents(&history, &with(Preset::Lossless)).unwrap();
    let json = serde_json::to_string(&output).unwrap();
    assert_eq!(output[5], history[5]);
    assert_eq!(json.matches("let a_20 =").count(), 1, "{json}");
    assert!(json.contains("[… shown again later: read_file: /a.rs]"), "{json}");
}

#[test]
fn numbers_that_a_writing_tool_does_not_call_its_own_are_content() {
    let shown = numbered(&lines("a", 0..40), 1);
    let written = write("1", "/a.rs", &lines("a", 0..40), &shown);
    assert_eq!(optimize_contents(&written, &with(Preset::Lossless)).unwrap().0, written);
    let data = write("1", "/a.rs", &shown, &format!("Written:\n{shown}"));
    let (output, _) = optimize_contents(&data, &with(Preset::Lossless)).unwrap();
    let left = numbered(&lines("a", 0..2), 1) + "[… 38 lines as written: write_file: /a.rs]\n";
    assert_eq!(text_of(&output[1]), format!("Written:\n{left}"));
}
