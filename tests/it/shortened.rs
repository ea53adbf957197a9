//! What intake or a harness has shortened supersedes nothing: the lines between stand nowhere else.

use crate::results::shell;
use crate::superseded::{file, goes, stays};

#[test]
fn a_shortened_result_is_never_the_whole_file() {
    let old = shell("1", "sed -n '500,600p' a.rs", &file(499..600));
    let with = |said: &str| shell("2", "cat a.rs", &(file(0..400) + said + "\n" + &file(560..900)));
    for said in [
        "… (160 lines left out)",
        "<elided_chars>\n9000 characters elided\n</elided_chars>",
        "[160 lines skipped]",
        "--- snipped ---",
        "[snip]",
        "… +160 lines (ctrl+o to expand)",
        "(160 lines not shown)",
    ] {
        stays(said, &[old.clone(), with(said)]);
    }
    for said in ["skipped += 1", "let snippet = 1", "let collision = 1", "// shown below"] {
        goes(said, &[old.clone(), with(said)]);
    }
}
