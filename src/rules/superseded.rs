//! A result that shows lines of a file is superseded once they are shown again, or once the file is written as a
//! whole: what it says is there as it is now. Changes in between move lines; by how many at most is known where
//! their texts are, and where it isn't only the whole file covers lines.

use super::compacted::Subject;
use super::deeds::{Deed, Lines};
use super::line_numbers::STEP;
use super::references::References;
use super::said::is_part;
use super::table::remember;
use crate::edit::{Decision, Editor, Rule};
use crate::lines::{Row, fingerprint};
use crate::scatter::Numbers;
use crate::tools::file_name;
use crate::view::{NONE, PathId, TextSource, ToolId, View, flags};

/// A result that shows lines of a file, and what is known of them by now.
#[derive(Clone, Copy, Debug)]
struct Shown {
    block: u32,
    tool: ToolId,
    /// Where its lines may be by now.
    lines: Lines,
    is_vague: bool,
    /// How many lines it shows, and how many fewer they may have become.
    count: u32,
    fewer: u32,
    /// How often anything might have happened before, to this file or to one that may be the same.
    age: u32,
}

impl Shown {
    /// Whether it shows all that another one showed.
    fn covers(&self, old: &Self, is_strict: bool) -> bool {
        let is_placed = old.age == self.age && (!old.is_vague && !self.is_vague || old.tool == self.tool);
        // For a tool that counts from 0 the line 1 is the second.
        let is_whole = self.lines.0 <= u32::from(!self.is_vague) && self.lines.1 == NONE;
        let covers = self.lines.0 <= old.lines.0 && old.lines.1 <= self.lines.1;
        // A stub, or an excerpt that doesn't say so, shows fewer lines than there were.
        let least = if is_whole { old.lines.1 } else { old.count };
        let may_be_elsewhere = is_strict && old.age != self.age;
        (is_whole && !may_be_elsewhere || is_placed && covers)
            && self.count.saturating_add(old.fewer) >= least
    }
}

/// The results that show a file.
#[derive(Clone, Debug, Default)]
struct File {
    shown: Vec<Shown>,
    /// The results of these and of those that are gone, with their ages.
    results: Vec<(u32, u32)>,
    /// How often it was changed.
    changes: u32,
}

/// Reads whose lines are shown again or rewritten.
#[derive(Clone, Debug, Default)]
pub struct Superseded {
    /// By path.
    files: Vec<File>,
    /// How often anything might have happened.
    age: u32,
    /// How often files of a name were changed, wherever they are: a relative path, a link or another folder may
    /// name the same file.
    changes: Numbers<u32>,
    /// Whether what was shown before anything might have happened stays: it may have been moved or copied.
    is_strict: bool,
    /// What would be handed out if there were no file.
    spare: File,
}

/// A new result of a call.
#[allow(clippy::struct_excessive_bools)] // Each is a fact of its own.
pub struct Result<'text> {
    pub block: u32,
    pub call: u32,
    pub text: &'text str,
    /// The text's lines, and a fingerprint of each; 0 for those of ours.
    pub rows: &'text [Row<'text>],
    pub prints: &'text [u64],
    /// Whether its tool writes numbers before lines.
    pub is_numbered: bool,
    /// Whether an earlier instance decided what follows from it.
    pub is_decided: bool,
    /// Whether it may be cut itself.
    pub is_cuttable: bool,
    /// Whether the call did what it was to do, as far as can be seen.
    pub is_effective: bool,
    /// Whether it says that the call did nothing.
    pub is_refused: bool,
    /// Whether it shows a file.
    pub is_file: bool,
    /// Whether the text is none of the result's, but what the call wrote.
    pub is_written: bool,
}

impl Superseded {
    /// With or without caution for what may have been moved.
    #[must_use]
    pub fn new(is_strict: bool) -> Self {
        Self { is_strict, ..Self::default() }
    }

    /// Takes in that anything might have happened.
    pub const fn grow_old(&mut self) {
        self.age += 1;
    }

    /// Takes in what the call of a result did.
    pub fn see(
        &mut self,
        view: &mut View,
        editor: &mut Editor,
        source: &dyn TextSource,
        references: &mut References,
        (result, deed): (&Result<'_>, Deed),
    ) {
        if let Deed::Changes { path, .. } | Deed::Writes { path } | Deed::Spoils { path } = deed {
            let name = name_of(view, path);
            let changes = self.changes.get(&name).copied().unwrap_or(0);
            self.changes.insert(name, changes + 1);
            self.file(path).changes += 1;
        }
        match deed {
            Deed::Anything => self.age += 1,
            Deed::Spoils { path } => self.spoil(path),
            Deed::Changes { path, .. } if result.is_refused => self.spoil(path),
            Deed::Changes { path, fewer, more } => {
                for shown in &mut self.file(path).shown {
                    let (from, to) = shown.lines;
                    shown.lines = (from.saturating_sub(fewer), to.saturating_add(more));
                    shown.fewer = shown.fewer.saturating_add(fewer);
                }
            }
            Deed::Writes { path } => {
                if result.is_effective {
                    self.supersede(view, editor, source, references, (result, path, None));
                }
                self.spoil(path);
            }
            Deed::Shows { path, lines, is_vague } => {
                self.show(view, editor, source, references, (result, path, lines, is_vague));
            }
        }
    }

    fn file(&mut self, path: PathId) -> &mut File {
        let index = path as usize;
        if self.files.len() <= index {
            self.files.resize_with(index + 1, File::default);
        }
        self.files.get_mut(index).unwrap_or(&mut self.spare)
    }

    /// How often anything might have happened to a file, but for what its own path was named for.
    fn age_of(&mut self, view: &View, path: PathId) -> u32 {
        let changes = self.changes.get(&name_of(view, path)).copied().unwrap_or(0);
        self.age.saturating_add(changes).saturating_sub(self.file(path).changes)
    }

    /// From now on only the whole file covers what was shown of it.
    fn spoil(&mut self, path: PathId) {
        for shown in &mut self.file(path).shown {
            shown.age = NONE;
        }
    }

    fn show(
        &mut self,
        view: &mut View,
        editor: &mut Editor,
        source: &dyn TextSource,
        references: &mut References,
        (result, path, asked, is_vague): (&Result<'_>, PathId, Lines, bool),
    ) {
        let block = *view.block(result.block);
        let Some(Extent { claimed, needed, count, is_numbered }) = extent(result, asked) else { return };
        let shown = Shown {
            block: result.block,
            tool: block.tool,
            lines: claimed,
            is_vague: is_vague && !is_numbered,
            count,
            fewer: 0,
            age: self.age_of(view, path),
        };
        if result.is_effective {
            self.supersede(view, editor, source, references, (result, path, Some(shown)));
        }
        let file = self.file(path);
        remember(&mut file.results, (result.block, shown.age));
        if result.is_cuttable && result.is_effective {
            remember(&mut file.shown, Shown { lines: needed, ..shown });
        }
    }

    /// The results that showed a file; with caution those that showed it as it can only have been here.
    pub fn results_of(&mut self, view: &View, path: PathId) -> Vec<u32> {
        let (is_strict, age) = (self.is_strict, self.age_of(view, path));
        let results = self.file(path).results.iter().filter(|(_, shown)| !is_strict || *shown == age);
        results.map(|&(block, _)| block).collect()
    }

    /// Puts a pointer in the place of all results of a file that are covered.
    fn supersede(
        &mut self,
        view: &mut View,
        editor: &mut Editor,
        source: &dyn TextSource,
        references: &mut References,
        (result, path, by): (&Result<'_>, PathId, Option<Shown>),
    ) {
        let (is_strict, age) = (self.is_strict, self.age_of(view, path));
        let results = self.results_of(view, path);
        let File { shown, .. } = self.file(path);
        let cause = view.block(result.block).unit;
        let mut later = None;
        shown.retain(|shown| {
            // What other results refer to stays, unless they show the same file.
            let mut is_free = || references.are_in(Subject::of(view, source, shown.block).key(), &results);
            let is_due = !result.is_decided
                && match by {
                    Some(by) => by.covers(shown, is_strict),
                    None => !is_strict || shown.age == age,
                }
                && is_free();
            let is_cut = is_due && {
                let later: &Subject = later.get_or_insert_with(|| Subject::of(view, source, result.block));
                let pointer = later.instead("the file as it is now");
                editor.put_stand_in(view, source, (shown.block, pointer), (Rule::Superseded, cause))
                    == Decision::Accepted
            };
            !is_cut && !view.block(shown.block).has(flags::COMPACTED) && view.block(shown.block).is_live()
        });
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let held = |file: &File| {
            file.shown.capacity() * size_of::<Shown>() + file.results.capacity() * size_of::<(u32, u32)>()
        };
        self.files.iter().map(held).sum::<usize>() + self.files.capacity() * size_of::<File>()
    }
}

/// The last part of a path, as a number.
fn name_of(view: &View, path: PathId) -> u32 {
    #[allow(clippy::cast_possible_truncation)]
    let name = fingerprint(file_name(view.names.path_text(path))) as u32;
    name
}

/// Tools show so many lines of a file at most, some of them without a word.
const MOST: u32 = 2000;

/// What of a file a result shows.
struct Extent {
    /// The lines that it covers, up to the file's end if it was asked for that.
    claimed: Lines,
    /// The lines that stand in it, and how many.
    needed: Lines,
    count: u32,
    is_numbered: bool,
}

/// What of a file a result shows; none if that isn't plain.
fn extent(result: &Result<'_>, (from, to): Lines) -> Option<Extent> {
    let mut numbers: Option<Lines> = None;
    // Whether it may have lost its numbers to us, but for the first and each hundredth.
    let mut is_thin = true;
    for number in result.rows.iter().filter_map(|row| row.number) {
        is_thin &= numbers.is_none() || number % STEP == 0;
        numbers = Some((numbers.map_or(number, |numbers| numbers.0), number));
    }
    let text = result.text.trim_end();
    if text.is_empty() || is_part(result) {
        return None;
    }
    let count = text.bytes().fold(1, |count: u32, byte| count.saturating_add(u32::from(byte == b'\n')));
    // Tools count their parameters from 0 or from 1; what they show they number from 1.
    let numbered = numbers.filter(|&(first, _)| first == from || first == from + 1);
    let (from, last) = numbered.unwrap_or((from, from.saturating_add(count - 1).min(to)));
    let needed =
        (from, if is_thin && numbered.is_some() { last.max(from.saturating_add(count - 1)) } else { last });
    let claimed = (from, if to == NONE && count < MOST { NONE } else { last });
    Some(Extent { claimed, needed, count, is_numbered: numbered.is_some() })
}
