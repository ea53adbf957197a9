//! REQ-HD-005, naively.

use std::collections::BTreeSet;

use densify::content::{Block, Content, KnownBlock, Speaker};
use densify::view::path::{resolve, root};
use serde_json::Value;

use super::facts::is_failure;
use super::{Config, Entry, Place, Report, is_compacted, is_editable, known, pairs};

const READS: &[&str] = &["read_file", "read_line_range", "read_many_files", "ast_read_file"];
const WRITES: &[&str] = &["write_file", "ast_edit", "replace", "insert_at_line", "delete_line_range"];

pub fn run(history: &mut Vec<Entry>, config: &Config, report: &mut Report) {
    let pairs = pairs(history);
    let mut gone: BTreeSet<Place> = BTreeSet::new();
    for &(call, response) in &pairs {
        let paths = read_paths(history, call, config);
        let is_written = |path: &String| {
            pairs.iter().any(|&write| {
                write.0.0 > call.0 && written_path(history, write, config).as_ref() == Some(path)
            })
        };
        let is_free = is_editable(&history[call.0].content) && is_editable(&history[response.0].content);
        if is_free && paths.is_some_and(|paths| !paths.is_empty() && paths.iter().all(is_written)) {
            gone.extend([call, response]);
            report.stale_reads += 1;
        }
    }
    remove(history, &gone, report);
}

/// Takes blocks out, and the entries that hold nothing of their own any more.
fn remove(history: &mut Vec<Entry>, gone: &BTreeSet<Place>, report: &mut Report) {
    let mut left = Vec::new();
    for (index, entry) in history.drain(..).enumerate() {
        if gone.iter().all(|place| place.0 != index) {
            left.push(entry);
            continue;
        }
        report.touched.insert(entry.raw);
        let blocks = entry.content.blocks.iter().enumerate();
        let blocks: Vec<Block> =
            blocks.filter(|(at, _)| !gone.contains(&(index, *at))).map(|(_, b)| b.clone()).collect();
        let content = Content { blocks, ..entry.content };
        if is_worth_keeping(&content) {
            left.push(Entry { raw: entry.raw, content });
        }
    }
    *history = left;
}

fn is_worth_keeping(content: &Content) -> bool {
    let is_blank = |text: &str| text.chars().all(|c| c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}'));
    match content.speaker {
        Speaker::Ai => content.blocks.iter().any(|block| match block {
            Block::Known(KnownBlock::Thinking { .. }) => false,
            Block::Known(KnownBlock::Text { text, .. }) => !is_blank(text),
            _ => true,
        }),
        Speaker::Tool => content.blocks.iter().any(|block| {
            matches!(
                block,
                Block::Unknown(_)
                    | Block::Known(KnownBlock::ToolResponse { .. } | KnownBlock::ToolCall { .. })
            )
        }),
        _ => !content.blocks.is_empty(),
    }
}

/// The files that a call reads; `None` if it isn't a read or isn't concrete.
fn read_paths(history: &[Entry], call: Place, config: &Config) -> Option<Vec<String>> {
    let Some(KnownBlock::ToolCall { name, parameters, .. }) = known(history, call) else { return None };
    let name = name.as_str().filter(|name| READS.contains(name))?;
    if name == "read_many_files"
        && let Some(Value::Array(list)) = parameters.get("paths")
    {
        let mut paths = Vec::new();
        for path in list {
            let path = path.as_str().filter(|path| !path.contains('*') && !path.contains('?'))?;
            paths.push(resolved(path, config)?);
        }
        return Some(paths);
    }
    Some(vec![path_parameter(parameters, config)?])
}

fn path_parameter(parameters: &Value, config: &Config) -> Option<String> {
    let strings =
        ["file_path", "absolute_path", "path"].map(|key| parameters.get(key).and_then(Value::as_str));
    let path = strings.into_iter().flatten().find(|path| !path.is_empty())?;
    resolved(path, config)
}

fn resolved(path: &str, config: &Config) -> Option<String> {
    (!path.is_empty() && !path.contains('\u{fffd}')).then(|| resolve(&root(&config.root), path))
}

/// The file that a call changed for certain.
fn written_path(history: &[Entry], (call, response): (Place, Place), config: &Config) -> Option<String> {
    let Some(KnownBlock::ToolCall { name, parameters, .. }) = known(history, call) else { return None };
    let Some(KnownBlock::ToolResponse { result, error, tool_name, .. }) = known(history, response) else {
        return None;
    };
    let is = |key: &str, value: bool| parameters.get(key) == Some(&Value::Bool(value));
    let says = |key: &str, text: &str| parameters.get(key) == Some(&Value::from(text));
    let on = ["preview", "dry_run", "dryRun", "validate_only", "validateOnly", "check_only", "checkOnly"];
    let is_preview = on.iter().any(|key| is(key, true))
        || ["force", "apply"].iter().any(|key| is(key, false))
        || says("mode", "preview")
        || says("mode", "dry_run");
    let failed = is_failure(result.as_ref(), error.as_ref());
    let is_write = WRITES.contains(&name.as_str()?);
    if !is_write || is_preview || failed || is_compacted(result.as_ref(), tool_name) {
        return None;
    }
    path_parameter(parameters, config)
}
