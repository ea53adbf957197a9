//! Secrets among the words of a command: `mysql -p…`, `curl -b '…'`, `net use … /user:x`, `echo … | kinit`.

use super::bytes::{NEAR, at, before, find, has, is_blank, is_quote, part, run_end, run_end_within};
use super::cookies;
use super::found::Found;
use super::judged::secret_from;
use super::value::{LONGEST_JUDGED, is_chosen, is_chosen_bare, is_strong};

/// What stands behind an option's letter.
#[derive(Clone, Copy)]
enum Held {
    /// The secret, without a blank between.
    Attached,
    /// The secret, with a blank between or without.
    Secret,
    /// A user's name, a sign and the secret.
    BehindUser(u8),
    /// Pairs of names and values, or the name of a file.
    Cookies,
}

/// Programs, the letter of the option that holds a secret, and how it does. Only behind `sshpass` the secret may look like
/// any word.
const PROGRAMS: [(&str, u8, Held); 37] = [
    ("mysql", b'p', Held::Attached),
    ("mariadb", b'p', Held::Attached),
    ("sshpass", b'p', Held::Secret),
    ("login", b'p', Held::Secret),
    ("mongo", b'p', Held::Secret),
    ("twine ", b'p', Held::Secret),
    ("7z ", b'p', Held::Attached),
    ("rar ", b'p', Held::Attached),
    ("zip ", b'P', Held::Secret),
    ("sqlcmd", b'P', Held::Secret),
    ("bcp ", b'P', Held::Secret),
    ("ipmitool", b'P', Held::Secret),
    ("redis-cli", b'a', Held::Secret),
    ("ldap", b'w', Held::Secret),
    ("openssl", b'k', Held::Secret),
    ("snmp", b'A', Held::Secret),
    ("snmp", b'X', Held::Secret),
    ("smbclient", b'U', Held::BehindUser(b'%')),
    ("rpcclient", b'U', Held::BehindUser(b'%')),
    ("lftp", b'u', Held::BehindUser(b',')),
    ("secret set ", b'b', Held::Secret),
    ("vercel ", b't', Held::Secret),
    ("curl ", b'b', Held::Cookies),
    ("curl ", b'U', Held::BehindUser(b':')),
    ("psexec", b'p', Held::Secret),
    ("PsExec", b'p', Held::Secret),
    ("crackmapexec ", b'p', Held::Secret),
    ("netexec ", b'p', Held::Secret),
    ("nxc ", b'p', Held::Secret),
    ("evil-winrm ", b'p', Held::Secret),
    ("rdesktop ", b'p', Held::Secret),
    ("cqlsh ", b'p', Held::Secret),
    ("mosquitto_", b'P', Held::Secret),
    ("useradd ", b'p', Held::Secret),
    ("usermod ", b'p', Held::Secret),
    ("ssh-keygen ", b'P', Held::Secret),
    ("ssh-keygen ", b'N', Held::Secret),
];
/// Behind these a command reads a password from its input.
const ASKING: [&str; 10] = [
    "sudo -S",
    "password-stdin",
    "passwd --stdin",
    "chpasswd",
    " secret put ",
    "kinit",
    "| su ",
    "cryptsetup",
    "smbpasswd",
    "passphrase-fd",
];
/// Commands that have a secret behind so many other words, and the sign between a user's name and the secret.
const COMMANDS: [(&str, usize, u8); 17] = [
    ("htpasswd -b ", 2, 0),
    ("htpasswd -bb ", 2, 0),
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
    ("ngrok authtoken ", 0, 0),
];

/// Whether a word may be an option that holds a secret.
pub(super) fn is_option(name: &[u8]) -> bool {
    matches!(
        name,
        [b'-', b'p' | b'P' | b'a' | b'w' | b'k' | b'A' | b'X' | b'U' | b'b' | b't' | b'N', ..] | b"-u"
    )
}

/// The secret behind the option that starts at `word`.
pub(super) fn find_flagged(bytes: &[u8], word: usize, letter: u8) -> Option<Found> {
    let near = part(bytes, word.saturating_sub(NEAR), word);
    let near = near.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_run =
        |(program, option, _): &&(&str, u8, Held)| *option == letter && find(near, 0, program).is_some();
    let &(program, _, held) = PROGRAMS.iter().find(is_run)?;
    if !is_blank(before(bytes, word)) && !is_quote(before(bytes, word)) {
        return None;
    }
    let mut start = word + 2;
    if is_blank(at(bytes, start)) {
        // With a blank between, the others ask for it.
        if matches!(held, Held::Attached) {
            return None;
        }
        start = run_end(bytes, start, is_blank);
    }
    let sign = match held {
        Held::Cookies => return cookies::find_word(bytes, start),
        Held::BehindUser(sign) => sign,
        Held::Attached | Held::Secret => 0,
    };
    let is_sure = program == "sshpass";
    behind_user(bytes, start, sign, &|value, is_closed| {
        is_sure && value.len() >= 4 && is_chosen(value) || is_written(value, is_closed)
    })
}

/// Whether a word of a command is one that people write for a secret.
fn is_written(value: &[u8], is_closed: bool) -> bool {
    is_closed && is_chosen(value) || is_chosen_bare(value, true)
}

/// Parts of the names of tools that take a domain, a user and a password in one word: `corp/me:…@host`.
const REMOTE: [&str; 5] = ["impacket-", "exec.py ", "dump.py ", "SPNs.py ", "Users.py "];

/// Where the password of such a word ends, if the sign behind its user stands at a place.
pub(super) fn end_of_remote(bytes: &[u8], word: usize, sign: usize) -> Option<usize> {
    let has_domain = before(bytes, word) == b'/';
    if !has_domain && !is_blank(before(bytes, word)) && !is_quote(before(bytes, word)) {
        return None;
    }
    let end = run_end_within(bytes, sign, LONGEST_JUDGED, |byte| byte > b' ' && !is_quote(byte));
    let host = part(bytes, sign, end).iter().rposition(|byte| *byte == b'@').map(|length| sign + length);
    let end = host.or(has_domain.then_some(end))?;
    let near = part(bytes, word.saturating_sub(NEAR), word);
    let near = near.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    REMOTE.iter().any(|tool| find(near, 0, tool).is_some()).then_some(end)
}

/// The last of the first words of such commands.
pub(super) const WORDS: [&str; 23] = [
    "-b",
    "-bB",
    "user",
    "use",
    "USE",
    "sqlplus",
    "expdp",
    "impdp",
    "exp",
    "target",
    "login",
    "set",
    "config",
    "auth",
    "AUTH",
    "community",
    "authtoken",
    "echo",
    "printf",
    "kinit",
    "passwd",
    "chpasswd",
    "cryptsetup",
];

/// Whether the first words of one of these commands may end with a word.
pub(super) fn may_start(bytes: &[u8], word: usize, name: &[u8]) -> bool {
    let is_known = WORDS.iter().any(|known| name == known.as_bytes());
    is_known
        && (!name.eq_ignore_ascii_case(b"use")
            || part(bytes, word.saturating_sub(4), word).eq_ignore_ascii_case(b"net "))
}

/// The secret of a command whose first words end at a place with a name.
pub(super) fn find_behind(bytes: &[u8], name: &[u8], stop: usize) -> Option<Found> {
    match name {
        b"echo" | b"printf" => return find_piped(bytes, stop),
        b"kinit" | b"passwd" | b"chpasswd" | b"cryptsetup" => return find_here(bytes, stop),
        b"use" | b"USE" => return find_share(bytes, stop),
        _ => {}
    }
    let near = part(bytes, stop.saturating_sub(NEAR), stop + 1).to_ascii_lowercase();
    let (_, words, sign) = COMMANDS.iter().find(|(command, ..)| near.ends_with(command.as_bytes()))?;
    let mut start = run_end(bytes, stop, is_blank);
    for _ in 0..*words {
        if at(bytes, start) == b'-' {
            start = next_word(bytes, start);
        }
        start = next_word(bytes, start);
    }
    behind_user(bytes, start, *sign, &|value, is_closed| is_written(value, is_closed) || is_strong(value))
}

/// Where the word behind the one at a place starts.
fn next_word(bytes: &[u8], start: usize) -> usize {
    run_end(bytes, run_end(bytes, start, |byte| byte > b' '), is_blank)
}

/// The rest of a line, as far as a command goes.
fn line_behind(bytes: &[u8], start: usize) -> &[u8] {
    part(bytes, start, run_end_within(bytes, start, 4 * NEAR, |byte| byte != b'\n'))
}

/// The password that `echo` writes into a command that asks for one.
fn find_piped(bytes: &[u8], stop: usize) -> Option<Found> {
    let mut start = run_end(bytes, stop, is_blank);
    let line = line_behind(bytes, start);
    if !ASKING.iter().any(|asking| find(line, 0, asking).is_some()) {
        return None;
    }
    // The form that `printf` has before the text, and options.
    let is_form = |start| has(bytes, start, "'%s") || has(bytes, start, "\"%s") || has(bytes, start, "%s");
    while is_form(start) || at(bytes, start) == b'-' {
        start = next_word(bytes, start);
    }
    secret_from(bytes, start, &is_written)
}

/// The password that a shell gives to a command from a string: `kinit me <<< '…'`.
fn find_here(bytes: &[u8], stop: usize) -> Option<Found> {
    let string = find(line_behind(bytes, stop), 0, "<<<")?;
    secret_from(bytes, run_end(bytes, stop + string + 3, is_blank), &is_written)
}

/// The password of a Windows share: `net use Z: \\host\share … /user:me`.
fn find_share(bytes: &[u8], stop: usize) -> Option<Found> {
    const MOST_WORDS: usize = 5;
    let mut start = run_end(bytes, stop, is_blank);
    let mut has_share = false;
    for _ in 0..MOST_WORDS {
        let end = run_end_within(bytes, start, LONGEST_JUDGED, |byte| byte > b' ');
        match part(bytes, start, end) {
            [b'\\', ..] => has_share = true,
            [b'/', ..] | [_, b':'] | b"*" => {}
            _ if has_share => return secret_from(bytes, start, &is_written),
            _ => return None,
        }
        start = run_end(bytes, end, is_blank);
    }
    None
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
