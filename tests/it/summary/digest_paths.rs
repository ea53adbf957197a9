//! Files are named as the agent named them: no path is told of that nobody wrote, and none twice.

use densify::content::Content;
use densify::summary::{DigestSettings, Digested, digest_contents};
use serde_json::{Value, json};

use super::{STRUCTURED, ai, calls, compacted, human, settings, text};
use crate::support::{contents, options};

fn session(root_of_one: &str) -> Vec<Content> {
    let code = "pub fn one() {}\nlet x = 1;\n".repeat(40);
    let mut session = vec![human("Build it.")];
    session.extend(calls("1", "read_file", json!({"file_path": "src/a.rs"}), json!(code)));
    session.extend(calls(
        "2",
        "replace",
        json!({"file_path": format!("{root_of_one}src/a.rs")}),
        json!("done"),
    ));
    session.extend(calls("3", "read_file", json!({"file_path": "./package.json"}), json!(code)));
    session.extend(calls("4", "read_file", json!({"file_path": "../lib/b.rs"}), json!(code)));
    session.extend(calls("5", "bash", json!({"command": "cd src && cat c.rs > d.rs"}), json!("")));
    session.extend((0..8).map(|at| ai(format!("tail {at}"))));
    contents(session.into())
}

fn files(root_of_one: &str, more: Value) -> (String, String) {
    let mut wish = more;
    wish["preserve"] = json!({"messages": 8});
    let found = session(root_of_one);
    let Digested::Applied(applied) = digest_contents(&found, &options::<DigestSettings>(wish)).unwrap().0
    else {
        panic!("noop")
    };
    let text = applied.insert[0].text.clone();
    let (_, list) = text.split_once("## Files\n").unwrap();
    (list.split("\n\n").next().unwrap().to_owned(), text.clone())
}

#[test]
fn relative_paths_stay_as_they_were_written() {
    let (list, text) = files("", json!({}));
    let expected = [
        "- src/a.rs: read, edited",
        "- package.json: read",
        "- ../lib/b.rs: read",
        "- src/c.rs: read",
        "- src/d.rs: written",
    ];
    assert_eq!(list.lines().collect::<Vec<_>>(), expected);
    assert!(text.contains("\n- [2 lines]\nsrc/a.rs\npub fn one() {}"), "{text}");
    let (list, _) = files("", json!({"workspaceRoot": "/w"}));
    assert!(
        list.starts_with("- /w/src/a.rs: read, edited\n- /w/package.json: read\n- /lib/b.rs: read"),
        "{list}"
    );
}

#[test]
fn a_file_that_was_named_both_ways_is_one() {
    let (list, text) = files("/home/me/w/", json!({}));
    assert!(list.contains("- /home/me/w/src/a.rs: read, edited") && !list.contains("- src/a.rs"), "{list}");
    assert!(text.contains("\n- [2 lines]\n/home/me/w/src/a.rs\npub fn one() {}"), "{text}");
    assert!(list.contains("- package.json: read"), "{list}");
}

#[test]
fn lists_of_summaries_name_files_likewise() {
    let wish = settings("structured", json!({"preserve": {"messages": 8}}));
    let listed = |root: &str| text(&compacted(&session(root), &wish, STRUCTURED).0[0]);
    let lists = listed("");
    assert!(lists.contains("<read-files>\n../lib/b.rs\npackage.json\nsrc/c.rs\n</read-files>"), "{lists}");
    assert!(lists.contains("<modified-files>\nsrc/a.rs\nsrc/d.rs\n</modified-files>"), "{lists}");
    let lists = listed("/w/");
    assert!(lists.contains("<modified-files>\n/w/src/a.rs\nsrc/d.rs\n</modified-files>"), "{lists}");
    assert!(!lists.contains("\nsrc/a.rs"), "{lists}");
}
