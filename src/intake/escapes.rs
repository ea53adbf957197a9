//! What a terminal needs and a reader doesn't: colours, moves of the cursor, lines written over and over.

use super::lines::{is_ours, is_trouble, left_out, units};
use super::similar::UNITS;

const ESCAPE: char = '\u{1b}';

/// Takes out what colours a terminal and moves its cursor.
pub(super) fn strip(text: &str) -> Option<String> {
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
