//! Runs of one symbol: how many of it a vocabulary holds together.

/// How many of a symbol are one token at most, as a power of two.
pub(super) const fn longest(byte: u8) -> u8 {
    match byte {
        b'#' | b'*' | b'-' | b'.' | b'/' | b'=' | b'_' => 6,
        b'%' | b'+' | b'~' => 5,
        b'!' | b':' | b';' => 4,
        b'<' | b'>' | b'?' | b'@' | b'^' => 3,
        b'"' | b'$' | b'\'' | b'(' | b')' | b',' | b'|' | b'\\' => 2,
        _ => 1,
    }
}

/// What one more costs, in thousandths of a token: what is longer than the longest token has its share of one.
#[inline]
pub(super) const fn cost(repeats: u8, longest: u8) -> i16 {
    if repeats >> longest == 0 { 0 } else { (1_000 + (1 << longest) / 2) >> longest }
}
