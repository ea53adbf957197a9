//! Escape sequences, and lines that a terminal wrote over and over. Sequences go. Their visible
//! effects stay: gaps behind moves of the cursor, addresses of links, and text that is struck through.

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
    let mut screen = Screen { row: 1, column: 0, gap: "", is_struck: false };
    for (at, line) in text.split('\n').enumerate() {
        let pieces = screen.pieces(line);
        let bare = joined(&pieces);
        let ends_hunk = bare.starts_with("diff ") || bare.starts_with("commit ");
        is_hunk = is_diff && (is_hunk && !ends_hunk || bare.starts_with("@@ "));
        if at > 0 {
            kept.push('\n');
        }
        kept.push_str(&if is_hunk { worded(&pieces, bare) } else { bare });
        screen.start_row(screen.row.saturating_add(1));
    }
    Some(kept)
}

/// How git marks words, and lines, that are gone and new.
type Marks = Option<[&'static str; 3]>;
const GONE: Marks = Some(["[-", "-]", "-<"]);
const NEW: Marks = Some(["{+", "+}", "+>"]);

/// The pieces of a line between escape sequences, and what their colour says of them.
type Pieces<'text> = Vec<(Marks, &'text str)>;

/// Around what is struck through, as in Markdown.
const STRUCK: &str = "~~";
/// No gap is wider than the blanks here.
const BLANKS: &str = "                                                                                ";

/// What a terminal remembers from one sequence to the next.
struct Screen {
    /// The cursor's row, from 1.
    row: usize,
    /// The columns before the cursor.
    column: usize,
    /// What parts the next text from the one before it.
    gap: &'static str,
    is_struck: bool,
}

impl Screen {
    fn pieces<'text>(&mut self, line: &'text str) -> Pieces<'text> {
        let (first, mut rest) = line.split_once(ESCAPE).unwrap_or((line, ""));
        let mut pieces = Vec::new();
        // Text that is struck through has its marks on each line.
        let mut has_mark = self.is_struck && !first.is_empty();
        if has_mark {
            pieces.push((None, STRUCK));
        }
        self.write(&mut pieces, None, first);
        let mut marks = None;
        // The address of an open link, and the piece that its text begins with.
        let mut open_link: Option<(&str, usize)> = None;
        while !rest.is_empty() {
            let (sequence, behind) = rest.split_at_checked(sequence(rest)).unwrap_or_default();
            let (text, next) = behind.split_once(ESCAPE).unwrap_or((behind, ""));
            if let Some(codes) = sequence.strip_prefix('[').and_then(|codes| codes.strip_suffix('m')) {
                marks = self.paint(codes, marks);
            } else if let Some((_, target)) =
                sequence.strip_prefix("]8;").and_then(|link| link.split_once(';'))
            {
                close(&mut pieces, open_link.take());
                let target = target.trim_end_matches(['\u{7}', '\\', ESCAPE]);
                open_link = (!target.is_empty()).then_some((target, pieces.len()));
            } else {
                self.travel(sequence, &mut pieces);
            }
            if has_mark != self.is_struck && !text.is_empty() {
                self.part(&mut pieces, text);
                pieces.push((marks, STRUCK));
                has_mark = self.is_struck;
            }
            self.write(&mut pieces, marks, text);
            rest = next;
        }
        if has_mark {
            pieces.push((marks, STRUCK));
        }
        close(&mut pieces, open_link);
        pieces
    }

    fn write<'text>(&mut self, pieces: &mut Pieces<'text>, marks: Marks, text: &'text str) {
        if !text.is_empty() {
            self.part(pieces, text);
            self.column = match text.rsplit_once('\r') {
                Some((_, rest)) => rest.chars().count(),
                None => self.column + text.chars().count(),
            };
            pieces.push((marks, text));
        }
    }

    /// Parts a text from the one before, unless a blank does.
    fn part(&mut self, pieces: &mut Pieces<'_>, text: &str) {
        let last = pieces.last().and_then(|(_, text)| text.chars().next_back());
        if !self.gap.is_empty()
            && last.is_some_and(|last| !last.is_whitespace())
            && !text.starts_with(char::is_whitespace)
        {
            pieces.push((None, self.gap));
        }
        self.gap = "";
    }

    const fn start_row(&mut self, row: usize) {
        (self.row, self.column, self.gap) = (row, 0, "");
    }

    /// Takes in what a sequence says of colours and lines.
    fn paint(&mut self, codes: &str, mut marks: Marks) -> Marks {
        let mut codes = codes.split(';');
        while let Some(code) = codes.next() {
            match code {
                "9" => self.is_struck = true,
                "" | "0" | "29" => self.is_struck = false,
                "1" | "7" | "22" | "27" => continue,
                // A colour by its number or by three.
                "38" | "48" | "58" => {
                    let more = if codes.next() == Some("5") { 1 } else { 3 };
                    codes.by_ref().take(more).for_each(drop);
                }
                _ => {}
            }
            marks = match code {
                "31" => GONE,
                "32" => NEW,
                _ => None,
            };
        }
        marks
    }

    /// Leaves a gap where the cursor moved.
    fn travel(&mut self, sequence: &str, pieces: &mut Pieces<'_>) {
        let parameters = sequence.get(1..sequence.len().saturating_sub(1)).unwrap_or_default();
        let number = |at: usize| parameters.split(';').nth(at).and_then(|number| number.parse().ok());
        let count = number(0).filter(|count| *count > 0).unwrap_or(1);
        let is_control = sequence.starts_with('[');
        if !is_control && sequence.len() > 1 {
            return;
        }
        let column = match (is_control, sequence.bytes().next_back()) {
            (true, Some(b'C' | b'a')) => self.column.saturating_add(count),
            (true, Some(b'D')) => self.column.saturating_sub(count),
            (true, Some(b'G' | b'`')) => count - 1,
            (true, Some(b'H' | b'f')) => {
                self.go_to(count, pieces);
                number(1).unwrap_or(1).max(1) - 1
            }
            (true, Some(b'd')) => return self.go_to(count, pieces),
            (true, Some(b'A' | b'F')) => return self.go_to(self.row.saturating_sub(count), pieces),
            (true, Some(b'B' | b'E' | b'e')) => return self.go_to(self.row.saturating_add(count), pieces),
            (false, Some(b'D' | b'E' | b'M')) => return self.go_to(self.row.saturating_add(1), pieces),
            // The last character again.
            (true, Some(b'b')) => {
                let piece = pieces.last().map_or("", |(_, text)| text);
                let last = piece.chars().next_back().map_or(0, char::len_utf8);
                let again = piece.get(piece.len() - last..).unwrap_or_default();
                let count = if last == 0 { 0 } else { count.min(BLANKS.len()) };
                self.column += count;
                return pieces.extend([(None, again)].into_iter().cycle().take(count));
            }
            (true, Some(b'I' | b'Z' | b'u')) | (false, Some(b'8')) => {
                self.gap = " ";
                return;
            }
            // The old text is gone, and the cursor stays.
            (true, Some(b'J' | b'K')) if !matches!(parameters, "" | "0") => {
                self.gap = " ";
                return;
            }
            _ => return,
        };
        if let Some(gap) = column.checked_sub(self.column) {
            return self.write(pieces, None, BLANKS.get(..gap).unwrap_or(BLANKS));
        }
        // What is written from the start again is a state of the line.
        self.gap = if column == 0 { "\r" } else { " " };
        self.column = column;
    }

    fn go_to(&mut self, row: usize, pieces: &mut Pieces<'_>) {
        if row != self.row {
            if pieces.last().is_some_and(|(_, text)| *text != "\n") {
                pieces.push((None, "\n"));
            }
            self.start_row(row);
        }
    }
}

/// Adds the address of a link to its text, unless that says it.
fn close<'text>(pieces: &mut Pieces<'text>, link: Option<(&'text str, usize)>) {
    let Some((target, start)) = link else { return };
    let text = joined(pieces.get(start..).unwrap_or_default());
    let text = text.trim();
    let bare = target.strip_prefix("mailto:").unwrap_or(target).trim_end_matches('/');
    let bare = bare.split_once("://").map_or(bare, |(_, rest)| rest);
    let is_file = target.starts_with("file:") && target.ends_with(text);
    if !text.is_empty() && !is_file && !text.contains(bare) {
        pieces.extend([(None, " ("), (None, target), (None, ")")]);
    }
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
