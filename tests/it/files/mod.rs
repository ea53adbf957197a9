//! File operations from calls (requirements section 4, 8.12).

mod calls;
mod lists;
mod properties;
mod real;
mod shell;

use densify::content::Content;
use densify::summary::History;
use densify::summary::files::{FileOperations, file_operations};
use densify::tools::{ToolDefinition, ToolTable};
use densify::view::{Capabilities, ContentSource, Names, View, push_contents};
use serde_json::{Value, json};

use crate::support::contents;

/// The file operations of a history whose workspace is `/w`.
pub fn operations(history: &[Content]) -> FileOperations {
    operations_with(history, "/w", &[])
}

pub fn operations_with(history: &[Content], root: &str, tools: &[ToolDefinition]) -> FileOperations {
    let tools = ToolTable::with(tools);
    let mut view = View::new(Names::new(root), Capabilities::default());
    push_contents(&mut view, &mut ContentSource::new(tools.clone()), history);
    let units = 0..view.len();
    file_operations(History { view: &view, source: &history, tools: &tools }, units)
}

/// A call of a tool and its successful response.
pub fn call(name: &str, parameters: Value) -> Vec<Content> {
    let call = json!({"type": "tool_call", "id": "1", "name": name, "parameters": parameters});
    let response = json!({"type": "tool_response", "callId": "1", "toolName": name, "result": "ok"});
    contents(json!([
        {"speaker": "ai", "blocks": [call]},
        {"speaker": "tool", "blocks": [response]},
    ]))
}

/// `r/a w/b e/c`: read, written, edited.
pub fn short(operations: &FileOperations) -> String {
    let lists = [("r", &operations.read), ("w", &operations.written), ("e", &operations.edited)];
    let paths = lists.iter().flat_map(|(mark, list)| list.iter().map(move |path| format!("{mark}{path}")));
    paths.collect::<Vec<_>>().join(" ")
}
