//! The replacement texts of edits, and the spans that they cut.

use std::collections::BinaryHeap;

use super::{Patch, TextId};
use crate::scatter::Numbers;
use crate::view::Block;

/// What has become of texts.
#[derive(Clone, Debug)]
pub(super) struct Texts {
    list: Vec<String>,
    /// Lengths of the texts as JSON.
    lengths: Vec<u32>,
    cuts: Vec<Cuts>,
    /// Where the cuts of a block stand.
    places: Numbers<u32>,
}

impl Texts {
    /// A table whose text 0 is the pointer for pruned results.
    pub fn new(pointer: &str) -> Self {
        Self {
            list: vec![pointer.to_owned()],
            lengths: vec![json_length(pointer)],
            cuts: Vec::new(),
            places: Numbers::default(),
        }
    }

    pub fn get(&self, id: TextId) -> &str {
        self.list.get(id as usize).map_or("", String::as_str)
    }

    pub fn all(&self) -> &[String] {
        &self.list
    }

    pub fn add(&mut self, text: String) -> TextId {
        self.lengths.push(json_length(&text));
        self.list.push(text);
        u32::try_from(self.list.len() - 1).unwrap_or(0)
    }

    /// Whether a text is shorter, as JSON, than what is left of a block's payload.
    pub fn is_shorter(&self, id: TextId, index: u32, block: &Block) -> bool {
        let left = block.size.saturating_sub(self.patch_of(index).map_or(0, Patch::saved));
        self.lengths.get(id as usize).is_some_and(|&length| length < left)
    }

    fn changed(&self, block: u32) -> Option<&Cuts> {
        self.cuts.get(*self.places.get(&block)? as usize)
    }

    fn change(&mut self, block: u32, change: impl FnOnce(&mut Cuts)) {
        let next = u32::try_from(self.cuts.len()).unwrap_or(u32::MAX);
        let place = *self.places.entry(block).or_insert(next);
        if place == next {
            self.cuts.push(Cuts::default());
        }
        if let Some(cuts) = self.cuts.get_mut(place as usize) {
            change(cuts);
        }
    }

    /// What was changed inside a response's text.
    pub fn patch_of(&self, block: u32) -> Option<&Patch> {
        self.changed(block).map(|cuts| &cuts.patch).filter(|patch| !patch.is_empty())
    }

    /// Changes something inside a response's text.
    pub fn patch(&mut self, block: u32, patch: impl FnOnce(&mut Patch)) {
        self.change(block, |cuts| patch(&mut cuts.patch));
    }

    /// A response's text with its patch.
    pub fn patched(&self, block: u32, text: &str) -> Option<String> {
        Some(self.patch_of(block)?.apply(text, |id| self.get(id)))
    }

    /// The length of a text of the table as JSON.
    pub fn length(&self, id: TextId) -> u32 {
        self.lengths.get(id as usize).copied().unwrap_or(0)
    }

    /// The spans that were cut from a block's text, in order.
    pub fn cuts_of(&self, block: u32) -> Option<&[(u32, u32)]> {
        self.changed(block).map(|cuts| cuts.spans.as_slice()).filter(|spans| !spans.is_empty())
    }

    pub fn cut(&mut self, block: u32, start: u32, end: u32) {
        self.change(block, |cuts| cuts.add(start, end));
    }

    /// What is left of a block's size.
    pub fn size_left(&self, index: u32, block: &Block) -> u32 {
        block.size.saturating_sub(self.changed(index).map_or(0, |cuts| cuts.length))
    }

    /// Bytes held, approximately.
    pub fn bytes(&self) -> usize {
        let texts: usize = self.list.iter().map(|text| text.capacity() + size_of::<String>()).sum();
        let spans: usize = self.cuts.iter().map(|cuts| cuts.spans.capacity()).sum();
        let patches: usize = self.cuts.iter().map(|cuts| cuts.patch.bytes()).sum();
        texts + patches + spans * size_of::<(u32, u32)>()
    }
}

/// The spans that were cut from a text: in order, with their length altogether.
#[derive(Clone, Debug, Default)]
struct Cuts {
    spans: Vec<(u32, u32)>,
    length: u32,
    /// What was changed otherwise; of responses only.
    patch: Patch,
}

impl Cuts {
    fn add(&mut self, start: u32, end: u32) {
        // Nearly always the newest cut is the last one in the text, too.
        let at = self.spans.partition_point(|&span| span < (start, end));
        self.spans.insert(at, (start, end));
        self.length = self.length.saturating_add(end.saturating_sub(start));
    }
}

/// Spans in the order of their starts. A heap sort: the library's faster sorts weigh ten times as
/// much, and there are seldom more than a few spans.
pub(super) fn in_order(spans: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    BinaryHeap::from(spans).into_sorted_vec()
}

/// A text without some spans (UTF-16 offsets, sorted, apart from each other).
pub(crate) fn without(text: &str, cuts: &[(u32, u32)]) -> String {
    let mut left = String::new();
    Scissors::new(cuts).feed(text, &mut left);
    left
}

/// Cuts spans out of a text that arrives in chunks.
pub(super) struct Scissors<'cuts> {
    cuts: std::slice::Iter<'cuts, (u32, u32)>,
    next: Option<(u32, u32)>,
    /// UTF-16 code units that have passed.
    passed: u32,
}

impl<'cuts> Scissors<'cuts> {
    pub fn new(cuts: &'cuts [(u32, u32)]) -> Self {
        let mut cuts = cuts.iter();
        Self { next: cuts.next().copied(), cuts, passed: 0 }
    }

    pub fn feed(&mut self, mut chunk: &str, left: &mut String) {
        while !chunk.is_empty() {
            let Some((start, end)) = self.next else { return left.push_str(chunk) };
            if end <= self.passed {
                self.next = self.cuts.next().copied();
                continue;
            }
            let keeps = self.passed < start;
            let units = if keeps { start } else { end } - self.passed;
            let (bytes, units) = advance(chunk, units);
            let (piece, rest) = chunk.split_at_checked(bytes).unwrap_or((chunk, ""));
            if keeps {
                left.push_str(piece);
            }
            self.passed = self.passed.saturating_add(units);
            chunk = rest;
        }
    }
}

/// The bytes of a text's first so many UTF-16 code units, or of all there are, and how many that are.
fn advance(text: &str, units: u32) -> (usize, u32) {
    let head = text.as_bytes().get(..units as usize).unwrap_or(text.as_bytes());
    if head.is_ascii() {
        return (head.len(), u32::try_from(head.len()).unwrap_or(units));
    }
    let mut seen = 0;
    for (at, character) in text.char_indices() {
        if seen >= units {
            return (at, seen);
        }
        seen += u32::from(character.len_utf16() == 2) + 1;
    }
    (text.len(), seen)
}

/// Length of `JSON.stringify(text)` in UTF-16 code units.
pub(super) fn json_length(text: &str) -> u32 {
    let escaped = |character: char| match character {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        _ => u32::from(character.len_utf16() == 2) + 1,
    };
    text.chars().map(escaped).fold(2, u32::saturating_add)
}
