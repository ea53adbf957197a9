//! The user's answers to questions of tools: their words, though a tool's result brings them.

use serde_json::Value;

use super::History;
use super::texts::{parse, read, text_leaf};
use crate::search::{around_first, around_last, contains};
use crate::tools::{brings_answers, may_instruct};
use crate::view::{Kind, Leaf, Speaker, flags};

/// The parameters that hold the question.
const QUESTIONS: &[&str] = &["question", "message", "prompt", "query", "text"];

/// An answer of the user's.
pub(super) struct Answer {
    /// The question, if known.
    pub question: String,
    /// What the user said or chose.
    pub words: String,
    /// Whether these are the user's own words for certain: what the model offered isn't.
    pub is_own: bool,
    /// Whether it is the reason why the user refused a call.
    pub is_refusal: bool,
}

/// The user's reason for refusing a call: of a refused response, or of an approval that the format keeps by itself.
fn refusal(history: History<'_>, index: u32) -> Option<String> {
    let view = history.view;
    let block = view.block(index);
    if block.kind == Kind::ToolResponse && block.has(flags::REFUSED) {
        return Some(read(history, view.leaf(index, Leaf::Detail)));
    }
    // A tool writes no such block: its output is a response.
    let is_hosts = block.kind == Kind::Opaque && view.unit(block.unit).speaker == Speaker::Tool;
    let approval = is_hosts.then(|| parse(&read(history, view.leaf(index, Leaf::Json))))?;
    let is_refused = ["approved", "approve"].iter().any(|key| approval.get(key) == Some(&Value::Bool(false)));
    approval.get("reason").filter(|_| is_refused)?.as_str().map(str::to_owned)
}

/// The answers that a block brings; none if it is no response of such a tool.
#[inline(never)] // Twice the same is twice the size.
pub(super) fn answers(history: History<'_>, response: u32) -> Vec<Answer> {
    let view = history.view;
    if let Some(words) = refusal(history, response) {
        let words = words.trim().to_owned();
        let answer = Answer { question: String::new(), words, is_own: true, is_refusal: true };
        return Some(answer).filter(|answer| !answer.words.is_empty()).into_iter().collect();
    }
    let block = view.block(response);
    let is_told = block.kind == Kind::ToolResponse && block.is_live() && !block.has(flags::FAILED);
    let Some(call) = view.partner(response).filter(|_| is_told) else { return Vec::new() };
    let name = view.names.tool_name(view.block(call).tool);
    if !brings_answers(name) {
        return Vec::new();
    }
    let parameters = parse(&read(history, view.leaf(call, Leaf::Json)));
    let result = text_leaf(history, response).map(|leaf| read(history, leaf)).unwrap_or_default();
    let mut offered = Vec::new();
    texts(&parameters, &mut offered);
    let mut found = paired(&result, &offered);
    if found.is_empty() {
        let mut questions = QUESTIONS.iter().filter_map(|key| parameters.get(key)?.as_str());
        let question = questions.next().unwrap_or_default();
        let mut said = Vec::new();
        texts(&parse(&result), &mut said);
        let words = if said.is_empty() { result.trim().to_owned() } else { said.join("\n") };
        let words = words.strip_prefix("<answer>").unwrap_or(&words);
        found.push((question.to_owned(), words.strip_suffix("</answer>").unwrap_or(words).to_owned()));
    }
    let is_offered = |words: &str| offered.iter().any(|text| text.len() > 3 && contains(words, text));
    let answer = |(question, words): (String, String)| {
        let is_own = !is_offered(&words) && may_instruct(name, !question.is_empty());
        Answer { question, words: words.trim().to_owned(), is_own, is_refusal: false }
    };
    found.into_iter().map(answer).filter(|answer| !answer.words.is_empty()).collect()
}

/// The answers of a result that repeats the questions: `"Which one?"="The first"`. The questions are those of the call:
/// none of them can bring an answer of its own.
fn paired(result: &str, offered: &[String]) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut rest = result;
    for question in offered.iter().filter(|text| !text.is_empty()) {
        let Some((before, after)) = around_first(rest, &["\"", question, "\"=\""].concat()) else { continue };
        if let Some((_, words)) = found.last_mut() {
            before.trim_end_matches([',', ' ']).trim_end_matches('"').clone_into(words);
        }
        found.push((question.clone(), String::new()));
        rest = after;
    }
    if let Some((_, words)) = found.last_mut() {
        // Behind the last one stands what the harness says.
        around_last(rest, "\". ").map_or(rest, |(words, _)| words).trim_end_matches('"').clone_into(words);
    }
    found
}

/// All texts in a value.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(list) => list.iter().for_each(|item| texts(item, found)),
        Value::Object(members) => members.values().for_each(|item| texts(item, found)),
        _ => {}
    }
}
