//! Old thinking goes: what came of it the model has said and done since. Newer thinking stays. So does thinking that
//! the provider wants back or binds to its neighbours.
//!
//! In real conversations nothing that the model used later stood in its old thinking alone.

use super::old_results::STEP;
use super::rule::Context;
use crate::edit::{Decision, RuleName};
use crate::options::Preset;
use crate::view::{Kind, Speaker, View};

/// At least this many answered results, or user messages, pass before thinking goes.
const AGE: u32 = 4;

/// A block of thinking, and what came before it.
#[derive(Clone, Copy, Debug)]
struct Thought {
    block: u32,
    results: u32,
    /// Messages of the user: in a chat without tools nothing else tells its age.
    words: u32,
}

/// Drops thinking by its age.
#[derive(Clone, Debug)]
pub struct OldThinking {
    /// Whether it goes by itself, only for a budget (none), or never.
    is_on: Option<bool>,
    thoughts: Vec<Thought>,
    /// So many of them were tried.
    tried: usize,
    /// How many messages of the user there are, and the newest one's unit.
    words: u32,
    heard: Option<u32>,
    /// What the provider wanted back when it was tried.
    wanted: Vec<u32>,
    /// The user's newest words then.
    human: Option<u32>,
}

impl OldThinking {
    /// The presets that switch it on.
    pub const PRESETS: &'static [Preset] = &[Preset::Balanced, Preset::Aggressive];

    /// Starts with nothing.
    #[must_use]
    pub const fn new(is_on: Option<bool>) -> Self {
        Self { is_on, thoughts: Vec::new(), tried: 0, words: 0, heard: None, wanted: Vec::new(), human: None }
    }

    /// Takes in a new block behind so many results.
    pub fn see_block(&mut self, view: &View, block: u32, results: u32) {
        let unit = view.block(block).unit;
        if view.unit(unit).speaker == Speaker::Human {
            self.words += u32::from(self.heard.replace(unit) != Some(unit));
        }
        if view.block(block).kind == Kind::Thinking {
            self.see_thinking(view, block, results);
        }
    }

    fn see_thinking(&mut self, view: &View, block: u32, results: u32) {
        let demands = view.capabilities;
        let is_bound =
            demands.thinking_bound_to_prefix || demands.keeps_thinking || view.block(block).atom != 0;
        let is_own = view.unit(view.block(block).unit).speaker == Speaker::Ai;
        // What has no text costs no tokens: an edit would break the cache for nothing.
        if self.is_on != Some(false) && is_own && !is_bound && view.block(block).size > 0 {
            self.thoughts.push(Thought { block, results, words: self.words });
        }
    }

    /// Drops thinking that is old enough after this number of answered results.
    pub fn run(&mut self, context: &mut Context<'_>, answered: u32) {
        let view = &*context.view;
        if self.human != view.last_human() {
            self.human = view.last_human();
            for block in std::mem::take(&mut self.wanted) {
                self.drop(context, block);
            }
        }
        // In steps like old results, so that one run edits both.
        while self.is_on == Some(true)
            && let Some(block) = self.next(answered, |before| (before + AGE).next_multiple_of(STEP))
        {
            self.drop(context, block);
        }
    }

    /// Drops thinking in a unit or behind it that is old enough, whatever the step: a flush sends all of that again.
    pub fn deepen(&mut self, context: &mut Context<'_>, answered: u32, from: u32) {
        let Context { view, editor, .. } = context;
        if self.is_on != Some(true) {
            return;
        }
        let is_due = |thought: &&Thought| {
            view.block(thought.block).unit >= from
                && (thought.results + AGE <= answered || thought.words + AGE <= self.words)
        };
        let due: Vec<u32> =
            self.thoughts.iter().skip(self.tried).filter(is_due).map(|thought| thought.block).collect();
        let cause = view.len().saturating_sub(1);
        for block in due {
            // What the provider wants back is tried again when its step comes.
            editor.drop_blocks(view, &[block], RuleName::OldThinking, cause);
        }
    }

    /// Drops the oldest thinking that a budget may take; whether there was any.
    pub fn drop_next(&mut self, context: &mut Context<'_>, answered: u32) -> bool {
        while let Some(block) = self.next(answered, |before| before + AGE) {
            if self.drop(context, block) {
                return true;
            }
        }
        false
    }

    /// The next one that is due.
    fn next(&mut self, answered: u32, due: impl Fn(u32) -> u32) -> Option<u32> {
        let is_due =
            |thought: &&Thought| due(thought.results) <= answered || due(thought.words) <= self.words;
        let thought = self.thoughts.get(self.tried).filter(is_due)?;
        self.tried += 1;
        Some(thought.block)
    }

    fn drop(&mut self, context: &mut Context<'_>, block: u32) -> bool {
        let Context { view, editor, .. } = context;
        let cause = view.len().saturating_sub(1);
        let decision = editor.drop_blocks(view, &[block], RuleName::OldThinking, cause);
        if decision == Decision::Deferred {
            self.wanted.push(block);
        }
        decision == Decision::Accepted
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.thoughts.capacity() * size_of::<Thought>() + self.wanted.capacity() * size_of::<u32>()
    }
}
