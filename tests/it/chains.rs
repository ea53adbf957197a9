//! What is cut in several steps: outputs that are fed back, and pointers that lead to what goes later. Of what still
//! may be there something must still be shown.

use densify::content::Content;
use densify::optimize_contents;
use densify::options::Preset;
use serde_json::json;

use crate::results::{lines, numbered, read, shell, with};
use crate::superseded::call;

/// What is left of some exchanges, as text, with the output fed back after each.
fn left(preset: Preset, exchanges: &[Vec<Content>]) -> String {
    let history = exchanges.iter().fold(Vec::new(), |mut history, exchange| {
        history.extend_from_slice(exchange);
        optimize_contents(&history, &with(preset)).unwrap().0
    });
    serde_json::to_string(&history).unwrap()
}

fn at_once(preset: Preset, exchanges: &[Vec<Content>]) -> String {
    serde_json::to_string(&optimize_contents(&exchanges.concat(), &with(preset)).unwrap().0).unwrap()
}

#[test]
fn a_part_whose_numbers_we_took_is_as_long_as_it_was() {
    let part = |id, from: usize, to: usize| {
        let parameters = json!({"file_path": "/b.rs", "offset": from, "limit": to - from + 1});
        call(id, "Read", parameters, &numbered(&lines("b", from..to + 1), from))
    };
    for (old, new) in [((20, 80), (10, 75)), ((220, 290), (150, 280)), ((120, 199), (100, 190))] {
        for preset in [Preset::Lossless, Preset::Balanced] {
            let left = left(preset, &[part("1", old.0, old.1), part("2", new.0, new.1)]);
            assert!(left.contains(&format!("compute_b({})", old.1)), "{old:?}, {new:?}");
        }
    }
    let left = left(Preset::Lossless, &[part("1", 20, 80), part("2", 10, 90)]);
    assert!(left.contains("shown again later"), "what covers all of it still does");
    let once =
        at_once(Preset::Lossless, &[part("1", 9, 17), shell("2", "head -n 13 /b.rs", &lines("b", 1..14))]);
    assert!(once.contains("compute_b(17)"));
}

#[test]
fn what_leads_to_something_that_goes_keeps_it() {
    let text = lines("b", 0..60);
    let write = |id, text: &str| {
        call(
            id,
            "Write",
            json!({"file_path": "/a.rs", "content": text}),
            "File created successfully at: /a.rs",
        )
    };
    let (old, other) = (read("1", "/b.rs", &text), "print(1)\n");
    let (show, cat) = (read("3", "/a.rs", &text), shell("2", "cat out.txt", &text));
    let (catn, heredoc) = (
        shell("3", "cat -n out.txt", &numbered(&text, 1)),
        shell("4", "cat > out.txt <<'EOF'\nprint(1)\nEOF", ""),
    );
    let cases = [
        ("copied, and written anew", vec![old.clone(), write("2", &text), write("3", other)]),
        (
            "copied, shown, and written anew",
            vec![old.clone(), write("2", &text), show.clone(), write("4", other), read("5", "/a.rs", other)],
        ),
        ("the output of a command", vec![shell("1", "./gen", &text), write("2", &text), write("3", other)]),
        ("by two steps", vec![shell("1", "./gen | tee out.txt", &text), cat, catn, heredoc]),
        (
            "of two files",
            vec![old, read("2", "/d.rs", &text), shell("3", "cat -n /d.rs", &numbered(&text, 1)), {
                call("4", "Write", json!({"file_path": "/d.rs", "content": other}), "ok")
            }],
        ),
    ];
    for (number, (what, exchanges)) in cases.iter().enumerate() {
        // Pointers to pointers are followed by `lossless` alone.
        let presets =
            if number < 3 { &[Preset::Lossless, Preset::Balanced][..] } else { &[Preset::Lossless] };
        for &preset in presets {
            assert!(left(preset, exchanges).contains("compute_b(20)"), "{what}, {preset:?}, fed back");
            assert!(at_once(preset, exchanges).contains("compute_b(20)"), "{what}, {preset:?}");
        }
    }
}

#[test]
fn what_was_shown_before_it_may_have_been_copied_stays_under_lossless() {
    let text = lines("b", 0..60);
    let written = call("4", "Write", json!({"file_path": "/a.rs", "content": "new"}), "ok");
    let history = [
        shell("1", "cat /a.rs", &text),
        shell("2", "cp /a.rs /d.rs", ""),
        read("3", "/a.rs", &text),
        written,
    ];
    assert!(left(Preset::Lossless, &history).contains("compute_b(20)"));
    assert!(at_once(Preset::Lossless, &history).contains("compute_b(20)"));
}
