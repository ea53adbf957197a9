//! The machine that decides what comes before each send.

use wasm_bindgen::prelude::*;

use super::super::{parse, throw};
use crate::conversation::{ConversationSettings, Machine, SummaryEnd};

/// A conversation's [`Machine`]. Tokens cross as numbers.
#[wasm_bindgen]
pub struct MachineHandle {
    machine: Machine,
    /// What [`Self::next`] says.
    output: Vec<u32>,
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
const fn tokens(count: f64) -> u64 {
    count as u64
}

#[wasm_bindgen]
impl MachineHandle {
    /// A machine with the settings of a conversation, as JSON.
    ///
    /// # Errors
    /// `invalid-options`, `unknown-strategy`.
    #[wasm_bindgen(constructor)]
    pub fn new(settings: &str) -> Result<Self, JsValue> {
        let settings: ConversationSettings = parse(settings)?;
        Ok(Self { machine: Machine::new(&settings).map_err(throw)?, output: Vec::new() })
    }

    /// The next step: see [`Machine::next`]. First the machine hears how many entries were added, and whether the rules ran
    /// over all of them. Returns the address of the step's number, the count of the words behind it, and these: the
    /// [`Machine::state`].
    pub fn next(&mut self, now: f64, pending: f64, added: u32, optimized: bool) -> *const u32 {
        self.machine.added(added);
        if optimized {
            self.machine.optimized();
        }
        let step = self.machine.next(tokens(now), tokens(pending)).code();
        let state = self.machine.state();
        self.output.clear();
        self.output.extend([step, u32::try_from(state.len()).unwrap_or_default()]);
        self.output.extend(state);
        self.output.as_ptr()
    }

    /// See [`Machine::is_near`].
    #[wasm_bindgen(js_name = isNear)]
    #[must_use]
    pub fn is_near(&self, least: f64, most: f64, pending: f64) -> bool {
        self.machine.is_near(tokens(least), tokens(most), tokens(pending))
    }

    /// See [`Machine::may_shrink`].
    #[wasm_bindgen(js_name = mayShrink)]
    #[must_use]
    pub fn may_shrink(&self, now: f64, pending: f64) -> bool {
        self.machine.may_shrink(tokens(now), tokens(pending))
    }

    /// See [`Machine::added`].
    pub fn added(&mut self, entries: u32) {
        self.machine.added(entries);
    }

    /// See [`Machine::changed`].
    pub fn changed(&mut self) {
        self.machine.changed();
    }

    /// See [`Machine::rewound`].
    pub fn rewound(&mut self) {
        self.machine.rewound();
    }

    /// See [`Machine::optimized`].
    pub fn optimized(&mut self) {
        self.machine.optimized();
    }

    /// See [`Machine::compressed`].
    pub fn compressed(&mut self, now: f64, pending: f64) {
        self.machine.compressed(tokens(now), tokens(pending));
    }

    /// See [`Machine::summary_started`].
    #[wasm_bindgen(js_name = summaryStarted)]
    pub fn summary_started(&mut self, background: bool) -> u32 {
        self.machine.summary_started(background)
    }

    /// See [`Machine::summary_ended`]; `end` is the number of a [`SummaryEnd`].
    #[wasm_bindgen(js_name = summaryEnded)]
    pub fn summary_ended(&mut self, ticket: u32, end: u32, now: f64, pending: f64) -> bool {
        let end = SummaryEnd::of_code(end).unwrap_or(SummaryEnd::Cancelled);
        self.machine.summary_ended(ticket, end, tokens(now), tokens(pending))
    }

    /// Whether content was added since the last optimization.
    #[wasm_bindgen(js_name = isDirty)]
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        self.machine.is_dirty()
    }

    /// Whether the strategy optimizes before each send.
    #[wasm_bindgen(js_name = isContinuous)]
    #[must_use]
    pub fn is_continuous(&self) -> bool {
        self.machine.strategy().is_continuous()
    }

    /// The limit, the threshold and the target, in tokens.
    #[must_use]
    #[allow(clippy::cast_precision_loss)]
    pub fn budget(&self) -> Box<[f64]> {
        let budget = self.machine.budget();
        Box::new([budget.limit, budget.trigger, budget.target as f64])
    }

    /// See [`Machine::set_threshold`].
    ///
    /// # Errors
    /// `invalid-options`.
    #[wasm_bindgen(js_name = setThreshold)]
    pub fn set_threshold(&mut self, threshold: Option<f64>) -> Result<(), JsValue> {
        self.machine.set_threshold(threshold).map_err(throw)
    }

    /// See [`Machine::state`].
    #[must_use]
    pub fn state(&self) -> Box<[u32]> {
        Box::new(self.machine.state())
    }

    /// See [`Machine::restore`].
    ///
    /// # Errors
    /// `invalid-snapshot`.
    pub fn restore(&mut self, state: &[u32]) -> Result<(), JsValue> {
        self.machine.restore(state).map_err(throw)
    }
}
