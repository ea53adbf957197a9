//! A read is stale once a later, successful write of the same file made its content history.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use crate::edit::{Decision, Editor, Rule};
use crate::view::{Kind, NONE, PATH_GLOB, PathId, View, flags};

/// What is known of one path.
#[derive(Clone, Debug)]
struct PathState {
    /// The unit of the newest successful write's call.
    last_write: Option<u32>,
    /// The answered reads that wait for a later write: unit and block of the call, oldest first.
    /// A heap, since responses may come in another order than their calls.
    waiting: BinaryHeap<Reverse<(u32, u32)>>,
}

impl PathState {
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
    missing: HashMap<u32, u32>,
    /// Reads whose removal is forbidden for now, each with its cause.
    deferred: Vec<(u32, u32)>,
}

impl StaleReads {
    /// Looks at the blocks that are new since the last run.
    pub fn run(&mut self, view: &mut View, editor: &mut Editor) {
        for (call, cause) in std::mem::take(&mut self.deferred) {
            self.propose(view, editor, call, cause);
        }
        while self.next_block < view.block_count() {
            let index = self.next_block;
            self.next_block += 1;
            let block = *view.block(index);
            let Some(call) = view.partner(index).filter(|_| block.kind == Kind::ToolResponse) else { continue };
            if !block.is_live() {
                continue;
            }
            if view.block(call).has(flags::READ) {
                self.on_read(view, editor, call, block.unit);
            } else if is_effective_write(view, call, index) {
                self.on_write(view, editor, call, block.unit);
            }
        }
    }

    fn on_read(&mut self, view: &mut View, editor: &mut Editor, call: u32, cause: u32) {
        let block = *view.block(call);
        let paths = view.paths_of(&block).to_vec();
        let is_concrete = !block.has(flags::VAGUE_PATHS) && paths.iter().all(|&path| path > PATH_GLOB);
        if paths.is_empty() || !is_concrete {
            return;
        }
        let mut missing = 0;
        for path in paths {
            let Some(state) = self.path(path) else { continue };
            if state.last_write.is_none_or(|write| write <= block.unit) {
                state.waiting.push(Reverse((block.unit, call)));
                missing += 1;
            }
        }
        match missing {
            0 => self.propose(view, editor, call, cause),
            1 => {}
            _ => {
                self.missing.insert(call, missing);
            }
        }
    }

    fn on_write(&mut self, view: &mut View, editor: &mut Editor, call: u32, cause: u32) {
        let block = *view.block(call);
        for path in view.paths_of(&block).to_vec() {
            if path <= PATH_GLOB {
                continue;
            }
            let Some(state) = self.path(path) else { continue };
            if state.last_write.is_some_and(|write| write >= block.unit) {
                continue;
            }
            state.last_write = Some(block.unit);
            while let Some(read) = self.path(path).and_then(|state| state.pop_before(block.unit)) {
                if self.is_covered(read) {
                    self.propose(view, editor, read, cause);
                }
            }
        }
    }

    /// Notes that one more path of a read was written; whether it was the last.
    fn is_covered(&mut self, read: u32) -> bool {
        let Some(missing) = self.missing.get_mut(&read) else { return true };
        *missing -= 1;
        let is_covered = *missing == 0;
        if is_covered {
            self.missing.remove(&read);
        }
        is_covered
    }

    fn propose(&mut self, view: &mut View, editor: &mut Editor, call: u32, cause: u32) {
        if editor.drop_blocks(view, &[call], Rule::StaleReads, cause) == Decision::Deferred {
            self.deferred.push((call, cause));
        }
    }

    fn path(&mut self, path: PathId) -> Option<&mut PathState> {
        let index = path as usize;
        if self.paths.len() <= index {
            let empty = || PathState { last_write: None, waiting: BinaryHeap::new() };
            self.paths.resize_with(index + 1, empty);
        }
        self.paths.get_mut(index)
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let waiting: usize = self.paths.iter().map(|path| path.waiting.capacity() * size_of::<(u32, u32)>()).sum();
        waiting + self.paths.capacity() * size_of::<PathState>() + self.missing.capacity() * size_of::<(u32, u32)>()
    }
}

/// A write counts if it was answered without a failure and not a mere preview. A response that was
/// compacted no longer tells whether it failed, so it supersedes nothing.
fn is_effective_write(view: &View, call: u32, response: u32) -> bool {
    let (call, response) = (view.block(call), view.block(response));
    call.has(flags::WRITE)
        && !call.has(flags::PREVIEW)
        && !response.has(flags::FAILED | flags::COMPACTED)
        && call.partner != NONE
}
