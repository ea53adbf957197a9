//! Interned names of tools, and interned, resolved paths.

use std::collections::HashMap;
use std::sync::Arc;

use super::path;
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
    tools: Vec<Arc<str>>,
    tool_ids: HashMap<Arc<str>, ToolId>,
    paths: HashMap<Arc<str>, PathId>,
    /// The paths of files with instructions.
    kept: Vec<PathId>,
    text_bytes: usize,
}

impl Names {
    /// Names whose relative paths are resolved against a workspace root.
    #[must_use]
    pub fn new(workspace_root: &str) -> Self {
        Self { workspace_root: path::root(workspace_root).into(), ..Self::default() }
    }

    /// The number of a tool's name.
    pub fn tool(&mut self, name: &str) -> ToolId {
        if let Some(&id) = self.tool_ids.get(name) {
            return id;
        }
        let name: Arc<str> = name.into();
        self.tools.push(Arc::clone(&name));
        self.text_bytes += name.len();
        let id = ToolId(u32::try_from(self.tools.len()).unwrap_or(0));
        self.tool_ids.insert(name, id);
        id
    }

    /// A tool's name; empty for [`ToolId::NONE`].
    #[must_use]
    pub fn tool_name(&self, id: ToolId) -> &str {
        (id.0 as usize).checked_sub(1).and_then(|index| self.tools.get(index)).map_or("", |name| name)
    }

    /// A tool's number, if it is one of ours.
    pub(super) fn known_tool(&self, id: ToolId) -> ToolId {
        if id.0 as usize <= self.tools.len() { id } else { ToolId::NONE }
    }

    /// A path's number, if it is one of ours.
    pub(super) fn known_path(&self, id: PathId) -> PathId {
        if (id as usize) < FIRST_PATH as usize + self.paths.len() { id } else { PATH_NONE }
    }

    /// The number of a path, resolved against the workspace root: two spellings of one file have
    /// one number. A text with U+FFFD may have lost characters on its way here and is no path.
    pub fn path(&mut self, text: &str) -> PathId {
        if text.is_empty() || text.contains('\u{fffd}') {
            return PATH_NONE;
        }
        let resolved = path::resolve(&self.workspace_root, text);
        if let Some(&id) = self.paths.get(resolved.as_str()) {
            return id;
        }
        let id = FIRST_PATH.saturating_add(u32::try_from(self.paths.len()).unwrap_or(0));
        self.text_bytes += resolved.len();
        if is_kept_path(&resolved) {
            self.kept.push(id);
        }
        self.paths.insert(resolved.into(), id);
        id
    }

    /// The number of a path in a list where glob patterns may stand: `*` and `?` make one.
    pub fn listed_path(&mut self, text: &str) -> PathId {
        if text.contains(['*', '?']) { PATH_GLOB } else { self.path(text) }
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

    /// The resolved paths, by their numbers; those of no path are empty.
    #[must_use]
    pub fn path_texts(&self) -> Vec<&str> {
        let mut texts = vec![""; FIRST_PATH as usize + self.paths.len()];
        for (text, &id) in &self.paths {
            if let Some(place) = texts.get_mut(id as usize) {
                *place = text;
            }
        }
        texts
    }

    pub(super) fn bytes(&self) -> usize {
        self.text_bytes
            + self.paths.capacity() * size_of::<(Arc<str>, PathId)>()
            + self.tools.capacity() * size_of::<Arc<str>>()
            + self.tool_ids.capacity() * size_of::<(Arc<str>, ToolId)>()
    }
}
