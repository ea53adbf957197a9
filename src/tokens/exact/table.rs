//! The ranks of pairs of tokens.
//!
//! Memory that is touched for the first time is what making a table costs most, so there is little of it.

/// No such token.
pub(super) const NONE: u32 = u32::MAX;
/// So many pairs are looked through one by one: their slots are all taken.
const FEW: usize = 4;
/// No pair.
const EMPTY: u32 = 0;
/// The low bits of a rank that stand in a slot, below the right part plus one.
const LOW_BITS: u32 = 14;

/// For each left part a hash table of its pairs, with open addressing. So the whole is filled from one end to the
/// other, what belongs together lies together, and of a token that begins no pair nothing is looked up.
#[derive(Clone, Debug)]
pub(super) struct PairTable {
    /// Which tokens are left parts: bits, with how many there are before.
    lefts: Vec<Lefts>,
    /// Where the slots of each left part begin, and where the last ones end.
    starts: Vec<u32>,
    /// Right part plus one, and the low bits of the rank.
    slots: Vec<u32>,
    /// The high bits of the ranks.
    highs: Vec<u8>,
}

/// Which of 32 tokens are left parts, and how many are before them.
#[derive(Clone, Copy, Debug, Default)]
struct Lefts {
    bits: u32,
    before: u32,
}

impl PairTable {
    /// A table with room for these numbers of pairs and tokens.
    pub fn with_room(pairs: usize, tokens: usize) -> Self {
        let most = pairs + pairs / 3;
        Self {
            lefts: vec![Lefts::default(); tokens.div_ceil(32)],
            slots: Vec::with_capacity(most),
            highs: Vec::with_capacity(most),
            starts: vec![0],
        }
    }

    /// Adds the pairs of a left part, which is above all before, by their right parts; whether they were in order.
    pub fn add(&mut self, left: u32, pairs: impl ExactSizeIterator<Item = (u32, u32)>) -> bool {
        let start = self.slots.len();
        let size = if pairs.len() <= FEW { pairs.len() } else { pairs.len() + pairs.len() / 3 };
        self.slots.resize(start + size, EMPTY);
        self.highs.resize(start + size, 0);
        let slots = self.slots.get_mut(start..).unwrap_or_default();
        let highs = self.highs.get_mut(start..).unwrap_or_default();
        let mut least = 0;
        for (right, rank) in pairs {
            // Equal ones would all be looked for at one place, which takes time without end.
            if right < least {
                return false;
            }
            least = right.saturating_add(1);
            let mut at = home(right, size);
            while slots.get(at).is_some_and(|slot| *slot != EMPTY) {
                at = if at + 1 < size { at + 1 } else { 0 };
            }
            if let (Some(slot), Some(high)) = (slots.get_mut(at), highs.get_mut(at)) {
                *slot = right.wrapping_add(1) << LOW_BITS | rank & ((1 << LOW_BITS) - 1);
                *high = u8::try_from(rank >> LOW_BITS).unwrap_or(0);
            }
        }
        let before = u32::try_from(self.starts.len()).unwrap_or(1) - 1;
        if let Some(lefts) = self.lefts.get_mut(left as usize / 32) {
            if lefts.bits == 0 {
                lefts.before = before;
            }
            lefts.bits |= 1 << (left % 32);
        }
        self.starts.push(u32::try_from(self.slots.len()).unwrap_or(0));
        true
    }

    /// The rank of a pair, or [`NONE`].
    #[inline]
    pub fn get(&self, left: u32, right: u32) -> u32 {
        let Some(lefts) = self.lefts.get(left as usize / 32) else { return NONE };
        let bit = 1 << (left % 32);
        if lefts.bits & bit == 0 {
            return NONE;
        }
        let group = (lefts.before + (lefts.bits & (bit - 1)).count_ones()) as usize;
        let begin = |group: usize| self.starts.get(group).map_or(0, |start| *start as usize);
        let (start, end) = (begin(group), begin(group + 1));
        let mut at = start + home(right, end - start);
        for _ in start..end {
            let slot = self.slots.get(at).copied().unwrap_or(EMPTY);
            if slot == EMPTY {
                break;
            }
            if slot >> LOW_BITS == right.wrapping_add(1) {
                let high = self.highs.get(at).map_or(0, |high| u32::from(*high));
                return high << LOW_BITS | slot & ((1 << LOW_BITS) - 1);
            }
            at = if at + 1 < end { at + 1 } else { start };
        }
        NONE
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.lefts.capacity() * size_of::<Lefts>()
            + (self.starts.capacity() + self.slots.capacity()) * size_of::<u32>()
            + self.highs.capacity()
    }
}

/// Where a right part is looked for first, among so many slots.
#[inline]
fn home(right: u32, slots: usize) -> usize {
    // Fibonacci hashing: the high bits of the product depend on all bits of the number.
    let mixed = u64::from(right.wrapping_mul(0x9e37_79b9));
    usize::try_from((mixed * slots as u64) >> u32::BITS).unwrap_or(0)
}
