//! Who speaks in the user's role: a person, or the host.

use super::History;
use super::elements::{begins_with_element, parted};
use super::texts::{clipped, lines, read, unit_text};
use crate::calls::outcome::stated_code;
use crate::prompt::one_line;
use crate::search::contains;
use crate::tools::brings_answers;
use crate::view::{Kind, Leaf, Speaker, flags};

/// Longest name of a person, in UTF-16 code units.
const LONGEST_NAME: u32 = 80;

/// How a host's message begins, and what else stands in it. No person writes in exactly this form.
const CERTAIN: &[(&str, &str)] = &[
    // Gemini CLI
    ("I ran the following shell command:\n", "\nThis produced the following result:\n"),
    // aider
    ("I ran this command:\n", "\nAnd got this output:\n"),
    ("I have *added these files to the chat*", ""),
    ("Here are summaries of some files present in my git repository", ""),
    // Terminus
    ("New Terminal Output:\n", ""),
    ("Current terminal state:\n", ""),
    ("Current Terminal Screen:\n", ""),
    // AutoGen
    ("exitcode: ", " (execution "),
    // Open Interpreter
    ("Code output: ", "What does this output mean"),
    ("The code above was executed on my machine.", ""),
    // Claude Code
    ("Stop hook feedback:\n", ""),
    ("SubagentStop hook feedback:\n", ""),
    ("UserPromptSubmit hook ", ""),
    ("SessionStart", " hook "),
    ("PreToolUse:", " hook "),
    ("PostToolUse:", " hook "),
    // opencode
    ("Called the Read tool with the following input: {", ""),
    ("The following tool was executed by the user", ""),
    // mini-swe-agent
    ("<returncode>", "</returncode>"),
    // browser-use
    ("[Current state starts here]", ""),
];

/// How the first line of such a message begins, and what else stands in that line, in lower case. A person may begin
/// so, too. It counts only behind a message in which the model asks for an action.
const LIKELY: &[(&str, &str)] = &[
    ("observation:", ""),
    ("observation (", ""),
    ("[observation", ""),
    ("**observation", ""),
    ("tool output:", ""),
    ("tool result:", ""),
    ("tool response:", ""),
    ("tool call result", ""),
    ("tool ", " returned:"),
    ("the tool returned", ""),
    ("function ", " returned:"),
    ("command ", " returned:"),
    ("command output:", ""),
    ("command result:", ""),
    ("action result:", ""),
    ("code output:", ""),
    ("execution result", ""),
    ("executed code block", ""),
    ("ran command:", ""),
    ("here is the output of the command", ""),
    ("result of calling the", ""),
    ("results of the tool", ""),
    ("[result of", ""),
    ("result:", ""),
    ("output:", ""),
    ("stdout:", ""),
];

/// The texts of a unit of the user's role: those of a person, and those of the host. In doubt a person wrote it.
pub(super) fn by_voice(history: History<'_>, unit: u32) -> (Vec<String>, Vec<String>) {
    let view = history.view;
    let before = (0..unit).rev().find(|&before| view.unit(before).speaker == Speaker::Ai);
    let is_answer = before.is_some_and(|before| before + 1 == unit && acts_in_words(history, before));
    let (mut persons, mut hosts) = (Vec::new(), Vec::new());
    let mut is_all = is_answer || view.unit(unit).flags & flags::OBSERVATION != 0;
    let is_whole = is_all;
    for text in texts_of(history, unit) {
        let (is_hosts, announces) = judged(&text, || before.is_some_and(|before| acts(history, before)));
        if is_all || is_hosts { &mut hosts } else { &mut persons }.push(text);
        is_all = is_whole || announces;
    }
    (persons, hosts)
}

/// Whether the host wrote a text, and whether the next text is what this one announces.
fn judged(text: &str, has_acted: impl FnOnce() -> bool) -> (bool, bool) {
    let text = text.trim();
    let first = text.lines().next().unwrap_or_default().trim_end();
    if let Some(tool) = result_of(first) {
        let is_hosts = !brings_answers(tool);
        return (is_hosts, is_hosts && first.len() == text.len());
    }
    if CERTAIN.iter().any(|(begin, also)| text.starts_with(begin) && contains(text, also)) {
        return (true, false);
    }
    let lower = first.to_ascii_lowercase();
    let is_likely = begins_with_element(text)
        || stated_code(first).is_some()
        || LIKELY.iter().any(|(begin, also)| lower.starts_with(begin) && contains(&lower, also));
    (is_likely && has_acted(), false)
}

/// The tool whose result a line announces. Cline and Roo Code write `[execute_command for 'ls'] Result:`.
fn result_of(line: &str) -> Option<&str> {
    let inner = line.strip_prefix('[')?.strip_suffix("] Result:")?;
    let name = inner.split(' ').next()?;
    let is_name = name.contains('_') && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    is_name.then_some(name)
}

/// Whether the model asks for an action, not in a call: its message ends in code, in an element or in an object.
fn acts(history: History<'_>, unit: u32) -> bool {
    let text = unit_text(history, unit);
    let last = text.trim_end().lines().next_back().unwrap_or_default();
    let is_at_end =
        last.ends_with("```") || last.ends_with('}') || last.ends_with('>') && contains(last, "<");
    is_at_end && !has_calls(history, unit) || acts_in_words(history, unit)
}

fn has_calls(history: History<'_>, unit: u32) -> bool {
    let view = history.view;
    view.blocks_of(unit).any(|index| view.block(index).kind == Kind::ToolCall)
}

/// Whether the model asks for a tool in the words of `ReAct`: `Action: search`, `Action Input: rust` at the end.
fn acts_in_words(history: History<'_>, unit: u32) -> bool {
    if has_calls(history, unit) {
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

/// What a person said in a unit. If several persons speak, the name stands before it.
pub(super) fn named(history: History<'_>, unit: u32, texts: &[String]) -> String {
    let text = lines(texts.iter().map(|text| text.trim()));
    let name = name_of(history, unit).filter(|_| !text.trim().is_empty());
    [name.map(|name| name + ": ").unwrap_or_default().as_str(), text.trim()].concat()
}

/// The name of the person who speaks in a unit, if the message has one.
pub(super) fn name_of(history: History<'_>, unit: u32) -> Option<String> {
    let view = history.view;
    let text = view.blocks_of(unit).find(|&index| view.block(index).kind == Kind::Text)?;
    let name = clipped(&one_line(&read(history, view.leaf(text, Leaf::Detail))), LONGEST_NAME);
    Some(name).filter(|name| !name.is_empty())
}

/// The newest unit before `end` that holds a person's text and isn't an earlier summary.
pub(super) fn newest_request(history: History<'_>, earlier: &[u32], end: u32) -> Option<u32> {
    (0..end).rev().find(|&unit| {
        history.view.unit(unit).speaker == Speaker::Human
            && earlier.binary_search(&unit).is_err()
            && by_voice(history, unit).0.iter().any(|text| !parted(text).0.trim().is_empty())
    })
}

/// The texts of a unit.
fn texts_of(history: History<'_>, unit: u32) -> impl Iterator<Item = String> {
    let view = history.view;
    let is_text = move |&index: &u32| view.block(index).kind == Kind::Text;
    view.blocks_of(unit).filter(is_text).map(move |index| read(history, view.leaf(index, Leaf::Text)))
}
