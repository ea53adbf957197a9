//! Tokenizers of other crates, as wasm without glue: the benchmark writes a text into the buffer.
#![allow(unsafe_code)]

use std::cell::RefCell;

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The buffer's address, with room for so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *const u8 {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.resize(bytes, 0);
        buffer.as_ptr()
    })
}

/// The tokens of a text in the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn count(bytes: usize) -> usize {
    BUFFER.with_borrow(|buffer| tokens(std::str::from_utf8(&buffer[..bytes]).unwrap_or_default()))
}

#[cfg(feature = "tiktoken")]
fn tokens(text: &str) -> usize {
    tiktoken::get_encoding("o200k_base").map_or(0, |encoding| encoding.count(text))
}

#[cfg(feature = "tiktoken-rs")]
fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().count_ordinary(text)
}
