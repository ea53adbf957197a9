//! Whether a reply holds what it must.

use super::quotes::{Directive, Phrase, Verdict, directives, limited};
use super::reply::{body_of, is_heading, section};
use super::split::earlier_summaries;
use super::stored::neutralize;
use super::survey::{find_in_tools, human_texts, paths_in, unknown_paths};
use super::types::{Code, Finding, Level};
use super::{History, Plan};
use crate::prompt::{Framing, structured_headings};

/// The section that only the user may speak in.
const DIRECTIVES: &str = "user_directives";
/// Where a directive goes that the user didn't say in these words.
const KNOWLEDGE: &str = "key_knowledge";
/// The structured summary's place for the user's wishes.
const CONSTRAINTS: &str = "## Constraints & Preferences";
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
    if plan.overridden {
        return Checked { body: Some(neutralize(&body)), findings: Vec::new() };
    }
    let mut findings = Vec::new();
    if missing_sections(&body, plan.strategy, &mut findings) {
        let finding = Finding::new(Code::Incomplete, "the snapshot holds none of its sections");
        return Checked { body: None, findings: vec![finding] };
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

/// Notes the sections that aren't there; says whether none is.
fn missing_sections(body: &str, framing: Framing, findings: &mut Vec<Finding>) -> bool {
    let mut missing = Vec::new();
    let mut count = 0;
    if framing == Framing::Structured {
        for heading in structured_headings() {
            count += 1;
            if !body.lines().any(|line| is_heading(line, heading)) {
                missing.push(heading);
            }
        }
    } else {
        for known in framing.sections() {
            count += 1;
            if section(body, known.name).is_none() {
                missing.push(known.name);
            }
        }
    }
    let finding = |name: &str| {
        Finding::new(Code::MissingSection, ["the section ", name, " is missing"].concat()).section(name)
    };
    findings.extend(missing.iter().map(|name| finding(name)));
    missing.len() == count
}

/// Judges the directives; those that nobody said in these words go to the key knowledge.
fn check_directives(history: History<'_>, plan: &Plan, body: String, findings: &mut Vec<Finding>) -> String {
    let is_structured = plan.strategy == Framing::Structured;
    let name = if is_structured { CONSTRAINTS } else { DIRECTIVES };
    let Some(text) = (if is_structured { under_heading(&body, name) } else { section(&body, name) }) else {
        return body;
    };
    let (items, surplus) = limited(directives(text));
    if items.is_empty() {
        return body;
    }
    let verdicts = judge(history, plan, &items);
    let mut unsaid: Vec<&Directive> = Vec::new();
    for (item, verdict) in items.iter().zip(verdicts) {
        let line = item.text.trim();
        match verdict {
            Verdict::Invented => {
                let message = "a directive stands only in texts of tools; the user never said it";
                findings.push(Finding::new(Code::InventedDirective, message).section(name).text(line));
            }
            // A structured summary may say in its own words what the user wants.
            Verdict::Unverified if !is_structured => {
                let message = "a directive isn't in the user's words; it is kept as unverified knowledge";
                findings.push(Finding::new(Code::UnverifiedQuote, message).section(name).text(line));
                unsaid.push(item);
            }
            _ => {}
        }
    }
    if !is_structured {
        unsaid.extend(&surplus);
    }
    if unsaid.is_empty() { body } else { without_unsaid(&body, text, &unsaid) }
}

fn judge(history: History<'_>, plan: &Plan, items: &[Directive]) -> Vec<Verdict> {
    let earlier = earlier_summaries(history);
    let mut human = human_texts(history, &earlier);
    // What the previous summary says was verified then; the lists are the user's and the caller's words.
    if let Some(previous) = plan.previous.as_deref() {
        let directives = section(previous, DIRECTIVES).or_else(|| under_heading(previous, CONSTRAINTS));
        human.extend(directives.map(super::quotes::comparable));
    }
    human.extend(plan.constraints.iter().chain(&plan.pins).map(|text| super::quotes::comparable(text)));
    let mut phrases: Vec<Vec<Phrase>> = items.iter().map(|item| item.phrases(&human)).collect();
    let mut all: Vec<Phrase> = phrases.iter().flatten().cloned().collect();
    find_in_tools(history, &earlier, &mut all);
    let mut found = all.into_iter();
    for phrases in &mut phrases {
        for phrase in phrases {
            *phrase = found.next().unwrap_or_else(|| phrase.clone());
        }
    }
    items.iter().zip(&phrases).map(|(item, phrases)| item.verdict(&human, phrases)).collect()
}

/// What stands between a heading and the next one of its level or above.
fn under_heading<'text>(body: &'text str, heading: &str) -> Option<&'text str> {
    let mut start = None;
    let mut offset = 0;
    for line in body.split_inclusive('\n') {
        match start {
            Some(start) if line.starts_with("## ") || line.starts_with("# ") => {
                return body.get(start..offset);
            }
            None if is_heading(line, heading) => start = Some(offset + line.len()),
            _ => {}
        }
        offset += line.len();
    }
    body.get(start?..)
}

/// A body whose unsaid directives stand in the key knowledge.
fn without_unsaid(body: &str, directives: &str, unsaid: &[&Directive]) -> String {
    let mut kept = directives.to_owned();
    let mut moved = String::new();
    for item in unsaid {
        kept = remove_lines(&kept, &item.text);
        let line = item.text.trim().trim_start_matches(['-', '*', '•', '+']).trim_start();
        for part in ["- (unverified) ", line, "\n"] {
            moved.push_str(part);
        }
    }
    let (open, close) = (["<", DIRECTIVES, ">"].concat(), ["</", DIRECTIVES, ">"].concat());
    let body =
        body.replacen(&[&open, directives, &close].concat(), &[&open, kept.as_str(), &close].concat(), 1);
    let closing = ["</", KNOWLEDGE, ">"].concat();
    if section(&body, KNOWLEDGE).is_some()
        && let Some((before, after)) = body.split_once(&closing)
    {
        return [before.trim_end(), "\n", &moved, &closing, after].concat();
    }
    let end = "</state_snapshot>";
    match body.rsplit_once(end) {
        Some((before, after)) => {
            [before.trim_end(), "\n<", KNOWLEDGE, ">\n", &moved, &closing, "\n", end, after].concat()
        }
        None => body,
    }
}

/// A text without the first place where some whole lines stand.
fn remove_lines(text: &str, lines: &str) -> String {
    let Some((before, after)) = text.split_once(lines) else { return text.to_owned() };
    let after = after.strip_prefix('\n').unwrap_or(after);
    [before, after].concat()
}
