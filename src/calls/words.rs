//! The one lexer of shell text: words, quotes, escapes, redirections, here-documents.

use std::iter::Peekable;
use std::str::Chars;

use super::commands::only_looks;

/// A word, without its quotes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    pub text: String,
    /// Whether the shell takes it as it stands here: nothing in it is expanded.
    pub is_literal: bool,
}

impl Word {
    pub fn literal(text: &str) -> Self {
        Self { text: text.to_owned(), is_literal: true }
    }
}

/// What stands between a command and the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Join {
    #[default]
    Sequence,
    And,
    Or,
    Pipe,
}

/// A simple command.
#[derive(Clone, Debug, Default)]
pub struct Command {
    pub words: Vec<Word>,
    /// Where its input comes from.
    pub input: Option<Word>,
    /// Where its output goes to, and whether it is appended.
    pub outputs: Vec<(Word, bool)>,
    /// Files that its errors go to, or its errors and its output alike.
    pub errors: Vec<Word>,
    /// Whether variables are set for it, which may make any command do anything.
    pub has_assignments: bool,
    /// The lines of its here-document.
    pub document: Option<String>,
    pub join: Join,
}

impl Command {
    /// Whether it only looks: it changes no file, and its output reports no change.
    #[must_use]
    pub fn only_looks(&self) -> bool {
        let words: Vec<&str> = self.words.iter().map(|word| word.text.as_str()).collect();
        let mut written = self.outputs.iter().map(|(output, _)| output).chain(&self.errors);
        !self.has_assignments && written.all(|file| file.text == "/dev/null") && only_looks(&words)
    }

    /// The command's name, if it is known.
    pub fn name(&self) -> Option<&str> {
        self.words.first().filter(|word| word.is_literal).map(|word| word.text.as_str())
    }
}

/// A here-document whose lines are still to come.
struct Awaited {
    command: usize,
    end: String,
    has_tabs: bool,
}

struct Lexer<'text> {
    rest: Peekable<Chars<'text>>,
    commands: Vec<Command>,
    current: Command,
    awaited: Vec<Awaited>,
    /// The number before a redirection.
    descriptor: Option<String>,
    /// Whether it goes on behind something that it doesn't understand.
    is_loose: bool,
}

/// The commands of a text; none if something in it isn't understood.
#[inline(never)] // Twice the same is twice the size.
pub fn split(text: &str) -> Option<Vec<Command>> {
    Lexer::new(text, false).run()
}

/// The commands of a text, with those in parentheses and substitutions. Anything that isn't understood ends a command;
/// substitutions within double quotes stay in their word.
#[must_use]
pub fn split_loosely(text: &str) -> Vec<Command> {
    Lexer::new(text, true).run().unwrap_or_default()
}

impl<'text> Lexer<'text> {
    fn new(text: &'text str, is_loose: bool) -> Self {
        Self {
            rest: text.chars().peekable(),
            commands: Vec::new(),
            current: Command::default(),
            awaited: Vec::new(),
            descriptor: None,
            is_loose,
        }
    }

    fn run(mut self) -> Option<Vec<Command>> {
        while let Some(&next) = self.rest.peek() {
            if self.token(next).is_none() {
                if !self.is_loose {
                    return None;
                }
                self.rest.next_if(|next| matches!(next, '(' | ')' | '`'));
                self.end(Join::Sequence);
            }
        }
        self.end(Join::Sequence);
        Some(self.commands)
    }

    fn token(&mut self, next: char) -> Option<()> {
        match next {
            ' ' | '\t' | '\r' => drop(self.rest.next()),
            '\n' => {
                self.rest.next();
                self.end(Join::Sequence);
                self.documents();
            }
            '#' => while self.rest.next_if(|&next| next != '\n').is_some() {},
            ';' | '&' | '|' => return self.operator(next),
            '<' | '>' => return self.redirection(next),
            '(' | ')' | '`' => return None,
            _ => {
                let word = self.word()?;
                let is_number = !word.text.is_empty() && word.text.bytes().all(|byte| byte.is_ascii_digit());
                if is_number && matches!(self.rest.peek(), Some('<' | '>')) {
                    self.descriptor = Some(word.text);
                } else if self.current.words.is_empty() && is_assignment(&word.text) {
                    self.current.has_assignments = true;
                } else {
                    self.current.words.push(word);
                }
            }
        }
        Some(())
    }

    fn operator(&mut self, next: char) -> Option<()> {
        self.rest.next();
        let is_double = self.rest.next_if_eq(&next).is_some();
        match (next, is_double) {
            (';', false) => self.end(Join::Sequence),
            ('&', true) => self.end(Join::And),
            ('|', true) => self.end(Join::Or),
            ('|', false) => {
                self.rest.next_if_eq(&'&');
                self.end(Join::Pipe);
            }
            ('&', false) if self.rest.peek() == Some(&'>') => {}
            _ => return None,
        }
        Some(())
    }

    fn redirection(&mut self, next: char) -> Option<()> {
        self.rest.next();
        let descriptor = self.descriptor.take();
        if self.rest.peek() == Some(&'(') {
            return None;
        }
        if self.rest.next_if_eq(&'&').is_some() {
            let target = self.target()?;
            let is_descriptor = target.text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
            if next == '>' && !is_descriptor {
                self.current.errors.push(target);
            }
            return Some(());
        }
        if next == '>' {
            let adds = self.rest.next_if_eq(&'>').is_some();
            let _ = self.rest.next_if(|&next| next == '|' && !adds);
            let target = self.target()?;
            if descriptor.is_none_or(|descriptor| descriptor == "1") {
                self.current.outputs.push((target, adds));
            } else {
                self.current.errors.push(target);
            }
        } else if self.rest.next_if_eq(&'<').is_none() {
            self.current.input = Some(self.target()?);
        } else if self.rest.next_if_eq(&'<').is_some() {
            self.target()?;
        } else {
            let has_tabs = self.rest.next_if_eq(&'-').is_some();
            let end = self.target()?.text;
            self.awaited.push(Awaited { command: self.commands.len(), end, has_tabs });
        }
        Some(())
    }

    /// The word behind a redirection.
    fn target(&mut self) -> Option<Word> {
        while self.rest.next_if(|&next| next == ' ' || next == '\t').is_some() {}
        self.word().filter(|word| !word.text.is_empty())
    }

    fn end(&mut self, join: Join) {
        let mut command = std::mem::take(&mut self.current);
        command.join = join;
        let is_awaiting = self.awaited.last().is_some_and(|awaited| awaited.command == self.commands.len());
        if !command.words.is_empty() || !command.outputs.is_empty() || is_awaiting {
            self.commands.push(command);
        } else if join == Join::Sequence
            && let Some(last) = self.commands.last_mut()
            && last.join == Join::Pipe
        {
            // A line may end behind a pipe; what stands on the next line is another matter.
            last.join = Join::Sequence;
        }
    }

    /// Reads the here-documents that the line before announced.
    fn documents(&mut self) {
        for awaited in std::mem::take(&mut self.awaited) {
            let mut document = String::new();
            while self.rest.peek().is_some() {
                let line: String = std::iter::from_fn(|| self.rest.next_if(|&next| next != '\n')).collect();
                self.rest.next();
                let bare = if awaited.has_tabs { line.trim_start_matches('\t') } else { &line };
                if bare.trim_end_matches('\r') == awaited.end {
                    break;
                }
                document.push_str(bare);
                document.push('\n');
            }
            if let Some(command) = self.commands.get_mut(awaited.command) {
                command.document = Some(document);
            }
        }
    }

    /// A word up to what ends it.
    fn word(&mut self) -> Option<Word> {
        let mut word = Word { text: String::new(), is_literal: true };
        while let Some(next) = self.rest.next_if(|next| !" \t\r\n;&|()<>`".contains(*next)) {
            match next {
                '\'' => self.quoted(&mut word)?,
                '"' => self.quoted_twice(&mut word)?,
                '\\' => match self.rest.next()? {
                    '\n' => {}
                    '\r' if self.rest.next_if_eq(&'\n').is_some() => {}
                    // Nobody escapes a letter; it is a path of another system.
                    escaped => {
                        word.is_literal &= !escaped.is_alphanumeric();
                        word.text.push(escaped);
                    }
                },
                '$' => {
                    if !self.is_loose && matches!(self.rest.peek(), Some('(' | '\'' | '"')) {
                        return None;
                    }
                    word.is_literal = false;
                    word.text.push(next);
                }
                _ => {
                    let is_special = matches!(next, '*' | '?' | '{') || (next == '~' && word.text.is_empty());
                    word.is_literal &= !is_special;
                    word.text.push(next);
                }
            }
        }
        (self.is_loose || self.rest.peek() != Some(&'`')).then_some(word)
    }

    fn quoted(&mut self, word: &mut Word) -> Option<()> {
        loop {
            match self.rest.next() {
                Some('\'') => return Some(()),
                Some(next) => word.text.push(next),
                None => return self.is_loose.then_some(()),
            }
        }
    }

    fn quoted_twice(&mut self, word: &mut Word) -> Option<()> {
        loop {
            let Some(next) = self.rest.next() else { return self.is_loose.then_some(()) };
            match next {
                '"' => return Some(()),
                '`' if !self.is_loose => return None,
                '$' if !self.is_loose && self.rest.peek() == Some(&'(') => return None,
                '$' => {
                    word.is_literal = false;
                    word.text.push('$');
                }
                '\\' => match self.rest.next()? {
                    '\n' => {}
                    escaped @ ('$' | '`' | '"' | '\\') => word.text.push(escaped),
                    other => word.text.extend(['\\', other]),
                },
                next => word.text.push(next),
            }
        }
    }
}

/// `NAME=value` before a command.
pub fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}
