//! JSON in a compact form: blanks between tokens go, and the keys of objects that are all alike stand
//! once. Tokens stay letter by letter: no number is read, no key is moved.

use serde::de::IgnoredAny;

use super::lines::{counted, ours};

/// What the line above a table says of its rows.
pub(super) const ROWS: &str = ": their keys, then the values of each";
/// Fewer objects aren't worth another form.
const LEAST: usize = 4;

pub(super) fn compact(text: &str) -> Option<String> {
    let (frame, body) = frame(text);
    let bare = body.trim();
    let is_json = bare.starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(bare).is_ok();
    let dense = is_json.then(|| without_blanks(bare))?;
    let compact = table(&dense).unwrap_or(dense);
    Some(format!("{frame}{compact}{}", if body.ends_with('\n') { "\n" } else { "" }))
}

/// What a harness writes above a command's output, and the output.
fn frame(text: &str) -> (&str, &str) {
    let is_bare = text.trim_start().starts_with(['{', '[']);
    let start = if is_bare { None } else { text.find("\nOutput:\n").map(|at| at + "\nOutput:\n".len()) };
    text.split_at_checked(start.unwrap_or(0)).unwrap_or(("", text))
}

fn without_blanks(json: &str) -> String {
    let mut dense = String::with_capacity(json.len());
    let (mut in_string, mut is_escaped) = (false, false);
    for character in json.chars() {
        if in_string || !matches!(character, ' ' | '\t' | '\n' | '\r') {
            dense.push(character);
        }
        in_string = match character {
            '"' if !is_escaped => !in_string,
            _ => in_string,
        };
        is_escaped = in_string && character == '\\' && !is_escaped;
    }
    dense
}

/// A list of objects with the same keys: the keys in one line, then the values of each in one line.
fn table(dense: &str) -> Option<String> {
    let objects = items(dense, '[', ']')?;
    let rows: Vec<Vec<(&str, &str)>> = objects.iter().map(|object| pairs(object)).collect::<Option<_>>()?;
    let keys: Vec<&str> = rows.first()?.iter().map(|(key, _)| *key).collect();
    let is_alike = |row: &Vec<(&str, &str)>| row.iter().map(|(key, _)| *key).eq(keys.iter().copied());
    if rows.len() < LEAST || keys.is_empty() || !rows.iter().all(is_alike) {
        return None;
    }
    let what = counted(rows.len(), "objects") + ROWS;
    let mut lines = vec![ours(&what), format!("[{}]", keys.join(","))];
    let values = |row: &Vec<(&str, &str)>| row.iter().map(|(_, value)| *value).collect::<Vec<_>>().join(",");
    lines.extend(rows.iter().map(|row| format!("[{}]", values(row))));
    let table = lines.join("\n");
    (table.len() < dense.len()).then_some(table)
}

/// What stands between two brackets, at its commas.
fn items(dense: &str, open: char, close: char) -> Option<Vec<&str>> {
    let inner = dense.strip_prefix(open)?.strip_suffix(close)?;
    Some(if inner.is_empty() { Vec::new() } else { cut(inner, ',') })
}

/// The members of an object: the key as it is written, and its value.
fn pairs(object: &str) -> Option<Vec<(&str, &str)>> {
    items(object, '{', '}')?.into_iter().map(pair).collect()
}

fn pair(member: &str) -> Option<(&str, &str)> {
    let key = cut(member, ':').first()?.len();
    let (key, value) = member.split_at_checked(key)?;
    Some((key, value.strip_prefix(':')?))
}

/// Cuts at a character that stands outside strings and brackets.
fn cut(text: &str, at: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0_u32);
    let (mut in_string, mut is_escaped) = (false, false);
    for (place, character) in text.char_indices() {
        if in_string {
            in_string = is_escaped || character != '"';
            is_escaped = character == '\\' && !is_escaped;
            continue;
        }
        match character {
            '"' => in_string = true,
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 && character == at => {
                parts.push(text.get(start..place).unwrap_or_default());
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts
}
