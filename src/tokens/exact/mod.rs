//! Exact counts for the vocabularies that are public: `o200k_base` and `cl100k_base`.
//!
//! A text is split into pieces as the encoding's pattern says ([`split`], written by hand: a regular
//! expression that backtracks has no bound), each piece is merged by the vocabulary's ranks
//! ([`merges`]), and short pieces are remembered. Work is linear in the text's bytes but for the
//! merging of long pieces, where it is n log n. Special tokens are ordinary text here: what a user or
//! a tool writes must not count as a control sign.

pub mod classes;
mod memory;
mod merges;
mod split;
mod table;

use crate::error::{Error, ErrorCode};
use classes::Classes;
use memory::Memory;
use merges::Merges;

/// Longest piece that is merged as one, in bytes; what is longer is cut there, which may add a token.
/// No real text comes near it, and it bounds the memory that a hostile one can ask for.
const LONGEST_PIECE: usize = 1 << 20;

/// The pattern may look so many bytes beyond the end of a piece: `'ll` and its kin.
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
    /// A tokenizer from its vocabulary: the merges in the order of their ranks, as six columns of
    /// bytes (low, middle and high byte of the left parts, then of the right parts).
    ///
    /// # Errors
    /// [`ErrorCode::InvalidOptions`] if the vocabulary isn't of that form.
    pub fn new(encoding: Encoding, vocabulary: &[u8]) -> Result<Self, Error> {
        let merges = Merges::read(vocabulary)?;
        Ok(Self { encoding, classes: Classes::new(), merges, memory: Memory::new() })
    }

    /// The encoding.
    #[must_use]
    pub const fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The tokens of a text.
    pub fn count(&mut self, text: &str) -> u64 {
        let mut count = Count::default();
        count.feed(self, text);
        count.finish(self)
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.classes.bytes() + self.merges.bytes() + self.memory.bytes()
    }

    /// Counts whole pieces; returns their tokens and how many bytes they are. Unless the text ends
    /// here, a piece that more text could change is left.
    fn count_pieces(&mut self, text: &[u8], is_end: bool) -> (u64, usize) {
        let (mut tokens, mut at) = (0, 0);
        while at < text.len() {
            let end = split::piece_end(self.encoding, &self.classes, text, at);
            if !is_end && end + LOOKAHEAD > text.len() {
                break;
            }
            let piece = text.get(at..end).unwrap_or(&[]);
            tokens += u64::from(self.piece(piece));
            at = end;
        }
        (tokens, at)
    }

    fn piece(&mut self, piece: &[u8]) -> u32 {
        if piece.len() < 2 {
            return u32::from(!piece.is_empty());
        }
        let Some(slot) = self.memory.slot(piece) else { return self.merges.count(piece) };
        if let Some(known) = self.memory.recall(slot) {
            return known;
        }
        let count = self.merges.count(piece);
        self.memory.remember(slot, count);
        count
    }
}

/// The count of a text that arrives in chunks.
#[derive(Clone, Debug, Default)]
pub struct Count {
    tokens: u64,
    /// What more text could change.
    open: Vec<u8>,
    /// How long that was when it was looked at last.
    seen: usize,
}

impl Count {
    /// Adds a chunk.
    pub fn feed(&mut self, tokenizer: &mut Tokenizer, chunk: &str) {
        let chunk = chunk.as_bytes();
        if self.open.is_empty() {
            let (tokens, bytes) = tokenizer.count_pieces(chunk, false);
            self.tokens += tokens;
            self.open.extend_from_slice(chunk.get(bytes..).unwrap_or(&[]));
            self.seen = self.open.len();
            return;
        }
        self.open.extend_from_slice(chunk);
        // A piece that goes on over many chunks is looked at whenever it has doubled, not each time.
        if self.open.len() >= self.seen.saturating_mul(2).min(LONGEST_PIECE) {
            self.settle(tokenizer);
        }
    }

    /// The tokens of all chunks.
    #[must_use]
    pub fn finish(mut self, tokenizer: &mut Tokenizer) -> u64 {
        self.settle(tokenizer);
        self.tokens + tokenizer.count_pieces(&self.open, true).0
    }

    fn settle(&mut self, tokenizer: &mut Tokenizer) {
        let (tokens, bytes) = tokenizer.count_pieces(&self.open, false);
        self.tokens += tokens;
        self.open.drain(..bytes);
        if self.open.len() >= LONGEST_PIECE {
            self.tokens += tokenizer.count_pieces(&self.open, true).0;
            self.open.clear();
        }
        self.seen = self.open.len();
    }
}
