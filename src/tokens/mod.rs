//! Counting tokens.

pub mod estimate;
