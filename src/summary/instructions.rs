//! Which sentences are standing instructions: what they are told by, in the languages that people write in.

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
    if sentence.is_ascii() && !may_hold_phrase(sentence.as_bytes()) {
        return false;
    }
    let lower = super::texts::normalize(sentence).to_lowercase().replace("no-", "no ");
    holds_phrase(&lower, WORDS)
        || holds_phrase(&lower, WEAK)
        || !lower.is_ascii() && SIGNS.iter().any(|sign| lower.contains(sign))
}

/// The first two bytes of the phrases, as bits: most words of a text begin like none of them.
const STARTS: u128 = starts(WORDS) | starts(WEAK);

const fn starts(mut words: &[&str]) -> u128 {
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
        STARTS & start(byte.to_ascii_lowercase(), second) != 0
            && WORDS.iter().chain(WEAK).any(|word| stands(word))
    })
}

/// Whether one of some phrases stands in a text, at the limits of words.
fn holds_phrase(text: &str, phrases: &[&str]) -> bool {
    let mut is_inside = false;
    text.char_indices().any(|(at, character)| {
        let was_inside = std::mem::replace(&mut is_inside, character.is_alphanumeric());
        if was_inside || !is_inside {
            return false;
        }
        let rest = text.get(at..).unwrap_or_default();
        let [first, second, ..] = rest.as_bytes() else { return false };
        STARTS & start(*first, *second) != 0 && phrases.iter().any(|phrase| stands(rest, phrase))
    })
}

/// Whether a text begins with a phrase that ends where a word does.
fn stands(text: &str, phrase: &str) -> bool {
    text.strip_prefix(phrase).is_some_and(|after| !after.chars().next().is_some_and(char::is_alphanumeric))
}

/// Whether an instruction is one for certain: it says so, or begins as an order does.
pub(super) fn is_firm(sentence: &str) -> bool {
    let lower = super::texts::normalize(sentence).to_lowercase().replace("no-", "no ");
    if holds_phrase(&lower, WORDS) || !lower.is_ascii() && SIGNS.iter().any(|sign| lower.contains(sign)) {
        return true;
    }
    let start = ["please ", "and ", "but ", "also "]
        .into_iter()
        .fold(&*lower, |text, word| text.trim_start_matches(word));
    WEAK.iter().any(|word| stands(start, word))
}

#[cfg(test)]
mod tests {
    use super::{SIGNS, WEAK, WORDS, is_firm, is_instruction};

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
