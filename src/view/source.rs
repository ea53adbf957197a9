//! What the core asks of its surroundings: texts, and what the provider demands.

use crate::error::Error;
use crate::tokens::bounds::Bounds;

/// Which string of a block is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Leaf {
    /// The editable string: a text, a thought, code, a response's payload if it is a string or
    /// its `output` if that is the payload's string.
    Text = 0,
    /// The JSON of a call's parameters or of a structured payload.
    Json = 1,
    /// The parameter that names the call's subject (a path, a command, a pattern); of media its MIME type.
    KeyParameter = 2,
    /// What the other leaves don't tell: of media its name, of a failed call the message.
    Detail = 3,
    /// Of a structured payload whose `output` is the editable string: the JSON of its other members,
    /// nothing if there are none.
    Rest = 4,
    /// The reference to the block's text once it is cut; nothing if nobody keeps it. It is asked for only where a
    /// text of ours is to stand for the block.
    Reference = 5,
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

    /// The same as bytes, for who needs no characters: a host's needn't be checked to be UTF-8 then.
    fn read_bytes(&self, address: LeafAddress, sink: &mut dyn FnMut(&[u8])) {
        self.read(address, &mut |chunk| sink(chunk.as_bytes()));
    }

    /// The caller's own token count of a leaf, where there is a counter.
    ///
    /// # Errors
    /// [`crate::ErrorCode::TokenCounterFailed`] if the counter throws or returns no count.
    fn count(&self, address: LeafAddress) -> Option<Result<u32, Error>> {
        let _ = address;
        None
    }

    /// The bounds of the caller's count of a leaf, if known without counting: then it is counted only if a decision
    /// is near.
    fn bound(&self, address: LeafAddress) -> Option<Bounds> {
        let _ = address;
        None
    }

    /// The same of a text of ours.
    fn bound_text(&self, text: &str) -> Option<Bounds> {
        let _ = text;
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
#[allow(clippy::struct_excessive_bools)] // Each is a demand of its own.
pub struct Capabilities {
    /// The history must open with a human unit.
    pub opens_with_human: bool,
    /// Thinking is valid only behind the exact prefix that it was made for.
    pub thinking_bound_to_prefix: bool,
    /// While the model waits for results, the thinking of that turn must stay.
    pub open_loop_keeps_thinking: bool,
    /// An entry that holds only thinking stays or goes with the model's next text or call: up to its next thinking or
    /// somebody else's entry.
    pub thinking_keeps_successors: bool,
    /// The model calls only right behind a human or a tool, never behind words of its own.
    pub calls_follow_others: bool,
    /// What the model said between two words of others may not end with thinking.
    pub thinking_leads: bool,
    /// The first request stays unless the caller says otherwise.
    pub keeps_first_request: bool,
    /// An entry of a system may not open the history.
    pub system_never_opens: bool,
    /// Thinking doesn't go for its age: the provider may want it back wherever it stands.
    pub keeps_thinking: bool,
    /// The provider finds its cache only at breakpoints, and a little before them: at the end, unless the host keeps others.
    pub cache_at_breakpoints: bool,
    /// The host keeps a breakpoint ahead of the next flush.
    pub keeps_anchor: bool,
}

impl Capabilities {
    /// Of a number whose lowest bits are the fields in their order.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self {
            opens_with_human: bits & 1 != 0,
            thinking_bound_to_prefix: bits & 1 << 1 != 0,
            open_loop_keeps_thinking: bits & 1 << 2 != 0,
            thinking_keeps_successors: bits & 1 << 3 != 0,
            calls_follow_others: bits & 1 << 4 != 0,
            thinking_leads: bits & 1 << 5 != 0,
            keeps_first_request: bits & 1 << 6 != 0,
            system_never_opens: bits & 1 << 7 != 0,
            // The eighth is nothing that the core goes by.
            keeps_thinking: bits & 1 << 9 != 0,
            cache_at_breakpoints: bits & 1 << 10 != 0,
            keeps_anchor: bits & 1 << 11 != 0,
        }
    }

    /// The demands on a history that must become smaller. Both demands on thinking at once are those of a model that
    /// nobody named: then thinking goes behind a cut, since all but a few older models take that.
    #[must_use]
    pub const fn in_need(mut self) -> Self {
        self.open_loop_keeps_thinking &= !self.thinking_bound_to_prefix;
        self
    }
}
