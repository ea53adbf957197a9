//! Which sentences are standing instructions: their signs, in many languages.

/// Words that make a sentence a standing instruction. A phrase is matched at the limits of words; the
/// scripts that don't part words have a list of their own.
const WORDS: &[&str] = &[
    "never",
    "always",
    "must not",
    "mustn't",
    "must never",
    "no push",
    "no pushing",
    "no commit",
    "no commits",
    "under no circumstances",
    "at all times",
    "from now on",
    "without asking",
    "ask first",
    "ask before",
    "leave alone",
    "keep out",
    "hands off",
    "off limits",
    "forbidden",
    "prohibited",
    "refrain from",
    "it would be wrong to",
    "nie",
    "niemals",
    "immer",
    "keinesfalls",
    "auf keinen fall",
    "jamais",
    "toujours",
    "interdit",
    "nunca",
    "jamás",
    "siempre",
    "prohibido",
    "sempre",
    "никогда",
    "всегда",
    "нельзя",
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
/// Words of instructions and of much else. At the beginning of a sentence they are an order.
const WEAK: &[&str] = &[
    "only",
    "do not",
    "don't",
    "dont",
    "may not",
    "should not",
    "shouldn't",
    "avoid",
    "make sure",
    "nicht",
    "nur",
    "kein",
    "keine",
    "uniquement",
    "только",
    "ne pas",
];
/// Of whom a remark is made that is no order, such as "I don't know".
const THEMSELVES: &[&str] = &["i", "we", "it", "they"];
/// How the words begin that make it one; all else, such as "I don't want" or "we only use", may be an order.
const REMARKED: &[&str] =
    &["know", "unde", "remember", "recall", "have", "get", "mean", "wonder", "seem", "exist"];
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

/// Whether a sentence is a standing instruction.
pub(super) fn is_instruction(sentence: &str) -> bool {
    if sentence.ends_with(['?', '？']) && !sentence.to_lowercase().contains("please") {
        return false;
    }
    if sentence.is_ascii() {
        return holds_plainly(sentence, true);
    }
    let lower = lowered(sentence);
    holds_order(&lower) || SIGNS.iter().any(|sign| lower.contains(sign))
}

/// Whether a line may hold a standing instruction. Of ASCII, as most lines are, it does if a phrase stands in it.
pub(super) fn may_hold_instruction(line: &str) -> bool {
    !line.is_ascii() || holds_plainly(line, false)
}

/// Whether a phrase stands in a line of ASCII; one of a remark need not count.
#[inline(never)] // Twice the same is twice the size.
fn holds_plainly(line: &str, is_order: bool) -> bool {
    let mut is_inside = false;
    line.bytes().enumerate().any(|(at, byte)| {
        let was_inside = std::mem::replace(&mut is_inside, byte.is_ascii_alphanumeric());
        if was_inside || !is_inside {
            return false;
        }
        let rest = line.as_bytes().get(at..).unwrap_or_default();
        let [first, second, ..] = rest else { return false };
        may_start(*first, *second)
            && WORDS.iter().chain(WEAK).any(|phrase| begins(rest, phrase))
            && !(is_order && is_remark(line, at))
    })
}

/// Whether what stands at a place of a sentence is a remark of somebody on themselves.
#[inline(never)]
fn is_remark(sentence: &str, at: usize) -> bool {
    let (before, rest) = sentence.split_at_checked(at).unwrap_or_default();
    let is = |words: &[&str], found: &str| words.iter().any(|word| found.eq_ignore_ascii_case(word));
    let whose = before.trim_end().rsplit(|character: char| !character.is_alphanumeric()).next();
    let mut words = rest.split_whitespace();
    let verb = match words.next() {
        Some(word) if is(&["don't", "dont"], word) => words.next(),
        Some(word) if is(&["do"], word) && words.next().is_some_and(|word| is(&["not"], word)) => {
            words.next()
        }
        Some(word) if is(&["only"], word) => words.next().filter(|word| !is(&["have", "get"], word)),
        _ => None,
    };
    let begins = |word: &str, start: &str| {
        word.get(..start.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(start))
    };
    whose.is_some_and(|whose| is(THEMSELVES, whose))
        && verb.is_some_and(|verb| REMARKED.iter().any(|start| begins(verb, start)))
}

/// As a text is looked at: in lower case, its white space and quotation marks alike.
fn lowered(text: &str) -> String {
    super::texts::normalize(text).to_lowercase().replace("no-", "no ")
}

/// Whether an ASCII text begins with a phrase that ends at a word's end, in any case. Any white space parts its
/// words, and a dash does behind `no`.
fn begins(text: &[u8], phrase: &str) -> bool {
    let mut rest = text;
    for (at, expected) in phrase.bytes().enumerate() {
        rest = match rest {
            [found, after @ ..] if found.to_ascii_lowercase() == expected && *found != b' ' => after,
            [b'-', after @ ..]
                if expected == b' '
                    && phrase.as_bytes().get(..at).is_some_and(|word| word.ends_with(b"no")) =>
            {
                after
            }
            [found, ..] if expected == b' ' && is_blank(*found) => {
                let blanks = rest.iter().take_while(|byte| is_blank(**byte)).count();
                rest.get(blanks..).unwrap_or_default()
            }
            _ => return false,
        };
    }
    !rest.first().is_some_and(u8::is_ascii_alphanumeric)
}

/// White space among ASCII, as Unicode has it.
const fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

/// The first two letters of the phrases, a bit for each pair: most words of a text begin like none of them.
const STARTS: [u32; 32] = starts(starts([0; 32], WORDS), WEAK);

#[allow(clippy::indexing_slicing)] // A masked byte is below 32.
const fn starts(mut starts: [u32; 32], mut phrases: &[&str]) -> [u32; 32] {
    while let Some((phrase, rest)) = phrases.split_first() {
        if let [first, second, ..] = phrase.as_bytes() {
            starts[(*first & 31) as usize] |= 1 << (*second & 31);
        }
        phrases = rest;
    }
    starts
}

/// Whether a word that begins with two bytes, in whatever case, may be the first of a phrase.
fn may_start(first: u8, second: u8) -> bool {
    STARTS.get(usize::from(first & 31)).is_some_and(|seconds| seconds & (1 << (second & 31)) != 0)
}

/// Whether a normalised text holds a phrase that is not a remark.
fn holds_order(text: &str) -> bool {
    holds_phrase(text, WORDS) || holds(text, WEAK, true)
}

/// Whether one of some phrases stands in a text, at the limits of words.
fn holds_phrase(text: &str, phrases: &[&str]) -> bool {
    holds(text, phrases, false)
}

/// The same; one of a remark need not count.
#[inline(never)]
fn holds(text: &str, phrases: &[&str], is_order: bool) -> bool {
    let mut is_inside = false;
    text.char_indices().any(|(at, character)| {
        let was_inside = std::mem::replace(&mut is_inside, character.is_alphanumeric());
        if was_inside || !is_inside {
            return false;
        }
        let rest = text.get(at..).unwrap_or_default();
        let [first, second, ..] = rest.as_bytes() else { return false };
        may_start(*first, *second)
            && phrases.iter().any(|phrase| stands(rest, phrase))
            && !(is_order && is_remark(text, at))
    })
}

/// Whether a text begins with a phrase that ends where a word does.
fn stands(text: &str, phrase: &str) -> bool {
    text.strip_prefix(phrase).is_some_and(|after| !after.chars().next().is_some_and(char::is_alphanumeric))
}

/// Whether an instruction is one for certain: it says so, or begins as an order does.
pub(super) fn is_firm(sentence: &str) -> bool {
    let lower = lowered(sentence);
    if holds_phrase(&lower, WORDS) || !lower.is_ascii() && SIGNS.iter().any(|sign| lower.contains(sign)) {
        return true;
    }
    let start = ["please ", "and ", "but ", "also "]
        .into_iter()
        .fold(&*lower, |text, word| text.trim_start_matches(word));
    WEAK.iter().any(|word| stands(start, word))
}

// The property tests' library is there for native builds only.
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::{SIGNS, WEAK, WORDS, holds_order, is_firm, is_instruction, lowered};
    use crate::cases::cases;

    #[test]
    fn every_phrase_is_found_wherever_it_stands_as_a_word() {
        for phrase in WORDS.iter().chain(WEAK).chain(SIGNS) {
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

    /// Sentences of ASCII are judged without a copy: as any other text would be.
    #[test]
    fn plain_sentences_are_judged_as_others_are() {
        let words = WORDS.iter().chain(WEAK).filter(|phrase| phrase.is_ascii());
        let pieces: Vec<&str> = words
            .flat_map(|phrase| phrase.split(' '))
            .chain(["x", "NO", "e", "1", "i", "they", "know", "have"])
            .collect();
        let gaps = [" ", "  ", "\t", "-", "no-", "", ".", " \u{b}"];
        proptest!(cases(4_000), |(
            parts in vec((0..pieces.len(), 0..gaps.len(), any::<bool>()), 1..6),
        )| {
            let text: String = parts
                .iter()
                .flat_map(|&(piece, gap, upper)| {
                    [if upper { pieces[piece].to_uppercase() } else { pieces[piece].to_owned() }, gaps[gap].to_owned()]
                })
                .collect();
            let lower = lowered(&text);
            prop_assert_eq!(is_instruction(&text), holds_order(&lower), "{}", text);
        });
    }

    #[test]
    fn what_somebody_says_of_themselves_is_no_order_and_hides_none() {
        for text in [
            "i don't know what i want but help me out",
            "Wait, I do not understand your response.",
            "We dont have the ID; they don't seem to exist…",
            "I don’t remember it",
            "I only wonder.",
        ] {
            assert!(!is_instruction(text), "{text}");
        }
        for text in [
            "I don't know why, but don't push.",
            "I don't understand this also don't suggest anything",
            "I don't know – never push.",
            "I don't want you to touch it.",
            "I don't think we should do not-null here.",
            "We only use module 7.",
            "we don't push to main here",
            "We only have Python 3.8.",
            "Make sure they don't have access.",
            "We don't work on main.",
            "If it fails, do not know better than the linter.",
        ] {
            assert!(is_instruction(text), "{text}");
        }
    }

    #[test]
    fn an_order_is_firm_and_a_remark_may_be_one() {
        for text in [
            "Never push.",
            "Please don't touch the lexer.",
            "Do not commit.",
            "不要提交",
            "We must not log it.",
        ] {
            assert!(is_instruction(text) && is_firm(text), "{text}");
        }
        for text in ["I only wonder.", "I don't know why it fails.", "It is not done, only begun."] {
            assert!(!is_firm(text), "{text}");
        }
    }
}
