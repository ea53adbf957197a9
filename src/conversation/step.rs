//! The next step of a conversation, and the outcomes of a summary.

use crate::strategy::Strategy;

/// A deterministic compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// `high-density`.
    HighDensity,
    /// `top-down-truncation`.
    TopDown,
    /// `high-density` without truncation: what is still too large is the summary's.
    Lines,
    /// `digest`.
    Digest,
    /// A digest of all but a short tail, which costs less than to read the whole again and again.
    Payback,
}

impl Compression {
    /// The one that a strategy runs.
    #[must_use]
    pub const fn of(strategy: Strategy) -> Option<Self> {
        match strategy {
            Strategy::HighDensity => Some(Self::HighDensity),
            Strategy::TopDownTruncation => Some(Self::TopDown),
            Strategy::Auto => Some(Self::Lines),
            Strategy::Digest => Some(Self::Digest),
            Strategy::MiddleOut | Strategy::OneShot | Strategy::Structured => None,
        }
    }
}

/// Content that a conversation gives up before it answers [`Step::OverLimit`], in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GiveUp {
    /// The messages at the top, except the first request: a summary replaces them as well.
    Top,
    /// The first request.
    FirstRequest,
    /// The tail, down to the newest exchange.
    Tail,
    /// The model's summary: a shorter one by rules takes its place.
    Model,
}

impl GiveUp {
    /// All of them, in order.
    pub const ALL: [Self; 4] = [Self::Top, Self::FirstRequest, Self::Tail, Self::Model];

    /// Its name in options and warnings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Top => "top",
            Self::FirstRequest => "first-request",
            Self::Tail => "tail",
            Self::Model => "model",
        }
    }

    /// What a strategy keeps and can give up. One-shot and structured summaries keep the first request only if the
    /// conversation says so. A deterministic strategy drops it on its own.
    #[must_use]
    pub(super) const fn of(strategy: Strategy) -> &'static [Self] {
        match strategy {
            Strategy::MiddleOut | Strategy::Auto => &Self::ALL,
            Strategy::OneShot | Strategy::Structured => &[Self::FirstRequest, Self::Tail, Self::Model],
            Strategy::HighDensity | Strategy::TopDownTruncation | Strategy::Digest => &[Self::Tail],
        }
    }
}

/// What the caller should know; each is said once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warning {
    /// The history is above its threshold and can't be brought below it: the fixed overhead, or
    /// what must stay, is too large. It is tried again once the history has grown.
    ThresholdUnreachable,
    /// So many summaries failed in a row that none is tried until something is added.
    SummariesStopped,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The messages may be sent.
    Ready {
        /// What the caller should know.
        warning: Option<Warning>,
    },
    /// Optimize, then call [`super::Machine::optimized`] and ask again.
    Optimize,
    /// Compress, then call [`super::Machine::compressed`] and ask again.
    Compress(Compression),
    /// Ask a model for a summary: [`super::Machine::summary_started`].
    Summarize {
        /// Whether the conversation goes on meanwhile: ask again after the start.
        background: bool,
    },
    /// Compress or summarise once more, without keeping this; report it as the strategy's other work.
    GiveUp(GiveUp),
    /// A summary must be awaited first.
    Pending,
    /// The history is over the limit and nothing more can be done.
    OverLimit {
        /// The tokens that are left.
        floor: u64,
        /// Why nothing more can be done.
        reason: OverLimitReason,
    },
}

/// Why nothing more can be done for a history that is over the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverLimitReason {
    /// Nothing more can go.
    NothingLeft,
    /// A summary might help, but so many failed in a row that none is tried until something is added.
    SummariesStopped,
}

impl Step {
    /// Every step with its name in the package.
    pub const ALL: [(&'static str, Self); 18] = [
        ("ready", Self::Ready { warning: None }),
        ("ready-unreachable", Self::Ready { warning: Some(Warning::ThresholdUnreachable) }),
        ("ready-stopped", Self::Ready { warning: Some(Warning::SummariesStopped) }),
        ("optimize", Self::Optimize),
        ("high-density", Self::Compress(Compression::HighDensity)),
        ("top-down-truncation", Self::Compress(Compression::TopDown)),
        ("lines", Self::Compress(Compression::Lines)),
        ("summarize", Self::Summarize { background: false }),
        ("summarize-background", Self::Summarize { background: true }),
        ("pending", Self::Pending),
        ("over-limit", Self::OverLimit { floor: 0, reason: OverLimitReason::NothingLeft }),
        ("over-limit-stopped", Self::OverLimit { floor: 0, reason: OverLimitReason::SummariesStopped }),
        ("digest", Self::Compress(Compression::Digest)),
        ("give-up-top", Self::GiveUp(GiveUp::Top)),
        ("give-up-first-request", Self::GiveUp(GiveUp::FirstRequest)),
        ("give-up-tail", Self::GiveUp(GiveUp::Tail)),
        ("give-up-model", Self::GiveUp(GiveUp::Model)),
        ("payback", Self::Compress(Compression::Payback)),
    ];

    /// The step as a number, for the bindings.
    #[must_use]
    pub const fn code(self) -> u32 {
        match self {
            Self::Ready { warning: None } => 0,
            Self::Ready { warning: Some(Warning::ThresholdUnreachable) } => 1,
            Self::Ready { warning: Some(Warning::SummariesStopped) } => 2,
            Self::Optimize => 3,
            Self::Compress(Compression::HighDensity) => 4,
            Self::Compress(Compression::TopDown) => 5,
            Self::Compress(Compression::Lines) => 6,
            Self::Summarize { background: false } => 7,
            Self::Summarize { background: true } => 8,
            Self::Pending => 9,
            Self::OverLimit { reason: OverLimitReason::NothingLeft, .. } => 10,
            Self::OverLimit { reason: OverLimitReason::SummariesStopped, .. } => 11,
            Self::Compress(Compression::Digest) => 12,
            Self::GiveUp(GiveUp::Top) => 13,
            Self::GiveUp(GiveUp::FirstRequest) => 14,
            Self::GiveUp(GiveUp::Tail) => 15,
            Self::GiveUp(GiveUp::Model) => 16,
            Self::Compress(Compression::Payback) => 17,
        }
    }
}

/// What came of a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SummaryEnd {
    /// It is in the history.
    Applied,
    /// There was nothing to summarise.
    Noop,
    /// The model failed, took too long, or gave a reply that can't be used.
    Failed,
    /// The caller gave it up; that is no failure.
    Cancelled,
    /// The history was changed under it; that is no failure of the model.
    Conflict,
}

impl SummaryEnd {
    /// Every end, by its number in the bindings.
    pub const ALL: [Self; 5] = [Self::Applied, Self::Noop, Self::Failed, Self::Cancelled, Self::Conflict];

    /// The end of a number, for the bindings.
    #[must_use]
    pub fn of_code(code: u32) -> Option<Self> {
        Self::ALL.get(code as usize).copied()
    }
}
