//! The files that a simple command names, and its effect on each.

use super::commands::{Shows, only_looks, shows};
use super::words::{Command, Word};

/// What a command does with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It shows the file's content.
    Shows,
    /// It shows the content, if the word names a file at all.
    MayShow,
    /// It writes the whole file.
    Writes,
    /// It changes a part of the file, or adds to it.
    Changes,
}

/// Long options that take a value as the next word.
const VALUED: &[&str] = &["--lines", "--bytes", "--expression", "--line-length"];

/// The files of a command, redirections included.
pub fn files(command: &Command) -> Vec<(Use, &Word)> {
    let mut files: Vec<(Use, &Word)> = Vec::new();
    for (output, adds) in &command.outputs {
        files.push((if *adds { Use::Changes } else { Use::Writes }, output));
    }
    let Some(name) = command.name() else { return files };
    let words: Vec<&Word> = command.words.iter().skip(1).collect();
    let operands = operands_of(name, &words);
    if operands.is_empty()
        && let (Shows::Files(..), Some(input)) = (shows(base(name)), &command.input)
    {
        files.push((Use::Shows, input));
    }
    files.extend(operands);
    files
}

/// The files among the words behind a command's name.
pub fn operands_of<'word>(name: &str, words: &[&'word Word]) -> Vec<(Use, &'word Word)> {
    match (base(name), shows(base(name))) {
        ("sed", _) => of_sed(words),
        ("tee", _) => with(Use::Writes, operands(words, "")),
        (_, Shows::Nothing) => Vec::new(),
        (_, Shows::Files(before, valued)) => {
            // Which of a program's long options take a value is uncertain, and a script may write anywhere.
            let texts: Vec<&str> =
                std::iter::once(base(name)).chain(words.iter().map(|word| word.text.as_str())).collect();
            let is_certain =
                before == 0 || only_looks(&texts) && !texts.iter().any(|text| text.starts_with("--"));
            let shows = if is_certain { Use::Shows } else { Use::MayShow };
            with(shows, operands(words, valued).into_iter().skip(before))
        }
        (_, Shows::Perhaps(before)) => with(Use::MayShow, operands(words, "").into_iter().skip(before)),
    }
}

/// A command's name without its folder.
pub fn base(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

fn with<'word>(does: Use, operands: impl IntoIterator<Item = &'word Word>) -> Vec<(Use, &'word Word)> {
    operands.into_iter().map(|operand| (does, operand)).collect()
}

/// A command's words that are neither options nor values of options.
fn operands<'word>(words: &[&'word Word], valued: &str) -> Vec<&'word Word> {
    let mut operands = Vec::new();
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        if text == "--" && word.is_literal {
            operands.extend(words);
            break;
        }
        if VALUED.contains(&text) {
            words.next();
        } else if let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) {
            // A letter that takes a value has it behind itself, or as the next word.
            let value = letters.find(|letter| !letters.starts_with('-') && valued.contains(letter));
            if value.is_some_and(|at| at + 1 == letters.len()) {
                words.next();
            }
        } else if !text.starts_with('+') {
            operands.push(word);
        }
    }
    operands
}

/// `sed`: its first operand is the script, unless an option brought one.
fn of_sed<'word>(words: &[&'word Word]) -> Vec<(Use, &'word Word)> {
    let (mut in_place, mut has_script) = (false, false);
    for text in words.iter().map(|word| word.text.as_str()) {
        let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-')).unwrap_or_default();
        // Behind an `i` stands a suffix.
        let (letters, suffix) =
            letters.split_once('i').map_or((letters, None), |(letters, suffix)| (letters, Some(suffix)));
        in_place |= suffix.is_some() || text.starts_with("--in-place");
        has_script |= letters.contains('e') || text.starts_with("--expression");
        if letters.contains('f') || text.starts_with("--file") {
            // The script is a file, too.
            return with(Use::MayShow, operands(words, "el"));
        }
    }
    let mut operands = operands(words, "el").into_iter().peekable();
    if in_place {
        // Some systems want the suffix as a word of its own.
        operands.next_if(|word| word.text.is_empty());
    }
    if !has_script {
        operands.next();
    }
    with(if in_place { Use::Changes } else { Use::Shows }, operands)
}
