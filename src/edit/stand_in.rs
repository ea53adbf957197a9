//! The references in texts of ours: the reference to the full text.

use super::limits::may_bring_back;
use super::texts::json_length;
use super::{Decision, Edit, Editor, RuleName, TextId, may_replace};
use crate::view::{Leaf, TextSource, View, flags};

/// What stands before a reference, which begins with an `r`.
const BEFORE: &str = " (recall r";
/// Bytes of a reference with what stands around it, but for the last bracket.
pub(super) const REFERENCE: u32 = 24;
/// What comes of chance costs about twice as many tokens as other texts: so much smaller a stand-in must be.
const DEARER: u32 = 20;

/// A text of ours without its last bracket and the reference before it; none if it doesn't end so.
#[inline(never)]
#[must_use]
pub fn unreferred(text: &str) -> Option<&str> {
    let inner = text.strip_suffix(']')?;
    let (bare, reference) =
        inner.split_at_checked(inner.len().saturating_sub(REFERENCE as usize)).unwrap_or((inner, ""));
    let is_reference = reference.starts_with(BEFORE) && reference.ends_with(')');
    Some(if is_reference { bare } else { inner })
}

/// A text that is to stand for a block, with the block's reference where its host keeps it.
#[inline(never)]
#[must_use]
pub fn referring(view: &View, source: &dyn TextSource, index: u32, text: &str) -> Option<String> {
    let reference = view.text(source, index, Leaf::Reference);
    let bare = text.strip_suffix(']').filter(|_| !reference.is_empty())?;
    Some([bare, " (recall ", &reference, ")]"].concat())
}

/// A text of ours with the reference of the block for which it is to stand; none if that would be no shorter.
#[inline(never)]
#[must_use]
pub fn stand_in(view: &View, source: &dyn TextSource, index: u32, text: String) -> Option<String> {
    if !may_replace(view, index) {
        return None;
    }
    let (text, dearer) = match referring(view, source, index, &text) {
        Some(text) => (text, DEARER),
        None => (text, 0),
    };
    (json_length(&text) + dearer < view.block(index).size).then_some(text)
}

impl Editor {
    /// Puts a text of ours in the place of a response's payload, if it is shorter and saves tokens with its reference.
    pub fn put_stand_in(
        &mut self,
        view: &mut View,
        source: &dyn TextSource,
        (index, text): (u32, String),
        from: (RuleName, u32),
    ) -> Decision {
        let Some(text) = stand_in(view, source, index, text) else { return Decision::Refused };
        // The pointers of `recency` are what its documents say, to the letter.
        if from.0 != RuleName::Recency && !self.is_cheaper(view, source, index, &text) {
            return Decision::Refused;
        }
        // The pointer, which stands in many blocks, is there.
        let text = if text == self.texts.get(0) { 0 } else { self.add_text(text) };
        self.set_text(view, index, text, None, from)
    }

    /// Replaces a response's payload by a longer text, which the model was shown before. If the edits that took it away
    /// from other blocks still wait, this one waits for the same flush: until then the text is there.
    pub fn bring_back(
        &mut self,
        view: &mut View,
        (index, from): (u32, &[u32]),
        text: String,
        (rule, cause): (RuleName, u32),
    ) -> Decision {
        if !may_bring_back(view, index) {
            return Decision::Refused;
        }
        let hidden = from.iter().map(|&from| view.block(from)).filter(|block| !block.has(flags::HIDDEN));
        let rests_on: Vec<u32> = hidden.map(|block| block.unit).collect();
        let text = self.add_text(text);
        self.place(view, (index, &rests_on), text, None, (rule, cause))
    }

    pub(super) fn place(
        &mut self,
        view: &mut View,
        (index, rests_on): (u32, &[u32]),
        text: TextId,
        price: Option<u32>,
        from: (RuleName, u32),
    ) -> Decision {
        let block = *view.block(index);
        if let Some(block) = view.block_mut(index) {
            block.replacement = text;
            // What the payload said of success is gone; what the `error` field says is not.
            block.flags |= flags::COMPACTED;
            self.ledger.edited(index, block, price);
        }
        let inner = index - view.unit(block.unit).first_block;
        let wait = self.must_wait(view, &[block.unit], rests_on);
        self.log.push(wait.log(Edit::SetText { unit: block.unit, block: inner, text }, from));
        self.count(from.0);
        Decision::Accepted
    }
}
