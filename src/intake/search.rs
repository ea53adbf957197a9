//! Results of searches and linters, grouped by file: a line with the path, then its matches, each without the path.
//! Nothing is lost: what can't be read back isn't grouped.

use super::lines::digits;

/// Fewer grouped lines aren't worth another form.
const LEAST: usize = 5;

pub(super) fn group(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut grouped: Vec<&str> = Vec::with_capacity(lines.len());
    let (mut at, mut count) = (0, 0);
    while let Some(line) = lines.get(at) {
        let path = path(line).unwrap_or_default();
        let length = if path.is_empty() { 0 } else { run(&lines, at, path) };
        if length < 2 {
            grouped.push(line);
            at += 1;
            continue;
        }
        grouped.push(path);
        for line in lines.iter().skip(at).take(length) {
            grouped.push(rest(line, path).unwrap_or(line));
        }
        count += length;
        at += length;
    }
    let grouped = (count >= LEAST).then(|| grouped.join("\n"))?;
    (ungroup(&grouped) == text).then_some(grouped)
}

/// The path that a line begins with, in front of its number: `src/a.rs:12:`, `src/a.ts(12,5):`.
fn path(line: &str) -> Option<&str> {
    let end = line.find(|c: char| c == ':' || c == '(' || c.is_whitespace())?;
    let (path, found) = line.split_at_checked(end)?;
    (path.len() > 3 && path.contains(['/', '.', '\\']) && is_place(found.strip_prefix(':').unwrap_or(found)))
        .then_some(path)
}

/// "12:…", "12-…", "(12,5)…"
fn is_place(found: &str) -> bool {
    if let Some(found) = found.strip_prefix('(') {
        return digits(found).is_some_and(|(_, rest)| rest.starts_with(','));
    }
    digits(found).is_some_and(|(_, rest)| rest.starts_with([':', '-']))
}

/// What a line says of a file, without its path.
fn rest<'text>(line: &'text str, path: &str) -> Option<&'text str> {
    let rest = line.strip_prefix(path)?;
    if rest.starts_with('(') {
        return is_place(rest).then_some(rest);
    }
    let separator = rest.chars().next().filter(|first| matches!(first, ':' | '-'))?;
    let found = rest.get(1..)?;
    digits(found).filter(|(_, behind)| behind.starts_with(separator)).map(|_| found)
}

/// How many lines are about the same file; dashes part what isn't adjacent in it.
fn run(lines: &[&str], at: usize, path: &str) -> usize {
    let mut length = 0;
    for (more, line) in lines.iter().skip(at).enumerate() {
        if rest(line, path).is_some() {
            length = more + 1;
        } else if *line != "--" || length != more {
            break;
        }
    }
    length
}

/// The lines as they were.
fn ungroup(text: &str) -> String {
    let mut lines = text.split('\n').peekable();
    let mut whole: Vec<String> = Vec::new();
    while let Some(line) = lines.next() {
        let is_head = !line.contains(char::is_whitespace) && !is_place(line) && !line.is_empty();
        if !is_head || !lines.peek().is_some_and(|next| is_place(next)) {
            whole.push(line.to_owned());
            continue;
        }
        let mut dashes = 0;
        while let Some(found) = lines.next_if(|next| is_place(next) || *next == "--") {
            if found == "--" {
                dashes += 1;
                continue;
            }
            whole.extend(std::iter::repeat_n("--".to_owned(), std::mem::take(&mut dashes)));
            let separator = digits(found).and_then(|(_, rest)| rest.get(..1)).unwrap_or_default();
            whole.push(format!("{line}{separator}{found}"));
        }
        whole.extend(std::iter::repeat_n("--".to_owned(), dashes));
    }
    whole.join("\n")
}
