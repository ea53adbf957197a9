//! Summaries of contents, for native callers.

use serde_json::{Map, json};

use super::types::{Applied, Inserted, Message, Outcome, Planned, Segment, Verified, Voice};
use super::{DigestSettings, Digested, History, Plan, SummarySettings};
use crate::content::{Block, Content, KnownBlock, Speaker};
use crate::error::Error;
use crate::tools::ToolTable;
use crate::view::{Capabilities, ContentSource, LeafAddress, Names, TextSource, View, push_contents};

/// Plans a request for a summary of a history.
///
/// # Errors
/// As [`super::request`].
pub fn request_contents(history: &[Content], settings: &SummarySettings) -> Result<Planned, Error> {
    with_history(history, settings, |history| super::request(history, settings))
}

/// Applies a reply: what came of it, and the new history if there is one. Of the settings only tools and
/// workspace root count.
///
/// # Errors
/// As [`super::apply`].
pub fn apply_contents(
    history: &[Content],
    plan: &Plan,
    reply: &str,
    settings: &SummarySettings,
) -> Result<(Outcome, Option<Vec<Content>>), Error> {
    let outcome = with_history(history, settings, |history| super::apply(history, plan, reply))?;
    let Outcome::Applied(applied) = &outcome else { return Ok((outcome, None)) };
    let contents = applied_to(history, applied);
    Ok((outcome, Some(contents)))
}

/// Makes a digest: what came of it, and the new history if there is one.
///
/// # Errors
/// As [`super::digest`].
pub fn digest_contents(
    history: &[Content],
    settings: &DigestSettings,
) -> Result<(Digested, Option<Vec<Content>>), Error> {
    let digested = with_history(history, settings.reading(), |history| super::digest(history, settings))?;
    let contents = match &digested {
        Digested::Applied(applied) => Some(applied_to(history, applied)),
        Digested::Noop { .. } => None,
    };
    Ok((digested, contents))
}

fn applied_to(history: &[Content], applied: &Applied) -> Vec<Content> {
    let mut contents: Vec<Content> = history.iter().take(applied.top as usize).cloned().collect();
    contents.extend(applied.insert.iter().map(inserted));
    contents.extend(applied.moved.iter().filter_map(|&at| history.get(at as usize)).cloned());
    contents.extend(history.iter().skip(applied.tail as usize).cloned());
    contents
}

/// Judges a reply without applying it.
///
/// # Errors
/// As [`super::verify`].
pub fn verify_contents(
    history: &[Content],
    settings: &SummarySettings,
    reply: &str,
) -> Result<Verified, Error> {
    with_history(history, settings, |history| super::verify(history, settings, reply))
}

/// The text of a request's message; `previous` is the summary of the parts before it.
#[must_use]
pub fn message_text(history: &[Content], message: &Message, previous: &str) -> String {
    let mut text = String::new();
    for segment in &message.segments {
        match segment {
            Segment::Text(own) => text.push_str(own),
            Segment::Leaf(address) => history.read(*address, &mut |chunk| text.push_str(chunk)),
            Segment::Span(address, from, to) => text.push_str(&span(history, *address, *from, *to)),
            Segment::Previous => text.push_str(previous),
        }
    }
    text
}

fn span(history: &[Content], address: LeafAddress, from: u32, to: u32) -> String {
    let mut text = String::new();
    history.read(address, &mut |chunk| text.push_str(chunk));
    crate::edit::without(&text, &[(0, from), (to, u32::MAX)])
}

fn with_history<T>(
    contents: &[Content],
    settings: &SummarySettings,
    run: impl FnOnce(History<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let tools = ToolTable::with(settings.tools.as_deref().unwrap_or(&[]));
    let names = settings.workspace_root.as_deref().map_or_else(Names::anywhere, Names::new);
    let mut view = View::new(names, Capabilities::default());
    push_contents(&mut view, &mut ContentSource::new(tools.clone()), contents);
    run(History { view: &view, source: &contents, tools: &tools })
}

fn inserted(entry: &Inserted) -> Content {
    let text = KnownBlock::Text { text: entry.text.clone(), rest: Map::new() };
    let (speaker, metadata) = match entry.speaker {
        Voice::Human => (Speaker::Human, json!({"isSummary": true})),
        // The model never said it.
        Voice::Ai => (Speaker::Ai, json!({"synthetic": true})),
    };
    let rest = [("metadata".to_owned(), metadata)].into_iter().collect();
    Content { speaker, blocks: vec![Block::Known(text)], rest }
}
