//! What several tests need.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

/// The project's root.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of shared test data beside the project, if it is there; says so if it isn't.
pub fn shared(what: &str) -> Option<PathBuf> {
    let path = root().join("../shared").join(what);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: no shared {what} beside the project");
    None
}

/// A JSON file.
#[track_caller]
pub fn json<T: DeserializeOwned>(path: &Path) -> T {
    let text = std::fs::read_to_string(path).unwrap();
    serde_json::from_str(&text).unwrap()
}
