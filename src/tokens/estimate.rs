//! A fast estimate of the number of tokens a text costs, without a vocabulary.
//!
//! The target is `o200k_base`, which most modern vocabularies are close to. Such a tokenizer first cuts text into
//! pieces (a word with the character before it, up to three digits, a run of symbols, a run of blanks) and then
//! splits each piece by its vocabulary. The estimator follows the same cuts with a small state machine and replaces
//! the vocabulary by average costs: the cost of a character in its piece, and for letters how common their pair is.
//! The costs were fitted to `o200k_base` counts of source code, English prose, JSON, tool output and texts in some
//! forty languages.
//!
//! An estimate is a sum over characters, so it takes linear time, needs no buffer, and does
//! not depend on how a text is cut into chunks.

pub use super::media::{image_tokens, media_tokens, pdf_tokens};
use super::pairs;
use super::pieces::{self, Piece, Row};
use super::scripts::{self, Other, Script};

/// Fixed-point unit of all costs: this many thousandths make one token.
const THOUSANDTHS_PER_TOKEN: i64 = 1_000;

/// Counts the tokens of one text that arrives in chunks, cut anywhere between characters.
///
/// Feeding the chunks of a text gives exactly the number that feeding the whole text gives.
#[derive(Clone, Debug, Default)]
pub struct Estimator {
    /// The sum so far, in thousandths of a token; costs can be negative, so it is signed.
    thousandths: i64,
    /// The piece that the text so far ends with.
    piece: Row,
    /// The last byte if it was ASCII, otherwise 0.
    previous: u8,
    /// How often that repeats the one before it.
    repeats: u8,
    /// The last character outside ASCII.
    other: Other,
}

impl Estimator {
    /// Reads the next chunk of the text. Takes time linear in its length and allocates nothing.
    pub fn feed(&mut self, chunk: &str) {
        let mut rest = chunk;
        while !rest.is_empty() {
            let length = self.feed_ascii(rest.as_bytes());
            let mut characters = rest.split_at_checked(length).unwrap_or_default().1.chars();
            if let Some(character) = characters.next() {
                self.feed_other(character);
            }
            rest = characters.as_str();
        }
    }

    /// Reads up to the first byte outside ASCII and returns the number of bytes read.
    fn feed_ascii(&mut self, bytes: &[u8]) -> usize {
        // Local copies stay in registers; the fields would be written back for every byte.
        let (mut thousandths, mut piece, mut previous) = (self.thousandths, self.piece, self.previous);
        let mut repeats = self.repeats;
        let mut letter = pairs::letter(previous);
        let mut length = 0;
        for &byte in bytes {
            if !byte.is_ascii() {
                break;
            }
            let step = pieces::step(piece, previous, byte, &mut repeats);
            let next = pairs::letter(byte);
            thousandths += i64::from(step.cost + pairs::cost(letter, next));
            letter = next;
            piece = step.next;
            previous = byte;
            length += 1;
        }
        (self.thousandths, self.piece, self.previous, self.repeats) = (thousandths, piece, previous, repeats);
        length
    }

    fn feed_other(&mut self, character: char) {
        let other = Other::new(character);
        let piece = self.piece.piece();
        let (next, cost) = match other.script {
            Script::Latin => scripts::latin_step(piece),
            _ => scripts::foreign_step(piece, self.other, other),
        };
        self.thousandths += i64::from(cost);
        self.piece = next.row();
        (self.previous, self.repeats) = (0, 0);
        self.other = other;
    }

    /// The estimate, in tokens, for everything fed so far: 0 for nothing, otherwise at least 1.
    ///
    /// Saturates at `u32::MAX`. More chunks may be fed afterwards.
    #[must_use]
    pub fn finish(&self) -> u32 {
        if self.piece == Piece::Start.row() {
            return 0;
        }
        let rounded = (self.thousandths + THOUSANDTHS_PER_TOKEN / 2) / THOUSANDTHS_PER_TOKEN;
        u32::try_from(rounded.max(1)).unwrap_or(u32::MAX)
    }
}

/// Estimates the number of `o200k_base` tokens of `text`: 0 if it is empty, otherwise at least 1.
///
/// The same as feeding `text` to an [`Estimator`] and finishing it.
#[must_use]
pub fn estimate(text: &str) -> u32 {
    let mut estimator = Estimator::default();
    estimator.feed(text);
    estimator.finish()
}
