//! Runs of passing tests: failures, what is skipped and all totals stay.

use super::call::Call;
use super::lines::{Mark, Noun, digits, fold};

const TESTS: &str = "passing tests";
const FILES: &str = "passing test files";
/// Shorter runs stay.
const LEAST: usize = 3;
/// Longer blocks of what is known of a test say something.
const LONGEST_BLOCK: usize = 16;

pub(super) fn leave_out(text: &str, call: &Call) -> Option<String> {
    let lines: Vec<&str> = text.split('\n').collect();
    // A runner ticks its tests off before it sums them up; ticks after that mean something else.
    let total = lines.iter().rposition(|line| is_total(line));
    let is_tap = lines.iter().any(|line| line.starts_with("1..") || line.starts_with("TAP version"));
    let unittest = lines.iter().rposition(|line| line.starts_with("Ran ") && line.contains(" test"));
    let marks = lines.iter().enumerate().map(|(at, line)| {
        let known = Known {
            has_total: total.is_some_and(|total| at < total),
            is_tap,
            is_unittest: unittest.is_some_and(|total| at < total),
        };
        mark(line, known, call)
    });
    let mut marks: Vec<Mark> = marks.collect();
    keep_slow(&lines, &mut marks);
    take_in_blocks(&lines, &mut marks);
    fold(text, &marks, LEAST)
}

/// A passing test that took this many seconds, and so many times as long as most, is news.
const SLOW: f64 = 1.0;
const TIMES_SLOWER: f64 = 10.0;

fn keep_slow(lines: &[&str], marks: &mut [Mark]) {
    let took: Vec<Option<f64>> = lines
        .iter()
        .zip(&*marks)
        .map(|(line, mark)| if matches!(mark, Mark::Out(_)) { seconds(line) } else { None })
        .collect();
    let mut known: Vec<f64> = took.iter().copied().flatten().collect();
    known.sort_by(f64::total_cmp);
    let Some(median) = known.get(known.len() / 2) else { return };
    let least = (median * TIMES_SLOWER).max(SLOW);
    for (mark, _) in marks.iter_mut().zip(&took).filter(|(_, took)| took.is_some_and(|took| took > least)) {
        *mark = Mark::Keep;
    }
}

/// The time that a line ends with: "(0.01s)", "4711 ms", "[9000.00ms]", "(1.2m)".
fn seconds(line: &str) -> Option<f64> {
    let line = line.trim_end().trim_end_matches([')', ']', '>']);
    let number = line.trim_end_matches(|sign: char| sign.is_ascii_alphabetic());
    let unit = match line.get(number.len()..)? {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        _ => return None,
    };
    let start = number.trim_end().trim_end_matches(|sign: char| sign.is_ascii_digit() || sign == '.').len();
    number.trim_end().get(start..)?.parse::<f64>().ok().map(|number| number * unit)
}

/// In TAP a block of YAML may follow a test, `---` to `...`: it goes with it.
fn take_in_blocks(lines: &[&str], marks: &mut [Mark]) {
    for at in 0..lines.len() {
        let is = |at: usize, text: &str| lines.get(at).is_some_and(|line| line.trim() == text);
        let Some(Mark::Out(noun)) = marks.get(at).copied().filter(|_| is(at + 1, "---")) else { continue };
        let end = (at + 2..at + LONGEST_BLOCK).find(|&end| is(end, "..."));
        if let Some([rest @ .., last]) = end.and_then(|end| marks.get_mut(at..=end)) {
            rest.fill(Mark::Before);
            *last = Mark::Out(noun);
        }
    }
}

/// What is known of the runner of a line.
#[derive(Clone, Copy)]
struct Known {
    has_total: bool,
    is_tap: bool,
    is_unittest: bool,
}

fn mark(line: &str, known: Known, call: &Call) -> Mark {
    let line = line.trim();
    // The plan of a group of tests stands between them.
    if line.is_empty()
        || known.is_tap && line.strip_prefix("1..").is_some_and(|count| digits(count).is_some())
    {
        return Mark::With;
    }
    // go says that a test begins, too, and so does node.
    if ["=== RUN ", "=== PAUSE ", "=== CONT ", "# Subtest: "].iter().any(|begin| line.starts_with(begin)) {
        return Mark::Before;
    }
    let Some((name, noun)) = passing(line, known) else { return Mark::Keep };
    let last = name.rsplit([':', '/', '.', ' ', '>']).next().unwrap_or(name);
    if last.len() > 3 && call.names(last) { Mark::Keep } else { Mark::Out(noun) }
}

/// The name of a test, or of a file of tests, that a line says to have passed.
fn passing(line: &str, known: Known) -> Option<(&str, Noun)> {
    if let Some((name, "ok")) = line.rsplit_once(" ... ") {
        return (known.is_unittest || is_test(name))
            .then(|| (name.strip_prefix("test ").unwrap_or(name), TESTS));
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
    if (known.has_total || known.is_tap)
        && let Some(name) = tap(line)
    {
        return Some((name, TESTS));
    }
    if !known.has_total || line.contains("://") {
        return None;
    }
    if let Some(name) = line.strip_prefix("PASS ") {
        return Some((without_time(name), FILES));
    }
    // jest, vitest, mocha, node
    let marked = ['✓', '✔', '√'].iter().find_map(|mark| line.strip_prefix(*mark));
    let is_plain = |name: &&str| ![" skipped", "(retry "].iter().any(|word| name.contains(word));
    marked.filter(is_plain).map(|name| {
        let is_file = name.contains(" tests)") || name.contains(" test)");
        (without_time(name), if is_file { FILES } else { TESTS })
    })
}

/// Whether what stands before " ... ok" is a test as cargo names it (`test a::b`, `test src/a.rs - a::b (line 9)`)
/// or unittest (`test_a (tests.TestA.test_a)`): what else is ok may be anything.
fn is_test(name: &str) -> bool {
    let is_cargo = |name: &str| !name.contains(' ') || name.contains(" - ");
    let of_class = name.strip_suffix(')').and_then(|name| name.split_once(" ("));
    name.strip_prefix("test ").is_some_and(is_cargo)
        || of_class.is_some_and(|(name, class)| {
            name.starts_with("test") && !name.contains(' ') && class.contains('.') && !class.contains(' ')
        })
}

/// "ok 12 - name"
fn tap(line: &str) -> Option<&str> {
    let (_, name) = digits(line.strip_prefix("ok ")?)?;
    let has = |word: &str| name.to_ascii_lowercase().contains(word);
    name.strip_prefix(" - ").filter(|_| !has("# skip") && !has("# todo"))
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
        ["Tests:", "Tests  ", "Test Files", "Test Suites:", "# pass", "# tests", "ℹ pass", "ℹ tests"];
    // mocha, Playwright: with the time; bun: by itself. Others say of anything that it passed.
    let counts = |rest: &str| {
        let time = [" passing (", " passed ("].iter().find_map(|end| rest.strip_prefix(end));
        rest == " pass" || time.and_then(digits).is_some()
    };
    let has_count = || line.bytes().any(|byte| byte.is_ascii_digit());
    begins.iter().any(|begin| line.starts_with(begin)) && has_count()
        || digits(line).is_some_and(|(_, rest)| counts(rest))
}
