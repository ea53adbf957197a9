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
        let columns: Vec<Vec<usize>> =
            block.iter().filter(|line| is_joined_rule(line)).map(|line| joints(line)).collect();
        let is_head = |at: usize| block.get(at + 1).is_some_and(|next| is_joined_rule(next));
        lines.extend(block.iter().enumerate().map(|(at, line)| tightened(line, is_head(at), &columns)));
        block.clear();
        lines.push(line.to_owned());
    }
    lines.pop();
    Some(lines.join("\n"))
}

const DASHES: [char; 5] = ['-', '=', '─', '═', '━'];
const JOINTS: [char; 7] = ['+', '┼', '┬', '┴', '╋', '╪', '╬'];
const BARS: [char; 3] = ['|', '│', '┃'];

/// `----+----`, `+---+---+`, `├──┼──┤`: the rules of markdown have no joints, and files hold those.
pub(super) fn is_joined_rule(line: &str) -> bool {
    let line = line.trim();
    line.contains(JOINTS) && is_rule(line)
}

fn is_rule(line: &str) -> bool {
    let is_drawn =
        |c: char| matches!(c, '+' | '|' | ' ') || DASHES.contains(&c) || matches!(c, '\u{2500}'..='\u{257f}');
    line.chars().filter(|c| DASHES.contains(c)).count() >= RULE && line.chars().all(is_drawn)
}

/// The columns in which a rule is joined.
fn joints(rule: &str) -> Vec<usize> {
    let is_joint = |c: &char| !c.is_whitespace() && !DASHES.contains(c);
    rule.trim_end().chars().enumerate().filter(|(_, c)| is_joint(c)).map(|(at, _)| at).collect()
}

/// A line of a table: one whose bars stand under the joints of a rule. Any other stays as it is.
fn tightened(line: &str, is_head: bool, columns: &[Vec<usize>]) -> String {
    if !columns.is_empty() && is_rule(line.trim()) {
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
    let bars: Vec<usize> =
        line.chars().enumerate().filter(|(_, character)| *character == bar).map(|(at, _)| at).collect();
    if !columns.contains(&bars) {
        return line.to_owned();
    }
    let cell = |cell| if is_head { str::trim(cell) } else { tightened_cell(cell) };
    let cells: Vec<&str> = line.trim().split(bar).map(cell).collect();
    cells.join(&format!(" {bar} ")).trim().to_owned()
}

/// A cell without the blanks that align it. Blanks before a text, behind the one that follows the bar, are its own:
/// code and plans are indented.
fn tightened_cell(cell: &str) -> &str {
    let text = cell.trim();
    let is_number =
        text.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '-' | '+' | '.'));
    if is_number { text } else { cell.strip_prefix(' ').unwrap_or(cell).trim_end() }
}

#[cfg(test)]
mod tests {
    use super::tighten;

    #[test]
    fn numbers_lose_the_blanks_that_align_them_and_code_keeps_its_own() {
        let table =
            " id |   code        \n----+---------------\n  1 | def f():      \n 22 |     return 1  \n";
        let tight = " id | code\n---+---\n1 | def f():\n22 |     return 1\n";
        assert_eq!(tighten(table).unwrap(), tight.trim_start());
    }
}
