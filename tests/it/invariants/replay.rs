//! I13, the other half: a new optimizer that is told what an earlier one did goes on exactly like
//! the one that never died.

use densify::options::FlushPolicy;
use proptest::prelude::*;

use super::compression::{part, strategy, to_target};
use super::incremental::config;
use super::{capabilities, policy};
use crate::histories::{Manner, cases, pushes};
use crate::session::{Session, settings};

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn i13_a_rebuilt_optimizer_goes_on_like_the_one_that_never_died(
        (before, after) in (pushes(Manner::Any, 10), pushes(Manner::Any, 8)),
        (config, policy) in (config(), policy()),
        (strategy, goal, compressed) in (strategy(), 0.2..0.9_f64, any::<bool>()),
        capabilities in capabilities(),
    ) {
        let mut session = Session::with(&settings(&config, policy), capabilities);
        for part in &before {
            session.push(part);
            session.run(false);
        }
        if compressed {
            let target = part(session.tokens().1, goal);
            session.compress(&to_target(strategy, target, 0.3, true));
        }
        let mut reborn = session.reborn();
        prop_assert_eq!(reborn.output(), session.output());
        prop_assert_eq!(reborn.tokens(), session.tokens());
        for part in &after {
            session.push(part);
            reborn.push(part);
            let (expected, found) = (session.run(false), reborn.run(false));
            prop_assert_eq!(found.edits, expected.edits);
            prop_assert_eq!(found.counts, expected.counts);
            prop_assert_eq!(found.flush, expected.flush);
            prop_assert_eq!(reborn.output(), session.output());
        }
        prop_assert_eq!(reborn.tokens(), session.tokens());
        let again = reborn.reborn();
        prop_assert_eq!(again.flushed_output(), session.flushed_output());
        // Nothing is left to do at once.
        let mut settled = session.reborn();
        let run = settled.run(policy == FlushPolicy::Always);
        prop_assert_eq!(run.edits, vec![]);
    }
}
