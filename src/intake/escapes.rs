//! What a terminal needs and a reader doesn't: colours, moves of the cursor, lines written over and over.

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

/// Of a line that was written over and over, keeps what a terminal shows in the end.
pub(super) fn keep_last(text: &str) -> Option<String> {
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
