//! Names that say that their values are secret.

use super::bytes::{Triples, Words, before, part};

/// The longest name that is looked at.
pub(super) const LONGEST_KEY: usize = 64;

/// How sure a name makes us that its value is secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strength {
    /// People choose passwords: some entropy is enough.
    Chosen,
    /// Machines make tokens: they look random.
    Made,
    /// A header: a scheme and a value.
    Header,
}

/// What names of secrets end with, in lower case and without separators.
const NAMES: [(&str, Strength, &str); 26] = [
    ("password", Strength::Chosen, "password"),
    ("passwd", Strength::Chosen, "password"),
    ("passphrase", Strength::Chosen, "password"),
    ("passcode", Strength::Chosen, "password"),
    ("pwd", Strength::Chosen, "password"),
    ("secret", Strength::Chosen, "secret"),
    ("secretkey", Strength::Chosen, "secret"),
    ("secretvalue", Strength::Chosen, "secret"),
    ("apikey", Strength::Made, "api-key"),
    ("apitoken", Strength::Made, "api-key"),
    ("accesskey", Strength::Made, "access-key"),
    ("accountkey", Strength::Made, "access-key"),
    ("authkey", Strength::Made, "access-key"),
    ("servicekey", Strength::Made, "access-key"),
    ("masterkey", Strength::Made, "access-key"),
    ("appkey", Strength::Made, "access-key"),
    ("signingkey", Strength::Made, "secret"),
    ("encryptionkey", Strength::Made, "secret"),
    ("privatekey", Strength::Made, "private-key"),
    ("token", Strength::Made, "token"),
    ("bearer", Strength::Made, "token"),
    ("credential", Strength::Made, "credential"),
    ("credentials", Strength::Made, "credential"),
    ("xauth", Strength::Made, "authorization"),
    ("auth", Strength::Made, "authorization"),
    ("authorization", Strength::Header, "authorization"),
];

/// Where a name may say for which environment the secret is.
const ENVIRONMENTS: [&str; 8] = ["prod", "production", "staging", "dev", "test", "live", "value", "base64"];

/// What such names end with, in lower case, by number; nothing behind the last one.
const fn ending(number: usize) -> Option<&'static [u8]> {
    // Of parameters that sign a URL, of `pass`, and of `base64` without its digits.
    let others = ["sig", "ture", "tial", "pass", "base"];
    #[allow(clippy::indexing_slicing)] // A constant that is out of bounds doesn't compile.
    let name = if number < NAMES.len() {
        NAMES[number].0
    } else if number < NAMES.len() + ENVIRONMENTS.len() {
        ENVIRONMENTS[number - NAMES.len()]
    } else if number < NAMES.len() + ENVIRONMENTS.len() + others.len() {
        others[number - NAMES.len() - ENVIRONMENTS.len()]
    } else {
        return None;
    };
    Some(name.as_bytes())
}

/// The last three letters of such names.
const ENDINGS: Triples = {
    let mut triples = Triples::none();
    let mut number = 0;
    while let Some(name) = ending(number) {
        if let [.., first, second, third] = name {
            triples = triples.and(*first, *second, *third);
        }
        number += 1;
    }
    triples
};

/// What may stand right before the sign behind such a name: its last letter, digits, and what is skipped.
#[allow(clippy::indexing_slicing)] // As above.
const LAST: [bool; 256] = {
    let mut table = [false; 256];
    let mut number = 0;
    while let Some(name) = ending(number) {
        if let [.., last] = name {
            table[last.to_ascii_lowercase() as usize] = true;
            table[last.to_ascii_uppercase() as usize] = true;
        }
        number += 1;
    }
    let mut others: &[u8] = b"0123456789_-. \t\"'`]\\:?";
    while let [other, rest @ ..] = others {
        table[*other as usize] = true;
        others = rest;
    }
    table
};

/// Whether a byte may stand right before the sign behind such a name.
pub(super) fn may_end(last: u8) -> bool {
    LAST.get(usize::from(last)).is_some_and(|may| *may)
}

/// The last four letters of such names, and of shorter ones all three.
const WORDS: Words = {
    let mut words = Words::none();
    let mut number = 0;
    while let Some(name) = ending(number) {
        words = match name {
            [.., zeroth, first, second, third] => words.and([*zeroth, *first, *second, *third]),
            [first, second, third] => words.and([*first, *second, *third, 0]),
            _ => words,
        };
        number += 1;
    }
    words
};

/// So many digits and separators at the end of a name are looked past.
const LONGEST_NUMBER: usize = 14;

/// Whether a name may be one that says so: it ends like one, digits aside.
pub(super) fn may_be_secret(bytes: &[u8], end: usize) -> bool {
    let tail = part(bytes, end.saturating_sub(LONGEST_NUMBER + 3), end);
    let is_number = |byte: &&u8| byte.is_ascii_digit() || matches!(byte, b'_' | b'-' | b'.');
    let numbers = tail.iter().rev().take_while(is_number).count();
    if numbers > LONGEST_NUMBER {
        return true;
    }
    match part(tail, 0, tail.len() - numbers) {
        [.., b'_' | b'-' | b'.', _] => false,
        [.., first, second, third] => {
            // What stands before a separator isn't looked at.
            ENDINGS.may_have(Some(*first).filter(u8::is_ascii_alphanumeric), *second, *third)
        }
        _ => false,
    }
}

/// The same by the last four bytes alone, which is what most signs follow; nothing unless all are letters.
pub(super) fn may_be_word(bytes: &[u8], sign: usize) -> Option<bool> {
    let four = part(bytes, 0, sign).last_chunk()?.map(|byte| byte.to_ascii_lowercase());
    let [_, first, second, third] = four;
    let are_letters = four.iter().fold(true, |all, byte| all & byte.is_ascii_lowercase());
    are_letters.then(|| WORDS.may_have(four) || WORDS.may_have([first, second, third, 0]))
}

/// What a name says of its value.
pub(super) fn classify(key: &[u8]) -> Option<(Strength, &'static str)> {
    let mut buffer = [0; LONGEST_KEY];
    let mut length = 0;
    let letters = key.iter().filter(|byte| byte.is_ascii_alphanumeric());
    for (slot, byte) in buffer.iter_mut().zip(letters) {
        *slot = byte.to_ascii_lowercase();
        length += 1;
    }
    let mut name = part(&buffer, 0, length);
    while let [rest @ .., b'0'..=b'9'] = name
        && !ENVIRONMENTS.iter().any(|ending| name.ends_with(ending.as_bytes()))
    {
        name = rest;
    }
    let plain = ENVIRONMENTS.iter().find_map(|ending| name.strip_suffix(ending.as_bytes()));
    let find = |name: &[u8]| NAMES.iter().find(|(ending, ..)| name.ends_with(ending.as_bytes()));
    if let Some((_, strength, kind)) = find(name).or_else(|| find(plain?)) {
        return Some((*strength, kind));
    }
    is_pass(key).then_some((Strength::Chosen, "password"))
}

/// Whether the last word of a name is `pass`: not in `compass`, nor in `bypass`.
fn is_pass(key: &[u8]) -> bool {
    let Some(start) = key.len().checked_sub(4) else { return false };
    let last = before(key, start);
    match part(key, start, key.len()) {
        b"Pass" => true,
        b"pass" | b"PASS" => start == 0 || !last.is_ascii_alphanumeric(),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
