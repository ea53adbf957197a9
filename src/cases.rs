//! How many cases a property of a module tries.

use proptest::prelude::ProptestConfig;

/// So many, or `DENSIFY_RUNS` times as many.
pub fn cases(default: u32) -> ProptestConfig {
    let times = std::env::var("DENSIFY_RUNS").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    ProptestConfig {
        cases: default.saturating_mul(times),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
