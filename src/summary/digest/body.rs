//! The text of a digest: sections of items that can be read back. So a digest takes over the one before it and does
//! not grow.

use super::super::stored::{list_item, read_list};
use crate::search::{around_first, around_last};
use crate::tokens::estimate::estimate;

/// The first line of every digest's text.
const TITLE: &str = "# Digest: what happened so far, put together by rules from the history";
/// What opens what another summary said.
const EARLIER: &str = "## What an earlier summary says";

/// What a section holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Topic {
    Todos,
    Requests,
    Errors,
    Notes,
    Files,
    Commands,
    Code,
}

/// The sections, in the order in which they stand: what each is called, and its share in percent of what requests
/// leave; what one leaves is the next one's.
const SECTIONS: &[(Topic, &str, u64)] = &[
    (Topic::Todos, "## Todo list", 20),
    (Topic::Requests, "## What the user asked for, verbatim", 0),
    (Topic::Errors, "## Errors that are still open", 20),
    (Topic::Notes, "## The agent's last notes, verbatim", 24),
    (Topic::Files, "## Files", 20),
    (Topic::Commands, "## Commands and how they went", 16),
    (Topic::Code, "## Code that was seen, by file", 100),
];
/// What hosts put behind a summary: where all of it can be had. The next one gets a note of its own.
const NOTE: &str = "… (all of it: recall ";
/// The share of an earlier summary in the room that requests leave, in percent.
const EARLIER_SHARE: u64 = 60;
/// The price of the line that tells how many items are left out.
const LEFT_OUT_COST: u64 = 12;
/// Requests are shortened down to so many tokens before one of them is left out.
const LEAST_REQUEST: u64 = 40;

/// So many lines of an error say why a call failed; place and values follow.
pub(super) const ERROR_LINES: usize = 3;

/// A thing to know.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Item {
    topic: Topic,
    /// What it is about: a newer item about the same takes its place.
    key: String,
    text: String,
}

/// What a digest is made of, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    items: Vec<Item>,
    /// The text of a summary that is not a digest.
    earlier: String,
}

impl Facts {
    /// The facts of the text of an earlier digest; another summary is taken up as it stands.
    pub fn parse(text: &str) -> Self {
        let mut facts = Self::default();
        let Some(start) =
            text.find(TITLE).filter(|&at| at == 0 || text.get(..at).is_some_and(|t| t.ends_with('\n')))
        else {
            text.trim().clone_into(&mut facts.earlier);
            return facts;
        };
        // A summary that stands before a digest was joined to it.
        let before = text.get(..start).unwrap_or_default().trim().to_owned();
        let mut rest = text.get(start..).unwrap_or_default().lines();
        let mut earlier = String::new();
        while let Some(line) = rest.next() {
            if line == EARLIER {
                let said = rest.filter(|line| !line.starts_with(NOTE));
                said.collect::<Vec<_>>().join("\n").trim().clone_into(&mut earlier);
                break;
            }
            let Some((topic, ..)) = SECTIONS.iter().find(|(_, head, _)| *head == line) else { continue };
            let (items, after) = read_list(rest);
            rest = after;
            for (at, item) in items.iter().enumerate() {
                // Ours stands first; what a user says in the same words stands behind it or by itself.
                if at > 0 || !is_left_out(item) || item.starts_with(OWN) {
                    let own = item.strip_prefix(OWN).filter(|own| is_left_out(own)).unwrap_or(item);
                    facts.add(*topic, key(*topic, own), own.to_owned());
                }
            }
        }
        facts.earlier =
            [before, earlier].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n");
        facts
    }

    /// Adds what is known of something; it takes the place of what was known before.
    pub fn add(&mut self, topic: Topic, key: &str, text: String) {
        self.remove(topic, key);
        if !text.trim().is_empty() {
            self.items.push(Item { topic, key: key.to_owned(), text });
        }
    }

    pub fn remove(&mut self, topic: Topic, key: &str) {
        self.items.retain(|item| item.topic != topic || item.key != key);
    }

    pub fn clear(&mut self, topic: Topic) {
        self.items.retain(|item| item.topic != topic);
    }

    /// What is known of something.
    #[inline(never)] // Twice the same is twice the size.
    pub fn get(&self, topic: Topic, key: &str) -> Option<&str> {
        self.items.iter().find(|item| item.topic == topic && item.key == key).map(|item| item.text.as_str())
    }

    /// All that is known of a kind, with what each is about.
    pub fn of(&self, topic: Topic) -> Vec<(String, String)> {
        let items = self.items.iter().filter(|item| item.topic == topic);
        items.map(|item| (item.key.clone(), item.text.clone())).collect()
    }

    /// The tokens of all requests, to the letter.
    pub fn tokens_of_requests(&self) -> u64 {
        let items = self.items.iter().filter(|item| item.topic == Topic::Requests);
        let cost: u64 = items.map(|item| cost(&shown(&item.text))).sum();
        if cost == 0 { 0 } else { cost + cost_of_head(Topic::Requests) }
    }

    /// The text, with about `requests` tokens for the user's requests and `others` for the rest.
    pub fn compose(&self, requests: u64, others: u64) -> String {
        let mut text = TITLE.to_owned();
        let cut = cut(&self.earlier, others * EARLIER_SHARE / 100);
        let mut left = others.saturating_sub(cost(&cut) + cost(TITLE));
        let whole = left;
        let mut carried = 0;
        for &(topic, head, share) in SECTIONS {
            let is_request = topic == Topic::Requests;
            let room = if is_request { requests } else { (whole * share / 100 + carried).min(left) };
            let section = self.section(topic, head, room);
            if !is_request {
                let spent = cost(&section);
                carried = room.saturating_sub(spent);
                left = left.saturating_sub(spent);
            }
            text.push_str(&section);
        }
        if !cut.is_empty() {
            text.push_str(&["\n\n", EARLIER, "\n", &cut].concat());
        }
        text
    }

    fn section(&self, topic: Topic, head: &str, room: u64) -> String {
        let items: Vec<&Item> = self.items.iter().filter(|item| item.topic == topic).collect();
        if items.is_empty() {
            return String::new();
        }
        let mut left = room.saturating_sub(cost(head) + LEFT_OUT_COST);
        let mut chosen: Vec<Option<String>> = vec![None; items.len()];
        // What began it all, then the newest.
        let first = (topic == Topic::Requests && items.len() > 1).then_some(0);
        let mut rest: Vec<usize> = (0..items.len()).rev().filter(|at| Some(*at) != first).collect();
        let is_short = items.iter().map(|item| cost(&shown(&item.text))).sum::<u64>() <= left;
        let is_plan = topic == Topic::Todos && !is_short;
        if is_plan {
            // The item at work, then what comes next; what is done is a number.
            rest.reverse();
            rest.sort_by_key(|&at| items.get(at).map(|item| progress(&item.text)));
            rest.retain(|&at| items.get(at).is_some_and(|item| progress(&item.text) != Progress::Done));
        }
        if topic == Topic::Files {
            // What was only read can be read again.
            rest.sort_by_key(|&at| !items.get(at).is_some_and(|item| was_changed(&item.text)));
        }
        let longest = match topic {
            Topic::Requests => longest(&items, left),
            _ if items.len() == 1 => left,
            _ => room / 3,
        };
        let order: Vec<usize> = first.into_iter().chain(rest).collect();
        for &at in &order {
            let Some(item) = items.get(at) else { continue };
            // Of errors the lines that say why come first, then place and values if there is room.
            let own = if topic == Topic::Errors { first_lines(&item.text) } else { &item.text };
            let whole = shown(own);
            let fits = cost(&whole) <= longest.min(left);
            let line = if fits { whole } else { shown(&cut(own, longest.min(left))) };
            let cost = cost(&line);
            if cost > left || line.trim() == "-" {
                break;
            }
            left -= cost;
            if let Some(place) = chosen.get_mut(at) {
                *place = Some(line);
            }
        }
        if topic == Topic::Errors {
            for &at in &order {
                let Some((item, Some(line))) = items.get(at).zip(chosen.get_mut(at)) else { continue };
                let whole = shown(&item.text);
                let more = cost(&whole).saturating_sub(cost(line));
                if more > 0 && more <= left {
                    left -= more;
                    *line = whole;
                }
            }
        }
        let missing = chosen.iter().filter(|line| line.is_none()).count();
        if missing == items.len() {
            return String::new();
        }
        let mut text = ["\n\n", head].concat();
        if is_plan {
            let later = missing - (items.len() - order.len());
            let counts = [(missing - later, DONE), (later, LATER)];
            let counts = counts.iter().filter(|(count, _)| *count > 0);
            let counts: Vec<String> =
                counts.map(|(count, what)| [&count.to_string(), *what].concat()).collect();
            if !counts.is_empty() {
                text.push_str(&["\n- … (", &counts.join(" and "), LEFT_OUT].concat());
            }
            order.iter().filter_map(|&at| chosen.get(at)?.as_deref()).for_each(|line| text.push_str(line));
            return text;
        }
        if missing > 0 {
            text.push_str(&["\n- … (", &missing.to_string(), OLDER, LEFT_OUT].concat());
        }
        chosen.iter().flatten().for_each(|line| text.push_str(line));
        text
    }
}

/// The requests that an earlier digest holds to the letter.
pub fn requests_of(previous: &str) -> impl Iterator<Item = String> {
    Facts::parse(previous).of(Topic::Requests).into_iter().map(|(_, request)| request)
}

/// The most tokens that one of several items may have, so that all of them fit: the longest are shortened first.
fn longest(items: &[&Item], room: u64) -> u64 {
    let mut costs: Vec<u64> = items.iter().map(|item| cost(&shown(&item.text))).collect();
    costs.sort_unstable();
    let mut left = room;
    let mut count = costs.len() as u64;
    for cost in costs {
        let share = left / count.max(1);
        if cost > share {
            // What shortening adds to an item is part of its share.
            return share.max(LEAST_REQUEST.min(room));
        }
        left -= cost;
        count -= 1;
    }
    room
}

/// The lines of an error that say why it failed.
fn first_lines(text: &str) -> &str {
    let end = text.match_indices('\n').nth(ERROR_LINES - 1).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

/// An item as it stands in its section.
fn shown(text: &str) -> String {
    let own = if is_left_out(text) { OWN } else { "" };
    list_item(&[own, text].concat())
}

/// What a section costs beside its items.
fn cost_of_head(topic: Topic) -> u64 {
    let head = SECTIONS.iter().find(|(each, ..)| *each == topic).map_or("", |(_, head, _)| head);
    cost(head) + LEFT_OUT_COST
}

/// Whether a file's item says that it was changed.
fn was_changed(item: &str) -> bool {
    let deeds = item.rsplit(": ").next().unwrap_or_default();
    deeds.split(", ").any(|deed| deed == "written" || deed == "edited")
}

/// The mark before an item that reads like our note about omitted items.
const OWN: &str = "\\";
/// What our note counts, and its end.
const OLDER: &str = " older ones";
const DONE: &str = " completed";
const LATER: &str = " later ones";
const LEFT_OUT: &str = " left out)";

/// How far a todo item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Progress {
    Begun,
    Pending,
    Done,
}

fn progress(item: &str) -> Progress {
    match status_and_content(item).0 {
        "COMPLETED" | "COMPLETE" | "DONE" | "CANCELLED" | "CANCELED" => Progress::Done,
        status if status.contains("PROGRESS") || status == "ACTIVE" => Progress::Begun,
        _ => Progress::Pending,
    }
}

/// Whether an item is our line, "… (3 older ones left out)" or "… (3 completed and 2 later ones left out)".
fn is_left_out(item: &str) -> bool {
    let item = item.trim_start_matches(OWN);
    let count = item.strip_prefix("… (").and_then(|rest| rest.strip_suffix(LEFT_OUT));
    let is_count = |count: &str| {
        let count = [OLDER, DONE, LATER].iter().find_map(|what| count.strip_suffix(what)).unwrap_or_default();
        !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit())
    };
    count.is_some_and(|counts| counts.split(" and ").all(is_count))
}

/// A text of the agent's: from a line on that reads like a heading of a digest, all are marked.
pub(super) fn unlike_ours(text: &str) -> String {
    let is_ours =
        |line: &str| line == TITLE || line == EARLIER || SECTIONS.iter().any(|(_, head, _)| line == *head);
    let mut is_marked = false;
    let mark = |line: &str| {
        is_marked |= is_ours(line.trim());
        if is_marked { ["> ", line].concat() } else { line.to_owned() }
    };
    text.lines().map(mark).collect::<Vec<_>>().join("\n")
}

/// What an item is about that stands in an earlier digest: "#3" of "[PENDING] #3 Write it", or all of it.
pub(super) fn todo_key(item: &str) -> &str {
    let word = status_and_content(item).1.split(' ').next().unwrap_or_default();
    if word.len() > 1 && word.starts_with('#') { word } else { item }
}

/// "[PENDING] Write it"
pub(super) fn status_and_content(line: &str) -> (&str, &str) {
    line.strip_prefix('[').and_then(|line| around_first(line, "] ")).unwrap_or_default()
}

/// What an item of an earlier digest is about.
pub(super) fn key(topic: Topic, item: &str) -> &str {
    match topic {
        Topic::Files | Topic::Errors => around_first(item, ": ").map_or(item, |(about, _)| about),
        Topic::Commands => around_last(item, " — ")
            .filter(|(_, went)| *went == "ok" || went.starts_with("failed"))
            .map_or(item, |(command, _)| command),
        Topic::Todos => todo_key(item),
        Topic::Code => item.lines().next().unwrap_or(item),
        _ => item,
    }
}

fn cost(text: &str) -> u64 {
    u64::from(estimate(text))
}

/// A text in at most so many tokens: whole, or its beginning and its end.
pub(super) fn cut(text: &str, tokens: u64) -> String {
    if cost(text) <= tokens {
        return text.to_owned();
    }
    let room = tokens.saturating_sub(12);
    let lines: Vec<&str> = text.lines().collect();
    let fits = |lines: &mut dyn Iterator<Item = &&str>, room: u64| {
        let mut left = room;
        lines
            .take_while(|line| {
                let cost = cost(line) + 1;
                let fits = cost <= left;
                left = left.saturating_sub(cost);
                fits
            })
            .count()
    };
    let head = fits(&mut lines.iter(), room * 2 / 3);
    let tail = fits(&mut lines.iter().skip(head).rev(), room / 3);
    let missing = lines.len() - head - tail;
    if head == 0 {
        // One line that is too long by itself.
        let units = u32::try_from(room * 3).unwrap_or(u32::MAX);
        let start = super::super::texts::prefix(text, units);
        return if start.is_empty() { String::new() } else { [start, "…"].concat() };
    }
    let saying = ["… (", &missing.to_string(), " lines left out)"].concat();
    let head = lines.iter().take(head).copied().chain([saying.as_str()]);
    head.chain(lines.iter().skip(lines.len() - tail).copied()).collect::<Vec<_>>().join("\n")
}
