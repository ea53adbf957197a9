//! Long results keep their beginning and end. From the middle they keep lines about trouble, lines about the call's subject, and
//! lines that differ from all others. Each such line keeps its block while there is room.

use super::call::Call;
use super::lines::{digits, is_notable, is_ours, is_place, is_trouble, left_out, ours, trouble, units};
use super::shapes::Shapes;
use crate::tokens::estimate::estimate;
use crate::tools::ToolKind;

/// Longest piece of a line that is kept or left out as a whole, in bytes.
const PIECE: usize = 400;
/// The cost of the line that names the cut.
const MARKER_TOKENS: u32 = 24;
/// Pieces that are kept on each side of one that matters.
const AROUND: usize = 1;
/// Most lines of its block behind one that matters, and before it.
const BEHIND: usize = 30;
const BEFORE: usize = 8;
/// Most of them that only stand beside it.
const BESIDE: usize = 3;

struct Piece<'text> {
    text: &'text str,
    tokens: u32,
}

/// The text within a number of tokens.
pub(super) fn keep(text: &str, call: &Call, max_tokens: u32) -> Option<String> {
    // No token is shorter than a byte.
    if text.len() <= max_tokens as usize || estimate(text) <= max_tokens {
        return None;
    }
    let mut room = max_tokens.saturating_sub(MARKER_TOKENS);
    let pieces = with_small_ends(pieces(text).collect(), room, call);
    let shapes = Shapes::of(pieces.iter().copied());
    let weights: Vec<u8> =
        pieces.iter().enumerate().map(|(at, piece)| weight(piece, shapes.is_odd(at), call)).collect();
    let weight = |at: usize| weights.get(at).copied().unwrap_or_default();
    let pieces: Vec<Piece> = pieces.into_iter().map(|text| Piece { text, tokens: estimate(text) }).collect();
    let mut order: Vec<usize> = (0..pieces.len()).filter(|&at| weight(at) > 0).collect();
    order.sort_by_cached_key(|&at| (std::cmp::Reverse(weight(at)), shapes.count(at)));
    // Estimates of pieces don't add up to that of the whole; it converges fast.
    while room > 0 {
        let kept = render(&pieces, &choose(&pieces, &shapes, &order, room, call));
        if estimate(&kept) <= max_tokens {
            return Some(kept);
        }
        room -= room.div_ceil(10);
    }
    None
}

/// Lines with their ends, long ones in pieces.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        // No further: a line that never ends would be read again for each of its pieces.
        let end = rest.bytes().take(PIECE).position(|byte| byte == b'\n');
        let line = end.map_or(rest.len(), |at| at + 1);
        let at_most = || (1..=PIECE).rev().find(|&at| rest.is_char_boundary(at));
        let end = if line <= PIECE { line } else { at_most()? };
        let (piece, behind) = rest.split_at_checked(end).filter(|(piece, _)| !piece.is_empty())?;
        rest = behind;
        Some(piece)
    })
}

/// The pieces; the first and the last, if they don't fit, in two, so that something of both ends does.
fn with_small_ends<'text>(mut pieces: Vec<&'text str>, room: u32, call: &Call) -> Vec<&'text str> {
    // Half of the room may be for what lies between.
    let (head, tail) = shares(room / 2, call);
    if let Some(first) = pieces.first().copied().filter(|first| estimate(first) > head) {
        let end = fitting(first, head, |text, length| text.get(..length));
        let (first, rest) = first.split_at_checked(end).unwrap_or((first, ""));
        pieces.splice(..1, [first, rest]);
    }
    if let Some(last) = pieces.pop_if(|last| estimate(last) > tail) {
        let length = fitting(last, tail, |text, length| text.get(text.len() - length..));
        let (rest, last) = last.split_at_checked(last.len() - length).unwrap_or(("", last));
        pieces.extend([rest, last]);
    }
    pieces
}

/// How many bytes of one end of a text cost clearly less than so many tokens: the room may become smaller yet.
fn fitting<'text>(
    text: &'text str,
    tokens: u32,
    end: impl Fn(&'text str, usize) -> Option<&'text str>,
) -> usize {
    let mut length = text.len();
    while length > 1 && end(text, length).is_none_or(|part| estimate(part) > tokens / 3 * 2) {
        length -= length.div_ceil(8);
    }
    length
}

/// The shares of the room for the beginning and the end. What a command says last tells how it ended; of other
/// results the beginning tells most.
fn shares(room: u32, call: &Call) -> (u32, u32) {
    let head = if call.kind == ToolKind::Shell { room / 3 } else { room / 3 * 2 };
    (head, room - head)
}

/// How much a piece matters. An odd line matters as much as the worst trouble.
fn weight(piece: &str, is_odd: bool, call: &Call) -> u8 {
    if is_ours(piece) {
        return 0;
    }
    let is_asked_for = call.words.iter().any(|word| piece.contains(word.as_str()));
    let trouble = match trouble(piece) {
        0 => u8::from(is_notable(piece)),
        trouble => trouble,
    };
    let trouble = if is_asked_for { trouble.max(1) + 1 } else { trouble };
    trouble + u8::from(is_odd) * 3
}

/// The pieces that are kept so far, and the room that is left.
struct Choice<'text> {
    pieces: &'text [Piece<'text>],
    kept: Vec<bool>,
    left: u32,
}

impl Choice<'_> {
    fn is_kept(&self, at: usize) -> bool {
        self.kept.get(at) == Some(&true)
    }

    /// Keeps pieces one by one, as far as there is room for them; returns what of it is left.
    fn fill(&mut self, places: impl Iterator<Item = usize>, mut room: u32) -> u32 {
        for at in places {
            let (Some(piece), Some(is_kept)) = (self.pieces.get(at), self.kept.get_mut(at)) else { break };
            if *is_kept {
                continue;
            }
            if piece.tokens > room {
                break;
            }
            room -= piece.tokens;
            *is_kept = true;
        }
        room
    }

    fn fill_ends(&mut self, room: u32, call: &Call) -> u32 {
        let (head, tail) = shares(room, call);
        let unused = self.fill(0..self.pieces.len(), head);
        self.fill((0..self.pieces.len()).rev(), tail + unused)
    }

    /// Keeps what matters, with its neighbours, until only so much room is left.
    fn keep(&mut self, order: &[usize], least: u32) {
        for &at in order {
            if self.is_kept(at) {
                continue;
            }
            let around = at.saturating_sub(AROUND)..(at + AROUND + 1).min(self.pieces.len());
            let new = around.clone().filter(|&at| !self.is_kept(at));
            let cost = new.filter_map(|at| self.pieces.get(at)).map(|piece| piece.tokens).sum::<u32>();
            if cost + MARKER_TOKENS + least > self.left {
                break;
            }
            self.left -= cost + MARKER_TOKENS;
            self.fill(around, cost);
        }
    }
}

/// Which pieces are kept: of both ends what fits; of the rest what matters most, then the blocks around the best, then
/// what else matters. The room that nothing asks for goes to the ends.
fn choose(pieces: &[Piece], shapes: &Shapes, order: &[usize], room: u32, call: &Call) -> Vec<bool> {
    let middle = if order.is_empty() { 0 } else { room / 2 };
    let mut choice = Choice { pieces, kept: vec![false; pieces.len()], left: middle };
    choice.fill_ends(room - middle, call);
    choice.keep(order, middle / 2);
    for &at in order {
        if choice.left < MARKER_TOKENS {
            break;
        }
        if choice.is_kept(at) {
            let (start, end) = block(pieces, shapes, at);
            choice.left = choice.fill(at..end, choice.left);
            choice.left = choice.fill((start..at).rev(), choice.left);
        }
    }
    choice.keep(order, 0);
    choice.fill_ends(choice.left, call);
    choice.kept
}

/// The lines that belong to one. Below it: indented lines, expected values, code and places, also behind blank lines. Above it: lines
/// without a blank line between, and a heading.
fn block(pieces: &[Piece], shapes: &Shapes, at: usize) -> (usize, usize) {
    let line = |at: usize| pieces.get(at).map_or("", |piece| piece.text.trim_end());
    let base = indent(line(at));
    let belongs = |other: usize, is_behind_gap: bool, beside: &mut usize| {
        let text = line(other);
        if is_ours(text) {
            return false;
        }
        if indent(text) > base || is_detail(text) {
            return true;
        }
        *beside += 1;
        // What isn't indented at all may be from elsewhere.
        let is_near =
            if base > 0 { !shapes.is_common(other) } else { !is_behind_gap && shapes.is_odd(other) };
        indent(text) == base && is_near && *beside <= BESIDE
    };
    let (mut end, mut is_behind_gap, mut beside) = (at + 1, false, 0);
    for other in (at + 1)..(at + BEHIND).min(pieces.len()) {
        if line(other).is_empty() {
            is_behind_gap = true;
        } else if belongs(other, is_behind_gap, &mut beside) {
            (end, is_behind_gap) = (other + 1, false);
        } else {
            break;
        }
    }
    let (mut start, mut beside) = (at, 0);
    let before = (at.saturating_sub(BEFORE)..at).rev();
    for other in before.take_while(|&other| !line(other).is_empty()) {
        if !belongs(other, false, &mut beside) || shapes.is_common(other) {
            break;
        }
        start = other;
    }
    let above = start.saturating_sub(if start > 0 && line(start - 1).is_empty() { 2 } else { 1 });
    let is_heading = indent(line(above)) < indent(line(start)) && !shapes.is_common(above);
    (if is_heading && !line(above).is_empty() { above } else { start }, end)
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// What lines about a failure begin with that stand no deeper than its first one.
const DETAILS: &[&str] = &[
    "E ",
    "> ",
    "+",
    "- ",
    "---",
    "|",
    "^",
    "~",
    "@@",
    "❯",
    "at ",
    "expected",
    "received",
    "actual",
    "got",
    "want",
    "left:",
    "right:",
    "caused by",
    "note:",
    "help:",
];

/// Whether a line goes on about a failure: what was expected, code with its number, a place.
fn is_detail(line: &str) -> bool {
    let bare = line.trim_start();
    let begins = |begin: &str| bare.get(..begin.len()).is_some_and(|start| start.eq_ignore_ascii_case(begin));
    let is_code =
        || digits(bare).is_some_and(|(_, rest)| rest.starts_with("  ") || rest.trim_start().starts_with('|'));
    let names_place = || bare.split([' ', '(']).any(is_place) && !is_trouble(bare);
    DETAILS.iter().any(|begin| begins(begin)) || is_code() || names_place()
}

/// The kept pieces, and between them how much is missing.
fn render(pieces: &[Piece], kept: &[bool]) -> String {
    let mut text = String::new();
    let mut gap = Gap::default();
    for (piece, is_kept) in pieces.iter().zip(kept) {
        if *is_kept {
            gap.say(&mut text);
            text.push_str(piece.text);
        } else {
            gap.lines += usize::from(piece.text.ends_with('\n'));
            gap.ends_within = !piece.text.ends_with('\n');
            gap.characters += units(piece.text);
        }
    }
    // The last line of a text may have no end.
    gap.lines += usize::from(gap.ends_within);
    gap.ends_within = false;
    gap.say(&mut text);
    text
}

/// What is left out between two kept pieces.
#[derive(Default)]
struct Gap {
    lines: usize,
    characters: usize,
    /// Whether the line goes on behind it.
    ends_within: bool,
}

impl Gap {
    /// Says how much it is: in lines only if these are whole.
    fn say(&mut self, text: &mut String) {
        let Self { lines, characters, ends_within } = std::mem::take(self);
        if characters == 0 {
            return;
        }
        let begins_within = !text.is_empty() && !text.ends_with('\n');
        if begins_within {
            text.push('\n');
        }
        text.push_str(&if begins_within || ends_within {
            ours(&format!("{characters} characters left out"))
        } else {
            left_out(lines, "lines")
        });
        text.push('\n');
    }
}
