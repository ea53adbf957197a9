//! What a patch does to the files that it names (`*** Update File: src/a.ts`).

use super::{Deed, path_in};
use crate::search::{around_first, around_last};
use crate::view::View;

/// How a patch begins.
pub(super) const BEGIN: &str = "*** Begin Patch\n";

/// The deeds of a patch; none if the text is no patch, or more than one.
pub(super) fn deeds(view: &mut View, text: &str, root: &str) -> Option<Vec<Deed>> {
    let (_, body) = around_first(text, BEGIN)?;
    let (lines, behind) = around_last(body, "*** End Patch").unwrap_or((body, ""));
    // Behind it stands at most what ends a text of the shell.
    if !behind.trim().bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return None;
    }
    let mut deeds = Vec::new();
    for line in lines.lines() {
        let Some(header) = line.strip_prefix("*** ") else {
            if let Some(deed) = deeds.last_mut() {
                count(deed, line);
            }
            continue;
        };
        let Some((kind, name)) = around_first(header, ": ") else { continue };
        let Some(path) = path_in(view, root, name.trim()) else { return Some(vec![Deed::Anything]) };
        // What is moved becomes nothing where it was.
        if let ("Move to", Some(&Deed::Changes { path, .. })) = (kind, deeds.last()) {
            deeds.push(Deed::Spoils { path });
        }
        deeds.push(match kind {
            "Add File" => Deed::Writes { path },
            "Update File" => Deed::Changes { path, fewer: 0, more: 0 },
            _ => Deed::Spoils { path },
        });
    }
    Some(deeds)
}

/// Notes a line that is added or taken out.
fn count(deed: &mut Deed, line: &str) {
    let Deed::Changes { fewer, more, .. } = deed else { return };
    if line.starts_with('+') {
        *more += 1;
    } else if line.starts_with('-') {
        *fewer += 1;
    }
}
