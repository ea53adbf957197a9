//! The counts of short pieces that were met before: most of any text.

/// Longest piece that is remembered, in bytes.
const LONGEST: usize = 22;
/// Longest piece of those whose count stands in the same word with their bytes.
const SHORT: usize = 7;
const SHORT_SLOTS_BITS: u32 = 16;
const LONG_SLOTS_BITS: u32 = 13;
/// Where a short piece's word has its length, and below that, behind its bytes, room for its count.
const SHORT_LENGTH_AT: u32 = 61;
const SHORT_COUNT_AT: u32 = 56;
const SHORT_COUNT: u64 = 0x1f;
/// The same for the last word of a longer one.
const LENGTH_AT: u32 = 56;
const COUNT_AT: u32 = 48;
const COUNT: u64 = 0xff;

const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// A longer piece with its length: equal only for equal pieces. The piece's count stands in its last word,
/// so that one place in memory has all there is to know.
type Long = [u64; 3];

/// A cache in which a newer piece takes the place of an older one with the same slot.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    short: Vec<u64>,
    long: Vec<Long>,
}

/// Where a piece is, or would be, remembered.
#[derive(Clone, Copy)]
pub(super) enum Slot {
    Short { key: u64, at: usize },
    Long { key: Long, at: usize },
}

impl Memory {
    pub fn new() -> Self {
        Self { short: vec![0; 1 << SHORT_SLOTS_BITS], long: vec![[0; 3]; 1 << LONG_SLOTS_BITS] }
    }

    /// The place of the piece between two bytes of a text, if it isn't too long.
    #[inline]
    pub fn slot(text: &[u8], from: usize, to: usize) -> Option<Slot> {
        let length = to.checked_sub(from)?;
        if length <= SHORT {
            let [word] = words(text, from, to);
            let key = first_bytes(word, length) | (length as u64) << SHORT_LENGTH_AT;
            let mixed = (key ^ key >> 32).wrapping_mul(MIX);
            return Some(Slot::Short { key, at: place(mixed, SHORT_SLOTS_BITS) });
        }
        if length > LONGEST {
            return None;
        }
        let [first, second, third] = words(text, from, to);
        let second = first_bytes(second, length - 8);
        let third = first_bytes(third, length.saturating_sub(16)) | (length as u64) << LENGTH_AT;
        let mixed = (first ^ second.rotate_left(23) ^ third.rotate_left(41)).wrapping_mul(MIX);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(MIX);
        Some(Slot::Long { key: [first, second, third], at: place(mixed, LONG_SLOTS_BITS) })
    }

    /// The count of a piece, 0 if it isn't known.
    #[inline]
    pub fn recall(&self, slot: Slot) -> u32 {
        let known = match slot {
            Slot::Short { key, at } => {
                let known = self.short.get(at).copied().unwrap_or(0) ^ key;
                if known & !(SHORT_COUNT << SHORT_COUNT_AT) == 0 { known >> SHORT_COUNT_AT } else { 0 }
            }
            Slot::Long { key: [first, second, third], at } => match self.long.get(at) {
                Some(&[a, b, c]) if a == first && b == second && (c ^ third) & !(COUNT << COUNT_AT) == 0 => {
                    c >> COUNT_AT & COUNT
                }
                _ => 0,
            },
        };
        u32::try_from(known).unwrap_or(0)
    }

    pub fn remember(&mut self, slot: Slot, count: u32) {
        let count = u64::from(count);
        match slot {
            Slot::Short { key, at } => {
                if let Some(known) = self.short.get_mut(at).filter(|_| count <= SHORT_COUNT) {
                    *known = key | count << SHORT_COUNT_AT;
                }
            }
            Slot::Long { key: [first, second, third], at } => {
                if let Some(known) = self.long.get_mut(at).filter(|_| count <= COUNT) {
                    *known = [first, second, third | count << COUNT_AT];
                }
            }
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.short.len() * size_of::<u64>() + self.long.len() * size_of::<Long>()
    }
}

/// The words that begin at a byte; of what is behind the piece there may be anything in them.
#[inline]
fn words<const COUNT: usize>(text: &[u8], from: usize, to: usize) -> [u64; COUNT] {
    let word = |bytes: &[u8]| bytes.first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    if let Some(bytes) = text.get(from..from + 8 * COUNT) {
        return std::array::from_fn(|at| word(bytes.get(8 * at..).unwrap_or_default()));
    }
    // Too near the text's end to be read as words.
    let mut bytes = [0; 8 * 3];
    bytes.iter_mut().zip(text.get(from..to).unwrap_or_default()).for_each(|(to, from)| *to = *from);
    std::array::from_fn(|at| word(bytes.get(8 * at..).unwrap_or_default()))
}

/// The first bytes of a word, others 0.
#[inline]
fn first_bytes(word: u64, length: usize) -> u64 {
    if length < 8 { word & ((1 << (8 * length)) - 1) } else { word }
}

#[inline]
fn place(mixed: u64, bits: u32) -> usize {
    usize::try_from(mixed >> (u64::BITS - bits)).unwrap_or(0)
}
