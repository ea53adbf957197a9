//! What the encodings' patterns ask of a character.

mod runs;

use runs::RUNS;

/// The classes that the patterns tell apart, by general category.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Class {
    /// None of the others: signs, symbols, what isn't assigned.
    Other,
    /// Lu, Lt.
    Upper,
    /// Ll.
    Lower,
    /// Lm, Lo.
    OtherLetter,
    /// M.
    Mark,
    /// N.
    Number,
    /// White space that doesn't end a line.
    Space,
    /// `\r` and `\n`.
    Newline,
}

impl Class {
    /// The classes by their numbers.
    pub const ALL: [Self; 8] = [
        Self::Other,
        Self::Upper,
        Self::Lower,
        Self::OtherLetter,
        Self::Mark,
        Self::Number,
        Self::Space,
        Self::Newline,
    ];

    /// `\p{L}`
    #[inline]
    pub(super) const fn is_letter(self) -> bool {
        matches!(self, Self::Upper | Self::Lower | Self::OtherLetter)
    }

    /// `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
    #[inline]
    pub(super) const fn ends_word(self) -> bool {
        matches!(self, Self::Lower | Self::OtherLetter | Self::Mark)
    }

    /// `[^\r\n\p{L}\p{N}]`
    #[inline]
    pub(super) const fn may_lead(self) -> bool {
        matches!(self, Self::Other | Self::Mark | Self::Space)
    }

    /// `[^\s\p{L}\p{N}]`
    #[inline]
    pub(super) const fn is_sign(self) -> bool {
        matches!(self, Self::Other | Self::Mark)
    }
}

/// Characters below this one have their class in a table; the few runs above are searched.
const TABLED: u32 = 0x2_0000;

/// The classes of all characters.
#[derive(Clone, Debug)]
pub struct Classes {
    table: Vec<Class>,
    bytes: [Class; 256],
}

impl Classes {
    /// Lays out the table.
    #[must_use]
    pub fn new() -> Self {
        let mut table = vec![Class::Other; TABLED as usize];
        for (at, &run) in RUNS.iter().enumerate() {
            let (start, class) = read(run);
            let end = RUNS.get(at + 1).map_or(TABLED, |&next| read(next).0).min(TABLED);
            if let Some(slots) = table.get_mut(start as usize..end as usize) {
                slots.fill(class);
            }
        }
        let mut bytes = [Class::Other; 256];
        bytes.iter_mut().zip(table.iter().take(128)).for_each(|(to, from)| *to = *from);
        Self { table, bytes }
    }

    /// The class of an ASCII character; another byte has none.
    #[inline]
    pub(super) fn of_byte(&self, byte: u8) -> Class {
        self.bytes.get(usize::from(byte)).copied().unwrap_or(Class::Other)
    }

    /// The class of a character.
    #[inline]
    #[must_use]
    pub fn of(&self, code: u32) -> Class {
        if let Some(&class) = self.table.get(code as usize) {
            return class;
        }
        let behind = RUNS.partition_point(|&run| read(run).0 <= code);
        behind.checked_sub(1).and_then(|at| RUNS.get(at)).map_or(Class::Other, |&run| read(run).1)
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.table.len()
    }
}

impl Default for Classes {
    fn default() -> Self {
        Self::new()
    }
}

/// A run's first character, and its class in the low bits.
fn read(run: u32) -> (u32, Class) {
    (run >> 3, Class::ALL.get((run & 7) as usize).copied().unwrap_or(Class::Other))
}
