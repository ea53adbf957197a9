//! The names of tools whose results stay, and of files that hold instructions.

use super::answers::is_answered_by_user;
use super::words::{has_any, server_of, words_of, words_of_tool};
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
    "codex",
    "claude",
    "gemini",
    "codereview",
    "tasklist",
    "finder",
];
/// Parts of the names of tools that give the findings of sub-agents in the background.
const FINDINGS: &[&str] = &["background_output", "background_result"];
/// Those that say so only at the end, of short names: memories, rules.
const KEPT_THINGS: &[&str] = &["memory", "memories", "rule", "rules", "instructions"];

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
    let words = words_of_tool(name);
    let joined = words.join("_");
    let is_thing = |words: &[String]| words.last().is_some_and(|last| KEPT_THINGS.contains(&last.as_str()));
    words == ["wait"]
        || words.iter().any(|word| word.starts_with("todo"))
        || has_any(&words, KEPT_TOOLS)
        || words.len() < 3 && is_thing(&words)
        || is_thing(&words_of(server_of(name)))
        || FINDINGS.iter().any(|part| contains(&joined, part))
        || is_answered_by_user(name)
}

/// The last part of a path.
#[must_use]
#[inline(never)] // Twice the same is twice the size.
pub fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Endings of documents; others in an agent's folder are its settings and scripts.
const DOCUMENTS: &[&str] = &["md", "mdc", "mdx", "txt", "yaml", "yml", "toml", "rules"];
/// Folders of worktrees: what stands before them says nothing of a file in them.
const WORKTREES: &[&str] = &["worktrees", ".worktrees"];
/// Names that a pattern is tried on.
const SAMPLES: &[&str] = &["AGENTS.md", "CLAUDE.md"];

/// Whether a path is that of a file with instructions.
#[must_use]
pub fn is_kept_path(path: &str) -> bool {
    let name = file_name(path);
    let is_agents = name.strip_suffix(".md").is_some_and(|stem| {
        let is_capital = |byte: u8| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'-');
        !stem.is_empty() && stem.bytes().all(is_capital) && !PLAIN_FILES.contains(&stem)
    });
    let lower = path.to_ascii_lowercase();
    let name = file_name(&lower);
    let ending = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, ending)| ending);
    let is_document = ending == Some("md");
    let stem = name.strip_suffix(".md").unwrap_or_default();
    let is_plan = stem.rsplit(['_', '-', '.']).next().is_some_and(|last| PLANS.contains(&last))
        || stem.split('.').next().is_some_and(|first| matches!(first, "agents" | "claude"));
    let is_of_agent = |part: &str| {
        let mut rests = KEPT_BEGINNINGS.iter().filter_map(|begin| part.strip_prefix(begin));
        rests.any(|rest| matches!(rest, "" | "s" | "rules" | "modes") || rest.starts_with(['.', '-', '_']))
    };
    let is_kept = |part: &str| {
        is_of_agent(part) && (part == name || ending.is_none_or(|ending| DOCUMENTS.contains(&ending)))
            || is_document && KEPT_FOLDERS.contains(&part)
    };
    let mut parts = lower.rsplit(['/', '\\']).take_while(|part| !WORKTREES.contains(part));
    is_agents
        || is_plan
        || lower.ends_with("instructions.md")
        || KEPT_FILES.contains(&name)
        || parts.any(is_kept)
}

/// Whether a text names a file with instructions, alone or among other words. A folder of such files is none.
#[must_use]
pub fn names_kept(text: &str) -> bool {
    let is_between = |letter: char| letter.is_ascii_whitespace() || "\"'`;|&(){}<>=,:[]".contains(letter);
    let has_end = |word: &str| {
        let name = file_name(word).to_ascii_lowercase();
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        DOCUMENTS.contains(&ending) || ["rules", "hints", "modes"].iter().any(|end| ending.ends_with(end))
    };
    let is_one = |word: &str| word.contains('.') && has_end(word) && is_kept_path(word);
    is_one(text) || text.split(is_between).any(is_one) || is_in_braces(text)
}

/// Whether one of `{AGENTS,README}.md` is such a file.
fn is_in_braces(text: &str) -> bool {
    text.split("}.md").any(|before| {
        let names = before.rsplit('{').next().unwrap_or_default();
        names.len() < before.len() && names.split(',').any(|name| is_kept_path(&[name, ".md"].concat()))
    })
}

/// Whether a pattern of the folder one is in stands for such a file, too: `*.md`. Of other folders it stands for their
/// documents.
#[must_use]
pub fn is_kept_pattern(word: &str) -> bool {
    let (before, name) = word.split_at(word.len() - file_name(word).len());
    let is_here = matches!(before, "" | "./" | "../" | "~/");
    let is_document = name.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("md"));
    let is_pattern = is_document && name.contains(['*', '?']);
    is_here && is_pattern && SAMPLES.iter().any(|sample| fits(name.as_bytes(), sample.as_bytes()))
}

/// Whether a name fits a pattern with `*` and `?`.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    let (mut pattern_at, mut name_at, mut star) = (0, 0, None);
    while let Some(&letter) = name.get(name_at) {
        match pattern.get(pattern_at) {
            Some(b'*') => {
                star = Some((pattern_at, name_at));
                pattern_at += 1;
            }
            Some(&wanted) if wanted == b'?' || wanted.eq_ignore_ascii_case(&letter) => {
                (pattern_at, name_at) = (pattern_at + 1, name_at + 1);
            }
            _ => {
                let Some((at, from)) = star else { return false };
                star = Some((at, from + 1));
                (pattern_at, name_at) = (at + 1, from + 1);
            }
        }
    }
    pattern.get(pattern_at..).unwrap_or_default().iter().all(|&rest| rest == b'*')
}

#[cfg(test)]
mod tests {
    use super::{is_kept_path, is_kept_pattern, is_kept_tool, names_kept};

    #[test]
    fn tools_by_which_people_and_agents_answer_are_kept() {
        for name in [
            "attempt_completion",
            "notify_user",
            "get_input",
            "wait_for_reply",
            "mcp__human__respond",
            "mcp__codex__codex",
            "mcp__zen__codereview",
            "background_output",
            "TodoWrite",
            "update_todo_list",
            "request_rule",
            "view_tasklist",
            "finder",
        ] {
            assert!(is_kept_tool(name), "{name}");
        }
        for name in ["Bash", "build_input", "mcp__claude_ai_Slack__search", "replay", "background"] {
            assert!(!is_kept_tool(name), "{name}");
        }
    }

    #[test]
    fn documents_of_an_agents_folder_are_kept_and_its_settings_and_scripts_are_not() {
        for path in [
            "AGENTS.md",
            "/w/.claude/commands/dev.md",
            ".cursor/rules/a.mdc",
            "/w/.continue/rules/x.yaml",
            ".goosehints",
            ".roomodes",
            ".worktrees/3/.claude/skills/a/SKILL.md",
            ".clinerules",
        ] {
            assert!(is_kept_path(path), "{path}");
        }
        for path in [
            "/w/.claude/settings.json",
            ".claude/scripts/setup.sh",
            "/w/.claude/worktrees/fix/src/a.rs",
            "/w/.claude/worktrees/fix/docs/a.md",
            "README.md",
            ".github/workflows/ci.yml",
        ] {
            assert!(!is_kept_path(path), "{path}");
        }
    }

    #[test]
    fn patterns_and_other_words_name_kept_files() {
        for text in [
            "cat {AGENTS,README}.md",
            "python -c \"open('CLAUDE.md')\"",
            "HEAD:AGENTS.md",
            "file:///w/AGENTS.md",
            "a b/CLAUDE.md",
            ".cursorrules",
        ] {
            assert!(names_kept(text), "{text}");
        }
        for text in
            ["cat *.rs", "cat README.md", "cat {a,b}.md", "", "}.md", "ls .claude", ".agentv/results/x.md"]
        {
            assert!(!names_kept(text), "{text}");
        }
        for text in ["*.md", "./A*.md", "?GENTS.md", "*.MD"] {
            assert!(is_kept_pattern(text), "{text}");
        }
        for text in ["docs/*.md", "*", "R*.md", "AGENTS.md", "*.rs"] {
            assert!(!is_kept_pattern(text), "{text}");
        }
    }
}
