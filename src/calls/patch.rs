//! A patch's effects on the files that it names (`*** Update File: src/a.ts`).

use super::{Effect, Replacement, path_in};
use crate::search::{around_first, around_last};
use crate::view::View;

/// How a patch begins.
pub(super) const BEGIN: &str = "*** Begin Patch\n";

/// What a header line of a patch does to its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Header {
    Adds,
    Updates,
    Deletes,
    MovesTo,
}

const HEADERS: &[(&str, Header)] = &[
    ("Add File: ", Header::Adds),
    ("Update File: ", Header::Updates),
    ("Delete File: ", Header::Deletes),
    ("Move to: ", Header::MovesTo),
];

/// A header line, with the path in it. Lines of content begin with a sign or a space, so no content is taken for one.
fn header(line: &str) -> Option<(Header, &str)> {
    let line = line.strip_prefix("*** ")?;
    HEADERS.iter().find_map(|&(head, header)| Some((header, line.strip_prefix(head)?.trim())))
}

/// The header lines of the first patch in a text, whether it is whole or not.
pub fn headers(text: &str) -> impl Iterator<Item = (Header, &str)> {
    let patch = around_first(text, "*** Begin Patch").map(|(_, patch)| patch).unwrap_or_default();
    patch.lines().take_while(|line| !line.starts_with("*** End Patch")).filter_map(header)
}

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
        let Some((header, name)) = header(line) else {
            if let Some(Effect::Changes { replaced, .. }) = effects.last_mut()
                && !line.starts_with("*** ")
            {
                read_line(replaced, line);
            }
            continue;
        };
        let Some(path) = path_in(view, root, name) else { return Some(vec![Effect::Anything]) };
        // The file is gone from where it was.
        if let (Header::MovesTo, Some(&Effect::Changes { path, .. })) = (header, effects.last()) {
            effects.push(Effect::Spoils { path });
        }
        effects.push(match header {
            Header::Adds => Effect::Writes { path },
            Header::Updates => Effect::Changes { path, replaced: Vec::new() },
            Header::Deletes | Header::MovesTo => Effect::Spoils { path },
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
