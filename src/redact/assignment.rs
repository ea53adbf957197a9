//! Values behind names that say they are secret: `password=…`, `"api_key": "…"`, `--token …`,
//! `Authorization: Bearer …`, `<secret>…</secret>`.

use super::boundaries::may_be_replaced;
use super::bytes::{
    NEAR, after_blanks, at, backslashes, before, find, has, has_in_any_case, is_blank, is_quote, is_word,
    part, run_end, run_end_within, without_written_blank,
};
use super::extent::{Extent, bare_end, extent, is_call};
use super::found::Found;
use super::names::{
    LONGEST_KEY, Strength, classify, field_before, is_foreign, kind_in, may_be_secret, may_hold_data,
    may_precede, of_plural,
};
use super::tokens;
use super::url::is_signature;
use super::value::{
    LONGEST_JUDGED, Makeup, is_chosen, is_chosen_bare, is_key, is_random, is_reference, is_strong,
};
use super::{cells, changes, commands, cookies, hashes, html, jwk, pairs, putty};

/// Whether a look at what a sign follows and precedes is worthwhile: most signs of a program aren't. `word` says
/// where the word before the sign starts.
pub(super) fn may_introduce(bytes: &[u8], sign: usize, word: usize) -> bool {
    let may_follow_name = || may_precede(bytes, sign) && may_be_secret(bytes, key_end(bytes, sign));
    match at(bytes, sign) {
        b'~' => true,
        b':' if at(bytes, sign + 1) == b'/' => has(bytes, sign, "://"),
        b':' => {
            may_follow_name()
                || may_be_replaced(bytes, sign)
                || is_user(bytes, sign, word)
                || is_foreign(part(bytes, 0, sign))
                || is_port(bytes, word, sign)
                || may_hold_data(bytes, sign)
                || prompt_end(bytes, sign).is_some_and(|end| may_be_secret(bytes, end))
                || has_plural(bytes, sign)
                || commands::end_of_remote(bytes, word, sign).is_some()
                || may_be_typed(bytes, sign)
                || putty::opens(bytes, sign)
                || jwk::may_be_member(bytes, sign)
        }
        WIDE_COLON => wide_name(bytes, sign)
            .is_some_and(|name| is_foreign(name) || may_be_secret(bytes, key_end(bytes, name.len()))),
        b'=' if is_foreign(part(bytes, 0, sign)) || has_plural(bytes, sign) => true,
        b'$' => hashes::may_begin(bytes, word, sign) || tokens::may_hold_dollar(part(bytes, word, sign)),
        b'|' => cells::is_secret_cell(bytes, sign),
        b'>' if html::may_open(bytes, word, sign) => true,
        _ => may_follow_name(),
    }
}

/// Whether a sign may stand before what is typed into a field: `"text": "…"`.
fn may_be_typed(bytes: &[u8], sign: usize) -> bool {
    let name = match part(bytes, 0, sign) {
        [name @ .., quote] if is_quote(*quote) => part(name, 0, name.len() - backslashes(name)),
        name => name,
    };
    name.ends_with(b"text") && pairs::is_typed(name_before(bytes, sign).name)
}

/// Whether a word is a port of `PostgreSQL` behind a host, as in `.pgpass`: `host:port:database:user:password`.
fn is_port(bytes: &[u8], word: usize, sign: usize) -> bool {
    before(bytes, word) == b':' && matches!(part(bytes, word, sign), b"5432" | b"5433" | b"6432")
}

/// Where the password starts behind such a port.
fn behind_port(bytes: &[u8], sign: usize) -> Option<usize> {
    let is_name = |byte| is_word(byte) || matches!(byte, b'.' | b'*');
    let database = run_end_within(bytes, sign + 1, MOST_BLANKS, is_name);
    let user = run_end_within(bytes, database + 1, MOST_BLANKS, is_name);
    (database > sign + 1 && at(bytes, database) == b':' && at(bytes, user) == b':').then_some(user + 1)
}

/// The password behind other parts of a login: `host:5432:app:me:…`, `corp/me:…@host`.
fn find_login(bytes: &[u8], word: usize, sign: usize) -> Option<Found> {
    let (end, value) = match at(bytes, sign) {
        b':' if is_port(bytes, word, sign) => (bytes.len(), behind_port(bytes, sign)?),
        b':' => (commands::end_of_remote(bytes, word, sign)?, sign + 1),
        _ => return None,
    };
    secret_at(part(bytes, 0, end), value, Strength::Chosen, "password", Place::Setting)
}

/// Whether a name in the plural may stand before a list.
fn has_plural(bytes: &[u8], sign: usize) -> bool {
    let end = key_end(bytes, sign);
    matches!(before(bytes, end), b's' | b'S') && may_be_secret(bytes, end - 1)
}

/// The last byte of a wide colon.
pub(super) const WIDE_COLON: u8 = 0x9a;

/// What precedes a wide colon whose last byte stands at a sign.
fn wide_name(bytes: &[u8], sign: usize) -> Option<&[u8]> {
    part(bytes, 0, sign + 1).strip_suffix("：".as_bytes())
}

/// A list of more bytes goes with its first value only.
const LONGEST_LIST: usize = 1024;

/// More blanks than this part no name from its sign: files are aligned by fewer.
const MOST_BLANKS: usize = 64;

/// A name and where it stands.
pub(super) struct Key<'text> {
    pub name: &'text [u8],
    pub start: usize,
}

/// The value behind a `=`, `:` or `>` whose name says that it is secret.
pub(super) fn find_value(bytes: &[u8], above: Option<&[u8]>, stop: usize) -> Option<Found> {
    let sign = at(bytes, stop);
    let is_comparison = sign == b'='
        && (at(bytes, stop + 1) == b'=' || matches!(before(bytes, stop), b'!' | b'=' | b'<' | b'>'));
    if is_comparison {
        return None;
    }
    let wide = wide_name(bytes, stop);
    let key = name_before(bytes, wide.map_or(stop, <[u8]>::len));
    // What `go test` writes of a test: `--- PASS: TestLogin2`.
    if key.name == b"PASS" && part(bytes, 0, key.start).ends_with(b"--- ") {
        return None;
    }
    if let Some(found) = find_login(bytes, key.start, stop) {
        return Some(found);
    }
    let has_near = |text| find(part(bytes, stop.saturating_sub(NEAR), stop), 0, text).is_some();
    if sign == b':'
        && (key.name == b"data" || key.name == b"stringData")
        && let Some(found) = secret_object(bytes, stop)
    {
        return Some(found);
    }
    let sets_secret = || {
        key.name == b"value" && has_near("vault kv put")
            || key.name.ends_with(b"body") && has_near("secret set ")
    };
    if sign == b'=' && sets_secret() {
        return secret_at(bytes, stop + 1, Strength::Chosen, "secret", Place::Setting);
    }
    if key.name.ends_with(b"from-literal") {
        // All that such a secret holds is secret, whatever it is called.
        let value = run_end(bytes, stop + 1, |byte| byte > b' ' && byte != b'=') + 1;
        return if has_near("secret") {
            secret_at(bytes, value, Strength::Chosen, "secret", Place::Setting)
        } else {
            None
        };
    }
    if sign == b'>' && !is_in_tag(part(bytes, 0, key.start)) {
        return None;
    }
    let (strength, kind) = if sign == b'=' && is_signature(key.name, before(bytes, key.start)) {
        (Strength::Made, "url-signature")
    } else {
        let named_above = || pairs::named(above, part(bytes, 0, key.start), key.name);
        let has_foreign_name = sign != b'>' && is_foreign(wide.unwrap_or(part(bytes, 0, stop)));
        let foreign = || has_foreign_name.then_some((Strength::Chosen, "password"));
        let of_pair = || {
            named_above().or_else(|| {
                let is_value = key.name.eq_ignore_ascii_case(b"value") || pairs::is_typed(key.name);
                let value = is_value.then(|| extent(bytes, skip_marks(bytes, stop + 1), false))?;
                pairs::named_behind(bytes, value.end + 1)
            })
        };
        let list = skip_marks(bytes, stop + 1);
        // The list of a shell: `TOKENS=("…" "…")`.
        let is_array = sign == b'=' && at(bytes, list) == b'(' && is_quote(at(bytes, list + 1));
        let is_list = at(bytes, list) == b'[' || is_array;
        let plural = || if is_list { of_plural(key.name) } else { None };
        known(bytes, &key)
            .or_else(plural)
            .or_else(foreign)
            .or_else(|| user_flag(bytes, key.start, sign))
            .or_else(of_pair)
            .or_else(|| field_set(bytes, &key, sign))?
    };
    if strength == Strength::Cookie {
        return cookies::find(bytes, key.name, after_blanks(bytes, stop + 1));
    }
    if at(bytes, stop + 1) == b'(' && is_quote(at(bytes, stop + 2)) && key.name.ends_with(b"auth") {
        return find_parameter(bytes, stop + 2, (strength, kind));
    }
    let is_set = key.name.iter().all(|byte| !byte.is_ascii_lowercase()) && sign == b'=';
    let start = skip_length(bytes, skip_marks(bytes, stop + 1 + usize::from(has(bytes, stop, "=>"))));
    let place = match sign {
        b'>' => Place::Tag,
        _ if is_set || is_dumped(bytes, stop) => Place::Setting,
        _ => Place::Member,
    };
    let closing = match at(bytes, start) {
        b'[' => b']',
        b'(' if sign == b'=' && is_quote(at(bytes, start + 1)) => b')',
        _ => 0,
    };
    if closing != 0 && extent(bytes, start + 1, false).is_opened {
        let first = secret_at(bytes, start + 1, strength, kind, place)?;
        return Some(secrets_of_list(bytes, first, closing));
    }
    let found = secret_at(bytes, start, strength, kind, place);
    if pairs::is_typed(key.name) {
        return found.filter(|found| is_likely_typed(part(bytes, found.start, found.end)));
    }
    found.or_else(|| {
        let old = extent(bytes, start, false);
        secret_at(bytes, changes::behind(bytes, old.end)?, strength, kind, place)
    })
}

/// The strength and kind of the field that a script sets: `document.querySelector('#password').value = '…'`.
fn field_set(bytes: &[u8], key: &Key<'_>, sign: u8) -> Option<(Strength, &'static str)> {
    if sign == b'=' && key.name == b".value" { field_before(bytes, key.start) } else { None }
}

/// Whether a text in a field for passwords may be one. Labels and buttons have texts, too: `Password*`, `Forgot?`
fn is_likely_typed(text: &[u8]) -> bool {
    let inner = part(text, 0, text.len().saturating_sub(1));
    let is_sign = |byte: &u8| byte.is_ascii_digit() || b"!#$%^&*@".contains(byte);
    !text.contains(&b' ') && (inner.iter().any(is_sign) || text.last().is_some_and(u8::is_ascii_digit))
}

/// All of a list whose first value is secret.
fn secrets_of_list(bytes: &[u8], first: Found, closing: u8) -> Found {
    let end = run_end_within(bytes, first.end, LONGEST_LIST, |byte| byte >= b' ' && byte != closing);
    let marks = part(bytes, first.end, end).iter().rev().take_while(|byte| b"\"'`\\ ".contains(byte)).count();
    let end = if at(bytes, end) == closing { end - marks } else { first.end };
    Found { end, ..first }
}

/// The values of a Kubernetes secret that stands on one line of JSON, from the first one that has some length.
fn secret_object(bytes: &[u8], sign: usize) -> Option<Found> {
    const AROUND: usize = 4096;
    const MOST_MEMBERS: usize = 16;
    let opening = after_blanks(bytes, sign + 1);
    if at(bytes, opening) != b'{' {
        return None;
    }
    let above = part(bytes, sign.saturating_sub(AROUND), sign).rsplit(|byte| *byte == b'\n').next();
    let below = run_end_within(bytes, opening, AROUND, |byte| byte != b'\n');
    let is_secret = |text: &[u8]| kind_in(text) == Some(true);
    if !is_secret(above.unwrap_or_default()) && !is_secret(part(bytes, opening, below)) {
        return None;
    }
    let mut colon = opening;
    for _ in 0..MOST_MEMBERS {
        colon = run_end_within(bytes, colon + 1, NEAR, |byte| !matches!(byte, b':' | b'}' | b'\n'));
        if at(bytes, colon) != b':' {
            return None;
        }
        let value = after_blanks(bytes, colon + 1);
        if let Some(first) = secret_at(bytes, value, Strength::Whole, "secret", Place::Setting) {
            let end = run_end_within(bytes, first.end, 16 * AROUND, |byte| byte >= b' ' && byte != b'}');
            let is_mark = |byte: &&u8| b"\"'\\ ".contains(byte);
            let marks = part(bytes, first.end, end).iter().rev().take_while(is_mark).count();
            return Some(Found { end: if at(bytes, end) == b'}' { end - marks } else { end }, ..first });
        }
        colon = value;
    }
    None
}

/// Whether a tag's name starts behind this text, or the value of its attribute.
fn is_in_tag(head: &[u8]) -> bool {
    match head {
        [.., b'<' | b':'] => true,
        [attribute @ .., b'=', b'"' | b'\''] => attribute.ends_with(b"name") || attribute.ends_with(b"key"),
        _ => false,
    }
}

/// Tags of HTML that mark a value.
const MARKS: [&str; 6] = ["<code>", "<b>", "<strong>", "<kbd>", "<tt>", "<em>"];

/// Where a value starts behind a sign: behind the marks of Markdown or HTML, an anchor or a tag of YAML, or the type of a
/// constant.
#[inline(never)]
fn skip_marks(bytes: &[u8], start: usize) -> usize {
    let mut start = after_blanks(bytes, start);
    if has(bytes, start, "**") {
        start = after_blanks(bytes, start + 2);
    }
    if matches!(at(bytes, start), b'&' | b'!') {
        let end =
            run_end_within(bytes, start, MOST_BLANKS, |byte| is_word(byte) || matches!(byte, b'&' | b'!'));
        let next = after_blanks(bytes, end);
        start = if next > end { next } else { start };
    }
    if let Some(tag) = MARKS.iter().find(|tag| has_in_any_case(bytes, start, tag)) {
        return start + tag.len();
    }
    let is_type = |byte: u8| byte.is_ascii_alphabetic() || b"&' :<>|".contains(&byte);
    let end = run_end_within(bytes, start, MOST_BLANKS, is_type);
    let value = after_blanks(bytes, end + 1);
    let is_constant = at(bytes, end) == b'=' && before(bytes, end) == b' ' && is_quote(at(bytes, value));
    if is_constant { value } else { start }
}

/// Skips what a dump of PHP says of a text before it: `string(8) "…"`.
fn skip_length(bytes: &[u8], start: usize) -> usize {
    if !has(bytes, start, "string(") {
        return start;
    }
    let value = run_end_within(bytes, start, MOST_BLANKS, |byte| byte != b' ') + 1;
    if is_quote(at(bytes, value)) { value } else { start }
}

/// How far behind a value a command may say that it is secret.
const MOST_BEHIND: usize = 256;

/// The value behind a flag such as `--password`.
pub(super) fn find_flag_value(bytes: &[u8], word: usize, stop: usize) -> Option<Found> {
    if !has(bytes, word, "--") {
        return None;
    }
    let name = part(bytes, word + 2, stop);
    let near = part(bytes, word.saturating_sub(NEAR), word);
    let near = near.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let sets_secret = || {
        let is_secure = find(near, 0, "put-parameter").is_some() && {
            let line = run_end_within(bytes, stop, MOST_BEHIND, |byte| byte != b'\n');
            find(part(bytes, stop, line), 0, "SecureString").is_some()
        };
        is_secure || find(near, 0, "secret set ").or_else(|| find(near, 0, "SecureString ")).is_some()
    };
    let (strength, kind) = match name {
        b"key" => (Strength::Key, "key"),
        // `gh secret set NAME --body …`, `aws ssm put-parameter --type SecureString --value …`
        b"body" | b"value" if sets_secret() => (Strength::Chosen, "secret"),
        _ => classify(name)?,
    };
    let start = after_blanks(bytes, stop);
    if start == stop {
        return None;
    }
    if strength == Strength::Cookie {
        return cookies::find(bytes, b"cookie", start);
    }
    secret_at(bytes, start, strength, kind, Place::Setting)
}

/// `-u name:password`, as curl has it.
fn user_flag(bytes: &[u8], name: usize, sign: u8) -> Option<(Strength, &'static str)> {
    (sign == b':' && is_user_flag(bytes, name)).then_some((Strength::Chosen, "password"))
}

/// Whether the name before a colon, which may have dots, is a user's behind that flag; `word` starts its last word.
fn is_user(bytes: &[u8], sign: usize, word: usize) -> bool {
    let is_part = before(bytes, word) == b'.';
    is_user_flag(bytes, if is_part { name_before(bytes, sign).start } else { word })
}

/// Whether the flag for a user's name stands before a place, with a quotation mark or without.
fn is_user_flag(bytes: &[u8], name: usize) -> bool {
    // The user may be an e-mail address, of which the name is the host.
    let is_local = |byte: &&u8| is_word(**byte) || matches!(**byte, b'.' | b'+');
    let name = match part(bytes, name.saturating_sub(LONGEST_KEY), name) {
        [user @ .., b'@'] => name - 1 - user.iter().rev().take_while(is_local).count(),
        _ => name,
    };
    let ([before @ .., b'\'' | b'"'] | before) = part(bytes, 0, name);
    let flags = [&b" -u "[..], b"-user ", b"-user=", b"http -a ", b"https -a "];
    matches!(before, [.., b'u' | b'r' | b'a', b' '] | [.., b'r', b'='])
        && (flags.iter().any(|flag| before.ends_with(flag)) || is_bundled(before))
        || at(bytes, name + 2).is_ascii_alphanumeric() && has(bytes, name, "-u") && before.ends_with(b" ")
        || has(bytes, name, "p:") && before.ends_with(b" /")
}

/// Whether curl's flag for a user's name stands last among others at the end of a text: `curl -sSu `.
fn is_bundled(text: &[u8]) -> bool {
    const MOST: usize = 8;
    let Some(flags) = text.strip_suffix(b"u ") else { return false };
    let letters = flags.iter().rev().take(MOST).take_while(|byte| byte.is_ascii_alphabetic()).count();
    let near = part(flags, flags.len().saturating_sub(NEAR), flags.len() - letters);
    near.ends_with(b" -") && find(near, 0, "curl").is_some()
}

/// Where the name before a sign ends: `name`, `"name"`, `\"name\"` or `["name"]`, with blanks behind it.
pub(super) fn key_end(bytes: &[u8], stop: usize) -> usize {
    let mut name = part(bytes, 0, stop);
    if before(bytes, stop).is_ascii_alphanumeric() && without_written_blank(name).is_none() {
        return stop;
    }
    if at(bytes, stop) == b'='
        && let [rest @ .., b':' | b'?'] = name
    {
        name = rest;
    }
    if let Some(end) = prompt_end(bytes, stop) {
        return end;
    }
    name = without_blanks(name);
    while let [rest @ .., b'*'] = name {
        name = rest;
    }
    if let [rest @ .., b'}'] = name
        && find(part(rest, rest.len().saturating_sub(LONGEST_KEY), rest.len()), 0, "${env:").is_some()
    {
        name = rest;
    }
    let index = name.strip_suffix(b"]");
    let quoted = match index.unwrap_or(name) {
        [rest @ .., quote] if is_quote(*quote) => Some(rest),
        _ => None,
    };
    match (index, quoted) {
        (_, Some(quoted)) => quoted.len() - backslashes(quoted),
        (Some(index), None) if is_dumped(bytes, stop) => index.len(),
        (Some(_), None) => 0,
        (None, None) => name.len(),
    }
}

/// Whether a name in brackets stands before a sign as dumps of PHP have it: `[password] => …`.
fn is_dumped(bytes: &[u8], sign: usize) -> bool {
    let dump = part(bytes, 0, sign).strip_suffix(b"] ").filter(|_| has(bytes, sign, "=> "));
    dump.is_some_and(|dump| {
        let near = part(dump, dump.len().saturating_sub(LONGEST_KEY), dump.len());
        let name = near.iter().rev().take_while(|byte| is_word(**byte)).count();
        let head = part(near, 0, near.len() - name);
        matches!(head, [b'['] | [.., b' ' | b'\t' | b'\n' | b'n' | b't', b'['])
    })
}

/// Where the name ends before the default of a prompt, `AWS Secret Access Key [None]:`, or the references of a field,
/// `"Password" [active] [ref=e12]:`.
fn prompt_end(bytes: &[u8], sign: usize) -> Option<usize> {
    const LONGEST: usize = 24;
    if at(bytes, sign) != b':' {
        return None;
    }
    let mut end = sign;
    while let Some(name) = part(bytes, end.saturating_sub(LONGEST), end).strip_suffix(b"]") {
        let is_default = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'*' | b'=');
        let length = name.iter().rev().take_while(is_default).count();
        if length == 0 || !part(name, 0, name.len() - length).ends_with(b" [") {
            break;
        }
        end -= length + 3;
    }
    let quoted = part(bytes, 0, end).strip_suffix(b"\"");
    let name = quoted.map_or(end, |name| name.len() - backslashes(name));
    (end < sign).then_some(name)
}

/// A text without the blanks at its end.
fn without_blanks(text: &[u8]) -> &[u8] {
    let mut rest = text;
    for _ in 0..MOST_BLANKS {
        rest = match rest {
            [others @ .., last] if is_blank(*last) => others,
            _ => match without_written_blank(rest) {
                Some(others) => others,
                None => break,
            },
        };
    }
    rest
}

/// What a name says of its value: `password`, `API key`, `?key`.
pub(super) fn known(bytes: &[u8], key: &Key<'_>) -> Option<(Strength, &'static str)> {
    classify(key.name).or_else(|| {
        if !key.name.eq_ignore_ascii_case(b"key") {
            return None;
        }
        if matches!(before(bytes, key.start), b'?' | b'&') {
            return Some((Strength::Key, "key"));
        }
        let words = part(bytes, 0, key.start).strip_suffix(b" ")?;
        let start = name_before(words, words.len()).start;
        classify(part(bytes, start, key.start + key.name.len()))
    })
}

/// The name before a sign, which may be empty.
#[inline(never)]
pub(super) fn name_before(bytes: &[u8], stop: usize) -> Key<'_> {
    let end = key_end(bytes, stop);
    let lowest = end.saturating_sub(LONGEST_KEY);
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let length = part(bytes, lowest, end).iter().rev().take_while(|byte| is_name(byte)).count();
    let start = end - length;
    Key { name: part(bytes, start, end), start }
}

/// Where a value stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Behind `name: ` or `name = `, where expressions stand as well.
    Member,
    /// Behind `NAME=` or `--name `, where only values stand.
    Setting,
    /// Between `<name>` and `</name>`.
    Tag,
}

/// The secret that starts here, if what starts here is one.
#[inline(never)]
pub(super) fn secret_at(
    bytes: &[u8],
    start: usize,
    strength: Strength,
    kind: &'static str,
    place: Place,
) -> Option<Found> {
    if strength == Strength::Phrase {
        return phrase_at(bytes, start, kind);
    }
    // A letter before a quotation may tell its kind.
    let marks = run_end_within(bytes, start, 2, |byte| b"fFrRbBuUL@$".contains(&byte));
    let start = if is_quote(at(bytes, marks)) { marks } else { start };
    let mut found = extent(bytes, start, place == Place::Tag);
    let (after_scheme, is_basic) = skip_scheme(bytes, found.start);
    let has_scheme = after_scheme != found.start;
    if has_scheme {
        let is_word = |byte| byte > b' ';
        found = if found.is_closed {
            let core = run_end_within(part(bytes, 0, found.end), after_scheme, LONGEST_JUDGED, is_word);
            Extent { start: after_scheme, core, ..found }
        } else {
            Extent { is_opened: found.is_opened, ..extent(bytes, after_scheme, false) }
        };
    }
    let Extent { start, core, is_opened, is_closed, .. } = found;
    if is_call(bytes, &found) || place == Place::Tag && !is_closed {
        return None;
    }
    let is_secret = |value: &[u8]| match strength {
        Strength::Whole if is_closed && at(value, 0) == b'{' => value.len() > 8,
        _ if is_reference(value) => false,
        Strength::Whole => value.len() >= 6,
        Strength::Key => is_key(value),
        _ if has_scheme => is_after_scheme(value, is_basic),
        Strength::Made if !is_opened && place == Place::Member && is_type_name(value) => false,
        Strength::Header | Strength::Made | Strength::Cookie | Strength::Phrase => {
            value.len() >= 16 && is_random(value)
        }
        Strength::Chosen if is_closed && core == found.end => is_chosen(value) || is_mixed_case(value),
        Strength::Chosen if is_opened => is_chosen(value),
        Strength::Chosen => is_chosen_bare(value, place == Place::Setting),
    };
    let judged = found.end.min(start + LONGEST_JUDGED);
    // A passphrase counts if one of its words looks random.
    let has_likely = || {
        let value = part(bytes, start, judged);
        let mut words = value.split(|byte| is_blank(*byte));
        words.any(|word| word.len() >= 8 && is_random(word) || is_strong(word)) && !is_reference(value)
    };
    let is_found = is_secret(part(bytes, start, core))
        || !is_opened && is_secret(part(bytes, start, judged))
        || is_closed && !has_scheme && kind == "password" && has_likely();
    is_found.then(|| {
        let end = if is_opened { found.end } else { bare_end(bytes, start, found.end, usize::MAX) };
        Found { start, end, kind: tokens::kind_of(part(bytes, start, end)).unwrap_or(kind) }
    })
}

/// The words of a wallet's seed. Their number is 12, 15, 18, 21 or 24: other words in a row seldom have it.
fn phrase_at(bytes: &[u8], start: usize, kind: &'static str) -> Option<Found> {
    let start = run_end_within(bytes, start, LONGEST_JUDGED, |byte| byte == b'\\' || is_quote(byte));
    let (mut end, mut count) = (start, 0);
    loop {
        let word = end + usize::from(count > 0);
        let next = run_end_within(bytes, word, LONGEST_JUDGED, |byte| byte.is_ascii_lowercase());
        if !(3..=8).contains(&(next - word)) || count > 0 && at(bytes, end) != b' ' {
            break;
        }
        (end, count) = (next, count + 1);
    }
    let is_last = matches!(at(bytes, end), 0 | b'\n' | b'\r' | b'\\' | b'"' | b'\'' | b'`' | b'<' | b',');
    (matches!(count, 12 | 15 | 18 | 21 | 24) && is_last).then_some(Found { start, end, kind })
}

/// Skips `Bearer `, `Basic ` and the like; says whether it was `Basic`.
fn skip_scheme(bytes: &[u8], start: usize) -> (usize, bool) {
    let schemes =
        ["Bearer ", "Basic ", "Token ", "ApiKey ", "SSWS ", "GenieKey ", "Splunk ", "Bot ", "Key ", "JWT "];
    let scheme = schemes.into_iter().find(|scheme| has_in_any_case(bytes, start, scheme));
    let end = scheme.map_or(start, |scheme| run_end(bytes, start + scheme.len(), is_blank));
    (end, scheme == Some("Basic "))
}

fn is_after_scheme(mut value: &[u8], is_basic: bool) -> bool {
    // What ends the sentence is no part of the value.
    while let [rest @ .., b'.' | b'!' | b'?' | b':'] = value {
        value = rest;
    }
    let Makeup { letters, digits, has_both_cases, .. } = Makeup::of(value);
    if is_basic {
        let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
        return value.len() >= 8 && value.iter().all(is_base64) && (has_both_cases || digits > 0);
    }
    value.len() >= 8 && letters > 0 && (digits > 1 || is_random(value))
}

/// Whether a value is the name of a type: words with a capital, and a digit at most at the end.
fn is_type_name(value: &[u8]) -> bool {
    let digits = value.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let name = part(value, 0, value.len() - digits);
    let mut words = name.split(u8::is_ascii_uppercase);
    let begins = words.next().is_some_and(<[u8]>::is_empty);
    let is_word = |word: &[u8]| word.len() > 1 && word.iter().all(u8::is_ascii_lowercase);
    digits < 3 && begins && words.all(is_word)
}

/// Letters of both cases, mixed as no name mixes them: more capitals, or shorter words.
fn is_mixed_case(value: &[u8]) -> bool {
    let Makeup { letters, uppers, changes, .. } = Makeup::of(value);
    let is_name = changes == 0 || changes * 100 < letters * 18 && uppers * 100 < letters * 30;
    value.len() >= 6 && uppers < letters && letters == value.len() && !is_name
}

/// The value that a call gets whose name is a secret's, alone or behind a user's name.
pub(super) fn find_parameter(
    bytes: &[u8],
    start: usize,
    (strength, kind): (Strength, &'static str),
) -> Option<Found> {
    let first = extent(bytes, start, false);
    let behind = first.end + 1;
    let next = after_blanks(bytes, behind + 1);
    let has_user = matches!(kind, "authorization" | "credential");
    if has_user && first.is_closed && at(bytes, behind) == b',' && is_quote(at(bytes, next)) {
        return secret_at(bytes, next, Strength::Chosen, kind, Place::Setting);
    }
    let is_one = first.is_closed && at(bytes, behind) == b')';
    let has_digit = part(bytes, first.start, first.end).iter().any(u8::is_ascii_digit);
    if is_one && has_digit { secret_at(bytes, start, strength, kind, Place::Setting) } else { None }
}
