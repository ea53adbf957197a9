//! The lists of files at the end of a summary.

use super::{FileOperations, Twins, sorted};

/// The lists as a summary has them: sorted, and no file in both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileLists {
    /// Files that were read and not changed.
    pub read: Vec<String>,
    /// Files that were changed.
    pub modified: Vec<String>,
}

const READ: (&str, &str) = ("<read-files>", "</read-files>");
const MODIFIED: (&str, &str) = ("<modified-files>", "</modified-files>");

impl FileLists {
    /// The lists of what was found, and of compactions before: what was changed once stays changed.
    #[must_use]
    pub fn of(operations: &FileOperations, earlier: &[&Self]) -> Self {
        let mut read: Vec<&str> = Vec::new();
        let mut modified: Vec<&str> = Vec::new();
        add(&mut read, &operations.read);
        add(&mut modified, &operations.written);
        add(&mut modified, &operations.edited);
        for lists in earlier {
            add(&mut read, &lists.read);
            add(&mut modified, &lists.modified);
        }
        let twins = Twins::of(&[modified.as_slice(), &read].concat());
        let modified = twins.names(&modified);
        let mut read = twins.names(&read);
        read.retain(|path| !modified.contains(path));
        Self { read: sorted(read), modified: sorted(modified) }
    }

    /// The lists as text, to be put behind a summary; nothing for an empty list.
    #[must_use]
    pub fn format(&self) -> String {
        let mut text = String::new();
        for (list, (open, close)) in [(&self.read, READ), (&self.modified, MODIFIED)] {
            let lines: Vec<&str> = list.iter().map(String::as_str).filter(|path| is_path(path)).collect();
            if !lines.is_empty() {
                text.extend(["\n\n", open, "\n", &lines.join("\n"), "\n", close]);
            }
        }
        text
    }
}

fn add<'list>(list: &mut Vec<&'list str>, more: &'list [String]) {
    list.extend(more.iter().map(String::as_str).filter(|path| is_path(path)));
}

/// The lists of some file operations as text, to be put behind a summary.
#[must_use]
pub fn format_file_operations(operations: &FileOperations) -> String {
    FileLists::of(operations, &[]).format()
}

/// Whether a line can stand in a list; none can end it or bring lines of its own.
fn is_path(path: &str) -> bool {
    !path.is_empty() && !path.starts_with('<') && !path.contains(char::is_control)
}

/// Takes the lists out of a summary: the rest, without the blank lines before a list, and the lists.
/// A list that isn't closed before the next one opens is text.
#[must_use]
pub fn strip_file_lists(text: &str) -> (String, FileLists) {
    let mut found = FileOperations::default();
    let mut rest = String::with_capacity(text.len());
    let mut lines = text.split_inclusive('\n').peekable();
    let mut held: Vec<&str> = Vec::new();
    let mut open: Option<(&str, &mut Vec<String>)> = None;
    while let Some(line) = lines.next() {
        let bare = line.trim_end_matches(['\n', '\r']);
        let opener = [(READ, 0), (MODIFIED, 1)].into_iter().find(|((opener, _), _)| *opener == bare);
        match &mut open {
            Some((close, list)) if bare == *close => {
                let paths = held.iter().skip(1).map(|line| line.trim_end_matches(['\n', '\r']));
                list.extend(paths.filter(|path| is_path(path)).map(str::to_owned));
                held.clear();
                rest.truncate(rest.trim_end().len());
                if lines.peek().is_some() && !rest.is_empty() {
                    rest.push('\n');
                }
                open = None;
                continue;
            }
            _ => {}
        }
        if let Some(((_, close), which)) = opener {
            rest.extend(held.drain(..));
            open = Some((close, if which == 0 { &mut found.read } else { &mut found.written }));
        }
        if open.is_some() { held.push(line) } else { rest.push_str(line) }
    }
    rest.extend(held);
    let lists = FileLists::of(&found, &[]);
    (rest, lists)
}
