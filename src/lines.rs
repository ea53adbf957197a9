//! Lines of results, and the numbers that tools write before them.

use crate::utf16::utf16_length;

/// The beginning of a line of ours; such a line is no content.
pub const OURS: &str = "[… ";

/// How a tool separates the number of a line from the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `    12→`: Claude Code before 2.1.205.
    Arrow,
    /// `    12\t`, as `cat -n` and `nl` write.
    PaddedTab,
    /// `12\t`: Claude Code since 2.1.205.
    Tab,
    /// `    12|`: Cursor, Crush.
    Bar,
    /// `00012| `: opencode before 1.0.
    ZeroBar,
    /// `12 | `: Cline's relatives.
    SpacedBar,
    /// `12: `: opencode, Amp, Goose.
    Colon,
    /// `12. `: Copilot CLI.
    Dot,
    /// `L12: `: Codex.
    Letter,
}

/// The number before a line, and how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineNumber {
    /// The number.
    pub number: u32,
    /// How it is separated from the line.
    pub form: Form,
    /// The UTF-16 code units of the number and its separator.
    pub units: u32,
    /// The bytes of the number and its separator.
    pub bytes: usize,
}

/// The number before a line, if the line starts with one. It may still be data: `rules/numbers.rs` says whether a
/// tool wrote it.
#[must_use]
pub fn number_before(line: &str) -> Option<LineNumber> {
    let letter = usize::from(line.starts_with('L'));
    let spaces = line.bytes().skip(letter).take_while(|&byte| byte == b' ').count();
    let start = letter + spaces;
    let digits = line.bytes().skip(start).take_while(u8::is_ascii_digit).count();
    if spaces > 8 || digits == 0 || digits > 7 || letter > 0 && spaces > 0 {
        return None;
    }
    let (number, rest) = line.get(start..)?.split_at_checked(digits)?;
    let is_led_by_zero = number.starts_with('0');
    let is_blank = |rest: &str| rest.trim_end_matches(['\r', '\n']).is_empty();
    let (form, separator) = match rest.as_bytes() {
        _ if letter > 0 && rest.starts_with(": ") => (Form::Letter, 2),
        [b':', rest @ ..] if letter > 0 && matches!(rest, [] | [b'\r' | b'\n', ..]) => (Form::Letter, 1),
        _ if letter > 0 => return None,
        _ if rest.starts_with('→') => (Form::Arrow, '→'.len_utf8()),
        [b'\t', ..] if spaces > 0 || digits > 5 => (Form::PaddedTab, 1),
        [b'\t', ..] if !is_led_by_zero => (Form::Tab, 1),
        // Other tools pad with blanks, so that what follows the bar is the line's own indentation.
        [b'|', b' ', ..] if spaces == 0 && (is_led_by_zero || digits == 5) => (Form::ZeroBar, 2),
        [b'|', ..] if spaces == 0 && is_led_by_zero && is_blank(rest.get(1..)?) => (Form::ZeroBar, 1),
        [b'|', ..] if !is_led_by_zero => (Form::Bar, 1),
        [b' ', b'|', b' ', ..] if !is_led_by_zero => (Form::SpacedBar, 3),
        [b' ', b'|', ..] if !is_led_by_zero && is_blank(rest.get(2..)?) => (Form::SpacedBar, 2),
        [b':', b' ', ..] => (Form::Colon, 2),
        [b':', ..] if is_blank(rest.get(1..)?) => (Form::Colon, 1),
        [b'.', b' ', ..] if !is_led_by_zero => (Form::Dot, 2),
        [b'.', ..] if !is_led_by_zero && is_blank(rest.get(1..)?) => (Form::Dot, 1),
        _ => return None,
    };
    let units = separator - if form == Form::Arrow { '→'.len_utf8() - 1 } else { 0 };
    Some(LineNumber {
        number: number.parse().ok()?,
        form,
        units: u32::try_from(start + digits + units).ok()?,
        bytes: start + digits + separator,
    })
}

/// The first number before a line of a text.
#[must_use]
pub fn first_number(text: &str) -> Option<LineNumber> {
    text.lines().find_map(number_before)
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

/// The lines of a text that aren't blank. `is_numbered`: a tool wrote the numbers before them.
#[must_use]
#[inline(never)]
pub fn rows(text: &str, is_numbered: bool) -> Vec<Row<'_>> {
    let mut at = 0_u32;
    let form = if is_numbered { first_number(text).map(|first| first.form) } else { None };
    let row = |line| {
        let start = at;
        at = at.saturating_add(utf16_length(line));
        // A line that holds a number in another form is content.
        let found = form.and_then(|form| number_before(line).filter(|found| found.form == form));
        let content = line.get(found.map_or(0, |found| found.bytes)..).unwrap_or_default();
        let number = found.map(|found| found.number);
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

/// The lines of a text from the content of the first of some rows to the line of the last one, without the numbers that
/// a tool wrote before them. The rows are those of the text.
pub fn bare_lines<'text>(
    text: &'text str,
    rows: &[Row<'text>],
    is_numbered: bool,
) -> impl Iterator<Item = &'text str> {
    let form = if is_numbered { first_number(text).map(|first| first.form) } else { None };
    // Contents are parts of the text.
    let place = |row: &Row<'_>| row.content.as_ptr() as usize - text.as_ptr() as usize;
    let from = rows.first().map_or(text.len(), place);
    let to = rows.last().map_or(text.len(), |last| place(last) + last.content.len());
    let end = text.bytes().skip(to).position(|byte| byte == b'\n').map_or(text.len(), |behind| to + behind);
    let lines = text.get(from..end).unwrap_or_default().split('\n');
    lines.enumerate().map(move |(at, line)| {
        let found = form.filter(|_| at > 0);
        let found = found.and_then(|form| number_before(line).filter(|found| found.form == form));
        line.get(found.map_or(0, |found| found.bytes)..).unwrap_or_default()
    })
}

/// The numbers of the rows' lines in their file, by the numbers before the lines, else by the first line that the call asked
/// for.
#[must_use]
pub fn line_numbers(text: &str, rows: &[Row<'_>], first: Option<u32>) -> Vec<Option<u32>> {
    // What stands above the first number is a tool's own word.
    let first = first.filter(|_| rows.iter().all(|row| row.number.is_none()));
    let (mut number, mut from) = (first, 0);
    let number_of = |row: &Row<'_>| {
        let place = (row.content.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
        let breaks = text.get(from..place)?.bytes().filter(|&byte| byte == b'\n').count();
        from = place;
        let next = number.and_then(|number| number.checked_add(u32::try_from(breaks).ok()?));
        number = row.number.or(next);
        number
    };
    rows.iter().map(number_of).collect()
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
