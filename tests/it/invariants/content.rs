//! I1 to I6, I9, I11: what every edit keeps, for the rules and both strategies.

use densify::content::{Block, Content, KnownBlock, Speaker};
use densify::edit::Edit;
use densify::options::FlushPolicy;
use densify::strategy::Outcome;
use proptest::prelude::*;

use super::compression::{part, strategy, to_target};
use super::incremental::config;
use crate::histories::{Manner, cases, history};
use crate::oracle::{Config, Strategy as Named, utf16};
use crate::session::{Session, settings};
use crate::support::{blocks, calls_and_responses, check_pairs};

/// Optimizes, and compresses if a strategy is given; the session holds what was done.
fn pack(history: &[Content], config: &Config, compression: Option<(Named, f64, f64)>) -> (Session, Outcome) {
    let mut session = Session::new(&settings(config, FlushPolicy::Always));
    session.push(history);
    session.run(false);
    let mut outcome = Outcome::Noop(densify::strategy::NoopReason::NothingToGain);
    if let Some((strategy, goal, preserve)) = compression {
        let target = part(session.tokens().1, goal);
        (outcome, _) = session.compress(&to_target(strategy, target, preserve, true));
    }
    (session, outcome)
}

fn compression() -> impl Strategy<Value = Option<(Named, f64, f64)>> {
    proptest::option::weighted(0.7, (strategy(), 0.0..1.0_f64, 0.0..0.8_f64))
}

/// A well-formed history that ends anywhere, in the middle of a tool loop too.
fn open_history() -> impl Strategy<Value = Vec<Content>> {
    (history(Manner::WellFormed, 20), any::<proptest::sample::Index>()).prop_map(|(mut history, end)| {
        history.truncate(1 + end.index(history.len()));
        history
    })
}

/// The text of all that a user wrote outside of inclusions.
fn words(contents: &[Content]) -> Vec<&str> {
    let human = contents.iter().filter(|content| content.speaker == Speaker::Human);
    let texts = human.flat_map(|content| &content.blocks).filter_map(|block| match block {
        Block::Known(KnownBlock::Text { text, .. }) => Some(text.as_str()),
        _ => None,
    });
    texts.flat_map(str::lines).filter(|line| line.starts_with("Bitte")).collect()
}

/// How many lines of users close an inclusion.
fn closings(contents: &[Content]) -> usize {
    let human = contents.iter().filter(|content| content.speaker == Speaker::Human);
    let lines = human.flat_map(|content| &content.blocks).map(|block| match block {
        Block::Known(KnownBlock::Text { text, .. }) => {
            text.lines().filter(|line| *line == "--- End of content ---").count()
        }
        _ => 0,
    });
    lines.sum()
}

fn pointers(contents: &[Content]) -> usize {
    let is_pointer = |block: &&KnownBlock| match block {
        KnownBlock::ToolResponse { result: Some(result), .. } => {
            result == "[Result pruned — re-run tool to retrieve]"
        }
        _ => false,
    };
    blocks(contents).filter(is_pointer).count()
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn i1_each_call_keeps_exactly_one_response(
        (history, config, compression) in (history(Manner::WellFormed, 20), config(), compression()),
    ) {
        let (session, _) = pack(&history, &config, compression);
        let (calls, responses) = calls_and_responses(&session.output());
        prop_assert_eq!(calls, responses);
    }

    #[test]
    fn i2_i3_responses_stay_behind_their_calls_and_batches_complete(
        (history, config, compression) in (open_history(), config(), compression()),
    ) {
        prop_assert_eq!(check_pairs(&history), Ok(()));
        let (session, _) = pack(&history, &config, compression);
        prop_assert_eq!(check_pairs(&session.output()), Ok(()));
    }

    #[test]
    fn i4_the_tail_is_untouched(
        (history, strategy, goal, preserve) in
            (history(Manner::Any, 24), strategy(), 0.0..1.0_f64, 0.0..0.8_f64),
    ) {
        let config = Config { stale_reads: false, inclusions: false, ..Config::default() };
        let (session, outcome) = pack(&history, &config, Some((strategy, goal, preserve)));
        let output = session.output();
        let Outcome::Applied(metadata) = outcome else {
            prop_assert_eq!(output, history);
            return Ok(());
        };
        let tail = metadata.tail_count as usize;
        prop_assert_eq!(&output[output.len() - tail..], &history[history.len() - tail..]);
    }

    #[test]
    fn i5_human_text_is_kept_but_for_superseded_inclusions(
        (history, config) in (history(Manner::WellFormed, 20), config()),
        (goal, preserve) in (0.0..1.0_f64, 0.0..0.8_f64),
    ) {
        let (session, _) = pack(&history, &config, None);
        let output = session.output();
        prop_assert_eq!(words(&output), words(&history));
        // As long as it need not truncate, a compression keeps it too.
        let (session, outcome) = pack(&history, &config, Some((Named::HighDensity, goal, preserve)));
        let is_whole = !matches!(outcome, Outcome::Applied(metadata) if metadata.entries_dropped > 0);
        prop_assert!(!is_whole || words(&session.output()) == words(&history));
    }

    #[test]
    fn i6_no_edit_makes_anything_longer(
        (history, config, compression) in (history(Manner::Any, 24), config(), compression()),
    ) {
        let (session, _) = pack(&history, &config, compression);
        let length = |content: &Content| utf16(&serde_json::to_string(content).unwrap());
        let texts = session.optimizer.editor.texts();
        for (unit, content) in history.iter().enumerate() {
            let of_unit = session.log.iter().map(|logged| logged.edit).filter(|edit| edit.unit() as usize == unit);
            let edits: Vec<Edit> = of_unit.collect();
            let edited = densify::edit::apply_to(content, &edits, texts);
            let is_shorter = edited.is_none_or(|edited| length(&edited) < length(content));
            prop_assert!(edits.is_empty() || is_shorter, "entry {unit} grew");
        }
    }

    #[test]
    fn i9_metadata_counts_what_was_done(history in history(Manner::Any, 24), config in config()) {
        let (output, run) =
            densify::optimize_contents(&history, &settings(&config, FlushPolicy::Always)).unwrap();
        let count = |contents: &[Content]| {
            let calls = calls_and_responses(contents).0.len();
            (calls, closings(contents), pointers(contents))
        };
        let (before, after) = (count(&history), count(&output));
        let counts = run.metadata();
        prop_assert_eq!(before.0 - after.0, counts.read_write_pairs_pruned as usize);
        prop_assert_eq!(before.1 - after.1, counts.file_deduplications_pruned as usize);
        // A pointer that stood there already may have gone with a stale read.
        prop_assert!(after.2 <= before.2 + counts.recency_pruned as usize);
        prop_assert!(after.2 + counts.read_write_pairs_pruned as usize >= before.2 + counts.recency_pruned as usize);
    }

    #[test]
    fn i11_cuts_never_split_a_character(history in history(Manner::Any, 24), config in config()) {
        let (session, _) = pack(&history, &config, None);
        for logged in &session.log {
            let Edit::Cut { unit, block, start, end } = logged.edit else { continue };
            let Block::Known(KnownBlock::Text { text, .. }) = &history[unit as usize].blocks[block as usize] else {
                panic!("a cut in something that isn't text");
            };
            let units: Vec<u16> = text.encode_utf16().collect();
            let (start, end) = (start as usize, end as usize);
            prop_assert!(start <= end && end <= units.len());
            prop_assert!(String::from_utf16(&units[..start]).is_ok());
            prop_assert!(String::from_utf16(&units[start..end]).is_ok());
        }
    }
}
