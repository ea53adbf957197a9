//! What the crate makes of histories, one JSON object a line from standard input to standard
//! output. The tests of the npm package compare it with what the package makes of them.
//!
//! - `{"history": […], "config": {…}}` gives the density result of
//!   [`propose_density`](densify::propose_density):
//!   `{"removals": […], "replacements": [[index, content], …], "metadata": {…}}`
//! - `{"history": […], "compress": {…}}` gives what
//!   [`compress_contents`](densify::compress_contents) leaves, and its metadata, or why nothing was
//!   changed: `{"messages": […], "outcome": …}`
//! - `{"history": […], "optimize": {…}}` gives what
//!   [`optimize_contents`](densify::optimize_contents) leaves, and how many edits each rule made:
//!   `{"messages": […], "counts": […]}`
//!
//! ```sh
//! echo '{"history": [], "compress": {"strategy": "high-density", "contextLimit": 1000}}' | cargo run --example propose
//! ```

use std::error::Error;
use std::io::{BufRead, BufWriter, Write, stdin, stdout};

use densify::content::Content;
use densify::options::{CompressSettings, DensityConfig, OptimizeSettings, read_options};
use densify::strategy::Outcome;
use densify::{compress_contents, optimize_contents, propose_density};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Task {
    history: Vec<Content>,
    config: Option<Value>,
    compress: Option<Value>,
    optimize: Option<Value>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut output = BufWriter::new(stdout().lock());
    for line in stdin().lock().lines() {
        let task: Task = serde_json::from_str(&line?)?;
        writeln!(output, "{}", answer(task)?)?;
        output.flush()?; // who asks may wait for each answer
    }
    Ok(())
}

fn answer(task: Task) -> Result<Value, Box<dyn Error>> {
    if let Some(options) = task.compress {
        let settings: CompressSettings = read_options(&options)?;
        let (messages, outcome) = compress_contents(&task.history, &settings)?;
        let outcome = match outcome {
            Outcome::Applied(metadata) => json!(metadata),
            Outcome::Noop(reason) => json!(reason),
        };
        return Ok(json!({ "messages": messages, "outcome": outcome }));
    }
    if let Some(options) = task.optimize {
        let settings: OptimizeSettings = read_options(&options)?;
        let (messages, run) = optimize_contents(&task.history, &settings)?;
        return Ok(json!({ "messages": messages, "counts": run.counts }));
    }
    let config: DensityConfig = read_options(&task.config.unwrap_or_default())?;
    let result = propose_density(&task.history, &config)?;
    let replacements: Vec<_> = result.replacements.iter().collect();
    Ok(json!({ "removals": result.removals, "replacements": replacements, "metadata": result.metadata }))
}
