//! The invariants of the design, each as a property over random histories; `PROPTEST_CASES` raises
//! the number of cases.

mod incremental;
