//! Settings as JSON, by hand: the library's formatting of numbers with decimals weighs more than all else
//! here, and so does the compiler's copying of small functions into larger ones.

use serde_json::Value;

use super::{Resolved, Setting, SettingKind, Source, settings};
use crate::options::number;
use crate::strategy::Strategy;

/// The registry as JSON: a list of objects with the documents' names for what there is to know.
#[must_use]
pub fn registry_json() -> String {
    list(&settings().iter().map(setting).collect::<Vec<_>>())
}

/// Resolved settings as JSON: a list of `[key, layer, name]` or `[key, -1, value]`. Values stay where they are, so
/// that they come back to the last digit.
#[must_use]
pub fn resolved_json(resolved: &[Resolved]) -> String {
    let place = |Resolved { key, value, source }: &Resolved| match source {
        Source::Default => list(&[text(key), "-1".to_owned(), plain(value)]),
        Source::Layer { layer, name } => list(&[text(key), layer.to_string(), text(name)]),
    };
    list(&resolved.iter().map(place).collect::<Vec<_>>())
}

/// A parsed setting as JSON: `[key, value]`. A number stays the typed text, which the host parses.
#[must_use]
pub fn parsed_json(key: &str, value: &Value) -> String {
    let value =
        value.as_bool().map_or_else(|| text(value.as_str().unwrap_or_default()), |on| switch(on).to_owned());
    list(&[text(key), value])
}

#[inline(never)]
fn setting(setting: &Setting) -> String {
    let mut json = String::new();
    member(&mut json, "key", &text(setting.key));
    member(&mut json, "category", &text(setting.category));
    member(&mut json, "description", &text(setting.description));
    member(&mut json, "type", &text(setting.kind.name()));
    kind(&mut json, &setting.kind);
    if let Some(hint) = setting.hint {
        member(&mut json, "hint", &text(hint));
    }
    member(&mut json, "persistToProfile", switch(setting.persist_to_profile));
    member(&mut json, "aliases", &names(setting.aliases));
    json.push('}');
    json
}

#[inline(never)]
fn kind(json: &mut String, kind: &SettingKind) {
    match kind {
        SettingKind::Text | SettingKind::Switch { default: None } => {}
        SettingKind::Switch { default: Some(default) } => member(json, "default", switch(*default)),
        SettingKind::Choice { values } => member(json, "enumValues", &names(values)),
        SettingKind::Strategy { default } => {
            member(json, "enumValues", &strategies(&Strategy::ALL));
            member(json, "default", &text(default.name()));
        }
        SettingKind::Number { default, no_default_for, range } => {
            if let Some(range) = range {
                let mut object = String::new();
                member(&mut object, "min", &number(range.min));
                member(&mut object, "minExcluded", switch(range.min_excluded));
                member(&mut object, "max", &number(range.max));
                object.push('}');
                member(json, "range", &object);
            }
            if let Some(default) = default {
                member(json, "default", &number(*default));
            }
            if !no_default_for.is_empty() {
                member(json, "noDefaultFor", &strategies(no_default_for));
            }
        }
    }
}

/// A default, of which none has more than six decimals.
fn plain(value: &Value) -> String {
    match value {
        Value::Bool(value) => switch(*value).to_owned(),
        Value::Number(value) => number(value.as_f64().unwrap_or_default()),
        other => text(other.as_str().unwrap_or_default()),
    }
}

const fn switch(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

fn strategies(strategies: &[Strategy]) -> String {
    names(&strategies.iter().map(|strategy| strategy.name()).collect::<Vec<_>>())
}

fn names(names: &[&str]) -> String {
    list(&names.iter().map(|name| text(name)).collect::<Vec<_>>())
}

/// Adds a member to an object, of which the first one opens it.
#[inline(never)]
fn member(json: &mut String, name: &str, value: &str) {
    json.push(if json.is_empty() { '{' } else { ',' });
    for part in ["\"", name, "\":", value] {
        json.push_str(part);
    }
}

#[inline(never)]
fn list(items: &[String]) -> String {
    ["[", &items.join(","), "]"].concat()
}

#[inline(never)]
fn text(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}
