//! The invariants of the design, each as a property over random histories; `DENSIFY_RUNS` raises
//! the number of cases.

mod compression;
mod content;
mod hosts;
mod incremental;
mod replay;
mod robust;
mod stability;

pub use compression::{part, strategy, to_target};
pub use incremental::config;

use densify::options::FlushPolicy;
use densify::view::Capabilities;
use proptest::prelude::*;

/// Every policy, with small and large numbers of tokens.
fn policy() -> impl Strategy<Value = FlushPolicy> {
    prop_oneof![
        2 => Just(FlushPolicy::Always),
        2 => Just(FlushPolicy::Never),
        3 => (0..200_u32).prop_map(|tokens| FlushPolicy::Tokens(f64::from(tokens))),
    ]
}

/// Every combination of what a provider may demand.
fn capabilities() -> impl Strategy<Value = Capabilities> {
    (0..16_u32).prop_map(Capabilities::from_bits)
}
