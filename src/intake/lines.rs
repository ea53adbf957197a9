//! Lines, and the one style of notes about cut lines.

/// What a kind of line is called.
pub(super) type Noun = &'static str;

/// Our own line: what it says is about the text and no part of it.
pub(super) fn ours(what: &str) -> String {
    format!("… ({what})")
}

/// Says how many of something are missing; the noun is in the plural.
pub(super) fn left_out(count: usize, noun: Noun) -> String {
    ours(&format!("{} left out", counted(count, noun)))
}

pub(super) fn counted(count: usize, noun: Noun) -> String {
    let noun = if count == 1 { noun.strip_suffix('s').unwrap_or(noun) } else { noun };
    format!("{count} {noun}")
}

/// Whether a line looks like ours: such lines are never cut, because their meaning would be lost.
pub(super) fn is_ours(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("… (") && line.ends_with(')')
}

/// Words of trouble, as parts of words, in small letters.
const TROUBLE: &[&str] = &[
    "error",
    "fail",
    "panic",
    "exception",
    "fatal",
    "traceback",
    "assert",
    "cannot ",
    "undefined",
    "not ok",
    "err!",
    "conflict (",
    "rejected]",
    "<<<<<<< ",
    ">>>>>>> ",
    "data race",
    "use-after-free",
    "sanitizer",
    "cve-",
    "vulnerab",
    "unauthorized",
    "forbidden",
    "http 4",
    "http 5",
    "status 4",
    "status 5",
    "status: 4",
    "status: 5",
    "etimedout",
    "econn",
    "enotfound",
    "eacces",
    // The same in other languages.
    "fehler",
    "fehlgeschlagen",
    "erreur",
    "échec",
    "errore",
    "fallido",
    "falló",
    // Without the first letter, which may be a capital.
    "шибка",
    "омилка",
    "φάλμα",
    "fejl",
    "chyba",
    "błąd",
    "virhe",
    "eroare",
    "lỗi",
    "gagal",
    "错误",
    "失败",
    "エラー",
    "失敗",
    "오류",
    "실패",
];
/// How tests that fail are marked.
const CROSSES: &[char] = &['✕', '✗', '✘', '✖', '×', '●'];
/// Words that report trouble in running and ending programs.
const ENDED: &[&str] = &[
    "critical",
    "segmentation",
    "core dumped",
    "killed",
    "abort",
    "out of memory",
    "overflow",
    "crash",
    "deadlock",
    "unhandled",
    "mismatch",
    "exit status",
    "sigsegv",
    "sigkill",
    "refused",
    "denied",
    "not found",
    "no such",
    "invalid",
    "violat",
    "missing",
    "timed out",
    "timeout",
    "unable to",
    "could not",
    "couldn't",
    "can't",
    "unreachable",
    "corrupt",
    "backoff",
    "degraded",
    "unhealthy",
    "declined",
    "sigterm",
    "sigabrt",
    "sigbus",
    "not permitted",
];

/// How much trouble a line tells of: 1 for a warning, 3 for a failure.
pub(super) fn trouble(line: &str) -> u8 {
    let lower = line.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    match () {
        () if has(TROUBLE) || line.trim_start().starts_with(CROSSES) => 3,
        () if has_bad_state(line, &lower) => 2,
        () if has(ENDED) => 2,
        () => u8::from(lower.contains("warn")),
    }
}

/// Keys of states: the key, and the numbers behind it that are trouble.
const STATES: &[(&str, std::ops::RangeInclusive<u32>)] = &[
    ("status", 400..=599),
    ("status_code", 400..=599),
    ("statuscode", 400..=599),
    ("rc", 1..=255),
    ("exit", 1..=255),
    ("exit_code", 1..=255),
    ("exitcode", 1..=255),
    ("returncode", 1..=255),
    ("exited with code", 1..=255),
    ("exited with", 1..=255),
    // Of loggers for Node.js.
    ("\"level\"", 40..=60),
];

/// Whether what stands behind a level is a date as Kubernetes writes it: `0209 12:00:00`.
fn is_klog_date(text: &[u8]) -> bool {
    let digits = text.get(..4).is_some_and(|month| month.iter().all(u8::is_ascii_digit));
    digits && text.get(4) == Some(&b' ')
}

/// Whether a line tells of trouble by a number or a letter: the status of an access log, an exit code, a level.
fn has_bad_state(line: &str, lower: &str) -> bool {
    match line.as_bytes() {
        [b'E' | b'F' | b'W', date @ .., _] if is_klog_date(date) => return true,
        // The kernel's priority.
        [b'<', b'0'..=b'4', b'>', ..] => return true,
        _ => {}
    }
    let number_in = |rest: &str, range: &std::ops::RangeInclusive<u32>| {
        let end = rest.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(rest.len());
        let is_alone = !rest.get(end..).unwrap_or_default().starts_with(['.', ':', '_', '%']);
        is_alone
            && rest
                .get(..end)
                .and_then(|digits| digits.parse().ok())
                .is_some_and(|found| range.contains(&found))
    };
    let is_part = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
    let is_bad = |(key, range): &(&str, std::ops::RangeInclusive<u32>)| {
        lower.match_indices(key).any(|(at, _)| {
            let behind = lower.get(at + key.len()..).unwrap_or_default();
            let number = behind.trim_start_matches(['"', ' ', '=', ':']);
            let signs = behind.get(..behind.len() - number.len()).unwrap_or_default();
            let is_set = signs.contains(['=', ':']) || key.contains(' ') && !signs.is_empty();
            is_set && !lower.get(..at).unwrap_or_default().ends_with(is_part) && number_in(number, range)
        })
    };
    // `"GET /items HTTP/1.1" 503`
    let is_answer = || {
        lower
            .match_indices("\" ")
            .any(|(at, _)| number_in(lower.get(at + 2..).unwrap_or_default(), &(400..=599)))
    };
    STATES.iter().any(is_bad)
        || is_answer()
        || line.split(|sign: char| !is_part(sign)).any(|word| word == "DOWN")
}

/// Words of what can't be taken back, or isn't done.
const NOTABLE: &[&str] =
    &["destroy", "replace", "delet", "drop", "pending", "evict", "restarting", "forces "];

/// Whether a line reports what a reader should know of: loss, delay, or an error by its code (`EPERM`).
pub(super) fn is_notable(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    let is_code = |word: &str| {
        word.len() > 3 && word.starts_with('E') && word.bytes().all(|byte| byte.is_ascii_uppercase())
    };
    NOTABLE.iter().any(|word| lower.contains(word))
        || line.split(|sign: char| !sign.is_ascii_alphanumeric()).any(is_code)
}

/// Whether a word is a place in a file: `src/a.ts:12:5`, `A.java:42)`, `A.cs:line 42`.
pub(super) fn is_place(word: &str) -> bool {
    let Some((path, line)) = word.trim_start_matches(['(', '[', '"']).split_once(':') else { return false };
    let end = path.rsplit_once('.').map_or("", |(_, end)| end);
    (1..6).contains(&end.len())
        && end.bytes().all(|byte| byte.is_ascii_alphabetic())
        && (line == "line" || digits(line).is_some())
}

/// Whether a line tells of trouble: what does is never left out as being of a kind with its neighbours.
pub(super) fn is_trouble(line: &str) -> bool {
    trouble(line) > 0
}

pub(super) fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// What is to be done with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Keep,
    /// It may go; so may the lines beside it that are called the same.
    Out(Noun),
    /// It goes with its neighbours, and isn't counted.
    With,
    /// It goes with those that follow, and isn't counted.
    Before,
}

/// Cuts runs of at least this many marked lines, if the note is shorter.
pub(super) fn fold(text: &str, marks: &[Mark], least: usize) -> Option<String> {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut folded = String::with_capacity(text.len());
    let mut at = 0;
    let mut has_folded = false;
    while at < lines.len() {
        let (length, found) = run(marks.get(at..).unwrap_or_default());
        let lines = lines.get(at..at + length).unwrap_or_default();
        let saying = found.filter(|(_, count)| *count >= least).map(|(noun, count)| left_out(count, noun));
        let size = || lines.iter().map(|line| units(line) + 1).sum::<usize>();
        match saying.filter(|saying| units(saying) < size() && !lines.iter().any(|line| is_ours(line))) {
            Some(saying) => {
                push(&mut folded, at, &saying);
                has_folded = true;
            }
            None => lines.iter().enumerate().for_each(|(more, line)| push(&mut folded, at + more, line)),
        }
        at += length;
    }
    has_folded.then_some(folded)
}

fn push(text: &mut String, at: usize, line: &str) {
    if at > 0 {
        text.push('\n');
    }
    text.push_str(line);
}

/// How many lines belong together, and if they are called something, what and how many of them count. A
/// run ends with a line that counts.
fn run(marks: &[Mark]) -> (usize, Option<(Noun, usize)>) {
    let before = marks.iter().take_while(|mark| **mark == Mark::Before).count();
    let Some(Mark::Out(noun)) = marks.get(before) else { return (before.max(1), None) };
    let (mut length, mut count) = (0, 0);
    for (at, mark) in marks.iter().enumerate() {
        match mark {
            Mark::Out(other) if other == noun => (length, count) = (at + 1, count + 1),
            Mark::With | Mark::Before => {}
            _ => break,
        }
    }
    (length, Some((noun, count)))
}

/// The digits that a text begins with, and what follows them.
pub(super) fn digits(text: &str) -> Option<(&str, &str)> {
    let end = text.bytes().take_while(u8::is_ascii_digit).count();
    text.split_at_checked(end).filter(|(digits, _)| !digits.is_empty())
}

/// Whether a word stands in a text by itself.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default().chars().next_back();
        let after = text.get(at + word.len()..).unwrap_or_default().chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}
