//! The user's directives in a reply: what nobody said in these words isn't the user's.

use super::headings::{self, Place};
use super::instructions::is_instruction;
use super::quotes::{Directive, Phrase, Verdict, comparable, directives, read};
use super::reply::{CLOSE, OPEN, section};
use super::split::earlier_summaries;
use super::survey::{find_in_tools, human_texts};
use super::types::{Code, Finding};
use super::unverified::{self, DIRECTIVES, UNVERIFIED};
use super::{History, Plan};
use crate::prompt::Framing;

/// The structured summary's place for the user's wishes.
const CONSTRAINTS: &str = "## Constraints & Preferences";
/// So many are looked at; a reply with more isn't a summary.
const MOST: usize = 200;
/// Phrases that attribute words to the user.
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
    "user's",
    "user:",
    "user rule",
    "user policy",
    "user constraint",
    "the user ",
    "from the user",
    "by the user",
];

/// Judges the directives of a reply; those without a literal source move to the known facts, marked.
pub(super) fn check_directives(
    history: History<'_>,
    plan: &Plan,
    body: String,
    findings: &mut Vec<Finding>,
) -> String {
    let is_structured = plan.strategy == Framing::Structured;
    let (body, text) = if is_structured {
        let text = headings::under(&body);
        (body, text)
    } else {
        gathered(with_plain_tags(body), plan.strategy)
    };
    let items = directives(&text);
    let own = items.len().min(MOST);
    let claims = claims(&body, &text, is_structured);
    let judged: Vec<&Directive> = items.iter().take(own).chain(&claims).collect();
    let verdicts = judge(history, plan, &judged);
    let name = if is_structured { CONSTRAINTS } else { DIRECTIVES };
    for (item, _) in judged.iter().zip(&verdicts).filter(|(_, verdict)| **verdict == Verdict::Invented) {
        let message = "a directive stands only in texts of tools; the user never said it";
        findings.push(Finding::new(Code::InventedDirective, message).section(name).text(item.text.trim()));
    }
    let (mut said, mut unsaid) = (Vec::new(), Vec::new());
    let mut shortened: Vec<(&str, String)> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        match verdicts.get(at).filter(|_| at < own) {
            Some(Verdict::Said | Verdict::Invented) => said.push(item.text.clone()),
            Some(Verdict::Partly) => {
                said.push(item.said());
                if item.says_more() {
                    unsaid.push(item.text.clone());
                }
                shortened.push((&item.text, item.said()));
            }
            Some(Verdict::Unverified) | None => unsaid.push(item.text.clone()),
        }
    }
    let claimed = claims.iter().zip(verdicts.iter().skip(own));
    let claimed: Vec<&str> = claimed
        .filter(|(item, verdict)| is_unverified(**verdict) && !item.text.contains(UNVERIFIED))
        .map(|(item, _)| item.text.as_str())
        .collect();
    let reported = unsaid.iter().map(String::as_str).chain(claimed.iter().copied());
    for item in reported.filter(|item| !headings::is_short(item)).take(MOST) {
        let message = "a directive isn't in the user's words; it is kept as unverified knowledge";
        findings.push(Finding::new(Code::UnverifiedQuote, message).section(name).text(item.trim()));
    }
    let body = unverified::marked(body, &claimed);
    if unsaid.is_empty() && shortened.is_empty() {
        body
    } else if is_structured && plan.overridden {
        // The form is the caller's: the lines stay where they are.
        let lines = unsaid.iter().map(String::as_str).chain(shortened.iter().map(|(text, _)| *text));
        unverified::marked(body, &lines.flat_map(str::lines).collect::<Vec<_>>())
    } else if is_structured {
        unverified::moved_below(&body, &unsaid, &shortened)
    } else {
        unverified::moved(&body, &text, &said, &unsaid)
    }
}

/// Outside the directives nothing is cut out of a line.
fn is_unverified(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Unverified | Verdict::Partly)
}

fn judge(history: History<'_>, plan: &Plan, items: &[&Directive]) -> Vec<Verdict> {
    if items.iter().all(|item| item.is_nothing) {
        return vec![Verdict::Said; items.len()];
    }
    let earlier = earlier_summaries(history);
    let mut human = human_texts(history, &earlier);
    // What the previous summary says was verified then; the lists are the user's and the caller's words.
    if let Some(previous) = plan.previous.as_deref() {
        human.push(comparable(&verified(previous)));
    }
    human
        .extend(plan.constraints.iter().chain(&plan.pins).chain(&plan.requests).map(|text| comparable(text)));
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

/// The directives of the previous summary. Only what stood where they are checked was verified: a text that
/// looks like them elsewhere in it may be a tool's.
fn verified(previous: &str) -> String {
    let (mut text, mut rest) = (String::new(), previous.trim_start());
    // Several summaries may have been joined. Snapshots have an end of their own, others reach to the end.
    while rest.starts_with(OPEN) {
        let (snapshot, after) = rest.split_once(CLOSE).unwrap_or((rest, ""));
        text.push_str(section(snapshot, DIRECTIVES).unwrap_or_default());
        text.push('\n');
        rest = after.trim_start();
    }
    let end = rest.find(&["\n", OPEN].concat()).unwrap_or(rest.len());
    text.push_str(&headings::under(rest.get(..end).unwrap_or_default()));
    super::texts::lines(text.lines().filter(|line| !line.contains(UNVERIFIED)))
}

/// Lines outside the directives that quote a standing instruction of the user, or stand under a heading for the
/// user's wishes.
fn claims(body: &str, directives: &str, is_structured: bool) -> Vec<Directive> {
    let own = ["<", DIRECTIVES, ">", directives, "</", DIRECTIVES, ">"].concat();
    let outside = if is_structured { body.to_owned() } else { body.replacen(&own, "", 1) };
    let places = headings::places(&outside);
    let is_claim = |line: &str| {
        let lower = line.to_lowercase();
        headings::is_labelled(line)
            || CLAIMS.iter().any(|claim| lower.contains(claim)) && is_instruction(line)
    };
    let is_wish = |line: &str, place| match place {
        // Those of a structured summary are its directives.
        Place::Inside => !is_structured && !line.trim().is_empty() && !headings::is_short(line),
        Place::Outside => is_claim(line),
    };
    let claims = outside.lines().zip(places).filter(|(line, place)| is_wish(line, *place));
    claims.take(MOST).map(|(line, _)| read(line.to_owned())).collect()
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
struct Span {
    start: usize,
    inside: std::ops::Range<usize>,
    end: usize,
}

/// The next section of directives in a text in lower case. One that isn't closed ends where another
/// section begins, or with the snapshot.
fn next_section(lower: &str, framing: Framing, from: usize) -> Option<Span> {
    let start = find(lower, &["<", DIRECTIVES].concat(), from)?;
    let inside = find(lower, ">", start)? + 1;
    let closing = find(lower, &["</", DIRECTIVES].concat(), inside);
    let before = lower.get(..closing.unwrap_or(lower.len())).unwrap_or_default();
    let others = framing.sections().iter().map(|other| ["<", other.name, ">"].concat());
    if let Some(stop) = others.filter_map(|other| find(before, &other, inside)).min() {
        return Some(Span { start, inside: inside..stop, end: stop });
    }
    if let Some(closing) = closing {
        let end = find(lower, ">", closing).map_or(lower.len(), |at| at + 1);
        return Some(Span { start, inside: inside..closing, end });
    }
    let end = find(lower, "</state_snapshot>", inside).unwrap_or(lower.len());
    Some(Span { start, inside: inside..end, end })
}

#[inline(never)] // Twice the same is twice the size.
fn find(text: &str, needle: &str, from: usize) -> Option<usize> {
    text.get(from..)?.find(needle).map(|at| at + from)
}
