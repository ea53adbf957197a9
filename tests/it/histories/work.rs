//! Calls of tools and their responses.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::Manner;

/// What the model writes before its calls, the calls, and how their responses come.
#[derive(Clone, Debug)]
pub struct Batch {
    before: Vec<usize>,
    calls: Vec<Call>,
    ids: Ids,
    layout: Layout,
    /// Whether something else accompanies the responses.
    extra: usize,
}

#[derive(Clone, Debug)]
struct Call {
    tool: &'static str,
    parameters: Value,
    result: Outcome,
    /// Whether the response never comes, or later.
    absent: bool,
}

#[derive(Clone, Copy, Debug)]
enum Ids {
    Unique,
    /// Numbered anew in each turn.
    ByTurn,
    /// One for all.
    Same,
    Missing,
    Numbers,
}

#[derive(Clone, Copy, Debug)]
enum Layout {
    /// All responses in one entry.
    Together,
    /// An entry for each response.
    Apart,
    /// The other way round.
    Reversed,
    /// In the entry of the calls.
    SameEntry,
    /// The user speaks before the responses come.
    HumanBetween,
    /// The responses come before their calls.
    Before,
}

/// What a response holds besides its id and its tool.
#[derive(Clone, Debug)]
struct Outcome(Value);

const PATHS: &[&str] =
    &["a.ts", "/a.ts", "./sub/../a.ts", "b.ts", "/w/a.ts", "C.TS", "文/件.rs", "😀.md", "__proto__"];
const READS: &[&str] = &["read_file", "read_line_range", "ast_read_file"];
const WRITES: &[&str] = &["write_file", "ast_edit", "replace", "insert_at_line", "delete_line_range"];

pub fn batch(manner: Manner) -> BoxedStrategy<Batch> {
    let ids = match manner {
        Manner::WellFormed => Just(Ids::Unique).boxed(),
        Manner::Any => prop_oneof![
            6 => Just(Ids::Unique),
            4 => Just(Ids::ByTurn),
            2 => Just(Ids::Same),
            1 => Just(Ids::Missing),
            1 => Just(Ids::Numbers),
        ]
        .boxed(),
    };
    let layout = match manner {
        Manner::WellFormed => prop_oneof![3 => Just(Layout::Together), 1 => Just(Layout::Apart)].boxed(),
        Manner::Any => prop_oneof![
            6 => Just(Layout::Together),
            4 => Just(Layout::Apart),
            2 => Just(Layout::Reversed),
            1 => Just(Layout::SameEntry),
            1 => Just(Layout::HumanBetween),
            1 => Just(Layout::Before),
        ]
        .boxed(),
    };
    let extras = if manner == Manner::Any { 0..12_usize } else { 0..4 };
    let parts = (
        proptest::collection::vec(0..4_usize, 0..3),
        proptest::collection::vec(call(manner), 1..4),
        ids,
        layout,
        extras,
    );
    parts.prop_map(|(before, calls, ids, layout, extra)| Batch { before, calls, ids, layout, extra }).boxed()
}

fn call(manner: Manner) -> BoxedStrategy<Call> {
    let path = proptest::sample::select(PATHS);
    let read = (proptest::sample::select(READS), path.clone())
        .prop_map(|(tool, path)| (tool, json!({"file_path": path})));
    let write = (proptest::sample::select(WRITES), path.clone())
        .prop_map(|(tool, path)| (tool, json!({"absolute_path": path, "content": "new"})));
    let listed = prop_oneof![8 => path, 1 => Just("src/*.ts"), 1 => Just("b?.ts")];
    let many = proptest::collection::vec(listed, 0..4)
        .prop_map(|paths| ("read_many_files", json!({"paths": paths})));
    let other = prop_oneof![
        Just(("run_shell_command", json!({"command": "cargo test"}))),
        Just(("grep", json!({"pattern": "TODO"}))),
        Just(("todo_write", json!({"todos": []}))),
        Just(("constructor", json!({}))),
    ];
    let usual = prop_oneof![4 => read, 4 => write, 2 => many, 3 => other];
    let named = match manner {
        Manner::WellFormed => usual.boxed(),
        Manner::Any => prop_oneof![8 => usual, 2 => odd_call()].boxed(),
    };
    let absent = if manner == Manner::Any { 0.1 } else { 0.0 };
    (named, outcome(manner), proptest::bool::weighted(absent))
        .prop_map(|((tool, parameters), result, absent)| Call { tool, parameters, result, absent })
        .boxed()
}

/// Calls whose parameters aren't what a rule would like to see.
fn odd_call() -> impl Strategy<Value = (&'static str, Value)> {
    prop_oneof![
        Just(("read_file", json!(null))),
        Just(("read_file", json!("a.ts"))),
        Just(("write_file", json!(["a.ts"]))),
        Just(("read_file", json!({"file_path": 5, "path": "a.ts"}))),
        Just(("read_file", json!({"file_path": "", "absolute_path": ["x"]}))),
        Just(("read_many_files", json!({"paths": "a.ts"}))),
        Just(("read_many_files", json!({"paths": ["a.ts", 7]}))),
        Just(("read_many_files", json!({"paths": ["a.ts", "a.ts", "./a.ts"]}))),
        Just(("read_many_files", json!({"path": "a.ts"}))),
        Just(("ast_edit", json!({"file_path": "a.ts", "force": false}))),
        Just(("ast_edit", json!({"file_path": "a.ts", "force": true, "preview": "true"}))),
        Just(("write_file", json!({"file_path": "a.ts", "preview": true}))),
        Just(("replace", json!({"file_path": "a.ts", "dry_run": true}))),
        Just(("write_file", json!({"path": "bad\u{fffd}name"}))),
        Just(("read_file", json!({"path": "bad\u{fffd}name"}))),
    ]
}

/// Results of every size around the pointer's, failures, and what was cut already.
fn outcome(manner: Manner) -> BoxedStrategy<Outcome> {
    let pointer = "[Result pruned — re-run tool to retrieve]";
    let text = (0..60_usize).prop_map(|length| json!({"result": "é".repeat(length)}));
    let quoted = (0..30_usize).prop_map(|length| json!({"result": "\"\n".repeat(length)}));
    let usual = prop_oneof![
        6 => text,
        2 => quoted,
        4 => Just(json!({"result": "line\n".repeat(40)})),
        2 => Just(json!({"result": {"output": "ok 😀\n".repeat(20)}})),
        1 => Just(json!({"result": "ENOENT ".repeat(9), "error": "no such file"})),
    ];
    let odd = prop_oneof![
        Just(json!({})),
        Just(json!({"result": null})),
        Just(json!({"result": 12})),
        Just(json!({"result": [1, 2, 3]})),
        Just(json!({"result": {"error": "disk full", "tries": 3}})),
        Just(json!({"result": {"error": "", "exit_code": 0, "text": "x".repeat(50)}})),
        Just(json!({"result": {"exitCode": 1}})),
        Just(json!({"result": "fine", "error": ""})),
        Just(json!({"result": pointer})),
        Just(json!({"result": "[write_file: a.ts — success, 3 lines]"})),
        Just(json!({"result": "[read_file: a.ts — error]"})),
        Just(json!({"result": format!("[read_file: {} — success, 3 lines]", "x".repeat(100))})),
        Just(json!({"result": "[grep — success, many lines]"})),
        Just(json!({"result": pointer.replace(']', " (recall r0123456789abc)]")})),
        Just(json!({"result": "[read_file: a.ts — success, 3 lines (recall r0123456789abc)]"})),
        Just(json!({"result": "[read_file: a.ts — success, 3 lines (recall r0123456789ab)]"})),
    ];
    match manner {
        Manner::WellFormed => usual.prop_map(Outcome).boxed(),
        Manner::Any => prop_oneof![6 => usual.boxed(), 2 => odd.boxed()].prop_map(Outcome).boxed(),
    }
}

impl Batch {
    /// Adds the entries of the batch; responses that come later are held back.
    pub fn build(&self, entries: &mut Vec<Value>, held: &mut Vec<Value>, next_id: &mut usize) {
        let (mut calls, mut responses) =
            (self.before.iter().map(|&kind| before(kind)).collect::<Vec<_>>(), vec![]);
        for (number, call) in self.calls.iter().enumerate() {
            let id = match self.ids {
                Ids::Unique => json!(format!("u{next_id}")),
                Ids::ByTurn => json!(format!("c{number}")),
                Ids::Same => json!("c0"),
                Ids::Missing => Value::Null,
                Ids::Numbers => json!(number),
            };
            *next_id += 1;
            calls.push(
                json!({"type": "tool_call", "id": id, "name": call.tool, "parameters": call.parameters}),
            );
            // A list of todos fails by its `error` field only: once its payload was cut, an
            // optimizer that has seen it knows more of a structured failure than its output shows.
            let is_todo = call.tool == "todo_write" && call.result.0["result"].is_object();
            let mut response = if is_todo { json!({"result": "todos"}) } else { call.result.0.clone() };
            let fields = response.as_object_mut().unwrap();
            fields.insert("type".to_owned(), json!("tool_response"));
            fields.insert("callId".to_owned(), id);
            fields.insert("toolName".to_owned(), json!(call.tool));
            if call.absent { held.push(response) } else { responses.push(response) }
        }
        self.lay_out(calls, responses, entries);
    }

    fn lay_out(&self, calls: Vec<Value>, mut responses: Vec<Value>, entries: &mut Vec<Value>) {
        let ai = |blocks: Vec<Value>| json!({"speaker": "ai", "blocks": blocks});
        let tool = |blocks: Vec<Value>| json!({"speaker": "tool", "blocks": blocks});
        match self.layout {
            Layout::SameEntry => return entries.push(ai([calls, responses].concat())),
            Layout::Before => {
                entries.push(tool(responses));
                return entries.push(ai(calls));
            }
            _ => entries.push(ai(calls)),
        }
        match self.layout {
            Layout::Apart => {
                entries.extend(responses.into_iter().map(|response| tool(vec![response])));
                return;
            }
            Layout::Reversed => responses.reverse(),
            Layout::HumanBetween => {
                entries.push(json!({"speaker": "human", "blocks": [{"type": "text", "text": "Wait."}]}));
            }
            _ => {}
        }
        responses.extend(extra(self.extra));
        if !responses.is_empty() {
            entries.push(tool(responses));
        }
    }
}

/// What stands before calls.
fn before(kind: usize) -> Value {
    match kind {
        0 => json!({"type": "thinking", "thought": "What about 文?", "signature": "s"}),
        1 => json!({"type": "text", "text": "I'll look at it."}),
        2 => json!({"type": "text", "text": " \n\u{feff}"}),
        _ => json!({"type": "code", "code": "1 + 1", "language": "ts"}),
    }
}

/// What may stand beside responses.
fn extra(kind: usize) -> Option<Value> {
    match kind {
        3 => Some(
            json!({"type": "media", "mimeType": "image/png", "data": "iVBORw0KGgo=", "encoding": "base64"}),
        ),
        4 => Some(json!({"type": "text", "text": "note"})),
        5 => Some(json!({"type": "hologram", "frames": 2})),
        6 => Some(
            json!({"type": "tool_call", "id": "u1", "name": "read_file", "parameters": {"path": "b.ts"}}),
        ),
        _ => None,
    }
}
