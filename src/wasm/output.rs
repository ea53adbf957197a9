//! Runs as integers.
//!
//! ```text
//! output = words · flags (1: flush, 2: edits are held back) · first unit that the flush changes
//!          · least anchor of the edits that it makes · first unit that is held back · first unit that the next flush
//!            should change · count for each rule
//!          · edits · edit* · warnings · (unit | held << 31)* · texts · (bytes, packed UTF-8)*
//!          · two words for each number of `bills` · how many words these are · where `texts` stands
//! edit   = kind | rule << 8 | pending << 16 | since << 17, unit, cause, anchor, …
//!          0 drop unit · 1 drop block: block · 2 set text: block, text · 3 cut: block, start, end
//!          4 replace: block, start, end, text · 5 unnumber: block, start, end
//! ```

use crate::edit::{EDIT_KINDS, Edit, Logged};
use crate::error::{Error, ErrorCode};
use crate::optimizer::Run;

/// Turns that are told apart.
const LATEST: u32 = (1 << 15) - 1;

/// Writes a run, the texts that are new with it, and the bills behind it.
pub(super) fn write(output: &mut Vec<u32>, run: &Run, texts: &[String], bills: &[f64]) {
    output.clear();
    output.push(0);
    output.push(u32::from(run.flush.is_some()) | u32::from(run.held_back.is_some()) << 1);
    output.push(run.flush.unwrap_or(u32::MAX));
    output.push(run.from);
    output.push(run.held_back.unwrap_or(u32::MAX));
    output.push(run.anchor);
    output.extend_from_slice(&run.counts);
    output.push(length(run.edits.len()));
    for logged in &run.edits {
        write_edit(output, logged);
    }
    output.push(length(run.unbalanced.len() + run.held.len()));
    output.extend_from_slice(&run.unbalanced);
    output.extend(run.held.iter().map(|unit| unit | 1 << 31));
    let texts_at = length(output.len());
    output.push(length(texts.len()));
    for text in texts {
        output.push(length(text.len()));
        for bytes in text.as_bytes().chunks(4) {
            let mut word = [0; 4];
            word.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
            output.push(u32::from_le_bytes(word));
        }
    }
    for bits in bills.iter().map(|bill| bill.to_bits()) {
        let [low, high] =
            [bits, bits >> 32].map(|half| u32::try_from(half & u64::from(u32::MAX)).unwrap_or(0));
        output.extend([low, high]);
    }
    output.push(length(2 * bills.len()));
    output.push(texts_at);
    let words = length(output.len());
    if let Some(first) = output.first_mut() {
        *first = words;
    }
}

fn write_edit(output: &mut Vec<u32>, logged: &Logged) {
    let Logged { edit, rule, cause, pending, anchor, since } = *logged;
    let (kind, details) = match edit {
        Edit::DropUnit { .. } => (0, [0; 4]),
        Edit::DropBlock { block, .. } => (1, [block, 0, 0, 0]),
        Edit::SetText { block, text, .. } => (2, [block, text, 0, 0]),
        Edit::Cut { block, start, end, .. } => (3, [block, start, end, 0]),
        Edit::Replace { block, start, end, text, .. } => (4, [block, start, end, text]),
        Edit::Unnumber { block, start, end, .. } => (5, [block, start, end, 0]),
    };
    let count = EDIT_KINDS.get(kind as usize).map_or(0, |kind| kind.1);
    output.push(kind | (rule as u32) << 8 | u32::from(pending) << 16 | since.min(LATEST) << 17);
    output.push(edit.unit());
    output.push(cause);
    output.push(anchor);
    output.extend(details.into_iter().take(count));
}

/// Reads an edit that was written by [`write`]; with its anchor and since when if it waits.
pub(super) fn read_edit(
    head: u32,
    words: &mut impl Iterator<Item = u32>,
) -> Result<(Edit, Option<(u32, u32)>), Error> {
    let mut next = || words.next().ok_or_else(cut_off);
    let unit = next()?;
    next()?;
    let anchor = next()?;
    let edit = match head & 0xff {
        0 => Edit::DropUnit { unit },
        1 => Edit::DropBlock { unit, block: next()? },
        2 => Edit::SetText { unit, block: next()?, text: next()? },
        3 => Edit::Cut { unit, block: next()?, start: next()?, end: next()? },
        4 => Edit::Replace { unit, block: next()?, start: next()?, end: next()?, text: next()? },
        5 => Edit::Unnumber { unit, block: next()?, start: next()?, end: next()? },
        _ => return Err(cut_off()),
    };
    Ok((edit, (head >> 16 & 1 == 1).then_some((anchor, head >> 17))))
}

fn cut_off() -> Error {
    Error::new(ErrorCode::InvalidStream, "the edits can't be read; facade and core are of different versions")
}

fn length(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
