//! Notes the files of commands, and follows shells that call shells.

use super::super::{Deed, Found, patch, resolved};
use super::read;
use crate::calls::operands::{Use, base, files};
use crate::calls::words::{Command, Word};

/// Notes what a command does with files; relative paths need a directory that is known.
pub(super) fn run(command: &Command, directory: Option<&str>, found: &mut Found, depth: usize) {
    for (does, word) in files(command) {
        let deed = match does {
            Use::Shows => Deed::Read,
            Use::Writes => Deed::Written,
            Use::Changes => Deed::Edited,
            Use::MayShow => continue,
        };
        let base = if word.text.starts_with('/') { Some(directory.unwrap_or("/")) } else { directory };
        let path = base.filter(|_| word.is_literal && word.text != "-");
        if let Some(path) = path.and_then(|base| resolved(base, &word.text)) {
            found.add(deed, path);
        }
    }
    let (Some(name), Some(arguments)) = (command.name(), command.words.get(1..)) else { return };
    match base(name) {
        "apply_patch" | "applypatch" => {
            let argument = arguments.first().filter(|word| word.is_literal).map(|word| word.text.as_str());
            let text = command.document.as_deref().or(argument).unwrap_or_default();
            if let Some(directory) = directory {
                patch::read(text, directory, found);
            }
        }
        "bash" | "sh" | "zsh" => {
            let script = arguments.iter().skip_while(|word| !is_command_option(&word.text)).nth(1);
            let script = script.filter(|word: &&Word| word.is_literal && depth > 0);
            if let (Some(script), Some(directory)) = (script, directory) {
                read(&script.text, directory, found, depth - 1);
            }
        }
        _ => {}
    }
}

/// `-c`, `-lc`.
fn is_command_option(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|letters| !letters.starts_with('-') && letters.ends_with('c'))
}
