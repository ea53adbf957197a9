//! Paths as the tools of an agent name them, resolved without a file system.

use crate::joined::joined;

/// Resolves like POSIX `path.resolve(root, text)`; where the root is a Windows path (`C:\work`, `\\server\share`),
/// like `path.win32.resolve`. Case is never folded: file systems differ. If the root is not absolute, its parents are
/// unknown: relative paths stay relative.
#[must_use]
pub fn resolve(root: &str, text: &str) -> String {
    match Windows::parse(root) {
        Some(windows) => windows.resolve(text),
        None => resolve_posix(root, text),
    }
}

/// A workspace root in the form that [`resolve`] gives to what lies in it.
#[must_use]
pub fn root(text: &str) -> String {
    if Windows::parse(text).is_some() { resolve(text, "") } else { resolve("/", text) }
}

/// Takes apart a path that names lines, as Oh My Pi's reads do: `a.rs:60-110`.
#[must_use]
pub fn split_range(text: &str) -> Option<(&str, (u32, u32))> {
    let (path, range) = text.rsplit_once(':')?;
    let (first, last) = range.split_once('-')?;
    let is_plain = |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if path.is_empty() || !is_plain(first) || !is_plain(last) {
        return None;
    }
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (0 < first && first <= last).then_some((path, (first, last)))
}

/// Whether a path names the file wherever it is resolved.
#[must_use]
pub fn is_absolute(text: &str) -> bool {
    text.starts_with('/') || Windows::parse(text).is_some_and(|windows| windows.is_absolute)
}

/// Whether a path leaves a folder that it names or starts from.
#[must_use]
pub fn leads_out(text: &str) -> bool {
    text.split(SEPARATORS).any(|part| part == "..")
}

fn resolve_posix(root: &str, text: &str) -> String {
    let mut parts = Vec::new();
    let named = if text.starts_with('/') { text } else { root };
    let start = if named.starts_with('/') { "/" } else { UNKNOWN };
    if !text.starts_with('/') {
        push_parts(&mut parts, root.split('/'), start);
    }
    push_parts(&mut parts, text.split('/'), start);
    if start == UNKNOWN && parts.is_empty() {
        return ".".to_owned();
    }
    [start, &joined(parts, "/")].concat()
}

/// The root of relative paths where none is known.
pub const UNKNOWN: &str = "";

/// What separates the parts of a Windows path.
const SEPARATORS: [char; 2] = ['\\', '/'];

/// A Windows path that names its device.
struct Windows<'text> {
    /// `C:` or `\\server\share`.
    device: String,
    /// What stands behind it.
    rest: &'text str,
    is_absolute: bool,
}

impl<'text> Windows<'text> {
    fn parse(text: &'text str) -> Option<Self> {
        Self::on_drive(text).or_else(|| Self::on_share(text))
    }

    fn on_drive(text: &'text str) -> Option<Self> {
        let (letter, rest) = text.split_once(':')?;
        let is_drive = letter.len() == 1 && letter.starts_with(|letter: char| letter.is_ascii_alphabetic());
        // A drive letter names the same drive in either case, unlike the names behind it.
        let device = format!("{}:", letter.to_ascii_uppercase());
        is_drive.then(|| Self { device, rest, is_absolute: rest.starts_with(SEPARATORS) })
    }

    fn on_share(text: &'text str) -> Option<Self> {
        let names = text.strip_prefix(SEPARATORS)?.strip_prefix(SEPARATORS)?;
        let (server, rest) = names.split_once(SEPARATORS)?;
        let rest = rest.trim_start_matches(SEPARATORS);
        let share = rest.split(SEPARATORS).next().unwrap_or_default();
        let is_share = !server.is_empty() && !share.is_empty();
        let device = format!(r"\\{server}\{share}");
        is_share.then(|| Self {
            device,
            rest: rest.get(share.len()..).unwrap_or_default(),
            is_absolute: true,
        })
    }

    /// Resolves a path against this one.
    fn resolve(&self, text: &str) -> String {
        let named = Windows::parse(text);
        let (device, rest, is_absolute) = match &named {
            Some(named) => (&named.device, named.rest, named.is_absolute),
            None => (&self.device, text, text.starts_with(SEPARATORS)),
        };
        let mut parts = Vec::new();
        if !is_absolute && *device == self.device {
            push_parts(&mut parts, self.rest.split(SEPARATORS), "/");
        }
        push_parts(&mut parts, rest.split(SEPARATORS), "/");
        format!(r"{device}\{}", joined(parts, r"\"))
    }
}

#[inline(never)] // Twice the same is twice the size.
fn push_parts<'text>(parts: &mut Vec<&'text str>, segments: impl Iterator<Item = &'text str>, start: &str) {
    for segment in segments {
        match segment {
            "" | "." => {}
            // Above what isn't known lies something.
            ".." if start == UNKNOWN && parts.last().is_none_or(|last| *last == "..") => parts.push(segment),
            ".." => {
                parts.pop();
            }
            _ => parts.push(segment),
        }
    }
}
