//! Whether a shell's text shows what files hold.

use crate::calls::commands::{Shows, shows as shows_operands};
use crate::calls::operands::{Use, base, operands_of};
use crate::calls::words::{Word, is_assignment, split_loosely};

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
    split_loosely(command).iter().any(|command| {
        let words: Vec<&Word> = command.words.iter().chain(&command.input).collect();
        shows(&words, depth) || command.document.as_ref().is_some_and(|text| runs(&words, text, depth))
    })
}

/// Whether a here-document is a script that shows files.
fn runs(words: &[&Word], document: &str, depth: usize) -> bool {
    let is_script = |word: &&Word| is_shell(&name_of(word)) || is_interpreter(&name_of(word));
    let may_show = || reads_in_script(document) || depth > 0 && shows_files(document, depth - 1);
    words.iter().take(FURTHEST).any(is_script) && may_show()
}

fn shows(words: &[&Word], depth: usize) -> bool {
    let is_no_command = |word: &&&Word| {
        WRAPPERS.contains(&word.text.as_str()) || word.text.starts_with('-') || is_assignment(&word.text)
    };
    let start = words.iter().take_while(is_no_command).count();
    let Some((name, rest)) = words.get(start..).and_then(<[&Word]>::split_first) else { return false };
    let name = name_of(name);
    // A script within quotes or in `$(…)`.
    let is_nested = |text: &str| text.contains(' ') && depth > 0 && shows_files(text, depth - 1);
    let texts = || rest.iter().map(|word| word.text.as_str());
    if texts().filter_map(|word| word.split_once("$(")).any(|(_, inner)| is_nested(inner)) {
        return true;
    }
    match name.as_str() {
        name if is_shell(name) || name == "eval" => {
            texts().any(is_nested)
                || (depth > 0
                    && shows(
                        &rest.iter().copied().filter(|word| is_operand(word)).collect::<Vec<_>>(),
                        depth - 1,
                    ))
        }
        "git" => git_shows(&texts().collect::<Vec<_>>()),
        "grep" | "egrep" | "rg" | "ag" => search_shows(&texts().collect::<Vec<_>>()),
        name if RUNNERS.contains(&name) || HANDING.contains(&name) => {
            let mut hands = HANDING.contains(&name);
            texts().any(is_nested)
                || rest.iter().take(FURTHEST).enumerate().any(|(at, first)| {
                    let name = name_of(first);
                    let is_reader = shows_operands(&name) != Shows::Nothing;
                    hands |= name == "xargs";
                    let is_command = is_reader || matches!(name.as_str(), "bash" | "sh" | "git");
                    hands && is_reader
                        || depth > 0 && is_command && shows(rest.get(at..).unwrap_or_default(), depth - 1)
                })
        }
        name if is_interpreter(name) => texts().any(reads_in_script),
        name => operands_of(name, rest)
            .iter()
            .any(|(does, word)| matches!(does, Use::Shows | Use::MayShow) && is_file(&word.text)),
    }
}

fn name_of(word: &Word) -> String {
    base(&word.text).to_ascii_lowercase()
}

fn is_shell(name: &str) -> bool {
    matches!(name, "bash" | "sh" | "zsh" | "dash" | "fish")
}

fn is_interpreter(name: &str) -> bool {
    INTERPRETERS.iter().any(|known| name.starts_with(known))
}

fn reads_in_script(script: &str) -> bool {
    READING.iter().any(|read| script.contains(read))
}

fn is_operand(word: &Word) -> bool {
    !word.text.starts_with('-')
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
            rest.iter().any(|word| !word.starts_with('-') && word.contains(':'))
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
        words.iter().copied().filter(|word| !word.starts_with('-') && !is_number(word)).collect();
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
    let is_output = [".log", ".out", ".err"].iter().any(|end| word.ends_with(end));
    !word.is_empty() && !is_number(word) && !is_output
}
