//! The glance at what precedes a sign misses no name.

#![allow(clippy::indexing_slicing)]

use super::super::assignment::{key_end, known, may_introduce, name_before};
use super::{ENVIRONMENTS, NAMES, Strength, may_be_secret};

/// A name as people write it.
fn spellings(name: &str) -> Vec<String> {
    let capital = name.get(..1).unwrap_or_default().to_uppercase() + name.get(1..).unwrap_or_default();
    let parted = |at: usize| format!("{}_{}", &name[..at], &name[at..]);
    let mut all = vec![name.to_owned(), name.to_uppercase(), capital];
    all.extend((1..name.len()).map(parted));
    all
}

#[test]
fn every_name_is_looked_at_behind_whatever_precedes_it() {
    let mut looked_at = 0;
    for (name, ..) in NAMES.iter().chain([&("pass", Strength::Chosen, "")]) {
        for environment in ENVIRONMENTS.iter().chain([&""]) {
            for spelling in spellings(&format!("{name}{environment}")) {
                for before in ["", "a", "A", "my_", "x.", "9", "\"", "é"] {
                    for after in
                        ["", "2", "_1", "\"", " ", "']", "\\\"", " :", "?", "\t", "\\t", "\\\\t ", "  \\r"]
                    {
                        for sign in [":", "=", ">"] {
                            let text = format!("{before}{spelling}{after}{sign} x");
                            let (bytes, sign) = (text.as_bytes(), text.len() - 3);
                            let end = key_end(bytes, sign);
                            // Where a separator stands right before the last letter, no name was ever found.
                            let is_name = known(bytes, &name_before(bytes, sign)).is_some();
                            if !is_name || !may_be_secret(bytes, end) {
                                continue;
                            }
                            looked_at += 1;
                            assert!(may_introduce(bytes, sign, end), "{text}");
                        }
                    }
                }
            }
        }
    }
    assert!(looked_at > 100_000, "{looked_at}");
}
