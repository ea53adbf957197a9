//! Edits applied to contents, for native callers and as the model for every format's applier.

use serde_json::{Map, Value};

use super::{Edit, Patch, TextId};
use crate::content::{Block, Content, KnownBlock};
use crate::edit::arguments::shorten;
use crate::edit::texts::{in_order, without};

/// The history after some edits, in the order in which they were made.
#[must_use]
pub fn apply_edits(contents: &[Content], edits: &[Edit], texts: &[String]) -> Vec<Content> {
    let mut by_unit: Vec<Vec<Edit>> = vec![Vec::new(); contents.len()];
    for edit in edits {
        if let Some(unit) = by_unit.get_mut(edit.unit() as usize) {
            unit.push(*edit);
        }
    }
    let applied = contents.iter().zip(&by_unit).map(|(content, edits)| apply_to(content, edits, texts));
    applied.flatten().collect()
}

/// One entry after its edits; `None` if it goes.
#[must_use]
pub fn apply_to(content: &Content, edits: &[Edit], texts: &[String]) -> Option<Content> {
    if edits.iter().any(|edit| matches!(edit, Edit::DropUnit { .. })) {
        return None;
    }
    let mut by_block: Vec<Vec<Edit>> = vec![Vec::new(); content.blocks.len()];
    for edit in edits {
        if let Some(block) = block_of(edit).and_then(|block| by_block.get_mut(block as usize)) {
            block.push(*edit);
        }
    }
    let edited =
        content.blocks.iter().zip(&by_block).filter_map(|(block, edits)| edit_block(block, edits, texts));
    Some(Content { blocks: edited.collect(), ..content.clone() })
}

const fn block_of(edit: &Edit) -> Option<u32> {
    match *edit {
        Edit::DropUnit { .. } => None,
        Edit::DropBlock { block, .. }
        | Edit::SetText { block, .. }
        | Edit::Cut { block, .. }
        | Edit::Replace { block, .. }
        | Edit::Unnumber { block, .. } => Some(block),
    }
}

fn edit_block(block: &Block, edits: &[Edit], texts: &[String]) -> Option<Block> {
    let mut cuts = Vec::new();
    let mut patch = Patch::default();
    let mut replacement: Option<TextId> = None;
    for edit in edits {
        match *edit {
            Edit::DropUnit { .. } | Edit::DropBlock { .. } => return None,
            Edit::SetText { text, .. } => replacement = Some(text),
            Edit::Cut { start, end, .. } => cuts.push((start, end)),
            Edit::Replace { start, end, text, .. } => patch.replace(start, end, text),
            Edit::Unnumber { start, end, .. } => patch.unnumber(start, end),
        }
    }
    let cuts = in_order(cuts);
    let replacement = replacement.and_then(|text| texts.get(text as usize));
    Some(match (block, replacement) {
        (Block::Known(known), Some(text)) => Block::Known(with_text(known, text)),
        (Block::Known(KnownBlock::Text { text, rest }), None) if !cuts.is_empty() => {
            Block::Known(KnownBlock::Text { text: without(text, &cuts), rest: rest.clone() })
        }
        (Block::Known(known), None) if !patch.is_empty() => Block::Known(patched(known, &patch, texts)),
        _ => block.clone(),
    })
}

/// A response whose text, or whose payload's `output`, was patched.
fn patched(block: &KnownBlock, patch: &Patch, texts: &[String]) -> KnownBlock {
    let text_of = |id: TextId| texts.get(id as usize).map_or("", String::as_str);
    let mut block = block.clone();
    if let KnownBlock::ToolResponse { result: Some(result), .. } = &mut block {
        let text = match result {
            Value::Object(result) => result.get_mut("output"),
            other => Some(other),
        };
        if let Some(Value::String(text)) = text {
            *text = patch.apply(text, text_of);
        }
    }
    block
}

fn with_text(block: &KnownBlock, new: &str) -> KnownBlock {
    match block.clone() {
        KnownBlock::Text { rest, .. } => KnownBlock::Text { text: new.to_owned(), rest },
        KnownBlock::ToolResponse { call_id, tool_name, error, rest, .. } => KnownBlock::ToolResponse {
            call_id,
            tool_name,
            result: Some(Value::String(new.to_owned())),
            error,
            rest,
        },
        KnownBlock::ToolCall { id, name, mut parameters, rest } => {
            shorten(&mut parameters, new);
            KnownBlock::ToolCall { id, name, parameters, rest }
        }
        KnownBlock::Media { .. } => KnownBlock::Text { text: new.to_owned(), rest: Map::new() },
        other => other,
    }
}
