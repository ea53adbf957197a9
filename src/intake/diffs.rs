//! Diffs: what a tool wrote by itself (lock files, bundles) is folded, all other hunks stay.

use super::call::Call;
use super::lines::{counted, is_ours, ours, units};

pub(super) fn fold(text: &str, call: &Call) -> Option<String> {
    if !text.contains("\n@@ ") {
        return None;
    }
    let mut folded: Vec<String> = Vec::new();
    let mut has_folded = false;
    for file in files(text) {
        match shortened(&file, call) {
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

fn shortened(file: &[&str], call: &Call) -> Option<Vec<String>> {
    let path = file.first()?.strip_prefix("diff --git ")?.rsplit_once(" b/")?.1;
    let name = path.rsplit('/').next().unwrap_or(path);
    if !is_generated(path, name) || call.text.contains(name) {
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

fn is_generated(path: &str, name: &str) -> bool {
    LOCKS.contains(&name)
        || ENDS.iter().any(|end| name.ends_with(end))
        || path.split('/').any(|part| FOLDERS.contains(&part))
}
