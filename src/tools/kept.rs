//! The names of tools whose results stay, and of files that hold instructions.

use crate::search::contains;

/// Words in the names of tools whose results stay: what sub-agents found, skills, plans, todos.
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
];
/// Words in the names of tools by which the user answers.
const ANSWERS: &[&str] = &[
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
const USERS: &[&str] = &[
    "user_input",
    "ask_user",
    "prompt_user",
    "wait_for_user",
    "user_response",
    "with_user",
    "exit_spec_mode",
];
/// Those that say so only at the end, of short names: memories, rules.
const KEPT_THINGS: &[&str] = &["memory", "memories", "rules", "instructions"];
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
    ".taskmaster",
    ".opencode",
    ".factory",
    "openspec",
];
/// Names of plans and specifications, without their ends; a plan's may have words before it.
const PLANS: &[&str] = &["plan", "plans", "todo", "todos", "task", "tasks", "spec", "prd", "handoff"];
/// Folders whose documents are such.
const KEPT_FOLDERS: &[&str] =
    &["memory-bank", "plans", "skills", "steering", "rules", "prompts", "chatmodes", "microagents", "agents"];

/// Files whose name in capitals is no agent's.
const PLAIN_FILES: &[&str] = &["README", "CHANGELOG", "CONTRIBUTING", "LICENSE", "SECURITY", "NOTICE", "FAQ"];

/// Whether a tool's results stay as they are, but for the documents' own rules.
#[must_use]
pub fn is_kept_tool(name: &str) -> bool {
    // `mcp__server__tool`: the server's name says what it is for, too.
    let server = name.strip_prefix("mcp__").and_then(|rest| rest.split("__").next()).unwrap_or_default();
    let words = words_of_tool(name);
    let is_thing = |words: &[String]| words.last().is_some_and(|last| KEPT_THINGS.contains(&last.as_str()));
    words == ["wait"]
        || words.iter().any(|word| word.starts_with("todo"))
        || has_any(&words, KEPT_TOOLS)
        || words.len() < 3 && is_thing(&words)
        || is_thing(&words_of(server))
        || is_answered_by_user(name)
}

/// Whether the results of a tool are answers of the user.
#[must_use]
pub fn is_answered_by_user(name: &str) -> bool {
    let words = words_of_tool(name);
    let joined = words.join("_");
    has_any(&words, ANSWERS) || USERS.iter().any(|part| contains(&joined, part))
}

/// Whether one of some words is in a list, or more than one of such things.
fn has_any(words: &[String], list: &[&str]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let word = word.strip_suffix('s').unwrap_or(word);
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        list.contains(&word) && !before.is_some_and(|before| OTHERS.contains(&(before.as_str(), word)))
    })
}

/// The words of a tool's name, without its server's.
fn words_of_tool(name: &str) -> Vec<String> {
    let bare = name.strip_prefix("mcp__").and_then(|rest| rest.split("__").nth(1));
    words_of(bare.unwrap_or(name))
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
        let is_capital = |byte: u8| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'-');
        !stem.is_empty() && stem.bytes().all(is_capital) && !PLAIN_FILES.contains(&stem)
    });
    let lower = path.to_ascii_lowercase();
    let is_document = lower.rsplit('.').next() == Some("md");
    let stem = file_name(&lower).strip_suffix(".md").unwrap_or_default();
    let is_plan = stem.rsplit(['_', '-', '.']).next().is_some_and(|last| PLANS.contains(&last))
        || stem.split('.').next().is_some_and(|first| matches!(first, "agents" | "claude"));
    let is_kept = |part: &str| {
        KEPT_BEGINNINGS.iter().any(|begin| part.starts_with(begin))
            || is_document && KEPT_FOLDERS.contains(&part)
    };
    let mut parts = lower.rsplit(['/', '\\']);
    is_agents
        || is_plan
        || lower.ends_with("instructions.md")
        || KEPT_FILES.contains(&file_name(&lower))
        || parts.any(is_kept)
}
