//! The view of a history in the neutral model, for native callers.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::files::file_tokens;
use super::{Block, Kind, Leaf, LeafAddress, PathId, Speaker, TextSource, View, flags};
use crate::content::{Block as ContentBlock, Content, KnownBlock, Speaker as ContentSpeaker};
use crate::tools::{KEY_PARAMETERS, ToolDescriptor, ToolKind, ToolTable};
use crate::utf16::utf16_length;

/// Longest payload that can be a pointer or a summary line, in UTF-16 code units.
pub const BRACKETED_LIMIT: usize = 512;

/// Reads contents into a view; keep one for all contents of a view, since it interns call ids.
#[derive(Clone, Debug, Default)]
pub struct ContentSource {
    /// The numbers of calls, and of what media hold.
    ids: HashMap<String, u32>,
    tools: ToolTable,
}

impl ContentSource {
    /// A reader that knows a caller's tools.
    #[must_use]
    pub fn new(tools: ToolTable) -> Self {
        Self { ids: HashMap::new(), tools }
    }

    fn id(&mut self, id: &Value) -> u32 {
        let Some(id) = id.as_str() else { return 0 };
        let next = u32::try_from(self.ids.len() + 1).unwrap_or(0);
        *self.ids.entry(id.to_owned()).or_insert(next)
    }
}

/// Adds contents to a view.
pub fn push_contents(view: &mut View, source: &mut ContentSource, contents: &[Content]) {
    for content in contents {
        let marks = content.rest.get("metadata").and_then(|marks| marks.get("includeInContext"));
        if marks == Some(&Value::Bool(false)) {
            // It stays, costs nothing, and nothing of it is read.
            view.push_unit(Speaker::Other, flags::PROTECTED, Some(0));
            continue;
        }
        let speaker = match content.speaker {
            ContentSpeaker::Human => Speaker::Human,
            ContentSpeaker::Ai => Speaker::Ai,
            ContentSpeaker::Tool => Speaker::Tool,
            ContentSpeaker::Other(_) => Speaker::Other,
        };
        let unit = view.push_unit(speaker, unit_flags(content), None);
        view.stamp(time_of(content));
        for block in &content.blocks {
            let (block, paths) = read_block(view, source, unit, speaker, block);
            view.push_block(block, &paths);
        }
    }
}

/// A thought; nothing of one that is never sent.
fn thought_of<'thought>(thought: &'thought str, rest: &Map<String, Value>) -> &'thought str {
    if rest.get("includeInContext") == Some(&Value::Bool(false)) { "" } else { thought }
}

/// When a content was written: milliseconds since 1970, as the package reads them.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn time_of(content: &Content) -> u32 {
    let time = content.rest.get("metadata").and_then(|metadata| metadata.get("timestamp"));
    time.and_then(Value::as_f64).map_or(0, |time| (time / 1000.0) as u32)
}

fn unit_flags(content: &Content) -> u32 {
    let metadata = content.rest.get("metadata");
    let is_summary = metadata.and_then(|metadata| metadata.get("isSummary")) == Some(&Value::Bool(true));
    if is_summary { flags::SUMMARY } else { 0 }
}

fn read_block(
    view: &mut View,
    source: &mut ContentSource,
    unit: u32,
    speaker: Speaker,
    block: &ContentBlock,
) -> (Block, Vec<PathId>) {
    let ContentBlock::Known(known) = block else {
        return (Block::new(unit, Kind::Opaque, 0, 0), Vec::new());
    };
    let plain = |kind, flags, size| (Block::new(unit, kind, flags, size), Vec::new());
    match known {
        KnownBlock::Text { text, .. } => plain(Kind::Text, text_flags(text, speaker), utf16_length(text)),
        KnownBlock::Thinking { thought, rest } => {
            plain(Kind::Thinking, 0, utf16_length(thought_of(thought, rest)))
        }
        KnownBlock::Code { code, .. } => plain(Kind::Code, 0, utf16_length(code)),
        KnownBlock::Media { data, rest, .. } => {
            // What the data decodes to; the content behind a URL is unknown.
            let is_url = rest.get("encoding").and_then(Value::as_str) == Some("url");
            let units = data.as_str().filter(|_| !is_url).map_or(0, |data| u64::from(utf16_length(data)));
            let bytes = u32::try_from(units * 3 / 4).unwrap_or(u32::MAX);
            let tokens = data.as_str().filter(|_| !is_url).and_then(|data| file_tokens(data, bytes));
            let (flags, size) = tokens.map_or((0, bytes), |tokens| (flags::TOKENS, tokens));
            let mut block = Block::new(unit, Kind::Media, flags, size);
            // Media are the same only if their other members are equal, too.
            let others: Map<String, Value> = rest
                .iter()
                .filter(|(key, value)| !NAMING.contains(&key.as_str()) && !value.is_null())
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect();
            block.call = if data == "" { 0 } else { source.id(data) };
            if block.call != 0 && !others.is_empty() {
                block.call = source.id(&Value::String(format!("{} {}", block.call, Value::Object(others))));
            }
            (block, Vec::new())
        }
        KnownBlock::ToolCall { id, name, parameters, .. } => {
            let name = name.as_str().unwrap_or_default();
            let (flags, paths) = call_facts(view, &source.tools.describe(name), parameters);
            let mut block = Block::new(unit, Kind::ToolCall, flags, json_size(parameters));
            block.call = source.id(id);
            block.tool = view.names.tool(name);
            (block, paths)
        }
        KnownBlock::ToolResponse { call_id, tool_name, result, error, .. } => {
            let flags = response_flags(result.as_ref(), error.as_ref());
            let size = result.as_ref().map_or(0, json_size);
            let mut block = Block::new(unit, Kind::ToolResponse, flags, size);
            block.call = source.id(call_id);
            block.tool = tool_name.as_str().map_or(super::ToolId::NONE, |name| view.names.tool(name));
            (block, Vec::new())
        }
    }
}

fn text_flags(text: &str, speaker: Speaker) -> u32 {
    let blank = if text.chars().all(is_space) { flags::BLANK } else { 0 };
    let markers = speaker == Speaker::Human && text.contains("---");
    let bracket = speaker == Speaker::Human && text.starts_with('[');
    blank | if markers { flags::MARKERS } else { 0 } | if bracket { flags::BRACKETED } else { 0 }
}

/// White space as JavaScript's `trim` sees it.
fn is_space(character: char) -> bool {
    (character.is_whitespace() && character != '\u{85}') || character == '\u{feff}'
}

fn call_facts(view: &mut View, tool: &ToolDescriptor, parameters: &Value) -> (u32, Vec<PathId>) {
    let Some(parameters) = parameters.as_object() else { return (flags::VAGUE_PATHS, Vec::new()) };
    let kind = match &tool.mode {
        None => tool.kind,
        Some(mode) => {
            let value = parameters.get(&mode.key).and_then(Value::as_str);
            mode.kinds
                .iter()
                .find(|(name, _)| Some(name.as_str()) == value)
                .map_or(tool.kind, |found| found.1)
        }
    };
    let mut flags = match kind {
        ToolKind::Read => flags::READ,
        ToolKind::Write | ToolKind::Edit => flags::WRITE,
        ToolKind::Todo => flags::TODO,
        _ => 0,
    };
    if flags & (flags::READ | flags::WRITE) == 0 {
        return (flags, Vec::new());
    }
    let is = |key, wanted| parameters.get(key).and_then(Value::as_bool) == Some(wanted);
    if is("force", false) || is("preview", true) || is("dry_run", true) {
        flags |= flags::PREVIEW;
    }
    let mode = parameters.get("mode").and_then(Value::as_str);
    if is("apply", false) || TRYING_KEYS.iter().any(|key| is(key, true)) || mode.is_some_and(is_trying) {
        flags |= flags::DOUBTFUL;
    }
    let (vague, paths) = call_paths(view, tool, parameters);
    (flags | if vague { flags::VAGUE_PATHS } else { 0 }, paths)
}

/// Further parameters that turn a call into a preview.
pub const TRYING_KEYS: [&str; 5] = ["dryRun", "validate_only", "validateOnly", "check_only", "checkOnly"];

fn is_trying(mode: &str) -> bool {
    matches!(mode, "preview" | "dry_run")
}

fn call_paths(
    view: &mut View,
    tool: &ToolDescriptor,
    parameters: &Map<String, Value>,
) -> (bool, Vec<PathId>) {
    let list = tool.path_list_key.as_ref().and_then(|key| parameters.get(key)).and_then(Value::as_array);
    if let Some(list) = list {
        let vague = !list.iter().all(Value::is_string);
        let paths = list.iter().filter_map(Value::as_str).map(|path| view.names.listed_path(path));
        return (vague, paths.collect());
    }
    let mut found = tool.path_keys.iter().filter_map(|key| parameters.get(key)?.as_str());
    let path = found.find(|path| !path.is_empty()).map(|path| view.names.path(path));
    (path.is_none(), path.into_iter().collect())
}

fn response_flags(result: Option<&Value>, error: Option<&Value>) -> u32 {
    let failed = if is_failure(result, error) { flags::FAILED } else { 0 };
    let doubtful = if result.is_some_and(is_doubtful) { flags::DOUBTFUL } else { 0 };
    let shape = match result {
        None | Some(Value::Null) => flags::FIXED_RESULT,
        Some(Value::String(text)) => {
            let bracketed = text.starts_with('[') && text.ends_with(']');
            let short = bracketed && utf16_length(text) as usize <= BRACKETED_LIMIT;
            flags::STRING_RESULT | if short { flags::BRACKETED } else { 0 }
        }
        Some(Value::Object(object)) if object.get("output").is_some_and(Value::is_string) => {
            flags::OUTPUT_RESULT
        }
        Some(_) => 0,
    };
    failed | doubtful | shape
}

/// Values of a structured result's `status` that allow that the call did nothing.
pub const FAILURES: [&str; 5] = ["failed", "error", "cancelled", "canceled", "rejected"];

/// Whether a result says of the call that it did nothing, or of something else: an order is cancelled, too.
fn is_doubtful(result: &Value) -> bool {
    let is = |key, wanted| result.get(key).and_then(Value::as_bool) == Some(wanted);
    let status = result.get("status").and_then(Value::as_str).unwrap_or_default();
    is("isError", true) || is("success", false) || is("ok", false) || FAILURES.contains(&status)
}

/// The format's own flag, a structured error, or an exit code other than zero.
fn is_failure(result: Option<&Value>, error: Option<&Value>) -> bool {
    if error.is_some_and(is_truthy) {
        return true;
    }
    let Some(Value::Object(result)) = result else { return false };
    let exit_code = |key| result.get(key).and_then(Value::as_f64).is_some_and(|code| code != 0.0);
    result.get("error").is_some_and(is_truthy) || exit_code("exit_code") || exit_code("exitCode")
}

/// As JavaScript sees it.
fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

fn json_size(value: &Value) -> u32 {
    utf16_length(&value.to_string())
}

impl TextSource for &[Content] {
    fn has_counter(&self) -> bool {
        false
    }

    fn read(&self, address: LeafAddress, sink: &mut dyn FnMut(&str)) {
        let content = self.get(address.unit as usize);
        let block = content.and_then(|content| content.blocks.get(address.block as usize));
        match (block, address.leaf) {
            (Some(ContentBlock::Known(known)), Leaf::Text) => {
                if let Some(text) = known.editable() {
                    sink(text);
                }
            }
            (Some(ContentBlock::Known(known)), Leaf::Json) => {
                if let Some(value) = known.structured() {
                    sink(&value.to_string());
                }
            }
            (Some(ContentBlock::Unknown(value)), Leaf::Json) => sink(&value.to_string()),
            (Some(ContentBlock::Known(KnownBlock::ToolCall { parameters, .. })), Leaf::KeyParameter) => {
                if let Some(text) = key_parameter(parameters) {
                    sink(&text);
                }
            }
            (Some(ContentBlock::Known(KnownBlock::Media { mime_type, .. })), Leaf::KeyParameter) => {
                sink(mime_type.as_str().unwrap_or_default());
            }
            (Some(ContentBlock::Known(KnownBlock::Text { .. })), Leaf::Detail) => {
                let metadata = content.and_then(|content| content.rest.get("metadata"));
                sink(metadata.and_then(|metadata| metadata.get("name")?.as_str()).unwrap_or_default());
            }
            (Some(ContentBlock::Known(known)), Leaf::Detail) => known.detail(sink),
            (Some(ContentBlock::Known(known)), Leaf::Rest) => known.rest(sink),
            _ => {}
        }
    }
}

/// Members of media that say how they are stored, or that are read where they are compared.
const NAMING: &[&str] = &["encoding", "filename", "name", "caption"];

impl KnownBlock {
    /// The editable string of the block.
    fn editable(&self) -> Option<&str> {
        match self {
            Self::Text { text, .. } | Self::ToolResponse { result: Some(Value::String(text)), .. } => {
                Some(text)
            }
            Self::Thinking { thought, rest } => Some(thought_of(thought, rest)),
            Self::Code { code, .. } => Some(code),
            Self::ToolResponse { result: Some(Value::Object(result)), .. } => {
                result.get("output").and_then(Value::as_str)
            }
            _ => None,
        }
    }

    /// The name and caption of media, the message of a failed call.
    fn detail(&self, sink: &mut dyn FnMut(&str)) {
        match self {
            Self::Media { rest, .. } => {
                let named =
                    |key: &str| rest.get(key).and_then(Value::as_str).filter(|name| !name.trim().is_empty());
                let (name, caption) = (named("filename").or(named("name")), named("caption"));
                sink(name.or(caption).unwrap_or_default());
                if let Some(caption) = caption.filter(|_| name.is_some()) {
                    sink(" — ");
                    sink(caption);
                }
            }
            Self::ToolResponse { error: Some(Value::String(text)), .. } => sink(text),
            Self::ToolResponse { error: Some(error), .. } if is_truthy(error) => sink(&error.to_string()),
            _ => {}
        }
    }

    /// A payload's members beside its `output`.
    fn rest(&self, sink: &mut dyn FnMut(&str)) {
        if let Self::ToolResponse { result: Some(Value::Object(result)), .. } = self {
            let others: Map<String, Value> = result
                .iter()
                .filter(|(key, _)| *key != "output")
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect();
            if !others.is_empty() {
                sink(&Value::Object(others).to_string());
            }
        }
    }

    /// The structured part of the block.
    fn structured(&self) -> Option<&Value> {
        match self {
            Self::ToolCall { parameters, .. } => Some(parameters),
            Self::ToolResponse { result, .. } => result.as_ref(),
            _ => None,
        }
    }
}

fn key_parameter(parameters: &Value) -> Option<String> {
    let parameters = parameters.as_object()?;
    KEY_PARAMETERS.iter().find_map(|&key| match parameters.get(key)? {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Array(list) if list.iter().all(Value::is_string) && !list.is_empty() => {
            Some(list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "))
        }
        _ => None,
    })
}
