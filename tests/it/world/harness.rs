//! What harnesses make of results: lines with numbers, results with a hole, words in many languages.

use densify::content::{Block, Content, KnownBlock};
use serde_json::Value;

use super::Dice;

const WORDS: &str = "lines omitted TRUNCATED hidden Zeilen ausgelassen lignes masquées 行を省略 已省略 行 строк опущено \
    líneas suprimidas سطر محذوف characters removed OUTPUT CUT … ... ⋮ [ ] ( ) 200 4096 of bytes limit reached full output \
    in /tmp/x.log displaying first and last skipped Ausgabe gekürzt więcej linii <cut> --- see file";

/// A notice that no list has.
pub fn notice(dice: &mut Dice) -> String {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    (0..dice.roll(6)).map(|_| dice.pick(&words)).collect::<Vec<_>>().join(" ")
}

/// The answer of a host that has shown the file before.
pub fn stub(dice: &mut Dice) -> String {
    let words = dice.pick(&[
        "File unchanged since last read. Refer to that earlier tool_result instead.",
        "Wasted call — file unchanged since your last Read.",
        "[You have already read this file.]",
    ]);
    let reminder = "\n\n<system-reminder>\nConsider\nwhether\nthis\nis\nwanted.\n</system-reminder>";
    words.to_owned() + dice.pick(&["", reminder])
}

/// What a write says that didn't happen, or only in part: no known word of success alone.
pub fn excuse(dice: &mut Dice) -> String {
    let words = "queued pending wartet 待機中 scheduled locked backup denied teilweise partiel later review Warteschlange";
    let words: Vec<&str> = words.split(' ').collect();
    let begins = ["ok: ", "Successfully ", "Created ", "Wrote 0 of 300 bytes ", "0 files written ", "done, "];
    dice.pick(&begins).to_owned() + dice.pick(&words)
}

/// A result as the model sees it: some are cut in the middle, at the end, or at the beginning.
pub fn cut(dice: &mut Dice, lines: &[String]) -> Vec<String> {
    if lines.len() < 12 || !dice.once_in(5) {
        return lines.to_vec();
    }
    let (head, tail) = dice.pick(&[(6, 4), (8, 0), (0, 8), (3, 3)]);
    let notice = notice(dice);
    let mut left = lines[..head].to_vec();
    left.extend((!notice.is_empty()).then_some(notice));
    left.extend_from_slice(&lines[lines.len() - tail..]);
    left
}

pub fn text(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

pub fn numbered(lines: &[String], first: usize, separator: &str) -> String {
    lines.iter().enumerate().map(|(at, line)| format!("{:6}{separator}{line}\n", first + at)).collect()
}

/// The lines of files that an entry holds, in results and in arguments.
pub fn lines_of(content: &Content) -> impl Iterator<Item = &str> {
    let mut texts = Vec::new();
    for block in &content.blocks {
        match block {
            Block::Known(KnownBlock::ToolCall { parameters, .. }) => strings(parameters, &mut texts),
            Block::Known(KnownBlock::ToolResponse { result: Some(result), .. }) => {
                strings(result, &mut texts);
            }
            _ => {}
        }
    }
    texts.into_iter().flat_map(str::lines).map(bare).filter(|line| line.starts_with("let u"))
}

fn strings<'value>(value: &'value Value, texts: &mut Vec<&'value str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(values) => values.iter().for_each(|value| strings(value, texts)),
        Value::Object(members) => members.values().for_each(|value| strings(value, texts)),
        _ => {}
    }
}

/// A line without a number, and without the sign of a patch.
fn bare(line: &str) -> &str {
    let line = line.trim_start();
    let behind = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let line = behind.strip_prefix('→').or_else(|| behind.strip_prefix('\t')).unwrap_or(line);
    line.trim_start_matches(['+', '-', ' ']).trim_end()
}
