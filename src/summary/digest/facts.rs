//! Facts of a history: requests, files, commands, errors, todo items and notes.

use super::super::answers::{Answer, answers};
use super::super::entries::REFUSED;
use super::super::texts::{clipped, read};
use super::super::voices::named;
use super::super::{History, constraints};
use super::body::{self, Facts, Topic};
use super::errors::{found_nothing, mended, patched, reason};
use super::files::{FileOperations, Twins, operations_in};
use super::outcomes::{Outcome, Told};
use super::{code, todos};
use crate::calls::only_looks;
use crate::prompt::{Todo, acknowledgement, one_line, todo_lines};
use crate::search::{around_first, contains};
use crate::tools::ToolKind;
use crate::view::{Kind, Leaf, Speaker, flags};

/// Longest command that is shown, in UTF-16 code units.
const COMMAND: u32 = 160;
/// Longest question that is shown with its answer.
const QUESTION: u32 = 200;
/// So many of the agent's texts are notes.
const NOTES: usize = 4;
/// What is done with files.
const DEEDS: &[&str] = &["read", "written", "edited"];
/// Files are looked for in so many stretches, so that the newest come last.
const STRETCHES: usize = 8;

/// Adds what some units say; todo items of the caller's count more than those in the history.
pub(super) fn collect(history: History<'_>, units: &[u32], todos: Option<&[Todo]>, facts: &mut Facts) {
    let twins = files(history, units, facts);
    let told = Told::new(history);
    let mut notes = Vec::new();
    for &unit in units {
        match history.view.unit(unit).speaker {
            Speaker::Human => {
                let text = named(history, unit, &constraints::authored(history, unit));
                facts.add(Topic::Requests, &text.clone(), text);
            }
            Speaker::Ai => {
                let text = super::super::texts::unit_text(history, unit);
                // What we had it say to an earlier digest is no word of its own.
                if text.trim().lines().count() > 0 && !text.starts_with(&acknowledgement(None, None)) {
                    notes.push(text.trim().to_owned());
                }
            }
            _ => {}
        }
        for index in history.view.blocks_of(unit) {
            let block = history.view.block(index);
            match block.kind {
                Kind::ToolCall if block.is_live() => call(history, index, &told, facts),
                Kind::Opaque if block.is_live() => answered(history, index, facts),
                _ => {}
            }
        }
    }
    if !notes.is_empty() {
        facts.clear(Topic::Notes);
    }
    for note in notes.iter().skip(notes.len().saturating_sub(NOTES)) {
        let note = body::unlike_ours(note);
        facts.add(Topic::Notes, &note.clone(), note);
    }
    if let Some(todos) = todos.filter(|todos| !todos.is_empty()) {
        todos::replace(todo_lines(todos).into_iter().map(|line| (line.clone(), line)).collect(), facts);
    }
    code::collect(history, units, &twins, facts);
}

/// Adds what was done with files, each under one name.
fn files(history: History<'_>, units: &[u32], facts: &mut Facts) -> Twins {
    let mut deeds: Vec<(String, &str)> = Vec::new();
    for (path, text) in facts.of(Topic::Files) {
        let had = around_first(&text, ": ").unwrap_or_default().1;
        let had = DEEDS.iter().filter(|deed| had.split(", ").any(|word| word == **deed));
        deeds.extend(had.map(|deed| (path.clone(), *deed)));
    }
    let end = units.last().map_or(0, |end| end + 1);
    let step = (units.len() / STRETCHES).max(1);
    let mut from = units.first().copied().unwrap_or_default();
    for to in units.iter().step_by(step).copied().skip(1).chain([end]) {
        let FileOperations { read, written, edited } = operations_in(history, from..to);
        for (paths, deed) in [read, written, edited].into_iter().zip(DEEDS) {
            deeds.extend(paths.into_iter().map(|path| (path, *deed)));
        }
        from = to;
    }
    let twins = Twins::of(&deeds.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>());
    facts.clear(Topic::Files);
    for (path, deed) in deeds {
        let path = one_line(&twins.name(&path));
        let known = facts.get(Topic::Files, &path).and_then(|text| around_first(text, ": "));
        let known = known.unwrap_or_default().1;
        let has = |word: &&&str| **word == deed || known.split(", ").any(|had| had == **word);
        let all: Vec<&str> = DEEDS.iter().filter(has).copied().collect();
        facts.add(Topic::Files, &path, [path.as_str(), ": ", &all.join(", ")].concat());
    }
    twins
}

/// Adds the answers that a block brings.
fn answered(history: History<'_>, index: u32, facts: &mut Facts) {
    for Answer { question, words, is_refusal, .. } in answers(history, index) {
        let asked = match question.is_empty() {
            _ if is_refusal => "refusing a call".to_owned(),
            true => "answer to a question".to_owned(),
            false => ["answer to a question \"", &clipped(&question, QUESTION), "\""].concat(),
        };
        let text = ["(", &asked, ") ", &words].concat();
        facts.add(Topic::Requests, &text.clone(), text);
    }
}

/// What a call did and how it went.
fn call(history: History<'_>, index: u32, told: &Told, facts: &mut Facts) {
    let view = history.view;
    let block = view.block(index);
    let name = view.names.tool_name(block.tool);
    let kind = history.tools.kind(name);
    let Some(response) = view.partner(index).filter(|&response| view.block(response).is_live()) else {
        return;
    };
    answered(history, response, facts);
    if todos::take_up(history, index, response, facts) {
        return;
    }
    let is_shell = kind == ToolKind::Shell;
    let has_failed = view.block(response).has(flags::FAILED);
    let about = read(history, view.leaf(index, Leaf::KeyParameter));
    let is_patch = about.is_empty() || contains(&about, "*** Begin Patch");
    let about = if is_patch && kind == ToolKind::Edit { patched(history, index) } else { about };
    let is_looking = is_shell && only_looks(&about);
    let shown = clipped(&one_line(&about), COMMAND);
    // Of a key nothing but the outcome may follow.
    let name = one_line(name);
    let key = [name.as_str(), " ", &shown.replace(": ", ":")].concat();
    let outcome = match has_failed {
        true if is_looking && found_nothing(history, response) => Outcome::Succeeded,
        true => Outcome::Failed,
        false if is_shell && !is_looking => told.outcome(history, index, response, facts, &key),
        false => Outcome::Succeeded,
    };
    if outcome.has_failed() {
        let is_refused = view.block(response).has(flags::REFUSED);
        let text = if is_refused { REFUSED.to_owned() } else { reason(history, response, is_looking) };
        facts.add(Topic::Errors, &key, [&key, ": ", &text].concat());
    } else if outcome == Outcome::Succeeded {
        facts.remove(Topic::Errors, &key);
        mended(history, index, facts);
    }
    if is_shell && !shown.is_empty() && !is_looking {
        facts.add(Topic::Commands, &shown, [&shown, outcome.words().as_str()].concat());
    }
}
