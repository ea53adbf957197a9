//! How a letter's cost depends on the letter before it.
//!
//! Vocabularies are made of common letter sequences: in `the` no letter adds a token, in `xqj`
//! each does. The table says how far a letter's cost lies above or below the average.

/// Thousandths of a token per step of the table.
const STEP: i16 = 50;
/// The table's sign for an average pair; `n` is one step dearer, `l` one step cheaper.
const AVERAGE: i16 = b'm' as i16;

/// One row for each first letter, one column for each second letter, upper and lower case alike.
/// Fitted to `o200k_base` counts of source code, documentation and tool output.
const STEPS: [&[u8; 26]; 26] = [
    b"lijirkgwjslghhzhrgihmhhjfe",
    b"jopohvjpkfphiqgspikshrvtjp",
    b"ipjnfhnhhlelmsgmpglfhvnsgw",
    b"jllignkqibfkplilwjjjhnnohn",
    b"hljjiihnnooikiikhhiimmjhjr",
    b"hprofirphuqjgkgcrimghqtqhr",
    b"qtqoiulmkosijkkoriihkntrkl",
    b"iekojoykiruumpinnmmehooslm",
    b"lihggherkujghgfhinhfjhljsb",
    b"ppqsioqpqrqmrugplujtmoqrqt",
    b"immjhhcvkpopqgzjmvhsuoltop",
    b"imlihinmjqviuthhrligfhkrgw",
    b"hgpjfqlmlvijhjfiptkmloonnr",
    b"kviiglhpkpkmikilspiiilkrjo",
    b"jjjkiiiqifikigijsiligkhimv",
    b"hpnegrtnlpsilsfipijghlqlkr",
    b"toovuzqtrqqenvnymklngprspq",
    b"jpnihjiniujmgjgoqijiilnnfq",
    b"krjjgiiijpjqokiinahhiokzkn",
    b"inkmhlnglmpkkmikvjjiivilgr",
    b"jjjjhkishzugjiqktfhglpxkxq",
    b"jwzsgriofrjrpuiortpqjonqns",
    b"hjnkgnngkoqmpghmsjimtniyut",
    b"gmltjwqujvpkjmpjqtphrpmjjp",
    b"nnnqkqyontpiqhklrikgntkrhh",
    b"rqrunsqxopvsvsmsrsyotnqsnl",
];

/// A row and a column more than letters, and a power of two: index 0 stands for everything else.
const SIDE: usize = 32;

/// The costs in thousandths of a token, by the low five bits of both letters.
static COSTS: [[i16; SIDE]; SIDE] = table();

const fn table() -> [[i16; SIDE]; SIDE] {
    let mut table = [[0; SIDE]; SIDE];
    let [_, rows @ ..] = &mut table;
    let mut rows: &mut [[i16; SIDE]] = rows;
    let mut source: &[&[u8; 26]] = &STEPS;
    while let (Some((row, other_rows)), Some((signs, others))) =
        (rows.split_first_mut(), source.split_first())
    {
        fill(row, *signs);
        rows = other_rows;
        source = others;
    }
    table
}

const fn fill(row: &mut [i16; SIDE], mut signs: &[u8]) {
    let [_, cells @ ..] = row;
    let mut cells: &mut [i16] = cells;
    while let (Some((cell, other_cells)), Some((sign, others))) =
        (cells.split_first_mut(), signs.split_first())
    {
        *cell = (*sign as i16 - AVERAGE) * STEP;
        cells = other_cells;
        signs = others;
    }
}

/// 1 to 26 for letters, 0 for other bytes.
static LETTERS: [u8; 256] = letters();

const fn letters() -> [u8; 256] {
    let mut letters = [0; 256];
    let mut rest: &mut [u8] = &mut letters;
    let mut byte: u8 = 0;
    while let Some((letter, others)) = rest.split_first_mut() {
        if byte.is_ascii_alphabetic() {
            *letter = byte & 31;
        }
        rest = others;
        byte = byte.wrapping_add(1);
    }
    letters
}

/// Thousandths of a token that two neighbouring [letters](letter) add; none if one is no letter.
#[inline]
pub(super) fn cost(previous: usize, next: usize) -> i16 {
    COSTS.get(previous & 31).and_then(|row| row.get(next & 31)).copied().unwrap_or(0)
}

/// The number of an ASCII letter, 0 for other bytes.
#[inline]
pub(super) fn letter(byte: u8) -> usize {
    // The mask changes nothing; it shows the compiler that no further check is needed.
    usize::from(LETTERS.get(usize::from(byte)).copied().unwrap_or(0) & 31)
}
