//! What calls' parameters say: which lines a read shows, and what of a change stands nowhere else.

use densify::optimize_contents;
use serde_json::{Value, json};

use crate::results::{lines, numbered, read};
use crate::superseded::{call, file, goes, gone, part, rules, stays};

#[test]
fn of_what_a_call_changed_what_stood_there_before_stays() {
    let (old, new) = (lines("old", 0..20), lines("new", 0..20));
    let after = |name: &str, parameters: Value| {
        let history = [call("1", name, parameters, "done"), read("2", "/a.rs", &new)].concat();
        let (output, _) = optimize_contents(&history, &rules()).unwrap();
        serde_json::to_string(&output[0]).unwrap()
    };
    let change = json!({"file_path": "/a.rs", "old_string": old, "new_string": new, "explanation": lines("why", 0..20)});
    let left = after("Edit", change);
    assert!(left.contains("old_7 =") && left.contains("why_7 =") && !left.contains("new_7 ="), "{left}");
    let signed =
        |sign: &str, text: &str| text.lines().map(|line| format!("{sign}{line}\n")).collect::<String>();
    let patch = |hunk: &str| json!({"input": format!("*** Begin Patch\n*** Update File: /a.rs\n@@\n{hunk}*** End Patch")});
    let left = after("apply_patch", patch(&(signed("-", &old) + &signed("+", &new))));
    assert!(left.contains("old_7 =") && left.contains("new_7 ="), "{left}");
    // Which file it was, and where in it, a result doesn't show.
    let left = after("apply_patch", patch(&signed("+", &new)));
    assert!(left.contains("new_7 ="), "{left}");
}

#[test]
fn a_read_by_parameters_that_are_not_known_shows_nothing() {
    let pairs = [
        (json!({"pages": "1-5"}), json!({"pages": "6-10"})),
        (json!({"cell_id": "a"}), json!({"cell_id": "b"})),
        (json!({"head": 40}), json!({"tail": 60})),
        (json!({"page": 1}), json!({"page": 2})),
        (json!({"byteRange": [1, 40]}), json!({"byteRange": [41, 100]})),
        (json!({"symbol": "a"}), json!({"symbol": "b"})),
        (json!({"ref": "v1"}), json!({"ref": "v2"})),
        (json!({"offset": -40}), json!({"limit": 60})),
        (json!({"offset": "1", "limit": "40"}), json!({"offset": "41", "limit": "60"})),
        (json!({"offset": 0, "limit": 40}), json!({"offset": 1, "limit": 40})),
    ];
    for (one, other) in pairs {
        let part = |id: &str, more: &Value, text: &str| {
            let mut parameters = json!({"file_path": "/a.rs"});
            parameters.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            call(id, "read_file", parameters, text)
        };
        let reads = [part("1", &one, &lines("one", 0..40)), part("2", &other, &lines("other", 0..60))];
        assert_eq!(gone(&reads, &rules()), Vec::<usize>::new(), "{one} {other}");
        // A whole read shows them all.
        let whole = [part("1", &one, &lines("one", 0..40)), part("2", &json!({}), &lines("one", 0..60))];
        let is_known = one.get("offset").is_some_and(Value::is_u64);
        assert_eq!(gone(&whole, &rules()).is_empty(), !is_known, "{one}");
    }
}

#[test]
fn a_view_range_says_the_first_and_the_last_line() {
    let viewed = |id, from: usize, to: i64| {
        let last = usize::try_from(to).unwrap_or(60);
        let range = json!({"command": "view", "path": "/a.rs", "view_range": [from, to]});
        call(id, "str_replace_based_edit_tool", range, &numbered(&file(from - 1..last), from))
    };
    let old = viewed("1", 21, 40);
    goes("the same", &[old.clone(), viewed("2", 21, 40)]);
    goes("more", &[old.clone(), viewed("2", 11, 50)]);
    goes("up to the end", &[old.clone(), viewed("2", 11, -1)]);
    goes("as another tool counts", &[old.clone(), part("2", 21, 20)]);
    stays("a line less in front", &[old.clone(), viewed("2", 22, 50)]);
    stays("a line less behind", &[old.clone(), viewed("2", 11, 39)]);
    stays("the end, when only a part is shown later", &[viewed("1", 21, -1), viewed("2", 11, 40)]);
}
