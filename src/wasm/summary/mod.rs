//! Everything around an LLM's summary: what `summary.wasm` exports.

mod conversation;
mod history;
mod texts;
mod types;
