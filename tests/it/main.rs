//! One integration binary: what the crate promises, by meaning.

mod support;
mod vectors;
