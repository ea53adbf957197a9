//! A small adapter that describes contents as an integer stream, as a facade in another language
//! does, and a source that hands texts over in small chunks.

use std::collections::{HashMap, HashSet};

use densify::content::{Block, Content, KnownBlock, Speaker};
use densify::optimizer::Optimizer;
use densify::tools::ToolKind;
use densify::view::{LeafAddress, TextSource, flags, stream};
use serde_json::Value;

/// Writes contents as a stream; keep one for all contents of an optimizer.
#[derive(Default)]
pub struct Encoder {
    ids: HashMap<String, u32>,
    /// The atoms of blocks, by unit and block; none for all others.
    pub atoms: HashMap<(usize, usize), u32>,
    /// The units that the caller protects.
    pub protected: HashSet<usize>,
    /// The units that are a further part of the message before them.
    pub continuing: HashSet<usize>,
    units: usize,
}

/// A block's head flags and the words behind its size and atom.
struct Facts {
    kind: u32,
    flags: u32,
    size: usize,
    further: Vec<u32>,
}

impl Encoder {
    pub fn encode(&mut self, optimizer: &mut Optimizer, contents: &[Content]) -> Vec<u32> {
        let mut words = vec![stream::VERSION];
        for content in contents {
            let speaker = match content.speaker {
                Speaker::Human => 0,
                Speaker::Ai => 1,
                Speaker::Tool => 2,
                Speaker::Other(_) => 3,
            };
            let unit = self.units;
            self.units += 1;
            let flag = |set: &HashSet<usize>, flag| if set.contains(&unit) { flag } else { 0 };
            let flags = flag(&self.protected, flags::PROTECTED) | flag(&self.continuing, flags::CONTINUES);
            words.extend([speaker | flags << 8, u32::try_from(content.blocks.len()).unwrap(), 0, 0]);
            for (number, block) in content.blocks.iter().enumerate() {
                let Facts { kind, flags, size, further } = self.facts(optimizer, speaker, block);
                let atom = self.atoms.get(&(unit, number)).copied().unwrap_or(0);
                words.extend([kind | flags << 8, u32::try_from(size).unwrap(), atom]);
                words.extend(further);
            }
        }
        words
    }

    fn id(&mut self, id: &Value) -> u32 {
        let Some(id) = id.as_str() else { return 0 };
        let next = u32::try_from(self.ids.len()).unwrap() + 1;
        *self.ids.entry(id.to_owned()).or_insert(next)
    }

    fn facts(&mut self, optimizer: &mut Optimizer, speaker: u32, block: &Block) -> Facts {
        let plain = |kind, flags, size| Facts { kind, flags, size, further: Vec::new() };
        let Block::Known(known) = block else { return plain(0, 0, 0) };
        match known {
            KnownBlock::Text { text, .. } => {
                let is_space = |c: char| c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}');
                let blank = if text.chars().all(is_space) { flags::BLANK } else { 0 };
                let markers = if speaker == 0 && text.contains("---") { flags::MARKERS } else { 0 };
                let bracket = if speaker == 0 && text.starts_with('[') { flags::BRACKETED } else { 0 };
                plain(1, blank | markers | bracket, units(text))
            }
            KnownBlock::Media { data, rest, .. } => {
                let is_url = rest.get("encoding").is_some_and(|encoding| encoding == "url");
                let size = if is_url { 0 } else { data.as_str().map_or(0, units) * 3 / 4 };
                let number = if data == "" { 0 } else { self.id(data) };
                Facts { further: vec![number], ..plain(4, 0, size) }
            }
            KnownBlock::Thinking { thought, .. } => plain(5, 0, units(thought)),
            KnownBlock::Code { code, .. } => plain(6, 0, units(code)),
            KnownBlock::ToolCall { id, name, parameters, .. } => {
                let name = name.as_str().unwrap_or_default();
                let (flags, paths) = call_facts(optimizer, name, parameters);
                let tool = optimizer.view.names.tool(name).0;
                let mut further = vec![self.id(id), tool, u32::try_from(paths.len()).unwrap()];
                further.extend(paths);
                Facts { kind: 2, flags, size: json_units(parameters), further }
            }
            KnownBlock::ToolResponse { call_id, tool_name, result, error, .. } => {
                let tool = tool_name.as_str().map_or(0, |name| optimizer.view.names.tool(name).0);
                let flags = response_flags(result.as_ref(), error.as_ref());
                let size = result.as_ref().map_or(0, json_units);
                Facts { kind: 3, flags, size, further: vec![self.id(call_id), tool] }
            }
        }
    }
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// An adapter need not measure a large payload to its end.
fn json_units(value: &Value) -> usize {
    units(&value.to_string()).min(600)
}

fn call_facts(optimizer: &mut Optimizer, name: &str, parameters: &Value) -> (u32, Vec<u32>) {
    let tool = optimizer.tools.describe(name);
    let Value::Object(parameters) = parameters else { return (flags::VAGUE_PATHS, Vec::new()) };
    let kind = match tool.kind {
        ToolKind::Read => flags::READ,
        ToolKind::Write | ToolKind::Edit => flags::WRITE,
        ToolKind::Todo => return (flags::TODO, Vec::new()),
        _ => return (0, Vec::new()),
    };
    let is = |key: &str, value: bool| parameters.get(key).is_some_and(|found| *found == Value::Bool(value));
    let is_preview = is("force", false) || is("preview", true) || is("dry_run", true);
    let preview = if is_preview { flags::PREVIEW } else { 0 };
    let names = &mut optimizer.view.names;
    let list = tool.path_list_key.and_then(|key| parameters.get(&key)).and_then(Value::as_array);
    if let Some(list) = list {
        let vague = if list.iter().all(Value::is_string) { 0 } else { flags::VAGUE_PATHS };
        let paths = list.iter().filter_map(Value::as_str).map(|path| names.listed_path(path));
        return (kind | preview | vague, paths.collect());
    }
    let mut found = tool.path_keys.iter().filter_map(|key| parameters.get(key)?.as_str());
    match found.find(|path| !path.is_empty()) {
        Some(path) => (kind | preview, vec![names.path(path)]),
        None => (kind | preview | flags::VAGUE_PATHS, Vec::new()),
    }
}

fn response_flags(result: Option<&Value>, error: Option<&Value>) -> u32 {
    let truthy = |value: Option<&Value>| match value {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        Some(_) => true,
    };
    let code = |key| result.and_then(|result| result.get(key)).and_then(Value::as_f64).unwrap_or(0.0);
    let is_object = result.is_some_and(Value::is_object);
    let structured = is_object && truthy(result.and_then(|result| result.get("error")));
    let failed = truthy(error) || structured || code("exit_code") != 0.0 || code("exitCode") != 0.0;
    let shape = match result {
        None | Some(Value::Null) => flags::FIXED_RESULT,
        Some(Value::String(text)) if text.starts_with('[') && text.ends_with(']') && units(text) <= 512 => {
            flags::STRING_RESULT | flags::BRACKETED
        }
        Some(Value::String(_)) => flags::STRING_RESULT,
        Some(result) if result.get("output").is_some_and(Value::is_string) => flags::OUTPUT_RESULT,
        Some(_) => 0,
    };
    shape | if failed { flags::FAILED } else { 0 }
}

/// Contents whose texts come in chunks of so many characters.
pub struct Chunked<'contents>(pub &'contents [Content], pub usize);

impl TextSource for Chunked<'_> {
    fn read(&self, address: LeafAddress, sink: &mut dyn FnMut(&str)) {
        self.0.read(address, &mut |text| {
            let characters: Vec<char> = text.chars().collect();
            for chunk in characters.chunks(self.1) {
                sink(&chunk.iter().collect::<String>());
            }
        });
    }
}
