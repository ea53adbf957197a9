//! Files that are named both ways: by a whole path, and by one from the workspace, wherever that lies.

use std::collections::HashSet;

/// So many paths of either form are compared.
const MOST: usize = 1_000;

/// The whole paths, and where the workspace seems to lie.
pub struct Twins {
    whole: Vec<String>,
    root: Option<String>,
}

impl Twins {
    /// What some paths say of each other. The root is the one from which most of the relative paths lead to a whole one;
    /// of two the shorter.
    #[inline(never)] // Twice the same is twice the size.
    pub fn of(paths: &[&str]) -> Self {
        let (whole, relative): (Vec<&str>, Vec<&str>) = paths.iter().partition(|path| path.starts_with('/'));
        let mut roots: Vec<(&str, usize)> = Vec::new();
        for &end in relative.iter().take(MOST) {
            let before = whole.iter().take(MOST).filter_map(|path| path.strip_suffix(end));
            for root in before.filter(|root| root.ends_with('/')) {
                match roots.iter_mut().find(|(known, _)| *known == root) {
                    Some((_, count)) => *count += 1,
                    None => roots.push((root, 1)),
                }
            }
        }
        let mut best = ("", 0);
        for (root, count) in roots {
            if count > best.1 || count == best.1 && root.len() < best.0.len() {
                best = (root, count);
            }
        }
        let root = Some(best.0.to_owned()).filter(|root| !root.is_empty());
        Self { whole: whole.into_iter().map(str::to_owned).collect(), root }
    }

    /// The one name of a file: the whole path, if it was ever named so.
    #[inline(never)] // Twice the same is twice the size.
    pub fn name(&self, path: &str) -> String {
        let whole = self.root.as_ref().map(|root| [root, path].concat());
        whole.filter(|whole| self.whole.contains(whole)).unwrap_or_else(|| path.to_owned())
    }

    /// The names of some files, each once.
    #[inline(never)] // Twice the same is twice the size.
    pub fn names(&self, paths: &[&str]) -> HashSet<String> {
        paths.iter().map(|path| self.name(path)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Twins;

    #[test]
    fn a_file_has_one_name() {
        let paths =
            ["/w/a/src/x.rs", "src/x.rs", "/w/a/b/README.md", "README.md", "/w/a/README.md", "only.rs"];
        let twins = Twins::of(&paths);
        let names = paths.map(|path| twins.name(path));
        assert_eq!(
            names,
            [
                "/w/a/src/x.rs",
                "/w/a/src/x.rs",
                "/w/a/b/README.md",
                "/w/a/README.md",
                "/w/a/README.md",
                "only.rs"
            ]
        );
        // Where there is nothing to go by the nearest to the root it is.
        let twins = Twins::of(&["a.rs", "/w/deep/a.rs", "/w/a.rs", "/w/b.rs"]);
        assert_eq!(
            (twins.name("a.rs"), twins.name("b.rs"), twins.name("c.rs")),
            ("/w/a.rs".into(), "/w/b.rs".into(), "c.rs".into())
        );
        assert_eq!(Twins::of(&["b/a.rs", "/w/cb/a.rs", "../x", "/x"]).name("../x"), "../x");
    }
}
