//! One integration binary: what the crate promises, by meaning.

mod histories;
mod invariants;
mod oracle;
mod session;
mod support;
mod vectors;
