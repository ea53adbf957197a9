//! Tokens, counted only where a decision needs them: to count a history is to read all of it.

use super::History;
use crate::edit::{NamePrices, unit_price};
use crate::error::Error;
use crate::view::{Kind, flags};

/// Tokens of units, each counted once.
pub(super) struct Prices<'history> {
    history: History<'history>,
    known: Vec<Option<u32>>,
    names: NamePrices,
}

/// No tokenizer makes more tokens of a UTF-16 code unit.
const MOST_PER_UNIT: u64 = 3;
/// Above this size the size of a payload's JSON is a lower bound only.
const EXACT_SIZE: u32 = 512;

impl<'history> Prices<'history> {
    pub fn new(history: History<'history>) -> Self {
        let known = vec![None; history.view.len() as usize];
        Self { history, known, names: NamePrices::default() }
    }

    /// The tokens of a unit.
    pub fn unit(&mut self, unit: u32) -> Result<u32, Error> {
        if let Some(Some(known)) = self.known.get(unit as usize) {
            return Ok(*known);
        }
        let price = unit_price(self.history.view, self.history.source, &mut self.names, unit)?;
        if let Some(known) = self.known.get_mut(unit as usize) {
            *known = Some(price);
        }
        Ok(price)
    }

    /// The tokens of several units.
    pub fn sum(&mut self, units: std::ops::Range<u32>) -> Result<u64, Error> {
        units.into_iter().try_fold(0, |sum, unit| Ok(sum + u64::from(self.unit(unit)?)))
    }

    /// Whether several units have at most so many tokens; counts no further than needed.
    pub fn is_within(&mut self, units: std::ops::Range<u32>, limit: u64) -> Result<bool, Error> {
        let mut sum = 0;
        for unit in units.clone() {
            sum += self.upper_bound(unit)?;
        }
        if sum <= limit {
            return Ok(true);
        }
        let mut sum = 0;
        for unit in units {
            sum += u64::from(self.unit(unit)?);
            if sum > limit {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// All units' tokens.
    pub fn all(&mut self) -> Result<Vec<u32>, Error> {
        (0..self.history.view.len()).map(|unit| self.unit(unit)).collect()
    }

    /// At least the tokens of a unit, from its sizes where they tell; media and JSON are counted.
    fn upper_bound(&mut self, unit: u32) -> Result<u64, Error> {
        let view = self.history.view;
        let mut sum = 0;
        for index in view.blocks_of(unit) {
            let block = view.block(index);
            let is_text = match block.kind {
                Kind::Text | Kind::Thinking | Kind::Code => true,
                Kind::ToolResponse => block.has(flags::STRING_RESULT) || block.size <= EXACT_SIZE,
                Kind::ToolCall => block.size <= EXACT_SIZE,
                Kind::Opaque | Kind::Media => false,
            };
            if !is_text {
                return self.unit(unit).map(u64::from);
            }
            // The name of a call's tool costs too.
            sum += u64::from(block.size) * MOST_PER_UNIT + 64;
        }
        Ok(sum.max(view.unit(unit).given_tokens.map_or(0, u64::from)))
    }
}
