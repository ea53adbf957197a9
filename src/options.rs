//! What callers can choose. The documentation here is the documentation of the TypeScript types.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::error::{Error, ErrorCode};
use crate::tools::ToolDefinition;

/// What `optimize` may edit, and when.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct OptimizeSettings {
    /// Removes reads of a file that a later, successful write of the same file made stale.
    ///
    /// @default true
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub read_write_pruning: Option<bool>,
    /// Of a file that the user included several times (`--- path ---` … `--- End of content ---`)
    /// keeps the newest inclusion.
    ///
    /// @default true
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub file_dedupe: Option<bool>,
    /// Replaces results older than the newest few of their tool by a pointer.
    ///
    /// @default false
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub recency_pruning: Option<bool>,
    /// How many results of each tool `recencyPruning` keeps; at least 1, fractions are cut off.
    ///
    /// @default 3
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub recency_retention: Option<f64>,
    /// Limits `recencyPruning` to tools of these names.
    ///
    /// @default all tools
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub recency_tools: Option<Vec<String>>,
    /// What relative paths are resolved against, like POSIX `path.resolve`; a Windows path
    /// (`C:\work`) switches to Windows rules.
    ///
    /// @default "/"
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub workspace_root: Option<String>,
    /// When edits may touch messages that were given out before: such a *flush* costs the
    /// provider's prompt cache behind the first edit. `'always'`: at once; `'never'`: only new
    /// messages are edited; `{tokens}`: once the waiting edits save that many tokens.
    ///
    /// @default "always"
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub flush: Option<FlushPolicy>,
    /// Tools that the built-in table doesn't know, or knows differently.
    ///
    /// @default []
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub tools: Option<Vec<ToolDefinition>>,
}

/// When edits may touch messages that were given out before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(untagged, expecting = "'always', 'never' or {tokens: number}")]
pub enum FlushPolicy {
    /// `'always'` or `'never'`.
    Word(#[cfg_attr(feature = "wasm", tsify(type = "'always' | 'never'"))] FlushWord),
    /// Once the waiting edits save this many tokens.
    Tokens(InTokens),
    #[doc(hidden)]
    #[default]
    #[serde(skip)]
    Default,
}

/// The policies that are one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum FlushWord {
    /// Before every send, as the documents have it.
    Always,
    /// Not at all.
    Never,
}

/// How `compress` is to make a history fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CompressSettings {
    /// The strategy: `'high-density'` or `'top-down-truncation'`.
    #[cfg_attr(feature = "wasm", tsify(type = "DeterministicStrategy"))]
    pub strategy: String,
    /// The model's context window, in tokens.
    pub context_limit: f64,
    /// The part of the window at which compression is due; the target is 0.6 of it.
    ///
    /// @default 0.85
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub threshold: Option<f64>,
    /// Tokens kept free for the model's answer.
    ///
    /// @default 0
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub reserve: Option<f64>,
    /// Tokens of what goes with every request but isn't history: system prompt, tool definitions.
    ///
    /// @default 0
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub overhead: Option<f64>,
    /// The recent tail that is kept as it is; a number is a fraction of the messages.
    ///
    /// @default 0.3
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub preserve: Option<Size>,
    /// Keeps the first human message as long as anything else can go. `high-density` does so by
    /// default; `top-down-truncation` cuts from the front to the letter of its definition.
    ///
    /// @default true for 'high-density', false for 'top-down-truncation'
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub keep_first_request: Option<bool>,
    /// As for `optimize`.
    ///
    /// @default "/"
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub workspace_root: Option<String>,
    /// As for `optimize`.
    ///
    /// @default []
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub tools: Option<Vec<ToolDefinition>>,
}

/// A part of a history.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(untagged, expecting = "a number (a fraction), {tokens}, {fraction} or {messages}")]
pub enum Size {
    /// A fraction of the messages.
    Number(f64),
    /// So many tokens.
    Tokens(InTokens),
    /// A fraction of the messages.
    Fraction(InFraction),
    /// So many messages.
    Messages(InMessages),
}

/// A number of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct InTokens {
    /// The tokens.
    pub tokens: f64,
}

/// A fraction of the messages.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct InFraction {
    /// From 0 to 1.
    pub fraction: f64,
}

/// A number of messages.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct InMessages {
    /// The messages.
    pub messages: f64,
}

/// The documents' configuration of the density rules (REQ-HD-001.9): nothing has a default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DensityConfig {
    /// Removes stale reads.
    pub read_write_pruning: bool,
    /// Removes earlier inclusions.
    pub file_dedupe: bool,
    /// Prunes old results.
    pub recency_pruning: bool,
    /// How many results of each tool stay.
    pub recency_retention: f64,
    /// What relative paths are resolved against.
    pub workspace_root: String,
}

impl From<DensityConfig> for OptimizeSettings {
    fn from(config: DensityConfig) -> Self {
        Self {
            read_write_pruning: Some(config.read_write_pruning),
            file_dedupe: Some(config.file_dedupe),
            recency_pruning: Some(config.recency_pruning),
            recency_retention: Some(config.recency_retention),
            workspace_root: Some(config.workspace_root),
            ..Self::default()
        }
    }
}

/// A value that is there: `undefined` means absent and never arrives, `null` is an error.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Reads options and names the key that is wrong.
///
/// # Errors
/// [`ErrorCode::InvalidOptions`] with the key, what was found and what would be right.
pub fn read_options<T: DeserializeOwned>(options: Value) -> Result<T, Error> {
    serde_path_to_error::deserialize(options).map_err(|error| {
        let path = error.path().to_string();
        let problem = error.inner().to_string();
        // Of an unknown key serde says the path of its parent and names the key in the text.
        let unknown = problem.strip_prefix("unknown field `").and_then(|rest| rest.split('`').next());
        let missing = problem.strip_prefix("missing field `").and_then(|rest| rest.split('`').next());
        let key = match (unknown.or(missing), path.as_str()) {
            (Some(name), ".") => name.to_owned(),
            (Some(name), parent) => format!("{}.{name}", parent.trim_end_matches(&format!(".{name}"))),
            (None, path) => path.to_owned(),
        };
        let key = if path.ends_with(&key) { path.clone() } else { key };
        let problem = problem.replace("invalid type: null", "found null, or a number that is not finite");
        Error::new(ErrorCode::InvalidOptions, format!("option {key}: {problem}")).key(key)
    })
}

/// An error about one option.
pub(crate) fn invalid(key: &str, found: impl std::fmt::Display, right: &str) -> Error {
    Error::new(ErrorCode::InvalidOptions, format!("option {key}: found {found}, expected {right}")).key(key)
}
