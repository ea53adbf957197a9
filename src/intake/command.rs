//! Whether a shell's text shows what files hold.

use crate::calls::commands::{Shows, is_known, shows as shows_operands};
use crate::calls::is_one_of;
use crate::calls::operands::{Use, base, operands_of};
use crate::calls::outcome::has_word;
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
/// Interpreters whose scripts may stand on the command line, and lower-case words of scripts that read a file.
const INTERPRETERS: &[&str] = &[
    "python", "ipython", "node", "ruby", "perl", "php", "deno", "bun", "lua", "rscript", "julia", "tsx",
    "ts-node", "swift",
];
const READING: &[&str] = &[
    "open(",
    "open ",
    "read(",
    ".read",
    "read_",
    "readf",
    "readl",
    "load(",
    "contents",
    "require(",
    "json.tool",
    "<>",
];
/// Those that hand each line of a file to their script with these options.
const FILTERS: &[&str] = &["perl", "ruby"];
/// Commands that unpack, decode, convert or page files, which the table of commands doesn't have: what they print is
/// data. Some do so only with an option that has these letters.
const UNPACKING: &[(&str, &str)] = &[
    (
        "gunzip gzip gzcat zless zmore bunzip2 bzip2 bzless unxz xz lzcat lz4 lz4cat zstd zstdcat unzstd brotli ar cpio \
         dd openssl base64 base32 basenc uudecode gpg gpg2 age sops ansible-vault iconv recode xmllint xmlstarlet \
         xsltproc pandoc pdftotext catdoc docx2txt html2text hd xxd unexpand comm join shuf csvlook csvcut csvgrep mlr \
         xsv qsv plutil ccat glow mdcat pygmentize ed ex vim nvim view most fx gron dasel protoc findstr certutil",
        "",
    ),
    ("tar bsdtar", "O"),
    ("tar bsdtar", "stdout"),
    ("unzip", "p"),
    ("unzip", "c"),
    ("7z 7za 7zz", "so"),
];
/// Commands, and ends of loops, that print their redirected input.
const FED: &str = "done } tr tee mapfile";

/// Whether a part of a shell's text shows files. Logs and saved output aren't files in this sense.
pub(super) fn shows_files(command: &str, depth: usize) -> bool {
    split_loosely(command).iter().any(|command| {
        let words: Vec<&Word> = command.words.iter().chain(&command.input).collect();
        let is_fed = || {
            let is_file = command.input.as_ref().is_some_and(|input| is_file(&input.text));
            is_file && command.words.first().is_some_and(|word| is_one_of(&word.text, FED))
        };
        shows(&words, depth)
            || is_fed()
            || command.document.as_ref().is_some_and(|text| runs(&words, text, depth))
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
    let is_nested = |text: &str| {
        let is_command = text.contains(' ') || text.starts_with('<');
        is_command && depth > 0 && shows_files(text, depth - 1)
    };
    let texts = || rest.iter().map(|word| word.text.as_str());
    if texts().filter_map(|word| word.split_once("$(")).any(|(_, inner)| is_nested(inner)) {
        return true;
    }
    // As `diff /dev/null a` and `cp a /dev/stdout` print files.
    if texts().any(|word| matches!(word, "/dev/null" | "/dev/stdout")) || unpacks(&name, rest) {
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
        "grep" | "egrep" | "rg" | "ag" | "ack" | "ugrep" | "zgrep" => {
            search_shows(&texts().collect::<Vec<_>>())
        }
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
        name if is_interpreter(name) => {
            let is_filter = |word: &str| {
                let letters = word.strip_prefix('-').unwrap_or_default();
                letters.contains(['n', 'p']) && !letters.starts_with('-')
            };
            // Paths of scripts have such words, too.
            let is_script = |word: &&str| *word == "json.tool" || word.contains(['(', ' ', '<']);
            texts().filter(is_script).any(reads_in_script)
                || FILTERS.contains(&name) && texts().any(is_filter)
        }
        // Commands that nobody knows may run others: `unbuffer cat a`, `lxc exec c -- cat a`, `pwsh -c "Get-Content a"`.
        name if shows_operands(name) == Shows::Nothing && !is_known(name) => {
            texts().any(is_nested)
                || rest.iter().take(FURTHEST).enumerate().any(|(at, first)| {
                    let is_reader = matches!(shows_operands(&name_of(first)), Shows::Files(..));
                    let is_inner = is_reader || first.text == "type" || is_interpreter(&first.text);
                    depth > 0 && is_inner && shows(rest.get(at..).unwrap_or_default(), depth - 1)
                })
        }
        name => operands_of(name, rest)
            .iter()
            .any(|(does, word)| matches!(does, Use::Shows | Use::MayShow) && is_file(&word.text)),
    }
}

/// Whether a command prints what it unpacks or converts; logs stay logs.
fn unpacks(name: &str, words: &[&Word]) -> bool {
    let has_letters = |letters: &str| {
        letters.is_empty()
            || words.iter().take(FURTHEST).enumerate().any(|(at, word)| {
                // The options of `tar` need no dash.
                (at == 0 && letters == "O" || word.text.starts_with('-')) && word.text.contains(letters)
            })
    };
    UNPACKING.iter().any(|(names, letters)| is_one_of(name, names) && has_letters(letters))
        && !words.iter().any(|word| is_output(&word.text))
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

/// Whether a script reads files.
pub(super) fn reads_in_script(script: &str) -> bool {
    has_word(script, READING)
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
        Some((&("blame" | "cat-file"), _)) => true,
        Some((&"show", rest)) => rest.iter().any(|word| !word.starts_with('-') && word.contains(':')),
        _ => false,
    }
}

/// A search that shows all lines of a file, or many around each match.
fn search_shows(words: &[&str]) -> bool {
    let is_around = |word: &&str| {
        let is_long =
            ["--context", "--after-context", "--before-context"].iter().any(|key| word.starts_with(key));
        let is_all = *word == "--passthru";
        let is_short = word.starts_with('-') && !word.starts_with("--") && word.contains(['A', 'B', 'C']);
        is_all || is_long || is_short || word.strip_prefix('-').is_some_and(is_number)
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
    !word.is_empty() && !is_number(word) && !is_output(word)
}

fn is_output(word: &str) -> bool {
    [".log", ".out", ".err"].iter().any(|end| word.ends_with(end))
}
