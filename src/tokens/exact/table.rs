//! The ranks of pairs of tokens.

/// No such token.
pub(super) const NONE: u32 = u32::MAX;
/// A token's number takes so many bits.
const TOKEN_BITS: u32 = 18;
/// No pair: a rank is never 0. Memory that is all zero costs nothing to come by.
const EMPTY: u64 = 0;

/// A hash table of pairs with open addressing. A slot holds left part, right part and rank in one
/// word: one place in memory to look at.
#[derive(Clone, Debug)]
pub(super) struct PairTable {
    slots: Vec<u64>,
    shift: u32,
}

impl PairTable {
    /// A table for so many pairs, at most half full.
    pub fn with_room(pairs: usize) -> Self {
        let length = pairs.saturating_mul(2).next_power_of_two().max(2);
        Self { slots: vec![EMPTY; length], shift: u64::BITS - length.trailing_zeros() }
    }

    fn home(&self, key: u64) -> usize {
        // Fibonacci hashing: the high bits of the product depend on all bits of the key.
        usize::try_from(key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift).unwrap_or(0)
    }

    /// Adds a pair. Numbers beyond 18 bits are no tokens.
    pub fn insert(&mut self, left: u32, right: u32, rank: u32) {
        let key = key(left, right);
        let mask = self.slots.len() - 1;
        let mut at = self.home(key);
        while let Some(slot) = self.slots.get_mut(at) {
            if *slot == EMPTY {
                *slot = key << TOKEN_BITS | u64::from(rank);
                return;
            }
            at = (at + 1) & mask;
        }
    }

    /// The rank of a pair, or [`NONE`].
    #[inline]
    pub fn get(&self, left: u32, right: u32) -> u32 {
        if right == NONE {
            return NONE;
        }
        let key = key(left, right);
        let mask = self.slots.len() - 1;
        let mut at = self.home(key);
        while let Some(&slot) = self.slots.get(at) {
            if slot == EMPTY {
                break;
            }
            if slot >> TOKEN_BITS == key {
                return u32::try_from(slot & ((1 << TOKEN_BITS) - 1)).unwrap_or(NONE);
            }
            at = (at + 1) & mask;
        }
        NONE
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<u64>()
    }
}

const fn key(left: u32, right: u32) -> u64 {
    (left as u64) << TOKEN_BITS | right as u64
}
