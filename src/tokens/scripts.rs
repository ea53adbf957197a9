//! Costs of characters outside ASCII, by script.
//!
//! A vocabulary holds whole words of the scripts it was trained on and single bytes of the
//! rest, so a cost per script is a good guide where a cost per word would need the vocabulary.

use super::pieces::{Lead, Piece, Shape};

/// Writing systems and families of signs that cost about the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Script {
    /// Letters like é and ß, which stand inside words of ASCII letters.
    #[default]
    Latin,
    /// Combining accents.
    Mark,
    Greek,
    Cyrillic,
    /// Armenian and Georgian.
    Caucasian,
    Hebrew,
    Arabic,
    /// Devanagari, Bengali, Tamil and the other large scripts of India.
    Indic,
    /// Sinhala, Burmese and Khmer.
    Brahmic,
    Thai,
    Han,
    Kana,
    Hangul,
    /// Single letters of Hangul, and Bopomofo.
    Jamo,
    /// Letters that mostly cost two bytes' worth of tokens: Lao, Tibetan, Ethiopic, Thaana.
    Uncommon,
    /// Characters that cost one token for each of their bytes.
    Rare,
    /// Signs of Latin-1 like § and ·.
    Sign,
    /// Dashes, quotation marks, the ellipsis, wide blanks.
    Punctuation,
    /// Punctuation and forms of full width.
    Wide,
    /// Arrows, mathematics, dingbats.
    Symbol,
    /// Box drawing and blocks; runs of them merge.
    Frame,
    Emoji,
    /// Skin tones of emoji.
    Tone,
    /// Zero-width joiner and variation selectors.
    Joiner,
}

/// The script of each range of code points, by the last code point of the range.
const RANGES: [(u32, Script); 50] = [
    (0x00bf, Script::Sign),
    (0x024f, Script::Latin),
    (0x02ff, Script::Uncommon),
    (0x036f, Script::Mark),
    (0x03ff, Script::Greek),
    (0x052f, Script::Cyrillic),
    (0x058f, Script::Caucasian),
    (0x05ff, Script::Hebrew),
    (0x077f, Script::Arabic),
    (0x08ff, Script::Uncommon),
    (0x0d7f, Script::Indic),
    (0x0dff, Script::Brahmic),
    (0x0e7f, Script::Thai),
    (0x0fff, Script::Uncommon),
    (0x109f, Script::Brahmic),
    (0x10ff, Script::Caucasian),
    (0x11ff, Script::Rare),
    (0x139f, Script::Uncommon),
    (0x177f, Script::Rare),
    (0x17ff, Script::Brahmic),
    (0x1dff, Script::Rare),
    (0x1eff, Script::Latin),
    (0x1fff, Script::Greek),
    (0x200a, Script::Punctuation),
    (0x200f, Script::Joiner),
    (0x206f, Script::Punctuation),
    (0x24ff, Script::Symbol),
    (0x259f, Script::Frame),
    (0x2bff, Script::Symbol),
    (0x2fff, Script::Rare),
    (0x303f, Script::Wide),
    (0x30ff, Script::Kana),
    (0x318f, Script::Jamo),
    (0x4dff, Script::Rare),
    (0x9fff, Script::Han),
    (0xabff, Script::Rare),
    (0xd7ff, Script::Hangul),
    (0xfaff, Script::Rare),
    (0xfdff, Script::Arabic),
    (0xfe0f, Script::Joiner),
    (0xfefe, Script::Arabic),
    (0xfeff, Script::Punctuation),
    (0xffff, Script::Wide),
    (0x1_efff, Script::Rare),
    (0x1_f1e5, Script::Emoji),
    (0x1_f1ff, Script::Symbol),
    (0x1_f3fa, Script::Emoji),
    (0x1_f3ff, Script::Tone),
    (0x1_fbff, Script::Emoji),
    (0x10_ffff, Script::Rare),
];

/// What a letter like é costs inside a word, and as the first letter of one.
const LATIN_INSIDE: i16 = 560;
const LATIN_FIRST: i16 = 1_180;

impl Script {
    /// Costs in thousandths of a token: of the first character of a run, and of the others.
    const fn costs(self) -> (i16, i16) {
        match self {
            Self::Latin => (LATIN_FIRST, LATIN_INSIDE),
            Self::Mark => (1_000, 700),
            Self::Greek => (500, 440),
            Self::Cyrillic => (950, 175),
            Self::Caucasian => (1_100, 400),
            Self::Hebrew => (420, 540),
            Self::Arabic => (600, 320),
            Self::Indic => (600, 340),
            Self::Brahmic => (940, 670),
            Self::Thai => (1_400, 310),
            Self::Han => (950, 810),
            Self::Kana => (500, 730),
            Self::Hangul => (830, 690),
            Self::Jamo => (1_200, 1_000),
            Self::Uncommon => (2_600, 1_770),
            Self::Rare => (3_600, 2_900),
            Self::Sign | Self::Tone => (1_000, 500),
            Self::Punctuation => (770, 300),
            Self::Wide => (300, 750),
            Self::Symbol => (1_030, 2_000),
            Self::Frame => (1_600, 70),
            Self::Emoji => (1_950, 1_250),
            Self::Joiner => (460, 930),
        }
    }

    /// Whether characters of the script form words rather than runs of signs.
    const fn is_letters(self) -> bool {
        !matches!(
            self,
            Self::Sign | Self::Punctuation | Self::Wide | Self::Symbol | Self::Frame | Self::Emoji
        )
    }
}

/// A character outside ASCII.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Other {
    character: char,
    pub(super) script: Script,
}

impl Other {
    pub(super) fn new(character: char) -> Self {
        let code = u32::from(character);
        let row = RANGES.partition_point(|(last, _)| *last < code);
        Self { character, script: RANGES.get(row).map_or(Script::Rare, |(_, script)| *script) }
    }
}

/// The step over a Latin letter outside ASCII: it continues a word, or starts one.
pub(super) const fn latin_step(piece: Piece) -> (Piece, i16) {
    match piece {
        Piece::Word(lead, Shape::Capital | Shape::Capitals) => {
            (Piece::Word(lead, Shape::Mixed), LATIN_INSIDE)
        }
        Piece::Word(..) => (piece, LATIN_INSIDE),
        Piece::Space | Piece::Spaces => (Piece::Word(Lead::Space, Shape::Lower), LATIN_FIRST),
        _ => (Piece::Word(Lead::None, Shape::Lower), LATIN_FIRST),
    }
}

/// What a change of the character costs within a run of box drawing.
const FRAME_CHANGE: i16 = 1_000;

/// The step over a character of another script, which continues a run of its script or starts one.
pub(super) fn foreign_step(piece: Piece, before: Other, now: Other) -> (Piece, i16) {
    let (first, following) = now.script.costs();
    let modifies = matches!(now.script, Script::Mark | Script::Joiner | Script::Tone);
    let continues = match piece {
        Piece::Letters | Piece::Signs => modifies || before.script == now.script,
        Piece::Word(..) => modifies,
        _ => false,
    };
    let cost = match now.script {
        _ if !continues => first,
        Script::Frame if before.character != now.character => FRAME_CHANGE,
        _ => following,
    };
    (if now.script.is_letters() { Piece::Letters } else { Piece::Signs }, cost)
}

#[cfg(test)]
mod tests {
    use super::RANGES;

    #[test]
    fn ranges_ascend_and_cover_all_of_unicode() {
        assert!(RANGES.windows(2).all(|rows| rows[0].0 < rows[1].0));
        assert_eq!(RANGES.last().map(|row| row.0), Some(u32::from(char::MAX)));
    }
}
