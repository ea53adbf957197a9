//! The one table of shell commands: which of them only look, and which show files. A command that only looks changes
//! no file, and its output reports no change.

use super::is_one_of;
use crate::search::contains;

/// Whether a command only looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Looks {
    /// Whatever its options.
    Always,
    /// It depends on its options, or on its script.
    Mostly,
    /// It may do anything.
    Never,
}

/// The words that name files whose content a command shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// It shows no file.
    Nothing,
    /// The operands behind so many others; options with these letters take a value.
    Files(usize, &'static str),
    /// The same, but the words may name something else.
    Perhaps(usize),
}

use Looks::{Always, Mostly, Never};
use Shows::{Files, Nothing, Perhaps};

/// Names of commands, whether they only look, and the files that they show.
const TABLE: &[(&str, Looks, Shows)] = &[
    (
        "ls pwd wc grep egrep fgrep stat file which echo printf true false date whoami id uname du df tr diff cmp \
         basename dirname realpath readlink test [ sleep cd md5sum sha1sum sha256sum",
        Always,
        Nothing,
    ),
    ("cat tac", Always, Files(0, "")),
    ("head", Always, Files(0, "nc")),
    ("tail", Always, Files(0, "ncs")),
    ("nl", Always, Files(0, "bdfhilnsvw")),
    ("less", Always, Files(0, "bhjkoptxyz")),
    ("more", Always, Files(0, "n")),
    (
        "bat batcat od hexdump strings paste column pr fold fmt expand rev zcat bzcat xzcat",
        Always,
        Perhaps(0),
    ),
    ("cut type", Always, Perhaps(0)),
    ("sort uniq", Mostly, Perhaps(0)),
    ("xxd get-content gc", Never, Perhaps(0)),
    ("jq", Always, Files(1, "fL")),
    ("yq", Mostly, Files(1, "")),
    ("sed", Mostly, Files(1, "el")),
    ("awk gawk", Mostly, Files(1, "fFv")),
    ("rg find tree git", Mostly, Nothing),
];
/// The verbs with which git only looks.
const GIT: &str = "status log diff show blame rev-parse ls-files grep describe";
/// Options with which `git branch` names branches, and makes, moves or deletes none.
const NAMING: &str = "-a -r -v -vv -av -avv --all --remotes --show-current --no-color --sort --format";
/// Options behind which branches are named.
const PICKING: &str = "-l --list --contains --merged --no-merged --points-at";

fn row(name: &str) -> Option<&'static (&'static str, Looks, Shows)> {
    TABLE.iter().find(|(names, ..)| is_one_of(name, names))
}

/// The names that the table knows.
#[cfg(test)]
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().flat_map(|(names, ..)| names.split_ascii_whitespace())
}

/// Whether the table has a command.
pub fn is_known(name: &str) -> bool {
    row(name).is_some()
}

/// The words that name files whose content a command shows, by the command's name.
pub fn shows(name: &str) -> Shows {
    row(name).map_or(Nothing, |(_, _, shows)| *shows)
}

/// Whether a simple command only looks, by its words.
pub fn only_looks(words: &[&str]) -> bool {
    let Some((&name, words)) = words.split_first() else { return true };
    let has = |bad: &str| words.iter().any(|word| bad.split(' ').any(|bad| word.starts_with(bad)));
    let Some((_, looks, _)) = row(name).filter(|(_, looks, _)| *looks != Never) else { return false };
    if *looks == Always {
        return true;
    }
    match name {
        "git" => {
            let at = words.iter().position(|word| !word.starts_with('-'));
            let verb = at.and_then(|at| Some((*words.get(at)?, words.get(at + 1..)?)));
            verb.is_some_and(|(verb, rest)| match verb {
                "branch" => names_branches(rest),
                _ => is_one_of(verb, GIT) && !has("--output"),
            })
        }
        "yq" => !has("-i --inplace --in-place -s --split"),
        "find" => !has("-exec -ok -delete -fprint -fls"),
        "sed" => prints(words),
        "awk" | "gawk" => !has("-f -i --file --include") && !words.iter().any(|word| writes(word)),
        "sort" | "tree" => !words.iter().any(|word| word.starts_with('-') && word.contains('o')),
        "uniq" => words.iter().all(|word| word.starts_with('-')),
        _ => !has("--pre"),
    }
}

/// Whether a line of output begins as the error of such a command: `cat: a.rs: No such file`.
pub fn is_word_of_a_look(line: &str) -> bool {
    let name = line.split(':').next().unwrap_or_default();
    name.len() < line.len() && row(name).is_some_and(|(_, looks, _)| *looks != Never)
}

fn names_branches(words: &[&str]) -> bool {
    let mut may_pick = false;
    words.iter().map(|word| word.split('=').next().unwrap_or(word)).all(|word| {
        let is_picking = is_one_of(word, PICKING);
        may_pick |= is_picking;
        is_picking || is_one_of(word, NAMING) || may_pick && !word.starts_with('-')
    })
}

/// Whether an `awk` script may write a file or run a command.
fn writes(word: &str) -> bool {
    word.bytes().any(|byte| matches!(byte, b'>' | b'|')) || contains(word, "system")
}

/// Whether `sed` prints, and neither edits in place nor writes: its scripts are addresses with a `p`, `d` or `q`, or one
/// substitution.
fn prints(words: &[&str]) -> bool {
    let (mut is_script, mut has_script) = (false, false);
    for word in words {
        if is_script || !word.starts_with('-') && !has_script {
            if !is_plain_script(word) {
                return false;
            }
            (is_script, has_script) = (false, true);
        } else if is_one_of(word, "-e --expression") {
            is_script = true;
        } else if word.starts_with('-') && !is_one_of(word, "-n -E -r -u -s -z --quiet --silent") {
            return false;
        }
    }
    has_script
}

fn is_plain_script(script: &str) -> bool {
    let is_address =
        |letter: char| letter.is_ascii_digit() || matches!(letter, ',' | '$' | '\0' | '~' | '+' | ' ');
    let is_line = |line: &str| {
        let line = line.trim_start_matches(is_address);
        matches!(line, "p" | "d" | "q" | "=" | "")
    };
    let substitution = script.trim_start_matches(is_address).strip_prefix('s');
    if let Some(rest) = substitution
        && let Some(sign) = rest.chars().next().filter(|sign| sign.is_ascii_punctuation() && *sign != '\\')
    {
        let mut parts = rest.split(sign).skip(3);
        let flags = parts.next();
        let is_flag = |letter: char| matches!(letter, 'g' | 'p' | 'I' | 'i') || letter.is_ascii_digit();
        return flags.is_some_and(|flags| flags.chars().all(is_flag)) && parts.next().is_none();
    }
    script.split(';').all(is_line)
}

#[cfg(test)]
mod tests {
    use super::{is_word_of_a_look, only_looks};

    /// A command of the table has a line here: each user of the table is asked about it by its own tests.
    #[test]
    fn commands_that_look_are_told_from_those_that_may_change_something() {
        for line in "ls -la|jq . a.json|diff a b|git ls-files|git rev-parse HEAD|git status|git branch -a|awk 1 a.txt|awk {print} a\
            |sed -n 1,5p a|sed s/a/b/g a|sed -n $p a|sed -e 3p -e 5d a|find . -name x|sort a|uniq -c|tree src|rg x|cmp a b|less a"
            .split('|')
        {
            assert!(only_looks(&line.split_whitespace().collect::<Vec<_>>()), "{line}");
        }
        for line in "cargo test|tee a|sed -i s/a/b/ a|sed -n w\u{a0}a b|sed s/a/b/w\u{a0}g a|sed s/a/b/e a|sed -f x a|sed 1e a|find . -delete\
            |sort -o a b|uniq a b|git push|git diff --output=a|git branch new|git branch -D x|awk {print>FILENAME} a\
            |awk {system(\"rm\")} a|awk -f x.awk a|rg --pre ./x y|xargs rm|sed --in-place 1d a|sed"
            .split('|')
        {
            let line = line.split(' ').collect::<Vec<_>>();
            assert!(!only_looks(&line), "{line:?}");
        }
    }

    #[test]
    fn errors_of_commands_that_look_are_known_by_their_name() {
        assert!(
            is_word_of_a_look("cat: a: No such file or directory") && is_word_of_a_look("sed: -e expression")
        );
        assert!(!is_word_of_a_look("cat") && !is_word_of_a_look("make: *** [x] Error 1"));
    }
}
