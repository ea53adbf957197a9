//! The vocabulary as merges, and byte pair encoding by their ranks.
//!
//! A vocabulary gives a rank to every token; encoding joins, again and again, the two neighbours
//! whose joint token has the lowest rank, the leftmost first. A token can only come about from the two
//! parts that encoding its own bytes ends with, so these pairs are all there is to know: a test of the
//! package holds the counts against the reference implementation.

use std::ops::Range;

use super::chain::Chain;
use super::queue::Queue;
use super::table::{NONE, PairTable};
use super::vocabulary::{BYTES, Vocabulary, invalid};
use crate::error::Error;

/// Up to so many bytes the lowest rank is looked for by walking: that beats a queue.
const SHORT: usize = 48;
/// Most pieces are no longer than this, and need less room.
const SHORTER: usize = 14;
/// Bytes of a piece for which the rooms of the queue are kept.
const KEPT: usize = 1 << 16;

/// A token of a short piece.
#[derive(Clone, Copy)]
struct Part {
    token: u32,
    /// What it and the next one make together.
    rank: u32,
}

/// The lowest rank so far, and where it was first.
#[derive(Clone, Copy)]
struct Lowest {
    rank: u32,
    at: usize,
}

impl Lowest {
    const NONE: Self = Self { rank: NONE, at: 0 };

    #[inline]
    fn see(&mut self, rank: u32, at: usize) {
        if rank < self.rank {
            *self = Self { rank, at };
        }
    }
}

/// The merges of a vocabulary.
#[derive(Clone, Debug)]
pub(super) struct Merges {
    /// Ranks of single bytes.
    bytes: Vec<u32>,
    /// Ranks of two bytes: where every encoding begins.
    doubles: Vec<u32>,
    pairs: PairTable,
    /// How many tokens there are.
    tokens: usize,
    queue: Queue,
    chain: Chain,
}

impl Merges {
    /// Reads a vocabulary.
    pub fn read(vocabulary: &Vocabulary<'_>) -> Result<Self, Error> {
        let tokens = BYTES + vocabulary.merges;
        let mut merges = Self {
            bytes: byte_ranks(),
            doubles: vec![NONE; BYTES * BYTES],
            pairs: PairTable::with_room(vocabulary.merges, tokens),
            tokens,
            queue: Queue::default(),
            chain: Chain::default(),
        };
        let byte_of = merges.bytes_by_rank();
        vocabulary.each_group(|left, group| merges.read_group(vocabulary, left, group, &byte_of))?;
        Ok(merges)
    }

    /// Reads the merges of a left part. A function of its own, and not inlined, for the sake of hosts whose
    /// optimised code begins with a call: within one long loop they would never get to it.
    #[inline(never)]
    fn read_group(
        &mut self,
        vocabulary: &Vocabulary<'_>,
        left: u32,
        group: Range<usize>,
        byte_of: &[u8],
    ) -> Result<(), Error> {
        let tokens = u32::try_from(self.tokens).unwrap_or(NONE);
        let mut is_wrong = false;
        let pairs = vocabulary.group(group.clone());
        let seen = pairs.inspect(|&(right, rank)| is_wrong |= rank <= left.max(right) || rank >= tokens);
        if !self.pairs.add(left, seen) {
            return Err(invalid("its merges aren't in order"));
        }
        if is_wrong {
            return Err(invalid("a token is made of later ones"));
        }
        if let Some(&first) = byte_of.get(left as usize) {
            for (right, rank) in vocabulary.group(group) {
                if let Some(&second) = byte_of.get(right as usize)
                    && let Some(double) = self.doubles.get_mut(double_index(first, second))
                {
                    *double = rank;
                }
            }
        }
        Ok(())
    }

    fn bytes_by_rank(&self) -> Vec<u8> {
        let mut bytes = vec![0; BYTES];
        for (byte, &rank) in (0..=u8::MAX).zip(&self.bytes) {
            if let Some(slot) = bytes.get_mut(rank as usize) {
                *slot = byte;
            }
        }
        bytes
    }

    /// Bytes held, approximately.
    pub fn bytes(&self) -> usize {
        (self.bytes.len() + self.doubles.len()) * size_of::<u32>()
            + self.pairs.bytes()
            + self.queue.bytes()
            + self.chain.bytes()
    }

    /// The tokens of a piece.
    pub fn count(&mut self, piece: &[u8]) -> u32 {
        if piece.len() <= SHORTER {
            self.count_short::<SHORTER>(piece)
        } else if piece.len() <= SHORT {
            self.count_short::<SHORT>(piece)
        } else {
            self.count_long(piece)
        }
    }

    fn byte(&self, byte: u8) -> u32 {
        self.bytes.get(usize::from(byte)).copied().unwrap_or(NONE)
    }

    fn double(&self, first: u8, second: u8) -> u32 {
        self.doubles.get(double_index(first, second)).copied().unwrap_or(NONE)
    }

    /// Walks for the lowest rank. What is behind a merge moves up while the next lowest one is looked for.
    fn count_short<const ROOM: usize>(&self, piece: &[u8]) -> u32 {
        let mut parts = [Part { token: NONE, rank: NONE }; ROOM];
        let mut left = piece.len().min(ROOM);
        let mut lowest = Lowest::NONE;
        for (at, part) in parts.iter_mut().enumerate().take(left) {
            let byte = piece.get(at).copied().unwrap_or(0);
            part.token = self.byte(byte);
            part.rank = piece.get(at + 1).map_or(NONE, |&next| self.double(byte, next));
            lowest.see(part.rank, at);
        }
        while lowest.rank != NONE {
            let Lowest { rank: joined, at } = lowest;
            left -= 1;
            let mut behind = Lowest::NONE;
            for place in at + 1..left {
                let Some(&part) = parts.get(place + 1) else { break };
                if let Some(slot) = parts.get_mut(place) {
                    *slot = part;
                }
                behind.see(part.rank, place);
            }
            let token = |at: usize| parts.get(at).filter(|_| at < left).map_or(NONE, |part| part.token);
            let rank = self.pairs.get(joined, token(at + 1));
            let before = at.checked_sub(1).map(|before| self.pairs.get(token(before), joined));
            if let Some(slot) = parts.get_mut(at) {
                *slot = Part { token: joined, rank };
            }
            if let (Some(rank), Some(slot)) = (before, parts.get_mut(at.wrapping_sub(1))) {
                slot.rank = rank;
            }
            lowest = Lowest::NONE;
            for (place, part) in parts.iter().enumerate().take(at + 1) {
                lowest.see(part.rank, place);
            }
            lowest.see(behind.rank, behind.at);
        }
        u32::try_from(left).unwrap_or(NONE)
    }

    /// Takes the lowest ranks from a queue: linear, as every place enters it at most three times.
    ///
    /// A token's rank is above those of its parts, so a list is complete before it is taken out; and as
    /// the places of a list come about while the list of its later part is walked, they are in order.
    fn count_long(&mut self, piece: &[u8]) -> u32 {
        let (chain, count) = self.merged(piece);
        self.keep(chain);
        count
    }

    /// The tokens of a piece, each with its first byte.
    pub fn each_token(&mut self, piece: &[u8], mut take: impl FnMut(u32, usize)) {
        let (chain, _) = self.merged(piece);
        let mut place = (!piece.is_empty()).then_some(0);
        while let Some(at) = place {
            take(chain.token(at), at as usize);
            place = chain.next(at);
        }
        self.keep(chain);
    }

    fn merged(&mut self, piece: &[u8]) -> (Chain, u32) {
        let mut chain = std::mem::take(&mut self.chain);
        chain.fill(piece.iter().map(|&byte| self.byte(byte)));
        self.queue.clear(self.tokens);
        for ((&first, &second), at) in piece.iter().zip(piece.iter().skip(1)).zip(0_u32..) {
            let rank = self.double(first, second);
            self.offer(&mut chain, at, rank);
        }
        let mut count = u32::try_from(piece.len()).unwrap_or(NONE);
        while let Some((rank, first)) = self.queue.take_lowest() {
            let mut entry = first;
            while let Some((at, following)) = self.queue.entry(entry) {
                entry = following;
                // Either part may have been merged since.
                let Some(next) = chain.next(at).filter(|_| chain.rank(at) == rank) else { continue };
                chain.merge(at, next, rank);
                count -= 1;
                let joined = chain.next(at).map_or(NONE, |next| self.pairs.get(rank, chain.token(next)));
                self.offer(&mut chain, at, joined);
                if let Some(before) = chain.before(at) {
                    let joined = self.pairs.get(chain.token(before), rank);
                    self.offer(&mut chain, before, joined);
                }
            }
        }
        self.queue.shrink(KEPT);
        (chain, count)
    }

    /// Keeps the room of a chain for the next one.
    fn keep(&mut self, mut chain: Chain) {
        chain.shrink(KEPT);
        self.chain = chain;
    }

    fn offer(&mut self, chain: &mut Chain, at: u32, rank: u32) {
        chain.set_rank(at, rank);
        if rank != NONE {
            self.queue.push(rank, at);
        }
    }
}

fn double_index(first: u8, second: u8) -> usize {
    usize::from(first) << 8 | usize::from(second)
}

/// The ranks of single bytes: those that print in Latin-1 first, then all others (as GPT-2 has it).
fn byte_ranks() -> Vec<u32> {
    let prints = |byte: u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
    let mut ranks = vec![0; BYTES];
    let order = (0..=u8::MAX).filter(|&byte| prints(byte)).chain((0..=u8::MAX).filter(|&byte| !prints(byte)));
    for (byte, rank) in order.zip(0..) {
        if let Some(slot) = ranks.get_mut(usize::from(byte)) {
            *slot = rank;
        }
    }
    ranks
}
