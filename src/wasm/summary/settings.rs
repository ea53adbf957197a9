//! Settings: the values that are in force.

use wasm_bindgen::prelude::*;

use super::super::{parse_value, throw, value};
use crate::settings::{parse_setting, refusal, resolve};

/// Which values of some layers, which are JSON, are in force: of each its key, its layer, and its name there; a default has the layer -1,
/// and its value.
///
/// # Errors
/// `invalid-setting`.
#[wasm_bindgen(js_name = resolveSettings, unchecked_return_type = "SettingPlace[]")]
pub fn resolve_settings(layers: &str) -> Result<JsValue, JsValue> {
    let layers = parse_value(layers)?;
    let layers = layers.as_array().map_or(&[][..], Vec::as_slice);
    value(&resolve(layers).map_err(throw)?)
}

/// The setting and the value of what a user types; numbers are texts.
///
/// # Errors
/// `invalid-setting`.
#[wasm_bindgen(js_name = parseSetting, unchecked_return_type = "[string, string | boolean]")]
pub fn parse(name: &str, text: &str) -> Result<JsValue, JsValue> {
    let (setting, parsed) = parse_setting(name, text).map_err(throw)?;
    value(&(setting.key, parsed))
}

/// Refuses a value that JSON can't hold; `found` names it.
///
/// # Errors
/// `invalid-setting`, always.
#[wasm_bindgen(js_name = refuseSetting)]
pub fn refuse_setting(layer: usize, name: &str, found: &str) -> Result<(), JsValue> {
    Err(throw(refusal(layer, name, found)))
}
