//! Some hosts answer a repeated read with a stub: "File unchanged since your last read, refer to that result." The
//! result that it means is as young as the stub. If it was cut before, its content follows the stub's words. The stub is
//! new, so no cache is lost; this is the only edit that makes a text longer. Without it the model would ask for the
//! file again and again, and get the stub each time.
//!
//! Hosts have their own words for this, in any language. So a few words also count as a stub where the file was long,
//! densify cut it, and no change of it is known. They may be the whole file after all, so a note says that the old text
//! was shown before.

use super::compacted::{Subject, is_unchanged};
use crate::calls::outcome::{STUB, is_brief, refers_back, says_trouble};
use crate::calls::{Lines, WHOLE};
use crate::edit::{Editor, RuleName};
use crate::lines::{OURS, fingerprint, first_number};
use crate::scatter::Numbers;
use crate::search::contains;
use crate::view::{Kind, Leaf, NONE, PathId, TextSource, View, flags};

/// Larger results, in UTF-16 code units of JSON, are no stubs; reminders may stand beside one.
pub const LARGEST: u32 = 4_000;

/// So many results of a file are looked at.
const LOOKED_AT: usize = 8;
/// A few words stand for a result only if it is this many times as long, and at least so long, in bytes.
const TIMES: usize = 4;
const LONG: usize = 1_000;
/// Who asks for so few lines gets so few.
const FEW: u32 = 5;

/// A new result, as far as it matters here.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'text> {
    /// Its block.
    pub block: u32,
    /// What it says.
    pub text: &'text str,
    /// A number for its call's tool and parameters.
    pub asked: u64,
    /// The files that its call reads, and the lines that it asked for, if these are known.
    pub paths: &'text [PathId],
    /// See [`Self::paths`].
    pub lines: Option<Lines>,
    /// Whether it says that the call did nothing.
    pub is_refused: bool,
    /// Whether an earlier instance decided what follows from it.
    pub is_decided: bool,
}

impl Answer<'_> {
    #[allow(clippy::cast_possible_truncation)]
    const fn asked(&self) -> u32 {
        (self.asked ^ (self.asked >> 32)) as u32
    }
}

/// A result that a stub may mean.
#[derive(Clone, Copy, Debug)]
struct Shown {
    block: u32,
    /// The block in which its content stands: a stub's, once it was brought back there.
    holder: u32,
    is_whole: bool,
    /// The place of the result before it that the same call gave.
    before: Option<u32>,
}

/// The newest results of calls, and what stubs mean.
#[derive(Clone, Debug, Default)]
pub struct Stubs {
    shown: Vec<Shown>,
    /// Places in [`Self::shown`]: of each file's results, and of the newest result of each call.
    by_path: Vec<Vec<u32>>,
    by_call: Numbers<u32>,
    /// How many results there were when a file was last changed by a known call.
    changed: Numbers<PathId>,
    /// How many results there were when a call that isn't understood last ran.
    changed_any: u32,
    /// Whether the host was seen to answer so.
    pub are_given: bool,
    /// Whether the last result was a stub.
    pub is_last_one: bool,
}

impl Stubs {
    /// Notes that a call changed a file.
    pub fn change(&mut self, path: PathId) {
        self.changed.insert(path, self.count());
    }

    /// Notes that a call may have changed any file.
    pub const fn change_any(&mut self) {
        self.changed_any = self.count();
    }

    #[allow(clippy::cast_possible_truncation)]
    const fn count(&self) -> u32 {
        self.shown.len() as u32
    }

    /// Takes in a result; the results that are as young as it, if it is a stub that means them.
    pub fn see(
        &mut self,
        view: &mut View,
        editor: &mut Editor,
        source: &dyn TextSource,
        new: Answer<'_>,
    ) -> Vec<u32> {
        let meant = self.find(view, source, new);
        self.is_last_one = !meant.is_empty();
        let meant_blocks: Vec<u32> = self.at(&meant).map(|shown| shown.block).collect();
        if meant.is_empty() {
            // A few words on why nothing was shown are no content.
            if !new.is_refused {
                self.note(new);
            }
            return meant_blocks;
        }
        let may_come_back = |&place: &usize| {
            // A note of an earlier densify holds nothing to bring back.
            self.at(&[place]).any(|shown| {
                is_lost(view, editor, shown) && !said(view, source, shown.block).starts_with(OURS)
            })
        };
        let hidden: Vec<usize> = meant.into_iter().filter(may_come_back).take(LOOKED_AT).collect();
        if !new.is_decided && !hidden.is_empty() {
            self.restore(view, editor, source, (new, &hidden));
        }
        // A note of ours keeps a result, and says nothing about the host.
        let is_of_host = !new.text.starts_with(OURS);
        self.are_given |= is_of_host && refers_back(new.text);
        if is_of_host && view.block(new.block).replacement != NONE {
            self.are_given = true;
            for place in hidden {
                if let Some(shown) = self.shown.get_mut(place) {
                    shown.holder = new.block;
                }
            }
        }
        meant_blocks
    }

    /// The places of the results that a new one means; none if it is no stub.
    fn find(&self, view: &View, source: &dyn TextSource, new: Answer<'_>) -> Vec<usize> {
        let asks_for_few = new.lines.is_some_and(|(from, to)| to != NONE && to - from.min(to) < FEW);
        let words = new.text.trim();
        let may_be =
            !words.is_empty() && !asks_for_few && is_brief(new.text) && first_number(new.text).is_none();
        if !may_be {
            return Vec::new();
        }
        let is_said = refers_back(new.text);
        let meant = self.meant(view, new, is_said);
        let is_stub = !meant.is_empty() && (is_said || self.is_silent(view, source, &meant, new));
        let is_part = || self.at(&meant).any(|shown| contains(&said(view, source, shown.block), words));
        if is_stub && !is_part() { meant } else { Vec::new() }
    }

    /// The results at some places.
    fn at(&self, places: &[usize]) -> impl Iterator<Item = &Shown> {
        places.iter().filter_map(|&place| self.shown.get(place))
    }

    /// Notes a result that a stub may mean later.
    fn note(&mut self, new: Answer<'_>) {
        let (place, block) = (self.count(), new.block);
        let before = self.by_call.insert(new.asked(), place);
        self.shown.push(Shown { block, holder: block, is_whole: new.lines == Some(WHOLE), before });
        for &path in new.paths {
            let index = path as usize;
            if self.by_path.len() <= index {
                self.by_path.resize_with(index + 1, Vec::new);
            }
            let Some(places) = self.by_path.get_mut(index) else { continue };
            if places.len() == LOOKED_AT {
                places.remove(0);
            }
            places.push(place);
        }
    }

    /// The places of the results that a stub would mean, the oldest first: that of the same call; else the newest ones of its
    /// file, back to one that showed all of it. Calls of one message may have run in any order, so of these the result before
    /// them is meant, too.
    fn meant(&self, view: &View, new: Answer<'_>, is_said: bool) -> Vec<usize> {
        if let Some(&place) = self.by_call.get(&new.asked()) {
            let message = |block: u32| view.partner(block).map(|call| view.block(call).unit);
            let mut found = vec![place as usize];
            while let Some(shown) = found.last().and_then(|&place| self.shown.get(place)) {
                let before = shown.before.filter(|_| message(shown.block) == message(new.block));
                let Some(before) = before else { break };
                found.push(before as usize);
            }
            found.reverse();
            return found;
        }
        let mut found = Vec::new();
        for &path in new.paths {
            let own = self.by_path.get(path as usize).filter(|places| !places.is_empty());
            let spelled = || if is_said { self.spelled_otherwise(view, path) } else { None };
            for &place in own.or_else(spelled).into_iter().flatten().rev() {
                found.push(place as usize);
                if self.at(&[place as usize]).any(|shown| shown.is_whole) {
                    break;
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The results of a file whose path ends alike: one may be relative to a folder that nobody told.
    fn spelled_otherwise(&self, view: &View, path: PathId) -> Option<&Vec<u32>> {
        let plain = |path: PathId| {
            let text = view.names.path_text(path).to_ascii_lowercase();
            text.chars().map(|letter| if letter == '\\' { '/' } else { letter }).collect::<String>()
        };
        let wanted = plain(path);
        let ends = |long: &str, short: &str| {
            let short = short.trim_start_matches(['~', '.', '/']);
            let before = long.strip_suffix(short);
            !short.is_empty() && before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        let is_alike = |path: PathId| {
            let known = plain(path);
            ends(&known, &wanted) || ends(&wanted, &known)
        };
        let mut known = (0..).zip(&self.by_path).filter(|(_, places)| !places.is_empty());
        known.find_map(|(path, places)| is_alike(path).then_some(places))
    }

    /// Whether a few words are a stub although they don't say so: they answer a read of all of a file, or the same read as
    /// before. The file was long, and no change of it is known.
    fn is_silent(&self, view: &View, source: &dyn TextSource, meant: &[usize], new: Answer<'_>) -> bool {
        let (&[path], false) = (new.paths, view.block(new.block).has(flags::FAILED)) else { return false };
        let is_same_call = self.by_call.contains_key(&new.asked());
        if !is_same_call && new.lines != Some(WHOLE) || new.text.lines().nth(STUB).is_some() {
            return false;
        }
        let changed = self.changed.get(&path).copied().unwrap_or(0) as usize;
        let size = |shown: &Shown| said(view, source, shown.block).len();
        meant.iter().all(|&place| place >= changed)
            && self.at(meant).map(size).sum::<usize>() >= LONG.max(TIMES * new.text.len())
            && !says_trouble(new.text)
    }

    /// Puts the content of cut results behind a stub's words.
    fn restore(
        &self,
        view: &mut View,
        editor: &mut Editor,
        source: &dyn TextSource,
        (new, hidden): (Answer<'_>, &[usize]),
    ) {
        let mut text = said(view, source, new.block).trim_end().to_owned();
        for &place in hidden {
            let Some(shown) = self.shown.get(place) else { continue };
            let is_later = |path| self.changed.get(path).is_some_and(|&changed| place < changed as usize);
            let what = match () {
                () if new.paths.iter().any(is_later) => "shown before later changes",
                () if place < self.changed_any as usize => "shown before later calls",
                () => "shown before",
            };
            let note = Subject::of(view, source, shown.block).instead(what);
            text = [&text, "\n\n", &note, "\n", &said(view, source, shown.block)].concat();
        }
        let cause = view.block(new.block).unit;
        let from: Vec<u32> = self.at(hidden).map(|shown| shown.block).collect();
        editor.bring_back(view, (new.block, &from), text, (RuleName::OldResults, cause));
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let places: usize = self.by_path.iter().map(|places| places.capacity() * 4 + 24).sum();
        self.shown.capacity() * size_of::<Shown>()
            + places
            + (self.by_call.capacity() + self.changed.capacity()) * 8
    }
}

/// Whether something of a result can't be read any more.
fn is_lost(view: &View, editor: &Editor, shown: &Shown) -> bool {
    if shown.holder == shown.block {
        is_hidden(view, editor, shown.block)
    } else {
        !view.block(shown.holder).is_live()
    }
}

/// Whether something of a result was cut, or an edit that cuts it waits.
pub fn is_hidden(view: &View, editor: &Editor, index: u32) -> bool {
    let block = view.block(index);
    let is_patched = editor.patch_of(index).is_some_and(|patch| !patch.spans().is_empty());
    !block.is_live() || block.has(flags::COMPACTED) || is_patched
}

/// What a result says: its text, or its structure.
pub fn said(view: &View, source: &dyn TextSource, result: u32) -> String {
    let is_text = view.block(result).has(flags::STRING_RESULT | flags::OUTPUT_RESULT);
    view.text(source, result, if is_text { Leaf::Text } else { Leaf::Json })
}

/// The call of a result, if it reads.
fn reading_call(view: &View, index: u32) -> Option<u32> {
    let call = view.partner(index).filter(|_| view.block(index).kind == Kind::ToolResponse)?;
    view.block(call).has(flags::READ).then_some(call)
}

/// A result of a call that reads; `text` is its text, or empty if it is too long for a stub.
fn answer<'text>(
    view: &View,
    source: &dyn TextSource,
    (index, call): (u32, u32),
    text: &'text str,
    paths: &'text [PathId],
) -> Answer<'text> {
    let block = view.block(index);
    Answer {
        block: index,
        text,
        asked: fingerprint(&view.text(source, call, Leaf::Json)),
        paths,
        lines: None,
        is_refused: block.has(flags::FAILED) || text.starts_with(OURS),
        is_decided: block.replacement != NONE || !block.is_live(),
    }
}

/// What a result says, if it is short enough for a stub.
fn short(view: &View, source: &dyn TextSource, index: u32) -> String {
    if view.block(index).size < LARGEST { said(view, source, index) } else { String::new() }
}

/// Brings back what each stub means, if it was cut.
pub fn restore_all(view: &mut View, editor: &mut Editor, source: &dyn TextSource) {
    let mut stubs = Stubs::default();
    for index in 0..view.block_count() {
        let Some(call) = reading_call(view, index) else { continue };
        let note = editor.replacement_of(view, index);
        let is_ours = is_unchanged(note);
        let text = if is_ours { note.to_owned() } else { short(view, source, index) };
        let paths = view.paths_of(view.block(call)).to_vec();
        let new = answer(view, source, (index, call), &text, &paths);
        stubs.see(view, editor, source, Answer { is_decided: new.is_decided && !is_ours, ..new });
    }
}

/// The results before a unit that stubs at or behind it mean, the one that was meant last first: they are as young as the
/// stubs. Notes of an earlier densify hold nothing to keep.
pub fn meant_from(view: &View, source: &dyn TextSource, from: u32) -> Vec<u32> {
    let mut stubs = Stubs::default();
    let mut meant = Vec::new();
    for index in 0..view.block_count() {
        let Some(call) = reading_call(view, index) else { continue };
        let (text, paths) = (short(view, source, index), view.paths_of(view.block(call)));
        let new = answer(view, source, (index, call), &text, paths);
        let places = stubs.find(view, source, new);
        if places.is_empty() {
            if !new.is_refused {
                stubs.note(new);
            }
        } else if view.block(index).unit >= from {
            meant.extend(stubs.at(&places).map(|shown| shown.block));
        }
    }
    meant.reverse();
    meant.retain(|&index| view.block(index).unit < from && !said(view, source, index).starts_with(OURS));
    let mut seen = Vec::new();
    meant.retain(|index| {
        let is_new = !seen.contains(index);
        seen.push(*index);
        is_new
    });
    meant
}
