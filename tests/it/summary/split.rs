//! Which entries are summarised (requirements 2 and 8.14).

use densify::content::Content;
use densify::strategy::NoopReason;
use densify::summary::{DigestSettings, History, Planned, digest_contents, request};
use densify::tools::ToolTable;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{ai, asked, history, human, reads, settings, turns};
use crate::support::{json as read_json, options, shared};
use crate::vectors::{Entry, view_of};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    entries: Vec<Entry>,
    top_preserve_threshold: f64,
    preserve_threshold: f64,
    expected: Value,
}

#[test]
fn split_vectors_come_out_exactly() {
    let Some(path) = shared("vectors/split.json") else { return };
    let cases: Vec<Case> = read_json(&path);
    let nothing: &[Content] = &[];
    let mut noops = 0;
    for (number, case) in cases.iter().enumerate() {
        let view = view_of(&case.entries, None);
        let settings = settings(
            "middle-out",
            json!({"topPreserve": case.top_preserve_threshold, "preserve": case.preserve_threshold}),
        );
        let history = History { view: &view, source: &nothing, tools: &ToolTable::default() };
        let length = case.entries.len();
        match request(history, &settings).unwrap() {
            Planned::Noop { .. } => {
                noops += 1;
                assert!(
                    case.expected.get("noop").is_some() || case.expected == json!("noop"),
                    "case {number}: {}",
                    case.expected
                );
            }
            Planned::Request(request) => {
                let (start, end) = (request.plan.start as usize, request.plan.end as usize);
                let found = json!({"top": start, "middle": end - start, "bottom": length - end});
                assert_eq!(found, case.expected, "case {number}");
            }
        }
    }
    assert_eq!(cases.len(), 200);
    eprintln!("{noops} noops");
}

fn noop(entries: Vec<Value>, strategy: &str, more: Value) -> NoopReason {
    let history = history(entries);
    match densify::summary::request_contents(&history, &settings(strategy, more)).unwrap() {
        Planned::Noop { reason } => reason,
        Planned::Request(request) => panic!("{:?}", request.plan),
    }
}

fn plain(count: usize) -> Vec<Value> {
    (0..count).map(|at| if at % 2 == 0 { human(format!("q{at}")) } else { ai(format!("a{at}")) }).collect()
}

#[test]
fn req_8_14_too_few_entries_are_a_noop() {
    for strategy in ["middle-out", "one-shot", "structured"] {
        assert_eq!(noop(vec![], strategy, json!({})), NoopReason::EmptyHistory);
    }
    assert_eq!(noop(plain(5), "one-shot", json!({})), NoopReason::TooFewCompressible);
    assert_eq!(noop(plain(6), "middle-out", json!({})), NoopReason::TooFewCompressible);
    assert_eq!(noop(plain(6), "one-shot", json!({"preserve": 1.0})), NoopReason::TailCoversAll);
    assert_eq!(asked(&history(plain(6)), &settings("one-shot", json!({}))).plan.end, 4);
    assert_eq!(asked(&history(plain(1)), &settings("structured", json!({}))).plan.end, 1);
}

#[test]
fn req_2_middle_out_keeps_top_and_tail() {
    let request = asked(&history(plain(20)), &settings("middle-out", json!({})));
    assert_eq!((request.plan.start, request.plan.end), (4, 14));
    let more = json!({"topPreserve": {"messages": 2}, "preserve": {"messages": 3}});
    let request = asked(&history(plain(20)), &settings("middle-out", more));
    assert_eq!((request.plan.start, request.plan.end), (2, 17));
}

#[test]
fn the_first_request_stays_in_front_where_that_is_asked_for() {
    let keep = json!({"keepFirstRequest": true, "minMessages": 1, "preserve": {"messages": 1}});
    for strategy in ["one-shot", "structured"] {
        let request = asked(&history(plain(6)), &settings(strategy, keep.clone()));
        assert_eq!((request.plan.start, request.plan.end), (1, 5), "{strategy}");
    }
    // What a system says stays first anyhow, and the model's words before the request are in front of it.
    let mut entries = plain(6);
    entries.insert(0, ai("Hello."));
    let request = asked(&history(entries), &settings("one-shot", keep.clone()));
    assert_eq!((request.plan.start, request.plan.end), (2, 6));
    // Fewer than four messages are worth a summary only where that is said.
    let few = history(plain(3));
    let noop =
        densify::summary::request_contents(&few, &settings("one-shot", json!({"preserve": {"messages": 1}})));
    assert!(matches!(noop.unwrap(), Planned::Noop { reason: NoopReason::TooFewCompressible }));
    assert_eq!(asked(&few, &settings("one-shot", keep)).plan.start, 1);
}

#[test]
fn sizes_in_tokens_count_from_both_ends() {
    let entries: Vec<Value> =
        (0..20).map(|at| if at % 2 == 0 { human("one two three") } else { ai("one two three") }).collect();
    let more = json!({"topPreserve": {"tokens": 9}, "preserve": {"tokens": 12}});
    let request = asked(&history(entries), &settings("middle-out", more));
    assert_eq!((request.plan.start, request.plan.end), (3, 16));
}

#[test]
fn req_2_one_shot_summarises_all_before_the_tail() {
    let request = asked(&history(plain(20)), &settings("one-shot", json!({})));
    assert_eq!((request.plan.start, request.plan.end, request.plan.moved.len()), (0, 14, 0));
}

#[test]
fn req_4_structured_keeps_no_tail_but_open_calls() {
    let request = asked(&history(turns(3)), &settings("structured", json!({})));
    assert_eq!((request.plan.start, request.plan.end), (0, 12));
    let mut entries = turns(3);
    entries.push(human("go on"));
    entries.push(reads("open", "a.rs", "").into_iter().next().unwrap());
    let request = asked(&history(entries), &settings("structured", json!({})));
    assert_eq!(request.plan.end, 13);
    let request = asked(&history(turns(3)), &settings("structured", json!({"preserve": {"messages": 4}})));
    assert_eq!(request.plan.end, 8);
}

#[test]
fn req_2_a_short_newest_request_in_the_middle_moves_to_the_tail() {
    let mut entries = plain(6);
    entries.push(human("the newest request"));
    entries.extend((0..13).map(|at| ai(format!("step {at}"))));
    let request = asked(&history(entries.clone()), &settings("middle-out", json!({})));
    assert_eq!(request.plan.moved, [6]);
    entries[6] = human("a long request, word after word. ".repeat(200));
    let found = history(entries);
    let request = asked(&found, &settings("middle-out", json!({})));
    assert_eq!(request.plan.moved, [0_u32; 0]);
    let last = densify::summary::message_text(&found, request.messages.last().unwrap(), "");
    assert!(last.contains("a long request, word after word."), "{last}");
}

#[test]
fn req_8_15_already_under_the_target_is_checked_first() {
    assert_eq!(
        noop(turns(10), "middle-out", json!({"contextLimit": 100_000})),
        NoopReason::AlreadyUnderTarget
    );
    let request = asked(&history(turns(10)), &settings("middle-out", json!({"contextLimit": 6_000})));
    assert_eq!(request.plan.target, Some(3_060));
}

#[test]
fn an_earlier_summary_in_the_top_is_summarised_again() {
    let mut entries = turns(6);
    entries.insert(1, json!({"speaker": "human", "metadata": {"isSummary": true}, "blocks": [{"type": "text", "text": "earlier"}]}));
    let request = asked(&history(entries), &settings("middle-out", json!({})));
    assert_eq!(request.plan.start, 1);
    assert_eq!(request.plan.previous.as_deref(), Some("earlier"));
}

#[test]
fn what_the_caller_protects_is_kept() {
    // An unknown speaker is never edited.
    let mut entries = plain(20);
    entries[8] = json!({"speaker": "system", "blocks": [{"type": "text", "text": "rules"}]});
    let request = asked(&history(entries), &settings("middle-out", json!({})));
    assert_eq!(request.plan.moved, [8]);
}

#[test]
fn req_2_an_unknown_strategy_is_an_error_that_lists_the_known() {
    let options = json!({"strategy": "clever"});
    let error = densify::options::read_options::<densify::summary::SummarySettings>(&options).unwrap_err();
    assert_eq!(error.code(), densify::ErrorCode::UnknownStrategy);
    assert!(error.message().contains("middle-out") && error.message().contains("structured"), "{error}");
}

#[test]
fn the_kept_top_stays_from_summary_to_summary() {
    let settings = settings("middle-out", json!({}));
    let mut found = history(turns(15));
    let mut tops = Vec::new();
    for round in 0..4 {
        // Later turns are longer, so fewer of them make the next summary due.
        let (after, outcome) = super::compacted(&found, &settings, &super::reply("middle-out", &[]));
        let densify::summary::Outcome::Applied(applied) = outcome else { panic!("{round}") };
        tops.push(applied.top);
        found = after;
        found.extend(history(turns(3)));
    }
    assert_eq!(tops, [tops[0]; 4]);
    // A summary that stands far behind the top was made of something else.
    let mut far = turns(5);
    far.push(json!({"speaker": "human", "blocks": [{"type": "text", "text": "said"}], "metadata": {"isSummary": true}}));
    far.extend(turns(3));
    let top = asked(&history(far), &settings).plan.start;
    assert!(top < 10, "{top}");
}

/// Words of hosts that answer a repeated read so.
const STUBS: &[&str] = &[
    "File unchanged since your last read; refer to that result.",
    "Wasted call: the file has not changed. Refer to the earlier tool_result instead.",
];

fn with_stub(words: &str, path: &str, size: usize) -> Vec<Content> {
    let mut entries = turns(3);
    entries.extend(reads("long", "src/long.rs", "a line of the long file\n".repeat(size)));
    entries.extend(turns(6));
    entries.push(human("And now?"));
    entries.extend(reads("stub", path, words));
    history(entries)
}

fn holds_long(contents: &[Content]) -> bool {
    serde_json::to_string(contents).unwrap().contains("a line of the long file")
}

#[test]
fn what_a_stub_in_the_tail_means_stays_beside_the_summary() {
    for words in STUBS {
        for strategy in ["middle-out", "one-shot"] {
            for (path, is_kept) in [("src/long.rs", true), ("src/other.rs", false)] {
                let history = with_stub(words, path, 30);
                let settings = settings(strategy, json!({"preserve": {"messages": 4}}));
                let (contents, _) = super::compacted(&history, &settings, &super::reply(strategy, &[]));
                assert_eq!(holds_long(&contents), is_kept, "{strategy} {path}");
            }
        }
        let settings: DigestSettings = options(json!({"preserve": {"messages": 4}}));
        let (_, contents) = digest_contents(&with_stub(words, "src/long.rs", 30), &settings).unwrap();
        assert!(holds_long(&contents.unwrap()), "{words}");
    }
}

#[test]
fn a_result_that_would_leave_nothing_to_gain_goes_although_a_stub_means_it() {
    let settings = settings("one-shot", json!({"preserve": {"messages": 4}}));
    let history = with_stub(STUBS[0], "src/long.rs", 3_000);
    let (contents, _) = super::compacted(&history, &settings, &super::reply("one-shot", &[]));
    assert!(!holds_long(&contents));
}
