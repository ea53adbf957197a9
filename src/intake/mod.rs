//! Shrinking results of tools at intake, before they were ever sent: there it costs no cache.
//!
//! One reducer a file, in the order of `reducers`. Each either writes a result in a shorter form that
//! can be read back, or leaves lines out and says so where a reader would miss them, in one style:
//! `… (412 passing tests left out)`. What shows a file's content is never touched.

mod builds;
mod call;
mod diffs;
mod ends;
mod escapes;
mod frames;
mod json;
mod lines;
mod listings;
mod logs;
mod passing;
mod repeats;
mod search;
mod settings;
mod shapes;
mod similar;
mod tables;

pub use call::Call;
pub use settings::{IntakeLimits, IntakeSettings, ReducerSettings};

use lines::units;

/// A shorter text, or nothing.
type Reducer = fn(&str, &Call, &IntakeLimits) -> Option<String>;

/// What of a result there is after all reducers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shrunk {
    /// The shorter text.
    pub text: String,
    /// The reducers that had a part in it, as the options name them.
    pub reducers: Vec<&'static str>,
}

/// The reducers, in the order of their switches, and how many UTF-16 units each has to save at least: what
/// takes another form or leaves something out has to be worth it.
const REDUCERS: &[(Reducer, usize)] = &[
    (|text, _, _| escapes::strip(text), 1),
    (|text, _, _| escapes::keep_last(text), 1),
    (|text, _, _| repeats::fold(text), 1),
    (|text, _, _| json::compact(text), 40),
    (|text, _, _| tables::tighten(text), 40),
    (|text, _, _| search::group(text), 60),
    (|text, _, _| listings::group(text).or_else(|| listings::undraw(text)), 60),
    (|text, _, _| similar::leave_out(text), 60),
    (|text, _, _| builds::leave_out(text), 60),
    (|text, call, _| passing::leave_out(text, call), 60),
    (|text, call, _| frames::leave_out(text, call), 60),
    (|text, call, _| diffs::fold(text, call), 200),
    (|text, call, _| listings::leave_out(text, call), 200),
    (|text, call, _| logs::leave_out(text, call), 400),
    (|text, call, limits| ends::keep(text, call, limits.max_tokens), 1),
];

/// The text of a tool's result, made shorter; nothing if it is as short as it can be, or shows what a
/// file holds. What comes of it is not shrunk any further by a second call. Only for results of tools:
/// what people and models say is not to be touched.
#[must_use]
pub fn shrink_result(text: &str, call: &Call, limits: &IntakeLimits) -> Option<Shrunk> {
    if call.is_exact {
        return None;
    }
    let mut shrunk: Option<String> = None;
    let mut used = vec![false; REDUCERS.len()];
    loop {
        let mut has_shrunk = false;
        let reducers = REDUCERS.iter().zip(&limits.switches).zip(&mut used);
        for (((reduce, least), _), used) in reducers.filter(|((_, is_on), _)| **is_on) {
            let current = shrunk.as_deref().unwrap_or(text);
            let shorter = reduce(current, call, limits);
            if let Some(shorter) = shorter.filter(|shorter| units(shorter) + least <= units(current)) {
                shrunk = Some(shorter);
                (has_shrunk, *used) = (true, true);
            }
        }
        // Each round is shorter than the one before, so it ends; the second one rarely finds anything.
        if !has_shrunk {
            let reducers = settings::KEYS.iter().zip(&used).filter(|(_, used)| **used).map(|(key, _)| *key);
            return shrunk.map(|text| Shrunk { text, reducers: reducers.collect() });
        }
    }
}
