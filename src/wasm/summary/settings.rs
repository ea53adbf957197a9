//! Settings: the values that are in force.

use wasm_bindgen::prelude::*;

use super::super::{parse_value, throw};
use crate::settings::{parse_setting, parsed_json, refusal, resolve, resolved_json};

/// Which values of some layers, given as the JSON of a list of objects, are in force.
///
/// # Errors
/// `invalid-setting`.
#[wasm_bindgen(js_name = resolveSettings)]
pub fn resolve_settings(layers: &str) -> Result<String, JsValue> {
    let layers = parse_value(layers)?;
    let layers = layers.as_array().map_or(&[][..], Vec::as_slice);
    resolve(layers).map(|resolved| resolved_json(&resolved)).map_err(throw)
}

/// The setting and the value of what a user types, as the JSON of `[key, value]`; numbers are texts.
///
/// # Errors
/// `invalid-setting`.
#[wasm_bindgen(js_name = parseSetting)]
pub fn parse(name: &str, text: &str) -> Result<String, JsValue> {
    parse_setting(name, text).map(|(setting, value)| parsed_json(setting.key, &value)).map_err(throw)
}

/// Refuses a value that JSON can't hold; `found` names it.
///
/// # Errors
/// `invalid-setting`, always.
#[wasm_bindgen(js_name = refuseSetting)]
pub fn refuse_setting(layer: usize, name: &str, found: &str) -> Result<(), JsValue> {
    Err(throw(refusal(layer, name, found)))
}
