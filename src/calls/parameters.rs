//! The names of parameters, for all tools: one list for each meaning.

use serde_json::Value;

use super::is_one_of;

/// The text of a command.
pub const COMMANDS: &str = "command cmd";
/// The text of a patch.
pub const PATCHES: &str = "input patch patchText patch_text";
/// The folder in which a command runs.
pub const DIRECTORIES: &str = "workdir cwd dir_path directory cd";
/// The text that is replaced, and the text that takes its place.
pub const OLD: &str = "old_string old_str oldText oldString old_text";
pub const NEW: &str = "new_string new_str newText newString new_text";
/// The first and the last line that is shown or written.
pub const FIRST: &str = "offset start_line startLine line_start";
pub const LAST: &str = "end_line endLine line_end";
/// With these a tool that writes whole files adds to a file instead.
pub const ADDING: &str = "append prepend insert insert_line insertLine position line";
/// How a tool writes, and the values that replace the whole file.
pub const MODES: &str = "mode write_mode writeMode operation";
pub const WHOLE_MODES: &str = "w wb w+ write overwrite rewrite replace create";

/// Paths of files, beside those that the table of tools has for a tool.
const PATHS: &str = "path file_path absolute_path filePath target_file file filename notebook_path";
/// Words for people, and numbers that change nothing but how long a call may take.
const WORDS: &str = "description explanation instruction instructions justification thought summary title i timeout \
                     timeout_ms security_risk";
/// What else a read may have without showing anything else.
const READS: &str = "view_range limit command forceReadLargeFiles";
/// What else a command may have without running elsewhere.
const BESIDE_COMMANDS: &str = "yield_time_ms max_output_tokens sandbox_permissions with_escalated_permissions \
                        prefix_rule login tty requires_approval dangerouslyDisableSandbox";
/// What a command may have only if it is not set: it would run on behind the result, or in another shell.
const BACKGROUND: &str = "is_input run_in_background is_background background async reset";
/// What else a write may have without writing elsewhere.
const WRITES: &str = "content contents file_text text command edits replace_all replaceAll allow_multiple \
                      expected_replacements count line_count force overwrite create_dirs preview dry_run view_range";

/// What a write of a whole file has beside its path, and says nothing else.
const WHOLE: &str = "content contents file_text text line_count create_dirs";

/// Whether a read has known parameters only, in forms that show text lines.
pub fn only_reads_known(parameters: &Value, path_keys: &[String]) -> bool {
    let is_text = |value: &Value| value.as_str().is_some_and(|name| is_one_of(name, "utf8 utf-8 UTF-8 UTF8"));
    only(parameters, &[FIRST, LAST, PATHS, WORDS, READS], path_keys, |key, value| {
        key == "encoding" && is_text(value)
    })
}

/// Whether a command says where it runs. With an unknown parameter it may run on another machine or in another
/// session.
pub fn names_place_of_command(parameters: &Value) -> bool {
    only(parameters, &[DIRECTORIES, WORDS, COMMANDS, BESIDE_COMMANDS], &[], |key, value| {
        is_one_of(key, BACKGROUND) && value == &Value::Bool(false)
    })
}

/// Whether a write says where it writes.
pub fn names_place_of_write(parameters: &Value, path_keys: &[String]) -> bool {
    let lists = [FIRST, LAST, OLD, NEW, ADDING, MODES, PATHS, WORDS, WRITES, PATCHES];
    parameters.is_string() || only(parameters, &lists, path_keys, |_, _| false)
}

/// Whether a write has nothing but what a write of a whole file has.
pub fn writes_whole(parameters: &Value, path_keys: &[String]) -> bool {
    only(parameters, &[PATHS, WORDS, MODES, WHOLE], path_keys, |key, value| match value {
        Value::Bool(is_set) => *is_set == is_one_of(key, "overwrite force"),
        Value::String(command) => key == "command" && command == "create",
        _ => false,
    })
}

/// Whether all parameters that are set have a known name, or are known otherwise.
fn only(
    parameters: &Value,
    lists: &[&str],
    path_keys: &[String],
    is_known: impl Fn(&str, &Value) -> bool,
) -> bool {
    let is_named = |key: &String| path_keys.contains(key) || lists.iter().any(|keys| is_one_of(key, keys));
    parameters.as_object().is_some_and(|members| {
        members.iter().all(|(key, value)| value.is_null() || is_named(key) || is_known(key, value))
    })
}

/// The value under the first key that is there.
pub fn value_under<'value>(parameters: &'value Value, keys: &str) -> Option<&'value Value> {
    keys.split(' ').find_map(|key| parameters.get(key))
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
