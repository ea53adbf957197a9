//! The references in texts of ours: where what they stand for can be had again.

use super::texts::json_length;
use super::{Decision, Editor, Rule};
use crate::view::{Leaf, TextSource, View};

/// What stands before a reference, which begins with an `r`.
const BEFORE: &str = " (recall r";
/// Letters of a reference behind that.
const LETTERS: usize = 13;
/// What comes of chance costs about twice as many tokens as other texts: so much smaller a stand-in must be.
const DEARER: u32 = 20;

/// A text of ours without its last bracket and the reference before it; none if it doesn't end so.
#[must_use]
pub fn unreferred(text: &str) -> Option<&str> {
    let inner = text.strip_suffix(']')?;
    let refers = |inner: &&str| {
        let reference = inner.strip_prefix(BEFORE).and_then(|inner| inner.strip_suffix(')'));
        reference.is_some_and(|letters| letters.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    };
    let at = inner.len().saturating_sub(BEFORE.len() + LETTERS + 1);
    match inner.split_at_checked(at) {
        Some((bare, reference)) if Some(reference).filter(refers).is_some() => Some(bare),
        _ => Some(inner),
    }
}

/// A text that is to stand for a block, with the block's reference where its host keeps it.
#[must_use]
pub fn referring(view: &View, source: &dyn TextSource, index: u32, text: &str) -> Option<String> {
    let bare = text.strip_suffix(']')?;
    let reference = view.text(source, index, Leaf::Reference);
    (!reference.is_empty()).then(|| [bare, BEFORE, reference.get(1..).unwrap_or_default(), ")]"].concat())
}

impl Editor {
    /// A text of ours with the reference of the block for which it is to stand; none if that would be no shorter.
    #[must_use]
    pub fn stand_in(&self, view: &View, source: &dyn TextSource, index: u32, text: String) -> Option<String> {
        if !self.would_shorten(view, index, &text) {
            return None;
        }
        match referring(view, source, index, &text) {
            None => Some(text),
            Some(text) => (json_length(&text) + DEARER < view.block(index).size).then_some(text),
        }
    }

    /// Puts a text of ours in the place of a response's payload, if it is shorter with its reference.
    pub fn put_stand_in(
        &mut self,
        view: &mut View,
        source: &dyn TextSource,
        (index, text): (u32, String),
        from: (Rule, u32),
    ) -> Decision {
        let Some(text) = self.stand_in(view, source, index, text) else { return Decision::Refused };
        let text = self.add_text(text);
        self.set_text(view, index, text, None, from)
    }
}
