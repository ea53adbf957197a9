//! What one compaction leaves for the next.

use serde::Serialize;
use serde_json::Value;

use crate::error::Error;
use crate::options::{Reader, invalid, number};

/// The version of [`CompactionState`].
const VERSION: f64 = 1.0;

/// What one compaction leaves for the next; plain JSON, so it survives a restart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm-full", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct CompactionState {
    /// The version of this form: 1.
    #[cfg_attr(feature = "wasm-full", tsify(type = "1"))]
    pub version: u32,
    /// The summary, without lists of files and without the note of the transcript.
    pub last_summary: String,
    /// Files that were read and not changed, sorted.
    #[cfg_attr(feature = "wasm-full", tsify(type = "readonly string[]"))]
    pub read_files: Vec<String>,
    /// Files that were changed, sorted.
    #[cfg_attr(feature = "wasm-full", tsify(type = "readonly string[]"))]
    pub modified_files: Vec<String>,
    /// The user's own standing instructions, to the letter, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "wasm-full", tsify(optional, type = "readonly string[]"))]
    pub constraints: Vec<String>,
}

impl CompactionState {
    /// Reads a state; one without a version is the documents' own, and keys that aren't known are an error.
    ///
    /// # Errors
    /// [`crate::ErrorCode::InvalidOptions`], with the key.
    pub fn read(key: &str, value: &Value) -> Result<Self, Error> {
        let mut reader = Reader::new(key, value)?;
        let version = reader.number("version")?.unwrap_or(VERSION);
        if (version - VERSION).abs() > f64::EPSILON {
            return Err(invalid(&reader.key("version"), number(version), "1"));
        }
        let state = Self {
            version: 1,
            last_summary: reader.text("lastSummary")?.ok_or_else(|| reader.missing("lastSummary"))?,
            read_files: reader.texts("readFiles")?.unwrap_or_default(),
            modified_files: reader.texts("modifiedFiles")?.unwrap_or_default(),
            constraints: reader.texts("constraints")?.unwrap_or_default(),
        };
        reader.finish()?;
        Ok(state)
    }
}
