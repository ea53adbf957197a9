//! The words in the names of tools.

/// Where such a word is something else: a build's task, a browser's name.
const OTHERS: &[(&str, &str)] = &[("run", "task"), ("gradle", "task"), ("user", "agent")];

/// The server of `mcp__server__tool`: its name says what it is for, too.
pub(super) fn server_of(name: &str) -> &str {
    name.strip_prefix("mcp__").and_then(|rest| rest.split("__").next()).unwrap_or_default()
}

/// Whether one of some words is in a list, or more than one of such things.
pub(super) fn has_any(words: &[String], list: &[&str]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let word = word.strip_suffix('s').unwrap_or(word);
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        list.contains(&word) && !before.is_some_and(|before| OTHERS.contains(&(before.as_str(), word)))
    })
}

/// The words of a tool's name, without its server's.
pub(super) fn words_of_tool(name: &str) -> Vec<String> {
    let bare = name.strip_prefix("mcp__").and_then(|rest| rest.split("__").nth(1));
    words_of(bare.unwrap_or(name))
}

/// The words of a name, in lower case: `dispatch_agent`, `TaskOutput`.
pub(super) fn words_of(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut is_open = false;
    let mut was_lower = false;
    for letter in name.chars() {
        if !is_open || letter.is_ascii_uppercase() && was_lower {
            words.push(String::new());
        }
        is_open = letter.is_ascii_alphanumeric();
        was_lower = letter.is_ascii_lowercase();
        if let Some(word) = words.last_mut().filter(|_| is_open) {
            word.push(letter.to_ascii_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
