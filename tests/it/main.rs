//! One integration binary: what the crate promises, by meaning.

// The oracle and the properties run natively; `tests/web.rs` is what runs in a browser.
#![cfg(not(target_arch = "wasm32"))]
// The lints' own exception for tests doesn't reach the helpers beside them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
// JSON written in place reads best when it is handed over.
#![allow(clippy::needless_pass_by_value)]
// Speed is no concern of a script that a test writes.
#![allow(clippy::format_collect, clippy::format_push_string)]

mod attacks;
mod boundary;
mod budget;
mod budget_mode;
mod calls;
mod capabilities;
mod caution;
mod chains;
mod clocks;
mod conversation;
mod density;
mod encode;
mod errors;
mod explained;
mod files;
mod flushes;
mod high_density;
mod histories;
mod hostile;
mod inclusions;
mod intake;
mod invariants;
mod line_numbers;
mod messages;
mod never_larger;
mod no_deeds;
mod old_results;
mod old_thinking;
mod options;
mod oracle;
mod parameters;
mod paths;
mod places;
mod presets;
mod prompts;
mod recency;
mod redact;
mod repeated_media;
mod results;
mod script;
mod session;
mod settings;
mod stale_reads;
mod strategies;
mod stubs;
mod summary;
mod superseded;
mod support;
mod tidy;
mod todos;
mod tokens;
mod tools;
mod top_down;
mod unchanged;
mod vectors;
mod words_around;
mod world;
mod write_arguments;
