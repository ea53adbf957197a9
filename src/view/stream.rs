//! The integer stream in which the facade describes new units.
//!
//! ```text
//! stream   = VERSION, unit*
//! unit     = speaker | flags << 8, blocks, tokens + 1 (0: not given), time (seconds since 1970, 0: unknown), block*
//! block    = kind | flags << 8, size, atom                           for most kinds; of an opaque block
//!                                                                    the tokens of the images in it
//!          | …, call, tool, paths, path*                             for a tool call
//!          | …, call, tool                                           for a tool response
//!          | …, bytes                                                for media
//! ```
//! Sizes count UTF-16 code units; calls, tools, paths and the bytes of media are interned numbers (0: none).

use super::{Block, Kind, Speaker, ToolId, View, flags};
use crate::error::{Error, ErrorCode};

/// The version of the stream; the facade writes it and the core refuses any other.
pub const VERSION: u32 = 3;

/// Numbers of the speakers in the stream.
pub const SPEAKERS: [Speaker; 4] = [Speaker::Human, Speaker::Ai, Speaker::Tool, Speaker::Other];

/// Numbers of the kinds in the stream.
pub const KINDS: [Kind; 7] =
    [Kind::Opaque, Kind::Text, Kind::ToolCall, Kind::ToolResponse, Kind::Media, Kind::Thinking, Kind::Code];

struct Reader<'words> {
    words: std::slice::Iter<'words, u32>,
}

impl Reader<'_> {
    fn next(&mut self) -> Result<u32, Error> {
        self.words.next().copied().ok_or_else(|| invalid("the stream ends inside a unit"))
    }
}

fn invalid(what: &str) -> Error {
    Error::new(ErrorCode::InvalidStream, format!("{what}; facade and core are of different versions"))
}

/// The units of a stream, which are added to a view one by one.
pub struct Units<'words> {
    reader: Reader<'words>,
    paths: Vec<u32>,
}

impl<'words> Units<'words> {
    /// The units of a stream.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidStream`] if the stream is of another version.
    pub fn new(words: &'words [u32]) -> Result<Self, Error> {
        let mut reader = Reader { words: words.iter() };
        if reader.next()? == VERSION {
            Ok(Self { reader, paths: Vec::new() })
        } else {
            Err(invalid("the stream isn't of version 3"))
        }
    }

    /// The speaker of the next unit if that begins a message; the stream may end here, or be cut off.
    #[must_use]
    pub fn next_speaker(&self) -> Option<Speaker> {
        let head = *self.reader.words.as_slice().first()?;
        let begins = (head >> 8) & flags::CONTINUES == 0;
        SPEAKERS.get((head & 0xff) as usize).copied().filter(|_| begins)
    }

    /// Adds the next unit; whether there was one.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidStream`] if the stream is cut off.
    pub fn push_next(&mut self, view: &mut View) -> Result<bool, Error> {
        if self.reader.words.len() == 0 {
            return Ok(false);
        }
        read_unit(view, &mut self.reader, &mut self.paths)?;
        Ok(true)
    }
}

/// Adds the units of a stream to a view.
///
/// # Errors
/// [`ErrorCode::InvalidStream`] if the stream is of another version or cut off.
pub fn push_stream(view: &mut View, words: &[u32]) -> Result<(), Error> {
    let mut units = Units::new(words)?;
    while units.push_next(view)? {}
    Ok(())
}

fn read_unit(view: &mut View, reader: &mut Reader<'_>, paths: &mut Vec<u32>) -> Result<(), Error> {
    let head = reader.next()?;
    let blocks = reader.next()?;
    let tokens = reader.next()?.checked_sub(1);
    let speaker = SPEAKERS.get((head & 0xff) as usize).copied();
    let speaker = speaker.ok_or_else(|| invalid("the stream names an unknown speaker"))?;
    let unit = view.push_unit(speaker, head >> 8, tokens);
    view.stamp(reader.next()?);
    for _ in 0..blocks {
        paths.clear();
        let block = read_block(unit, reader, paths)?;
        view.push_block(block, paths);
    }
    Ok(())
}

fn read_block(unit: u32, reader: &mut Reader<'_>, paths: &mut Vec<u32>) -> Result<Block, Error> {
    let head = reader.next()?;
    let kind = KINDS.get((head & 0xff) as usize).copied();
    let kind = kind.ok_or_else(|| invalid("the stream names an unknown kind of block"))?;
    let mut block = Block::new(unit, kind, head >> 8, reader.next()?);
    block.atom = reader.next()?;
    if matches!(kind, Kind::ToolCall | Kind::ToolResponse | Kind::Media) {
        block.call = reader.next()?;
    }
    if matches!(kind, Kind::ToolCall | Kind::ToolResponse) {
        block.tool = ToolId(reader.next()?);
    }
    if kind == Kind::ToolCall {
        let count = reader.next()?;
        for _ in 0..count {
            paths.push(reader.next()?);
        }
    }
    Ok(block)
}
