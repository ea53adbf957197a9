//! The pieces that texts are split into, against a matcher that backtracks through the published patterns.

use densify::tokens::exact::Encoding;
use densify::tokens::exact::classes::{Class, Classes};
use proptest::prelude::*;
use regex_syntax::hir::{self, HirKind};

use crate::histories::cases;

use super::vocabularies::Vocabulary;

/// A part of a pattern.
enum Node {
    /// One character.
    One(Box<dyn Fn(char) -> bool>),
    /// As many as there are, and fewer if the rest demands it.
    Many(usize, usize, Box<Node>),
    All(Vec<Node>),
    /// The first that lets the rest match.
    Any(Vec<Node>),
    /// `(?!\S)`
    BeforeSpace,
}

use Node::{All, Any, BeforeSpace, Many, One};

/// Where a match that begins at `at` ends, if what follows accepts that.
fn matched(node: &Node, text: &[char], at: usize, then: &dyn Fn(usize) -> Option<usize>) -> Option<usize> {
    match node {
        One(belongs) => text.get(at).filter(|c| belongs(**c)).and_then(|_| then(at + 1)),
        Any(nodes) => nodes.iter().find_map(|node| matched(node, text, at, then)),
        BeforeSpace => text.get(at).is_none_or(|c| c.is_whitespace()).then(|| then(at)).flatten(),
        All(nodes) => match nodes.split_first() {
            None => then(at),
            Some((first, rest)) => matched(first, text, at, &|at| rest_matched(rest, text, at, then)),
        },
        Many(least, most, node) => {
            let mut ends = vec![at];
            while ends.len() <= *most
                && let Some(end) = matched(node, text, ends[ends.len() - 1], &Some)
            {
                ends.push(end);
            }
            (*least..ends.len()).rev().find_map(|count| then(ends[count]))
        }
    }
}

fn rest_matched(
    nodes: &[Node],
    text: &[char],
    at: usize,
    then: &dyn Fn(usize) -> Option<usize>,
) -> Option<usize> {
    match nodes.split_first() {
        None => then(at),
        Some((first, rest)) => matched(first, text, at, &|at| rest_matched(rest, text, at, then)),
    }
}

fn of(classes: &'static [Class]) -> Node {
    let table = Classes::new();
    One(Box::new(move |c| classes.contains(&table.of(c as u32))))
}

fn but(classes: &'static [Class]) -> Node {
    let table = Classes::new();
    One(Box::new(move |c| !classes.contains(&table.of(c as u32))))
}

fn sign(signs: &'static str) -> Node {
    One(Box::new(move |c| signs.contains(c)))
}

fn some(node: Node) -> Node {
    Many(1, usize::MAX, Box::new(node))
}

fn any(node: Node) -> Node {
    Many(0, usize::MAX, Box::new(node))
}

fn maybe(node: Node) -> Node {
    Many(0, 1, Box::new(node))
}

/// `(?i:'s|'t|'re|'ve|'m|'ll|'d)`
fn contraction() -> Node {
    let quoted = |letters: &[&'static str]| {
        All(std::iter::once("'").chain(letters.iter().copied()).map(sign).collect())
    };
    Any(vec![
        quoted(&["sSſ"]),
        quoted(&["tT"]),
        quoted(&["rR", "eE"]),
        quoted(&["vV", "eE"]),
        quoted(&["mM"]),
        quoted(&["lL", "lL"]),
        quoted(&["dD"]),
    ])
}

const LETTERS: &[Class] = &[Class::Upper, Class::Lower, Class::OtherLetter];
const WORD_BEGINS: &[Class] = &[Class::Upper, Class::OtherLetter, Class::Mark];
const WORD_ENDS: &[Class] = &[Class::Lower, Class::OtherLetter, Class::Mark];
const NEITHER: &[Class] =
    &[Class::Upper, Class::Lower, Class::OtherLetter, Class::Number, Class::Space, Class::Newline];
const NO_LEAD: &[Class] = &[Class::Upper, Class::Lower, Class::OtherLetter, Class::Number, Class::Newline];
const SPACES: &[Class] = &[Class::Space, Class::Newline];

/// What both patterns end with.
fn tail(behind_signs: &'static str) -> Vec<Node> {
    vec![
        Many(1, 3, Box::new(of(&[Class::Number]))),
        All(vec![maybe(sign(" ")), some(but(NEITHER)), any(sign(behind_signs))]),
        All(vec![any(of(SPACES)), some(sign("\r\n"))]),
        All(vec![some(of(SPACES)), BeforeSpace]),
        some(of(SPACES)),
    ]
}

fn pattern(encoding: Encoding) -> Node {
    let lead = || maybe(but(NO_LEAD));
    let mut parts = match encoding {
        Encoding::O200kBase => vec![
            All(vec![lead(), any(of(WORD_BEGINS)), some(of(WORD_ENDS)), maybe(contraction())]),
            All(vec![lead(), some(of(WORD_BEGINS)), any(of(WORD_ENDS)), maybe(contraction())]),
        ],
        Encoding::Cl100kBase => vec![contraction(), All(vec![lead(), some(of(LETTERS))])],
    };
    parts.extend(tail(if encoding == Encoding::O200kBase { "\r\n/" } else { "\r\n" }));
    Any(parts)
}

fn naive_pieces(encoding: Encoding, text: &str) -> Vec<String> {
    let pattern = pattern(encoding);
    let text: Vec<char> = text.chars().collect();
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let end = matched(&pattern, &text, at, &Some).expect("the patterns match every character");
        pieces.push(text[at..end].iter().collect());
        at = end;
    }
    pieces
}

/// Texts of characters that the patterns tell apart.
pub fn hostile_text(most: usize) -> impl Strategy<Value = String> {
    let characters: Vec<char> =
        "aabstSTdDmlLrevAABCZÄäßǅʰªº中文かﾅ한\u{301}\u{20dd}\u{200d}0123٣½Ⅷ   \t\n\n\r\u{a0}\u{2028}\u{3000}''ſ’=-/+_.,;:(){}#*\"\\😀🏽𝒜𐐀𐐨\u{10ffff}"
            .chars()
            .collect();
    let character = prop_oneof![9 => proptest::sample::select(characters), 1 => any_character()];
    proptest::collection::vec((character, 1..5_usize), 0..most)
        .prop_map(|runs| runs.into_iter().flat_map(|(c, times)| std::iter::repeat_n(c, times)).collect())
}

fn any_character() -> impl Strategy<Value = char> {
    proptest::char::any()
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn pieces_are_those_of_the_published_patterns(text in hostile_text(24)) {
        let vocabulary = Vocabulary::of("ab", &[(0, 1)]);
        for encoding in Encoding::ALL {
            let tokenizer = vocabulary.tokenizer(encoding);
            let pieces: Vec<&str> = tokenizer.pieces(&text).collect();
            prop_assert_eq!(&pieces, &naive_pieces(encoding, &text), "{:?}", encoding);
        }
    }
}

#[test]
fn pieces_of_a_few_texts() {
    let tokenizer = Vocabulary::of("ab", &[(0, 1)]).tokenizer(Encoding::O200kBase);
    let pieces = |text| tokenizer.pieces(text).collect::<Vec<_>>();
    assert_eq!(
        pieces("Hello, we'LL see 12345 HTTPServer's"),
        ["Hello", ",", " we'LL", " see", " ", "123", "45", " HTTPServer's"]
    );
    assert_eq!(pieces("  x\n\n  y  "), [" ", " x", "\n\n", " ", " y", "  "]);
    assert_eq!(pieces("中文ABC ABc ///\n"), ["中文", "ABC", " ABc", " ///\n"]);
    assert_eq!(pieces("<|endoftext|>"), ["<|", "endoftext", "|>"]);
}

#[test]
fn classes_are_those_of_unicodes_tables() {
    let mut expected = vec![Class::Other; 0x11_0000];
    for (pattern, class) in [
        (r"[\p{Lu}\p{Lt}]", Class::Upper),
        (r"\p{Ll}", Class::Lower),
        (r"[\p{Lm}\p{Lo}]", Class::OtherLetter),
        (r"\p{M}", Class::Mark),
        (r"\p{N}", Class::Number),
        (r"\s", Class::Space),
        (r"[\r\n]", Class::Newline),
    ] {
        let parsed = regex_syntax::parse(pattern).unwrap();
        let HirKind::Class(hir::Class::Unicode(ranges)) = parsed.kind() else { panic!("{pattern}") };
        for range in ranges.ranges() {
            expected[range.start() as usize..=range.end() as usize].fill(class);
        }
    }
    let classes = Classes::new();
    let differs = (0..0x11_0000).find(|&code| classes.of(code) != expected[code as usize]);
    assert_eq!(differs, None, "run: cargo run --example character_classes");
}
