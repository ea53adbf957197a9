//! What the bytes of a block are, a bit for each.

/// Bytes of a block: as many as a word has bits.
pub(super) const BLOCK: usize = 64;

/// What the bytes of a block are, a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits {
    /// Letters, digits, `_` and `-`.
    pub words: u64,
    pub dashes: u64,
    /// What may follow a name.
    pub signs: u64,
}

impl Bits {
    pub fn of(block: &[u8; BLOCK]) -> Self {
        let mut bits = Self::default();
        for (eight, shift) in block.as_chunks().0.iter().zip((0..).step_by(8)) {
            let Self { words, dashes, signs } = Self::of_eight(u64::from_le_bytes(*eight));
            bits.words |= words << shift;
            bits.dashes |= dashes << shift;
            bits.signs |= signs << shift;
        }
        bits
    }

    fn of_eight(bytes: u64) -> Self {
        let low = bytes & !HIGH;
        // Sums don't carry into the next byte: all bytes are below 0x80.
        let from = |bytes: u64, first: u8| bytes + each(0x80 - first);
        let within = |bytes: u64, first: u8, last: u8| from(bytes, first) & !from(bytes, last + 1);
        let is = |byte: u8| !from(low ^ each(byte), 1);
        let dashes = is(b'-');
        let letters = within(low | each(0x20), b'a', b'z');
        let words = letters | within(low, b'0', b'9') | is(b'_') | dashes;
        let signs = is(b':') | within(low, b'=', b'>') | is(b'~');
        let ascii = HIGH & !bytes;
        Self {
            words: gathered(words & ascii),
            dashes: gathered(dashes & ascii),
            signs: gathered(signs & ascii),
        }
    }

    /// Without the bytes before a place.
    pub const fn from(self, place: u32) -> Self {
        let kept = u64::MAX << place;
        Self { words: self.words & kept, dashes: self.dashes & kept, signs: self.signs & kept }
    }
}

/// A byte in each place of a word.
const fn each(byte: u8) -> u64 {
    byte as u64 * 0x0101_0101_0101_0101
}

/// The highest bit of each byte.
const HIGH: u64 = each(0x80);

/// The highest bits of eight bytes side by side.
const fn gathered(high: u64) -> u64 {
    high.wrapping_mul(0x0002_0408_1020_4081) >> 56
}
