//! Exact token counts, against naive implementations of what they promise.

mod bounds;
mod counts;
mod late;
mod splits;
mod vocabularies;
