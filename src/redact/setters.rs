//! Values that commands and calls set by a name without a sign: `ENV DB_PASSWORD …`, `setx`, `define('DB_PASSWORD', '…')`.

use super::assignment::{Place, find_parameter, secret_at};
use super::bytes::{
    MOST_BACKSLASHES, NEAR, after_blanks, at, before, begun, find, has, is_blank, is_one_of, is_quote, part,
    run_end, run_end_within,
};
use super::extent::extent;
use super::found::Found;
use super::names::{Strength, classify, field_before, may_be_secret, mentioned};
use super::value::{is_key, is_random, is_strong};

/// Names that have a value behind a blank wherever they stand.
const SETTING: [&str; 5] =
    ["ConvertTo-SecureString", "requirepass", "masterauth", "storePassword", "keyPassword"];
/// Commands that set a value by its name.
const SETTERS: [&str; 10] =
    ["env", "arg", "setx", "set", "setenv", "export", "config", "set-item", "new-item", "fastcgi_param"];
/// Calls that type a text into a field.
const TYPING: [&str; 7] =
    ["fill", "type", "send_keys", "sendKeys", "pressSequentially", "setValue", "typeText"];
/// The most options that may stand between a name and its value.
const MOST_OPTIONS: usize = 4;

/// What ends a key of a property list.
const KEY_END: &str = "</key>";

/// Whether a word may name a value behind a blank.
pub(super) fn may_set(bytes: &[u8], word: usize, stop: usize) -> bool {
    let next = at(bytes, stop);
    let is_ended = is_blank(next)
        || is_quote(next)
        || matches!(next, b'\\' | b'\n' | b'\r' | b',')
        || next == b'(' && is_quote(at(bytes, stop + 1))
        // The header of a table may go on behind a semicolon.
        || next == b';' && at(bytes, stop + 1).is_ascii_alphabetic()
        || next == b'<' && has(bytes, stop, KEY_END);
    is_ended && (may_be_secret(bytes, stop) || is_setting(part(bytes, begun(bytes, word), stop)))
        || next == b'(' && types(bytes, word, stop)
}

/// Whether a call types a text into a field.
fn types(bytes: &[u8], word: usize, stop: usize) -> bool {
    let quote = at(bytes, stop + 1);
    (is_quote(quote) || quote == b'\\') && is_one_of(&TYPING, part(bytes, word, stop))
}

/// What a call types into a field for passwords: `page.fill('#password', '…')`, `getByLabel('Password').fill('…')`.
fn find_typed(bytes: &[u8], word: usize, stop: usize) -> Option<Found> {
    let first = extent(bytes, stop + 1, false);
    let behind = run_end_within(bytes, first.end, MOST_BACKSLASHES, |byte| byte == b'\\') + 1;
    let next = after_blanks(bytes, behind + 1);
    let has_field = at(bytes, behind) == b','
        && is_quote(at(bytes, run_end_within(bytes, next, MOST_BACKSLASHES, |byte| byte == b'\\')));
    let ((strength, kind), value) = if has_field {
        (mentioned(part(bytes, first.start, first.end))?, next)
    } else {
        (field_before(bytes, word)?, stop + 1)
    };
    if first.is_closed { secret_at(bytes, value, strength, kind, Place::Setting) } else { None }
}

/// The value behind a name that is set without a sign: `ENV DB_PASSWORD …`, `set -x DB_PASSWORD …`,
/// `setx`, `-Password "…"`, `define('DB_PASSWORD', '…')`. Without such a command before it, it must look random.
pub(super) fn find_set_value(bytes: &[u8], word: usize, stop: usize) -> Option<Found> {
    // A comma or semicolon behind a name parts the columns of a table.
    if matches!(at(bytes, stop), b',' | b';') || !may_set(bytes, word, stop) {
        return None;
    }
    if at(bytes, stop) == b'(' && types(bytes, word, stop) {
        return find_typed(bytes, word, stop);
    }
    let word = begun(bytes, word);
    let name = part(bytes, word, stop);
    let is_setting = is_setting(name);
    let (strength, kind) = if is_setting { (Strength::Chosen, "password") } else { classify(name)? };
    if at(bytes, stop) == b'(' {
        return find_parameter(bytes, stop + 1, (strength, kind));
    }
    if let Some(tag) = tag_end(bytes, word, stop) {
        return secret_at(bytes, tag, strength, kind, Place::Tag);
    }
    let quote = run_end(bytes, stop, |byte| byte == b'\\');
    let behind = if is_quote(at(bytes, quote)) { quote + 1 } else { stop };
    let mut start = after_blanks(bytes, behind + usize::from(at(bytes, behind) == b','));
    let is_variable = name.contains(&b'_') && !name.iter().any(u8::is_ascii_lowercase);
    if start == behind || strength == Strength::Cookie {
        return None;
    }
    // Routers tell how a password is encrypted, with a digit before it.
    let is_coded = strength == Strength::Chosen
        && matches!(part(bytes, start, start + 2), [b'0' | b'5' | b'7' | b'8' | b'9', b' ']);
    start += if is_coded { 2 } else { 0 };
    for _ in 0..MOST_OPTIONS {
        if at(bytes, start) == b'-' && is_quote(at(bytes, start + 2)) {
            start += 2;
        } else if at(bytes, start) == b'-' {
            start = after_blanks(bytes, run_end(bytes, start, |byte| byte > b' '));
        }
    }
    let is_header = strength == Strength::Header && is_quote(at(bytes, start));
    let is_sure =
        is_setting || is_coded || is_header || at(bytes, word) == b'-' || is_set(part(bytes, 0, word));
    let found = secret_at(bytes, start, strength, kind, Place::Setting)?;
    let value = part(bytes, found.start, found.end);
    // A column of names and values, as `vault kv get` writes it.
    let is_column = || {
        start - behind > 1
            && matches!(before(bytes, word), 0 | b'\n')
            && matches!(at(bytes, found.end), 0 | b'\n' | b'\r')
            && value.len() >= 12
            && is_random(value)
    };
    let is_likely = || {
        is_strong(value) && strength == Strength::Chosen
            || is_key(value) && value.iter().any(|byte| (b'G'..=b'Z').contains(byte))
    };
    if !is_sure && !is_variable && !is_likely() && !is_column() {
        return None;
    }
    let is_name =
        value.iter().all(|byte| byte.is_ascii_uppercase() || is_blank(*byte) || is_number_sign(*byte));
    (is_coded || !is_name && (is_sure || is_random(value) || is_strong(value))).then_some(found)
}

/// Where the text of a tag starts: of the tag that the word names, or of the `<string>` behind a `</key>`.
fn tag_end(bytes: &[u8], word: usize, stop: usize) -> Option<usize> {
    let (from, is_tag) = if at(bytes, stop) == b'<' {
        let value = run_end(bytes, stop + KEY_END.len(), is_blank);
        (value, has(bytes, value, "<string>"))
    } else {
        (stop, matches!(before(bytes, word), b'<' | b':') && is_blank(at(bytes, stop)))
    };
    let end = run_end_within(bytes, from, NEAR, |byte| byte >= b' ' && byte != b'>');
    (is_tag && at(bytes, end) == b'>').then_some(end + 1)
}

const fn is_number_sign(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'_' | b'-' | b'.')
}

/// Whether a name has a value behind a blank wherever it stands.
fn is_setting(name: &[u8]) -> bool {
    is_one_of(&SETTING, name)
}

/// Whether a command that sets values stands before a name, on the same line, with options between.
fn is_set(head: &[u8]) -> bool {
    let near = part(head, head.len().saturating_sub(NEAR), head.len());
    let near = near.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let mut words = near.rsplit(|byte| is_blank(*byte));
    let attached = words.next().unwrap_or_default().to_ascii_lowercase();
    let command = words.find(|word| !matches!(word, [] | [b'-', ..] | [b'/', _]));
    let is_setter = |word: &[u8]| {
        // A line may begin behind a line end as JSON writes it.
        let bare = word.strip_prefix(b"\"").unwrap_or(word);
        let bare = bare.rsplit(|byte| *byte == b'\\').next().unwrap_or_default();
        let is = |name: &[u8]| is_one_of(&SETTERS, name);
        is(bare) || bare.len() < word.len() && bare.strip_prefix(b"n").is_some_and(is)
    };
    let calls =
        || SETTERS.iter().any(|setter| find(&attached, 0, setter).is_some()) && attached.contains(&b'(');
    attached.ends_with(b"env:")
        // `wifi-sec.psk …` of nmcli.
        || attached.ends_with(b"sec.")
        || attached.starts_with(b"define(")
        || calls()
        || command.is_some_and(is_setter)
}
