//! The one table of tools: the effects of well-known agents' tools, and the parameters with their paths. The
//! documents' names come first; a caller adds its own.

mod answers;
mod kept;
mod words;

use serde::Serialize;

pub use answers::{brings_answers, is_answered_by_user, may_instruct};
pub use kept::{file_name, is_kept_path, is_kept_pattern, is_kept_tool, names_kept};

/// What a tool does, as far as the rules care.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum ToolKind {
    /// Shows the content of files.
    Read,
    /// Writes whole files.
    Write,
    /// Changes parts of files.
    Edit,
    /// Runs commands.
    Shell,
    /// Searches or lists.
    Search,
    /// Sets the list of todos.
    Todo,
    /// Anything else.
    Other,
}

impl ToolKind {
    /// All kinds.
    pub const ALL: [Self; 7] =
        [Self::Read, Self::Write, Self::Edit, Self::Shell, Self::Search, Self::Todo, Self::Other];

    /// The kind as options name it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Edit => "edit",
            Self::Shell => "shell",
            Self::Search => "search",
            Self::Todo => "todo",
            Self::Other => "other",
        }
    }

    /// The kind of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A tool that the table doesn't know, or knows differently.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "wasm", serde(rename_all = "camelCase"))]
pub struct ToolDefinition {
    /// The tool's name, as calls name it.
    pub name: String,
    /// What the tool does.
    pub kind: ToolKind,
    /// The parameters that may hold the path of the file, most specific first.
    ///
    /// @default `["file_path", "absolute_path", "path"]`
    #[cfg_attr(feature = "wasm", tsify(optional, type = "readonly string[]"))]
    pub path_keys: Option<Vec<String>>,
    /// The parameter that holds a list of paths, for tools that take several.
    ///
    /// @default none
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub path_list_key: Option<String>,
}

/// What an adapter needs to know to read a call's facts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct ToolDescriptor {
    /// What the tool does.
    pub kind: ToolKind,
    /// The parameters that may hold a path, in order; the first non-empty string counts.
    pub path_keys: Vec<String>,
    /// The parameter that holds a list of paths.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub path_list_key: Option<String>,
    /// A parameter that selects the call's action, and the kind for each value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub mode: Option<ToolMode>,
}

/// A tool that does several things, told apart by one parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct ToolMode {
    /// The parameter.
    pub key: String,
    /// What the call does for each of its values; any other value: [`ToolKind::Other`].
    pub kinds: Vec<(String, ToolKind)>,
}

impl ToolDescriptor {
    fn new(kind: ToolKind) -> Self {
        Self { kind, path_keys: owned(PATH_KEYS), path_list_key: None, mode: None }
    }
}

/// Parameters that hold a path, in the documents' order.
pub(crate) const PATH_KEYS: &[&str] = &["file_path", "absolute_path", "path"];
/// The same in the tools of other hosts, which have none of those.
pub(crate) const OTHER_PATH_KEYS: &[&str] = &[
    "filePath",
    "filepath",
    "target_file",
    "file",
    "relative_path",
    "relative_file_path",
    "AbsolutePath",
    "TargetFile",
];

/// The parameters that name a call's subject, in the order of search: paths first, then commands, patterns, queries,
/// addresses.
pub const KEY_PARAMETERS: &[&str] = &[
    "file_path",
    "absolute_path",
    "path",
    "filePath",
    "notebook_path",
    "filename",
    "filepath",
    "target_file",
    "relative_path",
    "relative_file_path",
    "AbsolutePath",
    "TargetFile",
    "file",
    "paths",
    "command",
    "cmd",
    "CommandLine",
    "pattern",
    "query",
    "url",
    "prompt",
    "description",
    "input",
];

/// A tool's name, kind, and further path parameters (tried before the usual ones).
type Row = (&'static str, ToolKind, &'static [&'static str]);

/// The built-in table. What its `Other` tools do, their `command` says.
const TABLE: &[Row] = &[
    // The documents' agent, and Gemini CLI, whose names they share.
    ("read_file", ToolKind::Read, &[]),
    ("read_line_range", ToolKind::Read, &[]),
    ("read_many_files", ToolKind::Read, &[]),
    ("ast_read_file", ToolKind::Read, &[]),
    ("write_file", ToolKind::Write, &[]),
    ("ast_edit", ToolKind::Edit, &[]),
    ("replace", ToolKind::Edit, &[]),
    ("insert_at_line", ToolKind::Edit, &[]),
    ("delete_line_range", ToolKind::Edit, &[]),
    ("run_shell_command", ToolKind::Shell, &[]),
    ("search_file_content", ToolKind::Search, &[]),
    ("list_directory", ToolKind::Search, &[]),
    ("glob", ToolKind::Search, &[]),
    ("todo_write", ToolKind::Todo, &[]),
    ("write_todos", ToolKind::Todo, &[]),
    // Claude Code.
    ("Read", ToolKind::Read, &[]),
    ("Write", ToolKind::Write, &[]),
    ("Edit", ToolKind::Edit, &[]),
    ("MultiEdit", ToolKind::Edit, &[]),
    ("NotebookRead", ToolKind::Read, &["notebook_path"]),
    ("NotebookEdit", ToolKind::Edit, &["notebook_path"]),
    ("Bash", ToolKind::Shell, &[]),
    ("PowerShell", ToolKind::Shell, &[]),
    ("Grep", ToolKind::Search, &[]),
    ("Glob", ToolKind::Search, &[]),
    ("LS", ToolKind::Search, &[]),
    ("TodoWrite", ToolKind::Todo, &[]),
    // pi and opencode.
    ("read", ToolKind::Read, &["filePath"]),
    ("write", ToolKind::Write, &["filePath"]),
    ("edit", ToolKind::Edit, &["filePath"]),
    ("multiedit", ToolKind::Edit, &["filePath"]),
    ("bash", ToolKind::Shell, &[]),
    ("grep", ToolKind::Search, &[]),
    ("find", ToolKind::Search, &[]),
    ("ls", ToolKind::Search, &[]),
    ("list", ToolKind::Search, &[]),
    ("todowrite", ToolKind::Todo, &[]),
    // Codex. Its patches name their files inside the patch text.
    ("apply_patch", ToolKind::Edit, &[]),
    ("shell", ToolKind::Shell, &[]),
    ("shell_command", ToolKind::Shell, &[]),
    ("exec_command", ToolKind::Shell, &[]),
    ("write_stdin", ToolKind::Shell, &[]),
    ("exec", ToolKind::Shell, &[]),
    ("update_plan", ToolKind::Todo, &[]),
    // Copilot CLI.
    ("view", ToolKind::Read, &[]),
    ("create", ToolKind::Write, &[]),
    ("rg", ToolKind::Search, &[]),
    // The session's own database: no file changes.
    ("sql", ToolKind::Search, &[]),
    // Cline and Roo Code.
    ("write_to_file", ToolKind::Write, &[]),
    ("replace_in_file", ToolKind::Edit, &[]),
    ("apply_diff", ToolKind::Edit, &[]),
    ("insert_content", ToolKind::Edit, &[]),
    ("search_and_replace", ToolKind::Edit, &[]),
    ("execute_command", ToolKind::Shell, &[]),
    ("search_files", ToolKind::Search, &[]),
    ("list_files", ToolKind::Search, &[]),
    // OpenHands and SWE-agent.
    ("execute_bash", ToolKind::Shell, &[]),
    ("terminal", ToolKind::Shell, &[]),
    ("file_editor", ToolKind::Other, &[]),
    ("str_replace_editor", ToolKind::Other, &[]),
    ("str_replace_based_edit_tool", ToolKind::Other, &[]),
    // The file system server of the Model Context Protocol.
    ("read_text_file", ToolKind::Read, &[]),
    ("read_multiple_files", ToolKind::Read, &[]),
    ("edit_file", ToolKind::Edit, &[]),
    ("directory_tree", ToolKind::Search, &[]),
    ("list_directory_with_sizes", ToolKind::Search, &[]),
    ("list_allowed_directories", ToolKind::Search, &[]),
    ("get_file_info", ToolKind::Search, &[]),
    // The next Cline.
    ("read_files", ToolKind::Read, &[]),
    ("editor", ToolKind::Edit, &[]),
    ("search_codebase", ToolKind::Search, &[]),
    // Cursor.
    ("StrReplace", ToolKind::Edit, &[]),
    ("Shell", ToolKind::Shell, &[]),
    ("search_replace", ToolKind::Edit, &[]),
    ("run_terminal_cmd", ToolKind::Shell, &[]),
    ("codebase_search", ToolKind::Search, &[]),
    ("file_search", ToolKind::Search, &[]),
    ("glob_file_search", ToolKind::Search, &[]),
    ("grep_search", ToolKind::Search, &[]),
    ("list_dir", ToolKind::Search, &[]),
    // Copilot in Visual Studio Code.
    ("create_file", ToolKind::Write, &[]),
    ("replace_string_in_file", ToolKind::Edit, &[]),
    ("insert_edit_into_file", ToolKind::Edit, &[]),
    ("run_in_terminal", ToolKind::Shell, &[]),
    ("semantic_search", ToolKind::Search, &[]),
    // Continue.
    ("read_file_range", ToolKind::Read, &[]),
    ("create_new_file", ToolKind::Write, &[]),
    ("edit_existing_file", ToolKind::Edit, &[]),
    ("single_find_and_replace", ToolKind::Edit, &[]),
    ("multi_edit", ToolKind::Edit, &[]),
    ("run_terminal_command", ToolKind::Shell, &[]),
    ("file_glob_search", ToolKind::Search, &[]),
    ("view_subdirectory", ToolKind::Search, &[]),
    // Windsurf, Antigravity and Warp.
    ("view_file", ToolKind::Read, &[]),
    ("replace_file_content", ToolKind::Edit, &[]),
    ("run_command", ToolKind::Shell, &[]),
    ("find_by_name", ToolKind::Search, &[]),
    ("file_glob", ToolKind::Search, &[]),
    // Factory's Droid, the file systems of deep agents.
    ("Create", ToolKind::Write, &[]),
    ("Execute", ToolKind::Shell, &[]),
    ("execute", ToolKind::Shell, &[]),
    // Goose, Kimi CLI, Zed, SWE-agent and others.
    ("developer__shell", ToolKind::Shell, &[]),
    ("developer__text_editor", ToolKind::Other, &[]),
    ("str_replace_file", ToolKind::Edit, &[]),
    ("find_path", ToolKind::Search, &[]),
    ("search_project", ToolKind::Search, &[]),
    ("search_dir", ToolKind::Search, &[]),
    ("find_file", ToolKind::Search, &[]),
    // Codex, Augment, Manus and others.
    ("local_shell", ToolKind::Shell, &[]),
    ("grep_files", ToolKind::Search, &[]),
    ("save_file", ToolKind::Write, &[]),
    ("launch_process", ToolKind::Shell, &[]),
    ("codebase_retrieval", ToolKind::Search, &[]),
    ("fs_write", ToolKind::Write, &[]),
    ("str_replace", ToolKind::Edit, &[]),
    ("file_read", ToolKind::Read, &[]),
    ("file_str_replace", ToolKind::Edit, &[]),
];

const EDITOR_COMMANDS: &[(&str, ToolKind)] = &[
    ("view", ToolKind::Read),
    ("create", ToolKind::Write),
    ("write", ToolKind::Write),
    ("str_replace", ToolKind::Edit),
    ("insert", ToolKind::Edit),
    ("undo_edit", ToolKind::Edit),
];

/// The names that the built-in table knows.
pub fn known_names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|&(name, ..)| name)
}

/// What may stand before a tool's name without making it another tool: the server of the local files, with or without
/// its protocol, and the name spaces that models put their own tools into. Files of other servers are other files.
const PREFIXES: &[&str] = &[
    "mcp__filesystem__",
    "mcp__fs__",
    "mcp_filesystem_",
    "filesystem__",
    "filesystem_",
    "filesystem.",
    "functions.",
    "default_api.",
    "default_api:",
    "copilot_",
];

/// Whether a name is one that is known, or another spelling of it: `readFile`, `read-file`. Single words mean too many things
/// (`Replace` wrote whole files once, `replace` edits), and so does a plan.
#[inline(never)] // Twice the same is twice the size.
fn is_spelling(name: &str, known: &str, is_respelled: bool) -> bool {
    if !is_respelled {
        return name == known;
    }
    let mut rest = known.bytes();
    let mut was_lower = false;
    for byte in name.bytes() {
        let is_hump = was_lower && byte.is_ascii_uppercase();
        let letter = if byte == b'-' { b'_' } else { byte.to_ascii_lowercase() };
        if is_hump && rest.next() != Some(b'_') || rest.next() != Some(letter) {
            return false;
        }
        was_lower = byte.is_ascii_lowercase();
    }
    was_lower && rest.next().is_none() && known.contains('_') && known != "update_plan"
}

/// What each tool does: the built-in table and the caller's own definitions, which win.
#[derive(Clone, Debug, Default)]
pub struct ToolTable {
    /// The caller's own tools; of two by one name the later one counts.
    own: Vec<(String, ToolDescriptor)>,
    /// Whether known tools name files by the documents' parameters alone.
    is_strict: bool,
}

impl ToolTable {
    /// The built-in table with a caller's definitions.
    #[must_use]
    pub fn with(definitions: &[ToolDefinition]) -> Self {
        let describe = |definition: &ToolDefinition| {
            let mut described = ToolDescriptor::new(definition.kind);
            if let Some(keys) = &definition.path_keys {
                described.path_keys.clone_from(keys);
            }
            described.path_list_key.clone_from(&definition.path_list_key);
            (definition.name.clone(), described)
        };
        Self { own: definitions.iter().map(describe).collect(), is_strict: false }
    }

    /// The same with the documents' path parameters alone, as the preset `seed` demands.
    #[must_use]
    pub fn strict(self, is_strict: bool) -> Self {
        Self { is_strict, ..self }
    }

    /// The kind of a tool, if it never depends on parameters.
    #[must_use]
    pub fn kind(&self, name: &str) -> ToolKind {
        self.describe(name).kind
    }

    /// What the table knows of a tool; unknown names are [`ToolKind::Other`].
    #[must_use]
    pub fn describe(&self, name: &str) -> ToolDescriptor {
        let known = self.find(name, false).or_else(|| {
            let mut bare = PREFIXES.iter().filter_map(|prefix| name.strip_prefix(prefix));
            self.find(bare.next().unwrap_or(name), true)
        });
        known.unwrap_or_else(|| ToolDescriptor::new(ToolKind::Other))
    }

    /// What is known of a name, to the letter or in another spelling: the caller's word, or the table's.
    #[inline(never)] // Twice the same is twice the size.
    fn find(&self, name: &str, is_respelled: bool) -> Option<ToolDescriptor> {
        if let Some((_, own)) =
            self.own.iter().rev().find(|(known, _)| is_spelling(name, known, is_respelled))
        {
            return Some(own.clone());
        }
        let &(name, kind, further) =
            TABLE.iter().find(|(known, ..)| is_spelling(name, known, is_respelled))?;
        let mut described = ToolDescriptor::new(kind);
        // Names in camel case come with parameters in camel case.
        described.path_keys.splice(0..0, owned(if is_respelled { &["filePath"] } else { further }));
        if !self.is_strict {
            described.path_keys.extend(owned(OTHER_PATH_KEYS));
        }
        described.path_list_key = match name {
            "read_many_files" | "read_multiple_files" => Some("paths".to_owned()),
            "read_files" => Some("files".to_owned()),
            _ => None,
        };
        // Cline's editor has no commands: it edits.
        if kind == ToolKind::Other || name == "editor" {
            let kinds = EDITOR_COMMANDS.iter().map(|&(value, kind)| (value.to_owned(), kind));
            described.mode = Some(ToolMode { key: "command".to_owned(), kinds: kinds.collect() });
        }
        Some(described)
    }
}

fn owned(keys: &[&str]) -> Vec<String> {
    keys.iter().map(|&key| key.to_owned()).collect()
}
