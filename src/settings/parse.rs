//! What a user types after `/set`.

use serde_json::Value;

use super::resolve::{named, unknown_in, wrong};
use super::{Setting, SettingKind};
use crate::error::Error;
use crate::options::found;

/// The setting of a name and the value that a text stands for: `on` and `off` for switches, `70%` for 0.7.
/// A number comes back as a text, so that none of its digits is lost.
///
/// # Errors
/// [`crate::ErrorCode::InvalidSetting`] for an unknown name or a value that the setting can't have.
pub fn parse_setting(name: &str, text: &str) -> Result<(&'static Setting, Value), Error> {
    let setting = named(name).ok_or_else(|| unknown_in(name, ""))?;
    let text = text.trim();
    let value = read(setting, text);
    match value {
        Some((checked, value)) if setting.kind.holds(&checked) => Ok((setting, value)),
        _ => {
            let found = if text.is_empty() { "nothing".to_owned() } else { found(&Value::from(text)) };
            Err(wrong(setting, setting.key, &found, &setting.kind.right()))
        }
    }
}

/// The value to check, and the value to return.
fn read(setting: &Setting, text: &str) -> Option<(Value, Value)> {
    let same = |value: Value| Some((value.clone(), value));
    match setting.kind {
        SettingKind::Strategy { .. } | SettingKind::Choice { .. } => {
            same(Value::from(text.to_ascii_lowercase()))
        }
        SettingKind::Text => same(Value::from(text)),
        SettingKind::Switch { .. } => match text.to_ascii_lowercase().as_str() {
            "true" | "on" | "yes" | "1" => same(Value::from(true)),
            "false" | "off" | "no" | "0" => same(Value::from(false)),
            _ => None,
        },
        SettingKind::Number { range, .. } => {
            // A fraction can be typed as a percentage; a number of results can't.
            let percent = text.strip_suffix('%').filter(|_| range.is_some_and(|range| range.max <= 1.0));
            let (digits, by) = percent.map_or((text, 1.0), |digits| (digits.trim_end(), 100.0));
            let number = number(digits)? / by;
            Some((Value::from(number), Value::from(text)))
        }
    }
}

/// A decimal number. The library's reader of floating-point numbers is heavy; JSON's is there already.
fn number(text: &str) -> Option<f64> {
    let text = text.strip_prefix('+').unwrap_or(text);
    let text = if text.starts_with('.') { ["0", text].concat() } else { text.to_owned() };
    serde_json::from_str::<Value>(&text).ok()?.as_f64()
}
