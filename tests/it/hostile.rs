//! Histories that are meant to do harm: no panic, nothing lost, and work that is linear in their
//! size. The sizes are such that a quadratic step would not come to an end.

use std::cell::Cell;

use densify::content::{Block, Content, KnownBlock, Speaker};
use densify::optimizer::Optimizer;
use densify::options::{FlushPolicy, OptimizeSettings};
use densify::strategy::Outcome;
use densify::view::{LeafAddress, TextSource, stream};
use serde_json::{Map, Value, json};

use crate::invariants::to_target;
use crate::oracle::{Config, Strategy};
use crate::session::{Session, settings};
use crate::support::check_pairs;

const MANY: usize = 100_000;

fn entry(speaker: Speaker, blocks: Vec<Block>) -> Content {
    Content { speaker, blocks, rest: Map::new() }
}

fn text(text: impl Into<String>) -> Block {
    Block::Known(KnownBlock::Text { text: text.into(), rest: Map::new() })
}

fn thought() -> Block {
    Block::Known(KnownBlock::Thinking { thought: "Hm.".to_owned(), rest: Map::new() })
}

fn call(id: impl Into<Value>, name: &str, parameters: Value) -> Block {
    Block::Known(KnownBlock::ToolCall { id: id.into(), name: name.into(), parameters, rest: Map::new() })
}

fn response(id: impl Into<Value>, name: &str, result: impl Into<Value>) -> Block {
    Block::Known(KnownBlock::ToolResponse {
        call_id: id.into(),
        tool_name: name.into(),
        result: Some(result.into()),
        error: None,
        rest: Map::new(),
    })
}

fn human(words: impl Into<String>) -> Content {
    entry(Speaker::Human, vec![text(words)])
}

/// A call and its response, in two entries.
fn turn(id: impl Into<String>, name: &str, parameters: Value, result: &str) -> [Content; 2] {
    let id = id.into();
    [
        entry(Speaker::Ai, vec![call(id.clone(), name, parameters)]),
        entry(Speaker::Tool, vec![response(id, name, result)]),
    ]
}

fn all_rules() -> Config {
    Config { recency: Some(3), ..Config::default() }
}

fn optimized(history: &[Content]) -> Vec<Content> {
    let mut session = Session::new(&settings(&all_rules(), FlushPolicy::Always));
    session.push(history);
    session.run(false);
    session.output()
}

/// Optimizes in one go, then compresses to nothing by both strategies; returns what optimizing left.
fn pack(history: &[Content]) -> Vec<Content> {
    let mut session = Session::new(&settings(&all_rules(), FlushPolicy::Always));
    session.push(history);
    session.run(false);
    let optimized = session.output();
    session.compress(&to_target(Strategy::HighDensity, 0, 0.01, true));
    session.compress(&to_target(Strategy::TopDown, 0, 0.01, false));
    session.output();
    optimized
}

/// What a rule pulls is counted: each unit of text at most so many times.
struct Metered<'contents> {
    contents: &'contents [Content],
    bytes: Cell<usize>,
}

impl TextSource for Metered<'_> {
    fn read(&self, address: LeafAddress, sink: &mut dyn FnMut(&str)) {
        self.contents.read(address, &mut |chunk| {
            self.bytes.set(self.bytes.get() + chunk.len());
            sink(chunk);
        });
    }
}

#[test]
fn nothing_and_one_entry() {
    assert_eq!(pack(&[]), []);
    for content in [human("x"), entry(Speaker::Ai, vec![]), entry(Speaker::Tool, vec![]), human("")] {
        let history = [content];
        assert_eq!(pack(&history), history);
    }
}

#[test]
fn a_hundred_thousand_entries() {
    let turns = (0..MANY / 2).flat_map(|number| {
        let path = json!({"file_path": format!("src/{}.ts", number % 700)});
        let name = if number % 3 == 0 { "write_file" } else { "read_file" };
        turn(number.to_string(), name, path, "some words that are long enough to be summarised in one line")
    });
    let history: Vec<Content> = turns.collect();
    let optimized = pack(&history);
    assert!(optimized.len() < history.len());
    assert_eq!(check_pairs(&optimized), Ok(()));
}

#[test]
fn twenty_thousand_turns_with_a_run_after_each() {
    let mut session = Session::new(&settings(&all_rules(), FlushPolicy::Tokens(1000.0)));
    for number in 0..20_000 {
        let path = json!({"file_path": format!("{}.ts", number % 50)});
        let name = ["read_file", "write_file", "read_file"][number % 3];
        session.push(&turn(number.to_string(), name, path, "some result of a tool, of a usual length"));
        session.run(false);
    }
    session.run(true);
    assert_eq!(check_pairs(&session.output()), Ok(()));
}

#[test]
fn a_hundred_thousand_calls_with_one_id() {
    let calls = (0..MANY).map(|_| call("x", "read_file", json!({"path": "a"}))).collect();
    let responses = (0..MANY).map(|_| response("x", "read_file", "y")).collect();
    let write = turn("x", "write_file", json!({"path": "a"}), "ok");
    let together =
        [vec![entry(Speaker::Ai, calls), entry(Speaker::Tool, responses)], write.to_vec()].concat();
    assert_eq!(optimized(&together), write);
    // An entry for each: all calls, then all responses.
    let calls =
        (0..MANY / 10).map(|_| entry(Speaker::Ai, vec![call("x", "read_file", json!({"path": "a"}))]));
    let responses = (0..MANY / 10).map(|_| entry(Speaker::Tool, vec![response("x", "read_file", "y")]));
    let apart: Vec<Content> = calls.chain(responses).chain(write.clone()).collect();
    assert_eq!(pack(&apart), write);
}

#[test]
fn a_hundred_thousand_paths() {
    let path = |number: usize| format!("src/../{number}.ts");
    let paths: Vec<String> = (0..MANY).map(path).collect();
    let read = turn("r", "read_many_files", json!({"paths": paths}), "content");
    let id = |number: usize| format!("w{number}");
    let calls = (0..MANY).map(|number| call(id(number), "write_file", json!({"path": path(number)})));
    let responses = (0..MANY).map(|number| response(id(number), "write_file", "ok"));
    let writes = [entry(Speaker::Ai, calls.collect()), entry(Speaker::Tool, responses.collect())];
    let history = [read, writes].concat();
    assert_eq!(optimized(&history), history[2..]);
}

#[test]
fn a_hundred_thousand_names_of_tools_and_ids_that_mean_something_elsewhere() {
    let names = ["__proto__", "constructor", "toString", "hasOwnProperty", ""];
    let turns = (0..MANY / 2).flat_map(|number| {
        let name =
            format!("{}{}", names[number % 5], if number < 10 { String::new() } else { number.to_string() });
        turn(format!("{}{number}", names[number % 5]), &name, json!({"path": names[number % 5]}), "x")
    });
    let history: Vec<Content> = turns.collect();
    assert_eq!(optimized(&history), history);
}

#[test]
fn ten_megabytes_of_dashes() {
    check_dashes("--- ", 10_000_000);
    for line in ["--- \n", "--- a ---\n", "--- End of content ---\n", "--- ---\n", "-", "\r\n", "--- a ---\r"]
    {
        check_dashes(line, 500_000);
    }
}

/// A text of one line over and over is read once.
fn check_dashes(line: &str, bytes: usize) {
    let history = [human(line.repeat(bytes / line.len())), human("--- a ---\n--- End of content ---\n")];
    let source = Metered { contents: &history, bytes: Cell::new(0) };
    let mut session = Session::new(&settings(&Config::default(), FlushPolicy::Always));
    session.push(&history);
    session.optimizer.run(&source, false).unwrap();
    assert!(source.bytes.get() <= bytes + 100, "{line:?} was read more than once");
}

#[test]
fn a_hundred_thousand_inclusions_in_one_text() {
    let inclusion = |path: usize| format!("--- {path} ---\nx\n--- End of content ---\n");
    // One file, again and again; then as many files twice.
    let same = "words\n".to_owned() + &inclusion(0).repeat(MANY);
    assert_eq!(optimized(&[human(same)]), [human("words\n".to_owned() + &inclusion(0))]);
    let different: String = (0..MANY).map(inclusion).collect();
    let history = [human(format!("words\n{different}")), human(&different)];
    assert_eq!(optimized(&history), [human("words\n"), human(&different)]);
}

#[test]
fn a_hundred_thousand_blocks_with_one_inclusion_each() {
    let blocks =
        |_| (0..MANY).map(|path| text(format!("--- {path} ---\nx\n--- End of content ---\n"))).collect();
    let history = [0, 1].map(|number| entry(Speaker::Human, blocks(number)));
    let output = optimized(&history);
    assert_eq!(output[1], history[1]);
    assert_eq!(output[0].blocks.len(), 1, "one of them keeps a pointer, or stays");
}

#[test]
fn an_inclusion_over_a_hundred_thousand_blocks() {
    let mut blocks = vec![text("--- a ---\n")];
    blocks.extend((0..MANY).map(|_| text("x")));
    blocks.push(text("--- End of content ---"));
    let newer = human("--- a ---\n--- End of content ---");
    let output = optimized(&[entry(Speaker::Human, blocks), newer.clone()]);
    assert_eq!(output, [human("[Earlier inclusion of a removed]"), newer]);
}

#[test]
fn a_hundred_thousand_thoughts_beside_a_stale_read() {
    let mut blocks: Vec<Block> = (0..MANY).map(|_| thought()).collect();
    blocks.push(call("r", "read_file", json!({"path": "a"})));
    let read = [entry(Speaker::Ai, blocks), entry(Speaker::Tool, vec![response("r", "read_file", "x")])];
    let write = turn("w", "write_file", json!({"path": "a"}), "ok");
    assert_eq!(pack(&[read.to_vec(), write.to_vec()].concat()), write);
}

#[test]
fn a_hundred_thousand_results_in_one_entry() {
    let calls = (0..MANY).map(|id| call(id.to_string(), "grep", json!({}))).collect();
    let results = (0..MANY).map(|id| response(id.to_string(), "grep", "y".repeat(60))).collect();
    let history = [entry(Speaker::Ai, calls), entry(Speaker::Tool, results), human("x")];
    let output = optimized(&history);
    let pruned =
        output[1].blocks.iter().filter(|block| serde_json::to_string(block).unwrap().contains("pruned"));
    assert_eq!(pruned.count(), MANY - 3);
}

#[test]
fn results_of_some_megabytes() {
    let huge = "a line of a log file\n".repeat(20_000);
    let history = [
        turn("1", "bash", json!({"command": "x".repeat(100_000)}), &huge).to_vec(),
        turn("2", "bash", json!({"file_path": huge.clone()}), &huge).to_vec(),
        turn("3", "write_file", json!({"path": huge}), "[").to_vec(),
        vec![human("x")],
    ]
    .concat();
    let mut session = Session::new(&settings(&Config::default(), FlushPolicy::Always));
    session.push(&history);
    let (outcome, _) = session.compress(&to_target(Strategy::HighDensity, 100, 0.1, true));
    assert!(matches!(outcome, Outcome::Applied(_)));
    let longest = session.output().iter().map(|content| serde_json::to_string(content).unwrap().len()).max();
    assert!(longest < Some(500_000));
}

#[test]
fn deep_and_wide_json() {
    // A parser refuses more levels than these; the facade doesn't send what lies deeper.
    let deep = format!("{}1{}", "[".repeat(120), "]".repeat(120));
    let deep: Value = serde_json::from_str(&deep).unwrap();
    let wide: Value =
        (0..MANY / 4).map(|number| (format!("key{number}"), json!(number))).collect::<Map<_, _>>().into();
    for value in [deep, wide] {
        let history = [
            turn("1", "read_file", value.clone(), "x").to_vec(),
            vec![entry(Speaker::Ai, vec![call("2", "write_file", json!({"path": value, "paths": value}))])],
            vec![entry(
                Speaker::Tool,
                vec![response("2", "write_file", value.clone()), Block::Unknown(value)],
            )],
        ]
        .concat();
        assert_eq!(optimized(&history), history);
    }
}

#[test]
fn a_hundred_thousand_entries_to_truncate_around_what_must_stay() {
    // No user at the front, entries of unknown speakers between, abandoned calls.
    let entries = (0..MANY).map(|number| match number % 10 {
        3 => entry(Speaker::Other(json!("robot")), vec![text("beep")]),
        5 => entry(Speaker::Ai, vec![call(number.to_string(), "grep", json!({}))]),
        7 => human("words of the user"),
        _ => entry(Speaker::Ai, vec![text("words of the model")]),
    });
    let history: Vec<Content> = entries.collect();
    for (strategy, keep) in
        [(Strategy::HighDensity, true), (Strategy::HighDensity, false), (Strategy::TopDown, true)]
    {
        let mut session = Session::new(&settings(&Config::default(), FlushPolicy::Always));
        session.push(&history);
        session.compress(&to_target(strategy, 10, 0.001, keep));
        let robots =
            session.output().iter().filter(|content| matches!(content.speaker, Speaker::Other(_))).count();
        assert_eq!(robots, MANY / 10, "{strategy:?}");
        assert!(session.output().len() < MANY / 2, "{strategy:?}");
    }
}

#[test]
fn many_edits_made_again() {
    let history: Vec<Content> = (0..MANY / 10)
        .flat_map(|number| turn(number.to_string(), "read_file", json!({"path": number.to_string()}), "x"))
        .chain((0..MANY / 10).flat_map(|number| {
            turn(format!("w{number}"), "write_file", json!({"path": number.to_string()}), "ok")
        }))
        .collect();
    let mut session = Session::new(&settings(&all_rules(), FlushPolicy::Always));
    session.push(&history);
    session.run(false);
    let mut reborn = session.reborn();
    assert_eq!(reborn.run(false).edits, vec![]);
    assert_eq!(reborn.output(), session.output());
}

#[test]
fn numbers_of_a_stream_that_nobody_gave_out_allocate_nothing() {
    let wild = u32::MAX - 1;
    let call = [2, 5, wild, wild, wild, 2, wild, 7];
    let response = [3, 5, wild, wild, wild];
    let mut words = vec![stream::VERSION, 1, 2, 0, 0];
    words.extend(call);
    words.extend(response);
    let media = [4, 80_000, 0, wild];
    words.extend([2, 2, 0, 0].into_iter().chain(media).chain(media));
    for settings in [settings(&all_rules(), FlushPolicy::Always), OptimizeSettings::default()] {
        let mut optimizer = Optimizer::new(&settings).unwrap();
        let nothing: &[Content] = &[];
        optimizer.push_stream(&words, &nothing).unwrap();
        let run = optimizer.run(&nothing, false).unwrap();
        assert_eq!(run.edits.len(), usize::from(settings.preset.is_none()), "of equal media one goes");
        assert!(optimizer.bytes() < 100_000, "{}", optimizer.bytes());
    }
}
