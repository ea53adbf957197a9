//! From a reply to the new history, or to what to ask for next.

use super::check::{Checked, check};
use super::files::{FileLists, file_operations};
use super::fingerprint::{first_change, text_id};
use super::prices::Prices;
use super::reply::body_of;
use super::request::Planner;
use super::settings::{Mode, SummarySettings};
use super::split::{Split, earlier_summaries, split};
use super::stored::{Stored, enclosed};
use super::texts::unit_text;
use super::types::{
    Applied, Code, ConflictReason, Finding, Inserted, Level, Message, Outcome, Segment, SummaryMetadata,
    Verified, Voice,
};
use super::voices::newest_request;
use super::{CompactionState, History, Plan, requests};
use crate::boundary::Boundaries;
use crate::edit::count_text;
use crate::error::Error;
use crate::prompt::{Fault, Framing, acknowledgement, repair};
use crate::view::{Messages, Speaker};

/// So much of a faulty reply is shown to the model again, in UTF-16 code units.
const SHOWN: u32 = 60_000;
/// From so many bytes on a reply's size is judged before anything else.
const HUGE: usize = 200_000;

/// Judges a reply. Returns the new history, the next request, or a conflict if the messages changed since the
/// request.
///
/// # Errors
/// The caller's token counter failed.
pub fn apply(history: History<'_>, plan: &Plan, reply: &str) -> Result<Outcome, Error> {
    let messages = Messages::of(history.view);
    let length = messages.len();
    if plan.end > length {
        return Ok(Outcome::Conflict { index: length, reason: ConflictReason::Missing });
    }
    if let Some(index) = first_change(history, plan.start, &plan.fingerprint) {
        return Ok(Outcome::Conflict { index, reason: ConflictReason::Changed });
    }
    let range = plan.range(&messages);
    if let Some(unit) = parted(history, &range) {
        return Ok(Outcome::Conflict { index: messages.of_unit(unit), reason: ConflictReason::Changed });
    }
    if let Some(sizes) = far_too_large(history, plan, reply)? {
        let checked = Checked { body: None, findings: vec![sizes.finding()] };
        return Ok(failed(plan, checked, Some(sizes), reply));
    }
    let mut checked = check(history, plan, reply);
    let is_last = plan.part >= plan.parts;
    let mut sized = None;
    let mut too_long = None;
    if let Some((body, most)) = checked.body.as_ref().zip(plan.reply_tokens).filter(|_| !is_last) {
        // The next part repeats it: a longer one wouldn't fit the window.
        let inserted = u64::from(count_text(history.source, body)?);
        too_long = Some(Sizes { inserted, replaced: most + 1 }).filter(|_| inserted > most);
        checked.findings.extend(too_long.map(Sizes::finding));
    }
    if is_last && let Some(body) = checked.body.as_ref().filter(|_| !checked.has_failed()) {
        let made = Made::with_requests(history, plan, &range, body)?;
        checked.findings.extend(made.findings(plan));
        sized = Some(made);
    }
    let checked = checked.sorted();
    if checked.has_failed() {
        return Ok(failed(plan, checked, sized.map(|made| made.sizes).or(too_long), reply));
    }
    Ok(match sized {
        Some(made) => Outcome::Applied(Box::new(made.applied(plan, checked.findings))),
        None => next_part(plan, checked),
    })
}

/// Judges a reply without applying it, as if it answered a request with these settings.
///
/// # Errors
/// [`crate::ErrorCode::InvalidOptions`], or the caller's token counter failed.
pub fn verify(history: History<'_>, settings: &SummarySettings, reply: &str) -> Result<Verified, Error> {
    let framing = settings.framing()?;
    let earlier = earlier_summaries(history);
    let mut prices = Prices::new(history);
    // A history that is too short for a summary is judged as a whole.
    let whole = Split { start: 0, end: history.view.len(), moved: Vec::new() };
    let range = split(history, framing, settings, &earlier, &mut prices)?.unwrap_or(whole);
    let is_empty = range.start >= range.end;
    let plan =
        Planner::new(history, framing, settings, &earlier, range.clone()).plan_of(Mode::Transcript, 1, None);
    if let Some(sizes) = far_too_large(history, &plan, reply)?.filter(|_| !is_empty) {
        let findings = vec![sizes.finding()];
        let (repair, again) = repair_request(&plan, &findings, Some(sizes), reply);
        return Ok(Verified { ok: false, findings, repair, again });
    }
    let mut checked = check(history, &plan, reply);
    let mut sized = None;
    if !is_empty && let Some(body) = checked.body.as_ref().filter(|_| !checked.has_failed()) {
        let made = Made::with_requests(history, &plan, &range, body)?;
        checked.findings.extend(made.findings(&plan));
        sized = Some(made);
    }
    let checked = checked.sorted();
    let ok = !checked.has_failed();
    let is_missing = |finding: &Finding| finding.code == Code::MissingSection;
    // A reply that can be used may lack sections all the same.
    if ok && !checked.findings.iter().any(is_missing) {
        return Ok(Verified { ok, findings: checked.findings, repair: Vec::new(), again: false });
    }
    let (repair, again) = repair_request(&plan, &checked.findings, sized.map(|made| made.sizes), reply);
    Ok(Verified { ok, findings: checked.findings, repair, again })
}

/// The unit at which the new history would part a call from its response: a late response may have answered a call of
/// the range.
fn parted(history: History<'_>, range: &Split) -> Option<u32> {
    let view = history.view;
    let boundaries = Boundaries::of(view);
    let cut = [range.start, range.end].into_iter().find(|&at| !boundaries.is_legal(at as usize));
    let is_moved = |unit: u32| range.moved.binary_search(&unit).is_ok();
    let is_alone = |&&unit: &&u32| {
        let mut partners = view.blocks_of(unit).filter_map(|index| view.partner(index));
        !partners.all(|partner| is_moved(view.block(partner).unit))
    };
    cut.or_else(|| range.moved.iter().find(is_alone).copied())
}

fn next_part(plan: &Plan, checked: Checked) -> Outcome {
    let previous = checked.body.unwrap_or_default();
    let plan = Plan { previous: Some(previous.clone()), part: plan.part + 1, attempt: 0, ..plan.clone() };
    Outcome::Continue { previous: enclosed(&previous), plan: Box::new(plan), findings: checked.findings }
}

fn failed(plan: &Plan, checked: Checked, sizes: Option<Sizes>, reply: &str) -> Outcome {
    let (repair, again) = repair_request(plan, &checked.findings, sizes, reply);
    let plan = Plan { attempt: plan.attempt.saturating_add(1), ..plan.clone() };
    Outcome::Failed { findings: checked.findings, repair, again, plan: Box::new(plan) }
}

/// The request for the missing parts, and whether the model needs the history for it.
fn repair_request(
    plan: &Plan,
    findings: &[Finding],
    sizes: Option<Sizes>,
    reply: &str,
) -> (Vec<Message>, bool) {
    // No other reply keeps what can't be kept: nothing is asked for but the same again.
    if findings.iter().any(|finding| finding.code == Code::MissingPin) {
        return (Vec::new(), true);
    }
    let lost = |code| matches!(code, Code::Empty | Code::Incomplete | Code::CutOff | Code::ProtocolJunk);
    let again = findings.iter().any(|finding| lost(finding.code));
    let faults: Vec<Fault<'_>> = findings.iter().filter_map(|finding| fault(finding, sizes)).collect();
    let framing = Some(plan.strategy).filter(|_| !plan.overridden);
    let text = repair(framing, &faults, plan.language.as_deref());
    let shown = super::texts::prefix(reply.trim(), SHOWN);
    if again {
        let mut messages = Vec::new();
        if !shown.is_empty() {
            messages.push(Message { speaker: Voice::Ai, segments: vec![Segment::Text(shown.to_owned())] });
        }
        messages.push(Message::human(text));
        return (messages, true);
    }
    let id = text_id(shown);
    let parts =
        [&text, "\n\n===== REPLY ", &id, " BEGINS =====\n", shown, "\n===== REPLY ", &id, " ENDS ====="];
    (vec![Message::human(parts.concat())], false)
}

fn fault(finding: &Finding, sizes: Option<Sizes>) -> Option<Fault<'_>> {
    Some(match finding.code {
        Code::Empty => Fault::Empty,
        // The form is right, but it says too little.
        Code::Incomplete if finding.section.is_some() => Fault::Other(&finding.message),
        Code::Incomplete => Fault::Incomplete,
        Code::CutOff => Fault::CutOff,
        Code::ProtocolJunk => Fault::ProtocolJunk,
        Code::NotSmaller => {
            let Sizes { inserted, replaced } = sizes?;
            Fault::NotSmaller { tokens: inserted, limit: replaced }
        }
        Code::InventedDirective => Fault::InventedDirective(finding.text.as_deref().unwrap_or_default()),
        Code::MissingSection => Fault::MissingSection(finding.section.as_deref().unwrap_or_default()),
        Code::UnknownPath | Code::UnverifiedQuote | Code::MissingPin | Code::InstructionLeftOut => {
            return None;
        }
    })
}

/// The new history as it would be made.
pub(super) struct Made {
    text: String,
    acknowledgement: Option<String>,
    state: CompactionState,
    /// Messages of the history that the reply is applied to.
    length: u32,
    /// Tokens of the history.
    before: u64,
    sizes: Sizes,
}

/// Tokens of a summary and of what it stands for.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    inserted: u64,
    replaced: u64,
}

impl Sizes {
    fn finding(self) -> Finding {
        let (tokens, replaced) = (self.inserted.to_string(), self.replaced.to_string());
        let parts = ["the summary would take ", &tokens, " tokens and replaces ", &replaced];
        Finding::new(Code::NotSmaller, parts.concat())
    }
}

/// The sizes of a huge reply, if it is larger than what it replaces: then nothing else in it is looked at.
fn far_too_large(history: History<'_>, plan: &Plan, reply: &str) -> Result<Option<Sizes>, Error> {
    if reply.len() < HUGE {
        return Ok(None);
    }
    let Ok(body) = body_of(reply, plan.strategy, plan.overridden) else { return Ok(None) };
    let inserted = u64::from(count_text(history.source, &body)?);
    let replaced = Prices::new(history).sum(plan.start..plan.end)?;
    Ok(Some(Sizes { inserted, replaced }).filter(|_| inserted >= replaced))
}

/// The most tokens of the requests below a summary, and their most as a part of the replaced tokens.
const MOST_REQUESTS: u64 = 2_000;
const PART_OF_REQUESTS: u64 = 8;
/// The part isn't less than this; where the target is out of reach, no more than this goes beyond it.
const FEW_REQUESTS: u64 = 400;

impl Made {
    /// The same, with the user's requests below that the body holds no word of.
    fn with_requests(history: History<'_>, plan: &Plan, range: &Split, body: &str) -> Result<Self, Error> {
        let made = Self::new(history, plan, range, body)?;
        let held = [&made.text, made.acknowledgement.as_deref().unwrap_or_default()].join("\n");
        let requests = requests::unheld(history, plan, range, &held);
        if requests.is_empty() {
            return Ok(made);
        }
        let Sizes { inserted, replaced } = made.sizes;
        let after = (made.before + inserted).saturating_sub(replaced);
        let left = plan.target.map_or(u64::MAX, |target| target.saturating_sub(after)).max(FEW_REQUESTS);
        let part = (replaced / PART_OF_REQUESTS).clamp(FEW_REQUESTS, MOST_REQUESTS);
        // A summary stays smaller than what it stands for.
        let room = part.min(left).min(replaced.saturating_sub(inserted) / 2);
        let longer = Self::new(history, plan, range, &requests::added(history, body, &requests, room)?)?;
        Ok(if longer.sizes.inserted < replaced { longer } else { made })
    }

    /// The new history with a body of the summary.
    pub fn new(history: History<'_>, plan: &Plan, range: &Split, body: &str) -> Result<Self, Error> {
        let files = files(history, plan, range);
        let is_structured = plan.strategy == Framing::Structured;
        let listed = if is_structured { files.clone() } else { FileLists::default() };
        let stored = Stored {
            body: body.to_owned(),
            transcript_path: plan.transcript_path.clone(),
            pins: plan.pins.clone(),
            constraints: plan.constraints.clone(),
            read_files: listed.read,
            modified_files: listed.modified,
        };
        let text = stored.compose();
        let next = range.moved.first().copied().unwrap_or(range.end);
        let calls_next =
            history.view.capabilities.calls_follow_others && history.view.unit(next).speaker == Speaker::Ai;
        let acknowledgement = (!is_structured && !calls_next).then(|| acknowledge(history, plan));
        let mut inserted = u64::from(count_text(history.source, &text)?);
        if let Some(acknowledgement) = &acknowledgement {
            inserted += u64::from(count_text(history.source, acknowledgement)?);
        }
        let mut prices = Prices::new(history);
        let mut replaced = prices.sum(range.start..range.end)?;
        for &unit in &range.moved {
            replaced = replaced.saturating_sub(u64::from(prices.unit(unit)?));
        }
        let state = CompactionState {
            version: 1,
            last_summary: stored.body.clone(),
            read_files: files.read,
            modified_files: files.modified,
            constraints: stored.constraints.clone(),
        };
        let length = Messages::of(history.view).len();
        let before = prices.sum(0..history.view.len())?;
        Ok(Self { text, acknowledgement, state, length, before, sizes: Sizes { inserted, replaced } })
    }

    /// What is wrong with the new history.
    pub fn findings(&self, plan: &Plan) -> Vec<Finding> {
        let mut findings = Vec::new();
        if self.sizes.inserted >= self.sizes.replaced {
            findings.push(self.sizes.finding());
        }
        // What was composed is read back: a pin that can't be found again would be lost the next time.
        let read = Stored::parse(&self.text);
        let lists = [
            (&plan.pins, &read.pins, "a pin"),
            (&plan.constraints, &read.constraints, "a standing instruction"),
        ];
        for (given, kept, what) in lists.into_iter().filter(|(given, kept, _)| given != kept) {
            let lost = given.iter().zip(kept).find(|(given, kept)| given != kept);
            let message = [what, " wouldn't be kept to the letter"].concat();
            findings.push(Finding::new(Code::MissingPin, message).text(lost.map_or("", |(given, _)| given)));
        }
        for text in &plan.left_out {
            let message =
                "there are too many standing instructions: this one isn't among those that are kept";
            findings.push(Finding::new(Code::InstructionLeftOut, message).text(text));
        }
        findings
    }

    /// What the caller is told.
    pub fn applied(self, plan: &Plan, findings: Vec<Finding>) -> Applied {
        let count = |list: &[u32]| u32::try_from(list.len()).unwrap_or(u32::MAX);
        let mut insert = vec![Inserted { speaker: Voice::Human, text: self.text, without_request: None }];
        insert.extend(self.acknowledgement.map(|text| {
            let without_request = acknowledgement(None, plan.todo.as_deref());
            let without_request = Some(without_request).filter(|without| *without != text);
            Inserted { speaker: Voice::Ai, text, without_request }
        }));
        let moved = count(&plan.moved);
        let middle = plan.end - plan.start - moved;
        let bottom = self.length - plan.end + moved;
        let after = self.before.saturating_sub(self.sizes.replaced) + self.sizes.inserted;
        let metadata = SummaryMetadata {
            original_message_count: self.length,
            compressed_message_count: plan.start + u32::try_from(insert.len()).unwrap_or(0) + bottom,
            strategy_used: plan.strategy.name(),
            llm_call_made: true,
            top_preserved: plan.start,
            bottom_preserved: bottom,
            middle_compressed: middle,
            tokens_before: self.before,
            tokens_after: after,
            target_reached: plan.target.is_none_or(|target| after <= target),
            parts: plan.parts,
        };
        let findings = findings.into_iter().filter(|finding| finding.level == Level::Warning).collect();
        Applied {
            top: plan.start,
            insert,
            moved: plan.moved.clone(),
            tail: plan.end,
            findings,
            metadata,
            state: self.state,
        }
    }
}

/// The files of the range and of everything before it.
fn files(history: History<'_>, plan: &Plan, range: &Split) -> FileLists {
    let earlier = FileLists { read: plan.read_files.clone(), modified: plan.modified_files.clone() };
    FileLists::of(&file_operations(history, range.start..range.end), &[&earlier])
}

/// What the agent "answers": it names the user's newest request and the first open todo item.
fn acknowledge(history: History<'_>, plan: &Plan) -> String {
    let earlier = earlier_summaries(history);
    let request = newest_request(history, &earlier, history.view.len()).map(|unit| unit_text(history, unit));
    acknowledgement(request.as_deref(), plan.todo.as_deref())
}
