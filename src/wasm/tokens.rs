//! Exact token counts: what `tokens.wasm` exports.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use super::throw;
use crate::tokens::bounds::{Bounder, Bounds};
use crate::tokens::exact::{Anchor, Count, Encoding, Tokenizer};

/// Room for a chunk: 65,536 UTF-16 code units are at most three bytes each.
const BUFFER_BYTES: usize = 3 * 65_536;

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = RefCell::new(vec![0; BUFFER_BYTES]);
}

/// The address of the buffer through which texts arrive, and its length in bytes.
#[wasm_bindgen(js_name = textBuffer)]
#[must_use]
pub fn text_buffer() -> Box<[u32]> {
    BUFFER.with_borrow(|buffer| {
        #[allow(clippy::cast_possible_truncation)]
        let address = buffer.as_ptr() as usize as u32;
        Box::new([address, u32::try_from(buffer.len()).unwrap_or(0)])
    })
}

thread_local! {
    static BOUNDER: RefCell<Bounder> = RefCell::new(Bounder::default());
}

/// Adds a chunk to a text of which it may be the first. What the text so far costs in any encoding: the
/// most tokens times 2²¹ plus the least.
#[wasm_bindgen]
#[must_use]
#[allow(clippy::cast_precision_loss)]
pub fn bound(bytes: usize, is_first: bool) -> f64 {
    let Bounds { lower, upper } = BOUNDER.with_borrow_mut(|bounder| {
        if is_first {
            *bounder = Bounder::default();
        }
        BUFFER.with_borrow(|buffer| bounder.feed(buffer.get(..bytes).unwrap_or_default()));
        bounder.finish()
    });
    (u64::from(upper) << 21 | u64::from(lower.min(0x1f_ffff))) as f64
}

/// Counts texts that arrive in the buffer, in UTF-8.
#[wasm_bindgen]
pub struct Counter {
    tokenizer: Tokenizer,
    count: Count,
}

#[wasm_bindgen]
impl Counter {
    /// A counter for an encoding, with its vocabulary.
    ///
    /// # Errors
    /// `invalid-options`.
    #[wasm_bindgen(constructor)]
    pub fn new(encoding: &str, vocabulary: Vec<u8>) -> Result<Self, JsValue> {
        let encoding = Encoding::named(encoding).map_err(throw)?;
        let tokenizer = Tokenizer::new(encoding, vocabulary).map_err(throw)?;
        Ok(Self { tokenizer, count: Count::default() })
    }

    /// The tokens of a text that is in the buffer as a whole.
    #[must_use]
    pub fn whole(&mut self, bytes: usize) -> f64 {
        BUFFER
            .with_borrow(|buffer| number(self.tokenizer.count_utf8(buffer.get(..bytes).unwrap_or_default())))
    }

    /// Adds a chunk of a longer text.
    pub fn feed(&mut self, bytes: usize) {
        BUFFER.with_borrow(|buffer| {
            self.count.feed_utf8(&mut self.tokenizer, buffer.get(..bytes).unwrap_or_default());
        });
    }

    /// The tokens of the chunks so far that more of them can't change.
    #[must_use]
    pub fn settled(&self) -> f64 {
        number(self.count.settled())
    }

    /// The length of the text behind them, in UTF-16 code units.
    #[must_use]
    pub fn open(&self) -> usize {
        self.count.open().chars().map(char::len_utf16).sum()
    }

    /// Where the text behind them may be counted on from, at least so many bytes before its end: how many of its
    /// tokens and of its UTF-16 code units are before that, and the token that begins there. Nothing if nowhere.
    #[must_use]
    pub fn anchor(&mut self, window: usize) -> Box<[u32]> {
        let Some(Anchor { tokens, at, token }) = self.count.anchor(&mut self.tokenizer, window) else {
            return Box::default();
        };
        let before = self.count.open().get(..at).unwrap_or_default();
        let units: usize = before.chars().map(char::len_utf16).sum();
        Box::new([tokens, u32::try_from(units).unwrap_or(0), token])
    }

    /// The tokens of a text in the buffer that goes on from an anchor; -1 if what came has changed those before it.
    #[must_use]
    #[wasm_bindgen(js_name = countOn)]
    pub fn count_on(&mut self, bytes: usize, token: u32) -> f64 {
        let counted = BUFFER.with_borrow(|buffer| {
            self.tokenizer.count_on_utf8(buffer.get(..bytes).unwrap_or_default(), token)
        });
        counted.map_or(-1.0, number)
    }

    /// The tokens of all chunks; the next one begins a new text.
    #[must_use]
    pub fn total(&mut self) -> f64 {
        number(std::mem::take(&mut self.count).total(&mut self.tokenizer))
    }
}

#[allow(clippy::cast_precision_loss)]
const fn number(count: u64) -> f64 {
    count as f64
}
