//! Runs of equal lines, and of equal groups of lines: the first, and how often it stands there.

use super::lines::{is_ours, ours, units};

/// Longest group of lines that is looked for.
const LONGEST_GROUP: usize = 8;

pub(super) fn fold(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut kept: Vec<String> = Vec::new();
    let mut at = 0;
    let mut has_folded = false;
    while let Some(line) = lines.get(at) {
        let found = (1..=LONGEST_GROUP).find_map(|length| group(&lines, at, length));
        if let Some((length, count, saying)) = found {
            kept.extend(lines.iter().skip(at).take(length).map(|&line| line.to_owned()));
            kept.push(saying);
            at += length * count;
            has_folded = true;
        } else {
            kept.push((*line).to_owned());
            at += 1;
        }
    }
    has_folded.then(|| kept.join("\n"))
}

/// A group that is worth folding: its lines, how often it stands there, and the line that says so.
fn group(lines: &[&str], at: usize, length: usize) -> Option<(usize, usize, String)> {
    let group = lines.get(at..at + length)?;
    // Most lines differ from those that follow, which the first one tells.
    if lines.get(at + length)? != group.first()? || group.iter().any(|line| is_ours(line)) {
        return None;
    }
    let rest = lines.get(at + length..)?;
    let count = 1 + rest.chunks_exact(length).take_while(|next| *next == group).count();
    let saying = match length {
        1 => ours(&format!("repeated {count} times")),
        _ => ours(&format!("these {length} lines repeated {count} times")),
    };
    let size = group.iter().map(|line| units(line) + 1).sum::<usize>() * (count - 1);
    (count > 2 && units(&saying) + 1 < size).then_some((length, count, saying))
}
