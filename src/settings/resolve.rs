//! Which value of a setting is in force.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::{Range, Setting, SettingKind, settings};
use crate::error::{Error, ErrorCode};
use crate::nearest::nearest;
use crate::options::{found, number, shown_key};
use crate::strategy::Strategy;

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Nothing was set.
    Default,
    /// A layer.
    Layer {
        /// Its position.
        layer: usize,
        /// The name by which it has the setting.
        name: &'static str,
    },
}

/// A setting and the value that is in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// The setting's key.
    pub key: &'static str,
    /// Its value.
    pub value: Value,
    /// Where the value comes from.
    pub source: Source,
}

/// As it crosses: the key, the layer, and the name there. Values stay where they are, so that they come back to the last
/// digit; a default has the layer -1, and its value.
impl Serialize for Resolved {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.source {
            Source::Default => (self.key, -1, &self.value).serialize(serializer),
            Source::Layer { layer, name } => (self.key, layer, name).serialize(serializer),
        }
    }
}

/// The values in force, in the order of the registry. Layers are the session's, the profile's and the stored settings:
/// an earlier layer overrides a later one, and all of them override the defaults. Settings without a value and without
/// a default are left out.
///
/// # Errors [`ErrorCode::InvalidSetting`] if a layer has an unknown key or an invalid value; it names the key, the
/// value and the layer. Values that an earlier layer overrides are checked as well.
pub fn resolve(layers: &[Value]) -> Result<Vec<Resolved>, Error> {
    for (position, layer) in layers.iter().enumerate() {
        check(position, layer)?;
    }
    // The first setting is the strategy, on which the defaults of others depend.
    let mut strategy = None;
    let mut resolved = Vec::new();
    for setting in settings() {
        let Some(one) = in_force(layers, setting, strategy) else { continue };
        if let SettingKind::Strategy { .. } = setting.kind {
            strategy = one.value.as_str().and_then(|name| Strategy::named(name).ok());
        }
        resolved.push(one);
    }
    Ok(resolved)
}

/// The value of the first layer that has one, else the default.
#[inline(never)]
fn in_force(layers: &[Value], setting: &Setting, strategy: Option<Strategy>) -> Option<Resolved> {
    for (layer, value) in layers.iter().enumerate() {
        for name in setting.names() {
            if let Some(value) = value.get(name) {
                let source = Source::Layer { layer, name };
                return Some(Resolved { key: setting.key, value: value.clone(), source });
            }
        }
    }
    let value = setting.default_value(strategy)?;
    Some(Resolved { key: setting.key, value, source: Source::Default })
}

/// Refuses a layer with an unknown key or an invalid value.
#[inline(never)]
fn check(position: usize, layer: &Value) -> Result<(), Error> {
    let Value::Object(entries) = layer else {
        let found = shown(layer);
        let message = [&layer_name(position), ": found ", &found, ", expected an object"].concat();
        return Err(Error::new(ErrorCode::InvalidSetting, message));
    };
    // The least of them: which comes first depends on the host.
    if let Some(key) = entries.keys().filter(|key| named(key).is_none()).min() {
        return Err(unknown(position, key));
    }
    settings().iter().try_for_each(|setting| check_setting(position, entries, setting))
}

#[inline(never)]
fn check_setting(position: usize, entries: &Map<String, Value>, setting: &Setting) -> Result<(), Error> {
    let mut taken: Option<(&'static str, &Value)> = None;
    for name in setting.names() {
        let Some(value) = entries.get(name) else { continue };
        let (other, same) = *taken.get_or_insert((name, value));
        let right = if !setting.kind.holds(value) {
            setting.kind.right()
        } else if plain(same) != plain(value) {
            ["what ", other, " says, which is ", &shown(same), ": both name one setting"].concat()
        } else {
            continue;
        };
        return Err(invalid(position, setting, name, &shown(value), &right));
    }
    Ok(())
}

/// What settings can hold, for comparisons: the library's own are a kilobyte of lists and objects.
fn plain(value: &Value) -> (Option<&str>, Option<bool>, Option<f64>) {
    (value.as_str(), value.as_bool(), value.as_f64())
}

/// The setting of a name.
#[inline(never)]
pub(super) fn named(name: &str) -> Option<&'static Setting> {
    settings().iter().find(|setting| setting.key == name || setting.aliases.contains(&name))
}

/// The error about a value that isn't even JSON, for which the caller has words.
#[must_use]
pub fn refusal(position: usize, name: &str, found: &str) -> Error {
    match named(name) {
        None => unknown(position, name),
        Some(setting) => invalid(position, setting, name, found, &setting.kind.right()),
    }
}

#[inline(never)]
fn invalid(position: usize, setting: &Setting, name: &str, found: &str, right: &str) -> Error {
    let alias = if name == setting.key { String::new() } else { [" (here ", name, ")"].concat() };
    wrong(setting, &[setting.key, &alias].concat(), &[found, " in ", &layer_name(position)].concat(), right)
}

/// The error about a value that a setting can't have.
pub(super) fn wrong(setting: &Setting, name: &str, found: &str, right: &str) -> Error {
    let message = ["setting ", name, ": found ", found, ", expected ", right].concat();
    Error::new(ErrorCode::InvalidSetting, message).key(setting.key)
}

#[inline(never)]
fn unknown(position: usize, key: &str) -> Error {
    unknown_in(key, &[" in ", &layer_name(position)].concat())
}

/// The error about a name that no setting has.
pub(super) fn unknown_in(key: &str, place: &str) -> Error {
    let names = settings().iter().flat_map(|setting| setting.names().map(|name| (setting.key, name)));
    let (keys, names): (Vec<_>, Vec<_>) = names.unzip();
    let nearest =
        nearest(key, names.into_iter()).and_then(|(at, _)| keys.get(at).copied()).unwrap_or_default();
    // The facade redacts it; of what is cut the beginning might not be known for a credential.
    let shown = if key.chars().count() <= LONGEST_KEY { key.to_owned() } else { shown_key(key).into_owned() };
    let message =
        ["setting ", &shown, ": found an unknown key", place, ", the nearest is ", nearest].concat();
    Error::new(ErrorCode::InvalidSetting, message).key(shown)
}

#[inline(never)]
fn layer_name(position: usize) -> String {
    match ["ephemeral", "profile", "persistent"].get(position) {
        Some(name) => ["layer ", &position.to_string(), " (", name, ")"].concat(),
        None => ["layer ", &position.to_string()].concat(),
    }
}

/// Longest key that is shown, in characters.
const LONGEST_KEY: usize = 80;

fn shown(value: &Value) -> String {
    if value.is_null() { "null".to_owned() } else { found(value) }
}

impl Setting {
    /// What the setting is unless it is set, for a strategy.
    #[inline(never)]
    fn default_value(&self, strategy: Option<Strategy>) -> Option<Value> {
        match self.kind {
            SettingKind::Strategy { default } => Some(Value::from(default.name())),
            SettingKind::Switch { default } => default.map(Value::from),
            SettingKind::Number { default, no_default_for, .. } => {
                let is_own = strategy.is_some_and(|strategy| no_default_for.contains(&strategy));
                default.filter(|_| !is_own).map(Value::from)
            }
            SettingKind::Text | SettingKind::Choice { .. } => None,
        }
    }
}

impl SettingKind {
    #[inline(never)]
    pub(super) fn holds(&self, value: &Value) -> bool {
        match self {
            Self::Strategy { .. } => value.as_str().is_some_and(|name| Strategy::named(name).is_ok()),
            Self::Switch { .. } => value.is_boolean(),
            Self::Choice { values } => value.as_str().is_some_and(|word| values.contains(&word)),
            Self::Text => value.as_str().is_some_and(|text| !text.trim().is_empty()),
            Self::Number { range, .. } => {
                value.as_f64().is_some_and(|number| range.is_none_or(|range| range.holds(number)))
            }
        }
    }

    /// What would be right, for errors.
    #[inline(never)]
    pub(super) fn right(&self) -> String {
        match self {
            Self::Strategy { .. } => format!("one of {}", Strategy::ALL.map(Strategy::name).join(", ")),
            Self::Switch { .. } => "true or false".to_owned(),
            Self::Choice { values } => ["one of ", &values.join(", ")].concat(),
            Self::Text => "a text that isn't empty".to_owned(),
            Self::Number { range: None, .. } => "a finite number".to_owned(),
            Self::Number { range: Some(Range { min, min_excluded, max }), .. } => {
                let (min, max) = (number(*min), number(*max));
                if *min_excluded {
                    format!("a number above {min}, at most {max}")
                } else {
                    format!("a number from {min} to {max}")
                }
            }
        }
    }
}
