//! The bindings: decode, call the core, encode. Nothing is decided here.
//!
//! There are three modules: `core.wasm` optimizes and compresses, `full.wasm` does that too, has all that surrounds an
//! LLM's summary and shrinks results of tools, `tokens.wasm` counts exactly; hosts fetch only the parts they use.
//!
//! Views go in and edits come out as integers, through buffers that the facade reads and writes in
//! the module's memory. Options and the core's metadata, which are small, cross as JSON text: `serde_json` is
//! what refuses unknown keys. The results of `full.wasm` cross as values. Texts are pulled from the caller in chunks.

#[cfg(feature = "wasm")]
mod core;
#[cfg(feature = "wasm")]
mod host;
#[cfg(feature = "wasm-full")]
mod intake;
#[cfg(feature = "wasm")]
mod output;
#[cfg(feature = "wasm-full")]
mod summary;
#[cfg(feature = "wasm-tokens")]
mod tokens;
#[cfg(feature = "wasm")]
mod types;

use js_sys::Reflect;
use wasm_bindgen::prelude::*;

use crate::error::Error;
#[cfg(feature = "wasm")]
use crate::error::ErrorCode;
#[cfg(feature = "wasm")]
use crate::options::{FromOptions, read_options};

/// Smaller than the standard library's, and quicker.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// The address of the buffer through which texts arrive, and its length in bytes.
#[cfg(feature = "wasm")]
#[wasm_bindgen(js_name = textBuffer)]
#[must_use]
pub fn text_buffer() -> Box<[u32]> {
    let (address, length) = host::buffer();
    Box::new([address, length])
}

#[cfg(feature = "wasm")]
fn parse<T: FromOptions>(text: &str) -> Result<T, JsValue> {
    read_options(&parse_value(text)?).map_err(throw)
}

/// Settings come back to the last digit, which the smaller reader doesn't do.
#[cfg(feature = "wasm-full")]
fn parse_value(text: &str) -> Result<serde_json::Value, JsValue> {
    serde_json::from_str(text)
        .map_err(|error| throw(Error::new(ErrorCode::InvalidOptions, format!("options: {error}"))))
}

#[cfg(all(feature = "wasm", not(feature = "wasm-full")))]
fn parse_value(text: &str) -> Result<serde_json::Value, JsValue> {
    crate::json::read(text)
        .ok_or_else(|| throw(Error::new(ErrorCode::InvalidOptions, "options: no JSON, or nested too deeply")))
}

#[cfg(feature = "wasm")]
fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

/// A value as JavaScript has it: plain objects and lists, `null` for nothing.
#[cfg(feature = "wasm-full")]
fn value<T: serde::Serialize>(value: &T) -> Result<JsValue, JsValue> {
    value.serialize(&serde_wasm_bindgen::Serializer::json_compatible()).map_err(JsValue::from)
}

/// An error as JavaScript sees it: a real `Error` with a `code`, and what it is about.
#[allow(clippy::needless_pass_by_value)] // for `map_err`
fn throw(error: Error) -> JsValue {
    let thrown = js_sys::Error::new(error.message());
    thrown.set_name("DensifyError");
    let set = |key: &str, value: JsValue| Reflect::set(&thrown, &key.into(), &value);
    // Setting a property of a fresh object can't fail.
    let _ = set("code", error.code().as_str().into());
    if let Some(index) = error.index() {
        #[allow(clippy::cast_precision_loss)]
        let _ = set("index", (index as f64).into());
    }
    if let Some(key) = error.option_key() {
        let _ = set("key", key.into());
    }
    thrown.into()
}
