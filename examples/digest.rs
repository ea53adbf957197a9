//! Makes a digest of a history, one a line:
//! `{"contents": […], "settings": {"contextLimit": 200000}}` becomes the new history, or the reason
//! why there is none.

use std::io::{self, BufRead, Write};

use densify::content::Content;
use densify::options::read_options;
use densify::summary::{DigestSettings, Digested, digest_contents};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for line in io::stdin().lock().lines() {
        let job: Value = serde_json::from_str(&line?)?;
        let contents: Vec<Content> =
            serde_json::from_value(job.get("contents").cloned().unwrap_or_default())?;
        let settings = job.get("settings").cloned().unwrap_or_else(|| json!({}));
        let settings: DigestSettings = read_options(&settings)?;
        let (digested, made) = digest_contents(&contents, &settings)?;
        let answer = match digested {
            Digested::Applied(_) => json!(made),
            Digested::Noop { reason } => json!({"reason": reason}),
        };
        writeln!(io::stdout(), "{answer}")?;
    }
    Ok(())
}
