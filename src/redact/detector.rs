//! Whether a text holds anything to redact, in one pass over chunks that are small enough for a cache.

use super::scan;

/// Looks at a text that comes in chunks, cut between any characters.
///
/// Most texts hold no credential: then nothing has to be kept of them but the line that isn't complete
/// yet. Rules that look across lines count as found at their first line: that of a private key, or of a name
/// whose value stands below.
#[derive(Clone, Debug, Default)]
pub struct Detector {
    /// The line that isn't complete yet.
    line: String,
    has_found: bool,
}

/// A line that needed more room than this gives it back.
const LASTING_ROOM: usize = 1 << 18;

impl Detector {
    /// A detector at the start of a text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next chunk.
    pub fn push(&mut self, chunk: &str) {
        if self.has_found {
            return;
        }
        let Some(line_end) = chunk.rfind('\n') else {
            self.line.push_str(chunk);
            return;
        };
        let (lines, rest) = chunk.split_at(line_end + 1);
        if self.line.is_empty() {
            self.has_found = scan::has_event(lines.as_bytes());
        } else {
            self.line.push_str(lines);
            self.look();
        }
        self.line.push_str(rest);
    }

    /// Whether [`redact`](super::redact) may change the text, which ends here. The detector is then at
    /// the start of a new one.
    pub fn finish(&mut self) -> bool {
        self.look();
        if self.line.capacity() > LASTING_ROOM {
            self.line = String::new();
        }
        std::mem::take(&mut self.has_found)
    }

    fn look(&mut self) {
        self.has_found = self.has_found || scan::has_event(self.line.as_bytes());
        self.line.clear();
    }
}
