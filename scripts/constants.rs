//! Prints what the core says of itself once and for all, as one JSON object: `constants.mjs` writes it down for
//! the package, so that no module has to carry it.

use densify::ErrorCode;
use densify::edit::{LONG, WRITTEN_KEYS};
use densify::rules::compacted::POINTER;
use densify::settings::registry_json;
use densify::strategy::Strategy;
use densify::tools::KEY_PARAMETERS;
use densify::view::{BRACKETED_LIMIT, FAILURES, TRYING_KEYS, stream};
use serde_json::{Value, json};

fn main() -> serde_json::Result<()> {
    let settings: Value = serde_json::from_str(&registry_json())?;
    let constants = json!({
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
        "settings": settings,
    });
    println!("{constants}");
    Ok(())
}
