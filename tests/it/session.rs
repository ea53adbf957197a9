//! A history that grows through an optimizer, with its outputs as contents: what a caller holds.

use densify::content::Content;
use densify::edit::{Logged, apply_edits};
use densify::optimizer::{NewestRequest, Optimizer, Run};
use densify::options::{CompressSettings, FlushPolicy, OptimizeSettings, Preset, RuleSettings};
use densify::strategy::Outcome;
use densify::view::{Capabilities, ContentSource, push_contents};

use crate::oracle;

/// The settings that a configuration of the oracle stands for.
#[allow(clippy::cast_precision_loss)]
pub fn settings(config: &oracle::Config, flush: FlushPolicy) -> OptimizeSettings {
    OptimizeSettings {
        rules: RuleSettings {
            read_write_pruning: Some(config.stale_reads),
            file_dedupe: Some(config.inclusions),
            recency_pruning: Some(config.recency.is_some()),
            recency_retention: config.recency.map(|retention| retention as f64),
            recency_tools: config.recency_tools.clone(),
            ..RuleSettings::default()
        },
        workspace_root: Some(config.root.clone()),
        flush: Some(flush),
        preset: Some(Preset::Seed),
        ..OptimizeSettings::default()
    }
}

/// An optimizer with the messages that it was given and all that it decided.
pub struct Session {
    pub optimizer: Optimizer,
    pub raw: Vec<Content>,
    /// All edits so far; those that still wait are pending.
    pub log: Vec<Logged>,
    settings: OptimizeSettings,
    source: ContentSource,
    /// How many entries the last output covered.
    given_out: u32,
}

impl Session {
    pub fn new(settings: &OptimizeSettings) -> Self {
        let optimizer = Optimizer::new(settings).unwrap();
        let source = ContentSource::new(optimizer.tools.clone());
        let settings = settings.clone();
        Self { optimizer, raw: Vec::new(), log: Vec::new(), settings, source, given_out: 0 }
    }

    /// The same for a provider that demands something.
    pub fn with(settings: &OptimizeSettings, capabilities: Capabilities) -> Self {
        let mut session = Self::new(settings);
        session.optimizer.view.capabilities = capabilities;
        session
    }

    pub fn push(&mut self, contents: &[Content]) {
        push_contents(&mut self.optimizer.view, &mut self.source, contents);
        self.raw.extend_from_slice(contents);
        self.optimizer.recognize(&self.raw.as_slice());
    }

    pub fn run(&mut self, force: bool) -> Run {
        let run = self.optimizer.run(&self.raw.as_slice(), force).unwrap();
        self.take(&run);
        run
    }

    pub fn compress(&mut self, settings: &CompressSettings) -> (Outcome, Run) {
        let (outcome, run) = self.optimizer.compress(settings, &self.raw.as_slice()).unwrap();
        self.take(&run);
        (outcome, run)
    }

    /// Notes what a run decided.
    pub fn take(&mut self, run: &Run) {
        self.log.iter_mut().for_each(|logged| logged.pending &= !run.makes(logged));
        self.log.extend(&run.edits);
        self.given_out = u32::try_from(self.raw.len()).unwrap();
    }

    /// What the caller sends: waiting edits aren't made.
    pub fn output(&self) -> Vec<Content> {
        let made: Vec<_> =
            self.log.iter().filter(|logged| !logged.pending).map(|logged| logged.edit).collect();
        apply_edits(&self.raw, &made, self.optimizer.editor.texts())
    }

    /// What the caller would send after a flush.
    pub fn flushed_output(&self) -> Vec<Content> {
        let all: Vec<_> = self.log.iter().map(|logged| logged.edit).collect();
        apply_edits(&self.raw, &all, self.optimizer.editor.texts())
    }

    /// Tokens as pushed and now.
    pub fn tokens(&mut self) -> (u64, u64) {
        self.optimizer.tokens(&self.raw.as_slice()).unwrap()
    }

    /// A new optimizer that is told what this one did, as after a trap.
    pub fn reborn(&self) -> Self {
        let mut reborn = Self::with(&self.settings, self.optimizer.view.capabilities);
        reborn.push(&self.raw);
        for text in self.optimizer.editor.texts().iter().skip(1) {
            reborn.optimizer.editor.add_text(text.clone());
        }
        let bills = self.optimizer.bills(NewestRequest::Unsent);
        reborn.optimizer.resume(self.given_out, None, bills.as_ref().map_or(&[], |bills| &bills[..]));
        for logged in self.log.iter().filter(|logged| !logged.pending) {
            reborn.optimizer.replay(logged.edit);
        }
        for logged in self.log.iter().filter(|logged| logged.pending) {
            reborn.optimizer.replay_waiting(logged.edit, logged.anchor, logged.since);
        }
        reborn.log.clone_from(&self.log);
        reborn.given_out = self.given_out;
        reborn
    }
}
