//! The elements in which hosts put output, files and reminders among the user's words.

use crate::search::{around_first, around_last};

/// Elements that hold the output of commands and agents. Output may hold closing tags and opening ones, and the host
/// puts nothing of the user's behind it. So each runs to the last closing tag.
const OUTPUTS: &str = "bash-stderr bash-stdout browser_state command_output execution_result fetched_page \
                       function_response function_result function_results local-command-stderr \
                       local-command-stdout search_results shell_output subagent_notification task-notification \
                       teammate-message terminal_output tool_output tool_response tool_result tool_results \
                       user_shell_command";
/// Persons use these elements, too, for instance to say how their output must look. They count where the model has
/// asked for an action.
const LIKELY: &str = "observation output results returncode stderr stdout";
/// Elements that hold files, pages and reminders. The user's words may stand between two of them.
const CONTEXTS: &str = "additional_data agent_history attached_files attachment attachments code_selection \
                        document documents editorContext environment_context environment_details \
                        environment_info file file_content file_contents folder_content git_status \
                        git_working_state ide_opened_file ide_selection linter_errors local-command-caveat \
                        mcp-resource new-diagnostics open_and_recently_viewed_files post-tool-use-hook \
                        project_layout read_state reminderInstructions repoContext session-start-hook \
                        system-reminder system_reminder terminal_selection turn_aborted url_content user_info \
                        user-prompt-submit-hook workspace_diagnostics workspace_info";
/// Persons use this element, too: it is a host's if it begins so (Zed, Copilot).
const HEADED: &[&str] = &["context>\nThe following items were attached", "context>\nThe current date is "];

/// Codex puts what the editor shows before the user's request.
const EDITOR: &str = "# Context from my IDE setup:";
const REQUEST: &str = "## My request for Codex:";

/// A person's words in a text, and the host's parts.
pub(super) fn parted(text: &str) -> (String, Vec<&str>) {
    let (mut own, mut hosts) = (String::new(), Vec::new());
    let mut text = text;
    if text.starts_with(EDITOR)
        && let Some((before, request)) = around_last(text, REQUEST)
    {
        hosts.push(before);
        text = request;
    }
    // A name without a closing tag has none further on either: each text is looked through only once for it.
    let mut unclosed: Vec<&str> = Vec::new();
    let mut from = 0;
    for at in openings(text, 0) {
        if at < from || !begins_line(text, at) {
            continue;
        }
        let Some(kind) = Element::at(text, at).filter(|kind| !unclosed.contains(&kind.name)) else {
            continue;
        };
        let Some(end) = kind.end(text, at) else {
            unclosed.push(kind.name);
            continue;
        };
        own.push_str(text.get(from..at).unwrap_or_default());
        hosts.push(text.get(at..end).unwrap_or_default());
        from = end;
    }
    own.push_str(text.get(from..).unwrap_or_default());
    (own, hosts)
}

/// Whether a text begins with an element in which hosts answer to an action.
pub(super) fn begins_with_element(text: &str) -> bool {
    let is_likely = || LIKELY.split(' ').any(|name| name.eq_ignore_ascii_case(name_at(text, 1)));
    text.starts_with('<') && (is_likely() || Element::at(text, 0).is_some())
}

/// An element of a host's, by its opening tag.
struct Element<'text> {
    name: &'text str,
    is_output: bool,
}

impl<'text> Element<'text> {
    fn at(text: &'text str, at: usize) -> Option<Self> {
        let name = name_at(text, at + 1);
        let is_in = |list: &str| list.split(' ').any(|known| known == name);
        let behind = text.as_bytes().get(at + 1 + name.len())?;
        let rest = text.get(at + 1..).unwrap_or_default();
        let is_output = is_in(OUTPUTS);
        let is_known = is_output || is_in(CONTEXTS) || HEADED.iter().any(|head| rest.starts_with(head));
        (is_known && (*behind == b'>' || behind.is_ascii_whitespace())).then_some(Self { name, is_output })
    }

    /// Where the element that opens at a place ends. An element that isn't closed was cut off, or it is a person's word.
    fn end(&self, text: &str, at: usize) -> Option<usize> {
        let rest = text.get(at..).unwrap_or_default();
        let (tag, content) = around_first(rest, ">").unwrap_or((rest, ""));
        if tag.ends_with('/') {
            return Some(at + tag.len() + 1);
        }
        let mut end = None;
        for next in openings(text, at + 1) {
            let is_closing = text.as_bytes().get(next + 1) == Some(&b'/');
            if name_at(text, next + 1 + usize::from(is_closing)) != self.name {
                continue;
            }
            let behind = next + 2 + self.name.len();
            if is_closing && text.as_bytes().get(behind) == Some(&b'>') {
                end = Some(behind + 1);
            } else if end.is_some() && !is_closing && !self.is_output && begins_line(text, next) {
                break;
            }
        }
        // Only hosts have names of several words. Whoever writes about the element goes on behind a blank.
        let is_cut_off = self.name.contains(['_', '-']) && !content.starts_with(' ');
        end.or(is_cut_off.then_some(text.len()))
    }
}

/// The places of `<` from a byte on.
fn openings(text: &str, from: usize) -> impl Iterator<Item = usize> {
    text.bytes().enumerate().skip(from).filter(|&(_, byte)| byte == b'<').map(|(at, _)| at)
}

/// The name that stands at a byte.
fn name_at(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or_default();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    rest.get(..rest.bytes().take_while(is_part).count()).unwrap_or_default()
}

/// Whether nothing but blanks and tags stands before a place in its line.
fn begins_line(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end_matches([' ', '\t']);
    before.is_empty() || before.ends_with('\n') || before.ends_with('>')
}

#[cfg(test)]
mod tests {
    use super::parted;

    #[test]
    fn each_element_ends_at_its_own_closing_tag() {
        for (text, own) in [
            (
                "<system-reminder>a</system-reminder>\nhello\n<system-reminder>b</system-reminder>",
                "\nhello\n",
            ),
            ("see\n<file_content path=\"a\">\nx\n</file_content>\nplease", "see\n\nplease"),
            ("<file>\n1\n<file>\n2\n</file>\n3\n</file>\nplease", "\nplease"),
            ("<mcp-resource uri=\"u\" />\nplease", "\nplease"),
            ("<attachments>\n<attachment id=\"a\">\n</attachment>\nx</attachments>\nplease", "\nplease"),
            ("<context>\nThe following items were attached by the user.\nx\n</context>\nplease", "\nplease"),
            ("# Context from my IDE setup:\nx\n## My request for Codex:\nplease", "\nplease"),
        ] {
            assert_eq!(parted(text).0, own, "{text}");
        }
        // Output that closes its element and opens it again.
        let forged = "<bash-stdout>a</bash-stdout>\nforged\n<bash-stdout>b</bash-stdout>\nhello";
        assert_eq!(parted(forged).0, "\nhello");
    }

    #[test]
    fn a_person_may_speak_of_elements() {
        for text in [
            "<output> of Save must be JSON.",
            "<file_content> tags are shown. Remove them.",
            "<context>We sell shoes.</context>\nWrite a text.",
            "<output>\nJSON only.\n</output>",
            "What is a <file>?\nAnd a </file>?",
            "<filed>x</filed>",
        ] {
            assert_eq!(parted(text).0, text);
        }
        let many = "<file>\n".repeat(20_000);
        assert_eq!(parted(&many).0, many);
    }
}
