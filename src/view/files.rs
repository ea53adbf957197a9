//! The tokens of images and PDFs by what their bytes say, for native callers. The package reads the same from the messages
//! of its formats (`image-size.ts`, `pdf-pages.ts`), so that both count alike.

use crate::tokens::estimate::{media_tokens, pdf_tokens};

/// Segments of a JPEG that are looked at: real ones have some twenty.
const SEGMENTS: usize = 1_000;
/// More tokens than any image costs: the first bytes of a broken one may say anything.
const MOST_TOKENS: f64 = 50_000.0;
/// Of an unknown provider: the longest side and the most squares of 28 pixels. (Anthropic, "Vision")
const SIDE: f64 = 1_568.0;
const SQUARES: f64 = 1_568.0;

/// The tokens of an image or a PDF in base64, which may be a `data:` URL, by its first bytes or its pages; `bytes` is what it
/// decodes to. `None` if it is neither.
#[must_use]
pub fn file_tokens(data: &str, bytes: u32) -> Option<u32> {
    let base64 = base64_of(data);
    let file = File(base64.as_bytes());
    if let Some((width, height)) = file.pixels().filter(|&(width, height)| width > 0.0 && height > 0.0) {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        return Some(grid(width, height).min(MOST_TOKENS) as u32);
    }
    if !base64.starts_with("JVBER") {
        return None;
    }
    Some(match file.pages() {
        0 => media_tokens("application/pdf", bytes),
        pages => pdf_tokens(pages),
    })
}

/// Base64 without what may stand around it: the beginning of a `data:` URL, ends of lines.
fn base64_of(data: &str) -> std::borrow::Cow<'_, str> {
    let is_short = |head: &&str| head.encode_utf16().count() <= 200;
    let url = data.strip_prefix("data:").and_then(|rest| rest.split_once(','));
    let text = url.filter(|(head, _)| is_short(head)).map_or(data, |(_, text)| text);
    if text.chars().take(200).any(char::is_whitespace) {
        text.chars().filter(|sign| !sign.is_whitespace()).collect::<String>().into()
    } else {
        text.into()
    }
}

/// The bytes of a file, decoded where they are looked at.
struct File<'base64>(&'base64 [u8]);

impl File<'_> {
    fn byte(&self, at: usize) -> Option<u8> {
        let rest = at % 3;
        let first = at / 3 * 4 + rest;
        let six = |at| self.0.get(at).copied().and_then(six_bits);
        let pair = (u16::from(six(first)?) << 6) | u16::from(six(first + 1)?);
        u8::try_from((pair >> (4 - 2 * rest)) & 0xff).ok()
    }

    fn has(&self, at: usize, text: &[u8]) -> bool {
        text.iter().enumerate().all(|(by, &byte)| self.byte(at + by) == Some(byte))
    }

    fn big(&self, at: usize, count: usize) -> Option<u32> {
        (at..at + count).try_fold(0_u32, |value, at| Some(value << 8 | u32::from(self.byte(at)?)))
    }

    fn little(&self, at: usize, count: usize) -> Option<u32> {
        (at..at + count).rev().try_fold(0_u32, |value, at| Some(value << 8 | u32::from(self.byte(at)?)))
    }

    /// The width and height of a PNG, JPEG, GIF or WebP.
    fn pixels(&self) -> Option<(f64, f64)> {
        let both = |width: u32, height: u32| Some((f64::from(width), f64::from(height)));
        if self.has(0, &[0xff, 0xd8]) {
            return self.jpeg();
        }
        if self.has(1, b"PNG\r\n\x1a\n") && self.has(12, b"IHDR") {
            return both(self.big(16, 4)?, self.big(20, 4)?);
        }
        if self.has(0, b"GIF87a") || self.has(0, b"GIF89a") {
            return both(self.little(6, 2)?, self.little(8, 2)?);
        }
        if !self.has(0, b"RIFF") || !self.has(8, b"WEBP") {
            return None;
        }
        if self.has(12, b"VP8X") {
            return both(self.little(24, 3)? + 1, self.little(27, 3)? + 1);
        }
        if self.has(12, b"VP8 ") && self.has(23, &[0x9d, 1, 0x2a]) {
            // The two bits above a side are a scale.
            return both(self.little(26, 2)? % (1 << 14), self.little(28, 2)? % (1 << 14));
        }
        if !self.has(12, b"VP8L") || self.byte(20) != Some(0x2f) {
            return None;
        }
        let sides = self.little(21, 4)?;
        both(sides % (1 << 14) + 1, (sides >> 14) % (1 << 14) + 1)
    }

    /// Goes from segment to segment until one that begins a frame.
    fn jpeg(&self) -> Option<(f64, f64)> {
        let mut at = 2;
        for _ in 0..SEGMENTS {
            if self.byte(at) != Some(0xff) {
                return None;
            }
            match self.byte(at + 1)? {
                0xff => at += 1, // a fill byte
                0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => {
                    return Some((f64::from(self.big(at + 7, 2)?), f64::from(self.big(at + 5, 2)?)));
                }
                0x01 | 0xd0..=0xd7 => at += 2, // without a length
                _ => {
                    let length = self.big(at + 2, 2).filter(|&length| length >= 2)?;
                    at += 2 + length as usize;
                }
            }
        }
        None
    }

    /// The pages of a PDF that stand in it uncompressed. The base64 is searched as it is, for `/Page` at each of the three
    /// offsets: decoding a large file would take far longer than all else that is done with its message.
    fn pages(&self) -> u32 {
        let start_of = |from: usize, needle: &[u8]| {
            let (place, offset) = match needle {
                b"L1BhZ2" => (0, 0),
                b"9QYWdl" => (2, 1),
                b"vUGFnZ" => (3, 2),
                _ => return None,
            };
            (from % 4 == place).then(|| (from - place) / 4 * 3 + offset)
        };
        let found = self.0.windows(6).enumerate().filter_map(|(from, needle)| start_of(from, needle));
        found.filter(|&at| self.is_page(at)).fold(0, |pages, _| pages + 1)
    }

    /// Whether `/Type /Page` ends with what begins at a byte.
    fn is_page(&self, at: usize) -> bool {
        let bytes = |from, to| (from..to).map(|at| self.byte(at).unwrap_or(0)).collect::<Vec<_>>();
        bytes(at.saturating_sub(12), at).trim_ascii_end().ends_with(b"/Type")
            && bytes(at, at + 5).eq_ignore_ascii_case(b"/Page")
            && !self.byte(at + 5).is_some_and(|byte| byte.is_ascii_alphabetic())
    }
}

/// What a character of base64 or base64url stands for.
const fn six_bits(sign: u8) -> Option<u8> {
    match sign {
        b'A'..=b'Z' => Some(sign - b'A'),
        b'a'..=b'z' => Some(sign - b'a' + 26),
        b'0'..=b'9' => Some(sign - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

/// The squares of the largest size that fits: it is found by halving, since squares at the edges are counted whole.
fn grid(width: f64, height: f64) -> f64 {
    let long = width.max(height);
    let squares = |pixels: f64| (pixels / 28.0).ceil().max(1.0);
    let round = |value: f64| (value + 0.5).floor();
    let at = |pixels: f64| squares(round(width * pixels / long)) * squares(round(height * pixels / long));
    let (mut fits, mut too_large) = (1.0, SIDE.min(long));
    if at(too_large) <= SQUARES {
        return at(too_large);
    }
    while too_large - fits > 1.0 {
        let middle = f64::midpoint(fits, too_large).floor();
        if at(middle) <= SQUARES { fits = middle } else { too_large = middle }
    }
    at(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base64(bytes: &[u8]) -> String {
        const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut text = String::new();
        for three in bytes.chunks(3) {
            let bits =
                three.iter().enumerate().fold(0, |bits, (at, &byte)| bits | u32::from(byte) << (16 - 8 * at));
            (0..=three.len()).for_each(|at| text.push(SIGNS[(bits >> (18 - 6 * at)) as usize % 64] as char));
        }
        text
    }

    fn png(width: u32, height: u32) -> Vec<u8> {
        let head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice();
        [head, &width.to_be_bytes(), &height.to_be_bytes(), &[8, 6, 0, 0, 0]].concat()
    }

    #[test]
    fn images_cost_what_their_pixels_cost() {
        assert_eq!(file_tokens(&base64(&png(280, 56)), 1_000_000), Some(20));
        assert_eq!(file_tokens(&format!("data:image/png;base64,{}", base64(&png(280, 56))), 9), Some(20));
        assert_eq!(file_tokens(&base64(&png(100_000, 100_000)), 9), Some(1_521));
        let gif = [b"GIF89a".as_slice(), &280_u16.to_le_bytes(), &56_u16.to_le_bytes()].concat();
        assert_eq!(file_tokens(&base64(&gif), 9), Some(20));
        let jpeg = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1, 0xff, 0xff, 0xc2, 0, 11, 8, 0, 56, 1, 24, 3];
        assert_eq!(file_tokens(&base64(&jpeg), 9), Some(20));
        for (kind, rest) in [
            (b"VP8X".as_slice(), [0, 0, 0, 0, 0, 0, 0, 0, 23, 1, 0, 55, 0, 0].as_slice()),
            (b"VP8 ", &[0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 24, 1, 56, 0]),
            (b"VP8L", &[0, 0, 0, 0, 0x2f, 23, 0xc1, 13, 0]),
        ] {
            let webp = [b"RIFF\0\0\0\0WEBP".as_slice(), kind, rest].concat();
            assert_eq!(file_tokens(&base64(&webp), 9), Some(20), "{}", String::from_utf8_lossy(kind));
        }
    }

    #[test]
    fn broken_images_cost_what_their_bytes_do() {
        for bytes in
            [png(0, 9), png(9, 9)[..20].to_vec(), vec![0xff, 0xd8, 0xff, 0xe0, 0, 1], b"text".to_vec()]
        {
            assert_eq!(file_tokens(&base64(&bytes), 9), None);
        }
        assert_eq!(file_tokens("é, no base64", 9), None);
    }

    #[test]
    fn pdfs_cost_their_pages() {
        for before in ["", "1", "12"] {
            let pdf = format!("%PDF-1.7 {before} /Type /Page /Type/Page\n/Type /Pages /Kind /Page");
            assert_eq!(file_tokens(&base64(pdf.as_bytes()), 9), Some(4_000), "{before}");
        }
        assert_eq!(file_tokens(&base64(b"%PDF-1.7 compressed"), 120_000), Some(6_000));
    }
}
