//! Images and files that come again: of those that hold the same bytes, or name the same place, the newest stays.

use super::rule::{Context, Rule, Setup};
use super::table::Table;
use crate::edit::RuleName;
use crate::options::Preset;
use crate::tokens::estimate::media_tokens;
use crate::view::{Kind, Leaf, NONE, Speaker, View, flags};

/// What costs fewer tokens isn't worth a pointer, which costs about half as many.
const LEAST: u32 = 20;

/// The newest media, by what they hold.
#[derive(Clone, Debug, Default)]
pub struct RepeatedMedia {
    /// For each, the block in a user message and the block in a result, and the run in which each stood.
    newest: Table,
    /// The content of the medium that came last.
    last: u32,
    /// The number of its run: media in a row with the same content.
    run: u32,
    is_strict: bool,
}

impl Rule for RepeatedMedia {
    const NAME: RuleName = RuleName::RepeatedMedia;
    const PRESETS: &'static [Preset] = &[Preset::Lossless, Preset::Balanced, Preset::Aggressive];

    fn new(setup: &Setup<'_>) -> Self {
        Self { is_strict: setup.is_strict(), ..Self::default() }
    }

    // Media of the user go only if the user shows them again: results may go.
    fn see_block(&mut self, context: &mut Context<'_>, index: u32, is_decided: bool) {
        let Context { view, editor, source, .. } = context;
        let new = *view.block(index);
        if new.kind != Kind::Media {
            return;
        }
        if new.call == 0 || self.last != new.call {
            self.run += 1;
        }
        self.last = new.call;
        if new.call == 0 {
            return;
        }
        let known = self.newest.at(u64::from(new.call));
        known.resize(4, NONE);
        let [shown, given, shown_run, given_run] = known.as_mut_slice() else { return };
        let runs = [*shown_run, *given_run];
        let older = match view.unit(new.unit).speaker {
            Speaker::Human => {
                *shown_run = self.run;
                [std::mem::replace(shown, index), std::mem::replace(given, NONE)]
            }
            Speaker::Tool => {
                *given_run = self.run;
                [NONE, std::mem::replace(given, index)]
            }
            _ => return,
        };
        // What stands beside the bytes is shown to the model, too: a file's name, a caption.
        let said_of = |view: &View, index| view.text(*source, index, Leaf::Detail);
        for (old, run) in older.into_iter().zip(runs).filter(|&(old, _)| old != NONE && !is_decided) {
            // If other media stand in between, "again later" might mean one of them.
            if self.is_strict && run != self.run {
                continue;
            }
            if said_of(view, old) != said_of(view, index) {
                continue;
            }
            let block = *view.block(old);
            let mime = view.text(*source, old, Leaf::KeyParameter);
            let is_known = block.has(flags::TOKENS);
            if (if is_known { block.size } else { media_tokens(&mime, block.size) }) >= LEAST {
                let is_image = mime.starts_with("image");
                let pointer = if is_image {
                    "[… the same image: again later]"
                } else {
                    "[… the same file: again later]"
                };
                let pointer = editor.add_text(pointer.to_owned());
                editor.set_text(view, old, pointer, None, (Self::NAME, new.unit));
            }
        }
    }

    fn bytes(&self) -> usize {
        self.newest.bytes()
    }
}
