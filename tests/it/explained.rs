//! Changes whose texts are known: they explain lines that a later result of the file lacks.

use densify::content::Content;
use densify::options::Preset;
use serde_json::json;

use crate::results::{numbered, switched, with};
use crate::superseded::{call, edit, failed, file, gone, line, part};

/// Whether a read of ten lines goes after some changes, once the file is shown again.
#[track_caller]
fn after(what: &str, changes: &[Vec<Content>], now: &str, preset: Preset, is_due: bool) {
    let mut history = vec![part("1", 21, 10)];
    history.extend(changes.iter().cloned());
    history.push(call("9", "Read", json!({"file_path": "/a.rs"}), &numbered(now, 1)));
    let settings = switched(with(preset), |rules| {
        rules.repeats = Some(false);
        rules.old_results = Some(false);
    });
    assert_eq!(gone(&history, &settings), [0].get(..usize::from(is_due)).unwrap(), "{what}");
}

#[test]
fn a_change_whose_texts_are_known_explains_the_lines_that_are_gone() {
    let (balanced, lossless) = (Preset::Balanced, Preset::Lossless);
    let now = |lines: &str| file(0..24) + lines + &file(25..60);
    let whole = || edit("2", &line(24), "let new = 1;\nlet newer = 2;\n");
    for preset in [balanced, lossless] {
        after("whole lines", &[whole()], &now("let new = 1;\nlet newer = 2;\n"), preset, true);
        after("that did nothing", &[whole()], &now(&line(24)), preset, true);
        after("that became something else", &[whole()], &now("let new = 1; let newer = 2;\n"), preset, false);
        after("that failed", &[failed(whole())], &now("let new = 1;\nlet newer = 2;\n"), preset, false);
        after("nothing known", &[], &now(""), preset, false);
        after("taken out", &[edit("2", &line(24), "")], &now(""), preset, true);
        let patch = format!(
            "*** Begin Patch\n*** Update File: a.rs\n@@\n {}-{}+new\n*** End Patch\n",
            line(23),
            line(24)
        );
        let patched = call("2", "apply_patch", json!({"input": patch}), "done");
        after("patched", &[patched], &now("new\n"), preset, true);
        let edits = json!({"file_path": "/a.rs", "edits": [
            {"old_string": line(24), "new_string": "a;\n"}, {"old_string": "a;\n", "new_string": "b;\nc;\n"},
        ]});
        after("several edits", &[call("2", "MultiEdit", edits, "edited")], &now("b;\nc;\n"), preset, true);
        let shortened = edit("2", &line(24), "[… shown again later: Read: /a.rs]");
        after("an unknown text", &[shortened], &now("new;\n"), preset, false);
        let elsewhere = json!({"file_path": "/b.rs", "old_string": line(24), "new_string": ""});
        after("another file", &[call("2", "Edit", elsewhere, "edited")], &now(""), preset, false);
        let everywhere =
            json!({"file_path": "/a.rs", "old_string": "file_24", "new_string": "new", "replace_all": true});
        // The line that was there stands nowhere in full.
        let (renamed, line) = (call("2", "Edit", everywhere, "edited"), line(24).replace("file_24", "new"));
        after("a part of a line", &[renamed], &now(&line), preset, preset == balanced);
    }
    let many: Vec<_> = (0..40).map(|at| edit(&format!("e{at}"), &format!("x{at}"), "y")).collect();
    after(
        "too long ago",
        &[vec![whole()], many].concat(),
        &now("let new = 1;\nlet newer = 2;\n"),
        balanced,
        false,
    );
}
