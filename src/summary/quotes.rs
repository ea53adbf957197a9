//! Whether a user's directives are the user's: each must hold what stands verbatim in a text that a human
//! wrote. What stands only in texts of tools or in included files was put there by somebody else.

use super::texts::normalize;

/// Longest directive that is looked at, in bytes; a longer one isn't a quote.
const LONGEST: usize = 4_000;
/// From so many characters or two words on a quote says something.
const TELLING: usize = 8;
/// A quote of so many words can't stand in a tool's text by chance, and a text without quotation marks.
const QUOTED_WORDS: usize = 3;
const WORDS: usize = 4;
/// What a section says that has nothing to say.
const NOTHING: &[&str] =
    &["none", "(none)", "n/a", "nothing", "no directives", "keine", "aucune", "ninguna", "なし", "无", "нет"];

/// What is thought of a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The user said it.
    Said,
    /// It stands only in texts of tools.
    Invented,
    /// It stands nowhere.
    Unverified,
}

/// A directive: its lines, and what has to stand in a human's text.
#[derive(Clone, Debug)]
pub(super) struct Directive {
    /// The lines as they stand.
    pub text: String,
    /// What was quoted.
    quotes: Vec<Vec<String>>,
    /// What stands outside quotation marks, piece by piece.
    unquoted: Vec<String>,
    /// Whether it says that there is nothing to say.
    pub is_nothing: bool,
}

/// Where a phrase was found.
#[derive(Clone, Debug)]
pub(super) struct Phrase {
    pub text: String,
    pub in_tools: bool,
}

/// The directives of a section.
pub(super) fn directives(section: &str) -> Vec<Directive> {
    let mut items: Vec<String> = Vec::new();
    let has_bullets = section.lines().any(|line| bullet(line).is_some());
    for line in
        section.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with("<!--"))
    {
        match items.last_mut() {
            Some(item) if has_bullets && bullet(line).is_none() => {
                item.push('\n');
                item.push_str(line);
            }
            _ => items.push(line.to_owned()),
        }
    }
    items.into_iter().map(read).collect()
}

fn is_nothing(item: &str) -> bool {
    let text = bullet(item).unwrap_or(item).trim().trim_end_matches(['.', '。']).to_lowercase();
    text.is_empty() || NOTHING.contains(&text.as_str())
}

/// What stands behind a list mark.
fn bullet(line: &str) -> Option<&str> {
    let line = line.trim_start();
    if let Some(rest) = line.strip_prefix(['-', '*', '•', '+']) {
        return Some(rest.trim_start()).filter(|_| rest.starts_with([' ', '\t']));
    }
    let rest = line.trim_start_matches(|character: char| character.is_ascii_digit());
    if rest.len() == line.len() { None } else { rest.strip_prefix(['.', ')']).map(str::trim_start) }
}

/// Reads one directive.
pub(super) fn read(text: String) -> Directive {
    let is_nothing = is_nothing(&text);
    if is_nothing || text.len() > LONGEST {
        return Directive { text, quotes: Vec::new(), unquoted: Vec::new(), is_nothing };
    }
    let normal = comparable(bullet(&text).unwrap_or(&text));
    let (quotes, unquoted) = quoted(&normal);
    let quotes: Vec<Vec<String>> =
        quotes.iter().map(|quote| pieces(quote)).filter(|pieces| !pieces.is_empty()).collect();
    let unquoted = if quotes.is_empty() {
        let label = normal.split_once(": ").map(|(_, rest)| rest);
        [Some(normal.as_str()), label].into_iter().flatten().map(bare).collect()
    } else {
        unquoted.into_iter().map(|text| bare(&text)).collect()
    };
    Directive { text, quotes, unquoted, is_nothing }
}

/// A text as it is compared: white space, quotation marks and case don't matter.
pub(super) fn comparable(text: &str) -> String {
    normalize(text).to_lowercase()
}

/// A text without what stands around a sentence.
fn bare(text: &str) -> String {
    let edge = |character: char| {
        character.is_whitespace()
            || matches!(character, '.' | '!' | ',' | ';' | ':' | '。' | '！' | '*' | '_')
    };
    text.trim_matches(edge).to_owned()
}

/// A quote's pieces between what was left out or redacted.
fn pieces(quote: &str) -> Vec<String> {
    let whole = quote.replace("...", "…").replace("[…]", "…");
    let mut pieces = Vec::new();
    for piece in whole.split('…') {
        let mut rest = piece;
        while let Some((before, after)) = rest.split_once("[redacted") {
            pieces.push(bare(before));
            rest = after.split_once(']').map_or("", |(_, after)| after);
        }
        pieces.push(bare(rest));
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// The quotes of a text, and what stands between them.
fn quoted(text: &str) -> (Vec<String>, Vec<String>) {
    const MARKS: [(char, char); 7] =
        [('"', '"'), ('\'', '\''), ('`', '`'), ('«', '»'), ('»', '«'), ('„', '"'), ('「', '」')];
    let (mut quotes, mut between) = (Vec::new(), Vec::new());
    let mut rest = text;
    let mut outside = String::new();
    let mut before: Option<char> = None;
    while let Some(character) = rest.chars().next() {
        let after = rest.get(character.len_utf8()..).unwrap_or_default();
        let mark = MARKS
            .iter()
            .find(|(open, _)| *open == character)
            .filter(|_| !before.is_some_and(char::is_alphanumeric));
        let closed = mark.and_then(|&(_, close)| closing(after, close));
        if let Some(at) = closed {
            quotes.push(after.get(..at).unwrap_or_default().to_owned());
            between.push(std::mem::take(&mut outside));
            rest = after
                .get(at..)
                .and_then(|rest| rest.get(rest.chars().next().map_or(0, char::len_utf8)..))
                .unwrap_or_default();
            before = None;
        } else {
            outside.push(character);
            before = Some(character);
            rest = after;
        }
    }
    between.push(outside);
    (quotes, between)
}

/// Where a quote closes: at a mark that no letter follows, so that an apostrophe is none.
fn closing(text: &str, close: char) -> Option<usize> {
    text.match_indices(close).map(|(at, _)| at).find(|at| {
        let next = text.get(at + close.len_utf8()..).and_then(|rest| rest.chars().next());
        !next.is_some_and(char::is_alphanumeric)
    })
}

/// Whether a phrase stands in a text, at the limits of words.
pub(super) fn holds(text: &str, phrase: &str) -> bool {
    let is_word = |character: char| character.is_ascii_alphanumeric();
    let (opens, closes) = (phrase.starts_with(is_word), phrase.ends_with(is_word));
    !phrase.is_empty()
        && text.match_indices(phrase).any(|(at, found)| {
            let before = text.get(..at).and_then(|text| text.chars().next_back());
            let after = text.get(at + found.len()..).and_then(|text| text.chars().next());
            !(opens && before.is_some_and(is_word) || closes && after.is_some_and(is_word))
        })
}

fn is_telling(phrase: &str) -> bool {
    phrase.chars().count() >= TELLING || phrase.contains(' ')
}

/// Whether a phrase is too long to stand in a tool's text by chance; a path or a name isn't.
fn is_long(phrase: &str, words: usize) -> bool {
    phrase.split(' ').filter(|word| !word.is_empty()).count() >= words
        || (!phrase.is_ascii() && phrase.chars().count() >= words * 3)
}

impl Directive {
    /// What has to be looked for in texts of tools, as far as no human wrote it.
    pub fn phrases(&self, human: &[String]) -> Vec<Phrase> {
        let quotes = self.quotes.iter().flatten().filter(|piece| is_long(piece, QUOTED_WORDS));
        let unquoted = self.unquoted.iter().filter(|text| is_long(text, WORDS));
        let unknown = quotes.chain(unquoted).filter(|phrase| !is_said(human, phrase));
        unknown.map(|text| Phrase { text: text.clone(), in_tools: false }).collect()
    }

    /// The verdict, once its phrases were looked for.
    pub fn verdict(&self, human: &[String], phrases: &[Phrase]) -> Verdict {
        if self.quotes.is_empty() && self.unquoted.iter().any(|text| is_said(human, text)) {
            return Verdict::Said;
        }
        if phrases.iter().any(|phrase| phrase.in_tools) {
            return Verdict::Invented;
        }
        if self.quotes.is_empty() {
            return Verdict::Unverified;
        }
        let has_telling = self.quotes.iter().flatten().any(|piece| is_telling(piece));
        let counts = |piece: &&String| !has_telling || is_telling(piece);
        let is_said = self.quotes.iter().flatten().filter(counts).all(|piece| is_said(human, piece));
        if is_said { Verdict::Said } else { Verdict::Unverified }
    }
}

fn is_said(human: &[String], phrase: &str) -> bool {
    human.iter().any(|text| holds(text, phrase))
}
