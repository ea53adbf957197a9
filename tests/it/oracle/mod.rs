//! A naive implementation of the three rules, so simple that it is unlikely to be wrong: plain loops
//! over whole histories, everything looked at again in every run. It shares no code with the rules.

mod compress;
mod facts;
mod inclusions;
mod recency;
mod stale_reads;

use std::collections::BTreeSet;

use densify::content::{Block, Content, KnownBlock, Speaker};

pub use compress::{Compressed, Strategy, compress, is_legal};
pub use facts::{is_compacted, json_length, tokens_of, utf16};

/// What the rules may do.
#[derive(Clone, Debug)]
pub struct Config {
    pub stale_reads: bool,
    pub inclusions: bool,
    pub recency: Option<usize>,
    pub recency_tools: Option<Vec<String>>,
    pub root: String,
}

impl Default for Config {
    fn default() -> Self {
        Self { stale_reads: true, inclusions: true, recency: None, recency_tools: None, root: "/".to_owned() }
    }
}

/// An entry that remembers which raw entry it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub raw: usize,
    pub content: Content,
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    pub stale_reads: u32,
    pub inclusions: u32,
    pub recency: u32,
    /// Raw indices of the entries that were changed or removed.
    pub touched: BTreeSet<usize>,
    /// Raw indices of the human entries whose markers don't match up.
    pub unbalanced: BTreeSet<usize>,
}

/// Contents as entries, numbered from `first`.
pub fn entries(contents: &[Content], first: usize) -> Vec<Entry> {
    let number = |(index, content): (usize, &Content)| Entry { raw: first + index, content: content.clone() };
    contents.iter().enumerate().map(number).collect()
}

/// One run of the rules over a whole history.
pub fn naive_run(history: &mut Vec<Entry>, config: &Config) -> Report {
    let mut report = Report::default();
    if config.stale_reads {
        stale_reads::run(history, config, &mut report);
    }
    if config.inclusions {
        inclusions::run(history, config, &mut report);
    }
    if let Some(retention) = config.recency {
        recency::run(history, retention, config.recency_tools.as_deref(), &mut report);
    }
    report
}

/// The place of a block: entry, block.
pub type Place = (usize, usize);

pub fn known(history: &[Entry], (entry, block): Place) -> Option<&KnownBlock> {
    match &history[entry].content.blocks[block] {
        Block::Known(known) => Some(known),
        Block::Unknown(_) => None,
    }
}

/// All blocks that are understood.
pub fn places(history: &[Entry]) -> Vec<(Place, &KnownBlock)> {
    let mut found = Vec::new();
    for (entry, content) in history.iter().enumerate() {
        for block in 0..content.content.blocks.len() {
            found.extend(known(history, (entry, block)).map(|known| ((entry, block), known)));
        }
    }
    found
}

/// Each call with its response: of the calls before a response with the same id that have no
/// response yet, the first one of the newest entry that has one.
pub fn pairs(history: &[Entry]) -> Vec<(Place, Place)> {
    let blocks = places(history);
    let mut pairs: Vec<(Place, Place)> = Vec::new();
    for (at, (response, block)) in blocks.iter().enumerate() {
        let KnownBlock::ToolResponse { call_id, .. } = block else { continue };
        let mut candidates: Vec<Place> = Vec::new();
        for (place, block) in &blocks[..at] {
            let KnownBlock::ToolCall { id, .. } = block else { continue };
            let is_open = pairs.iter().all(|(call, _)| call != place);
            if is_open && id.is_string() && id == call_id {
                candidates.push(*place);
            }
        }
        let newest = candidates.iter().map(|(entry, _)| *entry).max();
        if let Some(call) = candidates.iter().find(|(entry, _)| Some(*entry) == newest) {
            pairs.push((*call, *response));
        }
    }
    pairs
}

/// Entries of speakers that nobody knows are never edited.
pub const fn is_editable(content: &Content) -> bool {
    !matches!(content.speaker, Speaker::Other(_))
}
