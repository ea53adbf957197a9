//! Lists of files: paths under their folder, trees without their drawing, and what lies in folders that
//! tools fill by themselves left out.

use super::call::Call;
use super::lines::{Mark, fold, is_ours};

/// Fewer lines aren't worth another form.
const LEAST: usize = 5;
/// So many paths of a folder may be looked for one by one.
const LEAST_LEFT_OUT: usize = 10;

/// Folders that tools fill, and the note about their paths.
const FILLED: &[(&str, &str)] = &[
    ("node_modules", "paths below node_modules"),
    (".git", "paths below .git"),
    ("__pycache__", "paths below __pycache__"),
    (".venv", "paths below .venv"),
    ("site-packages", "paths below site-packages"),
];

pub(super) fn leave_out(text: &str, call: &Call) -> Option<String> {
    let filled = |line: &str, least: usize| {
        FILLED.iter().find(|(folder, _)| line.split('/').rev().skip(least).any(|part| part == *folder))
    };
    let mark = |line: &str| match is_path(line).then(|| filled(line, 1)).flatten() {
        Some((folder, noun)) if !call.text.contains(folder) => Mark::Out(noun),
        _ => Mark::Keep,
    };
    // If all matches lie there, the search was about them.
    let is_other = |line: &str| (line.contains('/') || line.starts_with("  ")) && filled(line, 0).is_none();
    let has_others = text.split('\n').any(is_other);
    has_others.then(|| fold(text, &text.split('\n').map(mark).collect::<Vec<_>>(), LEAST_LEFT_OUT))?
}

/// Paths under a line with their folder; what can't be read back isn't grouped.
pub(super) fn group(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut grouped: Vec<String> = Vec::with_capacity(lines.len());
    let (mut at, mut count) = (0, 0);
    while let Some(line) = lines.get(at) {
        let folder = folder(line).unwrap_or_default();
        let is_same = |line: &&&str| self::folder(line) == Some(folder);
        let length = if folder.is_empty() { 0 } else { lines.iter().skip(at).take_while(is_same).count() };
        if length < 2 {
            grouped.push((*line).to_owned());
            at += 1;
            continue;
        }
        grouped.push(folder.to_owned());
        let names = lines.iter().skip(at).take(length);
        grouped.extend(names.map(|line| format!("  {}", line.strip_prefix(folder).unwrap_or(line))));
        count += length;
        at += length;
    }
    let grouped = (count >= LEAST).then(|| grouped.join("\n"))?;
    (ungroup(&grouped) == text).then_some(grouped)
}

/// A line that is a path and nothing else.
fn is_path(line: &str) -> bool {
    let is_odd = |c: char| {
        c.is_whitespace()
            || matches!(c, ':' | '"' | '\'' | '<' | '>' | '(' | ')' | '{' | '}' | '=' | ',' | ';' | '*' | '|')
    };
    line.contains('/') && !line.ends_with('/') && !line.contains(is_odd) && !line.contains("//")
}

/// The folder of a path, with its stroke.
fn folder(line: &str) -> Option<&str> {
    let end = is_path(line).then(|| line.rfind('/'))?? + 1;
    line.get(..end)
}

fn ungroup(text: &str) -> String {
    let mut lines = text.split('\n').peekable();
    let mut whole: Vec<String> = Vec::new();
    while let Some(line) = lines.next() {
        let is_name = |next: &&str| next.starts_with("  ") && !is_ours(next);
        let is_head = line.ends_with('/') && !line.starts_with(' ');
        if !is_head || !lines.peek().is_some_and(is_name) {
            whole.push(line.to_owned());
            continue;
        }
        while let Some(name) = lines.next_if(is_name) {
            whole.push(format!("{line}{}", name.get(2..).unwrap_or_default()));
        }
    }
    whole.join("\n")
}

/// What `tree` draws in front of names, level by level.
const LEVELS: &[&str] = &["│   ", "│\u{a0}\u{a0} ", "|   ", "    ", "\u{a0}\u{a0}\u{a0} "];
const BRANCHES: &[&str] = &["├── ", "└── ", "|-- ", "`-- "];

/// A tree by its indentation alone.
pub(super) fn undraw(text: &str) -> Option<String> {
    let lines: Vec<Option<(usize, &str)>> = text.split('\n').map(branch).collect();
    if lines.iter().flatten().count() < LEAST {
        return None;
    }
    let lines = lines.iter().zip(text.split('\n')).map(|(branch, line)| match branch {
        Some((level, name)) => format!("{}{name}", "  ".repeat(*level)),
        None => line.to_owned(),
    });
    Some(lines.collect::<Vec<String>>().join("\n"))
}

/// The level and the name of a line of a tree.
fn branch(line: &str) -> Option<(usize, &str)> {
    let (mut level, mut rest) = (1, line);
    while let Some(deeper) = LEVELS.iter().find_map(|drawn| rest.strip_prefix(drawn)) {
        (level, rest) = (level + 1, deeper);
    }
    BRANCHES.iter().find_map(|drawn| rest.strip_prefix(drawn)).map(|name| (level, name))
}
