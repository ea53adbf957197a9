//! I7, I8, I15: what was given out stays as it is, but for flushes, and those are reported.

use densify::content::Speaker;
use densify::options::FlushPolicy;
use proptest::prelude::*;

use super::incremental::config;
use super::policy;
use crate::histories::{Manner, cases, history, pushes};
use crate::session::{Session, settings};

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn i7_optimizing_twice_changes_nothing_more(history in history(Manner::Any, 24), config in config()) {
        let settings = settings(&config, FlushPolicy::Always);
        let mut session = Session::new(&settings);
        session.push(&history);
        session.run(false);
        prop_assert_eq!(session.run(false).edits, vec![]);
        let (_, run) = densify::optimize_contents(&session.output(), &settings).unwrap();
        prop_assert_eq!(run.edits, vec![]);
    }

    #[test]
    fn i8_what_lies_before_the_first_edit_is_untouched(history in history(Manner::Any, 24), config in config()) {
        let (output, run) =
            densify::optimize_contents(&history, &settings(&config, FlushPolicy::Always)).unwrap();
        let first = run.edits.iter().map(|logged| logged.edit.unit() as usize).min();
        let first = first.unwrap_or(history.len());
        prop_assert_eq!(&output[..first], &history[..first]);
        // A first run edits nothing that comes after the model's newest entry and counts as a flush
        // otherwise.
        let seen = history.iter().rposition(|content| content.speaker == Speaker::Ai);
        prop_assert_eq!(run.flush.is_some(), first <= seen.map_or(0, |at| at) && seen.is_some());
    }

    #[test]
    fn i15_output_only_grows_between_flushes(
        parts in pushes(Manner::Any, 16),
        (config, policy, forced) in (config(), policy(), 0..4_usize),
    ) {
        let mut session = Session::new(&settings(&config, policy));
        let mut always = Session::new(&settings(&config, FlushPolicy::Always));
        let mut before = Vec::new();
        for (turn, part) in parts.iter().enumerate() {
            session.push(part);
            always.push(part);
            let run = session.run(turn == forced);
            always.run(false);
            let output = session.output();
            let is_prefix = output.len() >= before.len() && output[..before.len()] == before[..];
            prop_assert!(run.flush.is_some() || is_prefix, "a flush that wasn't reported");
            if run.flush.is_some() || policy == FlushPolicy::Always {
                prop_assert_eq!(&output, &always.output());
            }
            prop_assert_eq!(session.flushed_output(), always.output());
            before = output;
        }
        session.run(true);
        prop_assert_eq!(session.output(), always.output());
    }

    #[test]
    fn i15_a_flush_names_the_first_entry_that_changes(
        parts in pushes(Manner::Any, 16),
        (config, policy) in (config(), policy()),
    ) {
        let mut session = Session::new(&settings(&config, policy));
        for part in &parts {
            session.push(part);
            let waited = session.log.iter().filter(|logged| logged.pending).map(|logged| logged.edit.unit()).min();
            let run = session.run(false);
            // Of the new edits those had to wait that have an anchor.
            let new = run.edits.iter().filter(|logged| logged.anchor != u32::MAX).map(|logged| logged.edit.unit()).min();
            let first = [waited, new].into_iter().flatten().min();
            match (policy, run.flush) {
                (FlushPolicy::Always, flush) => prop_assert_eq!(flush, first),
                (FlushPolicy::Never, flush) => prop_assert_eq!(flush, None),
                (FlushPolicy::Tokens(_), Some(flush)) => prop_assert_eq!(Some(flush), first),
                (FlushPolicy::WhenItPays | FlushPolicy::WhenCold, _) => unreachable!("no policy of these"),
                (FlushPolicy::Tokens(_), None) => {}
            }
        }
    }
}
