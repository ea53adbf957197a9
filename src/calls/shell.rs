//! What a shell line does to files, if it is one of the plain ones: commands that only look, in pipes and one after
//! another, and patches. Anything else may have changed anything.

use serde_json::Value;

use super::commands::only_looks;
use super::{Effect, Lines, WHOLE, is_one_of, patch, path_in};
use crate::search::around_first;
use crate::tools::is_kept_path;
use crate::view::{NONE, View, path};

/// Stands in a word for what the shell puts there.
const VARIABLE: char = '\0';
/// Stands between words for a pipe, for `&&`, and for what else separates commands.
const PIPE: &str = "\u{1}";
const AND: &str = "\u{2}";
const END: &str = "\u{3}";

/// Whether a command may have changed the folder in which the next one runs.
pub(super) fn moves(command: &str) -> bool {
    command
        .split(|character: char| !character.is_ascii_alphanumeric())
        .any(|word| is_one_of(word, "cd pushd popd"))
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
    let Some(words) = parse(text) else { return vec![Effect::Anything] };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if words.split(|word| [END, AND, PIPE].contains(word)).any(|command| !only_looks(command)) {
        return vec![Effect::Anything];
    }
    shown(view, &words, root).into_iter().collect()
}

/// Whether a line shows instructions, whatever else it does.
pub(super) fn shows_kept(view: &mut View, text: &str, root: &str) -> bool {
    let Some(words) = parse(text) else { return false };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    words.split(|word| [END, AND, PIPE].contains(word)).any(|command| match command {
        ["bash" | "sh" | "zsh", "-c" | "-lc", text] => shows_kept(view, text, root),
        // Few names are looked up.
        _ => files_of(command)
            .iter()
            .filter(|file| is_kept_path(file))
            .any(|file| path_in(view, root, file).is_some_and(|path| view.names.is_kept(path))),
    })
}

/// Words that may name a file in a command that shows files.
fn files_of<'word>(command: &[&'word str]) -> Vec<&'word str> {
    match command {
        ["cat" | "nl" | "head" | "tail" | "less" | "more" | "sed", words @ ..] => words.to_vec(),
        ["git", "show", words @ ..] => {
            words.iter().filter_map(|word| Some(around_first(word, ":")?.1)).collect()
        }
        _ => Vec::new(),
    }
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

/// Takes a line apart into words, and what stands between commands; none if anything in it isn't plain.
fn parse(text: &str) -> Option<Vec<String>> {
    if text.bytes().any(|byte| byte < b' ' && byte != b'\t' && byte != b'\n') {
        return None;
    }
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let (mut is_word, mut quote) = (false, '\0');
    let mut rest = text.trim().chars();
    while let Some(character) = rest.next() {
        let next = rest.clone().next();
        if character == quote {
            quote = '\0';
            continue;
        }
        let is_bare = quote == '\0';
        match character {
            _ if quote == '\'' => word.push(character),
            '\'' | '"' if is_bare => quote = character,
            '\\' => word.push(rest.next().filter(|&next| next != '\n')?),
            '`' => return None,
            '$' if next == Some('(') => return None,
            '<' | '(' | ')' | '#' if is_bare => return None,
            '>' if is_bare => {
                // What is said of errors, or of nothing, changes no file.
                let silent = ["&1", "/dev/null"].into_iter().find_map(|to| rest.as_str().strip_prefix(to))?;
                if !silent.is_empty() && !silent.starts_with([' ', ';', '|', '\n']) {
                    return None;
                }
                rest = silent.chars();
                if is_one_of(&word, "1 2") {
                    word.clear();
                    is_word = false;
                }
                continue;
            }
            '$' => word.push(VARIABLE),
            '*' | '?' | '[' | '{' | '~' if is_bare => word.push(VARIABLE),
            ' ' | '\t' | '|' | '&' | ';' | '\n' if is_bare => {
                if is_word {
                    words.push(std::mem::take(&mut word));
                    is_word = false;
                }
                let is_double = next == Some(character);
                if character == '&' && !is_double {
                    return None;
                }
                if character > ' ' && is_double {
                    rest.next();
                }
                if character > '\t' && character != ' ' {
                    let between = match character {
                        '|' if !is_double => PIPE,
                        '&' => AND,
                        _ => END,
                    };
                    words.push(between.to_owned());
                }
                continue;
            }
            _ => word.push(character),
        }
        is_word = true;
    }
    if is_word {
        words.push(word);
    }
    (quote == '\0').then_some(words)
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
fn shown(view: &mut View, words: &[&str], mut root: String) -> Option<Effect> {
    let mut last: &[&str] = &[];
    // Behind anything but `&&` it may run where the folder wasn't changed.
    for command in words.split(|&word| word == AND) {
        match last {
            [] => {}
            ["cd", folder] if !folder.contains(VARIABLE) => root = path::resolve(&root, folder),
            _ => return None,
        }
        last = command;
    }
    let mut shown = WHOLE;
    let mut path = None;
    for command in last.split(|&word| word == PIPE) {
        let ((from, to), file) = reads(command)?;
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
