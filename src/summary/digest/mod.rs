//! A digest: a summary that rules make of a history, without a model. It takes the place of what it stands
//! for as a model's summary does, and each of the two takes the other up.

pub(super) mod body;
mod code;
mod errors;
mod facts;
mod outcomes;
mod todos;

use super::apply::Made;
use super::prices::Prices;
use super::request::Planner;
use super::settings::{Mode, SummarySettings};
use super::split::{earlier_summaries, split};
use super::stored::{Stored, neutralize};
use super::types::{Applied, Level};
use super::{History, files, requests};
use crate::edit::count_text;
use crate::error::Error;
use crate::options::{FromOptions, Reader, invalid, number};
use crate::prompt::Framing;
use crate::strategy::{NoopReason, Strategy};

/// The least that a digest may be given, in tokens.
const LEAST_TOKENS: u64 = 100;
/// The most that it takes unless told otherwise.
const MOST_TOKENS: u64 = 6_000;
/// And no more than this part of what it stands for, but never under this many tokens.
const PART: u64 = 8;
const SMALL: u64 = 600;
/// Of a digest that is too small for all requests, all else has at least one in so many tokens.
const FOR_OTHERS: u64 = 5;
/// A part of a digest isn't made smaller than this.
const LEAST_BODY: u64 = 40;

/// What can be chosen for a digest: what of the settings of a summary concerns it, and its size.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DigestSettings {
    summary: SummarySettings,
    tokens: Option<f64>,
}

impl FromOptions for DigestSettings {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let tokens = reader.number("tokens")?;
        #[allow(clippy::cast_precision_loss)]
        if let Some(tokens) = tokens.filter(|tokens| *tokens < LEAST_TOKENS as f64) {
            return Err(invalid("tokens", number(tokens), "a number of at least 100"));
        }
        let summary = SummarySettings::read_for(Framing::OneShot.name().to_owned(), reader)?;
        // What only a request to a model heeds.
        let others = [
            ("mode", summary.mode.is_some()),
            ("topPreserve", summary.top_preserve.is_some()),
            ("instructions", summary.instructions.is_some()),
            ("prompt", summary.prompt.is_some()),
            ("profile", summary.profile.is_some()),
            ("language", summary.language.is_some()),
            ("window", summary.window.is_some()),
            ("replyTokens", summary.reply_tokens.is_some()),
        ];
        match others.into_iter().find(|(_, is_given)| *is_given) {
            Some((key, _)) => Err(invalid(key, "a value", "none: no model is asked")),
            None => Ok(Self { summary, tokens }),
        }
    }
}

impl DigestSettings {
    /// What reading the history depends on.
    pub(super) const fn reading(&self) -> &SummarySettings {
        &self.summary
    }
}

/// What came of a digest.
#[derive(Clone, Debug, PartialEq)]
pub enum Digested {
    /// The history's new form.
    Applied(Box<Applied>),
    /// Nothing was changed.
    Noop {
        /// Why.
        reason: NoopReason,
    },
}

/// Makes a digest of what lies before the tail.
///
/// # Errors
/// [`crate::ErrorCode::InvalidOptions`], or the caller's token counter failed; content is never an error.
pub fn digest(history: History<'_>, settings: &DigestSettings) -> Result<Digested, Error> {
    let DigestSettings { summary, tokens } = settings;
    let budget = summary.budget()?;
    let earlier = earlier_summaries(history);
    let mut prices = Prices::new(history);
    let range = match split(history, Framing::OneShot, summary, &earlier, &mut prices)? {
        Ok(range) => range,
        Err(reason) => return Ok(Digested::Noop { reason }),
    };
    let target = budget.map(|budget| budget.target);
    if let Some(target) = target
        && prices.is_within(0..history.view.len(), target)?
    {
        return Ok(Digested::Noop { reason: NoopReason::AlreadyUnderTarget });
    }
    let replaced = prices.sum(range.start..range.end)?;
    let mut rest = prices.sum(0..range.start)? + prices.sum(range.end..history.view.len())?;
    for &unit in &range.moved {
        rest += u64::from(prices.unit(unit)?);
    }
    let planner = Planner::new(history, Framing::OneShot, summary, &earlier, range.clone());
    let plan = planner.plan_of(Mode::Transcript, 1, target);
    let is_own =
        |unit: &u32| earlier.binary_search(unit).is_err() && range.moved.binary_search(unit).is_err();
    let units: Vec<u32> = (range.start..range.end).filter(is_own).collect();
    let (previous, requests) = requests::taken_apart(plan.previous.as_deref().unwrap_or_default());
    let mut facts = body::Facts::parse(&previous);
    for request in requests {
        facts.add(body::Topic::Requests, &request.clone(), request);
    }
    facts::collect(history, &units, summary.todos.as_deref(), &mut facts);
    // What stands around the body counts too.
    let frame =
        Stored { pins: plan.pins.clone(), constraints: plan.constraints.clone(), ..Stored::default() };
    let frame = u64::from(count_text(history.source, &frame.compose())?);
    let usual = usual(*tokens, replaced);
    let requests = facts.tokens_of_requests();
    // In the caller's tokens, which may be smaller than ours.
    // Item by item they are counted as a little more than in one piece.
    let asked = u64::from(count_text(history.source, &facts.compose(requests, 0))?).max(requests);
    let room = room(*tokens, usual, frame + asked, target.map(|target| target.saturating_sub(rest)));
    let made = Made::new(
        history,
        &plan,
        &range,
        &neutralize(&body(history, &facts, requests, usual, room, frame)?),
    )?;
    let findings = made.findings(&plan);
    // Pins and instructions are in a form that can be kept since they were read: what fails here is the size.
    if findings.iter().any(|finding| finding.level == Level::Failure) {
        return Ok(Digested::Noop { reason: NoopReason::NothingToGain });
    }
    let mut applied = made.applied(&plan, findings);
    applied.metadata.strategy_used = Strategy::Digest.name();
    applied.metadata.llm_call_made = false;
    applied.metadata.parts = 0;
    Ok(Digested::Applied(Box::new(applied)))
}

/// The tokens of a digest of so many, apart from requests that need more than half of them.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn usual(tokens: Option<f64>, replaced: u64) -> u64 {
    tokens.map_or_else(|| (replaced / PART).clamp(SMALL, MOST_TOKENS), |tokens| tokens as u64)
}

/// The tokens of this digest. `fixed` is what it can't do without: requests, pins and standing instructions.
fn room(tokens: Option<f64>, usual: u64, fixed: u64, left: Option<u64>) -> u64 {
    let most = if tokens.is_some() { usual } else { usual.max(fixed + usual / 2) };
    most.min(left.unwrap_or(most).max(SMALL.min(most)))
}

/// The text between pins and standing instructions, which stay whole. The user's requests come first, word for word as
/// far as there is room. All else takes the remaining room. Parts that need too many of the caller's tokens get shorter.
fn body(
    history: History<'_>,
    facts: &body::Facts,
    asked: u64,
    usual: u64,
    room: u64,
    frame: u64,
) -> Result<String, Error> {
    let bare = u64::from(count_text(history.source, &Stored::default().compose())?);
    let least = LEAST_TOKENS.saturating_sub(bare);
    let most = room.max(frame + least);
    let left = room.saturating_sub(frame).max(least);
    let mut requests = asked.min(left.saturating_sub((usual / 2).min(left / FOR_OTHERS)));
    let mut others = left - requests;
    loop {
        let text = facts.compose(requests, others);
        let count = u64::from(count_text(history.source, &text)?);
        if count + frame <= most || requests + others <= LEAST_BODY {
            return Ok(text);
        }
        let shrinking = if others > LEAST_BODY { &mut others } else { &mut requests };
        *shrinking -= (*shrinking / 5).max(1).min(*shrinking);
    }
}
