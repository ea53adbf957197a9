//! Tokens that their issuers gave a shape: a prefix, an alphabet, a length.

mod shapes;

use super::bytes::{Pairs, at, before, has, is_word, part, rest, run_end, run_end_within};
use super::encoded;
use super::found::Found;
use super::value::is_random;
use shapes::{AFTER, Alphabet, SHAPES, Shape};

/// What shapes begin with.
const LEADS: Pairs = leads(false);
const SIGNED_LEADS: Pairs = leads(true);

const fn leads(only_with_signs: bool) -> Pairs {
    let mut pairs = Pairs::none();
    let mut at = 0;
    while at < SHAPES.len() {
        #[allow(clippy::indexing_slicing)] // A constant that is out of bounds doesn't compile.
        let Shape { lead, alphabet, .. } = SHAPES[at];
        if let [first, second, ..] = lead.as_bytes()
            && (!only_with_signs || matches!(alphabet, Alphabet::Dotted))
        {
            pairs = pairs.and(*first, *second);
        }
        at += 1;
    }
    pairs
}

/// The shapes whose first letters are alike, as chains in the table's order: where each letter's chain begins, and what
/// follows each shape. No shape has the last number.
struct Chains {
    first: [u8; 128],
    next: [u8; SHAPES.len()],
}

const END: u8 = u8::MAX;

const CHAINS: Chains = {
    let mut chains = Chains { first: [END; 128], next: [END; SHAPES.len()] };
    let mut number = SHAPES.len();
    while number > 0 {
        number -= 1;
        #[allow(clippy::indexing_slicing, clippy::cast_possible_truncation)]
        // A constant out of bounds doesn't compile.
        if let [letter, ..] = SHAPES[number].lead.as_bytes() {
            let letter = (*letter & 127) as usize;
            chains.next[number] = chains.first[letter];
            chains.first[letter] = number as u8;
        }
    }
    chains
};

const _: () = assert!(SHAPES.len() < END as usize);

/// The shapes that begin with a letter.
fn shapes_from(letter: u8) -> impl Iterator<Item = &'static Shape> {
    let known = |number: &u8| *number != END;
    let first = CHAINS.first.get(usize::from(letter & 127)).copied().filter(known);
    let numbers = std::iter::successors(first, move |number| {
        CHAINS.next.get(usize::from(*number)).copied().filter(known)
    });
    numbers.filter_map(|number| SHAPES.get(usize::from(number)))
}

impl Alphabet {
    fn has(self, byte: u8) -> bool {
        match self {
            Self::Word => is_word(byte),
            Self::Alphanumeric => byte.is_ascii_alphanumeric(),
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Hex => byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'),
            Self::Dotted => is_word(byte) || matches!(byte, b'.' | b'=' | b'+' | b'/'),
        }
    }
}

impl Shape {
    /// Where the token ends whose body starts at a place.
    fn end(&self, bytes: &[u8], body: usize) -> Option<usize> {
        let end = run_end(bytes, body, |byte| self.alphabet.has(byte));
        let length = end - body;
        let fits = if self.is_exact { length == self.length } else { length >= self.length };
        // What an alphabet without separators ends at must be none of a word: `npm_x…` isn't `npm_config_x`.
        let is_whole = !self.is_exact && self.alphabet == Alphabet::Word
            || !(at(bytes, end).is_ascii_alphanumeric() || at(bytes, end) == b'_');
        let is_likely = !self.is_strict || is_random(part(bytes, body, end));
        (fits && is_whole && is_likely).then_some(end)
    }
}

/// The token in a word of at least 16 bytes, or one that begins there.
pub(super) fn find_token(bytes: &[u8], word: usize, stop: usize) -> Option<Found> {
    let mut start = after_escape(bytes, word);
    if matches!(before(bytes, word), b'.' | b'=' | b'+' | b'/')
        && let Some(found) = find_around_signs(bytes, word)
    {
        return Some(found);
    }
    loop {
        if stop.saturating_sub(start) < 16 {
            return None;
        }
        if let Some((end, kind)) = token_at(bytes, start, stop) {
            return Some(Found { start, end, kind });
        }
        if let Some(found) = behind_account(bytes, start, stop) {
            return Some(found);
        }
        // Names are put before tokens with `_` and `-`.
        let separator = part(bytes, start, stop).iter().position(|byte| matches!(byte, b'_' | b'-'))?;
        start += separator + 1;
    }
}

/// Where a word really starts: behind the letter of an escape such as `\n`.
fn after_escape(bytes: &[u8], word: usize) -> usize {
    let is_escape = before(bytes, word) == b'\\';
    word + usize::from(is_escape && matches!(at(bytes, word), b'n' | b'r' | b't'))
}

/// How far behind a token's start the first long word of one may stand that has signs between its words.
const LONGEST_HEAD: usize = 128;

/// The token whose first words are short, and which a long one belongs to.
fn find_around_signs(bytes: &[u8], word: usize) -> Option<Found> {
    let most = part(bytes, word.saturating_sub(LONGEST_HEAD), word);
    let (mut next, mut first) = (0, None);
    for (place, &byte) in (word - most.len()..word).zip(most).rev() {
        if !Alphabet::Dotted.has(byte) {
            break;
        }
        if SIGNED_LEADS.may_have(byte, next) {
            first = token_with_signs(bytes, place).or(first);
        }
        next = byte;
    }
    first
}

fn token_with_signs(bytes: &[u8], start: usize) -> Option<Found> {
    let has_shape = |shape: &&Shape| shape.alphabet == Alphabet::Dotted && has(bytes, start, shape.lead);
    let shape = SHAPES.iter().find(has_shape)?;
    let last = start.checked_sub(1).map_or(start, |last| after_escape(bytes, last));
    if before(bytes, start).is_ascii_alphanumeric() && last != start || !is_start(bytes, start) {
        return None;
    }
    let end = shape.end(bytes, start + shape.lead.len())?;
    Some(Found { start, end, kind: shape.kind })
}

/// How far behind a slash is looked for the start of a path.
const FAR: usize = 40;

fn token_at(bytes: &[u8], start: usize, stop: usize) -> Option<(usize, &'static str)> {
    if !is_start(bytes, start) {
        return after_literal(bytes, start);
    }
    let text = rest(bytes, start);
    let of_shape = |shape: &Shape| {
        let lead = shape.lead.as_bytes();
        let end = text.starts_with(lead).then(|| shape.end(bytes, start + lead.len()))?;
        Some((end?, shape.kind))
    };
    let may_have_shape = LEADS.may_have(at(bytes, start), at(bytes, start + 1));
    let found = if may_have_shape { shapes_from(at(bytes, start)).find_map(of_shape) } else { None };
    found
        .or_else(|| json_web_token(bytes, start, stop))
        .or_else(|| bot_token(bytes, start))
        .or_else(|| airtable_token(bytes, start, stop))
        .or_else(|| azure_key(bytes, start, stop))
        .or_else(|| key_of_digits(bytes, start, stop))
        .or_else(|| Some((encoded::key_end(bytes, start)?, "private-key")))
        .or_else(|| after_literal(bytes, start))
}

/// Whether a token may start here: base64 data may hold anything between its own signs.
fn is_start(bytes: &[u8], start: usize) -> bool {
    !matches!(before(bytes, start), b'/' | b'+') || has_path(bytes, start)
}

/// Whether the slash before a word is that of a path or URL: only base64 data stand far before it.
fn has_path(bytes: &[u8], start: usize) -> bool {
    let line = part(bytes, start.saturating_sub(FAR), start);
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    before(bytes, start) == b'/' && (line.len() < FAR || !line.iter().all(is_base64))
}

/// Tokens whose mark stands before the word, parted by a sign that no word has.
fn after_literal(bytes: &[u8], start: usize) -> Option<(usize, &'static str)> {
    let last = before(bytes, start);
    if !matches!(last, b'.' | b':' | b'/') {
        return None;
    }
    let head = part(bytes, start.saturating_sub(24), start);
    AFTER.iter().find_map(|(literal, shape)| {
        let mark = head.strip_suffix(literal.as_bytes())?;
        let is_mark = !mark.last().is_some_and(u8::is_ascii_alphabetic)
            || matches!(mark, [.., b'\\', b'n' | b'r' | b't'])
            || at(literal.as_bytes(), 0) == b'.';
        let fits = is_mark && rest(bytes, start).starts_with(shape.lead.as_bytes());
        let end = fits.then(|| shape.end(bytes, start + shape.lead.len()))?;
        Some((end?, shape.kind))
    })
}

/// `header.payload.signature`, where the header is base64 of a JSON object.
fn json_web_token(bytes: &[u8], start: usize, header: usize) -> Option<(usize, &'static str)> {
    if at(bytes, header) != b'.' || !rest(bytes, start).starts_with(b"eyJ") {
        return None;
    }
    let payload = run_end(bytes, header + 1, is_word);
    if payload < header + 9 {
        return None;
    }
    let mut end = payload;
    // A signature follows; encrypted ones have five parts.
    for _ in 0..3 {
        if at(bytes, end) == b'.' {
            end = run_end(bytes, end + 1, is_word);
        }
    }
    Some((end, "json-web-token"))
}

/// A token of Airtable: its id, a dot, 64 hexadecimal digits.
fn airtable_token(bytes: &[u8], start: usize, stop: usize) -> Option<(usize, &'static str)> {
    if stop - start != 17 || at(bytes, stop) != b'.' || !rest(bytes, start).starts_with(b"pat") {
        return None;
    }
    let end = run_end(bytes, stop + 1, is_word);
    (end - stop == 65 && is_hex(part(bytes, stop + 1, end))).then_some((end, "airtable-token"))
}

/// A key of Azure or a token of its `DevOps`: 84 letters and digits with a mark among them.
fn azure_key(bytes: &[u8], start: usize, stop: usize) -> Option<(usize, &'static str)> {
    let key = part(bytes, start, stop);
    let is_key =
        key.len() == 84 && part(key, 52, 58) == b"JQQJ99" && key.iter().all(u8::is_ascii_alphanumeric);
    is_key.then_some((stop, "azure-key"))
}

/// Whether a `$` may stand in a token of Braintree: `access_token$production$…$…`.
pub(super) fn may_hold_dollar(word: &[u8]) -> bool {
    word.ends_with(b"access_token")
}

/// The token that a `$` stands in.
pub(super) fn find_around_dollar(bytes: &[u8], word: usize, stop: usize) -> Option<Found> {
    const MARK: usize = "access_token".len();
    if !may_hold_dollar(part(bytes, word, stop)) {
        return None;
    }
    let mut parts = part(bytes, stop + 1, bytes.len().min(stop + 80)).splitn(3, |byte| *byte == b'$');
    let is_place = matches!(parts.next()?, b"production" | b"sandbox");
    let is_id = parts.next()?.len() == 16;
    let key = parts.next()?;
    let end = run_end(key, 0, is_word);
    let is_token = is_place && is_id && end == 32 && is_hex(part(key, 0, end));
    let last = bytes.len().min(stop + 80) - key.len() + end;
    is_token.then_some(Found { start: stop - MARK, end: last, kind: "braintree-token" })
}

/// A bot's token of a chat service: its id in base64, a time stamp, a signature.
fn bot_token(bytes: &[u8], start: usize) -> Option<(usize, &'static str)> {
    if !matches!(at(bytes, start), b'M' | b'N' | b'O') {
        return None;
    }
    let id = run_end_within(bytes, start, 29, is_word);
    let stamp = run_end_within(bytes, id + 1, 7, is_word);
    let is_id = (23..=28).contains(&(id - start)) && is_random(part(bytes, start, id));
    if !is_id || at(bytes, id) != b'.' || at(bytes, stamp) != b'.' || stamp != id + 7 {
        return None;
    }
    let end = run_end(bytes, stamp + 1, is_word);
    (end - stamp > 27).then_some((end, "discord-bot-token"))
}

fn is_hex(text: &[u8]) -> bool {
    text.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'))
}

/// Keys of 32 hexadecimal digits that what stands beside them tells from hashes: those of Mailchimp and Mailgun by
/// what follows, those of Asana by the account before them.
fn key_of_digits(bytes: &[u8], start: usize, stop: usize) -> Option<(usize, &'static str)> {
    let (key, rest) = part(bytes, start, stop).split_at_checked(32)?;
    if !is_hex(key) {
        return None;
    }
    match rest {
        [b'-', b'u', b's', digits @ ..] if (1..=2).contains(&digits.len()) && is_hex(digits) => {
            Some((stop, "mailchimp-key"))
        }
        [b'-', one @ .., _, _, _, _, _, _, _, _, _] if one.len() == 8 && is_hex(one) => {
            let last = part(rest, 10, rest.len());
            (at(rest, 9) == b'-' && is_hex(last)).then_some((stop, "mailgun-key"))
        }
        [] => is_account(part(bytes, start.saturating_sub(48), start)).then_some((stop, "asana-token")),
        _ => None,
    }
}

/// Whether a text ends with an account before its token: `1/1200123412341234:`.
fn is_account(text: &[u8]) -> bool {
    let Some(text) = text.strip_suffix(b":") else { return false };
    let length = text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    length >= 10 && matches!(part(text, 0, text.len() - length), [.., b'0'..=b'9', b'/'])
}

/// The token of a Twilio account, which stands behind the account's number.
fn behind_account(bytes: &[u8], start: usize, stop: usize) -> Option<Found> {
    let account = part(bytes, start, stop);
    if account.len() != 34 || !account.starts_with(b"AC") || !is_hex(part(account, 2, 34)) {
        return None;
    }
    let token = run_end_within(bytes, stop, 6, |byte| !byte.is_ascii_alphanumeric() && byte >= b' ');
    let end = run_end(bytes, token, is_word);
    (end - token == 32 && is_hex(part(bytes, token, end))).then_some(Found {
        start: token,
        end,
        kind: "twilio-token",
    })
}

/// A client secret of a cloud directory, whose mark is `Q~` behind four characters, or a token of `OpenShift` behind
/// `sha256~`.
pub(super) fn find_around_tilde(bytes: &[u8], stop: usize) -> Option<Found> {
    let start = stop.checked_sub(5)?;
    let end = run_end_within(bytes, stop + 1, 35, |byte| is_word(byte) || matches!(byte, b'.' | b'~'));
    let head = part(bytes, start, stop);
    let is_head =
        matches!(head, [.., digit, b'Q'] if digit.is_ascii_digit()) && head.iter().all(|byte| is_word(*byte));
    let is_whole = !is_word(before(bytes, start))
        || matches!(part(bytes, start.saturating_sub(2), start), [b'\\', b'n' | b'r' | b't']);
    let is_secret = is_head && is_whole && (31..=34).contains(&(end - stop - 1));
    let is_openshift = head.ends_with(b"ha256") && before(bytes, start) == b's' && end - stop > 32;
    if is_openshift && is_random(part(bytes, stop + 1, end)) {
        return Some(Found { start: start - 1, end, kind: "openshift-token" });
    }
    is_secret.then_some(Found { start, end, kind: "azure-client-secret" })
}

/// The kind of a value that has a shape of its own from its first byte to its last.
pub(super) fn kind_of(value: &[u8]) -> Option<&'static str> {
    token_at(value, 0, run_end(value, 0, is_word))
        .filter(|(end, _)| *end == value.len())
        .map(|(_, kind)| kind)
}

// The property tests' library is there for native builds only.
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;
