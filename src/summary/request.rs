//! What is sent to the summarising model.

use super::constraints::{Collected, collect};
use super::entries::{Entry, entry};
use super::fingerprint::{Fingerprint, fingerprint, written};
use super::prices::Prices;
use super::settings::{Mode, SummarySettings};
use super::split::{Split, earlier_summaries, has_calls, has_open_calls, split};
use super::stored::{Stored, add_new, enclosed};
use super::texts::{read, unit_text};
use super::types::{Message, Planned, Request, Segment, Voice};
use super::voices::newest_request;
use super::{History, Plan, parts, plan, requests};
use crate::boundary::Boundaries;
use crate::edit::count_text;
use crate::error::{Error, ErrorCode};
use crate::prompt::{
    EntryRange, Framing, PREVIOUS_CLOSE, PREVIOUS_OPEN, PromptOptions, Trigger, acknowledgement,
    additional_focus, compression_prompt, first_open_todo, history_fence, range_note, request_introduction,
    sections_in, todo_context_within, todos_within, transcript_note, trigger_instruction,
};
use crate::strategy::NoopReason;
use crate::view::{Kind, Leaf, Messages};

/// How much of a long request is quoted, in UTF-16 code units; all of it is in the history.
const QUOTED: u32 = 4_000;
/// How much of the todo items a request shows, in bytes.
const TODOS: usize = 20_000;
/// The least that a part must be able to hold, in tokens.
const LEAST_ROOM: u64 = 64;
/// A digit of the mark is as good as sixteen in the header lines, and costs less.
const MARK: usize = 8;

/// Plans a request: the summarised entries, and the messages to send.
///
/// # Errors
/// [`ErrorCode::InvalidOptions`], [`ErrorCode::OpenCalls`] in `append` mode while calls are unanswered,
/// [`ErrorCode::WindowTooSmall`], or the caller's token counter failed.
pub fn request(history: History<'_>, settings: &SummarySettings) -> Result<Planned, Error> {
    let framing = settings.framing()?;
    let budget = settings.budget()?;
    let earlier = earlier_summaries(history);
    let mut prices = Prices::new(history);
    let range = split(history, framing, settings, &earlier, &mut prices)?;
    if let (Ok(_), Some(budget)) = (&range, budget)
        && prices.is_within(0..history.view.len(), budget.target)?
    {
        return Ok(Planned::Noop { reason: NoopReason::AlreadyUnderTarget });
    }
    let range = match range {
        Ok(range) => range,
        Err(reason) => return Ok(Planned::Noop { reason }),
    };
    if settings.mode == Some(Mode::Append) && has_open_calls(history) {
        let message = "a request in append mode can't be made while calls are unanswered";
        return Err(Error::new(ErrorCode::OpenCalls, message));
    }
    let planner = Planner::new(history, framing, settings, &earlier, range);
    if planner.entries.is_empty() {
        return Ok(Planned::Noop { reason: NoopReason::TooFewCompressible });
    }
    planner
        .plan(prices, budget.map(|budget| budget.target))
        .map(|request| Planned::Request(Box::new(request)))
}

/// What all messages of a request are made from.
pub(super) struct Planner<'history> {
    history: History<'history>,
    framing: Framing,
    settings: &'history SummarySettings,
    range: Split,
    mark: Fingerprint,
    /// The entries as text.
    pub entries: Vec<Entry>,
    /// What earlier summaries left.
    known: Stored,
    /// Instructions of the user for which there is no room.
    left_out: Vec<String>,
    /// The newest request, if it lies in the range and isn't kept.
    request: Option<u32>,
}

impl<'history> Planner<'history> {
    pub fn new(
        history: History<'history>,
        framing: Framing,
        settings: &'history SummarySettings,
        earlier: &[u32],
        range: Split,
    ) -> Self {
        let mark = fingerprint(history, range.start..range.end);
        let short = mark.id.get(..MARK).unwrap_or_default();
        let is_own =
            |unit: u32| earlier.binary_search(&unit).is_ok() || is_acknowledgement(history, earlier, unit);
        let units = (range.start..range.end).filter(|&unit| !is_own(unit));
        let entries = units.clone().filter_map(|unit| entry(history, unit, short)).collect();
        let inside: Vec<u32> =
            earlier.iter().copied().filter(|unit| (range.start..range.end).contains(unit)).collect();
        let mut known = known(history, settings, &inside);
        let Collected { kept, left_out } = collect(history, units, known.constraints);
        known.constraints = kept;
        let request = newest_request(history, earlier, history.view.len()).filter(|unit| {
            (range.start..range.end).contains(unit) && range.moved.binary_search(unit).is_err()
        });
        Self { history, framing, settings, range, mark, entries, known, left_out, request }
    }

    fn previous(&self) -> Option<&str> {
        Some(self.known.body.as_str()).filter(|body| !body.is_empty())
    }

    fn transcript_path(&self) -> Option<&str> {
        self.settings.transcript_path.as_deref().or(self.known.transcript_path.as_deref())
    }

    /// The plan of the first part.
    pub fn plan_of(&self, mode: Mode, parts: usize, target: Option<u64>) -> Plan {
        let settings = self.settings;
        let Split { start, end, moved } = self.range.in_messages(&Messages::of(self.history.view));
        Plan {
            version: plan::VERSION,
            strategy: self.framing,
            mode,
            start,
            end,
            moved,
            fingerprint: written(&self.mark.messages),
            part: 1,
            parts: u32::try_from(parts).unwrap_or(u32::MAX),
            attempt: 0,
            previous: self.previous().map(str::to_owned),
            todo: first_open_todo(settings.todos.as_deref().unwrap_or(&[])).map(str::to_owned),
            transcript_path: self.transcript_path().map(str::to_owned),
            pins: self.known.pins.clone(),
            constraints: self.known.constraints.clone(),
            requests: requests::earlier(&self.known.body),
            left_out: self.left_out.clone(),
            read_files: self.known.read_files.clone(),
            modified_files: self.known.modified_files.clone(),
            language: settings.language.clone(),
            overridden: self.is_overridden(),
            sections: self.asked_sections(),
            reply_tokens: settings.room().filter(|_| parts > 1).map(|_| settings.reply_room()),
            target,
        }
    }

    fn plan(mut self, mut prices: Prices<'history>, target: Option<u64>) -> Result<Request, Error> {
        let wants_append = self.settings.mode == Some(Mode::Append);
        if wants_append && self.fits_appended(&mut prices)? {
            return Ok(Request {
                messages: vec![self.appended()],
                remaining: Vec::new(),
                needs_tools: has_calls(self.history),
                todos_left_out: self.todos_left_out(),
                plan: self.plan_of(Mode::Append, 1, target),
            });
        }
        let mut parts = self.parts(&mut prices)?.into_iter();
        let count = parts.len();
        let mut all = (1..).zip(parts.by_ref()).map(|(number, part)| self.messages(part, number, count));
        let messages = all.next().unwrap_or_default();
        let remaining = all.collect();
        let plan = self.plan_of(Mode::Transcript, count, target);
        let todos_left_out = self.todos_left_out();
        Ok(Request { messages, remaining, needs_tools: false, todos_left_out, plan })
    }

    fn fits_appended(&self, prices: &mut Prices<'_>) -> Result<bool, Error> {
        let Some(room) = self.settings.room() else { return Ok(true) };
        let own = self.tokens_of(&[self.appended()])?;
        Ok(own <= room && prices.is_within(0..self.history.view.len(), room - own)?)
    }

    /// The entries in parts that fit the window; they are gone if one part holds them all.
    fn parts(&mut self, prices: &mut Prices<'_>) -> Result<Vec<parts::Part>, Error> {
        let whole = |entries: &mut Vec<Entry>| {
            std::mem::take(entries).into_iter().flat_map(|entry| entry.segments).collect()
        };
        let Some(room) = self.settings.room() else { return Ok(vec![whole(&mut self.entries)]) };
        let own = self.tokens_of(&self.messages(Vec::new(), 1, 1))?;
        let headers = 12 * self.entries.len() as u64;
        let fits = own + headers <= room
            && prices.is_within(self.range.start..self.range.end, room - own - headers)?;
        if fits {
            return Ok(vec![whole(&mut self.entries)]);
        }
        // A later part carries the summary so far, and that may be as long as a reply or as the first one.
        let later = self.tokens_of(&self.messages(Vec::new(), 2, 2))?;
        let left = room.saturating_sub(own.max(later + self.settings.reply_room()));
        if left < LEAST_ROOM {
            return Err(self.settings.too_small(own.max(later) + LEAST_ROOM));
        }
        let boundaries = Boundaries::of(self.history.view);
        parts::cut(self.history, &self.entries, prices, left, &|unit| boundaries.is_legal(unit as usize))
    }

    /// What some messages of ours cost.
    fn tokens_of(&self, messages: &[Message]) -> Result<u64, Error> {
        let source = self.history.source;
        let mut sum = 0;
        for segment in messages.iter().flat_map(|message| &message.segments) {
            sum += 4 + match segment {
                Segment::Text(text) => u64::from(count_text(source, text)?),
                Segment::Leaf(address) => u64::from(count_text(source, &read(self.history, *address))?),
                // As many as a quoted request may have at most.
                Segment::Span(_, from, to) => u64::from(to - from),
                Segment::Previous => 0,
            };
        }
        Ok(sum)
    }

    /// The messages of one part.
    fn messages(&self, part: parts::Part, number: usize, count: usize) -> Vec<Message> {
        let previous = match (number, self.previous()) {
            (1, None) => None,
            (1, Some(text)) => Some(Segment::Text(enclosed(text))),
            _ => Some(Segment::Previous),
        };
        let mut messages = vec![Message::human(self.prompt(previous.is_some(), false))];
        let has_previous = previous.is_some();
        if let Some(previous) = previous {
            let open = Segment::Text([PREVIOUS_OPEN, "\n"].concat());
            let close = Segment::Text(["\n", PREVIOUS_CLOSE].concat());
            messages.push(Message { speaker: Voice::Human, segments: vec![open, previous, close] });
        }
        let (begins, ends) = history_fence(&self.mark.id);
        let mut segments = vec![Segment::Text([&begins, "\n"].concat())];
        segments.extend(part);
        segments.push(Segment::Text(["\n", &ends].concat()));
        messages.push(Message { speaker: Voice::Human, segments });
        messages.extend(self.todos().map(Message::human));
        let mut last = self.quoted_request();
        last.push(Segment::Text(self.ending(has_previous, Some((number, count)))));
        messages.push(Message { speaker: Voice::Human, segments: last });
        messages
    }

    /// The sections of ours that the caller's prompt asks for. A built-in prompt that was installed as a file and
    /// then edited asks for some of them.
    fn asked_sections(&self) -> Option<Vec<String>> {
        let prompt = self.settings.prompt.as_deref()?;
        let asked = sections_in(prompt, self.framing);
        (!asked.is_empty()).then(|| asked.into_iter().map(str::to_owned).collect())
    }

    fn is_overridden(&self) -> bool {
        self.settings.prompt.is_some() && self.asked_sections().is_none()
    }

    fn prompt(&self, previous: bool, append: bool) -> String {
        let todos = self.settings.todos.as_ref().is_some_and(|todos| !todos.is_empty());
        let language = self.settings.language.as_deref();
        match &self.settings.prompt {
            Some(prompt) => prompt.clone(),
            None => compression_prompt(self.framing, &PromptOptions { language, previous, todos, append }),
        }
    }

    fn todos(&self) -> Option<String> {
        todo_context_within(self.settings.todos.as_deref()?, self.todo_room())
    }

    fn todos_left_out(&self) -> u32 {
        let todos = self.settings.todos.as_deref().unwrap_or(&[]);
        u32::try_from(todos.len() - todos_within(todos, self.todo_room())).unwrap_or(u32::MAX)
    }

    /// A token is about four bytes.
    fn todo_room(&self) -> usize {
        let room = self.settings.room().map(|room| usize::try_from(room / 2).unwrap_or(TODOS));
        room.unwrap_or(TODOS).min(TODOS)
    }

    /// The newest request, where the agent will know it only from the summary.
    fn quoted_request(&self) -> Vec<Segment> {
        let Some(unit) = self.request else { return Vec::new() };
        let view = self.history.view;
        let mark = self.mark.id.get(..MARK).unwrap_or_default();
        let mut left = self
            .settings
            .room()
            .map_or(QUOTED, |room| u32::try_from(room / 8).map_or(QUOTED, |room| room.min(QUOTED)));
        let mut segments = vec![Segment::Text([request_introduction(), "\n[", mark, " user]\n"].concat())];
        for index in view.blocks_of(unit).filter(|&index| view.block(index).kind == Kind::Text) {
            let address = view.leaf(index, Leaf::Text);
            if view.block(index).size <= left {
                left -= view.block(index).size;
                segments.push(Segment::Leaf(address));
                segments.push(Segment::Text("\n".to_owned()));
            } else {
                let text = read(self.history, address);
                let shown = crate::utf16::utf16_length(super::texts::prefix(&text, left));
                segments.push(Segment::Span(address, 0, shown));
                segments.push(Segment::Text("… (it goes on in the history)\n".to_owned()));
                break;
            }
        }
        segments.push(Segment::Text(["[", mark, " end of the request]\n\n"].concat()));
        segments
    }

    /// Note, focus and trigger, which stands last.
    fn ending(&self, previous: bool, part: Option<(usize, usize)>) -> String {
        let note = self.transcript_path().map(transcript_note);
        let focus = self.settings.instructions.as_deref().and_then(additional_focus);
        let trigger = Trigger {
            part,
            previous,
            overridden: self.is_overridden(),
            language: self.settings.language.as_deref(),
        };
        let mut text = String::new();
        for part in [note, focus].into_iter().flatten() {
            text.push_str(&part);
            text.push_str("\n\n");
        }
        text.push_str(&trigger_instruction(self.framing, &trigger));
        text
    }

    /// The one message that is appended to the caller's own.
    fn appended(&self) -> Message {
        let first = self.entries.first().map(|entry| unit_text(self.history, entry.unit)).unwrap_or_default();
        let last = self.entries.last().map(|entry| unit_text(self.history, entry.unit)).unwrap_or_default();
        let Split { start, end, .. } = self.range.in_messages(&Messages::of(self.history.view));
        let range = range_note(&EntryRange {
            start: start as usize,
            end: end as usize,
            first_words: &first,
            last_words: &last,
        });
        let has_previous = self.previous().is_some();
        let mut text = self.prompt(has_previous, true);
        for part in ["\n\n", &range] {
            text.push_str(part);
        }
        // Also if the messages hold it: the prompt speaks of these tags.
        if let Some(previous) = self.previous() {
            for part in ["\n\n", PREVIOUS_OPEN, "\n", &enclosed(previous), "\n", PREVIOUS_CLOSE] {
                text.push_str(part);
            }
        }
        if let Some(todos) = self.todos() {
            text.push_str("\n\n");
            text.push_str(&todos);
        }
        text.push_str("\n\n");
        text.push_str(&self.ending(has_previous, None));
        Message::human(text)
    }
}

/// What earlier summaries and the caller's state left.
fn known(history: History<'_>, settings: &SummarySettings, earlier: &[u32]) -> Stored {
    let mut known = Stored::default();
    // Line ends are ours, so that an item reads the same when it is taken out of the stored text again.
    let line_ends = |item: &String| item.replace("\r\n", "\n").replace('\r', "\n").trim().to_owned();
    for &unit in earlier {
        add_stored(&mut known, Stored::parse(&unit_text(history, unit)));
    }
    if let Some(state) = &settings.state {
        let mut stored = Stored::parse(&state.last_summary);
        if !known.body.is_empty() {
            // The summary in the history is that of the state, or a newer one.
            stored.body.clear();
        }
        add_new(&mut stored.read_files, state.read_files.iter().cloned());
        add_new(&mut stored.modified_files, state.modified_files.iter().cloned());
        add_new(&mut stored.constraints, state.constraints.iter().map(line_ends));
        // The state is older than the history.
        add_new(&mut stored.constraints, std::mem::take(&mut known.constraints));
        add_stored(&mut known, stored);
    }
    add_new(&mut known.pins, settings.pins.iter().flatten().map(line_ends));
    known
}

fn add_stored(known: &mut Stored, more: Stored) {
    if !known.body.is_empty() && !more.body.is_empty() {
        known.body.push_str("\n\n");
    }
    known.body.push_str(&more.body);
    known.transcript_path = more.transcript_path.or(known.transcript_path.take());
    add_new(&mut known.pins, more.pins);
    add_new(&mut known.constraints, more.constraints);
    add_new(&mut known.read_files, more.read_files);
    add_new(&mut known.modified_files, more.modified_files);
}

/// Whether a unit is what we had the agent say to an earlier summary.
fn is_acknowledgement(history: History<'_>, earlier: &[u32], unit: u32) -> bool {
    let follows = unit.checked_sub(1).is_some_and(|before| earlier.binary_search(&before).is_ok());
    follows
        && history.view.unit(unit).speaker == crate::view::Speaker::Ai
        && super::split::stands_alone(history, unit)
        && unit_text(history, unit).starts_with(&acknowledgement(None, None))
}
