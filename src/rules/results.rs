//! Shared parts of the rules that read results: each new result is read once. Media have no text to look into.

use std::borrow::Cow;

use serde_json::Value;

use super::failed_calls::FailedCalls;
use super::line_numbers::unnumber;
use super::new_result::NewResult;
use super::numbers::Numbering;
use super::old_results::{Class, FileName, Further, OldResults};
use super::old_thinking::OldThinking;
use super::references::References;
use super::repeated_calls::RepeatedCalls;
use super::repeated_media::RepeatedMedia;
use super::repeats::Repeats;
use super::stubs::{Answer, LARGEST, Stubs, said};
use super::superseded::Superseded;
use super::write_arguments::WriteArguments;
use crate::calls::content::Origin;
use crate::calls::outcome::{has_words_of_user, says_nothing, stated_code};
use crate::calls::{Beside, Calls, Effect, Lines};
use crate::edit::{Editor, may_patch, written};
use crate::json;
use crate::lines::{fingerprint, rows_and_prints};
use crate::tools::{ToolTable, file_name, is_kept_tool};
use crate::utf16::utf16_length;
use crate::view::{Kind, Leaf, NONE, PathId, Speaker, TextSource, View, flags};

/// Shorter results aren't looked into, in UTF-16 code units.
const LEAST: u32 = 200;

/// Which of the rules are on.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // Each is a rule of its own.
pub struct Switches {
    /// Lines that a later result repeats.
    pub repeats: bool,
    /// The numbers before lines.
    pub line_numbers: bool,
    /// Reads whose lines are shown again.
    pub superseded_reads: bool,
    /// Results of calls that are made again with nothing changed in between.
    pub repeated_calls: bool,
    /// Results of failed calls that succeed later.
    pub failed_calls: bool,
    /// Arguments of writes that a later result shows.
    pub write_arguments: bool,
    /// Images and files that come again later.
    pub repeated_media: bool,
    /// Whether only text goes that the rest of the history still shows.
    pub is_strict: bool,
    /// How far old results are cut.
    pub old: Option<u32>,
    /// Whether edits wait until a flush pays.
    pub waits: bool,
    /// Whether old thinking goes, only for a budget (none), or never.
    pub old_thinking: Option<bool>,
}

/// The rules that look into results.
#[derive(Clone, Debug)]
pub struct Results {
    next_block: u32,
    /// Cuts lines that a later result repeats.
    pub repeats: Option<Repeats>,
    /// Whether the numbers before lines go.
    pub line_numbers: bool,
    calls: Calls,
    numbering: Numbering,
    references: References,
    stubs: Stubs,
    superseded: Option<Superseded>,
    repeated_calls: Option<RepeatedCalls>,
    failed_calls: Option<FailedCalls>,
    repeated_media: Option<RepeatedMedia>,
    write_arguments: Option<WriteArguments>,
    /// Cuts old results to a size.
    pub old: OldResults,
    old_thinking: OldThinking,
}

impl Results {
    /// The rules that are on.
    #[must_use]
    pub fn new(on: Switches) -> Self {
        Self {
            next_block: 0,
            repeats: on.repeats.then(|| Repeats::new(on.old.is_some(), on.is_strict)),
            line_numbers: on.line_numbers,
            calls: Calls::default(),
            numbering: Numbering::default(),
            references: References::default(),
            stubs: Stubs::default(),
            superseded: on.superseded_reads.then(|| Superseded::new(on.old.is_some(), on.is_strict)),
            repeated_calls: on.repeated_calls.then(RepeatedCalls::default),
            failed_calls: on.failed_calls.then(FailedCalls::default),
            repeated_media: on.repeated_media.then(RepeatedMedia::default),
            write_arguments: on.write_arguments.then(|| WriteArguments::new(on.is_strict)),
            old: OldResults::new(on.old, on.waits),
            old_thinking: OldThinking::new(on.old_thinking),
        }
    }

    /// Looks at the results that are new since the last run. Of those in the first `decided` units an earlier
    /// instance decided, whose edits were made again.
    pub fn run(
        &mut self,
        view: &mut View,
        editor: &mut Editor,
        tools: &ToolTable,
        source: &dyn TextSource,
        decided: u32,
    ) {
        while self.next_block < view.block_count() {
            let index = self.next_block;
            self.next_block += 1;
            let unit = view.block(index).unit;
            if view.unit(unit).speaker == Speaker::Human {
                self.old_thinking.hear(unit);
            }
            let new = (index, unit < decided);
            match (view.block(index).kind, &mut self.repeated_media) {
                (Kind::ToolResponse, _) => self.see(view, editor, tools, source, new),
                (Kind::Media, Some(rule)) => rule.see(view, editor, source, new),
                (Kind::Thinking, _) => self.old_thinking.see(view, index, self.old.count()),
                _ => {}
            }
        }
        let cut = self.old.run(view, editor, source, &self.references);
        self.hide(view, editor, cut);
        self.old_thinking.run(view, editor, self.old.answered);
    }

    /// Cuts old results so many rungs further in a unit or behind it, and drops old thinking there: a flush sends all of
    /// that again.
    pub fn deepen(
        &mut self,
        view: &mut View,
        editor: &mut Editor,
        source: &dyn TextSource,
        anew: (u32, u32),
    ) {
        let cut = self.old.deepen(view, editor, (source, &self.references), anew);
        self.hide(view, editor, cut);
        self.old_thinking.deepen(view, editor, self.old.answered, anew.0);
    }

    /// What a flush now would save by cutting further.
    pub fn further_savings(&mut self, view: &View, editor: &Editor, source: &dyn TextSource) -> Vec<Further> {
        self.old.further_savings(view, editor, (source, &self.references))
    }

    /// Notes that results were cut: nothing that repeats them may rest on them.
    fn hide(&mut self, view: &View, editor: &Editor, cut: impl IntoIterator<Item = u32>) {
        let Some(repeats) = &mut self.repeats else { return };
        for block in cut {
            repeats.hide(view, editor, block);
        }
    }

    /// A budget begins to cut.
    pub fn press_anew(&mut self) {
        self.old.press_anew();
    }

    /// Drops old thinking, else cuts one old result, beyond the preset; whether there was one to cut.
    pub fn cut_next(&mut self, view: &mut View, editor: &mut Editor, source: &dyn TextSource) -> bool {
        if self.old_thinking.drop_next(view, editor, self.old.answered) {
            return true;
        }
        let cut = self.old.cut_next(view, editor, source, &self.references);
        self.hide(view, editor, cut);
        cut.is_some()
    }

    fn see(
        &mut self,
        view: &mut View,
        editor: &mut Editor,
        tools: &ToolTable,
        source: &dyn TextSource,
        (index, is_decided): (u32, bool),
    ) {
        let block = *view.block(index);
        let call = view.partner(index);
        let parameters = call.map(|call| view.text(source, call, Leaf::Json)).unwrap_or_default();
        let did = call.map(|call| self.calls.of(view, tools, call, &parameters));
        let (effects, read) = did.unwrap_or_default();
        let named = class_of(view, (index, call), &effects, self.calls.last);
        let unread = if read.is_none() { json::read(&parameters) } else { None };
        let (named, files) = content_of(view, tools, (call, named), read.as_ref().or(unread.as_ref()));
        let is_text = block.has(flags::STRING_RESULT | flags::OUTPUT_RESULT);
        let knows_files = effects.iter().any(|effect| !matches!(effect, Effect::Anything));
        let text = if is_text && (named != Class::Kept || knows_files) {
            view.text(source, index, Leaf::Text)
        } else {
            String::new()
        };
        let has_words = has_words_of_user(&text) || !is_text && has_words_of_user(&said(view, source, index));
        let class = match named {
            _ if has_words => Class::Kept,
            Class::Output if stated_code(&text).is_some_and(|code| code != 0) => Class::Failure,
            named => named,
        };
        let is_looked_into = class != Class::Kept && block.size >= LEAST;
        let is_measured = is_text && class != Class::Kept;
        // A tool's number, and a fingerprint of its parameters.
        let asked = fingerprint(&parameters) ^ u64::from(block.tool.0).rotate_left(24);
        self.grow_old(
            view,
            (index, call, asked, class),
            (&effects, files),
            is_measured.then(|| utf16_length(&text)),
        );
        let is_numbered =
            call.is_some_and(|call| self.numbering.is_of_tool(view, call, &effects, (&parameters, &text)));
        let (rows, prints) = rows_and_prints(&text, is_numbered);
        let is_refused = block.has(flags::FAILED | flags::DOUBTFUL) || says_nothing(&text);
        let result = NewResult {
            block: index,
            call: call.unwrap_or(NONE),
            asked,
            text: &text,
            rows: &rows,
            prints: &prints,
            is_numbered,
            is_decided,
            is_cuttable: is_looked_into,
            is_effective: !is_refused && !block.has(flags::COMPACTED | flags::FIXED_RESULT),
            is_refused,
            is_file: matches!(class, Class::File | Class::LikelyFile),
            path: if self.calls.last.may_be_away { None } else { effects.iter().find_map(certain_path) },
            may_be_away: self.calls.last.may_be_away,
            is_written: false,
        };
        let has_numbers = rows.iter().any(|row| row.number.is_some());
        let answered = call.filter(|_| !block.has(flags::COMPACTED) || is_decided);
        self.see_answer(view, editor, source, (&result, answered, &effects));
        if call.is_some() {
            self.see_call(view, editor, source, (&result, (&parameters, read.as_ref()), &effects));
        }
        let is_whole = !is_text && is_looked_into && !block.has(flags::FIXED_RESULT);
        if class == Class::Kept || !(is_text || is_whole) {
            return;
        }
        if is_looked_into && self.line_numbers && has_numbers && !is_decided && may_patch(view, index) {
            unnumber(view, editor, source, (index, &text));
        }
        if let Some(repeats) = &mut self.repeats {
            if is_whole {
                // In a structured payload no line can be cut, but all of it may be shown again.
                let json = view.text(source, index, Leaf::Json);
                let (rows, prints) = rows_and_prints(&json, false);
                let whole = NewResult { text: &json, rows: &rows, prints: &prints, ..result };
                repeats.see(view, editor, source, &whole);
            } else if is_looked_into {
                repeats.see(view, editor, source, &result);
            }
            if let (Some(call), Some(read), true) = (call, &read, is_text)
                && view.block(call).has(flags::WRITE)
                && !is_refused
                && !is_decided
            {
                for text in written(read) {
                    repeats.see_written(view, editor, source, (&result, text));
                }
            }
            for block in std::mem::take(&mut repeats.cut) {
                self.references.see(view, editor, source, block, &[]);
            }
        }
        // An earlier cut may have left a note that refers to another result.
        self.references.see(view, editor, source, index, &rows);
        if let Some(call) = call.filter(|&call| view.block(call).has(flags::WRITE)) {
            let cut = editor.replacement_of(view, call);
            for text in read.as_ref().map(written).into_iter().flatten().chain([cut]) {
                self.references.see_written(view, source, call, text);
            }
        }
    }

    /// Takes in the answer to a call, which may be a stub: files that it means are young again.
    fn see_answer(
        &mut self,
        view: &mut View,
        editor: &mut Editor,
        source: &dyn TextSource,
        (result, call, effects): (&NewResult<'_>, Option<u32>, &[Effect]),
    ) {
        let Some(call) = call else { return };
        let block = *view.block(result.block);
        let is_text = block.has(flags::STRING_RESULT | flags::OUTPUT_RESULT);
        let of_json = || if block.size < LARGEST { said(view, source, result.block) } else { String::new() };
        let words = if is_text { Cow::Borrowed(result.text) } else { Cow::Owned(of_json()) };
        let (paths, lines) = read_by(view, call, effects);
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
    fn grow_old(
        &mut self,
        view: &View,
        (index, call, asked, class): (u32, Option<u32>, u64, Class),
        (effects, mut files): (&[Effect], Vec<PathId>),
        size: Option<u32>,
    ) {
        let mut shown = None;
        for effect in effects {
            let file = |path| name_of(view, path);
            match *effect {
                Effect::Shows { path, .. } => shown = shown.or(Some(path)),
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
        let named = || call.and_then(|call| view.paths_of(view.block(call)).first().copied());
        if matches!(class, Class::File | Class::LikelyFile) {
            files.extend(shown.or_else(named));
        } else {
            files.clear();
        }
        let caller = call.map_or(NONE, |call| view.block(call).unit);
        let files = files.into_iter().map(|path| name_of(view, path)).collect();
        self.old.see((index, caller, asked), (class, files), size);
    }

    /// What a result's call did decides on older results, and on arguments.
    fn see_call(
        &mut self,
        view: &mut View,
        editor: &mut Editor,
        source: &dyn TextSource,
        (result, parameters, effects): (&NewResult<'_>, (&str, Option<&Value>), &[Effect]),
    ) {
        if let Some(rule) = &mut self.superseded {
            for effect in effects {
                rule.see(view, editor, source, &mut self.references, (result, effect));
            }
        }
        if self.repeated_calls.is_some() || self.failed_calls.is_some() {
            // The same words in another folder ask for something else.
            let asked = result.asked ^ u64::from(self.calls.last.place).rotate_left(44);
            if let Some(rule) = &mut self.repeated_calls {
                let repeated = (result, parameters.0, asked, effects);
                rule.see(view, editor, source, &mut self.references, repeated);
            }
            if let Some(rule) = &mut self.failed_calls {
                rule.see(view, editor, source, &mut self.references, (result, asked, effects));
            }
        }
        // What a later result shows of a write is there, wherever it was written.
        if let (Some(rule), [effect] | [effect @ Effect::Spoils { .. }, Effect::Anything]) =
            (&mut self.write_arguments, effects)
        {
            let effect = (effect, effects.len() > 1);
            rule.see(view, editor, source, &mut self.references, (result, effect, parameters));
        }
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.old.bytes()
            + self.old_thinking.bytes()
            + self.repeats.as_ref().map_or(0, Repeats::bytes)
            + self.references.bytes()
            + self.stubs.bytes()
            + self.superseded.as_ref().map_or(0, Superseded::bytes)
            + self.repeated_calls.as_ref().map_or(0, RepeatedCalls::bytes)
            + self.failed_calls.as_ref().map_or(0, FailedCalls::bytes)
            + self.repeated_media.as_ref().map_or(0, RepeatedMedia::bytes)
            + self.write_arguments.as_ref().map_or(0, WriteArguments::bytes)
    }
}

/// The file of an effect, if it is certain which one that is.
const fn certain_path(effect: &Effect) -> Option<PathId> {
    match *effect {
        Effect::Shows { path, .. } | Effect::Writes { path } | Effect::Changes { path, .. } => Some(path),
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
fn name_of(view: &View, path: PathId) -> FileName {
    fingerprint(&file_name(view.names.path_text(path)).to_ascii_lowercase())
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
