//! What agents do in a world, and what else happens in it.

use std::collections::BTreeMap;

use densify::content::Content;
use serde_json::{Value, json};

use super::Dice;
use super::harness::{cut, notice, numbered, stub, text};
use super::machine::{Job, Lines, Machine};

const MACHINES: usize = 3;
const NAMES: [&str; 3] = ["a.rs", "b.rs", "sub/a.rs"];
const LINK: &str = "link.rs";

/// A turn: calls that are made at once, which run and are answered in any order.
#[derive(Clone, Debug)]
pub struct Step(Vec<u64>);

impl Step {
    pub fn random(dice: &mut Dice) -> Self {
        let count = dice.pick(&[1, 1, 1, 1, 2, 3]);
        Self((0..count).map(|_| u64::try_from(dice.roll(usize::MAX >> 12)).unwrap()).collect())
    }
}

/// A call with its result.
pub struct Call {
    tool: &'static str,
    parameters: Value,
    result: String,
    pub has_failed: bool,
}

impl Call {
    pub fn new(tool: &'static str, parameters: Value, result: impl Into<String>) -> Self {
        Self { tool, parameters, result: result.into(), has_failed: false }
    }
}

#[derive(Clone, Debug)]
pub struct World {
    pub history: Vec<Content>,
    pub machines: Vec<Machine>,
    /// Where the shell is that stays where it went: its machine, and its folder below `/w/`.
    shell: (usize, &'static str),
    turn: usize,
    pub made: usize,
    calls: usize,
    /// What the host showed last of each path, while the file is still the same.
    seen: BTreeMap<String, Lines>,
    /// The lines that the stubs of the newest turn mean.
    pub meant: Lines,
}

impl Default for World {
    fn default() -> Self {
        let machines = vec![Machine::default(); MACHINES];
        let mut world = Self {
            history: Vec::new(),
            machines,
            shell: (0, ""),
            turn: 0,
            made: 0,
            calls: 0,
            seen: BTreeMap::new(),
            meant: Vec::new(),
        };
        let shared: Vec<Lines> = NAMES.iter().map(|_| world.fresh(20)).collect();
        for machine in 0..MACHINES {
            for (name, shared) in NAMES.iter().zip(&shared) {
                // Copies on several machines are alike, but not the same: a line of one can't stand for that of another.
                let mut lines = shared.clone();
                lines.splice(4..14, world.fresh(10));
                world.machines[machine].set(name, lines);
            }
            world.machines[machine].fork();
            world.machines[machine].link(LINK, "a.rs");
        }
        world
    }
}

impl World {
    /// The lines that an agent may quote in its next edit.
    pub fn quotable(&self) -> impl Iterator<Item = &String> {
        self.machines.iter().flat_map(Machine::quotable)
    }

    pub fn fresh(&mut self, count: usize) -> Lines {
        let from = self.made;
        self.made += count;
        (from..self.made)
            .map(|number| format!("let u{number} = compute({number}, \"some text of it\");"))
            .collect()
    }

    pub fn take(&mut self, step: &Step) {
        self.turn += 1;
        self.meant.clear();
        for machine in 0..MACHINES {
            let due: Vec<(usize, Job)> =
                self.machines[machine].jobs.extract_if(.., |job| job.0 <= self.turn).collect();
            for (_, job) in due {
                self.happen(machine, job);
            }
        }
        let mut orders: Vec<usize> = (0..step.0.len()).collect();
        let mut dice = Dice::new(step.0[0]);
        shuffle(&mut dice, &mut orders);
        let mut done: Vec<(usize, Call)> =
            orders.iter().map(|&at| (at, self.call(&mut Dice::new(step.0[at])))).collect();
        done.sort_by_key(|(at, _)| *at);
        let mut calls = Vec::new();
        let mut responses = Vec::new();
        for (_, call) in done {
            self.calls += 1;
            let id = format!("c{}", self.calls);
            calls.push(
                json!({"type": "tool_call", "id": id, "name": call.tool, "parameters": call.parameters}),
            );
            let mut response =
                json!({"type": "tool_response", "callId": id, "toolName": call.tool, "result": call.result});
            if call.has_failed {
                response["error"] = json!("failed");
            }
            responses.push(response);
        }
        shuffle(&mut dice, &mut responses);
        let mut entries =
            vec![json!({"speaker": "ai", "blocks": calls}), json!({"speaker": "tool", "blocks": responses})];
        if dice.once_in(12) {
            // A user changes a file and says so, or doesn't.
            let name = dice.pick(&NAMES);
            self.format(0, name, &mut dice);
            if dice.once_in(2) {
                entries.push(json!({"speaker": "human", "blocks": [{"type": "text", "text": "go on"}]}));
            }
        }
        self.history
            .extend(entries.into_iter().map(|entry| serde_json::from_value::<Content>(entry).unwrap()));
    }

    fn happen(&mut self, machine: usize, job: Job) {
        match job {
            Job::Copy(from, to) => {
                let lines = self.machines[machine].lines(&from);
                self.machines[machine].set(&to, lines);
            }
            Job::Format(name) => self.format(machine, &name, &mut Dice::new(self.turn as u64)),
        }
    }

    /// Something changes lines, takes some out and puts others in.
    pub fn format(&mut self, machine: usize, name: &str, dice: &mut Dice) {
        let mut lines = self.machines[machine].lines(name);
        let at = dice.roll(lines.len() + 1);
        let end = (at + dice.roll(4)).min(lines.len());
        let count = dice.roll(12);
        lines.splice(at..end, self.fresh(count));
        self.machines[machine].set(name, lines);
    }

    fn call(&mut self, dice: &mut Dice) -> Call {
        let name = dice.pick(&NAMES);
        match dice.roll(24) {
            0..=2 => self.read(dice, name),
            3..=4 => self.read_part(dice, name),
            5..=8 => self.cat(dice),
            9 => self.remote(dice, name),
            10..=13 => self.edit(dice, name),
            14..=15 => self.write(dice, name),
            16 => self.patch(dice, name),
            17 => self.go(dice),
            18 => self.rewrite_by_shell(dice),
            19..=20 => self.run(dice, name),
            21 => self.background(dice, name),
            22 => self.look(dice, name),
            _ => self.agent(dice),
        }
    }

    /// One of the names of a file on the machine that the tools for files work on.
    pub fn path(dice: &mut Dice, name: &'static str) -> (String, &'static str) {
        let name = if name == "a.rs" && dice.once_in(4) { LINK } else { name };
        (if dice.once_in(4) { name.to_owned() } else { format!("/w/{name}") }, name)
    }

    fn read(&mut self, dice: &mut Dice, name: &'static str) -> Call {
        let (path, name) = Self::path(dice, name);
        let whole = self.machines[0].lines(name);
        // The host has answered the same before.
        if dice.once_in(2) && self.seen.get(&path) == Some(&whole) {
            self.meant.extend(whole);
            return Call::new("Read", json!({"file_path": path}), stub(dice));
        }
        let lines = cut(dice, &whole);
        // A stub means the newest result, even if that was cut.
        self.seen.remove(&path);
        if lines == whole {
            self.seen.insert(path.clone(), whole);
        }
        self.machines[0].show(name, &lines);
        let words = if dice.once_in(4) { notice(dice) } else { String::new() };
        Call::new("Read", json!({"file_path": path}), numbered(&lines, 1, dice.pick(&["→", "\t"])) + &words)
    }

    fn read_part(&mut self, dice: &mut Dice, name: &'static str) -> Call {
        let (path, name) = Self::path(dice, name);
        let lines = self.machines[0].lines(name);
        let from = dice.roll(lines.len().max(1));
        let limit = 1 + dice.roll(15);
        let part = lines[from.min(lines.len())..lines.len().min(from + limit)].to_vec();
        self.machines[0].show(name, &part);
        if dice.once_in(3) {
            return Call::new(
                "read_file",
                json!({"absolute_path": path, "offset": from, "limit": limit}),
                text(&part),
            );
        }
        let parameters = json!({"file_path": path, "offset": from + 1, "limit": limit});
        Call::new("Read", parameters, numbered(&part, from + 1, "→"))
    }

    /// A shell shows a file: the one that stays where it went, or one of its own.
    fn cat(&mut self, dice: &mut Dice) -> Call {
        let is_own = dice.once_in(3);
        let (machine, folder) = if is_own { (0, "") } else { self.shell };
        let base = dice.pick(&["a.rs", "b.rs", LINK]);
        let absolute = dice.once_in(3);
        let name = if absolute || folder.is_empty() { base.to_owned() } else { format!("{folder}/{base}") };
        let named = if absolute { format!("/w/{base}") } else { base.to_owned() };
        let lines = self.machines[machine].lines(&name);
        let from = dice.roll(lines.len().max(1));
        let (command, part, is_numbered) = match dice.roll(5) {
            0 => (
                format!("sed -n '{},{}p' {named}", from + 1, from + 9),
                lines[from.min(lines.len())..lines.len().min(from + 9)].to_vec(),
                false,
            ),
            1 => (format!("head -n 12 {named}"), lines[..lines.len().min(12)].to_vec(), false),
            2 => (format!("cat -n {named}"), lines, true),
            _ => (format!("cat {named}"), lines, false),
        };
        let part = cut(dice, &part);
        self.machines[machine].show(&name, &part);
        let result = if is_numbered { numbered(&part, 1, "\t") } else { text(&part) };
        if is_own {
            return Call::new("exec_command", json!({"cmd": command, "workdir": "/w"}), result);
        }
        Call::new("bash", json!({"command": command}), result)
    }

    /// The same path on another machine, in another container or session.
    fn remote(&mut self, dice: &mut Dice, name: &'static str) -> Call {
        let machine = 1 + dice.roll(MACHINES - 1);
        let key = dice.pick(&["host", "container", "session_id", "Maschine"]);
        let place = format!("m{machine}");
        if dice.once_in(3) {
            let lines = self.fresh(12);
            self.machines[machine].set(name, lines.clone());
            self.machines[machine].show(name, &lines);
            let parameters = json!({"path": format!("/w/{name}"), "content": text(&lines), key: place});
            return Call::new("write_file", parameters, "Successfully wrote 12 lines");
        }
        let lines = cut(dice, &self.machines[machine].lines(name));
        self.machines[machine].show(name, &lines);
        let parameters = if dice.once_in(2) {
            json!({"command": format!("cat /w/{name}"), key: place})
        } else {
            json!({"path": format!("/w/{name}"), key: place})
        };
        let tool = if parameters.get("command").is_some() { "bash" } else { "read_file" };
        Call::new(tool, parameters, text(&lines))
    }

    /// The shell goes elsewhere, in a way that says so or doesn't.
    fn go(&mut self, dice: &mut Dice) -> Call {
        let (command, to) = dice.pick(&[
            ("cd sub", (0, "sub")),
            ("cd /w", (0, "")),
            ("z sub", (0, "sub")),
            ("source env.sh", (0, "sub")),
            ("ssh m1", (1, "")),
            ("docker exec -it box bash", (2, "")),
            ("exit", (0, "")),
        ]);
        self.shell = to;
        Call::new("bash", json!({"command": command}), "")
    }

    fn rewrite_by_shell(&mut self, dice: &mut Dice) -> Call {
        let (machine, folder) = self.shell;
        let name = if folder.is_empty() { "a.rs" } else { "sub/a.rs" };
        let fresh = self.fresh(6);
        let mut lines = self.machines[machine].lines(name);
        let (command, result) = match dice.roll(4) {
            0 if !lines.is_empty() => {
                let at = dice.roll(lines.len());
                lines.remove(at);
                (format!("sed -i '{}d' a.rs", at + 1), "")
            }
            1 => {
                lines.extend(fresh.clone());
                self.machines[machine].show(name, &fresh);
                (format!("cat >> a.rs <<'EOF'\n{}EOF", text(&fresh)), "")
            }
            2 => (format!("cat > a.rs <<'EOF'\n{}EOF", text(&fresh)), "bash: a.rs: Permission denied"),
            _ => {
                lines.clone_from(&fresh);
                (format!("cat > a.rs <<'EOF'\n{}EOF", text(&fresh)), "")
            }
        };
        self.machines[machine].set(name, lines);
        self.machines[machine].show(name, &fresh);
        Call::new("bash", json!({"command": command}), result)
    }

    /// A command that changes files, in some folder.
    fn run(&mut self, dice: &mut Dice, name: &'static str) -> Call {
        let machine = self.shell.0;
        match dice.roll(6) {
            0 => {
                self.machines[machine].rename(name, "moved.rs");
                let fresh = self.fresh(8);
                self.machines[machine].set(name, fresh);
                Call::new(
                    "bash",
                    json!({"command": format!("mv /w/{name} /w/moved.rs && ./generate {name}")}),
                    "",
                )
            }
            1 => {
                self.happen(machine, Job::Copy(name.to_owned(), "copy.rs".to_owned()));
                Call::new("bash", json!({"command": format!("cp /w/{name} /w/copy.rs")}), "")
            }
            2 | 3 => {
                self.machines[machine].check_out();
                Call::new("bash", json!({"command": "git checkout -"}), "Switched to branch 'other'")
            }
            _ => {
                self.format(machine, name, dice);
                Call::new("bash", json!({"command": "npm run format"}), "done")
            }
        }
    }

    fn background(&mut self, dice: &mut Dice, name: &'static str) -> Call {
        let machine = self.shell.0;
        let due = self.turn + 1 + dice.roll(5);
        let job = if dice.once_in(2) {
            Job::Copy(name.to_owned(), "copy.rs".to_owned())
        } else {
            Job::Format(name.to_owned())
        };
        self.machines[machine].jobs.push((due, job));
        let command = dice.pick(&["npm run watch", "sleep 30 && cp a.rs copy.rs &", "sleep 30"]);
        let parameters = if dice.once_in(2) {
            json!({"command": command, "run_in_background": true})
        } else {
            json!({"command": command})
        };
        Call::new("bash", parameters, "")
    }

    /// Looks that show lines of a file, but not as the file.
    fn look(&mut self, dice: &mut Dice, name: &'static str) -> Call {
        match dice.roll(3) {
            0 => {
                let lines = self.machines[self.shell.0].of_other_branch(name);
                let parameters = json!({"command": format!("git show other:{name}")});
                Call::new("bash", parameters, text(&cut(dice, &lines)))
            }
            1 => {
                let lines = self.machines[0].lines(name);
                let found: String = lines
                    .iter()
                    .enumerate()
                    .map(|(at, line)| format!("{name}:{}:{line}\n", at + 1))
                    .collect();
                Call::new("Grep", json!({"pattern": "let", "path": "/w"}), found)
            }
            _ => {
                let printed = self.fresh(12);
                Call::new("bash", json!({"command": "git status"}), text(&cut(dice, &printed)))
            }
        }
    }

    /// A sub-agent reads and changes a file unseen.
    fn agent(&mut self, dice: &mut Dice) -> Call {
        let name = dice.pick(&NAMES);
        self.format(0, name, dice);
        let report = text(&self.machines[0].lines(name)[..2.min(self.machines[0].lines(name).len())]);
        Call::new("Task", json!({"prompt": "tidy up"}), report)
    }
}

fn shuffle<T>(dice: &mut Dice, items: &mut [T]) {
    for at in (1..items.len()).rev() {
        items.swap(at, dice.roll(at + 1));
    }
}
