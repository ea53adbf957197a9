//! Whether an edit saves tokens by the counter in force. UTF-16 code units don't tell: a run of blanks is one token,
//! a path is many.

use super::prices::{count_text, edited_text};
use super::{Change, Editor};
use crate::tokens::{bounds::Bounds, estimate::estimate};
use crate::view::{Kind, Leaf, TextSource, View, flags};

/// No counter makes fewer tokens of a text than of one so many times shorter: their longest tokens hold 128 letters.
const CERTAIN: u32 = 64;
/// Counts of parts may differ from the count of the whole by so much at each end of a part.
const MARGIN: u32 = 4;

impl Editor {
    /// Whether a text costs fewer tokens than what is left of a block.
    pub(crate) fn is_cheaper(&self, view: &View, source: &dyn TextSource, index: u32, text: &str) -> bool {
        let block = view.block(index);
        let left = block.size.saturating_sub(self.patch_of(index).map_or(0, super::Patch::saved));
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        if left > length.saturating_mul(CERTAIN) {
            return true;
        }
        if let Some(edited) = edited_text(view, &self.texts, source, index) {
            return is_less(source, text, &edited);
        }
        let is_text = block.kind != Kind::ToolCall && block.has(flags::STRING_RESULT);
        let leaf = if is_text { Leaf::Text } else { Leaf::Json };
        let most = source.bound_text(text).map(|bounds| bounds.upper);
        let least = source.bound(view.leaf(index, leaf)).map(|bounds| bounds.lower);
        most.zip(least).is_some_and(|(most, least)| most < least)
            || is_less(source, text, &view.text(source, index, leaf))
    }

    /// Whether changes of a response's text save tokens.
    pub(super) fn saves(
        &self,
        view: &View,
        source: &dyn TextSource,
        (index, text): (u32, &str),
        changes: &[Change],
    ) -> bool {
        let adds = |change: &Change| matches!(change, Change::Replace { .. });
        if !changes.iter().any(adds) {
            return true;
        }
        if self.patch_of(index).is_none() && spares(source, text, changes) {
            return true;
        }
        let mut patch = self.patch_of(index).cloned().unwrap_or_default();
        // The numbers of the new texts follow those of the table.
        let known = self.texts.all().len();
        let mut added = Vec::new();
        for change in changes {
            match change {
                &Change::Unnumber { start, end } => patch.unnumber(start, end),
                Change::Replace { start, end, text } => {
                    patch.replace(*start, *end, u32::try_from(known + added.len()).unwrap_or(u32::MAX));
                    added.push(text.as_str());
                }
            }
        }
        let text_of = |id: super::TextId| match (id as usize).checked_sub(known) {
            Some(at) => added.get(at).copied().unwrap_or_default(),
            None => self.texts.get(id),
        };
        let after = patch.apply(text, text_of);
        let before = edited_text(view, &self.texts, source, index);
        is_less(source, &after, before.as_deref().unwrap_or(text))
    }
}

/// Whether the removed spans cost so much more than their replacements that the rest of the text doesn't matter.
fn spares(source: &dyn TextSource, text: &str, changes: &[Change]) -> bool {
    let mut spans: Vec<(u32, u32)> = Vec::new();
    let mut added = 0_u32;
    for change in changes {
        if let Change::Replace { start, end, text } = change {
            spans.push((*start, *end));
            added = added.saturating_add(count(source, text)).saturating_add(MARGIN);
        }
    }
    // All but the spans, to leave only these.
    let mut others = Vec::new();
    let mut at = 0;
    for (start, end) in super::texts::in_order(spans) {
        others.push((at, start));
        at = end;
    }
    others.push((at, u32::MAX));
    count(source, &super::without(text, &others)) > added
}

/// Whether a text costs fewer tokens than another one.
fn is_less(source: &dyn TextSource, text: &str, other: &str) -> bool {
    if let (Some(Bounds { upper, .. }), Some(Bounds { lower, .. })) =
        (source.bound_text(text), source.bound_text(other))
        && upper < lower
    {
        return true;
    }
    count(source, text) < count(source, other)
}

/// The tokens of a text; a counter that fails here fails again where its error is reported.
fn count(source: &dyn TextSource, text: &str) -> u32 {
    count_text(source, text).unwrap_or_else(|_| estimate(text))
}
