//! Runs of progress lines of builds, installers and downloads: the first and the last stay.

use super::lines::{Mark, digits, fold, is_trouble};

/// Shorter runs stay.
const LEAST: usize = 3;
const STEPS: &str = "steps of progress";

pub(super) fn leave_out(text: &str) -> Option<String> {
    // Without a build that follows, the changed lock file is the result.
    let builds = ["   Compiling ", "    Checking "].iter().any(|step| text.contains(step));
    let has_wheels = text.contains(".whl");
    let mut marks: Vec<Mark> = text
        .split('\n')
        .map(|line| if is_step(line, builds, has_wheels) { Mark::Out(STEPS) } else { Mark::Keep })
        .collect();
    let at = |marks: &[Mark], at: usize| marks.get(at) == Some(&Mark::Out(STEPS));
    let ends = (0..marks.len())
        .filter(|&place| at(&marks, place) && !(place > 0 && at(&marks, place - 1) && at(&marks, place + 1)));
    for end in ends.collect::<Vec<usize>>() {
        if let Some(mark) = marks.get_mut(end) {
            *mark = Mark::Keep;
        }
    }
    fold(text, &marks, LEAST)
}

/// Verbs of cargo; what follows is named, so a line of prose isn't meant.
const CARGO: &[&str] = &["Compiling", "Downloaded", "Downloading", "Checking", "Fresh", "Installing"];
/// Those that change the lock file.
const LOCKING: &[&str] = &["Adding", "Updating", "Locking"];
/// What stands behind the name in a line of an installer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// One of these, and nothing else: `v1.2.3`, a URL with its size.
    Begins(&'static [&'static str]),
    /// The version in brackets and three dots, as apt has it.
    Version,
    /// Nothing or a size, and the name is that of an archive.
    Archive,
    /// Nothing or what asks for it, and the name says which version it must have.
    Requirement,
}

use Rest::{Archive, Begins, Requirement, Version};

/// What such lines begin with. An own script writes lines like these, too, and they are results:
/// "Collecting sample3 (pH 7.2)", "Setting up user3 (uid 1042)".
const BEGINS: &[(&str, Rest)] = &[
    ("Requirement already satisfied: ", Begins(&["in "])),
    ("Collecting ", Requirement),
    ("  Downloading ", Archive),
    ("  Using cached ", Archive),
    ("Using cached ", Archive),
    ("Downloading https://", Archive),
    ("Downloading from ", Begins(&["http"])),
    ("Downloaded from ", Begins(&["http"])),
    ("go: downloading ", Begins(&["v"])),
    ("Get:", SOURCES),
    ("Hit:", SOURCES),
    ("Unpacking ", Version),
    ("Selecting previously unselected package ", Begins(&[])),
    ("Preparing to unpack ", Begins(&["..."])),
    ("Setting up ", Version),
    ("Processing triggers for ", Version),
    // Not those that were refused.
    ("npm http fetch GET ", Begins(&["http"])),
    ("npm http cache ", DIGITS),
    ("remote: Counting objects", DIGITS),
    ("remote: Compressing objects", DIGITS),
];
const SOURCES: Rest = Begins(&["http", "file:", "cdrom:", "mirror"]);
const DIGITS: Rest = Begins(&["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
const ARCHIVES: &[&str] =
    &[".whl", ".tar.", ".tgz", ".zip", ".metadata", ".deb", ".rpm", ".jar", ".pom", ".crate", ".gem"];

impl Rest {
    fn fits(self, name: &str, went: &str) -> bool {
        match self {
            Begins(begins) => went.is_empty() || begins.iter().any(|begin| went.starts_with(begin)),
            Version => is_version(went),
            Archive => ARCHIVES.iter().any(|end| name.contains(end)) && (went.is_empty() || is_size(went)),
            Requirement => {
                if went.is_empty() {
                    name.contains(['<', '>', '=', '~'])
                } else {
                    went.starts_with("(from ")
                }
            }
        }
    }
}

/// "(1.2.3-4) ...", "(2.0) over (1.9) ..."
fn is_version(went: &str) -> bool {
    let Some(versions) = went.strip_suffix(" ...") else { return false };
    versions.split(" over ").all(|version| {
        let version = version.strip_prefix('(').and_then(|version| version.strip_suffix(')'));
        version.is_some_and(|version| !version.contains([' ', '(']) && digits(version).is_some())
    })
}

/// "(12 kB)"
fn is_size(went: &str) -> bool {
    let size = went.strip_prefix('(').and_then(|size| size.strip_suffix("B)"));
    size.is_some_and(|size| digits(size).is_some() && !size.contains([',', ';']))
}

fn is_step(line: &str, builds: bool, has_wheels: bool) -> bool {
    let line = line.trim_end();
    if let Some((rest, ends)) =
        BEGINS.iter().find_map(|(begin, ends)| line.strip_prefix(begin).map(|rest| (rest, *ends)))
    {
        // The first word behind is a name, which may hold any other; what follows tells how it went.
        let rest = rest.trim_start();
        let (name, went) = rest.split_once(' ').unwrap_or((rest, ""));
        let is_refused = line.starts_with("npm") && name.starts_with(['4', '5']);
        let is_bare = has_wheels && ends == Requirement && went.is_empty();
        return (is_bare || ends.fits(name, went)) && !is_refused && !changes(went) && !is_trouble(went);
    }
    let bare = line.trim_start();
    // cargo writes its verbs flush right in twelve columns: "   Compiling serde v1.0.1"
    let cargo = bare.split_once(' ').filter(|(verb, _)| {
        (CARGO.contains(verb) || builds && LOCKING.contains(verb))
            && line.len() - bare.len() + verb.len() == 12
    });
    if let Some((name, went)) = cargo.and_then(|(_, rest)| rest.split_once(" v")) {
        let (_, behind) = went.split_once(' ').unwrap_or_default();
        let is_package =
            !name.contains(' ') && digits(went).is_some() && (behind.is_empty() || behind.starts_with('('));
        return is_package && !changes(went) && !is_trouble(went);
    }
    is_numbered(bare)
}

/// Whether a step says what became of something, or could.
fn changes(went: &str) -> bool {
    ["->", "(available", "(latest"].iter().any(|sign| went.contains(sign))
}

/// What builds do with a file. Any other numbered line may say what came of it.
const VERBS: &[&str] = &[
    "AR",
    "AS",
    "Archiving",
    "Assembling",
    "Automatic",
    "Building",
    "Built",
    "CC",
    "CXX",
    "Compiling",
    "Copying",
    "Creating",
    "Emitting",
    "GEN",
    "Generating",
    "HOSTCC",
    "HOSTLD",
    "LD",
    "LINK",
    "Link",
    "Linking",
    "Packing",
    "Performing",
    "Scanning",
];
/// Kinds of files, between the verb and the file. Behind those of the second list any name is one of the build's.
const KINDS: [&[&str]; 2] = [
    &[
        "ASM",
        "ASM_NASM",
        "C",
        "C++",
        "CUDA",
        "CXX",
        "Fortran",
        "Java",
        "MOC",
        "NASM",
        "OBJC",
        "OBJCXX",
        "RC",
        "RCC",
        "Swift",
        "UIC",
        "[M]",
        "build",
        "configure",
        "custom",
        "dependencies",
        "download",
        "file",
        "for",
        "install",
        "of",
        "patch",
        "shared",
        "static",
        "test",
        "update",
    ],
    &[
        "archive",
        "directories",
        "executable",
        "library",
        "module",
        "object",
        "plugin",
        "step",
        "symbol",
        "target",
    ],
];
/// What may stand behind the file.
const BEHIND: &[&str] = &[" with a custom command", " for CXX dependencies"];
/// Ends of files that builds read and write.
const FILES: &[&str] = &[
    "S", "a", "asm", "c", "cc", "class", "cpp", "cs", "css", "cu", "cxx", "d", "ddi", "dll", "dylib", "exe",
    "f90", "go", "h", "hh", "hpp", "java", "js", "jsx", "ko", "kt", "lib", "lo", "m", "mm", "mo", "moc",
    "mod", "o", "obj", "pch", "pcm", "py", "qm", "rs", "s", "scala", "scss", "so", "svelte", "swift",
    "symbols", "ts", "tsx", "vue",
];

/// "[ 12%] Building C object src/a.c.o", "[12/340] CC a.o", "[12/340] src/a.c"
fn is_numbered(line: &str) -> bool {
    let Some((count, what)) = line.strip_prefix('[').and_then(|rest| rest.split_once("] ")) else {
        return false;
    };
    let is_number = |text: &str| digits(text.trim()).is_some_and(|(_, rest)| rest.is_empty());
    let is_count = count.trim().strip_suffix('%').is_some_and(is_number)
        || count.split_once('/').is_some_and(|(one, all)| is_number(one) && is_number(all));
    let built = BEHIND.iter().find_map(|end| what.strip_suffix(end)).unwrap_or(what);
    let (before, file) = built.rsplit_once(' ').unwrap_or(("", built));
    let (verb, kinds) = before.split_once(' ').unwrap_or((before, ""));
    let [words, nouns] = KINDS.map(|known| kinds.split(' ').filter(|kind| known.contains(kind)).count());
    let is_file = || file.rsplit_once('.').is_some_and(|(_, end)| FILES.contains(&end));
    let is_kind = kinds.is_empty() || words + nouns == kinds.split(' ').count();
    // An own script copies modules, too.
    let is_sure =
        || !matches!(verb, "Copying" | "Creating" | "Packing" | "Scanning") || kinds.starts_with('d');
    // Swift names the module before the file.
    let is_module = || verb == "Compiling" && is_file() && !kinds.contains(' ');
    is_count
        && (verb.is_empty() || VERBS.contains(&verb))
        && (is_kind && (nouns > 0 && is_sure() || is_file()) || is_module())
        && !is_trouble(what)
}
