//! Writes `src/tokens/exact/classes/runs.rs`: the classes of all characters, from Unicode's tables.
//!
//! ```text
//! cargo run --example character_classes > src/tokens/exact/classes/runs.rs
//! ```

#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

fn main() {
    let runs = runs();
    println!(
        "//! The classes of all characters, as runs: the first character, and its class in the low three bits."
    );
    println!(
        "//! Written by `cargo run --example character_classes`; a test holds it against Unicode's tables."
    );
    println!();
    println!("#[rustfmt::skip]");
    println!("#[allow(clippy::unreadable_literal)]");
    println!("pub(super) const RUNS: &[u32] = &[");
    for row in runs.chunks(16) {
        let row: Vec<String> = row.iter().map(|run| format!("{run:#x}")).collect();
        println!("    {},", row.join(", "));
    }
    println!("];");
}

/// The runs of equal class over all characters.
fn runs() -> Vec<u32> {
    let mut classes = vec![0_u32; 0x11_0000];
    for (pattern, class) in [
        (r"[\p{Lu}\p{Lt}]", 1),
        (r"\p{Ll}", 2),
        (r"[\p{Lm}\p{Lo}]", 3),
        (r"\p{M}", 4),
        (r"\p{N}", 5),
        (r"\s", 6),
        (r"[\r\n]", 7),
    ] {
        let parsed = regex_syntax::parse(pattern).expect("the patterns are right");
        let regex_syntax::hir::HirKind::Class(regex_syntax::hir::Class::Unicode(class_of)) = parsed.kind()
        else {
            panic!("{pattern} is no class of characters");
        };
        for range in class_of.ranges() {
            classes[range.start() as usize..=range.end() as usize].fill(class);
        }
    }
    let starts = (0..classes.len()).filter(|&at| at == 0 || classes[at] != classes[at - 1]);
    starts.map(|at| u32::try_from(at).expect("a character") << 3 | classes[at]).collect()
}
