//! Whether a value looks like a secret: entropy in a wide sense, without floating-point numbers.

use super::bytes::{find, is_word, part};

/// By how many of its first bytes a value is judged.
pub(super) const LONGEST_JUDGED: usize = 128;

/// What a value is made of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Makeup {
    pub letters: usize,
    pub digits: usize,
    pub uppers: usize,
    pub symbols: usize,
    /// Changes between letters and digits and from lower to upper case, inside words.
    pub changes: usize,
    pub has_both_cases: bool,
}

impl Makeup {
    pub(super) fn of(value: &[u8]) -> Self {
        let mut makeup = Self::default();
        let mut last = 0_u8;
        for &byte in value {
            if byte.is_ascii_digit() {
                makeup.digits += 1;
                makeup.changes += usize::from(last.is_ascii_alphabetic());
            } else if byte.is_ascii_alphabetic() {
                makeup.letters += 1;
                makeup.uppers += usize::from(byte.is_ascii_uppercase());
                let rises = last.is_ascii_lowercase() && byte.is_ascii_uppercase();
                makeup.changes += usize::from(last.is_ascii_digit() || rises);
            } else if !matches!(byte, b'_' | b'-' | b'.' | b'/' | b':') {
                makeup.symbols += 1;
            }
            last = byte;
        }
        makeup.has_both_cases = makeup.uppers > 0 && makeup.uppers < makeup.letters;
        makeup
    }
}

/// Whether a value changes between kinds of characters as often as chance has it. Names do so at
/// their words: about once in seven characters, and seldom to digits.
#[inline(never)]
pub(super) fn is_random(value: &[u8]) -> bool {
    let Makeup { letters, digits, uppers, changes, .. } = Makeup::of(value);
    let length = letters + digits;
    if letters < 3 || length < 8 {
        return false;
    }
    // Names have few capitals.
    let is_even = uppers * 100 >= length * 30 && uppers * 100 <= length * 70;
    let least = if digits > 0 || length >= 16 && is_even { 15 } else { 22 };
    changes * 100 >= length * least
}

/// Whether a value is a long run of letters and digits, or base64 data, as names never are.
pub(super) fn is_key(value: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    value.len() >= 20 && value.iter().all(is_part) && Makeup::of(value).digits > 2 && is_random(value)
}

/// Whether a value has letters, digits and such signs as passwords have and names don't.
#[inline(never)]
pub(super) fn is_strong(value: &[u8]) -> bool {
    let inner = part(value, 1, value.len().saturating_sub(1));
    let Makeup { letters, digits, changes, .. } = Makeup::of(value);
    value.len() >= 8
        && letters > 2
        && digits > 0
        && changes > 1
        && inner.iter().any(|byte| b"!#$%^&".contains(byte))
}

/// Whether a value names a secret instead of being one: `$TOKEN`, `{{token}}`, `<token>`, `%s`,
/// `[REDACTED: …]`, `***`, a call.
#[inline(never)]
pub(super) fn is_reference(value: &[u8]) -> bool {
    let closing = match value.first() {
        Some(b'$') if value.iter().skip(1).all(|byte| is_word(*byte) || b".:[]'\"".contains(byte)) => {
            return true;
        }
        Some(b'{') => Some(b'}'),
        Some(b'<') => Some(b'>'),
        Some(b'[') => Some(b']'),
        Some(b'(') => Some(b')'),
        Some(b'%') if value.len() < 8 => return true,
        Some(b'%') => Some(b'%'),
        Some(b'*') => Some(b'*'),
        _ => None,
    };
    let opens =
        closing.is_some_and(|closing| value.len() < 2 || value.iter().skip(1).any(|byte| *byte == closing));
    let stands_for = ["${", "$(", "{{", "#{", "<%", "****", "[REDACTED", "...", "xxxx", "XXXX", "://"];
    let has_braces = value.contains(&b'{') && value.contains(&b'}');
    opens || has_braces || stands_for.iter().any(|part| find(value, 0, part).is_some())
}

/// A password in quotes: letters with digits or signs, no path and no sentence.
pub(super) fn is_chosen(value: &[u8]) -> bool {
    let Makeup { letters, digits, symbols, .. } = Makeup::of(value);
    let is_path = value.first().is_some_and(|byte| matches!(byte, b'/' | b'.' | b'~')) && !is_random(value);
    let is_word = digits == 0 && value.last().is_some_and(|byte| b"?!.:,".contains(byte)) && symbols <= 1;
    let is_mixed = letters > 0 && (digits > 0 || symbols > 0) || is_random(value);
    value.len() >= 6 && is_mixed && !is_path && !is_word
}

/// A password without quotes, which may as well be an expression.
pub(super) fn is_chosen_bare(value: &[u8], is_set: bool) -> bool {
    if is_random(value) {
        return value.len() >= 8;
    }
    let is_expression = value.iter().any(|byte| matches!(byte, b'.' | b'/' | b'@' | b'*'))
        || value.windows(2).any(|pair| pair == b"::");
    let Makeup { letters, digits, symbols, changes, .. } = Makeup::of(value);
    let is_mixed = letters > 0 && digits > 0 && (is_set || changes > 1 || symbols > 0);
    is_mixed && value.len() >= if is_set { 6 } else { 8 } && !is_expression || is_set && is_signed(value)
}

/// Whether a value that can be no expression has letters, digits and a sign that no word has: `P@ssw0rd`. An address or a
/// version has a dot, too.
pub(super) fn is_signed(value: &[u8]) -> bool {
    let Makeup { letters, digits, .. } = Makeup::of(value);
    let has_sign = value.iter().any(|byte| b"!#$%^&*@+?".contains(byte));
    let is_other = value.contains(&b'@') && value.contains(&b'.') || value.contains(&b'/');
    value.len() >= 8 && letters > 2 && digits > 0 && has_sign && !is_other
}

/// Words with digits that stand where a password would and are none.
const TERMS: [&str; 14] = [
    "sha", "md5", "base", "aes", "utf", "argon", "bcrypt", "pbkdf", "http", "oauth", "ed25519", "rsa", "ipv",
    "x509",
];

/// Whether a value is a term of the trade, such as `sha256` or `base64-encoded`.
pub(super) fn is_term(value: &[u8]) -> bool {
    let starts =
        |term: &str| value.get(..term.len()).is_some_and(|head| head.eq_ignore_ascii_case(term.as_bytes()));
    TERMS.iter().any(|term| starts(term)) || value.contains(&b'-') && !is_random(value)
}
