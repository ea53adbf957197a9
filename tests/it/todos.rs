//! Todo items as text, both ways.

use densify::prompt::{Todo, todo_context};
use serde_json::{Value, json};

#[test]
fn todos_are_read_from_text_as_they_are_written() {
    let todos = read_options_todos(json!([
        {"content": "Write the parser", "status": "in_progress", "subtasks": [{"content": "and tests"}]},
        {"content": "Ship it"}
    ]));
    let text = todo_context(&todos).unwrap();
    let again = read_options_todos(json!(text));
    assert_eq!(todo_context(&again), Some(text));
    let plain = read_options_todos(json!("Write the parser\n\n  Ship it\n"));
    assert_eq!(
        plain.iter().map(|todo| todo.content.as_str()).collect::<Vec<_>>(),
        ["Write the parser", "Ship it"]
    );
    assert!(read_options_todos(json!("")).is_empty());
    let short = densify::prompt::todo_context_within(&todos, 60).unwrap();
    assert!(short.contains("Write the parser") && short.ends_with("- … and 1 more items"), "{short}");
    assert!(densify::prompt::todo_context_within(&todos, 1).unwrap().ends_with("… and 2 more items"));
}

fn read_options_todos(list: Value) -> Vec<Todo> {
    Todo::read_list("todos", &list).unwrap()
}
