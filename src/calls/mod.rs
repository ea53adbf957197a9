//! What a call did to files: the lines that it showed, and the files that it wrote, moved or changed. Also its success.
//! A call that isn't understood may have changed anything, and shows nothing.

pub mod commands;
pub mod content;
pub mod operands;
pub mod outcome;
pub mod parameters;
pub mod patch;
pub mod scripts;
mod shell;
pub mod words;

use std::borrow::Cow;

use serde_json::Value;

use crate::json;
use crate::lines::OURS;
use crate::search::contains;
use crate::tools::{ToolKind, ToolTable};
use crate::view::{Kind, NONE, PATH_GLOB, PathId, ToolId, View, flags, path};
use parameters::{
    ADDING, COMMANDS, DIRECTORIES, EVERYWHERE, FIRST, LAST, LIMITS, MODES, NEW, OLD, PATCHES, RANGES, TIMES,
    WHOLE_MODES, names_place_of_command, names_place_of_write, only_reads_known, parts_of, text_under,
    value_under, whole_number, writes_whole,
};

/// Lines of a file, counted from 1, with both ends. [`NONE`] as the last line means the end of the file.
pub type Lines = (u32, u32);

/// All lines.
pub const WHOLE: Lines = (1, NONE);

/// A text that takes the place of another one in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// The text that was there.
    pub old: String,
    /// The text that is there now.
    pub new: String,
    /// Whether it is replaced at every place, not at one.
    pub is_everywhere: bool,
}

/// What a call does to a file, or might do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It shows lines of a file.
    Shows { path: PathId, lines: Lines },
    /// It writes a whole file.
    Writes { path: PathId },
    /// It replaces parts of a file, in this order.
    Changes { path: PathId, replaced: Vec<Replacement> },
    /// The file is something unknown now, or it is gone.
    Spoils { path: PathId },
    /// Any file may have changed.
    Anything,
}

/// Tools that start a shell for each call.
const NEW_SHELLS: &str = "shell shell_command exec_command write_stdin exec wait run_shell_command";
/// Tools whose commands are of another shell, which nothing here reads.
const OTHER_SHELLS: &str = "PowerShell";

/// Whether a word is in a list whose words are separated by spaces.
pub(crate) fn is_one_of(word: &str, list: &str) -> bool {
    let (word, mut rest) = (word.as_bytes(), list.as_bytes());
    while let Some((known, behind)) = rest.split_at_checked(word.len()) {
        if known == word && behind.first().is_none_or(|&next| next == b' ') {
            return true;
        }
        let Some(end) = rest.iter().position(|&byte| byte == b' ') else { break };
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    false
}

/// Whether a shell's text has only commands that look: they change no file, and their output reports no change.
pub fn only_looks(text: &str) -> bool {
    words::split(text).is_some_and(|commands| commands.iter().all(words::Command::only_looks))
}

/// Reads what calls do, one call after the other.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    /// How often the shell's folder may have changed: the shells of some tools stay where they went.
    moves: u32,
    /// A number for the shell's folder, as far as the last command that changed it tells; 0 for the first one.
    place: u32,
    /// Whether a shell that stays may be on another machine: a command ran in it that isn't understood.
    may_be_away: bool,
    /// What tools do, by the numbers of their names. The list grows as they are asked for.
    kinds: Vec<ToolKind>,
    /// What else is known of the last call.
    pub last: Beside,
}

/// What is known of a command, apart from its effects.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beside {
    /// Whether the call may have been made on another machine, or may have written in another folder.
    pub may_be_away: bool,
    /// A number for the folder it ran in; 0 if that doesn't matter.
    pub place: u32,
    /// Whether it shows instructions.
    pub shows_kept: bool,
}

impl Calls {
    /// What a tool does. Its name is looked up once.
    fn kind(&mut self, view: &View, tools: &ToolTable, tool: ToolId) -> ToolKind {
        let index = tool.0 as usize;
        while self.kinds.len() <= index {
            let next = ToolId(u32::try_from(self.kinds.len()).unwrap_or(u32::MAX));
            self.kinds.push(tools.kind(view.names.tool_name(next)));
        }
        self.kinds.get(index).copied().unwrap_or(ToolKind::Other)
    }

    /// The effects of a call, in order; none if it changes no file and shows none unchanged. The parameters come with
    /// them if they had to be read.
    pub fn of(
        &mut self,
        view: &mut View,
        tools: &ToolTable,
        call: u32,
        parameters: &str,
    ) -> (Vec<Effect>, Option<Value>) {
        self.last = Beside::default();
        let block = *view.block(call);
        if block.has(flags::PREVIEW | flags::TODO) {
            return (Vec::new(), None);
        }
        if block.has(flags::DOUBTFUL) {
            return (vec![Effect::Anything], None);
        }
        let kind = self.kind(view, tools, block.tool);
        let is_file = block.has(flags::READ | flags::WRITE);
        if !is_file && kind != ToolKind::Shell {
            let parameters = bare(view, parameters);
            // Tools of some hosts search in the folder of the shell.
            self.last.place = self.place;
            self.last.shows_kept = match kind {
                ToolKind::Search => content::searches_kept_file(&parameters),
                _ => content::names_kept_file(&parameters),
            };
            let is_harmless = matches!(kind, ToolKind::Search | ToolKind::Todo | ToolKind::Read);
            return (if is_harmless { Vec::new() } else { vec![Effect::Anything] }, None);
        }
        let raw = parameters;
        let parameters = json::read(raw);
        let script = parameters.as_ref().filter(|_| kind == ToolKind::Shell).and_then(scripts::script_in);
        let found = match &parameters {
            Some(_) if is_one_of(view.names.tool_name(block.tool), OTHER_SHELLS) => None,
            Some(_) if script.is_some() => self.of_script(view, tools, script.unwrap_or_default()),
            Some(parameters) if kind == ToolKind::Shell => {
                let stays = !is_one_of(view.names.tool_name(block.tool), NEW_SHELLS);
                // Of calls that were made together any may have run first.
                let is_call = |index| view.block(index).kind == Kind::ToolCall;
                let is_together = is_call(call + 1) || call.checked_sub(1).is_some_and(is_call);
                let effects = self.of_command(view, parameters, (stays, is_together));
                self.may_be_away |= stays && effects.is_none();
                effects
            }
            Some(parameters) => {
                let keys = tools.describe(view.names.tool_name(block.tool)).path_keys;
                let mut effects = of_file(view, (call, kind), (parameters, &keys));
                let named = keys.iter().find_map(|key| parameters.get(key)?.as_str());
                if named.is_some_and(|named| {
                    path::leads_out(named) || self.moves > 0 && !path::is_absolute(named)
                }) {
                    // The tools of some hosts work in the folder of the shell; a link has another parent.
                    self.last.may_be_away = spoil_written(effects.as_deref_mut().unwrap_or_default());
                }
                effects
            }
            None => None,
        };
        // A read may name its files in parameters that nobody knows.
        let is_unplaced = block.has(flags::READ) && view.paths_of(&block).is_empty();
        if found.is_none() && !is_file || is_unplaced {
            self.last.shows_kept |= content::names_kept_file(&bare(view, raw));
        }
        (found.unwrap_or_else(|| vec![Effect::Anything]), parameters)
    }

    /// The effects of a script. What several calls show can't be told apart in one result.
    fn of_script(&mut self, view: &mut View, tools: &ToolTable, script: &str) -> Option<Vec<Effect>> {
        let calls = scripts::calls_of(script)?;
        let mut all = Vec::new();
        for call in &calls {
            let parameters = &call.parameters;
            let mut effects = match tools.kind(&call.name) {
                ToolKind::Shell => self.of_command(view, parameters, (false, false))?,
                ToolKind::Edit => {
                    let text = parameters.as_str().or_else(|| text_under(parameters, PATCHES))?;
                    let workspace = path::resolve(view.names.workspace_root(), "");
                    patch::effects(view, text, &workspace)?
                }
                ToolKind::Search | ToolKind::Todo => Vec::new(),
                _ => return None,
            };
            all.append(&mut effects);
        }
        let is_single = calls.len() == 1;
        all.retain(|effect| is_single || !matches!(effect, Effect::Shows { .. }));
        Some(all)
    }

    /// For a call that [`Self::of`] isn't certain of: the origin of its result, and the files that it seems to name.
    pub fn content(
        view: &mut View,
        tools: &ToolTable,
        call: u32,
        parameters: &Value,
    ) -> (content::Origin, Vec<PathId>) {
        let root = view.names.workspace_root().to_owned();
        let name = view.names.tool_name(view.block(call).tool);
        let (origin, files) = content::of_call(name, parameters, tools, &root);
        (origin, files.iter().filter_map(|file| path_in(view, &root, file)).collect())
    }

    fn of_command(
        &mut self,
        view: &mut View,
        parameters: &Value,
        (stays, is_together): (bool, bool),
    ) -> Option<Vec<Effect>> {
        let command = value_under(parameters, COMMANDS)?;
        let text = shell::text_of(command)?;
        if text.is_empty() || !names_place_of_command(parameters) {
            return None;
        }
        let workspace = view.names.workspace_root();
        let root = match text_under(parameters, DIRECTORIES) {
            Some(directory) => path::resolve(workspace, directory),
            None if self.moves == 0 || !stays => path::resolve(workspace, ""),
            // An unknown folder, which contains no known file.
            None => path::resolve(
                workspace,
                &char::from_u32(0xe000 + self.moves % 0x1000).into_iter().collect::<String>(),
            ),
        };
        let is_placed = !stays || value_under(parameters, DIRECTORIES).is_some() || text.starts_with("cd /");
        self.last.place = if is_placed { 0 } else { self.place };
        self.last.shows_kept |= shell::shows_kept(&bare(view, text));
        if stays && command.is_string() && shell::moves(text) {
            self.moves += 1;
            self.place = shell::goes_to(text).unwrap_or(self.moves);
        }
        let mut effects = shell::effects(view, text, root);
        if stays {
            self.last.may_be_away = self.may_be_away || is_together;
            self.may_be_away |= effects.contains(&Effect::Anything);
        }
        if self.last.may_be_away {
            spoil_written(&mut effects);
        }
        Some(effects)
    }
}

/// A text without the workspace's path, whose folders say nothing of a file in it.
fn bare<'text>(view: &View, text: &'text str) -> Cow<'text, str> {
    let root = view.names.workspace_root().trim_end_matches('/');
    if root.is_empty() || !contains(text, root) { text.into() } else { text.replace(root, ".").into() }
}

/// Notes that the written text is uncertain; whether there is any.
fn spoil_written(effects: &mut [Effect]) -> bool {
    let mut is_any = false;
    for effect in effects {
        if let &mut Effect::Writes { path } = effect {
            *effect = Effect::Spoils { path };
            is_any = true;
        }
    }
    is_any
}

/// What a call of a tool for files does.
fn of_file(
    view: &mut View,
    (call, kind): (u32, ToolKind),
    (parameters, path_keys): (&Value, &[String]),
) -> Option<Vec<Effect>> {
    let block = *view.block(call);
    let only = match view.paths_of(&block) {
        &[path] if path > PATH_GLOB && !block.has(flags::VAGUE_PATHS) => Some(path),
        _ => None,
    };
    if block.has(flags::READ) {
        let shown = only.and_then(|path| shown(parameters, path_keys, path));
        return Some(shown.into_iter().collect());
    }
    let text = parameters.as_str().or_else(|| text_under(parameters, PATCHES));
    let workspace = path::resolve(view.names.workspace_root(), "");
    if let Some(effects) = text.and_then(|text| patch::effects(view, text, &workspace)) {
        return Some(effects);
    }
    let path = only?;
    if !names_place_of_write(parameters, path_keys) {
        return Some(vec![Effect::Spoils { path }, Effect::Anything]);
    }
    // Some tools have several uses; a parameter selects one.
    let is_creation =
        || text_under(parameters, "command").is_some_and(|verb| is_one_of(verb, "create write"));
    let is_written = kind == ToolKind::Write || kind == ToolKind::Other && is_creation();
    if is_written && !adds(parameters) && writes_whole(parameters, path_keys) {
        return Some(vec![Effect::Writes { path }]);
    }
    let replaced = replacements(parameters);
    Some(vec![replaced.map_or(Effect::Spoils { path }, |replaced| Effect::Changes { path, replaced })])
}

/// Whether a call writes only a part of its file.
fn adds(parameters: &Value) -> bool {
    let is_set = |key| {
        value_under(parameters, key).is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)))
    };
    [FIRST, LAST, ADDING].iter().any(|keys| keys.split(' ').any(is_set))
        || text_under(parameters, MODES).is_some_and(|mode| !is_one_of(mode, WHOLE_MODES))
}

/// The lines that a read asks for; none if it asks for a part, or for another form, in an unknown way.
fn shown(parameters: &Value, path_keys: &[String], path: PathId) -> Option<Effect> {
    if !only_reads_known(parameters, path_keys) {
        return None;
    }
    // The path itself may name the lines: `a.rs:60-110`.
    let named = path_keys.iter().find_map(|key| parameters.get(key)?.as_str());
    if let Some((_, lines)) = named.and_then(path::split_range) {
        return Some(Effect::Shows { path, lines });
    }
    if let Some(range) = value_under(parameters, RANGES).filter(|range| !range.is_null()) {
        let range = range.as_array()?;
        let first = whole_number(range.first()?)?;
        // -1 stands for the end.
        let last = range.get(1).and_then(whole_number).unwrap_or(NONE);
        return Some(Effect::Shows { path, lines: (first.max(1), last) });
    }
    let (first, last) = (number_under(parameters, FIRST)?, number_under(parameters, LAST)?);
    let limit = number_under(parameters, LIMITS)?;
    let from = first.unwrap_or(1);
    let to = last.or_else(|| Some(from.saturating_add(limit?).saturating_sub(1))).unwrap_or(NONE);
    Some(Effect::Shows { path, lines: (from, to) })
}

/// The number under the first key that is there; none if it is no number of lines.
#[allow(clippy::option_option)]
fn number_under(parameters: &Value, keys: &str) -> Option<Option<u32>> {
    match value_under(parameters, keys) {
        None | Some(Value::Null) => Some(None),
        Some(value) => whole_number(value).map(Some),
    }
}

/// The texts that a change of parts replaces; none if they aren't known.
fn replacements(parameters: &Value) -> Option<Vec<Replacement>> {
    let replacement = |part: &Value| {
        let is_everywhere = value_under(part, EVERYWHERE).is_some_and(|all| all.as_bool() != Some(false))
            || value_under(part, TIMES).is_some_and(|count| whole_number(count) != Some(1));
        let (old, new) = (text_under(part, OLD)?, text_under(part, NEW)?);
        // densify shortened it: what it was isn't known here.
        let is_known = !old.starts_with(OURS) && !new.starts_with(OURS);
        is_known.then(|| Replacement { old: old.to_owned(), new: new.to_owned(), is_everywhere })
    };
    match parts_of(parameters) {
        [] => Some(vec![replacement(parameters)?]),
        parts => parts.iter().map(replacement).collect(),
    }
}

/// The number of a path in a command or a patch; none if the text can't be a path.
fn path_in(view: &mut View, root: &str, text: &str) -> Option<PathId> {
    let is_path = !text.is_empty() && !text.contains(char::is_control);
    let resolved = is_path.then(|| path::resolve(root, text))?;
    Some(view.names.path(&resolved)).filter(|&path| path > PATH_GLOB)
}
