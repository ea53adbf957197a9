//! Texts that are pulled from the caller.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::error::{Error, ErrorCode};
#[cfg(feature = "wasm")]
use crate::tokens::bounds::Bounds;
use crate::view::{LeafAddress, TextSource};

/// Room for a chunk: 16,384 UTF-16 code units are at most three bytes each.
const BUFFER_BYTES: usize = 3 * 16_384;

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = RefCell::new(vec![0; BUFFER_BYTES]);
}

#[wasm_bindgen]
extern "C" {
    /// The facade's side: it knows the messages.
    #[wasm_bindgen(typescript_type = "TextHost")]
    pub type TextHost;

    /// Writes the next chunk of a text into the buffer and returns its bytes, 0 at the end; the
    /// first call for a text says so.
    #[wasm_bindgen(method, structural)]
    fn chunk(this: &TextHost, unit: u32, block: u32, leaf: u32, is_first: bool) -> u32;

    /// Whether the caller counts tokens. If not, it's asked for no count.
    #[wasm_bindgen(method, structural, getter, js_name = hasCounter)]
    fn has_counter(this: &TextHost) -> bool;

    /// The caller's count of a text, negative if the counter failed, NaN if there is none.
    #[wasm_bindgen(method, structural)]
    fn count(this: &TextHost, unit: u32, block: u32, leaf: u32) -> f64;

    /// The caller's count of a text of ours.
    #[wasm_bindgen(method, structural, js_name = countText)]
    fn count_text(this: &TextHost, text: &str) -> f64;
}

#[cfg(feature = "wasm")]
#[wasm_bindgen]
extern "C" {
    /// What the caller's count of a text lies between: the most times 2²¹ plus the least, NaN if nobody knows.
    #[wasm_bindgen(method, structural)]
    fn bound(this: &TextHost, unit: u32, block: u32, leaf: u32) -> f64;

    /// The same for a text of ours.
    #[wasm_bindgen(method, structural, js_name = boundText)]
    fn bound_text(this: &TextHost, text: &str) -> f64;
}

/// The buffer's address and length.
pub(super) fn buffer() -> (u32, u32) {
    BUFFER.with_borrow(|buffer| {
        #[allow(clippy::cast_possible_truncation)]
        let address = buffer.as_ptr() as usize as u32;
        (address, u32::try_from(buffer.len()).unwrap_or(0))
    })
}

/// Hands over the chunk of so many bytes that lies in the buffer.
pub(super) fn with_chunk(bytes: usize, sink: &mut dyn FnMut(&str)) {
    with_bytes(bytes, &mut |chunk| match str::from_utf8(chunk) {
        Ok(text) => sink(text),
        // The facade writes UTF-8 and nothing else.
        Err(error) => {
            sink(str::from_utf8(chunk.get(..error.valid_up_to()).unwrap_or(&[])).unwrap_or_default());
        }
    });
}

/// The same without a look at whether it is UTF-8.
fn with_bytes(bytes: usize, sink: &mut dyn FnMut(&[u8])) {
    BUFFER.with_borrow(|buffer| sink(buffer.get(..bytes).unwrap_or(&[])));
}

/// A [`TextSource`] over the facade's host.
pub(super) struct HostSource<'host> {
    host: &'host TextHost,
    has_counter: bool,
}

impl<'host> HostSource<'host> {
    pub(super) fn new(host: &'host TextHost) -> Self {
        Self { host, has_counter: host.has_counter() }
    }

    /// Has the chunks of a text written into the buffer, one after the other.
    fn chunks(&self, address: LeafAddress, mut take: impl FnMut(usize)) {
        let LeafAddress { unit, block, leaf } = address;
        let mut is_first = true;
        loop {
            let bytes = self.host.chunk(unit, block, leaf as u32, is_first);
            if bytes == 0 {
                return;
            }
            is_first = false;
            take(bytes as usize);
        }
    }
}

impl TextSource for HostSource<'_> {
    fn read(&self, address: LeafAddress, sink: &mut dyn FnMut(&str)) {
        self.chunks(address, |bytes| with_chunk(bytes, sink));
    }

    #[cfg(feature = "wasm-full")]
    fn read_bytes(&self, address: LeafAddress, sink: &mut dyn FnMut(&[u8])) {
        self.chunks(address, |bytes| with_bytes(bytes, sink));
    }

    fn has_counter(&self) -> bool {
        self.has_counter
    }

    fn count(&self, address: LeafAddress) -> Option<Result<u32, Error>> {
        if !self.has_counter {
            return None;
        }
        let LeafAddress { unit, block, leaf } = address;
        counted(self.host.count(unit, block, leaf as u32))
            .map(|result| result.map_err(|error| error.at(unit as usize)))
    }

    #[cfg(feature = "wasm")]
    fn bound(&self, address: LeafAddress) -> Option<Bounds> {
        if !self.has_counter {
            return None;
        }
        let LeafAddress { unit, block, leaf } = address;
        bounded(self.host.bound(unit, block, leaf as u32))
    }

    #[cfg(feature = "wasm")]
    fn bound_text(&self, text: &str) -> Option<Bounds> {
        if self.has_counter { bounded(self.host.bound_text(text)) } else { None }
    }

    fn count_text(&self, text: &str) -> Option<Result<u32, Error>> {
        if self.has_counter { counted(self.host.count_text(text)) } else { None }
    }
}

#[cfg(feature = "wasm")]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn bounded(bounds: f64) -> Option<Bounds> {
    let packed = bounds as u64;
    let bounds_of = || Bounds { lower: (packed & 0x1f_ffff) as u32, upper: (packed >> 21) as u32 };
    (!bounds.is_nan()).then(bounds_of)
}

fn counted(count: f64) -> Option<Result<u32, Error>> {
    if count.is_nan() {
        return None;
    }
    if count < 0.0 {
        return Some(Err(Error::new(ErrorCode::TokenCounterFailed, "the token counter failed")));
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    Some(Ok(count as u32))
}
