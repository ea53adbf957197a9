//! Settings as JSON, by hand: the library's formatting of numbers with decimals weighs more than all else
//! here.

use serde_json::Value;

use super::{Resolved, SETTINGS, Setting, SettingKind, Source};
use crate::options::number;
use crate::strategy::Strategy;

/// The registry as JSON: a list of objects with the documents' names for what there is to know.
#[must_use]
pub fn registry_json() -> String {
    list(SETTINGS.iter().map(setting))
}

/// Resolved settings as JSON: a list of `[key, layer, name]`, or of `[key, -1, value]` where it is the
/// default. Values stay where they are, so that they come back to the last digit.
#[must_use]
pub fn resolved_json(resolved: &[Resolved]) -> String {
    list(resolved.iter().map(|Resolved { key, value, source }| match source {
        Source::Default => format!("[{},-1,{}]", text(key), plain(value)),
        Source::Layer { layer, name } => format!("[{},{layer},{}]", text(key), text(name)),
    }))
}

fn setting(setting: &Setting) -> String {
    let Setting { key, kind, description, category, hint, persist_to_profile, aliases } = setting;
    let hint = hint.map_or(String::new(), |hint| format!(r#","hint":{}"#, text(hint)));
    format!(
        r#"{{"key":{},"category":{},"description":{},{}{hint},"persistToProfile":{persist_to_profile},"aliases":{}}}"#,
        text(key),
        text(category),
        text(description),
        self::kind(kind),
        names(aliases.iter().copied()),
    )
}

fn kind(kind: &SettingKind) -> String {
    match kind {
        SettingKind::Text => r#""type":"string""#.to_owned(),
        SettingKind::Switch { default } => format!(r#""type":"boolean","default":{default}"#),
        SettingKind::Strategy { default } => {
            let values = names(Strategy::ALL.into_iter().map(Strategy::name));
            format!(r#""type":"enum","enumValues":{values},"default":{}"#, text(default.name()))
        }
        SettingKind::Number { default, no_default_for, range } => {
            let mut json = r#""type":"number""#.to_owned();
            if let Some(range) = range {
                let (min, max) = (number(range.min), number(range.max));
                json +=
                    &format!(r#","range":{{"min":{min},"minExcluded":{},"max":{max}}}"#, range.min_excluded);
            }
            if let Some(default) = default {
                json += &format!(r#","default":{}"#, number(*default));
            }
            if !no_default_for.is_empty() {
                let strategies = names(no_default_for.iter().map(|strategy| strategy.name()));
                json += &format!(r#","noDefaultFor":{strategies}"#);
            }
            json
        }
    }
}

/// A default, of which none has more than six decimals.
fn plain(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => number(value.as_f64().unwrap_or_default()),
        other => text(other.as_str().unwrap_or_default()),
    }
}

fn names<'text>(names: impl Iterator<Item = &'text str>) -> String {
    list(names.map(text))
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

fn text(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}
