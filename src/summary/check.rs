//! Whether a reply holds what it must.

use super::directives::check_directives;
use super::reply::{body_of, is_heading, section};
use super::stored::neutralize;
use super::survey::{paths_in, unknown_paths};
use super::types::{Code, Finding, Level};
use super::{History, Plan, substance};
use crate::prompt::{Framing, section_names};

/// So many findings of one kind say enough.
const MOST_FINDINGS: usize = 50;

/// A checked reply.
pub(super) struct Checked {
    /// What would be stored; `None` if nothing can be.
    pub body: Option<String>,
    /// What was found.
    pub findings: Vec<Finding>,
}

impl Checked {
    /// Puts failures before warnings: the first finding says why a reply can't be used.
    pub fn sorted(mut self) -> Self {
        self.findings.sort_by_key(|finding| finding.level != Level::Failure);
        self
    }

    /// Whether the reply can't be used.
    pub fn has_failed(&self) -> bool {
        self.body.is_none() || self.findings.iter().any(|finding| finding.level == Level::Failure)
    }
}

/// Checks a reply by itself and against the history; its size is the caller's to judge.
pub(super) fn check(history: History<'_>, plan: &Plan, reply: &str) -> Checked {
    let body = match body_of(reply, plan.strategy, plan.overridden) {
        Ok(body) => body,
        Err(code) => {
            return Checked { body: None, findings: vec![Finding::new(code, sentence(code, plan.strategy))] };
        }
    };
    let mut findings = Vec::new();
    if plan.overridden {
        // The form is the caller's, but words that it attributes to the user are still checked.
        let body = check_directives(history, plan, body, &mut findings);
        return Checked { body: Some(neutralize(&body)), findings };
    }
    let missing = missing_sections(&body, plan, &mut findings);
    if missing == Missing::All {
        let finding = Finding::new(Code::Incomplete, "the snapshot holds none of its sections");
        return Checked { body: None, findings: vec![finding] };
    }
    let is_asked = |name: &str| is_asked(plan, name);
    if let Some((name, message)) = substance::fault(&body, plan.strategy, &is_asked) {
        findings.push(Finding::new(Code::Incomplete, message).section(name));
        return Checked { body: None, findings };
    }
    if missing == Missing::Most {
        findings.push(Finding::new(Code::Incomplete, "most of the sections are missing").section(""));
        return Checked { body: None, findings };
    }
    let body = check_directives(history, plan, body, &mut findings);
    let known: Vec<&str> = known_texts(plan);
    for path in unknown_paths(history, paths_in(&body), &known).into_iter().take(MOST_FINDINGS) {
        let message = ["the history names no ", &path].concat();
        findings.push(Finding::new(Code::UnknownPath, message).text(&path));
    }
    Checked { body: Some(neutralize(&body)), findings }
}

fn known_texts(plan: &Plan) -> Vec<&str> {
    let lists = [&plan.pins, &plan.constraints, &plan.read_files, &plan.modified_files];
    let texts = [&plan.previous, &plan.transcript_path];
    let lists = lists.into_iter().flatten().map(String::as_str);
    lists.chain(texts.into_iter().flatten().map(String::as_str)).collect()
}

fn sentence(code: Code, framing: Framing) -> &'static str {
    match (code, framing) {
        (Code::Empty, _) => "the reply is empty",
        (Code::CutOff, _) => "the reply breaks off before its end",
        (Code::ProtocolJunk, _) => "the reply holds the syntax of tool calls",
        (_, Framing::Structured) => "the reply has no heading '## Goal'",
        _ => "the reply holds no complete <state_snapshot>",
    }
}

/// How many of the sections that were asked for are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Missing {
    Few,
    Most,
    All,
}

/// Whether a section was asked for.
fn is_asked(plan: &Plan, name: &str) -> bool {
    plan.sections.as_ref().is_none_or(|asked| asked.iter().any(|one| one == name))
}

/// Reports the sections that were asked for and are missing.
fn missing_sections(body: &str, plan: &Plan, findings: &mut Vec<Finding>) -> Missing {
    let is_there = |name: &str| match plan.strategy {
        Framing::Structured => body.lines().any(|line| is_heading(line, name)),
        _ => section(body, name).is_some(),
    };
    let asked: Vec<&str> =
        section_names(plan.strategy).into_iter().filter(|name| is_asked(plan, name)).collect();
    let count = asked.len();
    let missing: Vec<&str> = asked.into_iter().filter(|name| !is_there(name)).collect();
    let finding = |name: &str| {
        Finding::new(Code::MissingSection, ["the section ", name, " is missing"].concat()).section(name)
    };
    findings.extend(missing.iter().map(|name| finding(name)));
    match missing.len() {
        none if none == count => Missing::All,
        most if most * 2 > count => Missing::Most,
        _ => Missing::Few,
    }
}
