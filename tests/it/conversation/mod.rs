//! When a conversation is optimized, compressed and summarised (requirements sections 5 and 8).

mod auto;
mod failures;
mod model;
mod properties;
mod settings;
mod steps;

use densify::conversation::{Compression, ConversationSettings, Machine, OverLimitReason, Step, Warning};
use serde_json::{Value, json};

use crate::support::options;

pub const READY: Step = Step::Ready { warning: None };
pub const UNREACHABLE: Step = Step::Ready { warning: Some(Warning::ThresholdUnreachable) };
pub const STOPPED: Step = Step::Ready { warning: Some(Warning::SummariesStopped) };
pub const SUMMARIZE: Step = Step::Summarize { background: false };
pub const IN_BACKGROUND: Step = Step::Summarize { background: true };
pub const HIGH_DENSITY: Step = Step::Compress(Compression::HighDensity);
pub const TOP_DOWN: Step = Step::Compress(Compression::TopDown);
pub const LINES: Step = Step::Compress(Compression::Lines);

/// That nothing more can go.
pub const fn over_limit(floor: u64) -> Step {
    Step::OverLimit { floor, reason: OverLimitReason::NothingLeft }
}

/// A conversation with 1,000 tokens for its history: trigger 850, soft trigger 700, target 510.
pub fn machine(strategy: &str) -> Machine {
    machine_with(strategy, json!({}))
}

pub fn machine_with(strategy: &str, further: Value) -> Machine {
    let mut settings = json!({"strategy": strategy, "contextLimit": 1000});
    settings.as_object_mut().unwrap().append(&mut further.as_object().unwrap().clone());
    Machine::new(&options::<ConversationSettings>(settings)).unwrap()
}

/// One that was optimized already.
pub fn clean(strategy: &str) -> Machine {
    let mut machine = machine(strategy);
    machine.optimized();
    machine
}
