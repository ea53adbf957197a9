//! Some hosts answer a repeated read with a stub: "File unchanged since your last read, refer to that result." The
//! result that it means is as young as the stub. If it was cut before, its content replaces the stub. The stub is
//! new, so no cache is lost; this is the only edit that makes a text longer. Without it the model would ask for the
//! file again and again, and get the stub each time.

use super::compacted::OURS;
use crate::calls::outcome::refers_back;
use crate::edit::{Editor, Rule};
use crate::scatter::Numbers;
use crate::view::{Kind, Leaf, NONE, PathId, TextSource, View, flags};

/// Larger results, in UTF-16 code units of JSON, are no stubs; reminders may stand behind one.
pub const LARGEST: u32 = 4_000;

/// The newest results of reads, and what stubs mean.
#[derive(Clone, Debug, Default)]
pub struct Stubs {
    by_path: Numbers<PathId>,
    /// By path and parameters.
    by_call: Numbers<u32>,
    /// Whether the host was seen to answer so.
    pub are_given: bool,
}

impl Stubs {
    /// Takes in a result of a read, with a number for its call's parameters; the path if the result is a stub that
    /// means an earlier one.
    pub fn see(
        &mut self,
        view: &mut View,
        editor: &mut Editor,
        source: &dyn TextSource,
        (index, text, is_decided): (u32, &str, bool),
        (asked, is_refused): (u64, bool),
    ) -> Option<PathId> {
        let call = view.partner(index).filter(|&call| view.block(call).has(flags::READ))?;
        let path = *view.paths_of(view.block(call)).first()?;
        #[allow(clippy::cast_possible_truncation)]
        let asked = asked as u32 ^ path.rotate_left(16);
        if !refers_back(text) {
            // A stub means the file, not the words on why it wasn't shown.
            if !is_refused {
                self.by_path.insert(path, index);
                self.by_call.insert(asked, index);
            }
            return None;
        }
        let meant = *self.by_call.get(&asked).or_else(|| self.by_path.get(&path))?;
        self.are_given = true;
        if !is_decided {
            restore(view, editor, source, (index, meant));
        }
        Some(path)
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        (self.by_path.capacity() + self.by_call.capacity()) * 8
    }
}

/// Replaces a stub by the content of the cut result that it refers to.
fn restore(view: &mut View, editor: &mut Editor, source: &dyn TextSource, (stub, meant): (u32, u32)) {
    let block = view.block(meant);
    let is_patched = editor.patch_of(meant).is_some_and(|patch| !patch.spans().is_empty());
    if block.is_live() && !block.has(flags::COMPACTED) && !is_patched || block.has(flags::FIXED_RESULT) {
        return;
    }
    let content = said(view, source, meant);
    if content.starts_with(OURS) {
        return;
    }
    let words = said(view, source, stub);
    let text = [words.trim_end(), "\n\n", &content].concat();
    let cause = view.block(stub).unit;
    editor.bring_back(view, (stub, meant), text, (Rule::OldResults, cause));
}

/// What a result says: its text, or its structure.
pub fn said(view: &View, source: &dyn TextSource, result: u32) -> String {
    let is_text = view.block(result).has(flags::STRING_RESULT | flags::OUTPUT_RESULT);
    view.text(source, result, if is_text { Leaf::Text } else { Leaf::Json })
}

/// Replaces each remaining stub by the content of its result, if that was cut.
pub fn restore_all(view: &mut View, editor: &mut Editor, source: &dyn TextSource) {
    let mut newest: Numbers<PathId> = Numbers::default();
    for index in 0..view.block_count() {
        let block = *view.block(index);
        let call = view.partner(index).filter(|_| block.kind == Kind::ToolResponse);
        let Some(call) = call.filter(|&call| view.block(call).has(flags::READ)) else { continue };
        let Some(&path) = view.paths_of(view.block(call)).first() else { continue };
        let is_stub = block.size < LARGEST && refers_back(&said(view, source, index));
        if !is_stub {
            if !block.has(flags::FAILED) {
                newest.insert(path, index);
            }
        } else if let Some(&meant) = newest.get(&path)
            && block.is_live()
            && block.replacement == NONE
        {
            restore(view, editor, source, (index, meant));
        }
    }
}
