//! Prints what the core says of itself once and for all, as one JSON object: `constants.mjs` writes it down for
//! the package, so that no module has to carry it.

use densify::conversation::ConversationSettings;
use densify::edit::{LONG, WRITTEN_KEYS};
use densify::intake::IntakeSettings;
use densify::options::{
    CompressSettings, DensityConfig, FlushPolicy, OptimizeSettings, Preset, RuleSettings, keys_of,
};
use densify::rules::compacted::POINTER;
use densify::settings::registry_json;
use densify::strategy::Strategy;
use densify::summary::{DigestSettings, SummarySettings};
use densify::tools::KEY_PARAMETERS;
use densify::view::{BRACKETED_LIMIT, FAILURES, TRYING_KEYS, stream};
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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings: Value = serde_json::from_str(&registry_json())?;
    let flushing =
        Preset::ALL.into_iter().filter(|&(_, preset)| FlushPolicy::of(preset) == FlushPolicy::Always);
    let constants = json!({
        "flushingPresets": flushing.map(|(name, _)| name).collect::<Vec<_>>(),
        "defaultStrategy": Strategy::DEFAULT.name(),
        "strategies": Strategy::ALL.map(Strategy::info),
        "errorCodes": ErrorCode::ALL.map(ErrorCode::as_str),
        "streamVersion": stream::VERSION,
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
