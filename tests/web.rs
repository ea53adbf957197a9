//! The same tests on two hosts: natively, and as wasm in a headless browser (`scripts/wasm-test.sh`).
//! Both must give what `tests/fixtures/expected` holds, so native = wasm.
//!
//! `UPDATE_FIXTURES=1 cargo test --test web` writes that folder anew, natively; look at the difference
//! before you commit it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)] // in helpers too

#[path = "common/session.rs"]
mod session;

use std::fmt::Write as _;

use densify::boundary::Boundaries;
use densify::content::Content;
use densify::optimizer::Optimizer;
use densify::options::{CompressSettings, DensityConfig, OptimizeSettings, read_options};
use densify::strategy::Outcome;
use densify::tokens::estimate::estimate;
use densify::tools::ToolTable;
use densify::view::{ContentSource, push_contents};
use densify::{compress_contents, optimize_contents, propose_density};
use serde_json::{Value, json};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test_configure!(run_in_browser);

/// `both!(name, expected, report)`: a test, on whichever host this runs. `expected` names a file.
macro_rules! both {
    ($name:ident, $file:literal, $report:expr) => {
        #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
        #[cfg_attr(not(target_arch = "wasm32"), test)]
        fn $name() {
            compare(
                concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/expected/", $file),
                include_str!(concat!("fixtures/expected/", $file)),
                $report,
            );
        }
    };
}

both!(a_coding_session, "coding.json", report(include_str!("fixtures/histories/coding.json")));
both!(odd_entries, "odd.json", report(include_str!("fixtures/histories/odd.json")));
both!(many_languages, "languages.json", report(include_str!("fixtures/histories/languages.json")));
both!(open_batches, "open-batches.json", report(include_str!("fixtures/histories/open-batches.json")));
both!(an_empty_history, "empty.json", report("[]"));
both!(estimates_of_texts, "estimates.json", estimates(include_str!("fixtures/texts.json")));
both!(sessions_from_seeds, "sessions.json", sessions());

/// Fails with the first line that differs. Natively it writes the file instead if that is asked for.
#[track_caller]
fn compare(path: &str, expected: &str, report: Value) {
    let found = format!("{}\n", serde_json::to_string_pretty(&sorted(report)).unwrap());
    if cfg!(not(target_arch = "wasm32")) && std::env::var_os("UPDATE_FIXTURES").is_some() {
        std::fs::write(path, found).unwrap();
        return;
    }
    if let Some((expected, found)) = expected.lines().zip(found.lines()).find(|(one, other)| one != other) {
        panic!("{path}: expected {expected}, found {found}");
    }
    assert_eq!(expected.len(), found.len(), "{path}: the length");
}

/// A value with its keys in order: natively they have the order in which they were read.
fn sorted(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(sorted).collect(),
        Value::Object(map) => {
            let mut entries: Vec<_> = map.into_iter().collect();
            entries.sort_by(|one, other| one.0.cmp(&other.0));
            entries.into_iter().map(|(key, value)| (key, sorted(value))).collect()
        }
        other => other,
    }
}

/// All that the core says of a history.
fn report(history: &str) -> Value {
    let history: Value = serde_json::from_str(history).unwrap();
    let history: Vec<Content> = serde_json::from_value(sorted(history)).unwrap();
    json!({
        "tokens": tokens(&history),
        "boundaries": boundaries(&history),
        "densityWithoutRecency": density(&history, false),
        "densityWithRecency": density(&history, true),
        "highDensity": compressed(&history, "high-density"),
        "topDownTruncation": compressed(&history, "top-down-truncation"),
    })
}

fn loaded(history: &[Content]) -> Optimizer {
    let mut optimizer = Optimizer::new(&OptimizeSettings::default()).unwrap();
    push_contents(&mut optimizer.view, &mut ContentSource::new(ToolTable::with(&[])), history);
    optimizer
}

/// Tokens of every block, one line an entry, and of all.
fn tokens(history: &[Content]) -> Value {
    let mut optimizer = loaded(history);
    let (total, _) = optimizer.tokens(&history).unwrap();
    let view = &optimizer.view;
    let entry = |unit| {
        let blocks = view.blocks_of(unit).map(|block| view.block(block).tokens.raw.unwrap().to_string());
        blocks.collect::<Vec<_>>().join(" ")
    };
    json!({ "total": total, "entries": (0..view.len()).map(entry).collect::<Vec<_>>() })
}

fn boundaries(history: &[Content]) -> Value {
    let boundaries = Boundaries::of(&loaded(history).view);
    let all = 0..=boundaries.len();
    let legal: Vec<_> = all.clone().filter(|&at| boundaries.is_legal(at)).map(|at| at.to_string()).collect();
    let adjusted: Vec<_> = all.map(|at| boundaries.adjust(at).to_string()).collect();
    json!({ "legal": legal.join(" "), "adjusted": adjusted.join(" ") })
}

fn density(history: &[Content], recency: bool) -> Value {
    let config: DensityConfig = read_options(&json!({
        "readWritePruning": true,
        "fileDedupe": true,
        "recencyPruning": recency,
        "recencyRetention": 1,
        "workspaceRoot": "/work",
    }))
    .unwrap();
    let result = propose_density(history, &config).unwrap();
    json!({
        "removals": result.removals,
        "replacements": result.replacements,
        "metadata": result.metadata,
    })
}

/// What a strategy leaves if the history fills its window.
fn compressed(history: &[Content], strategy: &str) -> Value {
    let window = loaded(history).tokens(&history).unwrap().0.max(1);
    let settings: CompressSettings = read_options(&json!({
        "strategy": strategy,
        "contextLimit": window,
        "preserve": { "messages": 3 },
        "workspaceRoot": "/work",
    }))
    .unwrap();
    let (messages, outcome) = compress_contents(history, &settings).unwrap();
    match outcome {
        Outcome::Applied(metadata) => json!({ "metadata": metadata, "messages": messages }),
        Outcome::Noop(reason) => json!({ "noop": reason }),
    }
}

/// Token counts of texts, whole and cut into pieces.
fn estimates(texts: &str) -> Value {
    let texts: Vec<String> = serde_json::from_str(texts).unwrap();
    texts.iter().map(|text| json!({ "text": text, "tokens": estimate(text) })).collect()
}

/// Made-up sessions, through the rules and both strategies: numbers one can read, and a digest of
/// every byte that came out.
fn sessions() -> Value {
    (1..=24_u8)
        .map(|seed| {
            let history = session::session(seed.into(), 40 * usize::from(seed % 6));
            let settings: OptimizeSettings = read_options(&json!({
                "preset": "seed",
                "rules": {"recencyPruning": true},
                "workspaceRoot": "/work",
            }))
            .unwrap();
            let (dense, run) = optimize_contents(&history, &settings).unwrap();
            let reports = [
                json!(dense),
                compressed(&history, "high-density"),
                compressed(&history, "top-down-truncation"),
                boundaries(&history),
            ];
            json!({
                "seed": seed,
                "entries": history.len(),
                "left": dense.len(),
                "counts": run.metadata(),
                "tokens": loaded(&history).tokens(&history.as_slice()).unwrap().0,
                "digest": digest(json!(reports)),
            })
        })
        .collect()
}

/// FNV-1a of a value's JSON.
fn digest(value: Value) -> String {
    let json = serde_json::to_string(&sorted(value)).unwrap();
    let hash = json.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mut text = String::new();
    write!(text, "{hash:016x}").unwrap();
    text
}
