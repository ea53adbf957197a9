//! Replies and plans that anybody could have written: a typed finding or error, never a panic, and never
//! more than linear time.

use std::time::{Duration, Instant};

use densify::ErrorCode;
use densify::summary::{Code, Outcome, Plan, apply_contents, verify_contents};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::histories::cases;

use super::{STRUCTURED, asked, history, reply, settings, turns};

/// What a reply of a broken or malicious model may be made of.
const PIECES: &[&str] = &[
    "<state_snapshot>",
    "</state_snapshot>",
    "<scratchpad>",
    "</scratchpad>",
    "<think>",
    "</think>",
    "<thinking>",
    "<user_directives>",
    "</user_directives>",
    "<key_knowledge>",
    "</key_knowledge>",
    "<overall_goal>",
    "</overall_goal>",
    "## Goal",
    "## Constraints & Preferences",
    "\n",
    "- ",
    "\"",
    "'",
    "“",
    "…",
    "[redacted",
    "]",
    "`",
    "```\n",
    "<",
    ">",
    "</",
    "<tool_call>",
    "[Pinned, verbatim]\n",
    "- [9 lines]\n",
    "<read-files>\n",
    "</read-files>\n",
    "é",
    "😀",
    "\u{feff}",
    "\r\n",
    "src/a.rs",
    "//",
    "::",
    "1. ",
    "None.",
    "a few words of text ",
    "[Summary of the conversation so far, kept by densify]\n",
];

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn no_reply_panics(pieces in proptest::collection::vec(0..PIECES.len(), 0..60), which in 0..3usize) {
        let given: String = pieces.iter().map(|&at| PIECES[at]).collect();
        let strategy = ["middle-out", "one-shot", "structured"][which];
        let found = history(turns(5));
        let settings = settings(strategy, json!({}));
        let plan = asked(&found, &settings).plan;
        let (outcome, after) = apply_contents(&found, &plan, &given, &settings).unwrap();
        let verified = verify_contents(&found, &settings, &given).unwrap();
        prop_assert_eq!(verified.ok, matches!(outcome, Outcome::Applied(_)));
        prop_assert_eq!(after.is_some(), verified.ok);
        let is_missing = verified.findings.iter().any(|finding| finding.code == Code::MissingSection);
        prop_assert_eq!(verified.repair.is_empty(), verified.ok && !is_missing);
    }

    #[test]
    fn a_mutated_plan_is_an_error_or_a_plan(key in 0..20usize, value in 0..14usize, drop in any::<bool>()) {
        let found = history(turns(6));
        let settings = settings("middle-out", json!({"pins": ["x"], "todos": [{"content": "t"}], "transcriptPath": "/p"}));
        let mut plan = serde_json::to_value(asked(&found, &settings).plan).unwrap();
        let keys: Vec<String> = plan.as_object().unwrap().keys().cloned().collect();
        let key = &keys[key % keys.len()];
        if drop {
            plan.as_object_mut().unwrap().remove(key);
        } else {
            plan[key] = mutation(value, &plan[key]);
        }
        match Plan::read(&plan) {
            Err(error) => prop_assert_eq!(error.code(), ErrorCode::InvalidRequest),
            Ok(plan) => {
                let outcome = apply_contents(&found, &plan, &reply("middle-out", &[]), &settings);
                prop_assert!(outcome.is_ok());
            }
        }
    }
}

fn mutation(number: usize, old: &Value) -> Value {
    let longer = old.as_str().map_or(json!("0"), |text| json!(format!("{text}0")));
    [
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(1),
        json!(7),
        json!(4_294_967_295_u32),
        json!(1e300),
        json!("text"),
        json!([]),
        json!({}),
        json!([5, 5]),
        json!(["a", "b"]),
        longer,
    ][number]
        .clone()
}

#[test]
fn what_is_no_plan_is_a_typed_error() {
    for value in [
        json!(null),
        json!([]),
        json!("plan"),
        json!({}),
        json!({"version": 2}),
        json!({"version": 1, "strategy": "x"}),
    ] {
        assert_eq!(Plan::read(&value).unwrap_err().code(), ErrorCode::InvalidRequest);
    }
    let found = history(turns(6));
    let mut plan = serde_json::to_value(asked(&found, &settings("one-shot", json!({}))).plan).unwrap();
    plan["extra"] = json!(1);
    let error = Plan::read(&plan).unwrap_err();
    assert!(error.message().contains("extra"), "{error}");
    plan.as_object_mut().unwrap().remove("extra");
    assert_eq!(serde_json::to_value(Plan::read(&plan).unwrap()).unwrap(), plan);
}

#[test]
fn huge_replies_take_linear_time() {
    let found = history(turns(6));
    let good = reply("one-shot", &[]);
    let many = 100_000;
    for (strategy, given) in [
        ("one-shot", "<state_snapshot>".repeat(many)),
        ("one-shot", "<state_snapshot></state_snapshot>".repeat(many)),
        ("one-shot", "<scratchpad>".repeat(many)),
        ("one-shot", "<scratchpad></scratchpad>".repeat(many)),
        ("one-shot", "<think><scratchpad></scratchpad>".repeat(many)),
        ("one-shot", "<".repeat(many)),
        ("one-shot", good.replacen("None.", &"<overall_goal>".repeat(many), 1)),
        (
            "one-shot",
            good.replace(
                "<user_directives>\nNone.",
                &format!("<user_directives>\n{}", "- \"x' `\n".repeat(many)),
            ),
        ),
        (
            "one-shot",
            good.replace(
                "<user_directives>\nNone.",
                &format!("<user_directives>\n- {}", "\"a ".repeat(many)),
            ),
        ),
        (
            "one-shot",
            good.replace(
                "<user_directives>\nNone.",
                &format!("<user_directives>\n- \"{}\"", "… a b ".repeat(1_000)),
            ),
        ),
        (
            "one-shot",
            good.replace(
                "<code_references>\nNone.",
                &format!("<code_references>\n{}", "a/b.c ".repeat(many)),
            ),
        ),
        ("structured", "## Goal\n".repeat(many)),
        ("structured", "```\n".repeat(many)),
        ("structured", [STRUCTURED, &"\n- a line".repeat(many)].concat()),
    ] {
        let settings = settings(strategy, json!({}));
        let start = Instant::now();
        let _ = verify_contents(&found, &settings, &given).unwrap();
        let took = start.elapsed();
        // Quadratic work would take many minutes; a debug build on a busy machine doesn't take one.
        assert!(
            took < Duration::from_secs(60),
            "{strategy} {}… took {took:?}",
            &given[..80.min(given.len())]
        );
    }
}
