//! Texts: prompts and their places.

use std::borrow::Cow;
use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use super::super::host::with_chunk;
use super::super::{parse, throw};
use crate::error::Error;
use crate::options::{FromOptions, Reader};
use crate::prompt::{self, Framing, PromptOptions, Todo};
use crate::redact::{Detector, redact};
use crate::summary::files::{self, FileOperations};

/// Options of the prompts, as JSON.
struct PromptSettings {
    framing: Framing,
    language: Option<String>,
    previous: bool,
    todos: bool,
    append: bool,
}

impl FromOptions for PromptSettings {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let framing = reader.text("framing")?.ok_or_else(|| reader.missing("framing"))?;
        Ok(Self {
            framing: Framing::named(&framing)?,
            language: reader.text("language")?,
            previous: reader.boolean("previous")?.unwrap_or(false),
            todos: reader.boolean("todos")?.unwrap_or(false),
            append: reader.boolean("append")?.unwrap_or(false),
        })
    }
}

/// The prompt of a framing, which is one of the options.
///
/// # Errors
/// `invalid-options`.
#[wasm_bindgen(js_name = compressionPrompt)]
pub fn compression_prompt(options: &str) -> Result<String, JsValue> {
    let PromptSettings { framing, language, previous, todos, append } = parse(options)?;
    let options = PromptOptions { language: language.as_deref(), previous, todos, append };
    Ok(prompt::compression_prompt(framing, &options))
}

/// Todo items, as JSON.
struct TodoSettings {
    todos: Vec<Todo>,
}

impl FromOptions for TodoSettings {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let todos = reader.take("todos", "a list of todo items", |value| Some(value.clone()))?;
        let todos = todos.map_or(Ok(Vec::new()), |list| Todo::read_list("todos", &list))?;
        Ok(Self { todos })
    }
}

/// Todo items, the only option, as text; nothing if there are none.
///
/// # Errors
/// `invalid-options`.
#[wasm_bindgen(js_name = todoContext)]
pub fn todo_context(todos: &str) -> Result<Option<String>, JsValue> {
    let TodoSettings { todos } = parse(todos)?;
    Ok(prompt::todo_context(&todos))
}

/// The paths of the prompts that may replace a built-in one, the most specific first.
///
/// # Errors
/// `invalid-path`.
#[wasm_bindgen(js_name = promptCandidates)]
#[allow(clippy::needless_pass_by_value)] // borrowed options don't cross
pub fn prompt_candidates(
    name: &str,
    provider: Option<String>,
    model: Option<String>,
) -> Result<Vec<String>, JsValue> {
    prompt::candidates(name, provider.as_deref(), model.as_deref()).map_err(throw)
}

/// A prompt that the host found, without blank lines around it.
///
/// # Errors
/// `invalid-prompt`.
#[wasm_bindgen(js_name = checkOverride)]
pub fn check_override(path: &str, text: &str) -> Result<String, JsValue> {
    prompt::check_override(path, text).map(str::to_owned).map_err(throw)
}

/// File operations, as JSON.
struct GivenOperations(FileOperations);

impl FromOptions for GivenOperations {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let mut list = |key| reader.texts(key).map(Option::unwrap_or_default);
        Ok(Self(FileOperations { read: list("read")?, written: list("written")?, edited: list("edited")? }))
    }
}

/// The lists of files as they stand behind a summary.
///
/// # Errors
/// `invalid-options`.
#[wasm_bindgen(js_name = formatFileOperations)]
pub fn format_file_operations(operations: &str) -> Result<String, JsValue> {
    let GivenOperations(operations) = parse(operations)?;
    Ok(files::format_file_operations(&operations))
}

thread_local! {
    static DETECTOR: RefCell<Detector> = RefCell::default();
    static ROOM: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Takes the next chunk of a text, so many bytes of the buffer. At the text's end it says whether there may
/// be anything to redact.
#[wasm_bindgen]
#[must_use]
pub fn detect(bytes: usize, is_last: bool) -> bool {
    DETECTOR.with_borrow_mut(|detector| {
        with_chunk(bytes, &mut |chunk| detector.push(chunk));
        is_last && detector.finish()
    })
}

/// Makes room for a text of so many bytes, which is to be redacted; returns the room's address.
#[wasm_bindgen(js_name = redactRoom)]
#[must_use]
pub fn redact_room(bytes: usize) -> *const u8 {
    ROOM.with_borrow_mut(|room| {
        room.resize(bytes, 0);
        room.as_ptr()
    })
}

/// The text in the room, of so many bytes, without the credentials in it; nothing if there are none.
#[wasm_bindgen(js_name = redactText)]
#[must_use]
pub fn redact_text(bytes: usize) -> Option<String> {
    ROOM.with_borrow_mut(|room| {
        let room = std::mem::take(room);
        match redact(str::from_utf8(room.get(..bytes)?).ok()?) {
            Cow::Borrowed(_) => None,
            Cow::Owned(redacted) => Some(redacted),
        }
    })
}
