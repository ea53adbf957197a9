//! Old results go as a whole: what takes much room for long goes first. What is short stays, and so does what the
//! model didn't answer yet.
//!
//! How much stays was measured on one half of a set of real conversations, by what the model used later: for its size
//! least of large results, and less the more others followed; of files many times as much as of the output of
//! commands; and more of whole results than of the beginnings of twice as many. What is known of a result besides (24
//! properties of it, of its call and of what was said since, weighed by trees that were fitted to the other half) chooses no better.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::compacted::{Subject, cut_lines};
use crate::edit::{Decision, Editor, Patch, Rule, may_replace};
use crate::utf16::utf16_length;
use crate::view::{Leaf, TextSource, View, flags};

/// What a result is, as far as its use later goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The content of files.
    File,
    /// The output of commands, of searches and of everything else.
    Output,
    /// What is never cut: what sub-agents, skills and plans gave, and instruction files.
    Kept,
}

/// The rung of `balanced`, and that of `aggressive`; each cuts more than the one before.
pub const BALANCED: u32 = 4;
/// See [`BALANCED`].
pub const AGGRESSIVE: u32 = 6;
/// The last one.
const LAST: u32 = 24;

/// What size times age of an output may come to on the first rung: a third as much on the next.
const OUTPUTS: u32 = 3_888_000;
/// The same of files: six sevenths as much on the next.
const FILES: u32 = 760_000;

/// Less isn't worth a pointer, in UTF-16 code units; pointers, which are shorter, aren't cut again.
const WORTH: u32 = 300;

/// Results age in steps of so many, so that a run edits several at once and most runs none; but what the next answer
/// sends away goes with it, since little stands behind it.
pub(super) const STEP: u32 = 16;

/// A result; its size in UTF-16 code units is none until it is known.
#[derive(Clone, Copy, Debug)]
struct Old {
    block: u32,
    class: Class,
    size: Option<u32>,
}

/// Cuts results by kind, size and age.
#[derive(Clone, Debug)]
pub struct OldResults {
    rung: Option<u32>,
    results: Vec<Old>,
    /// How many of them the model has answered.
    pub answered: u32,
    /// How many are answered when one goes, and its number.
    due: BinaryHeap<Reverse<(u32, u32)>>,
    press: Press,
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
    /// Starts on a rung; none cuts nothing.
    #[must_use]
    pub const fn new(rung: Option<u32>) -> Self {
        Self {
            rung,
            results: Vec::new(),
            answered: 0,
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

    /// Takes in a new result; the size of what isn't a text is looked at when it may go.
    pub fn see(&mut self, block: u32, class: Class, size: Option<u32>) {
        self.results.push(Old { block, class, size });
        self.wait(self.results.len() - 1, size.unwrap_or(u32::MAX));
    }

    /// Notes when a result goes of which so much is left.
    #[allow(clippy::cast_possible_truncation)]
    fn wait(&mut self, number: usize, left: u32) {
        if let (Some(rung), Some(old)) = (self.rung, self.results.get(number)) {
            let number = number as u32;
            self.due.push(Reverse((due(left, old.class, rung, number), number)));
        }
    }

    /// A budget begins to cut: from the rung above the preset's, wherever it ended before, so that what goes is a matter
    /// of what is left.
    pub fn press_anew(&mut self) {
        self.press.rung = self.rung.map_or(0, |rung| rung + 1);
        self.press.tried = self.press.exhausted;
    }

    /// Cuts the result that the next rungs cut first, the oldest of a rung before the others; none if nothing is
    /// left to cut.
    pub fn cut_next(&mut self, view: &mut View, editor: &mut Editor, source: &dyn TextSource) -> Option<u32> {
        loop {
            while self.press.tried < self.answered {
                let number = self.press.tried;
                self.press.tried += 1;
                let old = self.results.get_mut(number as usize)?;
                let left = left(view, editor, source, old);
                if due(left, old.class, self.press.rung, number) <= self.answered
                    && cut(view, editor, source, old.block)
                {
                    return Some(old.block);
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

    /// Cuts what became old enough; returns the results that were cut.
    pub fn run(&mut self, view: &mut View, editor: &mut Editor, source: &dyn TextSource) -> Vec<u32> {
        let mut all = Vec::new();
        let last = view.last_ai().unwrap_or(0);
        let is_answered = |old: &Old| view.block(old.block).unit < last;
        while self.results.get(self.answered as usize).is_some_and(is_answered) {
            self.answered += 1;
        }
        let Some(rung) = self.rung else { return all };
        while let Some(&Reverse((at, number))) = self.due.peek()
            && at <= self.answered
        {
            self.due.pop();
            let Some(old) = self.results.get_mut(number as usize) else { break };
            let left = left(view, editor, source, old);
            if due(left, old.class, rung, number) > self.answered {
                // Other rules made it smaller.
                self.wait(number as usize, left);
            } else if cut(view, editor, source, old.block) {
                all.push(old.block);
            }
        }
        all
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.results.capacity() * size_of::<Old>() + self.due.capacity() * size_of::<(u32, u32)>()
    }
}

/// How many results the model has answered when one goes; what is short or kept never does.
fn due(left: u32, class: Class, rung: u32, number: u32) -> u32 {
    let age = match class {
        _ if left < WORTH => return u32::MAX,
        Class::File => {
            let limit = (0..rung).fold(FILES, |limit, _| limit / 7 * 6);
            (limit / left.saturating_add(2_000)).saturating_sub(10)
        }
        Class::Output => ((0..rung).fold(OUTPUTS, |limit, _| limit / 3) / left).saturating_sub(2),
        Class::Kept => return u32::MAX,
    };
    if age <= 1 { number + 1 } else { number.saturating_add(age).next_multiple_of(STEP) }
}

/// How much of a result is left; nothing if it may not go.
fn left(view: &View, editor: &Editor, source: &dyn TextSource, old: &mut Old) -> u32 {
    if !may_replace(view, old.block) {
        return 0;
    }
    let size = *old.size.get_or_insert_with(|| utf16_length(&view.text(source, old.block, Leaf::Json)));
    size.saturating_sub(editor.patch_of(old.block).map_or(0, Patch::saved))
}

/// Cuts all of a result.
fn cut(view: &mut View, editor: &mut Editor, source: &dyn TextSource, index: u32) -> bool {
    let is_text = view.block(index).has(flags::STRING_RESULT | flags::OUTPUT_RESULT);
    let text = view.text(source, index, if is_text { Leaf::Text } else { Leaf::Json });
    let from = (Rule::OldResults, view.len().saturating_sub(1));
    let is_read = view.partner(index).is_some_and(|call| view.block(call).has(flags::READ));
    let subject = Subject::of(view, source, index);
    let pointer = cut_lines(text.lines().count().max(1), &subject, is_read);
    editor.put_stand_in(view, source, (index, pointer), from) == Decision::Accepted
}
