//! Messages of several units: where each begins.

use super::{NONE, View};

/// The first unit of each message. Where every message is one unit, both have the same numbers.
#[derive(Clone, Debug)]
pub struct Messages {
    starts: Vec<u32>,
    units: u32,
}

impl Messages {
    /// The messages of a view.
    #[must_use]
    pub fn of(view: &View) -> Self {
        let units = view.len();
        Self { starts: (0..units).filter(|&unit| !view.continues(unit)).collect(), units }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.starts.len()).unwrap_or(NONE)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// How many messages begin before a unit: where one begins, that is its number.
    #[must_use]
    pub fn before(&self, unit: u32) -> u32 {
        u32::try_from(self.starts.partition_point(|&start| start < unit)).unwrap_or(NONE)
    }

    /// The message that a unit belongs to.
    #[must_use]
    pub fn of_unit(&self, unit: u32) -> u32 {
        self.before(unit.saturating_add(1)).saturating_sub(1)
    }

    /// The first unit of a message; behind the last message the number of units.
    #[must_use]
    pub fn first_unit(&self, message: u32) -> u32 {
        self.starts.get(message as usize).copied().unwrap_or(self.units)
    }

    /// The units of a message.
    #[must_use]
    pub fn units(&self, message: u32) -> std::ops::Range<u32> {
        self.first_unit(message)..self.first_unit(message.saturating_add(1))
    }
}
