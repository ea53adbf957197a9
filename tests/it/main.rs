//! One integration binary: what the crate promises, by meaning.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)] // in helpers too

mod support;
mod vectors;
