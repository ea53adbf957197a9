//! Reads each new result once, for all rules, and ages what was read. Media have no text to look into.

use std::borrow::Cow;

use serde_json::Value;

use super::Registry;
use super::compacted::is_unchanged;
use super::new_result::NewResult;
use super::numbers::Numbering;
use super::old_results::{Class, FileName, Further, OldResults};
use super::old_thinking::OldThinking;
use super::rule::{Context, Setup};
use super::stubs::{Answer, LARGEST, Stubs, said};
use super::unchanged::{Again, Unchanged};
use crate::calls::content::Origin;
use crate::calls::outcome::{
    has_words_of_user, reports_trouble, says_nothing, shows_final_file, stated_code,
};
use crate::calls::{Beside, Calls, Effect, Lines};
use crate::edit::written;
use crate::json;
use crate::lines::{fingerprint, rows_and_prints};
use crate::tools::{ToolTable, file_name, is_kept_tool};
use crate::utf16::utf16_length;
use crate::view::{Kind, Leaf, NONE, PathId, View, flags};

/// Shorter results aren't looked into, in UTF-16 code units.
const LEAST: u32 = 200;

/// Reads results, and cuts what grows old.
///
/// Old results and old thinking are not in the list of rules, for two reasons. A budget and a flush cut further than their
/// options say, so both count what is new even when their options are off. And thinking ages by the results that the
/// rule for old results counts.
#[derive(Clone, Debug)]
pub struct Results {
    next_block: u32,
    /// The number of calls that may have changed a file.
    changes: u32,
    calls: Calls,
    numbering: Numbering,
    stubs: Stubs,
    /// None if new results don't give way to older ones.
    unchanged: Option<Unchanged>,
    old: OldResults,
    old_thinking: OldThinking,
}

impl Results {
    /// Reads results from the start of a history; none if no rule needs that.
    pub fn new(setup: &Setup<'_>, rules: &Registry) -> Option<Self> {
        let Setup { settings, rung, .. } = *setup;
        // Unless it is off, a budget may take old thinking in any preset.
        let by_preset = OldThinking::PRESETS.contains(&setup.preset).then_some(true);
        let old_thinking = settings.rules.old_thinking.or(by_preset);
        let ages = rung.is_some() || old_thinking == Some(true) || settings.budget.is_some();
        (rules.reads() || ages).then(|| Self {
            next_block: 0,
            changes: 0,
            calls: Calls::default(),
            numbering: Numbering::default(),
            stubs: Stubs::default(),
            // `recencyPruning` would keep the note and prune the result that it means.
            unchanged: (setup.caches() && rules.repeats.is_some() && rules.recency_pruning.is_none())
                .then(Unchanged::default),
            old: OldResults::new(rung, setup.waits()),
            old_thinking: OldThinking::new(old_thinking),
        })
    }

    /// Shows the rules what is new since the last run. Of the first `decided` units an earlier instance decided, whose
    /// edits were made again. Then it cuts what became old enough.
    pub fn run(&mut self, rules: &mut Registry, context: &mut Context<'_>, decided: u32) {
        while self.next_block < context.view.block_count() {
            let index = self.next_block;
            self.next_block += 1;
            let block = context.view.block(index);
            let (kind, is_decided) = (block.kind, block.unit < decided);
            self.old_thinking.see_block(context.view, index, self.old.count());
            if kind == Kind::ToolResponse {
                self.see(rules, context, index, is_decided);
            } else {
                rules.see_block(context, index, is_decided);
            }
        }
        let cut = self.old.run(context);
        rules.hide(context, cut);
        self.old_thinking.run(context, self.old.answered);
    }

    /// Cuts old results so many rungs further in a unit or behind it, and drops old thinking there: a flush sends all of
    /// that again.
    pub fn deepen(&mut self, rules: &mut Registry, context: &mut Context<'_>, anew: (u32, u32)) {
        let cut = self.old.deepen(context, anew);
        rules.hide(context, cut);
        self.old_thinking.deepen(context, self.old.answered, anew.0);
    }

    /// What a flush now would save by cutting further.
    pub fn further_savings(&mut self, context: &Context<'_>) -> Vec<Further> {
        self.old.further_savings(context)
    }

    /// A budget begins to cut.
    pub fn reset_pressure(&mut self) {
        self.old.reset_pressure();
    }

    /// Drops old thinking, else cuts one old result, beyond the preset; whether there was one to cut.
    pub fn cut_next(&mut self, rules: &mut Registry, context: &mut Context<'_>) -> bool {
        if self.old_thinking.drop_next(context, self.old.answered) {
            return true;
        }
        let cut = self.old.cut_next(context);
        rules.hide(context, cut);
        cut.is_some()
    }

    /// Reads a new result once, for all rules.
    fn see(&mut self, rules: &mut Registry, context: &mut Context<'_>, index: u32, is_decided: bool) {
        let Context { view, editor, tools, source, .. } = context;
        let (tools, source) = (*tools, *source);
        let block = *view.block(index);
        let call = view.partner(index);
        let parameters = call.map(|call| view.text(source, call, Leaf::Json)).unwrap_or_default();
        if let Some(call) = call {
            editor.count_read(view, source, (call, Leaf::Json), &parameters);
        }
        let did = call.map(|call| self.calls.of(view, tools, call, &parameters));
        let (effects, read) = did.unwrap_or_default();
        let named = class_of(view, (index, call), &effects, self.calls.last);
        let unread = if read.is_none() { json::read(&parameters) } else { None };
        let (named, files) = content_of(view, tools, (call, named), read.as_ref().or(unread.as_ref()));
        let is_text = block.has(flags::STRING_RESULT | flags::OUTPUT_RESULT);
        let knows_files = effects.iter().any(|effect| !matches!(effect, Effect::Anything));
        let text = if is_text && (named != Class::Kept || knows_files) {
            let text = view.text(source, index, Leaf::Text);
            editor.count_read(view, source, (index, Leaf::Text), &text);
            text
        } else {
            String::new()
        };
        let has_words = has_words_of_user(&text) || !is_text && has_words_of_user(&said(view, source, index));
        let class = match named {
            _ if has_words => Class::Kept,
            Class::Output if stated_code(&text).map_or_else(|| reports_trouble(&text), |code| code != 0) => {
                Class::Failure
            }
            // The file as a formatter left it, which nothing else shows.
            Class::Output if shows_final_file(&text) => Class::LikelyFile,
            named => named,
        };
        let is_looked_into = class != Class::Kept && block.size >= LEAST;
        let is_measured = is_text && class != Class::Kept;
        // A tool's number, and a fingerprint of its parameters.
        let asked = fingerprint(&parameters) ^ u64::from(block.tool.0).rotate_left(24);
        let is_numbered =
            call.is_some_and(|call| self.numbering.is_of_tool(view, call, &effects, (&parameters, &text)));
        let is_refused = block.has(flags::FAILED | flags::DOUBTFUL) || says_nothing(&text);
        // The same words in another folder ask for something else.
        let asked_here = asked ^ u64::from(self.calls.last.place).rotate_left(44);
        let again = Again {
            block: index,
            text: &text,
            asked: asked_here,
            effects: &effects,
            may_go: is_text
                && is_looked_into
                && class != Class::Failure
                && !is_refused
                && !self.calls.last.may_be_away
                && call.is_some_and(|call| !view.block(call).has(flags::WRITE)),
            is_decided,
        };
        let unchanged = self.unchanged.as_mut();
        let note = unchanged.and_then(|unchanged| unchanged.see(view, editor, source, again));
        let text = note.unwrap_or(text);
        let (rows, prints) = rows_and_prints(&text, is_numbered);
        self.changes += u32::from(effects.iter().any(|effect| !matches!(effect, Effect::Shows { .. })));
        let result = NewResult {
            block: index,
            call: call.unwrap_or(NONE),
            asked,
            asked_here,
            json: &parameters,
            parameters: read.as_ref(),
            effects: &effects,
            text: &text,
            rows: &rows,
            prints: &prints,
            is_numbered,
            is_decided,
            is_cuttable: is_looked_into,
            is_comparable: is_measured,
            is_structure: !is_text && is_looked_into && !block.has(flags::FIXED_RESULT),
            is_effective: !is_refused && !block.has(flags::COMPACTED | flags::FIXED_RESULT),
            is_refused,
            is_file: matches!(class, Class::File | Class::LikelyFile),
            path: if self.calls.last.may_be_away { None } else { effects.iter().find_map(certain_path) },
            first_line: first_line(&effects),
            changes: self.changes,
            may_be_away: self.calls.last.may_be_away,
            is_written: false,
        };
        self.grow_old(view, &result, (class, files));
        let answered = call.filter(|_| !block.has(flags::COMPACTED) || is_decided || is_unchanged(&text));
        self.see_answer(context, &result, answered);
        rules.see(context, &result);
        if class == Class::Kept || !(is_text || result.is_structure) {
            return;
        }
        // An earlier cut may have left a note that refers to another result.
        context.note_pointers(index, &rows);
        let Context { view, editor, source, references, .. } = context;
        if let Some(call) = call.filter(|&call| view.block(call).has(flags::WRITE)) {
            let cut = editor.replacement_of(view, call);
            for text in read.as_ref().map(written).into_iter().flatten().chain([cut]) {
                references.see_written(view, *source, call, text);
            }
        }
    }

    /// Takes in the answer to a call, which may be a stub: files that it means are young again.
    fn see_answer(&mut self, context: &mut Context<'_>, result: &NewResult<'_>, call: Option<u32>) {
        let Some(call) = call else { return };
        let Context { view, editor, source, .. } = context;
        let source = *source;
        let block = *view.block(result.block);
        let is_text = block.has(flags::STRING_RESULT | flags::OUTPUT_RESULT);
        let of_json = || if block.size < LARGEST { said(view, source, result.block) } else { String::new() };
        let words = if is_text { Cow::Borrowed(result.text) } else { Cow::Owned(of_json()) };
        let (paths, lines) = read_by(view, call, result.effects);
        let new = Answer {
            block: result.block,
            text: &words,
            asked: result.asked,
            paths: &paths,
            lines,
            is_refused: result.is_refused && !result.rows.iter().any(|row| row.number.is_some()),
            is_decided: result.is_decided,
        };
        for block in self.stubs.see(view, editor, source, new) {
            self.old.renew(block);
        }
        if self.stubs.is_last_one {
            for &path in &paths {
                self.old.change(name_of(view, path));
            }
        }
        self.old.is_stub_given = self.stubs.are_given;
    }

    /// Takes a result in that grows old; files that its call changed are young again.
    fn grow_old(&mut self, view: &View, result: &NewResult<'_>, (class, mut files): (Class, Vec<PathId>)) {
        let mut shown = None;
        for effect in result.effects {
            let file = |path| name_of(view, path);
            match *effect {
                Effect::Shows { path, .. } => {
                    shown = shown.or(Some(path));
                    // The file is gone, as far as is known.
                    if view.block(result.block).has(flags::FAILED) {
                        self.old.lose(file(path));
                    }
                }
                Effect::Changes { path, .. } => {
                    self.old.change(file(path));
                    self.stubs.change(path);
                }
                Effect::Spoils { path } => {
                    self.old.change(file(path));
                    self.old.lose(file(path));
                    self.stubs.change(path);
                }
                Effect::Writes { path } => {
                    self.old.lose(file(path));
                    self.stubs.change(path);
                }
                Effect::Anything => {
                    self.stubs.change_any();
                    // What a call names in any way, it may work on.
                    for &path in &files {
                        self.old.change(file(path));
                        self.old.lose(file(path));
                    }
                }
            }
        }
        let call = Some(result.call).filter(|&call| call != NONE);
        let named = || call.and_then(|call| view.paths_of(view.block(call)).first().copied());
        if matches!(class, Class::File | Class::LikelyFile) {
            files.extend(shown.or_else(named));
        } else {
            files.clear();
        }
        let caller = call.map_or(NONE, |call| view.block(call).unit);
        let files: Vec<FileName> = files.into_iter().map(|path| name_of(view, path)).collect();
        let size = result.is_comparable.then(|| utf16_length(result.text));
        self.old.see((result.block, caller, result.asked), (class, &files), size);
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.old.bytes()
            + self.old_thinking.bytes()
            + self.stubs.bytes()
            + self.unchanged.as_ref().map_or(0, Unchanged::bytes)
    }
}

/// The file of an effect, if it is certain which one that is.
const fn certain_path(effect: &Effect) -> Option<PathId> {
    match *effect {
        Effect::Shows { path, .. } | Effect::Writes { path } | Effect::Changes { path, .. } => Some(path),
        _ => None,
    }
}

/// The first line that a call shows or writes of its only file, if that is certain.
fn first_line(effects: &[Effect]) -> Option<u32> {
    match *effects {
        // Some tools count from 0.
        [Effect::Shows { lines, .. }] => Some(lines.0.max(1)),
        [Effect::Writes { .. }] => Some(1),
        _ => None,
    }
}

/// The files that a call reads, and the lines that it asks for, if these are known.
fn read_by(view: &View, call: u32, effects: &[Effect]) -> (Vec<PathId>, Option<Lines>) {
    let block = view.block(call);
    match *effects {
        [Effect::Shows { path, lines }] => (vec![path], Some(lines)),
        _ if block.has(flags::READ) => (view.paths_of(block).to_vec(), None),
        _ => (Vec::new(), None),
    }
}

/// The class of a result, where its call alone doesn't tell, and the files that the call seems to name.
fn content_of(
    view: &mut View,
    tools: &ToolTable,
    (call, class): (Option<u32>, Class),
    parameters: Option<&Value>,
) -> (Class, Vec<PathId>) {
    let (Some(call), Class::Output | Class::Failure, Some(parameters)) = (call, class, parameters) else {
        return (class, Vec::new());
    };
    let (origin, files) = Calls::content(view, tools, call, parameters);
    let class = match (origin, class) {
        (Origin::Agent, _) => Class::Kept,
        (Origin::Files, Class::Output) => Class::LikelyFile,
        _ => class,
    };
    (class, files)
}

/// The name of a file.
#[allow(clippy::cast_possible_truncation)]
fn name_of(view: &View, path: PathId) -> FileName {
    fingerprint(&file_name(view.names.path_text(path)).to_ascii_lowercase()) as FileName
}

/// The class of a result, by its call and the call's effects.
fn class_of(view: &View, (result, call): (u32, Option<u32>), effects: &[Effect], beside: Beside) -> Class {
    let Some(call) = call else { return Class::Output };
    let block = view.block(call);
    let shown = effects.iter().find_map(|effect| match effect {
        Effect::Shows { path, .. } => Some(path),
        _ => None,
    });
    let names_kept = view.paths_of(block).iter().chain(shown).any(|&path| view.names.is_kept(path));
    if names_kept
        || beside.shows_kept
        || block.has(flags::TODO)
        || is_kept_tool(view.names.tool_name(block.tool))
    {
        return Class::Kept;
    }
    if view.block(result).has(flags::FAILED) {
        return Class::Failure;
    }
    if block.has(flags::READ) || shown.is_some() { Class::File } else { Class::Output }
}
