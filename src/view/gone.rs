//! Which blocks are gone, and what that makes possible.

use super::{Capabilities, View, flags};

impl View {
    /// Marks a block as dropped and takes it off its unit's counts.
    pub(crate) fn mark_dropped(&mut self, index: u32) {
        let block = *self.block(index);
        if !block.is_live() {
            return;
        }
        if let Some(block) = self.block_mut(index) {
            block.flags |= flags::DROPPED;
        }
        self.gone += 1;
        if let Some(unit) = self.units.get_mut(block.unit as usize) {
            unit.live = unit.live.saturating_sub(1);
            unit.substance -= u32::from(block.is_substance(unit.speaker)).min(unit.substance);
        }
    }

    /// Takes [`View::mark_dropped`] back.
    pub(crate) fn mark_restored(&mut self, index: u32) {
        let block = *self.block(index);
        if let Some(atom) = self.atoms.get_mut(block.atom as usize) {
            atom.is_taken = false;
        }
        if let Some(block) = self.block_mut(index) {
            block.flags &= !flags::DROPPED;
        }
        self.gone -= 1;
        if let Some(unit) = self.units.get_mut(block.unit as usize) {
            unit.live += 1;
            unit.substance += u32::from(block.is_substance(unit.speaker));
        }
    }

    /// What must have changed for an edit that had to wait to be possible by now: something is gone, or where thinking
    /// has its place in a turn, something was said.
    pub(crate) fn stage(&self) -> (u32, u32) {
        let Capabilities { thinking_leads, open_loop_keeps_thinking, .. } = self.capabilities;
        (self.gone, if thinking_leads || open_loop_keeps_thinking { self.len() } else { 0 })
    }
}
