//! What the user asked for and the model's summary holds no word of: it stays below the summary, to the letter.

use std::collections::HashSet;

use super::constraints::authored;
use super::digest::body::requests_of;
use super::split::{Split, earlier_summaries};
use super::stored::{REQUESTS, add_new, list_item, neutralize, read_list};
use super::texts::{clipped, lines};
use super::voices::named;
use super::{History, Plan};
use crate::edit::count_text;
use crate::error::Error;
use crate::view::Speaker;

/// Longest request, in UTF-16 code units; what is longer ends in `…`.
const LONGEST: u32 = 1_000;
/// Words of so many letters tell something; words of the same beginning are the same word.
const TELLING: usize = 4;
const STEM: usize = 6;
/// Longer words that tell nothing.
const COMMON: &[&str] = &[
    "about", "again", "also", "been", "could", "does", "done", "from", "have", "here", "into", "just",
    "like", "make", "more", "need", "only", "other", "please", "should", "some", "sure", "than", "thank",
    "thanks", "that", "their", "them", "then", "there", "these", "they", "this", "those", "using", "very",
    "want", "well", "were", "what", "when", "where", "which", "while", "will", "with", "would", "yeah",
    "your",
];

/// A summary's own text, and the requests that stand below it.
pub(super) fn taken_apart(summary: &str) -> (String, Vec<String>) {
    let mut requests = Vec::new();
    let mut own = Vec::new();
    let mut rest = summary.lines();
    while let Some(line) = rest.next() {
        if line.trim_end() == REQUESTS {
            let (items, after) = read_list(rest);
            add_new(&mut requests, items);
            rest = after;
        } else {
            own.push(line);
        }
    }
    (lines(own).trim_end().to_owned(), requests)
}

/// The requests that an earlier summary or digest holds to the letter.
pub(super) fn earlier(summary: &str) -> Vec<String> {
    let (own, mut requests) = taken_apart(summary);
    add_new(&mut requests, requests_of(&own));
    requests
}

/// The requests of a range, and those that the last summary kept, which a text holds no word of; oldest first.
pub(super) fn unheld(history: History<'_>, plan: &Plan, range: &Split, text: &str) -> Vec<String> {
    let earlier = earlier_summaries(history);
    let is_own = |unit: &u32| {
        history.view.unit(*unit).speaker == Speaker::Human
            && earlier.binary_search(unit).is_err()
            && range.moved.binary_search(unit).is_err()
    };
    let mut requests = plan.requests.clone();
    for unit in (range.start..range.end).filter(is_own) {
        let text = clipped(&named(history, unit, &authored(history, unit)), LONGEST);
        // Said again is said newer.
        requests.retain(|known| *known != text);
        add_new(&mut requests, [text]);
    }
    if !requests.is_empty() {
        let held: HashSet<String> = words(text).map(|(word, _)| word).collect();
        requests.retain(|request| !is_held(request, &held));
    }
    requests
}

/// A summary with as many requests below it as there is room for: the first one says what all is for, then the newest.
pub(super) fn added(
    history: History<'_>,
    body: &str,
    requests: &[String],
    room: u64,
) -> Result<String, Error> {
    let mut left = room.saturating_sub(u64::from(count_text(history.source, REQUESTS)?));
    let mut chosen = vec![String::new(); requests.len()];
    for at in (0..requests.len().min(1)).chain((1..requests.len()).rev()) {
        let Some((request, place)) = requests.get(at).zip(chosen.get_mut(at)) else { continue };
        let item = list_item(&neutralize(request));
        let cost = u64::from(count_text(history.source, &item)?);
        if cost <= left {
            left -= cost;
            *place = item;
        }
    }
    let list = chosen.concat();
    Ok(if list.is_empty() { body.to_owned() } else { [body.trim_end(), "\n\n", REQUESTS, &list].concat() })
}

/// Whether a text holds most of what a request tells; one that tells nothing needn't be kept.
fn is_held(request: &str, held: &HashSet<String>) -> bool {
    let (mut all, mut known) = (0, 0);
    let mut seen = HashSet::new();
    for (word, weight) in words(request) {
        if seen.insert(word.clone()) {
            all += weight;
            known += if held.contains(&word) { weight } else { 0 };
        }
    }
    all < 2 || known * 2 >= all
}

/// The words of a text that tell something, by their beginnings, with their weights: names, paths and numbers say most.
fn words(text: &str) -> impl Iterator<Item = (String, u32)> {
    let is_part = |character: char| character.is_alphanumeric() || "_./-#".contains(character);
    let parts = text.split(move |character| !is_part(character));
    parts.flat_map(|part| {
        let part = part.trim_matches(['.', '-', '/']).to_lowercase();
        let is_exact = part.chars().count() > 2 && (part.contains(['_', '/', '.', '#']) || has_digit(&part));
        let mut found = Vec::new();
        if !part.is_ascii() && part.chars().any(|character| character >= '\u{2e80}') {
            // Scripts without blanks: two letters are a word.
            let letters: Vec<char> = part.chars().collect();
            found.extend(letters.windows(2).map(|pair| (pair.iter().collect(), 1)));
        } else if is_exact {
            found.push((part, 2));
        } else {
            let telling = part.split(|character: char| !character.is_alphanumeric());
            let telling = telling.filter(|word| word.chars().count() >= TELLING);
            let telling = telling.filter(|word| !COMMON.contains(word));
            found.extend(telling.map(|word| (word.chars().take(STEM).collect(), 1)));
        }
        found
    })
}

fn has_digit(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{is_held, taken_apart, words};

    fn held(request: &str, text: &str) -> bool {
        is_held(request, &words(text).map(|(word, _)| word).collect())
    }

    #[test]
    fn a_request_is_held_by_a_text_with_most_of_its_words() {
        let request = "Name the class Basket, please. The tax table is /data/tax-2024.csv.";
        assert!(held(
            request,
            "The class was named Basket; taxes come from the table in /data/tax-2024.csv."
        ));
        assert!(!held(request, "Some work on the class was done, files changed."));
        assert!(!held("折扣是百分之十二点五", "已经完成了购物车"));
        assert!(held("折扣是百分之十二点五", "购物车的折扣是百分之十二点五。"));
    }

    #[test]
    fn a_request_that_tells_nothing_is_not_kept() {
        for request in ["yes", "ok, please do that", "b", "2", "go on"] {
            assert!(held(request, ""), "{request}");
        }
    }

    #[test]
    fn requests_are_read_back_to_the_letter() {
        let text = "## Goal\nx\n\n[Requests of the user, verbatim]\n- one\n- [2 lines]\ntwo\nthree\n\nmore";
        let (own, requests) = taken_apart(text);
        assert_eq!(
            (own.as_str(), requests),
            ("## Goal\nx\n\n\nmore", vec!["one".to_owned(), "two\nthree".to_owned()])
        );
    }
}
