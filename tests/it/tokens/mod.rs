//! Exact token counts, against naive implementations of what they promise.

mod anchors;
mod bounds;
mod counts;
mod late;
mod splits;
mod vocabularies;
