//! The search for words that matter: one look at each byte tells where a closer look is worthwhile.

use super::assignment;
use super::bytes::{at, is_word, part};
use super::{cookies, html, phrases, setters};

/// The shortest token that has a shape of its own.
pub(super) const SHORTEST: usize = 16;

/// Signs that may follow a name or begin a secret.
const SIGNS: &[u8] = b":=>~$|\x9a";

/// What a byte is, as far as this search cares.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Sign,
    Other,
}

#[allow(clippy::indexing_slicing)] // A byte is below 256, and a constant that isn't doesn't compile.
const CLASSES: [Class; 256] = {
    let mut table = [Class::Other; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        if is_word(byte) {
            table[byte as usize] = Class::Word;
        }
        byte += 1;
    }
    let mut signs = SIGNS;
    while let [sign, rest @ ..] = signs {
        table[*sign as usize] = Class::Sign;
        signs = rest;
    }
    table
};

fn class(byte: u8) -> Class {
    CLASSES.get(usize::from(byte)).copied().unwrap_or(Class::Other)
}

/// The next word that matters from a place on, and where it ends. A word matters if it is long, announces a secret or
/// has two dashes (flags, private keys), or if a sign that may follow a name comes after it.
pub(super) fn next(bytes: &[u8], place: usize) -> Option<(usize, usize)> {
    let mut word = place;
    let mut has_pair = false;
    for (stop, &byte) in bytes.iter().enumerate().skip(place) {
        match class(byte) {
            Class::Word => {
                has_pair |= byte == b'-' && stop > word && at(bytes, stop - 1) == b'-';
            }
            _ if has_pair || stop - word >= SHORTEST => return Some((word, stop)),
            Class::Sign if assignment::may_introduce(bytes, stop, word) => return Some((word, stop)),
            _ if stop > word && may_announce(bytes, word, stop) => return Some((word, stop)),
            _ => word = stop + 1,
        }
    }
    let is_last = has_pair || bytes.len().saturating_sub(word) >= SHORTEST;
    let announces = || bytes.len() > word && may_announce(bytes, word, bytes.len());
    (is_last || announces()).then_some((word, bytes.len()))
}

/// Whether a secret may stand behind a word without a sign.
fn may_announce(bytes: &[u8], word: usize, stop: usize) -> bool {
    let sign = at(bytes, stop);
    phrases::may_announce(bytes, word, stop)
        || setters::may_set(bytes, word, stop)
        || sign == b'<' && html::may_name(bytes, stop)
        || sign == b'\t' && cookies::may_be_in_file(part(bytes, word, stop), sign)
}
