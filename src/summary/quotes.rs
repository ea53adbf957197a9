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
/// The text of an empty section.
const NOTHING: &[&str] =
    &["none", "(none)", "n/a", "nothing", "no directives", "keine", "aucune", "ninguna", "なし", "无", "нет"];

/// What may stand around the user's words to say whose they are, and what about: nothing that could be an order.
#[rustfmt::skip]
const LABELS: &[&str] = &[
    "a", "about", "again", "added", "all", "and", "as", "asked", "at", "beginning", "by", "clarification",
    "clarified", "code", "commit", "commits", "constraint", "constraints", "conversation", "corrected",
    "correction", "directive", "earlier", "emphasized", "end", "exact", "exactly", "explicit", "explicitly",
    "feedback", "first", "for", "format", "from", "goal", "he", "human", "in", "initial", "insisted",
    "instructed", "instruction", "instructions", "language", "last", "later", "latest", "mentioned",
    "message", "messages", "naming", "newest", "note", "noted", "on", "original", "preference", "preferences",
    "preferred", "quote", "quoted", "reminded", "reminder", "repeated", "reply", "request", "requested",
    "requests", "required", "requirement", "requirements", "rule", "rules", "said", "says", "scope", "second",
    "she", "specified", "standing", "start", "stated", "states", "style", "task", "tasks", "test", "testing",
    "tests", "that", "the", "their", "them", "then", "they", "third", "this", "to", "told", "turn", "user",
    "user's", "verbatim", "wants", "was", "wish", "with", "word", "words", "wrote",
    "anweisung", "auftrag", "benutzer", "der", "die", "nutzer", "sagte", "sprache", "stil", "utilisateur",
    "usuario",
];
/// So many words a label has at most.
const LABEL_WORDS: usize = 6;
/// This many words that are not the user's are a mere label.
const MERE_WORDS: usize = 3;
/// So many words in front of what stands in a tool's text hide nothing.
const SKIPPED_WORDS: usize = 2;

/// What is thought of a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The user said it.
    Said,
    /// The user said a part of it: [`Directive::said`].
    Partly,
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
    /// The whole line, as it is compared.
    whole: String,
    /// What claims to be the user's words: the quotes, or what follows a label.
    quotes: Vec<Quote>,
    /// What stands around them, piece by piece.
    around: Vec<String>,
    /// Whether there are quotation marks.
    is_quoted: bool,
    /// Whether it says that there is nothing to say.
    pub is_nothing: bool,
}

/// A quote as it stands, and its pieces as they are compared.
#[derive(Clone, Debug)]
struct Quote {
    text: String,
    pieces: Vec<String>,
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
    let mut directive = Directive {
        text,
        whole: String::new(),
        quotes: Vec::new(),
        around: Vec::new(),
        is_quoted: false,
        is_nothing,
    };
    if is_nothing || directive.text.len() > LONGEST {
        return directive;
    }
    let normal = normalize(bullet(&directive.text).unwrap_or(&directive.text));
    directive.whole = bare(&normal.to_lowercase());
    let (quotes, around) = quoted(&normal);
    let quotes = quotes.into_iter().map(|text| Quote { pieces: pieces(&text.to_lowercase()), text });
    directive.quotes = quotes.filter(|quote| !quote.pieces.is_empty()).collect();
    directive.is_quoted = !directive.quotes.is_empty();
    let around = if directive.is_quoted {
        around
    } else if let Some((label, rest)) = normal.split_once(": ") {
        let rest = bare(rest);
        directive.quotes.push(Quote { pieces: vec![rest.to_lowercase()], text: rest });
        vec![label.to_owned()]
    } else {
        Vec::new()
    };
    directive.around = around.into_iter().map(|text| bare(&text.to_lowercase())).collect();
    directive
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
    places(text, phrase).next().is_some()
}

/// Where a phrase stands in a text, at the limits of words.
fn places<'text>(text: &'text str, phrase: &'text str) -> impl Iterator<Item = usize> {
    let is_word = |character: char| character.is_ascii_alphanumeric();
    let (opens, closes) = (phrase.starts_with(is_word), phrase.ends_with(is_word));
    let found = text.match_indices(phrase).filter(move |(at, found)| {
        let before = text.get(..*at).and_then(|text| text.chars().next_back());
        let after = text.get(at + found.len()..).and_then(|text| text.chars().next());
        !(found.is_empty() || opens && before.is_some_and(is_word) || closes && after.is_some_and(is_word))
    });
    found.map(|(at, _)| at)
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
        let words = if self.is_quoted { QUOTED_WORDS } else { WORDS };
        let quotes = self.quotes.iter().flat_map(|quote| &quote.pieces).map(String::as_str);
        let quotes = quotes.filter(|piece| is_long(piece, words));
        let all = || self.around.iter().chain([&self.whole]).map(String::as_str);
        let clauses = all().flat_map(|text| text.split([':', ';', ',']).map(str::trim));
        let others = all().chain(clauses).flat_map(without_first_words);
        let unknown = quotes.chain(others.filter(|text| is_long(text, WORDS)));
        let unknown = unknown.filter(|phrase| !is_said(human, phrase));
        unknown.map(|text| Phrase { text: text.to_owned(), in_tools: false }).collect()
    }

    /// The verdict, once its phrases were looked for.
    pub fn verdict(&self, human: &[String], phrases: &[Phrase]) -> Verdict {
        if is_meant(human, &self.whole) {
            return Verdict::Said;
        }
        if phrases.iter().any(|phrase| phrase.in_tools) {
            return Verdict::Invented;
        }
        let has_telling = self.telling().next().is_some();
        let pieces = self.quotes.iter().flat_map(|quote| &quote.pieces);
        let mut pieces = pieces.filter(|piece| !has_telling || is_telling(piece)).peekable();
        if pieces.peek().is_none() || !pieces.all(|piece| is_meant(human, piece)) {
            return Verdict::Unverified;
        }
        let has_quote = self.is_quoted || has_telling;
        match self.is_labelled() {
            true if has_quote => Verdict::Said,
            false if has_telling => Verdict::Partly,
            _ => Verdict::Unverified,
        }
    }

    /// The user's own part of a directive that is [`Verdict::Partly`] theirs.
    pub fn said(&self) -> String {
        let quotes: Vec<String> = self.telling().map(|quote| ["\"", &quote.text, "\""].concat()).collect();
        ["- ", &quotes.join(" ")].concat()
    }

    /// Whether what else it says is worth keeping.
    pub fn says_more(&self) -> bool {
        words(&self.around).count() > MERE_WORDS
    }

    fn telling(&self) -> impl Iterator<Item = &Quote> {
        self.quotes.iter().filter(|quote| quote.pieces.iter().any(|piece| is_telling(piece)))
    }

    /// Whether what stands around the quotes only says whose they are.
    fn is_labelled(&self) -> bool {
        let is_known = |word: &str| LABELS.contains(&word) || word.chars().all(|sign| sign.is_ascii_digit());
        words(&self.around).count() <= LABEL_WORDS && words(&self.around).all(is_known)
    }
}

/// The words of some texts, without the signs around them.
fn words(texts: &[String]) -> impl Iterator<Item = &str> {
    let all = texts.iter().flat_map(|text| text.split_whitespace());
    all.map(|word| word.trim_matches(|sign: char| !sign.is_alphanumeric())).filter(|word| !word.is_empty())
}

/// A text with and without its first words, which may continue the text before.
fn without_first_words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text.trim_start_matches(|sign: char| !sign.is_alphanumeric()));
    (0..=SKIPPED_WORDS).map_while(move |_| {
        let text = rest?;
        rest = text.split_once(' ').map(|(_, rest)| rest);
        Some(text)
    })
}

/// Words that turn what follows them in a clause into its opposite.
#[rustfmt::skip]
const NEGATIONS: &[&str] = &[
    "not", "never", "no", "without", "cannot", "refrain", "avoid", "stop", "wrong", "forbidden", "prohibited", "instead",
    "rather", "against", "neither", "nor", "nicht", "nie", "niemals", "kein", "keine", "keinen", "ohne", "pas", "jamais",
    "nunca", "sin", "не",
];
/// The same in scripts without blanks.
const NEGATING: &[&str] = &["不", "别", "勿", "禁止", "没"];
/// So many words before a quote may negate it.
const NEGATING_WORDS: usize = 8;

/// Whether a human said a phrase, and not its opposite: "touch it" of "never touch it" is none of their words.
fn is_meant(human: &[String], phrase: &str) -> bool {
    human.iter().any(|text| places(text, phrase).any(|at| !is_negated(text.get(..at).unwrap_or_default())))
}

/// Whether what stands before a quote negates it, in the same clause.
fn is_negated(before: &str) -> bool {
    let is_end = |sign| {
        matches!(sign, '.' | '!' | '?' | ';' | ':' | ',' | '(' | '"' | '。' | '！' | '，' | '；' | '：')
    };
    let clause = before.rsplit(is_end).next().unwrap_or_default();
    let mut words = clause.split(' ').rev().filter(|word| !word.is_empty()).take(NEGATING_WORDS);
    // A list's mark begins a clause: line ends are blanks here.
    let mut words = words.by_ref().take_while(|word| !matches!(*word, "-" | "*" | "•"));
    words.any(|word| {
        let bare = word.trim_matches(|sign: char| !sign.is_alphanumeric());
        NEGATIONS.contains(&bare) || bare.ends_with("n't") || NEGATING.iter().any(|sign| bare.contains(sign))
    })
}

fn is_said(human: &[String], phrase: &str) -> bool {
    human.iter().any(|text| holds(text, phrase))
}
