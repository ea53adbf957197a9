//! Runs of progress lines of builds, installers and downloads: the first and the last stay.

use super::lines::{Mark, digits, fold, is_trouble};

/// Shorter runs stay.
const LEAST: usize = 3;
const STEPS: &str = "steps of progress";

pub(super) fn leave_out(text: &str) -> Option<String> {
    // Without a build that follows, the changed lock file is the result.
    let builds = ["   Compiling ", "    Checking "].iter().any(|step| text.contains(step));
    let mut marks: Vec<Mark> = text
        .split('\n')
        .map(|line| if is_step(line, builds) { Mark::Out(STEPS) } else { Mark::Keep })
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
/// What such lines begin with, and what may stand behind the name that follows: an own script's "Collecting host-5: 17
/// open ports" is a result.
const BEGINS: &[(&str, &[&str])] = &[
    ("Requirement already satisfied: ", &["in ", "("]),
    ("Collecting ", &["("]),
    ("  Downloading ", &["("]),
    ("  Using cached ", &["("]),
    ("Using cached ", &["("]),
    ("Downloading https://", &["("]),
    ("Downloading from ", &["http"]),
    ("Downloaded from ", &["http"]),
    ("go: downloading ", &["v"]),
    ("Get:", &["http", "file:", "cdrom:", "mirror"]),
    ("Hit:", &["http", "file:", "cdrom:", "mirror"]),
    ("Unpacking ", &["("]),
    ("Selecting previously unselected package ", &[]),
    ("Preparing to unpack ", &["..."]),
    ("Setting up ", &["("]),
    ("Processing triggers for ", &["("]),
    // Not those that were refused.
    ("npm http fetch GET ", &["http"]),
    ("npm http cache ", DIGITS),
    ("remote: Counting objects", DIGITS),
    ("remote: Compressing objects", DIGITS),
];
const DIGITS: &[&str] = &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

fn is_step(line: &str, builds: bool) -> bool {
    let line = line.trim_end();
    if let Some((rest, ends)) =
        BEGINS.iter().find_map(|(begin, ends)| line.strip_prefix(begin).map(|rest| (rest, ends)))
    {
        // The first word behind is a name, which may hold any other; what follows tells how it went.
        let (name, went) = rest.trim_start().split_once(' ').unwrap_or_default();
        let is_refused = line.starts_with("npm") && name.starts_with(['4', '5']);
        let is_known = went.is_empty() || ends.iter().any(|end| went.starts_with(end));
        // Behind the brackets with a version nothing else is said.
        let has_more = went.starts_with('(') && !went.ends_with([')', '.']);
        return is_known && !is_refused && !has_more && !changes(went) && !is_trouble(went);
    }
    let bare = line.trim_start();
    // cargo writes its verbs flush right in twelve columns: "   Compiling serde v1.0.1"
    let cargo = bare.split_once(' ').filter(|(verb, _)| {
        (CARGO.contains(verb) || builds && LOCKING.contains(verb))
            && line.len() - bare.len() + verb.len() == 12
    });
    if let Some((_, went)) = cargo.and_then(|(_, rest)| rest.split_once(" v")) {
        return !changes(went) && !is_trouble(went);
    }
    is_numbered(bare)
}

/// Whether a step says what became of something, or could.
fn changes(went: &str) -> bool {
    ["->", "(available", "(latest"].iter().any(|sign| went.contains(sign))
}

/// What builds do with a file: any other numbered line may say what came of it.
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
    "COPY",
    "Compiling",
    "Copying",
    "Creating",
    "FROM",
    "Fetching",
    "GEN",
    "Generating",
    "HOSTCC",
    "HOSTLD",
    "Installing",
    "LD",
    "LINK",
    "Link",
    "Linking",
    "Packing",
    "Performing",
    "RUN",
    "Resolving",
    "Scanning",
    "Solving",
    "WORKDIR",
];

/// "[ 12%] Building C object", "[12/340] CC a.o", "[12/340] src/a.c"
fn is_numbered(line: &str) -> bool {
    let Some((count, what)) = line.strip_prefix('[').and_then(|rest| rest.split_once("] ")) else {
        return false;
    };
    let is_number = |text: &str| digits(text.trim()).is_some_and(|(_, rest)| rest.is_empty());
    let is_count = count.trim().strip_suffix('%').is_some_and(is_number)
        || count.split_once('/').is_some_and(|(one, all)| is_number(one) && is_number(all));
    let first = what.split(' ').next().unwrap_or_default();
    let is_file = || {
        let end = first.rsplit_once('.').map_or("", |(_, end)| end);
        first.len() == what.len() && end.starts_with(|start: char| start.is_ascii_alphabetic())
    };
    is_count && (VERBS.contains(&first) || is_file()) && !measures(what) && !is_trouble(what)
}

/// Whether a number is given for something: "loss=0.3", "score: 7".
fn measures(text: &str) -> bool {
    let is_number = |value: &str| digits(value.trim_start_matches([' ', '-', '+', '.'])).is_some();
    text.split(['=', ':']).skip(1).any(is_number)
}
