//! Results of tools, shrunk before they were ever sent.

use wasm_bindgen::prelude::*;

use super::super::{parse, throw};
use crate::error::Error;
use crate::intake::{IntakeLimits, IntakeSettings, shrink_result};
use crate::options::{FromOptions, Reader};
use crate::tools::{ToolDefinition, ToolTable};

/// The settings of intake, and the tools that the caller defines.
struct Intake {
    settings: IntakeSettings,
    tools: Option<Vec<ToolDefinition>>,
}

impl FromOptions for Intake {
    fn read(reader: &mut Reader) -> Result<Self, Error> {
        Ok(Self { settings: IntakeSettings::read(reader)?, tools: reader.tools("tools")? })
    }
}

/// A tool's result, made shorter; nothing if it is as short as it can be.
///
/// # Errors
/// `invalid-options`.
#[wasm_bindgen(js_name = shrinkResult)]
pub fn shrink(text: &str, tool: &str, settings: &str) -> Result<Option<String>, JsValue> {
    let Intake { settings, tools } = parse(settings)?;
    let limits = IntakeLimits::new(&settings).map_err(throw)?;
    let kind = ToolTable::with(tools.as_deref().unwrap_or(&[])).describe(tool).kind;
    Ok(shrink_result(text, kind, limits))
}
