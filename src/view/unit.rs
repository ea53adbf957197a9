//! Units and their blocks.

use super::{Leaf, NONE, TextSource, ToolId, View, flags};
use crate::tokens::bounds::Bounds;

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
    /// If edits of the unit wait for a flush, the unit from which on one must flush to make all of them, or [`NONE`].
    /// All later edits of the same run wait, too.
    pub anchor: u32,
    /// The caller's own count of its tokens.
    pub given_tokens: Option<u32>,
    /// When it was written, in seconds since 1970; 0 if nobody knows.
    pub time: u32,
    /// The first unit of those that thinking binds together, or [`NONE`].
    pub bond: u32,
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
    /// The interned call id, of media a number of the bytes; 0 for none.
    pub call: u32,
    /// The tool's name.
    pub tool: ToolId,
    /// The other half of the pair, or [`NONE`].
    pub partner: u32,
    /// The text that its payload was replaced by, or [`NONE`].
    pub replacement: u32,
    /// Where the block's paths start in [`View::paths_of`], and how many there are.
    pub(super) paths: (u32, u32),
    /// Tokens as pushed and as they are now; valid once counted.
    pub tokens: Counted,
}

/// The tokens of a block before and after its edits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counted {
    /// As pushed, once that was counted.
    pub raw: Option<u32>,
    /// After edits (its cost unless dropped), as far as known.
    pub now: Bounds,
    /// After the edits that are on the books of the flushes: what waits is among them.
    pub booked: u32,
}

impl Counted {
    /// Of a block that was counted and not edited.
    #[must_use]
    pub const fn exact(tokens: u32) -> Self {
        Self { raw: Some(tokens), now: Bounds::exact(tokens), booked: 0 }
    }
}

impl Unit {
    pub(super) const MISSING: Self = Self {
        speaker: Speaker::Other,
        flags: 0,
        first_block: 0,
        blocks: 0,
        live: 0,
        substance: 0,
        dropped: true,
        anchor: NONE,
        given_tokens: None,
        time: 0,
        bond: NONE,
    };

    /// Whether edits of the unit wait for a flush.
    #[must_use]
    pub const fn waits(&self) -> bool {
        self.anchor != NONE
    }

    /// Whether edits of the unit are refused (the caller protects it, or its speaker is unknown).
    #[must_use]
    pub const fn is_protected(&self) -> bool {
        self.flags & flags::PROTECTED != 0 || matches!(self.speaker, Speaker::Other)
    }
}

impl Block {
    pub(super) const MISSING: Self = Self::new(NONE, Kind::Opaque, flags::DROPPED, 0);

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
            tokens: Counted { raw: None, now: Bounds::exact(0), booked: 0 },
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
    /// aren't, nor is what accompanied a tool's response: media, text (requirements 8.7).
    #[must_use]
    pub const fn is_substance(&self, speaker: Speaker) -> bool {
        match (speaker, self.kind) {
            (Speaker::Ai, Kind::Thinking)
            | (Speaker::Tool, Kind::Media | Kind::Text | Kind::Thinking | Kind::Code) => false,
            (Speaker::Ai, Kind::Text) => !self.has(flags::BLANK),
            _ => true,
        }
    }
}

/// The first line of every summary of ours.
pub const SUMMARY_HEAD: &str = "[Summary of the conversation so far, kept by densify]";

impl View {
    /// Whether a unit holds a summary of ours: the caller's metadata says so, or it opens with our fixed first
    /// line in an entry of the user's side. Tags in texts say nothing.
    #[must_use]
    pub fn is_summary(&self, source: &dyn TextSource, unit: u32) -> bool {
        let found = self.unit(unit);
        let opens_with_head = || {
            // Most texts needn't be fetched to tell.
            let may_open = |&index: &u32| self.block(index).has(flags::BRACKETED);
            let mut texts = self.blocks_of(unit).filter(|&index| self.block(index).kind == Kind::Text);
            let Some(first) = texts.next().filter(may_open) else { return false };
            // Byte by byte: this is in every module, and what knows white space of all scripts is large.
            let text = self.text(source, first, Leaf::Text);
            let rest = text.bytes().skip(SUMMARY_HEAD.len());
            let mut rest = rest.skip_while(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
            text.starts_with(SUMMARY_HEAD) && matches!(rest.next(), None | Some(b'\n'))
        };
        found.speaker == Speaker::Human && (found.flags & flags::SUMMARY != 0 || opens_with_head())
    }
}
