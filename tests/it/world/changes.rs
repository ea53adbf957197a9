//! How agents change files: by edits, writes and patches that work, fail, do a part, or say nothing clear.

use serde_json::{Value, json};

use super::Dice;
use super::harness::{excuse, text};
use super::machine::Lines;
use super::steps::{Call, World};

impl World {
    pub fn edit(&mut self, dice: &mut Dice, name: &'static str) -> Call {
        let (path, name) = Self::path(dice, name);
        let mut lines = self.machines[0].lines(name);
        if lines.len() < 3 {
            return self.write(dice, name);
        }
        let at = dice.roll(lines.len() - 2);
        let (old, new);
        let before = lines.clone();
        match dice.roll(4) {
            0 => {
                // A part of a line.
                let word = format!("other_{}(", self.made);
                self.made += 1;
                lines[at] = lines[at].replacen("compute(", &word, 1);
                let part = |line: &str| line[..line.len().saturating_sub(9)].to_owned();
                (old, new) = (part(&before[at]), part(&lines[at]));
            }
            1 => {
                old = text(&lines[at..at + 2]);
                lines.drain(at..at + 2);
                new = String::new();
            }
            _ => {
                let count = dice.roll(5);
                let fresh = self.fresh(count);
                old = text(&lines[at..=at]);
                new = text(&fresh);
                lines.splice(at..=at, fresh);
            }
        }
        let parameters = json!({"file_path": path, "old_string": old, "new_string": new});
        self.edited(dice, name, (lines, before), parameters)
    }

    /// How an edit goes: as it should, with a formatter behind it, not at all with or without a word.
    fn edited(
        &mut self,
        dice: &mut Dice,
        name: &str,
        (after, before): (Lines, Lines),
        parameters: Value,
    ) -> Call {
        match dice.roll(8) {
            0 => {
                let mut call = Call::new("Edit", parameters, "String to replace not found in file.");
                call.has_failed = dice.once_in(2);
                call
            }
            1 => Call::new("Edit", parameters, "edited"),
            2 => Call::new("Edit", parameters, excuse(dice)),
            way => {
                let new: Lines = after.iter().filter(|line| !before.contains(line)).cloned().collect();
                self.machines[0].set(name, after);
                let written: Lines = new
                    .into_iter()
                    .filter(|line| parameters["new_string"].as_str().unwrap().contains(line.as_str()))
                    .collect();
                self.machines[0].show(name, &written);
                if way < 5 {
                    self.format(0, name, dice);
                }
                Call::new("Edit", parameters, format!("The file /w/{name} has been updated."))
            }
        }
    }

    pub fn write(&mut self, dice: &mut Dice, name: &'static str) -> Call {
        let (path, name) = Self::path(dice, name);
        let count = 5 + dice.roll(15);
        let mut lines = self.fresh(count);
        if dice.once_in(2) {
            lines.extend(self.machines[0].lines(name).into_iter().take(10));
        }
        let parameters = json!({"file_path": path, "content": text(&lines)});
        match dice.roll(6) {
            0 => Call::new("Write", parameters, excuse(dice)),
            1 => {
                // Only a part of it got there.
                lines.truncate(lines.len() / 2);
                self.machines[0].set(name, lines.clone());
                self.machines[0].show(name, &lines);
                Call::new("Write", parameters, excuse(dice))
            }
            _ => {
                self.machines[0].set(name, lines.clone());
                self.machines[0].show(name, &lines);
                Call::new("Write", parameters, format!("File created successfully at: {path}"))
            }
        }
    }

    pub fn patch(&mut self, dice: &mut Dice, name: &'static str) -> Call {
        let mut lines = self.machines[0].lines(name);
        if lines.len() < 3 {
            return self.write(dice, name);
        }
        let at = 1 + dice.roll(lines.len() - 2);
        let fresh = self.fresh(2);
        let added: String = fresh.iter().map(|line| format!("+{line}\n")).collect();
        let body = format!(" {}\n-{}\n{added}", lines[at - 1], lines[at]);
        let patch = format!("*** Begin Patch\n*** Update File: {name}\n@@\n{body}*** End Patch\n");
        lines.splice(at..=at, fresh.clone());
        self.machines[0].set(name, lines);
        self.machines[0].show(name, &fresh);
        Call::new("apply_patch", json!({"input": patch}), "Success. Updated the following files:\nM a.rs")
    }
}
