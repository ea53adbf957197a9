//! Real sessions, where they are at hand: the files that their patches and reads name are found.

use std::collections::BTreeMap;
use std::path::PathBuf;

use densify::content::Content;
use serde_json::{Value, json};

use super::operations_with;
use crate::support::{contents, shared};

fn logs(agent: &str) -> Vec<PathBuf> {
    let Some(folder) = shared(&format!("transcripts/{agent}")) else { return Vec::new() };
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|end| end == "jsonl")).collect();
    files.sort();
    files
}

/// The calls and outputs of a log of Codex as contents, one a content.
fn codex(path: &PathBuf) -> Vec<Content> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut names = BTreeMap::new();
    let mut history = Vec::new();
    for line in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let item = line.get("payload").unwrap_or(&line);
        let id = item["call_id"].as_str().unwrap_or_default().to_owned();
        match item["type"].as_str() {
            Some("function_call" | "custom_tool_call") => {
                let arguments = item["arguments"].as_str().and_then(|text| serde_json::from_str(text).ok());
                let parameters: Value = arguments.unwrap_or_else(|| json!({"input": item["input"]}));
                names.insert(id.clone(), item["name"].clone());
                let call =
                    json!({"type": "tool_call", "id": id, "name": item["name"], "parameters": parameters});
                history.push(json!({"speaker": "ai", "blocks": [call]}));
            }
            Some("function_call_output" | "custom_tool_call_output") => {
                let mut response = json!({"type": "tool_response", "callId": id, "toolName": names.get(&id)});
                response["result"] = item["output"].clone();
                history.push(json!({"speaker": "tool", "blocks": [response]}));
            }
            _ => {}
        }
    }
    contents(Value::from(history))
}

#[test]
fn sessions_with_commands_and_patches() {
    let (mut read, mut changed) = (0, 0);
    for log in logs("codex") {
        let history = codex(&log);
        let found = operations_with(&history, "/home/user", &[]);
        let text = std::fs::read_to_string(&log).unwrap();
        for path in found.read.iter().chain(&found.written).chain(&found.edited) {
            let name = path.rsplit('/').next().unwrap();
            assert!(text.contains(name), "{path} isn't in {}", log.display());
        }
        // Every header of an answered patch is found.
        for line in text.lines().filter(|line| line.contains("\"custom_tool_call\"")) {
            let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
            let patch = line["payload"]["input"].as_str().unwrap_or_default();
            for name in patch.lines().filter_map(|line| line.strip_prefix("*** Update File: ")) {
                assert!(found.edited.iter().any(|path| path.ends_with(name)), "{name}");
            }
        }
        read += found.read.len();
        changed += found.written.len() + found.edited.len();
    }
    if !logs("codex").is_empty() {
        assert!(read > 100 && changed > 20, "{read} read, {changed} changed");
    }
}
