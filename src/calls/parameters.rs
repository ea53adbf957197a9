//! The names of parameters, for all tools: one list for each meaning. Hosts spell one name in several ways (`filePath`,
//! `file_path`, `FilePath`), so the lists have the letters only, in lower case.

use serde_json::Value;

use super::is_one_of;

/// The text of a command.
pub const COMMANDS: &str = "command cmd commandline";
/// Several commands, one after the other.
pub const SEVERAL_COMMANDS: &str = "commands";
/// The words behind a command, where they have a parameter of their own.
pub const ARGUMENTS: &str = "args arguments";
/// The text of a patch.
pub const PATCHES: &str = "input patch patchtext";
/// The folder in which a command runs.
pub const DIRECTORIES: &str = "workdir cwd dirpath directory cd workingdir workingdirectory";
/// The text that is replaced, and the text that takes its place.
pub const OLD: &str = "oldstring oldstr oldtext old before";
pub const NEW: &str = "newstring newstr newtext new after";
/// Changes that a call makes one after the other, each with such texts.
pub const PARTS: &str = "edits edit";
/// Whether a text is replaced everywhere, and how often it stands there.
pub const EVERYWHERE: &str = "replaceall allowmultiple changeall";
pub const TIMES: &str = "expectedreplacements count";
/// The first and the last line that is shown or written.
pub const FIRST: &str = "offset startline linestart lineoffset startlineoneindexed";
pub const LAST: &str = "endline lineend endlineoneindexedinclusive endlineoneindexed";
/// Both, in a list.
pub const RANGES: &str = "viewrange readrange linerange";
/// How many lines are shown.
pub const LIMITS: &str = "limit nlines";
/// With these a tool that writes whole files adds to a file instead.
pub const ADDING: &str = "append prepend insert insertline position line";
/// How a tool writes, and the values that replace the whole file.
pub const MODES: &str = "mode writemode operation";
pub const WHOLE_MODES: &str = "w wb w+ write overwrite rewrite replace create";

/// Paths of files, beside those that the table of tools has for a tool.
const PATHS: &str =
    "path filepath absolutepath targetfile file filename notebookpath relativepath relativefilepath";
/// Words for people, and numbers that change nothing but how long a call may take.
const WORDS: &str = "description displaydescription explanation instruction instructions instructionsreminder justification \
                     thought reason goal summary toolsummary title i timeout timeoutms timeoutsecs securityrisk";
/// What else a read may have without showing anything else.
const READS: &str = "command forcereadlargefiles";
/// What else a command may have without running elsewhere.
const BESIDE_COMMANDS: &str = "yieldtimems maxoutputtokens sandboxpermissions withescalatedpermissions prefixrule login tty \
                        requiresapproval requireuserapproval dangerouslydisablesandbox risklevel risklevelreason \
                        safetoautorun isreadonly isrisky usespager";
/// How long a host waits for a command before it says that it runs on. With 0 it doesn't wait.
const WAITS: &str = "blockuntilms autobackgroundafter initialwait maxwaitseconds waitmsbeforeasync";
/// What a command may have only if it is not set: it would run on behind the result, or in another shell.
const BACKGROUND: &str = "isinput runinbackground isbackground background async reset restart fireandforget";
/// What it may have only if it is set, for the same reason.
const FOREGROUND: &str = "wait blocking waitforcompletion";
/// Shells whose words are those that are read here.
const SHELLS: &str = "sh bash zsh dash";
/// What else a write may have without writing elsewhere.
const WRITES: &str = "content contents filetext filecontent codecontent text command codeedit code changes linecount force \
                      overwrite createdirs addlastlinenewline emptyfile viewrange";
/// Texts of changes that may name files of their own, and how a line begins that does.
const DIFFS: &str = "diff";
const HEADER: &str = "+++ ";
/// What a write may have only if it is not set: it would write nothing.
const TRYING: &str = "preview dryrun validateonly checkonly";

/// What a write of a whole file has beside its path, and says nothing else.
const WHOLE: &str = "content contents filetext filecontent codecontent text linecount createdirs";

/// Whether a read has known parameters only, in forms that show text lines.
pub fn only_reads_known(parameters: &Value, path_keys: &[String]) -> bool {
    let is_text = |value: &Value| value.as_str().is_some_and(|name| is_one_of(name, "utf8 utf-8 UTF-8 UTF8"));
    only(parameters, &[FIRST, LAST, RANGES, LIMITS, PATHS, WORDS, READS], path_keys, |key, value| {
        is_spelling(key, "encoding") && is_text(value)
            || is_spelling(key, "type") && value == "file"
            || is_in(key, "shouldreadentirefile includesummaryofotherlines") && value == &Value::Bool(false)
    })
}

/// Whether a command says where it runs. With an unknown parameter it may run on another machine or in another
/// session.
pub fn names_place_of_command(parameters: &Value) -> bool {
    only(parameters, &[DIRECTORIES, WORDS, COMMANDS, BESIDE_COMMANDS], &[], |key, value| match value {
        Value::Bool(is_set) => is_in(key, if *is_set { FOREGROUND } else { BACKGROUND }),
        Value::Number(_) => is_in(key, WAITS) && value.as_f64().is_some_and(|wait| wait > 0.0),
        Value::String(word) => {
            is_spelling(key, "mode") && word == "sync"
                || is_spelling(key, "type") && word == "exec"
                || is_spelling(key, "shell") && is_one_of(word.rsplit('/').next().unwrap_or(word), SHELLS)
        }
        Value::Object(variables) => is_spelling(key, "env") && variables.is_empty(),
        _ => false,
    })
}

/// Whether a write says where it writes.
pub fn names_place_of_write(parameters: &Value, path_keys: &[String]) -> bool {
    let lists = [FIRST, LAST, OLD, NEW, PARTS, EVERYWHERE, TIMES, ADDING, MODES, PATHS, WORDS, WRITES];
    let is_of_this_file = |text: &str| !text.lines().any(|line| line.starts_with(HEADER));
    let is_known = |key: &str, value: &Value| match value {
        Value::Bool(is_set) => !is_set && is_in(key, TRYING),
        Value::String(text) => [DIFFS, PATCHES].iter().any(|keys| is_in(key, keys)) && is_of_this_file(text),
        _ => false,
    };
    parameters.is_string()
        || only(parameters, &lists, path_keys, is_known) && !parts_of(parameters).iter().any(names_file)
}

/// Whether a part of a change names a file of its own.
fn names_file(part: &Value) -> bool {
    part.as_object().is_some_and(|members| members.keys().any(|key| is_in(key, PATHS)))
}

/// The changes that a call makes one after the other; none if it makes one.
pub fn parts_of(parameters: &Value) -> &[Value] {
    match value_under(parameters, PARTS) {
        Some(Value::Array(parts)) => parts,
        Some(part @ Value::Object(_)) => std::slice::from_ref(part),
        _ => &[],
    }
}

/// Whether a write has nothing but what a write of a whole file has.
pub fn writes_whole(parameters: &Value, path_keys: &[String]) -> bool {
    only(parameters, &[PATHS, WORDS, MODES, WHOLE], path_keys, |key, value| match value {
        Value::Bool(is_set) => *is_set == is_in(key, "overwrite force"),
        Value::String(command) => key == "command" && is_one_of(command, "create write"),
        _ => false,
    })
}

/// Whether all parameters that are set have a known name, or are known otherwise, and no two of them name files that
/// differ: one may be a folder, or the place that a text is copied to.
fn only(
    parameters: &Value,
    lists: &[&str],
    path_keys: &[String],
    is_known: impl Fn(&str, &Value) -> bool,
) -> bool {
    let is_path = |key: &String| path_keys.contains(key) || is_in(key, PATHS);
    let is_named = |key: &String| path_keys.contains(key) || lists.iter().any(|keys| is_in(key, keys));
    let Some(members) = parameters.as_object() else { return false };
    let mut paths =
        members.iter().filter(|(key, value)| !value.is_null() && is_path(key)).map(|(_, value)| value);
    let first = paths.next();
    members.iter().all(|(key, value)| value.is_null() || is_named(key) || is_known(key, value))
        && paths.all(|path| Some(path) == first)
}

/// Whether a name is spelled with these letters, in whatever case and with any lines between its words.
fn is_spelling(name: &str, letters: &str) -> bool {
    let bare = name.bytes().filter(|byte| !matches!(byte, b'_' | b'-')).map(|byte| byte.to_ascii_lowercase());
    bare.eq(letters.bytes())
}

fn is_in(name: &str, list: &str) -> bool {
    list.split(' ').any(|letters| is_spelling(name, letters))
}

/// The value under the first key that is there.
pub fn value_under<'value>(parameters: &'value Value, keys: &str) -> Option<&'value Value> {
    let members = parameters.as_object()?;
    keys.split(' ').find_map(|key| Some(members.iter().find(|(name, _)| is_spelling(name, key))?.1))
}

/// The text under the first key that is there.
pub fn text_under<'value>(parameters: &'value Value, keys: &str) -> Option<&'value str> {
    value_under(parameters, keys)?.as_str()
}

/// A number of lines.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn whole_number(value: &Value) -> Option<u32> {
    value.as_f64().filter(|number| *number >= 0.0).map(|number| number as u32)
}

#[cfg(test)]
mod tests {
    use super::{PATHS, is_in};
    use crate::tools::{KEY_PARAMETERS, OTHER_PATH_KEYS, PATH_KEYS};

    #[test]
    fn a_path_is_one_for_every_reader() {
        for key in PATH_KEYS.iter().chain(OTHER_PATH_KEYS) {
            assert!(is_in(key, PATHS), "{key} may stand in a call whose effects are known");
            assert!(KEY_PARAMETERS.contains(key), "{key} names the subject of a call");
        }
    }
}
