//! What is too long: its beginning, its end, and of what lies between the lines that tell of trouble or
//! name what the call asked for.

use super::call::Call;
use super::lines::{TROUBLE, is_ours, left_out, ours, units};
use crate::tokens::estimate::estimate;
use crate::tools::ToolKind;

/// Longest piece of a line that is kept or left out as a whole, in bytes.
const PIECE: usize = 400;
/// What the line costs that says what was left out.
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
    let pieces: Vec<Piece> =
        pieces(text).map(|text| Piece { text, tokens: estimate(text), weight: weight(text, call) }).collect();
    let mut order: Vec<usize> =
        (0..pieces.len()).filter(|&at| pieces.get(at).is_some_and(|piece| piece.weight > 0)).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(pieces.get(at).map(|piece| piece.weight)));
    let mut room = max_tokens.saturating_sub(MARKER_TOKENS);
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

/// How much a piece matters.
fn weight(piece: &str, call: &Call) -> u8 {
    let lower = piece.to_ascii_lowercase();
    let is_trouble = TROUBLE.iter().any(|word| lower.contains(word));
    let is_asked_for = call.words.iter().any(|word| piece.contains(word.as_str()));
    match (is_trouble, is_asked_for) {
        _ if is_ours(piece) => 0,
        (true, true) => 4,
        (true, false) => 3,
        (false, true) => 2,
        (false, false) => u8::from(lower.contains("warn")),
    }
}

/// Which pieces are kept: of both ends what fits, and of the rest what matters most.
fn choose(pieces: &[Piece], order: &[usize], room: u32, call: &Call) -> Vec<bool> {
    let mut kept = vec![false; pieces.len()];
    let mut left = if order.is_empty() { 0 } else { room / 2 };
    // What a command says last tells how it ended; of other results the beginning tells most.
    let ends = room - left;
    let head_room = if call.kind == ToolKind::Shell { ends / 3 } else { ends / 3 * 2 };
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
    fill(&mut kept, &mut (0..pieces.len()), head_room);
    fill(&mut kept, &mut (0..pieces.len()).rev(), ends - head_room);
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
    let (mut lines, mut characters) = (0, 0);
    for (piece, is_kept) in pieces.iter().zip(kept) {
        if !is_kept {
            lines += usize::from(piece.text.ends_with('\n'));
            characters += units(piece.text);
            continue;
        }
        say(&mut text, &mut lines, &mut characters);
        text.push_str(piece.text);
    }
    say(&mut text, &mut lines, &mut characters);
    text
}

fn say(text: &mut String, lines: &mut usize, characters: &mut usize) {
    if *characters == 0 {
        return;
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    let saying = match *lines {
        0 => ours(&format!("{characters} characters left out")),
        lines => left_out(lines, "lines"),
    };
    text.push_str(&saying);
    text.push('\n');
    (*lines, *characters) = (0, 0);
}
