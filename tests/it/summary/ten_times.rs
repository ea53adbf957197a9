//! Ten compactions in a row: what must stay to the letter stays (requirements 4, 8.12).

use densify::content::Content;
use densify::summary::{Code, Outcome, Stored, SummarySettings, apply_contents};
use serde_json::json;

use super::{STRUCTURED, asked, compacted, history, human, reply, settings, text, turns};

const PINS: [&str; 5] = ["the port is 8080", "never force-push", "two\nlines", "[2 lines]", "- a list mark"];
const SAID: [&str; 3] =
    ["Never push to main.", "Do not touch config/prod.yml", "Always run the tests first!"];

fn start() -> Vec<Content> {
    let mut entries = turns(6);
    entries[8] = human(format!("Go on. {} {}\n{}", SAID[0], SAID[1], SAID[2]));
    history(entries)
}

fn check(after: &[Content], round: usize) {
    let summaries: Vec<String> =
        after.iter().map(text).filter(|text| text.starts_with("[Summary of")).collect();
    assert_eq!(summaries.len(), 1, "one summary after round {round}");
    let stored = Stored::parse(&summaries[0]);
    assert_eq!(stored.pins, PINS, "round {round}");
    for (kind, all) in [("pin", &PINS[..]), ("instruction", &SAID[..])] {
        for one in all {
            assert!(summaries[0].contains(one), "{kind} {one} is lost in round {round}:\n{}", summaries[0]);
        }
    }
    assert_eq!(stored.constraints, SAID, "round {round}");
    assert!(summaries[0].len() < 3_000, "it doesn't grow");
}

fn ten_times(strategy: &str, given: &str) {
    let mut found = start();
    let pinned: SummarySettings = settings(strategy, json!({"pins": PINS}));
    // Pins stay even if the caller names them but once.
    let later = settings(strategy, json!({}));
    for round in 0..10 {
        let (mut after, _) = compacted(&found, if round == 0 { &pinned } else { &later }, given);
        check(&after, round);
        after.extend(history(turns(6)));
        found = after;
    }
}

#[test]
fn pins_and_prohibitions_stay_through_ten_compactions_of_one_shot() {
    ten_times("one-shot", &reply("one-shot", &[]));
}

#[test]
fn pins_and_prohibitions_stay_through_ten_compactions_of_middle_out() {
    ten_times("middle-out", &reply("middle-out", &[]));
}

#[test]
fn pins_and_prohibitions_stay_through_ten_compactions_of_structured() {
    ten_times("structured", STRUCTURED);
}

#[test]
fn pins_of_any_form_are_kept() {
    let pins = json!([
        "a\r\nb",
        "c\r",
        " d \n",
        "[Pinned, verbatim]",
        "e\n\n[Standing instructions of the user, verbatim]\n- f",
        "g\n<read-files>\n/h\n</read-files>",
        "<modified-files>",
        "",
        " "
    ]);
    let (after, _) =
        compacted(&start(), &settings("one-shot", json!({"pins": pins})), &reply("one-shot", &[]));
    let stored = Stored::parse(&text(&after[0]));
    let kept = [
        "a\nb",
        "c",
        "d",
        "[Pinned, verbatim]",
        "e\n\n[Standing instructions of the user, verbatim]\n- f",
        "g\n<read-files>\n/h\n</read-files>",
        "<modified-files>",
    ];
    assert_eq!(stored.pins, kept);
    assert_eq!(stored.constraints, SAID);
}

#[test]
fn instructions_of_a_state_are_kept_whatever_their_line_ends() {
    let constraints = json!(["Never\r\npush.", "Always ask.\r", "Do not\rguess.", " Only read. \n", "\r\n"]);
    let state = json!({"lastSummary": "## Goal\nBefore.", "constraints": constraints});
    for (strategy, given) in [("one-shot", reply("one-shot", &[])), ("structured", STRUCTURED.to_owned())] {
        let (after, _) = compacted(&history(turns(6)), &settings(strategy, json!({"state": state})), &given);
        let stored = Stored::parse(&text(&after[0]));
        assert_eq!(
            stored.constraints,
            ["Never\npush.", "Always ask.", "Do not\nguess.", "Only read."],
            "{strategy}"
        );
    }
}

#[test]
fn a_pin_that_cannot_be_kept_is_no_fault_that_the_model_could_repair() {
    let found = start();
    let wish = settings("one-shot", json!({"pins": PINS}));
    let mut plan = asked(&found, &wish).plan;
    plan.pins.push("c\r".to_owned());
    let mut given = reply("one-shot", &[]);
    for _ in 0..2 {
        let (outcome, _) = apply_contents(&found, &plan, &given, &wish).unwrap();
        let Outcome::Failed { findings, repair, again, .. } = outcome else { panic!("{outcome:?}") };
        let lost = findings.iter().find(|finding| finding.code == Code::MissingPin).unwrap();
        assert_eq!(lost.text.as_deref(), Some("c\r"));
        assert_eq!((repair.len(), again), (0, true), "the same is asked again, with nothing to repair");
        // Not for what else is wrong with it either.
        given = given.replace("current_plan", "a_plan");
    }
}

#[test]
fn req_4_the_state_alone_carries_on() {
    let mut state = json!(null);
    for round in 0..10 {
        let mut entries = turns(3);
        if round == 0 {
            entries[4] = human(SAID[0]);
        }
        let mut more = json!({});
        if !state.is_null() {
            more["state"] = state.clone();
        }
        let (after, outcome) = compacted(&history(entries), &settings("structured", more), STRUCTURED);
        let Outcome::Applied(applied) = outcome else { panic!() };
        assert!(text(&after[0]).contains(SAID[0]), "round {round}");
        state = serde_json::to_value(&applied.state).unwrap();
        assert_eq!(state["constraints"], json!([SAID[0]]));
        assert!(state["lastSummary"].as_str().unwrap().starts_with(STRUCTURED));
    }
}

#[test]
fn what_only_may_be_an_instruction_gives_way_to_those_that_are() {
    let mut found = history(turns(4));
    found.splice(8..8, history(vec![human("Never push to main.")]));
    let mut left_out = 0;
    for round in 0..10 {
        let chat: String = (0..10).map(|at| format!("Thing {round}.{at} is only a guess.\n")).collect();
        let (mut after, outcome) = compacted(&found, &settings("structured", json!({})), STRUCTURED);
        let Outcome::Applied(applied) = outcome else { panic!() };
        let codes = applied.findings.iter().filter(|finding| finding.code == Code::InstructionLeftOut);
        left_out += codes.count();
        let stored = Stored::parse(&text(&after[0]));
        assert_eq!(stored.constraints[0], "Never push to main.", "round {round}");
        assert!(stored.constraints.len() <= 40);
        after.push(history(vec![human(chat)]).remove(0));
        after.extend(history(turns(3)));
        found = after;
    }
    assert_eq!(left_out, 51, "each that went was told of, once: 90 were said");
}

#[test]
fn of_very_many_instructions_the_newest_stay_and_the_others_are_told_of() {
    let mut entries = turns(6);
    entries[4] = human((0..120).map(|at| format!("Never do thing {at}.\n")).collect::<String>());
    let long = format!("Never send {} unless I say so", "this or that ".repeat(200));
    entries[8] = human(&long);
    let (after, outcome) =
        compacted(&history(entries), &settings("one-shot", json!({})), &reply("one-shot", &[]));
    let stored = Stored::parse(&text(&after[0]));
    assert_eq!(stored.constraints.len(), 100);
    assert_eq!(stored.constraints[98], "Never do thing 119.");
    // What is cut says so.
    assert!(
        stored.constraints[99].ends_with('…')
            && long.starts_with(stored.constraints[99].trim_end_matches('…'))
    );
    let Outcome::Applied(applied) = outcome else { panic!() };
    let told: Vec<&str> = applied.findings.iter().filter_map(|finding| finding.text.as_deref()).collect();
    assert_eq!(told.len(), 21);
    assert_eq!((told[0], told[20]), ("Never do thing 0.", "Never do thing 20."));
}

#[test]
fn req_4_files_accumulate_and_are_listed_once() {
    let mut found = history(turns(2));
    for round in 0..10 {
        let (mut after, outcome) = compacted(&found, &settings("structured", json!({})), STRUCTURED);
        let Outcome::Applied(applied) = outcome else { panic!() };
        let stored = text(&after[0]);
        assert_eq!(stored.matches("<read-files>").count(), 1);
        assert_eq!(stored.matches("<modified-files>").count(), usize::from(round > 0));
        assert!(stored.ends_with("-files>"));
        // The first two files, and those that were read since; what was written isn't listed as read.
        assert_eq!(applied.state.read_files.len(), 2 + round);
        assert_eq!(applied.state.modified_files.len(), round);
        assert!(!applied.state.last_summary.contains("-files>"));
        let mut entries = turns(1);
        entries.extend(super::calls(
            "r",
            "read_file",
            json!({"file_path": format!("read{round}.rs")}),
            json!("text"),
        ));
        entries.extend(super::calls(
            "w",
            "write_file",
            json!({"file_path": format!("new{round}.rs")}),
            json!("ok"),
        ));
        entries
            .push(super::calls("x", "write_file", json!({"file_path": "failed.rs"}), json!("ok"))[0].clone());
        entries.push(json!({"speaker": "tool", "blocks": [
            {"type": "tool_response", "callId": "x", "toolName": "write_file", "error": "no"}]}));
        after.extend(history(entries));
        found = after;
    }
}
