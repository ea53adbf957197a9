//! densify keeps an LLM agent's conversation history small without losing the thread.
//!
//! - [`optimizer::Optimizer`] makes deterministic edits before each model call: what is shown
//!   again or superseded, repeated inclusions, old results. Its cost is the cost of what is new.
//! - [`strategy::compress`] makes a history fit once it has passed its threshold.
//! - [`propose_density`] and [`edit::apply_density_result`] are the same in the form of the
//!   high-density documents: removals and replacements by index.
//!
//! # Scope of this crate It decides what to cut. It calls no model and does no input or output. It knows no clock, no
//! randomness and no provider's message format. Without the features `wasm…` it knows no JavaScript: the same input
//! gives the same edits on every host. The npm package `densify` applies the edits to the messages of TypeScript
//! programs.

pub mod boundary;
pub mod budget;
mod calls;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod cases;
#[cfg(test)]
mod consumers;
pub mod content;
pub mod conversation;
pub mod defaults;
mod density;
pub mod edit;
mod error;
#[cfg(test)]
mod hosts;
pub mod intake;
mod interner;
mod joined;
mod json;
pub mod lines;
mod nearest;
pub mod optimizer;
pub mod options;
pub mod prompt;
pub mod redact;
pub mod rules;
mod scatter;
mod search;
pub mod settings;
pub mod strategy;
pub mod summary;
pub mod tokens;
pub mod tools;
mod utf16;
pub mod view;
#[cfg(any(feature = "wasm", feature = "wasm-tokens"))]
mod wasm;

pub use density::{compress_contents, optimize_contents, propose_density};
pub use error::{Error, ErrorCode};
