//! The search for words that matter, 64 bytes at a time: few operations on a bit for each byte tell
//! where a closer look is worthwhile.

use super::assignment;
use super::bits::{BLOCK, Bits};
use super::bytes::{at, is_word, part, rest, run_end};

/// The shortest token that has a shape of its own.
pub(super) const SHORTEST: usize = 16;

/// What the next block must know of the one before it: which bytes end a run of 1, 2, 4 and 8 bytes of words,
/// and which are dashes.
#[derive(Clone, Copy, Debug, Default)]
struct Carry {
    runs: [u64; 4],
    dashes: u64,
}

impl Carry {
    /// The bytes of a block that make a word long, open what matters, or may follow a name.
    fn events(&mut self, bits: Bits) -> u64 {
        let mut runs = bits.words;
        for (before, length) in self.runs.iter_mut().zip([1, 2, 4, 8]) {
            let earlier = std::mem::replace(before, runs);
            runs &= runs << length | earlier >> (64 - length);
        }
        let pairs = bits.dashes & (bits.dashes << 1 | self.dashes >> 63);
        self.dashes = bits.dashes;
        runs | pairs | bits.signs
    }
}

/// The words of a text that matter: long ones, those before a sign that may follow a name, those with two
/// dashes, as flags and private keys have them.
pub(super) struct Words<'text> {
    bytes: &'text [u8],
    /// Where the block starts that was looked at last.
    base: usize,
    bits: Bits,
    carry: Carry,
    events: u64,
}

impl<'text> Words<'text> {
    pub(super) fn new(bytes: &'text [u8]) -> Self {
        let mut words = Self { bytes, base: 0, bits: Bits::default(), carry: Carry::default(), events: 0 };
        words.load();
        words
    }

    /// The next word that matters, and where it ends. What lies before `place` belongs to no word.
    pub(super) fn next(&mut self, place: usize) -> Option<(usize, usize)> {
        let base = place / BLOCK * BLOCK;
        if base != self.base {
            self.base = base;
            self.load();
        }
        self.carry = Carry::default();
        #[allow(clippy::cast_possible_truncation)] // below 64
        let offset = (place - base) as u32;
        self.events = self.carry.events(self.bits.from(offset));
        loop {
            while self.events != 0 {
                let offset = self.events.trailing_zeros();
                self.events &= self.events - 1;
                let stop = self.base + offset as usize;
                let word = || self.word_start(place, offset);
                if is_word(at(self.bytes, stop)) {
                    return Some((word(), run_end(self.bytes, stop, is_word)));
                }
                if assignment::may_introduce(self.bytes, stop, word) {
                    return Some((word(), stop));
                }
            }
            self.base += BLOCK;
            if self.base >= self.bytes.len() {
                return None;
            }
            self.load();
            self.events = self.carry.events(self.bits);
        }
    }

    /// Where the word starts that a byte of the block belongs to or follows.
    fn word_start(&self, place: usize, offset: u32) -> usize {
        let stop = self.base + offset as usize;
        // What precedes the byte, highest bit first.
        let length = self.bits.words.unbounded_shl(u64::BITS - offset).leading_ones();
        let start =
            if length < offset { stop - length as usize } else { word_start(self.bytes, place, stop) };
        start.max(place)
    }

    fn load(&mut self) {
        let rest = rest(self.bytes, self.base);
        self.bits = if let Some((block, _)) = rest.split_first_chunk() {
            Bits::of(block)
        } else {
            let mut block = [0; BLOCK];
            if let Some(head) = block.get_mut(..rest.len()) {
                head.copy_from_slice(rest);
            }
            Bits::of(&block)
        };
    }
}

/// Where the word starts that a byte belongs to or follows. It is short, or its sixteenth byte had come first.
fn word_start(bytes: &[u8], place: usize, stop: usize) -> usize {
    let length = part(bytes, place, stop).iter().rev().take_while(|byte| is_word(**byte)).count();
    stop - length
}

// The property tests' library is there for native builds only.
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;
