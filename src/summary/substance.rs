//! Whether a reply of the right form says anything: a summary takes the place of the history, so an empty one loses it.

use super::reply::{is_heading, section};
use crate::prompt::{Framing, section_names};

/// The texts of sections that say nothing.
const NOTHING: &str =
    "none|(none)|n/a|nothing|not applicable|to be determined|no progress yet|nothing yet|no goal";
/// From so many letters on a word of another script says something: there blanks don't part words.
const LETTERS: usize = 6;
/// A longer section isn't a refusal.
const LONGEST_REFUSAL: usize = 400;
/// How a refusal begins, and what it refuses.
const REGRETS: &str = "i'm sorry|i am sorry|sorry,|i apologize|i apologise|unfortunately, i|as an ai|i can't|i cannot|i can not|\
                       i'm unable|i am unable|i'm not able|i am not able|i won't";
const REFUSED: &str =
    "assist|help|comply|fulfil|provide|create|generate|summarize|summarise|continue|do that|do this";

/// What a section tells.
struct Told<'body> {
    name: &'static str,
    text: &'body str,
}

/// The fault of a body that has the right form, as a sentence, and the section at fault.
pub(super) fn fault(
    body: &str,
    framing: Framing,
    is_asked: &dyn Fn(&str) -> bool,
) -> Option<(&'static str, String)> {
    // An edited prompt may ask for few of them.
    let names = section_names(framing).into_iter();
    let told: Vec<Told<'_>> =
        names.filter_map(|name| Some(Told { name, text: text_of(body, framing, name)? })).collect();
    if let Some(told) = told.iter().find(|told| !is_of_user(told.name) && is_refusal(told.text)) {
        let message = ["the section ", told.name, " is a refusal; write what the history holds"];
        return Some((told.name, message.concat()));
    }
    let telling = |role: fn(&str) -> bool| told.iter().any(|told| role(told.name) && !is_bare(told.text));
    let asks =
        |role: fn(&str) -> bool| section_names(framing).into_iter().any(|name| role(name) && is_asked(name));
    let is_aimless = asks(is_goal) && !telling(is_goal) && !telling(is_progress);
    let is_empty = !told.is_empty() && !telling(|_| true);
    if !is_aimless && !is_empty {
        return None;
    }
    let name = told.first().map_or("", |told| told.name);
    Some((
        name,
        "neither the goal nor the progress says anything; name the user's goal and the finished work"
            .to_owned(),
    ))
}

/// The text of a section. Of a heading's text the headings below are none.
fn text_of<'body>(body: &'body str, framing: Framing, name: &str) -> Option<&'body str> {
    if framing != Framing::Structured {
        return section(body, name);
    }
    let depth = |line: &str| line.len() - line.trim_start_matches('#').len();
    let mut at = 0;
    let mut start = None;
    for line in body.split_inclusive('\n') {
        let bare = line.trim();
        if start.is_some() && (1..=depth(name)).contains(&depth(bare)) {
            break;
        }
        at += line.len();
        if start.is_none() && is_heading(line, name) {
            start = Some(at);
        }
    }
    body.get(start?..at)
}

fn is_goal(name: &str) -> bool {
    matches!(name, "overall_goal" | "## Goal")
}

/// Whether a section tells of finished or coming work.
fn is_progress(name: &str) -> bool {
    matches!(
        name,
        "current_progress"
            | "active_tasks"
            | "recent_actions"
            | "current_plan"
            | "## Progress"
            | "## Next Steps"
    )
}

/// The user's own words may be a refusal.
fn is_of_user(name: &str) -> bool {
    matches!(name, "user_directives" | "## Constraints & Preferences")
}

/// Whether no line of a text says more than a word.
fn is_bare(text: &str) -> bool {
    let is_heading = |line: &str| line.trim_start_matches('#').starts_with(' ') && line.starts_with('#');
    let is_frame = |line: &str| line.starts_with('<') || is_heading(line);
    text.lines().filter(|line| !is_frame(line.trim_start())).all(|line| {
        // Without the mark of a list, its number and the box before a task.
        let mark = |character: char| character.is_whitespace() || "-*•+.:[]".contains(character);
        let line = line.trim_start_matches(mark).trim_start_matches("x]").trim_end_matches(mark);
        let number = line.trim_start_matches(|character: char| character.is_ascii_digit());
        let line = number.strip_prefix(['.', ')']).filter(|_| number.len() < line.len()).unwrap_or(line);
        let line = line.trim().to_lowercase();
        let words =
            line.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
        let letters =
            line.chars().filter(|character| character.is_alphanumeric() && !character.is_ascii()).count();
        NOTHING.split('|').any(|nothing| nothing == line) || words.count() < 2 && letters < LETTERS
    })
}

fn is_refusal(text: &str) -> bool {
    let mark = |character: char| !character.is_alphanumeric();
    let text = text.trim_start_matches(mark);
    if text.len() > LONGEST_REFUSAL {
        return false;
    }
    let text = text.to_lowercase().replace('\u{2019}', "'");
    let begins = REGRETS.split('|').any(|regret| text.starts_with(regret));
    let negates = ["can't", "cannot", "can not", "unable", "not able", "won't", "as an ai"];
    let refused = negates.iter().filter_map(|negation| text.split_once(negation)).any(|(_, rest)| {
        let mut words = rest.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
        words.insert(0, ' ');
        REFUSED.split('|').any(|what| words.contains(&[" ", what].concat()))
    });
    begins && refused
}

#[cfg(test)]
mod tests {
    use super::{is_bare, is_refusal};

    #[test]
    fn a_text_without_two_words_says_nothing() {
        for text in [
            "None.",
            "- (none)",
            "ok",
            "1. x",
            "",
            "- [ ] \n- [x] done",
            "### Done\n- none",
            "N/A",
            "keine",
            "なし",
            "- **None**",
        ] {
            assert!(is_bare(text), "{text}");
        }
        for text in
            ["Finish the list.", "- [x] item 0", "Korb umbauen", "购物车的舍入改为半偶", "src/cart.rs"]
        {
            assert!(!is_bare(text), "{text}");
        }
    }

    #[test]
    fn a_refusal_refuses_the_summary_itself() {
        for text in [
            "I'm sorry, but I can't assist with that.",
            "\n- I cannot provide a summary.",
            "I’m sorry, I can’t help.",
        ] {
            assert!(is_refusal(text), "{text}");
        }
        for text in [
            "I'm unable to reproduce the failure on Linux.",
            "Sorry page: add a retry button",
            "The user can't log in.",
        ] {
            assert!(!is_refusal(text), "{text}");
        }
    }
}
