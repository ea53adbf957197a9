//! What the rules that look into results share: each new result is read once.

use super::line_numbers::unnumber;
use super::old_results::{Class, OldResults};
use super::repeats::Repeats;
use crate::edit::{Editor, may_patch};
use crate::search::{around_first, contains};
use crate::tools::{ToolKind, ToolTable, is_kept_path, is_kept_tool};
use crate::view::{Kind, Leaf, TextSource, View, flags};

/// Shorter results aren't looked into, in UTF-16 code units.
const LEAST: u32 = 200;

/// The rules that look into results.
#[derive(Clone, Debug)]
pub struct Results {
    next_block: u32,
    /// Cuts lines that a later result repeats.
    pub repeats: Option<Repeats>,
    /// Whether the numbers before lines go.
    pub line_numbers: bool,
    /// Cuts old results to a size.
    pub old: OldResults,
}

impl Results {
    /// The rules that are on.
    #[must_use]
    pub fn new(repeats: bool, line_numbers: bool, rung: Option<usize>) -> Self {
        Self {
            next_block: 0,
            repeats: repeats.then(Repeats::default),
            line_numbers,
            old: OldResults::new(rung),
        }
    }

    /// Looks at the results that are new since the last run. Of those in the first `decided` units an earlier
    /// instance decided, whose edits were made again.
    pub fn run(
        &mut self,
        view: &mut View,
        editor: &mut Editor,
        tools: &ToolTable,
        source: &dyn TextSource,
        decided: u32,
    ) {
        while self.next_block < view.block_count() {
            let index = self.next_block;
            self.next_block += 1;
            if view.block(index).kind == Kind::ToolResponse {
                let is_decided = view.block(index).unit < decided;
                self.see(view, editor, tools, source, (index, is_decided));
            }
        }
        for block in self.old.run(view, editor, source) {
            if let Some(repeats) = &mut self.repeats {
                repeats.hide(view, editor, block);
            }
        }
    }

    fn see(
        &mut self,
        view: &mut View,
        editor: &mut Editor,
        tools: &ToolTable,
        source: &dyn TextSource,
        (index, is_decided): (u32, bool),
    ) {
        let class = class_of(view, tools, source, index);
        self.old.see(index, class);
        let block = *view.block(index);
        if class == Class::Kept
            || block.size < LEAST
            || !block.has(flags::STRING_RESULT | flags::OUTPUT_RESULT)
        {
            return;
        }
        let text = view.text(source, index, Leaf::Text);
        if self.line_numbers && !is_decided && may_patch(view, index) {
            unnumber(view, editor, index, &text);
        }
        if let Some(repeats) = &mut self.repeats {
            repeats.see(view, editor, source, (index, &text), is_decided);
        }
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.old.bytes() + self.repeats.as_ref().map_or(0, Repeats::bytes)
    }
}

/// What a result is, by the call that it answers.
fn class_of(view: &View, tools: &ToolTable, source: &dyn TextSource, index: u32) -> Class {
    let Some(call) = view.partner(index) else { return Class::Output };
    let block = view.block(call);
    let name = view.names.tool_name(block.tool);
    let names_kept = || view.paths_of(block).iter().any(|&path| view.names.is_kept(path));
    if is_kept_tool(name) || block.has(flags::TODO) || names_kept() {
        return Class::Kept;
    }
    if block.has(flags::READ) {
        return Class::File;
    }
    if block.has(flags::WRITE) || view.block(index).size < LEAST || tools.kind(name) != ToolKind::Shell {
        return Class::Output;
    }
    let command = view.text(source, call, Leaf::KeyParameter);
    match shown(&command) {
        Some(path) if is_kept_path(path) => Class::Kept,
        Some(_) => Class::File,
        None => Class::Output,
    }
}

/// Commands that show files.
const READERS: &[&str] = &["cat ", "nl ", "head ", "tail ", "sed -n "];

/// The file that a command shows, if it is plain that it does nothing else. This only says how long a result is
/// of use: what it may stand for, its lines say.
fn shown(command: &str) -> Option<&str> {
    // Of a command in words, as `bash, -lc, cat f`, the last one is the shell's text.
    let text = command.strip_prefix("bash, -lc, ").unwrap_or(command).trim();
    let text = match text.strip_prefix("cd ") {
        Some(rest) => around_first(rest, " && ")?.1.trim_start(),
        None => text,
    };
    let is_plain = !text.contains(['>', ';', '&', '`', '\n']) && !contains(text, "$(");
    let is_reader = READERS.iter().any(|reader| text.starts_with(reader));
    let only = around_first(text, " | ").map_or(text, |(first, rest)| {
        if READERS.iter().any(|reader| rest.starts_with(reader)) { first } else { "" }
    });
    let file = only.split_whitespace().last()?;
    (is_plain && is_reader).then(|| file.trim_matches(['"', '\'']))
}
