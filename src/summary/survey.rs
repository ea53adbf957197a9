//! One pass over all texts of a history for what a reply claims.

use std::collections::HashSet;

use super::History;
use super::constraints::parts;
use super::quotes::{Phrase, comparable, holds};
use super::texts::{read, text_leaf};
use crate::view::{Kind, Leaf, Speaker, flags};

/// So many paths of a reply are looked for.
const MOST_PATHS: usize = 300;

/// What humans wrote, ready to be compared: a text for each entry.
pub(super) fn human_texts(history: History<'_>, earlier: &[u32]) -> Vec<String> {
    let is_own = |unit: &u32| {
        history.view.unit(*unit).speaker == Speaker::Human && earlier.binary_search(unit).is_err()
    };
    (0..history.view.len())
        .filter(is_own)
        .map(|unit| comparable(&super::texts::lines(parts(history, unit).0.iter().map(String::as_str))))
        .collect()
}

/// Looks for phrases in what isn't a human's: results of tools, included files.
pub(super) fn find_in_tools(history: History<'_>, earlier: &[u32], phrases: &mut [Phrase]) {
    if phrases.is_empty() {
        return;
    }
    let mut look = |text: &str| {
        let text = comparable(text);
        for phrase in phrases.iter_mut().filter(|phrase| !phrase.in_tools) {
            phrase.in_tools = holds(&text, &phrase.text);
        }
    };
    for unit in 0..history.view.len() {
        if earlier.binary_search(&unit).is_ok() {
            continue;
        }
        if history.view.unit(unit).speaker == Speaker::Human {
            for included in parts(history, unit).1 {
                look(&included);
            }
        }
        for index in history.view.blocks_of(unit) {
            for text in tool_texts(history, unit, index) {
                look(&text);
            }
        }
    }
}

/// The texts of a block that a tool wrote.
fn tool_texts(history: History<'_>, unit: u32, index: u32) -> Vec<String> {
    let view = history.view;
    let block = view.block(index);
    let is_tools = view.unit(unit).speaker == Speaker::Tool && block.kind != Kind::Media;
    if block.kind != Kind::ToolResponse && block.kind != Kind::Opaque && !is_tools {
        return Vec::new();
    }
    let mut texts = Vec::new();
    if let Some(address) = text_leaf(history, index) {
        let text = read(history, address);
        // JSON hides line ends and quotation marks from a comparison.
        texts.push(if address.leaf == Leaf::Json { unescaped(&text) } else { text });
    }
    if block.has(flags::FAILED) {
        texts.push(read(history, view.leaf(index, Leaf::Detail)));
    }
    texts
}

fn unescaped(json: &str) -> String {
    json.replace("\\n", " ").replace("\\t", " ").replace("\\\"", "\"").replace("\\/", "/")
}

/// The paths in a reply: with a separator, and a dot in the last part.
pub(super) fn paths_in(text: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut paths = Vec::new();
    for word in text.split(is_no_path) {
        let path = word.trim_matches(['.', ':', '-', '/']).split(':').next().unwrap_or_default();
        let name = last_part(path);
        let is_path = path.contains(['/', '\\']) && !word.contains("://") && !path.contains("//");
        let has_extension = name.rsplit_once('.').is_some_and(|(stem, extension)| {
            !stem.is_empty()
                && (1..=8).contains(&extension.len())
                && extension.chars().all(char::is_alphanumeric)
        });
        if is_path && has_extension && paths.len() < MOST_PATHS && seen.insert(path) {
            paths.push(path.to_owned());
        }
    }
    paths
}

/// The paths whose names occur nowhere: not in the history and not in `known`.
pub(super) fn unknown_paths(history: History<'_>, paths: Vec<String>, known: &[&str]) -> Vec<String> {
    let mut wanted: HashSet<String> = paths.iter().map(|path| last_part(path).to_owned()).collect();
    let mut look = |text: &str| {
        for word in text.split(is_no_path) {
            if wanted.is_empty() {
                return;
            }
            for part in word.split(['/', '\\', ':']) {
                wanted.remove(part.trim_matches(['.', '-']));
                wanted.remove(part);
            }
        }
    };
    for text in known {
        look(text);
    }
    let view = history.view;
    for index in 0..view.block_count() {
        if let Some(address) = text_leaf(history, index) {
            look(&read(history, address));
        }
        if view.block(index).has(flags::FAILED) {
            look(&read(history, view.leaf(index, Leaf::Detail)));
        }
    }
    paths.into_iter().filter(|path| wanted.contains(last_part(path))).collect()
}

fn last_part(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or_default()
}

fn is_no_path(character: char) -> bool {
    !(character.is_alphanumeric()
        || matches!(character, '/' | '\\' | '.' | '_' | '-' | '+' | '@' | '~' | ':' | '[' | ']' | '$' | '#'))
}
