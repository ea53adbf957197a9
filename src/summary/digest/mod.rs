//! A digest: a summary that rules make of a history, without a model. It takes the place of what it stands
//! for as a model's summary does, and each of the two takes the other up.

mod body;
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
use super::{History, files};
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
    let rest = prices.sum(0..range.start)? + prices.sum(range.end..history.view.len())?;
    let room = room(*tokens, replaced, target.map(|target| target.saturating_sub(rest)));
    let planner = Planner::new(history, Framing::OneShot, summary, &earlier, range.clone());
    let plan = planner.plan_of(Mode::Transcript, 1, target);
    let is_own =
        |unit: &u32| earlier.binary_search(unit).is_err() && range.moved.binary_search(unit).is_err();
    let units: Vec<u32> = (range.start..range.end).filter(is_own).collect();
    let mut facts = body::Facts::parse(plan.previous.as_deref().unwrap_or_default());
    facts::collect(history, &units, summary.todos.as_deref(), &mut facts);
    // What stands around the body counts too.
    let frame =
        Stored { pins: plan.pins.clone(), constraints: plan.constraints.clone(), ..Stored::default() };
    let frame = u64::from(count_text(history.source, &frame.compose())?);
    // Pins and standing instructions stay whole; the rest has what they leave, but never nothing.
    let bare = u64::from(count_text(history.source, &Stored::default().compose())?);
    let least = LEAST_TOKENS.saturating_sub(bare);
    let mut left = room.saturating_sub(frame).max(least);
    for _ in 0..12 {
        let text = facts.compose(left);
        let count = u64::from(count_text(history.source, &text)?);
        if count + frame <= room.max(frame + least) {
            break;
        }
        left -= (left / 5).min(left); // the caller's tokens are smaller than ours
    }
    let made = Made::new(history, &plan, &range, &neutralize(&facts.compose(left)))?;
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

/// The tokens of a digest.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn room(tokens: Option<f64>, replaced: u64, left: Option<u64>) -> u64 {
    let most = tokens.map_or_else(|| (replaced / PART).clamp(SMALL, MOST_TOKENS), |tokens| tokens as u64);
    most.min(left.unwrap_or(most).max(SMALL.min(most)))
}
