//! Where a history may be cut: the one module that owns legal cut points.

use crate::view::{Kind, Speaker, View};

/// The legal boundaries of a view's live units. A boundary is a position: 0 lies before the first
/// live unit, [`Boundaries::len`] behind the last.
#[derive(Clone, Debug)]
pub struct Boundaries {
    units: Vec<u32>,
    speakers: Vec<Speaker>,
    legal: Vec<bool>,
    /// For each boundary, how many messages begin before it.
    messages: Vec<u32>,
    /// Whether what opens must be a word: entries of a system may not, and none does so far.
    needs_word: bool,
}

impl Boundaries {
    /// Finds all boundaries, in one pass.
    ///
    /// A cut is legal between two messages where it parts no call from its response and no atom, and
    /// doesn't stand right behind unanswered calls or inside the last, still open batch of calls.
    #[must_use]
    pub fn of(view: &View) -> Self {
        let units = view.live_units();
        let speakers: Vec<Speaker> = units.iter().map(|&unit| view.unit(unit).speaker).collect();
        let (messages, mut legal) = message_starts(view, &units);
        forbid_parting(view, &units, &mut legal);
        forbid_open_batches(view, &units, &speakers, &mut legal);
        if let Some(first) = legal.first_mut() {
            *first = true;
        }
        let needs_word = view.capabilities.system_never_opens
            && speakers.first().is_some_and(|&first| first != Speaker::Other);
        Self { units, speakers, legal, messages, needs_word }
    }

    /// The number of live units.
    #[must_use]
    pub fn len(&self) -> usize {
        self.units.len()
    }

    /// Whether there are no live units.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// The live units, in order.
    #[must_use]
    pub fn units(&self) -> &[u32] {
        &self.units
    }

    /// How many messages begin at some positions.
    #[must_use]
    pub fn messages(&self, positions: std::ops::Range<usize>) -> usize {
        self.begun(positions.end).saturating_sub(self.begun(positions.start)) as usize
    }

    fn begun(&self, position: usize) -> u32 {
        self.messages.get(position).or(self.messages.last()).copied().unwrap_or(0)
    }

    /// The start of a message, by its number among the remaining ones.
    #[must_use]
    pub fn position_of(&self, message: usize) -> usize {
        let behind = self.messages.partition_point(|&begun| begun as usize <= message);
        behind.saturating_sub(1).min(self.len())
    }

    /// Sums up for each message what was given for each of its live units.
    #[must_use]
    pub fn by_message(&self, tokens: &[u32]) -> Vec<u32> {
        let mut sums: Vec<u32> = Vec::with_capacity(self.messages(0..self.len()));
        for (position, &tokens) in tokens.iter().enumerate() {
            match sums.last_mut() {
                Some(sum) if !self.is_start(position) => *sum = sum.saturating_add(tokens),
                _ => sums.push(tokens),
            }
        }
        sums
    }

    /// Whether a message begins at a position.
    fn is_start(&self, position: usize) -> bool {
        self.begun(position + 1) > self.begun(position)
    }

    /// Whether the history may be cut at a position.
    #[must_use]
    pub fn is_legal(&self, position: usize) -> bool {
        self.legal.get(position).copied().unwrap_or(false)
    }

    /// Whether the history may open at a position: a boundary, and a human one where the provider
    /// demands that.
    #[must_use]
    pub fn may_open(&self, position: usize, view: &View) -> bool {
        let is_human = self.opening(position..self.len()).is_some_and(|at| self.is_human(at));
        self.is_legal(position) && (is_human || !view.capabilities.opens_with_human)
    }

    /// Whether entries of a system count as openings, which they may not be.
    #[must_use]
    pub const fn needs_word(&self) -> bool {
        self.needs_word
    }

    /// The first of some positions whose entry opens the history, if it opens with one of them.
    #[must_use]
    pub fn opening(&self, positions: std::ops::Range<usize>) -> Option<usize> {
        if self.needs_word { Some(positions.start) } else { self.first_word(positions) }
    }

    /// The first of some positions at which human, model or tool speak: a system's entry opens nothing.
    #[must_use]
    pub fn first_word(&self, mut positions: std::ops::Range<usize>) -> Option<usize> {
        positions.find(|&at| self.speakers.get(at).is_some_and(|&speaker| speaker != Speaker::Other))
    }

    /// Whether a human speaks at a position.
    #[must_use]
    pub fn is_human(&self, position: usize) -> bool {
        self.speakers.get(position) == Some(&Speaker::Human)
    }

    /// Moves the position of a message to a boundary: forward over those of tools, or back if that runs off the end
    /// or stops where a pair would be parted.
    #[must_use]
    pub fn adjust(&self, position: usize) -> usize {
        let position = position.min(self.len());
        let is_tool = |at: &usize| self.speakers.get(*at) == Some(&Speaker::Tool);
        let forward = (position..self.len()).find(|at| self.is_start(*at) && !is_tool(at));
        let start = forward.unwrap_or(position);
        (0..=start).rev().find(|&at| self.is_legal(at)).unwrap_or(0)
    }

    /// The stretches between neighbouring boundaries, as ranges of positions.
    pub fn groups(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        let mut start = 0;
        (1..=self.len())
            .filter(|&at| self.is_legal(at))
            .map(move |end| std::mem::replace(&mut start, end)..end)
    }
}

/// For each boundary, the number of remaining messages that begin before it, and whether it lies between two.
fn message_starts(view: &View, units: &[u32]) -> (Vec<u32>, Vec<bool>) {
    let mut behind = 0;
    let mut begun = 0;
    let mut messages = Vec::with_capacity(units.len() + 1);
    let mut between = Vec::with_capacity(units.len() + 1);
    for &unit in units {
        // What was dropped of the message before doesn't count.
        let is_start = begun == 0 || !(behind..=unit).all(|unit| view.continues(unit));
        messages.push(begun);
        between.push(is_start);
        begun += u32::from(is_start);
        behind = unit + 1;
    }
    messages.push(begun);
    between.push(true);
    (messages, between)
}

/// Forbids the positions between the first and the last unit of a pair, an atom, or what thinking binds.
fn forbid_parting(view: &View, units: &[u32], legal: &mut [bool]) {
    // Up to this unit all goes with one that came before.
    let mut reach = 0;
    let mut units = units.iter().copied().peekable();
    for legal in legal {
        let Some(unit) = units.next() else { return };
        *legal &= unit > reach;
        // Thinking goes on with what the model says next.
        if view.capabilities.thinking_leads && ends_thinking(view, unit) {
            let next = units.peek().copied().filter(|&next| view.unit(next).speaker == Speaker::Ai);
            reach = reach.max(next.unwrap_or(0));
        }
        // Looked for once in each bond, at its first unit: it goes as a whole or not at all.
        if view.unit(unit).bond == unit {
            reach = reach.max(view.bound_to(unit).end.saturating_sub(1));
        }
        for index in view.blocks_of(unit) {
            let block = view.block(index);
            if !block.is_live() {
                continue;
            }
            let partner = view.partner(index).map(|partner| view.block(partner));
            let atom = view.atom(block.atom).last().map(|&last| view.block(last));
            for other in [partner, atom].into_iter().flatten() {
                if other.is_live() {
                    reach = reach.max(other.unit);
                }
            }
        }
    }
}

/// Whether what the model said in a unit ends with thinking.
fn ends_thinking(view: &View, unit: u32) -> bool {
    let last = view.blocks_of(unit).rev().map(|index| view.block(index)).find(|block| block.is_live());
    view.unit(unit).speaker == Speaker::Ai && last.is_some_and(|block| block.kind == Kind::Thinking)
}

/// Forbids the position right behind a model's entry with unanswered calls, and all positions
/// inside the last batch of calls while it is open.
fn forbid_open_batches(view: &View, units: &[u32], speakers: &[Speaker], legal: &mut [bool]) {
    let is_open = |unit: u32| {
        view.blocks_of(unit).any(|index| {
            let block = view.block(index);
            block.kind == Kind::ToolCall
                && block.is_live()
                && block.call != 0
                && view.partner(index).is_none()
        })
    };
    let openers: Vec<bool> =
        units.iter().zip(speakers).map(|(&unit, &speaker)| speaker == Speaker::Ai && is_open(unit)).collect();
    for (position, _) in openers.iter().enumerate().filter(|(_, is_open)| **is_open) {
        if let Some(legal) = legal.get_mut(position + 1) {
            *legal = false;
        }
    }
    let last_batch = speakers.iter().rposition(|&speaker| speaker != Speaker::Tool);
    let Some(newest) = last_batch.filter(|&at| openers.get(at) == Some(&true)) else { return };
    for legal in legal.iter_mut().skip(newest + 1) {
        *legal = false;
    }
}
