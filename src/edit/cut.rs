//! Cutting spans from the texts of a unit.

use super::{Decision, Edit, Editor, RuleName, Wait};
use crate::utf16::utf16_length;
use crate::view::{NONE, View};

impl Editor {
    /// Cuts spans (block, start, end; in order) from the texts of one unit. An emptied block is dropped if the unit
    /// has others. Otherwise `pointer` replaces it, if that is shorter.
    pub fn cut(
        &mut self,
        view: &mut View,
        spans: &[(u32, u32, u32)],
        pointer: &str,
        from: (RuleName, u32),
    ) -> Decision {
        let Some(&(first, ..)) = spans.first() else { return Decision::Refused };
        let unit = view.block(first).unit;
        if view.unit(unit).is_protected() {
            return Decision::Refused;
        }
        let Some(plan) = self.plan_cut(view, spans, pointer) else { return Decision::Refused };
        let wait = self.must_wait(view, &[unit], &[]);
        for step in &plan {
            self.apply_cut(view, step, pointer, wait, from);
        }
        self.count(from.0);
        Decision::Accepted
    }

    fn plan_cut<'spans>(
        &self,
        view: &View,
        spans: &'spans [(u32, u32, u32)],
        pointer: &str,
    ) -> Option<Vec<CutStep<'spans>>> {
        let mut left = view.unit(view.block(spans.first()?.0).unit).live;
        let mut emptied = 0_u32;
        let mut plan = Vec::new();
        for spans in spans.chunk_by(|(before, ..), (block, ..)| before == block) {
            let index = spans.first()?.0;
            let block = view.block(index);
            if !block.is_live() || block.replacement != NONE {
                return None;
            }
            let size = self.texts.size_left(index, block);
            let cut =
                spans.iter().map(|(_, start, end)| end.saturating_sub(*start)).fold(0, u32::saturating_add);
            let mut outcome = Outcome::Shorter;
            if size <= cut {
                emptied = emptied.saturating_add(size);
                if left > 1 {
                    left -= 1;
                    outcome = Outcome::Dropped;
                } else if utf16_length(pointer) < emptied {
                    outcome = Outcome::Pointer;
                } else {
                    return None;
                }
            }
            plan.push(CutStep { block: index, spans, outcome });
        }
        Some(plan)
    }

    fn apply_cut(
        &mut self,
        view: &mut View,
        step: &CutStep<'_>,
        pointer: &str,
        wait: Wait,
        from: (RuleName, u32),
    ) {
        let index = step.block;
        let before = *view.block(index);
        let unit = before.unit;
        let block = index - view.unit(unit).first_block;
        let mut replacement = NONE;
        let logged = |edit| wait.log(edit, from);
        match step.outcome {
            Outcome::Dropped => {
                self.log.push(logged(Edit::DropBlock { unit, block }));
                view.mark_dropped(index);
                self.ledger.dropped(&before);
                return;
            }
            Outcome::Shorter => {
                for &(_, start, end) in step.spans {
                    self.log.push(logged(Edit::Cut { unit, block, start, end }));
                    self.texts.cut(index, start, end);
                }
            }
            Outcome::Pointer => {
                replacement = self.add_text(pointer.to_owned());
                self.log.push(logged(Edit::SetText { unit, block, text: replacement }));
            }
        }
        if let Some(block) = view.block_mut(index) {
            block.replacement = replacement;
            self.ledger.edited(index, block, None);
        }
    }
}

/// What is to be done to one block.
struct CutStep<'spans> {
    block: u32,
    spans: &'spans [(u32, u32, u32)],
    outcome: Outcome,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Shorter,
    Dropped,
    Pointer,
}
