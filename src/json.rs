//! Reads the JSON that the facade writes. The library's reader, which also reports where a text is
//! wrong and rounds every number exactly, weighs as much as a strategy; options need neither.

use serde_json::{Map, Number, Value};

/// Deeper nesting is refused.
const DEPTH: usize = 64;

/// Reads a text; none if it isn't JSON.
pub(crate) fn read(text: &str) -> Option<Value> {
    let mut reader = Reader { rest: text };
    let value = reader.value(DEPTH)?;
    reader.skip();
    reader.rest.is_empty().then_some(value)
}

struct Reader<'text> {
    rest: &'text str,
}

impl Reader<'_> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    /// Goes past a character, if it comes next.
    fn take(&mut self, expected: char) -> bool {
        self.skip();
        let rest = self.rest.strip_prefix(expected);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth == 0 {
            return None;
        }
        if self.take('"') {
            return self.text().map(Value::String);
        }
        if self.take('{') {
            let mut members = Map::new();
            let mut is_first = true;
            while !self.take('}') {
                let separated = is_first || self.take(',');
                if !separated || !self.take('"') {
                    return None;
                }
                is_first = false;
                let key = self.text()?;
                let value = if self.take(':') { self.value(depth - 1)? } else { return None };
                members.insert(key, value);
            }
            return Some(Value::Object(members));
        }
        if self.take('[') {
            let mut list = Vec::new();
            while !self.take(']') {
                if !list.is_empty() && !self.take(',') {
                    return None;
                }
                list.push(self.value(depth - 1)?);
            }
            return Some(Value::Array(list));
        }
        let end = self.rest.find([',', ']', '}', ' ', '\n']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        match word {
            "null" => Some(Value::Null),
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => Number::from_f64(number(word)?).map(Value::Number),
        }
    }

    /// A string, from behind its opening quote on.
    fn text(&mut self) -> Option<String> {
        let mut text = String::new();
        loop {
            let end = self.rest.bytes().position(|byte| byte == b'"' || byte == b'\\')?;
            let (plain, behind) = self.rest.split_at_checked(end)?;
            text.push_str(plain);
            let mut characters = behind.chars();
            if characters.next()? == '"' {
                self.rest = characters.as_str();
                return Some(text);
            }
            text.push(match characters.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'b' => '\u{8}',
                'f' => '\u{c}',
                // Only control characters are written so: options hold no lone surrogates.
                'u' => {
                    let mut code = 0;
                    for _ in 0..4 {
                        code = code * 16 + characters.next()?.to_digit(16)?;
                    }
                    char::from_u32(code)?
                }
                same => same,
            });
            self.rest = characters.as_str();
        }
    }
}

/// A number as JavaScript writes it.
fn number(word: &str) -> Option<f64> {
    let (sign, digits) = word.strip_prefix('-').map_or((1.0, word), |digits| (-1.0, digits));
    let (digits, exponent) = digits.split_once('e').unwrap_or((digits, "0"));
    let (value, places) = decimal(digits)?;
    let (is_small, exponent) = exponent.strip_prefix('-').map_or((false, exponent), |digits| (true, digits));
    let (power, _) = decimal(exponent.trim_start_matches('+'))?;
    let power = if is_small { -power } else { power } - places;
    // Powers of ten up to 22 are exact, so most numbers are rounded once.
    let mut factor = 1.0_f64;
    let mut left = power.abs().min(400.0);
    while left >= 1.0 {
        factor *= 10.0;
        left -= 1.0;
    }
    Some(sign * if power < 0.0 { value / factor } else { value * factor })
}

/// The digits of a number without its point, and how many stand behind that.
fn decimal(text: &str) -> Option<(f64, f64)> {
    let (mut value, mut places, mut is_behind) = (0.0, 0.0, false);
    for byte in text.bytes() {
        match byte {
            b'.' if !is_behind => is_behind = true,
            b'0'..=b'9' => {
                value = value * 10.0 + f64::from(byte - b'0');
                places += if is_behind { 1.0 } else { 0.0 };
            }
            _ => return None,
        }
    }
    (!text.is_empty()).then_some((value, places))
}

#[cfg(test)]
mod tests {
    use super::{DEPTH, read};
    use serde_json::Value;

    #[test]
    fn what_the_facade_writes_is_read_as_the_library_reads_it() {
        for text in [
            r#"{"strategy":"high-density","contextLimit":1e+21,"threshold":0.85,"tools":[{"name":"a\"b\\\u0007","kind":"read"}]}"#,
            r#" { "a" : [ ] , "b" : { } , "c" : [ 1 , -2.5 , 3e-7 , 0.30000000000000004 , 9007199254740991 ] } "#,
            "[true,false,null,\"é🎈\\n\\t\\r\\b\\f\\/\"]",
            "-0.1",
            "\"\"",
        ] {
            let expected: Value = serde_json::from_str(text).unwrap();
            let numbers = |value: &Value| value.to_string();
            let found = read(text).unwrap_or_default();
            assert_eq!(close(&found), close(&expected), "{text}: {}", numbers(&found));
        }
    }

    /// Numbers to fourteen digits; all else as it is.
    fn close(value: &Value) -> String {
        match value {
            Value::Number(number) => format!("{:.13e}", number.as_f64().unwrap_or(f64::NAN)),
            Value::Array(list) => list.iter().map(close).collect::<Vec<_>>().join(","),
            Value::Object(members) => members
                .iter()
                .map(|(key, value)| format!("{key}:{}", close(value)))
                .collect::<Vec<_>>()
                .join(";"),
            other => other.to_string(),
        }
    }

    #[test]
    fn what_is_no_json_is_refused() {
        let deep = "[".repeat(DEPTH + 1) + &"]".repeat(DEPTH + 1);
        for text in
            ["", "{", "{\"a\"}", "{\"a\":1,}", "[1 2]", "nul", "\"", "\"\\u12\"", "1x", "{} {}", "-", &deep]
        {
            assert_eq!(read(text), None, "{text}");
        }
        assert!(read(&("[".repeat(DEPTH - 1) + &"]".repeat(DEPTH - 1))).is_some());
    }
}
