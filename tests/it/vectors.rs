//! The large sets of cases that must come out exactly, read where they exist. What they show is shown by
//! the project's own cases too: `boundary`, `top_down`, `high_density`, `recency`, `summary::split`.

use std::collections::BTreeMap;

use densify::boundary::Boundaries;
use densify::content::Content;
use densify::edit::Edit;
use densify::optimizer::DensityMetadata;
use densify::options::{CompressSettings, DensityConfig, read_options};
use densify::view::{Block, Kind, Speaker, View};
use serde::Deserialize;

use crate::support::{json, shared};

#[derive(Deserialize)]
struct OptimizeCase {
    history: Vec<Content>,
    config: serde_json::Value,
    expected: Expected,
}

#[derive(Deserialize)]
struct Expected {
    removals: Vec<usize>,
    replacements: Vec<(usize, Content)>,
    metadata: Metadata,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::struct_field_names)] // the documents' names
struct Metadata {
    read_write_pairs_pruned: u32,
    file_deduplications_pruned: u32,
    recency_pruned: u32,
}

#[derive(Deserialize)]
pub struct Entry {
    pub speaker: String,
    calls: Vec<String>,
    responses: Vec<String>,
}

/// A view of entries that are nothing but calls and responses.
pub fn view_of(entries: &[Entry], tokens: Option<&[u32]>) -> View {
    let mut view = View::default();
    let mut ids = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        let speaker = match entry.speaker.as_str() {
            "human" => Speaker::Human,
            "ai" => Speaker::Ai,
            _ => Speaker::Tool,
        };
        let unit = view.push_unit(speaker, 0, tokens.map(|tokens| tokens[index]));
        view.push_block(Block::new(unit, Kind::Text, 0, 10), &[]);
        let calls = entry.calls.iter().map(|id| (Kind::ToolCall, id));
        for (kind, id) in calls.chain(entry.responses.iter().map(|id| (Kind::ToolResponse, id))) {
            let next = u32::try_from(ids.len() + 1).unwrap();
            let call = *ids.entry(id.clone()).or_insert(next);
            let mut block = Block::new(unit, kind, 0, 10);
            block.call = call;
            view.push_block(block, &[]);
        }
    }
    view
}

#[test]
fn optimize_vectors_come_out_exactly() {
    let Some(path) = shared("vectors/optimize.json") else { return };
    let cases: Vec<OptimizeCase> = json(&path);
    for (number, case) in cases.iter().enumerate() {
        let config: DensityConfig = read_options(&case.config).unwrap();
        let result = densify::propose_density(&case.history, &config).unwrap();
        let expected: BTreeMap<_, _> = case.expected.replacements.iter().cloned().collect();
        assert_eq!(result.removals, case.expected.removals, "removals of case {number}");
        assert_eq!(result.replacements, expected, "replacements of case {number}");
        let counts = DensityMetadata {
            read_write_pairs_pruned: case.expected.metadata.read_write_pairs_pruned,
            file_deduplications_pruned: case.expected.metadata.file_deduplications_pruned,
            recency_pruned: case.expected.metadata.recency_pruned,
        };
        assert_eq!(result.metadata, counts, "counts of case {number}");
    }
    assert_eq!(cases.len(), 200);
}

#[derive(Deserialize)]
struct BoundaryCase {
    entries: Vec<Entry>,
    expected: Adjusted,
}

#[derive(Deserialize)]
struct Adjusted {
    adjust: Vec<usize>,
}

#[test]
fn boundary_vectors_come_out_exactly() {
    let Some(path) = shared("vectors/boundary.json") else { return };
    let cases: Vec<BoundaryCase> = json(&path);
    for (number, case) in cases.iter().enumerate() {
        let boundaries = Boundaries::of(&view_of(&case.entries, None));
        let adjusted: Vec<_> =
            (0..case.expected.adjust.len()).map(|index| boundaries.adjust(index)).collect();
        assert_eq!(adjusted, case.expected.adjust, "case {number}");
    }
    assert_eq!(cases.len(), 159);
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TopDownCase {
    entries: Vec<Entry>,
    tokens: Vec<u32>,
    compression_threshold: f64,
    context_limit: f64,
    expected: Dropped,
}

#[derive(Deserialize)]
struct Dropped {
    dropped: u32,
}

#[test]
fn top_down_vectors_come_out_exactly() {
    let Some(path) = shared("vectors/top-down.json") else { return };
    let cases: Vec<TopDownCase> = json(&path);
    for (number, case) in cases.iter().enumerate() {
        let mut optimizer =
            densify::optimizer::Optimizer::new(&densify::options::OptimizeSettings::default()).unwrap();
        optimizer.view = view_of(&case.entries, Some(&case.tokens));
        let settings: CompressSettings = read_options(&serde_json::json!({
            "strategy": "top-down-truncation",
            "contextLimit": case.context_limit,
            "threshold": case.compression_threshold,
        }))
        .unwrap();
        let contents: &[Content] = &[];
        let (_, run) = optimizer.compress(&settings, &contents).unwrap();
        let gone: Vec<Edit> = run.edits.iter().map(|logged| logged.edit).collect();
        let oldest: Vec<Edit> = (0..case.expected.dropped).map(|unit| Edit::DropUnit { unit }).collect();
        assert_eq!(gone, oldest, "case {number}");
    }
    assert_eq!(cases.len(), 163);
}
