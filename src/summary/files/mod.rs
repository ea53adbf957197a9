//! The files that a conversation read and changed, by its calls. A model's claims about them don't count
//! (document 002).

mod lists;
mod patch;
mod shell;
mod twins;

use std::collections::{BinaryHeap, HashSet};
use std::ops::Range;

use serde::Serialize;
use serde_json::Value;

use super::History;
use super::texts::read;
use crate::calls::parameters::{COMMANDS, DIRECTORIES, PATCHES, text_under, value_under};
use crate::calls::scripts::{calls_of, script_in};
use crate::rules::compacted::is_compacted;
use crate::tools::{ToolDescriptor, ToolKind};
use crate::view::{Block, Kind, Leaf, flags, path};
pub use lists::{FileLists, format_file_operations, strip_file_lists};
pub(super) use twins::Twins;

/// Files by what was done with them, sorted by UTF-16 code unit. Paths are resolved; without a workspace root one that
/// was only named relative to it stays so. A file may stand in several lists.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm-full", derive(tsify::Tsify))]
pub struct FileOperations {
    /// Files that were shown to the model.
    #[cfg_attr(feature = "wasm-full", tsify(type = "readonly string[]"))]
    pub read: Vec<String>,
    /// Files that were written as a whole.
    #[cfg_attr(feature = "wasm-full", tsify(type = "readonly string[]"))]
    pub written: Vec<String>,
    /// Files of which parts were changed, moved and deleted ones among them.
    #[cfg_attr(feature = "wasm-full", tsify(type = "readonly string[]"))]
    pub edited: Vec<String>,
}

/// What was done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    Read,
    Written,
    Edited,
}

/// Files as they are found.
#[derive(Default)]
struct Found {
    read: HashSet<String>,
    written: HashSet<String>,
    edited: HashSet<String>,
}

impl Found {
    fn add(&mut self, deed: Deed, path: String) {
        match deed {
            Deed::Read => self.read.insert(path),
            Deed::Written => self.written.insert(path),
            Deed::Edited => self.edited.insert(path),
        };
    }

    #[inline(never)] // Twice the same is twice the size.
    fn sorted(self) -> FileOperations {
        FileOperations { read: sorted(self.read), written: sorted(self.written), edited: sorted(self.edited) }
    }
}

/// The files that the calls of some units read and changed. A call counts if its response is there
/// and shows no failure; one that isn't understood counts for nothing.
#[must_use]
pub fn file_operations(history: History<'_>, units: Range<u32>) -> FileOperations {
    let mut found = operations_in(history, units);
    let mut paths = Vec::new();
    for list in [&found.read, &found.written, &found.edited] {
        paths.extend(list.iter().map(String::as_str));
    }
    let twins = Twins::of(&paths);
    for list in [&mut found.read, &mut found.written, &mut found.edited] {
        let paths: Vec<&str> = list.iter().map(String::as_str).collect();
        *list = sorted(twins.names(&paths));
    }
    found
}

/// The same, with a file under each name that it was given.
pub(super) fn operations_in(history: History<'_>, units: Range<u32>) -> FileOperations {
    let texts = history.view.names.path_texts();
    let mut found = Found::default();
    for unit in units.start..units.end.min(history.view.len()) {
        for index in history.view.blocks_of(unit) {
            let call = history.view.block(index);
            if call.kind == Kind::ToolCall && call.is_live() && has_succeeded(history, index) {
                read_call(history, index, call, &texts, &mut found);
            }
        }
    }
    found.sorted()
}

/// The files that a call names, however it went.
pub(super) fn files_of(history: History<'_>, index: u32) -> FileOperations {
    let mut found = Found::default();
    let call = history.view.block(index);
    read_call(history, index, call, &history.view.names.path_texts(), &mut found);
    found.sorted()
}

/// Whether a call was answered, and not by a failure.
fn has_succeeded(history: History<'_>, call: u32) -> bool {
    let Some(response) = history.view.partner(call) else { return false };
    let block = history.view.block(response);
    if !block.is_live() || block.has(flags::FAILED) {
        return false;
    }
    if !block.has(flags::BRACKETED) {
        return true;
    }
    // Of a result that became a line, only the line tells how it went.
    let text = read(history, history.view.leaf(response, Leaf::Text));
    let tool = history.view.names.tool_name(block.tool);
    let is_failure = text.contains(" — error]") || text.contains(" — error, ");
    !(is_failure && is_compacted(&text, tool))
}

#[inline(never)] // Twice the same is twice the size.
fn read_call(history: History<'_>, index: u32, call: &Block, texts: &[&str], found: &mut Found) {
    let name = history.view.names.tool_name(call.tool);
    let tool = history.tools.describe(name);
    if call.has(flags::PREVIEW) {
        return;
    }
    if call.has(flags::READ | flags::WRITE) && !history.view.paths_of(call).is_empty() {
        let Some(deed) = deed_of(history, index, call, &tool) else { return };
        let paths = history.view.paths_of(call).iter().filter_map(|&path| texts.get(path as usize));
        for &path in paths.filter(|path| !path.is_empty() && !path.contains(char::is_control)) {
            found.add(deed, path.to_owned());
        }
        return;
    }
    let is_patch = tool.kind == ToolKind::Edit;
    if !is_patch && tool.kind != ToolKind::Shell {
        return;
    }
    // Only of these the parameters are pulled; those of a write hold its whole content.
    let Ok(parameters) = serde_json::from_str::<Value>(&read(history, history.view.leaf(index, Leaf::Json)))
    else {
        return;
    };
    let root = history.view.names.workspace_root();
    if is_patch {
        patch::read(patch_in(&parameters), root, found);
        return;
    }
    if let Some(script) = script_in(&parameters) {
        for call in calls_of(script).unwrap_or_default() {
            match history.tools.kind(&call.name) {
                ToolKind::Shell => read_command(&call.parameters, root, found),
                ToolKind::Edit => patch::read(patch_in(&call.parameters), root, found),
                _ => {}
            }
        }
        return;
    }
    read_command(&parameters, root, found);
}

/// The text of a patch in a call's parameters.
fn patch_in(parameters: &Value) -> &str {
    parameters.as_str().or_else(|| text_under(parameters, PATCHES)).unwrap_or_default()
}

/// The files that a shell's command reads and writes.
fn read_command(parameters: &Value, root: &str, found: &mut Found) {
    let directory = text_under(parameters, DIRECTORIES).unwrap_or_default();
    let root = path::resolve(root, directory);
    match value_under(parameters, COMMANDS) {
        Some(Value::String(command)) => shell::read_text(command, &root, found),
        Some(Value::Array(words)) => shell::read_words(words, &root, found),
        _ => {}
    }
}

/// What a call with paths does with them.
fn deed_of(history: History<'_>, index: u32, call: &Block, tool: &ToolDescriptor) -> Option<Deed> {
    if call.has(flags::READ) {
        return Some(Deed::Read);
    }
    let kind = match &tool.mode {
        None => tool.kind,
        Some(mode) => {
            let parameters: Value =
                serde_json::from_str(&read(history, history.view.leaf(index, Leaf::Json))).ok()?;
            let value = parameters.get(&mode.key).and_then(Value::as_str);
            let found = mode.kinds.iter().find(|(name, _)| Some(name.as_str()) == value);
            found.map_or(tool.kind, |found| found.1)
        }
    };
    Some(if kind == ToolKind::Write { Deed::Written } else { Deed::Edited })
}

/// A path as a command or a patch names it, resolved; none if it can't be one. A line break in a path
/// would put lines of its own into the lists.
fn resolved(root: &str, text: &str) -> Option<String> {
    let is_path = !text.is_empty() && !text.contains(char::is_control) && !text.contains('\u{fffd}');
    let path = is_path.then(|| path::resolve(root, text))?;
    (!path.starts_with("/dev/")).then_some(path)
}

/// In the order of the UTF-16 code units, as JavaScript sorts.
#[derive(PartialEq, Eq)]
struct InUnits(String);

impl Ord for InUnits {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.encode_utf16().cmp(other.0.encode_utf16())
    }
}

impl PartialOrd for InUnits {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

fn sorted(paths: impl IntoIterator<Item = String>) -> Vec<String> {
    // A heap sorts in much less code than the library's sort.
    let heap: BinaryHeap<InUnits> = paths.into_iter().map(InUnits).collect();
    heap.into_sorted_vec().into_iter().map(|path| path.0).collect()
}
