//! The files that a patch names in its header lines (`*** Update File: src/a.ts`).

use super::{Deed, Found, resolved};

const HEADERS: &[(&str, Deed)] = &[
    ("*** Add File: ", Deed::Written),
    ("*** Update File: ", Deed::Edited),
    ("*** Delete File: ", Deed::Edited),
    ("*** Move to: ", Deed::Edited),
];

/// Notes the files of a patch. Lines of content begin with a sign or a space, so no content can be
/// taken for a header.
pub(super) fn read(text: &str, root: &str, found: &mut Found) {
    let Some((_, patch)) = text.trim_start().split_once("*** Begin Patch") else { return };
    for line in patch.lines().take_while(|line| !line.starts_with("*** End Patch")) {
        let header = HEADERS.iter().find_map(|&(head, deed)| Some((line.strip_prefix(head)?, deed)));
        let Some((name, deed)) = header else { continue };
        if let Some(path) = resolved(root, name.trim()) {
            found.add(deed, path);
        }
    }
}
