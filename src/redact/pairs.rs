//! Pairs of a name and a value that are members of their own: `name: API_TOKEN` and, behind it or on the next
//! line, `value: …`, as Kubernetes, ECS, SSM and `CloudFormation` have them.

use super::boundaries::REPLACED;
use super::bytes::{before, find_last, is_one_of, part, rest};
use super::names::{Strength, classify, mentioned};

/// How far before a value its name may begin.
pub(super) const FAR: usize = 256;

/// The members that hold the name.
const NAMES: [&str; 4] = ["name", "key", "parameterkey", "variable"];

/// The members that describe the field that a value is typed into.
const FIELDS: [&str; 8] =
    ["element", "selector", "label", "locator", "field", "placeholder", "target", "xpath"];

/// Whether a member holds what is typed into a field.
pub(super) fn is_typed(member: &[u8]) -> bool {
    member == b"text"
}

/// Whether a member is the one that holds the value.
pub(super) fn is_value(member: &[u8]) -> bool {
    if is_typed(member) {
        return true;
    }
    let start = member.len().saturating_sub("value".len());
    part(member, start, member.len()).eq_ignore_ascii_case(b"value")
}

/// What the name in the pair says of the value of a member; what precedes may be unknown, then the name may be any.
pub(super) fn named(above: Option<&[u8]>, head: &[u8], member: &[u8]) -> Option<(Strength, &'static str)> {
    if !is_value(member) {
        return None;
    }
    let Some(above) = above else { return Some((Strength::Chosen, "secret")) };
    let near = part(head, head.len().saturating_sub(FAR), head.len());
    let more = part(above, (above.len() + near.len()).saturating_sub(FAR).min(above.len()), above.len());
    let text = [more, near].concat();
    // What was replaced is shorter than it was: nothing may come into sight before it that wasn't.
    let text = rest(&text, find_last(&text, REPLACED));
    // Members of the same object, the nearest first.
    let object = text.rsplit(|byte| matches!(byte, b'{' | b'}')).next().unwrap_or_default();
    for pair in object.rsplit(|byte| matches!(byte, b',' | b'\n')) {
        if let Some(found) = named_in(pair) {
            return Some(found);
        }
        if pair.trim_ascii_start().starts_with(b"- ") {
            break;
        }
    }
    None
}

/// The strength of the name in a pair: `"name": "TOKEN"`.
pub(super) fn named_in(pair: &[u8]) -> Option<(Strength, &'static str)> {
    let colon = pair.iter().position(|byte| *byte == b':').unwrap_or(0);
    let end = without_blanks(pair, colon, b" \"'\\");
    if is_one_of(&FIELDS, part(pair, end - name_length(part(pair, 0, end)), end)) {
        return mentioned(rest(pair, colon));
    }
    let end = without_signs(pair, pair.len());
    let start = end - name_length(part(pair, 0, end));
    let name = part(pair, start, end);
    if name == b"SecureString" {
        return Some((Strength::Chosen, "secret"));
    }
    let sign = without_blanks(pair, start, b" \t\"'\\");
    if !matches!(before(pair, sign), b':' | b'=') {
        return None;
    }
    let end = without_blanks(pair, sign - 1, b" \t\"'\\");
    let start = end - name_length(part(pair, 0, end));
    let member = part(pair, start, end);
    if member == b"keyName" {
        return Some((Strength::Key, "access-key"));
    }
    let is_name = is_one_of(&NAMES, member);
    if is_name { classify(name).filter(|(strength, _)| *strength != Strength::Cookie) } else { None }
}

/// The strength of a name behind a value, in the same object and on the same line.
pub(super) fn named_behind(bytes: &[u8], end: usize) -> Option<(Strength, &'static str)> {
    let rest = part(bytes, end, bytes.len().min(end + FAR));
    let object = rest.split(|byte| matches!(byte, b'{' | b'}' | b'\n')).next().unwrap_or_default();
    object.split(|byte| *byte == b',').find_map(named_in)
}

fn name_length(text: &[u8]) -> usize {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/');
    text.iter().rev().take_while(|byte| is_name(byte)).count()
}

fn without_blanks(text: &[u8], end: usize, blanks: &[u8]) -> usize {
    end - part(text, 0, end).iter().rev().take_while(|byte| blanks.contains(byte)).count()
}

/// Where a name ends, without the signs, blanks and line ends behind it; JSON may have written these.
fn without_signs(text: &[u8], end: usize) -> usize {
    let mut end = end;
    loop {
        let next = without_blanks(text, end, b" \t\r\n\"',\\-");
        let is_escape = matches!(part(text, 0, next), [.., b'\\', b'n' | b't' | b'r']);
        if next == end && !is_escape {
            return end;
        }
        end = if is_escape { next - 2 } else { next };
    }
}
