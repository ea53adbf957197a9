//! Tables that are drawn with lines: their cells without the blanks that align them, their rules short.

/// Longer rules say no more.
const RULE: usize = 3;

pub(super) fn tighten(text: &str) -> Option<String> {
    if !text.lines().any(is_joined_rule) {
        return None;
    }
    let mut lines: Vec<String> = Vec::new();
    let mut block: Vec<&str> = Vec::new();
    for line in text.split('\n').chain([""]) {
        if !line.trim().is_empty() {
            block.push(line);
            continue;
        }
        let is_table = block.iter().any(|line| is_joined_rule(line));
        lines.extend(block.drain(..).map(|line| if is_table { tightened(line) } else { line.to_owned() }));
        lines.push(line.to_owned());
    }
    lines.pop();
    Some(lines.join("\n"))
}

const DASHES: [char; 5] = ['-', '=', '─', '═', '━'];
const JOINTS: [char; 7] = ['+', '┼', '┬', '┴', '╋', '╪', '╬'];
const BARS: [char; 3] = ['|', '│', '┃'];

/// `----+----`, `+---+---+`, `├──┼──┤`: the rules of markdown have no joints, and files hold those.
fn is_joined_rule(line: &str) -> bool {
    let line = line.trim();
    line.contains(JOINTS) && is_rule(line)
}

fn is_rule(line: &str) -> bool {
    let is_drawn =
        |c: char| matches!(c, '+' | '|' | ' ') || DASHES.contains(&c) || matches!(c, '\u{2500}'..='\u{257f}');
    line.chars().filter(|c| DASHES.contains(c)).count() >= RULE && line.chars().all(is_drawn)
}

fn tightened(line: &str) -> String {
    if is_rule(line.trim()) {
        let mut rule = String::with_capacity(line.len());
        let mut run = (' ', 0);
        for character in line.trim().chars() {
            run = if character == run.0 { (character, run.1 + 1) } else { (character, 1) };
            if run.1 <= RULE || !DASHES.contains(&character) {
                rule.push(character);
            }
        }
        return rule;
    }
    let Some(bar) = line.chars().find(|character| BARS.contains(character)) else { return line.to_owned() };
    let cells: Vec<&str> = line.trim().split(bar).map(str::trim).collect();
    cells.join(&format!(" {bar} ")).trim().to_owned()
}
