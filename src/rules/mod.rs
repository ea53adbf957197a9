//! The deterministic rules, one a file. Each keeps its own state, sees every new block once and
//! proposes edits to the [`Editor`](crate::edit::Editor); none rescans the history.

pub mod compacted;
mod failed_calls;
mod inclusions;
mod line_numbers;
mod new_result;
mod numbers;
mod old_results;
mod old_thinking;
mod recency;
mod references;
mod repeated_calls;
mod repeated_media;
mod repeats;
mod results;
mod stale_reads;
mod stubs;
mod superseded;
mod table;
mod write_arguments;

pub use inclusions::{Inclusion, Inclusions, Span, scan};
pub use old_results::{AGGRESSIVE, BALANCED, COLD, FLUSHED};
pub use recency::Recency;
pub use results::{Results, Switches};
pub use stale_reads::StaleReads;
pub use stubs::{meant_from, restore_all};
