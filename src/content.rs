//! The neutral model: what a history is made of, for native callers.
//!
//! In JavaScript the same model is the type `IContent` of the package; there a history never crosses into this crate,
//! only a [view](crate::view) of it does. Unknown block types and keys are kept and written back unchanged.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// Who speaks in an entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    /// The user, or what was put in the user's place.
    Human,
    /// The model.
    Ai,
    /// The host, answering the model's tool calls.
    Tool,
    /// Anything else; such an entry is never edited.
    #[serde(untagged)]
    Other(Value),
}

/// One entry of a history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Content {
    /// Who speaks.
    pub speaker: Speaker,
    /// What is said, in order.
    pub blocks: Vec<Block>,
    /// Everything else that the entry carries (`metadata` among it).
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// One block of an entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant)] // the large one is the usual one
pub enum Block {
    /// A block of a known type.
    Known(KnownBlock),
    /// Anything else: kept, counted, never edited.
    Unknown(Value),
}

/// The block types that the rules understand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum KnownBlock {
    /// Plain text.
    Text {
        /// The text.
        text: String,
        /// Further keys.
        #[serde(flatten)]
        rest: Map<String, Value>,
    },
    /// The model calls a tool.
    ToolCall {
        /// Pairs the call with its response.
        #[serde(default)]
        id: Value,
        /// The tool's name.
        #[serde(default)]
        name: Value,
        /// The arguments: an object for well-behaved models, anything for others.
        #[serde(default)]
        parameters: Value,
        /// Further keys.
        #[serde(flatten)]
        rest: Map<String, Value>,
    },
    /// The host answers a call.
    #[serde(rename_all = "camelCase")]
    ToolResponse {
        /// The `id` of the call.
        #[serde(default)]
        call_id: Value,
        /// The tool's name.
        #[serde(default)]
        tool_name: Value,
        /// The payload.
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        result: Option<Value>,
        /// The message of a failed call.
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        error: Option<Value>,
        /// Further keys.
        #[serde(flatten)]
        rest: Map<String, Value>,
    },
    /// An image, a sound, a file.
    #[serde(rename_all = "camelCase")]
    Media {
        /// For instance `image/png`.
        #[serde(default)]
        mime_type: Value,
        /// A URL, or base64.
        #[serde(default)]
        data: Value,
        /// Further keys.
        #[serde(flatten)]
        rest: Map<String, Value>,
    },
    /// What the model thought.
    Thinking {
        /// The thought.
        thought: String,
        /// Further keys (a signature, for instance).
        #[serde(flatten)]
        rest: Map<String, Value>,
    },
    /// A piece of code.
    Code {
        /// The code.
        code: String,
        /// Further keys.
        #[serde(flatten)]
        rest: Map<String, Value>,
    },
}

/// A key that is there, be its value `null`: it is written out again as it was.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
