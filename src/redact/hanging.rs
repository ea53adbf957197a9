//! Names whose values stand on the lines below: blocks and lists of YAML and JSON, keys of property lists, columns of
//! tables, defaults of Terraform's variables, members of a Kubernetes secret.

use super::assignment::{Place, known, name_before, secret_at};
use super::boundaries::REPLACED;
use super::bytes::{at, before, find, find_last, has, is_blank, part, run_end, run_end_within};
use super::columns::{self, Columns, Row};
use super::found::Found;
use super::names::{Strength, classify, kind_in, of_plural};
use super::rows::Rows;
use super::{below, cells, html, phrases, protocols, putty, words};

/// How the lines below hold the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// One of them is the value.
    Next,
    /// Each that is indented holds one, until one doesn't.
    Block,
    /// Each has it in some of its cells.
    Table(Columns),
    /// One of them says `default = …`.
    Default,
    /// Each is a pair of a secret.
    Data,
    /// Each is a name and its value, with a bar between.
    Record,
    /// So many of them are a private key.
    Key(usize),
    /// They hold rows of what was announced.
    Rows(Rows),
    /// They tell whether the value behind a colon of the name's own line is secret.
    Below(usize),
}

/// A name at the end of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hanging {
    form: Form,
    strength: Strength,
    kind: &'static str,
    indent: usize,
    /// How many lines were looked at.
    lines: usize,
}

/// What a line below is.
pub(super) enum Line {
    /// It holds a secret.
    Secret(Found),
    /// It holds none, and more lines may follow.
    Other,
    /// It belongs to something else.
    End,
}

/// Lines of more bytes have no hanging name.
const LONGEST: usize = 200;
/// What begins a block is shorter.
const LONGEST_TAIL: usize = 32;
/// How many lines may be looked at before the value.
const MOST_LINES: usize = 8;

/// The name that hangs behind a word, if nothing but the signs of a block follow on its line.
pub(super) fn find_hanging(bytes: &[u8], word: usize, stop: usize) -> Option<Hanging> {
    if let Some((columns, (strength, kind))) =
        columns::of_header(bytes, stop).or_else(|| columns::of_copy(bytes, word, stop))
    {
        return Some(Hanging { form: Form::Table(columns), strength, kind, indent: 0, lines: 0 });
    }
    if let Some(rows) = open_rows(bytes, word, stop) {
        return Some(Hanging::of(Form::Rows(rows)));
    }
    if at(bytes, stop) == b':' && below::may_decide(bytes, stop) {
        return Some(Hanging::of(Form::Below(stop)));
    }
    if protocols::asks(bytes, word, stop) {
        return Some(Hanging { strength: Strength::Whole, kind: "password", ..Hanging::of(Form::Next) });
    }
    if !matches!(at(bytes, stop), 0 | b'\n' | b'\r' | b':' | b'|' | b'<' | b'"') {
        return None;
    }
    let end = run_end_within(bytes, stop, LONGEST_TAIL, |byte| byte != b'\n');
    if end == stop + LONGEST_TAIL {
        return None;
    }
    let tail = part(bytes, stop, end).trim_ascii();
    let of = |form, (mut strength, kind)| {
        if form == Form::Next && strength == Strength::Made {
            strength = Strength::Key;
        }
        let line = line_before(bytes, stop);
        let indent = run_end(line, 0, is_blank);
        (strength != Strength::Cookie).then_some(Hanging { form, strength, kind, indent, lines: 0 })
    };
    let secret = (Strength::Whole, "secret");
    if let Some(found) = html::named_below(bytes, stop) {
        return of(Form::Next, found);
    }
    match tail {
        [] if line_before(bytes, stop).starts_with(b"-[ RECORD ") => of(Form::Record, secret),
        [] => of(
            Form::Next,
            machine_made(bytes, stop).or_else(|| phrases::described_before(bytes, word, stop))?,
        ),
        b"</key>" => of(Form::Next, known(bytes, &name_before(bytes, stop))?),
        // A dump of PHP has the value on the next line: `["password"]=>`.
        [b'"', .., b']', b'=', b'>'] => of(Form::Next, classify(part(bytes, word, stop))?),
        b"\" {" if has(bytes, word.saturating_sub(10), "variable \"") => {
            of(Form::Default, classify(part(bytes, word, stop))?)
        }
        [b':', count @ ..] if putty::opens(bytes, stop) => of(Form::Key(putty::count(count)?), secret),
        [b':', opening @ ..] => {
            let key = name_before(bytes, stop);
            let opening = opening.trim_ascii();
            if matches!(key.name, b"data" | b"stringData") && matches!(opening, b"" | b"{") {
                return of(Form::Data, secret);
            }
            let is_opening = |byte: &u8| matches!(byte, b'|' | b'>' | b'-' | b'+' | b'[' | b'*');
            let found = known(bytes, &key).or_else(|| of_plural(key.name))?;
            let is_mark = |word: &[u8]| matches!(word, [b'!' | b'&', ..]) || word.iter().all(is_opening);
            if opening.split(|byte| *byte == b' ').all(is_mark) { of(Form::Block, found) } else { None }
        }
        _ => None,
    }
}

/// The first name between two places of a line whose value stands below.
pub(super) fn hanging_in(bytes: &[u8], start: usize, end: usize) -> Option<Hanging> {
    first_of(bytes, (start, end), find_hanging).map(|hanging| hanging.shifted(start))
}

/// The rows that a line announces on the lines below it; more may stand behind the announcement.
pub(super) fn rows_in(bytes: &[u8], start: usize, end: usize) -> Option<Hanging> {
    let rows = first_of(bytes, (start, end), open_rows)?;
    Some(Hanging::of(Form::Rows(rows.shifted(start))))
}

/// The first of what a search finds at the words of a line.
fn first_of<Item>(
    bytes: &[u8],
    (start, end): (usize, usize),
    search: impl Fn(&[u8], usize, usize) -> Option<Item>,
) -> Option<Item> {
    let line = part(bytes, start, end);
    let mut place = 0;
    while let Some((word, stop)) = words::next(line, place) {
        if let Some(found) = search(line, word, stop) {
            return Some(found);
        }
        place = stop + 1;
    }
    None
}

/// The rows that a word announces, behind those on its own line; nothing if none can follow.
fn open_rows(bytes: &[u8], word: usize, stop: usize) -> Option<Rows> {
    let mut rows = Rows::of(bytes, word, stop)?;
    let end = run_end(bytes, stop, |byte| byte != b'\n');
    while rows.next(bytes, end).is_some() {}
    rows.is_open().then_some(rows)
}

/// The line before a place, as far as it matters.
fn line_before(bytes: &[u8], stop: usize) -> &[u8] {
    let line = part(bytes, stop.saturating_sub(LONGEST), stop);
    line.rsplit(|byte| *byte == b'\n').next().unwrap_or_default()
}

/// What the name at the end of a line says, if machines make its values.
fn machine_made(bytes: &[u8], end: usize) -> Option<(Strength, &'static str)> {
    known(bytes, &name_before(bytes, end)).filter(|(strength, _)| *strength == Strength::Made)
}

impl Hanging {
    /// A form that needs no name.
    const fn of(form: Form) -> Self {
        Self { form, strength: Strength::Whole, kind: "secret", indent: 0, lines: 0 }
    }

    /// The same in a text with more before it.
    const fn shifted(self, by: usize) -> Self {
        let form = match self.form {
            Form::Rows(rows) => Form::Rows(rows.shifted(by)),
            Form::Below(colon) => Form::Below(colon + by),
            form => form,
        };
        Self { form, ..self }
    }

    /// The colon whose value the lines below decide on.
    pub(super) const fn undecided(&self) -> Option<usize> {
        if let Form::Below(colon) = self.form { Some(colon) } else { None }
    }

    /// Whether lines hang that follow the header's end; `None` if only later text tells.
    pub(super) fn is_secret(
        &self,
        bytes: &[u8],
        header: usize,
        end: usize,
        is_complete: bool,
    ) -> Option<bool> {
        if self.form != Form::Data {
            return Some(true);
        }
        let above = part(bytes, header.saturating_sub(KIND_ABOVE), header);
        let from = find_last(above, "apiVersion").max(find_last(above, REPLACED));
        if let Some(kind) = kind_in(part(above, from, above.len())) {
            return Some(kind);
        }
        let near = part(bytes, end, bytes.len().min(end + KIND_BELOW));
        let object = part(near, 0, find(near, 0, "apiVersion").unwrap_or(near.len()));
        match kind_in(object) {
            None if object.len() == near.len() && near.len() < KIND_BELOW && !is_complete => None,
            kind => Some(kind.unwrap_or(false)),
        }
    }

    /// The kind of the line from `start` to `end`.
    pub(super) fn line(&mut self, bytes: &[u8], start: usize, end: usize) -> Line {
        let bytes = part(bytes, 0, end);
        let text = part(bytes, start, end).trim_ascii();
        let indent = run_end(bytes, start, is_blank) - start;
        let first = start + indent;
        self.lines += 1;
        let is_item = has(bytes, first, "- ");
        let is_over = match self.form {
            Form::Table(columns) => {
                // What hangs by itself isn't a row.
                if hanging_in(bytes, start, end).is_some() {
                    return Line::End;
                }
                return match columns.row(bytes, (start, end), self.lines == 1) {
                    Row::Other => Line::End,
                    Row::Rule => Line::Other,
                    Row::Values => {
                        self.next_in_row(bytes, (start, end), start).map_or(Line::Other, Line::Secret)
                    }
                };
            }
            Form::Rows(ref mut rows) => {
                let hangs = hanging_in(bytes, start, end)
                    .is_some_and(|other| !matches!(other.form, Form::Rows(_) | Form::Below(_)));
                *rows = rows.at(start);
                let found = if hangs { None } else { rows.next(bytes, end) };
                return match found {
                    Some(found) => Line::Secret(found),
                    None if hangs || !rows.is_open() => Line::End,
                    None => Line::Other,
                };
            }
            Form::Record => {
                let bar = run_end(bytes, start, |byte| byte != b'|');
                let name = cells::name_in(part(bytes, start, bar)).filter(|_| bar < end);
                let Some(name) = name else { return Line::End };
                let found = classify(name).filter(|(strength, _)| strength.is_of_column());
                let found = found.and_then(|(strength, kind)| {
                    cells::secret_in(bytes, (bar + 1, first + text.len()), strength, kind)
                });
                return found.map_or(Line::Other, Line::Secret);
            }
            Form::Key(count) => {
                let line = first + text.len();
                return if self.lines <= count && putty::is_line(text) {
                    Line::Secret(Found { start: first, end: line, kind: "private-key" })
                } else {
                    Line::End
                };
            }
            Form::Below(_) => true,
            Form::Next => self.lines > 3,
            Form::Default => self.lines > MOST_LINES || at(text, 0) == b'}',
            Form::Block | Form::Data => {
                let is_outside = indent < self.indent || indent == self.indent && !is_item;
                !text.is_empty() && is_outside || matches!(at(text, 0), b']' | b'}')
            }
        };
        if is_over {
            return Line::End;
        }
        if text.is_empty() || find(text, 0, "[REDACTED").is_some() {
            return Line::Other;
        }
        let place = match self.form {
            Form::Default | Form::Data => {
                let sign = run_end(bytes, first, |byte| !matches!(byte, b'=' | b':')) + 1;
                let is_pair = self.form == Form::Data || text.starts_with(b"default");
                if is_pair { sign } else { end }
            }
            Form::Next if has(bytes, first, "string(") => run_end(bytes, first, |byte| byte != b' '),
            Form::Next if at(bytes, first) == b'<' => run_end(bytes, first, |byte| byte != b'>') + 1,
            Form::Block if is_item => first + 2,
            _ => first,
        };
        let place = run_end(bytes, place, is_blank);
        let is_tag = before(bytes, place) == b'>' && self.form == Form::Next;
        let place_of = match self.form {
            Form::Next if is_tag => Place::Tag,
            Form::Block if is_item && self.lines == 1 => Place::Member,
            _ => Place::Setting,
        };
        let found = secret_at(bytes, place, self.strength, self.kind, place_of).filter(|found| {
            let behind = part(bytes, found.end, end).trim_ascii_end();
            is_tag || behind.iter().all(|byte| matches!(byte, b'"' | b'\'' | b'`' | b','))
        });
        match (found, self.form) {
            (Some(found), _) => Line::Secret(found),
            (None, Form::Next | Form::Block) => Line::End,
            (None, _) => Line::Other,
        }
    }

    /// The next secret of a table's row, from a place on.
    pub(super) fn next_in_row(&mut self, bytes: &[u8], row: (usize, usize), from: usize) -> Option<Found> {
        match &mut self.form {
            Form::Table(columns) => columns.secret(bytes, row, from, (self.strength, self.kind)),
            Form::Rows(rows) => rows.next(bytes, row.1),
            _ => None,
        }
    }

    /// Whether one secret is all that hangs.
    pub(super) fn is_done(&self) -> bool {
        matches!(self.form, Form::Next | Form::Default)
    }
}

/// How far above its members a secret may say what it is.
pub(super) const KIND_ABOVE: usize = 1024;
/// How far below their start.
const KIND_BELOW: usize = 4096;
