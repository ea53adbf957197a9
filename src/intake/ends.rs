//! What is too long: its beginning and end, and from the middle the lines about trouble or about the call's subject.

use super::call::Call;
use super::lines::{is_ours, left_out, ours, trouble, units};
use crate::tokens::estimate::estimate;
use crate::tools::ToolKind;

/// Longest piece of a line that is kept or left out as a whole, in bytes.
const PIECE: usize = 400;
/// The cost of the line that names the cut.
const MARKER_TOKENS: u32 = 24;
/// Pieces that are kept on each side of one that matters.
const AROUND: usize = 1;

struct Piece<'text> {
    text: &'text str,
    tokens: u32,
    weight: u8,
}

/// The text within a number of tokens.
pub(super) fn keep(text: &str, call: &Call, max_tokens: u32) -> Option<String> {
    // No token is shorter than a byte.
    if text.len() <= max_tokens as usize || estimate(text) <= max_tokens {
        return None;
    }
    let mut room = max_tokens.saturating_sub(MARKER_TOKENS);
    let pieces: Vec<Piece> = with_small_ends(pieces(text).collect(), room, call)
        .into_iter()
        .map(|text| Piece { text, tokens: estimate(text), weight: weight(text, call) })
        .collect();
    let mut order: Vec<usize> =
        (0..pieces.len()).filter(|&at| pieces.get(at).is_some_and(|piece| piece.weight > 0)).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(pieces.get(at).map(|piece| piece.weight)));
    // Estimates of pieces don't add up to that of the whole; it converges fast.
    while room > 0 {
        let kept = render(&pieces, &choose(&pieces, &order, room, call));
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

/// How much a piece matters.
fn weight(piece: &str, call: &Call) -> u8 {
    let is_asked_for = call.words.iter().any(|word| piece.contains(word.as_str()));
    match trouble(piece) {
        _ if is_ours(piece) => 0,
        trouble if is_asked_for => trouble.max(1) + 1,
        trouble => trouble,
    }
}

/// Which pieces are kept: of both ends what fits, and of the rest what matters most.
fn choose(pieces: &[Piece], order: &[usize], room: u32, call: &Call) -> Vec<bool> {
    let mut kept = vec![false; pieces.len()];
    let mut left = if order.is_empty() { 0 } else { room / 2 };
    let (head_room, tail_room) = shares(room - left, call);
    let fill = |kept: &mut [bool], places: &mut dyn Iterator<Item = usize>, mut room: u32| {
        for at in places {
            let (Some(piece), Some(is_kept)) = (pieces.get(at), kept.get_mut(at)) else { break };
            if *is_kept || piece.tokens > room {
                break;
            }
            room -= piece.tokens;
            *is_kept = true;
        }
        room
    };
    let unused = fill(&mut kept, &mut (0..pieces.len()), head_room);
    fill(&mut kept, &mut (0..pieces.len()).rev(), tail_room + unused);
    for &at in order {
        let around = at.saturating_sub(AROUND)..(at + AROUND + 1).min(pieces.len());
        let new: Vec<usize> = around.filter(|&at| kept.get(at) == Some(&false)).collect();
        if kept.get(at) != Some(&false) {
            continue;
        }
        let cost = new.iter().filter_map(|&at| pieces.get(at)).map(|piece| piece.tokens).sum::<u32>()
            + MARKER_TOKENS;
        if cost > left {
            break;
        }
        left -= cost;
        fill(&mut kept, &mut new.into_iter(), cost);
    }
    kept
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
