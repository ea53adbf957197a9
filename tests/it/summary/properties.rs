//! Whatever the history: legal cuts, every kept entry untouched and in order, pairs whole.

use densify::content::{Content, Speaker};
use densify::summary::{Code, Outcome, Planned, apply_contents, message_text, request_contents};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{STRUCTURED, ai, calls, history, human, reply, settings};
use crate::histories::{Manner, cases, history as odd};
use crate::support::{calls_and_responses, check_pairs};

/// A turn of a well-formed conversation.
fn turn() -> impl Strategy<Value = (u8, u8, bool)> {
    (0..5u8, 1..4u8, any::<bool>())
}

fn build(turns: &[(u8, u8, bool)]) -> Vec<Content> {
    let mut entries: Vec<Value> = Vec::new();
    for (number, &(kind, count, is_long)) in turns.iter().enumerate() {
        let text = format!("words of turn {number}. ").repeat(if is_long { 400 } else { 3 });
        match kind {
            0 => entries.push(human(text)),
            1 => entries.push(ai(text)),
            _ => {
                // Several calls in one entry, answered in one entry or in several.
                let ids: Vec<String> = (0..count).map(|at| format!("c{number}_{at}")).collect();
                let [mut call, mut response] = calls(&ids[0], "grep", json!({"pattern": "x"}), json!(text));
                let mut more = Vec::new();
                for id in &ids[1..] {
                    let [other, answer] = calls(id, "read_file", json!({"file_path": "a.rs"}), json!(text));
                    call["blocks"].as_array_mut().unwrap().push(other["blocks"][0].clone());
                    if kind == 2 {
                        response["blocks"].as_array_mut().unwrap().push(answer["blocks"][0].clone());
                    } else {
                        more.push(answer);
                    }
                }
                entries.push(call);
                entries.push(response);
                entries.extend(more);
            }
        }
    }
    history(entries)
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn the_new_history_is_legal_and_what_is_kept_is_untouched(
        turns in proptest::collection::vec(turn(), 0..25),
        which in 0..3usize,
        (top, keep) in (0..=10u32, 0..=10u32),
        added in proptest::collection::vec(turn(), 0..3),
    ) {
        let strategy = ["middle-out", "one-shot", "structured"][which];
        let found = build(&turns);
        let settings = settings(strategy, json!({"topPreserve": f64::from(top) / 10.0, "preserve": f64::from(keep) / 10.0}));
        let Planned::Request(request) = request_contents(&found, &settings).unwrap() else { return Ok(()) };
        let plan = &request.plan;
        for part in [&found[..plan.start as usize], &found[plan.start as usize..plan.end as usize], &found[plan.end as usize..]] {
            prop_assert!(check_pairs(part).is_ok(), "{:?}", check_pairs(part));
        }
        // Everything that is summarised is sent.
        let sent: String = request.messages.iter().map(|message| message_text(&found, message, "")).collect();
        for number in 0..turns.len() {
            let inside = found[plan.start as usize..plan.end as usize].iter().any(|content| {
                serde_json::to_string(content).unwrap().contains(&format!("turn {number}."))
            });
            let is_sent = sent.contains(&format!("words of turn {number}. "));
            prop_assert!(!inside || is_sent);
        }
        let mut now = found.clone();
        now.extend(build(&added));
        let given = if which == 2 { STRUCTURED.to_owned() } else { reply(strategy, &[]) };
        let (outcome, after) = apply_contents(&now, plan, &given, &settings).unwrap();
        match (outcome, after) {
            (Outcome::Applied(applied), Some(after)) => {
                prop_assert_eq!(&after[..plan.start as usize], &now[..plan.start as usize]);
                let tail = &now[plan.end as usize..];
                prop_assert_eq!(&after[after.len() - tail.len()..], tail);
                prop_assert!(after.len() <= now.len() + 2);
                let (calls, responses) = calls_and_responses(&after);
                prop_assert_eq!(calls, responses);
                prop_assert!(applied.metadata.tokens_after < applied.metadata.tokens_before);
                let settings = densify::summary::SummarySettings { state: Some(applied.state), ..settings };
                prop_assert!(request_contents(&after, &settings).is_ok());
            }
            // A range that is smaller than any summary.
            (Outcome::Failed { .. }, None) => {}
            (other, _) => prop_assert!(false, "{:?}", other),
        }
    }

    #[test]
    fn parts_fit_and_hold_everything_once(
        turns in proptest::collection::vec(turn(), 4..20),
        window in 2_000..6_000u32,
    ) {
        let found = build(&turns);
        let settings = settings("structured", json!({"window": window, "replyTokens": 200}));
        let Planned::Request(request) = request_contents(&found, &settings).unwrap() else { return Ok(()) };
        let mut all = String::new();
        for messages in std::iter::once(&request.messages).chain(&request.remaining) {
            let texts: Vec<String> = messages.iter().map(|message| message_text(&found, message, "")).collect();
            let tokens: u32 = texts.iter().map(|text| densify::tokens::estimate::estimate(text)).sum();
            prop_assert!(tokens <= window - 200, "{tokens}");
            let body = texts.iter().find(|text| text.starts_with("===== HISTORY")).unwrap();
            let (_, body) = body.split_once('\n').unwrap();
            all += body.rsplit_once('\n').unwrap().0;
        }
        let whole = settings_without_window(&found);
        prop_assert_eq!(all, whole);
    }
}

proptest! {
    #![proptest_config(cases(120))]

    /// Entries that no agent should write: repeated ids, late responses, unknown speakers and blocks.
    #[test]
    fn odd_histories_are_summarised_like_others(
        found in odd(Manner::Any, 14),
        which in 0..3usize,
        keep in 0..=5u32,
        window in prop_oneof![Just(None), (2_500..5_000u32).prop_map(Some)],
    ) {
        let strategy = ["middle-out", "one-shot", "structured"][which];
        let mut more = json!({"preserve": f64::from(keep) / 10.0});
        if let Some(window) = window {
            more["window"] = json!(window);
        }
        let settings = settings(strategy, more);
        let Planned::Request(request) = request_contents(&found, &settings).unwrap() else { return Ok(()) };
        let mut plan = request.plan.clone();
        let (start, end) = (plan.start as usize, plan.end as usize);
        // Whatever isn't understood stays.
        let is_other = |content: &&Content| matches!(content.speaker, Speaker::Other(_));
        let others = found.iter().filter(is_other).count();
        let given = if which == 2 { STRUCTURED.to_owned() } else { reply(strategy, &[]) };
        for part in 0..=request.remaining.len() {
            let (outcome, after) = apply_contents(&found, &plan, &given, &settings).unwrap();
            match outcome {
                Outcome::Continue { plan: next, .. } => plan = *next,
                Outcome::Applied(applied) => {
                    prop_assert_eq!(part, request.remaining.len());
                    let after = after.unwrap();
                    prop_assert_eq!(&after[..start], &found[..start]);
                    prop_assert_eq!(&after[after.len() - (found.len() - end)..], &found[end..]);
                    prop_assert_eq!(after.iter().filter(is_other).count(), others);
                    prop_assert_eq!(after.len(), applied.metadata.compressed_message_count as usize);
                }
                Outcome::Failed { findings, .. } => prop_assert_eq!(findings[0].code, Code::NotSmaller),
                Outcome::Conflict { .. } => prop_assert!(false, "nothing changed"),
            }
        }
    }
}

/// The history's text in a request of one part.
fn settings_without_window(found: &[Content]) -> String {
    let request = super::asked(found, &settings("structured", json!({})));
    let texts: Vec<String> =
        request.messages.iter().map(|message| message_text(found, message, "")).collect();
    let body = texts.into_iter().find(|text| text.starts_with("===== HISTORY")).unwrap();
    let (_, body) = body.split_once('\n').unwrap();
    body.rsplit_once('\n').unwrap().0.to_owned()
}
