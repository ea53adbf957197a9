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
    #[cfg(target_arch = "wasm32")]
    pub fn of(block: &[u8; BLOCK]) -> Self {
        vectors::bits(block)
    }

    #[cfg(not(target_arch = "wasm32"))]
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

    #[cfg(not(target_arch = "wasm32"))]
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
#[cfg(not(target_arch = "wasm32"))]
const fn each(byte: u8) -> u64 {
    byte as u64 * 0x0101_0101_0101_0101
}

/// The highest bit of each byte.
#[cfg(not(target_arch = "wasm32"))]
const HIGH: u64 = each(0x80);

/// The highest bits of eight bytes side by side.
#[cfg(not(target_arch = "wasm32"))]
const fn gathered(high: u64) -> u64 {
    high.wrapping_mul(0x0002_0408_1020_4081) >> 56
}

/// The same by vectors of 16 bytes, in a third of the time.
#[cfg(target_arch = "wasm32")]
mod vectors {
    use std::arch::wasm32::{
        u8x16_bitmask, u8x16_eq, u8x16_le, u8x16_splat, u8x16_sub, u64x2, v128, v128_or,
    };

    use super::{BLOCK, Bits};

    #[target_feature(enable = "simd128")]
    pub(super) fn bits(block: &[u8; BLOCK]) -> Bits {
        let mut bits = Bits::default();
        for (sixteen, shift) in block.as_chunks::<16>().0.iter().zip((0..).step_by(16)) {
            let (halves, _) = sixteen.as_chunks();
            let [low, high] = halves else { continue };
            let bytes = u64x2(u64::from_le_bytes(*low), u64::from_le_bytes(*high));
            let dashes = is(bytes, b'-');
            let letters = within(v128_or(bytes, u8x16_splat(0x20)), b'a', b'z');
            let names = v128_or(v128_or(letters, within(bytes, b'0', b'9')), is(bytes, b'_'));
            let signs = v128_or(v128_or(is(bytes, b':'), is(bytes, b'~')), within(bytes, b'=', b'>'));
            bits.words |= gathered(v128_or(names, dashes)) << shift;
            bits.dashes |= gathered(dashes) << shift;
            bits.signs |= gathered(signs) << shift;
        }
        bits
    }

    #[target_feature(enable = "simd128")]
    fn is(bytes: v128, byte: u8) -> v128 {
        u8x16_eq(bytes, u8x16_splat(byte))
    }

    #[target_feature(enable = "simd128")]
    fn within(bytes: v128, first: u8, last: u8) -> v128 {
        u8x16_le(u8x16_sub(bytes, u8x16_splat(first)), u8x16_splat(last - first))
    }

    #[target_feature(enable = "simd128")]
    fn gathered(bytes: v128) -> u64 {
        u64::from(u8x16_bitmask(bytes))
    }
}
