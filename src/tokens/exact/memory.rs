//! The counts of short pieces that were met before: most of any text.

/// Longest piece that is remembered, in bytes.
const LONGEST: usize = 22;
const SLOTS_BITS: u32 = 15;
/// Where a key's last word has the piece's length, and room for its count.
const LENGTH_AT: u32 = 56;
const COUNT_AT: u32 = 48;

/// A piece with its length: equal only for equal pieces. The piece's count stands in its last word,
/// so that one place in memory has all there is to know.
type Key = [u64; 3];

/// A cache in which a newer piece takes the place of an older one with the same slot.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    slots: Vec<Key>,
}

/// Where a piece is, or would be, remembered.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    key: Key,
    at: usize,
}

impl Memory {
    pub fn new() -> Self {
        Self { slots: vec![[0; 3]; 1 << SLOTS_BITS] }
    }

    /// The place of the piece between two bytes of a text, if it isn't too long.
    #[inline]
    pub fn slot(text: &[u8], from: usize, to: usize) -> Option<Slot> {
        let length = to.checked_sub(from).filter(|&length| length <= LONGEST)?;
        let key = if let Some(bytes) = text.get(from..from + 24) {
            key_of(bytes, length)
        } else {
            // Too near the text's end to be read as words.
            let mut bytes = [0; 24];
            bytes.iter_mut().zip(text.get(from..to)?).for_each(|(to, from)| *to = *from);
            key_of(&bytes, length)
        };
        let [first, second, third] = key;
        let mixed =
            (first ^ second.rotate_left(23) ^ third.rotate_left(41)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Some(Slot { key, at: usize::try_from(mixed >> (u64::BITS - SLOTS_BITS)).unwrap_or(0) })
    }

    /// The count of a piece, 0 if it isn't known.
    #[inline]
    pub fn recall(&self, slot: Slot) -> u32 {
        let [first, second, third] = slot.key;
        match self.slots.get(slot.at) {
            Some(&[a, b, c]) if a == first && b == second && (c ^ third) & !(0xff << COUNT_AT) == 0 => {
                u32::try_from(c >> COUNT_AT & 0xff).unwrap_or(0)
            }
            _ => 0,
        }
    }

    pub fn remember(&mut self, slot: Slot, count: u32) {
        let (Ok(count), Some(known)) = (u8::try_from(count), self.slots.get_mut(slot.at)) else { return };
        let [first, second, third] = slot.key;
        *known = [first, second, third | u64::from(count) << COUNT_AT];
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<Key>()
    }
}

/// The first bytes of 24 as three words, their number in the last byte.
#[inline]
fn key_of(bytes: &[u8], length: usize) -> Key {
    let word = |at: usize| {
        let word = bytes.get(at..at + 8).and_then(|word| word.try_into().ok()).map_or(0, u64::from_le_bytes);
        match length.saturating_sub(at) {
            0 => 0,
            bytes @ 1..8 => word & ((1 << (8 * bytes)) - 1),
            _ => word,
        }
    };
    [word(0), word(8), word(16) | (length as u64) << LENGTH_AT]
}
