//! Texts that are pulled from the caller.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::error::{Error, ErrorCode};
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

    /// The caller's count of a text, negative if the counter failed, NaN if there is none.
    #[wasm_bindgen(method, structural)]
    fn count(this: &TextHost, unit: u32, block: u32, leaf: u32) -> f64;

    /// The same for a text of ours.
    #[wasm_bindgen(method, structural, js_name = countText)]
    fn count_text(this: &TextHost, text: &str) -> f64;
}

/// The buffer's address and length.
pub(super) fn buffer() -> (u32, u32) {
    BUFFER.with_borrow(|buffer| {
        #[allow(clippy::cast_possible_truncation)]
        let address = buffer.as_ptr() as usize as u32;
        (address, u32::try_from(buffer.len()).unwrap_or(0))
    })
}

/// A [`TextSource`] over the facade's host.
pub(super) struct HostSource<'host> {
    host: &'host TextHost,
}

impl<'host> HostSource<'host> {
    pub(super) const fn new(host: &'host TextHost) -> Self {
        Self { host }
    }
}

impl TextSource for HostSource<'_> {
    fn read(&self, address: LeafAddress, sink: &mut dyn FnMut(&str)) {
        let LeafAddress { unit, block, leaf } = address;
        let mut is_first = true;
        loop {
            let bytes = self.host.chunk(unit, block, leaf as u32, is_first);
            if bytes == 0 {
                return;
            }
            is_first = false;
            BUFFER.with_borrow(|buffer| {
                let chunk = buffer.get(..bytes as usize).unwrap_or(&[]);
                match str::from_utf8(chunk) {
                    Ok(text) => sink(text),
                    Err(_) => sink(&String::from_utf8_lossy(chunk)),
                }
            });
        }
    }

    fn count(&self, address: LeafAddress) -> Option<Result<u32, Error>> {
        let LeafAddress { unit, block, leaf } = address;
        counted(self.host.count(unit, block, leaf as u32))
            .map(|result| result.map_err(|error| error.at(unit as usize)))
    }

    fn count_text(&self, text: &str) -> Option<Result<u32, Error>> {
        counted(self.host.count_text(text))
    }
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
