//! Lines of an older result that a later result shows again, in the same order, are cut there: a
//! file that was read again, wholly or in part; the same output once more; a read of what was
//! written since. So are lines that a call wrote, also in its own result.

use super::compacted::{LINES_OF_NEXT, NEXT, Subject, repeated};
use super::new_result::NewResult;
use super::old_results::outlives;
use super::rule::{Context, Rule, Setup};
use super::table::Table;
use crate::edit::{Change, Decision, RuleName, may_patch, referring, unreferred, written};
use crate::lines::{Row, bare_lines, line_numbers, rows, rows_and_prints};
use crate::options::Preset;
use crate::scatter::Numbers;
use crate::search::contains;
use crate::utf16::utf16_length;
use crate::view::{Kind, Leaf, NONE, PathId, View, flags};

/// So many lines are looked up together.
const WINDOW: usize = 3;
/// Lines at either end of a cut that stay: where the repeated lines begin and end can be seen.
const EDGE: usize = 2;
/// A cut is worth its pointer from so many UTF-16 code units on.
const LEAST: u32 = 100;
/// The first pointer that is shorter than the cut text by this much carries a reference.
const ROOM: u32 = 48;
/// So many places are looked at before lines count as gone.
const STEPS: usize = 16;

/// A text that was looked into: a result, or what a call wrote.
#[derive(Clone, Copy, Debug)]
struct Known {
    block: u32,
    /// Its rows in [`Repeats::rows`].
    first: usize,
    count: usize,
    is_numbered: bool,
    is_file: bool,
    /// The file that it shows, if that is certain.
    path: Option<PathId>,
    /// The first line that its call asked for, if that is certain.
    first_line: Option<u32>,
    /// The number of calls up to its own that may have changed a file.
    changes: u32,
    /// A number for what its call asked for, and where.
    asked: u64,
}

/// The lines of all results, by fingerprint, and where each few of them stood last.
#[derive(Clone, Debug, Default)]
pub struct Repeats {
    texts: Vec<Known>,
    /// 0 for rows that are no content (any more): lines of ours, and what was cut.
    rows: Vec<u64>,
    /// Where each row starts in its text.
    starts: Vec<u32>,
    newest: Numbers<u32>,
    /// For each row the one before it at which the same few lines stood.
    before: Vec<u32>,
    /// The results that were cut since the new one came.
    cut: Vec<u32>,
    /// Whether output goes sooner than files: then these don't give way to it.
    is_aging: bool,
    /// Whether each line must be left somewhere, letter by letter.
    is_strict: bool,
    /// The results of each subject, up to a block: they are looked up rarely.
    named: Table,
    named_until: u32,
}

/// A run of lines that an older text and the new one share.
#[derive(Clone, Copy, Debug)]
struct Run {
    older: Known,
    /// Its first row in the older text and in the new one, and how many rows.
    at: usize,
    new_at: usize,
    count: usize,
}

impl Rule for Repeats {
    const NAME: RuleName = RuleName::Repeats;
    const PRESETS: &'static [Preset] = &[Preset::Lossless, Preset::Balanced, Preset::Aggressive];

    fn new(setup: &Setup<'_>) -> Self {
        Self { is_aging: setup.is_aging(), is_strict: setup.is_strict(), ..Self::default() }
    }

    fn see(&mut self, context: &mut Context<'_>, result: &NewResult<'_>) {
        if result.is_structure {
            // In a structured payload no line can be cut, but all of it may be shown again.
            let json = context.view.text(context.source, result.block, Leaf::Json);
            let (rows, prints) = rows_and_prints(&json, false);
            self.see_text(context, &NewResult { text: &json, rows: &rows, prints: &prints, ..*result });
        } else if result.is_cuttable && result.is_comparable {
            self.see_text(context, result);
        }
        if let Some(parameters) = result.parameters
            && result.is_comparable
            && context.view.block(result.call).has(flags::WRITE)
            && !result.is_refused
            && !result.is_decided
        {
            for text in written(parameters) {
                self.see_written(context, result, text);
            }
        }
        for block in std::mem::take(&mut self.cut) {
            context.note_pointers(block, &[]);
        }
    }

    fn bytes(&self) -> usize {
        self.texts.capacity() * size_of::<Known>()
            + self.rows.capacity() * (size_of::<u64>() + 2 * size_of::<u32>())
            + self.newest.capacity() * size_of::<(u32, u32)>()
            + self.named.bytes()
    }
}

impl Repeats {
    /// Takes in the text of a result and cuts the lines of older results that it repeats, unless that was decided
    /// before.
    fn see_text(&mut self, context: &mut Context<'_>, new: &NewResult<'_>) {
        let &NewResult { block, prints, is_numbered, is_file, path, first_line, changes, .. } = new;
        // A cut may create a new repetition elsewhere.
        while !new.is_decided && self.cut_all(context, new) {}
        let first = self.rows.len();
        self.rows.extend(prints);
        self.starts.extend(new.rows.iter().map(|row| row.start));
        self.before.resize(self.rows.len(), NONE);
        let (count, first_line) = (prints.len(), first_line.filter(|_| is_file));
        self.texts.push(Known {
            block,
            first,
            count,
            is_numbered,
            is_file,
            path,
            first_line,
            changes,
            asked: new.asked_here,
        });
        let mut at = 0;
        while at < prints.len() {
            if let Some(window) = window(prints, at) {
                let row = u32::try_from(first + at).unwrap_or(NONE);
                let before = self.newest.insert(key(window), row);
                if let (Some(before), Some(place)) = (before, self.before.get_mut(first + at)) {
                    *place = before;
                }
            }
            at += 1;
        }
        self.hide(context, block);
    }

    /// Cuts what a call wrote from older results, and from its own: some tools show a file once it is written.
    fn see_written(&mut self, context: &mut Context<'_>, result: &NewResult<'_>, text: &str) {
        let (rows, prints) = rows_and_prints(text, false);
        let new = NewResult { text, rows: &rows, prints: &prints, is_written: true, ..*result };
        while self.cut_all(context, &new) {}
    }

    /// Cuts the runs that the new text shares with older ones; whether any was cut.
    fn cut_all(&mut self, context: &mut Context<'_>, new: &NewResult<'_>) -> bool {
        let view = &*context.view;
        let prints = new.prints;
        let mut runs: Vec<Run> = Vec::new();
        let mut at = 0;
        while at < prints.len() {
            let run = window(prints, at).and_then(|window| self.find(view, prints, at, window));
            at += run.map_or(1, |run| run.count);
            let may_go = |run: &Run| {
                let is_larger = || outlives(view.block(run.older.block).size, view.block(new.block).size);
                !self.is_aging || new.is_written || (new.is_file || !run.older.is_file) && !is_larger()
            };
            runs.extend(run.filter(|run| may_go(run) && self.may_be_worth(run, prints.len())));
        }
        let mut is_any = false;
        while let Some(&Run { older, .. }) = runs.first() {
            let (of_one, others) = runs.into_iter().partition(|run| run.older.block == older.block);
            runs = others;
            let comes_next = older.path != new.path && self.comes_next(context, &older, new);
            if self.means_another(context, &older, new) {
                continue;
            }
            if cut(context, new, of_one, comes_next, self.is_strict) == Decision::Accepted {
                is_any = true;
                self.cut.push(older.block);
            }
            self.hide(context, older.block);
        }
        is_any
    }

    /// Whether a note in the older text might be read as one to another result: a call in between has the same subject as the
    /// new one's.
    fn means_another(&mut self, context: &Context<'_>, older: &Known, new: &NewResult<'_>) -> bool {
        let subject = |block| Subject::of(context.view, context.source, block);
        let named = subject(new.block);
        if new.is_written || older.block == new.block || named == subject(older.block) {
            return false;
        }
        for block in self.named_until..new.block {
            if context.view.block(block).kind == Kind::ToolResponse {
                self.named.at(subject(block).key()).push(block);
            }
        }
        self.named_until = self.named_until.max(new.block);
        self.named.get(named.key()).iter().any(|block| older.block < *block && *block < new.block)
    }

    /// Whether the new text is the next one of its file behind an older text, and the next that a pointer to it may mean:
    /// the same call may have failed before.
    fn comes_next(&self, context: &Context<'_>, older: &Known, new: &NewResult<'_>) -> bool {
        let view = &*context.view;
        let behind = self.texts.partition_point(|known| known.block <= older.block);
        let mut others = self.texts.get(behind..).unwrap_or_default().iter();
        let subject = |block| Subject::of(view, context.source, block);
        let is_named = |block: u32| {
            let is_result = view.block(block).kind == Kind::ToolResponse;
            is_result
                && view.block(block).tool == view.block(new.block).tool
                && subject(block) == subject(new.block)
        };
        new.path.is_some()
            && others.all(|known| known.path != new.path)
            && !(older.block + 1..new.block).any(is_named)
    }

    /// Whether a run may be long enough for a cut, by where its rows start: most aren't, and then no text is read.
    fn may_be_worth(&self, run: &Run, count: usize) -> bool {
        let (older, end) = (run.older, run.at + run.count);
        let head = if run.at == 0 && run.new_at == 0 { 0 } else { EDGE };
        let ends = end == older.count && run.new_at + run.count == count;
        let start_of = |at: usize| self.starts.get(older.first + at);
        let is_long = || match (start_of(run.at + head), start_of(end - EDGE.min(end))) {
            (Some(start), Some(end)) => *start + LEAST <= *end,
            _ => false,
        };
        ends || older.count == count || run.count > head + EDGE && is_long()
    }

    /// Notes what of a result's rows was cut.
    pub fn hide(&mut self, context: &Context<'_>, block: u32) {
        let (view, editor) = (&*context.view, &*context.editor);
        let known = self.texts.binary_search_by_key(&block, |known| known.block);
        let Some(known) = known.ok().and_then(|at| self.texts.get(at)) else { return };
        let range = known.first..known.first + known.count;
        let is_gone = !view.block(block).is_live() || view.block(block).has(flags::COMPACTED);
        let spans = editor.patch_of(block).map_or(&[][..], |patch| patch.spans());
        if !is_gone && spans.is_empty() {
            return;
        }
        let (Some(rows), Some(starts)) = (self.rows.get_mut(range.clone()), self.starts.get(range)) else {
            return;
        };
        for (row, start) in rows.iter_mut().zip(starts) {
            if is_gone || spans.iter().any(|(from, to, _)| from <= start && start < to) {
                *row = 0;
            }
        }
    }

    /// The run from a place in the new text on, in the newest text that still has its first lines.
    fn find(&self, view: &View, prints: &[u64], at: usize, window: &[u64]) -> Option<Run> {
        let mut row = *self.newest.get(&key(window))? as usize;
        for _ in 0..STEPS {
            let text = self.texts.partition_point(|known| known.first <= row).checked_sub(1)?;
            let older = *self.texts.get(text)?;
            let theirs = self.rows.get(row..older.first + older.count)?;
            let ours = prints.get(at..)?;
            let same = theirs.iter().zip(ours).take_while(|(theirs, ours)| theirs == ours && **ours != 0);
            let count = same.count();
            // Another rule may have removed text before the remaining one.
            if count >= window.len() && !view.block(older.block).has(flags::COMPACTED) {
                return Some(Run { older, at: row - older.first, new_at: at, count });
            }
            row = *self.before.get(row)? as usize;
        }
        None
    }
}

/// The rows that are looked up together from a place on; a text of fewer is looked up as a whole.
fn window(prints: &[u64], at: usize) -> Option<&[u64]> {
    if prints.len() < WINDOW && at > 0 {
        return None;
    }
    prints.get(at..at + WINDOW.min(prints.len())).filter(|window| !window.is_empty() && !window.contains(&0))
}

#[allow(clippy::cast_possible_truncation)]
fn key(window: &[u64]) -> u32 {
    window.iter().fold(window.len() as u64, |hash, print| {
        hash.rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ print
    }) as u32
}

/// Whether equal lines of a run stand at another place of the same file. These are no repetition: a note would hide what
/// stands there. A change may have moved them; which lines these are, `lossless` doesn't guess.
fn is_elsewhere(
    older: &Known,
    new: &NewResult<'_>,
    (text, old): (&str, &[Row<'_>]),
    is_strict: bool,
) -> impl Fn(Run) -> bool {
    let first_line = new.first_line.filter(|_| new.is_file || new.is_written);
    // A change of a part may have put equal lines at another place; what writes all of a file moves them.
    let is_put =
        new.is_written && is_strict && first_line.is_none() && older.is_file && older.block != new.block;
    let may_move = !is_strict && (older.changes != new.changes || older.asked == new.asked_here);
    let numbers = (!new.is_written && !may_move).then(|| {
        let theirs = line_numbers(text, old, older.first_line);
        (theirs, line_numbers(new.text, new.rows, first_line))
    });
    move |run| {
        let (theirs, ours) = match &numbers {
            Some((theirs, ours)) => (theirs.get(run.at), ours.get(run.new_at)),
            None => return is_put,
        };
        theirs.copied().flatten().zip(ours.copied().flatten()).is_some_and(|(theirs, ours)| theirs != ours)
    }
}

/// Cuts runs from one older result, as far as its bytes are those of the new text. `comes_next`: the new text is the next one
/// of its file.
fn cut(
    context: &mut Context<'_>,
    new: &NewResult<'_>,
    runs: Vec<Run>,
    comes_next: bool,
    is_strict: bool,
) -> Decision {
    let Context { view, editor, source, .. } = context;
    let source = *source;
    let Some(Run { older, .. }) = runs.first().copied() else { return Decision::Refused };
    let index = older.block;
    let is_text = view.block(index).has(flags::STRING_RESULT | flags::OUTPUT_RESULT);
    let text = view.text(source, index, if is_text { Leaf::Text } else { Leaf::Json });
    let old = rows(&text, older.is_numbered);
    let from = (Repeats::NAME, view.block(new.block).unit);
    let later = Subject::of(view, source, new.block);
    let later = (new.is_written || later != Subject::of(view, source, index)).then_some(later);
    // What stands beside the text in a structured payload must be shown again, too.
    let is_whole = || {
        let rest = view.text(source, index, Leaf::Rest);
        rest.is_empty() || rest == view.text(source, new.block, Leaf::Rest)
    };
    let is_same = text == new.text && text.len() >= LEAST as usize && (may_patch(view, index) || is_whole());
    // A copy is another file: once the original changes, its name alone no longer tells what the copy holds.
    let is_copy = (older.is_file || new.is_file)
        && !new.is_written
        && (older.path != new.path || older.path.is_none() && later.is_some());
    if is_copy && !comes_next && (is_same || new.path.is_some()) {
        return Decision::Refused;
    }
    // Two files may hold the same lines now, and other ones later.
    if new.is_written && older.is_file && older.path != new.path {
        return Decision::Refused;
    }
    // The note would say "again later", and name no call: another query, another database, or another folder.
    if later.is_none() && older.asked != new.asked_here && (older.path.is_none() || older.path != new.path) {
        return Decision::Refused;
    }
    let is_same_file = older.path.is_some() && older.path == new.path;
    let is_elsewhere = is_same_file.then(|| is_elsewhere(&older, new, (&text, &old), is_strict));
    let is_elsewhere = |run: Run| is_elsewhere.as_ref().is_some_and(|is_elsewhere| is_elsewhere(run));
    let pointer = |lines: Option<usize>| match (later.as_ref().filter(|_| is_copy && comes_next), lines) {
        (Some(later), None) => later.instead(NEXT),
        (Some(later), Some(lines)) => later.instead(&format!("{lines}{LINES_OF_NEXT}")),
        (None, _) => repeated(lines, later.as_ref(), new.is_written),
    };
    if is_same && runs.first().is_some_and(|&run| is_elsewhere(run)) {
        return Decision::Refused;
    }
    if is_same && editor.patch_of(index).is_none_or(|patch| patch.spans().is_empty()) {
        return editor.put_stand_in(view, source, (index, pointer(None)), from);
    }
    if !may_patch(view, index) {
        return Decision::Refused;
    }
    // Lines may be shown again at several places; each is cut once.
    let spans = editor.patch_of(index).map_or(&[][..], |patch| patch.spans());
    let mut taken: Vec<(u32, u32)> = spans.iter().map(|&(from, to, _)| (from, to)).collect();
    let refers = |text: &str| unreferred(text).is_some_and(|bare| bare.len() + 1 < text.len());
    let mut is_referred = spans.iter().any(|&(_, _, text)| refers(editor.text(text).trim_end()));
    let change = |run: Run| {
        if is_elsewhere(run) {
            return None;
        }
        let count = (0..run.count)
            .take_while(|at| {
                let theirs = old.get(run.at + at).map(|row| row.content);
                theirs.is_some_and(|content| !contains(content, "\u{fffd}"))
                    && theirs == new.rows.get(run.new_at + at).map(|row| row.content)
            })
            .count();
        let ends = run.at + count == old.len() && run.new_at + count == new.rows.len();
        let head = if run.at == 0 && run.new_at == 0 { 0 } else { EDGE };
        let tail = if ends { 0 } else { EDGE };
        let cut = old.get(run.at + head..(run.at + count).checked_sub(tail)?)?;
        let (start, end) = (cut.first()?.start, cut.last()?.end);
        // Blanks count in other files, and in `lossless`.
        let shown = new.rows.get(run.new_at + head..)?.get(..cut.len())?;
        let mut theirs = bare_lines(&text, cut, older.is_numbered);
        if (!is_same_file || is_strict)
            && !theirs.by_ref().eq(bare_lines(new.text, shown, new.is_numbered && !new.is_written))
        {
            return None;
        }
        if end - start < LEAST || taken.iter().any(|&(from, to)| start < to && from < end) {
            return None;
        }
        let lines = bare_lines(&text, cut, older.is_numbered).count();
        let mut text = pointer(Some(lines));
        // One reference leads to all of the result.
        if !is_referred
            && end - start > utf16_length(&text) + ROOM
            && let Some(referring) = referring(view, source, index, &text)
        {
            text = referring;
            is_referred = true;
        }
        taken.push((start, end));
        Some(Change::Replace { start, end, text: text + "\n" })
    };
    let changes: Vec<Change> = runs.into_iter().filter_map(change).collect();
    editor.patch(view, source, (index, &text), &changes, from)
}
