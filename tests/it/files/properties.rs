//! No text can make a command panic, or give a path that it doesn't name.

use densify::summary::files::{FileLists, FileOperations, strip_file_lists};
use proptest::prelude::*;
use serde_json::json;

use crate::histories::cases;

use super::{call, operations};

/// Scraps that mean something to a shell.
const SCRAPS: &[&str] = &[
    "cat",
    "sed",
    "-n",
    "1,2p",
    "head",
    "cd",
    "tee",
    "apply_patch",
    "bash",
    "-lc",
    " ",
    " ",
    " ",
    "\n",
    "'",
    "\"",
    "\\",
    "$",
    "`",
    "(",
    ")",
    "{",
    "}",
    "<",
    ">",
    "<<",
    "EOF",
    "&&",
    "||",
    "|",
    ";",
    "&",
    "#",
    "~",
    "*",
    "a",
    "b.ts",
    "../c",
    "/d",
    "-",
    "--",
    "=",
    "2",
    "*** Begin Patch\n",
    "*** Update File: x",
    "*** End Patch",
    "é",
    "😀",
    "\u{fffd}",
    "\t",
    "\r",
];

fn commands() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::collection::vec(proptest::sample::select(SCRAPS), 0..30).prop_map(|scraps| scraps.concat()),
        proptest::collection::vec(proptest::sample::select(SCRAPS), 0..30)
            .prop_map(|scraps| scraps.join(" ")),
        any::<String>(),
    ]
}

/// A name as it may be written, and how.
fn names() -> impl Strategy<Value = (String, String)> {
    ("[a-z][a-z0-9 .@+-]{0,8}[a-z]", 0_u8..3).prop_map(|(name, way)| {
        let written = match way {
            0 => format!("'{name}'"),
            1 => format!("\"{name}\""),
            _ => name.replace(' ', "\\ "),
        };
        (name, written)
    })
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn no_command_gives_a_path_that_it_doesnt_name(command in commands()) {
        let bare: String = command.chars().filter(|next| !"'\"\\\n".contains(*next)).collect();
        for parameters in [json!({"command": command}), json!({"command": ["bash", "-lc", command]})] {
            let found = operations(&call("Bash", parameters));
            for path in found.read.iter().chain(&found.written).chain(&found.edited) {
                let name: String = path.rsplit('/').next().unwrap().chars().filter(|next| !"'\"\\\n".contains(*next)).collect();
                // What ends in `..` or `/` names a directory above.
                prop_assert!(bare.contains(&name) || path == "/w", "{path} isn't in {command}");
                prop_assert!(path.starts_with('/') && !path.contains(char::is_control));
            }
        }
    }

    #[test]
    fn files_are_found_however_they_are_quoted(
        files in proptest::collection::vec(names(), 1..5),
        reader in proptest::sample::select(vec!["cat", "head -n 3", "tail -5", "sed -n '1,9p'", "nl -ba"]),
        behind in proptest::sample::select(vec!["", " | wc -l", " 2>/dev/null", " && ls", "\n"]),
        directory in proptest::option::of(names()),
    ) {
        let (names, written): (Vec<String>, Vec<String>) = files.into_iter().unzip();
        let to = directory.as_ref().map_or(String::new(), |(_, written)| format!("cd {written} && "));
        let command = format!("{to}{reader} {}{behind}", written.join(" "));
        let at = directory.map_or("/w".to_owned(), |(name, _)| format!("/w/{name}"));
        let mut expected: Vec<String> = names.iter().map(|name| format!("{at}/{name}")).collect();
        expected.sort();
        expected.dedup();
        prop_assert_eq!(operations(&call("Bash", json!({"command": command}))).read, expected);
    }

    #[test]
    fn lists_survive_their_text(
        paths in proptest::collection::vec("(/[a-zé😀 .<>-]{1,6}){1,3}", 0..12),
        modified in proptest::collection::vec(any::<bool>(), 12),
        summary in "[a-z #<>/\n-]{0,60}",
    ) {
        let (mut read, mut written) = (Vec::new(), Vec::new());
        for (path, is_modified) in paths.into_iter().zip(modified) {
            if is_modified { written.push(path) } else { read.push(path) }
        }
        let lists = FileLists::of(&FileOperations { read, written, edited: vec![] }, &[]);
        prop_assert_eq!(FileLists::of(&FileOperations::default(), &[&lists]), lists.clone());
        let text = format!("{}{}", summary.trim_end(), lists.format());
        let (rest, found) = strip_file_lists(&text);
        prop_assert_eq!(found, lists);
        prop_assert_eq!(rest, summary.trim_end());
    }

    #[test]
    fn stripping_is_harmless_on_any_text(lines in proptest::collection::vec(proptest::sample::select(vec![
        "<read-files>", "</read-files>", "<modified-files>", "</modified-files>", "/a", "", "text", " ",
    ]), 0..30)) {
        let text = lines.join("\n");
        let (rest, _) = strip_file_lists(&text);
        prop_assert!(rest.len() <= text.len());
    }
}

#[test]
fn long_texts_take_linear_time() {
    for text in ["<read-files>\n", "</read-files>\n", "cat a;", "cat 'a' ", "<<E ", "\\\n", "\n"] {
        let text = text.repeat(50_000);
        let _ = strip_file_lists(&text);
        operations(&call("Bash", json!({"command": text})));
    }
}
