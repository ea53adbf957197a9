//! I13: incremental, from scratch and naive give the same history.

use std::collections::BTreeSet;

use densify::content::{Content, Speaker};
use densify::optimizer::Run;
use densify::options::FlushPolicy;
use proptest::prelude::*;

use crate::histories::{Manner, cases, history, pushes};
use crate::oracle::{Config, Entry, Report, entries, naive_run};
use crate::session::{Session, settings};

/// Every combination of rules, roots and retentions.
pub fn config() -> impl Strategy<Value = Config> {
    let switches = (proptest::bool::weighted(0.9), proptest::bool::weighted(0.9));
    let recency = prop_oneof![2 => Just(None), 4 => (1..4_usize).prop_map(Some)];
    let tools = prop_oneof![
        4 => Just(None),
        1 => Just(Some(vec!["read_file".to_owned(), "grep".to_owned()])),
    ];
    let root = proptest::sample::select(vec!["/", "/w", "/w/../w/", "w"]);
    (switches, recency, tools, root).prop_map(|((stale_reads, inclusions), recency, recency_tools, root)| {
        Config { stale_reads, inclusions, recency, recency_tools, root: root.to_owned() }
    })
}

/// The naive counterpart of a session: `output_n = naive_run(output_{n-1} ++ new)`.
pub struct Naive {
    pub history: Vec<Entry>,
    pub raw: usize,
    config: Config,
}

impl Naive {
    pub fn new(config: &Config) -> Self {
        Self { history: Vec::new(), raw: 0, config: config.clone() }
    }

    pub fn push(&mut self, contents: &[Content]) -> Report {
        self.history.extend(entries(contents, self.raw));
        self.raw += contents.len();
        naive_run(&mut self.history, &self.config)
    }

    pub fn contents(&self) -> Vec<Content> {
        self.history.iter().map(|entry| entry.content.clone()).collect()
    }
}

/// The first entry that changed among those that were given out or seen by the model.
pub fn expected_flush(raw: &[Content], given_out: usize, touched: &BTreeSet<usize>) -> Option<usize> {
    let seen = raw.iter().rposition(|content| content.speaker == Speaker::Ai).map_or(0, |at| at + 1);
    touched.first().copied().filter(|&first| first < given_out.max(seen))
}

#[track_caller]
fn assert_report(run: &Run, report: &Report, first_new: usize) {
    let counts = run.metadata();
    assert_eq!(counts.read_write_pairs_pruned, report.stale_reads, "stale reads");
    assert_eq!(counts.file_deduplications_pruned, report.inclusions, "inclusions");
    assert_eq!(counts.recency_pruned, report.recency, "recency");
    let touched: BTreeSet<usize> = run.edits.iter().map(|logged| logged.edit.unit() as usize).collect();
    assert_eq!(touched, report.touched, "touched entries");
    let unbalanced: Vec<usize> = run.unbalanced.iter().map(|&unit| unit as usize).collect();
    let expected: Vec<usize> = report.unbalanced.range(first_new..).copied().collect();
    assert_eq!(unbalanced, expected, "unbalanced entries");
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn i13_incremental_equals_the_naive_composition(
        parts in pushes(Manner::Any, 14),
        config in config(),
    ) {
        let mut session = Session::new(&settings(&config, FlushPolicy::Always));
        let mut naive = Naive::new(&config);
        for part in &parts {
            let first_new = naive.raw;
            session.push(part);
            let run = session.run(false);
            let report = naive.push(part);
            prop_assert_eq!(session.output(), naive.contents());
            assert_report(&run, &report, first_new);
            let flush = expected_flush(&session.raw, first_new, &report.touched);
            prop_assert_eq!(run.flush.map(|unit| unit as usize), flush);
        }
    }

    #[test]
    fn i13_from_scratch_equals_naive(history in history(Manner::Any, 30), config in config()) {
        let mut naive = Naive::new(&config);
        naive.push(&history);
        let settings = settings(&config, FlushPolicy::Always);
        let (optimized, _) = densify::optimize_contents(&history, &settings).unwrap();
        prop_assert_eq!(optimized, naive.contents());
    }
}
