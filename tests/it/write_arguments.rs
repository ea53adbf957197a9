//! Of a call's arguments only what it wrote gives way, once a later result shows it: what else stands there was shown
//! to nobody.

use densify::optimize_contents;
use densify::options::Preset;
use serde_json::{Value, json};

use crate::results::{lines, with};
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
    for (preset, is_rewritten) in
        [(Preset::Lossless, false), (Preset::Balanced, false), (Preset::Balanced, true)]
    {
        let cut = left(plain.clone(), preset, is_rewritten);
        assert!(cut["content"].as_str().unwrap().starts_with("[… shown or rewritten later: "), "{cut}");
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
            let mut after = left(parameters, preset, is_rewritten);
            assert_eq!(after[key], value, "{key}");
            after.as_object_mut().unwrap().remove(key);
            assert_eq!(after, cut, "{key}");
        }
    }
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
