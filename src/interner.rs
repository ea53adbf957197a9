//! Texts by number: each is kept once.

use std::sync::Arc;

use crate::scatter::Numbers;

/// Distinct texts, numbered from 0 in the order in which they came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interner {
    numbers: Numbers<Arc<str>>,
    texts: Vec<Arc<str>>,
    text_bytes: usize,
}

impl Interner {
    /// A text's number, and whether it is new.
    pub fn add(&mut self, text: &str) -> (u32, bool) {
        if let Some(number) = self.number(text) {
            return (number, false);
        }
        let number = self.len();
        let text: Arc<str> = text.into();
        self.text_bytes += text.len();
        self.texts.push(Arc::clone(&text));
        self.numbers.insert(text, number);
        (number, true)
    }

    /// The number of a text that came before.
    pub fn number(&self, text: &str) -> Option<u32> {
        self.numbers.get(text).copied()
    }

    /// The text with a number.
    pub fn text(&self, number: u32) -> Option<&str> {
        self.texts.get(number as usize).map(AsRef::as_ref)
    }

    /// How many texts there are.
    pub fn len(&self) -> u32 {
        u32::try_from(self.texts.len()).unwrap_or(u32::MAX)
    }

    /// The texts, by their numbers.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(AsRef::as_ref)
    }

    /// Bytes held, approximately.
    pub fn bytes(&self) -> usize {
        self.text_bytes
            + self.numbers.capacity() * size_of::<(Arc<str>, u32)>()
            + self.texts.capacity() * size_of::<Arc<str>>()
    }
}
