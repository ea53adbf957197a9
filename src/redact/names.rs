//! Names that say that their values are secret.

use super::bytes::{
    NEAR, Triples, Words, at, before, find, has, is_quote, part, rest, run_end, without_written_blank,
};

/// The longest name that is looked at.
pub(super) const LONGEST_KEY: usize = 64;

/// How sure a name makes us that its value is secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strength {
    /// People choose passwords: some entropy is enough.
    Chosen,
    /// Machines make tokens: they look random.
    Made,
    /// A header: a scheme and a value.
    Header,
    /// The name says only `key`, as names of cache keys do: just long random runs are secret.
    Key,
    /// Every value of the name is secret.
    Whole,
    /// Pairs of names and values, some of which are secret.
    Cookie,
    /// Words from a list, in a row.
    Phrase,
}

impl Strength {
    /// Whether a column with such a name has one secret in each cell.
    pub(super) const fn is_of_column(self) -> bool {
        !matches!(self, Self::Cookie | Self::Phrase)
    }
}

/// What names of secrets end with, in lower case and without separators.
const NAMES: [(&str, Strength, &str); 61] = [
    ("password", Strength::Chosen, "password"),
    ("passwd", Strength::Chosen, "password"),
    ("passwort", Strength::Chosen, "password"),
    ("kennwort", Strength::Chosen, "password"),
    ("wachtwoord", Strength::Chosen, "password"),
    ("senha", Strength::Chosen, "password"),
    ("passe", Strength::Chosen, "password"),
    ("passord", Strength::Chosen, "password"),
    ("contrasena", Strength::Chosen, "password"),
    ("haslo", Strength::Chosen, "password"),
    ("heslo", Strength::Chosen, "password"),
    ("geslo", Strength::Chosen, "password"),
    ("lozinka", Strength::Chosen, "password"),
    ("parola", Strength::Chosen, "password"),
    ("parool", Strength::Chosen, "password"),
    ("sifre", Strength::Chosen, "password"),
    // Of `lösenord` just the end is a name.
    ("senord", Strength::Chosen, "password"),
    ("salasana", Strength::Chosen, "password"),
    ("adgangskode", Strength::Chosen, "password"),
    ("sshpass", Strength::Chosen, "password"),
    ("psk", Strength::Chosen, "password"),
    ("passphrase", Strength::Chosen, "password"),
    ("passcode", Strength::Chosen, "password"),
    ("pwd", Strength::Chosen, "password"),
    ("storepass", Strength::Chosen, "password"),
    ("keypass", Strength::Chosen, "password"),
    ("secret", Strength::Chosen, "secret"),
    ("secretstring", Strength::Whole, "secret"),
    ("secretkey", Strength::Chosen, "secret"),
    ("secretvalue", Strength::Chosen, "secret"),
    ("apikey", Strength::Made, "api-key"),
    ("apitoken", Strength::Made, "api-key"),
    ("accesskey", Strength::Made, "access-key"),
    ("accountkey", Strength::Made, "access-key"),
    ("authkey", Strength::Made, "access-key"),
    ("servicekey", Strength::Made, "access-key"),
    ("masterkey", Strength::Made, "access-key"),
    ("appkey", Strength::Made, "access-key"),
    ("signingkey", Strength::Made, "secret"),
    ("encryptionkey", Strength::Made, "secret"),
    ("privatekey", Strength::Made, "private-key"),
    ("presharedkey", Strength::Made, "secret"),
    ("subscriptionkey", Strength::Made, "access-key"),
    ("functionskey", Strength::Made, "access-key"),
    ("clientkeydata", Strength::Made, "private-key"),
    ("pepper", Strength::Made, "secret"),
    ("token", Strength::Made, "token"),
    ("bearer", Strength::Made, "token"),
    ("credential", Strength::Made, "credential"),
    ("credentials", Strength::Made, "credential"),
    ("xauth", Strength::Made, "authorization"),
    ("auth", Strength::Made, "authorization"),
    ("authorization", Strength::Header, "authorization"),
    ("secretkeybase", Strength::Made, "secret"),
    ("cookie", Strength::Cookie, "cookie"),
    ("phpsessid", Strength::Made, "cookie"),
    ("jsessionid", Strength::Made, "cookie"),
    ("connectsid", Strength::Made, "cookie"),
    ("mnemonic", Strength::Phrase, "seed-phrase"),
    ("phrase", Strength::Phrase, "seed-phrase"),
    ("seed", Strength::Phrase, "seed-phrase"),
];

/// Where a name may say for which environment the secret is.
const ENVIRONMENTS: [&str; 8] = ["prod", "production", "staging", "dev", "test", "live", "value", "base64"];

/// Names in other scripts. The first letter is missing where it may be a capital.
const FOREIGN: [&str; 20] = [
    "ароль",
    "ontraseña",
    "密码",
    "密碼",
    "口令",
    "密钥",
    "密鑰",
    "パスワード",
    "비밀번호",
    "hasło",
    "Hasło",
    "ifre",
    "elszó",
    "khẩu",
    "κωδικός",
    "كلمة المرور",
    "كلمة السر",
    "סיסמה",
    "סיסמא",
    "รหัสผ่าน",
];

/// Whether a text ends with such a name, blanks aside.
pub(super) fn is_foreign(bytes: &[u8]) -> bool {
    const MOST_MARKS: usize = 4;
    let is_mark = |byte: &&u8| matches!(byte, b' ' | b'"' | b'*');
    let marks = bytes.iter().rev().take(MOST_MARKS).take_while(is_mark).count();
    let name = part(bytes, 0, bytes.len() - marks);
    // `contraseña`, `hasło`, `khẩu` and `şifre` end with ASCII.
    matches!(
        name,
        [.., 0x80..=0xff] | [.., 0x80..=0xff, b'a' | b'o' | b'u'] | [.., 0x80..=0xff, b'i', b'f', b'r', b'e']
    ) && FOREIGN.iter().any(|known| name.ends_with(known.as_bytes()))
}

/// What such names end with, in lower case, by number; nothing behind the last one.
const fn ending(number: usize) -> Option<&'static [u8]> {
    // Of parameters that sign a URL, of `pass`, of `base64` without its digits, of `_PW` (`dpw`) and of `_PRIVATE` (`vate`).
    let others = ["sig", "ture", "tial", "pass", "base", "dpw", "vate"];
    #[allow(clippy::indexing_slicing)] // A constant that is out of bounds doesn't compile.
    let name = if number < NAMES.len() {
        NAMES[number].0
    } else if number < NAMES.len() + ENVIRONMENTS.len() {
        ENVIRONMENTS[number - NAMES.len()]
    } else if number < NAMES.len() + ENVIRONMENTS.len() + others.len() {
        others[number - NAMES.len() - ENVIRONMENTS.len()]
    } else {
        return None;
    };
    Some(name.as_bytes())
}

/// The last three letters of such names.
const ENDINGS: Triples = {
    let mut triples = Triples::none();
    let mut number = 0;
    while let Some(name) = ending(number) {
        if let [.., first, second, third] = name {
            triples = triples.and(*first, *second, *third);
        }
        number += 1;
    }
    triples
};

/// What may stand between such a name and the sign behind it.
#[allow(clippy::indexing_slicing)] // As above.
const BETWEEN: [bool; 256] = {
    let mut table = [false; 256];
    let mut bytes: &[u8] = b"0123456789_-. \t\"'`]\\*}";
    while let [byte, rest @ ..] = bytes {
        table[*byte as usize] = true;
        bytes = rest;
    }
    table
};

const fn is_number(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'_' | b'-' | b'.')
}

/// Whether a sign may follow such a name, at a glance: at the last letters before it, whatever stands between.
/// Signs don't stand between, so that all glances together are one pass.
pub(super) fn may_precede(bytes: &[u8], sign: usize) -> bool {
    let is_set = matches!(part(bytes, 0, sign + 1), [.., b':' | b'?', b'=']);
    let end = sign - usize::from(is_set);
    let start = end - part(bytes, 0, end).iter().rev().take_while(|byte| is_number(**byte)).count();
    // A number right before the sign is the name's own, so nothing else stands between: most are of lines or times.
    let name = if start < end { part(bytes, 0, start) } else { without_between(bytes, end) };
    let [.., first, second, third] = name else { return is_short(name) };
    match *first {
        b'_' | b'-' | b'.' => ENDINGS.has_pair(*second, *third),
        _ => ENDINGS.has([*first, *second, *third]) || is_short(name),
    }
}

/// Whether the last word is `pw`.
fn is_short(name: &[u8]) -> bool {
    let ([b'p' | b'P', b'w' | b'W'] | [.., _, b'p' | b'P', b'w' | b'W']) = name else { return false };
    !before(name, name.len() - 2).is_ascii_alphanumeric()
}

/// What precedes a place, without what may stand between a name and a sign.
fn without_between(bytes: &[u8], end: usize) -> &[u8] {
    let mut name = part(bytes, 0, end);
    loop {
        name = match name {
            [rest @ .., last] if BETWEEN.get(usize::from(*last)).is_some_and(|is| *is) => rest,
            _ => match without_written_blank(name) {
                Some(rest) => rest,
                None => return name,
            },
        };
    }
}

/// The last four letters of such names, and of shorter ones all three.
const WORDS: Words = {
    let mut words = Words::none();
    let mut number = 0;
    while let Some(name) = ending(number) {
        words = match name {
            [.., zeroth, first, second, third] => words.and([*zeroth, *first, *second, *third]),
            [first, second, third] => words.and([*first, *second, *third, 0]),
            _ => words,
        };
        number += 1;
    }
    words
};

/// Whether a name may be one that says so: it ends like one, digits and separators aside.
pub(super) fn may_be_secret(bytes: &[u8], end: usize) -> bool {
    // Most words end with other letters, and this is asked of nearly every word.
    let (second, third) = (before(bytes, end.saturating_sub(1)), before(bytes, end));
    if are_letters([second, third]) && !ENDINGS.has_pair(second, third) {
        return false;
    }
    let name = part(bytes, end.saturating_sub(LONGEST_KEY), end);
    let numbers = name.iter().rev().take_while(|byte| is_number(**byte)).count();
    match part(name, 0, name.len() - numbers) {
        // What stands before a separator isn't looked at.
        [.., b'_' | b'-' | b'.', second, third] => {
            are_letters([*second, *third]) && ENDINGS.has_pair(*second, *third)
        }
        [.., zeroth, first, second, third] if are_letters([*zeroth, *first, *second, *third]) => {
            let four = [*zeroth, *first, *second, *third].map(|byte| byte.to_ascii_lowercase());
            let [_, first, second, third] = four;
            WORDS.may_have(four) || WORDS.may_have([first, second, third, 0])
        }
        [.., first, second, third] => {
            let last = [*first, *second, *third];
            are_letters(last) && ENDINGS.has(last) || is_short(name)
        }
        name => is_short(name),
    }
}

fn are_letters<const COUNT: usize>(bytes: [u8; COUNT]) -> bool {
    bytes.iter().all(u8::is_ascii_alphabetic)
}

/// What a name says of its value.
pub(super) fn classify(key: &[u8]) -> Option<(Strength, &'static str)> {
    let mut buffer = [0; LONGEST_KEY];
    let mut length = 0;
    let letters = key.iter().filter(|byte| byte.is_ascii_alphanumeric());
    for (slot, byte) in buffer.iter_mut().zip(letters) {
        *slot = byte.to_ascii_lowercase();
        length += 1;
    }
    let mut name = part(&buffer, 0, length);
    while let [rest @ .., b'0'..=b'9'] = name
        && !ENVIRONMENTS.iter().any(|ending| name.ends_with(ending.as_bytes()))
    {
        name = rest;
    }
    let plain = ENVIRONMENTS.iter().find_map(|ending| name.strip_suffix(ending.as_bytes()));
    let find = |name: &[u8]| {
        let ends_with = |ending: &[u8]| ending.last() == name.last() && name.ends_with(ending);
        NAMES.iter().find(|(ending, ..)| ends_with(ending.as_bytes()))
    };
    if let Some((_, strength, kind)) = find(name).or_else(|| find(plain?)) {
        return Some((*strength, kind));
    }
    let is_pass = is_pass(key) || is_short(key);
    is_pass
        .then_some((Strength::Chosen, "password"))
        .or_else(|| is_key_variable(key).then_some((Strength::Key, "key")))
}

/// The strength and kind of a field's value, by the field's description: `Password textbox`, `#login-password`, `passwordInput`.
pub(super) fn mentioned(description: &[u8]) -> Option<(Strength, &'static str)> {
    let is_end = |end: &usize| {
        let (last, next) = (before(description, *end), at(description, *end));
        last.is_ascii_alphanumeric()
            && (!next.is_ascii_alphanumeric() || last.is_ascii_lowercase() && next.is_ascii_uppercase())
    };
    let known = |end: usize| classify(part(description, end.saturating_sub(LONGEST_KEY), end));
    let mut found = (1..=description.len()).filter(is_end).filter_map(known);
    let is_foreign = || FOREIGN.iter().any(|name| find(description, 0, name).is_some());
    found
        .find(|(strength, _)| matches!(strength, Strength::Chosen | Strength::Made))
        .or_else(|| (!description.is_ascii() && is_foreign()).then_some((Strength::Chosen, "password")))
}

/// The same by the statement before a place: `passwordInput`, or the last text in quotes.
pub(super) fn field_before(bytes: &[u8], place: usize) -> Option<(Strength, &'static str)> {
    let near = part(bytes, place.saturating_sub(NEAR), place);
    let near = near.rsplit(|byte| matches!(byte, b';' | b'\n')).next().unwrap_or_default();
    let end = near.iter().rposition(|byte| is_quote(*byte));
    let word = near.iter().rposition(|byte| *byte == b' ').unwrap_or(0);
    let of_word = if end.is_some_and(|end| end > word) { None } else { mentioned(rest(near, word)) };
    of_word.or_else(|| {
        let text = part(near, 0, end?);
        mentioned(text.rsplit(|byte| *byte == at(near, text.len())).next()?)
    })
}

/// Words of variables whose keys are no secrets.
const PUBLIC: [&str; 3] = ["PUBLIC", "CACHE", "HOST"];

/// Whether a name is that of a variable with some key.
fn is_key_variable(key: &[u8]) -> bool {
    let is_named = key == b"KEY" || [&b"_KEY"[..], b"_PRIVATE"].iter().any(|end| key.ends_with(end));
    is_named
        && !key.iter().any(u8::is_ascii_lowercase)
        && !PUBLIC.iter().any(|word| find(key, 0, word).is_some())
}

/// The strength of each value in a list with a plural name. `secrets: [...]` often lists names, so those values must look
/// machine-made.
pub(super) fn of_plural(key: &[u8]) -> Option<(Strength, &'static str)> {
    let (strength, kind) = classify(key.strip_suffix(b"s").or_else(|| key.strip_suffix(b"S"))?)?;
    let strength = if kind == "password" { strength } else { Strength::Made };
    (kind != "seed-phrase").then_some((strength, kind))
}

/// Whether the last word of a name is `pass`: not in `compass`, nor in `bypass`.
fn is_pass(key: &[u8]) -> bool {
    let Some(start) = key.len().checked_sub(4) else { return false };
    let last = before(key, start);
    match part(key, start, key.len()) {
        b"Pass" => true,
        b"pass" | b"PASS" => start == 0 || !last.is_ascii_alphanumeric(),
        _ => false,
    }
}

/// Whether the `:` behind a name may have the members of a Kubernetes secret below.
pub(super) fn may_hold_data(bytes: &[u8], sign: usize) -> bool {
    let name = part(bytes, 0, sign);
    let name = name.strip_suffix(b"\"").unwrap_or(name);
    let name = name.strip_suffix(b"\\").unwrap_or(name);
    matches!(name, [.., b'd' | b'D', b'a', b't', b'a'])
        && matches!(part(bytes, sign + 1, sign + 3), [b'\n' | b'\r' | b'{', ..] | b" {" | [])
}

/// Whether an object's kind is `Secret`, if it is known.
pub(super) fn kind_in(object: &[u8]) -> Option<bool> {
    let kind = find(object, 0, "kind")? + "kind".len();
    let value = run_end(object, kind, |byte| matches!(byte, b'"' | b':' | b' ' | b'\\'));
    Some(has(object, value, "Secret") && !at(object, value + "Secret".len()).is_ascii_alphabetic())
}

#[cfg(test)]
mod tests;
