pub(super) const RUNS: &[u32] = &[0];
