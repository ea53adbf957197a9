//! Results are cut to a size that depends on what they are and how old they are: first the long output
//! of commands, then the long files, the more the older; what is short stays.
//!
//! How much a rung of the ladder cuts was measured on one half of a set of real conversations, by what the
//! model used later: the content of files is used long after it was read, the output of commands
//! hardly once some others have followed, and of both the short ones are used most for their size.

use super::compacted::{Subject, cut_lines};
use crate::edit::{Change, Decision, Editor, Patch, Rule, may_patch, may_replace};
use crate::lines::rows;
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

/// Results above a size keep so much of their beginning and end, in UTF-16 code units.
#[derive(Clone, Copy, Debug)]
struct Cap {
    above: u32,
    head: u32,
    tail: u32,
}

/// What holds from an age on: so many results that are newer.
#[derive(Clone, Copy, Debug)]
struct Stage {
    age: usize,
    outputs: Cap,
    files: Cap,
}

impl Stage {
    const fn cap(&self, class: Class) -> Cap {
        match class {
            Class::File => self.files,
            Class::Output => self.outputs,
            Class::Kept => cap(u32::MAX, 0, 0),
        }
    }
}

/// The ages of a rung's results, youngest first.
type Rung = [Stage; 3];

const fn cap(above: u32, head: u32, tail: u32) -> Cap {
    Cap { above, head, tail }
}

const fn rung(outputs: [Cap; 3], files: [Cap; 3], ages: [usize; 3]) -> Rung {
    let [first, second, third] = outputs;
    let [young, middle, old] = files;
    let [one, two, three] = ages;
    [
        Stage { age: one, outputs: first, files: young },
        Stage { age: two, outputs: second, files: middle },
        Stage { age: three, outputs: third, files: old },
    ]
}

/// Of what is larger the beginning stays.
const fn head(length: u32) -> Cap {
    cap(length, length, 0)
}

/// The rungs, each of which cuts more than the one before.
const LADDER: &[Rung] = &[
    rung(
        [cap(16_000, 6_000, 4_000), cap(3_200, 400, 400), cap(1_600, 400, 400)],
        [head(48_000), head(32_000), head(16_000)],
        [1, 8, 24],
    ),
    rung(
        [cap(8_000, 4_000, 3_000), cap(1_600, 0, 0), cap(1_600, 0, 0)],
        [head(32_000), head(32_000), head(8_000)],
        [1, 8, 24],
    ),
    rung(
        [cap(8_000, 4_000, 3_000), cap(1_600, 0, 0), cap(1_600, 0, 0)],
        [head(16_000), head(16_000), head(4_000)],
        [1, 4, 20],
    ),
    rung(
        [cap(2_000, 800, 600), cap(400, 0, 0), cap(400, 0, 0)],
        [cap(12_000, 4_000, 0), cap(12_000, 4_000, 0), head(2_000)],
        [1, 4, 20],
    ),
    rung(
        [cap(2_000, 800, 600), cap(400, 0, 0), cap(400, 0, 0)],
        [cap(8_000, 800, 0), cap(8_000, 800, 0), head(800)],
        [1, 4, 20],
    ),
    rung(
        [cap(1_000, 0, 0), cap(400, 0, 0), cap(400, 0, 0)],
        [cap(6_000, 0, 0), cap(6_000, 0, 0), cap(800, 0, 0)],
        [1, 4, 16],
    ),
    rung(
        [cap(1_000, 0, 0), cap(400, 0, 0), cap(400, 0, 0)],
        [cap(4_000, 0, 0), cap(2_000, 0, 0), cap(400, 0, 0)],
        [1, 4, 10],
    ),
    rung(
        [cap(400, 0, 0), cap(400, 0, 0), cap(400, 0, 0)],
        [cap(1_000, 0, 0), cap(400, 0, 0), cap(400, 0, 0)],
        [1, 3, 6],
    ),
    rung(
        [cap(300, 0, 0), cap(300, 0, 0), cap(300, 0, 0)],
        [cap(300, 0, 0), cap(300, 0, 0), cap(300, 0, 0)],
        [1, 1, 1],
    ),
];

/// The rung of `balanced`, and that of `aggressive`.
pub const BALANCED: usize = 2;
/// See [`BALANCED`].
pub const AGGRESSIVE: usize = 5;

/// Less isn't worth a pointer, in UTF-16 code units; pointers, which are shorter, aren't cut again.
const WORTH: u32 = 300;

/// Results age in steps of so many, so that a run edits several at once and most runs none.
const STEP: usize = 4;

/// Cuts results by kind and age.
#[derive(Clone, Debug)]
pub struct OldResults {
    rung: Option<usize>,
    results: Vec<(u32, Class)>,
    /// How many results each stage has done.
    done: [usize; 3],
    /// The same of the next rung, as far as a budget asked for it.
    ahead: [usize; 3],
}

impl OldResults {
    /// Starts on a rung; none cuts nothing.
    #[must_use]
    pub const fn new(rung: Option<usize>) -> Self {
        Self { rung, results: Vec::new(), done: [0; 3], ahead: [0; 3] }
    }

    /// Takes in a new result.
    pub fn see(&mut self, block: u32, class: Class) {
        self.results.push((block, class));
    }

    /// Cuts the result that the next rungs cut first, the oldest of a rung before the others; none if nothing is
    /// left to cut.
    pub fn cut_next(&mut self, view: &mut View, editor: &mut Editor, source: &dyn TextSource) -> Option<u32> {
        loop {
            let next = self.rung.map_or(0, |rung| rung + 1);
            let count = self.results.len() / STEP * STEP;
            for (stage, done) in LADDER.get(next)?.iter().zip(&mut self.ahead).rev() {
                while *done + stage.age < count {
                    let (block, class) = *self.results.get(*done)?;
                    *done += 1;
                    if shorten(view, editor, source, block, stage.cap(class)) == Decision::Accepted {
                        return Some(block);
                    }
                }
            }
            self.rung = Some(next);
            self.done = std::mem::take(&mut self.ahead);
        }
    }

    /// Cuts what became old enough; returns the results that were cut.
    pub fn run(&mut self, view: &mut View, editor: &mut Editor, source: &dyn TextSource) -> Vec<u32> {
        let mut cut = Vec::new();
        let Some(stages) = self.rung.and_then(|rung| LADDER.get(rung)) else { return cut };
        let count = self.results.len() / STEP * STEP;
        for (stage, done) in stages.iter().zip(&mut self.done) {
            let due = count.saturating_sub(stage.age);
            for &(block, class) in self.results.get(*done..due).unwrap_or_default() {
                if shorten(view, editor, source, block, stage.cap(class)) == Decision::Accepted {
                    cut.push(block);
                }
            }
            *done = due.max(*done);
        }
        cut
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.results.capacity() * size_of::<(u32, Class)>()
    }
}

/// Cuts the middle out of a result, or all of it.
fn shorten(view: &mut View, editor: &mut Editor, source: &dyn TextSource, index: u32, cap: Cap) -> Decision {
    let block = *view.block(index);
    // Of what isn't a string the size is a lower bound; at least so much was saved.
    let left = block.size.saturating_sub(editor.patch_of(index).map_or(0, Patch::saved));
    let is_small = left <= cap.above && block.has(flags::STRING_RESULT);
    if is_small || block.size < WORTH || !may_replace(view, index) {
        return Decision::Refused;
    }
    let is_text = block.has(flags::STRING_RESULT | flags::OUTPUT_RESULT);
    let text = view.text(source, index, if is_text { Leaf::Text } else { Leaf::Json });
    let lines = visible(&text, editor, index);
    let left = length(&lines);
    if left <= cap.above {
        return Decision::Refused;
    }
    let from = (Rule::OldResults, view.len().saturating_sub(1));
    let is_read = view.partner(index).is_some_and(|call| view.block(call).has(flags::READ));
    let subject = Subject::of(view, source, index);
    if cap.head + cap.tail == 0 || !may_patch(view, index) {
        let pointer = editor.add_text(cut_lines(text.lines().count().max(1), &subject, is_read));
        return editor.set_text(view, index, pointer, None, from);
    }
    let Some(cut) = middle(&lines, cap).filter(|cut| length(cut) >= WORTH) else { return Decision::Refused };
    let (Some(first), Some(last)) = (cut.first(), cut.last()) else { return Decision::Refused };
    let (start, end) = (first.start, last.end);
    let count = rows(text.get(first.from..last.to).unwrap_or_default(), false).count();
    let text = cut_lines(count, &subject, is_read) + "\n";
    editor.patch(view, index, &[Change::Replace { start, end, text }], from)
}

/// A line, or what stands in the place of some.
struct Line {
    start: u32,
    end: u32,
    /// The same in bytes.
    from: usize,
    to: usize,
    /// What is left of it.
    length: u32,
}

/// What is left of a text's lines after earlier cuts.
fn visible(text: &str, editor: &Editor, index: u32) -> Vec<Line> {
    let mut spans = editor.patch_of(index).map_or(&[][..], |patch| patch.spans());
    let (mut at, mut hidden, mut to) = (0_u32, 0_u32, 0);
    let mut lines: Vec<Line> = Vec::new();
    for line in text.split_inclusive('\n') {
        let (start, from) = (at, to);
        at = at.saturating_add(utf16_length(line));
        to += line.len();
        while let [(first, end, text), rest @ ..] = spans
            && *first <= start
        {
            if *first >= hidden {
                let length = utf16_length(editor.text(*text));
                lines.push(Line { start: *first, end: *end, from, to, length });
                hidden = *end;
            }
            spans = rest;
        }
        if hidden <= start {
            lines.push(Line { start, end: at, from, to, length: at - start });
        } else if let Some(hiding) = lines.last_mut() {
            hiding.to = to;
        }
    }
    lines
}

fn length(lines: &[Line]) -> u32 {
    lines.iter().map(|line| line.length).fold(0, u32::saturating_add)
}

/// What lies between the beginning and the end that stay.
fn middle(lines: &[Line], cap: Cap) -> Option<&[Line]> {
    let fits = |room: u32| {
        let mut left = room;
        move |line: &&Line| {
            let fits = line.length <= left;
            left = left.saturating_sub(line.length);
            fits
        }
    };
    let head = lines.iter().take_while(fits(cap.head)).count();
    let tail = lines.iter().skip(head).rev().take_while(fits(cap.tail)).count();
    lines.get(head..lines.len().checked_sub(tail)?)
}
