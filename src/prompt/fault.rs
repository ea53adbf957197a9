//! What a model is told when its reply can't be used: exactly what is missing, and nothing else.

use super::Framing;
use super::todo::one_line;

/// What is wrong with a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault<'text> {
    /// It holds nothing.
    Empty,
    /// It holds no complete snapshot, or no `## Goal`.
    Incomplete,
    /// It ends in the middle of a tag or of a section.
    CutOff,
    /// It isn't smaller than what it replaces.
    NotSmaller {
        /// Its size, in tokens.
        tokens: u64,
        /// The size that it must stay below.
        limit: u64,
    },
    /// It holds the syntax of a tool call.
    ProtocolJunk,
    /// A directive that the user never gave: it stands only in tools' results.
    InventedDirective(&'text str),
    /// A section isn't there.
    MissingSection(&'text str),
    /// Something else, in a sentence that says what to do.
    Other(&'text str),
}

/// The instruction that follows a faulty reply: the fault, and the correction to send. Without a framing the prompt
/// was the caller's own, and so is the reply's form.
#[must_use]
pub fn repair(framing: Option<Framing>, faults: &[Fault<'_>], language: Option<&str>) -> String {
    let mut text = include_str!("text/repair.md").to_owned();
    for fault in faults {
        text.push_str("\n- ");
        text.push_str(&sentence(framing, *fault));
    }
    text.push_str("\n\n");
    text.push_str(match framing {
        None => include_str!("text/repair-override.md"),
        Some(Framing::Structured) => include_str!("text/repair-structured.md"),
        Some(Framing::MiddleOut | Framing::OneShot) => include_str!("text/repair-snapshot.md"),
    });
    text.truncate(text.trim_end().len());
    if language.is_some() {
        text.push('\n');
        text.push_str(super::render::language_rule(language).trim_end());
    }
    text
}

fn sentence(framing: Option<Framing>, fault: Fault<'_>) -> String {
    let is_structured = framing == Some(Framing::Structured);
    let text = match fault {
        Fault::Empty => include_str!("text/faults/empty.md"),
        Fault::Incomplete if is_structured => include_str!("text/faults/incomplete-structured.md"),
        Fault::Incomplete => include_str!("text/faults/incomplete-snapshot.md"),
        Fault::CutOff => include_str!("text/faults/cut-off.md"),
        Fault::NotSmaller { .. } => include_str!("text/faults/not-smaller.md"),
        Fault::ProtocolJunk => include_str!("text/faults/protocol-junk.md"),
        Fault::InventedDirective(_) => include_str!("text/faults/invented-directive.md"),
        Fault::MissingSection(_) if is_structured => {
            include_str!("text/faults/missing-section-structured.md")
        }
        Fault::MissingSection(_) => include_str!("text/faults/missing-section-snapshot.md"),
        Fault::Other(sentence) => return one_line(sentence),
    };
    let text = text.trim_end();
    match fault {
        Fault::NotSmaller { tokens, limit } => {
            text.replace("{tokens}", &tokens.to_string()).replace("{limit}", &limit.to_string())
        }
        Fault::InventedDirective(line) => text.replace("{line}", &one_line(line)),
        Fault::MissingSection(name) => text.replace("{name}", name),
        _ => text.to_owned(),
    }
}
