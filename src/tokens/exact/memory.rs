//! The counts of short pieces that were met before: most of any text.

/// Longest piece that is remembered, in bytes.
const LONGEST: usize = 23;
const SLOTS_BITS: u32 = 15;

/// A piece with its length: equal only for equal pieces.
type Key = [u64; 3];

/// A cache in which a newer piece takes the place of an older one with the same slot.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    keys: Vec<Key>,
    counts: Vec<u8>,
}

/// Where a piece is, or would be, remembered.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    key: Key,
    at: usize,
}

impl Memory {
    pub fn new() -> Self {
        Self { keys: vec![[0; 3]; 1 << SLOTS_BITS], counts: vec![0; 1 << SLOTS_BITS] }
    }

    /// The place of a piece, if it isn't too long.
    #[inline]
    pub fn slot(&self, piece: &[u8]) -> Option<Slot> {
        let key = key_of(piece)?;
        let mixed = key.iter().fold(0_u64, |mixed, word| {
            (mixed.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        Some(Slot { key, at: usize::try_from(mixed >> (u64::BITS - SLOTS_BITS)).unwrap_or(0) })
    }

    #[inline]
    pub fn recall(&self, slot: Slot) -> Option<u32> {
        (self.keys.get(slot.at) == Some(&slot.key))
            .then(|| self.counts.get(slot.at).map_or(0, |&count| u32::from(count)))
    }

    pub fn remember(&mut self, slot: Slot, count: u32) {
        let (Ok(count), Some(key)) = (u8::try_from(count), self.keys.get_mut(slot.at)) else { return };
        *key = slot.key;
        if let Some(slot) = self.counts.get_mut(slot.at) {
            *slot = count;
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.keys.len() * (size_of::<Key>() + 1)
    }
}

/// A piece as three words, the length in the last byte.
#[inline]
fn key_of(piece: &[u8]) -> Option<Key> {
    if piece.len() > LONGEST {
        return None;
    }
    let mut bytes = [0_u8; 24];
    bytes.iter_mut().zip(piece).for_each(|(to, from)| *to = *from);
    let mut words = bytes.chunks_exact(8).map(|word| word.try_into().map_or(0, u64::from_le_bytes));
    let mut next = || words.next().unwrap_or(0);
    let key = [next(), next(), next()];
    let [first, second, third] = key;
    Some([first, second, third | (piece.len() as u64) << 56])
}
