//! What is wrong with a reply, and what is asked for then (requirements 8.9, 8.10).

use densify::summary::{Code, Level, Message, Outcome, apply_contents, message_text, verify_contents};
use serde_json::json;

use super::{STRUCTURED, asked, history, reply, settings, turns};

/// The findings of a reply, and what is asked for next.
fn findings(strategy: &str, given: &str) -> (Vec<Code>, Vec<Message>, bool) {
    let found = history(turns(8));
    let settings = settings(strategy, json!({}));
    let plan = asked(&found, &settings).plan;
    let verified = verify_contents(&found, &settings, given).unwrap();
    let outcome = apply_contents(&found, &plan, given, &settings).unwrap().0;
    match outcome {
        Outcome::Failed { findings, repair, again, plan: next } => {
            assert_eq!(next.attempt, 1);
            assert_eq!((verified.ok, &verified.findings, &verified.repair), (false, &findings, &repair));
            (findings.iter().map(|finding| finding.code).collect(), repair, again)
        }
        Outcome::Applied(applied) => {
            assert!(verified.ok);
            assert_eq!(verified.findings, applied.findings);
            (applied.findings.iter().map(|finding| finding.code).collect(), Vec::new(), false)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn req_8_9_failures_are_typed() {
    let good = reply("middle-out", &[]);
    let long = reply("middle-out", &[("key_knowledge", &"many different words are here. ".repeat(3_000))]);
    for (given, code) in [
        ("", Code::Empty),
        (" \n\t", Code::Empty),
        ("I can't do that.", Code::Incomplete),
        ("<scratchpad>thoughts</scratchpad>", Code::Incomplete),
        ("<state_snapshot></state_snapshot>", Code::Incomplete),
        ("<state_snapshot>no sections</state_snapshot>", Code::Incomplete),
        (&good[..good.len() - 8], Code::CutOff),
        (&good[..60], Code::CutOff),
        ("<scratchpad>thoughts that never", Code::CutOff),
        ("Fine. <state_snap", Code::CutOff),
        (&long, Code::NotSmaller),
        ("<tool_call>\n{\"name\": \"read_file\"}\n</tool_call>", Code::ProtocolJunk),
        ("<|channel|>analysis", Code::ProtocolJunk),
    ] {
        let (codes, repair, again) = findings("middle-out", given);
        assert_eq!(codes, [code], "{}", &given[..given.len().min(80)]);
        assert_eq!(again, code != Code::NotSmaller);
        assert!(!repair.is_empty());
        assert_eq!(code.level(), Level::Failure);
    }
    for (given, code) in [
        ("", Code::Empty),
        ("I can't do that.", Code::Incomplete),
        ("## Goal\nx\n```rust\nfn main", Code::CutOff),
        (&[STRUCTURED, &"\n- many different words are here.".repeat(3_000)].concat(), Code::NotSmaller),
    ] {
        assert_eq!(findings("structured", given).0, [code]);
    }
}

#[test]
fn req_8_9_a_missing_section_is_a_warning() {
    let given = reply("middle-out", &[]).replace("<open_questions>", "").replace("</open_questions>", "");
    assert_eq!(findings("middle-out", &given).0, [Code::MissingSection]);
    let given = STRUCTURED.replace("## Next Steps\n1. item 2\n\n", "");
    assert_eq!(findings("structured", &given).0, [Code::MissingSection]);
}

#[test]
fn a_reply_that_can_be_used_but_lacks_a_section_is_asked_for_that_one() {
    let found = history(turns(8));
    for (strategy, whole, given, missing) in [
        (
            "middle-out",
            reply("middle-out", &[]),
            reply("middle-out", &[]).replace("<open_questions>", "").replace("</open_questions>", ""),
            "`<open_questions>`",
        ),
        (
            "structured",
            STRUCTURED.to_owned(),
            STRUCTURED.replace("## Next Steps\n1. item 2\n\n", ""),
            "`## Next Steps`",
        ),
    ] {
        let settings = settings(strategy, json!({}));
        let verified = verify_contents(&found, &settings, &whole).unwrap();
        assert!(verified.ok && verified.repair.is_empty());
        let verified = verify_contents(&found, &settings, &given).unwrap();
        assert!(verified.ok && !verified.again);
        let text = message_text(&[], &verified.repair[0], "");
        let asked = text.lines().filter(|line| line.starts_with("- The section")).collect::<Vec<_>>();
        assert!(matches!(&asked[..], [one] if one.contains(missing)), "{asked:?}");
        assert!(text.contains(given.trim()), "the reply is shown, so that the rest stays");
    }
}

#[test]
fn req_8_9_a_path_that_the_history_does_not_name_is_a_warning() {
    let given = reply(
        "middle-out",
        &[("code_references", "src/file3.rs and src/nowhere.rs, see https://x.org/a.html")],
    );
    assert_eq!(findings("middle-out", &given).0, [Code::UnknownPath]);
}

#[test]
fn the_repair_shows_the_reply_and_asks_for_what_is_missing() {
    let long = reply("middle-out", &[("key_knowledge", &"many different words are here. ".repeat(3_000))]);
    let (_, repair, _) = findings("middle-out", &long);
    let text = message_text(&[], &repair[0], "");
    assert!(text.contains("many different words") && text.contains("fewer than"), "{}", &text[..500]);
    let (_, repair, again) = findings("middle-out", "I can't do that.");
    assert!(again);
    assert_eq!(message_text(&[], &repair[0], ""), "I can't do that.");
    assert!(message_text(&[], &repair[1], "").contains("<state_snapshot>"));
}

#[test]
fn a_repair_asks_for_the_language_that_the_request_asked_for() {
    let found = history(turns(6));
    for (language, is_asked) in [(Some("Français"), true), (None, false)] {
        let given = settings("one-shot", language.map_or(json!({}), |name| json!({"language": name})));
        let plan = asked(&found, &given).plan;
        match apply_contents(&found, &plan, "no snapshot", &given).unwrap().0 {
            Outcome::Failed { repair, .. } => {
                let text: String = repair.iter().map(|message| message_text(&found, message, "")).collect();
                assert_eq!(text.contains("Write in this language: Français"), is_asked, "{text}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn replies_of_real_models_are_read() {
    let snapshot = reply("middle-out", &[("overall_goal", "the goal")]);
    let snapshot = snapshot.split_once("</scratchpad>").unwrap().1.trim();
    for given in [
        format!("Here is the summary:\n\n```xml\n{snapshot}\n```\nLet me know!"),
        format!("<think>\nI need a <state_snapshot> here\n</think>\n{snapshot}"),
        format!("<scratchpad>\nI never close this\n{snapshot}"),
        format!("<scratchpad>a <state_snapshot> comes</scratchpad>\r\n{}", snapshot.replace('\n', "\r\n")),
        format!("{snapshot}\n\n<tool_call>{{}}</tool_call>"),
        format!("<state_snapshot>draft</state_snapshot>\n{snapshot}"),
        format!("\u{feff}{snapshot}"),
    ] {
        assert_eq!(findings("middle-out", &given).0, [], "{given}");
    }
    for given in [
        format!("Sure! Here it is:\n\n```markdown\n{STRUCTURED}\n```"),
        format!("<think>hm</think>{STRUCTURED}"),
        STRUCTURED.replace("## Goal", "## Goal:"),
    ] {
        assert_eq!(findings("structured", &given).0, [], "{given}");
    }
}
