//! Everything around an LLM's summary: what `summary.wasm` exports.

use wasm_bindgen::prelude::*;

use super::host::{HostSource, TextHost};
use super::{json, parse, throw};
use crate::options::OptimizeSettings;
use crate::tools::ToolTable;
use crate::view::{Capabilities, Names, View, stream};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r"
import type { TextHost } from './densify.js';
";

/// A history that is read for one call.
#[wasm_bindgen]
pub struct HistoryHandle {
    view: View,
    tools: ToolTable,
    input: Vec<u32>,
}

#[wasm_bindgen]
impl HistoryHandle {
    /// A handle with the settings that reading depends on (`workspaceRoot`, `tools`), as JSON.
    ///
    /// # Errors
    /// `invalid-options`.
    #[wasm_bindgen(constructor)]
    pub fn new(settings: &str) -> Result<Self, JsValue> {
        let settings: OptimizeSettings = parse(settings)?;
        let root = settings.workspace_root.as_deref().unwrap_or("/");
        Ok(Self {
            view: View::new(Names::new(root), Capabilities::default()),
            tools: ToolTable::with(settings.tools.as_deref().unwrap_or(&[])),
            input: Vec::new(),
        })
    }

    /// Makes room for so many words of input; returns the room's address.
    pub fn input(&mut self, words: usize) -> *const u32 {
        if self.input.len() < words {
            self.input.resize(words, 0);
        }
        self.input.as_ptr()
    }

    /// The number of a tool's name.
    pub fn tool(&mut self, name: &str) -> u32 {
        self.view.names.tool(name).0
    }

    /// What an adapter must know of a tool, as the JSON of a `ToolDescriptor`.
    #[wasm_bindgen(js_name = describeTool)]
    #[must_use]
    pub fn describe_tool(&self, name: &str) -> String {
        json(&self.tools.describe(name))
    }

    /// The number of a path.
    pub fn path(&mut self, text: &str) -> u32 {
        self.view.names.path(text)
    }

    /// The number of a path in a list, where it may be a glob pattern.
    #[wasm_bindgen(js_name = listedPath)]
    pub fn listed_path(&mut self, text: &str) -> u32 {
        self.view.names.listed_path(text)
    }

    /// Adds the units of an integer stream that lies in the input.
    ///
    /// # Errors
    /// `invalid-stream`.
    pub fn push(&mut self, words: usize) -> Result<(), JsValue> {
        let words = self.input.get(..words).unwrap_or(&[]);
        stream::push_stream(&mut self.view, words).map_err(throw)
    }

    /// The tokens of the history.
    pub fn probe(&self, host: &TextHost) -> u32 {
        let _ = HostSource::new(host);
        self.view.len()
    }
}
