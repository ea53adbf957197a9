//! The incremental optimizer: a history that grows, and the edits that keep it dense.
//!
//! The cost of a run depends on the new entries, not on the history's length. Decisions freeze: an edit that was made
//! stays made. The definition is a composition (and the tests hold this against a naive implementation of it):
//! `output_n = rules(output_{n-1} followed by the new entries)`.

mod books;
mod clock;
mod flushes;
mod turns;

use crate::budget::at_least_zero;
pub use crate::edit::DensityMetadata;
use crate::edit::{Edit, Editor};
use crate::error::Error;
use crate::options::{CompressSettings, FlushPolicy, OptimizeSettings, Preset, Prices};
use crate::rules::compacted::{POINTER, is_compacted};
use crate::rules::{Context, References, Rules};
use crate::strategy::{Outcome, compress};
use crate::tools::ToolTable;
use crate::view::{Capabilities, Kind, Leaf, NONE, Names, TextSource, View, flags, stream};

use books::Books;
pub use books::{Ahead, NewestRequest};
use clock::Clock;
pub use flushes::Outlook;
use flushes::{Due, Known, Waiting, is_counting};
pub use turns::Run;

/// A history that grows, with its rules.
#[derive(Clone, Debug)]
pub struct Optimizer {
    /// The history.
    pub view: View,
    /// Its edits.
    pub editor: Editor,
    /// What the calls' tools do.
    pub tools: ToolTable,
    rules: Rules,
    /// The results that hold pointers to other results.
    references: References,
    budget: Option<f64>,
    policy: FlushPolicy,
    prices: Prices,
    clock: Clock,
    output_length: u32,
    /// The edits that wait for a flush, by their anchors.
    waiting: Vec<Waiting>,
    /// See [`Run::anchor`].
    anchor: u32,
    /// What they save together, in tokens.
    waiting_saved: i64,
    /// So many edits of the log are among them, or are made.
    logged: usize,
    /// Waiting edits that an earlier instance decided, and those of them that were made again but aren't booked.
    known: Vec<Known>,
    redone: Vec<Known>,
    /// What the requests cost; kept only where the policy goes by tokens.
    books: Books,
    /// Whether the request to come is the first of a list that began as another one, which may go on too.
    is_fork: bool,
    recognized: u32,
    /// The turns that were run since a caller was told of one.
    untold: Option<Run>,
    /// The number of units when the last run was reported to a caller.
    told: u32,
    /// Before the first run: the first unit with an edit that is made.
    changed_from: u32,
}

/// Of a budget that was passed so much is filled again.
const ROOM: f64 = 0.8;

impl Optimizer {
    /// An optimizer for an empty history.
    ///
    /// # Errors
    /// [`crate::ErrorCode::InvalidOptions`] if a number is out of its range.
    pub fn new(settings: &OptimizeSettings) -> Result<Self, Error> {
        let root = settings.workspace_root.as_deref().unwrap_or("/");
        let rules = Rules::new(settings)?;
        let policy = settings.flush_policy();
        let mut editor = Editor::new(POINTER);
        editor.is_counting = settings.budget.is_some() || is_counting(policy);
        Ok(Self {
            view: View::new(Names::new(root), Capabilities::default()),
            editor,
            tools: ToolTable::with(settings.tools.as_deref().unwrap_or(&[]))
                .strict(settings.preset == Some(Preset::Seed)),
            rules,
            references: References::default(),
            budget: settings.budget.map(|budget| at_least_zero("budget", budget)).transpose()?,
            policy,
            prices: settings.prices.unwrap_or_default(),
            clock: Clock::new(settings.cache_ttl),
            output_length: 0,
            waiting: Vec::new(),
            anchor: NONE,
            waiting_saved: 0,
            logged: 0,
            known: Vec::new(),
            redone: Vec::new(),
            books: Books::default(),
            is_fork: false,
            recognized: 0,
            untold: None,
            told: 0,
            changed_from: NONE,
        })
    }

    /// An optimizer that only compresses.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn for_compression(settings: &CompressSettings) -> Result<Self, Error> {
        let CompressSettings { workspace_root, tools, .. } = settings.clone();
        let flush = Some(FlushPolicy::Always);
        Self::new(&OptimizeSettings { workspace_root, flush, tools, ..OptimizeSettings::default() })
    }

    /// Adds the units of an [integer stream](stream).
    ///
    /// # Errors
    /// [`crate::ErrorCode::InvalidStream`].
    pub fn push_stream(&mut self, words: &[u32], source: &dyn TextSource) -> Result<(), Error> {
        stream::push_stream(&mut self.view, words)?;
        self.recognize(source);
        Ok(())
    }

    /// Finds the responses that are pointers or summary lines already, among the new ones. Call it
    /// after pushing units to the view directly.
    pub fn recognize(&mut self, source: &dyn TextSource) {
        while self.recognized < self.view.block_count() {
            let index = self.recognized;
            self.recognized += 1;
            let block = self.view.block(index);
            if block.kind != Kind::ToolResponse || !block.has(flags::BRACKETED) {
                continue;
            }
            let text = self.view.text(source, index, Leaf::Text);
            let tool = self.view.names.tool_name(self.view.block(index).tool);
            if is_compacted(&text, tool)
                && let Some(block) = self.view.block_mut(index)
            {
                block.flags |= flags::COMPACTED;
            }
        }
    }

    /// Makes an edit again that an earlier instance of this history made; before the next run.
    pub fn replay(&mut self, edit: Edit) {
        self.editor.replay(&mut self.view, edit);
        self.hide(edit);
    }

    /// Makes an edit again that waits, with its [anchor](crate::edit::Logged::anchor) and since when; after those that don't.
    pub fn replay_waiting(&mut self, edit: Edit, anchor: u32, since: u32) {
        let known = self.view.unit(edit.unit()).anchor;
        self.view.mark_waiting(edit.unit(), known.min(anchor));
        self.known.push(Known { edit, anchor, since });
    }

    /// Notes that the output of an earlier instance held this history's first `units` units, and how its
    /// [bills](Self::bills) stood; nothing if nobody knows. `rewound`: the history was taken back since to so many units.
    pub fn resume(&mut self, units: u32, rewound: Option<u32>, bills: &[f64]) {
        self.output_length = units;
        self.told = units;
        self.editor.given_out = units;
        if self.is_counting() {
            self.books.resume(units, rewound, bills);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            self.clock.resume(bills.get(4).map_or(0, |&sent| sent as u32));
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            self.books.resume_ends(bills.iter().skip(5).map(|&end| end as u32));
        }
    }

    /// What the requests have cost, for [`Self::resume`]. Nothing if the policy ignores costs.
    #[must_use]
    pub fn bills(&self, newest: NewestRequest) -> Option<[f64; 5]> {
        let sent = f64::from(self.clock.sent());
        let bills = |[ours, kept, raw, of_raw]: [f64; 4]| [ours, kept, raw, of_raw, sent];
        self.is_counting().then(|| bills(self.books.bills(newest, self.prices)))
    }

    /// The same before a rewind, with the ends of the requests that the cache may hold. If not `is_sent`, the newest request may
    /// have been sent all the same.
    #[must_use]
    pub fn bills_for_rewind(&self, is_sent: bool) -> Vec<f64> {
        let newest = if is_sent { NewestRequest::Sent } else { NewestRequest::MaybeSent };
        let bills = self.bills(newest).into_iter().flatten();
        let ends: &[u32] = if self.is_counting() { self.books.ends() } else { &[] };
        bills.chain(ends.iter().map(|&end| f64::from(end))).collect()
    }

    /// Notes that the request to come is the first of a list that began as another one, which may go on too.
    pub const fn fork(&mut self) {
        self.is_fork = true;
    }

    /// Notes what stands before the messages in each request.
    pub fn put_ahead(&mut self, ahead: Ahead) {
        self.books.put_ahead(ahead);
    }

    /// Notes that the provider's cache is cold, so the next flush is free.
    pub const fn cool(&mut self) {
        self.tell(Some(true), 0);
    }

    /// Says of the next run's request whether it finds a cold cache, if the caller knows, and when it is sent: in seconds
    /// since 1970, 0 if nobody knows.
    pub const fn tell(&mut self, cold: Option<bool>, now: u32) {
        self.clock.tell(cold, now);
    }

    /// Runs the rules over what is new. `force` flushes whatever the policy says.
    ///
    /// # Errors
    /// The caller's token counter failed; what was decided until then comes with the next run.
    pub fn run(&mut self, source: &dyn TextSource, force: bool) -> Result<Run, Error> {
        let run = self.turn(source, force, false)?;
        self.books.close();
        self.is_fork = false;
        self.told = self.view.len();
        Ok(self.told_of(run))
    }

    /// The rules, and what they work with.
    fn rules_with<'run>(&'run mut self, source: &'run dyn TextSource) -> (&'run mut Rules, Context<'run>) {
        let Self { view, editor, tools, references, rules, .. } = self;
        (rules, Context { view, editor, tools, source, references })
    }

    /// Runs the rules over the newest turn, or over one before it.
    fn turn(&mut self, source: &dyn TextSource, force: bool, is_past: bool) -> Result<Run, Error> {
        self.catch_up(source)?;
        self.editor.given_out = self.given_out();
        let decided = self.output_length;
        let (rules, mut context) = self.rules_with(source);
        rules.run(&mut context, decided);
        self.keep_budget(source)?;
        let due = self.due(source, is_past)?;
        if let Some(anew) = self.sent_anew(due) {
            let (rules, mut context) = self.rules_with(source);
            rules.deepen(&mut context, anew);
            self.tokens(source)?;
        }
        Ok(self.finish(if force { Due::All } else { due }))
    }

    /// Runs a deterministic strategy; its edits always flush, and so does what waits: the history must become smaller.
    ///
    /// # Errors
    /// As [`compress`].
    pub fn compress(
        &mut self,
        settings: &CompressSettings,
        source: &dyn TextSource,
    ) -> Result<(Outcome, Run), Error> {
        if self.is_counting() {
            self.tokens(source)?;
        } else {
            self.catch_up(source)?;
        }
        self.editor.given_out = self.given_out();
        let demands = self.view.capabilities;
        self.view.capabilities = demands.in_need();
        let outcome = compress(&mut self.view, &mut self.editor, source, settings);
        let counted = if self.is_counting() { self.tokens(source).map(drop) } else { Ok(()) };
        let done = outcome.and_then(|outcome| {
            counted?;
            let run = self.finish(Due::All);
            self.books.close();
            self.told = self.view.len();
            Ok((outcome, self.told_of(run)))
        });
        self.view.capabilities = demands;
        done
    }

    /// Tokens of all units as they were pushed, and of what is left of them.
    ///
    /// # Errors
    /// The caller's token counter failed.
    pub fn tokens(&mut self, source: &dyn TextSource) -> Result<(u64, u64), Error> {
        self.catch_up(source)?;
        self.editor.count_tokens(&mut self.view, source)?;
        if self.is_counting() {
            self.book_log();
        }
        Ok((self.editor.ledger.raw, self.editor.ledger.now))
    }

    /// Counts so many of the blocks whose counts are only bounded.
    ///
    /// # Errors
    /// The caller's token counter failed.
    pub fn settle(&mut self, source: &dyn TextSource, blocks: usize) -> Result<(), Error> {
        self.catch_up(source)?;
        self.editor.settle_tokens(&mut self.view, source, blocks)
    }

    /// Everything up to its newest entry was seen by the model, whoever sent it.
    fn given_out(&self) -> u32 {
        self.output_length.max(self.view.last_ai().map_or(0, |unit| unit + 1))
    }

    /// Cuts old results further once the history is larger than the budget; it frees some room, because otherwise
    /// every turn would change sent messages.
    #[allow(clippy::cast_precision_loss)]
    fn keep_budget(&mut self, source: &dyn TextSource) -> Result<(), Error> {
        let Some(budget) = self.budget else { return Ok(()) };
        if self.tokens(source)?.1 as f64 <= budget {
            return Ok(());
        }
        let enough = if self.output_length == 0 { budget } else { budget * ROOM };
        self.rules.reset_pressure();
        while self.tokens(source)?.1 as f64 > enough {
            let (rules, mut context) = self.rules_with(source);
            if !rules.cut_next(&mut context) {
                break;
            }
        }
        Ok(())
    }

    /// Bytes held, approximately.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.view.bytes()
            + self.editor.bytes()
            + self.books.bytes()
            + self.waiting.capacity() * size_of::<Waiting>()
            + self.rules.bytes()
            + self.references.bytes()
    }
}
