//! I12 and I14: the same edits wherever the core runs, and every time.

use densify::optimizer::Optimizer;
use densify::options::FlushPolicy;
use proptest::prelude::*;

use super::compression::{part, strategy, to_target};
use super::incremental::config;
use crate::encode::{Chunked, Encoder};
use crate::histories::{Manner, cases, history, pushes};
use crate::session::{Session, settings};

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn i12_the_integer_stream_and_contents_give_the_same_edits(
        parts in pushes(Manner::Any, 14),
        config in config(),
        (strategy, goal, chunk) in (strategy(), 0.0..1.0_f64, 1..9_usize),
    ) {
        let settings = settings(&config, FlushPolicy::Always);
        let mut session = Session::new(&settings);
        let mut streamed = Optimizer::new(&settings).unwrap();
        let mut encoder = Encoder::default();
        for part in &parts {
            session.push(part);
            let words = encoder.encode(&mut streamed, part);
            let source = Chunked(&session.raw, chunk);
            streamed.push_stream(&words, &source).unwrap();
            let run = streamed.run(&source, false).unwrap();
            prop_assert_eq!(run, session.run(false));
        }
        let target = part(session.tokens().1, goal);
        let settings = to_target(strategy, target, 0.3, true);
        let raw = session.raw.clone();
        let streamed_outcome = streamed.compress(&settings, &Chunked(&raw, chunk)).unwrap();
        prop_assert_eq!(streamed_outcome, session.compress(&settings));
        prop_assert_eq!(streamed.editor.texts(), session.optimizer.editor.texts());
    }

    #[test]
    fn i14_the_same_input_gives_the_same_bytes(history in history(Manner::Any, 20), config in config()) {
        let settings = settings(&config, FlushPolicy::Always);
        let run = || {
            let mut session = Session::new(&settings);
            session.push(&history);
            let run = session.run(false);
            let tokens = session.tokens();
            let compressed = session.compress(&to_target(oracle_strategy(), tokens.1 / 2, 0.3, true));
            (run, tokens, compressed, serde_json::to_string(&session.output()).unwrap())
        };
        prop_assert_eq!(run(), run());
    }
}

const fn oracle_strategy() -> crate::oracle::Strategy {
    crate::oracle::Strategy::HighDensity
}
