//! Commands that only look: what they show is no news of what was done.

use super::words::{Command, split};
use crate::calls::commands;

/// Whether a text holds nothing but such commands.
pub fn only_looks(text: &str) -> bool {
    split(text).is_some_and(|commands| commands.iter().all(looks))
}

fn looks(command: &Command) -> bool {
    let words: Vec<&str> = command.words.iter().map(|word| word.text.as_str()).collect();
    commands::only_looks(&words) && command.outputs.iter().all(|(output, _)| output.text == "/dev/null")
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
            "jq . f && diff a b",
            "git ls-files | awk 1",
            "git rev-parse HEAD",
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
            "awk '{print > \"a\"}' f",
        ] {
            assert!(!only_looks(text), "{text}");
        }
    }
}
