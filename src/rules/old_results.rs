//! Old results go as a whole: what takes much room for long goes first. What is short stays, and so does what the
//! model didn't answer yet.
//!
//! How much stays was measured on one half of a set of real conversations, by what the model used later: for its size
//! least of large results, and less the more others followed; of files many times as much as of the output of
//! commands; and more of whole results than of the beginnings of twice as many.

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
pub const BALANCED: u32 = 3;
/// See [`BALANCED`].
pub const AGGRESSIVE: u32 = 7;
/// The last one.
const LAST: u32 = 24;

/// What size times age of an output may come to on the first rung: half as much on the next.
const OUTPUTS: u32 = 384_000;
/// The same of files: six sevenths as much on the next.
const FILES: u32 = 760_000;

/// Less isn't worth a pointer, in UTF-16 code units; pointers, which are shorter, aren't cut again.
const WORTH: u32 = 300;

/// Results age in steps of so many, so that a run edits several at once and most runs none; but what the next answer
/// sends away goes with it, since little stands behind it.
const STEP: u32 = 8;

/// Cuts results by kind, size and age.
#[derive(Clone, Debug)]
pub struct OldResults {
    rung: Option<u32>,
    results: Vec<(u32, Class)>,
    /// How many of them the model has answered.
    answered: u32,
    /// How many are answered when one goes, and its number.
    due: BinaryHeap<Reverse<(u32, u32)>>,
    /// How many the next rung was tried on, as far as a budget asked for it.
    tried: u32,
}

impl OldResults {
    /// Starts on a rung; none cuts nothing.
    #[must_use]
    pub fn new(rung: Option<u32>) -> Self {
        Self { rung, results: Vec::new(), answered: 0, due: BinaryHeap::new(), tried: 0 }
    }

    /// Takes in a new result.
    pub fn see(&mut self, view: &View, block: u32, class: Class) {
        self.results.push((block, class));
        self.wait(size_of_result(view, block), self.results.len() - 1);
    }

    /// Notes when a result goes.
    #[allow(clippy::cast_possible_truncation)]
    fn wait(&mut self, size: u32, number: usize) {
        if let (Some(rung), Some(&(_, class))) = (self.rung, self.results.get(number)) {
            let number = number as u32;
            self.due.push(Reverse((due(size, class, rung, number), number)));
        }
    }

    /// Cuts the result that the next rungs cut first, the oldest of a rung before the others; none if nothing is
    /// left to cut.
    pub fn cut_next(&mut self, view: &mut View, editor: &mut Editor, source: &dyn TextSource) -> Option<u32> {
        loop {
            let next = self.rung.map_or(0, |rung| rung + 1);
            while self.tried < self.answered {
                let number = self.tried;
                self.tried += 1;
                let &(block, class) = self.results.get(number as usize)?;
                let is_due = |left| due(left, class, next, number) <= self.answered;
                if shorten(view, editor, source, block, is_due) == Ok(Decision::Accepted) {
                    return Some(block);
                }
            }
            if next == LAST {
                return None;
            }
            (self.rung, self.tried) = (Some(next), 0);
            self.due.clear();
            for number in 0..self.results.len() {
                let block = self.results.get(number)?.0;
                self.wait(size_of_result(view, block), number);
            }
        }
    }

    /// Cuts what became old enough; returns the results that were cut.
    pub fn run(&mut self, view: &mut View, editor: &mut Editor, source: &dyn TextSource) -> Vec<u32> {
        let mut cut = Vec::new();
        let last_answer = view.last_ai().unwrap_or(0);
        while self
            .results
            .get(self.answered as usize)
            .is_some_and(|&(block, _)| view.block(block).unit < last_answer)
        {
            self.answered += 1;
        }
        let (answered, Some(rung)) = (self.answered, self.rung) else { return cut };
        while let Some(&Reverse((at, number))) = self.due.peek()
            && at <= answered
        {
            self.due.pop();
            let Some(&(block, class)) = self.results.get(number as usize) else { break };
            match shorten(view, editor, source, block, |left| due(left, class, rung, number) <= answered) {
                Ok(Decision::Accepted) => cut.push(block),
                Ok(_) => {}
                // Other rules made it smaller.
                Err(left) => self.wait(left, number as usize),
            }
        }
        cut
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        (self.results.capacity() + self.due.capacity()) * size_of::<(u32, u32)>()
    }
}

/// A result's size, as far as it is known before its text is read; else it is looked at as soon as possible.
fn size_of_result(view: &View, index: u32) -> u32 {
    let block = view.block(index);
    if block.has(flags::STRING_RESULT) { block.size } else { u32::MAX }
}

/// How many results the model has answered when one goes.
fn due(size: u32, class: Class, rung: u32, number: u32) -> u32 {
    let age = match class {
        Class::File => {
            let limit = (0..rung).fold(FILES, |limit, _| limit / 7 * 6);
            (limit / size.saturating_add(2_000)).saturating_sub(10)
        }
        Class::Output => ((OUTPUTS >> rung) / size.max(1)).saturating_sub(2),
        Class::Kept => return u32::MAX,
    };
    if age <= 1 { number + 1 } else { number.saturating_add(age).next_multiple_of(STEP) }
}

/// Cuts all of a result, if what is left of it is due; else what is left.
fn shorten(
    view: &mut View,
    editor: &mut Editor,
    source: &dyn TextSource,
    index: u32,
    is_due: impl Fn(u32) -> bool,
) -> Result<Decision, u32> {
    let block = *view.block(index);
    if !may_replace(view, index) {
        return Ok(Decision::Refused);
    }
    let is_string = block.has(flags::STRING_RESULT);
    let read = |view: &View| {
        view.text(
            source,
            index,
            if block.has(flags::STRING_RESULT | flags::OUTPUT_RESULT) { Leaf::Text } else { Leaf::Json },
        )
    };
    let left = if is_string {
        block.size.saturating_sub(editor.patch_of(index).map_or(0, Patch::saved))
    } else {
        utf16_length(&read(view))
    };
    if left < WORTH {
        return Ok(Decision::Refused);
    }
    if !is_due(left) {
        return Err(left);
    }
    let from = (Rule::OldResults, view.len().saturating_sub(1));
    let is_read = view.partner(index).is_some_and(|call| view.block(call).has(flags::READ));
    let subject = Subject::of(view, source, index);
    let pointer = editor.add_text(cut_lines(read(view).lines().count().max(1), &subject, is_read));
    Ok(editor.set_text(view, index, pointer, None, from))
}
