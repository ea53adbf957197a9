//! REQ-HD-007, naively.

use std::collections::BTreeMap;

use densify::content::{Block, KnownBlock};
use serde_json::Value;

use super::{Entry, Report, is_compacted, is_editable, json_length};

pub fn run(history: &mut [Entry], retention: usize, tools: Option<&[String]>, report: &mut Report) {
    let pointer = Value::String("[Result pruned — re-run tool to retrieve]".to_owned());
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for entry in history.iter_mut().rev() {
        let is_editable = is_editable(&entry.content);
        for block in entry.content.blocks.iter_mut().rev() {
            let Block::Known(KnownBlock::ToolResponse { tool_name, result, .. }) = block else { continue };
            let Some(tool) = tool_name.as_str() else { continue };
            if tools.is_some_and(|tools| !tools.contains(&tool.to_owned())) {
                continue;
            }
            let count = seen.entry(tool.to_owned()).or_default();
            *count += 1;
            if *count <= retention || !is_editable || is_compacted(result.as_ref(), tool_name) {
                continue;
            }
            let length = result.as_ref().filter(|result| !result.is_null()).map_or(0, json_length);
            if json_length(&pointer) < length {
                *result = Some(pointer.clone());
                report.recency += 1;
                report.touched.insert(entry.raw);
            }
        }
    }
}
