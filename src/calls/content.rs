//! Whether a call shows file content, in any way, and which files it names. What is only likely counts here: such
//! results stay exact and stay longer, but no rule takes them for the lines of a certain file.

use serde_json::Value;

use super::commands::{Shows, is_known, shows as shows_operands};
use super::is_one_of;
use super::operands::{Use, base, operands_of};
use super::outcome::has_word;
use super::parameters::{ARGUMENTS, COMMANDS, DIRECTORIES, SEVERAL_COMMANDS, text_under, value_under};
use super::scripts::{ScriptCall, calls_of, script_in};
use super::words::{Command, Word, is_assignment, split_loosely};
use crate::json;
use crate::tools::{ToolDescriptor, ToolKind, ToolTable, names_kept};
use crate::view::path;

/// Parameters with the file or folder that is searched.
const PLACES: &str = "path file filepath";
/// Parameters with the text of a script, and parameters with the keys for a running shell.
const CODE: &str = "code python source";
const TYPED: &str = "script chars keys keystrokes stdin";
/// Words in the names of unknown tools that show files.
const READS: &str = "read view cat open file files edit editor source sources content contents lines notebook document recall \
                     symbol symbols definition definitions retrieval";
/// Words in the names of searches that show the code that they find.
const SHOWING: &str = "codebase semantic retrieval";
/// In some hosts it finds documents and shows them, in others it names files.
const FINDING: &str = "file_search";
/// At most so many files of a call are told, and no path is longer, in bytes.
const MOST_FILES: usize = 4;
const LONGEST_PATH: usize = 256;
/// A parameter of more bytes than this is content, not a name or a command.
const LONGEST_NAMING: usize = 4096;
/// How deep commands in commands are looked into.
const DEPTH: usize = 2;

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
/// Commands and words of the shell that print little.
const QUIET: &str = "cd export set for do done if then else elif fi while case esac { } [[ ! rm mv touch chmod chown mkdir ln \
                     source . unset local read shift xargs return exit";
/// Commands, and ends of loops, that print their redirected input.
const FED: &str = "done } tr tee mapfile";

/// What a call does, if its tool does several things.
#[must_use]
pub fn kind_of(tool: &ToolDescriptor, parameters: &Value) -> ToolKind {
    let Some(mode) = &tool.mode else { return tool.kind };
    let value = parameters.get(&mode.key).and_then(Value::as_str);
    let kind = mode.kinds.iter().find(|(known, _)| Some(known.as_str()) == value);
    kind.map_or(ToolKind::Other, |(_, kind)| *kind)
}

/// Where the text of a result comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// From files.
    Files,
    /// From another agent, which answered.
    Agent,
    /// From elsewhere, at least in part.
    Other,
}

/// The origin of a call's result, and the files that the call seems to name: at most a few, resolved against a folder.
#[must_use]
pub fn of_call(name: &str, parameters: &Value, table: &ToolTable, root: &str) -> (Origin, Vec<String>) {
    let command = command_of(parameters);
    let commands = command.as_deref().map(split_loosely);
    let root = text_under(parameters, DIRECTORIES)
        .map_or_else(|| root.to_owned(), |directory| path::resolve(root, directory));
    let mut files = Vec::new();
    match &commands {
        Some(commands) => files_in(commands, root, DEPTH, &mut files),
        None => strings(parameters, &mut |text| note_file(text, &root, &mut files)),
    }
    let commands = commands.unwrap_or_default();
    let origin = match () {
        () if asks_agent(&commands) => Origin::Agent,
        () if is_shown(name, parameters, table, &commands) && !runs_others(&commands) => Origin::Files,
        () => Origin::Other,
    };
    (origin, files)
}

/// Whether a call's result shows what files hold.
#[must_use]
pub fn is_shown_by(name: &str, parameters: &Value, table: &ToolTable) -> bool {
    let commands = command_of(parameters).as_deref().map(split_loosely);
    is_shown(name, parameters, table, &commands.unwrap_or_default())
}

fn is_shown(name: &str, parameters: &Value, table: &ToolTable, commands: &[Command]) -> bool {
    let tool = table.describe(name);
    match kind_of(&tool, parameters) {
        ToolKind::Read => return true,
        ToolKind::Other if tool.mode.is_some() || names_any(name, READS) => return true,
        ToolKind::Search if names_any(name, SHOWING) || name == FINDING => return true,
        _ => {}
    }
    any_shows_files(commands, DEPTH)
        || text_under(parameters, CODE).is_some_and(reads_in_script)
        || script_in(parameters).is_some_and(|script| script_shows_files(script, table))
}

/// Whether commands run something else as well, whose output is no file's.
fn runs_others(commands: &[Command]) -> bool {
    let is_other = |command: &Command| {
        let words: Vec<&Word> = command.words.iter().collect();
        let name = words.first().map(|word| name_of(word)).unwrap_or_default();
        let is_quiet = name.is_empty() || is_known(&name) || is_one_of(&name, QUIET) || is_assignment(&name);
        !is_quiet && !shows(&words, DEPTH)
    };
    commands.iter().any(is_other)
}

/// Whether a simple command may show what stands in the files that it names. Of commands that nobody knows this holds.
pub fn may_show(words: &[&str]) -> bool {
    const SILENT: &str = "rm mv touch chmod chown mkdir ln";
    let Some((&name, words)) = words.split_first() else { return false };
    match name {
        "git" => git_shows(words),
        "find" => words.iter().any(|word| word.starts_with("-exec")),
        name if is_search(name) => search_shows(words),
        _ => !is_one_of(name, SILENT) && (!is_known(name) || shows_operands(name) != Shows::Nothing),
    }
}

/// Commands that ask an agent, each with the words that make it answer and end.
const AGENTS: &[(&str, &str)] = &[
    ("claude gemini qwen copilot cursor-agent pi amp", "-p --print --prompt -x --execute"),
    ("codex droid", "exec e review"),
    ("opencode goose", "run"),
    ("aider", "-m --message --message-file -f"),
];

/// Whether commands ask another agent, which answers.
fn asks_agent(commands: &[Command]) -> bool {
    commands.iter().any(|command| {
        let Some((name, rest)) = command.words.split_first() else { return false };
        let name = name_of(name);
        let mut agents = AGENTS.iter().filter(|(names, _)| is_one_of(&name, names));
        agents.any(|(_, words)| rest.iter().any(|word| is_one_of(&word.text, words)))
    })
}

/// Whether the parameters of a call, as JSON, name a file with instructions.
#[must_use]
pub fn names_kept_file(parameters: &str) -> bool {
    let mut is_named = false;
    if let Some(parameters) = json::read(parameters) {
        strings(&parameters, &mut |text| is_named |= text.len() <= LONGEST_NAMING && names_kept(text));
    }
    is_named
}

/// Whether the place where a call searches is a file with instructions.
#[must_use]
pub fn searches_kept_file(parameters: &str) -> bool {
    let parameters = json::read(parameters);
    parameters.as_ref().and_then(|parameters| text_under(parameters, PLACES)).is_some_and(names_kept)
}

fn files_in(commands: &[Command], mut root: String, depth: usize, files: &mut Vec<String>) {
    for command in commands {
        if let [name, folder] = command.words.as_slice()
            && name.text == "cd"
        {
            root = path::resolve(&root, &folder.text);
            continue;
        }
        for word in command.words.iter().skip(1).chain(&command.input) {
            if word.text.contains(' ') && depth > 0 {
                files_in(&split_loosely(&word.text), root.clone(), depth - 1, files);
            } else {
                note_files(&word.text, &root, files);
            }
        }
        // A script, or a patch.
        let document = command.document.as_ref();
        if let Some(document) = document.filter(|document| document.len() <= LONGEST_NAMING) {
            note_files(document, &root, files);
        }
    }
}

/// Notes the files that a script names, or a single word.
fn note_files(text: &str, root: &str, files: &mut Vec<String>) {
    let is_between = |letter: char| letter.is_whitespace() || "\"'`(),;=[]{}".contains(letter);
    text.split(is_between).for_each(|word| note_file(word, root, files));
}

/// Notes a word that may be a path: it has a folder or an ending. `git show main:src/a.rs` has one behind a revision.
fn note_file(word: &str, root: &str, files: &mut Vec<String>) {
    let word = word.strip_prefix("file://").unwrap_or(word);
    let word = word.split_once(':').filter(|(before, _)| before.len() > 1).map_or(word, |(_, file)| file);
    let is_path = word.len() <= LONGEST_PATH
        && word.contains(['.', '/', '\\'])
        && !word.starts_with('-')
        && !word.contains(|letter: char| letter.is_whitespace() || "*?\"'`$(){}<>|;&=,".contains(letter))
        && is_file(word);
    if is_path && files.len() < MOST_FILES {
        files.push(path::resolve(root, word));
    }
}

/// The text of a command, given as a string or word by word, or of several commands.
pub fn command_of(parameters: &Value) -> Option<String> {
    if value_under(parameters, COMMANDS).is_some() {
        return one_command(parameters);
    }
    match value_under(parameters, SEVERAL_COMMANDS).or_else(|| value_under(parameters, TYPED))? {
        Value::Array(commands) => {
            let text = |command: &Value| joined(command).or_else(|| one_command(command));
            Some(commands.iter().filter_map(text).collect::<Vec<_>>().join("\n"))
        }
        commands => joined(commands),
    }
}

/// A command, and the words behind it if they have a parameter of their own.
fn one_command(parameters: &Value) -> Option<String> {
    let command = joined(value_under(parameters, COMMANDS)?)?;
    let words = value_under(parameters, ARGUMENTS).filter(|words| words.is_array()).and_then(joined);
    Some([Some(command), words].into_iter().flatten().collect::<Vec<_>>().join(" "))
}

/// A text, or words with blanks between them.
fn joined(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => Some(words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")),
        _ => None,
    }
}

/// Visits the strings of a call's parameters, however deep.
pub fn strings<'value>(value: &'value Value, visit: &mut impl FnMut(&'value str)) {
    match value {
        Value::String(text) => visit(text),
        Value::Array(values) => values.iter().for_each(|value| strings(value, visit)),
        Value::Object(values) => values.values().for_each(|value| strings(value, visit)),
        _ => {}
    }
}

/// Whether a call in a script shows file content. A script that isn't understood may.
fn script_shows_files(script: &str, table: &ToolTable) -> bool {
    let shows = |call: &ScriptCall| is_shown_by(&call.name, &call.parameters, table);
    calls_of(script).is_none_or(|calls| calls.iter().any(shows))
}

/// Whether a tool says by the words of its name that it shows files.
fn names_any(name: &str, words: &str) -> bool {
    let is_read = |part: &str| {
        let part = part.to_ascii_lowercase();
        is_one_of(&part, words) || part.contains("readfile") || part.contains("getfile")
    };
    name.split(|character: char| !character.is_ascii_alphanumeric())
        .any(|part| is_read(part) || humps(part).any(is_read))
}

/// The words of a name in camel case.
fn humps(name: &str) -> impl Iterator<Item = &str> {
    let mut rest = name;
    std::iter::from_fn(move || {
        let is_start = |at: &usize| {
            let bytes = rest.as_bytes();
            let is_upper = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_uppercase);
            is_upper(*at) && (!is_upper(at - 1) || bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase))
        };
        let end = (1..rest.len()).find(is_start).unwrap_or(rest.len());
        let (word, behind) = rest.split_at_checked(end).filter(|(word, _)| !word.is_empty())?;
        rest = behind;
        Some(word)
    })
}

/// Whether a part of a shell's text shows files. Logs and saved output aren't files in this sense.
fn shows_files(command: &str, depth: usize) -> bool {
    any_shows_files(&split_loosely(command), depth)
}

fn any_shows_files(commands: &[Command], depth: usize) -> bool {
    commands.iter().any(|command| {
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
        name if is_search(name) => search_shows(&texts().collect::<Vec<_>>()),
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
fn reads_in_script(script: &str) -> bool {
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

fn is_search(name: &str) -> bool {
    is_one_of(name, "grep egrep fgrep rg ag ack ugrep zgrep")
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
