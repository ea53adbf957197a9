//! Redaction: credentials of well-known shapes become `[REDACTED: <kind>]`, the rest stays as it is.
//!
//! It replaces and goes on, it never refuses; its cost is linear, and redacting twice changes nothing
//! more. What counts as a credential:
//! - a token that its issuer gave a prefix or a fixed build ([`tokens`](self)): keys of clouds, code
//!   hosts, chat services, package registries, model providers; JSON web tokens;
//! - a private key: in PEM form, over all of its lines or with escaped line breaks; as base64 of that or of its bare
//!   bytes; of `PuTTY` and `OpenVPN`; the private members of a JSON web key;
//! - pairs of a cookie, lines of `cookies.txt`, hashes of passwords, the password of a `.netrc`, of `IDENTIFIED BY '…'`;
//! - the words of a command that hold a password (`mysql -p…`, `curl -b …`, `net use …`, `echo … | kinit`), and what a
//!   client writes to a server (`PASS …`, `a1 LOGIN me …`);
//! - the password in a URL, a webhook's path, the signature of a signed URL;
//! - the words of a wallet's seed, and what a browser's tool types into a field for passwords;
//! - values behind a secret's name: in assignments, headers, flags and calls, in members, tags and dumps. It may be
//!   a word of another language. The value must have some entropy and not be a reference (`$TOKEN`,
//!   `config.password`, `<token>`). The name may be a cell of a table, or a member of its own, above the value or
//!   below it (`name: TOKEN`, `value: …`). A value that a plan puts in its place (`"old" -> "new"`) is secret, too;
//! - the value on the lines below such a name: blocks and lists of YAML and JSON, columns of all kinds of tables, rows of
//!   an `INSERT`, members of a Kubernetes secret.
//!
//! A value in quotes ends at the closing quote. Without quotes it ends at a blank, or at a sign that the text around it
//! proves to be none of its own: a bracket that was opened before it, the `&` before the next parameter.
//!
//! A credential that was wrapped at a line's end goes on with the next line.
//!
//! Hashes, UUIDs, commit ids and base64 data without such a name are ordinary text.

mod assignment;
mod below;
mod boundaries;
mod bytes;
mod cells;
mod changes;
mod columns;
mod commands;
mod cookies;
mod detector;
mod encoded;
mod extent;
mod found;
mod hanging;
mod hashes;
mod html;
mod judged;
mod jwk;
mod names;
mod pairs;
mod pem;
mod phrases;
mod protocols;
mod putty;
mod rows;
mod scan;
mod setters;
mod sql;
mod tokens;
mod url;
mod value;
mod words;

use std::borrow::Cow;

pub use detector::Detector;
use scan::Scan;

/// Whether [`redact`] may change a text; it may be cut between any lines.
#[must_use]
pub(crate) fn has_event(text: &[u8]) -> bool {
    scan::has_event(text)
}

/// A text without the credentials in it; the text itself if there are none.
#[must_use]
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut output = String::new();
    let emitted = Scan::new(text, 0, &mut output).run(true);
    if emitted == 0 && output.is_empty() {
        return Cow::Borrowed(text);
    }
    output.push_str(text.get(emitted..).unwrap_or_default());
    Cow::Owned(output)
}

// What is kept of the settled text must reach as far as a pair looks.
const _: () = assert!(hanging::KIND_ABOVE >= pairs::FAR);

/// Redacts a text that comes in chunks. Wherever they are cut, the result is that of [`redact`].
///
/// It holds back the last incomplete line, a private key until it ends, and a name until the lines below it are known.
#[derive(Clone, Debug, Default)]
pub struct Redactor {
    /// The unsettled text: a name may stand on the line before its value.
    pending: String,
    /// How much of that is settled.
    settled: usize,
    /// How long `pending` must grow before it is worth a look: a key that doesn't end is looked at
    /// again each time its length has doubled, so that the work stays linear.
    wanted: usize,
}

impl Redactor {
    /// A redactor at the start of a text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next chunk and adds what is settled to the output.
    pub fn push(&mut self, chunk: &str, output: &mut String) {
        let Some(line_end) = chunk.rfind('\n') else {
            self.pending.push_str(chunk);
            return;
        };
        let (lines, rest) = chunk.split_at(line_end + 1);
        self.pending.push_str(lines);
        if self.pending.len() >= self.wanted {
            let settled = Scan::new(&self.pending, self.settled, output).run(false);
            let held = self.pending.len() - settled;
            let kept = settled.saturating_sub(hanging::KIND_ABOVE);
            let kept = (0..=kept).rev().find(|&at| self.pending.is_char_boundary(at)).unwrap_or(0);
            self.pending.drain(..kept);
            self.settled = settled - kept;
            self.wanted = self.settled + 2 * held;
        }
        self.pending.push_str(rest);
    }

    /// Adds what was held back. The redactor is then at the start of a new text.
    pub fn finish(&mut self, output: &mut String) {
        let Self { pending, settled, .. } = std::mem::take(self);
        let emitted = Scan::new(&pending, settled, output).run(true);
        output.push_str(pending.get(emitted..).unwrap_or_default());
    }
}
