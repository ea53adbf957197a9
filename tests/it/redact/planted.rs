//! Texts with planted secrets, and texts like them without one. In both files `%%` parts the texts, `⇥` is a tab and `␍`
//! a carriage return before a line's end; `«…»` is a secret. Long ones have a `·` inside, which goes: scanners for leaked secrets
//! must not take them for real.

use densify::redact::{Detector, Redactor, redact};

const PLANTED: &str = include_str!("planted.txt");
const HARMLESS: &str = include_str!("harmless.txt");

/// The texts of a file, as they are planted.
fn texts(file: &str) -> impl Iterator<Item = String> {
    let lines =
        |text: &str| text.trim_end_matches('\n').replace('⇥', "\t").replace('␍', "\r").replace('·', "");
    file.split("\n%%\n").map(lines)
}

/// What is wrong with how a text is redacted: parts of it that were left or taken.
fn fault(text: &str) -> Option<&'static str> {
    let plain = text.replace(['«', '»'], "");
    let redacted = redact(&plain).into_owned();
    let mut secrets = text.split('«').skip(1).filter_map(|part| part.split('»').next());
    if secrets.any(|secret| redacted.contains(secret)) {
        return Some("left");
    }
    // What stands around the secrets stays, in its order.
    let mut rest = redacted.as_str();
    for piece in text.split(['«', '»']).step_by(2) {
        let Some((_, behind)) = rest.split_once(piece) else { return Some("taken") };
        rest = behind;
    }
    let mut detector = Detector::new();
    detector.push(&plain);
    if redacted != plain && !detector.finish() {
        return Some("not detected");
    }
    if redact(&redacted) != redacted {
        return Some("not settled");
    }
    let cuts = (0..plain.len()).filter(|&cut| plain.is_char_boundary(cut));
    let in_chunks = |cut| {
        let (mut redactor, mut output) = (Redactor::new(), String::new());
        let (first, second) = plain.split_at(cut);
        redactor.push(first, &mut output);
        redactor.push(second, &mut output);
        redactor.finish(&mut output);
        output
    };
    cuts.map(in_chunks).any(|output| output != redacted).then_some("another in chunks")
}

#[test]
fn planted_secrets_go_and_what_surrounds_them_stays() {
    let mut faults = Vec::new();
    let sections = PLANTED.split("## ").skip(1).filter_map(|section| section.split_once('\n'));
    for (title, section) in sections {
        for text in texts(section) {
            for (head, tail) in [("", ""), ("before\n", "\nafter\n"), ("", "\n\nbelow: more\n")] {
                let text = format!("{head}{text}{tail}");
                let fault = fault(&text);
                faults.extend(fault.map(|fault| {
                    format!("{title}, {fault}: {text:?} => {:?}", redact(&text.replace(['«', '»'], "")))
                }));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn texts_like_them_without_a_secret_stay() {
    for text in texts(HARMLESS) {
        assert_eq!(redact(&text), text);
    }
}
