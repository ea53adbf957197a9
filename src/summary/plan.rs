//! What a reply is judged and applied by: plain JSON that survives a restart and is read back as if
//! anybody could have written it.

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::settings::Mode;
use super::split::Split;
use crate::error::{Error, ErrorCode};
use crate::options::Reader;
use crate::prompt::Framing;
use crate::view::Messages;

/// The version of [`Plan`].
pub const VERSION: u32 = 1;
/// Longest list of positions or texts that a plan may hold.
const LIST_LIMIT: usize = 10_000;

/// What a reply is judged and applied by.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// The version of this form.
    pub version: u32,
    /// What was asked for.
    #[serde(serialize_with = "framing_name")]
    pub strategy: Framing,
    /// How it was asked for.
    #[serde(serialize_with = "mode_name")]
    pub mode: Mode,
    /// The first message that is summarised. Positions here are those of messages.
    pub start: u32,
    /// Behind the last message that is summarised.
    pub end: u32,
    /// Messages of the range that are kept as they are, behind the summary.
    pub moved: Vec<u32>,
    /// The content of the range: eight hexadecimal digits for each message.
    pub fingerprint: String,
    /// The part that was sent, from 1.
    pub part: u32,
    /// How many parts there are.
    pub parts: u32,
    /// How often this part was asked for before.
    pub attempt: u32,
    /// The summary so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous: Option<String>,
    /// The first open todo item, for the acknowledgement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub todo: Option<String>,
    /// Where the whole conversation can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcript_path: Option<String>,
    /// What stays to the letter.
    pub pins: Vec<String>,
    /// The user's standing instructions, oldest first.
    pub constraints: Vec<String>,
    /// Requests of the user that the last summary held no word of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<String>,
    /// Instructions for which the list had no room.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Files that were read before the range.
    pub read_files: Vec<String>,
    /// Files that were changed before the range.
    pub modified_files: Vec<String>,
    /// The language that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Whether the caller's own prompt decides the form of the reply.
    pub overridden: bool,
    /// The sections that the caller's own prompt asks for, if it asks for our form; else all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sections: Option<Vec<String>>,
    /// The tokens that the reply to a part may have, which the next one repeats; if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_tokens: Option<u64>,
    /// The tokens that are aimed at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<u64>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's signature
fn framing_name<S: Serializer>(framing: &Framing, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(framing.name())
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's signature
fn mode_name<S: Serializer>(mode: &Mode, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(mode.name())
}

impl Plan {
    /// Reads a plan.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidRequest`] for whatever isn't a plan of this version.
    pub fn read(value: &Value) -> Result<Self, Error> {
        let read = || {
            let mut reader = Reader::new("plan", value)?;
            let plan = Self::take(&mut reader)?;
            reader.finish()?;
            Ok(plan)
        };
        let plan = read().map_err(|error: Error| request(error.message(), error.option_key()))?;
        plan.check()?;
        Ok(plan)
    }

    /// The positions as those of units.
    pub(super) fn range(&self, messages: &Messages) -> Split {
        Split {
            start: messages.first_unit(self.start),
            end: messages.first_unit(self.end),
            moved: self.moved.iter().flat_map(|&message| messages.units(message)).collect(),
        }
    }

    fn take(reader: &mut Reader<'_>) -> Result<Self, Error> {
        Ok(Self {
            version: count(reader, "version")?,
            strategy: needed(reader, "strategy", "a strategy", |value| {
                let name = value.as_str()?;
                Framing::ALL.into_iter().find(|framing| framing.name() == name)
            })?,
            mode: needed(reader, "mode", "'transcript' or 'append'", |value| Mode::named(value.as_str()?))?,
            start: count(reader, "start")?,
            end: count(reader, "end")?,
            moved: needed(reader, "moved", "a list of positions", |value| {
                value.as_array()?.iter().map(whole).collect()
            })?,
            fingerprint: needed(reader, "fingerprint", "a string", text)?,
            part: count(reader, "part")?,
            parts: count(reader, "parts")?,
            attempt: count(reader, "attempt")?,
            previous: reader.text("previous")?,
            todo: reader.text("todo")?,
            transcript_path: reader.text("transcriptPath")?,
            pins: needed(reader, "pins", "a list of strings", texts)?,
            constraints: needed(reader, "constraints", "a list of strings", texts)?,
            requests: reader.take("requests", "a list of strings", texts)?.unwrap_or_default(),
            left_out: reader.take("leftOut", "a list of strings", texts)?.unwrap_or_default(),
            read_files: needed(reader, "readFiles", "a list of strings", texts)?,
            modified_files: needed(reader, "modifiedFiles", "a list of strings", texts)?,
            language: reader.text("language")?,
            overridden: needed(reader, "overridden", "true or false", Value::as_bool)?,
            sections: reader.take("sections", "a list of strings", texts)?,
            reply_tokens: reader.take("replyTokens", "a whole number", Value::as_u64)?,
            target: reader.take("target", "a whole number", Value::as_u64)?,
        })
    }

    fn check(&self) -> Result<(), Error> {
        let length = u64::from(self.end).saturating_sub(u64::from(self.start));
        let inside = |at: &u32| (self.start..self.end).contains(at);
        let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let ascends = self.moved.iter().zip(self.moved.iter().skip(1)).all(|(a, b)| a < b);
        for (key, is_right) in [
            ("version", self.version == VERSION),
            ("end", self.end > self.start),
            ("moved", ascends && self.moved.iter().all(inside)),
            ("fingerprint", self.fingerprint.len() as u64 == length * 8),
            ("fingerprint", self.fingerprint.bytes().all(is_hex)),
            ("part", self.part >= 1 && self.part <= self.parts),
            ("pins", self.pins.len() <= LIST_LIMIT),
            ("requests", self.requests.len() <= LIST_LIMIT),
        ] {
            if !is_right {
                return Err(request("it isn't one of this version; make the request again", Some(key)));
            }
        }
        Ok(())
    }
}

fn request(message: &str, key: Option<&str>) -> Error {
    let named = key.map_or(String::new(), |key| [" at ", key.trim_start_matches("plan.")].concat());
    let error = Error::new(
        ErrorCode::InvalidRequest,
        ["the plan of the request is malformed", &named, ": ", message].concat(),
    );
    match key {
        Some(key) => error.key(key),
        None => error,
    }
}

fn needed<T>(
    reader: &mut Reader<'_>,
    key: &'static str,
    right: &str,
    read: impl FnOnce(&Value) -> Option<T>,
) -> Result<T, Error> {
    reader.take(key, right, read)?.ok_or_else(|| reader.missing(key))
}

fn count(reader: &mut Reader<'_>, key: &'static str) -> Result<u32, Error> {
    needed(reader, key, "a whole number", whole)
}

fn whole(value: &Value) -> Option<u32> {
    u32::try_from(value.as_u64()?).ok()
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(text).collect()
}
