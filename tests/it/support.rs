//! What several tests need.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use densify::content::{Block, Content, KnownBlock, Speaker};
use densify::options::{FromOptions, read_options};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::script::{assert_script, parse, render};

/// The project's root.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of shared test data beside the project, if it is there; says so if it isn't.
pub fn shared(what: &str) -> Option<PathBuf> {
    let path = root().join("../shared").join(what);
    if path.exists() {
        return Some(path);
    }
    // Past the capture of the harness: what is skipped is said even where all is well.
    let said = format!("skipped: no shared {what} beside the project\n");
    std::io::stderr().write_all(said.as_bytes()).unwrap();
    None
}

/// A JSON file.
#[track_caller]
pub fn json<T: DeserializeOwned>(path: &Path) -> T {
    let text = std::fs::read_to_string(path).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// All blocks of some contents that are understood.
pub fn blocks(contents: &[Content]) -> impl Iterator<Item = &KnownBlock> {
    contents.iter().flat_map(|content| &content.blocks).filter_map(|block| match block {
        Block::Known(known) => Some(known),
        Block::Unknown(_) => None,
    })
}

/// The ids of all calls and of all responses, sorted.
pub fn calls_and_responses(contents: &[Content]) -> (Vec<String>, Vec<String>) {
    let (mut calls, mut responses) = (Vec::new(), Vec::new());
    for block in blocks(contents) {
        match block {
            KnownBlock::ToolCall { id, .. } => calls.push(id.to_string()),
            KnownBlock::ToolResponse { call_id, .. } => responses.push(call_id.to_string()),
            _ => {}
        }
    }
    calls.sort_unstable();
    responses.sort_unstable();
    (calls, responses)
}

/// What providers demand: behind the entry with calls come their responses, all of them, and no
/// others; only the newest calls may be waiting for some.
pub fn check_pairs(contents: &[Content]) -> Result<(), String> {
    let mut open: Vec<String> = Vec::new();
    for (index, content) in contents.iter().enumerate() {
        let (calls, responses) = calls_and_responses(std::slice::from_ref(content));
        if content.speaker != Speaker::Tool && !open.is_empty() {
            return Err(format!("entry {index} comes before the responses to {open:?}"));
        }
        for id in responses {
            let Some(at) = open.iter().position(|call| *call == id) else {
                return Err(format!("entry {index} answers {id}, which isn't open"));
            };
            open.remove(at);
        }
        open.extend(calls);
    }
    Ok(())
}

/// Contents from JSON.
#[track_caller]
pub fn contents(value: Value) -> Vec<Content> {
    serde_json::from_value(value).unwrap()
}

/// Options from JSON.
#[track_caller]
pub fn options<T: FromOptions>(value: Value) -> T {
    read_options(&value).unwrap()
}

/// What the documents' rules make of a history.
#[track_caller]
pub fn optimize(history: &[Content]) -> Vec<Content> {
    optimize_with(history, serde_json::json!({}))
}

/// What the rules make of a script.
#[track_caller]
pub fn check(script: &str, expected: &str) {
    assert_script(&optimize(&parse(script)), expected);
}

/// A script of which the rules change nothing.
#[track_caller]
pub fn check_untouched(script: &str) {
    let history = parse(script);
    assert_eq!(render(&optimize(&history)), render(&history));
}

/// What the rules make of a history: the documents', unless the settings name other ones.
#[track_caller]
pub fn optimize_with(history: &[Content], mut settings: Value) -> Vec<Content> {
    settings.as_object_mut().unwrap().entry("preset").or_insert_with(|| "seed".into());
    densify::optimize_contents(history, &options(settings)).unwrap().0
}

/// The documents' configuration with the usual values.
pub fn density_config() -> Value {
    serde_json::json!({
        "readWritePruning": true, "fileDedupe": true, "recencyPruning": false, "recencyRetention": 3,
        "workspaceRoot": "/",
    })
}
