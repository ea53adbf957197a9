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

impl Leaf {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Text, Self::Json, Self::KeyParameter, Self::Detail, Self::Rest, Self::Reference];
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

    /// Whether the caller may count tokens itself. If not, the estimator's counts hold.
    fn has_counter(&self) -> bool {
        true
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

/// Declares what a provider may demand, each with its bit, and lists it by name: the facade's are generated of that.
macro_rules! capabilities {
    ($($(#[$doc:meta])* $name:ident = $bit:literal,)*) => {
        /// What a provider demands beyond pairs; filled by the format's adapter. The neutral model sets
        /// none of them.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[allow(clippy::struct_excessive_bools)] // Each is a demand of its own.
        pub struct Capabilities {
            $($(#[$doc])* pub $name: bool,)*
        }

        impl Capabilities {
            /// The demands and their bits.
            pub const ALL: &[(&str, u32)] = &[$((stringify!($name), 1 << $bit)),*];

            /// Of a number whose bits are those of the demands.
            #[must_use]
            pub const fn from_bits(bits: u32) -> Self {
                Self { $($name: bits & 1 << $bit != 0,)* }
            }
        }
    };
}

capabilities! {
    /// The history must open with a human unit.
    opens_with_human = 0,
    /// Thinking is valid only behind the exact prefix that it was made for.
    thinking_bound_to_prefix = 1,
    /// While the model waits for results, the thinking of that turn must stay.
    open_loop_keeps_thinking = 2,
    /// An entry that holds only thinking stays or goes with the model's next text or call: up to its next thinking or
    /// somebody else's entry.
    thinking_keeps_successors = 3,
    /// The model calls only right behind a human or a tool, never behind words of its own.
    calls_follow_others = 4,
    /// What the model said between two words of others may not end with thinking.
    thinking_leads = 5,
    /// The first request stays unless the caller says otherwise.
    keeps_first_request = 6,
    /// An entry of a system may not open the history.
    system_never_opens = 7,
    /// Reasoning behind a change is taken, and made nothing of; nothing that the core goes by.
    changes_lose_reasoning = 8,
    /// Thinking doesn't go for its age: the provider may want it back wherever it stands.
    keeps_thinking = 9,
    /// The provider finds its cache only at breakpoints, and a little before them: at the end, unless the host keeps others.
    cache_at_breakpoints = 10,
    /// The host keeps a breakpoint ahead of the next flush.
    keeps_anchor = 11,
}

impl Capabilities {
    /// The demands on a history that must become smaller. Both demands on thinking at once are those of a model that
    /// nobody named: then thinking goes behind a cut, since all but a few older models take that.
    #[must_use]
    pub const fn in_need(mut self) -> Self {
        self.open_loop_keeps_thinking &= !self.thinking_bound_to_prefix;
        self
    }
}
