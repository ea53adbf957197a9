//! Frames of libraries in stack traces: the program's own stay, the first of each trace, and the
//! one that raised.

use super::call::Call;
use super::lines::{Mark, digits, fold};

const FRAMES: &str = "library frames";

pub(super) fn leave_out(text: &str, call: &Call) -> Option<String> {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut marks = vec![Mark::Keep; lines.len()];
    let mut at = 0;
    let mut was_frame = false;
    let mut last: Option<std::ops::Range<usize>> = None;
    while let Some(line) = lines.get(at) {
        let Some((length, place)) = frame(&lines, at) else {
            // Python's last frame is the one that raised: it stands beside the message.
            if let Some(marks) = last.take().and_then(|last| marks.get_mut(last)) {
                marks.fill(Mark::Keep);
            }
            was_frame = false;
            at += 1;
            continue;
        };
        let is_wanted = !was_frame || !is_library(place) || is_asked_for(place, call) || line.is_empty();
        if let Some([first, rest @ ..]) = marks.get_mut(at..at + length).filter(|_| !is_wanted) {
            *first = Mark::Out(FRAMES);
            rest.fill(Mark::With);
        }
        was_frame = true;
        last = is_python(line).then_some(at..at + length);
        at += length;
    }
    if let Some(marks) = last.and_then(|last| marks.get_mut(last)) {
        marks.fill(Mark::Keep);
    }
    close(&mut marks);
    fold(text, &marks, 2)
}

/// `fold` ends a run with a line that counts; here the last frame's own lines go too.
fn close(marks: &mut [Mark]) {
    for at in 1..marks.len() {
        let (before, rest) = marks.split_at_mut(at);
        if let (Some(Mark::Out(_)), Some(mark @ Mark::With)) = (before.last(), rest.first_mut()) {
            *mark = Mark::Out(FRAMES);
            if let Some(first) = before.last_mut() {
                *first = Mark::Before;
            }
        }
    }
}

fn is_python(line: &str) -> bool {
    line.trim_start().starts_with("File \"")
}

/// How many lines a frame has, and where it says to be.
fn frame<'text>(lines: &[&'text str], at: usize) -> Option<(usize, &'text str)> {
    let line = *lines.get(at)?;
    let bare = line.trim_start();
    let next = || lines.get(at + 1).copied().unwrap_or_default();
    // Python: the place, then its line of code, then marks under it.
    if let Some(place) = bare.strip_prefix("File \"").filter(|_| bare.contains("\", line ")) {
        let indent = line.len() - bare.len();
        let is_deeper = |line: &&&str| line.len() - line.trim_start().len() > indent;
        return Some((1 + lines.iter().skip(at + 1).take(2).take_while(is_deeper).count(), place));
    }
    // JavaScript, Java
    if let Some(place) = bare.strip_prefix("at ").filter(|_| bare.len() < line.len()) {
        let is_place = place.ends_with(|end: char| end == ')' || end.is_ascii_digit());
        return is_place.then_some((1, place));
    }
    // Rust: "  12: core::panicking::panic", then "             at /rustc/…"
    if digits(bare).is_some_and(|(_, rest)| rest.starts_with(": ")) && next().trim_start().starts_with("at ")
    {
        return Some((2, next().trim_start()));
    }
    // Go: "pkg.function(…)", then "\t/path/file.go:12 +0x1d"
    let is_go = next().starts_with("\t/") && [".go:", ".s:"].iter().any(|end| next().contains(end));
    (is_go && bare.ends_with(')')).then(|| (2, next()))
}

const LIBRARIES: &[&str] = &[
    "/node_modules/",
    "node:",
    "(internal/modules/",
    "(internal/main/",
    "(internal/process/",
    "(internal/bootstrap/",
    "(internal/timers",
    "(<anonymous>)",
    "/site-packages/",
    "/dist-packages/",
    "/lib/python2.",
    "/lib/python3.",
    "<frozen ",
    "/rustc/",
    "/.cargo/registry/",
    "/rustlib/",
    "/usr/local/go/src/",
    "/lib/go/src/",
    "/lib/go-1.",
    "/libexec/src/",
    "/hostedtoolcache/go/",
];
const PACKAGES: &[&str] =
    &["java.", "javax.", "jdk.", "sun.", "org.junit.", "org.gradle.", "kotlin.", "scala."];

fn is_library(place: &str) -> bool {
    // Modules that go fetched have a version; own packages may be called the same.
    let is_module = || place.split_once("/pkg/mod/").is_some_and(|(_, path)| path.contains('@'));
    LIBRARIES.iter().any(|part| place.contains(part))
        || is_module()
        || PACKAGES.iter().any(|part| place.starts_with(part))
}

/// Whoever asks for a library by its name wants to see it.
fn is_asked_for(place: &str, call: &Call) -> bool {
    call.words.iter().any(|word| {
        super::lines::has_word(place, word) && !LIBRARIES.iter().any(|part| part.contains(word.as_str()))
    })
}
