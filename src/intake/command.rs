//! Whether a shell's text shows what files hold.

/// Commands that show a file, with the number of operands before the first file.
const READERS: &[(&str, usize)] = &[
    ("cat", 0),
    ("nl", 0),
    ("head", 0),
    ("tail", 0),
    ("less", 0),
    ("more", 0),
    ("bat", 0),
    ("batcat", 0),
    ("tac", 0),
    ("type", 0),
    ("get-content", 0),
    ("gc", 0),
    ("xxd", 0),
    ("od", 0),
    ("hexdump", 0),
    ("strings", 0),
    ("paste", 0),
    ("column", 0),
    ("pr", 0),
    ("fold", 0),
    ("fmt", 0),
    ("expand", 0),
    ("rev", 0),
    ("sort", 0),
    ("uniq", 0),
    ("zcat", 0),
    ("bzcat", 0),
    ("xzcat", 0),
    ("sed", 1),
    ("awk", 1),
    ("gawk", 1),
    ("cut", 0),
    ("jq", 1),
    ("yq", 1),
];
/// Words before a command that do not change its meaning.
const WRAPPERS: &[&str] = &["command", "do", "then", "else", "{", "!", "exec"];
/// Commands that run another one, which stands somewhere among their operands; some hand files to it.
const RUNNERS: &[&str] = &[
    "sudo", "doas", "su", "time", "env", "nohup", "nice", "ionice", "timeout", "stdbuf", "setsid", "watch",
    "ssh", "docker", "podman", "nerdctl", "kubectl", "oc", "nsenter", "chroot", "wsl", "adb", "vagrant",
];
const HANDING: &[&str] = &["xargs", "find", "fd", "parallel"];
/// Behind a runner and its options the command stands among so many words.
const FURTHEST: usize = 64;
/// Interpreters whose scripts may stand on the command line, and what shows in those that a file is read.
const INTERPRETERS: &[&str] = &["python", "node", "ruby", "perl", "php", "deno", "bun"];
const READING: &[&str] = &["open(", "read_text", "readFile", "File.read", "file_get_contents", "readText"];

/// Whether a part of a shell's text shows files. Logs and saved output aren't files in this sense.
pub(super) fn shows_files(command: &str, depth: usize) -> bool {
    parts(command).iter().any(|words| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        shows(&words, depth)
    })
}

fn shows(words: &[&str], depth: usize) -> bool {
    let is_no_command =
        |word: &&&str| WRAPPERS.contains(*word) || word.starts_with('-') || is_assignment(word);
    let start = words.iter().take_while(is_no_command).count();
    let Some((name, rest)) = words.get(start..).and_then(<[&str]>::split_first) else { return false };
    let name = base(name);
    // A script within quotes or in `$(…)`.
    let is_nested = |word: &&str| word.contains(' ') && depth > 0 && shows_files(word, depth - 1);
    if rest.iter().filter_map(|word| word.split_once("$(")).any(|(_, inner)| is_nested(&inner)) {
        return true;
    }
    match name.as_str() {
        "bash" | "sh" | "zsh" | "dash" | "fish" | "eval" => {
            rest.iter().any(is_nested)
                || (depth > 0
                    && shows(&rest.iter().copied().filter(is_operand).collect::<Vec<_>>(), depth - 1))
        }
        "git" => git_shows(rest),
        "grep" | "egrep" | "rg" | "ag" => search_shows(rest),
        name if RUNNERS.contains(&name) || HANDING.contains(&name) => {
            let mut hands = HANDING.contains(&name);
            rest.iter().any(is_nested)
                || rest.iter().take(FURTHEST).enumerate().any(|(at, first)| {
                    let name = base(first);
                    let is_reader = reader(&name).is_some();
                    hands |= name == "xargs";
                    let is_command = is_reader || matches!(name.as_str(), "bash" | "sh" | "git");
                    hands && is_reader
                        || depth > 0 && is_command && shows(rest.get(at..).unwrap_or_default(), depth - 1)
                })
        }
        name if INTERPRETERS.iter().any(|known| name.starts_with(known)) => {
            rest.iter().any(|word| READING.iter().any(|read| word.contains(read)))
        }
        name => reads(name, rest),
    }
}

fn reads(name: &str, rest: &[&str]) -> bool {
    let mut operands = rest.iter().filter(|word| is_operand(word));
    reader(name).is_some_and(|before| operands.by_ref().skip(before).any(|word| is_file(word)))
}

fn reader(name: &str) -> Option<usize> {
    READERS.iter().find(|(known, _)| *known == name).map(|(_, before)| *before)
}

fn base(name: &str) -> String {
    name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase()
}

fn is_operand(word: &&str) -> bool {
    !word.starts_with('-')
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// git, behind options of its own: some of them have a value.
fn git_shows(mut words: &[&str]) -> bool {
    while let Some((first, rest)) = words.split_first().filter(|(first, _)| first.starts_with('-')) {
        let has_value = matches!(*first, "-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace");
        words = rest.get(usize::from(has_value)..).unwrap_or_default();
    }
    match words.split_first() {
        Some((&"blame", _)) => true,
        Some((&("show" | "cat-file"), rest)) => {
            rest.iter().any(|word| is_operand(word) && word.contains(':'))
        }
        _ => false,
    }
}

/// A search that shows all lines of a file, or many around each match.
fn search_shows(words: &[&str]) -> bool {
    let is_around = |word: &&str| {
        let is_long =
            ["--context", "--after-context", "--before-context"].iter().any(|key| word.starts_with(key));
        let is_short = word.starts_with('-') && !word.starts_with("--") && word.contains(['A', 'B', 'C']);
        is_long || is_short || word.strip_prefix('-').is_some_and(is_number)
    };
    let operands: Vec<&str> =
        words.iter().copied().filter(|word| is_operand(word) && !is_number(word)).collect();
    let Some((pattern, files)) = operands.split_first() else { return false };
    let is_all = matches!(*pattern, "" | "." | "^" | "$" | ".*" | "^.*" | "^.*$");
    let is_named = |file: &&str| {
        let name = file.trim_end_matches('/').rsplit('/').next().unwrap_or(file);
        is_file(file) && !file.ends_with('/') && name.trim_start_matches('.').contains('.')
    };
    match files {
        [file] => is_named(file) && (is_all || words.iter().any(is_around)),
        files => is_all && files.iter().any(is_named),
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_file(word: &str) -> bool {
    // "<a" hands a file over; "<<END" and "<(…)" don't.
    let word = word.strip_prefix('<').unwrap_or(word);
    let is_output = [".log", ".out", ".err"].iter().any(|end| word.ends_with(end));
    !word.is_empty() && !is_number(word) && !is_output && !word.starts_with(['>', '<', '&'])
}

/// The words of each simple command; quotes are heeded, the rest is taken as it stands.
fn parts(command: &str) -> Vec<Vec<String>> {
    let mut parts = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in command.chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, ' ' | '\t' | '|' | ';' | '&' | '\n' | '(' | ')' | '`') => {
                parts.last_mut().into_iter().for_each(|part: &mut Vec<String>| part.extend(word.take()));
                if !matches!(character, ' ' | '\t') {
                    parts.push(Vec::new());
                }
            }
            _ => word.get_or_insert_default().push(character),
        }
    }
    parts.last_mut().into_iter().for_each(|part| part.extend(word.take()));
    parts
}
