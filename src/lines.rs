//! Lines of results, and the numbers that tools write before them.

use crate::utf16::utf16_length;

/// The beginning of a line of ours; such a line is no content.
pub const OURS: &str = "[… ";

/// The number before a line (`   12→`, `12\t`, `00012| `, `12: `): what it is, and the UTF-16 code
/// units and bytes that it takes with its separator.
#[must_use]
pub fn number_before(line: &str) -> Option<(u32, u32, usize)> {
    let spaces = line.bytes().take_while(|&byte| byte == b' ').count();
    let digits = line.bytes().skip(spaces).take_while(u8::is_ascii_digit).count();
    if spaces > 8 || digits == 0 || digits > 7 {
        return None;
    }
    let (number, rest) = line.get(spaces..)?.split_at_checked(digits)?;
    // The separators of the well-known agents' tools, with their units. Behind a bare number they part data.
    let is_padded = spaces > 0 || digits > 5 || number.starts_with('0');
    let separators = [("→", 1), ("\t", 1), ("| ", 2), ("|", 1), (": ", 2), (":\n", 1)];
    let (separator, units) = separators.into_iter().find(|(separator, _)| rest.starts_with(separator))?;
    if !is_padded && matches!(separator, "\t" | "|") {
        return None;
    }
    let before = spaces + digits;
    Some((
        number.parse().ok()?,
        u32::try_from(before).ok()? + units,
        before + separator.trim_end_matches('\n').len(),
    ))
}

/// A line that isn't blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<'text> {
    /// Its content: without its number and what is blank at its end.
    pub content: &'text str,
    /// The number before it.
    pub number: Option<u32>,
    /// Where the line starts, in UTF-16 code units.
    pub start: u32,
    /// Where it ends, its line break included.
    pub end: u32,
}

impl Row<'_> {
    /// A fingerprint of what it holds; 0 for a line of ours.
    #[must_use]
    pub fn print(&self) -> u64 {
        if self.content.starts_with(OURS) { 0 } else { fingerprint(self.content).max(1) }
    }
}

/// The lines of a text that aren't blank; whether the numbers before them are no content.
#[must_use]
#[inline(never)]
pub fn rows(text: &str, is_numbered: bool) -> Vec<Row<'_>> {
    let mut at = 0_u32;
    let row = |line| {
        let start = at;
        at = at.saturating_add(utf16_length(line));
        let (number, content) = match number_before(line).filter(|_| is_numbered) {
            Some((number, _, bytes)) => (Some(number), line.get(bytes..).unwrap_or_default()),
            None => (None, line),
        };
        let content = content.trim_end();
        (!content.is_empty()).then_some(Row { content, number, start, end: at })
    };
    text.split_inclusive('\n').filter_map(row).collect()
}

/// The lines of a text that aren't blank, and the fingerprint of each.
#[must_use]
pub fn rows_and_prints(text: &str, is_numbered: bool) -> (Vec<Row<'_>>, Vec<u64>) {
    let rows = rows(text, is_numbered);
    let prints = rows.iter().map(Row::print).collect();
    (rows, prints)
}

/// A number by which texts are looked up. Equal texts have equal numbers; others may have, too.
#[must_use]
pub fn fingerprint(text: &str) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = text.len() as u64;
    let mut add = |word| hash = (hash.rotate_left(29) ^ u64::from_le_bytes(word)).wrapping_mul(FACTOR);
    let mut rest = text.as_bytes();
    while let Some((word, behind)) = rest.split_first_chunk() {
        add(*word);
        rest = behind;
    }
    if !rest.is_empty() {
        let mut word = [0; 8];
        word.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        add(word);
    }
    hash ^ hash >> 32
}
