//! What a shell line does to files, if it is one of the plain ones: commands that only look, in pipes and one after
//! another, and patches. Anything else may have changed anything.

use serde_json::Value;

use super::words::{self, Command, Join, Word};
use super::{Effect, Lines, WHOLE, content, is_one_of, patch, path_in};
use crate::lines::fingerprint;
use crate::search::around_first;
use crate::tools::{is_kept_pattern, names_kept};
use crate::view::{NONE, View, path};

/// Stands in a word for what the shell puts there.
const VARIABLE: char = '\0';

/// Commands behind which a shell may be in another folder, on another machine, or somebody else's.
const MOVING: &str = "cd pushd popd z zi j source eval exec exit logout su login ssh mosh docker podman nerdctl kubectl oc \
                      chroot nsenter wsl tmux screen vagrant toolbox distrobox";

/// Whether a command may have changed where the next one runs.
pub(super) fn moves(command: &str) -> bool {
    command.split(|character: char| !character.is_ascii_alphanumeric()).any(|word| is_one_of(word, MOVING))
}

/// A number for the folder in which a command that moves leaves the shell, if it names one: `cd /w && make`.
pub(super) fn goes_to(command: &str) -> Option<u32> {
    let rest = command.strip_prefix("cd ").filter(|rest| rest.starts_with('/'))?;
    let (folder, behind) = rest.split_at_checked(rest.find([' ', ';', '&', '\n']).unwrap_or(rest.len()))?;
    let is_plain = !folder.contains(['$', '*', '?', '{', '`', '\\', '"', '\'', '|', '(']) && !moves(behind);
    #[allow(clippy::cast_possible_truncation)]
    is_plain.then(|| fingerprint(folder.trim_end_matches('/')) as u32)
}

/// The text of a command line, or of a command in words.
pub(super) fn text_of(command: &Value) -> Option<&str> {
    match command {
        Value::String(text) => Some(text),
        Value::Array(words) => match words.as_slice() {
            [.., Value::String(before), Value::String(text)] if is_one_of(before, "-lc -c apply_patch") => {
                Some(text)
            }
            _ => None,
        },
        _ => None,
    }
}

/// What a command line does.
pub(super) fn effects(view: &mut View, text: &str, root: String) -> Vec<Effect> {
    let before = text.split('\n').next().unwrap_or_default();
    let is_patch = before.starts_with("apply_patch") && !before.contains(['&', ';', '|', '`', '$', '('])
        || text.starts_with(patch::BEGIN);
    let patched = if is_patch { patch::effects(view, text, &root) } else { None };
    if let Some(effects) = patched {
        return effects;
    }
    if let Some(path) = written(view, text, &root) {
        return vec![Effect::Writes { path }];
    }
    match parse(text) {
        Some(commands) if commands.iter().all(Command::only_looks) => {
            shown(view, &commands, root).into_iter().collect()
        }
        _ => vec![Effect::Anything],
    }
}

/// Whether a line shows instructions, whatever else it does. A line that isn't plain does if it names a command that shows
/// files, and a file with instructions: a loop, a test before it, a cmdlet. A false hit costs only tokens.
pub(super) fn shows_kept(text: &str) -> bool {
    let names = |word: &str| names_kept(word) || is_kept_pattern(word);
    let Some(commands) = parse(text) else { return names_kept(text) && names_reader(text) };
    let is_plain = |word: &Word| {
        super::commands::is_known(&word.text) && word.text != "find"
            || super::is_one_of(&word.text, "cd bash sh zsh")
    };
    let is_strange = |command: &Command| command.words.first().is_some_and(|word| !is_plain(word));
    let shows = |command: &Command| {
        let words: Vec<&str> = command.words.iter().map(|word| word.text.as_str()).collect();
        match words.as_slice() {
            ["bash" | "sh" | "zsh", "-c" | "-lc", text] => shows_kept(text),
            words => words.iter().any(|word| names(word)) && content::may_show(words),
        }
    };
    // `ls AGENTS.md | xargs cat`
    commands.iter().any(shows) || commands.iter().any(is_strange) && names_kept(text) && names_reader(text)
}

/// Whether a line names a command that shows files. `rtk read` does, too.
fn names_reader(text: &str) -> bool {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
    words
        .map(str::to_ascii_lowercase)
        .any(|word| word == "read" || super::commands::shows(&word) != super::commands::Shows::Nothing)
}

/// The file that a line writes as a whole: `cat > a.rs <<'EOF'` and what stands up to `EOF`, nothing behind it.
fn written(view: &mut View, text: &str, root: &str) -> Option<u32> {
    let (head, body) = text.trim_end().strip_prefix("cat > ")?.split_once('\n')?;
    let (file, tag) = around_first(head, " <<")?;
    // The shell expands text after an unquoted tag.
    let is_literal = tag.contains(['\'', '"']) || !body.contains(['$', '`', '\\']);
    let tag = tag.trim_matches(['\'', '"', ' ']);
    let is_plain = !file.contains(['$', '~', '*', '?', '{', '&', '(', '`', ' ', '"', '\'']);
    let mut lines = body.lines();
    let is_all = lines.any(|line| line == tag) && lines.next().is_none();
    (is_plain && is_literal && is_all).then(|| path_in(view, root, file)).flatten()
}

/// The commands of a line; none if anything in it isn't plain.
fn parse(text: &str) -> Option<Vec<Command>> {
    let is_plain = !text.bytes().any(|byte| byte < b' ' && byte != b'\t' && byte != b'\n');
    if is_plain { words::split(text.trim()) } else { None }
}

/// The words of a command, with [`VARIABLE`] where the shell may put something.
fn words_of(command: &Command) -> Vec<String> {
    let put = |letter: char| if matches!(letter, '$' | '*' | '?' | '{' | '~') { VARIABLE } else { letter };
    let word = |word: &Word| match word.is_literal {
        true => word.text.clone(),
        // A letter that is escaped makes a word uncertain without any of these.
        false if word.text.chars().all(|letter| put(letter) == letter) => format!("{VARIABLE}{}", word.text),
        false => word.text.chars().map(put).collect(),
    };
    command.words.iter().map(word).collect()
}

/// The lines that `sed -n` prints: `3,9p`, `3p`, `3,$p`.
fn lines_of(script: &str) -> Option<Lines> {
    let range = script.strip_suffix('p')?;
    let (from, to) = range.split_once(',').unwrap_or((range, range));
    let is_end = is_one_of(to, "$ \0");
    Some((number(from)?, if is_end { NONE } else { number(to)? }))
}

fn number(text: &str) -> Option<u32> {
    text.parse().ok()
}

/// What one pipe shows of a file, if nothing else prints: `cd src && nl -ba a.rs | sed -n '3,9p'`.
fn shown(view: &mut View, commands: &[Command], mut root: String) -> Option<Effect> {
    let (mut shown, mut path) = (WHOLE, None);
    let mut rest = commands.iter().peekable();
    while let Some(command) = rest.next() {
        let words = words_of(command);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let is_last = rest.peek().is_none();
        match (command.join, words.as_slice()) {
            // Behind anything but `&&` it may run where the folder wasn't changed.
            (Join::And, ["cd", folder]) if path.is_none() && !folder.contains(VARIABLE) => {
                root = path::resolve(&root, folder);
                continue;
            }
            (Join::Pipe, _) => {}
            _ if is_last => {}
            _ => return None,
        }
        // The text goes elsewhere, or comes from elsewhere.
        if !command.outputs.is_empty() || command.input.is_some() {
            return None;
        }
        let ((from, to), file) = reads(&words)?;
        if file.is_some() == path.is_some() {
            return None;
        }
        if let Some(file) = file {
            path = Some(path_in(view, &root, file)?);
        }
        let end = if to == NONE { NONE } else { shown.0.saturating_add(to - 1) };
        shown = (shown.0.saturating_add(from - 1), shown.1.min(end));
    }
    Some(Effect::Shows { path: path?, lines: shown })
}

/// Which lines of its file, or of what comes in, a command prints.
fn reads<'word>(words: &[&'word str]) -> Option<(Lines, Option<&'word str>)> {
    let (lines, rest) = match words {
        ["cat", "-n", rest @ ..] | ["nl", "-ba", rest @ ..] | ["cat", rest @ ..] => (WHOLE, rest),
        ["sed", "-n", script, rest @ ..] => (lines_of(script)?, rest),
        ["head", "-n", count, rest @ ..] => ((1, number(count)?), rest),
        ["head", option, rest @ ..] if option.starts_with('-') => {
            ((1, number(option.trim_start_matches(['-', 'n']))?), rest)
        }
        ["head", rest @ ..] => ((1, 10), rest),
        _ => return None,
    };
    match rest {
        _ if lines.0 == 0 || lines.0 > lines.1 => None,
        [] => Some((lines, None)),
        [file] if !file.starts_with('-') => Some((lines, Some(*file))),
        _ => None,
    }
}
