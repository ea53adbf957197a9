//! The prompts: what a language model is told when it is to summarise.
//!
//! The texts are the Markdown files in `text/`, one file per section, shared by every framing that
//! has the section. A function here renders each, with types for what varies.

mod fault;
mod paths;
mod render;
mod sections;
mod todo;

pub use fault::{Fault, repair};
pub use paths::{candidates, check_override};
pub use render::{
    EntryRange, PREVIOUS_CLOSE, PREVIOUS_OPEN, PromptOptions, Trigger, acknowledgement, additional_focus,
    compression_prompt, history_fence, range_note, request_introduction, structured_prompt, transcript_note,
    trigger_instruction,
};
pub use sections::{Section, section_names, sections_in, structured_headings};
pub(crate) use todo::one_line;
pub use todo::{Todo, first_open_todo, todo_context, todo_context_within, todo_lines, todos_within};

use crate::error::{Error, ErrorCode};

/// How a summary is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// The middle of the history, joined with what is kept above and below.
    MiddleOut,
    /// The whole history: the agent's only memory.
    OneShot,
    /// A checkpoint in Markdown that is updated from then on.
    Structured,
}

impl Framing {
    /// Every framing.
    pub const ALL: [Self; 3] = [Self::MiddleOut, Self::OneShot, Self::Structured];

    /// The framing's name, which is that of its strategy.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MiddleOut => "middle-out",
            Self::OneShot => "one-shot",
            Self::Structured => "structured",
        }
    }

    /// The framing of a name.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidOptions`], with the names that there are.
    pub fn named(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|framing| framing.name() == name).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(", ");
            let message = format!("option framing: found '{name}', expected one of {known}");
            Error::new(ErrorCode::InvalidOptions, message).key("framing")
        })
    }

    /// The sections of the snapshot, in their order; none for [`Framing::Structured`], which has
    /// [`structured_headings`].
    #[must_use]
    pub const fn sections(self) -> &'static [Section] {
        match self {
            Self::MiddleOut => &sections::MIDDLE_OUT,
            Self::OneShot => &sections::ONE_SHOT,
            Self::Structured => &[],
        }
    }
}
