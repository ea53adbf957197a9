//! Where a value ends: at the quote or tag that closes it or, without one, at a blank or a sign that the text around
//! proves to be none of its own. A password may have any sign.

use super::bytes::{NEAR, at, backslashes, has, is_quote, part, rest, run_end, run_end_within};
use super::value::LONGEST_JUDGED;

/// Where a value starts and ends.
pub(super) struct Extent {
    pub start: usize,
    /// Where the part ends that decides: the first word of a quotation, or what no operator belongs to.
    pub core: usize,
    pub end: usize,
    /// Whether a quote or tag opens the value.
    pub is_opened: bool,
    /// Whether the same closes it.
    pub is_closed: bool,
}

/// Further than this no quotation is followed.
const LONGEST_QUOTED: usize = 1024;

/// The value that starts here, behind the quotes that open it. Without quotes, its end is provisional.
#[inline(never)]
pub(super) fn extent(bytes: &[u8], start: usize, is_tag: bool) -> Extent {
    let opening = run_end_within(bytes, start, LONGEST_JUDGED, |byte| byte == b'\\');
    let quote = at(bytes, opening);
    let count = opening - start;
    let (start, end) = if is_quote(quote) {
        let thrice = [quote; 3];
        let width = if count == 0 && rest(bytes, opening).starts_with(&thrice) { 3 } else { 1 };
        let start = opening + width;
        let closing = if width == 3 {
            triple_end(bytes, start, &thrice)
        } else {
            quote_end(bytes, start, quote, count)
        };
        (start, closing)
    } else if is_tag {
        let data = "<![CDATA[";
        let is_data = has(bytes, start, data);
        let start = start + if is_data { data.len() } else { 0 };
        let sign = if is_data { b']' } else { b'<' };
        let end = run_end_within(bytes, start, LONGEST_QUOTED, |byte| byte >= b' ' && byte != sign);
        (start, (at(bytes, end) == sign).then_some(end))
    } else {
        let core = run_end_within(bytes, start, LONGEST_JUDGED, is_bare);
        let end = bare_end(bytes, start, core, LONGEST_JUDGED);
        return Extent { start, core, end, is_opened: false, is_closed: false };
    };
    let is_closed = end.is_some();
    let within = part(bytes, 0, end.unwrap_or(bytes.len()));
    let is_word = |byte| byte > b' ' && (is_closed || byte != quote && byte != b'\\');
    let core = run_end_within(within, start, LONGEST_JUDGED, is_word);
    // A line end or a tab ends a word, too.
    let is_blank = |pair: &[u8]| matches!(pair, [b'\\', b'n' | b'r' | b't']);
    let core = part(within, start, core).windows(2).position(is_blank).map_or(core, |length| start + length);
    let end = end.unwrap_or_else(|| run_end(within, core, is_word));
    Extent { start, core, end, is_opened: true, is_closed }
}

/// Whether a byte may stand in a value without quotes that is no expression.
fn is_bare(byte: u8) -> bool {
    byte > b' ' && !is_quote(byte) && !b",;()[]{}<>&|\\\xe3\xef".contains(&byte)
}

/// Whether a sign stands at a place that ends a clause in Chinese or Japanese: `，`, `。`, `、`, `；`, `）`, `」`.
fn is_wide_end(bytes: &[u8], place: usize) -> bool {
    ["，", "。", "、", "；", "）", "」"].iter().any(|sign| has(bytes, place, sign))
}

/// The end of a quotation. `count` backslashes stand before its opening quote; quotes within it have more of them, or are
/// other quotes.
fn quote_end(bytes: &[u8], start: usize, quote: u8, count: usize) -> Option<usize> {
    let bytes = part(bytes, 0, bytes.len().min(start + LONGEST_QUOTED));
    let (mut place, mut first) = (start, None);
    loop {
        let stop = run_end(bytes, place, |byte| byte != quote && (byte >= b' ' || byte == b'\t'));
        if at(bytes, stop) != quote {
            return first;
        }
        place = stop + 1;
        let slashes = backslashes(part(bytes, start, stop)) % (2 * count + 2);
        if slashes == count {
            let is_own = count == 0 && stop > start && at(bytes, place) == quote;
            let is_apart = count == 0 && quote == b'\'' && has(bytes, place, r"\''");
            if !is_own && !is_apart {
                return Some(stop - count);
            }
            place += if is_apart { 3 } else { 1 };
        } else if slashes == 2 * count + 1 {
            // Where a backslash escapes nothing, that was the end.
            first = first.or((quote == b'\'').then_some(stop));
        } else {
            return None;
        }
    }
}

fn triple_end(bytes: &[u8], start: usize, closing: &[u8]) -> Option<usize> {
    let end = bytes.len().min(start + LONGEST_QUOTED);
    part(bytes, start, end).windows(3).position(|window| window == closing).map(|length| start + length)
}

/// Where a value without quotes ends, which goes on to a place at least.
#[inline(never)]
pub(super) fn bare_end(bytes: &[u8], start: usize, from: usize, most: usize) -> usize {
    let bytes = part(bytes, 0, bytes.len().min(start.saturating_add(most)));
    let mut end = from;
    loop {
        end = run_end(bytes, end, is_bare);
        match own_sign(bytes, start, end) {
            0 => return end,
            length => end += length,
        }
    }
}

/// The length of the sign at a place if it belongs to the value that starts earlier.
fn own_sign(bytes: &[u8], start: usize, place: usize) -> usize {
    let sign = at(bytes, place);
    let next = at(bytes, place + 1);
    let is_unopened = |opening| is_unopened(bytes, start, place, opening);
    if sign == b'\\' {
        // Before these letters it may be JSON's.
        let letter = run_end_within(bytes, place, LONGEST_JUDGED, |byte| byte == b'\\');
        let is_literal = at(bytes, letter) > b' ' && !b"nrtbf/\"'`".contains(&at(bytes, letter));
        return if is_literal { letter - place } else { 0 };
    }
    let is_own = match sign {
        0..=b' ' => false,
        0xe3 | 0xef => !is_wide_end(bytes, place),
        b'(' | b'[' | b'{' => true,
        b')' => is_unopened(b'('),
        b']' => is_unopened(b'['),
        b'}' => is_unopened(b'{'),
        b'>' => is_unopened(b'<'),
        _ if next <= b' ' || next == sign || b"\"'`,;:)]}\\".contains(&next) => false,
        b'<' => !is_tag(bytes, place + 1),
        b',' => !names_next(bytes, place + 1) && [b'(', b'[', b'{'].into_iter().all(is_unopened),
        b';' | b'&' => !names_next(bytes, place + 1),
        _ => is_unopened(sign),
    };
    usize::from(is_own)
}

/// Whether the sign at a place closes nothing: no sign before the value, on its line, opens it.
#[inline(never)]
fn is_unopened(bytes: &[u8], start: usize, place: usize, opening: u8) -> bool {
    let closing = at(bytes, place);
    let near = place.saturating_sub(NEAR);
    let mut depth = 0_usize;
    for (at, &byte) in (near..place).zip(part(bytes, near, place)).rev() {
        if byte == b'\n' {
            return depth.is_multiple_of(2) || opening != closing;
        }
        if opening == closing {
            depth += usize::from(byte == closing && at < start);
            if depth > 0 && closing == b'|' {
                return false;
            }
        } else if byte == closing {
            depth += 1;
        } else if byte == opening {
            if depth == 0 {
                return at >= start;
            }
            depth -= 1;
        }
    }
    near == 0 && (depth.is_multiple_of(2) || opening != closing)
}

/// Whether a tag may begin behind a `<`.
fn is_tag(bytes: &[u8], start: usize) -> bool {
    let end =
        run_end_within(bytes, start, LONGEST_JUDGED, |byte| byte >= b' ' && byte != b'<' && byte != b'>');
    matches!(at(bytes, start), b'/' | b'!')
        || at(bytes, start).is_ascii_alphabetic() && at(bytes, end) == b'>'
}

/// Whether the next pair of a list begins here: a name and a sign behind it.
fn names_next(bytes: &[u8], start: usize) -> bool {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-. ".contains(&byte);
    let end = run_end_within(bytes, start, LONGEST_JUDGED, is_name);
    end > start && matches!(at(bytes, end), b'=' | b':') || has(bytes, start, "amp;")
}

/// Whether what starts behind a value without quotes is a call's parameters, an index or a type's parameter.
pub(super) fn is_call(bytes: &[u8], Extent { start, core, is_opened, .. }: &Extent) -> bool {
    let closing = match at(bytes, *core) {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        b'<' => b'>',
        _ => return false,
    };
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.:$?!@".contains(byte);
    if *is_opened || !part(bytes, *start, *core).iter().all(is_name) {
        return false;
    }
    let end = run_end_within(bytes, core + 1, NEAR, |byte| byte != closing && byte >= b' ');
    let next = at(bytes, core + 1);
    let is_list = start == core;
    let is_tag = closing == b'>' && is_tag(bytes, core + 1);
    !is_tag && (is_list || at(bytes, end) == closing || next <= b' ' || b"\"'`&$\\".contains(&next))
}
