//! What a terminal needs and a reader doesn't: colours, moves of the cursor, lines written over and over.

use super::lines::{is_ours, is_trouble, left_out, units};
use super::similar::UNITS;

const ESCAPE: char = '\u{1b}';

/// Takes out what colours a terminal and moves its cursor. In hunks of git colours may be all that tells removed words
/// from others: there that is said as git says it without colours.
pub(super) fn strip(text: &str) -> Option<String> {
    if !text.contains(ESCAPE) {
        return None;
    }
    let is_diff = text.contains("diff --git ");
    let mut is_hunk = false;
    let mut kept = String::with_capacity(text.len());
    for (at, line) in text.split('\n').enumerate() {
        let pieces = pieces(line);
        let bare = joined(&pieces);
        let ends_hunk = bare.starts_with("diff ") || bare.starts_with("commit ");
        is_hunk = is_diff && (is_hunk && !ends_hunk || bare.starts_with("@@ "));
        if at > 0 {
            kept.push('\n');
        }
        kept.push_str(&if is_hunk { worded(&pieces, bare) } else { bare });
    }
    Some(kept)
}

/// How git marks words, and lines, that are gone and new.
type Marks = Option<[&'static str; 3]>;
const GONE: Marks = Some(["[-", "-]", "-<"]);
const NEW: Marks = Some(["{+", "+}", "+>"]);

/// The pieces of a line between escape sequences, and what their colour says of them.
fn pieces(line: &str) -> Vec<(Marks, &str)> {
    let (first, mut rest) = line.split_once(ESCAPE).unwrap_or((line, ""));
    let mut pieces = vec![(None, first)];
    let mut marks = None;
    while !rest.is_empty() {
        let (sequence, behind) = rest.split_at_checked(sequence(rest)).unwrap_or_default();
        let (text, next) = behind.split_once(ESCAPE).unwrap_or((behind, ""));
        if let Some(codes) = sequence.strip_prefix('[').and_then(|codes| codes.strip_suffix('m')) {
            marks = match codes.split(';').rfind(|code| !["1", "7", "22", "27"].contains(code)) {
                Some("31") => GONE,
                Some("32") => NEW,
                Some(_) => None,
                None => marks,
            };
        }
        pieces.push((marks, text));
        rest = next;
    }
    pieces.retain(|(_, text)| !text.is_empty());
    pieces
}

fn joined(pieces: &[(Marks, &str)]) -> String {
    pieces.iter().map(|(_, text)| *text).collect()
}

/// A line with marks around its words, if colours say of words, and no sign of the line, that they are gone or new.
fn worded(pieces: &[(Marks, &str)], bare: String) -> String {
    let Some((first, _)) = pieces.first() else { return bare };
    if first.is_some_and(|[.., signs]| bare.trim_start().starts_with(|sign| signs.contains(sign))) {
        return bare;
    }
    let mut text = String::with_capacity(bare.len());
    for pieces in pieces.chunk_by(|(one, _), (next, _)| one == next) {
        let [open, close, _] = pieces.first().and_then(|(marks, _)| *marks).unwrap_or_default();
        text.extend([open, &joined(pieces), close]);
    }
    text
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

/// Of a line that was written over and over, keeps the last of the states that show how far something is,
/// and says how many there were. What says anything else stays, and so do lines that merely end in `\r`.
pub(super) fn keep_last(text: &str) -> Option<String> {
    if !text.contains('\r') || !text.contains('\n') {
        return None;
    }
    let mut kept = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\r', '\n']);
        let states: Vec<&str> = bare.split('\r').filter(|state| !state.is_empty()).collect();
        let next = states.iter().skip(1).map(Some).chain([None]);
        let stays = |(state, next): &(&&str, Option<&&str>)| !next.is_some_and(|next| leads_to(state, next));
        let last: Vec<&str> = states.iter().zip(next).filter(stays).map(|(state, _)| *state).collect();
        let saying = left_out(states.len() - last.len(), "overwritten states");
        let shorter = last.join("\r");
        if units(&saying) + 1 + units(&shorter) < units(bare) {
            kept.extend([&saying, "\n", &shorter]);
            kept.push_str(line.get(bare.len()..).unwrap_or_default());
        } else {
            kept.push_str(line);
        }
    }
    Some(kept)
}

/// Whether a state of a line only says how far something is that the next one says anew.
fn leads_to(state: &str, next: &str) -> bool {
    let words = |text| words(text).filter(|word| !UNITS.contains(word));
    // The last one may say more: "100% (9/9), done."
    let mut said = words(next);
    is_stage(state)
        && is_stage(next)
        && words(state).all(|word| said.next() == Some(word))
        && !is_trouble(state)
        && !is_ours(state)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphabetic()).filter(|word| !word.is_empty())
}

/// Whether a text shows a share or a bar.
fn is_stage(text: &str) -> bool {
    let is_share = |before: &str| before.trim_end().ends_with(|c: char| c.is_ascii_digit());
    text.split_once('%').is_some_and(|(before, _)| is_share(before))
        || text.contains(['\u{2588}', '\u{2591}', '\u{2501}'])
        || ["###", "===", "[>", "[=", "[#"].iter().any(|bar| text.contains(bar))
        || text.chars().any(|character| matches!(character, '\u{2800}'..='\u{28ff}'))
}
