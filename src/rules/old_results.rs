//! Old results go as a whole: what takes much room for long goes first. Short results and unanswered ones stay; files
//! that it works on stay longer at any size, because reading the same file for each edit would cost more than it
//! saves.
//!
//! How much stays was measured on one half of a set of real conversations, by what the model used later: for its size
//! least of large results, and less the more others followed; of files many times as much as of the output of
//! commands; and more of whole results than of the beginnings of twice as many. Trees over 24 further properties,
//! fitted to half of the conversations, choose no better on the other half.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::compacted::{Subject, cut_lines};
use super::rule::Context;
use crate::calls::outcome::stated_code;
use crate::edit::{Decision, Patch, RuleName, may_replace};
use crate::options::Preset;
use crate::scatter::Numbers;
use crate::utf16::utf16_length;
use crate::view::{Leaf, NONE, flags};

/// Why old results go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Age,
    Flush,
    Budget,
}

/// What a result is, as far as its use later goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The content of files.
    File,
    /// Probably the content of files, but no rule can tell which lines. It ages like a file. A flush treats it like output,
    /// because otherwise too few flushes would pay.
    LikelyFile,
    /// The output of commands, of searches and of everything else.
    Output,
    /// The result of a failed call.
    Failure,
    /// What is never cut: what sub-agents, skills and plans gave, and instruction files.
    Kept,
}

/// The rung of `balanced`, and that of `aggressive`; each cuts more than the one before.
pub const BALANCED: u32 = 4;
/// See [`BALANCED`].
pub const AGGRESSIVE: u32 = 6;
/// The rung on which a preset starts, or none if it does not cut old results. `switch` is the option `oldResults`.
#[must_use]
pub fn rung(preset: Preset, switch: Option<bool>) -> Option<u32> {
    let rung = match preset {
        Preset::Seed | Preset::Lossless => None,
        Preset::Balanced => Some(BALANCED),
        Preset::Aggressive => Some(AGGRESSIVE),
    };
    if switch.unwrap_or(rung.is_some()) { rung.or(Some(BALANCED)) } else { None }
}

/// Of what a flush cuts further, only the savings of this many rungs count as its gain: the rest may be missed.
const COUNTED: u32 = 2;
/// A flush sends what follows it uncached in any case. So it cuts this many rungs further there.
pub const FLUSHED: u32 = 6;
/// The same where the cache is cold: forgetting is cheapest then.
pub const COLD: u32 = 16;
/// The last one, on which nothing that may go stays: an age that it left would keep a result from a budget for ever.
const LAST: u32 = 28;

/// The tokens of a usual pointer, and of a long one.
const POINTER: i64 = 30;
const LONG_POINTER: i64 = 60;

/// Less isn't worth a pointer, in UTF-16 code units; pointers, which are shorter, aren't cut again.
const WORTH: u32 = 300;

/// How long results stay.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// What size times age of an output may come to on the first rung: three eighths as much on the next.
    outputs: u32,
    /// The same of files: seven eighths as much on the next.
    files: u32,
    /// The least results that the model answers, this one among them, before a preset cuts a file that was changed since, or
    /// is shown again. Those of one message count as one.
    worked_on: u32,
    /// The same for an output.
    output: u32,
    /// The same for a failure, which the model works on in the meantime.
    failure: u32,
}

/// The same for other files.
const FILE_STAYS: u32 = 4;
/// The same for what is only likely to be a file, in a flush.
const LIKELY_FILE_STAYS: u32 = 3;
/// Where every edit is made at once.
const AT_ONCE: Pace = Pace { outputs: 430_000, files: 960_000, worked_on: 6, output: 3, failure: 8 };
/// Where edits wait until a flush pays: results stay until then anyway.
const WAITING: Pace = Pace { outputs: 500_000, files: 1_030_000, worked_on: 4, output: 2, failure: 4 };

static LIMITS_AT_ONCE: [Limits; LAST as usize + 1] = limits(AT_ONCE);
static WAITING_LIMITS: [Limits; LAST as usize + 1] = limits(WAITING);

const fn limits(pace: Pace) -> [Limits; LAST as usize + 1] {
    let mut next = Limits { outputs: pace.outputs, files: pace.files };
    let mut all = [next; LAST as usize + 1];
    let mut rest: &mut [Limits] = &mut all;
    while let Some((rung, others)) = rest.split_first_mut() {
        *rung = next;
        next = Limits { outputs: next.outputs / 8 * 3, files: next.files / 8 * 7 };
        rest = others;
    }
    all
}

/// Results age in steps of so many, so that a run edits several at once and most runs none; but what the next answer
/// sends away goes with it, since little stands behind it.
pub(super) const STEP: u32 = 16;

/// A file by a fingerprint of its name, without its folders: the same file may be called by paths that nobody can compare.
/// Two files that share one, very rarely, only stay longer.
pub type FileName = u32;

/// What size times age may come to on a rung.
#[derive(Clone, Copy, Debug)]
struct Limits {
    outputs: u32,
    files: u32,
}

/// A file that a result showed.
#[derive(Clone, Copy, Debug, Default)]
struct Shown {
    /// How many results there were when it was last changed; none before.
    changed: u32,
    /// The same for when it was lost.
    lost: u32,
}

/// A result; its size in UTF-16 code units is none until it is known.
#[derive(Clone, Debug)]
struct Old {
    block: u32,
    class: Class,
    size: Option<u32>,
    /// The numbers of the files that it shows.
    files: Vec<u32>,
    /// How many results there were when a stub last meant this one; none before.
    meant: u32,
    /// The key of its subject; none until it is known.
    subject: Option<u64>,
    /// A flush cuts it only once so many results are answered: what happens to a result makes it stay longer, never shorter.
    earliest: u32,
    /// How many of the results with pointers to the subject were looked at.
    looked_at: u32,
    /// The numbers of those that lead to this result.
    pointing: Vec<u32>,
    /// The number of the result before it that the same call gave.
    before: Option<u32>,
    /// Whether another one showed one of the files before.
    is_again: bool,
    /// The number of the message that made its call, among those that made any: calls of one message are made at once.
    turn: u32,
}

/// Cuts results by kind, size and age.
#[derive(Clone, Debug)]
pub struct OldResults {
    rung: Option<u32>,
    pace: Pace,
    /// By rung.
    limits: &'static [Limits],
    results: Vec<Old>,
    /// The unit that made the newest result's call.
    caller: u32,
    /// The numbers of the files that were shown.
    names: Numbers<FileName>,
    /// Those files.
    files: Vec<Shown>,
    /// The newest result of each call, by a fingerprint of what it asked for.
    asked: Numbers<u32>,
    /// How many of them the model has answered.
    pub answered: u32,
    /// The turn of the newest of those.
    turn: u32,
    /// Those of them that may still go, where a preset cuts.
    open: Vec<u32>,
    /// The first results, which [`Self::open`] was made of.
    seen: u32,
    /// Whether the host answers a repeated read with a stub: then no text of ours says to read again.
    pub is_stub_given: bool,
    /// How many are answered when one goes, and its number.
    due: BinaryHeap<Reverse<(u32, u32)>>,
    press: Press,
}

/// A result that a flush would cut further.
#[derive(Clone, Copy, Debug)]
pub struct Further {
    /// Its unit.
    pub unit: u32,
    /// The tokens that cutting it saves, even with a long pointer.
    pub saved: i64,
    /// The tokens that count as gain of the flush.
    pub counted: i64,
}

/// How far a budget has cut.
#[derive(Clone, Copy, Debug)]
struct Press {
    rung: u32,
    /// So many results were tried on the rung.
    tried: u32,
    /// Of the first so many all went that may go.
    exhausted: u32,
}

impl OldResults {
    /// Starts on a rung; none cuts nothing. `waits` tells whether edits wait until a flush pays.
    #[must_use]
    pub fn new(rung: Option<u32>, waits: bool) -> Self {
        Self {
            rung,
            pace: if waits { WAITING } else { AT_ONCE },
            limits: if waits { &WAITING_LIMITS } else { &LIMITS_AT_ONCE },
            results: Vec::new(),
            caller: NONE,
            names: Numbers::default(),
            files: Vec::new(),
            asked: Numbers::default(),
            answered: 0,
            turn: 0,
            open: Vec::new(),
            seen: 0,
            is_stub_given: false,
            due: BinaryHeap::new(),
            press: Press { rung: 0, tried: 0, exhausted: 0 },
        }
    }

    /// How many results there are.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub const fn count(&self) -> u32 {
        self.results.len() as u32
    }

    /// Takes in a new result, with the unit and the fingerprint of its call. The size of what isn't a text is looked at when
    /// it may go.
    #[allow(clippy::cast_possible_truncation)]
    pub fn see(
        &mut self,
        (block, caller, asked): (u32, u32, u64),
        (class, files): (Class, &[FileName]),
        size: Option<u32>,
    ) {
        let before = self.asked.insert(asked as u32, self.count());
        let is_other = std::mem::replace(&mut self.caller, caller) != caller || caller == NONE;
        let turn = self.results.last().map_or(0, |last| last.turn + u32::from(is_other));
        let is_again = files.iter().any(|file| self.names.contains_key(file));
        let files = files.iter().map(|&file| self.number_of(file)).collect();
        self.results.push(Old {
            block,
            class,
            size,
            files,
            meant: 0,
            subject: None,
            earliest: 0,
            looked_at: 0,
            pointing: Vec::new(),
            before,
            is_again,
            turn,
        });
        self.wait(self.results.len() - 1, size.unwrap_or(u32::MAX));
    }

    #[allow(clippy::cast_possible_truncation)]
    fn number_of(&mut self, file: FileName) -> u32 {
        let next = self.files.len() as u32;
        let number = *self.names.entry(file).or_insert(next);
        if number == next {
            self.files.push(Shown::default());
        }
        number
    }

    fn shown(&mut self, file: FileName) -> Option<&mut Shown> {
        self.files.get_mut(*self.names.get(&file)? as usize)
    }

    /// Takes in that the next result is of a change to a file: what shows the file is as young as that.
    pub fn change(&mut self, file: FileName) {
        let now = self.count();
        if let Some(shown) = self.shown(file) {
            shown.changed = now;
        }
    }

    /// Takes in that the next result is a stub that means an older one: that is as young as the stub.
    pub fn renew(&mut self, block: u32) {
        let now = self.count();
        let found = self.results.binary_search_by_key(&block, |old| old.block);
        if let Some(old) = found.ok().and_then(|at| self.results.get_mut(at)) {
            old.meant = now;
        }
    }

    /// Takes in that a file was deleted, written anew, or changed in an unknown way: a read shows something else now.
    pub fn lose(&mut self, file: FileName) {
        let now = self.count();
        if let Some(shown) = self.shown(file) {
            shown.lost = now;
        }
    }

    /// What became of the files that a result shows.
    fn files_of<'old>(&'old self, old: &'old Old) -> impl Iterator<Item = &'old Shown> {
        old.files.iter().filter_map(|&file| self.files.get(file as usize))
    }

    /// Whether a read would show the file of a result again: the file wasn't lost since, and the host gives no stub.
    fn may_read_again(&self, number: u32) -> bool {
        let old = self.results.get(number as usize);
        !self.is_stub_given
            && old.into_iter().flat_map(|old| self.files_of(old)).all(|file| file.lost <= number)
    }

    /// The number of answered results after which a result of this remaining size goes.
    fn due(&self, number: u32, left: u32, (rung, by): (u32, By)) -> u32 {
        let Some(old) = self.results.get(number as usize) else { return u32::MAX };
        let changed = self.files_of(old).fold(old.meant, |changed, file| changed.max(file.changed));
        let is_worked_on = old.is_again || changed > number;
        let stays = match old.class {
            // A budget's word counts for more.
            _ if by == By::Budget && rung > AGGRESSIVE => 1,
            Class::LikelyFile if by == By::Flush => LIKELY_FILE_STAYS,
            Class::File | Class::LikelyFile if is_worked_on => self.pace.worked_on,
            Class::File | Class::LikelyFile => FILE_STAYS,
            Class::Failure => self.pace.failure,
            Class::Output | Class::Kept => self.pace.output,
        };
        // A flush breaks the cache once, however many results go.
        let step = if by == By::Flush { 1 } else { STEP };
        let since = number.max(changed);
        let is_as_output = old.class == Class::LikelyFile && by == By::Flush;
        let class = if is_as_output { Class::Output } else { old.class };
        let limits = self.limits.get(rung as usize).or(self.limits.last());
        let due = limits.map_or(u32::MAX, |&limits| due((left, class), limits, (since, stays), step));
        // What was asked for at once is answered at once: it counts as one.
        let turn = self.results.get(since as usize).map(|old| old.turn);
        let has_stayed = turn.is_some_and(|turn| turn + stays <= self.turn + 1);
        if has_stayed { due } else { due.max(self.answered + 1) }
    }

    /// The same, but a result that pointers lead to stays at least as long as the text that they replaced would have.
    fn due_with_pointers(
        &mut self,
        context: &Context<'_>,
        (number, left): (u32, u32),
        how: (u32, By),
    ) -> u32 {
        let due = self.due(number, left, how);
        if due > self.answered {
            return due;
        }
        self.find_pointers(context, number);
        let pointing = self.results.get(number as usize).map_or(&[][..], |old| &old.pointing);
        pointing.iter().map(|&other| self.due(other, left, how)).fold(due, u32::max)
    }

    /// Looks for new pointers to a result: a pointer leads to the next result that its words name.
    #[allow(clippy::cast_possible_truncation)]
    fn find_pointers(&mut self, context: &Context<'_>, number: u32) {
        let at = number as usize;
        let Some(old) = self.results.get_mut(at) else { return };
        let subject = || Subject::of(context.view, context.source, old.block).key();
        let key = *old.subject.get_or_insert_with(subject);
        let all = context.references.to(key);
        let (known, before) = (old.looked_at, old.before.unwrap_or(0) as usize);
        old.looked_at = all.len() as u32;
        for block in all.get(known as usize..).unwrap_or_default() {
            let between = self.results.get(before..at).unwrap_or_default();
            let ends = between.first().zip(between.last());
            if !ends.is_some_and(|(first, last)| (first.block..=last.block).contains(block)) {
                continue;
            }
            let found = between.binary_search_by_key(block, |old| old.block);
            if let (Ok(found), Some(old)) = (found, self.results.get_mut(at)) {
                old.pointing.push((before + found) as u32);
            }
        }
    }

    /// Notes when a result of this remaining size goes.
    #[allow(clippy::cast_possible_truncation)]
    fn wait(&mut self, number: usize, left: u32) {
        if let Some(rung) = self.rung {
            let number = number as u32;
            self.due.push(Reverse((self.due(number, left, (rung, By::Age)), number)));
        }
    }

    /// A budget begins to cut: from the rung above the preset's, so that the outcome depends only on the remaining
    /// results.
    pub fn reset_pressure(&mut self) {
        self.press.rung = self.rung.map_or(0, |rung| rung + 1);
        self.press.tried = self.press.exhausted;
    }

    /// Cuts the result that the next rungs cut first, the oldest of a rung before the others; none if nothing is
    /// left to cut.
    pub fn cut_next(&mut self, context: &mut Context<'_>) -> Option<u32> {
        loop {
            while self.press.tried < self.answered {
                let number = self.press.tried;
                self.press.tried += 1;
                let found = self.cut_if_due(context, number, (self.press.rung, By::Budget));
                if found.is_some() {
                    return found;
                }
            }
            if self.press.rung == LAST {
                self.press.exhausted = self.answered;
                return None;
            }
            self.press.rung += 1;
            self.press.tried = self.press.exhausted;
        }
    }

    /// Cuts the results from a unit on that would be cut by now this many rungs further; returns those that were cut. None
    /// if the preset cuts no results.
    #[allow(clippy::cast_possible_truncation)]
    pub fn deepen(&mut self, context: &mut Context<'_>, (from, further): (u32, u32)) -> Vec<u32> {
        let Some(preset) = self.rung else { return Vec::new() };
        let rung = (preset + further).min(LAST);
        let first = self.results.partition_point(|old| context.view.block(old.block).unit < from) as u32;
        let numbers = first..self.answered;
        numbers.filter_map(|number| self.cut_if_due(context, number, (rung, By::Flush))).collect()
    }

    /// What a flush now would save by cutting further: the results in order. Call it once all tokens are counted.
    #[allow(clippy::cast_possible_truncation)]
    pub fn further_savings(&mut self, context: &Context<'_>) -> Vec<Further> {
        let Some(preset) = self.rung else { return Vec::new() };
        let rung_of = |further: u32| (preset + further).min(LAST);
        self.open.extend(self.seen..self.answered);
        self.seen = self.answered;
        let mut open = std::mem::take(&mut self.open);
        let mut found = Vec::new();
        open.retain(|&number| {
            let now = self.answered;
            let Some(old) = self.results.get_mut(number as usize) else { return false };
            if now < old.earliest {
                return true;
            }
            let left = left(context, old);
            let block = context.view.block(old.block);
            if left < WORTH {
                return false;
            }
            let due =
                |rules: &mut Self, rung| rules.due_with_pointers(context, (number, left), (rung, By::Flush));
            let goes = |rules: &mut Self, rung| due(rules, rung) <= now;
            let earliest = due(self, rung_of(FLUSHED));
            if let Some(old) = self.results.get_mut(number as usize) {
                old.earliest = earliest;
            }
            if earliest <= now {
                let tokens = i64::from(block.tokens.now.lower);
                let counted = if goes(self, rung_of(COUNTED)) { tokens - POINTER } else { 0 };
                found.push(Further { unit: block.unit, saved: tokens - LONG_POINTER, counted });
            }
            true
        });
        self.open = open;
        found
    }

    /// Cuts a result if it is old enough for a rung; returns its block if it was cut.
    fn cut_if_due(&mut self, context: &mut Context<'_>, number: u32, how: (u32, By)) -> Option<u32> {
        let old = self.results.get_mut(number as usize)?;
        let left = left(context, old);
        let block = old.block;
        let is_due = self.due_with_pointers(context, (number, left), how) <= self.answered;
        (is_due && cut(context, block, self.may_read_again(number))).then_some(block)
    }

    /// Cuts what became old enough; returns the results that were cut.
    pub fn run(&mut self, context: &mut Context<'_>) -> Vec<u32> {
        let mut all = Vec::new();
        let view = &*context.view;
        let last = view.last_ai().unwrap_or(0);
        let is_answered = |old: &Old| view.block(old.block).unit < last;
        while let Some(old) = self.results.get(self.answered as usize).filter(|old| is_answered(old)) {
            self.turn = old.turn;
            self.answered += 1;
        }
        let Some(rung) = self.rung else { return all };
        while let Some(&Reverse((at, number))) = self.due.peek()
            && at <= self.answered
        {
            self.due.pop();
            let Some(old) = self.results.get_mut(number as usize) else { break };
            let left = left(context, old);
            let block = old.block;
            let due = self.due_with_pointers(context, (number, left), (rung, By::Age));
            if due > self.answered {
                // Other rules made it smaller, or its file was changed since.
                self.due.push(Reverse((due, number)));
            } else if cut(context, block, self.may_read_again(number)) {
                all.push(block);
            }
        }
        all
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.results.capacity() * size_of::<Old>()
            + self.open.capacity() * size_of::<u32>()
            + (self.names.capacity() + self.asked.capacity()) * size_of::<(FileName, u32)>()
            + self.files.capacity() * size_of::<Shown>()
            + self.due.capacity() * size_of::<(u32, u32)>()
    }
}

/// The number of answered results after which a result of this age goes, with a minimum stay; what is short or kept
/// never does.
fn due((left, class): (u32, Class), limits: Limits, (number, stays): (u32, u32), step: u32) -> u32 {
    let age = match class {
        _ if left < WORTH => return u32::MAX,
        Class::File | Class::LikelyFile => (limits.files / left.saturating_add(2_000)).saturating_sub(10),
        Class::Output | Class::Failure => (limits.outputs / left).saturating_sub(2),
        Class::Kept => return u32::MAX,
    };
    if age <= stays { number + stays } else { number.saturating_add(age).next_multiple_of(step) }
}

/// From this many times the size of a small result, and so many units more, a large one goes much earlier.
const LARGER: (u32, u32) = (2, 6_000);

/// Whether a small result would stay much longer than a large one. If it gave way, its lines would soon go with the large one.
pub(super) const fn outlives(small: u32, large: u32) -> bool {
    large > small.saturating_mul(LARGER.0).saturating_add(LARGER.1)
}

/// How much of a result is left; nothing if it may not go.
fn left(context: &Context<'_>, old: &mut Old) -> u32 {
    let (view, source) = (&*context.view, context.source);
    if !may_replace(view, old.block) {
        return 0;
    }
    let size = *old.size.get_or_insert_with(|| utf16_length(&view.text(source, old.block, Leaf::Json)));
    size.saturating_sub(context.editor.patch_of(old.block).map_or(0, Patch::saved))
}

/// Cuts all of a result.
fn cut(context: &mut Context<'_>, index: u32, may_read_again: bool) -> bool {
    let Context { view, editor, source, .. } = context;
    let source = *source;
    let is_text = view.block(index).has(flags::STRING_RESULT | flags::OUTPUT_RESULT);
    let text = view.text(source, index, if is_text { Leaf::Text } else { Leaf::Json });
    let from = (RuleName::OldResults, view.len().saturating_sub(1));
    let is_read = view.partner(index).is_some_and(|call| view.block(call).has(flags::READ));
    let subject = Subject::of(view, source, index);
    let has_failed = view.block(index).has(flags::FAILED)
        || is_text && !is_read && stated_code(&text).is_some_and(|code| code != 0);
    let pointer = cut_lines(text.lines().count().max(1), &subject, (has_failed, is_read && may_read_again));
    editor.put_stand_in(view, source, (index, pointer), from) == Decision::Accepted
}
