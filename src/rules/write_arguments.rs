//! The arguments of calls that wrote or changed a file give way once a later result shows what they wrote, or once
//! the file is written again as a whole.

use super::compacted::Subject;
use super::deeds::{Deed, written_by};
use super::superseded::Result;
use crate::edit::{Editor, Rule, has_long, may_shorten};
use crate::json;
use crate::lines::rows;
use crate::view::{Leaf, TextSource, View};

/// Of each file so many calls are remembered.
const MOST: usize = 64;

/// Calls that wrote, by file, whose arguments are still there.
#[derive(Clone, Debug, Default)]
pub struct WriteArguments {
    /// By path.
    calls: Vec<Vec<u32>>,
}

impl WriteArguments {
    /// Takes in what the only deed of a call was.
    pub fn see(
        &mut self,
        view: &mut View,
        editor: &mut Editor,
        source: &dyn TextSource,
        (result, deed): (&Result<'_>, Deed),
    ) {
        if !result.is_effective {
            return;
        }
        let call = result.call;
        let (path, is_written) = match deed {
            Deed::Writes { path } => (path, true),
            Deed::Shows { path, .. } | Deed::Changes { path, .. } | Deed::Spoils { path } => (path, false),
            Deed::Anything => return,
        };
        let index = path as usize;
        if self.calls.len() <= index {
            self.calls.resize_with(index + 1, Vec::new);
        }
        let Some(calls) = self.calls.get_mut(index) else { return };
        if !result.is_decided && (is_written || matches!(deed, Deed::Shows { .. })) {
            let shown: Vec<&str> = rows(result.text).map(|row| row.content).collect();
            let cause = view.block(result.block).unit;
            for older in std::mem::take(calls) {
                let json = view.text(source, older, Leaf::Json);
                if !has_long(&json) {
                    continue;
                }
                if is_written || shows(&json, &shown) {
                    let text = Subject::of(view, source, result.block).instead("shown or rewritten later");
                    editor.shorten_arguments(view, older, text, (Rule::WriteArguments, cause));
                } else {
                    calls.push(older);
                }
            }
        }
        if !matches!(deed, Deed::Shows { .. }) && may_shorten(view, call) {
            if calls.len() == MOST {
                calls.remove(0);
            }
            calls.push(call);
        }
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.calls.iter().map(|calls| calls.capacity() * size_of::<u32>()).sum()
    }
}

/// Whether some lines hold, together and in order, all that a call wrote.
fn shows(json: &str, shown: &[&str]) -> bool {
    let Some(parameters) = json::read(json) else { return false };
    let texts = written_by(&parameters);
    let is_shown = |text: &String| {
        let lines: Vec<&str> = rows(text).map(|row| row.content).collect();
        lines.is_empty() || shown.windows(lines.len()).any(|window| window == lines)
    };
    !texts.is_empty() && texts.iter().all(is_shown)
}
