//! A result that shows lines of a file is superseded once a later result of that file shows them too. A change whose
//! texts are known may explain lines that are missing there. Only lines count, never wording: harnesses cut results in
//! the middle silently, formatters change files unseen, and one path may be a file on several machines.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use super::compacted::{Subject, repeated};
use super::new_result::NewResult;
use super::old_results::outlives;
use super::rule::{Context, Rule, Setup};
use super::table::remember;
use crate::calls::content::strings;
use crate::calls::{Effect, Replacement, is_one_of};
use crate::edit::{Decision, RuleName};
use crate::json;
use crate::lines::{Row, bare_lines, fingerprint, line_numbers, rows_and_prints};
use crate::options::Preset;
use crate::scatter::Scatter;
use crate::search::position_of;
use crate::view::{Leaf, PathId, TextSource, View, flags};

/// A result that shows lines of a file.
#[derive(Clone, Copy, Debug)]
struct Shown {
    block: u32,
    is_numbered: bool,
    /// Whether it may show a file of another machine.
    may_be_away: bool,
    /// Fingerprints of some of its lines: most results that don't hold it are told by these.
    samples: [u64; SAMPLES],
    /// How many changes of the file were known when it came.
    changes: usize,
    /// The first line of the file that its call asked for, if that is certain.
    first_line: Option<u32>,
}

/// Lines of each result whose fingerprints are kept.
const SAMPLES: usize = 4;
/// Results are compared with at most this number of earlier ones, the newest first.
const COMPARED: usize = 16;
/// Changes of a file that are remembered; older ones explain nothing.
const REMEMBERED: usize = 32;
/// Longer texts of a change aren't remembered, in bytes.
const LONGEST: usize = 20_000;

/// The words of the notes that tools write around the lines of a file. A note has no other word, so it can hold nothing
/// but numbers: `(Showing lines 1-700 of 900. Use offset=701 to continue.)`.
const NOTES: &str = "line lines offset limit file total end of showing shown show use to continue more in above below has \
                     parameter read reading beyond output content capped at kb mb bytes byte truncated characters chars \
                     omitted remaining from start view the rest with and or eof";
/// Tags that tools write around the lines of a file.
const TAGS: &str = "file content contents file_content output result lines";
/// Tags with a text between them that tells which file it is.
const FACTS: &str = "path type";
const LONGEST_NOTE: usize = 200;

/// The fingerprints of a result's lines.
pub(super) type Held = HashSet<u64, BuildHasherDefault<Scatter>>;

/// The results that show a file, and the changes of it.
#[derive(Clone, Debug, Default)]
struct File {
    shown: Vec<Shown>,
    /// The results of these and of those that are gone, without those that may be of another machine.
    results: Vec<u32>,
    /// The newest changes whose texts are known.
    changes: Vec<Replacement>,
    /// The number of changes, with those that were forgotten.
    changed: usize,
}

impl File {
    /// The changes since there was a number of them; none if some were forgotten.
    fn since(&self, changes: usize) -> Option<&[Replacement]> {
        let forgotten = self.changed - self.changes.len();
        self.changes.get(changes.checked_sub(forgotten)?..)
    }

    fn change(&mut self, replaced: &[Replacement]) {
        for replacement in replaced {
            self.changed += 1;
            if replacement.old.len() + replacement.new.len() > LONGEST {
                self.changes.clear();
                continue;
            }
            if self.changes.len() == REMEMBERED {
                self.changes.remove(0);
            }
            self.changes.push(replacement.clone());
        }
    }
}

/// Reads whose lines are shown again.
#[derive(Clone, Debug, Default)]
pub struct Superseded {
    /// By path.
    files: Vec<File>,
    is_aging: bool,
    /// Whether each line must be left somewhere, letter by letter.
    is_strict: bool,
    /// Returned where there is no file.
    spare: File,
}

impl Rule for Superseded {
    const NAME: RuleName = RuleName::Superseded;
    const PRESETS: &'static [Preset] = &[Preset::Lossless, Preset::Balanced, Preset::Aggressive];

    fn new(setup: &Setup<'_>) -> Self {
        Self { is_aging: setup.is_aging(), is_strict: setup.is_strict(), ..Self::default() }
    }

    fn see(&mut self, context: &mut Context<'_>, result: &NewResult<'_>) {
        for effect in result.effects {
            match effect {
                // What stood there before may have been copied, or comes back: only lines that are shown again are no loss.
                Effect::Anything | Effect::Spoils { .. } | Effect::Writes { .. } => {}
                Effect::Changes { path, replaced } => {
                    if !result.is_refused {
                        self.file(*path).change(replaced);
                    }
                }
                Effect::Shows { path, .. } => self.show(context, result, *path),
            }
        }
    }

    fn bytes(&self) -> usize {
        let held = |file: &File| {
            let texts: usize = file.changes.iter().map(|change| change.old.len() + change.new.len()).sum();
            file.shown.capacity() * size_of::<Shown>()
                + file.results.capacity() * size_of::<u32>()
                + file.changes.capacity() * size_of::<Replacement>()
                + texts
        };
        self.files.iter().map(held).sum::<usize>() + self.files.capacity() * size_of::<File>()
    }
}

impl Superseded {
    fn file(&mut self, path: PathId) -> &mut File {
        let index = path as usize;
        if self.files.len() <= index {
            self.files.resize_with(index + 1, File::default);
        }
        self.files.get_mut(index).unwrap_or(&mut self.spare)
    }

    /// Takes in a result that shows a file.
    fn show(&mut self, context: &mut Context<'_>, result: &NewResult<'_>, path: PathId) {
        if result.rows.is_empty() {
            return;
        }
        if result.is_effective && !self.file(path).shown.is_empty() {
            self.supersede(context, result, path);
        }
        let file = self.file(path);
        // What refers to a result from another machine may mean lines that are still current there.
        if !result.may_be_away {
            remember(&mut file.results, result.block);
        }
        if result.is_cuttable && result.is_effective {
            let prints = result.prints.get(content(result.rows)).unwrap_or_default();
            let mut samples = [0; SAMPLES];
            for (at, sample) in samples.iter_mut().enumerate() {
                *sample = prints.get(prints.len() * at / SAMPLES).copied().unwrap_or(0);
            }
            let (block, is_numbered, changes) = (result.block, result.is_numbered, file.changed);
            let may_be_away = result.may_be_away;
            let first_line = result.first_line;
            let new = Shown { block, is_numbered, may_be_away, samples, changes, first_line };
            remember(&mut file.shown, new);
        }
    }

    /// The results that showed a file.
    fn results_of(&mut self, path: PathId) -> Vec<u32> {
        self.file(path).results.clone()
    }

    /// Puts a pointer in the place of all results of a file whose lines the new one holds.
    fn supersede(&mut self, context: &mut Context<'_>, result: &NewResult<'_>, path: PathId) {
        let Context { view, editor, source, references, .. } = context;
        let source = *source;
        let (is_aging, is_strict) = (self.is_aging, self.is_strict);
        let held: Held = result.prints.iter().copied().collect();
        let results = self.results_of(path);
        let mut shown = std::mem::take(&mut self.file(path).shown);
        let file = &*self.file(path);
        let cause = view.block(result.block).unit;
        let size = view.block(result.block).size;
        let mut later = None;
        let mut compared = 0;
        for at in (0..shown.len()).rev() {
            let Some(&old) = shown.get(at) else { break };
            let changes = file.since(old.changes).unwrap_or(&[]);
            let found = old.samples.iter().filter(|print| held.contains(print)).count();
            let stays_longer = is_aging && outlives(view.block(old.block).size, size);
            let may_hold = !stays_longer && (found == SAMPLES || !changes.is_empty() && found > 0);
            let is_compared = !result.is_decided && may_hold && compared < COMPARED;
            compared += usize::from(is_compared);
            let is_away = old.may_be_away || result.may_be_away;
            let again =
                if is_compared { holds(result, view, source, (&old, changes, is_strict)) } else { None };
            // What other results refer to stays, unless they show the same file.
            let mut is_free = || references.are_in(Subject::of(view, source, old.block).key(), &results);
            let is_cut = again.filter(|_| is_free()).is_some_and(|again| {
                let later: &Subject = later.get_or_insert_with(|| Subject::of(view, source, result.block));
                // Lines of another machine need what their pointer names: the file may change here alone.
                let pointer = match again {
                    _ if is_away => repeated(None, Some(later), false),
                    Shows::Same => later.instead("shown again later"),
                    Shows::Changed => later.instead("shown later, as edited"),
                };
                editor.put_stand_in(view, source, (old.block, pointer), (Self::NAME, cause))
                    == Decision::Accepted
            });
            if is_cut && is_away {
                references.see(view, editor, source, old.block, &[]);
            }
            let block = view.block(old.block);
            if is_cut || block.has(flags::COMPACTED) || !block.is_live() {
                shown.remove(at);
            }
        }
        self.file(path).shown = shown;
    }
}

/// The rows that hold lines of the file: where a tool numbered most of them, what stands before and behind is its own
/// word. A result that lost its numbers to densify keeps one in a hundred.
fn content(rows: &[Row<'_>]) -> std::ops::Range<usize> {
    let is_numbered = |row: &Row<'_>| row.number.is_some();
    let numbered = rows.iter().filter(|row| is_numbered(row)).count();
    let first = rows.iter().position(is_numbered).unwrap_or(0);
    let last = rows.iter().rposition(is_numbered).map_or(rows.len(), |last| last + 1);
    if numbered * 2 > rows.len() { first..last } else { 0..rows.len() }
}

/// How a result shows lines again.
#[derive(Clone, Copy, Debug)]
enum Shows {
    Same,
    /// As some known changes left them.
    Changed,
}

/// Whether a result holds the lines that an older one showed, as they must be after some changes. With `is_strict` the
/// replaced text, which stays in the history, must hold each line that the changes removed.
fn holds(
    result: &NewResult<'_>,
    view: &View,
    source: &dyn TextSource,
    (old, changes, is_strict): (&Shown, &[Replacement], bool),
) -> Option<Shows> {
    // What stands beside the text in a structured payload must be shown again, too.
    let rest = |block| view.text(source, block, Leaf::Rest);
    if !is_said_again(&rest(old.block), &rest(result.block), is_strict) {
        return None;
    }
    let text = view.text(source, old.block, Leaf::Text);
    let (rows, prints) = rows_and_prints(&text, old.is_numbered);
    let content = content(&rows);
    if has_other_words(&rows, &content, result) {
        return None;
    }
    let (Some(rows), Some(prints)) = (rows.get(content.clone()), prints.get(content)) else { return None };
    // A file of the same name elsewhere is another one: its text must be the same as a whole, and no change here explains it.
    let is_away = old.may_be_away || result.may_be_away;
    let is_exact = old.may_be_away || is_strict;
    // Calls that asked for other lines of a file may show equal ones: they must meet at the same place, or be as far from
    // it as known changes may have moved them.
    let is_elsewhere = |prints: &[u64]| {
        let at = position_of(result.prints, prints).unwrap_or(0);
        let (theirs, ours) = (old.first_line, result.first_line);
        let number =
            |text, rows, at: usize, first| line_numbers(text, rows, first).get(at).copied().flatten();
        let theirs = theirs.filter(|_| theirs != ours).and_then(|_| number(&text, rows, 0, theirs));
        let places = theirs.zip(number(result.text, result.rows, at, ours));
        places.is_some_and(|(theirs, ours)| !may_move(changes, theirs, ours))
    };
    let is_unchanged = changes.is_empty();
    if result.holds((&text, rows, prints), (old.is_numbered, is_exact, is_unchanged))
        && !((is_unchanged || is_strict) && is_elsewhere(prints))
        && (!is_strict || result.has_blank_ends((&text, rows), prints))
    {
        let is_whole = || rows.len() == self::content(result.rows).len();
        return (!is_away || is_whole()).then_some(Shows::Same);
    }
    if is_away {
        return None;
    }
    let now = changed(&text, rows, old.is_numbered, changes)?;
    let (later, prints) = rows_and_prints(&now, false);
    // Blanks at the ends of lines, form feeds and blank lines count, too.
    let is_left = || {
        let replaced = changes.iter().flat_map(|change| change.old.split('\n'));
        let left: Held = now.split('\n').chain(replaced).map(fingerprint).collect();
        bare_lines(&text, rows, old.is_numbered).all(|line| left.contains(&fingerprint(line)))
    };
    let holds = result.holds((&now, &later, &prints), (false, is_strict, false));
    let is_all_left = || is_left() && !is_elsewhere(&prints) && result.has_blank_ends((&text, rows), &prints);
    (holds && (!is_strict || is_all_left())).then_some(Shows::Changed)
}

/// Whether some changes may have moved a line from one number to another: those that add lines move others down only.
fn may_move(changes: &[Replacement], from: u32, to: u32) -> bool {
    let breaks = |text: &str| text.bytes().filter(|&byte| byte == b'\n').count();
    let is_down = from < to;
    let moved = |change: &Replacement| {
        let (fewer, more) = (breaks(&change.old), breaks(&change.new));
        let lines = if is_down { more.saturating_sub(fewer) } else { fewer.saturating_sub(more) };
        // It may have happened any number of times.
        if lines > 0 && change.is_everywhere { u32::MAX } else { u32::try_from(lines).unwrap_or(u32::MAX) }
    };
    from.abs_diff(to) <= changes.iter().map(moved).fold(0, u32::saturating_add)
}

/// Whether around the numbered lines stands something that the new result lacks, other than a tool's short notes on the
/// lines ("End of file", "use offset"): a reminder, diagnostics, words of the user.
fn has_other_words(rows: &[Row<'_>], content: &std::ops::Range<usize>, result: &NewResult<'_>) -> bool {
    let mut around = rows.iter().take(content.start).chain(rows.iter().skip(content.end));
    let is_shown = |row: &Row<'_>| match row.print() {
        // A line of ours, which leads elsewhere.
        0 => result.rows.iter().any(|shown| shown.content == row.content),
        print => result.prints.contains(&print),
    };
    around.any(|row| !is_note(row.content.trim_start()) && !is_shown(row))
}

/// Whether what stands beside a text in a structured payload stands beside another one: all of it, or at least its words.
/// A duration or an exit code is no loss there.
fn is_said_again(older: &str, newer: &str, is_strict: bool) -> bool {
    if older.is_empty() || older == newer {
        return true;
    }
    let (Some(older), false) = (json::read(older), is_strict) else { return false };
    let (newer, mut said) = (json::read(newer).unwrap_or_default(), Held::default());
    strings(&newer, &mut |text| _ = said.insert(fingerprint(text)));
    let mut is_again = true;
    strings(&older, &mut |text| is_again &= text.is_empty() || said.contains(&fingerprint(text)));
    is_again
}

/// Whether a line beside the lines of a file is a tool's note on them.
pub(super) fn is_note(line: &str) -> bool {
    if let Some(tag) = line.strip_prefix('<').and_then(|tag| tag.strip_suffix('>')) {
        let (name, rest) =
            tag.trim_start_matches('/').split_once('>').unwrap_or((tag.trim_start_matches('/'), ""));
        return rest.is_empty() && is_one_of(name, TAGS)
            || is_one_of(name, FACTS)
                && rest.split_once('<').is_none_or(|(_, end)| end.strip_prefix('/') == Some(name));
    }
    let words = || line.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty());
    line.len() <= LONGEST_NOTE
        && words().next().is_some()
        && words().all(|word| is_one_of(&word.to_ascii_lowercase(), NOTES))
}

/// The text between the first and the last of some rows, without numbers and after some changes; none if they change
/// nothing in it.
fn changed(text: &str, rows: &[Row<'_>], is_numbered: bool, changes: &[Replacement]) -> Option<String> {
    let mut now = String::new();
    for line in bare_lines(text, rows, is_numbered) {
        now.push_str(line);
        now.push('\n');
    }
    let mut is_changed = false;
    for change in changes.iter().filter(|change| !change.old.is_empty()) {
        let mut done = String::new();
        let mut rest = now.as_str();
        while let Some(at) = position_of(rest.as_bytes(), change.old.as_bytes()) {
            let (before, behind) = rest.split_at_checked(at)?;
            done.push_str(before);
            done.push_str(&change.new);
            rest = behind.get(change.old.len()..)?;
            is_changed = true;
            if !change.is_everywhere {
                break;
            }
        }
        done.push_str(rest);
        now = done;
    }
    is_changed.then_some(now)
}
