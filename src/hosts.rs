//! Calls as other agents make them, by their public sources and descriptions, and what we read in each: one table.

use serde_json::Value;

use crate::calls::{Calls, Effect, Lines, WHOLE};
use crate::consumers::history_of;
use crate::intake::Call;
use crate::tools::ToolTable;
use crate::view::{NONE, PathId};

/// The host, its tool, the parameters, the effects in a workspace `/w` (`-`: none), and what the intake does: `exact` if
/// each letter of the result stays.
const TABLE: &str = include_str!("hosts.txt");

/// The effects of a call, as the table writes them.
fn effects(tool: &str, parameters: &Value) -> String {
    let (_, mut view) = history_of(tool, parameters);
    let (effects, _) = Calls::default().of(&mut view, &ToolTable::default(), 0, &parameters.to_string());
    let name = |path: PathId| {
        let whole = view.names.path_text(path);
        whole.strip_prefix("/w/").unwrap_or(whole).to_owned()
    };
    let range = |(from, to): Lines| match to {
        _ if (from, to) == WHOLE => String::new(),
        NONE => format!(" {from}-"),
        to => format!(" {from}-{to}"),
    };
    let short = |effect: &Effect| match effect {
        Effect::Shows { path, lines } => format!("shows {}{}", name(*path), range(*lines)),
        Effect::Writes { path } => format!("writes {}", name(*path)),
        Effect::Changes { path, replaced } => format!("edits {} {}", name(*path), replaced.len()),
        Effect::Spoils { path } => format!("spoils {}", name(*path)),
        Effect::Anything => "anything".to_owned(),
    };
    let found: Vec<String> = effects.iter().map(short).collect();
    if found.is_empty() { "-".to_owned() } else { found.join(", ") }
}

#[test]
fn calls_of_other_hosts_are_read_as_their_sources_say() {
    let mut wrong = Vec::new();
    for row in TABLE.lines() {
        let columns: Vec<&str> = row.split(" | ").collect();
        let [host, tool, parameters, expected, intake] = columns[..] else { panic!("{row}") };
        let parameters: Value = serde_json::from_str(parameters).unwrap();
        let is_exact = Call::new(tool, &parameters, &ToolTable::default()).is_exact;
        let found = (effects(tool, &parameters), if is_exact { "exact" } else { "free" });
        if (found.0.as_str(), found.1) != (expected, intake) {
            wrong.push(format!(
                "{host} {tool} {parameters}: {} {}, not {expected} {intake}",
                found.0, found.1
            ));
        }
    }
    assert!(wrong.is_empty(), "{} are read wrongly:\n{}", wrong.len(), wrong.join("\n"));
}
