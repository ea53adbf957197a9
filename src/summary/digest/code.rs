//! What of the code that was seen is worth knowing later: the lines that define something, by file.

use super::super::History;
use super::super::texts::{read, text_leaf};
use super::body::{Facts, Topic};
use super::files::Twins;
use crate::prompt::one_line;
use crate::view::{Kind, flags};

/// So many lines are kept of a file.
const LINES: usize = 24;
/// Longest line that is kept, in bytes.
const LONGEST: usize = 160;

/// What lines begin with that define something.
const BEGINS: &[&str] = &[
    "fn ",
    "pub ",
    "struct ",
    "enum ",
    "impl ",
    "impl<",
    "trait ",
    "mod ",
    "def ",
    "class ",
    "async def ",
    "function ",
    "async function ",
    "export ",
    "interface ",
    "type ",
    "func ",
    "public ",
    "private ",
    "protected ",
    "static ",
    "abstract ",
    "namespace ",
    "module ",
    "const ",
    "describe(",
    "it(",
    "test(",
];

/// Adds outlines of the files that were read.
pub(super) fn collect(history: History<'_>, units: &[u32], twins: &Twins, facts: &mut Facts) {
    let view = history.view;
    let paths = view.names.path_texts();
    for &unit in units {
        for index in view.blocks_of(unit) {
            let block = view.block(index);
            let is_read = block.kind == Kind::ToolCall && block.is_live() && block.has(flags::READ);
            let response = view.partner(index).filter(|&response| !view.block(response).has(flags::FAILED));
            let path = view.paths_of(block).first().and_then(|&path| paths.get(path as usize));
            if let (Some(response), Some(path), true) = (response, path, is_read) {
                let text = text_leaf(history, response).map(|leaf| read(history, leaf)).unwrap_or_default();
                let path = one_line(&twins.name(path));
                outline(&path, &text, facts);
            }
        }
    }
}

/// The lines of a file that define something, without the numbers that tools put before them.
fn outline(path: &str, text: &str, facts: &mut Facts) {
    let defining = |line: &str| {
        let line = unnumbered(line).trim_end();
        let bare = line.trim_start();
        let is_one = BEGINS.iter().any(|begin| bare.starts_with(begin)) && line.len() <= LONGEST;
        is_one.then(|| line.to_owned())
    };
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines().filter_map(defining) {
        if lines.len() < LINES && !lines.contains(&line) {
            lines.push(line);
        }
    }
    if lines.is_empty() {
        return;
    }
    // A file is read in pieces: what was seen of it before stays.
    let known: Vec<String> =
        facts.get(Topic::Code, path).unwrap_or_default().lines().skip(1).map(str::to_owned).collect();
    let mut all: Vec<String> = known.into_iter().filter(|line| !lines.contains(line)).collect();
    all.append(&mut lines);
    let surplus = all.len().saturating_sub(LINES);
    all.drain(..surplus);
    facts.add(Topic::Code, path, [path, "\n", &all.join("\n")].concat());
}

fn unnumbered(line: &str) -> &str {
    let bare = line.trim_start();
    let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
    let rest = bare.get(digits..).unwrap_or_default();
    let marked = ["→", "\t", "|", ": "].iter().find_map(|mark| rest.strip_prefix(mark));
    marked.filter(|_| digits > 0).unwrap_or(line)
}
