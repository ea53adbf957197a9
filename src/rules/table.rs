//! Lists of numbers by fingerprint, and lists that keep their newest items.

use crate::scatter::Numbers;

/// So many items a list keeps: what a result costs may not grow with the history.
pub const MOST: usize = 128;

/// Adds an item to a list, from which the oldest one goes if it is full.
pub fn remember<T>(list: &mut Vec<T>, item: T) {
    if list.len() == MOST {
        list.remove(0);
    }
    list.push(item);
}

/// Lists by key. Keys that differ may share a place, very rarely: then the newer one has it.
#[derive(Clone, Debug, Default)]
pub struct Table {
    places: Numbers<u32>,
    lists: Vec<(u64, Vec<u32>)>,
    /// What would be handed out if there were no place.
    spare: Vec<u32>,
}

impl Table {
    /// The list of a key, if there is one.
    #[allow(clippy::cast_possible_truncation)]
    pub fn get(&self, key: u64) -> &[u32] {
        let place = self.places.get(&(key as u32));
        let found =
            place.and_then(|&place| self.lists.get(place as usize)).filter(|(known, _)| *known == key);
        found.map_or(&[], |(_, list)| list)
    }

    /// The list of a key, to be changed.
    #[allow(clippy::cast_possible_truncation)]
    pub fn at(&mut self, key: u64) -> &mut Vec<u32> {
        let next = u32::try_from(self.lists.len()).unwrap_or(0);
        let place = self.places.get(&(key as u32)).copied().unwrap_or(next);
        if place == next {
            self.places.insert(key as u32, next);
            self.lists.push((key, Vec::new()));
        }
        let Some(found) = self.lists.get_mut(place as usize) else { return &mut self.spare };
        if found.0 != key {
            *found = (key, Vec::new());
        }
        &mut found.1
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let lists: usize = self.lists.iter().map(|(_, list)| list.capacity() * size_of::<u32>()).sum();
        lists + self.lists.capacity() * size_of::<(u64, Vec<u32>)>() + self.places.capacity() * 8
    }
}
