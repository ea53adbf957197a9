//! The one table of tools: what the well-known agents' tools do, and where their parameters hold
//! paths. The documents' names come first; a caller adds its own.

use serde::Serialize;

use crate::interner::Interner;
use crate::search::contains;

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
    /// A parameter whose value decides what the call does, and the kinds by its values.
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
const PATH_KEYS: &[&str] = &["file_path", "absolute_path", "path"];

/// The parameters that tell what a call was about, in the order in which they are looked for:
/// paths first, then commands, patterns, queries, addresses.
pub const KEY_PARAMETERS: &[&str] = &[
    "file_path",
    "absolute_path",
    "path",
    "filePath",
    "notebook_path",
    "filename",
    "paths",
    "command",
    "cmd",
    "pattern",
    "query",
    "url",
    "prompt",
    "description",
];

/// The built-in table: name, kind, further path parameters (tried before the usual ones).
const TABLE: &[(&str, ToolKind, &[&str])] = &[
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
    // Codex. Its patches name their files inside the patch text, which the rules don't read: a patch
    // whose paths are unknown supersedes nothing.
    ("apply_patch", ToolKind::Edit, &[]),
    ("shell", ToolKind::Shell, &[]),
    ("shell_command", ToolKind::Shell, &[]),
    ("exec_command", ToolKind::Shell, &[]),
    ("update_plan", ToolKind::Todo, &[]),
    // Copilot CLI.
    ("view", ToolKind::Read, &[]),
    ("create", ToolKind::Write, &[]),
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
];

/// The editors that do several things, told apart by their `command`.
const MODE_EDITORS: &[&str] = &["str_replace_editor", "str_replace_based_edit_tool"];
const EDITOR_COMMANDS: &[(&str, ToolKind)] = &[
    ("view", ToolKind::Read),
    ("create", ToolKind::Write),
    ("str_replace", ToolKind::Edit),
    ("insert", ToolKind::Edit),
    ("undo_edit", ToolKind::Edit),
];

/// The names that the built-in table knows.
pub fn known_names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|&(name, ..)| name).chain(MODE_EDITORS.iter().copied())
}

/// What each tool does: the built-in table and the caller's own definitions, which win.
#[derive(Clone, Debug, Default)]
pub struct ToolTable {
    names: Interner,
    /// The caller's own tools, by their names' numbers.
    own: Vec<ToolDescriptor>,
}

impl ToolTable {
    /// The built-in table with a caller's definitions.
    #[must_use]
    pub fn with(definitions: &[ToolDefinition]) -> Self {
        let describe = |definition: &ToolDefinition| ToolDescriptor {
            kind: definition.kind,
            path_keys: definition.path_keys.clone().unwrap_or_else(|| owned(PATH_KEYS)),
            path_list_key: definition.path_list_key.clone(),
            mode: None,
        };
        let mut table = Self::default();
        for definition in definitions {
            let (number, is_new) = table.names.add(&definition.name);
            let described = describe(definition);
            match table.own.get_mut(number as usize).filter(|_| !is_new) {
                Some(earlier) => *earlier = described,
                None => table.own.push(described),
            }
        }
        table
    }

    fn own(&self, name: &str) -> Option<&ToolDescriptor> {
        self.own.get(self.names.number(name)? as usize)
    }

    /// What a tool does, if that is always the same.
    #[must_use]
    pub fn kind(&self, name: &str) -> ToolKind {
        let built_in = || TABLE.iter().find(|(known, ..)| *known == name).map(|&(_, kind, _)| kind);
        self.own(name).map(|own| own.kind).or_else(built_in).unwrap_or(ToolKind::Other)
    }

    /// What the table knows of a tool; unknown names are [`ToolKind::Other`].
    #[must_use]
    pub fn describe(&self, name: &str) -> ToolDescriptor {
        if let Some(own) = self.own(name) {
            return own.clone();
        }
        if MODE_EDITORS.contains(&name) {
            let kinds = EDITOR_COMMANDS.iter().map(|&(value, kind)| (value.to_owned(), kind));
            let mode = ToolMode { key: "command".to_owned(), kinds: kinds.collect() };
            return ToolDescriptor { mode: Some(mode), ..ToolDescriptor::new(ToolKind::Other) };
        }
        let Some(&(_, kind, further)) = TABLE.iter().find(|(known, ..)| *known == name) else {
            return ToolDescriptor::new(ToolKind::Other);
        };
        let mut described = ToolDescriptor::new(kind);
        described.path_keys.splice(0..0, owned(further));
        described.path_list_key = (name == "read_many_files").then(|| "paths".to_owned());
        described
    }
}

fn owned(keys: &[&str]) -> Vec<String> {
    keys.iter().map(|&key| key.to_owned()).collect()
}

/// Words in the names of tools whose results stay: what sub-agents found, skills, plans, todos, answers.
const KEPT_TOOLS: &[&str] = &["agent", "subagent", "task", "skill", "plan", "question", "investigator"];
/// Those that say so only at the end, of short names: memories, rules.
const KEPT_THINGS: &[&str] = &["memory", "memories", "rules"];
/// Where such a word is something else: a build's task, a browser's name.
const OTHERS: &[(&str, &str)] = &[("run", "task"), ("gradle", "task"), ("user", "agent")];

/// Names of files that hold instructions for agents, beside those whose name is the agent's in capitals
/// (`CLAUDE.md`).
const KEPT_FILES: &[&str] = &["claude.md", "claude.local.md", "agents.md"];
/// How such files, and folders of them, begin.
const KEPT_BEGINNINGS: &[&str] =
    &[".claude", ".cursor", ".windsurf", ".clinerules", ".roo", ".junie", ".goosehints"];
/// Folders whose documents are such.
const KEPT_FOLDERS: &[&str] = &["memory-bank", "plans", "skills"];

/// Files whose name in capitals is no agent's.
const PLAIN_FILES: &[&str] =
    &["README", "CHANGELOG", "CONTRIBUTING", "LICENSE", "SECURITY", "NOTICE", "TODO", "FAQ"];

/// Whether a tool's results stay as they are, but for the documents' own rules.
#[must_use]
pub fn is_kept_tool(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    if lower == "wait" || ["user_input", "ask_user"].iter().any(|part| contains(&lower, part)) {
        return true;
    }
    let words = words_of(name);
    let is_kept = |(at, word): (usize, &String)| {
        let word = word.strip_suffix('s').unwrap_or(word);
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        KEPT_TOOLS.contains(&word) && !before.is_some_and(|before| OTHERS.contains(&(before.as_str(), word)))
    };
    words.iter().any(|word| word.starts_with("todo"))
        || words.iter().enumerate().any(is_kept)
        || words.len() < 3 && words.last().is_some_and(|last| KEPT_THINGS.contains(&last.as_str()))
}

/// The words of a name, in lower case: `dispatch_agent`, `TaskOutput`.
fn words_of(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut is_open = false;
    let mut was_lower = false;
    for letter in name.chars() {
        if !is_open || letter.is_ascii_uppercase() && was_lower {
            words.push(String::new());
        }
        is_open = letter.is_ascii_alphanumeric();
        was_lower = letter.is_ascii_lowercase();
        if let Some(word) = words.last_mut().filter(|_| is_open) {
            word.push(letter.to_ascii_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The last part of a path.
#[must_use]
#[inline(never)] // Twice the same is twice the size.
pub fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Whether a path is that of a file with instructions.
#[must_use]
pub fn is_kept_path(path: &str) -> bool {
    let name = file_name(path);
    let is_agents = name.strip_suffix(".md").is_some_and(|stem| {
        !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_uppercase()) && !PLAIN_FILES.contains(&stem)
    });
    let lower = path.to_ascii_lowercase();
    let is_document = lower.rsplit('.').next() == Some("md");
    let is_kept = |part: &str| {
        KEPT_BEGINNINGS.iter().any(|begin| part.starts_with(begin))
            || is_document && KEPT_FOLDERS.contains(&part)
    };
    let mut parts = lower.rsplit(['/', '\\']);
    is_agents
        || lower.ends_with("instructions.md")
        || KEPT_FILES.contains(&file_name(&lower))
        || parts.any(is_kept)
}
