//! The newest list of todo items, in the forms that agents write: whole, what is new of it, or item by item.

use serde_json::Value;

use super::super::History;
use super::super::texts::{parse, read, text_leaf};
use super::body::{Facts, Topic, status_and_content};
use crate::prompt::{Todo, todo_lines};
use crate::tools::ToolKind;
use crate::view::{Leaf, flags};

/// Tools that add one item, and that change one.
const ADDING: &[&str] = &["TaskCreate", "task_create"];
const CHANGING: &[&str] = &["TaskUpdate", "task_update"];

/// What is said of an item.
struct Said {
    id: Option<String>,
    content: Option<String>,
    status: Option<String>,
}

/// Takes up what a call says of the list; false if it is no call that does.
pub(super) fn take_up(history: History<'_>, index: u32, response: u32, facts: &mut Facts) -> bool {
    let view = history.view;
    let name = view.names.tool_name(view.block(index).tool);
    let is_list = history.tools.kind(name) == ToolKind::Todo;
    let is_new = ADDING.contains(&name);
    if !is_list && !is_new && !CHANGING.contains(&name) {
        return false;
    }
    if view.block(response).has(flags::FAILED) {
        return true;
    }
    let parameters = parse(&read(history, view.leaf(index, Leaf::Json)));
    if is_list {
        list(&parameters, facts);
    } else {
        let result = text_leaf(history, response).filter(|_| is_new).map(|leaf| read(history, leaf));
        one(&parameters, result.as_deref(), facts);
    }
    true
}

/// One list takes the place of another.
pub(super) fn replace(items: Vec<(String, String)>, facts: &mut Facts) {
    facts.clear(Topic::Todos);
    for (key, line) in items {
        facts.add(Topic::Todos, &key, line.replace('\n', "\n> "));
    }
}

/// The first of some members that is a text or a number.
fn text(item: &Value, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| match item.get(key)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => number.as_u64().map(|number| number.to_string()),
        _ => None,
    })
}

/// A list, possibly with changes to the one before only.
fn list(parameters: &Value, facts: &mut Facts) {
    let list = ["todos", "plan", "items", "tasks"].iter().find_map(|key| parameters.get(key));
    let parsed = list.and_then(Value::as_str).map(parse);
    let Some(list) = parsed.as_ref().or(list).and_then(Value::as_array) else { return };
    let mut said = Vec::new();
    for item in list {
        said.push(Said {
            id: text(item, &["id"]),
            content: text(item, &["content", "step", "text", "title", "description", "task"]),
            status: text(item, &["status", "state"]),
        });
    }
    let is_merged = parameters.get("merge") == Some(&Value::Bool(true));
    let known = put(said, is_merged, facts);
    // What can't be read says nothing of the list.
    if list.is_empty() || !known.is_empty() {
        replace(known, facts);
    }
}

/// A single item, by the number that is shown with it: its tools know it by nothing else. That of a new one stands in
/// the result of its call.
fn one(parameters: &Value, result: Option<&str>, facts: &mut Facts) {
    let named = result.map(|result| {
        let from = result.find(|sign: char| sign.is_ascii_digit()).unwrap_or(result.len());
        let rest = result.get(from..).unwrap_or_default();
        rest.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '-')
            .next()
            .unwrap_or_default()
            .to_owned()
    });
    let id = named.or_else(|| text(parameters, &["taskId", "task_id", "id"]));
    let id = id.filter(|id| !id.is_empty()).map(|id| ["#", &id].concat());
    let words = text(parameters, if result.is_some() { &["subject", "description"] } else { &["subject"] });
    let words = words.map(|words| id.as_ref().map_or_else(|| words.clone(), |id| [id, " ", &words].concat()));
    let status = text(parameters, &["status"]);
    let is_gone = status.as_deref() == Some("deleted");
    let said = Said { id: id.clone(), content: words, status };
    let mut known = put(vec![said], true, facts);
    known.retain(|(key, _)| !is_gone || Some(key) != id.as_ref());
    replace(known, facts);
}

/// The items with what is said of them.
#[inline(never)] // Twice the same is twice the size.
fn put(said: Vec<Said>, is_merged: bool, facts: &Facts) -> Vec<(String, String)> {
    let mut known = if is_merged { facts.of(Topic::Todos) } else { Vec::new() };
    for Said { id, content, status } in said {
        let old = known.iter_mut().find(|(key, line)| match (&id, &content) {
            (Some(id), _) if id == key => true,
            (_, Some(content)) => status_and_content(line).1 == content,
            _ => false,
        });
        let (was, before) = old.as_ref().map(|(_, line)| status_and_content(line)).unwrap_or_default();
        let todo = Todo {
            content: content.unwrap_or_else(|| before.to_owned()),
            status: status.or_else(|| Some(was.to_owned())),
            subtasks: Vec::new(),
        };
        let line = todo_lines(&[todo]).concat();
        match old {
            Some((_, old)) if is_merged => *old = line,
            None if status_and_content(&line).1.is_empty() => {}
            old => {
                let key = id.filter(|_| old.is_none()).unwrap_or_else(|| line.clone());
                known.push((key, line));
            }
        }
    }
    known
}
