//! Options from JSON. Errors name the key, the found and the expected value.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{FlushPolicy, KeepFirst, Prices, Size};
use crate::error::{Error, ErrorCode};
use crate::joined::joined;
use crate::nearest::nearest;
use crate::tools::{ToolDefinition, ToolKind};
use crate::utf16::utf16_length;

/// Options that can be read from JSON.
pub trait FromOptions: Sized {
    /// Takes every key that there is out of the reader.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidOptions`] for a key that is missing or holds something else.
    fn read(reader: &mut Reader<'_>) -> Result<Self, Error>;
}

/// An object whose keys are taken one by one; what nobody asked for in the end is unknown.
pub struct Reader<'options> {
    /// Where the object stands, for the names of its keys.
    path: String,
    members: &'options Map<String, Value>,
    known: Vec<&'static str>,
}

/// The keys that options of a kind may have, in the order in which they are read; `least` holds those without a
/// default.
///
/// # Errors
/// [`ErrorCode::InvalidOptions`] if `least` lacks one of them.
#[cfg(feature = "constants")]
pub fn keys_of<T: FromOptions>(least: &Value) -> Result<Vec<&'static str>, Error> {
    let mut reader = Reader::new("options", least)?;
    T::read(&mut reader)?;
    Ok(reader.known)
}

impl<'options> Reader<'options> {
    pub(crate) fn new(path: &str, options: &'options Value) -> Result<Self, Error> {
        match options {
            Value::Object(members) => Ok(Self { path: path.to_owned(), members, known: Vec::new() }),
            other => Err(invalid(path, found(other), "an object")),
        }
    }

    /// Refuses what nobody asked for.
    pub(crate) fn finish(self) -> Result<(), Error> {
        match self.members.keys().find(|key| !self.known.contains(&key.as_str())) {
            None => Ok(()),
            Some(key) => {
                let mut known = self.known.clone();
                // The likeliest name comes first, unless the key is like none of them.
                if let Some((at, edits)) = nearest(key, known.iter().copied())
                    && edits * 2 <= key.len()
                {
                    known.get_mut(..=at).unwrap_or_default().rotate_right(1);
                }
                let known = format!("one of {}", joined(known.iter().copied(), ", "));
                Err(invalid(&self.key(&shown_key(key)), "an unknown key", &known))
            }
        }
    }

    pub(crate) fn key(&self, key: &str) -> String {
        if self.path == "options" { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    pub(crate) fn missing(&self, key: &str) -> Error {
        invalid(&self.key(key), "nothing", "a value: this option is required")
    }

    /// A value that is there: `undefined` is absent and never arrives here, `null` is an error.
    pub(crate) fn take<T>(
        &mut self,
        key: &'static str,
        right: &str,
        read: impl FnOnce(&'options Value) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        self.known.push(key);
        let Some(value) = self.members.get(key) else { return Ok(None) };
        read(value).map(Some).ok_or_else(|| invalid(&self.key(key), found(value), right))
    }

    pub(crate) fn boolean(&mut self, key: &'static str) -> Result<Option<bool>, Error> {
        self.take(key, "true or false", Value::as_bool)
    }

    pub(crate) fn number(&mut self, key: &'static str) -> Result<Option<f64>, Error> {
        self.take(key, "a finite number", Value::as_f64)
    }

    pub(crate) fn text(&mut self, key: &'static str) -> Result<Option<String>, Error> {
        self.take(key, "a string", |value| value.as_str().map(str::to_owned))
    }

    pub(crate) fn texts(&mut self, key: &'static str) -> Result<Option<Vec<String>>, Error> {
        self.take(key, "a list of strings", texts)
    }

    /// Options in an object of their own.
    pub(crate) fn object<T: FromOptions>(&mut self, key: &'static str) -> Result<Option<T>, Error> {
        self.known.push(key);
        let Some(value) = self.members.get(key) else { return Ok(None) };
        let mut reader = Reader::new(&self.key(key), value)?;
        let options = T::read(&mut reader)?;
        reader.finish()?;
        Ok(Some(options))
    }

    pub(crate) fn flush_policy(&mut self, key: &'static str) -> Result<Option<FlushPolicy>, Error> {
        self.take(
            key,
            "'always', 'never', 'when-it-pays', 'when-cold' or { tokens } with a number of at least 0",
            |value| match value {
                Value::String(word) => match word.as_str() {
                    "always" => Some(FlushPolicy::Always),
                    "never" => Some(FlushPolicy::Never),
                    "when-it-pays" => Some(FlushPolicy::WhenItPays),
                    "when-cold" => Some(FlushPolicy::WhenCold),
                    _ => None,
                },
                _ => match measure(value)? {
                    ("tokens", tokens) if tokens >= 0.0 => Some(FlushPolicy::Tokens(tokens)),
                    _ => None,
                },
            },
        )
    }

    pub(crate) fn keep_first(&mut self, key: &'static str) -> Result<Option<KeepFirst>, Error> {
        self.take(key, "true, false or 'always'", |value| match value {
            Value::Bool(true) => Some(KeepFirst::WhilePossible),
            Value::Bool(false) => Some(KeepFirst::No),
            Value::String(word) if word == "always" => Some(KeepFirst::Always),
            _ => None,
        })
    }

    pub(crate) fn prices(&mut self, key: &'static str) -> Result<Option<Prices>, Error> {
        self.take(key, "{cached, uncached}, numbers of at least 0", |value| {
            let prices = value.as_object().filter(|prices| prices.len() == 2)?;
            let price = |key| prices.get(key)?.as_f64().filter(|price| *price >= 0.0);
            Some(Prices { cached: price("cached")?, uncached: price("uncached")? })
        })
    }

    pub(crate) fn size(&mut self, key: &'static str) -> Result<Option<Size>, Error> {
        self.take(key, "a number (a fraction), {tokens}, {fraction} or {messages}", |value| match value {
            Value::Number(fraction) => fraction.as_f64().map(Size::Fraction),
            _ => match measure(value)? {
                ("tokens", tokens) => Some(Size::Tokens(tokens)),
                ("fraction", fraction) => Some(Size::Fraction(fraction)),
                ("messages", messages) => Some(Size::Messages(messages)),
                _ => None,
            },
        })
    }

    pub(crate) fn tools(&mut self, key: &'static str) -> Result<Option<Vec<ToolDefinition>>, Error> {
        self.known.push(key);
        let list = match self.members.get(key) {
            None => return Ok(None),
            Some(Value::Array(list)) => list,
            Some(other) => return Err(invalid(&self.key(key), found(other), "a list of tool definitions")),
        };
        let read = |(at, tool)| read_tool(&format!("{}.{at}", self.key(key)), tool);
        list.iter().enumerate().map(read).collect::<Result<_, _>>().map(Some)
    }
}

fn read_tool(path: &str, tool: &Value) -> Result<ToolDefinition, Error> {
    let mut reader = Reader::new(path, tool)?;
    let name = reader.text("name")?.ok_or_else(|| reader.missing("name"))?;
    let kinds = joined(ToolKind::ALL.map(ToolKind::name), ", ");
    let kind = reader.take("kind", &format!("one of {kinds}"), |value| ToolKind::named(value.as_str()?))?;
    let kind = kind.ok_or_else(|| reader.missing("kind"))?;
    let path_keys = reader.texts("pathKeys")?;
    let path_list_key = reader.text("pathListKey")?;
    reader.finish()?;
    Ok(ToolDefinition { name, kind, path_keys, path_list_key })
}

/// The one key of an object and its number.
fn measure(value: &Value) -> Option<(&str, f64)> {
    let object = value.as_object().filter(|object| object.len() == 1)?;
    let (key, number) = object.iter().next()?;
    Some((key.as_str(), number.as_f64()?))
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}

/// Longest name that an error shows, in bytes.
const LONGEST_SHOWN: usize = 40;
/// Tokens have at least so many.
const SHORTEST_HIDDEN: usize = 16;

/// Whether an error may show a text: it is a name, or too short for a credential. The module that could
/// redact it isn't at hand here, and the beginning of a credential wouldn't be known for one any more.
pub(crate) fn is_shown(text: &str) -> bool {
    let is_sign = |byte: u8| matches!(byte, b'_' | b'-' | b'.' | b' ') || !byte.is_ascii();
    if text.len() < SHORTEST_HIDDEN {
        return text.bytes().all(|byte| byte.is_ascii_alphanumeric() || is_sign(byte));
    }
    let uppers = text.bytes().filter(u8::is_ascii_uppercase).count();
    let is_name = text.bytes().all(|byte| byte.is_ascii_alphabetic() || is_sign(byte));
    text.len() <= LONGEST_SHOWN && is_name && uppers * 4 <= text.len()
}

/// An option's name, which may be anything too.
pub(crate) fn shown_key(key: &str) -> Cow<'_, str> {
    if is_shown(key) {
        return Cow::Borrowed(key);
    }
    Cow::Owned(format!("(a name of {} characters)", utf16_length(key)))
}

/// Names a value in an error. JSON writes numbers that aren't finite as null.
pub(crate) fn found(value: &Value) -> String {
    match value {
        Value::Null => "null, or a number that isn't finite".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => number(value.as_f64().unwrap_or(f64::NAN)),
        Value::String(text) if is_shown(text) => format!("'{text}'"),
        Value::String(text) => format!("a string of {} characters", utf16_length(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(object) => {
            let member = |(key, value): (&String, &Value)| match value {
                Value::Number(_) | Value::Bool(_) => format!("{} {}", shown_key(key), found(value)),
                _ => shown_key(key).into_owned(),
            };
            let keys: Vec<_> = object.iter().take(8).map(member).collect();
            format!("an object with {}", if keys.is_empty() { "no keys".to_owned() } else { keys.join(", ") })
        }
    }
}

/// A number as text, with up to six decimals. The library's exact formatting of floating-point
/// numbers weighs a fifth of the whole module.
#[allow(clippy::cast_possible_truncation)]
pub(crate) fn number(value: f64) -> String {
    if !value.is_finite() || value.abs() >= 1e15 {
        return if value.is_nan() { "NaN".to_owned() } else { "a number out of range".to_owned() };
    }
    let millionths = (value.abs().fract() * 1e6).round() as i64;
    let whole = value.abs().trunc() as i64 + millionths / 1_000_000;
    let sign = if value < 0.0 { "-" } else { "" };
    let decimals = format!("{:06}", millionths % 1_000_000);
    let text = format!("{sign}{whole}.{decimals}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// An error about one option.
pub(crate) fn invalid(key: &str, found: impl AsRef<str>, right: &str) -> Error {
    Error::new(ErrorCode::InvalidOptions, format!("option {key}: found {}, expected {right}", found.as_ref()))
        .key(key)
}
