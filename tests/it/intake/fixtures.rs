//! Results and what comes of them, a file each: `tests/fixtures/intake/`. `UPDATE_FIXTURES=1` writes what
//! comes of them anew.

use densify::intake::{Call, shrink_result};
use densify::tools::ToolTable;
use serde_json::{Value, json};

use super::limits;
use crate::support::root;

const IN: &str = "\n=== in\n";
const OUT: &str = "\n=== out\n";

#[test]
fn each_shape_becomes_what_its_fixture_says() {
    let mut paths: Vec<_> = std::fs::read_dir(root().join("tests/fixtures/intake")).unwrap().collect();
    paths.sort_by_key(|path| path.as_ref().unwrap().path());
    assert!(paths.len() > 40, "{}", paths.len());
    for path in paths.into_iter().map(|path| path.unwrap().path()) {
        let file = std::fs::read_to_string(&path).unwrap();
        let (call, rest) = file.split_once(IN).unwrap();
        let (text, expected) = rest.split_once(OUT).unwrap();
        let call: Value = serde_json::from_str(call).unwrap();
        let call = Call::new(call["name"].as_str().unwrap(), &call["parameters"], &ToolTable::default());
        let shrunk = shrink_result(text, &call, &limits(json!({})));
        let shrunk = shrunk.map_or_else(
            || "unchanged".to_owned(),
            |shrunk| format!("{}\n{}", shrunk.reducers.join(" "), shrunk.text),
        );
        if std::env::var_os("UPDATE_FIXTURES").is_some() {
            let (before, _) = file.split_once(OUT).unwrap();
            std::fs::write(&path, format!("{before}{OUT}{shrunk}")).unwrap();
        } else {
            assert_eq!(shrunk, expected, "{}", path.display());
        }
    }
}
