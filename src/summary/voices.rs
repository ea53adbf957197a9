//! Who speaks in the user's role: a person, or the host.

use super::History;
use super::texts::{read, unit_text};
use crate::view::{Kind, Leaf, Speaker, flags};

/// Some hosts send a tool's output in the user's role. These texts, in lower case, begin such messages. They are
/// those of mini-swe-agent, SWE-agent, `OpenHands`, Cline, Roo Code and `ReAct`.
const OBSERVATIONS: &[&str] = &[
    "<returncode>",
    "<output>",
    "<observation>",
    "<tool_response>",
    "<tool_result>",
    "<tool_output>",
    "<function_response>",
    "<function_results>",
    "<function_result>",
    "<command_output>",
    "<execution_result>",
    "observation:",
    "observation (",
    "[observation",
    "**observation",
    "tool output:",
    "tool result:",
    "tool response:",
    "command output:",
    "execution result",
    "result of calling the",
    "results of the tool",
    "exit code:",
    "returncode:",
];

/// Whether the host wrote a unit of the user's role: the caller says so, it begins as hosts begin the output of a tool, or
/// the model asked for it in the words of `ReAct`. A conversation opens with a person's words.
pub(super) fn is_observation(history: History<'_>, unit: u32) -> bool {
    let view = history.view;
    if view.unit(unit).flags & flags::OBSERVATION != 0 {
        return true;
    }
    let Some(before) = (0..unit).rev().find(|&before| view.unit(before).speaker == Speaker::Ai) else {
        return false;
    };
    let text = texts_of(history, unit).next().unwrap_or_default();
    let first = text.trim_start().lines().next().unwrap_or_default().trim_end().to_ascii_lowercase();
    // Cline: `[execute_command for 'ls'] Result:`
    let is_result = first.starts_with('[') && first.ends_with("] result:");
    is_result
        || OBSERVATIONS.iter().any(|begin| first.starts_with(begin))
        || before + 1 == unit && acts_in_words(history, before)
}

/// Whether the model asks for a tool in words and in no call: `Action: search`, `Action Input: rust` at the end.
fn acts_in_words(history: History<'_>, unit: u32) -> bool {
    let view = history.view;
    if view.blocks_of(unit).any(|index| view.block(index).kind == Kind::ToolCall) {
        return false;
    }
    let text = unit_text(history, unit);
    let mut last = text.lines().rev().filter(|line| !line.trim().is_empty());
    let is = |line: &str, begin: &str| line.trim_start().starts_with(begin);
    let is_input = |line: &str| is(line, "Action Input:");
    let is_action = |line: &str| is(line, "Action:") && (line.contains('[') || line.contains('('));
    last.next().is_some_and(is_action)
        || text.lines().any(|line| is(line, "Action:")) && text.lines().any(is_input)
}

/// The newest unit before `end` that holds a person's text and isn't an earlier summary.
pub(super) fn newest_request(history: History<'_>, earlier: &[u32], end: u32) -> Option<u32> {
    let view = history.view;
    (0..end).rev().find(|&unit| {
        let is_text = |index| view.block(index).kind == Kind::Text && !view.block(index).has(flags::BLANK);
        view.unit(unit).speaker == Speaker::Human
            && earlier.binary_search(&unit).is_err()
            && view.blocks_of(unit).any(is_text)
            && !is_observation(history, unit)
    })
}

/// The texts of a unit.
pub(super) fn texts_of(history: History<'_>, unit: u32) -> impl Iterator<Item = String> {
    let view = history.view;
    let is_text = move |&index: &u32| view.block(index).kind == Kind::Text;
    view.blocks_of(unit).filter(is_text).map(move |index| read(history, view.leaf(index, Leaf::Text)))
}
