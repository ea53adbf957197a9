//! Files that a user included more than once: the newest inclusion stays.
//!
//! An inclusion is `--- path ---` on a line of its own up to `--- End of content ---` on a line of
//! its own, in the text blocks of a human entry. A block's start and end count as line ends, so an
//! inclusion may spread over neighbouring blocks.

use std::collections::BinaryHeap;

use super::compacted::inclusion_pointer;
use super::rule::{Context, Rule, Setup};
use super::table::MOST;
use crate::edit::{Editor, RuleName};
use crate::options::Preset;
use crate::view::{Kind, Leaf, NONE, PATH_NONE, PathId, Speaker, TextSource, View, flags};

const CLOSING: &str = "--- End of content ---";

/// A span of UTF-16 code units in one of some neighbouring texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The text's number among those scanned.
    pub text: usize,
    /// Where the span starts.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

/// An included file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inclusion {
    /// The path as it stands in the opening line.
    pub path: String,
    /// The lines that belong to it, closing line and its line end included.
    pub spans: Vec<Span>,
}

/// REQ-HD-006: repeated inclusions of a file.
#[derive(Clone, Debug, Default)]
pub struct Inclusions {
    next_unit: u32,
    /// By path the newest inclusions: one, or with caution those of which something stands nowhere else, too.
    newest: Vec<Vec<Found>>,
    /// Whether the label is enough for a newer inclusion to replace an older one.
    by_label: bool,
    /// Units whose markers don't match up; nothing is cut there. Taken out by the caller.
    pub unbalanced: Vec<u32>,
}

/// An inclusion in a view; ordered by its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Found {
    /// Block, start, end.
    spans: Vec<(u32, u32, u32)>,
    path: String,
    unit: u32,
}

impl Rule for Inclusions {
    const NAME: RuleName = RuleName::Inclusions;
    const PRESETS: &'static [Preset] =
        &[Preset::Seed, Preset::Lossless, Preset::Balanced, Preset::Aggressive];
    const READS: bool = false;

    // Two logs, or two versions of a file, may have the same label: only `seed` takes the label alone.
    fn new(setup: &Setup<'_>) -> Self {
        Self { by_label: setup.is_seed(), ..Self::default() }
    }

    fn run(&mut self, context: &mut Context<'_>) {
        let Context { view, editor, source, .. } = context;
        let source = *source;
        let mut superseded: BinaryHeap<(Found, u32)> = BinaryHeap::new();
        while self.next_unit < view.len() {
            let unit = self.next_unit;
            self.next_unit += 1;
            if view.unit(unit).speaker != Speaker::Human || view.unit(unit).dropped {
                continue;
            }
            for (path, found) in self.inclusions_of(view, editor, source, unit) {
                let gone = self.replace_newest(path, found, |old, new| {
                    // Who shows two texts in one message wants both to be seen.
                    old.unit != unit && text_of(view, source, new) == text_of(view, source, old)
                });
                superseded.extend(gone.into_iter().map(|old| (old, unit)));
            }
        }
        // In the order of the text, whatever the order in which they were superseded.
        for (found, cause) in superseded.into_sorted_vec() {
            let pointer = inclusion_pointer(&found.path);
            editor.cut(view, &found.spans, &pointer, (Self::NAME, cause));
        }
    }

    fn bytes(&self) -> usize {
        self.newest.capacity() * size_of::<Vec<Found>>()
    }
}

impl Inclusions {
    fn inclusions_of(
        &mut self,
        view: &mut View,
        editor: &Editor,
        source: &dyn TextSource,
        unit: u32,
    ) -> Vec<(PathId, Found)> {
        if !view.blocks_of(unit).any(|index| view.block(index).has(flags::MARKERS)) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for run in text_runs(view, unit) {
            let texts: Vec<String> = run.iter().map(|&index| view.text(source, index, Leaf::Text)).collect();
            let Some(inclusions) = scan(&texts) else {
                self.unbalanced.push(unit);
                return Vec::new();
            };
            let block = |text: usize| run.get(text).copied().unwrap_or(NONE);
            for Inclusion { path, spans } in inclusions {
                let spans = spans.iter().map(|span| (block(span.text), span.start, span.end)).collect();
                found.push(Found { spans, path, unit });
            }
        }
        let mut kept = Vec::new();
        for inclusion in found {
            let path = view.names.path(&inclusion.path);
            if path != PATH_NONE && !is_cut(view, editor, &inclusion.spans) {
                kept.push((path, inclusion));
            }
        }
        kept
    }

    /// Notes a file's newest inclusion; those before it that may go.
    fn replace_newest(
        &mut self,
        path: PathId,
        found: Found,
        may_go: impl Fn(&Found, &Found) -> bool,
    ) -> Vec<Found> {
        let is_careful = !self.by_label;
        let place = path as usize;
        if place >= self.newest.len() {
            self.newest.resize_with(place + 1, Vec::new);
        }
        let Some(newest) = self.newest.get_mut(place) else { return Vec::new() };
        // All of one message stay until a later one comes.
        let is_of_one = |old: Option<&Found>| old.is_some_and(|old| old.unit == found.unit);
        if is_careful && is_of_one(newest.last()) && (is_of_one(newest.first()) || newest.len() > MOST) {
            newest.push(found);
            return Vec::new();
        }
        let (gone, kept): (Vec<_>, Vec<_>) =
            std::mem::take(newest).into_iter().partition(|old| !is_careful || may_go(old, &found));
        *newest = kept;
        newest.drain(..newest.len().saturating_sub(MOST));
        newest.push(found);
        gone
    }
}

/// What stands between the lines that open and close an inclusion. A version with more lines, other line ends or other
/// blanks is another text, and people ask what they changed.
fn text_of(view: &View, source: &dyn TextSource, found: &Found) -> String {
    let mut all = String::new();
    for &(block, start, end) in &found.spans {
        let mut at = 0_u32;
        let is_within = |letter: &char| {
            let here = at;
            at += if letter.len_utf16() == 2 { 2 } else { 1 };
            start <= here && here < end
        };
        all.extend(view.text(source, block, Leaf::Text).chars().filter(is_within));
        all.push('\n');
    }
    let inner = all.trim_end().strip_suffix(CLOSING).and_then(|inner| inner.split_once('\n'));
    inner.map_or_else(String::new, |(_, inner)| inner.to_owned())
}

/// Whether an inclusion was cut by an edit that is being made again.
fn is_cut(view: &View, editor: &Editor, spans: &[(u32, u32, u32)]) -> bool {
    spans.iter().any(|&(block, start, end)| {
        !view.block(block).is_live()
            || view.block(block).replacement != NONE
            || editor.cuts_of(block).is_some_and(|cuts| cuts.binary_search(&(start, end)).is_ok())
    })
}

/// The unit's text blocks, in runs of neighbours; those that an inclusion's cut emptied too, since
/// only the texts as they were pushed have matching markers. Calls and responses, which may go, part
/// no neighbours: what is an inclusion never changes.
fn text_runs(view: &View, unit: u32) -> Vec<Vec<u32>> {
    let mut runs = Vec::new();
    let mut run = Vec::new();
    for index in view.blocks_of(unit) {
        match view.block(index).kind {
            Kind::Text => run.push(index),
            Kind::ToolCall | Kind::ToolResponse => {}
            _ if run.is_empty() => {}
            _ => runs.push(std::mem::take(&mut run)),
        }
    }
    runs.push(run);
    runs
}

/// Finds the inclusions in neighbouring texts; `None` if the markers don't match up: an opening
/// line without a closing one, or a closing line that closes nothing.
#[must_use]
pub fn scan(texts: &[String]) -> Option<Vec<Inclusion>> {
    let mut found = Vec::new();
    let mut open: Option<(String, Vec<Span>)> = None;
    for (number, text) in texts.iter().enumerate() {
        let mut offsets = Offsets::of(text);
        let mut start = 0_u32;
        for (at, line) in marker_lines(text) {
            let content = line.strip_suffix('\n').unwrap_or(line);
            let content = content.strip_suffix('\r').unwrap_or(content);
            if content == CLOSING {
                let (path, mut spans) = open.take()?;
                spans.push(Span { text: number, start, end: offsets.at(at + line.len()) });
                found.push(Inclusion { path, spans });
            } else if let (None, Some(path)) = (&open, opened_path(content)) {
                open = Some((path.to_owned(), Vec::new()));
                start = offsets.at(at);
            }
        }
        if let Some((_, spans)) = &mut open {
            spans.push(Span { text: number, start, end: offsets.at(text.len()) });
        }
    }
    open.is_none().then_some(found)
}

/// The lines that begin with `--- `, with the bytes where they start.
fn marker_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = 0;
    std::iter::from_fn(move || {
        while let Some(rest) = text.get(next..).filter(|rest| !rest.is_empty()) {
            let start = next;
            let line = rest.split_inclusive('\n').next().unwrap_or(rest);
            next += line.len();
            if line.starts_with("--- ") {
                return Some((start, line));
            }
        }
        None
    })
}

/// Offsets in UTF-16 code units, asked for in ascending order.
struct Offsets<'text> {
    text: &'text str,
    is_ascii: bool,
    bytes: usize,
    units: u32,
}

impl<'text> Offsets<'text> {
    fn of(text: &'text str) -> Self {
        Self { text, is_ascii: text.is_ascii(), bytes: 0, units: 0 }
    }

    /// The units before a byte.
    fn at(&mut self, bytes: usize) -> u32 {
        if self.is_ascii {
            return u32::try_from(bytes).unwrap_or(u32::MAX);
        }
        self.units += crate::utf16::utf16_length(self.text.get(self.bytes..bytes).unwrap_or_default());
        self.bytes = bytes;
        self.units
    }
}

/// The path of an opening line.
fn opened_path(line: &str) -> Option<&str> {
    let path = line.strip_prefix("--- ")?.strip_suffix(" ---")?.trim();
    (!path.is_empty()).then_some(path)
}
