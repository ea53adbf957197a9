//! The calls in a script of Codex's code mode: `const r = await tools.exec_command({cmd: "ls"}); text(r.output)`.

use std::iter::Peekable;
use std::str::Chars;

use serde_json::{Map, Value};

use super::is_one_of;
use crate::json;
use crate::search::contains;

/// A call that a script makes.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptCall {
    /// The tool's name.
    pub name: String,
    /// The tool's parameters.
    pub parameters: Value,
}

/// How deep values may be nested.
const DEPTH: usize = 16;
/// Before a call, these decide whether it is made, and how often.
const BRANCHES: &str =
    "if else for while do switch case function try catch finally return throw break continue";
/// With these a script reaches tools in other ways.
const DETOURS: &str = "eval Function globalThis import require this";

/// The calls of a script, in order; none if it is not certain that it makes exactly these.
#[must_use]
pub fn calls_of(script: &str) -> Option<Vec<ScriptCall>> {
    let mut reader =
        Reader { rest: script.chars().peekable(), texts: Vec::new(), code: String::new(), calls: Vec::new() };
    while let Some(&next) = reader.rest.peek() {
        reader.step(next)?;
    }
    let is_detour = |word: &str| is_one_of(word, DETOURS);
    let is_plain = !words_of(&reader.code).any(is_detour) && !reader.calls.is_empty();
    is_plain.then_some(reader.calls)
}

/// The text of a script, if the parameters of a call hold one.
#[must_use]
pub fn script_in(parameters: &Value) -> Option<&str> {
    let text = parameters.as_str().or_else(|| parameters.get("input")?.as_str())?;
    contains(text, "tools.").then_some(text)
}

struct Reader<'script> {
    rest: Peekable<Chars<'script>>,
    /// The constant texts, by their names.
    texts: Vec<(String, String)>,
    /// What was read, without the contents of texts and calls.
    code: String,
    calls: Vec<ScriptCall>,
}

impl Reader<'_> {
    fn step(&mut self, next: char) -> Option<()> {
        match next {
            '"' | '\'' | '`' => {
                let text = self.text()?;
                self.keep(text);
            }
            // A comment or a pattern: both may hold quotes.
            '/' => return None,
            _ if is_word(next) => {
                let word = self.word();
                if word == "tools" {
                    self.call()?;
                } else {
                    self.code.push_str(&word);
                }
            }
            _ => {
                self.rest.next();
                self.code.push(next);
            }
        }
        Some(())
    }

    /// Keeps a text that is a constant of its own: `const patch = "…";`.
    fn keep(&mut self, text: String) {
        let declared = self.code.trim_end().strip_suffix('=').map(str::trim_end).unwrap_or_default();
        let (before, name) = declared.rsplit_once(char::is_whitespace).unwrap_or_default();
        let is_constant = before.ends_with("const") && name.chars().all(is_word);
        let name = name.to_owned();
        self.code.push('"');
        while self.rest.next_if(|&next| next == ' ').is_some() {}
        if is_constant && matches!(self.rest.peek(), Some(';' | '\n' | '\r')) {
            self.texts.push((name, text));
        }
    }

    /// `.name(parameters)`.
    fn call(&mut self) -> Option<()> {
        let before = self.code.trim_end();
        let is_awaited =
            before.ends_with("await") || before.ends_with(['[', ',']) && contains(before, "Promise.all(");
        let is_certain = !words_of(before).any(|word| is_one_of(word, BRANCHES)) && !contains(before, "=>");
        if !is_awaited || !is_certain || before.contains(['?', '&', '|']) {
            return None;
        }
        self.expect('.')?;
        let name = self.word();
        self.expect('(')?;
        let parameters = self.value(DEPTH)?;
        self.space();
        self.rest.next_if_eq(&',');
        self.expect(')')?;
        self.code.push_str("call()");
        self.calls.push(ScriptCall { name, parameters });
        Some(())
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        self.space();
        let depth = depth.checked_sub(1)?;
        match *self.rest.peek()? {
            '{' => self.members(depth),
            '[' => self.items(depth),
            '"' | '\'' | '`' => self.text().map(Value::String),
            '-' | '0'..='9' => {
                let digits = |next: &char| next.is_ascii_alphanumeric() || matches!(next, '.' | '-' | '+');
                let number: String = std::iter::from_fn(|| self.rest.next_if(digits)).collect();
                json::read(&number)
            }
            _ => {
                let word = self.word();
                match word.as_str() {
                    "true" => Some(Value::Bool(true)),
                    "false" => Some(Value::Bool(false)),
                    "null" | "undefined" => Some(Value::Null),
                    _ => self
                        .texts
                        .iter()
                        .rev()
                        .find(|(name, _)| *name == word)
                        .map(|(_, text)| text.clone().into()),
                }
            }
        }
    }

    fn members(&mut self, depth: usize) -> Option<Value> {
        let mut members = Map::new();
        self.listed(('{', '}'), |reader| {
            let key = match reader.rest.peek()? {
                '"' | '\'' => reader.text()?,
                _ => Some(reader.word()).filter(|word| !word.is_empty())?,
            };
            reader.expect(':')?;
            let value = reader.value(depth)?;
            // `undefined` sets nothing.
            if !value.is_null() {
                members.insert(key, value);
            }
            Some(())
        })?;
        Some(Value::Object(members))
    }

    fn items(&mut self, depth: usize) -> Option<Value> {
        let mut items = Vec::new();
        self.listed(('[', ']'), |reader| {
            items.push(reader.value(depth)?);
            Some(())
        })?;
        Some(Value::Array(items))
    }

    /// Reads what stands between two brackets, with commas between.
    fn listed(
        &mut self,
        (open, close): (char, char),
        mut one: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.expect(open)?;
        loop {
            self.space();
            if self.rest.next_if_eq(&close).is_some() {
                return Some(());
            }
            one(self)?;
            self.space();
            if self.rest.peek() != Some(&close) {
                self.expect(',')?;
            }
        }
    }

    /// A quoted text; none if something is put into it.
    fn text(&mut self) -> Option<String> {
        let quote = self.rest.next()?;
        let is_raw = quote == '`' && self.code.ends_with("String.raw");
        // Other functions before a template may make anything of it.
        if quote == '`' && !is_raw && self.code.ends_with(is_word) {
            return None;
        }
        if is_raw {
            self.code.truncate(self.code.len() - "String.raw".len());
        }
        let mut text = String::new();
        loop {
            match self.rest.next()? {
                next if next == quote => return Some(text),
                '$' if quote == '`' && self.rest.peek() == Some(&'{') => return None,
                // A backslash keeps a quote from ending the text, and stays.
                '\\' if is_raw => text.extend(['\\', self.rest.next()?]),
                '\\' => self.escaped(&mut text)?,
                '\n' if quote != '`' => return None,
                next => text.push(next),
            }
        }
    }

    fn escaped(&mut self, text: &mut String) -> Option<()> {
        let letter = match self.rest.next()? {
            '\n' => return Some(()),
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'u' => self.coded(4)?,
            'x' => self.coded(2)?,
            other if other.is_ascii_alphanumeric() => return None,
            other => other,
        };
        text.push(letter);
        Some(())
    }

    /// A character by its number, of so many digits. Half of a pair is none.
    fn coded(&mut self, length: usize) -> Option<char> {
        let digits: String =
            std::iter::from_fn(|| self.rest.next_if(char::is_ascii_hexdigit)).take(length).collect();
        let code = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == length)?;
        char::from_u32(code)
    }

    fn word(&mut self) -> String {
        std::iter::from_fn(|| self.rest.next_if(|&next| is_word(next))).collect()
    }

    fn space(&mut self) {
        while self.rest.next_if(|next| next.is_whitespace()).is_some() {}
    }

    fn expect(&mut self, wanted: char) -> Option<()> {
        self.space();
        self.rest.next_if_eq(&wanted).map(drop)
    }
}

/// Outside of texts a script has no other letters than those of names.
fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric()
        || matches!(letter, '_' | '$')
        || !letter.is_ascii() && !letter.is_whitespace()
}

fn words_of(code: &str) -> impl Iterator<Item = &str> {
    code.split(|letter| !is_word(letter))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{ScriptCall, calls_of};

    fn call(name: &str, parameters: serde_json::Value) -> ScriptCall {
        ScriptCall { name: name.to_owned(), parameters }
    }

    #[test]
    fn calls_in_scripts_are_read_with_bare_and_quoted_keys() {
        for (script, expected) in [
            (
                "const r = await tools.exec_command({cmd:\"sed -n '1,9p' a.rs\",\"workdir\":\"/w\",yield_time_ms:10000});text(r.output)\n",
                vec![call(
                    "exec_command",
                    json!({"cmd": "sed -n '1,9p' a.rs", "workdir": "/w", "yield_time_ms": 10000.0}),
                )],
            ),
            (
                "const patch = \"*** Begin Patch\\n*** End Patch\";\ntext(await tools.apply_patch(patch));\n",
                vec![call("apply_patch", json!("*** Begin Patch\n*** End Patch"))],
            ),
            ("const p = String.raw`a\\n${'`'}`;".split('$').next().unwrap_or_default(), vec![]),
            (
                "const p = String.raw`a\\nb`;\nawait tools.apply_patch(p)",
                vec![call("apply_patch", json!("a\\nb"))],
            ),
            (
                "const [a, b] = await Promise.all([\n  tools.exec_command({cmd: 'ls'}),\n  tools.exec_command({cmd: `pwd`, tty: false,}),\n]); text(a.output)",
                vec![
                    call("exec_command", json!({"cmd": "ls"})),
                    call("exec_command", json!({"cmd": "pwd", "tty": false})),
                ],
            ),
            (
                "const r=await tools.write_stdin({session_id:4,chars:\"\\u0003\"});if(r.session_id)text('on')",
                vec![call("write_stdin", json!({"session_id": 4.0, "chars": "\u{3}"}))],
            ),
        ] {
            assert_eq!(calls_of(script).unwrap_or_default(), expected, "{script}");
        }
    }

    #[test]
    fn a_script_that_may_do_anything_else_is_not_read() {
        for script in [
            "",
            "text(1)",
            "const t = tools; await t.exec_command({cmd: 'ls'})",
            "for (const f of files) { await tools.exec_command({cmd: 'ls'}) }",
            "if (x) await tools.exec_command({cmd: 'ls'})",
            "await tools.exec_command({cmd: `rm ${name}`})",
            "await tools.exec_command({cmd: 'a' + b})",
            "await tools.exec_command({cmd})",
            "await tools.exec_command(options)",
            "await tools['exec_command']({cmd: 'ls'})",
            "let p = 'a'; p = 'b'; await tools.apply_patch(p)",
            "const p = 'a'.repeat(2); await tools.apply_patch(p)",
            "await tools.exec_command({cmd: 'ls'}); await globalThis.x()",
            "files.map(f => tools.exec_command({cmd: 'ls'}))",
            "x && await tools.exec_command({cmd: 'ls'})",
            "/'/; await tools.exec_command({cmd: 'rm a'}) // '",
            "await tools.exec_command({cmd: 'ls'",
            "await tools.exec_command({cmd: 'ls'}); return tools",
        ] {
            assert_eq!(calls_of(script), None, "{script}");
        }
    }
}
