//! What a call did to files, as far as its parameters tell: which lines it showed, what it wrote. What isn't
//! understood may have changed anything, and shows nothing.

mod patch;
mod shell;

use serde_json::Value;

use super::compacted::OURS;
use crate::json;
use crate::tools::{ToolKind, ToolTable};
use crate::view::{NONE, PATH_GLOB, PathId, ToolId, View, flags, path};

/// Lines of a file, from 1 on, both ends among them; up to [`NONE`]: to the file's end.
pub type Lines = (u32, u32);

/// All lines.
pub const WHOLE: Lines = (1, NONE);

/// What a call does to a file, or might.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Lines of a file are shown; `is_vague`: tools count them differently, so they compare with those of the same
    /// tool only.
    Shows { path: PathId, lines: Lines, is_vague: bool },
    /// A file is written as a whole.
    Writes { path: PathId },
    /// Parts of a file are changed: so many lines fewer at most, and so many more.
    Changes { path: PathId, fewer: u32, more: u32 },
    /// A file becomes something that isn't known, or nothing.
    Spoils { path: PathId },
    /// Any file may have been changed.
    Anything,
}

/// The parameters in which patches have their text.
const PATCH_KEYS: &str = "input patch patchText patch_text";
/// The parameters that say where a command runs.
const DIRECTORY_KEYS: &str = "workdir cwd dir_path directory cd";
/// The parameters that say which text takes the place of which.
const OLD_KEYS: &str = "old_string old_str oldText oldString old_text";
const NEW_KEYS: &str = "new_string new_str newText newString new_text";
/// The parameters that say which lines are shown.
const FIRST_KEYS: &str = "offset start_line startLine line_start";
const LAST_KEYS: &str = "end_line endLine line_end";
/// The parameters, beside these, by which what else writes whole files adds to one; and how it may write instead.
const ADDING_KEYS: &str = "append prepend insert insert_line insertLine position line";
const MODE_KEYS: &str = "mode write_mode writeMode operation";
const WHOLE_MODES: &str = "w wb w+ write overwrite rewrite replace create";
/// What else a read may say without its showing something else.
const OTHER_KEYS: &str = "path file_path absolute_path filePath target_file file filename notebook_path view_range limit \
                          command description explanation encoding security_risk";

/// Tools that start a shell for each call.
const NEW_SHELLS: &str = "shell shell_command exec_command run_shell_command";

/// Whether a word is one of a list, which spaces part.
pub(super) fn is_one_of(word: &str, list: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// Says what calls do, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Deeds {
    /// How often the shell's folder may have changed: some tools' shells stay where they went.
    moves: u32,
    /// What tools do, by the numbers of their names, as far as they were asked for.
    kinds: Vec<ToolKind>,
    /// What else is known of the last call.
    pub last: Beside,
}

/// What is known of a call beside its deeds, if it was a command.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beside {
    /// Which of the folders it ran in that the shell may have gone to; 0 if that doesn't matter.
    pub place: u32,
    /// Whether it shows instructions.
    pub shows_kept: bool,
}

impl Deeds {
    /// What the tool of a number does: its name is looked up once.
    fn kind(&mut self, view: &View, tools: &ToolTable, tool: ToolId) -> ToolKind {
        let index = tool.0 as usize;
        while self.kinds.len() <= index {
            let next = ToolId(u32::try_from(self.kinds.len()).unwrap_or(u32::MAX));
            self.kinds.push(tools.kind(view.names.tool_name(next)));
        }
        self.kinds.get(index).copied().unwrap_or(ToolKind::Other)
    }

    /// What a call with some parameters does, in order; nothing: it changes no file and shows none as it is. With
    /// it the parameters, where they had to be read.
    pub fn of(
        &mut self,
        view: &mut View,
        tools: &ToolTable,
        call: u32,
        parameters: &str,
    ) -> (Vec<Deed>, Option<Value>) {
        self.last = Beside::default();
        let block = *view.block(call);
        if block.has(flags::PREVIEW | flags::TODO) {
            return (Vec::new(), None);
        }
        if block.has(flags::DOUBTFUL) {
            return (vec![Deed::Anything], None);
        }
        let kind = self.kind(view, tools, block.tool);
        let is_file = block.has(flags::READ | flags::WRITE);
        if !is_file && kind != ToolKind::Shell {
            let is_harmless = matches!(kind, ToolKind::Search | ToolKind::Todo | ToolKind::Read);
            return (if is_harmless { Vec::new() } else { vec![Deed::Anything] }, None);
        }
        let parameters = json::read(parameters);
        let found = match &parameters {
            Some(parameters) if kind == ToolKind::Shell => {
                let stays = !is_one_of(view.names.tool_name(block.tool), NEW_SHELLS);
                self.of_command(view, parameters, stays)
            }
            Some(parameters) => of_file(view, (call, kind), parameters),
            None => None,
        };
        (found.unwrap_or_else(|| vec![Deed::Anything]), parameters)
    }

    fn of_command(&mut self, view: &mut View, parameters: &Value, stays: bool) -> Option<Vec<Deed>> {
        let command = parameters.get("command").or_else(|| parameters.get("cmd"))?;
        let text = shell::text_of(command)?;
        // What a running program is told is no command, and nothing asks what else it said.
        if text.is_empty() || !matches!(parameters.get("is_input"), None | Some(Value::Bool(false))) {
            return None;
        }
        let workspace = view.names.workspace_root();
        let root = match text_under(parameters, DIRECTORY_KEYS) {
            Some(directory) => path::resolve(workspace, directory),
            None if self.moves == 0 || !stays => path::resolve(workspace, ""),
            // A folder that nothing else is in, since nobody knows which it is.
            None => path::resolve(
                workspace,
                &char::from_u32(0xe000 + self.moves % 0x1000).into_iter().collect::<String>(),
            ),
        };
        let is_placed =
            !stays || value_under(parameters, DIRECTORY_KEYS).is_some() || text.starts_with("cd /");
        self.last.place = if is_placed { 0 } else { self.moves };
        self.last.shows_kept = shell::shows_kept(view, text, &root);
        self.moves += u32::from(stays && command.is_string() && shell::moves(text));
        Some(shell::deeds(view, text, root))
    }
}

/// What a call of a tool for files does.
fn of_file(view: &mut View, (call, kind): (u32, ToolKind), parameters: &Value) -> Option<Vec<Deed>> {
    let block = *view.block(call);
    let only = match view.paths_of(&block) {
        &[path] if path > PATH_GLOB && !block.has(flags::VAGUE_PATHS) => Some(path),
        _ => None,
    };
    if block.has(flags::READ) {
        let shown = only.and_then(|path| lines_shown(parameters, path));
        return Some(shown.into_iter().collect());
    }
    let text = parameters.as_str().or_else(|| text_under(parameters, PATCH_KEYS));
    let workspace = path::resolve(view.names.workspace_root(), "");
    if let Some(deeds) = text.and_then(|text| patch::deeds(view, text, &workspace)) {
        return Some(deeds);
    }
    let path = only?;
    // Of tools that do several things a parameter says which.
    let is_creation = || text_under(parameters, "command") == Some("create");
    let is_written = kind == ToolKind::Write || kind == ToolKind::Other && is_creation();
    let deed =
        if is_written && !adds(parameters) { Some(Deed::Writes { path }) } else { changes(parameters, path) };
    let spoils = Deed::Spoils { path };
    Some(match deed {
        // How many lines it has become isn't known: no listing is known to be all of it.
        Some(Deed::Changes { more: NONE, .. }) => vec![Deed::Changes { path, fewer: 0, more: NONE }, spoils],
        deed => vec![deed.unwrap_or(spoils)],
    })
}

/// Whether a call writes only a part of its file.
fn adds(parameters: &Value) -> bool {
    let is_set =
        |key| parameters.get(key).is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)));
    [FIRST_KEYS, LAST_KEYS, ADDING_KEYS].iter().any(|keys| keys.split(' ').any(is_set))
        || text_under(parameters, MODE_KEYS).is_some_and(|mode| !is_one_of(mode, WHOLE_MODES))
}

/// The lines that a read asks for; none if it asks for a part, or another form, in a way that isn't known.
fn lines_shown(parameters: &Value, path: PathId) -> Option<Deed> {
    let known = [FIRST_KEYS, LAST_KEYS, OTHER_KEYS];
    let is_known = |key: &str| known.iter().any(|keys| is_one_of(key, keys));
    if parameters.as_object()?.iter().any(|(key, value)| !is_known(key) && !value.is_null()) {
        return None;
    }
    if let Some(range) = parameters.get("view_range").filter(|range| !range.is_null()) {
        let range = range.as_array()?;
        let first = whole_number(range.first()?)?;
        // -1 stands for the end.
        let last = range.get(1).and_then(whole_number).unwrap_or(NONE);
        return Some(Deed::Shows { path, lines: (first.max(1), last), is_vague: false });
    }
    let (first, last) = (number_under(parameters, FIRST_KEYS)?, number_under(parameters, LAST_KEYS)?);
    let limit = number_under(parameters, "limit")?;
    // Some tools count from 0: then they are compared with those of the same tool only, as they were asked for.
    let is_vague = first.is_some() && last.is_none();
    let from = first.unwrap_or(1);
    let to = last.or_else(|| Some(from.saturating_add(limit?).saturating_sub(1))).unwrap_or(NONE);
    Some(Deed::Shows { path, lines: (from, to), is_vague })
}

/// The number under the first of some keys that is there; none if it is no number of lines.
#[allow(clippy::option_option)]
fn number_under(parameters: &Value, keys: &str) -> Option<Option<u32>> {
    match value_under(parameters, keys) {
        None | Some(Value::Null) => Some(None),
        Some(value) => whole_number(value).map(Some),
    }
}

/// How many lines fewer and more a change of parts makes at most; none if that isn't plain.
fn changes(parameters: &Value, path: PathId) -> Option<Deed> {
    let (mut fewer, mut more) = (0_u32, 0_u32);
    for part in parts_of(parameters) {
        // How often it is replaced isn't known where it may be more than once.
        if value_under(part, "replace_all replaceAll allow_multiple")
            .is_some_and(|all| all.as_bool() != Some(false))
            || value_under(part, "expected_replacements count")
                .is_some_and(|count| whole_number(count) != Some(1))
        {
            return None;
        }
        let (old, new) = (text_under(part, OLD_KEYS)?, text_under(part, NEW_KEYS)?);
        // Of what was shortened nobody knows how many lines it had.
        if [old, new].iter().any(|text| text.starts_with(OURS)) {
            more = NONE;
        }
        let (old, new) = (breaks(old), breaks(new));
        fewer = fewer.saturating_add(old.saturating_sub(new));
        more = more.saturating_add(new.saturating_sub(old));
    }
    Some(Deed::Changes { path, fewer, more })
}

/// The changes that a call makes one after the other.
fn parts_of(parameters: &Value) -> &[Value] {
    match parameters.get("edits") {
        Some(Value::Array(edits)) => edits,
        _ => std::slice::from_ref(parameters),
    }
}

fn breaks(text: &str) -> u32 {
    text.bytes().map(|byte| u32::from(byte == b'\n')).sum()
}

/// What stands under the first of some keys that is there.
fn value_under<'value>(parameters: &'value Value, keys: &str) -> Option<&'value Value> {
    keys.split(' ').find_map(|key| parameters.get(key))
}

fn text_under<'value>(parameters: &'value Value, keys: &str) -> Option<&'value str> {
    value_under(parameters, keys)?.as_str()
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn whole_number(value: &Value) -> Option<u32> {
    value.as_f64().filter(|number| *number >= 0.0).map(|number| number as u32)
}

/// The number of a path as a command or a patch names it; none if it can't be one.
fn path_in(view: &mut View, root: &str, text: &str) -> Option<PathId> {
    let is_path = !text.is_empty() && !text.contains(char::is_control);
    let resolved = is_path.then(|| path::resolve(root, text))?;
    Some(view.names.path(&resolved)).filter(|&path| path > PATH_GLOB)
}
