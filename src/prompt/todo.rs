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
    /// Other members (ids, priorities) are the agent's own and are left alone.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidOptions`] with the key, for instance `todos.2.content`.
    pub fn read_list(key: &str, list: &Value) -> Result<Vec<Self>, Error> {
        let items = list.as_array().ok_or_else(|| invalid(key, "a list of todo items"))?;
        let read = |(at, item): (usize, &Value)| Self::read(&format!("{key}.{at}"), item);
        items.iter().enumerate().map(read).collect()
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
