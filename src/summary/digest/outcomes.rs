//! Outcomes of commands, as far as they are certain. The reader of a history decides about failures. This adds the
//! outcome that a result's text reports if its format has no field for it.

use std::collections::HashSet;

use super::super::History;
use super::super::texts::{read, text_leaf};
use super::body::{Facts, Topic};
use crate::calls::outcome::stated_code;
use crate::view::{Kind, ToolId, flags};

/// How a call went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The history says that it failed.
    Failed,
    /// Its result says that it ended with such a code.
    Code(i64),
    Succeeded,
    Unknown,
}

impl Outcome {
    pub const fn has_failed(self) -> bool {
        matches!(self, Self::Failed | Self::Code(_))
    }

    /// What is said behind a command.
    pub fn words(self) -> String {
        match self {
            Self::Failed => " — failed".to_owned(),
            Self::Code(code) => [" — failed: exit code ", &code.to_string()].concat(),
            Self::Succeeded => " — ok".to_owned(),
            Self::Unknown => String::new(),
        }
    }
}

/// The tools of which a failure is known: their harness says so, and what it says nothing of went well.
pub(super) struct Told {
    tools: HashSet<ToolId>,
}

impl Told {
    pub fn new(history: History<'_>) -> Self {
        let view = history.view;
        let mut tools = HashSet::new();
        for unit in 0..view.len() {
            for index in view.blocks_of(unit) {
                let block = view.block(index);
                let has_failed = |response| view.block(response).has(flags::FAILED);
                if block.kind == Kind::ToolCall && view.partner(index).is_some_and(has_failed) {
                    tools.insert(block.tool);
                }
            }
        }
        Self { tools }
    }

    /// How a call went, by its response and what is known of the same call.
    pub fn outcome(
        &self,
        history: History<'_>,
        index: u32,
        response: u32,
        facts: &Facts,
        key: &str,
    ) -> Outcome {
        let view = history.view;
        if view.block(response).has(flags::FAILED) {
            return Outcome::Failed;
        }
        let text = text_leaf(history, response).map(|leaf| read(history, leaf)).unwrap_or_default();
        let tool = view.block(index).tool;
        match stated_code(&text) {
            Some(0) => Outcome::Succeeded,
            Some(code) => Outcome::Code(code),
            None if self.tools.contains(&tool) => Outcome::Succeeded,
            // The very call of which a failure was told says nothing of one now.
            None if facts.get(Topic::Errors, key).is_some() => Outcome::Succeeded,
            None => Outcome::Unknown,
        }
    }
}
