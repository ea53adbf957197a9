//! The same call with the same result again: the new result gives way to the older one. Where edits wait, this is the
//! cheaper of the two, because the prompt cache holds the older one already. Some hosts answer such calls with a stub; the
//! note that stands here means an older result in the same way, and keeps it as young as itself.

use super::compacted::{Subject, UNCHANGED, is_unchanged};
use super::stubs::{is_hidden, said};
use crate::calls::Effect;
use crate::calls::outcome::head;
use crate::edit::{Decision, Editor, RuleName};
use crate::scatter::Numbers;
use crate::search::around_first;
use crate::view::{Leaf, PathId, TextSource, View};

/// Shorter texts are shown again, in bytes.
const LEAST: usize = 1_000;
/// A model that asks again within 8 results gets the full result: perhaps the note was of no use to it.
const SOON: u32 = 8;

/// A new result, as far as it matters here.
#[derive(Clone, Copy, Debug)]
pub struct Again<'text> {
    /// Its block.
    pub block: u32,
    /// What it says.
    pub text: &'text str,
    /// A number for its call's tool and parameters, and where it ran.
    pub asked: u64,
    /// What the call did.
    pub effects: &'text [Effect],
    /// Whether it may give way at all.
    pub may_go: bool,
    /// Whether an earlier instance decided what follows from it.
    pub is_decided: bool,
}

/// The newest full result of a call.
#[derive(Clone, Copy, Debug)]
struct Newest {
    block: u32,
    /// The bytes of its [content](parts).
    length: usize,
    /// How many results there were when it came.
    at: u32,
    /// How many results there were when a note last stood for it.
    noted: Option<u32>,
}

/// The newest full results of calls that only look.
#[derive(Clone, Debug, Default)]
pub struct Unchanged {
    /// Places in [`Self::results`], by call and by the only file that it shows.
    by_call: Numbers<u32>,
    by_path: Numbers<PathId>,
    results: Vec<Newest>,
    /// How many results there were.
    count: u32,
    /// How many there were when a file was last changed by a known call.
    changed: Numbers<PathId>,
}

impl Unchanged {
    /// Takes in a result. Returns the note that replaces it, if the newest result of the same call has the same text.
    #[allow(clippy::cast_possible_truncation)]
    pub fn see(
        &mut self,
        view: &mut View,
        editor: &mut Editor,
        source: &dyn TextSource,
        new: Again<'_>,
    ) -> Option<String> {
        self.count += 1;
        for effect in new.effects {
            if let Effect::Changes { path, .. } | Effect::Writes { path } | Effect::Spoils { path } = *effect
            {
                self.changed.insert(path, self.count);
            }
        }
        let only_looks = new.effects.iter().all(|effect| matches!(effect, Effect::Shows { .. }));
        let key = (new.asked ^ (new.asked >> 32)) as u32;
        let count = self.count;
        // The same file may be asked for in other words, such as a range that is all of it.
        let path = if let [Effect::Shows { path, .. }] = *new.effects { Some(path) } else { None };
        let of_file = || self.by_path.get(&path?);
        let known = self.by_call.get(&key).or_else(of_file);
        let known = known.and_then(|&place| self.results.get_mut(place as usize));
        let decided = if new.is_decided { editor.replacement_of(view, new.block) } else { "" };
        if let Some(note) = [decided, new.text].into_iter().find(|text| is_unchanged(text)) {
            if let Some(newest) = known {
                newest.noted = Some(count);
            }
            return Some(note.to_owned());
        }
        if !new.may_go || !only_looks || new.text.len() < LEAST {
            return None;
        }
        // What was changed and changed back is shown again: the model may wonder.
        let was_changed = |newest: &Newest| {
            let is_newer = |path| self.changed.get(path).is_some_and(|&changed| changed > newest.at);
            new.effects.iter().any(|effect| matches!(effect, Effect::Shows { path, .. } if is_newer(path)))
        };
        let is_soon = |newest: &Newest| newest.noted.is_some_and(|noted| count - noted <= SOON);
        if let Some(newest) = known
            && !new.is_decided
            && !is_soon(newest)
            && !was_changed(newest)
            && newest.length == parts(new.text).1.len()
            && is_same(view, editor, source, (newest.block, new))
        {
            let note = Subject::of(view, source, new.block).instead(UNCHANGED);
            let from = (RuleName::Repeats, view.block(new.block).unit);
            if editor.put_stand_in(view, source, (new.block, note.clone()), from) == Decision::Accepted {
                newest.noted = Some(count);
                return Some(note);
            }
        }
        let place = self.results.len() as u32;
        self.results.push(Newest {
            block: new.block,
            length: parts(new.text).1.len(),
            at: count,
            noted: None,
        });
        self.by_call.insert(key, place);
        if let Some(path) = path {
            self.by_path.insert(path, place);
        }
        None
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.results.capacity() * size_of::<Newest>()
            + (self.by_call.capacity() + self.by_path.capacity() + self.changed.capacity()) * 8
    }
}

/// What Codex writes before the output of a command: it is this long at most, in bytes.
const HEADER: usize = 300;
/// The lines there that differ each time.
const VARIES: &[&str] = &["Chunk ID", "Wall time"];

/// The header of a result, if it has one, and its content.
fn parts(text: &str) -> (&str, &str) {
    let header = around_first(head(text, HEADER), "\nOutput:\n").map_or("", |(header, _)| header);
    text.split_at_checked(header.len()).unwrap_or(("", text))
}

fn says_the_same(one: &str, other: &str) -> bool {
    let ((header, content), (other_header, other_content)) = (parts(one), parts(other));
    let lasting = |line: &&str| !VARIES.iter().any(|varies| line.starts_with(varies));
    content == other_content && header.lines().filter(lasting).eq(other_header.lines().filter(lasting))
}

/// Whether an older result can be read in full, and says the same.
fn is_same(view: &View, editor: &Editor, source: &dyn TextSource, (older, new): (u32, Again<'_>)) -> bool {
    let rest = |block| view.text(source, block, Leaf::Rest);
    !is_hidden(view, editor, older)
        && view.block(older).tool == view.block(new.block).tool
        && says_the_same(&said(view, source, older), new.text)
        && rest(older) == rest(new.block)
}
