//! Diffs: what a tool wrote by itself (lock files, bundles) is folded, all other hunks stay.

use super::call::Call;
use super::lines::{counted, is_ours, ours, units};
use crate::calls::words::split_loosely;

pub(super) fn fold(text: &str, call: &Call) -> Option<String> {
    if !text.contains("\n@@ ") {
        return None;
    }
    let files = files(text);
    // A diff of nothing else was asked for.
    if files.iter().filter_map(|file| path_of(file)).all(is_generated) {
        return None;
    }
    let sought = sought(call);
    let mut folded: Vec<String> = Vec::new();
    let mut has_folded = false;
    for file in files {
        match shortened(&file, call, &sought) {
            Some(lines) => {
                has_folded = true;
                folded.extend(lines);
            }
            None => folded.extend(file.iter().map(|&line| line.to_owned())),
        }
    }
    has_folded.then(|| folded.join("\n"))
}

/// The lines of each file's part; what lies before the first is a part too.
fn files(text: &str) -> Vec<Vec<&str>> {
    let mut files = vec![Vec::new()];
    for line in text.split('\n') {
        if line.starts_with("diff --git ") {
            files.push(Vec::new());
        }
        files.last_mut().into_iter().for_each(|file: &mut Vec<&str>| file.push(line));
    }
    files
}

fn path_of<'text>(file: &[&'text str]) -> Option<&'text str> {
    Some(file.first()?.strip_prefix("diff --git ")?.rsplit_once(" b/")?.1)
}

/// Whether the call names a file, its folder or a pattern of it, or asks (`-S`, `-G`) for what changed in it.
fn is_asked_for(path: &str, file: &[&str], call: &Call, sought: &[String]) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let mut parts = path.split('/').filter(|part| *part == name || FOLDERS.contains(part));
    let mut words = call.text.split(|sign: char| sign.is_whitespace() || matches!(sign, '"' | '\''));
    let is_pattern = |word: &str| word.contains('*') && word.contains(char::is_alphanumeric);
    let holds = |line: &&str| {
        line.starts_with(['+', '-']) && sought.iter().any(|sought| line.contains(sought.as_str()))
    };
    parts.any(|part| call.names(part))
        || words.any(|word| is_pattern(word) && matches(path, word))
        || file.iter().any(holds)
}

/// Whether the parts of a pattern between its stars follow each other in a path.
fn matches(path: &str, pattern: &str) -> bool {
    let mut rest = Some(path);
    pattern
        .split('*')
        .for_each(|part| rest = rest.and_then(|rest| rest.split_once(part)).map(|(_, rest)| rest));
    rest.is_some()
}

/// The texts whose changes a command asks for: `git log -S"left-pad: 1"`, `-G left`.
fn sought(call: &Call) -> Vec<String> {
    let mut sought = Vec::new();
    for command in split_loosely(&call.text) {
        let mut words = command.words.into_iter().map(|word| word.text);
        while let Some(word) = words.next() {
            if let Some(text) = ["-S", "-G"].iter().find_map(|option| word.strip_prefix(option)) {
                sought.extend(if text.is_empty() { words.next() } else { Some(text.to_owned()) });
            }
        }
    }
    sought.retain(|text| !text.is_empty());
    sought
}

fn shortened(file: &[&str], call: &Call, sought: &[String]) -> Option<Vec<String>> {
    let path = path_of(file)?;
    if !is_generated(path) || is_asked_for(path, file, call, sought) {
        return None;
    }
    let start = file.iter().position(|line| line.starts_with("@@ "))?;
    let (header, body) = file.split_at_checked(start)?;
    let length = body.iter().take_while(|line| line.starts_with(['@', '+', '-', ' ', '\\'])).count();
    let (body, rest) = body.split_at_checked(length)?;
    let starting = |begin: char| body.iter().filter(|line| line.starts_with(begin)).count();
    let what = format!(
        "{} of a generated file left out: {} added, {} removed",
        counted(starting('@'), "hunks"),
        counted(starting('+'), "lines"),
        counted(starting('-'), "lines"),
    );
    let saying = ours(&what);
    let size: usize = body.iter().map(|line| units(line) + 1).sum();
    let is_worth_it = units(&saying) + 1 < size && !body.iter().any(|line| is_ours(line));
    let lines = header.iter().map(|&line| line.to_owned()).chain([saying]);
    is_worth_it.then(|| lines.chain(rest.iter().map(|&line| line.to_owned())).collect())
}

const LOCKS: &[&str] = &[
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "bun.lock",
    "bun.lockb",
    "Cargo.lock",
    "poetry.lock",
    "uv.lock",
    "Pipfile.lock",
    "composer.lock",
    "Gemfile.lock",
    "go.sum",
    "flake.lock",
    "deno.lock",
];
const ENDS: &[&str] = &[".min.js", ".min.css", ".js.map", ".css.map", ".pb.go", "_pb2.py"];
const FOLDERS: &[&str] = &["node_modules", "dist", "__pycache__"];

fn is_generated(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    LOCKS.contains(&name)
        || ENDS.iter().any(|end| name.ends_with(end))
        || path.split('/').any(|part| FOLDERS.contains(&part))
}
