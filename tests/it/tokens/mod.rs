//! Exact token counts, against naive implementations of what they promise.

mod counts;
mod splits;
mod vocabularies;
