//! Prints what the core says of itself once and for all, as one JSON object: `constants.mjs` writes it down for
//! the package, so that no module has to carry it.

use densify::conversation::{ConversationSettings, Step, SummaryEnd};
use densify::edit::{EDIT_KINDS, LONG, RuleName, WRITTEN_KEYS};
use densify::intake::IntakeSettings;
use densify::options::{
    CompressSettings, DensityConfig, FlushPolicy, OptimizeSettings, Preset, RuleSettings, keys_of,
};
use densify::rules::compacted::POINTER;
use densify::settings::registry_json;
use densify::strategy::Strategy;
use densify::summary::{DigestSettings, SummarySettings};
use densify::tools::KEY_PARAMETERS;
use densify::view::{BRACKETED_LIMIT, Capabilities, FAILURES, Leaf, TRYING_KEYS, flags, stream};
use densify::{Error, ErrorCode};
use serde_json::{Value, json};

/// The keys of the options that verbs read, by the verb.
fn option_keys() -> Result<Value, Error> {
    let window = json!({"strategy": "high-density", "contextLimit": 1});
    let switches = json!({
        "readWritePruning": true, "fileDedupe": true, "recencyPruning": true, "recencyRetention": 1, "workspaceRoot": "/",
    });
    Ok(json!({
        "optimize": keys_of::<OptimizeSettings>(&json!({}))?,
        "rule": keys_of::<RuleSettings>(&json!({}))?,
        "compress": keys_of::<CompressSettings>(&window)?,
        "density": keys_of::<DensityConfig>(&switches)?,
        "conversation": keys_of::<ConversationSettings>(&window)?,
        "intake": keys_of::<IntakeSettings>(&json!({}))?,
        "summary": keys_of::<SummarySettings>(&json!({"strategy": Strategy::MiddleOut.name()}))?,
        "digest": keys_of::<DigestSettings>(&json!({}))?,
    }))
}

/// A name of a variant or constant in another spelling: each further word after a mark, or with a capital letter.
fn spelled(name: &str, mark: Option<char>) -> String {
    let is_constant = name.chars().all(|letter| !letter.is_lowercase());
    let mut out = String::new();
    let mut begins = false;
    for letter in name.chars() {
        if letter == '_' {
            begins = true;
            continue;
        }
        begins |= letter.is_uppercase() && !is_constant;
        match mark.filter(|_| begins && !out.is_empty()) {
            Some(mark) => out.extend([mark, letter.to_ascii_lowercase()]),
            None if begins && !out.is_empty() => out.push(letter.to_ascii_uppercase()),
            None => out.push(letter.to_ascii_lowercase()),
        }
        begins = false;
    }
    out
}

/// Variants by their numbers.
fn numbered<T: std::fmt::Debug>(all: &[T]) -> Value {
    all.iter().enumerate().map(|(number, one)| (spelled(&format!("{one:?}"), None), json!(number))).collect()
}

/// Bits by their names.
fn bits(all: &[(&str, u32)]) -> Value {
    all.iter().map(|&(name, bit)| (spelled(name, None), json!(bit))).collect()
}

/// The names of the steps of a conversation, by their numbers.
fn steps() -> Vec<&'static str> {
    let mut all = Step::ALL;
    all.sort_by_key(|(_, step)| step.code());
    assert!(
        (0..).zip(all).all(|(number, (_, step))| step.code() == number),
        "each step has a number of its own"
    );
    all.map(|(name, _)| name).to_vec()
}

/// A rule's name in the package.
fn name_of(rule: RuleName) -> String {
    spelled(&format!("{rule:?}"), Some('-'))
}

/// The meaning of the numbers that cross the boundary.
fn protocol() -> Value {
    json!({
        "streamVersion": stream::VERSION,
        "SPEAKER": numbered(&stream::SPEAKERS),
        "KIND": numbered(&stream::KINDS),
        "LEAF": numbered(&Leaf::ALL),
        "FLAG": bits(flags::ADAPTERS),
        "CAPABILITY": bits(Capabilities::ALL),
        "rules": RuleName::ALL.map(name_of),
        "leading": RuleName::ALL.into_iter().filter(|rule| rule.leads_on()).map(name_of).collect::<Vec<_>>(),
        "editKinds": EDIT_KINDS.map(|(name, _)| name),
        "steps": steps(),
        "summaryEnds": SummaryEnd::ALL.map(|end| spelled(&format!("{end:?}"), Some('-'))),
        "editWords": EDIT_KINDS.map(|(_, words)| words),
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings: Value = serde_json::from_str(&registry_json())?;
    let flushing =
        Preset::ALL.into_iter().filter(|&(_, preset)| FlushPolicy::of(preset) == FlushPolicy::Always);
    let constants = json!({
        "flushingPresets": flushing.map(|(name, _)| name).collect::<Vec<_>>(),
        "defaultStrategy": Strategy::DEFAULT.name(),
        "strategies": Strategy::ALL.map(Strategy::info),
        "errorCodes": ErrorCode::ALL.map(ErrorCode::as_str),
        "protocol": protocol(),
        "keyParameters": KEY_PARAMETERS,
        "tryingKeys": TRYING_KEYS,
        "failureStatuses": FAILURES,
        "bracketedLimit": BRACKETED_LIMIT,
        "pointer": POINTER,
        "longArgument": LONG,
        "writtenKeys": WRITTEN_KEYS,
        "optionKeys": option_keys()?,
        "settings": settings,
    });
    println!("{constants}");
    Ok(())
}
