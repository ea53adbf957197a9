//! The user's own standing instructions, to the letter: what they said of "never", "always", "only".

use super::History;
use super::stored::add_new;
use super::texts::prefix;
use crate::rules::scan;
use crate::utf16::utf16_length;
use crate::view::{Kind, Leaf, Speaker};

/// So many are kept, the newest ones.
const MOST: usize = 40;
/// Longest instruction, in UTF-16 code units.
const LONGEST: u32 = 300;

/// Words that make a sentence a standing instruction. A phrase is matched at the limits of words; the
/// scripts that don't part words have a list of their own.
const WORDS: &[&str] = &[
    "never",
    "always",
    "only",
    "do not",
    "don't",
    "dont",
    "must not",
    "mustn't",
    "must never",
    "may not",
    "should not",
    "shouldn't",
    "no push",
    "no pushing",
    "no commit",
    "no commits",
    "avoid",
    "under no circumstances",
    "at all times",
    "from now on",
    "make sure",
    "without asking",
    "ask first",
    "ask before",
    "leave alone",
    "keep out",
    "hands off",
    "off limits",
    "forbidden",
    "prohibited",
    "nie",
    "niemals",
    "immer",
    "keinesfalls",
    "auf keinen fall",
    "nicht",
    "nur",
    "kein",
    "keine",
    "jamais",
    "toujours",
    "ne pas",
    "uniquement",
    "interdit",
    "nunca",
    "jamás",
    "siempre",
    "prohibido",
    "sempre",
    "никогда",
    "всегда",
    "нельзя",
    "только",
    "не надо",
    "nigdy",
    "zawsze",
    "nooit",
    "altijd",
    "aldrig",
    "alltid",
    "asla",
    "her zaman",
    "không bao giờ",
    "luôn luôn",
    "jangan",
    "selalu",
];
const SIGNS: &[&str] = &[
    "永远",
    "永遠",
    "不要",
    "不能",
    "不得",
    "禁止",
    "必须",
    "必須",
    "务必",
    "務必",
    "总是",
    "總是",
    "只能",
    "切勿",
    "絶対",
    "決して",
    "しないで",
    "常に",
    "いつも",
    "だけ",
    "하지 마",
    "하지마",
    "절대",
    "항상",
    "반드시",
    "कभी नहीं",
    "हमेशा",
    "मत ",
    "لا ",
    "دائما",
    "أبدا",
    "אל ",
    "תמיד",
    "לעולם",
    "อย่า",
    "ห้าม",
    "เสมอ",
];

/// Adds the standing instructions of some units to those known already, and keeps the newest.
pub(super) fn collect(
    history: History<'_>,
    units: impl Iterator<Item = u32>,
    mut known: Vec<String>,
) -> Vec<String> {
    for unit in units {
        if history.view.unit(unit).speaker == Speaker::Human {
            for text in authored(history, unit) {
                find(&text, &mut known);
            }
        }
    }
    let surplus = known.len().saturating_sub(MOST);
    known.drain(..surplus);
    known
}

/// The texts that a human wrote in a unit: its texts without the files that were included.
pub(super) fn authored(history: History<'_>, unit: u32) -> Vec<String> {
    parts(history, unit).0
}

/// What a human wrote in a unit, and the files that were included.
///
/// An included file may hold lines that close its inclusion and open another one, so what stands between
/// the first opening and the last closing line is nobody's word: the file's author may have written it.
pub(super) fn parts(history: History<'_>, unit: u32) -> (Vec<String>, Vec<String>) {
    let view = history.view;
    let mut texts: Vec<String> = view
        .blocks_of(unit)
        .filter(|&index| view.block(index).kind == Kind::Text)
        .map(|index| super::texts::read(history, view.leaf(index, Leaf::Text)))
        .collect();
    let Some((first, last)) = outer_markers(&texts) else { return (texts, Vec::new()) };
    let mut included = included(&texts);
    let before = |text: &str, at: usize| text.get(..at).unwrap_or_default().to_owned();
    let after = texts.get(last.0).and_then(|text| text.get(last.1..)).unwrap_or_default().to_owned();
    let mut middle: Vec<String> = texts.drain(first.0..=last.0).collect();
    let start = middle.first().map(|text| before(text, first.1)).unwrap_or_default();
    if included.is_empty() {
        // The markers don't match up: all of it may be a file's.
        included.append(&mut middle);
    }
    texts.splice(first.0..first.0, [start, after]);
    (texts, included)
}

/// Where the first opening line starts and where the last closing line ends, if there are both: the
/// text's number and the byte.
fn outer_markers(texts: &[String]) -> Option<((usize, usize), (usize, usize))> {
    let mut first = None;
    let mut last = None;
    for (number, text) in texts.iter().enumerate().filter(|(_, text)| text.contains("---")) {
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let bare = line.trim_end_matches(['\r', '\n']);
            if bare == "--- End of content ---" {
                last = Some((number, at + line.len()));
            } else if first.is_none() && bare.starts_with("--- ") && bare.ends_with(" ---") {
                first = Some((number, at));
            }
            at += line.len();
        }
    }
    Some((first?, last?)).filter(|(first, last)| first < last)
}

/// The texts of the inclusions; nothing if their markers don't match up.
fn included(texts: &[String]) -> Vec<String> {
    let spans = scan(texts).unwrap_or_default().into_iter().flat_map(|inclusion| inclusion.spans);
    let text = |span: crate::rules::Span| {
        let outside = [(0, span.start), (span.end, u32::MAX)];
        texts.get(span.text).map(|text| crate::edit::without(text, &outside))
    };
    spans.filter_map(text).collect()
}

/// Finds the standing instructions in a text; fenced code and quoted lines aren't the user's words.
fn find(text: &str, known: &mut Vec<String>) {
    let mut is_code = false;
    for line in text.lines() {
        let bare = line.trim_start();
        if bare.starts_with("```") || bare.starts_with("~~~") {
            is_code = !is_code;
        } else if !is_code && !bare.starts_with('>') && may_hold(line) {
            let found = sentences(line).filter(|sentence| is_instruction(sentence)).map(shorten);
            // Said again is said newer: it moves to the end of the list.
            let found: Vec<String> = found.map(str::to_owned).collect();
            known.retain(|item| !found.contains(item));
            add_new(known, found);
            let surplus = known.len().saturating_sub(2 * MOST);
            known.drain(..surplus);
        }
    }
}

/// A line as long as a file is data.
fn may_hold(line: &str) -> bool {
    line.len() < 4_000 && !line.trim().is_empty()
}

/// The sentences of a line, without list marks.
fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line.trim().trim_start_matches(['-', '*', '•', '+', '#']).trim_start();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut ahead = rest.char_indices().peekable();
        while let Some((at, character)) = ahead.next() {
            let next = ahead.peek().map(|&(_, next)| next);
            let is_end = matches!(character, '。' | '！' | '？')
                || matches!(character, '.' | '!' | '?') && next.is_some_and(char::is_whitespace);
            if is_end {
                let (sentence, after) = rest.split_at_checked(at + character.len_utf8())?;
                rest = after.trim_start();
                return Some(sentence);
            }
        }
        Some(std::mem::take(&mut rest))
    })
}

/// Whether a sentence is a standing instruction.
pub(super) fn is_instruction(sentence: &str) -> bool {
    if sentence.ends_with(['?', '？']) && !sentence.to_lowercase().contains("please") {
        return false;
    }
    if sentence.is_ascii() && !may_hold_phrase(sentence.as_bytes()) {
        return false;
    }
    let lower = super::texts::normalize(sentence).to_lowercase().replace("no-", "no ");
    holds_phrase(&lower) || !lower.is_ascii() && SIGNS.iter().any(|sign| lower.contains(sign))
}

/// The first two bytes of the phrases, as bits: most words of a text begin like none of them.
const STARTS: u128 = starts();

const fn starts() -> u128 {
    let mut words = WORDS;
    let mut starts = 0;
    while let Some((word, rest)) = words.split_first() {
        if let [first, second, ..] = word.as_bytes() {
            starts |= start(*first, *second);
        }
        words = rest;
    }
    starts
}

const fn start(first: u8, second: u8) -> u128 {
    1 << ((first as u32 * 5 + second as u32) & 127)
}

/// Whether one of the phrases may stand in a text: whether some word begins like the first of one.
fn may_hold_phrase(text: &[u8]) -> bool {
    let mut is_inside = false;
    text.iter().enumerate().any(|(at, byte)| {
        let was_inside = std::mem::replace(&mut is_inside, byte.is_ascii_alphanumeric());
        if was_inside || !is_inside {
            return false;
        }
        let second = text.get(at + 1).map_or(0, u8::to_ascii_lowercase);
        let rest = text.get(at..).unwrap_or_default();
        let stands = |word: &str| {
            let first = word.bytes().take_while(|byte| *byte != b' ');
            first.zip(rest).all(|(expected, found)| expected == found.to_ascii_lowercase())
        };
        STARTS & start(byte.to_ascii_lowercase(), second) != 0 && WORDS.iter().any(|word| stands(word))
    })
}

/// Whether one of the phrases stands in a text, at the limits of words.
fn holds_phrase(text: &str) -> bool {
    let is_word = |character: char| character.is_alphanumeric();
    let stands = |rest: &str, word: &str| {
        rest.strip_prefix(word).is_some_and(|after| !after.chars().next().is_some_and(is_word))
    };
    let mut is_inside = false;
    text.char_indices().any(|(at, character)| {
        let was_inside = std::mem::replace(&mut is_inside, is_word(character));
        if was_inside || !is_inside {
            return false;
        }
        let rest = text.get(at..).unwrap_or_default();
        let [first, second, ..] = rest.as_bytes() else { return false };
        STARTS & start(*first, *second) != 0 && WORDS.iter().any(|word| stands(rest, word))
    })
}

fn shorten(sentence: &str) -> &str {
    if utf16_length(sentence) <= LONGEST { sentence } else { prefix(sentence, LONGEST).trim_end() }
}

#[cfg(test)]
mod tests {
    use super::{SIGNS, WORDS, find, is_instruction};

    fn found(text: &str) -> Vec<String> {
        let mut known = Vec::new();
        find(text, &mut known);
        known
    }

    #[test]
    fn prohibitions_are_found_to_the_letter() {
        for text in [
            "Never push to main.",
            "do not touch config.yml",
            "Don’t run the migration",
            "You must not delete anything.",
            "Always use tabs!",
            "Only edit files in src/.",
            "This is a no-push repository.",
            "Bitte niemals den Zweig main anfassen.",
            "不要修改配置文件。",
            "Could you please never commit?",
        ] {
            assert_eq!(found(text), [text], "{text}");
        }
    }

    #[test]
    fn a_sentence_is_taken_alone() {
        let text = "Thanks, that works. Never push to main! What is next?\n- always run v1.2 tests";
        assert_eq!(found(text), ["Never push to main!", "always run v1.2 tests"]);
    }

    #[test]
    fn questions_code_and_quoted_lines_are_no_instructions() {
        for text in [
            "Why does it always fail?",
            "```\nnever push\n```",
            "> never push",
            "the word alwaysx and nevermore",
            "plain words",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn every_phrase_is_found_wherever_it_stands_as_a_word() {
        for phrase in WORDS.iter().chain(SIGNS) {
            for text in [format!("{phrase}x y z 1"), format!("well, {phrase} then")] {
                let lower = text.to_lowercase();
                let naive = lower.match_indices(phrase).any(|(at, found)| {
                    let before = lower[..at].chars().next_back();
                    let after = lower[at + found.len()..].chars().next();
                    !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
                });
                assert_eq!(is_instruction(&text), naive || SIGNS.contains(phrase), "{text}");
            }
        }
    }

    #[test]
    fn what_is_said_again_is_kept_once() {
        assert_eq!(found("Never push.\nAlways test.\nNever push."), ["Always test.", "Never push."]);
    }
}
