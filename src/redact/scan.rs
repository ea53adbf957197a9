//! One pass over a text: words of letters, digits, `_` and `-`, and what stands between them.

use super::bytes::{at, part};
use super::found::Found;
use super::words::{SHORTEST, Words};
use super::{assignment, pem, tokens, url};

/// What a private key begins with.
const BEGIN: &[u8] = b"-----BEGIN";

/// A pass over a text.
pub(super) struct Scan<'text, 'output> {
    text: &'text str,
    output: &'output mut String,
    /// Up to where the text has been written to the output.
    emitted: usize,
}

impl<'text, 'output> Scan<'text, 'output> {
    pub(super) const fn new(text: &'text str, output: &'output mut String) -> Self {
        Self { text, output, emitted: 0 }
    }

    /// Writes everything up to the last credential; of a text that isn't complete, everything that no
    /// later text can change. Answers how much of the text that was.
    pub(super) fn run(mut self, is_complete: bool) -> usize {
        let bytes = self.text.as_bytes();
        let mut words = Words::new(bytes);
        let mut place = 0;
        while let Some((word, stop)) = words.next(self.emitted, place) {
            let found = if at(bytes, stop) == b' ' && part(bytes, word, stop).ends_with(BEGIN) {
                let key = stop - BEGIN.len();
                let token = self.find_before_key(bytes, word, key);
                if token.is_none() && !is_complete && pem::is_open(bytes, stop) {
                    // All rules but this one end with the line.
                    self.emit(key);
                    return self.emitted;
                }
                token.or_else(|| pem::find_key(bytes, stop))
            } else {
                self.find_at(bytes, word, stop)
            };
            place = found.map_or(stop + 1, |found| self.replace(found));
        }
        if !is_complete {
            self.emit(bytes.len());
        }
        self.emitted
    }

    /// The token in a word that ends with a key's opening dashes.
    fn find_before_key(&self, bytes: &[u8], word: usize, key: usize) -> Option<Found> {
        let is_long = key - word >= SHORTEST;
        is_long.then(|| tokens::find_token(part(bytes, 0, key), self.emitted, word, key)).flatten()
    }

    /// The credential that is the word, or that what follows the word introduces.
    fn find_at(&self, bytes: &[u8], word: usize, stop: usize) -> Option<Found> {
        if stop - word >= SHORTEST
            && let Some(found) = tokens::find_token(bytes, self.emitted, word, stop)
        {
            return Some(found);
        }
        match at(bytes, stop) {
            b':' if at(bytes, stop + 1) == b'/' => url::find_secret(bytes, stop),
            b'=' | b'>' | b':' => assignment::find_value(bytes, self.emitted, stop),
            b' ' if at(bytes, word) == b'-' => assignment::find_flag_value(bytes, word, stop),
            b'~' => tokens::find_around_tilde(bytes, self.emitted, stop),
            _ => None,
        }
    }

    /// Writes what precedes a credential and what stands for it; answers where to go on.
    fn replace(&mut self, found: Found) -> usize {
        self.emit(found.start);
        for part in ["[REDACTED: ", found.kind, "]"] {
            self.output.push_str(part);
        }
        self.emitted = found.end;
        found.end
    }

    fn emit(&mut self, end: usize) {
        self.output.push_str(self.text.get(self.emitted..end).unwrap_or_default());
        self.emitted = end;
    }
}
