//! Everything around an LLM's summary: what `summary.wasm` exports.

mod conversation;
mod history;
mod settings;
mod texts;
mod types;
