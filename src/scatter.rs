//! Maps to numbers. The standard hasher resists keys chosen to collide. These maps hold few keys: it is several times
//! slower, and weighs two kilobytes.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Numbers by keys.
pub type Numbers<Key> = HashMap<Key, u32, BuildHasherDefault<Scatter>>;

/// Spreads the bits of keys.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scatter(u64);

impl Scatter {
    const fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Scatter {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word.iter_mut().zip(chunk).for_each(|(to, from)| *to = *from);
            self.add(u64::from_le_bytes(word));
        }
    }

    fn write_u32(&mut self, key: u32) {
        self.add(u64::from(key));
    }
}
