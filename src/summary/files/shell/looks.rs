//! Commands that only look: what they show is no news of what was done.

use super::words::{Command, split};

/// Their names.
pub const LOOKING: &[&str] = &[
    "cat", "sed", "ls", "head", "tail", "rg", "grep", "find", "pwd", "cd", "echo", "wc", "nl", "tree",
    "which", "awk", "less", "stat", "file", "sleep", "printf", "true",
];
/// What of `git` only looks.
const GIT: &[&str] = &["status", "diff", "log", "show"];
/// With which options `git branch` names branches and makes, moves or deletes none.
const NAMING: &[&str] = &[
    "-a",
    "-r",
    "-v",
    "-vv",
    "-av",
    "-avv",
    "--all",
    "--remotes",
    "--show-current",
    "--no-color",
    "--sort",
    "--format",
];
/// Those behind which branches are named, too.
const PICKING: &[&str] = &["-l", "--list", "--contains", "--merged", "--no-merged", "--points-at"];
/// Options by which such a command changes files all the same.
const CHANGING: &[(&str, &str)] =
    &[("sed", "-i"), ("sed", "--in-place"), ("find", "-delete"), ("find", "-exec"), ("find", "-ok")];

/// Whether a text holds nothing but such commands.
pub fn only_looks(text: &str) -> bool {
    split(text).is_some_and(|commands| commands.iter().all(looks))
}

fn looks(command: &Command) -> bool {
    let mut words = command.words.iter().map(|word| word.text.as_str());
    let Some(name) = words.next() else { return true };
    let is_changing =
        |word: &str| CHANGING.iter().any(|&(known, option)| known == name && word.starts_with(option));
    let is_looking = match name {
        "git" => match words.next() {
            Some("branch") => names_branches(words),
            found => found.is_some_and(|word| GIT.contains(&word)),
        },
        _ => LOOKING.contains(&name) && !words.any(is_changing),
    };
    is_looking && command.outputs.iter().all(|(output, _)| output.text == "/dev/null")
}

fn names_branches<'text>(words: impl Iterator<Item = &'text str>) -> bool {
    let mut may_pick = false;
    words.map(|word| word.split_once('=').map_or(word, |(option, _)| option)).all(|word| {
        let is_picking = PICKING.contains(&word);
        may_pick |= is_picking;
        is_picking || NAMING.contains(&word) || may_pick && !word.starts_with('-')
    })
}

#[cfg(test)]
mod tests {
    use super::only_looks;

    #[test]
    fn what_looks_is_told_from_what_changes() {
        for text in [
            "cat a.txt | head",
            "cd x && rg -n \"a|b; c & d\" src 2>&1",
            "find . -name '*.rs' 2>/dev/null || true",
            "git diff --stat; git log",
            "git branch && git branch -a",
            "git branch -r --merged main",
            "git branch --sort=-committerdate --list 'x*'",
            "ls\nwc -l f",
            "",
        ] {
            assert!(only_looks(text), "{text}");
        }
        for text in [
            "cargo test",
            "cat a | tee b",
            "echo done > log.txt",
            "sed -i.bak s/a/b/ f",
            "find . -name '*.o' -delete",
            "find src -name '*.ts' -exec sed -i 's/a/b/' {} +",
            "git push",
            "git branch -D old-feature",
            "git branch new && git status",
            "git branch -v --delete --merged x",
            "git branch -m old new",
            "ls\nmake",
            "cat $(make list)",
        ] {
            assert!(!only_looks(text), "{text}");
        }
    }
}
