//! Shrinks results of tools, one a line:
//! `{"name": "bash", "parameters": {"command": "make"}, "text": "…"}` becomes
//! `{"text": "…", "reducers": ["passingTests"]}`, or an empty object if there is nothing to shrink.

use std::io::{self, BufRead, Write};

use densify::intake::{Call, IntakeLimits, IntakeSettings, shrink_result};
use densify::options::read_options;
use densify::tools::ToolTable;
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings = std::env::args().nth(1).unwrap_or_else(|| "{}".to_owned());
    let settings: IntakeSettings = read_options(&serde_json::from_str(&settings)?)?;
    let (limits, table) = (IntakeLimits::new(&settings)?, ToolTable::default());
    for line in io::stdin().lock().lines() {
        let result: Value = serde_json::from_str(&line?)?;
        let text = |key: &str| result.get(key).and_then(Value::as_str).unwrap_or_default();
        let call = Call::new(text("name"), result.get("parameters").unwrap_or(&Value::Null), &table);
        let shrunk = shrink_result(text("text"), &call, &limits);
        let shrunk =
            shrunk.map_or(json!({}), |shrunk| json!({"text": shrunk.text, "reducers": shrunk.reducers}));
        writeln!(io::stdout(), "{shrunk}")?;
    }
    Ok(())
}
