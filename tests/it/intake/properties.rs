//! What holds for every reducer and any text.

use densify::intake::{Call, IntakeLimits, shrink_result};
use densify::tokens::estimate::estimate;
use densify::tools::{ToolKind, ToolTable};
use proptest::prelude::*;
use serde_json::json;

use super::limits;
use crate::histories::cases;

const SCRAPS: &[&str] = &[
    "\u{1b}",
    "\u{1b}[31m",
    "\u{1b}]0;t\u{7}",
    "[0m",
    "\r",
    "\r\n",
    "\n",
    "\n",
    "\n",
    "a",
    "line",
    "10%",
    "😀",
    "é",
    " ",
    "… (repeated 9 times)",
    "… (repeated 3 times)\n",
    "… (2 lines left out)\n",
    "test a::b ... ok\n",
    "test a::c ... FAILED\n",
    "--- PASS: TestA (0.0s)\n",
    "=== RUN   TestA\n",
    "test result: ok. 9 passed\n",
    "t.py::test_a PASSED [ 1%]\n",
    "✓ works (2 ms)\n",
    "Tests: 9 passed\n",
    "src/main.rs:12:fn main() {\n",
    "src/main.rs-13-}\n",
    "--\n",
    "src/lib.rs:7:x\n",
    "src/a.ts(1,2): error TS1: x\n",
    "./src/deep/a.ts\n",
    "./src/deep/b.ts\n",
    "./node_modules/a/b.js\n",
    "src/deep/\n",
    "  a.ts\n",
    "├── a\n",
    "│   └── b\n",
    "    at f (/w/node_modules/x.js:1:2)\n",
    "    at g (/w/src/y.js:1:2)\n",
    "  File \"/v/site-packages/x.py\", line 1, in f\n",
    "    f()\n",
    "   Compiling x v1.0.0\n",
    "[1/9] CC a.o\n",
    "[2/9] CC a.o\n",
    "diff --git a/yarn.lock b/yarn.lock\n",
    "@@ -1 +1 @@\n",
    "+a\n",
    "-b\n",
    "{\"a\": 1,\n",
    "}",
    "[",
    "]",
    ", ",
    "\"\\\"",
    " id | name \n",
    "----+------\n",
    "12:00:01 INFO x\n",
    "12:00:02 ERROR y\n",
    "step 1 of 9\n",
    "step 2 of 9\n",
];

fn outputs() -> impl Strategy<Value = String> {
    let scrap = (proptest::sample::select(SCRAPS), prop_oneof![8 => 1_usize..3, 1 => 20_usize..90]);
    let scraps = proptest::collection::vec(scrap, 0..60);
    let scraps = scraps.prop_map(|scraps| scraps.iter().map(|(scrap, times)| scrap.repeat(*times)).collect());
    prop_oneof![4 => scraps, 1 => any::<String>()]
}

fn calls() -> impl Strategy<Value = Call> {
    let kinds = proptest::sample::select(ToolKind::ALL.to_vec()).prop_map(Call::of_kind);
    let commands =
        proptest::sample::select(vec!["make", "cargo test b", "rg -n main", "find . -name a.ts", "git diff"]);
    let commands =
        commands.prop_map(|command| Call::new("bash", &json!({"command": command}), &ToolTable::default()));
    prop_oneof![1 => kinds, 2 => commands]
}

/// What leaves lines out, and writes none in another form.
fn eliding() -> IntakeLimits {
    let off = ["escapes", "progress", "repeats", "json", "tables", "search", "listings"];
    let off: serde_json::Map<_, _> = off.iter().map(|key| ((*key).to_owned(), json!(false))).collect();
    limits(json!({"maxResultTokens": 150, "reducers": off}))
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn shorter_or_nothing_and_never_twice(text in outputs(), call in calls(), tokens in 100_u32..2000) {
        let limits = limits(json!({"maxResultTokens": tokens}));
        let Some(shrunk) = shrink_result(&text, &call, &limits) else {
            prop_assert!(call.is_exact || estimate(&text) <= tokens);
            return Ok(());
        };
        prop_assert!(!call.is_exact && !shrunk.reducers.is_empty());
        prop_assert!(shrunk.text.encode_utf16().count() < text.encode_utf16().count());
        prop_assert!(estimate(&shrunk.text) <= tokens);
        prop_assert_eq!(shrink_result(&shrunk.text, &call, &limits), None, "{:?}", shrunk.text);
        prop_assert_eq!(shrink_result(&text, &call, &limits), Some(shrunk));
    }

    #[test]
    fn what_is_kept_stands_as_it_stood_and_in_order(text in outputs(), call in calls()) {
        let shrunk = shrink_result(&text, &call, &eliding());
        let shrunk = shrunk.map_or_else(|| text.clone(), |shrunk| shrunk.text);
        let mut lines = text.split('\n');
        let (first, last) = (text.split('\n').next().unwrap(), text.trim_end_matches('\n').rsplit('\n').next().unwrap());
        for line in shrunk.split('\n').filter(|line| !line.starts_with("… (") && !line.is_empty() && line.len() < 300) {
            // A long line may be cut in pieces; so may the first and the last one, where the room is little.
            let is_end = first.starts_with(line) || last.ends_with(line);
            prop_assert!(is_end || lines.any(|known| known == line || known.len() > 300), "{:?} of {:?}", line, text);
        }
    }

    #[test]
    fn what_repeats_can_be_written_out_again(lines in proptest::collection::vec("[a-c]{0,3}", 0..60), times in 1_usize..40) {
        let text = lines.join("\n") + &"\nthe same again".repeat(times) + &"\none\ntwo\nthree".repeat(times);
        let only = limits(json!({"reducers": {"similarLines": false}}));
        let shrunk = shrink_result(&text, &Call::of_kind(ToolKind::Shell), &only);
        let shrunk = shrunk.map_or_else(|| text.clone(), |shrunk| shrunk.text);
        let mut unfolded: Vec<&str> = Vec::new();
        for line in shrunk.split('\n') {
            let Some(what) = line.strip_prefix("… (").and_then(|rest| rest.strip_suffix(" times)")) else {
                unfolded.push(line);
                continue;
            };
            let (length, count) = match what.strip_prefix("these ") {
                Some(rest) => rest.split_once(" lines repeated ").unwrap(),
                None => ("1", what.strip_prefix("repeated ").unwrap()),
            };
            let group = unfolded[unfolded.len() - length.parse::<usize>().unwrap()..].to_vec();
            (1..count.parse().unwrap()).for_each(|_| unfolded.extend(&group));
        }
        prop_assert_eq!(unfolded.join("\n"), text);
    }

    #[test]
    fn what_was_found_can_be_read_back(files in proptest::collection::vec(("[a-z]{1,6}/[a-z]{1,40}\\.rs", proptest::collection::vec((1_u32..999, "[ -~]{0,30}"), 1..9)), 1..9)) {
        let line = |path: &str, (number, text): &(u32, String)| format!("{path}:{number}:{text}");
        let lines: Vec<String> = files.iter().flat_map(|(path, found)| found.iter().map(move |found| line(path, found))).collect();
        let text = lines.join("\n");
        let limits = limits(json!({"reducers": {"repeats": false, "similarLines": false}}));
        let Some(shrunk) = shrink_result(&text, &Call::of_kind(ToolKind::Search), &limits) else { return Ok(()) };
        prop_assert_eq!(&shrunk.reducers, &["search"]);
        let mut path = "";
        let mut whole = Vec::new();
        for line in shrunk.text.split('\n') {
            match line.split_once(':') {
                Some((before, _)) if before.bytes().all(|byte| byte.is_ascii_digit()) => whole.push(format!("{path}:{line}")),
                Some(_) => whole.push(line.to_owned()),
                None => path = line,
            }
        }
        prop_assert_eq!(whole.join("\n"), text);
    }

    #[test]
    fn dense_json_is_the_same_json(values in proptest::collection::vec((any::<i64>(), "\\PC{0,12}", any::<bool>()), 0..12), indent in 0_usize..9) {
        let rows: Vec<_> = values.iter().map(|(number, text, flag)| json!({"z": number, "a": text, "deep": {"flag": flag}})).collect();
        let mut text = serde_json::to_string_pretty(&json!({"rows": rows, "n": 1.50})).unwrap();
        text = text.replace("\n  ", &format!("\n{}", " ".repeat(indent)));
        let shrunk = shrink_result(&text, &Call::of_kind(ToolKind::Other), &limits(json!({})));
        if let Some(shrunk) = shrunk {
            let [one, other]: [serde_json::Value; 2] = [&text, &shrunk.text].map(|text| serde_json::from_str(text).unwrap());
            prop_assert_eq!(one.to_string(), other.to_string()); // the order of keys too
        }
    }
}
