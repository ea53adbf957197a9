//! The files that a shell command certainly reads and writes. It understands `cat f`, `sed -n '1,80p' f`,
//! `cd x && head f`, `… > f` and a patch in a here-document. Other lines yield nothing.

mod commands;

use serde_json::Value;

use super::{Found, path};
use crate::calls::words::{Command, Join, Word, split};
use commands::run;

/// How deep a shell may be called by a shell.
const DEPTH: usize = 2;

/// Reads a command's text, which runs in a directory.
pub(super) fn read_text(text: &str, directory: &str, found: &mut Found) {
    read(text, directory, found, DEPTH);
}

/// Reads a command whose words are given one by one.
pub(super) fn read_words(words: &[Value], directory: &str, found: &mut Found) {
    let words = words.iter().map(|word| Some(Word::literal(word.as_str()?)));
    if let Some(words) = words.collect::<Option<Vec<Word>>>() {
        let command = Command { words, ..Command::default() };
        run(&command, Some(directory), found, DEPTH);
    }
}

/// Words that begin a compound command.
const KEYWORDS: &[&str] = &[
    "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "in",
    "function", "select", "time", "coproc", "!", "{", "}", "[[", "alias", "exec", "eval",
];

fn read(text: &str, directory: &str, found: &mut Found, depth: usize) {
    let Some(commands) = split(text) else { return };
    if commands.iter().any(|command| command.name().is_some_and(|name| KEYWORDS.contains(&name))) {
        return;
    }
    let mut directory = Some(directory.to_owned());
    for list in commands.split_inclusive(|command| command.join == Join::Sequence) {
        // Which side of an `||` ran, nobody knows.
        let is_alternative = list.iter().any(|command| command.join == Join::Or);
        let mut is_piped = false;
        for command in list {
            let was_piped = std::mem::replace(&mut is_piped, command.join == Join::Pipe);
            match command.name() {
                Some("cd" | "pushd" | "popd") if is_alternative => directory = None,
                // In a pipeline it changes the directory of nobody else.
                Some("cd") if !is_piped && !was_piped => directory = change(directory.as_deref(), command),
                Some("pushd" | "popd") => directory = None,
                _ if !is_alternative => run(command, directory.as_deref(), found, depth),
                _ => {}
            }
        }
    }
}

/// Where `cd` leads to, if that can be told.
fn change(directory: Option<&str>, command: &Command) -> Option<String> {
    let [_, to] = command.words.as_slice() else { return None };
    let is_known = to.is_literal && !to.text.starts_with('-') && !to.text.is_empty();
    let is_absolute = to.text.starts_with('/');
    let base = if is_absolute { Some(directory.unwrap_or("/")) } else { directory };
    is_known.then(|| Some(path::resolve(base?, &to.text)))?
}
