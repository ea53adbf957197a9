//! Tools by which the user answers. The rules and the digest use this one table.

use super::words::{has_any, server_of, words_of, words_of_tool};
use crate::search::contains;

/// Tools of hosts that ask the user: only the host can forge what they bring.
const ASKING: &[&str] =
    &["AskUserQuestion", "ask_user", "ask_user_question", "ask_followup_question", "request_user_input"];
/// This tool of a host asks the user, and others have its name.
const QUESTION: &str = "question";
/// Whom a tool asks.
const PEOPLE: &[&str] = &["user", "human"];
/// Words for asking and answering. Together with a word for people they say that a person answers.
const ASKED: &[&str] = &[
    "ask",
    "prompt",
    "input",
    "reply",
    "choice",
    "answer",
    "answers",
    "question",
    "questions",
    "feedback",
    "talk",
    "response",
    "clarification",
    "confirmation",
    "approval",
];
/// Tools with these words manage data about people and what they said.
const MANAGING: &[&str] = &[
    "list", "search", "find", "create", "add", "update", "delete", "remove", "export", "query", "count",
    "log", "history", "schema", "analyze", "save",
];
/// Parts of other names of tools that bring a person's words.
const SPOKEN: &[&str] = &[
    "chat_with_user",
    "chat_with_human",
    "intensive_chat",
    "interactive_feedback",
    "vscode_ask_questions",
    "voice_input",
    "voicemode_converse",
    "listen_for_speech",
    "cunzhi_zhi",
];
/// Words in the names of tools by which the user may answer, or somebody else. Their results stay, and the digest
/// doesn't take them for the user's words.
const PERHAPS: &[&str] = &[
    "question",
    "ask",
    "human",
    "feedback",
    "clarify",
    "clarification",
    "confirm",
    "confirmation",
    "approval",
    "elicit",
    "elicitation",
    "reply",
];
/// Parts of the names of such tools.
const PARTS: &[&str] = &[
    "with_user",
    "wait_for_user",
    "notify_user",
    "get_input",
    "request_input",
    "attempt_completion",
    "exit_spec_mode",
];

/// Whether the results of a tool may be answers of the user, so that they stay.
#[must_use]
pub fn is_answered_by_user(name: &str) -> bool {
    let words = words_of_tool(name);
    brings_answers(name)
        || server_of(name).eq_ignore_ascii_case("human")
        || has_any(&words, PERHAPS)
        || has_part(&words, PARTS)
}

/// Whether a tool's name says that its results are the user's words.
#[must_use]
pub fn brings_answers(name: &str) -> bool {
    let (all, own) = (words_of(name), words_of_tool(name));
    let is_in = |words: &[String], list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    ASKING.contains(&name)
        || name == QUESTION
        || has_part(&all, SPOKEN)
        || is_in(&all, PEOPLE) && is_in(&own, ASKED) && !is_in(&own, MANAGING)
}

/// Whether an answer of a tool may be a standing instruction of the user. A server's tool may only call itself so. Of a
/// tool that is not well known, the question must show that it asked.
#[must_use]
pub fn may_instruct(name: &str, has_question: bool) -> bool {
    ASKING.contains(&name) || has_question && !name.starts_with("mcp_")
}

fn has_part(words: &[String], parts: &[&str]) -> bool {
    let joined = words.join("_");
    parts.iter().any(|part| contains(&joined, part))
}

#[cfg(test)]
mod tests {
    use super::{brings_answers, is_answered_by_user, may_instruct};

    #[test]
    fn a_name_says_that_a_person_answers() {
        for name in [
            "AskUserQuestion",
            "human_input",
            "get_user_reply",
            "getUserInput",
            "get_user_choice",
            "vscode_askQuestions",
            "chat_with_user",
            "talk_to_user",
            "user_prompt",
            "get_voice_input",
            "mcp__voicemode__converse",
            "mcp__cunzhi__zhi",
            "mcp__user-prompt__input_prompt",
            "mcp__interactive-mcp__start_intensive_chat",
        ] {
            assert!(brings_answers(name) && is_answered_by_user(name), "{name}");
        }
        for name in [
            "get_user",
            "list_users",
            "user_search",
            "create_user",
            "create_user_prompt",
            "search_user_feedback",
            "mcp__user-service__get_profile",
            "update_user_input",
            "get_prompt",
            "converse",
            "browser_user_agent",
        ] {
            assert!(
                !brings_answers(name) && !is_answered_by_user(name) || name.contains("feedback"),
                "{name}"
            );
        }
        // Others may answer: an encyclopedia, a forum.
        for name in
            ["mcp__deepwiki__ask_question", "ask", "fetch_question", "reply_to_comment", "attempt_completion"]
        {
            assert!(is_answered_by_user(name) && !brings_answers(name), "{name}");
        }
    }

    #[test]
    fn only_tools_that_the_host_answers_bring_instructions() {
        assert!(may_instruct("ask_user", false) && may_instruct("human_input", true));
        assert!(!may_instruct("question", false) && !may_instruct("mcp__x__ask_user", true));
    }
}
