//! The commands whose operands are files.

use super::super::{Deed, Found, patch, resolved};
use super::read;
use super::words::{Command, Word};

/// Commands that show the files they are given, with their options that take a value.
const READERS: &[(&str, &str)] = &[
    ("cat", ""),
    ("head", "nc"),
    ("tail", "ncs"),
    ("nl", "bdfhilnsvw"),
    ("less", "bhjkoptxyz"),
    ("more", "n"),
];
/// The same, written out.
const VALUED: &[&str] = &["--lines", "--bytes", "--expression", "--line-length"];

/// Notes what a command does with files; relative paths need a directory that is known.
pub(super) fn run(command: &Command, directory: Option<&str>, found: &mut Found, depth: usize) {
    let mut note = |deed: Deed, word: &Word| {
        let base = if word.text.starts_with('/') { Some(directory.unwrap_or("/")) } else { directory };
        let path = base.filter(|_| word.is_literal && word.text != "-");
        if let Some(path) = path.and_then(|base| resolved(base, &word.text)) {
            found.add(deed, path);
        }
    };
    for (output, adds) in &command.outputs {
        note(if *adds { Deed::Edited } else { Deed::Written }, output);
    }
    let (Some(name), Some(arguments)) = (command.name(), command.words.get(1..)) else { return };
    let name = name.rsplit('/').next().unwrap_or(name);
    if let Some((_, valued)) = READERS.iter().find(|(known, _)| *known == name) {
        let operands = operands(arguments, valued);
        for operand in &operands {
            note(Deed::Read, operand);
        }
        if operands.is_empty()
            && let Some(input) = &command.input
        {
            note(Deed::Read, input);
        }
        return;
    }
    match name {
        "sed" => edit_stream(arguments, note),
        "tee" => {
            for operand in operands(arguments, "") {
                note(Deed::Written, operand);
            }
        }
        "apply_patch" | "applypatch" => {
            let argument = arguments.first().filter(|word| word.is_literal).map(|word| word.text.as_str());
            let text = command.document.as_deref().or(argument).unwrap_or_default();
            if let Some(directory) = directory {
                patch::read(text, directory, found);
            }
        }
        "bash" | "sh" | "zsh" => {
            let script = arguments.iter().skip_while(|word| !is_command_option(&word.text)).nth(1);
            let script = script.filter(|word| word.is_literal && depth > 0);
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

/// What of a command's arguments isn't an option or an option's value.
fn operands<'word>(arguments: &'word [Word], valued: &str) -> Vec<&'word Word> {
    let mut operands = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(word) = arguments.next() {
        let text = word.text.as_str();
        if text == "--" && word.is_literal {
            operands.extend(arguments);
            break;
        }
        if VALUED.contains(&text) {
            arguments.next();
        } else if let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) {
            // A letter that takes a value has it behind itself, or as the next argument.
            let value = letters.find(|letter| !letters.starts_with('-') && valued.contains(letter));
            if value.is_some_and(|at| at + 1 == letters.len()) {
                arguments.next();
            }
        } else if !text.starts_with('+') {
            operands.push(word);
        }
    }
    operands
}

/// `sed`: its first operand is the script, unless an option brought one.
fn edit_stream(arguments: &[Word], mut note: impl FnMut(Deed, &Word)) {
    let (mut in_place, mut has_script) = (false, false);
    for text in arguments.iter().map(|word| word.text.as_str()) {
        let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-')).unwrap_or_default();
        // Behind an `i` stands a suffix.
        let (letters, suffix) =
            letters.split_once('i').map_or((letters, None), |(letters, suffix)| (letters, Some(suffix)));
        in_place |= suffix.is_some() || text.starts_with("--in-place");
        has_script |= letters.contains('e') || text.starts_with("--expression");
        if letters.contains('f') || text.starts_with("--file") {
            return;
        }
    }
    let operands = operands(arguments, "el");
    let mut operands = operands.into_iter().peekable();
    if in_place {
        // Some systems want the suffix as a word of its own.
        operands.next_if(|word| word.text.is_empty());
    }
    if !has_script {
        operands.next();
    }
    let deed = if in_place { Deed::Edited } else { Deed::Read };
    operands.for_each(|operand| note(deed, operand));
}
