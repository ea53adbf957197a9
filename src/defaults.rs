//! What holds unless it is set otherwise: each number and switch that a setting may change stands here,
//! once. The registry of settings shows them.

/// The part of the limit at which compression is due.
pub const THRESHOLD: f64 = 0.85;
/// The tail that is kept, as a fraction of the entries.
pub const PRESERVE: f64 = 0.3;
/// The top that is kept, as a fraction of the entries.
pub const TOP_PRESERVE: f64 = 0.2;
/// Whether stale reads go.
pub const READ_WRITE_PRUNING: bool = true;
/// Whether repeated inclusions go.
pub const FILE_DEDUPE: bool = true;
/// Whether old results go.
pub const RECENCY_PRUNING: bool = false;
/// How many results of each tool stay then.
pub const RECENCY_RETENTION: f64 = 3.0;
