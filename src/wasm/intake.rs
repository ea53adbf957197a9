//! Results of tools, shrunk before they were ever sent: a part of `full.wasm`.

use wasm_bindgen::prelude::*;

use super::{parse, throw, value};
use crate::error::Error;
use crate::intake::{Call, IntakeLimits, IntakeSettings, Shrunk, shrink_result};
use crate::options::{FromOptions, Reader};
use crate::tools::{ToolDefinition, ToolTable};

/// The settings of intake, and the tools that the caller defines.
struct Intake {
    settings: IntakeSettings,
    tools: Option<Vec<ToolDefinition>>,
}

impl FromOptions for Intake {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        Ok(Self { settings: IntakeSettings::read(reader)?, tools: reader.tools("tools")? })
    }
}

/// A tool's result, made shorter: its text and the reducers that had a part in it. Nothing if it is
/// as short as it can be. The call's parameters are JSON.
///
/// # Errors
/// `invalid-options`.
#[wasm_bindgen(js_name = shrinkResult, unchecked_return_type = "ShrunkText | null")]
pub fn shrink(text: &str, tool: &str, parameters: &str, settings: &str) -> Result<JsValue, JsValue> {
    let Intake { settings, tools } = parse(settings)?;
    let limits = IntakeLimits::new(&settings).map_err(throw)?;
    let call = Call::new(
        tool,
        &serde_json::from_str(parameters).unwrap_or_default(),
        &ToolTable::with(tools.as_deref().unwrap_or(&[])),
    );
    let shrunk = shrink_result(text, &call, &limits);
    value(&shrunk.map(|Shrunk { text, reducers }| (text, reducers)))
}
