//! No edit makes a message larger in tokens, by whatever counter is in force.

use densify::content::Content;
use densify::options::{FlushPolicy, OptimizeSettings, Preset};
use densify::tokens::estimate::estimate;
use densify::view::{LeafAddress, TextSource};
use densify::{Error, optimize_contents};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::histories::cases;
use crate::results::{exchange, with};
use crate::session::Session;

type Count = fn(&str) -> u32;

/// A counter of the caller.
struct Counter<'contents> {
    contents: &'contents [Content],
    count: Count,
}

impl TextSource for Counter<'_> {
    fn read(&self, address: LeafAddress, sink: &mut dyn FnMut(&str)) {
        self.contents.read(address, sink);
    }

    fn count(&self, address: LeafAddress) -> Option<Result<u32, Error>> {
        let mut text = String::new();
        self.read(address, &mut |chunk| text.push_str(chunk));
        self.count_text(&text)
    }

    fn count_text(&self, text: &str) -> Option<Result<u32, Error>> {
        Some(Ok((self.count)(text)))
    }
}

/// Runs of letters and runs of blanks are a token each, all else is a token a character.
fn words(text: &str) -> u32 {
    let mut tokens = 0;
    let mut last = ' ';
    for (at, letter) in text.chars().enumerate() {
        let is_run = letter.is_alphanumeric() && last.is_alphanumeric()
            || letter.is_whitespace() && last.is_whitespace() && at > 0;
        tokens += u32::from(!is_run);
        last = letter;
    }
    tokens
}

fn quarters(text: &str) -> u32 {
    u32::try_from(text.encode_utf16().count().div_ceil(4)).unwrap()
}

const COUNTERS: [Count; 3] = [estimate, words, quarters];

/// Lines that are few tokens for their length.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        (0..60_usize, 0..4_u8).prop_map(|(indent, name)| format!("{}name_{name},\n", " ".repeat(indent))),
        (0..40_usize).prop_map(|indent| format!("{})\n", "\t".repeat(indent))),
        (8..80_usize, 0..3_usize).prop_map(|(length, sign)| ["=", "-", "a"][sign].repeat(length) + "\n"),
        Just("\n".to_owned()),
    ]
}

fn call() -> impl Strategy<Value = (usize, usize, usize)> {
    (0..5_usize, 0..4_usize, 0..4_usize)
}

fn work(texts: &[String], calls: &[(usize, usize, usize)]) -> Vec<Content> {
    let call = |(at, &(tool, file, text)): (usize, &(usize, usize, usize))| {
        let text = &texts[text % texts.len()];
        let path = format!("/{file}.rs");
        let (tool, parameters, result) = match tool {
            0 => ("Read", json!({"file_path": path}), text.clone()),
            1 => (
                "Bash",
                json!({"command": format!("sed -n '1,900p' some/longer/path/{file}.rs")}),
                text.clone(),
            ),
            2 => ("Bash", json!({"command": "make"}), text.clone()),
            3 => {
                ("Write", json!({"file_path": path, "content": text}), "File written successfully".to_owned())
            }
            _ => {
                let lines = text.lines().enumerate();
                let numbered = lines.map(|(at, line)| format!("{}\t{line}\n", at + 1)).collect::<String>();
                ("Read", json!({"file_path": path}), numbered)
            }
        };
        exchange(&at.to_string(), tool, parameters, Value::String(result))
    };
    calls.iter().enumerate().flat_map(call).collect()
}

/// The tokens of the texts of an entry, and of its arguments.
fn tokens(content: &Content, count: Count) -> u32 {
    let json = serde_json::to_value(content).unwrap();
    let block = &json["blocks"][0];
    match &block["result"] {
        Value::String(text) => count(text),
        _ => count(&block["parameters"].to_string()),
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn no_edit_makes_a_message_larger_in_tokens(
        texts in prop::collection::vec(prop::collection::vec(line(), 1..40).prop_map(|lines| lines.concat()), 1..5),
        calls in prop::collection::vec(call(), 1..40),
        (counter, preset) in (0..3_usize, 0..3_usize),
        budget in prop::option::of(0..4_000_u32),
    ) {
        let history = work(&texts, &calls);
        let count = COUNTERS[counter];
        let preset = [Preset::Lossless, Preset::Balanced, Preset::Aggressive][preset];
        let settings =
            OptimizeSettings { flush: Some(FlushPolicy::Always), budget: budget.map(f64::from), ..with(preset) };
        let mut session = Session::new(&settings);
        session.push(&history);
        let run = session.optimizer.run(&Counter { contents: &history, count }, false).unwrap();
        session.take(&run);
        for (after, before) in session.output().iter().zip(&history) {
            let (left, were) = (tokens(after, count), tokens(before, count));
            // What a stub means comes back: nothing else grows.
            let is_back = serde_json::to_string(after).unwrap().contains("[… shown before");
            prop_assert!(after == before || is_back || left < were, "{left} of {were}: {after:?} for {before:?}");
        }
    }
}

#[test]
fn a_pointer_that_costs_more_than_indented_lines_is_not_put() {
    let lines = "                        len(constraint_names),\n                        model._meta.db_table,\n\
                 \x20                       old_field.column,\n                    )\n                )\n            \
                 for constraint_name in constraint_names:";
    let show = |id: &str, first: u32, head: &str| {
        let command = format!("sed -n '{first},{}p' django/db/backends/base/schema.py", first + 150);
        exchange(id, "bash", json!({"command": command}), json!(format!("{head}\n{lines}")))
    };
    let history =
        [show("1", 700, "                    % ("), show("2", 851, "            \"Found wrong number\"")];
    let (output, _) = optimize_contents(&history.concat(), &with(Preset::Lossless)).unwrap();
    for (after, before) in output.iter().zip(history.concat()) {
        assert!(tokens(after, estimate) <= tokens(&before, estimate), "{after:?}");
    }
}
