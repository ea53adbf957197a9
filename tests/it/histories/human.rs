//! What users say, and the files that they include.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::Manner;

/// A part of a human entry.
#[derive(Clone, Debug)]
pub enum Said {
    /// A block of text, with pieces one after the other.
    Text(Vec<Piece>),
    /// A picture.
    Media,
    /// An empty block of text.
    Empty,
}

/// A part of a text.
#[derive(Clone, Debug)]
pub struct Piece {
    what: What,
    path: &'static str,
    end: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum What {
    Words,
    Inclusion,
    /// An inclusion with lines in it that look like markers.
    Nested,
    Opening,
    Closing,
    /// What looks like a marker and is none.
    Fake,
}

const PATHS: &[&str] =
    &["a.ts", "./a.ts", "b.ts", "/w/a.ts", "sub dir/c.ts", "文/件.rs", "😀.md", "__proto__"];

pub fn said(manner: Manner) -> BoxedStrategy<Said> {
    let text = proptest::collection::vec(piece(manner), 1..5).prop_map(Said::Text);
    match manner {
        Manner::WellFormed => prop_oneof![12 => text, 1 => Just(Said::Media)].boxed(),
        Manner::Any => prop_oneof![12 => text, 1 => Just(Said::Media), 1 => Just(Said::Empty)].boxed(),
    }
}

fn piece(manner: Manner) -> impl Strategy<Value = Piece> {
    let what = match manner {
        Manner::WellFormed => prop_oneof![2 => Just(What::Words), 3 => Just(What::Inclusion)].boxed(),
        Manner::Any => prop_oneof![
            4 => Just(What::Words),
            8 => Just(What::Inclusion),
            2 => Just(What::Nested),
            1 => Just(What::Opening),
            1 => Just(What::Closing),
            1 => Just(What::Fake),
        ]
        .boxed(),
    };
    let end = match manner {
        Manner::WellFormed => prop_oneof![6 => Just("\n"), 2 => Just("\r\n")].boxed(),
        Manner::Any => prop_oneof![6 => Just("\n"), 2 => Just("\r\n"), 1 => Just("")].boxed(),
    };
    (what, proptest::sample::select(PATHS), end).prop_map(|(what, path, end)| Piece { what, path, end })
}

impl Piece {
    fn text(&self) -> String {
        let Self { what, path, end } = self;
        // A missing line end is a matter of the last line only.
        let inner = if end.is_empty() { "\n" } else { end };
        let closing = "--- End of content ---";
        match what {
            What::Words => format!("Bitte: 直して 😀 ok{end}"),
            What::Inclusion => format!("--- {path} ---{inner}let ñ = '😀';{inner}{closing}{end}"),
            What::Nested => format!("--- {path} ---{inner}--- b.ts ---{inner}--- x{inner}{closing}{end}"),
            What::Opening => format!("--- {path} ---{end}"),
            What::Closing => format!("{closing}{end}"),
            What::Fake => format!(" --- {path} ---{inner}{closing} {inner}--- ---{inner}---{end}"),
        }
    }
}

pub fn entry(said: &[Said]) -> Value {
    let block = |said: &Said| match said {
        Said::Text(pieces) => {
            json!({"type": "text", "text": pieces.iter().map(Piece::text).collect::<String>()})
        }
        Said::Media => {
            json!({"type": "media", "mimeType": "image/png", "data": "iVBORw0KGgo=", "encoding": "base64"})
        }
        Said::Empty => json!({"type": "text", "text": ""}),
    };
    json!({"speaker": "human", "blocks": said.iter().map(block).collect::<Vec<_>>()})
}
