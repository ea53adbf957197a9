//! What callers can choose for a summary. The documentation here is that of the TypeScript types.

use super::state::CompactionState;
use crate::budget::{Budget, FRACTION, Window};
use crate::error::{Error, ErrorCode};
use crate::options::{FromOptions, Reader, Size, invalid, number};
use crate::prompt::{Framing, Todo};
use crate::tools::ToolDefinition;

/// A summary of fewer messages isn't worth its call.
const FEWEST: usize = 4;

/// How a summary is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// A request of its own that holds the history as text.
    #[default]
    Transcript,
    /// The caller's own messages and one more, so that the provider's cache stays warm.
    Append,
}

impl Mode {
    /// The mode's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Transcript => "transcript",
            Self::Append => "append",
        }
    }

    /// The mode of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Transcript, Self::Append].into_iter().find(|mode| mode.name() == name)
    }
}

/// Options of a summary.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "wasm-full", derive(tsify::Tsify))]
#[cfg_attr(feature = "wasm-full", serde(rename_all = "camelCase"))]
pub struct SummarySettings {
    /// The strategy: `'middle-out'`, `'one-shot'` or `'structured'`.
    #[cfg_attr(feature = "wasm-full", tsify(type = "SummaryStrategy"))]
    pub strategy: String,
    /// `'transcript'` sends the history as texts in a new request. `'append'` sends your own messages plus one, so the
    /// provider's prompt cache is used. An `append` request larger than `window` becomes a `transcript` in parts.
    ///
    /// @default "transcript"
    #[cfg_attr(feature = "wasm-full", tsify(optional, type = "'transcript' | 'append'"))]
    pub mode: Option<Mode>,
    /// The model's context window, in tokens. With it, a history below its target is not summarised.
    ///
    /// @default none
    #[cfg_attr(feature = "wasm-full", tsify(optional))]
    pub context_limit: Option<f64>,
    /// The part of the window at which compression is due; the target is 0.6 of it.
    ///
    /// @default 0.85
    #[cfg_attr(feature = "wasm-full", tsify(optional))]
    pub threshold: Option<f64>,
    /// Tokens kept free for the model's answer.
    ///
    /// @default 0
    #[cfg_attr(feature = "wasm-full", tsify(optional))]
    pub reserve: Option<f64>,
    /// Tokens of the system prompt and tool definitions, which are sent with every request.
    ///
    /// @default 0
    #[cfg_attr(feature = "wasm-full", tsify(optional))]
    pub overhead: Option<f64>,
    /// The tail, which stays unchanged: a fraction of the messages, or `{ messages }` or `{ tokens }`.
    ///
    /// @default 0.3, for 'structured' none
    #[cfg_attr(feature = "wasm-full", tsify(optional, type = "Size"))]
    pub preserve: Option<Size>,
    /// The first messages, which `middle-out` keeps: a fraction, or `{ messages }` or `{ tokens }`.
    ///
    /// @default 0.2
    #[cfg_attr(feature = "wasm-full", tsify(optional, type = "Size"))]
    pub top_preserve: Option<Size>,
    /// Keeps the first user message before the summary.
    ///
    /// @default false
    #[cfg_attr(feature = "wasm-full", tsify(optional))]
    pub keep_first_request: Option<bool>,
    /// The fewest messages that a summary replaces; fewer are a noop (`too-few-compressible`).
    ///
    /// @default 4, for 'structured' 1
    #[cfg_attr(feature = "wasm-full", tsify(optional))]
    pub min_messages: Option<f64>,
    /// The agent's todo items: the summary explains the context of each.
    ///
    /// @default []
    #[cfg_attr(feature = "wasm-full", tsify(optional, type = "readonly Todo[] | string"))]
    pub todos: Option<Vec<Todo>>,
    /// The path of the whole conversation. The request and the stored summary name it.
    ///
    /// @default none
    #[cfg_attr(feature = "wasm-full", tsify(optional))]
    pub transcript_path: Option<String>,
    /// Instructions for this summary, such as `focus on the parser`.
    ///
    /// @default none
    #[cfg_attr(feature = "wasm-full", tsify(optional))]
    pub instructions: Option<String>,
    /// The data of an earlier summary, if the history no longer holds its message.
    ///
    /// @default none
    #[cfg_attr(feature = "wasm-full", tsify(optional))]
    pub state: Option<CompactionState>,
    /// Your own prompt instead of the built-in one. A copy of a built-in prompt, edited or not, is checked for the
    /// sections that it still asks for. A prompt of another form is checked for directives that the user never gave, and
    /// for a reply that is empty, cut off or too large.
    ///
    /// @default the built-in prompt of the strategy
    #[cfg_attr(feature = "wasm-full", tsify(optional))]
    pub prompt: Option<String>,
    /// The profile of the summarising model, which the request passes to your `summarize`.
    ///
    /// @default none
    #[cfg_attr(feature = "wasm-full", tsify(optional))]
    pub profile: Option<String>,
    /// The language of the summary.
    ///
    /// @default that of the conversation
    #[cfg_attr(feature = "wasm-full", tsify(optional))]
    pub language: Option<String>,
    /// The context window of the summarising model, in tokens. A larger request is sent in parts.
    ///
    /// @default `contextLimit`; without it the request is one part
    #[cfg_attr(feature = "wasm-full", tsify(optional))]
    pub window: Option<f64>,
    /// Tokens of `window` that are kept free for the summary.
    ///
    /// @default an eighth of `window`, at most 8192
    #[cfg_attr(feature = "wasm-full", tsify(optional))]
    pub reply_tokens: Option<f64>,
    /// Facts, prohibitions and paths that the stored summary keeps word for word.
    ///
    /// @default []
    #[cfg_attr(feature = "wasm-full", tsify(optional, type = "readonly string[]"))]
    pub pins: Option<Vec<String>>,
    /// The folder that relative paths start from. Without it they stay relative.
    ///
    /// @default none
    #[cfg_attr(feature = "wasm-full", tsify(optional))]
    pub workspace_root: Option<String>,
    /// As for `optimize`.
    ///
    /// @default []
    #[cfg_attr(feature = "wasm-full", tsify(optional, type = "readonly ToolDefinition[]"))]
    pub tools: Option<Vec<ToolDefinition>>,
}

impl FromOptions for SummarySettings {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let strategy = reader.text("strategy")?.ok_or_else(|| reader.missing("strategy"))?;
        Self::read_for(strategy, reader)
    }
}

impl SummarySettings {
    /// Reads all but the strategy.
    pub(super) fn read_for(strategy: String, reader: &mut Reader<'_>) -> Result<Self, Error> {
        let mode = reader.take("mode", "'transcript' or 'append'", |value| Mode::named(value.as_str()?))?;
        let todos = reader.take("todos", "a list of todo items", |value| Some(value.clone()))?;
        let state = reader.take("state", "a compaction state", Some)?;
        let settings = Self {
            strategy,
            mode,
            context_limit: reader.number("contextLimit")?,
            threshold: reader.number("threshold")?,
            reserve: reader.number("reserve")?,
            overhead: reader.number("overhead")?,
            preserve: reader.size("preserve")?,
            top_preserve: reader.size("topPreserve")?,
            keep_first_request: reader.boolean("keepFirstRequest")?,
            min_messages: reader.number("minMessages")?,
            todos: todos.map(|list| Todo::read_list("todos", &list)).transpose()?,
            transcript_path: reader.text("transcriptPath")?,
            instructions: reader.text("instructions")?,
            state: state.map(|state| CompactionState::read("state", state)).transpose()?,
            prompt: reader.text("prompt")?,
            profile: reader.text("profile")?,
            language: reader.text("language")?,
            window: reader.number("window")?,
            reply_tokens: reader.number("replyTokens")?,
            pins: reader.texts("pins")?,
            workspace_root: reader.text("workspaceRoot")?,
            tools: reader.tools("tools")?,
        };
        settings.check()?;
        Ok(settings)
    }

    /// The framing of the strategy.
    ///
    /// # Errors
    /// [`crate::ErrorCode::UnknownStrategy`], or [`crate::ErrorCode::InvalidOptions`] if the strategy
    /// makes no summary.
    pub fn framing(&self) -> Result<Framing, Error> {
        let name = crate::strategy::Strategy::named(&self.strategy)?.name();
        Framing::ALL.into_iter().find(|framing| framing.name() == name).ok_or_else(|| {
            let known = Framing::ALL.map(Framing::name).join(", ");
            invalid(
                "strategy",
                ["'", name, "', which asks for no summary"].concat(),
                &format!("one of {known}"),
            )
        })
    }

    /// Refuses values out of range, for any history.
    fn check(&self) -> Result<(), Error> {
        self.framing()?;
        self.budget_of(self.context_limit.unwrap_or(f64::MAX))?;
        for (key, value) in
            [("window", self.window), ("replyTokens", self.reply_tokens), ("minMessages", self.min_messages)]
        {
            if let Some(value) = value.filter(|value| !(value.is_finite() && *value >= 1.0)) {
                return Err(invalid(key, number(value), "a number of at least 1"));
            }
        }
        if let (Some(window), Some(reply)) = (self.window.or(self.context_limit), self.reply_tokens)
            && reply >= window
        {
            let right = if self.window.is_some() { "less than window" } else { "less than contextLimit" };
            return Err(invalid("replyTokens", number(reply), right));
        }
        for (key, size) in [("preserve", self.preserve), ("topPreserve", self.top_preserve)] {
            let (value, most, right) = match size {
                None => continue,
                Some(Size::Fraction(value)) => (value, 1.0, FRACTION),
                Some(Size::Tokens(value) | Size::Messages(value)) => {
                    (value, f64::MAX, "a number of at least 0")
                }
            };
            if !(0.0..=most).contains(&value) {
                return Err(invalid(key, number(value), right));
            }
        }
        if self.prompt.as_ref().is_some_and(|prompt| prompt.trim().is_empty()) {
            return Err(Error::new(
                ErrorCode::InvalidPrompt,
                "option prompt: found nothing but blanks, expected text",
            )
            .key("prompt"));
        }
        Ok(())
    }

    /// The budget, if there is a context limit.
    pub(super) fn budget(&self) -> Result<Option<Budget>, Error> {
        self.context_limit.map(|limit| self.budget_of(limit)).transpose()
    }

    fn budget_of(&self, context_limit: f64) -> Result<Budget, Error> {
        let Self { threshold, reserve, overhead, .. } = *self;
        Budget::new(Window { context_limit, threshold, reserve, overhead })
    }

    /// What a request may cost: the summarising model's window without what is kept for the reply.
    pub(super) fn room(&self) -> Option<u64> {
        let window = self.window.or(self.context_limit)?;
        Some(whole(window).saturating_sub(self.reply_room()))
    }

    /// The fewest messages that are worth a summary.
    pub(super) fn fewest(&self, framing: Framing) -> usize {
        let default = if framing == Framing::Structured { 1 } else { FEWEST };
        self.min_messages.map_or(default, |fewest| usize::try_from(whole(fewest)).unwrap_or(usize::MAX))
    }

    /// The error for a window that is too small for a prompt of this many tokens and twice the room for a reply.
    pub(super) fn too_small(&self, prompt: u64) -> Error {
        let SummarySettings { window, context_limit, reply_tokens, .. } = self;
        #[allow(clippy::cast_precision_loss)]
        let prompt = prompt as f64;
        let least = reply_tokens.map_or((prompt / 0.75).min(prompt + 16_384.0), |reply| prompt + reply * 2.0);
        let key = if window.is_some() { "window" } else { "contextLimit" };
        let found = number(window.or(*context_limit).unwrap_or_default());
        let message = [
            "option ",
            key,
            ": found ",
            &found,
            ", expected at least ",
            &number(least.ceil()),
            " for the prompt",
        ];
        Error::new(ErrorCode::WindowTooSmall, message.concat()).key(key)
    }

    /// What is kept for the reply.
    pub(super) fn reply_room(&self) -> u64 {
        let window = self.window.or(self.context_limit).unwrap_or_default();
        whole(self.reply_tokens.unwrap_or_else(|| (window / 8.0).min(8192.0)))
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
const fn whole(number: f64) -> u64 {
    number as u64
}
