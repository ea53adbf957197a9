//! Tables that are drawn with lines: their cells without the blanks that align them, their rules short.

use super::lines::digits;

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
        lines.extend(tightened(&block));
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

/// The lines of a table: those whose bars stand under the joints of a rule. Any other stays as it is.
fn tightened(block: &[&str]) -> Vec<String> {
    let joints: Vec<Vec<usize>> =
        block.iter().filter(|line| is_joined_rule(line)).map(|line| joints(line)).collect();
    let rows: Vec<Option<(char, Vec<&str>)>> =
        block.iter().map(|line| if is_rule(line.trim()) { None } else { cells(line, &joints) }).collect();
    // Only the first row may be a head: a rule may stand below the others, too.
    let head = rows.iter().position(Option::is_some);
    let head = head.filter(|head| block.get(head + 1).is_some_and(|next| is_joined_rule(next)));
    let body =
        rows.iter().enumerate().filter(|(at, _)| Some(*at) != head).filter_map(|(_, row)| row.as_ref());
    let columns = rows.iter().flatten().map(|(_, cells)| cells.len()).max().unwrap_or_default();
    let mut is_text = vec![false; columns];
    for (_, cells) in body {
        is_text.iter_mut().zip(cells).for_each(|(is_text, cell)| *is_text |= !is_number(cell));
    }
    let lines = block.iter().zip(&rows).enumerate().map(|(at, (line, row))| match row {
        _ if !joints.is_empty() && is_rule(line.trim()) => short_rule(line),
        Some((bar, cells)) => {
            let cells: Vec<&str> = cells
                .iter()
                .zip(&is_text)
                .map(|(cell, is_text)| {
                    let text = if *is_text && Some(at) != head { cell.strip_prefix(' ') } else { None };
                    text.map_or_else(|| cell.trim(), str::trim_end)
                })
                .collect();
            let is_bordered = cells.first().is_some_and(|first| first.is_empty());
            let line = cells.join(&format!(" {bar} "));
            if is_bordered { line.trim().to_owned() } else { line.trim_end().to_owned() }
        }
        None => (*line).to_owned(),
    });
    lines.collect()
}

fn short_rule(line: &str) -> String {
    let mut rule = String::with_capacity(line.len());
    let mut run = (' ', 0);
    for character in line.trim().chars() {
        run = if character == run.0 { (character, run.1 + 1) } else { (character, 1) };
        if run.1 <= RULE || !DASHES.contains(&character) {
            rule.push(character);
        }
    }
    rule
}

/// The bar of a line and its cells, if its bars stand under the joints of a rule.
fn cells<'text>(line: &'text str, joints: &[Vec<usize>]) -> Option<(char, Vec<&'text str>)> {
    let bar = line.chars().find(|character| BARS.contains(character))?;
    let bars: Vec<usize> =
        line.chars().enumerate().filter(|(_, character)| *character == bar).map(|(at, _)| at).collect();
    joints.contains(&bars).then(|| (bar, line.split(bar).collect()))
}

/// Whether a cell may stand in a column of numbers, whose blanks only align it. In other columns the blanks before a
/// text, behind the one that follows the bar, are its own: code, lists and plans are indented.
fn is_number(cell: &str) -> bool {
    let bare = cell.trim();
    matches!(bare, "" | "-" | "NULL") || digits(bare.trim_start_matches(['-', '+', '.'])).is_some()
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
