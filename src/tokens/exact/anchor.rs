//! Places within a long piece where counting a growing text can resume.
//!
//! Tokens are a piece's encoding exactly if each two neighbours are the encoding of their own bytes. So if the bytes
//! behind a place, encoded by themselves, begin with the token that began there before, the tokens before it stay.

use super::classes::Class;
use super::{Encoding, Tokenizer};

/// Where the tokens of a text that is one piece may be taken up again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// How many tokens there are before it.
    pub tokens: u32,
    /// Where it is, in bytes.
    pub at: usize,
    /// The token that begins there.
    pub token: u32,
}

impl Tokenizer {
    /// The last place at least so many bytes before the end of a text that is one piece so far; none where what
    /// follows might be split another way if the text began there.
    pub fn anchor(&mut self, text: &str, window: usize) -> Option<Anchor> {
        let bytes = text.as_bytes();
        let last = bytes.len().checked_sub(window.max(1))?;
        let class = self.class_of_run(text)?;
        if self.next_end(bytes, 0, true) != Some(bytes.len()) {
            return None;
        }
        let (mut found, mut tokens) = (None, 0);
        let (classes, merges) = (&self.classes, &mut self.merges);
        let begins_run = |at: usize| {
            let next = text.get(at..).and_then(|rest| rest.chars().next());
            next.is_some_and(|next| classes.of(u32::from(next)) == class)
        };
        merges.each_token(bytes, |token, at| {
            if at > 0 && at <= last && begins_run(at) {
                found = Some(Anchor { tokens, at, token });
            }
            tokens += 1;
        });
        found
    }

    /// The tokens of a text that goes on from an anchor; none if what came has changed the tokens before it.
    pub fn count_on(&mut self, text: &str, token: u32) -> Option<u64> {
        self.count_on_utf8(text.as_bytes(), token)
    }

    /// The same in UTF-8.
    #[doc(hidden)]
    pub fn count_on_utf8(&mut self, text: &[u8], token: u32) -> Option<u64> {
        let end = self.next_end(text, 0, true)?;
        let (mut first, mut tokens) = (None, 0);
        self.merges.each_token(text.get(..end)?, |found, at| {
            if at == 0 {
                first = Some(found);
            }
            tokens += 1;
        });
        let (others, _) = self.count_pieces(text.get(end..)?, true);
        (first == Some(token)).then_some(tokens + others)
    }

    /// The class of all characters behind the first one, if a text that begins with one of them is split as this one
    /// goes on: what comes before them must not matter.
    fn class_of_run(&self, text: &str) -> Option<Class> {
        let is_cased = self.encoding == Encoding::O200kBase;
        let alike = |class| if is_cased && class == Class::Mark { Class::OtherLetter } else { class };
        let mut characters = text.chars().map(|character| self.classes.of(u32::from(character)));
        let first = characters.next()?;
        let mut rest = characters.map(alike);
        let class = rest.next()?;
        let is_led = match class {
            Class::Upper | Class::Lower | Class::OtherLetter => first.may_lead(),
            Class::Other | Class::Newline => first == Class::Space,
            Class::Space => false,
            Class::Mark | Class::Number => return None,
        };
        ((is_led || alike(first) == class) && rest.all(|other| other == class)).then_some(class)
    }
}
