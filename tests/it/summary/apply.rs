//! What becomes of a reply (requirements 2, 4, 8.9, 8.10, 8.12, 8.15).

use densify::ErrorCode;
use densify::content::Speaker;
use densify::summary::{
    Code, ConflictReason, Level, Message, Outcome, Plan, SUMMARY_HEAD, apply_contents, message_text,
    request_contents, verify_contents,
};
use serde_json::json;

use super::{STRUCTURED, ai, asked, compacted, history, human, reply, settings, text, turns};

#[test]
fn req_2_middle_out_makes_top_summary_acknowledgement_tail() {
    let found = history(turns(8));
    let settings = settings(
        "middle-out",
        json!({"todos": [{"content": "done", "status": "completed"}, {"content": "next"}]}),
    );
    let (after, outcome) =
        compacted(&found, &settings, &reply("middle-out", &[("overall_goal", "Finish the list.")]));
    let Outcome::Applied(applied) = outcome else { panic!() };
    let top = applied.top as usize;
    assert_eq!(top, 7);
    assert_eq!(after[..top], found[..top]);
    assert_eq!(after[top + 2..], found[applied.tail as usize..]);
    assert_eq!((after[top].speaker.clone(), after[top + 1].speaker.clone()), (Speaker::Human, Speaker::Ai));
    let stored = text(&after[top]);
    assert!(
        stored.starts_with(&format!("{SUMMARY_HEAD}\n\n<state_snapshot>\n<overall_goal>\nFinish the list.")),
        "{stored}"
    );
    assert!(!stored.contains("scratchpad"));
    let answer = text(&after[top + 1]);
    assert!(answer.contains("item 7 of the list") && answer.contains("\"next\""), "{answer}");
    assert_eq!(after[top].rest["metadata"]["isSummary"], json!(true));
}

#[test]
fn req_8_15_the_metadata_counts_what_was_done() {
    let found = history(turns(8));
    let settings = settings("middle-out", json!({"contextLimit": 3_000, "window": 100_000}));
    let (after, outcome) = compacted(&found, &settings, &reply("middle-out", &[]));
    let Outcome::Applied(applied) = outcome else { panic!() };
    let metadata = serde_json::to_value(&applied.metadata).unwrap();
    assert_eq!(metadata["originalMessageCount"], 32);
    assert_eq!(metadata["compressedMessageCount"], after.len());
    assert_eq!(metadata["strategyUsed"], "middle-out");
    assert_eq!(metadata["llmCallMade"], true);
    assert_eq!(
        (&metadata["topPreserved"], &metadata["middleCompressed"], &metadata["bottomPreserved"]),
        (&json!(7), &json!(16), &json!(9))
    );
    assert!(metadata["tokensAfter"].as_u64() < metadata["tokensBefore"].as_u64());
    assert_eq!(metadata["targetReached"], json!(metadata["tokensAfter"].as_u64().unwrap() <= 1_530));
}

#[test]
fn req_2_a_moved_request_stands_behind_the_summary() {
    let mut entries = turns(3);
    entries.push(human("the newest request"));
    entries.extend(
        (0..30).map(|at| ai(format!("step {at} with several words in it, so that it counts for something"))),
    );
    let found = history(entries);
    let (after, outcome) = compacted(&found, &settings("middle-out", json!({})), &reply("middle-out", &[]));
    let Outcome::Applied(applied) = outcome else { panic!() };
    assert_eq!(applied.moved, [12]);
    let at = applied.top as usize + 2;
    assert_eq!(after[at], found[12]);
    assert_eq!(after[at + 1..], found[applied.tail as usize..]);
}

#[test]
fn req_8_12_the_structured_result_is_one_human_entry() {
    let found = history(turns(3));
    let (after, outcome) = compacted(&found, &settings("structured", json!({})), STRUCTURED);
    assert_eq!(after.len(), 1);
    assert_eq!(after[0].speaker, Speaker::Human);
    let Outcome::Applied(applied) = outcome else { panic!() };
    assert_eq!(applied.state.version, 1);
    assert!(
        applied.state.last_summary.starts_with("## Goal") && !applied.state.last_summary.contains("-files>")
    );
}

#[test]
fn messages_added_while_waiting_are_kept() {
    let found = history(turns(6));
    let settings = settings("one-shot", json!({}));
    let request = asked(&found, &settings);
    let mut now = found.clone();
    now.extend(history(turns(1)));
    let (_, after) = apply_contents(&now, &request.plan, &reply("one-shot", &[]), &settings).unwrap();
    assert_eq!(after.unwrap()[2..], now[request.plan.end as usize..]);
}

#[test]
fn a_changed_range_is_a_conflict() {
    let found = history(turns(6));
    let settings = settings("one-shot", json!({}));
    let plan = asked(&found, &settings).plan;
    let conflict = |now: &[_]| match apply_contents(now, &plan, &reply("one-shot", &[]), &settings).unwrap().0
    {
        Outcome::Conflict { index, reason } => (index, reason),
        other => panic!("{other:?}"),
    };
    let mut now = found.clone();
    now[5] = history(vec![human("another text")]).remove(0);
    assert_eq!(conflict(&now), (5, ConflictReason::Changed));
    now = found.clone();
    now.remove(0);
    assert_eq!(conflict(&now), (0, ConflictReason::Changed));
    assert_eq!(conflict(&found[..10]), (10, ConflictReason::Missing));
    // A message before or behind the range may change.
    let plan = asked(&found, &super::settings("middle-out", json!({}))).plan;
    now = found.clone();
    now[0] = history(vec![human("another text")]).remove(0);
    let outcome = apply_contents(&now, &plan, &reply("middle-out", &[]), &settings).unwrap().0;
    assert!(matches!(outcome, Outcome::Applied(_)));
}

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

#[test]
fn req_8_9_with_an_override_only_empty_cut_off_and_larger_count() {
    let found = history(turns(8));
    let settings = settings("middle-out", json!({"prompt": "Say it in one sentence."}));
    let plan = asked(&found, &settings).plan;
    for (given, code) in [
        ("All is well.", None),
        ("<tool_call>", None),
        ("  ", Some(Code::Empty)),
        ("<state_snapshot>half", Some(Code::CutOff)),
        ("text\n```\ncode", Some(Code::CutOff)),
        ("<state_snapshot>\n</state_snapshot>", Some(Code::Empty)),
        ("No `<state_snapshot>` was asked for.", None),
        (&"many different words are here. ".repeat(3_000), Some(Code::NotSmaller)),
    ] {
        let code_of = match apply_contents(&found, &plan, given, &settings).unwrap().0 {
            Outcome::Failed { findings, repair, .. } => {
                let text: String = repair.iter().map(|message| message_text(&found, message, "")).collect();
                // The model never heard of our own form.
                let asked = text.replace(given.trim(), "");
                assert!(!asked.contains("state_snapshot") && !asked.contains("## Goal"), "{asked}");
                Some(findings[0].code)
            }
            _ => None,
        };
        assert_eq!(code_of, code, "{}", &given[..given.len().min(40)]);
    }
}

#[test]
fn of_a_reply_in_the_callers_own_form_nothing_is_thrown_away() {
    let found = history(turns(8));
    let settings = settings("one-shot", json!({"prompt": "Say it in one sentence."}));
    let given = "Notes first.\n<state_snapshot>\nall\n</state_snapshot>\nAnd some after.";
    let (after, _) = compacted(&found, &settings, given);
    assert!(text(&after[0]).contains(given));
}

#[test]
fn a_part_that_would_not_fit_into_the_next_is_refused() {
    let found = history(turns(20));
    let settings = settings("one-shot", json!({"window": 3_500, "replyTokens": 300}));
    let plan = asked(&found, &settings).plan;
    let plan = Plan::read(&serde_json::to_value(&plan).unwrap()).unwrap();
    assert!(plan.parts > 2);
    let given = |words: usize| reply("one-shot", &[("overall_goal", &"many words ".repeat(words))]);
    match apply_contents(&found, &plan, &given(400), &settings).unwrap().0 {
        Outcome::Failed { findings, repair, .. } => {
            assert_eq!(findings[0].code, Code::NotSmaller);
            assert!(message_text(&found, &repair[0], "").contains("must have fewer than 301"));
        }
        other => panic!("{other:?}"),
    }
    let (outcome, _) = apply_contents(&found, &plan, &given(10), &settings).unwrap();
    assert!(matches!(outcome, Outcome::Continue { .. }), "{outcome:?}");
}

#[test]
fn parts_are_merged_one_after_the_other() {
    let found = history(turns(20));
    let settings = settings("one-shot", json!({"window": 3_500, "replyTokens": 300, "pins": ["port 8080"]}));
    let request = asked(&found, &settings);
    let mut plan = request.plan.clone();
    let parts = request.remaining.len() + 1;
    assert!(parts > 2);
    for part in 1..parts {
        let given = reply("one-shot", &[("overall_goal", &format!("up to part {part}"))]);
        let (outcome, _) = apply_contents(&found, &plan, &given, &settings).unwrap();
        let Outcome::Continue { previous, plan: next, .. } = outcome else { panic!("{outcome:?}") };
        assert!(previous.contains(&format!("up to part {part}")) && !previous.contains("scratchpad"));
        // Plans survive a restart.
        plan = Plan::read(&serde_json::to_value(&next).unwrap()).unwrap();
    }
    let (outcome, after) = apply_contents(&found, &plan, &reply("one-shot", &[]), &settings).unwrap();
    let Outcome::Applied(applied) = outcome else { panic!("{outcome:?}") };
    assert_eq!(applied.metadata.parts as usize, parts);
    assert!(text(&after.unwrap()[0]).contains("[Pinned, verbatim]\n- port 8080"));
}

#[test]
fn req_3_the_transcript_note_is_stored_once() {
    let found = history(turns(6));
    let settings = settings("one-shot", json!({"transcriptPath": "/log.jsonl"}));
    let note = "Full pre-compression transcript available at: /log.jsonl";
    let given = reply("one-shot", &[("key_knowledge", note)]);
    let (mut after, _) = compacted(&found, &settings, &given);
    assert_eq!(text(&after[0]).lines().filter(|line| *line == note).count(), 1);
    after.extend(history(turns(6)));
    let (after, _) = compacted(&after, &settings, &reply("one-shot", &[]));
    assert_eq!(text(&after[0]).matches(note).count(), 1);
}

#[test]
fn a_response_that_arrives_late_is_a_conflict_not_an_orphan() {
    let mut entries = turns(6);
    // A call that nobody answered, and later somebody does.
    entries.insert(8, super::reads("late", "a.rs", "")[0].clone());
    entries.insert(9, human("never mind"));
    let found = history(entries);
    let settings = settings("one-shot", json!({}));
    let plan = asked(&found, &settings).plan;
    let mut now = found.clone();
    now.extend(history(vec![super::reads("late", "a.rs", "text")[1].clone()]));
    let (outcome, _) = apply_contents(&now, &plan, &reply("one-shot", &[]), &settings).unwrap();
    assert!(matches!(outcome, Outcome::Conflict { .. }), "{outcome:?}");
}

#[test]
fn a_huge_reply_is_refused_for_its_size_alone() {
    let found = history(turns(6));
    let given = settings("one-shot", json!({"language": "Français"}));
    let plan = asked(&found, &given).plan;
    let huge = reply("one-shot", &[("key_knowledge", &"src/a/b.rs never says so\n".repeat(100_000))]);
    match apply_contents(&found, &plan, &huge, &given).unwrap().0 {
        Outcome::Failed { findings, repair, .. } => {
            assert_eq!(findings.iter().map(|finding| finding.code).collect::<Vec<_>>(), [Code::NotSmaller]);
            let text = message_text(&found, &repair[0], "");
            assert!(text.contains("must have fewer than"), "{text}");
        }
        other => panic!("{other:?}"),
    }
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
fn a_window_too_small_for_the_prompt_is_an_error_that_names_what_was_given() {
    let found = history(turns(6));
    for (mut more, key) in [
        (json!({"contextLimit": 800, "threshold": 0.01}), "contextLimit"),
        (json!({"window": 800}), "window"),
        (json!({"window": 800, "replyTokens": 300}), "window"),
    ] {
        let error = request_contents(&found, &settings("one-shot", more.clone())).unwrap_err();
        assert_eq!((error.code(), error.option_key()), (ErrorCode::WindowTooSmall, Some(key)), "{error:?}");
        let (found_value, least) = (": found 800, ", "expected at least ");
        assert!(error.message().contains(&[key, found_value].concat()), "{error:?}");
        let (_, least) = error.message().split_once(least).unwrap();
        let least: u64 = least.split(' ').next().unwrap().parse().unwrap();
        more[key] = json!(least);
        assert!(request_contents(&found, &settings("one-shot", more.clone())).is_ok(), "{least} suffices");
        more[key] = json!(least - 80);
        assert!(request_contents(&found, &settings("one-shot", more)).is_err(), "{least} is about the least");
    }
}
