//! Places to merge, by rank, in constant time each.

const NONE: u32 = u32::MAX;
const WORD: usize = u64::BITS as usize;

/// A queue of places: the lowest rank comes first, and equal ranks in the order of insertion.
///
/// Every rank has a list of its own, and three levels of bits say which lists aren't empty.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    /// First and last entry of each rank's list; as many as there are ranks, made at first use.
    lists: Vec<(u32, u32)>,
    /// Place, and the next entry of its list.
    entries: Vec<(u32, u32)>,
    ranks: Vec<u64>,
    words: Vec<u64>,
    groups: u64,
}

impl Queue {
    /// Empties the queue and makes room for so many ranks, at most 2^18.
    pub fn clear(&mut self, ranks: usize) {
        self.entries.clear();
        if self.lists.len() < ranks {
            self.lists = vec![(NONE, NONE); ranks];
            self.ranks = vec![0; ranks.div_ceil(WORD)];
            self.words = vec![0; self.ranks.len().div_ceil(WORD)];
        }
    }

    /// Adds a place; what isn't a rank is ignored.
    pub fn push(&mut self, rank: u32, place: u32) {
        let at = rank as usize;
        let Some(list) = self.lists.get_mut(at) else { return };
        let entry = u32::try_from(self.entries.len()).unwrap_or(NONE);
        self.entries.push((place, NONE));
        if list.0 == NONE {
            list.0 = entry;
            set(&mut self.ranks, at);
            set(&mut self.words, at / WORD);
            self.groups |= 1 << (at / WORD / WORD);
        } else if let Some(last) = self.entries.get_mut(list.1 as usize) {
            last.1 = entry;
        }
        list.1 = entry;
    }

    /// Takes the list of the lowest rank out: the rank, and the first entry.
    pub fn take_lowest(&mut self) -> Option<(u32, u32)> {
        let group = lowest(self.groups)?;
        let word = group * WORD + lowest(*self.words.get(group)?)?;
        let at = word * WORD + lowest(*self.ranks.get(word)?)?;
        if unset(&mut self.ranks, at) == 0 && unset(&mut self.words, word) == 0 {
            self.groups &= !(1 << group);
        }
        let list = self.lists.get_mut(at)?;
        let first = std::mem::replace(list, (NONE, NONE)).0;
        Some((u32::try_from(at).ok()?, first))
    }

    /// The place of an entry, and the entry behind it.
    pub fn entry(&self, entry: u32) -> Option<(u32, u32)> {
        self.entries.get(entry as usize).copied()
    }

    /// Bytes held, approximately.
    pub fn bytes(&self) -> usize {
        (self.lists.len() + self.entries.capacity()) * size_of::<(u32, u32)>()
            + (self.ranks.len() + self.words.len()) * size_of::<u64>()
    }

    /// Gives back what a long text has asked for.
    pub fn shrink(&mut self, most: usize) {
        self.entries.clear();
        self.entries.shrink_to(most);
    }
}

fn lowest(bits: u64) -> Option<usize> {
    (bits != 0).then(|| bits.trailing_zeros() as usize)
}

fn set(words: &mut [u64], at: usize) {
    if let Some(word) = words.get_mut(at / WORD) {
        *word |= 1 << (at % WORD);
    }
}

/// What is left of the word.
fn unset(words: &mut [u64], at: usize) -> u64 {
    words.get_mut(at / WORD).map_or(0, |word| {
        *word &= !(1 << (at % WORD));
        *word
    })
}
