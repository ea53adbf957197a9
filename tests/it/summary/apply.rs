//! What becomes of a reply (requirements 2, 4, 8.9, 8.10, 8.12, 8.15).

use densify::ErrorCode;
use densify::content::Speaker;
use densify::summary::{
    Code, ConflictReason, Outcome, Plan, SUMMARY_HEAD, apply_contents, message_text, request_contents,
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
