//! What there is to know of the strategies (REQ-HD-001, 004; requirements section 2).

use densify::ErrorCode;
use densify::strategy::{Outcome, Strategy};
use densify::summary::SUMMARY_HEAD;
use densify::{compress_contents, optimizer::Optimizer};
use serde_json::{Value, json};

use crate::script::parse;
use crate::support::{contents, options};

fn infos() -> Vec<Value> {
    Strategy::ALL.into_iter().map(|strategy| serde_json::to_value(strategy.info()).unwrap()).collect()
}

#[test]
fn req_001_1_every_strategy_declares_its_trigger() {
    for info in infos() {
        let mode = info["trigger"]["mode"].as_str().unwrap();
        assert!(matches!(mode, "threshold" | "continuous"), "{info}");
        assert!((info["trigger"]["defaultThreshold"].as_f64().unwrap() - 0.85).abs() < 1e-9, "{info}");
    }
}

#[test]
fn req_001_3_req_001_4_the_others_wait_for_their_threshold() {
    for info in infos().into_iter().filter(|info| info["name"] != "high-density" && info["name"] != "auto") {
        assert_eq!(info["trigger"]["mode"], "threshold", "{info}");
    }
}

#[test]
fn req_004_1_req_004_4_one_list_names_all_strategies() {
    let names: Vec<Value> = infos().into_iter().map(|info| info["name"].clone()).collect();
    let expected =
        ["middle-out", "top-down-truncation", "one-shot", "high-density", "structured", "digest", "auto"];
    assert_eq!(names, expected);
}

#[test]
fn req_004_2_every_name_gives_its_strategy() {
    for strategy in Strategy::ALL {
        assert_eq!(Strategy::named(strategy.name()), Ok(strategy));
    }
}

#[test]
fn req_004_3_high_density_works_continuously_and_needs_no_model() {
    let info = serde_json::to_value(Strategy::HighDensity.info()).unwrap();
    assert_eq!(
        info,
        json!({
            "name": "high-density",
            "requiresLLM": false,
            "trigger": {"mode": "continuous", "defaultThreshold": 0.85},
        })
    );
}

#[test]
fn auto_works_continuously_and_may_need_a_model() {
    let info = serde_json::to_value(Strategy::Auto.info()).unwrap();
    let trigger = json!({"mode": "continuous", "defaultThreshold": 0.85});
    assert_eq!(info, json!({"name": "auto", "requiresLLM": true, "trigger": trigger}));
}

#[test]
fn an_unknown_strategy_is_an_error_that_lists_the_known_ones() {
    for name in ["", "High-Density", "high_density", "constructor"] {
        let error = Strategy::named(name).unwrap_err();
        assert_eq!(error.code(), ErrorCode::UnknownStrategy);
        assert_eq!(error.option_key(), Some("strategy"));
        assert!(Strategy::ALL.into_iter().all(|known| error.message().contains(known.name())), "{error}");
    }
}

#[test]
fn req_013_4_a_strategy_that_needs_a_model_is_an_error_never_another_strategy() {
    let history = parse("human: Hello.\nai: \"Hello.\"");
    for name in ["middle-out", "one-shot", "structured", "auto"] {
        let settings = options(json!({"strategy": name, "contextLimit": 1}));
        let error = compress_contents(&history, &settings).unwrap_err();
        assert_eq!(error.code(), ErrorCode::StrategyNeedsModel);
        assert!(error.message().contains(name), "{error}");
        let mut optimizer = Optimizer::new(&options(json!({}))).unwrap();
        assert!(optimizer.compress(&settings, &history.as_slice()).is_err());
        // The optimizer is as it was.
        assert_eq!(optimizer.run(&history.as_slice(), true).unwrap().edits, vec![]);
    }
}

#[test]
fn truncation_leaves_the_newest_summary_alone() {
    let said =
        |speaker: &str, text: &str| json!({"speaker": speaker, "blocks": [{"type": "text", "text": text}]});
    let long = "more words than anybody needs to read ".repeat(40);
    let mut flagged = said("human", "what went before");
    flagged["metadata"] = json!({"isSummary": true});
    let ours = format!("{SUMMARY_HEAD}\n\n## Goal\nIt.\n\n[Pinned, verbatim]\n- the port is 8080");
    let older = ours.replace("8080", "9090");
    let in_passing = format!("see: {SUMMARY_HEAD}");
    for (summary, stays) in [
        (flagged, true),
        (said("human", &ours), true),
        (said("ai", &ours), false),
        (said("human", &in_passing), false),
    ] {
        for strategy in ["top-down-truncation", "high-density"] {
            let mut entries = vec![said("human", "Build it."), said("human", &older), said("ai", &long)];
            entries.extend([summary.clone(), said("ai", &long), said("human", &long), said("ai", &long)]);
            let mut history = contents(json!(entries));
            if !stays {
                history.remove(1);
            }
            let settings = json!({"strategy": strategy, "contextLimit": 1_000, "preserve": {"messages": 1}});
            let (after, outcome) = compress_contents(&history, &options(settings)).unwrap();
            assert!(matches!(outcome, Outcome::Applied(_)), "{strategy}");
            let wanted = contents(json!([summary])).remove(0);
            assert_eq!(after.contains(&wanted), stays, "{strategy} {summary}");
            // Of two the newest has all that the older one had.
            assert!(!after[..after.len() - 1].contains(&history[1]), "{strategy} {summary}");
        }
    }
}

/// Two requests, and a long turn of the agent behind the newest one.
fn two_requests() -> Vec<densify::content::Content> {
    let mut script = "human: \"Request one: set up the repo.\"\n".to_owned();
    let turns = |from: usize, to: usize| {
        (from..to)
            .map(|at| format!("ai: run_shell_command#{at} ls{at}\ntool: #{at} x*400\n"))
            .collect::<String>()
    };
    script += &turns(1, 4);
    script += "ai: \"Done.\"\nhuman: \"Request two: rename Cart to Basket everywhere.\"\n";
    script += &turns(4, 40);
    parse(&script)
}

#[test]
fn the_newest_request_stays_longer_than_the_first_one() {
    let history = two_requests();
    for strategy in ["high-density", "top-down-truncation"] {
        let mut is_first_gone = false;
        for limit in [4_000, 1_000, 400, 250, 150, 100] {
            let settings = options(
                json!({"strategy": strategy, "contextLimit": limit, "keepFirstRequest": true, "preserve": {"messages": 2}}),
            );
            let Ok((output, Outcome::Applied(metadata))) = compress_contents(&history, &settings) else {
                panic!("{strategy} {limit}: nothing was done")
            };
            let (has_first, has_newest) = (output.contains(&history[0]), output.contains(&history[8]));
            assert!(has_newest || !has_first, "{strategy} {limit}");
            assert_eq!(has_newest, !metadata.gave_up_newest_request, "{strategy} {limit}");
            assert_eq!(has_first, !metadata.gave_up_first_request, "{strategy} {limit}");
            is_first_gone |= has_newest && !has_first;
        }
        assert!(is_first_gone, "{strategy}");
    }
}
