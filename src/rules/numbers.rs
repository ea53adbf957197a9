//! Whether a tool wrote the numbers before a result's lines. Numbers are data until the tool, the call or the text
//! proves that they are not: maps have numbers as keys, tables have them in their first column.

use serde_json::Value;

use super::line_numbers::STEP;
use super::superseded::is_note;
use crate::calls::operands::files;
use crate::calls::parameters::{COMMANDS as COMMAND_KEYS, value_under};
use crate::calls::words::{Command, Join, split};
use crate::calls::{Effect, is_one_of};
use crate::json;
use crate::lines::{Form, OURS, first_number, number_before};
use crate::search::contains;
use crate::view::{ToolId, View, flags};

/// Tools that number every line, by the names that their hosts give them. `read_file` and `read` are missing: hosts
/// that number nothing have tools with these names, too.
const NUMBERING: &[(&str, &[Form])] = &[
    // Claude Code, Cursor, Amp.
    ("Read", &[Form::Arrow, Form::Tab, Form::PaddedTab, Form::Bar, Form::Colon]),
    // Copilot CLI, Crush, the file systems of deep agents.
    ("view", &[Form::Dot, Form::PaddedTab, Form::Bar]),
    // Kimi CLI.
    ("ReadFile", &[Form::PaddedTab]),
    // SWE-agent, OpenHands, Anthropic's own tool.
    ("str_replace_editor", &[Form::PaddedTab]),
    ("str_replace_based_edit_tool", &[Form::PaddedTab]),
    ("file_editor", &[Form::PaddedTab]),
];

/// Commands that number lines.
const COMMANDS: &[&str] = &["cat -n", "nl -ba"];
/// Commands that may stand in one line with them: what they print doesn't start with a number and a tab.
const BESIDE: &str = "cd echo printf pwd ls wc true set test [ [[ for done fi mkdir export";
/// Behind a pipe these leave the lines that they get unchanged.
const FILTERS: &str = "head tail sed grep rg cat";
/// Words that stand before a command.
const KEYWORDS: &str = "do then else if while { }";
/// What git does without showing lines of files.
const GIT: &str =
    "status log branch add commit rev-parse ls-files checkout switch fetch pull push remote config";

/// Endings of file names whose lines may begin with numbers.
const DATA: &str = "yml yaml json json5 jsonl ndjson tsv csv psv tab txt text log out dat data md mdx markdown rst srt \
                    vtt sql list ids lst";

/// Between these a host speaks of other things.
const REMINDER: (&str, &str) = ("<system-reminder>", "</system-reminder>");
/// Fewer lines prove nothing.
const LEAST: usize = 8;

/// Tools that were seen to show a program: those that number its lines, and those that don't.
#[derive(Clone, Debug, Default)]
pub struct Numbering {
    tools: Vec<ToolId>,
    bare: Vec<ToolId>,
}

impl Numbering {
    /// Whether the numbers before the lines of a call's result are the tool's.
    pub fn is_of_tool(
        &mut self,
        view: &View,
        call: u32,
        effects: &[Effect],
        (parameters, text): (&str, &str),
    ) -> bool {
        let tool = view.block(call).tool;
        let is_seen = self.tools.contains(&tool);
        let is_bare = self.bare.contains(&tool);
        if !is_seen && !is_bare && shows_bare_program(effects, text) && !is_data(path_of(view, call)) {
            self.bare.push(tool);
        }
        let is_numbered = are_the_tools(view, call, effects, (parameters, text), (is_seen, is_bare));
        if is_numbered && !is_seen && view.block(call).has(flags::READ) && !is_data(path_of(view, call)) {
            self.tools.push(tool);
        }
        is_numbered
    }
}

fn path_of(view: &View, call: u32) -> &str {
    view.paths_of(view.block(call)).first().map_or("", |&path| view.names.path_text(path))
}

/// Whether a read shows a program without a number before any of its lines.
fn shows_bare_program(effects: &[Effect], text: &str) -> bool {
    let begins = |signs: [char; 2]| text.lines().any(|line| line.starts_with(signs));
    matches!(effects, [Effect::Shows { .. }])
        && text.lines().nth(LEAST).is_some()
        && text.lines().any(|line| line.trim().is_empty())
        && begins([' ', '\t'])
        && text.lines().all(|line| number_before(line).is_none())
}

/// Whether the numbers before the lines of a call's result are the tool's. `is_seen`: it was seen to write such;
/// `is_bare`: it was seen to write none.
fn are_the_tools(
    view: &View,
    call: u32,
    effects: &[Effect],
    (parameters, text): (&str, &str),
    (is_seen, is_bare): (bool, bool),
) -> bool {
    let Some(first) = first_number(text) else { return false };
    let block = view.block(call);
    if block.has(flags::WRITE) {
        // Tools that show the lines that they wrote tell so.
        return matches!(first.form, Form::Arrow | Form::PaddedTab | Form::Tab)
            && COMMANDS.iter().any(|command| contains(text, command));
    }
    let is_command = COMMANDS.iter().any(|command| contains(parameters, command));
    if is_command && matches!(first.form, Form::Arrow | Form::PaddedTab) && numbers_all(parameters) {
        return true;
    }
    if !block.has(flags::READ) {
        return false;
    }
    let asked = effects.iter().find_map(|deed| match deed {
        Effect::Shows { lines: (from, _), .. } => Some(*from),
        _ => None,
    });
    // Tools count requested lines from 0 or 1, and number shown lines from 1.
    if asked.is_some_and(|from| first.number != from && first.number != from.saturating_add(1)) {
        return false;
    }
    let tool = view.names.tool_name(block.tool);
    let is_known = NUMBERING.iter().any(|(name, forms)| *name == tool && forms.contains(&first.form));
    let series = Series::of(text, first.form);
    // Other hosts may have a tool of this name, and number nothing: a table proves nothing, nor do the keys of a map or the
    // points of a list that stand among the lines of a program.
    let is_whole = series.is_alone() || series.is_program() || is_seen;
    let is_known = is_known && (is_seen || !is_data(path_of(view, call))) && is_whole && series.may_be_all();
    if is_known || is_wrapped(text, first.form) || asks_for_numbers(parameters) {
        return series.is_unbroken;
    }
    let path = path_of(view, call);
    let is_at_start = asked.is_some() || first.number == 1;
    // Nobody but a tool writes an arrow.
    let is_proven = series.is_program() || first.form == Form::Arrow && series.is_unbroken;
    is_at_start && is_proven && series.may_be_all() && !is_bare && !is_data(path)
}

/// Whether the call's parameters ask for numbers: `showLineNumbers`, `with_line_numbers`.
fn asks_for_numbers(parameters: &str) -> bool {
    let wanted: String = parameters
        .chars()
        .filter(|letter| !matches!(letter, '_' | ' '))
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    contains(&wanted, "linenumbers\":true")
}

/// Whether each part of a command that may show lines numbers them.
fn numbers_all(parameters: &str) -> bool {
    let Some(parameters) = json::read(parameters) else { return false };
    let command = match value_under(&parameters, COMMAND_KEYS) {
        Some(Value::Array(words)) => words.last().and_then(Value::as_str),
        command => command.and_then(Value::as_str),
    };
    let mut is_piped = false;
    let numbers = |command: &Command| {
        let was_piped = std::mem::replace(&mut is_piped, command.join == Join::Pipe);
        command.input.is_none() && may_stand_beside(command, was_piped)
    };
    command.and_then(split).is_some_and(|commands| commands.iter().all(numbers))
}

/// Whether a command numbers the lines that it shows, or shows none that begin with a number and a tab.
fn may_stand_beside(command: &Command, is_behind_pipe: bool) -> bool {
    let words = command.words.iter().map(|word| word.text.as_str());
    let words: Vec<&str> = words.skip_while(|word| is_one_of(word, KEYWORDS)).collect();
    let Some((name, rest)) = words.split_first() else { return true };
    let has = |options: &str| rest.iter().any(|word| is_one_of(word, options));
    // Options in one word: `-rn`.
    let has_letter =
        |letters: &[char]| rest.iter().any(|word| word.starts_with('-') && word.contains(letters));
    let is_search = is_one_of(name, "rg grep");
    if is_behind_pipe {
        let is_operand = |word: &&&str| !word.starts_with('-') && word.parse::<u32>().is_err();
        let operands = rest.iter().filter(is_operand).count();
        return is_one_of(name, FILTERS) && if is_search { operands < 2 } else { files(command).is_empty() };
    }
    match *name {
        "cat" => has("-n"),
        "nl" => has("-ba"),
        "git" => rest.first().is_some_and(|verb| {
            is_one_of(verb, GIT) && !has("-p --patch -u") && !has_letter(&['L', 'S'])
                || *verb == "diff" && has("--stat --name-only --name-status --shortstat")
        }),
        _ if is_search => has_letter(&['n', 'l', 'c', 'q']),
        name => is_one_of(name, BESIDE),
    }
}

/// What the numbered lines of a text have in common.
struct Series {
    /// Whether each line is numbered from the first to the last, as far as densify didn't remove numbers.
    is_unbroken: bool,
    count: usize,
    /// Lines with a number only, lines that begin with a blank, and other lines.
    blank: usize,
    indented: usize,
    flush: usize,
    /// Lines above and below the numbered ones: all, and those that are no notes of a tool.
    around: usize,
    foreign: usize,
    /// Whether a line above them ends with an opening bracket.
    is_within: bool,
}

/// What stands between two numbered lines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Between {
    Nothing,
    /// A line of ours, in place of lines that were cut.
    Ours,
    /// Lines that may have lost their numbers to us.
    Thin,
    /// Something else: the series has ended.
    Others,
}

impl Series {
    fn of(text: &str, form: Form) -> Self {
        let mut series = Self {
            is_unbroken: true,
            count: 0,
            blank: 0,
            indented: 0,
            flush: 0,
            around: 0,
            foreign: 0,
            is_within: false,
        };
        let mut last: Option<u32> = None;
        let mut between = Between::Nothing;
        let mut is_reminder = false;
        for line in text.lines() {
            is_reminder |= line.starts_with(REMINDER.0);
            let Some(found) = number_before(line).filter(|found| found.form == form) else {
                between = match (last, between) {
                    (None, _) => Between::Nothing,
                    (_, between @ (Between::Others | Between::Thin)) => between,
                    _ if line.starts_with(OURS) => Between::Ours,
                    (Some(last), _) if series.count == 1 || last % STEP == 0 => Between::Thin,
                    _ => Between::Others,
                };
                if !is_reminder && matches!((last, between), (None, _) | (_, Between::Others)) {
                    series.note(line.trim(), last.is_none());
                }
                is_reminder &= !contains(line, REMINDER.1);
                continue;
            };
            if let Some(last) = last {
                series.is_unbroken &= match between {
                    Between::Nothing => last.checked_add(1) == Some(found.number),
                    Between::Ours => last < found.number,
                    Between::Thin => last < found.number && found.number % STEP == 0,
                    Between::Others => false,
                };
            }
            (last, between) = (Some(found.number), Between::Nothing);
            let content = line.get(found.bytes..).unwrap_or_default();
            series.count += 1;
            *match content.chars().next() {
                _ if content.trim().is_empty() => &mut series.blank,
                Some(' ' | '\t') => &mut series.indented,
                _ => &mut series.flush,
            } += 1;
        }
        series
    }

    /// Notes a line above or below the numbered ones.
    fn note(&mut self, line: &str, is_above: bool) {
        let is_of_tool = is_note(line)
            || contains(line, "`cat -n`")
            || line.starts_with("<system>")
            || line.starts_with(OURS);
        self.around += usize::from(!line.is_empty());
        self.foreign += usize::from(!line.is_empty() && !is_of_tool);
        self.is_within |= is_above && line.ends_with(['{', '[', '(']);
    }

    /// Whether nothing but notes of a tool stands around the numbered lines.
    const fn is_alone(&self) -> bool {
        self.foreign == 0
    }

    /// Whether these may be all lines of a file: what stands around them is a tool's word or a host's.
    fn may_be_all(&self) -> bool {
        !self.is_within && self.around <= self.count.max(LEAST)
    }

    /// Whether these are the lines of a program: maps and tables have no blank lines with a number among indented ones.
    const fn is_program(&self) -> bool {
        self.is_unbroken && self.count >= LEAST && self.blank > 0 && self.indented > 0 && self.flush > 0
    }
}

/// Whether the host has put the lines into elements of its own, as opencode does.
fn is_wrapped(text: &str, form: Form) -> bool {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let wrapper = match form {
        Form::ZeroBar => return first == "<file>",
        Form::Colon if first.starts_with("<path>") => "<content>",
        _ => return false,
    };
    lines.take_while(|line| number_before(line).is_none()).last() == Some(wrapper)
}

/// Whether a file's name says that it may hold a table or a map, or says nothing.
fn is_data(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    name.rsplit_once('.').is_none_or(|(_, end)| is_one_of(&end.to_ascii_lowercase(), DATA))
}
