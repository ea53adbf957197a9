//! Which call a response answers.
//!
//! Ids should be unique, but real histories repeat them: some agents number their calls anew in
//! each turn. A response answers, among the open calls with its id, the first one of the newest
//! unit that has any, so a repeated id never reaches back into an older turn.

use super::{Block, NONE};

/// The open calls with one id, in one unit: a queue through [`Block::partner`].
#[derive(Clone, Copy, Debug)]
struct Queue {
    unit: u32,
    first: u32,
    last: u32,
    /// The queue of an older unit, in [`Calls::older`].
    below: u32,
}

impl Queue {
    const EMPTY: Self = Self { unit: NONE, first: NONE, last: NONE, below: NONE };
}

/// The open calls of a view, by interned id. Every operation takes constant time.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    newest: Vec<Queue>,
    older: Vec<Queue>,
}

impl Calls {
    pub(super) fn open(&mut self, id: u32, unit: u32, call: u32, blocks: &mut [Block]) {
        let id = id as usize;
        // Ids are interned densely; a wild one must not allocate gigabytes.
        if id > blocks.len() + self.newest.len() + 1 {
            return;
        }
        if self.newest.len() <= id {
            self.newest.resize(id + 1, Queue::EMPTY);
        }
        let Some(queue) = self.newest.get_mut(id) else { return };
        if queue.first != NONE && queue.unit == unit {
            if let Some(last) = blocks.get_mut(queue.last as usize) {
                last.partner = call;
            }
            queue.last = call;
            return;
        }
        let below = if queue.first == NONE {
            NONE
        } else {
            self.older.push(*queue);
            u32::try_from(self.older.len() - 1).unwrap_or(NONE)
        };
        *queue = Queue { unit, first: call, last: call, below };
    }

    /// Takes the call that a response with this id answers.
    pub(super) fn answer(&mut self, id: u32, blocks: &mut [Block]) -> Option<u32> {
        let queue = self.newest.get_mut(id as usize)?;
        let call = queue.first;
        let block = blocks.get_mut(call as usize)?;
        queue.first = std::mem::replace(&mut block.partner, NONE);
        if queue.first == NONE {
            *queue = self.older.get(queue.below as usize).copied().unwrap_or(Queue::EMPTY);
        }
        Some(call)
    }

    pub(super) fn bytes(&self) -> usize {
        (self.newest.capacity() + self.older.capacity()) * size_of::<Queue>()
    }
}
