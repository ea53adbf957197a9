//! A read is stale once a later, successful write of the same file made its content history.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::rule::{Context, Rule, Setup};
use crate::edit::{Decision, Editor, RuleName};
use crate::options::Preset;
use crate::scatter::Numbers;
use crate::view::{Kind, PATH_GLOB, PathId, View, flags};

/// What is known of one path.
#[derive(Clone, Debug)]
struct PathState {
    /// The successful writes: unit of the call, and the response. One whose response was compacted
    /// or dropped since no longer counts and leaves when it is met.
    writes: BinaryHeap<(u32, u32)>,
    /// The answered reads that wait for a later write: unit and block of the call, oldest first.
    /// A heap, since responses may come in another order than their calls.
    waiting: BinaryHeap<Reverse<(u32, u32)>>,
}

impl PathState {
    /// Whether a write that still counts stands behind a unit.
    fn is_written_after(&mut self, unit: u32, view: &View) -> bool {
        while let Some(&(_, response)) = self.writes.peek().filter(|(write, _)| *write > unit) {
            if is_effective(view, response) {
                return true;
            }
            self.writes.pop();
        }
        false
    }

    /// Takes the oldest waiting read, if its call stands before a unit.
    fn pop_before(&mut self, write: u32) -> Option<u32> {
        let &Reverse((unit, read)) = self.waiting.peek()?;
        (unit < write).then(|| {
            self.waiting.pop();
            read
        })
    }
}

/// REQ-HD-005: read → write pairs.
#[derive(Clone, Debug, Default)]
pub struct StaleReads {
    next_block: u32,
    paths: Vec<PathState>,
    /// How many of its paths a read of several still waits for.
    missing: Numbers<u32>,
    /// Reads whose removal is forbidden for now, in the order of the proposals.
    deferred: Vec<Proposal>,
    /// How the history was when they were tried last.
    tried: (u32, u32),
    /// Units with a read whose removal the provider forbids, new since this list was last taken.
    pub held: Vec<u32>,
}

/// A read that is to go.
#[derive(Clone, Copy, Debug)]
struct Proposal {
    /// The block of the call.
    call: u32,
    cause: u32,
    /// Whether the caller knows that it is held.
    is_told: bool,
}

impl Rule for StaleReads {
    const NAME: RuleName = RuleName::StaleReads;
    const PRESETS: &'static [Preset] = &[Preset::Seed];
    const READS: bool = false;

    fn new(_: &Setup<'_>) -> Self {
        Self::default()
    }

    fn run(&mut self, context: &mut Context<'_>) {
        let Context { view, editor, .. } = context;
        let mut count = editor.count_of(Self::NAME);
        if self.tried != view.stage() {
            for proposal in std::mem::take(&mut self.deferred) {
                self.propose(view, editor, proposal);
            }
        }
        self.look_at_new(view, editor);
        // An edit may make another one possible; mostly one before it, so the newest come first.
        while editor.count_of(Self::NAME) > count && !self.deferred.is_empty() {
            count = editor.count_of(Self::NAME);
            let newest = editor.log.iter().map(|logged| logged.cause).max().unwrap_or(0);
            for proposal in std::mem::take(&mut self.deferred).into_iter().rev() {
                let waiting = self.deferred.len();
                self.propose(view, editor, Proposal { cause: proposal.cause.max(newest), ..proposal });
                // One that waits on keeps its own cause: the edit that lets it go may come with a later run.
                if let Some(left) = self.deferred.get_mut(waiting) {
                    *left = proposal;
                }
            }
            self.deferred.reverse();
        }
        self.tried = view.stage();
        for proposal in &mut self.deferred {
            if !std::mem::replace(&mut proposal.is_told, true) {
                self.held.push(view.block(proposal.call).unit);
            }
        }
    }

    fn bytes(&self) -> usize {
        let waiting: usize =
            self.paths.iter().map(|path| path.waiting.capacity() * size_of::<(u32, u32)>()).sum();
        waiting
            + self.paths.capacity() * size_of::<PathState>()
            + self.missing.capacity() * size_of::<(u32, u32)>()
    }
}

impl StaleReads {
    /// Looks at the blocks that are new since the last run.
    fn look_at_new(&mut self, view: &mut View, editor: &mut Editor) {
        while self.next_block < view.block_count() {
            let index = self.next_block;
            self.next_block += 1;
            let block = *view.block(index);
            let Some(call) = view.partner(index).filter(|_| block.kind == Kind::ToolResponse) else {
                continue;
            };
            if !block.is_live() {
                continue;
            }
            if view.block(call).has(flags::READ) {
                self.on_read(view, editor, call, block.unit);
            } else if is_write(view, call) && is_effective(view, index) {
                self.on_write(view, editor, (call, index));
            }
        }
    }

    fn on_read(&mut self, view: &mut View, editor: &mut Editor, call: u32, cause: u32) {
        let block = *view.block(call);
        let paths = view.paths_of(&block);
        let is_concrete = !block.has(flags::VAGUE_PATHS) && paths.iter().all(|&path| path > PATH_GLOB);
        if paths.is_empty() || !is_concrete {
            return;
        }
        let mut missing = 0;
        for &path in paths {
            let Some(state) = self.path(path) else { continue };
            if !state.is_written_after(block.unit, view) {
                state.waiting.push(Reverse((block.unit, call)));
                missing += 1;
            }
        }
        match missing {
            0 => self.propose(view, editor, Proposal { call, cause, is_told: false }),
            // A read of one file just waits; of several the number left is kept.
            1 if paths.len() == 1 => {}
            _ => {
                self.missing.insert(call, missing);
            }
        }
    }

    fn on_write(&mut self, view: &mut View, editor: &mut Editor, (call, response): (u32, u32)) {
        let block = *view.block(call);
        let cause = view.block(response).unit;
        let mut number = 0;
        while let Some(path) = view.path_of(&block, number) {
            number += 1;
            let Some(state) = self.path(path).filter(|_| path > PATH_GLOB) else { continue };
            state.writes.push((block.unit, response));
            while let Some(read) = self.path(path).and_then(|state| state.pop_before(block.unit)) {
                match self.missing.remove(&read) {
                    None => self.propose(view, editor, Proposal { call: read, cause, is_told: false }),
                    // Of a read of several files all writes must still count when the last one comes.
                    Some(1) => self.on_read(view, editor, read, cause),
                    Some(missing) => {
                        self.missing.insert(read, missing - 1);
                    }
                }
            }
        }
    }

    fn propose(&mut self, view: &mut View, editor: &mut Editor, proposal: Proposal) {
        let Proposal { call, cause, .. } = proposal;
        let atom = view.block(call).atom;
        // Calls that stay or go together go when all of them are stale. Looked up among the set's own: a list of all that
        // wait would be walked through for each.
        let others = view.atom(atom).iter().copied();
        let together = others.filter(|&other| view.block(other).has(flags::PARTED));
        let seeds: Vec<u32> = together.chain([call]).collect();
        match editor.drop_blocks(view, &seeds, Self::NAME, cause) {
            Decision::Accepted | Decision::Refused => {}
            Decision::Forbidden => {
                self.held.push(view.block(call).unit);
                if let Some(block) = view.block_mut(call) {
                    block.flags |= flags::PARTED;
                }
            }
            Decision::Deferred => self.deferred.push(proposal),
        }
    }

    fn path(&mut self, path: PathId) -> Option<&mut PathState> {
        let index = path as usize;
        if self.paths.len() <= index {
            let empty = || PathState { writes: BinaryHeap::new(), waiting: BinaryHeap::new() };
            self.paths.resize_with(index + 1, empty);
        }
        self.paths.get_mut(index)
    }
}

/// Whether a call writes files, and not as a mere preview.
fn is_write(view: &View, call: u32) -> bool {
    let call = view.block(call);
    call.has(flags::WRITE) && !call.has(flags::PREVIEW)
}

/// Whether a response still shows that its call succeeded; a compacted one no longer tells.
fn is_effective(view: &View, response: u32) -> bool {
    let response = view.block(response);
    response.is_live() && !response.has(flags::FAILED | flags::COMPACTED)
}
