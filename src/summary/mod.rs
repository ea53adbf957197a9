//! Everything around a language model's summary of a history: the request, the check of the reply, and the new
//! history.

mod answers;
mod apply;
mod check;
mod constraints;
mod contents;
mod digest;
mod directives;
mod elements;
mod entries;
pub mod files;
mod fingerprint;
mod headings;
mod instructions;
mod parts;
mod plan;
mod prices;
mod quotes;
mod reply;
mod request;
mod requests;
mod screen;
mod settings;
mod split;
mod state;
mod stored;
mod substance;
mod survey;
mod texts;
mod types;
mod unverified;
mod voices;

pub use apply::{apply, verify};
pub use contents::{apply_contents, digest_contents, message_text, request_contents, verify_contents};
pub use digest::{DigestSettings, Digested, digest};
pub use plan::Plan;
pub use request::request;
pub use screen::Screen;
pub use settings::{Mode, SummarySettings};
pub use state::CompactionState;
pub use stored::{HEAD as SUMMARY_HEAD, Stored};
pub use types::{
    Applied, Code, ConflictReason, Finding, Inserted, Level, Message, Outcome, Planned, Request, Segment,
    SummaryMetadata, Verified, Voice,
};

use crate::tools::ToolTable;
use crate::view::{TextSource, View};

/// A history to be summarised: the messages as they would be sent, one unit each.
#[derive(Clone, Copy)]
pub struct History<'history> {
    /// Its units.
    pub view: &'history View,
    /// Its texts.
    pub source: &'history dyn TextSource,
    /// What its tools do.
    pub tools: &'history ToolTable,
}
