//! The strategy top-down-truncation (requirements section 2).

use densify::compress_contents;
use densify::content::Content;
use densify::options::CompressSettings;
use densify::strategy::{NoopReason, Outcome};
use serde_json::{Value, json};

use crate::oracle::tokens_of;
use crate::script::{assert_script, parse};
use crate::support::{check_pairs, contents, options};

fn settings(target: u64, further: Value) -> CompressSettings {
    #[allow(clippy::cast_precision_loss)]
    let limit = (target as f64 + 0.5) / 0.6;
    let mut settings = json!({"strategy": "top-down-truncation", "contextLimit": limit, "threshold": 1});
    settings.as_object_mut().unwrap().append(&mut further.as_object().unwrap().clone());
    options(settings)
}

fn compress(history: &[Content], target: u64, further: Value) -> (Vec<Content>, Outcome) {
    compress_contents(history, &settings(target, further)).unwrap()
}

fn tokens(history: &[Content]) -> u64 {
    history.iter().map(tokens_of).sum()
}

fn session() -> Vec<Content> {
    parse(
        "human: Build it, please, and make it good.
         ai: read_file#1 a.ts
         tool: #1 x*300
         ai: \"Some words.\"
         human: Go on.
         ai: read_file#2 b.ts | grep#3
         tool: #2 x*300
         tool: #3 x*300
         ai: \"Done.\"",
    )
}

#[test]
fn the_smallest_boundary_that_leaves_at_most_the_target() {
    let history = session();
    for cut in [1, 3, 4, 5] {
        let target = tokens(&history[cut..]);
        let (output, _) = compress(&history, target, json!({}));
        assert_eq!(output, history[cut..], "the target is met exactly");
    }
    // One token less, and the next boundary is needed.
    let (output, _) = compress(&history, tokens(&history[1..]) - 1, json!({}));
    assert_eq!(output, history[3..]);
}

#[test]
fn fault_no_orphan_is_left_at_the_front() {
    let history = session();
    for target in 0..tokens(&history) {
        let (output, _) = compress(&history, target, json!({}));
        assert_eq!(check_pairs(&output), Ok(()), "target {target}");
    }
}

#[test]
fn two_entries_stay_at_least() {
    let history = parse("human: Some words.\nai: \"Others.\"\nhuman: More.\nai: \"Yes.\"");
    let (output, outcome) = compress(&history, 0, json!({}));
    assert_eq!(output, history[2..]);
    let Outcome::Applied(metadata) = outcome else { panic!("nothing was done") };
    assert!(!metadata.target_reached);
    assert_eq!((metadata.entries_dropped, metadata.tail_count, metadata.results_summarized), (2, 2, 0));
    // Unless that would part a pair.
    let history = parse("human: Some words.\nai: grep#1\ntool: #1 x*99");
    assert_eq!(compress(&history, 0, json!({})).0, history[1..]);
    assert_eq!(compress(&history[1..], 0, json!({})).1, Outcome::Noop(NoopReason::NothingToGain));
}

#[test]
fn fault_applied_is_said_only_if_something_changed() {
    let history = session();
    assert_eq!(compress(&[], 0, json!({})).1, Outcome::Noop(NoopReason::EmptyHistory));
    let target = tokens(&history);
    assert_eq!(compress(&history, target, json!({})).1, Outcome::Noop(NoopReason::AlreadyUnderTarget));
    assert_eq!(compress(&history[..1], 0, json!({})).1, Outcome::Noop(NoopReason::NothingToGain));
}

#[test]
fn fault_the_first_request_stays_if_that_is_asked_for() {
    let history = session();
    let kept = tokens(&history[..1]);
    let keep = || json!({"keepFirstRequest": true});
    let (output, outcome) = compress(&history, kept + tokens(&history[4..]), keep());
    assert_script(
        &output,
        "human: Build it, please, and make it good.
         human: Go on.
         ai: read_file#2 b.ts | grep#3
         tool: #2 x*300
         tool: #3 x*300
         ai: \"Done.\"",
    );
    assert!(matches!(outcome, Outcome::Applied(metadata) if metadata.target_reached));
    // Its tokens count.
    let (output, _) = compress(&history, kept + tokens(&history[4..]) - 1, keep());
    // The newest request stays longer than the first one.
    assert_eq!(output, history[3..]);
}

#[test]
fn what_nobody_understands_stays_with_its_group() {
    let mut history = session();
    history[2] = contents(json!([{"speaker": "robot", "blocks": history[2].blocks}])).remove(0);
    let (output, _) = compress(&history, 0, json!({}));
    // The call whose response must stay stays as well.
    assert_eq!(output, [&history[1..3], &history[5..]].concat());
}

#[test]
fn the_first_request_gives_way_where_the_target_is_out_of_reach_with_it() {
    let history = session();
    let keep = |keep: Value| json!({"keepFirstRequest": keep});
    // With the request 1 token more is needed than the two newest entries and it have.
    let target = tokens(&history[..1]) + tokens(&history[5..]) - 1;
    for (option, first, gave_up) in
        [(json!(true), 3, true), (json!("always"), 0, false), (json!(false), 3, false)]
    {
        let (output, outcome) = compress(&history, target, keep(option.clone()));
        let Outcome::Applied(metadata) = outcome else { panic!("nothing was done") };
        assert_eq!(
            (output.first(), metadata.gave_up_first_request),
            (history.get(first), gave_up),
            "{option}"
        );
        assert_eq!(metadata.target_reached, option != json!("always"), "{option}");
    }
    // Nothing fits: the request stays, since its loss would not be enough either.
    let limit = tokens(&history) * 4;
    let settings = options(
        json!({"strategy": "top-down-truncation", "contextLimit": limit, "threshold": 0.1, "keepFirstRequest": true, "preserve": {"messages": 4}}),
    );
    let (output, outcome) = compress_contents(&history, &settings).unwrap();
    assert_eq!(output, [&history[..1], &history[4..]].concat());
    assert!(matches!(outcome, Outcome::Applied(metadata) if !metadata.gave_up_first_request));
}

#[test]
fn the_tail_that_is_asked_for_stays() {
    let history = session();
    for (preserve, from) in [
        (json!({"messages": 1}), 8),
        (json!({"messages": 4}), 5),
        (json!({"messages": 6}), 3),
        (json!(0.9), 0),
    ] {
        let (output, outcome) = compress(&history, 0, json!({"preserve": preserve}));
        assert_eq!(output, history[from..], "{preserve}");
        assert_eq!(outcome == Outcome::Noop(NoopReason::NothingToGain), from == 0, "{preserve}");
    }
    let error = compress_contents(&history, &settings(0, json!({"preserve": 2}))).unwrap_err();
    assert_eq!(error.option_key(), Some("preserve"));
}
