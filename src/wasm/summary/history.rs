//! A history that is read for one call.

use wasm_bindgen::prelude::*;

use super::super::host::{HostSource, TextHost};
use super::super::{json, parse, parse_value, throw, value};
use crate::error::Error;
use crate::options::{FromOptions, Reader};
use crate::summary::files::file_operations;
use crate::summary::{
    self, DigestSettings, Digested, History, Mode, Outcome, Plan, Planned, Screen, SummarySettings,
};
use crate::tools::{ToolDefinition, ToolTable};
use crate::view::{Capabilities, Names, TextSource, View, stream};

/// The settings that reading depends on.
#[derive(Default)]
struct Reading {
    workspace_root: Option<String>,
    tools: Option<Vec<ToolDefinition>>,
}

impl FromOptions for Reading {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        Ok(Self { workspace_root: reader.text("workspaceRoot")?, tools: reader.tools("tools")? })
    }
}

/// What was planned.
#[derive(serde::Serialize, tsify::Tsify)]
struct ScreenedSummary {
    #[tsify(type = "PlannedSummary")]
    planned: Planned,
    /// Which of the first part's messages hold nothing to redact.
    clean: Vec<bool>,
}

/// A history that is read for one call.
#[wasm_bindgen]
pub struct HistoryHandle {
    view: View,
    tools: ToolTable,
    input: Vec<u32>,
    settings: Option<SummarySettings>,
}

#[wasm_bindgen]
impl HistoryHandle {
    /// A handle with the settings that reading depends on (`workspaceRoot`, `tools`), as JSON.
    ///
    /// # Errors
    /// `invalid-options`.
    #[wasm_bindgen(constructor)]
    pub fn new(settings: &str) -> Result<Self, JsValue> {
        let Reading { workspace_root, tools } = parse(settings)?;
        Ok(Self::with(workspace_root.as_deref(), tools.as_deref()))
    }

    /// A handle with the settings of a summary, as JSON.
    ///
    /// # Errors
    /// `invalid-options`, `unknown-strategy`, `invalid-prompt`.
    #[wasm_bindgen(js_name = forSummary)]
    pub fn for_summary(settings: &str) -> Result<Self, JsValue> {
        let settings: SummarySettings = parse(settings)?;
        let handle = Self::with(settings.workspace_root.as_deref(), settings.tools.as_deref());
        Ok(Self { settings: Some(settings), ..handle })
    }

    fn with(workspace_root: Option<&str>, tools: Option<&[ToolDefinition]>) -> Self {
        Self {
            view: View::new(workspace_root.map_or_else(Names::anywhere, Names::new), Capabilities::default()),
            tools: ToolTable::with(tools.unwrap_or(&[])),
            input: Vec::new(),
            settings: None,
        }
    }

    /// Says what the provider demands, as the bits of its capabilities.
    pub fn demand(&mut self, capabilities: u32) {
        self.view.capabilities = Capabilities::from_bits(capabilities).in_need();
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

    /// Plans a request. Without `screen` no message is said to be
    /// clean.
    ///
    /// # Errors
    /// `open-calls`, `window-too-small`, `token-counter-failed`.
    #[wasm_bindgen(unchecked_return_type = "ScreenedSummary")]
    pub fn request(&self, host: &TextHost, screen: bool) -> Result<JsValue, JsValue> {
        let source = HostSource::new(host);
        let settings = self.settings.clone().unwrap_or_default();
        let screened = Screen::new(&self.view, &source);
        // The caller's own messages, which the request follows, are theirs to send.
        let screened = if settings.mode == Some(Mode::Append) { screened.at_leisure() } else { screened };
        let source: &dyn TextSource = if screen { &screened } else { &source };
        let planned = summary::request(self.history(source), &settings).map_err(throw)?;
        let clean = match &planned {
            Planned::Request(request) if screen => {
                request.messages.iter().map(|message| screened.is_clean(&message.segments)).collect()
            }
            _ => Vec::new(),
        };
        value(&ScreenedSummary { planned, clean })
    }

    /// Makes a digest, with settings of its own as JSON.
    ///
    /// # Errors
    /// `invalid-options`, `token-counter-failed`.
    #[wasm_bindgen(unchecked_return_type = "DigestOutcome")]
    pub fn digest(&self, settings: &str, host: &TextHost) -> Result<JsValue, JsValue> {
        let source = HostSource::new(host);
        let settings: DigestSettings = parse(settings)?;
        let digested = summary::digest(self.history(&source), &settings).map_err(throw)?;
        match digested {
            Digested::Applied(applied) => value(&Outcome::Applied(applied)),
            Digested::Noop { reason } => value(&Planned::Noop { reason }),
        }
    }

    /// Judges a reply by a plan, which is JSON.
    ///
    /// # Errors
    /// `invalid-request`, `token-counter-failed`.
    #[wasm_bindgen(unchecked_return_type = "SummaryOutcome")]
    pub fn apply(&self, plan: &str, reply: &str, host: &TextHost) -> Result<JsValue, JsValue> {
        let source = HostSource::new(host);
        let plan = Plan::read(&parse_value(plan)?).map_err(throw)?;
        value(&summary::apply(self.history(&source), &plan, reply).map_err(throw)?)
    }

    /// Judges a reply that isn't applied.
    ///
    /// # Errors
    /// `token-counter-failed`.
    #[wasm_bindgen(unchecked_return_type = "VerifiedSummary")]
    pub fn verify(&self, reply: &str, host: &TextHost) -> Result<JsValue, JsValue> {
        let source = HostSource::new(host);
        let settings = self.settings.clone().unwrap_or_default();
        value(&summary::verify(self.history(&source), &settings, reply).map_err(throw)?)
    }

    /// The files that calls read and changed.
    ///
    /// # Errors
    /// None: the lists can be had in JavaScript.
    #[wasm_bindgen(js_name = fileOperations, unchecked_return_type = "FileOperations")]
    pub fn file_operations(&self, host: &TextHost) -> Result<JsValue, JsValue> {
        let source = HostSource::new(host);
        value(&file_operations(self.history(&source), 0..self.view.len()))
    }

    fn history<'history>(&'history self, source: &'history dyn TextSource) -> History<'history> {
        History { view: &self.view, source, tools: &self.tools }
    }
}
