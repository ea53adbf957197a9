//! Interned names of tools, and interned, resolved paths.

use std::sync::Arc;

use super::path;
use crate::interner::Interner;
use crate::search::contains;
use crate::tools::is_kept_path;

/// A tool's name, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ToolId(pub u32);

impl ToolId {
    /// The block has no tool, or one whose name isn't a string.
    pub const NONE: Self = Self(0);
}

/// A resolved path, by number.
pub type PathId = u32;
/// Not a path that can be understood; it is equal to no other.
pub const PATH_NONE: PathId = 0;
/// A glob pattern in a list of paths.
pub const PATH_GLOB: PathId = 1;
const FIRST_PATH: PathId = 2;

/// The names that a view refers to by number.
#[derive(Clone, Debug, Default)]
pub struct Names {
    workspace_root: Arc<str>,
    tools: Interner,
    paths: Interner,
    /// The paths of files with instructions.
    kept: Vec<PathId>,
}

impl Names {
    /// Names whose relative paths are resolved against a workspace root.
    #[must_use]
    pub fn new(workspace_root: &str) -> Self {
        Self { workspace_root: path::root(workspace_root).into(), ..Self::default() }
    }

    /// Names whose relative paths stay unchanged, since the workspace's place is unknown.
    #[must_use]
    pub fn anywhere() -> Self {
        Self { workspace_root: path::UNKNOWN.into(), ..Self::default() }
    }

    /// The number of a tool's name.
    pub fn tool(&mut self, name: &str) -> ToolId {
        ToolId(self.tools.add(name).0.saturating_add(1))
    }

    /// A tool's name; empty for [`ToolId::NONE`].
    #[must_use]
    pub fn tool_name(&self, id: ToolId) -> &str {
        id.0.checked_sub(1).and_then(|number| self.tools.text(number)).unwrap_or_default()
    }

    /// A tool's number, if it is one of ours.
    pub(super) fn known_tool(&self, id: ToolId) -> ToolId {
        if id.0 <= self.tools.len() { id } else { ToolId::NONE }
    }

    /// A path's number, if it is one of ours.
    pub(super) fn known_path(&self, id: PathId) -> PathId {
        if id < FIRST_PATH.saturating_add(self.paths.len()) { id } else { PATH_NONE }
    }

    /// The number of a path, resolved against the workspace root: two spellings of one file have
    /// one number. A text with U+FFFD may have lost characters on its way here and is no path.
    pub fn path(&mut self, text: &str) -> PathId {
        if text.is_empty() || contains(text, "\u{fffd}") {
            return PATH_NONE;
        }
        let resolved = path::resolve(&self.workspace_root, text);
        let (number, is_new) = self.paths.add(&resolved);
        let id = FIRST_PATH.saturating_add(number);
        // What folders the workspace lies in says nothing of its files.
        let below =
            resolved.strip_prefix(&*self.workspace_root).filter(|below| below.starts_with(['/', '\\']));
        if is_new && is_kept_path(below.unwrap_or(&resolved)) {
            self.kept.push(id);
        }
        id
    }

    /// The number of a path in a list where glob patterns may stand: `*` and `?` make one.
    pub fn listed_path(&mut self, text: &str) -> PathId {
        if text.contains(['*', '?']) { PATH_GLOB } else { self.path(text) }
    }

    /// The file of a path that names lines in it: `a.rs` of `a.rs:60-110`.
    pub(super) fn without_range(&mut self, path: PathId) -> PathId {
        let bare = path::split_range(self.path_text(path)).map(|(bare, _)| bare.to_owned());
        bare.map_or(path, |bare| self.path(&bare))
    }

    /// Whether a path is that of a file with instructions.
    #[must_use]
    pub fn is_kept(&self, path: PathId) -> bool {
        self.kept.contains(&path)
    }

    /// What relative paths are resolved against.
    #[must_use]
    pub fn workspace_root(&self) -> &str {
        &self.workspace_root
    }

    /// A resolved path; empty for what is none.
    #[must_use]
    pub fn path_text(&self, id: PathId) -> &str {
        id.checked_sub(FIRST_PATH).and_then(|number| self.paths.text(number)).unwrap_or_default()
    }

    /// The resolved paths, by their numbers; those of no path are empty.
    #[must_use]
    pub fn path_texts(&self) -> Vec<&str> {
        std::iter::repeat_n("", FIRST_PATH as usize).chain(self.paths.texts()).collect()
    }

    pub(super) fn bytes(&self) -> usize {
        self.paths.bytes() + self.tools.bytes()
    }
}
