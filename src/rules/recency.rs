//! Of each tool's results the newest ones stay; of older ones a pointer.

use std::collections::VecDeque;

use super::compacted::{POINTER, PRUNED};
use super::rule::{Context, Rule, Setup};
use crate::defaults::RECENCY_RETENTION;
use crate::edit::{Editor, RuleName};
use crate::error::Error;
use crate::options::{Preset, invalid};
use crate::view::{Kind, ToolId, View, flags};

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

impl Rule for Recency {
    const NAME: RuleName = RuleName::Recency;
    const PRESETS: &'static [Preset] = &[];
    const READS: bool = false;

    fn new(setup: &Setup<'_>) -> Self {
        let tools = setup.settings.rules.recency_tools.clone();
        let (retention, is_seed) = (setup.retention, setup.is_seed());
        Self { retention, tools, is_seed, next_block: 0, results: Vec::new() }
    }

    fn run(&mut self, context: &mut Context<'_>) {
        let Context { view, editor, source, .. } = context;
        let source = *source;
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
                    let from = (Self::NAME, cause);
                    editor.put_stand_in(view, source, (oldest, text.to_owned()), from);
                }
            }
        }
    }

    fn bytes(&self) -> usize {
        self.results
            .iter()
            .map(|results| results.queue.capacity() * size_of::<u32>() + size_of::<Results>())
            .sum()
    }
}

impl Recency {
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
}

/// The number of results of each tool that stay: at least 1, rounded down (requirements 8.5).
///
/// # Errors
/// [`crate::ErrorCode::InvalidOptions`] if it is not a number.
pub fn retention(given: Option<f64>) -> Result<u32, Error> {
    let given = given.unwrap_or(RECENCY_RETENTION);
    if given.is_nan() {
        return Err(invalid("recencyRetention", "NaN", "a number"));
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    Ok((given.floor() as u32).max(1))
}
