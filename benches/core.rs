//! How long the core takes natively (`make bench-core`). `make bench` measures what users get.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing)]

#[path = "../tests/common/session.rs"]
mod session;

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use densify::compress_contents;
use densify::content::Content;
use densify::optimizer::Optimizer;
use densify::options::{CompressSettings, OptimizeSettings, read_options};
use densify::tokens::estimate::estimate;
use densify::view::{ContentSource, push_contents};
use serde_json::json;

/// Entries of one turn: a request or a call and what follows.
const TURN: usize = 4;

/// An optimizer and what it reads contents with.
#[derive(Clone)]
struct Session {
    optimizer: Optimizer,
    source: ContentSource,
}

impl Session {
    fn new() -> Self {
        let settings: OptimizeSettings =
            read_options(&json!({ "preset": "seed", "rules": { "recencyPruning": true } })).unwrap();
        Self { optimizer: Optimizer::new(&settings).unwrap(), source: ContentSource::default() }
    }

    /// Adds what is new in a history, edits it and counts its tokens.
    fn take(&mut self, history: &[Content]) {
        let known = self.optimizer.view.len() as usize;
        push_contents(&mut self.optimizer.view, &mut self.source, &history[known..]);
        self.optimizer.run(&history, false).unwrap();
        black_box(self.optimizer.tokens(&history).unwrap());
    }
}

/// One more turn must cost the same after 200 turns as after 2,000.
fn one_turn(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("optimizer, one turn");
    let history = session::session(1, 2_002 * TURN);
    for turns in [200, 2_000] {
        let mut known = Session::new();
        known.take(&history[..turns * TURN]);
        // A copy has no room to grow; the turn before the one that is measured makes some.
        let copy = || {
            let mut session = known.clone();
            session.take(&history[..(turns + 1) * TURN]);
            session
        };
        let next = &history[..(turns + 2) * TURN];
        group.bench_function(BenchmarkId::new("after turns", turns), |bencher| {
            bencher.iter_batched_ref(copy, |session| session.take(next), BatchSize::PerIteration);
        });
    }
}

/// Ten times the entries may take ten times as long.
fn compress(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("compress");
    group.sample_size(20);
    for strategy in ["high-density", "top-down-truncation"] {
        for entries in [1_000, 10_000] {
            let history = session::session(2, entries);
            let settings: CompressSettings =
                read_options(&json!({ "strategy": strategy, "contextLimit": entries * 10 })).unwrap();
            group.throughput(Throughput::Elements(entries as u64));
            group.bench_function(BenchmarkId::new(strategy, entries), |bencher| {
                bencher.iter(|| compress_contents(black_box(&history), &settings).unwrap());
            });
        }
    }
}

fn estimator(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("estimator");
    let code = include_str!("core.rs").repeat(16);
    let japanese = "東京の天気は晴れ、明日は雨が降るでしょう。".repeat(1_000);
    for (name, text) in [("code", code), ("japanese", japanese)] {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |bencher| bencher.iter(|| estimate(black_box(&text))));
    }
}

criterion_group!(benches, one_turn, compress, estimator);
criterion_main!(benches);
