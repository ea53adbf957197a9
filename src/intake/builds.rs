//! Runs of lines that say what a build, an installer or a download is at: the first and the last stay.

use super::lines::{Mark, digits, fold, is_trouble};

/// Shorter runs stay.
const LEAST: usize = 3;
const STEPS: &str = "steps of progress";

pub(super) fn leave_out(text: &str) -> Option<String> {
    let mut marks: Vec<Mark> =
        text.split('\n').map(|line| if is_step(line) { Mark::Out(STEPS) } else { Mark::Keep }).collect();
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

/// Words that such lines begin with; what follows is named, so a line of prose isn't meant.
const CARGO: &[&str] = &[
    "Compiling",
    "Downloaded",
    "Downloading",
    "Checking",
    "Fresh",
    "Adding",
    "Updating",
    "Locking",
    "Installing",
];
const BEGINS: &[&str] = &[
    "Requirement already satisfied: ",
    "Collecting ",
    "  Downloading ",
    "  Using cached ",
    "Using cached ",
    "Downloading https://",
    "Downloading from ",
    "Downloaded from ",
    "go: downloading ",
    "Get:",
    "Hit:",
    "Unpacking ",
    "Selecting previously unselected package ",
    "Preparing to unpack ",
    "Setting up ",
    "Processing triggers for ",
    "npm http fetch ",
    "npm http cache ",
    "remote: Counting objects",
    "remote: Compressing objects",
];

fn is_step(line: &str) -> bool {
    let line = line.trim_end();
    if let Some(rest) = BEGINS.iter().find_map(|begin| line.strip_prefix(begin)) {
        // The first word behind is a name, which may hold any other; what follows tells how it went.
        let (_, went) = rest.trim_start().split_once(' ').unwrap_or_default();
        return !is_trouble(went);
    }
    let bare = line.trim_start();
    // cargo writes its verbs flush right in twelve columns: "   Compiling serde v1.0.1"
    let cargo = bare
        .split_once(' ')
        .filter(|(verb, _)| CARGO.contains(verb) && line.len() - bare.len() + verb.len() == 12);
    if let Some((_, went)) = cargo.and_then(|(_, rest)| rest.split_once(" v")) {
        return !is_trouble(went);
    }
    is_numbered(bare)
}

/// "[ 12%] Building C object", "[12/340] CC a.o"
fn is_numbered(line: &str) -> bool {
    let Some((count, what)) = line.strip_prefix('[').and_then(|rest| rest.split_once("] ")) else {
        return false;
    };
    let is_share = count
        .trim()
        .strip_suffix('%')
        .is_some_and(|number| digits(number).is_some_and(|(_, rest)| rest.is_empty()));
    let is_part = count.split_once('/').is_some_and(|(one, all)| {
        [one, all].iter().all(|number| digits(number.trim()).is_some_and(|(_, rest)| rest.is_empty()))
    });
    (is_share || is_part) && !is_trouble(what)
}
