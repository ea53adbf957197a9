//! Hashes of passwords, as `/etc/shadow`, `.htpasswd` and frameworks keep them: `$6$salt$hash`.

use super::bytes::{part, rest, run_end, run_end_within};
use super::found::Found;
use super::value::{LONGEST_JUDGED, is_random};

/// What such hashes begin with.
const LEADS: [&str; 15] = [
    "$1$", "$2a$", "$2b$", "$2y$", "$5$", "$6$", "$7$", "$y$", "$apr1$", "$argon2", "$scrypt$", "$pbkdf2",
    "$gy$", "$P$", "$H$",
];
/// What such hashes begin with that have no `$` before.
const NAMES: [&str; 4] = ["pbkdf2_sha", "argon2", "bcrypt", "scrypt"];

/// The least that follows the first `$`.
const SHORTEST: usize = 24;

/// Whether a hash may begin at a `$`, or with the word before it.
pub(super) fn may_begin(bytes: &[u8], word: usize, sign: usize) -> bool {
    let starts = |start, lead: &str| rest(bytes, start).starts_with(lead.as_bytes());
    LEADS.iter().any(|lead| starts(sign, lead)) || sign > word && NAMES.iter().any(|name| starts(word, name))
}

/// The hash that begins at a `$`.
pub(super) fn find_hash(bytes: &[u8], word: usize, sign: usize) -> Option<Found> {
    if !may_begin(bytes, word, sign) {
        return None;
    }
    let belongs = |byte: u8| byte.is_ascii_alphanumeric() || b"$./+=,_-".contains(&byte);
    let judged = run_end_within(bytes, sign, 2 * LONGEST_JUDGED, belongs);
    let text = part(bytes, sign, judged);
    let parts = text.split(|byte| *byte == b'$').filter(|part| part.len() >= 16 && is_random(part));
    let is_hash =
        text.len() >= SHORTEST && text.split(|byte| *byte == b'$').nth(2).is_some() && parts.count() > 0;
    is_hash.then(|| Found { start: sign, end: run_end(bytes, judged, belongs), kind: "password-hash" })
}
