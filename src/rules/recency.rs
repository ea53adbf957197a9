//! Of each tool's results the newest ones stay; of older ones a pointer.

use std::collections::VecDeque;

use super::compacted::{POINTER, PRUNED};
use crate::edit::{Editor, Rule};
use crate::view::{Kind, TextSource, ToolId, View, flags};

/// The results of one tool that may still be pruned.
#[derive(Clone, Debug, Default)]
struct Results {
    /// Blocks, oldest first; dropped ones leave when they come to the front.
    queue: VecDeque<u32>,
    /// Those of them that weren't dropped.
    live: u32,
}

/// REQ-HD-007: results older than the newest `retention` of their tool.
#[derive(Clone, Debug)]
pub struct Recency {
    retention: u32,
    tools: Option<Vec<String>>,
    /// Whether all pointers are the documents', whatever the tool does.
    is_seed: bool,
    next_block: u32,
    results: Vec<Results>,
}

impl Recency {
    /// Keeps the newest `retention` results of each tool, or of the named ones only.
    #[must_use]
    pub const fn new(retention: u32, tools: Option<Vec<String>>, is_seed: bool) -> Self {
        Self { retention, tools, is_seed, next_block: 0, results: Vec::new() }
    }

    /// Takes in the responses that are new since the last run and prunes what became too old.
    pub fn run(&mut self, view: &mut View, editor: &mut Editor, source: &dyn TextSource) {
        self.forget_dropped(view, editor);
        let (cause, is_seed) = (view.len().saturating_sub(1), self.is_seed);
        while self.next_block < view.block_count() {
            let index = self.next_block;
            self.next_block += 1;
            let block = view.block(index);
            if block.kind != Kind::ToolResponse || !block.is_live() || !self.is_covered(view, block.tool) {
                continue;
            }
            let tool = block.tool;
            let retention = self.retention;
            let Some(results) = self.results_of(tool) else { continue };
            results.queue.push_back(index);
            results.live += 1;
            while results.live > retention {
                let Some(oldest) = results.queue.pop_front() else { break };
                if view.block(oldest).is_live() {
                    results.live -= 1;
                    let is_read = view.partner(oldest).is_some_and(|call| view.block(call).has(flags::READ));
                    let text = if is_seed || is_read { POINTER } else { PRUNED };
                    let from = (Rule::Recency, cause);
                    editor.put_stand_in(view, source, (oldest, text.to_owned()), from);
                }
            }
        }
    }

    /// Blocks are queued in order, so one that precedes the front has left the queue already.
    fn forget_dropped(&mut self, view: &View, editor: &mut Editor) {
        let next_block = self.next_block;
        for index in std::mem::take(&mut editor.dropped_responses) {
            let Some(results) = self.results_of(view.block(index).tool) else { continue };
            let is_queued = index < next_block && results.queue.front().is_some_and(|&front| index >= front);
            if is_queued {
                results.live = results.live.saturating_sub(1);
            }
        }
    }

    fn is_covered(&self, view: &View, tool: ToolId) -> bool {
        let name = || view.names.tool_name(tool);
        tool != ToolId::NONE
            && self.tools.as_ref().is_none_or(|tools| tools.iter().any(|tool| tool == name()))
    }

    fn results_of(&mut self, tool: ToolId) -> Option<&mut Results> {
        let index = tool.0 as usize;
        if self.results.len() <= index {
            self.results.resize_with(index + 1, Results::default);
        }
        self.results.get_mut(index)
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.results
            .iter()
            .map(|results| results.queue.capacity() * size_of::<u32>() + size_of::<Results>())
            .sum()
    }
}
