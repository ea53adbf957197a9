//! I10: no input makes the core panic, and what it doesn't understand comes back untouched.

use densify::content::Content;
use densify::edit::Edit;
use densify::optimizer::Optimizer;
use densify::options::FlushPolicy;
use densify::view::stream;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::capabilities;
use super::compression::{strategy, to_target};
use super::incremental::config;
use crate::histories::cases;
use crate::session::{Session, settings};

/// Any JSON, with keys and words that the rules look at.
fn value() -> impl Strategy<Value = Value> {
    let words = proptest::sample::select(vec![
        "text",
        "tool_call",
        "tool_response",
        "media",
        "read_file",
        "write_file",
        "a.ts",
        "c0",
        "",
        "--- a.ts ---\nx\n--- End of content ---\n",
        "--- End of content ---",
        "[read_file — success]",
    ]);
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => ".{0,12}".prop_map(Value::from),
        4 => words.prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        let keys = proptest::sample::select(vec![
            "type",
            "text",
            "id",
            "callId",
            "name",
            "toolName",
            "parameters",
            "result",
            "error",
            "paths",
            "file_path",
            "path",
            "output",
            "exit_code",
            "thought",
            "data",
            "speaker",
            "blocks",
            "__proto__",
        ]);
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::vec((keys, inner), 0..6).prop_map(|pairs| {
                Value::Object(
                    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>(),
                )
            }),
        ]
    })
}

/// Blocks of every type whose fields hold anything.
fn block() -> impl Strategy<Value = Value> {
    let kinds = vec!["text", "tool_call", "tool_response", "media", "thinking", "code", "other"];
    (proptest::sample::select(kinds), proptest::collection::vec(value(), 4)).prop_map(|(kind, values)| {
        let mut values = values.into_iter();
        let mut next = || values.next().unwrap_or_default();
        match kind {
            "tool_call" => json!({"type": kind, "id": next(), "name": next(), "parameters": next()}),
            "tool_response" => {
                json!({"type": kind, "callId": next(), "toolName": next(), "result": next(), "error": next()})
            }
            "media" => json!({"type": kind, "mimeType": next(), "data": next(), "encoding": next()}),
            "other" => next(),
            _ => json!({"type": kind, "text": next(), "thought": next(), "code": next()}),
        }
    })
}

fn wild_history() -> impl Strategy<Value = Vec<Content>> {
    let speaker = prop_oneof![
        3 => Just(json!("ai")), 3 => Just(json!("tool")), 3 => Just(json!("human")), 1 => value(),
    ];
    let entry =
        (speaker, proptest::collection::vec(block(), 0..5), value()).prop_map(|(speaker, blocks, extra)| {
            serde_json::from_value(json!({"speaker": speaker, "blocks": blocks, "metadata": extra})).unwrap()
        });
    proptest::collection::vec(entry, 0..16)
}

/// Words of a stream that is nearly one.
fn words() -> impl Strategy<Value = Vec<u32>> {
    let word = prop_oneof![6 => 0..8_u32, 2 => 0..0x1_0000_u32, 1 => any::<u32>()];
    proptest::collection::vec(word, 0..80).prop_map(|mut words| {
        words.insert(0, stream::VERSION);
        words
    })
}

fn edit() -> impl Strategy<Value = Edit> {
    let number = || prop_oneof![6 => 0..8_u32, 1 => any::<u32>()];
    (0..4, number(), number(), number(), number()).prop_map(|(kind, unit, block, start, end)| match kind {
        0 => Edit::DropUnit { unit },
        1 => Edit::DropBlock { unit, block },
        2 => Edit::SetText { unit, block, text: start },
        _ => Edit::Cut { unit, block, start, end },
    })
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn i10_no_content_makes_it_panic(
        history in wild_history(),
        (config, capabilities) in (config(), capabilities()),
        (strategy, target, preserve, keep) in (strategy(), 0..400_u64, 0.0..1.0_f64, any::<bool>()),
    ) {
        let mut session = Session::with(&settings(&config, FlushPolicy::Tokens(20.0)), capabilities);
        session.push(&history);
        session.run(false);
        session.compress(&to_target(strategy, target, preserve, keep));
        session.run(true);
        session.tokens();
        // What has an unknown speaker is never edited.
        let odd = |contents: &[Content]| -> Vec<Content> {
            let is_odd = |content: &&Content| matches!(content.speaker, densify::content::Speaker::Other(_));
            contents.iter().filter(is_odd).cloned().collect()
        };
        prop_assert_eq!(odd(&session.output()), odd(&history));
    }

    #[test]
    fn i10_no_stream_and_no_edit_makes_it_panic(
        (streams, edits) in (proptest::collection::vec(words(), 1..3), proptest::collection::vec((edit(), any::<bool>()), 0..6)),
        (config, capabilities) in (config(), capabilities()),
        (strategy, target, units) in (strategy(), 0..400_u64, any::<u32>()),
    ) {
        let settings = settings(&config, FlushPolicy::Tokens(5.0));
        let mut optimizer = Optimizer::new(&settings).unwrap();
        optimizer.view.capabilities = capabilities;
        let texts: &[Content] = &[];
        for words in &streams {
            let _ = optimizer.push_stream(words, &texts);
        }
        for (edit, pending) in edits {
            if pending {
                optimizer.replay_waiting(edit, units, units / 2);
            } else {
                optimizer.replay(edit);
            }
        }
        optimizer.resume(units % 10, Some(units % 7), &[f64::from(units), f64::NAN]);
        optimizer.run(&texts, false).unwrap();
        optimizer.compress(&to_target(strategy, target, 0.3, true), &texts).unwrap();
        optimizer.run(&texts, true).unwrap();
        prop_assert!(optimizer.bytes() > 0);
    }
}
