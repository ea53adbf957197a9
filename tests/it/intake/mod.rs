//! Results of tools are shrunk before they are ever sent.

mod answers;
mod fixtures;
mod properties;
mod shown;

use densify::intake::{Call, IntakeLimits, IntakeSettings};
use densify::options::read_options;
use densify::tokens::estimate::estimate;
use densify::tools::ToolKind;
use serde_json::{Value, json};

use crate::support::{options, shared};

fn limits(settings: Value) -> IntakeLimits {
    IntakeLimits::new(&options::<IntakeSettings>(settings)).unwrap()
}

fn shrink_result(text: &str, kind: ToolKind, limits: &IntakeLimits) -> Option<String> {
    densify::intake::shrink_result(text, &Call::of_kind(kind), limits).map(|shrunk| shrunk.text)
}

fn shrink(text: &str) -> Option<String> {
    shrink_result(text, ToolKind::Shell, &limits(json!({})))
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(shrink(text).as_deref(), Some(expected), "{text:?}");
}

#[test]
fn what_is_short_already_stays() {
    for text in ["", "\n", "ok", "a\nb\nc\n", "a\r\nb\r\n", "a\na\nb", "… (repeated 57 times)", "x\n\n\n\ny"]
    {
        assert_eq!(shrink(text), None, "{text:?}");
    }
}

#[test]
fn escape_sequences_go() {
    check("\u{1b}[31mred\u{1b}[0m and \u{1b}[1;38;5;196mbold\u{1b}[m", "red and bold");
    check("\u{1b}[2K\u{1b}[1Gdone", "done");
    check("\u{1b}]0;title\u{7}text", "text");
    check("\u{1b}(B\u{1b}[mplain\u{1b}=", "plain");
    // Of what isn't a whole sequence only the escape goes.
    check("a\u{1b}", "a");
    check("a\u{1b}]never closed\nb", "a]never closed\nb");
    check("a\u{1b}é\u{1b}[é", "aé[é");
    check("\u{1b}\u{1b}[0m[0mx", "[0mx");
}

#[test]
fn moves_of_the_cursor_leave_gaps() {
    for (text, expected) in [
        ("web\u{1b}[11C80\u{1b}[6C12\u{1b}[0m\u{1b}[0m\u{1b}[0m\u{1b}[0m", "web           80      12"),
        ("a\u{1b}[Cb", "a b"),
        ("web\u{1b}[9G80\u{1b}[m\u{1b}[m", "web     80"),
        ("down 10%\u{1b}[3D20%", "down 10% 20%"),
        ("old\u{1b}[1Gnew", "old\rnew"),
        ("old\u{1b}[1G\u{1b}[0Knew", "old\rnew"),
        ("old\u{1b}[3D\u{1b}[31mnew", "old\rnew"),
        ("price 100\u{1b}[2K\u{1b}[9m90", "price 100 ~~90~~"),
        ("old\u{1b}[2Knew", "old new"),
        ("one\u{1b}[Btwo\u{1b}Ethree", "one\ntwo\nthree"),
        ("\u{1b}[2J\u{1b}[HName\u{1b}[1;7HState\u{1b}[2;1Hdb1\u{1b}[2;7Hup", "Name  State\ndb1   up"),
        ("0\u{1b}[3b!", "0000!"),
        // At the place where the cursor is, there is no gap.
        ("ab\u{1b}[3Gcd\u{1b}[Kef", "abcdef"),
    ] {
        check(text, expected);
    }
    // A form that isn't shorter isn't taken.
    assert_eq!(shrink("a\u{1b}[60Cb"), None);
}

#[test]
fn links_keep_their_addresses() {
    let link = |end: &str, target: &str, text: &str| {
        format!("see \u{1b}]8;;{target}{end}{text}\u{1b}]8;;{end} please")
    };
    for end in ["\u{1b}\\", "\u{7}"] {
        check(&link(end, "https://a.example/9", "ticket"), "see ticket (https://a.example/9) please");
        check(&link(end, "https://a.example/", "https://a.example"), "see https://a.example please");
        check(&link(end, "https://a.example", "a.example"), "see a.example please");
        check(&link(end, "mailto:a@b.example", "a@b.example"), "see a@b.example please");
        check(&link(end, "file://host/w/a.rs", "a.rs"), "see a.rs please");
        check(
            &link(end, "https://a.example/9", "\u{1b}[1mtic\u{1b}[mket"),
            "see ticket (https://a.example/9) please",
        );
    }
    // A link that isn't closed ends with its line, or with the next link.
    check("\u{1b}]8;;https://a.example/9\u{7}ticket\nmore", "ticket (https://a.example/9)\nmore");
    check(
        "\u{1b}]8;;https://a.example/9\u{7}a\u{1b}]8;;https://a.example/8\u{7}b\u{1b}]8;;\u{7}",
        "a (https://a.example/9)b (https://a.example/8)",
    );
}

#[test]
fn what_is_struck_through_stays_marked() {
    check("price \u{1b}[9m100\u{1b}[29m 80", "price ~~100~~ 80");
    check("\u{1b}[31;9mOld\u{1b}[0m New", "~~Old~~ New");
    check("\u{1b}[9m\u{1b}[1mone\ntwo\u{1b}[0m three", "~~one~~\n~~two~~ three");
    // The ninth colour.
    check("\u{1b}[38;5;9mred\u{1b}[0m", "red");
    check("\u{1b}[38;2;9;9;9mred\u{1b}[0m", "red");
}

#[test]
fn of_progress_what_was_shown_last_stays() {
    let states = |end: &str| (10..=99).map(|share| format!("{share}%\r")).collect::<String>() + end;
    check(&states("100%\ndone\n"), "… (90 overwritten states left out)\n100%\ndone\n");
    check(&states("100%\r\ndone\r\n"), "… (90 overwritten states left out)\n100%\r\ndone\r\n");
    // These stay: states that differ in more than their share, trouble, and lines that end with `\r` alone.
    let troubled = states("100%\n").replace('%', "%, 3 failed");
    assert_eq!(shrink(&troubled), None);
    assert!(shrink(&states("failed\n")).is_some_and(|shrunk| shrunk.ends_with("99%\rfailed\n")));
    let rows =
        (0..90).map(|row| format!("row {row};value {};{row}%", row * 7)).collect::<Vec<_>>().join("\r");
    for text in ["a\r", "a\r\rb\r\r", "ERROR: it broke\rretrying…\n", "0123456789\rabc\n", &rows] {
        assert_eq!(shrink(text), None, "{text:?}");
    }
}

#[test]
fn runs_of_equal_lines_are_folded() {
    let line = "warning: something is odd\n";
    check(&format!("start\n{}end\n", line.repeat(57)), &format!("start\n{line}… (repeated 57 times)\nend\n"));
    check(&"\n".repeat(60), "\n… (repeated 61 times)");
    // A run that wouldn't become shorter stays.
    assert_eq!(shrink(&"a\n".repeat(9)), None);
    assert_eq!(shrink(&line.repeat(2)), None);
    // Our own lines are no run.
    assert_eq!(shrink(&"… (repeated 57 times)\n".repeat(9)), None);
}

#[test]
fn long_output_keeps_its_ends_and_says_what_is_missing() {
    let text: String = (0..20_000).map(|number| format!("line {}\n", number * 7 % 20_000)).collect();
    let shrunk = shrink(&text).unwrap();
    assert!(shrunk.starts_with("line 0\nline 7\n") && shrunk.ends_with("line 19986\nline 19993\n"));
    let tokens = estimate(&shrunk);
    assert!((7500..=8000).contains(&tokens), "{tokens}");
    let (head, rest) = shrunk.split_once("… (").unwrap();
    let (count, tail) = rest.split_once(" lines left out)\n").unwrap();
    let kept = head.matches('\n').count() + tail.matches('\n').count();
    assert_eq!(kept + count.parse::<usize>().unwrap(), 20_000);
    // A command says at its end how it ended; of a search the first results matter most.
    assert!(tail.len() > head.len());
    let found = shrink_result(&text, ToolKind::Search, &limits(json!({}))).unwrap();
    let (head, tail) = found.split_once("… (").unwrap();
    assert!(tail.len() < head.len());
    // What a file holds is left to the rules and to recency: an edit needs every line as it is.
    assert_eq!(shrink_result(&text, ToolKind::Read, &limits(json!({}))), None);
}

#[test]
fn what_tells_of_trouble_stays_between_the_ends() {
    let step =
        |number: usize| format!("step {} handles number {}", number * 37 % 991, number * 7919 % 10_007);
    let with = |line: &str| {
        let mut lines: Vec<String> = (0..1_500).map(step).collect();
        lines.insert(700, line.to_owned());
        shrink(&lines.join("\n")).unwrap()
    };
    for line in [
        "Segmentation fault (core dumped)",
        "GET /pay HTTP 500",
        "401 Unauthorized",
        "<<<<<<< HEAD",
        "WARNING: DATA RACE",
        "heap-use-after-free on address 0x60",
        "CVE-2026-1 found in left-pad",
        "connect ETIMEDOUT 10.0.0.1:443",
        "Fehler: kaputt",
        "エラーが発生しました",
        "Killed",
        "Out of memory",
        "Last State: OOMKilled",
        "CrashLoopBackOff",
        "CONFLICT (content): Merge conflict in src/a.ts",
        "Permission denied (publickey).",
        "sh: 1: tsc: command not found",
        "npm ERR! code ELIFECYCLE",
        "not ok 31 - parses dates",
        "  ✕ parses dates (5 ms)",
        " × src/a.test.ts > parses dates 5ms",
        "✘ Bad",
        "! [rejected] main -> main (non-fast-forward)",
        "connection refused",
        "Request timed out",
        "E: Unable to locate package foo",
        "signal: 11, SIGSEGV",
        "ld: symbol(s) missing",
        "warning: deprecated",
    ] {
        assert!(with(line).contains(line), "{line}");
    }
    assert!(!with("step 992 handles number 10008").contains("number 10008"));
}

#[test]
fn something_of_both_ends_stays_at_every_limit() {
    let words = |count: usize, word: &str| format!("first {}last", format!("{word} ").repeat(count));
    let hex = words(5_000, "9f3ac1d07e");
    for text in [&hex, &words(3_000, "word"), &words(4_000, "\u{4e2d}\u{6587}")] {
        for most in [100, 150, 200, 300, 500, 1_000, 2_000] {
            for kind in [ToolKind::Shell, ToolKind::Other] {
                let shrunk = shrink_result(text, kind, &limits(json!({"maxResultTokens": most}))).unwrap();
                assert!(shrunk.starts_with("first") && shrunk.ends_with("last"), "{most}: {shrunk}");
                assert!(estimate(&shrunk) <= most && estimate(&shrunk) > most / 4, "{most}: {shrunk}");
            }
        }
    }
}

#[test]
fn what_is_left_out_is_told_in_lines_only_if_they_are_whole() {
    let line = "word ".repeat(30_000);
    let text = format!("{line}\n{line}");
    let shrunk = shrink_result(&text, ToolKind::Other, &limits(json!({}))).unwrap();
    assert!(shrunk.contains("characters left out") && !shrunk.contains("line left out"), "{shrunk:.200}");
}

#[test]
fn a_line_that_never_ends_is_cut_inside() {
    let text = "abc 😀 def,".repeat(20_000);
    let shrunk = shrink(&text).unwrap();
    let (head, rest) = shrunk.split_once("\n… (").unwrap();
    let (count, tail) = rest.split_once(" characters left out)\n").unwrap();
    let units = |text: &str| text.encode_utf16().count();
    assert_eq!(units(head) + units(tail) + count.parse::<usize>().unwrap(), units(&text));
    assert!(text.starts_with(head) && text.ends_with(tail));
}

#[test]
fn what_a_file_holds_is_never_touched() {
    let text = format!("\u{1b}[31m\n1%\r2%\n{}", "same\n".repeat(100));
    assert_eq!(shrink_result(&text, ToolKind::Read, &limits(json!({}))), None);
    assert!(shrink(&text).is_some());
}

#[test]
fn the_limit_can_be_set() {
    let text = "some words in a line\n".to_owned()
        + &(0..800).map(|number| format!("x y {}\n", number * 7 % 800)).collect::<String>();
    let tight = limits(json!({"maxResultTokens": 100}));
    let shrunk = shrink_result(&text, ToolKind::Other, &tight).unwrap();
    assert!(estimate(&shrunk) <= 100);
    assert_eq!(shrink(&text), None);
    for value in [json!(99), json!(-1), json!(null), json!("many")] {
        let settings = read_options::<IntakeSettings>(&json!({"maxResultTokens": value}));
        let error = settings.and_then(|settings| IntakeLimits::new(&settings)).unwrap_err();
        assert_eq!(error.option_key(), Some("maxResultTokens"), "{error}");
    }
    let unlimited = IntakeSettings { max_result_tokens: Some(f64::INFINITY), ..IntakeSettings::default() };
    assert!(IntakeLimits::new(&unlimited).is_ok());
}

#[test]
fn hostile_output_takes_linear_time() {
    for text in [
        "\u{1b}]",
        "\u{1b}[",
        "\u{1b}[31",
        "\u{1b}",
        "\r",
        "a\r",
        "\n",
        "a\nb\n",
        "x",
        "\0",
        "1:",
        "1% ",
        "[1",
        "{\"a\":",
        "\"",
        "\\",
        "a/",
        "| a ",
        "src/a.rs:1:x\n",
        "├── a\n",
        "error: it broke\n",
        "… (repeated 9 times)\n",
        "ok\n… (2 lines left out)\n",
    ] {
        let text = text.repeat(60_000);
        // A result that shrinks is shorter than before, and shrinks no further.
        if let Some(shrunk) = shrink(&text) {
            assert!(shrunk.len() < text.len() && shrink(&shrunk).is_none(), "{:?}", text.get(..20));
        }
    }
}

#[test]
fn real_output_becomes_shorter_and_stays_so() {
    let Some(folder) = shared("transcripts/codex") else { return };
    let (mut before, mut after) = (0, 0);
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap_or_default();
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        for output in lines.filter_map(|line| line["payload"]["output"].as_str().map(str::to_owned)) {
            let shrunk = shrink(&output);
            before += output.len();
            after += shrunk.as_ref().unwrap_or(&output).len();
            if let Some(shrunk) = shrunk {
                assert!(estimate(&shrunk) <= 8000 && shrink(&shrunk).is_none());
            }
        }
    }
    assert!(after < before && after > before / 2, "{before} {after}");
}
