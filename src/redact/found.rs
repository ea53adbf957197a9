//! What the searches find.

/// A credential and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub start: usize,
    pub end: usize,
    pub kind: &'static str,
}
