//! Token counts: how much of a model's context window a text or an attachment takes.

pub mod bounds;
pub mod estimate;
pub mod exact;
mod media;
mod pairs;
mod pieces;
mod runs;
mod scripts;

// The property tests' library is there for native builds only.
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;
