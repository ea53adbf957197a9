//! Shrinking results of tools at intake, before they were ever sent: there it costs no cache.
//!
//! One reducer a function, in the order of `REDUCERS`. Each says what it left out where a reader
//! would miss it, and gives nothing if the text wouldn't become shorter.

use crate::error::Error;
use crate::options::{FromOptions, Reader, invalid, number};
use crate::tokens::estimate::estimate;
use crate::tools::ToolKind;

/// How results are shrunk at intake.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "wasm-summary", derive(tsify::Tsify))]
#[cfg_attr(feature = "wasm-summary", serde(rename_all = "camelCase"))]
pub struct IntakeSettings {
    /// Of a result above so many tokens (estimated), only the first and the last lines are kept; at
    /// least 100.
    ///
    /// @default 8000
    #[cfg_attr(feature = "wasm-summary", tsify(optional))]
    pub max_result_tokens: Option<f64>,
}

impl FromOptions for IntakeSettings {
    fn read(reader: &mut Reader) -> Result<Self, Error> {
        Ok(Self { max_result_tokens: reader.number("maxResultTokens")? })
    }
}

const DEFAULT_TOKENS: f64 = 8000.0;
const LEAST_TOKENS: f64 = 100.0;

/// The settings, checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntakeLimits {
    max_tokens: u32,
}

impl IntakeLimits {
    /// The limits that settings describe.
    ///
    /// # Errors
    /// [`crate::ErrorCode::InvalidOptions`].
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub fn new(settings: &IntakeSettings) -> Result<Self, Error> {
        let tokens = settings.max_result_tokens.unwrap_or(DEFAULT_TOKENS);
        if tokens.is_nan() || tokens < LEAST_TOKENS {
            return Err(invalid("maxResultTokens", number(tokens), "a number of at least 100"));
        }
        Ok(Self { max_tokens: tokens as u32 })
    }
}

/// A shorter text, or nothing.
type Reducer = fn(&str, ToolKind, IntakeLimits) -> Option<String>;

/// The reducers, and whether what a file holds is safe from them: a model that is to edit a file must
/// see it as it is.
const REDUCERS: &[(Reducer, bool)] =
    &[(strip_escapes, false), (keep_last_progress, false), (fold_repeats, false), (keep_ends, true)];

/// The text of a tool's result, made shorter; nothing if it is as short as it can be. What comes of it
/// is not shrunk any further by a second call. Only for results of tools: what people and models say
/// is not to be touched.
#[must_use]
pub fn shrink_result(text: &str, tool: ToolKind, limits: IntakeLimits) -> Option<String> {
    let mut shrunk: Option<String> = None;
    loop {
        let mut has_shrunk = false;
        for (reduce, is_for_files) in REDUCERS {
            let current = shrunk.as_deref().unwrap_or(text);
            let is_meant = *is_for_files || tool != ToolKind::Read;
            let shorter = if is_meant { reduce(current, tool, limits) } else { None };
            if let Some(shorter) = shorter.filter(|shorter| units(shorter) < units(current)) {
                shrunk = Some(shorter);
                has_shrunk = true;
            }
        }
        // Each round is shorter than the one before, so it ends; the second one rarely finds anything.
        if !has_shrunk {
            return shrunk;
        }
    }
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

const ESCAPE: char = '\u{1b}';

/// Takes out what colours a terminal and moves its cursor.
fn strip_escapes(text: &str, _: ToolKind, _: IntakeLimits) -> Option<String> {
    let (first, mut rest) = text.split_once(ESCAPE)?;
    let mut kept = first.to_owned();
    loop {
        rest = rest.get(sequence(rest)..).unwrap_or_default();
        let Some((text, next)) = rest.split_once(ESCAPE) else { break };
        kept.push_str(text);
        rest = next;
    }
    kept.push_str(rest);
    Some(kept)
}

/// The bytes of a sequence behind its escape; 0 if it isn't a whole one.
fn sequence(text: &str) -> usize {
    let length = match text.as_bytes().first() {
        Some(b'[') => {
            let parameters = text.bytes().skip(1).take_while(|byte| matches!(byte, 0x20..=0x3f)).count();
            let last = text.as_bytes().get(1 + parameters);
            last.filter(|last| matches!(last, 0x40..=0x7e)).map(|_| parameters + 2)
        }
        // A title, a link: up to a bell or the next escape and a backslash.
        Some(b']' | b'P' | b'X' | b'^' | b'_') => {
            let end = text.find(['\u{7}', ESCAPE, '\n']);
            end.and_then(|end| match text.get(end..) {
                Some(rest) if rest.starts_with('\u{7}') => Some(end + 1),
                Some(rest) if rest.starts_with("\u{1b}\\") => Some(end + 2),
                _ => None,
            })
        }
        Some(0x20..=0x2f) => {
            let between = text.bytes().take_while(|byte| matches!(byte, 0x20..=0x2f)).count();
            text.as_bytes().get(between).filter(|last| matches!(last, 0x30..=0x7e)).map(|_| between + 1)
        }
        Some(b'=' | b'>' | b'7' | b'8' | b'c' | b'D' | b'E' | b'H' | b'M' | b'N' | b'O' | b'Z' | b'\\') => {
            Some(1)
        }
        _ => None,
    };
    length.unwrap_or(0)
}

/// Of a line that was written over and over, keeps what a terminal shows in the end.
fn keep_last_progress(text: &str, _: ToolKind, _: IntakeLimits) -> Option<String> {
    if !text.contains('\r') {
        return None;
    }
    let mut kept = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\r', '\n']);
        let shown = bare.rsplit('\r').next().unwrap_or(bare);
        kept.push_str(shown);
        kept.push_str(line.get(bare.len()..).unwrap_or_default());
    }
    Some(kept)
}

const REPEATED: &str = "… (repeated ";

/// Folds runs of equal lines: the line, and how often it stands there.
fn fold_repeats(text: &str, _: ToolKind, _: IntakeLimits) -> Option<String> {
    let mut kept: Vec<String> = Vec::new();
    let mut lines = text.split('\n').peekable();
    let mut has_folded = false;
    while let Some(line) = lines.next() {
        let mut count = 1_usize;
        // Our own lines are never folded: nobody could tell afterwards what was.
        while !line.starts_with(REPEATED) && lines.next_if(|next| *next == line).is_some() {
            count += 1;
        }
        kept.push(line.to_owned());
        let marker = format!("{REPEATED}{count} times)");
        if count > 2 && units(&marker) < (units(line) + 1) * (count - 1) - 1 {
            kept.push(marker);
            has_folded = true;
        } else {
            kept.extend(std::iter::repeat_n(line.to_owned(), count - 1));
        }
    }
    has_folded.then(|| kept.join("\n"))
}

/// Longest piece of a line that is kept or left out as a whole, in bytes.
const PIECE: usize = 400;
/// What the line costs that says what was left out.
const MARKER_TOKENS: u32 = 24;

/// Keeps the first and the last lines of what is too long, and says how much lay between them.
fn keep_ends(text: &str, tool: ToolKind, limits: IntakeLimits) -> Option<String> {
    // No token is shorter than a byte.
    if text.len() <= limits.max_tokens as usize || estimate(text) <= limits.max_tokens {
        return None;
    }
    let pieces: Vec<(&str, u32)> = pieces(text).map(|piece| (piece, estimate(piece))).collect();
    let mut room = limits.max_tokens.saturating_sub(MARKER_TOKENS);
    // Estimates of pieces don't add up to that of the whole; it converges fast.
    while room > 0 {
        let kept = ends(text, &pieces, room, tool);
        if estimate(&kept) <= limits.max_tokens {
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
        let line = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let at_most = || (1..=PIECE).rev().find(|&at| rest.is_char_boundary(at));
        let end = if line <= PIECE { line } else { at_most()? };
        let (piece, behind) = rest.split_at_checked(end).filter(|(piece, _)| !piece.is_empty())?;
        rest = behind;
        Some(piece)
    })
}

/// The pieces at both ends that fit, with a line between them.
fn ends(text: &str, pieces: &[(&str, u32)], room: u32, tool: ToolKind) -> String {
    // What a command says last tells how it ended; of a file or a search the beginning tells most.
    let head_room = if tool == ToolKind::Shell { room / 3 } else { room / 3 * 2 };
    let head = fitting(pieces.iter(), head_room);
    let tail = fitting(pieces.iter().rev(), room - head_room);
    let tail_start = text.len().saturating_sub(tail).max(head);
    let [head, between, tail] =
        [0..head, head..tail_start, tail_start..text.len()].map(|range| text.get(range).unwrap_or_default());
    let lines = between.matches('\n').count();
    let what = match lines {
        0 => format!("{} characters", units(between)),
        1 => "1 line".to_owned(),
        lines => format!("{lines} lines"),
    };
    let line_end = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
    format!("{head}{line_end}… ({what} left out)\n{tail}")
}

/// The bytes of the first pieces that fit.
fn fitting<'piece>(pieces: impl Iterator<Item = &'piece (&'piece str, u32)>, room: u32) -> usize {
    let mut left = room;
    let fits = |&&(_, tokens): &&(&str, u32)| {
        let fits = tokens <= left;
        left = left.saturating_sub(tokens);
        fits
    };
    pieces.take_while(fits).map(|(piece, _)| piece.len()).sum()
}
