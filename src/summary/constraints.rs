//! The user's own standing instructions, to the letter: what they said of "never", "always", "only".

use super::History;
use super::answers::answers;
use super::elements::parted;
use super::instructions::{is_firm, is_instruction, may_hold_instruction};
use super::stored::add_new;
use super::texts::prefix;
use super::voices::by_voice;
use crate::rules::scan;
use crate::utf16::utf16_length;
use crate::view::Speaker;

/// So many are kept, the newest ones; those that only may be instructions go first, down to [`FEW`].
const MOST: usize = 100;
const FEW: usize = 40;
/// So many are said to be left out; more than that nobody reads.
const TOLD: usize = 50;
/// So many are looked through at most.
const ENOUGH: usize = 1_000;
/// Longest instruction, in UTF-16 code units; what is longer ends in `…`.
const LONGEST: u32 = 1_000;
/// A line of this length may be data; a sentence of this length is.
const LONG: usize = 4_000;

/// The user's standing instructions, and those for which there is no room.
pub(super) struct Collected {
    pub kept: Vec<String>,
    pub left_out: Vec<String>,
}

/// Adds the standing instructions of some units to those known already.
pub(super) fn collect(
    history: History<'_>,
    units: impl Iterator<Item = u32>,
    mut known: Vec<String>,
) -> Collected {
    for unit in units {
        if history.view.unit(unit).speaker == Speaker::Human {
            for text in authored(history, unit) {
                find(&text, &mut known);
            }
        }
        for answer in history.view.blocks_of(unit).flat_map(|index| answers(history, index)) {
            if answer.is_own {
                find(&answer.words, &mut known);
            }
        }
    }
    chosen(known)
}

/// The newest, and of those that only may be instructions as many as there is room for beside the others.
fn chosen(known: Vec<String>) -> Collected {
    let firm = known.iter().filter(|item| is_firm(item)).count();
    let (mut firm_surplus, room) = (firm.saturating_sub(MOST), FEW.saturating_sub(firm));
    let mut weak_surplus = (known.len() - firm).saturating_sub(room);
    let mut left_out = Vec::new();
    let mut kept = Vec::new();
    for item in known {
        let surplus = if is_firm(&item) { &mut firm_surplus } else { &mut weak_surplus };
        if *surplus == 0 {
            kept.push(item);
        } else {
            *surplus -= 1;
            left_out.push(item);
        }
    }
    left_out.drain(..left_out.len().saturating_sub(TOLD));
    Collected { kept, left_out }
}

/// The texts that a human wrote in a unit, without pasted files and the host's additions.
pub(super) fn authored(history: History<'_>, unit: u32) -> Vec<String> {
    parts(history, unit).0
}

/// The texts that a human wrote in a unit, and those of others: pasted files and what the host added.
///
/// A pasted file may hold lines that close its paste and open another. So text between the first opening and the last
/// closing line counts as data: the file's author may have written it.
pub(super) fn parts(history: History<'_>, unit: u32) -> (Vec<String>, Vec<String>) {
    let (mut texts, mut others) = by_voice(history, unit);
    if let Some((first, last)) = outer_markers(&texts) {
        let mut included = included(&texts);
        let before = |text: &str, at: usize| text.get(..at).unwrap_or_default().to_owned();
        let after = texts.get(last.0).and_then(|text| text.get(last.1..)).unwrap_or_default().to_owned();
        let mut middle: Vec<String> = texts.drain(first.0..=last.0).collect();
        let start = middle.first().map(|text| before(text, first.1)).unwrap_or_default();
        if included.is_empty() {
            // The markers don't match up: all of it may be a file's.
            included.append(&mut middle);
        }
        texts.splice(first.0..first.0, [start, after]);
        others.append(&mut included);
    }
    for text in &mut texts {
        let (own, hosts) = parted(text);
        others.extend(hosts.into_iter().map(str::to_owned));
        *text = own;
    }
    (texts, others)
}

/// Where the first opening line starts and where the last closing line ends, if there are both: the
/// text's number and the byte.
fn outer_markers(texts: &[String]) -> Option<((usize, usize), (usize, usize))> {
    let mut first = None;
    let mut last = None;
    for (number, text) in texts.iter().enumerate() {
        for (at, _) in text.match_indices("--- ") {
            let (before, rest) = text.split_at(at);
            if !(before.is_empty() || before.ends_with('\n')) {
                continue;
            }
            let line = rest.split_inclusive('\n').next().unwrap_or_default();
            let bare = line.trim_end_matches(['\r', '\n']);
            if bare == "--- End of content ---" {
                last = Some((number, at + line.len()));
            } else if first.is_none() && bare.ends_with(" ---") {
                first = Some((number, at));
            }
        }
    }
    Some((first?, last?)).filter(|(first, last)| first < last)
}

/// The texts of the inclusions; nothing if their markers don't match up.
fn included(texts: &[String]) -> Vec<String> {
    let spans = scan(texts).unwrap_or_default().into_iter().flat_map(|inclusion| inclusion.spans);
    let text = |span: crate::rules::Span| {
        let outside = [(0, span.start), (span.end, u32::MAX)];
        texts.get(span.text).map(|text| crate::edit::without(text, &outside))
    };
    spans.filter_map(text).collect()
}

/// Finds the standing instructions in a text; fenced code and quoted lines aren't the user's words.
fn find(text: &str, known: &mut Vec<String>) {
    // Most texts hold none: they needn't be taken apart.
    if !may_hold_instruction(text) {
        return;
    }
    let mut is_code = false;
    for line in text.lines() {
        let bare = line.trim_start();
        if bare.starts_with("```") || bare.starts_with("~~~") {
            is_code = !is_code;
        } else if !is_code && !bare.starts_with('>') && may_hold(bare) {
            let is_said = |sentence: &&str| sentence.len() < LONG && is_instruction(sentence);
            let found = sentences(line).filter(is_said).map(shorten);
            // Said again is said newer: it moves to the end of the list.
            let found: Vec<String> = found.collect();
            known.retain(|item| !found.contains(item));
            add_new(known, found);
            if known.len() > ENOUGH {
                *known = chosen(std::mem::take(known)).kept;
            }
        }
    }
}

/// A line as long as a file is data if it has many signs of such; dictated words have no lines.
fn may_hold(line: &str) -> bool {
    let signs = || line.bytes().filter(|byte| b"{}<>[]=;\\\"".contains(byte)).count();
    let is_data = line.len() >= LONG && (line.starts_with('{') || signs() > line.len() / 50);
    !is_data && may_hold_instruction(line) && !line.trim().is_empty()
}

/// The sentences of a line, without list marks.
fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line.trim().trim_start_matches(['-', '*', '•', '+', '#']).trim_start();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut ahead = rest.char_indices().peekable();
        while let Some((at, character)) = ahead.next() {
            let next = ahead.peek().map(|&(_, next)| next);
            let is_end = matches!(character, '。' | '！' | '？')
                || matches!(character, '.' | '!' | '?') && next.is_some_and(char::is_whitespace);
            if is_end {
                let (sentence, after) = rest.split_at_checked(at + character.len_utf8())?;
                rest = after.trim_start();
                return Some(sentence);
            }
        }
        Some(std::mem::take(&mut rest))
    })
}

fn shorten(sentence: &str) -> String {
    if utf16_length(sentence) <= LONGEST {
        return sentence.to_owned();
    }
    [prefix(sentence, LONGEST - 1).trim_end(), "…"].concat()
}

#[cfg(test)]
mod tests {
    use super::find;

    fn found(text: &str) -> Vec<String> {
        let mut known = Vec::new();
        find(text, &mut known);
        known
    }

    #[test]
    fn prohibitions_are_found_to_the_letter() {
        for text in [
            "Never push to main.",
            "do not touch config.yml",
            "Don’t run the migration",
            "You must not delete anything.",
            "Always use tabs!",
            "Only edit files in src/.",
            "This is a no-push repository.",
            "Bitte niemals den Zweig main anfassen.",
            "不要修改配置文件。",
            "Could you please never commit?",
        ] {
            assert_eq!(found(text), [text], "{text}");
        }
    }

    #[test]
    fn a_sentence_is_taken_alone() {
        let text = "Thanks, that works. Never push to main! What is next?\n- always run v1.2 tests";
        assert_eq!(found(text), ["Never push to main!", "always run v1.2 tests"]);
    }

    #[test]
    fn questions_code_and_quoted_lines_are_no_instructions() {
        for text in [
            "Why does it always fail?",
            "```\nnever push\n```",
            "> never push",
            "the word alwaysx and nevermore",
            "plain words",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn in_long_lines_words_are_looked_through_and_data_is_not() {
        for (words, order) in [
            ("This is about the task. ", "Never delete data."),
            ("这是一句说明文字。", "绝对不要修改数据库。"),
        ] {
            for count in [90, 400] {
                assert_eq!(found(&(words.repeat(count) + order)), [order]);
            }
        }
        for data in ["{\"a\": \"It never ends. \"}, ", "if (never) { a[1] = 2; } // always. ", "never ends "]
        {
            assert_eq!(found(&data.repeat(400)), Vec::<String>::new(), "{data}");
        }
    }

    #[test]
    fn what_is_said_again_is_kept_once() {
        assert_eq!(found("Never push.\nAlways test.\nNever push."), ["Always test.", "Never push."]);
    }
}
