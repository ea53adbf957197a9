//! Todo items as readable text, never as JSON (REQ-HD-011).

use serde_json::Value;

use crate::error::{Error, ErrorCode};

/// An item of an agent's todo list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Todo {
    /// What is to be done.
    pub content: String,
    /// Its status, in the agent's words; without one it is pending.
    pub status: Option<String>,
    /// What its subtasks are.
    pub subtasks: Vec<String>,
}

impl Todo {
    /// Reads a list of todo items as agents keep them: `{content, status?, subtasks?: [{content}]}`.
    /// Other members (ids, priorities) are the agent's own and are left alone. A text is read line by line, as
    /// [`todo_context`] writes it.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidOptions`] with the key, for instance `todos.2.content`.
    pub fn read_list(key: &str, list: &Value) -> Result<Vec<Self>, Error> {
        if let Some(text) = list.as_str() {
            return Ok(Self::read_text(text));
        }
        let items = list.as_array().ok_or_else(|| invalid(key, "a list of todo items, or their text"))?;
        let read = |(at, item): (usize, &Value)| Self::read(&format!("{key}.{at}"), item);
        items.iter().enumerate().map(read).collect()
    }

    /// Reads `- [STATUS] content` and `  - subtask` lines; a text without any is a list of contents, one a line.
    fn read_text(text: &str) -> Vec<Self> {
        let mut todos: Vec<Self> = Vec::new();
        let item = |line: &str| -> Option<Self> {
            let (status, content) = line.strip_prefix("- [")?.split_once(']')?;
            let (status, content) = (Some(status.to_owned()), content.trim().to_owned());
            Some(Self { content, status, subtasks: Vec::new() })
        };
        for line in text.lines() {
            if let Some(todo) = item(line) {
                todos.push(todo);
            } else if let Some((last, subtask)) = todos.last_mut().zip(line.trim_start().strip_prefix("- ")) {
                last.subtasks.push(subtask.to_owned());
            }
        }
        if todos.is_empty() {
            let contents = text.lines().map(str::trim).filter(|line| !line.is_empty());
            todos.extend(contents.map(|line| Self { content: line.to_owned(), ..Self::default() }));
        }
        todos
    }

    fn read(key: &str, item: &Value) -> Result<Self, Error> {
        let object = item.as_object().ok_or_else(|| invalid(key, "an object with the key content"))?;
        let content = object.get("content").and_then(Value::as_str);
        let content = content.ok_or_else(|| invalid(&format!("{key}.content"), "a string"))?;
        let status = match object.get("status") {
            None | Some(Value::Null) => None,
            Some(Value::String(status)) => Some(status.clone()),
            Some(_) => return Err(invalid(&format!("{key}.status"), "a string")),
        };
        let subtasks = match object.get("subtasks") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(list)) => list.iter().map(subtask).collect(),
            Some(_) => return Err(invalid(&format!("{key}.subtasks"), "a list")),
        };
        Ok(Self { content: content.to_owned(), status, subtasks })
    }

    /// The status as it is shown: `PENDING` if there is none.
    fn shown_status(&self) -> String {
        let status = one_line(self.status.as_deref().unwrap_or_default()).to_uppercase();
        if status.is_empty() { "PENDING".to_owned() } else { status }
    }

    fn is_open(&self) -> bool {
        let closed = ["COMPLETED", "COMPLETE", "DONE", "CANCELLED", "CANCELED"];
        !closed.contains(&self.shown_status().as_str())
    }
}

/// A subtask without a content stands as an empty line of the list, as in document 000.
fn subtask(item: &Value) -> String {
    let content = item.get("content").or(Some(item)).and_then(Value::as_str);
    content.unwrap_or_default().to_owned()
}

fn invalid(key: &str, right: &str) -> Error {
    Error::new(ErrorCode::InvalidOptions, format!("option {key}: expected {right}")).key(key)
}

/// A text on one line: an item can't pass for two, or for one of our own lines.
#[inline(never)] // Twice the same is twice the size.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The todo items as text for a request: an introduction, and a line for each item and subtask.
/// Nothing if there are none.
#[must_use]
pub fn todo_context(todos: &[Todo]) -> Option<String> {
    if todos.is_empty() {
        return None;
    }
    let mut text = include_str!("text/todo-introduction.md").to_owned();
    for line in todo_lines(todos) {
        text.push_str("\n- ");
        text.push_str(&line);
    }
    Some(text)
}

/// The number of items that have room in this many bytes.
#[must_use]
pub fn todos_within(todos: &[Todo], bytes: usize) -> usize {
    let mut left = bytes;
    let mut fits = |line: &String| {
        let fits = line.len() < left;
        left = left.saturating_sub(line.len() + 3);
        fits
    };
    todo_lines(todos).iter().take_while(|line| fits(line)).count()
}

/// The same in at most about this many bytes: the items that have no room are counted.
#[must_use]
pub fn todo_context_within(todos: &[Todo], bytes: usize) -> Option<String> {
    let shown = todos_within(todos, bytes);
    let mut text = todo_context(todos.get(..shown).unwrap_or_default())
        .or_else(|| (!todos.is_empty()).then(|| include_str!("text/todo-introduction.md").to_owned()))?;
    if shown < todos.len() {
        text.push_str("\n- … and ");
        text.push_str(&(todos.len() - shown).to_string());
        text.push_str(" more items");
    }
    Some(text)
}

/// Each item with its subtasks, as in [`todo_context`], without the mark of a list's item.
#[must_use]
pub fn todo_lines(todos: &[Todo]) -> Vec<String> {
    let line = |todo: &Todo| {
        let mut text = ["[", &todo.shown_status(), "] ", &one_line(&todo.content)].concat();
        for subtask in &todo.subtasks {
            text.push_str("\n  - ");
            text.push_str(&one_line(subtask));
        }
        text
    };
    todos.iter().map(line).collect()
}

/// The content of the first item that is neither completed nor cancelled.
#[must_use]
pub fn first_open_todo(todos: &[Todo]) -> Option<&str> {
    todos.iter().find(|todo| todo.is_open()).map(|todo| todo.content.as_str())
}
