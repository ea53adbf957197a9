//! Secrets in URLs: passwords before the host, paths of webhooks.

use super::bytes::{at, before, find, has, is_one_of, part, rest, run_end, run_end_within};
use super::found::Found;
use super::value::{LONGEST_JUDGED, is_random, is_reference};

/// Paths that are a secret: whoever knows one can post to it.
const WEBHOOKS: [(&str, &str, &str); 5] = [
    ("hooks.slack.com", "/services/", "slack-webhook"),
    ("hooks.slack.com", "/workflows/", "slack-webhook"),
    ("discord.com", "/api/webhooks/", "discord-webhook"),
    ("discordapp.com", "/api/webhooks/", "discord-webhook"),
    ("webhook.office.com", "/webhookb2/", "teams-webhook"),
];

fn is_in_url(byte: u8) -> bool {
    byte > b' ' && byte != 0x7f && !matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\' | b'|')
}

/// The secret in the URL whose `://` stands at a colon.
pub(super) fn find_secret(bytes: &[u8], colon: usize) -> Option<Found> {
    if !has(bytes, colon, "://") {
        return None;
    }
    let host = colon + 3;
    let end = run_end(bytes, host, |byte| is_in_url(byte) && !matches!(byte, b'/' | b'?' | b'#' | b','));
    let authority = part(bytes, host, end);
    if let Some(sign) = authority.iter().rposition(|byte| *byte == b'@') {
        return find_password(bytes, host, host + sign);
    }
    if let Some(sign) = sign_behind(bytes, colon, end) {
        return find_password(bytes, host, sign);
    }
    let (_, path, kind) = WEBHOOKS.into_iter().find(|(host, path, _)| {
        authority.to_ascii_lowercase().ends_with(host.as_bytes()) && has(bytes, end, path)
    })?;
    let start = end + path.len();
    let is_in_path = |byte| is_in_url(byte) && !matches!(byte, b')' | b',' | b']' | b'?');
    let judged = run_end_within(bytes, start, LONGEST_JUDGED, is_in_path);
    let is_secret = judged - start >= 16 && !is_reference(part(bytes, start, judged));
    is_secret.then(|| Found { start, end: run_end(bytes, judged, is_in_path), kind })
}

/// The place of the `@` behind a password with `/`, `?`, `#` or a quote in it. Elsewhere the URL would end at `place`.
fn sign_behind(bytes: &[u8], colon: usize, place: usize) -> Option<usize> {
    let host = colon + 3;
    let is_scheme = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let scheme = part(bytes, colon.saturating_sub(LONGEST_JUDGED), colon);
    let scheme = scheme.iter().rev().take_while(is_scheme).count();
    let closing = match before(bytes, colon - scheme) {
        b'<' => b'>',
        byte => byte,
    };
    let mut password = part(bytes, host, place).splitn(2, |byte| *byte == b':').skip(1);
    let is_port = password.next().is_none_or(|head| head.iter().all(u8::is_ascii_digit));
    if is_port || !at(bytes, place + 1).is_ascii_alphanumeric() {
        return None;
    }
    let belongs = |byte| byte > b' ' && byte != closing && !matches!(byte, b'/' | b'?' | b'#' | b'@');
    let end = run_end_within(bytes, host, LONGEST_JUDGED, belongs);
    (at(bytes, end) == b'@').then_some(end)
}

/// What stands between scheme and `@`: `user:password`, or a token alone.
fn find_password(bytes: &[u8], start: usize, end: usize) -> Option<Found> {
    let user = part(bytes, start, end);
    if let Some(colon) = user.iter().position(|byte| *byte == b':') {
        let password = rest(user, colon + 1);
        let is_word = is_one_of(&["password", "pass", "passwd", "pwd"], password);
        // `http://localhost:3000@v1`: a version behind a port.
        let is_port = password.len() < 6 && password.iter().all(u8::is_ascii_digit);
        let is_host = part(user, 0, colon) == b"localhost" || part(user, 0, colon).contains(&b'.');
        if password.is_empty() || is_word || is_port && is_host || is_reference(password) {
            return None;
        }
        return Some(Found { start: start + colon + 1, end, kind: "url-password" });
    }
    let is_token = user.len() >= 20 && at(user, 0) != b'[' && !is_reference(user) && is_random(user);
    is_token.then_some(Found { start, end, kind: "url-token" })
}

/// Whether a parameter's name says that its value signs the URL.
pub(super) fn is_signature(key: &[u8], byte_before: u8) -> bool {
    let is_parameter = matches!(byte_before, b'?' | b'&');
    let names = ["sig", "X-Amz-Signature", "X-Goog-Signature", "X-Amz-Credential", "Signature"];
    is_parameter && is_one_of(&names, key) || find(key, 0, "X-Amz-Signature").is_some()
}
