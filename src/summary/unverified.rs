//! Where directives go that the user didn't say in these words: to what is known, with a mark.

use std::collections::{HashMap, HashSet};

use super::headings::{self, Place};
use super::reply::{CLOSE, is_heading, section};

/// The section that only the user may speak in.
pub(super) const DIRECTIVES: &str = "user_directives";
/// What such a directive is marked with.
pub(super) const UNVERIFIED: &str = "(unverified)";
/// Where it goes in a snapshot.
const KNOWLEDGE: &str = "key_knowledge";
/// Where it goes in a structured summary.
const CONTEXT: &str = "## Critical Context";

/// A snapshot whose unsaid directives stand in the key knowledge.
pub(super) fn moved(body: &str, directives: &str, said: &[String], unsaid: &[String]) -> String {
    let (open, close) = (["<", DIRECTIVES, ">"].concat(), ["</", DIRECTIVES, ">"].concat());
    let own = [&open, directives, &close].concat();
    let list = list(&body.replacen(&own, "", 1), unsaid);
    let kept = [&open, "\n", &said.join("\n"), "\n", &close].concat();
    let body = body.replacen(&own, &kept, 1);
    let closing = ["</", KNOWLEDGE, ">"].concat();
    if section(&body, KNOWLEDGE).is_some()
        && let Some((before, after)) = body.split_once(&closing)
    {
        return [before.trim_end(), "\n", &list, &closing, after].concat();
    }
    // A reply in the form of the caller's own may have no end of a snapshot.
    let (before, close, after) =
        body.rsplit_once(CLOSE).map_or((&*body, "", ""), |(before, after)| (before, CLOSE, after));
    [before.trim_end(), "\n<", KNOWLEDGE, ">\n", &list, &closing, "\n", close, after].concat()
}

/// A structured summary whose unsaid constraints stand in the critical context; of those that the user said in
/// part that part stays.
pub(super) fn moved_below(body: &str, unsaid: &[String], shortened: &[(&str, String)]) -> String {
    let gone: HashSet<&str> = unsaid
        .iter()
        .map(String::as_str)
        .chain(shortened.iter().map(|(text, _)| *text))
        .flat_map(str::lines)
        .collect();
    let parts: HashMap<&str, &str> =
        shortened.iter().filter_map(|(text, said)| Some((text.lines().next()?, said.as_str()))).collect();
    let mut lines: Vec<&str> = Vec::new();
    for (line, place) in body.lines().zip(headings::places(body)) {
        match parts.get(line).filter(|_| place == Place::Inside) {
            Some(said) => lines.push(said),
            None if place == Place::Outside || !gone.contains(line) => lines.push(line),
            None => {}
        }
    }
    let list = list(&lines.join("\n"), unsaid);
    let place = lines.iter().position(|line| is_heading(line, CONTEXT)).unwrap_or_else(|| {
        lines.extend(["", CONTEXT]);
        lines.len() - 1
    });
    // At its top: what follows may stand under a heading of its own.
    lines.splice(place + 1..=place, list.lines());
    lines.join("\n")
}

/// The moved lines, without those that are there already.
fn list(body: &str, unsaid: &[String]) -> String {
    let mut list = String::new();
    let mut known: HashSet<String> = body.lines().map(|line| line.trim().to_owned()).collect();
    // A heading that says nothing by itself goes without a trace.
    for item in unsaid.iter().filter(|item| !headings::is_short(item)) {
        let line = item.trim().trim_start_matches(['-', '*', '•', '+', '#']).trim_start();
        // What was unverified in the previous summary may come back with its mark.
        let line = line.trim_start_matches(UNVERIFIED).trim_start();
        let marked = ["- ", UNVERIFIED, " ", line].concat();
        if known.insert(marked.clone()) {
            list.push_str(&marked);
            list.push('\n');
        }
    }
    list
}

/// A body with a mark in some of its lines.
pub(super) fn marked(body: String, lines: &[&str]) -> String {
    if lines.is_empty() {
        return body;
    }
    let wanted: HashSet<&str> = lines.iter().copied().collect();
    let mut text = Vec::new();
    for line in body.lines() {
        let place = mark_place(line);
        let is_wanted = wanted.contains(line) && !line.contains(UNVERIFIED) && !line.trim().is_empty();
        match line.split_at_checked(place).filter(|_| is_wanted) {
            Some((before, after)) => text.push([before, UNVERIFIED, " ", after].concat()),
            None => text.push(line.to_owned()),
        }
    }
    text.join("\n")
}

/// Where a line's text starts: behind its list mark and its tag.
fn mark_place(line: &str) -> usize {
    let text = line.trim_start_matches(['-', '*', '•', '+', '#', ' ', '\t']);
    let text = if text.starts_with('<') { text.split_once('>').map_or(text, |(_, rest)| rest) } else { text };
    line.len() - text.len()
}
