//! Runs of passing tests: failures, what is skipped and all totals stay.

use super::call::Call;
use super::lines::{Mark, Noun, digits, fold};

const TESTS: &str = "passing tests";
const FILES: &str = "passing test files";
/// Shorter runs stay.
const LEAST: usize = 3;

pub(super) fn leave_out(text: &str, call: &Call) -> Option<String> {
    let has_totals = text.lines().any(is_total);
    let marks: Vec<Mark> = text.split('\n').map(|line| mark(line, has_totals, call)).collect();
    fold(text, &marks, LEAST)
}

fn mark(line: &str, has_totals: bool, call: &Call) -> Mark {
    let line = line.trim();
    if line.is_empty() {
        return Mark::With;
    }
    // go says that a test begins, too.
    if ["=== RUN ", "=== PAUSE ", "=== CONT "].iter().any(|begin| line.starts_with(begin)) {
        return Mark::Before;
    }
    let Some((name, noun)) = passing(line, has_totals) else { return Mark::Keep };
    let last = name.rsplit([':', '/', '.', ' ', '>']).next().unwrap_or(name);
    if last.len() > 3 && call.names(last) { Mark::Keep } else { Mark::Out(noun) }
}

/// The name of a test, or of a file of tests, that a line says to have passed.
fn passing(line: &str, has_totals: bool) -> Option<(&str, Noun)> {
    // cargo test, unittest, Django
    if let Some((name, "ok")) = line.rsplit_once(" ... ") {
        return Some((name.strip_prefix("test ").unwrap_or(name), TESTS));
    }
    if let Some(name) = line.strip_prefix("--- PASS: ").or_else(|| line.strip_prefix("(pass) ")) {
        return Some((name.split([' ', '(']).next().unwrap_or(name), TESTS));
    }
    // pytest -v: "a.py::test_b PASSED [ 12%]"; pytest: "a.py ..... [ 12%]"
    if let Some((name, rest)) = line.split_once(" PASSED").filter(|(name, _)| name.contains("::")) {
        return is_share(rest).then_some((name, TESTS));
    }
    if let Some((name, dots)) = line.split_once(".py ").filter(|(name, _)| !name.contains(' ')) {
        let (dots, share) = dots.split_once(' ').unwrap_or((dots, ""));
        let passes = !dots.is_empty() && dots.bytes().all(|byte| byte == b'.');
        return (passes && is_share(share)).then_some((name, FILES));
    }
    if !has_totals {
        return None;
    }
    if let Some(name) = line.strip_prefix("PASS ") {
        return Some((without_time(name), FILES));
    }
    // jest, vitest, mocha, node
    let marked = ['✓', '✔', '√'].iter().find_map(|mark| line.strip_prefix(*mark));
    let marked = marked.filter(|name| !name.contains(" skipped")).map(|name| {
        let is_file = name.contains(" tests)") || name.contains(" test)");
        (without_time(name), if is_file { FILES } else { TESTS })
    });
    marked.or_else(|| tap(line).map(|name| (name, TESTS)))
}

/// "ok 12 - name"
fn tap(line: &str) -> Option<&str> {
    let (_, name) = digits(line.strip_prefix("ok ")?)?;
    name.strip_prefix(" - ").filter(|name| !name.contains("# SKIP") && !name.contains("# TODO"))
}

fn without_time(name: &str) -> &str {
    let name = name.trim();
    name.rsplit_once(" (").filter(|(_, time)| time.ends_with("s)")).map_or(name, |(name, _)| name)
}

/// Nothing, or "[ 12%]".
fn is_share(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || (text.starts_with('[') && text.ends_with("%]"))
}

/// A line that sums a run up; without one a tick may mean anything.
fn is_total(line: &str) -> bool {
    let line = line.trim();
    let begins =
        ["Tests:", "Tests  ", "Test Files", "Test Suites:", "# pass", "# tests", "ℹ pass", "ℹ tests", "1.."];
    begins.iter().any(|begin| line.starts_with(begin))
        || digits(line)
            .is_some_and(|(_, rest)| [" passing", " passed", " pass"].iter().any(|end| rest.starts_with(end)))
}
