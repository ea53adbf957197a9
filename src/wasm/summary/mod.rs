//! Everything around an LLM's summary: what `summary.wasm` exports.

mod conversation;
mod history;
mod intake;
mod settings;
mod texts;
mod types;
