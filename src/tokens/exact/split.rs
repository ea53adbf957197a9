//! Splits texts into pieces exactly as the encodings' patterns do. The patterns, as published:
//!
//! ```text
//! o200k_base  [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//!             |[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//!             |\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
//! cl100k_base (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}
//!             | ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
//! ```
//! What backtracking would find is worked out here in one walk: each piece looks at its characters once.

use std::cell::Cell;

use super::Encoding;
use super::classes::{Class, Classes};

/// A piece of a self.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Where it ends; behind its beginning, within the self.
    pub end: usize,
    /// If beyond its end: how far one had to look to know that it ends there.
    pub seen: usize,
}

/// A text and what its characters are.
struct Text<'text> {
    bytes: &'text [u8],
    classes: &'text Classes,
    seen: Cell<usize>,
}

/// The piece that begins at `at`.
#[inline]
pub(super) fn piece(encoding: Encoding, classes: &Classes, bytes: &[u8], at: usize) -> Piece {
    let text = Text { bytes, classes, seen: Cell::new(0) };
    let end = text.piece_end(encoding, at);
    Piece { end, seen: text.seen.get() }
}

impl Text<'_> {
    #[inline]
    fn piece_end(&self, encoding: Encoding, at: usize) -> usize {
        if encoding == Encoding::O200kBase
            && let Some(end) = self.ascii_word(at)
        {
            return end;
        }
        self.other_end(encoding, at)
    }

    /// A function of its own, so that hosts have the other one, which is most of the work, optimised soon.
    #[inline(never)]
    fn other_end(&self, encoding: Encoding, at: usize) -> usize {
        let Some((class, next)) = self.class(at) else { return self.bytes.len() };
        let word = match encoding {
            Encoding::O200kBase => self.cased_word(at, class, next),
            Encoding::Cl100kBase => self.contraction(at).or_else(|| self.word(at, class, next)),
        };
        if let Some(end) = word {
            return end;
        }
        match class {
            Class::Number => self.number(next),
            Class::Space | Class::Newline => {
                self.space_and_signs(encoding, at, next).unwrap_or_else(|| self.spaces(at))
            }
            _ => self.signs(encoding, next),
        }
    }

    /// The class of the character at a byte, and where the next one begins.
    #[inline]
    fn class(&self, at: usize) -> Option<(Class, usize)> {
        let &first = self.bytes.get(at)?;
        if first < 0x80 {
            return Some((self.classes.of_byte(first), at + 1));
        }
        let more = |offset: usize| self.bytes.get(at + offset).map_or(0, |&byte| u32::from(byte & 0x3f));
        let first = u32::from(first);
        let (code, length) = match first {
            0xf0.. => ((first & 7) << 18 | more(1) << 12 | more(2) << 6 | more(3), 4),
            0xe0.. => ((first & 15) << 12 | more(1) << 6 | more(2), 3),
            _ => ((first & 31) << 6 | more(1), 2),
        };
        Some((self.classes.of(code), (at + length).min(self.bytes.len())))
    }

    /// The end of the run of characters of some classes that begins at `at`.
    #[inline]
    fn run(&self, mut at: usize, belongs: impl Fn(Class) -> bool) -> usize {
        while let Some((class, next)) = self.class(at) {
            if !belongs(class) {
                break;
            }
            at = next;
        }
        at
    }

    /// A word of `o200k_base` that is ASCII, and what follows too: most of any text.
    #[inline]
    fn ascii_word(&self, at: usize) -> Option<usize> {
        let class = |at: usize| self.bytes.get(at).map_or(Class::Other, |&byte| self.classes.of_byte(byte));
        let start = if class(at).may_lead() { at + 1 } else { at };
        let mut end = start;
        while class(end) == Class::Upper {
            end += 1;
        }
        while class(end) == Class::Lower {
            end += 1;
        }
        let behind = self.bytes.get(end).copied().unwrap_or(0);
        if end == start || behind >= 0x80 || !self.bytes.get(at)?.is_ascii() {
            return None;
        }
        Some(self.contraction(end).unwrap_or(end))
    }

    /// `[^\r\n\p{L}\p{N}]?\p{L}+`
    fn word(&self, at: usize, class: Class, next: usize) -> Option<usize> {
        let start = if class.is_letter() { at } else { next };
        if class.is_letter() || class.may_lead() {
            let end = self.run(start, Class::is_letter);
            return (end > start).then_some(end);
        }
        None
    }

    /// The two alternatives of `o200k_base` that match words.
    fn cased_word(&self, at: usize, class: Class, next: usize) -> Option<usize> {
        let end = if class.may_lead() {
            // With the leading character; a mark may also be a word by itself.
            let led = self.word_with_small_letters(next);
            led.or_else(|| (class == Class::Mark).then_some(next)).or_else(|| self.capitals(next))
        } else if class.is_letter() {
            self.word_with_small_letters(at).or_else(|| self.capitals(at))
        } else {
            None
        }?;
        Some(self.contraction(end).unwrap_or(end))
    }

    /// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+`: the first part gives back as much as
    /// the second one needs.
    fn word_with_small_letters(&self, start: usize) -> Option<usize> {
        let mut at = start;
        // Behind the last character that could begin the second part, too.
        let mut last_shared = None;
        while let Some((class, next)) = self.class(at) {
            match class {
                Class::Upper => {}
                Class::OtherLetter | Class::Mark => last_shared = Some(next),
                Class::Lower => return Some(self.run(next, Class::ends_word)),
                _ => break,
            }
            at = next;
        }
        self.seen.set(at);
        last_shared
    }

    /// `[\p{Lu}…]+[\p{Ll}…]*` where the alternative above has failed: capitals are all there is.
    fn capitals(&self, start: usize) -> Option<usize> {
        let end = self.run(start, |class| class == Class::Upper);
        (end > start).then_some(end)
    }

    /// `(?i:'s|'t|'re|'ve|'m|'ll|'d)`; without regard to case, `ſ` is an `s`.
    #[inline]
    fn contraction(&self, at: usize) -> Option<usize> {
        if self.bytes.get(at) != Some(&b'\'') {
            return None;
        }
        let letter = |offset: usize| self.bytes.get(at + offset).map_or(0, u8::to_ascii_lowercase);
        match (letter(1), letter(2)) {
            (b's' | b't' | b'm' | b'd', _) => Some(at + 2),
            (b'r' | b'v', b'e') | (b'l', b'l') | (0xc5, 0xbf) => Some(at + 3),
            _ => None,
        }
    }

    /// `\p{N}{1,3}` behind its first character.
    fn number(&self, mut at: usize) -> usize {
        for _ in 0..2 {
            match self.class(at) {
                Some((Class::Number, next)) => at = next,
                _ => break,
            }
        }
        at
    }

    /// ` [^\s\p{L}\p{N}]+[\r\n/]*`
    fn space_and_signs(&self, encoding: Encoding, at: usize, next: usize) -> Option<usize> {
        if self.bytes.get(at) != Some(&b' ') {
            return None;
        }
        let (class, behind) = self.class(next)?;
        class.is_sign().then(|| self.signs(encoding, behind))
    }

    /// `[^\s\p{L}\p{N}]*[\r\n/]*`, of which the slash belongs to `o200k_base` only.
    fn signs(&self, encoding: Encoding, at: usize) -> usize {
        let mut end = self.run(at, Class::is_sign);
        let slash = if encoding == Encoding::O200kBase { b'/' } else { b'\n' };
        while self.bytes.get(end).is_some_and(|&byte| byte == b'\r' || byte == b'\n' || byte == slash) {
            end += 1;
        }
        end
    }

    /// `\s*[\r\n]+|\s+(?!\S)|\s+`
    fn spaces(&self, start: usize) -> usize {
        let (mut at, mut last) = (start, start);
        let mut behind_newline = None;
        while let Some((class, next)) = self.class(at) {
            match class {
                Class::Newline => behind_newline = Some(next),
                Class::Space => {}
                _ => break,
            }
            last = at;
            at = next;
        }
        self.seen.set(at);
        // The last space goes with the word that follows, unless it is all there is.
        let leaves_one = at < self.bytes.len() && last > start;
        behind_newline.unwrap_or(if leaves_one { last } else { at })
    }
}
