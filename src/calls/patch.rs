//! What a patch does to the files that it names (`*** Update File: src/a.ts`).

use super::{Effect, Replacement, path_in};
use crate::search::{around_first, around_last};
use crate::view::View;

/// How a patch begins.
pub(super) const BEGIN: &str = "*** Begin Patch\n";

/// The effects of a patch; none if the text is no patch, or more than one.
pub(super) fn effects(view: &mut View, text: &str, root: &str) -> Option<Vec<Effect>> {
    let (_, body) = around_first(text, BEGIN)?;
    let (lines, behind) = around_last(body, "*** End Patch").unwrap_or((body, ""));
    // At most the end of a here-document follows.
    if !behind.trim().bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return None;
    }
    let mut effects = Vec::new();
    for line in lines.lines() {
        let Some(header) = line.strip_prefix("*** ") else {
            if let Some(Effect::Changes { replaced, .. }) = effects.last_mut() {
                read_line(replaced, line);
            }
            continue;
        };
        let Some((kind, name)) = around_first(header, ": ") else { continue };
        let Some(path) = path_in(view, root, name.trim()) else { return Some(vec![Effect::Anything]) };
        // The file is gone from where it was.
        if let ("Move to", Some(&Effect::Changes { path, .. })) = (kind, effects.last()) {
            effects.push(Effect::Spoils { path });
        }
        effects.push(match kind {
            "Add File" => Effect::Writes { path },
            "Update File" => Effect::Changes { path, replaced: Vec::new() },
            _ => Effect::Spoils { path },
        });
    }
    Some(effects)
}

/// Adds a line of a patch to the newest of the texts that it replaces. A line that begins with `@@` starts the next one.
fn read_line(replaced: &mut Vec<Replacement>, line: &str) {
    if line.starts_with("@@") || replaced.is_empty() {
        replaced.push(Replacement { old: String::new(), new: String::new(), is_everywhere: false });
    }
    let Some(hunk) = replaced.last_mut() else { return };
    let (sign, text) = line.split_at_checked(1).unwrap_or((" ", ""));
    for (is_there, side) in [(sign != "+", &mut hunk.old), (sign != "-", &mut hunk.new)] {
        if is_there && sign != "@" {
            side.push_str(text);
            side.push('\n');
        }
    }
}
