//! The deterministic rules, one a file. Each keeps its own state, sees every new block once and
//! proposes edits to the [`Editor`](crate::edit::Editor); none rescans the history.

pub mod compacted;
mod inclusions;
mod recency;
mod stale_reads;

pub use inclusions::{Inclusion, Inclusions, Span, scan};
pub use recency::Recency;
pub use stale_reads::StaleReads;
