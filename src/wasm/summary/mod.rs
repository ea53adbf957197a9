//! Everything around an LLM's summary: a part of `full.wasm`.

mod conversation;
mod history;
mod settings;
mod texts;
mod types;
