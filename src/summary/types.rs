//! What crosses: requests, findings and what comes of a reply. Serialised, they are the values that the
//! bindings hand out.

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use super::plan::Plan;
use super::state::CompactionState;
use crate::scatter::Numbers;
use crate::strategy::NoopReason;
use crate::view::LeafAddress;

/// Who says a message of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm-full", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum Voice {
    /// The user's side.
    Human,
    /// The model's side.
    Ai,
}

/// A piece of a message's text. Big texts are only referred to, so that they never cross.
#[derive(Clone, Debug, PartialEq)]
pub enum Segment {
    /// A text of ours.
    Text(String),
    /// A leaf of the caller's messages, as a whole.
    Leaf(LeafAddress),
    /// A span of a leaf, in UTF-16 code units.
    Span(LeafAddress, u32, u32),
    /// The summary of the parts before this one.
    Previous,
}

impl Serialize for Segment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let words = |address: &LeafAddress| (address.unit, address.block, address.leaf as u32);
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Leaf(address) => words(address).serialize(serializer),
            Self::Span(address, from, to) => {
                let (unit, block, leaf) = words(address);
                (unit, block, leaf, from, to).serialize(serializer)
            }
            Self::Previous => serializer.serialize_unit(),
        }
    }
}

/// A message of a request; its text is that of its segments, one behind the other.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm-full", derive(tsify::Tsify))]
#[cfg_attr(feature = "wasm-full", tsify(rename = "PlannedMessage"))]
pub struct Message {
    /// Who says it.
    pub speaker: Voice,
    /// What is said.
    #[serde(serialize_with = "numbered")]
    #[cfg_attr(feature = "wasm-full", tsify(type = "Segment[]"))]
    pub segments: Vec<Segment>,
}

/// Segments; a text that stood there before is the number of the segment that it was. Most are one of a few headers.
fn numbered<S: Serializer>(segments: &[Segment], serializer: S) -> Result<S::Ok, S::Error> {
    let mut known = Numbers::default();
    let mut sequence = serializer.serialize_seq(Some(segments.len()))?;
    for (number, segment) in (0u32..).zip(segments) {
        if let Segment::Text(text) = segment
            && let Some(first) = known.get(text.as_str())
        {
            sequence.serialize_element(first)?;
            continue;
        }
        if let Segment::Text(text) = segment {
            known.insert(text.as_str(), number);
        }
        sequence.serialize_element(segment)?;
    }
    sequence.end()
}

impl Message {
    /// A message of the user's side with one text.
    #[must_use]
    pub fn human(text: impl Into<String>) -> Self {
        Self { speaker: Voice::Human, segments: vec![Segment::Text(text.into())] }
    }
}

/// A request as it is planned, or why there is nothing to ask for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm-full", derive(tsify::Tsify))]
#[cfg_attr(feature = "wasm-full", tsify(rename = "PlannedSummary"))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Planned {
    /// There is nothing to summarise.
    Noop {
        /// Why.
        reason: NoopReason,
    },
    /// What to send.
    Request(Box<Request>),
}

/// What to send to the summarising model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm-full", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// The messages to send; in `append` mode they follow the caller's own.
    #[cfg_attr(feature = "wasm-full", tsify(type = "PlannedMessage[]"))]
    pub messages: Vec<Message>,
    /// The further parts of a request that doesn't fit the model's window.
    #[cfg_attr(feature = "wasm-full", tsify(type = "PlannedMessage[][]"))]
    pub remaining: Vec<Vec<Message>>,
    /// Whether a provider may demand the definitions of tools, since the messages hold calls.
    pub needs_tools: bool,
    /// The number of todo items for which the request had no room.
    pub todos_left_out: u32,
    /// What the reply will be judged and applied by.
    #[cfg_attr(feature = "wasm-full", tsify(type = "SummaryPlan"))]
    pub plan: Plan,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm-full", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The reply can't be used.
    Failure,
    /// The reply is used.
    Warning,
}

/// What was found in a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm-full", derive(tsify::Tsify))]
#[cfg_attr(feature = "wasm-full", tsify(rename = "FindingCode"))]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// There is nothing in it, or nothing but white space.
    Empty,
    /// There is no snapshot (structured: no `## Goal`), or one without any of its sections.
    Incomplete,
    /// It breaks off inside the snapshot.
    CutOff,
    /// The summary is not smaller than the messages it replaces.
    NotSmaller,
    /// It holds the syntax of tool calls.
    ProtocolJunk,
    /// A directive that stands only in texts of tools.
    InventedDirective,
    /// One of the sections isn't there.
    MissingSection,
    /// A path that occurs nowhere in the history.
    UnknownPath,
    /// A directive that the user didn't say in these words.
    UnverifiedQuote,
    /// A pin, or a standing instruction, isn't in the new history to the letter.
    MissingPin,
    /// There is no room for one of the user's standing instructions in their list.
    InstructionLeftOut,
}

impl Code {
    /// Whether a reply with such a finding can't be used.
    #[must_use]
    pub const fn level(self) -> Level {
        match self {
            Self::Empty
            | Self::Incomplete
            | Self::CutOff
            | Self::NotSmaller
            | Self::ProtocolJunk
            | Self::InventedDirective
            | Self::MissingPin => Level::Failure,
            Self::MissingSection | Self::UnknownPath | Self::UnverifiedQuote | Self::InstructionLeftOut => {
                Level::Warning
            }
        }
    }
}

/// Something that a check of a reply found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm-full", derive(tsify::Tsify))]
pub struct Finding {
    /// Whether the reply can be used all the same.
    pub level: Level,
    /// What was found.
    #[cfg_attr(feature = "wasm-full", tsify(type = "FindingCode"))]
    pub code: Code,
    /// The same as a sentence.
    pub message: String,
    /// The section that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// The line or path that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Finding {
    #[inline(never)] // Twice the same is twice the size.
    pub(super) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { level: code.level(), code, message: message.into(), section: None, text: None }
    }

    pub(super) fn section(mut self, name: &str) -> Self {
        self.section = Some(name.to_owned());
        self
    }

    #[inline(never)] // Twice the same is twice the size.
    pub(super) fn text(mut self, text: &str) -> Self {
        self.text = Some(text.chars().take(500).collect());
        self
    }
}

/// An entry that is put into the history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm-full", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Inserted {
    /// Who speaks.
    pub speaker: Voice,
    /// The text.
    pub text: String,
    /// The text for a history that no longer holds the newest request, where `text` quotes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_request: Option<String>,
}

/// What came of a reply.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm-full", derive(tsify::Tsify))]
#[cfg_attr(feature = "wasm-full", tsify(rename = "SummaryOutcome"))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Outcome {
    /// The new history: the messages before `top`, the inserted ones, the moved ones, and those from `tail` on.
    Applied(Box<Applied>),
    /// The next part is to be sent, with `previous` where the summary so far goes.
    Continue {
        /// The summary of the parts so far.
        previous: String,
        /// The plan of the next part.
        #[cfg_attr(feature = "wasm-full", tsify(type = "SummaryPlan"))]
        plan: Box<Plan>,
        /// What was found in this part's reply.
        findings: Vec<Finding>,
    },
    /// The reply can't be used; the history stays as it is.
    Failed {
        /// What was found.
        findings: Vec<Finding>,
        /// A request for exactly what is missing.
        #[cfg_attr(feature = "wasm-full", tsify(type = "PlannedMessage[]"))]
        repair: Vec<Message>,
        /// Whether the messages of the first request of this part come before those of `repair`, because
        /// the model needs the history again.
        again: bool,
        /// The plan to apply the next reply by.
        #[cfg_attr(feature = "wasm-full", tsify(type = "SummaryPlan"))]
        plan: Box<Plan>,
    },
    /// The messages aren't those that the request was made of.
    Conflict {
        /// The first message that differs.
        index: u32,
        /// How it differs.
        reason: ConflictReason,
    },
}

/// What happened to a message that was to be summarised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm-full", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum ConflictReason {
    /// It reads otherwise.
    Changed,
    /// It isn't there.
    Missing,
}

/// The new history, in terms of the old one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm-full", derive(tsify::Tsify))]
pub struct Applied {
    /// So many messages stay before the summary.
    pub top: u32,
    /// What comes then: the summary, and for the snapshot strategies an acknowledgement.
    pub insert: Vec<Inserted>,
    /// Messages of the summarised range that stay, after the inserted ones.
    pub moved: Vec<u32>,
    /// From here on the messages stay.
    pub tail: u32,
    /// Warnings.
    pub findings: Vec<Finding>,
    /// Counts.
    pub metadata: SummaryMetadata,
    /// For the next compaction.
    pub state: CompactionState,
}

/// What a summary did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm-full", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct SummaryMetadata {
    /// Entries before.
    pub original_message_count: u32,
    /// Entries after.
    pub compressed_message_count: u32,
    /// The strategy that ran.
    #[cfg_attr(feature = "wasm-full", tsify(type = "SummaryStrategy | 'digest'"))]
    pub strategy_used: &'static str,
    /// Whether a language model was asked: always, but for a digest.
    pub llm_call_made: bool,
    /// Entries before the summary.
    pub top_preserved: u32,
    /// Entries behind the summary, moved ones included.
    pub bottom_preserved: u32,
    /// Entries that the summary stands for.
    pub middle_compressed: u32,
    /// Tokens before.
    pub tokens_before: u64,
    /// Tokens after; in a conversation with the note that `recall` adds after a summary.
    pub tokens_after: u64,
    /// Whether the target was reached; without a context limit there is none, and it is.
    pub target_reached: bool,
    /// The parts that the request was made in.
    pub parts: u32,
}

/// What a check of a reply found, without applying it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm-full", derive(tsify::Tsify))]
#[cfg_attr(feature = "wasm-full", tsify(rename = "VerifiedSummary"))]
pub struct Verified {
    /// Whether the reply can be used.
    pub ok: bool,
    /// What was found.
    pub findings: Vec<Finding>,
    /// A request for exactly what is missing; empty if nothing is.
    #[cfg_attr(feature = "wasm-full", tsify(type = "PlannedMessage[]"))]
    pub repair: Vec<Message>,
    /// As in [`Outcome::Failed`].
    pub again: bool,
}
