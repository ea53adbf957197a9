//! The user's directives in a reply: what nobody said in these words isn't the user's.

use std::collections::HashSet;

use super::constraints::is_instruction;
use super::quotes::{Directive, Phrase, Verdict, comparable, directives, read};
use super::reply::section;
use super::split::earlier_summaries;
use super::survey::{find_in_tools, human_texts};
use super::types::{Code, Finding};
use super::{History, Plan};
use crate::prompt::Framing;

/// The section that only the user may speak in.
const DIRECTIVES: &str = "user_directives";
/// Where a directive goes that the user didn't say in these words.
const KNOWLEDGE: &str = "key_knowledge";
/// What such a directive is marked with.
const UNVERIFIED: &str = "(unverified)";
/// The structured summary's place for the user's wishes.
const CONSTRAINTS: &str = "## Constraints & Preferences";
/// So many are looked at; a reply with more isn't a summary.
const MOST: usize = 200;
/// What a line says that puts words into the user's mouth, wherever it stands.
const CLAIMS: &[&str] = &[
    "user said",
    "user says",
    "user wants",
    "user asked",
    "user told",
    "user instructed",
    "user requested",
    "user requires",
    "user prefers",
    "user directive",
    "user instruction",
    "user preference",
    "user corrected",
    "user insists",
];

/// Judges the directives of a reply; those that nobody said in these words go to the key knowledge.
pub(super) fn check_directives(
    history: History<'_>,
    plan: &Plan,
    body: String,
    findings: &mut Vec<Finding>,
) -> String {
    let is_structured = plan.strategy == Framing::Structured;
    let (body, text) = if is_structured {
        let text = under_heading(&body);
        (body, text)
    } else {
        gathered(with_plain_tags(body), plan.strategy)
    };
    let items = directives(&text);
    let own = items.len().min(MOST);
    let claims = claims(&body, &text);
    let judged: Vec<&Directive> = items.iter().take(own).chain(&claims).collect();
    let verdicts = judge(history, plan, &judged);
    let name = if is_structured { CONSTRAINTS } else { DIRECTIVES };
    for (item, _) in judged.iter().zip(&verdicts).filter(|(_, verdict)| **verdict == Verdict::Invented) {
        let message = "a directive stands only in texts of tools; the user never said it";
        findings.push(Finding::new(Code::InventedDirective, message).section(name).text(item.text.trim()));
    }
    if is_structured {
        // It may say in its own words what the user wants; what it puts into quotation marks are the user's.
        for (item, _) in judged
            .iter()
            .zip(&verdicts)
            .filter(|(item, verdict)| **verdict == Verdict::Unverified && item.has_quotes())
        {
            let message = "a quote isn't in the user's words";
            findings.push(Finding::new(Code::UnverifiedQuote, message).section(name).text(item.text.trim()));
        }
        return body;
    }
    let is_said =
        |at: usize| verdicts.get(at).is_some_and(|verdict| at < own && *verdict != Verdict::Unverified);
    let (said, unsaid): (Vec<_>, Vec<_>) = (0..).zip(&items).partition(|(at, _)| is_said(*at));
    let texts =
        |list: &[(usize, &Directive)]| list.iter().map(|(_, item)| item.text.clone()).collect::<Vec<_>>();
    let (said, unsaid) = (texts(&said), texts(&unsaid));
    for item in unsaid.iter().take(MOST) {
        let message = "a directive isn't in the user's words; it is kept as unverified knowledge";
        findings.push(Finding::new(Code::UnverifiedQuote, message).section(name).text(item.trim()));
    }
    if unsaid.is_empty() { body } else { moved(&body, &text, &said, &unsaid) }
}

fn judge(history: History<'_>, plan: &Plan, items: &[&Directive]) -> Vec<Verdict> {
    if items.iter().all(|item| item.is_nothing) {
        return vec![Verdict::Said; items.len()];
    }
    let earlier = earlier_summaries(history);
    let mut human = human_texts(history, &earlier);
    // What the previous summary says was verified then; the lists are the user's and the caller's words.
    if let Some(previous) = plan.previous.as_deref() {
        human.push(comparable(section(previous, DIRECTIVES).unwrap_or_default()));
        human.push(comparable(&under_heading(previous)));
    }
    human.extend(plan.constraints.iter().chain(&plan.pins).map(|text| comparable(text)));
    let mut phrases: Vec<Phrase> = Vec::new();
    let mut counts = Vec::new();
    for item in items {
        let own = item.phrases(&human);
        counts.push(own.len());
        phrases.extend(own);
    }
    find_in_tools(history, &earlier, &mut phrases);
    let mut rest = phrases.as_slice();
    let mut verdicts = Vec::new();
    for (item, count) in items.iter().zip(counts) {
        let (own, others) = rest.split_at_checked(count).unwrap_or_default();
        verdicts.push(if item.is_nothing { Verdict::Said } else { item.verdict(&human, own) });
        rest = others;
    }
    verdicts
}

/// Lines outside the directives that say what the user said, if it is a standing instruction.
fn claims(body: &str, directives: &str) -> Vec<Directive> {
    let outside = body.replacen(directives, "", usize::from(!directives.is_empty()));
    let is_claim = |line: &&str| {
        let lower = line.to_lowercase();
        CLAIMS.iter().any(|claim| lower.contains(claim))
    };
    let claims = outside.lines().filter(is_claim).filter(|line| is_instruction(line));
    claims.take(MOST).map(|line| read(line.to_owned())).collect()
}

/// What stands under the headings for the user's wishes, spelled in whatever way; headings below them are
/// part of it.
fn under_heading(body: &str) -> String {
    let mut text = String::new();
    let mut inside: Option<usize> = None;
    for line in body.lines() {
        let level = heading_level(line);
        if level.is_some_and(|level| inside.is_none_or(|own| level <= own)) {
            let lower = line.to_lowercase();
            let is_ours = ["constraint", "preference", "directive"].iter().any(|word| lower.contains(word));
            inside = level.filter(|_| is_ours);
        } else if inside.is_some() {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

/// The level of a heading; a line that is bold as a whole is below all others.
fn heading_level(line: &str) -> Option<usize> {
    let line = line.trim();
    let level = line.len() - line.trim_start_matches('#').len();
    let is_bold = line.len() > 4 && line.starts_with("**") && line.trim_end_matches(':').ends_with("**");
    if level > 0 { Some(level) } else { is_bold.then_some(usize::MAX) }
}

/// A body whose tags of the section are written as the prompt has them: a space or a hyphen in them doesn't
/// hide it.
fn with_plain_tags(body: String) -> String {
    let lower = body.to_ascii_lowercase();
    let mut plain = String::new();
    let mut at = 0;
    for (start, _) in lower.match_indices('<') {
        let rest = lower.get(start + 1..).unwrap_or_default().trim_start();
        let (slash, rest) = rest.strip_prefix('/').map_or(("", rest), |rest| ("/", rest.trim_start()));
        let name = rest.strip_prefix("user").and_then(|rest| rest.strip_prefix(['_', '-']));
        let Some(rest) = name.and_then(|rest| rest.strip_prefix("directives")) else { continue };
        plain.push_str(body.get(at..start).unwrap_or_default());
        plain.push_str(&["<", slash, DIRECTIVES].concat());
        at = lower.len() - rest.len();
    }
    if at == 0 {
        return body;
    }
    plain.push_str(body.get(at..).unwrap_or_default());
    plain
}

/// A body with one section of directives, and its content. A model may write the section twice, or forget
/// to close it: nothing in it may get past the check.
fn gathered(body: String, framing: Framing) -> (String, String) {
    let lower = body.to_ascii_lowercase();
    let mut kept = String::new();
    let mut contents: Vec<&str> = Vec::new();
    let mut place = None;
    let mut at = 0;
    while let Some(found) = next_section(&lower, framing, at) {
        kept.push_str(body.get(at..found.start).unwrap_or_default());
        place = place.or(Some(kept.len()));
        contents.push(body.get(found.inside).unwrap_or_default());
        at = found.end;
        if contents.len() > MOST {
            // No summary is like that; what follows isn't looked at, so it isn't kept.
            kept.push_str("\n</state_snapshot>");
            at = body.len();
        }
    }
    let Some(place) = place else { return (body, String::new()) };
    let text = if let [one] = contents.as_slice() {
        (*one).to_owned()
    } else {
        let several: Vec<&str> = contents.iter().map(|text| text.trim()).collect();
        ["\n", several.join("\n").trim(), "\n"].concat()
    };
    kept.push_str(body.get(at..).unwrap_or_default());
    let (before, after) = kept.split_at_checked(place).unwrap_or((&kept, ""));
    let gathered = [before, "<", DIRECTIVES, ">", &text, "</", DIRECTIVES, ">", after].concat();
    (gathered, text)
}

/// Where a section of directives stands.
struct Place {
    start: usize,
    inside: std::ops::Range<usize>,
    end: usize,
}

/// The next section of directives in a text in lower case. One that isn't closed ends where another
/// section begins, or with the snapshot.
fn next_section(lower: &str, framing: Framing, from: usize) -> Option<Place> {
    let start = find(lower, &["<", DIRECTIVES].concat(), from)?;
    let inside = find(lower, ">", start)? + 1;
    let closing = find(lower, &["</", DIRECTIVES].concat(), inside);
    let before = lower.get(..closing.unwrap_or(lower.len())).unwrap_or_default();
    let others = framing.sections().iter().map(|other| ["<", other.name, ">"].concat());
    if let Some(stop) = others.filter_map(|other| find(before, &other, inside)).min() {
        return Some(Place { start, inside: inside..stop, end: stop });
    }
    if let Some(closing) = closing {
        let end = find(lower, ">", closing).map_or(lower.len(), |at| at + 1);
        return Some(Place { start, inside: inside..closing, end });
    }
    let end = find(lower, "</state_snapshot>", inside).unwrap_or(lower.len());
    Some(Place { start, inside: inside..end, end })
}

fn find(text: &str, needle: &str, from: usize) -> Option<usize> {
    text.get(from..)?.find(needle).map(|at| at + from)
}

/// A body whose unsaid directives stand in the key knowledge.
fn moved(body: &str, directives: &str, said: &[String], unsaid: &[String]) -> String {
    let mut list = String::new();
    let outside = body.replacen(directives, "", usize::from(!directives.is_empty()));
    let mut known: HashSet<String> = outside.lines().map(|line| line.trim().to_owned()).collect();
    for item in unsaid {
        let line = item.trim().trim_start_matches(['-', '*', '•', '+']).trim_start();
        // What was unverified in the previous summary may come back with its mark.
        let line = line.trim_start_matches(UNVERIFIED).trim_start();
        let marked = ["- ", UNVERIFIED, " ", line].concat();
        if known.insert(marked.clone()) {
            list.push_str(&marked);
            list.push('\n');
        }
    }
    let (open, close) = (["<", DIRECTIVES, ">"].concat(), ["</", DIRECTIVES, ">"].concat());
    let kept = [&open, "\n", &said.join("\n"), "\n", &close].concat();
    let body = body.replacen(&[&open, directives, &close].concat(), &kept, 1);
    let closing = ["</", KNOWLEDGE, ">"].concat();
    if section(&body, KNOWLEDGE).is_some()
        && let Some((before, after)) = body.split_once(&closing)
    {
        return [before.trim_end(), "\n", &list, &closing, after].concat();
    }
    let end = "</state_snapshot>";
    let Some((before, after)) = body.rsplit_once(end) else { return body };
    [before.trim_end(), "\n<", KNOWLEDGE, ">\n", &list, &closing, "\n", end, after].concat()
}
