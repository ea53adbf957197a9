//! A machine: its files, its branches, what waits to happen on it.

use std::collections::{BTreeMap, BTreeSet};

pub type Lines = Vec<String>;

/// What happens later without any call.
#[derive(Clone, Debug)]
pub enum Job {
    Copy(String, String),
    Format(String),
}

#[derive(Clone, Debug, Default)]
pub struct Machine {
    files: BTreeMap<String, Lines>,
    /// Other names of files.
    links: BTreeMap<String, String>,
    /// The files of the branch that isn't checked out.
    other_branch: BTreeMap<String, Lines>,
    /// The lines of each file that an agent was shown as this file's, and that were there ever since.
    shown: BTreeMap<String, BTreeSet<String>>,
    pub jobs: Vec<(usize, Job)>,
}

impl Machine {
    pub fn link(&mut self, name: &str, to: &str) {
        self.links.insert(name.to_owned(), to.to_owned());
    }

    /// The file that a path leads to.
    fn real<'path>(&'path self, path: &'path str) -> &'path str {
        self.links.get(path).map_or(path, String::as_str)
    }

    pub fn lines(&self, path: &str) -> Lines {
        self.files.get(self.real(path)).cloned().unwrap_or_default()
    }

    pub fn of_other_branch(&self, path: &str) -> Lines {
        self.other_branch.get(self.real(path)).cloned().unwrap_or_default()
    }

    /// What a file held once and holds no more was never shown of it, should it come back.
    pub fn set(&mut self, path: &str, lines: Lines) {
        let path = self.real(path).to_owned();
        if let Some(shown) = self.shown.get_mut(&path) {
            shown.retain(|line| lines.contains(line));
        }
        self.files.insert(path, lines);
    }

    pub fn show(&mut self, path: &str, lines: &[String]) {
        let path = self.real(path).to_owned();
        let there = self.files.get(&path).cloned().unwrap_or_default();
        let shown = self.shown.entry(path).or_default();
        shown.extend(lines.iter().filter(|line| there.contains(line)).cloned());
    }

    pub fn rename(&mut self, from: &str, to: &str) {
        let from = self.real(from).to_owned();
        let lines = self.files.remove(&from).unwrap_or_default();
        self.shown.remove(&from);
        self.set(to, lines);
    }

    pub fn check_out(&mut self) {
        let coming = std::mem::take(&mut self.other_branch);
        self.other_branch = self.files.clone();
        for (path, lines) in coming {
            self.set(&path, lines);
        }
    }

    pub fn fork(&mut self) {
        self.other_branch = self.files.clone();
    }

    pub fn quotable(&self) -> impl Iterator<Item = &String> {
        self.shown.values().flatten()
    }
}
