//! What holds under every preset, over random work on files: nothing is lost that `lossless` may not lose,
//! output only changes by reported flushes, and one history gives one output however it arrives.

use std::collections::BTreeSet;

use densify::content::Content;
use densify::options::{FlushPolicy, OptimizeSettings, Preset};
use proptest::prelude::*;

use crate::histories::cases;
use crate::results::{by_content, lines, numbered, read, shell, text_of, with};
use crate::session::Session;
use crate::support::check_pairs;

/// The steps of some work: each has a kind, a file and two numbers.
pub fn steps() -> impl Strategy<Value = Vec<(u8, u8, u8, u8)>> {
    prop::collection::vec((0..6_u8, 0..3_u8, any::<u8>(), any::<u8>()), 1..40)
}

/// The history of some work: files are read in parts, changed and read again, commands repeat.
pub fn work(steps: &[(u8, u8, u8, u8)]) -> Vec<Vec<Content>> {
    let mut files: Vec<Vec<String>> =
        ["a", "b", "c"].map(|name| lines(name, 0..60).lines().map(str::to_owned).collect()).to_vec();
    let part = |file: &[String], from: usize, to: usize| {
        file[from..to].iter().map(|line| format!("{line}\n")).collect::<String>()
    };
    let mut history = Vec::new();
    for (turn, &(deed, file, one, two)) in steps.iter().enumerate() {
        let id = turn.to_string();
        let length = files[file as usize].len();
        let (one, two) = (one as usize % length, two as usize % length);
        let (from, to) = (one.min(two), one.max(two) + 1);
        let path = format!("/{file}.rs");
        history.push(match deed {
            0 => read(&id, &path, &part(&files[file as usize], 0, length)),
            1 => read(&id, &path, &numbered(&part(&files[file as usize], from, to), from + 1)),
            2 => shell(&id, &format!("sed -n {from},{to}p {path}"), &part(&files[file as usize], from, to)),
            3 => {
                files[file as usize][one] = format!("changed in turn {turn}, and at some length, too;");
                shell(&id, "make test", &lines("test", one..one + 30))
            }
            4 => {
                files[file as usize].insert(one, format!("inserted in turn {turn} behind something;"));
                shell(&id, "ls", "a.rs\nb.rs\nc.rs")
            }
            _ => shell(&id, "make log", &lines("log", from..to)),
        });
    }
    history
}

/// A line between its neighbours, without numbers.
type Triple = (String, String, String);

fn triples(contents: &[Content]) -> BTreeSet<Triple> {
    let mut found = BTreeSet::new();
    for content in contents.iter().skip(1).step_by(2) {
        let bare = |line: &str| match line.split_once('→') {
            Some((number, rest)) if number.trim().parse::<u32>().is_ok() => rest.to_owned(),
            _ => line.to_owned(),
        };
        let mut rows: Vec<String> = text_of(content).lines().map(bare).collect();
        rows.insert(0, String::new());
        rows.push(String::new());
        found.extend(rows.windows(3).map(|three| (three[0].clone(), three[1].clone(), three[2].clone())));
    }
    found
}

const PRESETS: [Preset; 3] = [Preset::Lossless, Preset::Balanced, Preset::Aggressive];

fn settings(preset: usize, flush: FlushPolicy, budget: Option<f64>) -> OptimizeSettings {
    OptimizeSettings { flush: Some(flush), budget, ..with(PRESETS[preset]) }
}

fn size(contents: &[Content]) -> usize {
    serde_json::to_string(contents).unwrap().len()
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn what_is_cut_by_its_content_alone_is_still_there_between_its_neighbours(steps in steps()) {
        let history = work(&steps).concat();
        let (output, _) = densify::optimize_contents(&history, &by_content()).unwrap();
        let left = triples(&output);
        for triple in triples(&history) {
            prop_assert!(left.contains(&triple), "lost {triple:?}");
        }
        prop_assert!(size(&output) <= size(&history));
    }

    #[test]
    fn every_preset_keeps_pairs_and_grows_nothing(steps in steps(), preset in 0..3_usize, budget in prop::option::of(0..20_000_u32)) {
        let history = work(&steps).concat();
        let (output, _) =
            densify::optimize_contents(&history, &settings(preset, FlushPolicy::Always, budget.map(f64::from))).unwrap();
        prop_assert_eq!(output.len(), history.len());
        prop_assert_eq!(check_pairs(&output), Ok(()));
        for (after, before) in output.iter().zip(&history) {
            // What a stub means comes back: nothing else grows.
            let is_back = serde_json::to_string(after).unwrap().contains("[… shown before");
            prop_assert!(after == before || is_back || size(std::slice::from_ref(after)) < size(std::slice::from_ref(before)));
        }
    }

    /// One cut may make another one possible: of several copies another one goes, or no pointer needs a result any more. The
    /// first run makes them all.
    #[test]
    fn i7_under_every_preset_optimizing_twice_changes_nothing_more(
        steps in steps(),
        preset in 0..3_usize,
        budget in prop::option::of(0..20_000_u32),
    ) {
        let settings = settings(preset, FlushPolicy::Always, budget.map(f64::from));
        let (output, _) = densify::optimize_contents(&work(&steps).concat(), &settings).unwrap();
        let (again, run) = densify::optimize_contents(&output, &settings).unwrap();
        prop_assert_eq!(run.edits, vec![]);
        prop_assert_eq!(again, output);
    }

    #[test]
    fn i15_every_preset_changes_what_was_given_out_by_reported_flushes_only(
        steps in steps(),
        preset in 0..3_usize,
        budget in prop::option::of(0..20_000_u32),
        never in any::<bool>(),
    ) {
        let policy = if never { FlushPolicy::Never } else { FlushPolicy::Always };
        let budget = budget.map(f64::from);
        let mut session = Session::new(&settings(preset, policy, budget));
        let mut always = Session::new(&settings(preset, FlushPolicy::Always, budget));
        let mut before = Vec::new();
        for part in work(&steps) {
            session.push(&part);
            always.push(&part);
            let run = session.run(false);
            always.run(false);
            let output = session.output();
            prop_assert!(run.flush.is_some() || output[..before.len()] == before[..], "a flush that wasn't reported");
            before = output;
        }
        let flushed = session.flushed_output();
        // Where edits wait, new results give way to older ones, and not the other way round.
        if !serde_json::to_string(&flushed).unwrap().contains("[… unchanged since") {
            prop_assert_eq!(flushed, always.output());
        }
        let mut reborn = always.reborn();
        prop_assert_eq!(reborn.run(false).edits, vec![], "a fresh instance decides nothing else");
        prop_assert_eq!(reborn.tokens(), always.tokens());
    }
}
