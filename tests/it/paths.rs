//! Paths, resolved without a file system: as Node's `path.resolve` gives them.

use densify::view::path::{resolve, root};
use densify::view::{Names, PATH_GLOB, PATH_NONE};
use serde_json::json;

use crate::script::parse;
use crate::support::optimize_with;

#[test]
fn req_005_5_req_005_11_posix_paths() {
    for (root, path, resolved) in [
        ("/w", "a", "/w/a"),
        ("/w", "/a", "/a"),
        ("/w", "../../a", "/a"),
        ("/w", "a//b/./c/../d/", "/w/a/b/d"),
        ("/w", "", "/w"),
        ("/w", "..", "/"),
        ("/", ".", "/"),
        ("/w", "...", "/w/..."),
        ("/w", r"a\b", r"/w/a\b"),
        ("/w", "C:/a", "/w/C:/a"),
        ("/w", "~/a", "/w/~/a"),
        ("/w", "e\u{301}", "/w/e\u{301}"),
        ("/w/../x", "a", "/x/a"),
        ("/w", "//a//", "/a"),
        ("/w", "a/..", "/w"),
    ] {
        assert_eq!(resolve(root, path), resolved, "{path} in {root}");
    }
}

#[test]
fn where_no_root_is_known_relative_paths_stay_relative() {
    for (root, path, resolved) in [
        ("", "a", "a"),
        ("", "./a//b/../c", "a/c"),
        ("", "../a/../../b", "../../b"),
        ("", "/a/../../b", "/b"),
        ("", "a/..", "."),
        (".", "a", "a"),
        ("a/b", "../c", "a/c"),
        ("..", "../a", "../../a"),
        ("", r"C:\a\b.ts", r"C:\a\b.ts"),
        ("", "~/a", "~/a"),
    ] {
        assert_eq!(resolve(root, path), resolved, "{path} in {root}");
    }
}

#[test]
fn windows_paths_where_the_root_is_one() {
    for (root, path, resolved) in [
        (r"C:\work", r"src\a.ts", r"C:\work\src\a.ts"),
        (r"C:\work", "src/a.ts", r"C:\work\src\a.ts"),
        (r"C:\work", "C:/work/src/../a.ts", r"C:\work\a.ts"),
        (r"C:\work", "C:a.ts", r"C:\work\a.ts"),
        (r"C:\work", r"\a.ts", r"C:\a.ts"),
        (r"C:\work", "/a.ts", r"C:\a.ts"),
        (r"C:\work\", r"..\..\a.ts", r"C:\a.ts"),
        (r"C:\work", r"D:\x\a.ts", r"D:\x\a.ts"),
        (r"C:\work", "D:a.ts", r"D:\a.ts"),
        ("C:/work", "a.ts", r"C:\work\a.ts"),
        (r"C:\", "a.ts", r"C:\a.ts"),
        (r"C:\work", ".", r"C:\work"),
        (r"C:\work", r"\\server\share\a.ts", r"\\server\share\a.ts"),
        (r"C:\work", "//server/share/a.ts", r"\\server\share\a.ts"),
        (r"C:\work", "//server", r"C:\server"),
        (r"\\server\share\w", "a.ts", r"\\server\share\w\a.ts"),
        (r"\\server\share\w", r"..\..\..\a.ts", r"\\server\share\a.ts"),
        (r"\\server\share\w", r"\a.ts", r"\\server\share\a.ts"),
        (r"\\server\share", r"C:\a.ts", r"C:\a.ts"),
        (r"C:\Work", "A.TS", r"C:\Work\A.TS"),
        (r"C:\w", r"\\server\\share\a", r"\\server\share\a"),
        (r"C:\w", "", r"C:\w"),
        // A drive letter is the same drive in either case.
        (r"c:\w", r"C:\w\a", r"C:\w\a"),
        (r"C:\w", "c:a", r"C:\w\a"),
    ] {
        assert_eq!(resolve(root, path), resolved, "{path} in {root}");
    }
}

#[test]
fn a_root_is_brought_into_the_form_of_what_lies_in_it() {
    for (given, canonical) in [
        ("/w/../x/", "/x"),
        ("w", "/w"),
        ("", "/"),
        (r"c:\work\.", r"C:\work"),
        ("C:/work", r"C:\work"),
        (r"\\server\share\x\..", r"\\server\share\"),
        (r"\\server", r"/\\server"),
    ] {
        assert_eq!(root(given), canonical, "{given}");
        assert_eq!(root(canonical), canonical, "{canonical}");
    }
}

#[test]
fn rules_use_windows_paths_where_the_root_is_one() {
    let history = parse(
        r#"ai: read_file#1 src\a.ts
           tool: #1 content
           ai: write_file#2 {"path":"c:/work/src/a.ts"}
           tool: #2 ok"#,
    );
    assert_eq!(optimize_with(&history, json!({"workspaceRoot": r"C:\work"})).len(), 2);
    assert_eq!(optimize_with(&history, json!({"workspaceRoot": r"C:\elsewhere"})).len(), 4);
    assert_eq!(optimize_with(&history, json!({"workspaceRoot": "/"})).len(), 4);
}

#[test]
fn two_spellings_have_one_number_and_what_is_no_path_has_none() {
    let mut names = Names::new("/w");
    assert_eq!(names.path("a.ts"), names.path("/w/x/../a.ts"));
    assert_ne!(names.path("a.ts"), names.path("A.ts"));
    assert_eq!(names.path(""), PATH_NONE);
    assert_eq!(names.path("a\u{fffd}"), PATH_NONE);
    assert_eq!(names.listed_path("src/*.ts"), PATH_GLOB);
    assert_eq!(names.listed_path("a?"), PATH_GLOB);
    assert_eq!(names.listed_path("[a]{b}"), names.path("[a]{b}"));
    for name in ["__proto__", "constructor", "toString"] {
        assert_eq!(names.path(name), names.path(&format!("/w/{name}")), "{name}");
    }
}
