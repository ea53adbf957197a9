//! Paths as the tools of an agent name them, resolved without a file system.

/// Resolves like POSIX `path.resolve(root, text)`; where the root is a Windows path (`C:\work`,
/// `\\server\share`), like `path.win32.resolve`. Case is never folded: file systems differ.
#[must_use]
pub fn resolve(root: &str, text: &str) -> String {
    if is_windows(root) { resolve_windows(root, text) } else { resolve_posix(root, text) }
}

/// Whether a root is an absolute Windows path.
fn is_windows(root: &str) -> bool {
    drive(root).is_some() || root.starts_with("\\\\")
}

/// The drive that a path starts with (`C:`).
fn drive(text: &str) -> Option<&str> {
    let mut characters = text.chars();
    let letter = characters.next()?;
    (letter.is_ascii_alphabetic() && characters.next() == Some(':')).then(|| text.get(..2)).flatten()
}

fn resolve_posix(root: &str, text: &str) -> String {
    let mut parts = Vec::new();
    if !text.starts_with('/') {
        push_parts(&mut parts, root.split('/'));
    }
    push_parts(&mut parts, text.split('/'));
    format!("/{}", parts.join("/"))
}

fn resolve_windows(root: &str, text: &str) -> String {
    let separators = ['\\', '/'];
    let is_unc = text.starts_with("\\\\") || text.starts_with("//");
    // A drive letter names the same drive in either case, unlike the names behind it.
    let (prefix, rest) = match (drive(text), is_unc) {
        (Some(drive), _) => (drive.to_ascii_uppercase(), text.get(2..).unwrap_or_default()),
        (None, true) => ("\\\\".to_owned(), text.get(2..).unwrap_or_default()),
        (None, false) => (String::new(), text),
    };
    let root_prefix = drive(root).map_or_else(|| "\\\\".to_owned(), str::to_ascii_uppercase);
    let root_rest = root.get(2..).unwrap_or_default();
    let is_absolute = rest.starts_with(separators) || is_unc;
    let mut parts = Vec::new();
    let same_drive = prefix.is_empty() || prefix == root_prefix;
    if !is_absolute && same_drive {
        push_parts(&mut parts, root_rest.split(separators));
    }
    push_parts(&mut parts, rest.split(separators));
    let prefix = if prefix.is_empty() { root_prefix } else { prefix };
    let lead = if prefix == "\\\\" { "" } else { "\\" };
    format!("{prefix}{lead}{}", parts.join("\\"))
}

fn push_parts<'text>(parts: &mut Vec<&'text str>, segments: impl Iterator<Item = &'text str>) {
    for segment in segments {
        match segment {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(segment),
        }
    }
}
