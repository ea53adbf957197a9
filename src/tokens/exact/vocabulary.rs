//! The form in which a vocabulary is handed in.
//!
//! All merges by their left parts, and those of one left part by their right ones: in this order a table of them is
//! filled from one end to the other. They stand as
//!
//! - their number in four bytes, the lowest first;
//! - bits, the lowest of a byte first: for each token a 1 for each merge that it is the left part of, then a 0;
//! - the right parts, each as what it is above the one before with the same left part;
//! - the ranks of what they make.
//!
//! Right parts and ranks are columns, which compress best: all low bytes, all middle bytes, then two high bits of
//! each, four in a byte.

use std::ops::Range;

use crate::error::{Error, ErrorCode};

/// The tokens of single bytes, whose ranks come first.
pub(super) const BYTES: usize = 256;
/// Most merges that a vocabulary may have: a token's number takes 18 bits.
const MOST: usize = (1 << 18) - BYTES - 1;
/// Bytes of the number at the beginning.
const NUMBER: usize = 4;

/// The merges of a vocabulary, as they stand in its bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vocabulary<'bytes> {
    /// How many there are.
    pub merges: usize,
    groups: &'bytes [u8],
    rights: Column<'bytes>,
    ranks: Column<'bytes>,
}

/// Numbers of 18 bits.
#[derive(Clone, Copy, Debug)]
struct Column<'bytes> {
    low: &'bytes [u8],
    middle: &'bytes [u8],
    high: &'bytes [u8],
}

impl<'bytes> Vocabulary<'bytes> {
    /// # Errors
    /// [`ErrorCode::InvalidOptions`] if the bytes are more or fewer than their number of merges takes.
    pub fn new(bytes: &'bytes [u8]) -> Result<Self, Error> {
        let number = bytes.first_chunk::<NUMBER>().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        let merges = usize::try_from(number).unwrap_or(usize::MAX);
        if merges == 0 || merges > MOST {
            return Err(invalid("it has no merges, or more than there can be"));
        }
        let mut rest = bytes.get(NUMBER..).unwrap_or_default();
        let mut take = |length: usize| {
            let (taken, left) = rest.split_at_checked(length)?;
            rest = left;
            Some(taken)
        };
        let mut parts = || {
            let groups = take((BYTES + 2 * merges).div_ceil(8))?;
            let mut column = || {
                Some(Column { low: take(merges)?, middle: take(merges)?, high: take(merges.div_ceil(4))? })
            };
            Some(Self { merges, groups, rights: column()?, ranks: column()? })
        };
        parts().filter(|_| rest.is_empty()).ok_or_else(|| invalid("it is longer or shorter than its merges"))
    }

    /// Calls back for each token that is the left part of merges, with these.
    ///
    /// # Errors
    /// What `take` says is wrong; [`ErrorCode::InvalidOptions`] if the groups have more or fewer than there are.
    pub fn each_group(
        &self,
        mut take: impl FnMut(u32, Range<usize>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (mut left, mut merge, mut bit) = (0, 0, 0);
        let end = BYTES + 2 * self.merges;
        while bit < end {
            let (bits, known) = self.bits(bit);
            let lone = bits.trailing_zeros().min(known);
            if lone > 0 {
                left += lone;
                bit += lone as usize;
                continue;
            }
            let from = merge;
            loop {
                let (bits, known) = self.bits(bit);
                let run = bits.trailing_ones().min(known);
                merge += run as usize;
                bit += run as usize;
                if run < known {
                    break;
                }
            }
            if merge > self.merges {
                break;
            }
            take(left, from..merge)?;
        }
        if merge == self.merges { Ok(()) } else { Err(invalid("its groups aren't its merges")) }
    }

    /// Bits from one on, and how many they are; behind the last one there are zeros.
    fn bits(&self, from: usize) -> (u64, u32) {
        let (rest, offset) = (self.groups.get(from / 8..).unwrap_or_default(), from % 8);
        let word = rest.first_chunk::<8>().copied().unwrap_or_else(|| {
            let mut bytes = [0; 8];
            bytes.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
            bytes
        });
        #[allow(clippy::cast_possible_truncation)]
        let offset = offset as u32;
        (u64::from_le_bytes(word) >> offset, u64::BITS - offset)
    }

    /// The right parts and ranks of a group's merges.
    #[inline]
    pub fn group(&self, merges: Range<usize>) -> impl ExactSizeIterator<Item = (u32, u32)> {
        let mut right = 0_u32;
        self.rights.numbers(merges.clone()).zip(self.ranks.numbers(merges)).map(move |(above, rank)| {
            right = right.wrapping_add(above);
            (right, rank)
        })
    }
}

impl Column<'_> {
    #[inline]
    fn numbers(&self, range: Range<usize>) -> impl ExactSizeIterator<Item = u32> {
        let bytes = |column| <[u8]>::get(column, range.clone()).unwrap_or_default().iter();
        let (low, middle) = (bytes(self.low), bytes(self.middle));
        low.zip(middle).zip(range).map(|((&low, &middle), at)| {
            let high = self.high.get(at / 4).map_or(0, |high| high >> (2 * (at % 4)) & 3);
            u32::from(high) << 16 | u32::from(middle) << 8 | u32::from(low)
        })
    }
}

pub(super) fn invalid(why: &str) -> Error {
    Error::new(ErrorCode::InvalidOptions, format!("the vocabulary can't be read: {why}")).key("vocabulary")
}
