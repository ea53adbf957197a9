//! One opaque error with a stable code.

use std::fmt;

/// What went wrong, as a stable word that a program can branch on.
///
/// Bad *content* (an unknown block, odd parameters) never is an error; these are faults of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorCode {
    /// An option is unknown, of the wrong type or out of its range; the error's `key` names it.
    InvalidOptions,
    /// A strategy's name isn't one of [`crate::strategy::Strategy::ALL`].
    UnknownStrategy,
    /// The strategy needs a language model, which a deterministic call doesn't have.
    StrategyNeedsModel,
    /// A density result names an index twice or one that isn't in the history.
    InvalidDensityResult,
    /// The messages handed in aren't a list.
    InvalidMessages,
    /// The caller's token counter threw or returned something that isn't a count.
    TokenCounterFailed,
    /// A function that the caller passed as an option (`protect`, `isFailure`) threw.
    CallbackFailed,
    /// An integer stream is of another version or cut off: the facade and the core don't match.
    InvalidStream,
    /// A handle was used after it was disposed.
    Disposed,
    /// A lazy part of a result was read after its optimizer had moved on.
    StaleResult,
    /// The core failed twice on the same input (out of memory, most likely); the handles live on.
    CoreFailed,
    /// The host compiles no WebAssembly: a page's policy forbids it, or an edge worker's bundle lacks the file.
    WasmUnavailable,
    /// A stored summary request is malformed or of another version.
    InvalidRequest,
    /// A summary request in `append` mode was asked for while calls are unanswered.
    OpenCalls,
    /// The model's window can't hold the prompt of a summary request, whatever is summarised.
    WindowTooSmall,
    /// A prompt that the host found is blank or can't be read.
    InvalidPrompt,
    /// A name would lead a prompt's path out of its directory.
    InvalidPath,
    /// A setting is missing or invalid; the error names its key, its value and the layer.
    InvalidSetting,
    /// What was handed in as a model's reply isn't text.
    InvalidReply,
    /// A conversation's snapshot is malformed, of another version, or of other messages.
    InvalidSnapshot,
    /// The host's model call failed, was cancelled or took too long.
    SummaryFailed,
}

impl ErrorCode {
    /// Every code, in the order of the variants.
    pub const ALL: [Self; 21] = [
        Self::InvalidOptions,
        Self::UnknownStrategy,
        Self::StrategyNeedsModel,
        Self::InvalidDensityResult,
        Self::InvalidMessages,
        Self::TokenCounterFailed,
        Self::CallbackFailed,
        Self::InvalidStream,
        Self::Disposed,
        Self::StaleResult,
        Self::CoreFailed,
        Self::WasmUnavailable,
        Self::InvalidRequest,
        Self::OpenCalls,
        Self::WindowTooSmall,
        Self::InvalidPrompt,
        Self::InvalidPath,
        Self::InvalidSetting,
        Self::InvalidReply,
        Self::InvalidSnapshot,
        Self::SummaryFailed,
    ];

    /// The code as JavaScript sees it, for instance `invalid-options`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidOptions => "invalid-options",
            Self::UnknownStrategy => "unknown-strategy",
            Self::StrategyNeedsModel => "strategy-needs-model",
            Self::InvalidDensityResult => "invalid-density-result",
            Self::InvalidMessages => "invalid-messages",
            Self::TokenCounterFailed => "token-counter-failed",
            Self::CallbackFailed => "callback-failed",
            Self::InvalidStream => "invalid-stream",
            Self::Disposed => "disposed",
            Self::StaleResult => "stale-result",
            Self::CoreFailed => "core-failed",
            Self::WasmUnavailable => "wasm-unavailable",
            Self::InvalidRequest => "invalid-request",
            Self::OpenCalls => "open-calls",
            Self::WindowTooSmall => "window-too-small",
            Self::InvalidPrompt => "invalid-prompt",
            Self::InvalidPath => "invalid-path",
            Self::InvalidSetting => "invalid-setting",
            Self::InvalidReply => "invalid-reply",
            Self::InvalidSnapshot => "invalid-snapshot",
            Self::SummaryFailed => "summary-failed",
        }
    }
}

/// An error of this crate: a stable [`code`](Error::code), a sentence, and where it applies the
/// index of the message or the key of the option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    code: ErrorCode,
    message: String,
    index: Option<usize>,
    key: Option<String>,
}

impl Error {
    /// An error with a code and a sentence: the value found, and the expected one.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), index: None, key: None }
    }

    /// Names the message (its index in the history) that the error is about.
    #[must_use]
    pub fn at(mut self, index: usize) -> Self {
        self.index = Some(index);
        self
    }

    /// Names the option that the error is about.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        self.code
    }

    /// The sentence, without the code.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The index of the message, where the error is about one.
    #[must_use]
    pub const fn index(&self) -> Option<usize> {
        self.index
    }

    /// The key of the option, where the error is about one.
    #[must_use]
    pub fn option_key(&self) -> Option<&str> {
        self.key.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.message)
    }
}

impl std::error::Error for Error {}
