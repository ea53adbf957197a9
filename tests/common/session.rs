//! Conversations made up from a seed: the same on every host. (Keys are in the order of the alphabet;
//! not every build keeps another one.)

use densify::content::{Block, Content, KnownBlock, Speaker};
use serde_json::{Map, Value, json};

const FILES: [&str; 6] =
    ["src/main.rs", "src/lib.rs", "./src/lib.rs", "README.md", "docs/größe.md", "/work/src/main.rs"];
const LINES: [&str; 6] = [
    "    let total = entries.iter().map(|entry| entry.cost).sum::<u64>();",
    "The night train leaves at 23:05 and nobody is late today.",
    "error[E0382]: borrow of moved value: `history`",
    "東京の天気は晴れ、明日は雨が降るでしょう。",
    "{\"ok\":true,\"items\":[1,2,3.5,null],\"name\":\"Ω\"}",
    "👩‍🚀 ready, naïve café — done ✅",
];

/// A small generator of pseudo-random numbers (xorshift).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        // The same where `usize` has 32 bits as where it has 64.
        ((self.0 >> 11) % sides as u64) as usize
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.roll(from.len())]
    }

    fn lines(&mut self, most: usize) -> String {
        let count = 1 + self.roll(most);
        (0..count).map(|_| self.pick(&LINES)).collect::<Vec<_>>().join("\n")
    }
}

/// A history of `entries` entries: requests (some with inclusions), calls alone and in parallel,
/// their responses, some of them failed.
pub fn session(seed: u64, entries: usize) -> Vec<Content> {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut contents = Vec::with_capacity(entries + 1);
    while contents.len() < entries {
        if dice.roll(5) == 0 {
            contents.push(request(&mut dice));
        } else {
            let first_id = contents.len() * 4;
            contents.extend(step(&mut dice, first_id));
        }
    }
    contents.truncate(entries);
    contents
}

fn content(speaker: Speaker, blocks: Vec<KnownBlock>) -> Content {
    Content { speaker, blocks: blocks.into_iter().map(Block::Known).collect(), rest: Map::new() }
}

fn text(text: String) -> KnownBlock {
    KnownBlock::Text { text, rest: Map::new() }
}

fn request(dice: &mut Dice) -> Content {
    let mut asked = dice.lines(2);
    for _ in 0..dice.roll(3) {
        let (path, body) = (dice.pick(&FILES), dice.lines(12));
        asked.extend(["\n--- ", path, " ---\n", &body, "\n--- End of content ---\n"]);
    }
    content(Speaker::Human, vec![text(asked)])
}

/// The model calls one to three tools and gets their responses.
fn step(dice: &mut Dice, first_id: usize) -> [Content; 2] {
    let mut calls = vec![text(dice.lines(2))];
    let mut responses = Vec::new();
    for number in 0..=dice.roll(3) {
        let id = json!(format!("call-{}", first_id + number));
        let (name, parameters) = call(dice);
        let error = (dice.roll(8) == 0).then(|| json!("no such file"));
        let result = Some(result(dice, name));
        calls.push(KnownBlock::ToolCall { id: id.clone(), name: json!(name), parameters, rest: Map::new() });
        responses.push(KnownBlock::ToolResponse {
            call_id: id,
            tool_name: json!(name),
            result,
            error,
            rest: Map::new(),
        });
    }
    [content(Speaker::Ai, calls), content(Speaker::Tool, responses)]
}

fn call(dice: &mut Dice) -> (&'static str, Value) {
    let path = dice.pick(&FILES);
    match dice.roll(7) {
        0..=2 => ("read_file", json!({ "absolute_path": path })),
        3 => ("read_many_files", json!({ "paths": [path, dice.pick(&FILES)] })),
        4 => ("write_file", json!({ "content": dice.lines(10), "file_path": path })),
        5 => ("replace", json!({ "file_path": path, "new_string": dice.lines(3), "old_string": "a" })),
        _ => ("run_shell_command", json!({ "command": "cargo test", "timeout": 1.5e3 })),
    }
}

fn result(dice: &mut Dice, tool: &str) -> Value {
    match tool {
        "run_shell_command" => json!({ "exitCode": dice.roll(3) / 2, "output": dice.lines(20) }),
        "replace" | "write_file" => json!("done"),
        _ => json!(dice.lines(30)),
    }
}
