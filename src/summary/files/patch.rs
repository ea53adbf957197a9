//! The files that a patch names in its header lines (`*** Update File: src/a.ts`).

use super::{Deed, Found, resolved};
use crate::calls::patch::{Header, headers};

/// Notes the files of a patch.
pub(super) fn read(text: &str, root: &str, found: &mut Found) {
    for (header, name) in headers(text) {
        if let Some(path) = resolved(root, name) {
            found.add(if header == Header::Adds { Deed::Written } else { Deed::Edited }, path);
        }
    }
}
