//! The registry as JSON, for what the package knows of it without an instance.

use serde_json::{Map, Value};

use super::{SETTINGS, Setting, SettingKind};
use crate::strategy::Strategy;

/// The registry as JSON: a list of objects with the documents' names for what there is to know.
#[must_use]
pub fn registry_json() -> String {
    Value::from(SETTINGS.iter().map(setting).collect::<Vec<_>>()).to_string()
}

fn setting(setting: &Setting) -> Value {
    let mut json = Map::new();
    let mut add = |name: &str, value: Value| json.insert(name.to_owned(), value);
    add("key", setting.key.into());
    add("category", setting.category.into());
    add("description", setting.description.into());
    add("type", setting.kind.name().into());
    for (name, value) in kind(&setting.kind) {
        add(name, value);
    }
    if let Some(hint) = setting.hint {
        add("hint", hint.into());
    }
    add("persistToProfile", setting.persist_to_profile.into());
    add("aliases", setting.aliases.into());
    Value::Object(json)
}

fn kind(kind: &SettingKind) -> Vec<(&'static str, Value)> {
    match kind {
        SettingKind::Text | SettingKind::Switch { default: None } => Vec::new(),
        SettingKind::Switch { default: Some(default) } => vec![("default", (*default).into())],
        SettingKind::Choice { values } => vec![("enumValues", (*values).into())],
        SettingKind::Strategy { default } => {
            vec![("enumValues", names(&Strategy::ALL)), ("default", default.name().into())]
        }
        SettingKind::Number { default, no_default_for, range } => {
            let range = range.map(|range| {
                let mut object = Map::new();
                object.insert("min".to_owned(), number(range.min));
                object.insert("minExcluded".to_owned(), range.min_excluded.into());
                object.insert("max".to_owned(), number(range.max));
                ("range", Value::Object(object))
            });
            let default = default.map(|default| ("default", number(default)));
            let without = (!no_default_for.is_empty()).then(|| ("noDefaultFor", names(no_default_for)));
            [range, default, without].into_iter().flatten().collect()
        }
    }
}

/// A number as JavaScript writes it: a whole one has no decimals.
#[allow(clippy::cast_possible_truncation)]
fn number(number: f64) -> Value {
    if number.fract() == 0.0 { Value::from(number as i64) } else { Value::from(number) }
}

fn names(strategies: &[Strategy]) -> Value {
    strategies.iter().map(|strategy| strategy.name()).collect::<Vec<_>>().into()
}
