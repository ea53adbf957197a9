//! What conversations cost under flush policies, with a provider's prompt cache: one JSON object a line from standard
//! input to standard output.
//!
//! `{"history": […], "policies": [{…}], "prices": {"input": 3, "read": 0.3, "write": 3.75, "output": 15}, "cold": false}`
//! gives an object for each policy. A policy is options of `optimize`, or `null` for no edits. The object has:
//!
//! - `dollars` and `inputDollars`;
//! - `hits`: the part of the input that was read from the cache;
//! - `turns`, and `breaks`: the turns that changed cached content;
//! - `tokens` of the last request.
//!
//! Prices are of a million tokens. With `cold` the cache is empty each time the user speaks.

use std::collections::hash_map::DefaultHasher;
use std::error::Error;
use std::hash::{Hash, Hasher};
use std::io::{BufRead, BufWriter, Write, stdin, stdout};

use densify::content::{Content, Speaker};
use densify::edit::{Logged, apply_to};
use densify::optimizer::Optimizer;
use densify::options::{OptimizeSettings, read_options};
use densify::tokens::estimate::estimate;
use densify::view::{ContentSource, push_contents};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Deserialize)]
struct Task {
    history: Vec<Content>,
    policies: Vec<Value>,
    prices: Prices,
    #[serde(default)]
    cold: bool,
}

#[derive(Clone, Copy, Deserialize)]
struct Prices {
    read: f64,
    write: f64,
    output: f64,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Bill {
    dollars: f64,
    input_dollars: f64,
    hits: f64,
    turns: u32,
    breaks: u32,
    tokens: f64,
}

/// A history as it is sent, turn by turn.
struct Sent {
    optimizer: Option<Optimizer>,
    source: ContentSource,
    log: Vec<Vec<Logged>>,
    /// Of each entry of the last request a fingerprint and its tokens.
    cached: Vec<(u64, u32)>,
    bill: Bill,
    read: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut output = BufWriter::new(stdout().lock());
    for line in stdin().lock().lines() {
        let task: Task = serde_json::from_str(&line?)?;
        let bills: Result<Vec<_>, _> = task.policies.iter().map(|policy| bill(&task, policy)).collect();
        writeln!(output, "{}", serde_json::to_string(&bills?)?)?;
        output.flush()?;
    }
    Ok(())
}

fn bill(task: &Task, policy: &Value) -> Result<Bill, Box<dyn Error>> {
    let settings: Option<OptimizeSettings> =
        if policy.is_null() { None } else { Some(read_options(policy)?) };
    let optimizer = settings.as_ref().map(Optimizer::new).transpose()?;
    let source = ContentSource::new(optimizer.as_ref().map(|made| made.tools.clone()).unwrap_or_default());
    let mut sent =
        Sent { optimizer, source, log: Vec::new(), cached: Vec::new(), bill: Bill::default(), read: 0.0 };
    let mut total = 0.0;
    for (at, content) in task.history.iter().enumerate() {
        let before = task.history.get(..at).unwrap_or_default();
        let is_ai = |content: &Content| content.speaker == Speaker::Ai;
        if is_ai(content) && before.last().is_some_and(|last| !is_ai(last)) {
            let is_asked = before.last().is_some_and(|last| last.speaker == Speaker::Human);
            total += sent.send(before, task.prices, task.cold && is_asked)?;
        }
        if is_ai(content) {
            sent.bill.dollars += f64::from(tokens(content).1) * task.prices.output / 1e6;
        }
        if let Some(optimizer) = &mut sent.optimizer {
            push_contents(&mut optimizer.view, &mut sent.source, std::slice::from_ref(content));
        }
        sent.log.push(Vec::new());
    }
    sent.bill.hits = sent.read / total;
    sent.bill.dollars += sent.bill.input_dollars;
    Ok(sent.bill)
}

impl Sent {
    /// Sends what there is; returns its tokens.
    fn send(&mut self, history: &[Content], prices: Prices, is_cold: bool) -> Result<f64, Box<dyn Error>> {
        let mut texts: &[String] = &[];
        if let Some(optimizer) = &mut self.optimizer {
            optimizer.recognize(&history);
            if is_cold {
                optimizer.cool();
            }
            let run = optimizer.run(&history, false)?;
            self.log.iter_mut().flatten().for_each(|logged| logged.pending &= !run.makes(logged));
            for logged in run.edits.iter().copied() {
                self.log.get_mut(logged.edit.unit() as usize).ok_or("no such unit")?.push(logged);
            }
            texts = optimizer.editor.texts();
        }
        let made = history.iter().zip(&self.log).filter_map(|(content, log)| {
            let edits: Vec<_> =
                log.iter().filter(|logged| !logged.pending).map(|logged| logged.edit).collect();
            if edits.is_empty() {
                Some(tokens(content))
            } else {
                apply_to(content, &edits, texts).as_ref().map(tokens)
            }
        });
        let request: Vec<(u64, u32)> = made.collect();
        let same = if is_cold {
            0
        } else {
            request.iter().zip(&self.cached).take_while(|(new, old)| new == old).count()
        };
        let sum = |entries: &[(u64, u32)]| entries.iter().map(|entry| f64::from(entry.1)).sum::<f64>();
        let (read, written) = request.split_at(same);
        let (read, written) = (sum(read), sum(written));
        self.bill.input_dollars += (read * prices.read + written * prices.write) / 1e6;
        self.bill.breaks += u32::from(!is_cold && same < self.cached.len());
        self.bill.turns += 1;
        self.bill.tokens = read + written;
        self.read += read;
        self.cached = request;
        Ok(read + written)
    }
}

fn tokens(content: &Content) -> (u64, u32) {
    let text = serde_json::to_string(content).unwrap_or_default();
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    (hasher.finish(), estimate(&text))
}
