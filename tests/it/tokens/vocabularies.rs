//! Vocabularies that tests make up, and byte pair encoding as its definition says.

use std::collections::HashMap;

use densify::tokens::exact::{Encoding, Tokenizer};

/// The tokens' bytes, by rank.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    pub tokens: Vec<Vec<u8>>,
    ranks: HashMap<Vec<u8>, usize>,
    merges: Vec<(usize, usize)>,
}

impl Vocabulary {
    /// Single bytes alone: those that print in Latin-1 first.
    pub fn new() -> Self {
        let prints = |byte: &u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
        let (first, last): (Vec<u8>, Vec<u8>) = (0..=u8::MAX).partition(prints);
        let tokens: Vec<Vec<u8>> = first.into_iter().chain(last).map(|byte| vec![byte]).collect();
        let ranks = tokens.iter().cloned().zip(0..).collect();
        Self { tokens, ranks, merges: Vec::new() }
    }

    /// Adds what two tokens are together, if that is new and encodes to these two.
    pub fn merge(&mut self, left: usize, right: usize) {
        let joined = [self.tokens[left].clone(), self.tokens[right].clone()].concat();
        if self.ranks.contains_key(&joined) || self.encode(&joined) != [left, right] {
            return;
        }
        self.ranks.insert(joined.clone(), self.tokens.len());
        self.tokens.push(joined);
        self.merges.push((left, right));
    }

    /// One that has learned pairs of the bytes of a text, and pairs of those.
    pub fn of(text: &str, picks: &[(u16, u16)]) -> Self {
        let mut vocabulary = Self::new();
        let mut known: Vec<usize> =
            text.bytes().map(|byte| vocabulary.ranks[[byte].as_slice()]).collect::<Vec<_>>();
        for &(left, right) in picks {
            let before = vocabulary.tokens.len();
            let at = |pick: u16| known[usize::from(pick) % known.len()];
            vocabulary.merge(at(left), at(right));
            known.extend(before..vocabulary.tokens.len());
        }
        // Without a merge there is nothing to read.
        if vocabulary.merges.is_empty() {
            vocabulary.merge(0, 1);
        }
        vocabulary
    }

    /// The definition: join the neighbours whose joint token has the lowest rank, again and again.
    pub fn encode(&self, piece: &[u8]) -> Vec<usize> {
        let mut parts: Vec<Vec<u8>> = piece.iter().map(|&byte| vec![byte]).collect();
        loop {
            let joined = |at: usize| self.ranks.get(&[parts[at].clone(), parts[at + 1].clone()].concat());
            let lowest = (1..parts.len()).filter_map(|at| Some((*joined(at - 1)?, at))).min();
            let Some((rank, at)) = lowest else { break };
            parts.splice(at - 1..=at, [self.tokens[rank].clone()]);
        }
        parts.iter().map(|part| self.ranks[part]).collect()
    }

    /// The form in which it is handed in.
    pub fn bytes(&self) -> Vec<u8> {
        let mut merges: Vec<(usize, usize, usize)> =
            self.merges.iter().zip(256..).map(|(&(left, right), rank)| (left, right, rank)).collect();
        merges.sort_unstable();
        let of = |left: usize| merges.iter().filter(move |merge| merge.0 == left);
        let bits: Vec<bool> = (0..self.tokens.len())
            .flat_map(|left| of(left).map(|_| true).chain([false]).collect::<Vec<_>>())
            .collect();
        let groups =
            bits.chunks(8).map(|bits| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit)));
        let rights: Vec<usize> = (0..self.tokens.len())
            .flat_map(|left| {
                let before = [0].into_iter().chain(of(left).map(|merge| merge.1));
                of(left).zip(before).map(|(merge, before)| merge.1 - before).collect::<Vec<_>>()
            })
            .collect();
        let ranks: Vec<usize> = merges.iter().map(|merge| merge.2).collect();
        let number = u32::try_from(merges.len()).unwrap().to_le_bytes();
        number.into_iter().chain(groups).chain(column(&rights)).chain(column(&ranks)).collect()
    }

    pub fn tokenizer(&self, encoding: Encoding) -> Tokenizer {
        Tokenizer::new(encoding, self.bytes()).unwrap()
    }
}

/// Low bytes, middle bytes, and two high bits of each, four in a byte.
fn column(numbers: &[usize]) -> Vec<u8> {
    let low = numbers.iter().map(|number| number.to_le_bytes()[0]);
    let middle = numbers.iter().map(|number| number.to_le_bytes()[1]);
    let high = numbers
        .chunks(4)
        .map(|numbers| numbers.iter().rev().fold(0, |byte, number| byte << 2 | number.to_le_bytes()[2]));
    low.chain(middle).chain(high).collect()
}
