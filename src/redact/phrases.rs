//! Secrets that no sign introduces: `password is …`, `IDENTIFIED BY '…'`, `mysql -p…`, a cell of a table.

use super::bytes::{
    NEAR, at, before, begun, find, is_blank, is_quote, is_word, part, run_end, run_end_within,
};
use super::extent::{Extent, bare_end, extent, is_call};
use super::found::Found;
use super::names::{Strength, classify};
use super::tokens;
use super::value::{LONGEST_JUDGED, is_chosen, is_chosen_bare, is_random, is_reference, is_strong};

/// Programs, the letter of their password option, whether a blank may stand before the password, and the sign between a
/// user's name and the password. Only behind `sshpass` it may look like any word.
const PROGRAMS: [(&str, u8, bool, u8); 21] = [
    ("mysql", b'p', false, 0),
    ("mariadb", b'p', false, 0),
    ("sshpass", b'p', true, 0),
    ("login", b'p', true, 0),
    ("mongo", b'p', true, 0),
    ("twine ", b'p', true, 0),
    ("7z ", b'p', false, 0),
    ("rar ", b'p', false, 0),
    ("zip ", b'P', true, 0),
    ("sqlcmd", b'P', true, 0),
    ("bcp ", b'P', true, 0),
    ("ipmitool", b'P', true, 0),
    ("redis-cli", b'a', true, 0),
    ("ldap", b'w', true, 0),
    ("openssl", b'k', true, 0),
    ("snmp", b'A', true, 0),
    ("snmp", b'X', true, 0),
    ("smbclient", b'U', true, b'%'),
    ("lftp", b'u', true, b','),
    ("secret set ", b'b', true, 0),
    ("vercel ", b't', true, 0),
];
/// Behind these a command reads a password from its input.
const ASKING: [&str; 4] = ["sudo -S", "password-stdin", "chpasswd", " secret put "];
/// Commands that have a secret behind so many other words, and the sign between a user's name and the secret.
const COMMANDS: [(&str, usize, u8); 16] = [
    ("htpasswd -b ", 2, 0),
    ("htpasswd -bB ", 2, 0),
    ("net user ", 1, 0),
    ("sqlplus ", 0, b'/'),
    ("expdp ", 0, b'/'),
    ("impdp ", 0, b'/'),
    (" exp ", 0, b'/'),
    ("rman target ", 0, b'/'),
    ("secrets set ", 0, b'='),
    ("glab variable set ", 1, 0),
    ("cargo login ", 0, 0),
    ("vault login ", 0, 0),
    ("mc alias set ", 3, 0),
    ("composer config ", 2, 0),
    ("redis-cli auth ", 0, 0),
    ("snmp-server community ", 0, 0),
];
/// Words with digits that stand where a password would and are none.
const TERMS: [&str; 14] = [
    "sha", "md5", "base", "aes", "utf", "argon", "bcrypt", "pbkdf", "http", "oauth", "ed25519", "rsa", "ipv",
    "x509",
];

/// Whether a word may announce a secret; few words may.
pub(super) fn may_announce(bytes: &[u8], word: usize, stop: usize) -> bool {
    let is_split = is_blank(at(bytes, stop)) || at(bytes, stop) == b'\n';
    let word = begun(bytes, word);
    let name = part(bytes, word, stop);
    match name {
        [b'-', b'p' | b'P' | b'a' | b'w' | b'k' | b'A' | b'X' | b'U' | b'b' | b't', ..] | b"-u" => true,
        _ if is_split && starts_command(name) => true,
        b"to" => {
            is_split
                && bytes
                    .get(word.saturating_sub(4)..word)
                    .is_some_and(|head| head.ends_with(b"et ") || head.ends_with(b"ed "))
        }
        b"echo" => is_split,
        [b'i' | b'I', b's' | b'S']
        | [b'b' | b'B', b'y' | b'Y']
        | [b'p' | b'P', b'a' | b'A', .., b'd' | b'D']
            if is_split =>
        {
            true
        }
        _ => false,
    }
}

/// The secret that a word announces.
pub(super) fn find_announced(bytes: &[u8], above: Option<&[u8]>, word: usize, stop: usize) -> Option<Found> {
    if !may_announce(bytes, word, stop) {
        return None;
    }
    let word = begun(bytes, word);
    let name = part(bytes, word, stop);
    if starts_command(name)
        && let Some(found) = find_behind_command(bytes, stop)
    {
        return Some(found);
    }
    if let [b'-', letter, ..] = name {
        return find_flagged(bytes, word, *letter);
    }
    let start = run_end(bytes, stop, is_blank);
    let near = part(bytes, word.saturating_sub(NEAR), word);
    match name.len() {
        2 if name.eq_ignore_ascii_case(b"is") || name == b"to" => {
            let (strength, kind) = described(near)?;
            let is_near = name != b"to" && classify(last_name(near)).is_some();
            let secret = secret_from(bytes, start, &|value, is_closed| match strength {
                Strength::Chosen if is_closed => is_chosen(value) && !is_term(value),
                Strength::Chosen if is_near => is_chosen_bare(value, true) && !is_term(value),
                Strength::Chosen => is_strong(value),
                _ => value.len() >= 16 && is_random(value),
            })?;
            Some(Found {
                kind: tokens::kind_of(part(bytes, secret.start, secret.end)).unwrap_or(kind),
                ..secret
            })
        }
        4 if name == b"echo" => {
            let line = part(bytes, start, run_end(bytes, start, |byte| byte != b'\n'));
            let is_asked = ASKING.iter().any(|asking| find(line, 0, asking).is_some());
            let is_secret =
                |value: &[u8], is_closed| is_closed && is_chosen(value) || is_chosen_bare(value, true);
            if is_asked { secret_from(bytes, start, &is_secret) } else { None }
        }
        2 if has_word(near, "identified") => secret_from(bytes, start, &|value, is_closed| {
            value.len() >= 4 && (is_closed && is_chosen(value) || is_chosen_bare(value, true))
        }),
        8 | 6 if is_password(name) => {
            // What precedes a text that is only looked at isn't known.
            let is_netrc = above.is_none_or(|above| is_netrc(above, near));
            secret_from(bytes, start, &|value, is_closed| {
                is_closed && is_chosen(value) || is_netrc && is_chosen_bare(value, true)
            })
        }
        _ => None,
    }
}

/// Whether a `password` stands in an entry of a `.netrc`, which may have a line for each word.
fn is_netrc(above: &[u8], near: &[u8]) -> bool {
    let more = part(above, above.len().saturating_sub(NEAR), above.len());
    // What was replaced before is shorter than it was: behind it nothing may come into sight that wasn't.
    let more = more.rsplit(|byte| *byte == b'[').next().unwrap_or_default();
    let has = |word| has_word(near, word) || has_word(more, word);
    has("login ") && (has("machine ") || has("default "))
}

fn is_password(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"password") || name.eq_ignore_ascii_case(b"passwd")
}

/// The password behind the `-p` of a program that has it there, with a blank between or without.
fn find_flagged(bytes: &[u8], word: usize, letter: u8) -> Option<Found> {
    let near = part(bytes, word.saturating_sub(NEAR), word);
    let near = near.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_run =
        |(program, option, ..): &&(&str, u8, bool, u8)| *option == letter && find(near, 0, program).is_some();
    let &(program, _, may_be_split, sign) = PROGRAMS.iter().find(is_run)?;
    if !is_blank(before(bytes, word)) && !is_quote(before(bytes, word)) {
        return None;
    }
    let mut start = word + 2;
    if is_blank(at(bytes, start)) {
        // With a blank between, the others ask for it.
        if !may_be_split {
            return None;
        }
        start = run_end(bytes, start, is_blank);
    }
    let is_sure = program == "sshpass";
    behind_user(bytes, start, sign, &|value, is_closed| {
        is_sure && value.len() >= 4 && is_chosen(value)
            || is_closed && is_chosen(value)
            || is_chosen_bare(value, true)
    })
}

/// The value that starts here, in quotation marks or without, if it is judged to be secret.
#[inline(never)]
fn secret_from(bytes: &[u8], start: usize, is_secret: &dyn Fn(&[u8], bool) -> bool) -> Option<Found> {
    let found = extent(bytes, start, false);
    let Extent { start, core, is_opened, is_closed, .. } = found;
    let is_end = |end| !is_opened && end > start && b".!?:".contains(&before(bytes, end));
    let without_end = |mut end| {
        while is_end(end) {
            end -= 1;
        }
        end
    };
    let is_whole = is_closed && core == found.end;
    let is_likely = |end| {
        let value = part(bytes, start, without_end(end));
        !is_reference(value) && is_secret(value, is_whole)
    };
    let fits = !is_call(bytes, &found)
        && is_opened == is_closed
        && (is_likely(core) || !is_opened && is_likely(found.end));
    fits.then(|| {
        let end =
            if is_opened { found.end } else { without_end(bare_end(bytes, start, found.end, usize::MAX)) };
        Found { start, end, kind: "password" }
    })
}

/// Whether a value is a term of the trade, such as `sha256` or `base64-encoded`.
fn is_term(value: &[u8]) -> bool {
    let starts =
        |term: &str| value.get(..term.len()).is_some_and(|head| head.eq_ignore_ascii_case(term.as_bytes()));
    TERMS.iter().any(|term| starts(term)) || value.contains(&b'-') && !is_random(value)
}

/// Whether the first words of one of these commands may end with a word.
fn starts_command(name: &[u8]) -> bool {
    matches!(
        name,
        b"-b"
            | b"-bB"
            | b"user"
            | b"sqlplus"
            | b"expdp"
            | b"impdp"
            | b"exp"
            | b"target"
            | b"login"
            | b"set"
            | b"config"
            | b"auth"
            | b"AUTH"
            | b"community"
    )
}

/// The secret of a command whose first words end at a place.
fn find_behind_command(bytes: &[u8], stop: usize) -> Option<Found> {
    let near = part(bytes, stop.saturating_sub(NEAR), stop + 1).to_ascii_lowercase();
    let (_, words, sign) = COMMANDS.iter().find(|(command, ..)| near.ends_with(command.as_bytes()))?;
    let mut start = run_end(bytes, stop, is_blank);
    for _ in 0..*words {
        if at(bytes, start) == b'-' {
            start = run_end(bytes, run_end(bytes, start, |byte| byte > b' '), is_blank);
        }
        start = run_end(bytes, run_end(bytes, start, |byte| byte > b' '), is_blank);
    }
    behind_user(bytes, start, *sign, &|value, is_closed| {
        is_closed && is_chosen(value) || is_chosen_bare(value, true) || is_strong(value)
    })
}

/// The password behind a user's name and a sign, if there is one.
#[inline(never)]
fn behind_user(
    bytes: &[u8],
    start: usize,
    sign: u8,
    is_secret: &dyn Fn(&[u8], bool) -> bool,
) -> Option<Found> {
    if sign == 0 {
        return secret_from(bytes, start, is_secret);
    }
    let start = start + usize::from(is_quote(at(bytes, start)));
    let user =
        run_end_within(bytes, start, LONGEST_JUDGED, |byte| byte > b' ' && byte != sign && !is_quote(byte));
    if at(bytes, user) != sign {
        return None;
    }
    // Oracle has the host behind it: `app/password@//host:1521/x`.
    let host = run_end_within(bytes, user + 1, LONGEST_JUDGED, |byte| byte > b' ' && byte != b'@');
    let is_login = sign == b'/' && at(bytes, host) == b'@';
    secret_from(part(bytes, 0, if is_login { host } else { bytes.len() }), user + 1, is_secret)
}

/// What precedes an `is` at the end of a line, if machines make such values.
pub(super) fn described_before(bytes: &[u8], word: usize, stop: usize) -> Option<(Strength, &'static str)> {
    if part(bytes, word, stop) != b"is" {
        return None;
    }
    described(part(bytes, word.saturating_sub(NEAR), word))
        .filter(|(strength, _)| *strength == Strength::Made)
}

/// What the words before `is` or `to` say: the last one or, in the same sentence, that there is a password.
fn described(near: &[u8]) -> Option<(Strength, &'static str)> {
    const MOST: usize = 6;
    classify(last_name(near)).or_else(|| {
        let sentence = near.rsplit(|byte| b".:,;!?\n".contains(byte)).next().unwrap_or_default();
        let mut words = sentence.rsplit(|byte| *byte == b' ').take(MOST);
        words.any(is_password).then_some((Strength::Chosen, "password"))
    })
}

/// The word before a blank at the end of a text.
fn last_name(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_end();
    let length = text.iter().rev().take_while(|byte| is_word(**byte)).count();
    part(text, text.len() - length, text.len())
}

/// Whether a word stands on the last lines of a text, in whatever case.
#[inline(never)]
fn has_word(text: &[u8], word: &str) -> bool {
    text.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
}

/// Whether the cell of a table before a bar names a secret.
pub(super) fn is_secret_cell(bytes: &[u8], bar: usize) -> bool {
    cell_name(bytes, bar).is_some()
}

/// The name in the cell before a bar.
fn cell_before(bytes: &[u8], bar: usize) -> Option<&[u8]> {
    const LONGEST: usize = 48;
    let near = part(bytes, bar.saturating_sub(LONGEST), bar);
    let length = near.iter().rev().take_while(|byte| **byte != b'|' && **byte != b'\n').count();
    if length == near.len() || before(bytes, bar - length) != b'|' {
        return None;
    }
    let cell = part(near, near.len() - length, near.len()).trim_ascii();
    let marks = cell.iter().take_while(|byte| matches!(byte, b'*' | b'`')).count();
    let name = part(cell, marks, cell.len().checked_sub(marks)?);
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b' ');
    (!name.is_empty() && name.iter().all(is_name)).then_some(name)
}

/// What the cell before a bar says of another.
pub(super) fn cell_name(bytes: &[u8], bar: usize) -> Option<(Strength, &'static str)> {
    classify(cell_before(bytes, bar)?)
}

/// The secret in the cell behind a bar, if the cell before names one.
pub(super) fn find_in_cell(bytes: &[u8], bar: usize) -> Option<Found> {
    let (strength, kind) = cell_name(bytes, bar)?;
    secret_in_cell(bytes, bar, strength, kind)
}

/// The secret in the cell behind a bar.
pub(super) fn secret_in_cell(
    bytes: &[u8],
    bar: usize,
    strength: Strength,
    kind: &'static str,
) -> Option<Found> {
    let mut start = run_end(bytes, bar + 1, is_blank);
    let is_code = at(bytes, start) == b'`';
    start += usize::from(is_code);
    let end =
        run_end_within(bytes, start, LONGEST_JUDGED, |byte| byte > b' ' && byte != b'`' && byte != b'|');
    let behind = run_end(bytes, end + usize::from(is_code), is_blank);
    let value = part(bytes, start, end);
    let is_secret = match strength {
        Strength::Chosen => is_chosen_bare(value, true) && !is_term(value),
        _ => value.len() >= 16 && is_random(value),
    };
    let is_cell = at(bytes, behind) == b'|' && is_secret && !is_reference(value);
    is_cell.then_some(Found { start, end, kind: tokens::kind_of(value).unwrap_or(kind) })
}
