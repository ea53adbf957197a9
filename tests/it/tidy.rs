//! Rules of the project that a compiler doesn't check.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::root;

/// All Rust files below a folder, with their paths from the project's root.
fn rust_files(folder: &str) -> Vec<(String, String)> {
    files(folder, "rs")
}

fn files(folder: &str, extension: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for file in std::fs::read_dir(&folder).unwrap() {
            let path = file.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push((name_of(&path), std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    assert!(!found.is_empty(), "no files in {folder}");
    found
}

fn name_of(path: &Path) -> String {
    let parts: PathBuf = path.strip_prefix(root()).unwrap().to_owned();
    parts.to_str().unwrap().replace('\\', "/")
}

/// A file without its comments.
fn code(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.map(|line| line.split(" // ").next().unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

/// Code without its unit tests, which may use every room: a rule is tested by whole histories.
fn without_tests(code: &str) -> &str {
    code.split("#[cfg(test)]\nmod tests {").next().unwrap()
}

#[test]
fn only_the_bindings_name_javascript() {
    for (name, text) in rust_files("src") {
        if name.starts_with("src/wasm/") {
            continue;
        }
        for word in ["wasm_bindgen", "js_sys", "web_sys", "serde_wasm_bindgen", "gloo"] {
            assert!(!code(&text).contains(word), "{name} names {word}");
        }
    }
}

#[test]
fn the_core_knows_no_providers_format() {
    for (name, text) in rust_files("src") {
        let code = code(&text).to_lowercase();
        for word in
            ["anthropic", "openai", "gemini", "langchain", "mistral", "bedrock", "tool_use", "functioncall"]
        {
            // An agent's command has this name, too.
            let is_command =
                word == "gemini" && ["src/calls/content.rs", "src/tools/kept.rs"].contains(&&*name);
            assert!(is_command || !code.contains(word), "{name} names {word}");
        }
    }
}

#[test]
fn the_core_has_no_input_output_clock_or_chance() {
    // How many cases tests try comes from outside.
    for (name, text) in rust_files("src").into_iter().filter(|(name, _)| name != "src/cases.rs") {
        for word in [
            "std::fs",
            "std::net",
            "std::env",
            "std::time",
            "std::process",
            "std::thread",
            "rand::",
            "println!",
        ] {
            assert!(!code(&text).contains(word), "{name} uses {word}");
        }
    }
}

#[test]
fn the_core_has_no_regular_expressions() {
    for (name, text) in rust_files("src") {
        assert!(!code(&text).contains("regex"), "{name} uses one");
    }
}

#[test]
fn dependencies_point_one_way() {
    // What a module may use.
    let allowed: [(&str, &[&str]); 29] = [
        ("content", &[]),
        ("utf16", &[]),
        ("search", &[]),
        ("interner", &[]),
        ("joined", &[]),
        ("scatter", &[]),
        ("nearest", &[]),
        ("lines", &[]),
        ("tokens", &["error"]),
        ("tools", &[]),
        ("defaults", &[]),
        ("error", &[]),
        ("view", &["content", "error", "tokens", "tools"]),
        ("prompt", &["error"]),
        ("boundary", &["view"]),
        ("options", &["error", "tools"]),
        ("budget", &["defaults", "error", "options"]),
        ("edit", &["content", "error", "lines", "options", "tokens", "view"]),
        ("calls", &["json", "lines", "search", "tools", "view"]),
        (
            "rules",
            &[
                "calls", "defaults", "edit", "error", "json", "lines", "options", "search", "tokens",
                "tools", "view",
            ],
        ),
        ("intake", &["calls", "error", "options", "tokens", "tools"]),
        ("conversation", &["budget", "error", "options", "strategy"]),
        ("settings", &["defaults", "error", "options", "strategy"]),
        (
            "strategy",
            &[
                "boundary", "budget", "calls", "defaults", "edit", "error", "options", "rules", "tokens",
                "tools", "view",
            ],
        ),
        ("optimizer", &["budget", "edit", "error", "options", "rules", "strategy", "tools", "view"]),
        ("density", &["content", "edit", "error", "optimizer", "options", "strategy", "tools", "view"]),
        ("json", &[]),
        ("redact", &[]),
        (
            "summary",
            &[
                "boundary", "budget", "calls", "content", "defaults", "edit", "error", "options", "prompt",
                "redact", "rules", "strategy", "tokens", "tools", "view",
            ],
        ),
    ];
    // The bindings use what they bind, and tests share their cases.
    let everything = ["lib", "wasm", "cases", "consumers", "hosts"];
    for (name, text) in rust_files("src") {
        let module = name.trim_start_matches("src/").trim_end_matches(".rs").split('/').next().unwrap();
        let Some((_, allowed)) = allowed.iter().find(|(known, _)| *known == module) else {
            assert!(everything.contains(&module), "{name} is in a room that the list doesn't name");
            continue;
        };
        let code = code(&text);
        let code = without_tests(&code);
        for (at, _) in code.match_indices("crate::") {
            let used: String =
                code[at + 7..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            // Every module may use these: they could be parts of the library, or tests share them.
            let is_everybodys = ["utf16", "search", "interner", "joined", "scatter", "nearest", "cases"]
                .contains(&used.as_str());
            let is_allowed = used == module || is_everybodys || allowed.contains(&used.as_str());
            assert!(is_allowed, "{name} uses {used}");
        }
    }
}

/// What the files of the package's rooms import: room, file, room. A file outside of them is a room of its own.
fn imports_of_rooms() -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    for (name, text) in files("pkg-template/src", "ts") {
        let path = name.trim_start_matches("pkg-template/src/");
        let imports = text.split("from '.").skip(1).map(|rest| rest.split('\'').next().unwrap());
        // A wasm file is chosen by the host's bundler, and uses nothing.
        for import in imports.filter(|import| import.contains(".js")) {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let target = below(folder, &format!(".{import}"));
            let room = |path: &str| path.split('/').next().unwrap().to_owned();
            if room(path) != room(&target) && room(&target) != "generated" {
                found.push((room(path), name.clone(), room(&target)));
            }
        }
    }
    found
}

/// Where a path leads to that is relative to a folder.
fn below(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/').filter(|part| *part != ".") {
        if part == ".." {
            parts.pop().unwrap();
        } else {
            parts.push(part);
        }
    }
    parts.join("/").replace(".js", ".ts")
}

#[test]
fn rooms_of_the_package_use_each_other_in_no_circle() {
    // The crate is published without the package.
    if !root().join("pkg-template").exists() {
        return;
    }
    let imports = imports_of_rooms();
    assert!(imports.len() > 100, "rooms that use each other are {}", imports.len());
    let circles = in_circles(imports, |(room, _, used)| (room.clone(), used.clone()));
    assert!(circles.is_empty(), "in circles: {circles:#?}");
}

/// The uses that lie on a circle, or lead to one. Those of what uses nothing that is left are taken away, until no more are.
fn in_circles<T>(mut uses: Vec<T>, of: impl Fn(&T) -> (String, String)) -> Vec<T> {
    loop {
        let before = uses.len();
        let using: std::collections::HashSet<String> = uses.iter().map(|one| of(one).0).collect();
        uses.retain(|one| using.contains(&of(one).1));
        if uses.len() == before {
            return uses;
        }
    }
}

/// The paths of a tree of `use`, such as `a::{b, c::D}`.
fn paths_of(tree: &str) -> Vec<String> {
    let Some((head, inner)) = tree.split_once('{') else { return vec![tree.to_owned()] };
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for letter in inner.trim_end().trim_end_matches('}').chars() {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        match letter {
            ',' if depth == 0 => parts.push(String::new()),
            _ => parts.last_mut().unwrap().push(letter),
        }
    }
    // The last brace that was taken away may have closed an inner tree.
    if let Some(part) = parts.last_mut().filter(|_| depth > 0) {
        part.push('}');
    }
    parts.iter().flat_map(|part| paths_of(part)).map(|path| format!("{head}{path}")).collect()
}

/// The files of the core that use each other, by their modules. A module may use the folder that it is in, and the
/// other way round.
fn uses_of_files() -> Vec<(String, String)> {
    let files = rust_files("src");
    let module_of = |name: &str| {
        let path = name.trim_start_matches("src/").trim_end_matches(".rs");
        path.trim_end_matches("/mod").replace('/', "::")
    };
    let modules: Vec<String> = files.iter().map(|(name, _)| module_of(name)).collect();
    let mut found = Vec::new();
    for (name, text) in &files {
        let module = module_of(name);
        let code = code(text);
        let code = without_tests(&code);
        let trees = code.split("use ").skip(1).filter_map(|rest| rest.split(';').next());
        let trees = trees.filter(|tree| tree.starts_with("crate::") || tree.starts_with("super::"));
        let mut paths: Vec<String> =
            trees.flat_map(|tree| paths_of(&tree.replace(['\n', ' '], ""))).collect();
        for start in ["crate::", "super::"] {
            let ends = |c: char| !(c.is_alphanumeric() || c == '_' || c == ':');
            paths.extend(
                code.match_indices(start)
                    .filter_map(|(at, _)| code[at..].split(ends).next().map(str::to_owned)),
            );
        }
        for path in paths {
            let mut within: Vec<&str> = module.split("::").collect();
            let mut parts: Vec<&str> = path.split("::").collect();
            if parts[0] == "crate" {
                within.clear();
                parts.remove(0);
            }
            while parts.first() == Some(&"super") {
                within.pop();
                parts.remove(0);
            }
            within.extend(parts);
            let used = (1..=within.len()).rev().map(|length| within[..length].join("::"));
            let Some(used) = used.into_iter().find(|path| modules.contains(path)) else { continue };
            let is_within = |one: &str, other: &str| one == other || one.starts_with(&format!("{other}::"));
            if !is_within(&module, &used) && !is_within(&used, &module) {
                found.push((module.clone(), used));
            }
        }
    }
    found
}

#[test]
fn files_of_the_core_use_each_other_in_no_circle() {
    let uses = uses_of_files();
    assert!(uses.len() > 300, "files that use each other are {}", uses.len());
    let circle =
        |one: &str, other: &str| vec![(one.to_owned(), other.to_owned()), (other.to_owned(), one.to_owned())];
    assert_eq!(in_circles(circle("a", "b"), Clone::clone).len(), 2);
    let circles = in_circles(uses, Clone::clone);
    assert!(circles.is_empty(), "in circles: {circles:#?}");
}

#[test]
fn crate_package_and_changelog_have_one_version() {
    let version = env!("CARGO_PKG_VERSION");
    let package = root().join("pkg-template/package.json");
    // The crate is published without the package.
    if package.exists() {
        let package: Value = crate::support::json(&package);
        assert_eq!(package["version"], version, "pkg-template/package.json");
    }
    let changelog = std::fs::read_to_string(root().join("CHANGELOG.md")).unwrap();
    let newest = changelog.lines().find_map(|line| line.strip_prefix("## ")).unwrap();
    assert_eq!(newest.split_whitespace().next(), Some(version), "the newest entry of CHANGELOG.md");
}

#[test]
fn every_invariant_has_a_test_that_is_named_after_it() {
    let tests: String = rust_files("tests").into_iter().map(|(_, text)| text).collect();
    for number in 1..=15 {
        let is_named =
            [format!("fn i{number}_"), format!("_i{number}_")].iter().any(|name| tests.contains(name));
        assert!(is_named, "I{number} has no test");
    }
}

/// The text of every file of a folder whose name ends so, by name.
fn texts(folder: &str, end: &str) -> Vec<(String, String)> {
    let files = std::fs::read_dir(root().join(folder)).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let files = files.filter(|path| path.to_str().is_some_and(|path| path.ends_with(end)));
    files.map(|path| (name_of(&path), std::fs::read_to_string(&path).unwrap())).collect()
}

/// All of Rust, the tests too.
fn rust_text() -> String {
    ["src", "tests"].into_iter().flat_map(rust_files).map(|(_, text)| text).collect()
}

#[test]
fn every_rule_of_the_table_of_providers_has_tests() {
    // The crate is published without the package.
    if !root().join("js-tests").exists() {
        return;
    }
    let rust = rust_text();
    let package = texts("js-tests", ".test.ts");
    let guide = std::fs::read_to_string(root().join("docs/providers.md")).unwrap();
    let table = guide.split("| demand | where | what densify does |").nth(1).unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let rules: Vec<&str> =
        rows.map(|row| row.split(" | ").next().unwrap().trim_start_matches("| ")).collect();
    // Each line: a rule, and the tests that hold it, by file, function or title.
    let tests = std::fs::read_to_string(root().join("tests/fixtures/provider-rules.txt")).unwrap();
    let tests: Vec<(&str, &str)> = tests.lines().map(|line| line.split_once(": ").unwrap()).collect();
    assert_eq!(rules, tests.iter().map(|(rule, _)| *rule).collect::<Vec<_>>());
    for (rule, cell) in tests {
        let titles = cell.split('"').skip(1).step_by(2);
        let names = cell.split('`').skip(1).step_by(2);
        assert!(cell.contains(['"', '`']), "no test is named for {rule}");
        for title in titles {
            // The beginning of a title, or the end.
            let is_there = ["'", "`"].into_iter().any(|quote| {
                let part = match title.strip_suffix('…') {
                    Some(start) => format!("{quote}{start}"),
                    None => format!("{title}{quote}"),
                };
                package.iter().any(|(_, text)| text.contains(&part))
            });
            assert!(is_there, "provider-rules.txt names {title}, which isn't there");
        }
        for name in names {
            let is_there = if name.ends_with(".test.ts") {
                package.iter().any(|(file, _)| *file == format!("js-tests/{name}"))
            } else {
                root().join(name).is_file() || rust.contains(&format!("fn {name}("))
            };
            assert!(is_there, "provider-rules.txt names {name}, which isn't there");
        }
    }
}
