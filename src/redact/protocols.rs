//! Passwords in what a client writes to a server: `PASS …` of FTP and POP, `LOGIN me …` of IMAP, `AUTH …` of Redis and SMTP.

use super::bytes::{NEAR, at, begun, find, is_blank, is_quote, is_word, part, run_end, run_end_within};
use super::extent::extent;
use super::found::Found;
use super::judged::secret_from;
use super::value::{is_chosen, is_chosen_bare, is_random, is_strong};

/// What stands near a password of FTP or POP: the user, or the server's question.
const BEFORE_PASS: [&str; 4] = ["USER ", "331 ", "+OK", "user "];
/// Ways of SMTP to log in that have the secret in the same line.
const MECHANISMS: [&[u8]; 4] = [b"PLAIN", b"LOGIN", b"XOAUTH2", b"OAUTHBEARER"];
/// `Password:` in base64, as servers of SMTP ask.
const ASKED: &[u8] = b"UGFzc3dvcmQ6";

/// Words of a client before its password, and the number by which a server asks for one.
pub(super) const VERBS: [&str; 4] = ["PASS", "AUTH", "LOGIN", "334"];

/// Whether a word is one of these.
pub(super) fn is_verb(name: &[u8]) -> bool {
    VERBS.iter().any(|verb| name == verb.as_bytes())
}

/// The password behind a client's word, which is the only other one of its line.
pub(super) fn find_behind(bytes: &[u8], above: Option<&[u8]>, word: usize, stop: usize) -> Option<Found> {
    let begin = begun(bytes, word);
    let near = part(bytes, begin.saturating_sub(NEAR), begin);
    let head = near.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let head = if begin > word { &[][..] } else { head.trim_ascii() };
    let mut start = run_end(bytes, stop, is_blank);
    match part(bytes, begin, stop) {
        b"PASS" => {
            let is_near = |text: &[u8]| BEFORE_PASS.iter().any(|word| find(text, 0, word).is_some());
            let is_asked = above.is_none_or(|above| {
                let more = part(above, above.len().saturating_sub(NEAR), above.len());
                // Text that a replacement moved into view doesn't count: redacting twice would change more.
                is_near(near) || is_near(more.rsplit(|byte| *byte == b'[').next().unwrap_or_default())
            });
            if !is_prompt(head) || !is_asked {
                return None;
            }
        }
        b"AUTH" => {
            if !is_prompt(head) {
                return None;
            }
            let end = run_end_within(bytes, start, NEAR, |byte| byte > b' ');
            let next = run_end(bytes, end, is_blank);
            if MECHANISMS.contains(&part(bytes, start, end)) {
                return secret_from(bytes, next, &|value, _| value.len() >= 8 && is_encoded(value));
            }
            // A user's name may stand before the password.
            let is_name = part(bytes, start, end).iter().all(|byte| is_word(*byte));
            if is_name && next > end && at(bytes, next).is_ascii_alphanumeric() {
                start = next;
            }
        }
        b"LOGIN" => {
            // `a1 LOGIN me …`: each command of IMAP has a number.
            let tag = head.rsplit(|byte| *byte == b' ').next().unwrap_or_default();
            let is_numbered =
                tag.last().is_some_and(u8::is_ascii_digit) && tag.iter().all(u8::is_ascii_alphanumeric);
            let is_tag = is_numbered || tag == b".";
            let head = part(head, 0, head.len() - tag.len()).trim_ascii();
            if !is_tag || !is_prompt(head) {
                return None;
            }
            let user = extent(bytes, start, false);
            let behind = user.end + usize::from(user.is_closed);
            let next = run_end(bytes, behind, is_blank);
            if next == behind {
                return None;
            }
            start = next;
        }
        _ => return None,
    }
    let found = secret_from(bytes, start, &|value, is_closed| {
        is_closed && is_chosen(value) || is_chosen_bare(value, true) || is_strong(value)
    })?;
    let is_closed = is_quote(at(bytes, start)) && is_quote(at(bytes, found.end));
    let next = at(bytes, found.end + usize::from(is_closed));
    (matches!(next, 0 | b'\n' | b'\r' | b'\\') || is_quote(next)).then_some(found)
}

/// Whether a line's beginning is nothing, a prompt, the mark of a client or an opened quotation.
fn is_prompt(head: &[u8]) -> bool {
    const LONGEST: usize = 48;
    head.len() < LONGEST && head.last().is_none_or(|byte| matches!(byte, b'>' | b':') || is_quote(*byte))
}

fn is_encoded(value: &[u8]) -> bool {
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    value.iter().all(is_base64) && (is_random(value) || value.ends_with(b"="))
}

/// Whether a server's line asks for a password: the next one is it.
pub(super) fn asks(bytes: &[u8], word: usize, stop: usize) -> bool {
    part(bytes, word, stop) == b"334" && {
        let line = run_end_within(bytes, stop, NEAR, |byte| byte != b'\n');
        part(bytes, stop, line).trim_ascii() == ASKED
    }
}
