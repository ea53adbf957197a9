//! The pieces that a tokenizer cuts text into, as a state machine over ASCII bytes.
//!
//! Each step from one character to the next has a cost; the machine is written down as the
//! readable [`advance`] and tabulated at compile time, one row per [`Piece`] and one column per
//! [`Class`], so that a byte costs one look-up. Costs are thousandths of a token.

use super::runs;

/// Kinds of ASCII bytes that cost the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Class {
    Lower,
    Upper,
    Digit,
    Space,
    Tab,
    Newline,
    Control,
    Backslash,
    /// `'`, which starts contractions.
    Quote,
    /// Symbols that a vocabulary often holds together with the word after them: `.word`, `_word`.
    Joint,
    Operator,
    Neutral,
    Closing,
    Brace,
    /// Symbols that rarely stand together with anything.
    Sparse,
    /// A symbol equal to the byte before it: runs of one symbol merge.
    Repeat,
}

const CLASSES: [Class; 16] = [
    Class::Lower,
    Class::Upper,
    Class::Digit,
    Class::Space,
    Class::Tab,
    Class::Newline,
    Class::Control,
    Class::Backslash,
    Class::Quote,
    Class::Joint,
    Class::Operator,
    Class::Neutral,
    Class::Closing,
    Class::Brace,
    Class::Sparse,
    Class::Repeat,
];

/// What stands before a word within its piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lead {
    None,
    Space,
    Symbol,
}

/// Upper and lower case within a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Lower,
    /// One capital so far.
    Capital,
    Capitals,
    Title,
    /// Several capitals, then small letters.
    Mixed,
}

/// The piece that the text so far ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Nothing was read yet; no step leads here.
    Start,
    Newline,
    /// One space, which joins the piece that follows.
    Space,
    Spaces,
    Tab,
    TwoTabs,
    Tabs,
    /// One, two or three digits of a group.
    Digits(u8),
    /// One symbol, which may join a word that follows.
    Symbol(Class),
    /// One symbol after a space: it joins the space instead.
    SpacedSymbol,
    Symbols,
    Word(Lead, Shape),
    /// Letters of other scripts.
    Letters,
    /// Signs outside ASCII.
    Signs,
}

const PIECES: [Piece; 38] = [
    Piece::Start,
    Piece::Newline,
    Piece::Space,
    Piece::Spaces,
    Piece::Tab,
    Piece::TwoTabs,
    Piece::Tabs,
    Piece::Digits(1),
    Piece::Digits(2),
    Piece::Digits(3),
    Piece::Symbol(Class::Control),
    Piece::Symbol(Class::Backslash),
    Piece::Symbol(Class::Quote),
    Piece::Symbol(Class::Joint),
    Piece::Symbol(Class::Operator),
    Piece::Symbol(Class::Neutral),
    Piece::Symbol(Class::Closing),
    Piece::Symbol(Class::Brace),
    Piece::Symbol(Class::Sparse),
    Piece::SpacedSymbol,
    Piece::Symbols,
    Piece::Letters,
    Piece::Signs,
    Piece::Word(Lead::None, Shape::Lower),
    Piece::Word(Lead::None, Shape::Capital),
    Piece::Word(Lead::None, Shape::Capitals),
    Piece::Word(Lead::None, Shape::Title),
    Piece::Word(Lead::None, Shape::Mixed),
    Piece::Word(Lead::Space, Shape::Lower),
    Piece::Word(Lead::Space, Shape::Capital),
    Piece::Word(Lead::Space, Shape::Capitals),
    Piece::Word(Lead::Space, Shape::Title),
    Piece::Word(Lead::Space, Shape::Mixed),
    Piece::Word(Lead::Symbol, Shape::Lower),
    Piece::Word(Lead::Symbol, Shape::Capital),
    Piece::Word(Lead::Symbol, Shape::Capitals),
    Piece::Word(Lead::Symbol, Shape::Title),
    Piece::Word(Lead::Symbol, Shape::Mixed),
];

impl Piece {
    /// The row of the piece in the step table.
    pub(super) const fn row(self) -> Row {
        let index = match self {
            Self::Start => 0,
            Self::Newline => 1,
            Self::Space => 2,
            Self::Spaces => 3,
            Self::Tab => 4,
            Self::TwoTabs => 5,
            Self::Tabs => 6,
            Self::Digits(count) => 6 + count,
            Self::Symbol(class) => 10 + (class as u8 - Class::Control as u8),
            Self::SpacedSymbol => 19,
            Self::Symbols => 20,
            Self::Letters => 21,
            Self::Signs => 22,
            Self::Word(lead, shape) => 23 + 5 * lead as u8 + shape as u8,
        };
        Row(index as u16 * COLUMNS_PER_ROW)
    }
}

/// The class of a byte that does not repeat a symbol.
const fn class_of(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' => Class::Lower,
        b'A'..=b'Z' => Class::Upper,
        b'0'..=b'9' => Class::Digit,
        b' ' => Class::Space,
        b'\t' => Class::Tab,
        b'\n' | b'\r' => Class::Newline,
        b'\\' => Class::Backslash,
        b'\'' => Class::Quote,
        b'.' | b'_' | b'#' | b'(' => Class::Joint,
        b'-' | b'=' | b',' | b'<' | b'[' | b'%' => Class::Operator,
        b'"' | b')' | b'*' | b'/' => Class::Neutral,
        b'>' | b';' | b'$' | b':' | b']' => Class::Closing,
        b'{' | b'}' => Class::Brace,
        b'&' | b'^' | b'?' | b'@' | b'+' | b'|' | b'!' | b'~' | b'`' => Class::Sparse,
        _ => Class::Control,
    }
}

/// The piece after the next byte, and what the byte costs.
const fn advance(piece: Piece, class: Class) -> (Piece, i16) {
    match class {
        Class::Lower | Class::Upper => advance_letter(piece, matches!(class, Class::Upper)),
        Class::Digit => match piece {
            Piece::Digits(count @ 1..=2) => (Piece::Digits(count + 1), 0),
            // A space joins words and symbols but not digits, so it is a token of its own.
            Piece::Space | Piece::Spaces => (Piece::Digits(1), 2_000),
            _ => (Piece::Digits(1), 1_000),
        },
        Class::Space => match piece {
            Piece::Space => (Piece::Spaces, 1_000),
            Piece::Spaces => (Piece::Spaces, 8),
            _ => (Piece::Space, 0),
        },
        Class::Tab => match piece {
            Piece::Tab => (Piece::TwoTabs, 770),
            Piece::TwoTabs | Piece::Tabs => (Piece::Tabs, 100),
            _ => (Piece::Tab, 960),
        },
        Class::Newline => match piece {
            Piece::Newline | Piece::Spaces => (Piece::Newline, 50),
            Piece::Tab | Piece::TwoTabs | Piece::Tabs => (Piece::Newline, 30),
            Piece::Symbol(_) | Piece::SpacedSymbol | Piece::Symbols => (Piece::Newline, 0),
            _ => (Piece::Newline, 980),
        },
        _ => advance_symbol(piece, class),
    }
}

const fn advance_letter(piece: Piece, upper: bool) -> (Piece, i16) {
    let shape = if upper { Shape::Capital } else { Shape::Lower };
    match piece {
        Piece::Word(lead, shape) => extend_word(lead, shape, upper),
        Piece::Space | Piece::Spaces => (Piece::Word(Lead::Space, shape), if upper { 870 } else { 960 }),
        Piece::Symbol(symbol) => {
            (Piece::Word(Lead::Symbol, shape), after_symbol(symbol) + if upper { 250 } else { 130 })
        }
        Piece::Tab | Piece::TwoTabs | Piece::Tabs => (Piece::Word(Lead::None, shape), 200),
        Piece::Letters => (Piece::Word(Lead::None, shape), -170),
        Piece::Signs => (Piece::Word(Lead::None, shape), 610),
        _ => (Piece::Word(Lead::None, shape), if upper { 910 } else { 900 }),
    }
}

const fn extend_word(lead: Lead, shape: Shape, upper: bool) -> (Piece, i16) {
    let next = match (shape, upper) {
        // `fooBar`: a capital after small letters starts the next piece.
        (Shape::Lower | Shape::Title | Shape::Mixed, true) => {
            return (Piece::Word(Lead::None, Shape::Capital), 970);
        }
        (Shape::Capital | Shape::Capitals, true) => Shape::Capitals,
        (Shape::Capital, false) => Shape::Title,
        (Shape::Capitals, false) => Shape::Mixed,
        (shape, false) => shape,
    };
    let cost = match (lead, next) {
        (Lead::None | Lead::Space, Shape::Title) | (Lead::None, Shape::Lower | Shape::Capital) => 275,
        (Lead::Space, Shape::Lower | Shape::Capital) => 240,
        (Lead::Symbol, Shape::Lower | Shape::Capital | Shape::Title) => 325,
        (Lead::None, Shape::Capitals) => 430,
        (Lead::Space, Shape::Capitals) => 330,
        (Lead::Symbol, Shape::Capitals) => 400,
        (Lead::None | Lead::Space, Shape::Mixed) => 375,
        (Lead::Symbol, Shape::Mixed) => 470,
    };
    (Piece::Word(lead, next), cost)
}

/// What a word costs beyond its letters for the symbol it joins.
const fn after_symbol(symbol: Class) -> i16 {
    match symbol {
        Class::Quote => -810,
        Class::Joint => -340,
        Class::Operator => -80,
        Class::Neutral => 100,
        Class::Closing => 430,
        Class::Brace | Class::Sparse => 540,
        _ => 0,
    }
}

const fn advance_symbol(piece: Piece, class: Class) -> (Piece, i16) {
    match piece {
        Piece::Symbol(_) | Piece::SpacedSymbol => (Piece::Symbols, second_symbol(class)),
        Piece::Symbols => (Piece::Symbols, further_symbol(class)),
        Piece::Space | Piece::Spaces if matches!(class, Class::Control) => (Piece::SpacedSymbol, 2_850),
        Piece::Space | Piece::Spaces => (Piece::SpacedSymbol, 990),
        // Control characters mostly start terminal sequences, of which vocabularies know little.
        _ if matches!(class, Class::Control) => (Piece::Symbol(class), 1_960),
        _ => (Piece::Symbol(class), 990),
    }
}

const fn second_symbol(class: Class) -> i16 {
    match class {
        Class::Control => 1_650,
        Class::Sparse => 290,
        Class::Brace => 70,
        Class::Backslash | Class::Joint | Class::Operator | Class::Quote => 50,
        Class::Repeat => 20,
        _ => 0,
    }
}

const fn further_symbol(class: Class) -> i16 {
    match class {
        Class::Control | Class::Sparse => 1_000,
        Class::Quote => 750,
        Class::Backslash => 560,
        Class::Brace | Class::Joint | Class::Operator => 330,
        Class::Repeat => 0,
        _ => 230,
    }
}

/// One cell of the step table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Thousandths of a token.
    pub(super) cost: i16,
    /// The row of the piece that follows.
    pub(super) next: Row,
}

/// Where a piece's row starts in the step table: its index times the number of columns, so that
/// a step needs no multiplication.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Row(u16);

impl Row {
    /// The piece of the row.
    pub(super) fn piece(self) -> Piece {
        PIECES.get(usize::from(self.0 / COLUMNS_PER_ROW)).copied().unwrap_or(Piece::Start)
    }
}

const COLUMNS_PER_ROW: u16 = 16;
/// The column of each byte and, above its four bits, how many equal ones make one token at most, as a power of
/// two; bytes outside ASCII are never asked for.
static COLUMNS: [u8; 256] = columns();
/// Row after row of cells.
static STEPS: [Step; PIECES.len() * CLASSES.len()] = steps();

const fn columns() -> [u8; 256] {
    let mut columns = [0; 256];
    let mut rest: &mut [u8] = &mut columns;
    let mut byte: u8 = 0;
    while let Some((column, others)) = rest.split_first_mut() {
        *column = class_of(byte) as u8 | runs::longest(byte) << 4;
        rest = others;
        byte = byte.wrapping_add(1);
    }
    columns
}

const fn steps() -> [Step; PIECES.len() * CLASSES.len()] {
    let mut steps = [Step { cost: 0, next: Row(0) }; PIECES.len() * CLASSES.len()];
    let mut cells: &mut [Step] = &mut steps;
    let mut pieces: &[Piece] = &PIECES;
    while let Some((piece, others)) = pieces.split_first() {
        let Some((row, rest)) = cells.split_at_mut_checked(CLASSES.len()) else { break };
        fill(row, *piece);
        cells = rest;
        pieces = others;
    }
    steps
}

const fn fill(mut row: &mut [Step], piece: Piece) {
    let mut classes: &[Class] = &CLASSES;
    while let (Some((cell, other_cells)), Some((class, others))) =
        (row.split_first_mut(), classes.split_first())
    {
        let (next, cost) = advance(piece, *class);
        *cell = Step { cost, next: next.row() };
        row = other_cells;
        classes = others;
    }
}

/// The step from a piece over an ASCII byte, given the byte before it and how often that repeats the one before.
#[inline]
pub(super) fn step(piece: Row, previous: u8, byte: u8, repeats: &mut u8) -> Step {
    let column = COLUMNS.get(usize::from(byte)).copied().unwrap_or(Class::Control as u8);
    let own = column & 15;
    if byte != previous || own < Class::Backslash as u8 {
        *repeats = 0;
        return cell(piece, own);
    }
    *repeats = repeats.saturating_add(1);
    let step = cell(piece, Class::Repeat as u8);
    Step { cost: step.cost + runs::cost(*repeats, column >> 4), ..step }
}

#[inline]
fn cell(piece: Row, column: u8) -> Step {
    STEPS.get(usize::from(piece.0 | u16::from(column))).copied().unwrap_or(Step { cost: 0, next: piece })
}

#[cfg(test)]
mod tests {
    use super::{CLASSES, COLUMNS_PER_ROW, PIECES};

    #[test]
    fn rows_and_columns_are_in_the_order_of_their_numbers() {
        assert_eq!(CLASSES.len(), usize::from(COLUMNS_PER_ROW));
        for (column, class) in CLASSES.iter().enumerate() {
            assert_eq!(*class as usize, column);
        }
        for (index, piece) in PIECES.iter().enumerate() {
            assert_eq!(usize::from(piece.row().0), index * CLASSES.len());
            assert_eq!(piece.row().piece(), *piece);
        }
    }
}
