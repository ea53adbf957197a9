//! Files that a user included more than once (REQ-HD-006, requirements 8.6).

use densify::content::Content;
use densify::options::{FlushPolicy, OptimizeSettings, Preset};
use serde_json::json;

use crate::oracle::Config;
use crate::results::{lines, with};
use crate::script::{assert_script, parse};
use crate::session::{Session, settings};
use crate::support::{check, check_untouched, contents, density_config, optimize, optimize_with, options};

/// An entry of a user with these texts as blocks.
fn human(texts: &[&str]) -> Content {
    let blocks: Vec<_> = texts.iter().map(|text| json!({"type": "text", "text": text})).collect();
    contents(json!([{"speaker": "human", "blocks": blocks}])).remove(0)
}

const NEWER: &str = "--- a.ts ---\nnew\n--- End of content ---\n";

/// What is left of an entry's texts once `a.ts` was included again.
fn left_of(texts: &[&str]) -> Vec<String> {
    let history = [human(texts), human(&[NEWER])];
    let output = optimize(&history);
    assert_eq!(output.len(), 2);
    assert_eq!(output[1], history[1], "the newer copy stays");
    let json = serde_json::to_value(&output[0].blocks).unwrap();
    json.as_array().unwrap().iter().map(|block| block["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn req_006_1_req_006_2_of_a_file_the_newest_inclusion_stays() {
    check(
        "human: Look:\\n--- a.ts ---\\nold\\n--- End of content ---\\nPlease.
         ai: \"I see.\"
         human: --- a.ts ---\\nnew\\n--- End of content ---\\nAgain.",
        "human: Look:\\nPlease.
         ai: \"I see.\"
         human: --- a.ts ---\\nnew\\n--- End of content ---\\nAgain.",
    );
}

#[test]
fn req_006_2_paths_are_resolved() {
    let history = [human(&["x\n--- src/../a.ts ---\n1\n--- End of content ---\n"]), human(&[NEWER])];
    assert_script(&optimize(&history)[..1], "human: x\\n");
    let rooted = [human(&["x\n--- /w/a.ts ---\n1\n--- End of content ---\n"]), human(&[NEWER])];
    assert_eq!(optimize(&rooted), rooted);
    assert_script(&optimize_with(&rooted, json!({"workspaceRoot": "/w"}))[..1], "human: x\\n");
    let other_case = [human(&["x\n--- A.ts ---\n1\n--- End of content ---\n"]), human(&[NEWER])];
    assert_eq!(optimize(&other_case), other_case);
}

#[test]
fn req_006_2_several_of_one_text_and_of_many_entries() {
    check(
        "human: 1\\n--- a ---\\n1\\n--- End of content ---\\n2\\n--- b ---\\n1\\n--- End of content ---\\n3\\n--- a ---\\n2\\n--- End of content ---\\n4
         human: --- b ---\\n2\\n--- End of content ---\\n5
         human: 6\\n--- b ---\\n3\\n--- End of content ---\\n",
        "human: 1\\n2\\n3\\n--- a ---\\n2\\n--- End of content ---\\n4
         human: 5
         human: 6\\n--- b ---\\n3\\n--- End of content ---\\n",
    );
}

#[test]
fn req_006_3_entries_are_replaced_never_removed() {
    let history = parse(
        "human: --- a.ts ---\\na long old content of it\\n--- End of content ---\\n
         human: --- a.ts ---\\nnew\\n--- End of content ---\\n",
    );
    let result = densify::propose_density(&history, &options(density_config())).unwrap();
    assert_eq!(result.removals, Vec::<usize>::new());
    assert_script(&[result.replacements[&0].clone()], "human: [Earlier inclusion of a.ts removed]");
    assert_eq!(result.metadata.file_deduplications_pruned, 1);
}

#[test]
fn req_006_4_the_rule_can_be_switched_off() {
    let history = [human(&["x\n", NEWER]), human(&[NEWER])];
    assert_eq!(optimize_with(&history, json!({"rules": {"fileDedupe": false}})), history);
    assert_ne!(optimize(&history), history);
}

#[test]
fn req_006_5_without_both_markers_nothing_is_cut_and_one_warning_says_so() {
    let complete = "x\n--- a.ts ---\n1\n--- End of content ---\n";
    for unbalanced in [
        "--- a.ts ---\nno end",
        "--- End of content ---\n",
        "--- a.ts ---\n1\n--- End of content ---\n--- End of content ---\n",
        "--- a.ts ---\n1\n--- End of content ---\n--- b.ts ---\n",
    ] {
        let history = [human(&[complete, unbalanced]), human(&[NEWER])];
        let (output, run) =
            densify::optimize_contents(&history, &options(json!({"preset": "seed"}))).unwrap();
        assert_eq!(output, history, "{unbalanced}");
        assert_eq!(run.unbalanced, [0], "{unbalanced}");
    }
}

#[test]
fn req_8_6_only_the_inclusions_own_lines_go() {
    let cases: [(&str, &str); 8] = [
        ("a\n\n--- a.ts ---\n1\n--- End of content ---\n\nb", "a\n\n\nb"),
        ("a\r\n--- a.ts ---\r\n1\r\n--- End of content ---\r\nb\r\n", "a\r\nb\r\n"),
        ("a\n--- a.ts ---\n1\n--- End of content ---", "a\n"),
        ("--- a.ts ---\n--- End of content ---\n ", " "),
        ("  --- a.ts ---\nx\n--- a.ts ---\n1\n--- End of content ---\n", "  --- a.ts ---\nx\n"),
        ("ü😀\n--- a.ts ---\n語\n--- End of content ---\n😀ü", "ü😀\n😀ü"),
        (
            "\u{feff}\n--- a.ts ---\n\u{2028}--- End of content ---\n--- End of content ---\n\t",
            "\u{feff}\n\t",
        ),
        ("--- a.ts ---\n1\n--- End of content ---\n\n\n\n", "\n\n\n"),
    ];
    for (text, left) in cases {
        assert_eq!(left_of(&[text]), [left], "{text:?}");
    }
}

#[test]
fn req_8_6_the_first_closing_line_closes_and_openings_inside_are_content() {
    let nested = "x\n--- a.ts ---\n--- b.ts ---\n--- a.ts ---\n--- End of content ---\ny";
    assert_eq!(left_of(&[nested]), ["x\ny"]);
    // The opening of b.ts was content: b.ts was never included.
    let b = "--- b.ts ---\n1\n--- End of content ---\n";
    let history = [human(&[nested]), human(&[b])];
    assert_eq!(optimize(&history), history);
}

#[test]
fn req_8_6_what_only_looks_like_a_marker_is_none() {
    for text in [
        " --- a.ts ---\n1\n --- End of content ---\n",
        "x --- a.ts ---\n",
        "--- a.ts --- \n",
        "---a.ts---\n",
        "--- ---\n",
        "---  ---\n",
        "---\n",
        "--- a.ts ----\n",
        "\u{2014} a.ts \u{2014}\n",
        "--- end of content ---x\n",
    ] {
        assert_eq!(left_of(&[text]), [text], "{text:?}");
    }
}

#[test]
fn req_8_6_an_inclusion_may_spread_over_neighbouring_blocks() {
    let cases: [(&[&str], &[&str]); 5] = [
        (&["x\n--- a.ts ---\n", "1\n2", "--- End of content ---\ny"], &["x\n", "y"]),
        (&["x", "--- a.ts ---\n1", "--- End of content ---"], &["x"]),
        (&["--- a.ts ---", "1", "", "--- End of content ---\n", "y"], &["y"]),
        (
            &["--- a.ts ---\n1\n--- End of content ---\n", "--- c.ts ---\n--- End of content ---"],
            &["--- c.ts ---\n--- End of content ---"],
        ),
        (&["", "--- a.ts ---\n1\n--- End of content ---"], &[""]),
    ];
    for (texts, left) in cases {
        assert_eq!(left_of(texts), left, "{texts:?}");
    }
}

#[test]
fn req_8_6_other_blocks_part_an_inclusion() {
    check_untouched(
        "human: --- a.ts ---\\n1\\n | <media> | --- End of content ---\\n
         human: --- a.ts ---\\nnew\\n--- End of content ---\\n",
    );
    check(
        "human: <media> | --- a.ts ---\\n1\\n--- End of content ---\\n
         human: --- a.ts ---\\nnew\\n--- End of content ---\\n",
        "human: <media>
         human: --- a.ts ---\\nnew\\n--- End of content ---\\n",
    );
}

#[test]
fn req_8_6_an_emptied_entry_keeps_a_pointer_if_that_is_shorter() {
    let long = "--- a.ts ---\n1234567890\n--- End of content ---\n";
    assert_eq!(left_of(&[long]), ["[Earlier inclusion of a.ts removed]"]);
    let path = "a".repeat(60);
    let inclusion = |body: &str| format!("--- {path} ---\n{body}--- End of content ---");
    let history = [human(&[&inclusion("\n")]), human(&[&inclusion("")])];
    assert_script(&optimize(&history)[..1], &format!("human: [Earlier inclusion of {path} removed]"));
    let short = "--- a ---\n--- End of content ---";
    let history = [human(&[short]), human(&[short])];
    assert_eq!(short.len(), "[Earlier inclusion of a removed]".len());
    assert_eq!(optimize(&history), history, "the pointer would be as long");
}

#[test]
fn req_8_6_all_that_goes_counts_against_the_pointer() {
    // The last block alone is shorter than the pointer, the inclusion isn't.
    let left = left_of(&["--- a.ts ---\n", "123456789", "--- End of content ---"]);
    assert_eq!(left, ["[Earlier inclusion of a.ts removed]"]);
}

#[test]
fn req_8_6_only_top_level_text_of_users_counts() {
    check_untouched(
        "ai: \"--- a.ts ---\\n1\\n--- End of content ---\\n\"
         ai: read_file#1 a.ts
         tool: #1 --- a.ts ---\\n1\\n--- End of content ---\\n
         human: --- a.ts ---\\nnew\\n--- End of content ---\\nx
         ai: \"--- a.ts ---\\nnewer\\n--- End of content ---\\n\"",
    );
}

#[test]
fn fault_a_marker_inside_a_file_or_a_result_deletes_no_real_inclusion() {
    check_untouched(
        "human: x\\n--- a.ts ---\\n1\\n--- End of content ---\\n
         human: --- notes.md ---\\n--- a.ts ---\\nquoted\\n--- End of content ---\\n
         ai: grep#1
         tool: #1 --- a.ts ---\\nfound\\n--- End of content ---\\n",
    );
}

#[test]
fn fault_the_newer_copy_is_never_the_one_that_goes() {
    let older = human(&["1\n--- a.ts ---\nsame\n--- End of content ---\n"]);
    let newer = human(&["2\n--- a.ts ---\nsame\n--- End of content ---\n"]);
    assert_script(
        &optimize(&[older, newer]),
        "human: 1\\n\nhuman: 2\\n--- a.ts ---\\nsame\\n--- End of content ---\\n",
    );
}

#[test]
fn inclusions_of_one_entry_go_one_by_one_over_several_runs() {
    let mut session = Session::new(&settings(&Config::default(), FlushPolicy::Always));
    let two =
        "--- a ---\nAAAAAAAAAAAAAAAAAAAA\n--- End of content ---\n--- b ---\nBBBB\n--- End of content ---\n";
    session.push(&[human(&[two])]);
    session.run(false);
    session.push(&[human(&["--- a ---\n--- End of content ---\n"])]);
    assert_eq!(session.run(false).flush, Some(0));
    assert_script(&session.output()[..1], "human: --- b ---\\nBBBB\\n--- End of content ---\\n");
    session.push(&[human(&["--- b ---\n--- End of content ---\n"])]);
    session.run(false);
    assert_script(&session.output()[..1], "human: [Earlier inclusion of b removed]");
    // The tokens are those of what is left, whenever they are counted.
    let left: u64 = session.output().iter().map(crate::oracle::tokens_of).sum();
    assert_eq!(session.tokens().1, left);
}

#[test]
fn a_path_that_lost_characters_is_no_path() {
    let broken = "x\n--- a\u{fffd}.ts ---\n1\n--- End of content ---\n";
    let history = [human(&[broken]), human(&[broken])];
    assert_eq!(optimize(&history), history);
}

#[test]
fn of_an_inclusion_that_is_only_a_part_the_older_one_stays() {
    let lines = |range: std::ops::Range<u32>| range.map(|at| format!("line {at} of a\n")).collect::<String>();
    let included = |inner: &str| human(&[&format!("--- a.ts ---\n{inner}--- End of content ---\nLook.")]);
    let left = |preset, inners: &[&str]| {
        let history: Vec<_> = inners.iter().map(|inner| included(inner)).collect();
        let settings = OptimizeSettings { preset: Some(preset), ..Default::default() };
        let (output, _) = densify::optimize_contents(&history, &settings).unwrap();
        serde_json::to_string(&output).unwrap()
    };
    let (all, part) = (lines(0..200), lines(50..55));
    for (what, new) in [
        ("empty", ""),
        ("a part", part.as_str()),
        ("cut off", "line 0 of a\n[File content truncated: showing lines 1-10 of 200]\n"),
    ] {
        for preset in [Preset::Lossless, Preset::Balanced] {
            assert!(left(preset, &[&all, new]).contains("line 150 of a"), "{what}");
        }
        assert!(!left(Preset::Seed, &[&all, new]).contains("line 150 of a"), "{what}, the documents' rule");
    }
    let changed = all.replace("line 10 of", "line ten of") + "more\n";
    let abbreviated = lines(0..90) + "// … unchanged …\n" + &lines(180..200);
    let grown = lines(0..100) + "more\n" + &lines(100..200);
    let turned = lines(100..200) + &lines(0..100);
    for preset in [Preset::Lossless, Preset::Balanced, Preset::Aggressive] {
        assert!(left(preset, &[&all, &changed]).contains("line 10 of a"), "a line that is nowhere else");
        assert!(left(preset, &[&all, &abbreviated]).contains("line 150 of a"), "abbreviated");
        assert_eq!(left(preset, &[&all, &turned]).matches("line 150 of a").count(), 2, "another order");
        let last = left(preset, &[&all, &part, &grown]);
        assert_eq!(last.matches("line 52 of a").count(), 3, "each is a version of its own");
        let blank = all.replace("line 10 of a", "line 10 of a  ");
        assert!(left(preset, &[&blank, &all]).contains("line 10 of a  "), "people ask about blanks, too");
        let other = all.replace('\n', "\r\n");
        assert!(left(preset, &[&other, &all]).contains("line 10 of a\\r"), "they ask about line ends, too");
        let again = left(preset, &[&all, &part, &all]);
        assert_eq!(again.matches("line 150 of a").count(), 1, "the same text goes");
    }
}

#[test]
fn of_two_texts_with_one_label_in_one_message_both_stay() {
    let paste = |text: &str| format!("--- output ---\n{text}--- End of content ---\n");
    let (one, two) = (lines("one", 0..20), lines("two", 0..20));
    let left = |preset, history: &[Content]| {
        let (output, _) = densify::optimize_contents(history, &with(preset)).unwrap();
        serde_json::to_string(&output).unwrap()
    };
    let both = human(&[&format!("Compare these two runs:\n{}{}", paste(&one), paste(&two))]);
    for preset in [Preset::Lossless, Preset::Balanced, Preset::Aggressive] {
        let left = |history: &[Content]| left(preset, history);
        assert!(left(std::slice::from_ref(&both)).contains("one_7 "));
        let later = left(&[both.clone(), human(&[&paste(&two)])]);
        assert!(later.contains("one_7 ") && later.matches("two_7 ").count() == 1);
    }
    assert!(!left(Preset::Seed, &[both]).contains("one_7 "), "the documents' rule");
}

#[test]
fn outside_of_seed_a_label_alone_replaces_nothing() {
    let paste = |label: &str, text: &str| format!("--- {label} ---\n{text}--- End of content ---\n");
    let (one, two) = (lines("one", 0..20), lines("two", 0..20));
    let left = |history: &[Content]| {
        serde_json::to_string(&densify::optimize_contents(history, &with(Preset::Balanced)).unwrap().0)
            .unwrap()
    };
    for label in ["output", "server.log", "/etc/hosts", "diff"] {
        // Two runs in one message, and what only has the same name.
        let both = format!("Compare:\n{}{}", paste(label, &one), paste(label, &two));
        assert!(left(&[human(&[&both])]).contains("one_7"), "{label}");
        let same = format!("Compare:\n{}{}", paste(label, &one), paste(label, &one));
        assert_eq!(left(&[human(&[&same])]).matches("one_7 ").count(), 2, "{label}");
        let later = [human(&["x\n", &paste(label, &one)]), human(&[&paste(label, &two)])];
        assert!(left(&later).contains("one_7"), "{label}");
    }
    let grown = paste("a.rs", &(one.clone() + &two));
    let later = [human(&["x\n", &paste("a.rs", &one)]), human(&[&grown])];
    assert_eq!(left(&later).matches("one_7 ").count(), 2, "people ask what changed");
}
