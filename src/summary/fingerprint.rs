//! What the range read like when the request was made: a hash over kinds, names and texts, so that a
//! change while the model is at work can't go unnoticed. It protects against accidents, not against
//! somebody who computes collisions.

use super::History;
use crate::view::{Kind, Leaf, Messages, Speaker, flags};

/// Multiplier with well-mixed bits (the golden ratio's).
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// How many states take words in turn: a multiplication needn't wait for the one before.
const LANES: usize = 4;
/// What they begin with.
const LANE_SEEDS: [u64; LANES] = [1, 2, 3, 4];

/// A hash of a text that arrives in chunks, cut anywhere.
#[derive(Clone, Copy)]
struct Hasher {
    state: u64,
    lanes: [u64; LANES],
    /// Bytes that don't fill all lanes yet.
    pending: [u8; LANES * 8],
    filled: usize,
    length: u64,
}

impl Hasher {
    const fn new(seed: u64) -> Self {
        Self { state: seed, lanes: LANE_SEEDS, pending: [0; LANES * 8], filled: 0, length: 0 }
    }

    const fn word(&mut self, word: u64) {
        self.state = mixed(self.state, word);
    }

    fn feed(&mut self, bytes: &[u8]) {
        self.length = self.length.wrapping_add(bytes.len() as u64);
        let missing = (LANES * 8 - self.filled) % (LANES * 8);
        let (head, rest) = bytes.split_at(missing.min(bytes.len()));
        self.keep(head);
        let (blocks, tail) = rest.as_chunks();
        for block in blocks {
            self.block(block);
        }
        self.keep(tail);
    }

    /// Keeps bytes until there are enough; they are no more than are missing.
    fn keep(&mut self, bytes: &[u8]) {
        let room = self.pending.iter_mut().skip(self.filled);
        room.zip(bytes).for_each(|(slot, byte)| *slot = *byte);
        self.filled += bytes.len();
        if self.filled == LANES * 8 {
            self.filled = 0;
            let block = self.pending;
            self.block(&block);
        }
    }

    fn block(&mut self, block: &[u8; LANES * 8]) {
        for (lane, word) in self.lanes.iter_mut().zip(block.as_chunks().0) {
            *lane = mixed(*lane, u64::from_le_bytes(*word));
        }
    }

    /// Ends a text, so that "ab", "c" isn't "a", "bc".
    fn end(&mut self) {
        let filled = std::mem::take(&mut self.filled);
        if let Some(rest) = self.pending.get_mut(filled..)
            && filled > 0
        {
            rest.fill(0);
            let block = self.pending;
            self.block(&block);
        }
        let length = std::mem::take(&mut self.length);
        if length > 0 {
            for lane in std::mem::replace(&mut self.lanes, LANE_SEEDS) {
                self.word(lane);
            }
        }
        self.word(length);
    }

    const fn finish(self) -> u64 {
        let mixed = (self.state ^ (self.state >> 32)).wrapping_mul(FACTOR);
        mixed ^ (mixed >> 29)
    }
}

const fn mixed(state: u64, word: u64) -> u64 {
    (state.rotate_left(23) ^ word).wrapping_mul(FACTOR)
}

/// The fingerprints of a range.
pub(super) struct Fingerprint {
    /// One for each message.
    pub messages: Vec<u32>,
    /// Sixteen hexadecimal digits that depend on all of it.
    pub id: String,
}

/// Reads a range.
pub(super) fn fingerprint(history: History<'_>, range: std::ops::Range<u32>) -> Fingerprint {
    let mut all = Hasher::new(u64::from(range.end - range.start.min(range.end)));
    let mut messages = Vec::with_capacity(range.len());
    let all_messages = Messages::of(history.view);
    for message in all_messages.before(range.start)..all_messages.before(range.end) {
        let hash = message_hash(history, all_messages.units(message));
        all.word(hash);
        messages.push(fold(hash));
    }
    Fingerprint { messages, id: format!("{:016x}", all.finish()) }
}

/// Sixteen hexadecimal digits that depend on a text.
pub(super) fn text_id(text: &str) -> String {
    let mut hasher = Hasher::new(5);
    hasher.feed(text.as_bytes());
    hasher.end();
    format!("{:016x}", hasher.finish())
}

/// The first message from `start` on that doesn't read as it did.
pub(super) fn first_change(history: History<'_>, start: u32, written: &str) -> Option<u32> {
    let messages = Messages::of(history.view);
    let digits = written.as_bytes().chunks_exact(8);
    (start..).zip(digits).find_map(|(message, digits)| {
        let known = str::from_utf8(digits).ok().and_then(|digits| u32::from_str_radix(digits, 16).ok());
        (known != Some(fold(message_hash(history, messages.units(message))))).then_some(message)
    })
}

/// Eight hexadecimal digits for each message.
pub(super) fn written(messages: &[u32]) -> String {
    let mut text = String::with_capacity(messages.len() * 8);
    for message in messages {
        for shift in (0..8).rev() {
            text.push(char::from_digit(message >> (4 * shift) & 15, 16).unwrap_or('0'));
        }
    }
    text
}

#[allow(clippy::cast_possible_truncation)]
const fn fold(hash: u64) -> u32 {
    (hash ^ (hash >> 32)) as u32
}

/// Of a message of one unit, that unit's.
fn message_hash(history: History<'_>, mut units: std::ops::Range<u32>) -> u64 {
    let first = units.next().map_or(0, |unit| unit_hash(history, unit));
    units.fold(first, |hash, unit| {
        let mut hasher = Hasher::new(hash);
        hasher.word(unit_hash(history, unit));
        hasher.finish()
    })
}

fn unit_hash(history: History<'_>, unit: u32) -> u64 {
    let view = history.view;
    let speaker = match view.unit(unit).speaker {
        Speaker::Human => 1,
        Speaker::Ai => 2,
        Speaker::Tool => 3,
        Speaker::Other => 4,
    };
    let mut hasher = Hasher::new(speaker);
    for index in view.blocks_of(unit) {
        let block = view.block(index);
        hasher.word(u64::from(block.kind as u8) << 32 | u64::from(block.flags & flags::FAILED));
        hasher.feed(view.names.tool_name(block.tool).as_bytes());
        hasher.end();
        let leaves: &[Leaf] = match block.kind {
            Kind::Media => {
                hasher.word(u64::from(block.size));
                &[Leaf::KeyParameter, Leaf::Detail]
            }
            Kind::ToolResponse if block.has(flags::FAILED) => &[Leaf::Json, Leaf::Detail],
            Kind::ToolResponse if block.has(flags::STRING_RESULT) => &[Leaf::Text],
            // As JSON the output would have to be written first, which costs as much as all the rest.
            Kind::ToolResponse if block.has(flags::OUTPUT_RESULT) => &[Leaf::Text, Leaf::Rest],
            Kind::ToolResponse | Kind::ToolCall | Kind::Opaque => &[Leaf::Json],
            Kind::Text | Kind::Thinking | Kind::Code => &[Leaf::Text],
        };
        for &leaf in leaves {
            history.source.read_bytes(view.leaf(index, leaf), &mut |chunk| hasher.feed(chunk));
            hasher.end();
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::Hasher;

    #[test]
    fn chunks_make_no_difference() {
        let text = "é and some more text, longer than all of the lanes together are, and by some more words";
        let mut whole = Hasher::new(1);
        whole.feed(text.as_bytes());
        whole.end();
        for cut in (0..text.len()).filter(|&at| text.is_char_boundary(at)) {
            let mut parts = Hasher::new(1);
            parts.feed(&text.as_bytes()[..cut]);
            parts.feed(&text.as_bytes()[cut..]);
            parts.end();
            assert_eq!(parts.finish(), whole.finish(), "cut at {cut}");
        }
    }

    #[test]
    fn texts_end_where_they_end() {
        let of = |texts: &[&str]| {
            let mut hasher = Hasher::new(1);
            for text in texts {
                hasher.feed(text.as_bytes());
                hasher.end();
            }
            hasher.finish()
        };
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["", "a"]), of(&["a", ""]));
        assert_ne!(of(&["a\0"]), of(&["a"]));
    }
}
