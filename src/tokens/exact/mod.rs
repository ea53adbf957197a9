//! Exact counts for the vocabularies that are public: `o200k_base` and `cl100k_base`.
//!
//! A text is split into pieces as the encoding's pattern says (`split`, written by hand: a regular
//! expression that backtracks has no bound), each piece is merged by the vocabulary's ranks
//! (`merges`), and short pieces are remembered. Work is linear in the text's bytes, whatever they are.
//! Special tokens are ordinary text here: what a user or a tool writes must not count as a control sign.

mod anchor;
mod chain;
pub mod classes;
mod count;
mod memory;
mod merges;
mod queue;
mod split;
mod table;
mod vocabulary;

use crate::error::{Error, ErrorCode};
use classes::Classes;
use memory::{Memory, Slot};
use merges::Merges;
use vocabulary::Vocabulary;

pub use anchor::Anchor;
pub use count::Count;

/// Longest piece that is merged as one, in bytes; longer ones are cut there, which may add a token. No real text
/// comes near it, and it bounds the memory that a hostile one can ask for.
const LONGEST_PIECE: usize = 1 << 20;

/// The patterns may look so many bytes beyond what [`split::Piece`] says: a character, `'ll` and its kin.
const LOOKAHEAD: usize = 4;

/// An encoding with a public vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// GPT-4o and everything newer from the same provider.
    O200kBase,
    /// GPT-4 and GPT-3.5.
    Cl100kBase,
}

impl Encoding {
    /// All encodings.
    pub const ALL: [Self; 2] = [Self::O200kBase, Self::Cl100kBase];

    /// The encoding's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::O200kBase => "o200k_base",
            Self::Cl100kBase => "cl100k_base",
        }
    }

    /// The encoding of a name.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidOptions`], with the names that there are.
    pub fn named(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|encoding| encoding.name() == name).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join("', '");
            let message = format!("encoding: found '{name}', expected one of '{known}'");
            Error::new(ErrorCode::InvalidOptions, message).key("encoding")
        })
    }
}

/// Counts the tokens of texts in one encoding.
#[derive(Clone, Debug)]
pub struct Tokenizer {
    encoding: Encoding,
    classes: Classes,
    merges: Merges,
    memory: Memory,
}

impl Tokenizer {
    /// A tokenizer from its vocabulary: the package's file `o200k_base.bin` or `cl100k_base.bin`, whose form is
    /// described in `vocabulary.rs`. Whether it is that of this encoding is the caller's to know.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidOptions`] if the vocabulary isn't of that form.
    #[allow(clippy::needless_pass_by_value)]
    pub fn new(encoding: Encoding, vocabulary: Vec<u8>) -> Result<Self, Error> {
        let merges = Merges::read(&Vocabulary::new(&vocabulary)?)?;
        // Its room is what the next allocations take: memory that is touched for the first time is slow.
        drop(vocabulary);
        Ok(Self { encoding, classes: Classes::new(), merges, memory: Memory::new() })
    }

    /// The encoding.
    #[must_use]
    pub const fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The tokens of a text.
    pub fn count(&mut self, text: &str) -> u64 {
        self.count_utf8(text.as_bytes())
    }

    /// The tokens of a text in UTF-8; what isn't UTF-8 counts as something.
    #[doc(hidden)]
    pub fn count_utf8(&mut self, text: &[u8]) -> u64 {
        self.count_pieces(text, true).0
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.classes.bytes() + self.merges.bytes() + self.memory.bytes()
    }

    /// The pieces that a text is split into before anything is merged.
    pub fn pieces<'text>(&self, text: &'text str) -> impl Iterator<Item = &'text str> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let from = at;
            at = self.next_end(text.as_bytes(), from, true)?;
            text.get(from..at)
        })
    }

    /// Counts whole pieces; returns their tokens and how many bytes they are. Unless the text ends
    /// here, a piece that more text could change is left.
    fn count_pieces(&mut self, text: &[u8], is_end: bool) -> (u64, usize) {
        let (mut tokens, mut at) = (0, 0);
        while let Some(end) = self.next_end(text, at, is_end) {
            tokens += u64::from(self.piece(text, at, end));
            at = end;
        }
        (tokens, at)
    }

    /// Where the piece ends that begins at a byte.
    #[inline]
    fn next_end(&self, text: &[u8], at: usize, is_end: bool) -> Option<usize> {
        if at >= text.len() {
            return None;
        }
        let far = at + LONGEST_PIECE + LOOKAHEAD;
        let is_cut = far <= text.len();
        // What a piece is must not depend on how much of the text is there already.
        let window = if is_cut { text.get(..boundary(text, far)).unwrap_or(text) } else { text };
        let piece = split::piece(self.encoding, &self.classes, window, at);
        if !(is_end || is_cut) && piece.end.max(piece.seen) + LOOKAHEAD > text.len() {
            return None;
        }
        let is_long = piece.end - at > LONGEST_PIECE;
        Some(if is_long { boundary(text, at + LONGEST_PIECE) } else { piece.end })
    }

    #[inline]
    fn piece(&mut self, text: &[u8], from: usize, to: usize) -> u32 {
        if to - from == 1 {
            return 1;
        }
        let Some(slot) = Memory::slot(text, from, to) else {
            return self.merge(text.get(from..to).unwrap_or(&[]), None);
        };
        let known = self.memory.recall(slot);
        if known > 0 { known } else { self.merge(text.get(from..to).unwrap_or(&[]), Some(slot)) }
    }

    #[inline(never)]
    fn merge(&mut self, piece: &[u8], slot: Option<Slot>) -> u32 {
        let count = self.merges.count(piece);
        if let Some(slot) = slot {
            self.memory.remember(slot, count);
        }
        count
    }
}

/// The last beginning of a character up to a byte.
fn boundary(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(|byte| byte & 0xc0 == 0x80) {
        at -= 1;
    }
    at
}
