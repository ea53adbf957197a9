//! What the rules look at: a history as units, blocks and a few strings.
//!
//! A *unit* is a message (or the part of one that has a speaker of its own), a *block* a part of
//! it, a *leaf* an addressable string inside a block. The view holds kinds, sizes, interned names
//! and states; texts stay with the caller and are [pulled](TextSource) when a rule needs one.
//! Indices are those of the messages as they were pushed and never move: what is cut stays in the
//! view, marked as dropped.

mod calls;
mod contents;
pub mod flags;
mod names;
pub mod path;
pub mod stream;

use calls::Calls;
pub use contents::{ContentSource, push_contents};
pub use names::{Names, PATH_GLOB, PATH_NONE, PathId, ToolId};

use crate::error::Error;

/// No unit, no block, no partner.
pub const NONE: u32 = u32::MAX;

/// Who speaks in a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The user.
    Human,
    /// The model.
    Ai,
    /// The host that answers calls.
    Tool,
    /// Somebody that the rules don't know; such a unit is never edited.
    Other,
}

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Not understood: counted, never edited, keeps its unit alive.
    Opaque,
    /// Plain text.
    Text,
    /// A call of a tool.
    ToolCall,
    /// The response to a call.
    ToolResponse,
    /// An image, a sound, a file.
    Media,
    /// What the model thought.
    Thinking,
    /// A piece of code.
    Code,
}

/// A message, or a part of one with a speaker of its own.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// Who speaks.
    pub speaker: Speaker,
    /// See [`flags`].
    pub flags: u32,
    /// The unit's first block in the view.
    pub first_block: u32,
    /// The number of its blocks, dropped ones included.
    pub blocks: u32,
    /// The blocks that aren't dropped.
    pub live: u32,
    /// The live blocks that give the unit a reason to stay: see [`Block::is_substance`].
    pub substance: u32,
    /// Whether the unit is gone.
    pub dropped: bool,
    /// The caller's own count of its tokens.
    pub given_tokens: Option<u32>,
}

/// A part of a unit.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// The unit that it belongs to.
    pub unit: u32,
    /// What it is.
    pub kind: Kind,
    /// See [`flags`].
    pub flags: u32,
    /// UTF-16 code units: of the text, or of the payload's JSON (there a lower bound above 512); of
    /// media decoded bytes, 0 if nobody knows.
    pub size: u32,
    /// The atom (a set of blocks that stay or go together), 0 for none.
    pub atom: u32,
    /// The interned call id, 0 for none.
    pub call: u32,
    /// The tool's name.
    pub tool: ToolId,
    /// The other half of the pair, or [`NONE`].
    pub partner: u32,
    /// The text that its payload was replaced by, or [`NONE`].
    pub replacement: u32,
    /// Where the block's paths start in [`View::paths_of`], and how many there are.
    paths: (u32, u32),
    /// Tokens as pushed and as they are now; valid once counted.
    pub tokens: Counted,
}

/// The tokens of a block, as it was pushed and as it is after its edits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counted {
    /// As pushed.
    pub raw: u32,
    /// As it is now (what it costs if it isn't dropped).
    pub now: u32,
}

impl Unit {
    const MISSING: Self = Self {
        speaker: Speaker::Other,
        flags: 0,
        first_block: 0,
        blocks: 0,
        live: 0,
        substance: 0,
        dropped: true,
        given_tokens: None,
    };

    /// Whether edits of the unit are refused (the caller protects it, or its speaker is unknown).
    #[must_use]
    pub const fn is_protected(&self) -> bool {
        self.flags & flags::PROTECTED != 0 || matches!(self.speaker, Speaker::Other)
    }
}

impl Block {
    const MISSING: Self = Self::new(NONE, Kind::Opaque, flags::DROPPED, 0);

    /// A block without ids and names.
    #[must_use]
    pub const fn new(unit: u32, kind: Kind, flags: u32, size: u32) -> Self {
        Self {
            unit,
            kind,
            flags,
            size,
            atom: 0,
            call: 0,
            tool: ToolId::NONE,
            partner: NONE,
            replacement: NONE,
            paths: (0, 0),
            tokens: Counted { raw: 0, now: 0 },
        }
    }

    /// Whether a flag is set.
    #[must_use]
    pub const fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }

    /// Whether the block hasn't been dropped.
    #[must_use]
    pub const fn is_live(&self) -> bool {
        !self.has(flags::DROPPED)
    }

    /// Whether the block alone is a reason to keep its unit: thinking and blank text of the model
    /// aren't, nor is media that accompanied a tool's response (requirements 8.7).
    #[must_use]
    pub const fn is_substance(&self, speaker: Speaker) -> bool {
        match (speaker, self.kind) {
            (Speaker::Ai, Kind::Thinking) | (Speaker::Tool, Kind::Media) => false,
            (Speaker::Ai | Speaker::Tool, Kind::Text) => !self.has(flags::BLANK),
            _ => true,
        }
    }
}

/// Which string of a block is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Leaf {
    /// The editable string: a text, a thought, code, a response's payload if it is a string or
    /// its `output` if that is the payload's string.
    Text = 0,
    /// The JSON of a call's parameters or of a structured payload.
    Json = 1,
    /// The parameter that tells what a call was about (a path, a command, a pattern); of media its
    /// MIME type.
    KeyParameter = 2,
}

/// The address of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafAddress {
    /// Index of the unit.
    pub unit: u32,
    /// Index of the block in its unit.
    pub block: u32,
    /// Which of the block's strings.
    pub leaf: Leaf,
}

/// Where texts come from. The core asks for a leaf, keeps what it needs and drops the text.
pub trait TextSource {
    /// Hands the text over in chunks, in order, never cut inside a character; nothing if there is
    /// no such leaf. Lone surrogates arrive as U+FFFD, so that UTF-16 offsets stay right.
    fn read(&self, address: LeafAddress, sink: &mut dyn FnMut(&str));

    /// The caller's own token count of a leaf, where there is a counter.
    ///
    /// # Errors
    /// [`crate::ErrorCode::TokenCounterFailed`] if the counter throws or returns no count.
    fn count(&self, address: LeafAddress) -> Option<Result<u32, Error>> {
        let _ = address;
        None
    }

    /// The caller's own token count of a text of ours, where there is a counter.
    ///
    /// # Errors
    /// As [`TextSource::count`].
    fn count_text(&self, text: &str) -> Option<Result<u32, Error>> {
        let _ = text;
        None
    }
}

/// What a provider demands beyond pairs; filled by the format's adapter. The neutral model sets
/// none of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// The history must open with a human unit.
    pub opens_with_human: bool,
    /// Thinking is valid only behind the exact prefix that it was made for.
    pub thinking_bound_to_prefix: bool,
    /// While the model waits for results, the thinking of that turn must stay.
    pub open_loop_keeps_thinking: bool,
}

/// A history as the rules see it.
#[derive(Clone, Debug, Default)]
pub struct View {
    units: Vec<Unit>,
    blocks: Vec<Block>,
    paths: Vec<PathId>,
    calls: Calls,
    atoms: Vec<Vec<u32>>,
    /// Interned tool names and paths.
    pub names: Names,
    /// What the provider demands.
    pub capabilities: Capabilities,
    last_human: Option<u32>,
    last_ai: Option<u32>,
}

impl View {
    /// An empty view.
    #[must_use]
    pub fn new(names: Names, capabilities: Capabilities) -> Self {
        Self { names, capabilities, ..Self::default() }
    }

    /// The number of units pushed, dropped ones included.
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.units.len()).unwrap_or(NONE)
    }

    /// Whether nothing was pushed yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// The number of blocks pushed, dropped ones included.
    #[must_use]
    pub fn block_count(&self) -> u32 {
        u32::try_from(self.blocks.len()).unwrap_or(NONE)
    }

    /// A unit; beyond the end an empty one that counts as dropped.
    #[must_use]
    pub fn unit(&self, index: u32) -> &Unit {
        self.units.get(index as usize).unwrap_or(&Unit::MISSING)
    }

    /// A block by its index in the view; beyond the end an opaque one that counts as dropped.
    #[must_use]
    pub fn block(&self, index: u32) -> &Block {
        self.blocks.get(index as usize).unwrap_or(&Block::MISSING)
    }

    /// A block that may be changed.
    pub(crate) fn block_mut(&mut self, index: u32) -> Option<&mut Block> {
        self.blocks.get_mut(index as usize)
    }

    /// The blocks of a unit, dropped ones included, as indices of the view.
    #[must_use]
    pub fn blocks_of(&self, unit: u32) -> std::ops::Range<u32> {
        let unit = self.unit(unit);
        unit.first_block..unit.first_block.saturating_add(unit.blocks)
    }

    /// One of the paths that a call names.
    #[must_use]
    pub fn path_of(&self, block: &Block, number: usize) -> Option<PathId> {
        self.paths_of(block).get(number).copied()
    }

    /// The paths that a call names.
    #[must_use]
    pub fn paths_of(&self, block: &Block) -> &[PathId] {
        let (start, count) = (block.paths.0 as usize, block.paths.1 as usize);
        self.paths.get(start..start.saturating_add(count)).unwrap_or(&[])
    }

    /// The members of an atom.
    #[must_use]
    pub fn atom(&self, atom: u32) -> &[u32] {
        self.atoms.get(atom as usize).map_or(&[], Vec::as_slice)
    }

    /// The address of a block's leaf.
    #[must_use]
    pub fn leaf(&self, block: u32, leaf: Leaf) -> LeafAddress {
        let unit = self.block(block).unit;
        LeafAddress { unit, block: block.saturating_sub(self.unit(unit).first_block), leaf }
    }

    /// The newest human unit.
    #[must_use]
    pub const fn last_human(&self) -> Option<u32> {
        self.last_human
    }

    /// The newest unit of the model: everything up to it was seen by the model.
    #[must_use]
    pub const fn last_ai(&self) -> Option<u32> {
        self.last_ai
    }

    /// The units that are still there, in order.
    #[must_use]
    pub fn live_units(&self) -> Vec<u32> {
        (0..self.len()).filter(|&unit| !self.unit(unit).dropped).collect()
    }

    /// Starts a unit; its blocks follow by [`View::push_block`].
    pub fn push_unit(&mut self, speaker: Speaker, flags: u32, given_tokens: Option<u32>) -> u32 {
        let index = self.len();
        match speaker {
            Speaker::Human => self.last_human = Some(index),
            Speaker::Ai => self.last_ai = Some(index),
            Speaker::Tool | Speaker::Other => {}
        }
        self.units.push(Unit {
            speaker,
            flags,
            first_block: self.block_count(),
            blocks: 0,
            live: 0,
            substance: 0,
            dropped: false,
            given_tokens,
        });
        index
    }

    /// Adds a block to the newest unit: pairs a response with its call, joins its atom.
    pub fn push_block(&mut self, mut block: Block, paths: &[PathId]) -> u32 {
        let index = self.block_count();
        let unit = self.len().saturating_sub(1);
        block.unit = unit;
        block.flags &= flags::FROM_ADAPTER;
        block.paths = (len_u32(&self.paths), len_u32(paths));
        self.paths.extend_from_slice(paths);
        self.join_atom(block.atom, index);
        if let Some(unit) = self.units.last_mut() {
            unit.blocks += 1;
            unit.live += 1;
            unit.substance += u32::from(block.is_substance(unit.speaker));
        }
        self.blocks.push(block);
        if block.call != 0 {
            self.pair(index, &block);
        }
        index
    }

    fn join_atom(&mut self, atom: u32, block: u32) {
        // Atoms are numbered densely by the adapters; a wild number must not allocate gigabytes.
        let atom = atom as usize;
        if atom == 0 || atom > self.blocks.len() + 1 {
            return;
        }
        if self.atoms.len() <= atom {
            self.atoms.resize_with(atom + 1, Vec::new);
        }
        if let Some(members) = self.atoms.get_mut(atom) {
            members.push(block);
        }
    }

    fn pair(&mut self, index: u32, block: &Block) {
        match block.kind {
            Kind::ToolCall => self.calls.open(block.call, block.unit, index, &mut self.blocks),
            Kind::ToolResponse => {
                let Some(call) = self.calls.answer(block.call, &mut self.blocks) else { return };
                if let Some(call) = self.block_mut(call) {
                    call.partner = index;
                    call.flags |= flags::PAIRED;
                }
                if let Some(response) = self.block_mut(index) {
                    response.partner = call;
                    response.flags |= flags::PAIRED;
                }
            }
            _ => {}
        }
    }

    /// The other half of a pair.
    #[must_use]
    pub fn partner(&self, block: u32) -> Option<u32> {
        let found = self.block(block);
        found.has(flags::PAIRED).then_some(found.partner)
    }

    /// Marks a block as dropped and takes it off its unit's counts.
    pub(crate) fn mark_dropped(&mut self, index: u32) {
        let block = *self.block(index);
        if !block.is_live() {
            return;
        }
        if let Some(block) = self.block_mut(index) {
            block.flags |= flags::DROPPED;
        }
        if let Some(unit) = self.units.get_mut(block.unit as usize) {
            unit.live = unit.live.saturating_sub(1);
            unit.substance -= u32::from(block.is_substance(unit.speaker)).min(unit.substance);
        }
    }

    /// Takes [`View::mark_dropped`] back.
    pub(crate) fn mark_restored(&mut self, index: u32) {
        let block = *self.block(index);
        if let Some(block) = self.block_mut(index) {
            block.flags &= !flags::DROPPED;
        }
        if let Some(unit) = self.units.get_mut(block.unit as usize) {
            unit.live += 1;
            unit.substance += u32::from(block.is_substance(unit.speaker));
        }
    }

    /// Marks a unit as gone.
    pub(crate) fn mark_unit_dropped(&mut self, index: u32) {
        if let Some(unit) = self.units.get_mut(index as usize) {
            unit.dropped = true;
        }
    }

    /// Bytes held, approximately: what was allocated for units, blocks and names.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.units.capacity() * size_of::<Unit>()
            + self.blocks.capacity() * size_of::<Block>()
            + self.paths.capacity() * size_of::<PathId>()
            + self.calls.bytes()
            + self.names.bytes()
    }
}

fn len_u32<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).unwrap_or(NONE)
}
