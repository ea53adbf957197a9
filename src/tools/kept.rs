//! The names of tools whose results stay, and of files that hold instructions.

use crate::search::contains;

/// Words in the names of tools whose results stay: what sub-agents found, skills, plans, todos, answers.
const KEPT_TOOLS: &[&str] = &[
    "agent",
    "subagent",
    "task",
    "skill",
    "plan",
    "investigator",
    "researcher",
    "research",
    "delegate",
    "handoff",
    "spawn",
    "oracle",
    "librarian",
    "consult",
    "advisor",
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
];
/// Parts of the names of tools by which the user answers.
const USERS: &[&str] = &["user_input", "ask_user", "prompt_user", "wait_for_user", "user_response"];
/// Those that say so only at the end, of short names: memories, rules.
const KEPT_THINGS: &[&str] = &["memory", "memories", "rules"];
/// Where such a word is something else: a build's task, a browser's name.
const OTHERS: &[(&str, &str)] = &[("run", "task"), ("gradle", "task"), ("user", "agent")];

/// Names of files that hold instructions for agents, beside those whose name is the agent's in capitals
/// (`CLAUDE.md`).
const KEPT_FILES: &[&str] = &["claude.md", "claude.local.md", "agents.md", "agent.md", ".rules"];
/// How such files, and folders of them, begin.
const KEPT_BEGINNINGS: &[&str] = &[
    ".claude",
    ".cursor",
    ".windsurf",
    ".clinerules",
    ".roo",
    ".junie",
    ".goosehints",
    ".kiro",
    ".amazonq",
    ".continue",
    ".trae",
    ".augment",
    ".agent",
    ".aiassistant",
    ".openhands",
    ".specify",
];
/// Folders whose documents are such.
const KEPT_FOLDERS: &[&str] =
    &["memory-bank", "plans", "skills", "steering", "rules", "prompts", "chatmodes", "microagents", "agents"];

/// Files whose name in capitals is no agent's.
const PLAIN_FILES: &[&str] =
    &["README", "CHANGELOG", "CONTRIBUTING", "LICENSE", "SECURITY", "NOTICE", "TODO", "FAQ"];

/// Whether a tool's results stay as they are, but for the documents' own rules.
#[must_use]
pub fn is_kept_tool(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    if lower == "wait" || USERS.iter().any(|part| contains(&lower, part)) {
        return true;
    }
    let words = words_of(name);
    let is_kept = |(at, word): (usize, &String)| {
        let word = word.strip_suffix('s').unwrap_or(word);
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        KEPT_TOOLS.contains(&word) && !before.is_some_and(|before| OTHERS.contains(&(before.as_str(), word)))
    };
    words.iter().any(|word| word.starts_with("todo"))
        || words.iter().enumerate().any(is_kept)
        || words.len() < 3 && words.last().is_some_and(|last| KEPT_THINGS.contains(&last.as_str()))
}

/// The words of a name, in lower case: `dispatch_agent`, `TaskOutput`.
fn words_of(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut is_open = false;
    let mut was_lower = false;
    for letter in name.chars() {
        if !is_open || letter.is_ascii_uppercase() && was_lower {
            words.push(String::new());
        }
        is_open = letter.is_ascii_alphanumeric();
        was_lower = letter.is_ascii_lowercase();
        if let Some(word) = words.last_mut().filter(|_| is_open) {
            word.push(letter.to_ascii_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The last part of a path.
#[must_use]
#[inline(never)] // Twice the same is twice the size.
pub fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Whether a path is that of a file with instructions.
#[must_use]
pub fn is_kept_path(path: &str) -> bool {
    let name = file_name(path);
    let is_agents = name.strip_suffix(".md").is_some_and(|stem| {
        !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_uppercase()) && !PLAIN_FILES.contains(&stem)
    });
    let lower = path.to_ascii_lowercase();
    let is_document = lower.rsplit('.').next() == Some("md");
    let is_kept = |part: &str| {
        KEPT_BEGINNINGS.iter().any(|begin| part.starts_with(begin))
            || is_document && KEPT_FOLDERS.contains(&part)
    };
    let mut parts = lower.rsplit(['/', '\\']);
    is_agents
        || lower.ends_with("instructions.md")
        || KEPT_FILES.contains(&file_name(&lower))
        || parts.any(is_kept)
}
