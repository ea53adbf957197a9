//! The optimizer and the deterministic strategies: what `core.wasm` exports.

use wasm_bindgen::prelude::*;

use super::host::{HostSource, TextHost};
use super::{json, output, parse, throw};

use crate::error::Error;
use crate::optimizer::{Ahead, NewestRequest, Optimizer};
use crate::options::{CompressSettings, DensityConfig, OptimizeSettings};
use crate::strategy::Outcome;
use crate::view::Capabilities;

/// An [`Optimizer`] with the buffers through which the facade talks to it.
#[wasm_bindgen]
pub struct OptimizerHandle {
    optimizer: Optimizer,
    input: Vec<u32>,
    output: Vec<u32>,
    texts_sent: usize,
    outcome: Option<Outcome>,
}

#[wasm_bindgen]
impl OptimizerHandle {
    /// A handle with the settings of `optimize`, as JSON.
    ///
    /// # Errors
    /// `invalid-options`.
    #[wasm_bindgen(constructor)]
    pub fn new(settings: &str) -> Result<Self, JsValue> {
        let settings: OptimizeSettings = parse(settings)?;
        Self::with(&settings).map_err(throw)
    }

    /// A handle for the documents' `optimize`, whose configuration has no defaults.
    ///
    /// # Errors
    /// `invalid-options`.
    #[wasm_bindgen(js_name = forDensity)]
    pub fn for_density(config: &str) -> Result<Self, JsValue> {
        let config: DensityConfig = parse(config)?;
        Self::with(&config.into()).map_err(throw)
    }

    /// A handle for one compression, with its settings as JSON.
    ///
    /// # Errors
    /// `invalid-options`, `unknown-strategy`, `strategy-needs-model`.
    #[wasm_bindgen(js_name = forCompress)]
    pub fn for_compress(settings: &str) -> Result<Self, JsValue> {
        let settings: CompressSettings = parse(settings)?;
        Self::of(Optimizer::for_compression(&settings)).map_err(throw)
    }

    fn with(settings: &OptimizeSettings) -> Result<Self, Error> {
        Self::of(Optimizer::new(settings))
    }

    fn of(optimizer: Result<Optimizer, Error>) -> Result<Self, Error> {
        Ok(Self {
            optimizer: optimizer?,
            input: Vec::new(),
            output: Vec::new(),
            texts_sent: 0,
            outcome: None,
        })
    }

    /// Says what the provider demands, as the bits of its capabilities.
    pub fn demand(&mut self, capabilities: u32) {
        self.optimizer.view.capabilities = Capabilities::from_bits(capabilities);
    }

    /// Makes room for so many words of input; returns the room's address.
    pub fn input(&mut self, words: usize) -> *const u32 {
        if self.input.len() < words {
            self.input.resize(words, 0);
        }
        self.input.as_ptr()
    }

    /// The number of a tool's name.
    pub fn tool(&mut self, name: &str) -> u32 {
        self.optimizer.view.names.tool(name).0
    }

    /// What an adapter must know of a tool, as the JSON of a `ToolDescriptor`.
    #[wasm_bindgen(js_name = describeTool)]
    #[must_use]
    pub fn describe_tool(&self, name: &str) -> String {
        json(&self.optimizer.tools.describe(name))
    }

    /// The number of a path.
    pub fn path(&mut self, text: &str) -> u32 {
        self.optimizer.view.names.path(text)
    }

    /// The number of a path in a list, where it may be a glob pattern.
    #[wasm_bindgen(js_name = listedPath)]
    pub fn listed_path(&mut self, text: &str) -> u32 {
        self.optimizer.view.names.listed_path(text)
    }

    /// Adds a text that replayed edits refer to; in the order of the texts' numbers.
    pub fn text(&mut self, text: &str) -> u32 {
        let id = self.optimizer.editor.add_text(text.to_owned());
        self.texts_sent = self.optimizer.editor.texts().len();
        id
    }

    /// Adds the units of an integer stream that lies in the input; by turns if a run follows.
    ///
    /// # Errors
    /// `invalid-stream`; by turns also `token-counter-failed`.
    pub fn push(&mut self, words: usize, host: &TextHost, by_turns: bool) -> Result<(), JsValue> {
        let stream = self.input.get(..words).unwrap_or(&[]);
        let source = HostSource::new(host);
        let pushed = if by_turns {
            self.optimizer.push_turns(stream, &source)
        } else {
            self.optimizer.push_stream(stream, &source)
        };
        pushed.map_err(throw)
    }

    /// Makes the edits again that lie in the input, in the form of the output.
    ///
    /// # Errors
    /// `invalid-stream`.
    pub fn replay(&mut self, words: usize) -> Result<(), JsValue> {
        let mut words = self.input.get(..words).unwrap_or(&[]).iter().copied();
        while let Some(head) = words.next() {
            match output::read_edit(head, &mut words).map_err(throw)? {
                (edit, None) => self.optimizer.replay(edit),
                (edit, Some((anchor, since))) => self.optimizer.replay_waiting(edit, anchor, since),
            }
        }
        Ok(())
    }

    /// Goes on where an earlier handle stopped. `units`: the number of units that it gave out. `rewound`: the number of
    /// units that the history was taken back to since, or `0xffff_ffff`. `bills`: those of the earlier handle, or empty.
    pub fn resume(&mut self, units: u32, rewound: u32, bills: &[f64]) {
        let rewound = (rewound != u32::MAX).then_some(rewound);
        self.optimizer.resume(units, rewound, bills);
    }

    /// Notes that the request to come is the first of a list that began as another one, which may go on too.
    pub fn fork(&mut self) {
        self.optimizer.fork();
    }

    /// Notes what stands before the messages in each request: its tokens, whether the cache holds it alone, and the least tokens of a
    /// request that is cached.
    pub fn ahead(&mut self, tokens: u32, is_apart: bool, least: u32) {
        self.optimizer.put_ahead(Ahead { tokens: tokens.into(), is_apart, least: least.into() });
    }

    /// What requests have cost, for `resume` after a rewind. `is_sent`: the newest request was surely sent.
    #[must_use]
    #[wasm_bindgen(js_name = billsForRewind)]
    pub fn bills_for_rewind(&self, is_sent: bool) -> Box<[f64]> {
        self.optimizer.bills_for_rewind(is_sent).into_boxed_slice()
    }

    /// The cost and gain of a flush now: tokens that it saves every turn, tokens behind the first edit, and after how
    /// many turns it pays back; nothing if nothing waits for one.
    ///
    /// # Errors
    /// `token-counter-failed`.
    #[allow(clippy::cast_precision_loss)]
    pub fn outlook(&mut self, host: &TextHost, held: u32) -> Result<Box<[f64]>, JsValue> {
        let outlook = self.optimizer.outlook(&HostSource::new(host), held.into()).map_err(throw)?;
        let numbers =
            outlook.map(|found| vec![found.saved as f64, found.behind as f64, found.pays_back_after]);
        Ok(numbers.unwrap_or_default().into_boxed_slice())
    }

    /// Runs the rules; returns the address of the output. The request finds a cold cache or a warm one, if the caller knows,
    /// and is sent `now`: in seconds since 1970, 0 if nobody knows.
    ///
    /// # Errors
    /// `token-counter-failed`.
    pub fn run(
        &mut self,
        host: &TextHost,
        force: bool,
        cold: Option<bool>,
        now: u32,
    ) -> Result<*const u32, JsValue> {
        self.optimizer.tell(cold, now);
        let run = self.optimizer.run(&HostSource::new(host), force).map_err(throw)?;
        Ok(self.write(&run))
    }

    /// Runs a deterministic strategy with settings as JSON; returns the address of the output.
    ///
    /// # Errors
    /// `invalid-options`, `unknown-strategy`, `strategy-needs-model`, `token-counter-failed`.
    pub fn compress(&mut self, settings: &str, host: &TextHost) -> Result<*const u32, JsValue> {
        let settings: CompressSettings = parse(settings)?;
        let (outcome, run) = self.optimizer.compress(&settings, &HostSource::new(host)).map_err(throw)?;
        self.outcome = Some(outcome);
        Ok(self.write(&run))
    }

    fn write(&mut self, run: &crate::optimizer::Run) -> *const u32 {
        let texts = self.optimizer.editor.texts().get(self.texts_sent.max(1)..).unwrap_or(&[]);
        let bills = self.optimizer.bills(NewestRequest::Unsent);
        output::write(&mut self.output, run, texts, bills.as_ref().map_or(&[], |bills| bills));
        self.texts_sent = self.optimizer.editor.texts().len();
        self.output.as_ptr()
    }

    /// What the last compression did, as the JSON of `CompressMetadata`, or of a `NoopReason`.
    #[must_use]
    pub fn outcome(&self) -> String {
        match &self.outcome {
            Some(Outcome::Applied(metadata)) => json(metadata.as_ref()),
            Some(Outcome::Noop(reason)) => json(reason),
            None => "null".to_owned(),
        }
    }

    /// Counts what wasn't counted yet; the tokens that are left.
    ///
    /// # Errors
    /// `token-counter-failed`.
    pub fn count(&mut self, host: &TextHost) -> Result<f64, JsValue> {
        self.optimizer.tokens(&HostSource::new(host)).map_err(throw)?;
        Ok(self.tokens_now())
    }

    /// Counts so many of the blocks whose counts are only bounded.
    ///
    /// # Errors
    /// `token-counter-failed`.
    pub fn settle(&mut self, host: &TextHost, blocks: usize) -> Result<(), JsValue> {
        self.optimizer.settle(&HostSource::new(host), blocks).map_err(throw)
    }

    /// The tokens that may be left at most.
    #[wasm_bindgen(js_name = tokensAtMost)]
    #[must_use]
    #[allow(clippy::cast_precision_loss)]
    pub fn tokens_at_most(&self) -> f64 {
        self.optimizer.editor.ledger.most as f64
    }

    /// The tokens that were counted, as pushed.
    #[wasm_bindgen(js_name = tokensRaw)]
    #[must_use]
    #[allow(clippy::cast_precision_loss)]
    pub fn tokens_raw(&self) -> f64 {
        self.optimizer.editor.ledger.raw as f64
    }

    /// The tokens that are left, at least.
    #[wasm_bindgen(js_name = tokensNow)]
    #[must_use]
    #[allow(clippy::cast_precision_loss)]
    pub fn tokens_now(&self) -> f64 {
        self.optimizer.editor.ledger.now as f64
    }

    /// Bytes that the handle holds, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let words = self.input.capacity() + self.output.capacity();
        self.optimizer.bytes() + words * size_of::<u32>()
    }
}
