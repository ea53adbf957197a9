//! REQ-HD-006, naively.

use std::collections::BTreeMap;

use densify::content::{Block, KnownBlock, Speaker};
use densify::view::path::{resolve, root};

use super::{Config, Entry, Report, utf16};

/// The lines of an inclusion: block, byte where the line starts, byte behind its line end.
type Lines = Vec<(usize, usize, usize)>;

pub fn run(history: &mut [Entry], config: &Config, report: &mut Report) {
    let mut all: Vec<(usize, String, Lines)> = Vec::new();
    for (index, entry) in history.iter().enumerate() {
        if entry.content.speaker != Speaker::Human {
            continue;
        }
        match inclusions_of(&entry.content.blocks) {
            Some(found) => all.extend(found.into_iter().map(|(path, lines)| (index, path, lines))),
            None => {
                report.unbalanced.insert(entry.raw);
            }
        }
    }
    let mut newest: BTreeMap<String, usize> = BTreeMap::new();
    for (number, (_, path, _)) in all.iter().enumerate() {
        newest.insert(resolve(&root(&config.root), path), number);
    }
    for (index, entry) in history.iter_mut().enumerate() {
        let old = all.iter().enumerate().filter(|(number, (at, path, _))| {
            *at == index
                && !path.contains('\u{fffd}')
                && newest[&resolve(&root(&config.root), path)] != *number
        });
        let old: Vec<_> = old.map(|(_, (_, path, lines))| (path.clone(), lines.clone())).collect();
        cut(entry, &old, report);
    }
}

/// All inclusions of an entry; `None` if its markers don't match up.
fn inclusions_of(blocks: &[Block]) -> Option<Vec<(String, Lines)>> {
    let mut found = Vec::new();
    let mut open: Option<(String, Lines)> = None;
    for (number, block) in blocks.iter().enumerate() {
        let text = match block {
            Block::Known(KnownBlock::Text { text, .. }) => text,
            // Calls and their responses may go; they never part two texts.
            Block::Known(KnownBlock::ToolCall { .. } | KnownBlock::ToolResponse { .. }) => continue,
            _ if open.is_some() => return None,
            _ => continue,
        };
        let mut start = 0;
        // An empty text between two others is a line of its own.
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        if lines.is_empty() {
            lines.push("");
        }
        for line in lines {
            let bare = line.strip_suffix('\n').unwrap_or(line);
            let bare = bare.strip_suffix('\r').unwrap_or(bare);
            let opened = bare.strip_prefix("--- ").and_then(|rest| rest.strip_suffix(" ---")).map(str::trim);
            let here = (number, start, start + line.len());
            if bare == "--- End of content ---" {
                let (path, mut lines) = open.take()?;
                lines.push(here);
                found.push((path, lines));
            } else if let Some((_, lines)) = &mut open {
                lines.push(here);
            } else if let Some(path) = opened.filter(|path| !path.is_empty()) {
                open = Some((path.to_owned(), vec![here]));
            }
            start += line.len();
        }
    }
    open.is_none().then_some(found)
}

/// What became of a block.
#[derive(Clone)]
enum State {
    Other,
    /// The bytes of the text that are left.
    Text(Vec<bool>),
    Gone,
    Pointer(String),
}

fn cut(entry: &mut Entry, old: &[(String, Lines)], report: &mut Report) {
    let blocks = &entry.content.blocks;
    let mut states: Vec<State> = blocks
        .iter()
        .map(|block| match block {
            Block::Known(KnownBlock::Text { text, .. }) => State::Text(vec![true; text.len()]),
            _ => State::Other,
        })
        .collect();
    let mut made = 0;
    for (path, lines) in old {
        if let Some(after) = without(blocks, &states, path, lines) {
            states = after;
            made += 1;
        }
    }
    if made == 0 {
        return;
    }
    report.inclusions += made;
    report.touched.insert(entry.raw);
    let mut left = Vec::new();
    for (block, state) in blocks.iter().zip(&states) {
        match (block, state) {
            (_, State::Gone) => {}
            (Block::Known(KnownBlock::Text { rest, .. }), State::Pointer(text)) => {
                left.push(Block::Known(KnownBlock::Text { text: text.clone(), rest: rest.clone() }));
            }
            (Block::Known(KnownBlock::Text { text, rest }), State::Text(bytes)) => {
                let kept = text.char_indices().filter(|(at, _)| bytes[*at]).map(|(_, c)| c).collect();
                left.push(Block::Known(KnownBlock::Text { text: kept, rest: rest.clone() }));
            }
            _ => left.push(block.clone()),
        }
    }
    entry.content.blocks = left;
}

/// The states after one more cut, if it may be made.
fn without(blocks: &[Block], states: &[State], path: &str, lines: &Lines) -> Option<Vec<State>> {
    let mut after = states.to_vec();
    let mut touched: Vec<usize> = lines.iter().map(|(block, ..)| *block).collect();
    touched.dedup();
    for &(block, start, end) in lines {
        if let State::Text(bytes) = &mut after[block] {
            bytes[start..end].fill(false);
        }
    }
    let pointer = format!("[Earlier inclusion of {path} removed]");
    let mut emptied = 0;
    for block in touched {
        let (State::Text(before), State::Text(bytes)) = (&states[block], &after[block]) else { return None };
        if bytes.contains(&true) {
            continue;
        }
        let Block::Known(KnownBlock::Text { text, .. }) = &blocks[block] else { return None };
        let was: String = text.char_indices().filter(|(at, _)| before[*at]).map(|(_, c)| c).collect();
        emptied += utf16(&was);
        let others = after.iter().filter(|state| !matches!(state, State::Gone)).count() - 1;
        if others > 0 {
            after[block] = State::Gone;
        } else if utf16(&pointer) < emptied {
            after[block] = State::Pointer(pointer.clone());
        } else {
            return None;
        }
    }
    Some(after)
}
