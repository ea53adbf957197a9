//! Secrets that no sign introduces: `password is …`, `IDENTIFIED BY '…'`, `machine … password …`.

use super::assignment::{Place, secret_at};
use super::bytes::{NEAR, Pairs, at, before, begun, is_blank, is_word, part, run_end};
use super::found::Found;
use super::judged::secret_from;
use super::names::{Strength, classify};
use super::value::{is_chosen, is_chosen_bare, is_random, is_strong, is_term};
use super::{columns, commands, protocols, sql, tokens};

/// Words that may announce a secret behind a blank, other than options of programs. Of some just the first and the last
/// letter matter.
const ANNOUNCING: [&[&str]; 5] = [
    &["is", "IS", "Is", "by", "BY", "By", "to", "passwd", "PASSWORD", "Password"],
    &commands::WORDS,
    &protocols::VERBS,
    &sql::WORDS,
    &columns::COPY,
];

/// The first and the last letters of such words, to see at a glance that a word is none.
const ENDS: Pairs = {
    let mut pairs = Pairs::none();
    let mut list = 0;
    while list < ANNOUNCING.len() {
        let mut number = 0;
        #[allow(clippy::indexing_slicing)] // A constant that is out of bounds doesn't compile.
        while number < ANNOUNCING[list].len() {
            if let [first, .., last] = ANNOUNCING[list][number].as_bytes() {
                pairs = pairs.and(*first, *last);
            }
            number += 1;
        }
        list += 1;
    }
    pairs
};

/// Whether a word may announce a secret; few words may.
pub(super) fn may_announce(bytes: &[u8], word: usize, stop: usize) -> bool {
    let word = begun(bytes, word);
    let first = at(bytes, word);
    (first == b'-' || ENDS.may_have(first, before(bytes, stop))) && announces(bytes, word, stop)
}

/// The same, at a closer look.
fn announces(bytes: &[u8], word: usize, stop: usize) -> bool {
    let is_split = is_blank(at(bytes, stop)) || at(bytes, stop) == b'\n';
    let name = part(bytes, word, stop);
    match name {
        [b'-', ..] if commands::is_option(name) => true,
        _ if !is_split => false,
        b"to" => bytes
            .get(word.saturating_sub(4)..word)
            .is_some_and(|head| head.ends_with(b"et ") || head.ends_with(b"ed ")),
        [b'i' | b'I', b's' | b'S']
        | [b'b' | b'B', b'y' | b'Y']
        | [b'p' | b'P', b'a' | b'A', .., b'd' | b'D'] => true,
        _ => {
            commands::may_start(bytes, word, name)
                || protocols::is_verb(name)
                || sql::may_begin(bytes, word, name)
                || columns::is_copy(name)
        }
    }
}

/// The secret that a word announces.
pub(super) fn find_announced(bytes: &[u8], above: Option<&[u8]>, word: usize, stop: usize) -> Option<Found> {
    if !may_announce(bytes, word, stop) {
        return None;
    }
    let (first, word) = (word, begun(bytes, word));
    let name = part(bytes, word, stop);
    let of_command = || {
        let starts = commands::may_start(bytes, word, name);
        if starts { commands::find_behind(bytes, name, stop) } else { None }
    };
    let of_client =
        || if protocols::is_verb(name) { protocols::find_behind(bytes, above, first, stop) } else { None };
    if let Some(found) = of_command().or_else(of_client) {
        return Some(found);
    }
    if let [b'-', letter, ..] = name {
        return commands::find_flagged(bytes, word, *letter);
    }
    let start = run_end(bytes, stop, is_blank);
    let near = part(bytes, word.saturating_sub(NEAR), word);
    match name.len() {
        2 if name.eq_ignore_ascii_case(b"is") || name == b"to" => {
            let (strength, kind) = described(near)?;
            if strength == Strength::Phrase {
                return secret_at(bytes, start, strength, kind, Place::Setting);
            }
            let is_near = name != b"to" && classify(last_name(near)).is_some();
            let secret = secret_from(bytes, start, &|value, is_closed| match strength {
                Strength::Chosen if is_closed => is_chosen(value) && !is_term(value),
                Strength::Chosen if is_near => is_chosen_bare(value, true) && !is_term(value),
                Strength::Chosen => is_strong(value),
                _ => value.len() >= 16 && is_random(value),
            })?;
            Some(Found {
                kind: tokens::kind_of(part(bytes, secret.start, secret.end)).unwrap_or(kind),
                ..secret
            })
        }
        2 if has_word(near, "identified") => secret_from(bytes, start, &|value, is_closed| {
            value.len() >= 4 && (is_closed && is_chosen(value) || is_chosen_bare(value, true))
        }),
        8 | 6 if is_password(name) => {
            // What precedes a text that is only looked at isn't known.
            let is_netrc = above.is_none_or(|above| is_netrc(above, near));
            let is_bare = is_netrc || has_word(near, "nmcli ");
            secret_from(bytes, start, &|value, is_closed| {
                is_closed && is_chosen(value) || is_bare && is_chosen_bare(value, true)
            })
        }
        _ => None,
    }
}

/// Whether a `password` stands in an entry of a `.netrc`, which may have a line for each word.
fn is_netrc(above: &[u8], near: &[u8]) -> bool {
    let more = part(above, above.len().saturating_sub(NEAR), above.len());
    // What was replaced before is shorter than it was: behind it nothing may come into sight that wasn't.
    let more = more.rsplit(|byte| *byte == b'[').next().unwrap_or_default();
    let has = |word| has_word(near, word) || has_word(more, word);
    has("login ") && (has("machine ") || has("default "))
}

fn is_password(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"password") || name.eq_ignore_ascii_case(b"passwd")
}

/// What precedes an `is` at the end of a line, if machines make such values.
pub(super) fn described_before(bytes: &[u8], word: usize, stop: usize) -> Option<(Strength, &'static str)> {
    if part(bytes, word, stop) != b"is" {
        return None;
    }
    described(part(bytes, word.saturating_sub(NEAR), word))
        .filter(|(strength, _)| *strength == Strength::Made)
}

/// What the words before `is` or `to` say: the last one or, in the same sentence, that there is a password.
fn described(near: &[u8]) -> Option<(Strength, &'static str)> {
    const MOST: usize = 6;
    classify(last_name(near)).or_else(|| {
        let sentence = near.rsplit(|byte| b".:,;!?\n".contains(byte)).next().unwrap_or_default();
        let mut words = sentence.rsplit(|byte| *byte == b' ').take(MOST);
        words.any(is_password).then_some((Strength::Chosen, "password"))
    })
}

/// The word before a blank at the end of a text.
fn last_name(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_end();
    let length = text.iter().rev().take_while(|byte| is_word(**byte)).count();
    part(text, text.len() - length, text.len())
}

/// Whether a word stands on the last lines of a text, in whatever case.
#[inline(never)]
fn has_word(text: &[u8], word: &str) -> bool {
    text.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
}
