//! Counts of texts that grow.

use super::{Anchor, LONGEST_PIECE, Tokenizer};

/// The count of a text that arrives in chunks: what more text can't change is counted at once.
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
        self.feed_utf8(tokenizer, chunk.as_bytes());
    }

    /// The same in UTF-8; chunks end between characters.
    #[doc(hidden)]
    pub fn feed_utf8(&mut self, tokenizer: &mut Tokenizer, chunk: &[u8]) {
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

    /// The tokens so far that more text can't change.
    #[must_use]
    pub const fn settled(&self) -> u64 {
        self.tokens
    }

    /// The text behind them.
    #[must_use]
    pub fn open(&self) -> &str {
        str::from_utf8(&self.open).unwrap_or_default()
    }

    /// The place to resume counting in one long piece, at least this many bytes before its end.
    pub fn anchor(&self, tokenizer: &mut Tokenizer, window: usize) -> Option<Anchor> {
        tokenizer.anchor(self.open(), window)
    }

    /// The tokens of all chunks so far.
    #[must_use]
    pub fn total(&self, tokenizer: &mut Tokenizer) -> u64 {
        self.tokens + tokenizer.count_pieces(&self.open, true).0
    }

    fn settle(&mut self, tokenizer: &mut Tokenizer) {
        let (tokens, bytes) = tokenizer.count_pieces(&self.open, false);
        self.tokens += tokens;
        self.open.drain(..bytes);
        self.seen = self.open.len();
    }
}
