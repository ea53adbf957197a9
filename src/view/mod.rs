//! What the rules look at: a history as units, blocks and a few strings.
//!
//! A *unit* is a message (or the part of one that has a speaker of its own), a *block* a part of
//! it, a *leaf* an addressable string inside a block. The view holds kinds, sizes, interned names
//! and states; texts stay with the caller and are [pulled](TextSource) when a rule needs one.
//! Indices are those of the messages as they were pushed and never move: what is cut stays in the
//! view, marked as dropped.

mod calls;
mod contents;
mod files;
pub mod flags;
mod gone;
mod messages;
mod names;
pub mod path;
mod source;
pub mod stream;
mod unit;

use calls::Calls;
pub use contents::{BRACKETED_LIMIT, ContentSource, FAILURES, TRYING_KEYS, push_contents};
pub use messages::Messages;
pub use names::{Names, PATH_GLOB, PATH_NONE, PathId, ToolId};
pub use source::{Capabilities, Leaf, LeafAddress, TextSource};
pub use unit::{Block, Counted, Kind, SUMMARY_HEAD, Speaker, Unit};

/// No unit, no block, no partner.
pub const NONE: u32 = u32::MAX;

/// Blocks that stay or go together.
#[derive(Clone, Debug, Default)]
struct Atom {
    members: Vec<u32>,
    /// Whether the members were handed out to be dropped since one joined last.
    is_taken: bool,
}

/// The content bound to the newest thinking, if the provider binds any.
#[derive(Clone, Copy, Debug, Default)]
struct Bond {
    /// The unit that it begins with.
    first: Option<u32>,
    /// Whether anything but thinking is in it.
    has_said: bool,
}

/// A history as the rules see it.
#[derive(Clone, Debug, Default)]
pub struct View {
    units: Vec<Unit>,
    blocks: Vec<Block>,
    paths: Vec<PathId>,
    calls: Calls,
    atoms: Vec<Atom>,
    /// Interned tool names and paths.
    pub names: Names,
    /// What the provider demands.
    pub capabilities: Capabilities,
    /// So many blocks are gone.
    gone: u32,
    last_human: Option<u32>,
    last_ai: Option<u32>,
    /// How often the model spoke after somebody else.
    turns: u32,
    bond: Bond,
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

    /// Whether a unit is a further part of the message of the unit before it.
    #[must_use]
    pub fn continues(&self, unit: u32) -> bool {
        unit > 0 && self.unit(unit).flags & flags::CONTINUES != 0
    }

    /// The units of a unit's message.
    #[must_use]
    pub fn message_of(&self, unit: u32) -> std::ops::Range<u32> {
        let mut message = unit..unit.saturating_add(1);
        while self.continues(message.start) {
            message.start -= 1;
        }
        while self.continues(message.end) {
            message.end += 1;
        }
        message
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
        self.atoms.get(atom as usize).map_or(&[], |atom| &atom.members)
    }

    /// The members of an atom, once: nothing if they were taken already.
    pub(crate) fn take_atom(&mut self, atom: u32) -> &[u32] {
        match self.atoms.get_mut(atom as usize) {
            Some(atom) if !atom.is_taken => {
                atom.is_taken = true;
                &atom.members
            }
            _ => &[],
        }
    }

    /// One of a block's texts as a whole.
    #[inline(never)]
    #[must_use]
    pub fn text(&self, source: &dyn TextSource, block: u32, leaf: Leaf) -> String {
        let mut text = String::new();
        source.read(self.leaf(block, leaf), &mut |chunk| text.push_str(chunk));
        text
    }

    /// The address of a block's leaf.
    #[must_use]
    pub fn leaf(&self, block: u32, leaf: Leaf) -> LeafAddress {
        let unit = self.block(block).unit;
        LeafAddress { unit, block: block.saturating_sub(self.unit(unit).first_block), leaf }
    }

    /// The newest human unit that opens the rest of its message.
    #[must_use]
    pub const fn last_human(&self) -> Option<u32> {
        self.last_human
    }

    /// The newest unit of the model: everything up to it was seen by the model.
    #[must_use]
    pub const fn last_ai(&self) -> Option<u32> {
        self.last_ai
    }

    /// How often the model spoke after somebody else: so many calls of it were made.
    #[must_use]
    pub const fn turns(&self) -> u32 {
        self.turns
    }

    /// The units that are still there, in order.
    #[must_use]
    pub fn live_units(&self) -> Vec<u32> {
        (0..self.len()).filter(|&unit| !self.unit(unit).dropped).collect()
    }

    /// Starts a unit; its blocks follow by [`View::push_block`].
    pub fn push_unit(&mut self, speaker: Speaker, flags: u32, given_tokens: Option<u32>) -> u32 {
        let index = self.len();
        let is_turn = self.units.last().is_none_or(|last| last.speaker != Speaker::Ai);
        self.turns += u32::from(speaker == Speaker::Ai && is_turn);
        match speaker {
            // Words beside results don't end the turn that asked for them.
            Speaker::Human if flags & flags::CONTINUES != 0 => {}
            Speaker::Human => self.last_human = Some(index),
            Speaker::Ai => self.last_ai = Some(index),
            Speaker::Tool | Speaker::Other => {}
        }
        if speaker != Speaker::Ai {
            self.bond = Bond::default();
        }
        self.units.push(Unit {
            speaker,
            flags,
            first_block: self.block_count(),
            blocks: 0,
            live: 0,
            substance: 0,
            dropped: false,
            anchor: NONE,
            given_tokens,
            time: 0,
            bond: self.bond.first.unwrap_or(NONE),
        });
        index
    }

    /// Notes when the newest unit was written, in seconds since 1970.
    pub fn stamp(&mut self, time: u32) {
        if let Some(unit) = self.units.last_mut() {
            unit.time = time;
        }
    }

    /// When the model gave its newest answer: by the answer, else by what it answers; 0 if nobody knows.
    #[must_use]
    pub fn answered_at(&self) -> u32 {
        let Some(last) = self.last_ai else { return 0 };
        let before = self.units.get(..=last as usize).unwrap_or_default().iter().rev();
        let mut is_answer = true;
        let turn = before.take_while(|unit| {
            is_answer &= unit.speaker == Speaker::Ai;
            is_answer || unit.speaker != Speaker::Ai
        });
        turn.map(|unit| unit.time).find(|&time| time > 0).unwrap_or(0)
    }

    /// When what follows the model's newest answer was written; 0 if nobody knows.
    #[must_use]
    pub fn asked_at(&self) -> u32 {
        let first = self.last_ai.map_or(0, |unit| unit as usize + 1);
        let new = self.units.get(first..).unwrap_or_default().iter().rev();
        new.map(|unit| unit.time).find(|&time| time > 0).unwrap_or(0)
    }

    /// Binds the newest unit to thinking, its own or the one before it.
    fn bind(&mut self, kind: Kind) {
        let newest = self.len().saturating_sub(1);
        if kind != Kind::Thinking {
            self.bond.has_said = true;
        } else if self.bond.first.is_none() || self.bond.has_said && self.bond.first != Some(newest) {
            self.bond = Bond { first: Some(newest), has_said: false };
            if let Some(unit) = self.units.last_mut() {
                unit.bond = newest;
            }
        }
    }

    /// The units that thinking binds together with a unit, itself among them; none where nothing is bound.
    #[must_use]
    pub fn bound_to(&self, unit: u32) -> std::ops::Range<u32> {
        let first = self.unit(unit).bond;
        let end = (first..self.len()).find(|&unit| self.unit(unit).bond != first);
        if first == NONE { 0..0 } else { first..end.unwrap_or(self.len()) }
    }

    /// Adds a block to the newest unit: pairs a response with its call, joins its atom.
    pub fn push_block(&mut self, mut block: Block, paths: &[PathId]) -> u32 {
        let index = self.block_count();
        let unit = self.len().saturating_sub(1);
        block.unit = unit;
        block.flags &= flags::FROM_ADAPTER;
        block.paths = (len_u32(&self.paths), len_u32(paths));
        // Names are numbered densely; a wild number must not allocate gigabytes.
        block.tool = self.names.known_tool(block.tool);
        let is_read = block.kind == Kind::ToolCall && block.has(flags::READ);
        for &path in paths {
            let path = self.names.known_path(path);
            self.paths.push(if is_read { self.names.without_range(path) } else { path });
        }
        self.join_atom(block.atom, index);
        if let Some(unit) = self.units.last_mut() {
            unit.blocks += 1;
            unit.live += 1;
            unit.substance += u32::from(block.is_substance(unit.speaker));
        }
        self.blocks.push(block);
        if self.capabilities.thinking_keeps_successors && self.unit(unit).speaker == Speaker::Ai {
            self.bind(block.kind);
        }
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
            self.atoms.resize_with(atom + 1, Atom::default);
        }
        if let Some(atom) = self.atoms.get_mut(atom) {
            atom.members.push(block);
            atom.is_taken = false;
        }
    }

    fn pair(&mut self, index: u32, block: &Block) {
        match block.kind {
            Kind::ToolCall => self.calls.open(block.call, block.unit, index, &mut self.blocks),
            Kind::ToolResponse => {
                // A call that was dropped is no part of the history any more.
                let call = loop {
                    let Some(call) = self.calls.answer(block.call, &mut self.blocks) else { return };
                    if self.block(call).is_live() {
                        break call;
                    }
                };
                if let Some(call) = self.block_mut(call) {
                    call.partner = index;
                    call.flags |= flags::PAIRED;
                }
                let tool = self.block(call).tool;
                if let Some(response) = self.block_mut(index) {
                    response.partner = call;
                    response.flags |= flags::PAIRED;
                    if response.has(flags::NAMED_BY_CALL) {
                        response.tool = tool;
                    }
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

    /// Notes that edits of a unit wait for a flush from another one on, or with [`NONE`] that none do.
    pub(crate) fn mark_waiting(&mut self, index: u32, anchor: u32) {
        if let Some(unit) = self.units.get_mut(index as usize) {
            unit.anchor = anchor;
        }
    }

    /// Marks a unit as gone.
    pub(crate) fn mark_unit_dropped(&mut self, index: u32) {
        if let Some(unit) = self.units.get_mut(index as usize) {
            unit.dropped = true;
        }
        // Words close the turn once the results before them are gone, and don't once they are gone themselves.
        let message = self.message_of(index);
        let other = self.last_human.filter(|&human| human != index);
        let from = if other == self.last_human { message.start } else { 0 };
        self.last_human = (from..message.end).rev().find(|&unit| self.opens_as_human(unit)).max(other);
    }

    /// Whether what is left of a unit's message begins with it, and the user says it.
    fn opens_as_human(&self, unit: u32) -> bool {
        let is_there = |unit| !self.unit(unit).dropped;
        let mut before = self.message_of(unit).start..unit;
        self.unit(unit).speaker == Speaker::Human && is_there(unit) && !before.any(is_there)
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
