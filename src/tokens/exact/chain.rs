//! The tokens of a long piece while they are merged.

const NONE: u32 = u32::MAX;

/// A token, linked to its neighbours.
#[derive(Clone, Copy, Debug)]
struct Link {
    token: u32,
    /// What it and the next one make together, `NONE` if nothing.
    rank: u32,
    next: u32,
    before: u32,
}

const GONE: Link = Link { token: NONE, rank: NONE, next: NONE, before: NONE };

/// The tokens of a piece, by the position of their first byte.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    links: Vec<Link>,
}

impl Chain {
    /// Begins with these tokens.
    pub fn fill(&mut self, tokens: impl ExactSizeIterator<Item = u32>) {
        let length = u32::try_from(tokens.len()).unwrap_or(NONE);
        let link = |(token, at): (u32, u32)| Link {
            token,
            rank: NONE,
            next: if at + 1 < length { at + 1 } else { NONE },
            before: at.checked_sub(1).unwrap_or(NONE),
        };
        self.links.clear();
        self.links.extend(tokens.zip(0..).map(link));
    }

    fn link(&self, at: u32) -> Link {
        self.links.get(at as usize).copied().unwrap_or(GONE)
    }

    pub fn token(&self, at: u32) -> u32 {
        self.link(at).token
    }

    pub fn rank(&self, at: u32) -> u32 {
        self.link(at).rank
    }

    pub fn set_rank(&mut self, at: u32, rank: u32) {
        if let Some(link) = self.links.get_mut(at as usize) {
            link.rank = rank;
        }
    }

    pub fn next(&self, at: u32) -> Option<u32> {
        Some(self.link(at).next).filter(|&next| next != NONE)
    }

    pub fn before(&self, at: u32) -> Option<u32> {
        Some(self.link(at).before).filter(|&before| before != NONE)
    }

    /// Puts a token in the place of two.
    pub fn merge(&mut self, at: u32, next: u32, token: u32) {
        let after = self.link(next).next;
        if let Some(link) = self.links.get_mut(at as usize) {
            (link.token, link.next) = (token, after);
        }
        if let Some(link) = self.links.get_mut(next as usize) {
            *link = GONE;
        }
        if let Some(link) = self.links.get_mut(after as usize) {
            link.before = at;
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.links.capacity() * size_of::<Link>()
    }

    /// Gives back what a long piece has asked for.
    pub fn shrink(&mut self, most: usize) {
        self.links.clear();
        self.links.shrink_to(most);
    }
}
