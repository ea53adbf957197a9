//! Random histories: ordinary sessions of an agent, and everything that goes wrong in them.
//!
//! A history is built from steps, so that a failing one shrinks to a few of them.

mod human;
mod work;

use densify::content::Content;
use proptest::prelude::*;
use proptest::test_runner::Config;
use serde_json::{Value, json};

pub use human::{Said, said};
pub use work::{Batch, batch};

/// One step of a session.
#[derive(Clone, Debug)]
pub enum Step {
    /// The user says something.
    Human(Vec<Said>),
    /// The model answers without calling a tool.
    Answer(&'static str),
    /// The model calls tools, and the host answers.
    Work(Batch),
    /// A response that was held back arrives.
    Late,
    /// An entry that no agent should write.
    Odd(usize),
}

/// How a history is to look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Manner {
    /// Every call is answered, ids are unique, nothing is unknown.
    WellFormed,
    /// Anything.
    Any,
}

/// How many cases a property tries, or `DENSIFY_RUNS` times as many.
pub fn cases(default: u32) -> Config {
    Config { cases: default.saturating_mul(times()), failure_persistence: None, ..Config::default() }
}

/// `DENSIFY_RUNS`, or 1.
pub fn times() -> u32 {
    std::env::var("DENSIFY_RUNS").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

/// A history of up to so many steps.
pub fn history(manner: Manner, steps: usize) -> impl Strategy<Value = Vec<Content>> {
    proptest::collection::vec(step(manner), 1..=steps).prop_map(|steps| build(&steps))
}

/// A history that comes in several pushes.
pub fn pushes(manner: Manner, steps: usize) -> impl Strategy<Value = Vec<Vec<Content>>> {
    let cuts = proptest::collection::vec(any::<proptest::sample::Index>(), 0..6);
    (history(manner, steps), cuts).prop_map(|(history, cuts)| split(&history, &cuts))
}

fn split(history: &[Content], cuts: &[proptest::sample::Index]) -> Vec<Vec<Content>> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(history.len() + 1)).collect();
    places.sort_unstable();
    places.push(history.len());
    let mut start = 0;
    let mut parts = Vec::new();
    for place in places {
        parts.push(history[start..place].to_vec());
        start = place;
    }
    parts
}

fn step(manner: Manner) -> BoxedStrategy<Step> {
    let human = proptest::collection::vec(said(manner), 1..4).prop_map(Step::Human);
    let answer = prop_oneof![Just("Done."), Just("Ich hab's: 完了 😀"), Just("")].prop_map(Step::Answer);
    let work = batch(manner).prop_map(Step::Work);
    match manner {
        Manner::WellFormed => prop_oneof![3 => human, 1 => answer, 8 => work].boxed(),
        Manner::Any => prop_oneof![
            4 => human,
            1 => answer,
            10 => work,
            2 => Just(Step::Late),
            1 => (0..ODD).prop_map(Step::Odd),
        ]
        .boxed(),
    }
}

/// The entries of some steps.
pub fn build(steps: &[Step]) -> Vec<Content> {
    let mut entries: Vec<Value> = Vec::new();
    let mut held: Vec<Value> = Vec::new();
    let mut next_id = 0;
    for step in steps {
        match step {
            Step::Human(said) => entries.push(human::entry(said)),
            Step::Answer(text) => {
                entries.push(json!({"speaker": "ai", "blocks": [{"type": "text", "text": text}]}));
            }
            Step::Work(batch) => batch.build(&mut entries, &mut held, &mut next_id),
            Step::Late => {
                if !held.is_empty() {
                    entries.push(json!({"speaker": "tool", "blocks": [held.remove(0)]}));
                }
            }
            Step::Odd(number) => entries.push(odd(*number)),
        }
    }
    entries.into_iter().map(|entry| serde_json::from_value(entry).unwrap()).collect()
}

const ODD: usize = 10;

/// Entries that are wrong in one way each.
fn odd(number: usize) -> Value {
    let read = json!({"type": "tool_call", "id": "c0", "name": "read_file", "parameters": {"path": "a.ts"}});
    let response =
        json!({"type": "tool_response", "callId": "c0", "toolName": "read_file", "result": "x".repeat(90)});
    match number {
        0 => json!({"speaker": "system", "blocks": [{"type": "text", "text": "You are an agent."}]}),
        1 => json!({"speaker": 7, "blocks": [read]}),
        2 => json!({"speaker": "moderator", "blocks": [response], "note": "x"}),
        3 => json!({"speaker": "tool", "blocks": [response, {"type": "hologram", "frames": [1, 2]}]}),
        4 => json!({"speaker": "ai", "blocks": []}),
        5 => json!({"speaker": "tool", "blocks": [response, response]}),
        6 => json!({"speaker": "ai", "blocks": ["just a string", null, read]}),
        7 => json!({"speaker": "human", "blocks": [{"type": "text", "text": 5}, {"type": "text"}]}),
        8 => json!({"speaker": "tool", "blocks": [{"type": "text", "text": "orphaned words"}]}),
        _ => json!({"speaker": "human", "blocks": [
            {"type": "text", "text": "--- a.ts ---\n1\n"}, read, {"type": "text", "text": "--- End of content ---\n"},
            response,
        ]}),
    }
}
