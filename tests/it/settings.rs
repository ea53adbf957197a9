//! The registry of settings, and what is in force (requirements 6 and 8.17; documents 001 and 004).

use std::collections::BTreeSet;

use crate::histories::cases;

use densify::budget::Budget;
use densify::defaults;
use densify::settings::{Resolved, SETTINGS, Setting, SettingKind, Source, registry_json, resolve};
use densify::strategy::Strategy;
use densify::{Error, ErrorCode};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::support::{options, root};

/// The value that is in force, `null` if there is none.
fn value(layers: &[Value], key: &str) -> Value {
    let resolved = resolve(layers).unwrap();
    resolved.into_iter().find(|one| one.key == key).map_or(Value::Null, |one| one.value)
}

fn refused(layers: &[Value]) -> Error {
    let error = resolve(layers).unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidSetting);
    error
}

fn setting(key: &str) -> &'static Setting {
    SETTINGS.iter().find(|setting| setting.key == key).unwrap()
}

fn registry() -> Vec<Map<String, Value>> {
    serde_json::from_str(&registry_json()).unwrap()
}

#[test]
fn req_hd_009_1_to_009_4_the_density_settings_are_those_of_the_documents() {
    let expected = [
        ("readWritePruning", "boolean", json!(true)),
        ("fileDedupe", "boolean", json!(true)),
        ("recencyPruning", "boolean", json!(false)),
        ("recencyRetention", "number", json!(3)),
    ];
    for (name, kind, default) in expected {
        let key = format!("compression.density.{name}");
        let entry = registry().into_iter().find(|entry| entry["key"] == key.as_str()).unwrap();
        assert_eq!(entry["type"], kind, "{name}");
        assert_eq!(entry["default"], default, "{name}");
        assert_eq!(entry["category"], "cli-behavior", "{name}");
        assert_eq!(entry["persistToProfile"], true, "{name}");
    }
}

#[test]
fn req_hd_004_4_the_strategies_of_the_setting_are_the_tuple() {
    let entry = registry().remove(0);
    assert_eq!(entry["key"], "compression.strategy");
    assert_eq!(entry["type"], "enum");
    assert_eq!(entry["enumValues"], json!(Strategy::ALL.map(Strategy::name)));
    assert_eq!(entry["default"], "middle-out");
    for strategy in Strategy::ALL {
        let layer = json!({"compression.strategy": strategy.name()});
        assert_eq!(value(&[layer], "compression.strategy"), strategy.name());
    }
}

#[test]
fn document_004_the_profile_is_a_text_with_a_hint() {
    let entry = registry().remove(1);
    assert_eq!(entry["key"], "compression.profile");
    assert_eq!((&entry["type"], &entry["hint"]), (&json!("string"), &json!("profile name")));
    assert!(!entry.contains_key("default"));
}

#[test]
fn the_whole_registry() {
    insta::assert_json_snapshot!(registry());
}

#[test]
fn no_name_stands_for_two_settings() {
    let names: Vec<_> = SETTINGS.iter().flat_map(Setting::names).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
}

#[test]
fn req_8_17_threshold_and_profile_have_no_default_of_their_own() {
    let keys: Vec<_> = resolve(&[]).unwrap().into_iter().map(|one| one.key).collect();
    let without = [
        "compression.threshold",
        "compression.profile",
        "compression.preset",
        "compression.flush",
        "compression.intake",
    ];
    let expected: Vec<_> =
        SETTINGS.iter().map(|setting| setting.key).filter(|key| !without.contains(key)).collect();
    assert_eq!(keys, expected);
}

#[test]
fn req_001_10_ephemeral_goes_before_profile_before_the_strategys_default() {
    let layer = |threshold: f64| json!({"compression.threshold": threshold});
    let of = |layers: &[Value]| value(layers, "compression.threshold");
    assert_eq!(of(&[layer(0.5), layer(0.6), layer(0.7)]), 0.5);
    assert_eq!(of(&[json!({}), layer(0.6), layer(0.7)]), 0.6);
    assert_eq!(of(&[json!({}), json!({}), layer(0.7)]), 0.7);
    assert_eq!(of(&[json!({}), json!({}), json!({})]), Value::Null);
}

#[test]
fn document_004_each_setting_is_resolved_by_itself() {
    let ephemeral = json!({"compression.profile": "flash"});
    let persistent = json!({"compression.profile": "pro", "compression.strategy": "one-shot"});
    let layers = [ephemeral, json!({}), persistent];
    assert_eq!(value(&layers, "compression.profile"), "flash");
    assert_eq!(value(&layers, "compression.strategy"), "one-shot");
    assert_eq!(value(&layers, "compression.preserve"), 0.3);
}

#[test]
fn req_8_17_the_documents_other_names_are_aliases() {
    let expected = [
        ("compression-threshold", "compression.threshold", json!(0.5)),
        ("contextPercentageThreshold", "compression.threshold", json!(0.5)),
        ("compression-preserve-threshold", "compression.preserve", json!(0.25)),
        ("topPreserveThreshold", "compression.topPreserve", json!(0.1)),
        ("strategy", "compression.strategy", json!("one-shot")),
        ("profile", "compression.profile", json!("flash")),
    ];
    for (alias, key, given) in expected {
        let layer = json!({alias: given});
        assert_eq!(value(std::slice::from_ref(&layer), key), given, "{alias}");
        let resolved = resolve(&[json!({}), layer]).unwrap();
        let one = resolved.into_iter().find(|one| one.key == key).unwrap();
        assert_eq!(one.source, Source::Layer { layer: 1, name: alias });
    }
}

#[test]
fn one_setting_under_two_names_must_have_one_value() {
    let same = json!({"compression.threshold": 0.5, "compression-threshold": 0.5});
    assert_eq!(value(&[same], "compression.threshold"), 0.5);
    let error = refused(&[json!({"compression.threshold": 0.5, "compression-threshold": 0.6})]);
    assert_eq!(
        error.message(),
        "setting compression.threshold (here compression-threshold): found 0.6 in layer 0 (ephemeral), \
         expected what compression.threshold says, which is 0.5: both name one setting"
    );
}

#[test]
fn req_8_17_an_error_names_key_value_and_layer() {
    let error = refused(&[json!({}), json!({"compression.threshold": 1.5})]);
    assert_eq!(error.option_key(), Some("compression.threshold"));
    assert_eq!(
        error.message(),
        "setting compression.threshold: found 1.5 in layer 1 (profile), expected a number above 0, at most 1"
    );
    let error = refused(&[json!({}), json!({}), json!({"compression.strategy": "sandwich"})]);
    assert_eq!(
        error.message(),
        "setting compression.strategy: found 'sandwich' in layer 2 (persistent), expected one of middle-out, \
         top-down-truncation, one-shot, high-density, structured, digest, auto"
    );
}

#[test]
fn req_8_17_what_a_setting_cannot_be_is_refused_in_every_layer() {
    let wrong = [
        ("compression.strategy", json!(["", "Middle-Out", 1, true, [], {}])),
        ("compression.profile", json!(["", "  ", 1, false, ["flash"]])),
        ("compression.threshold", json!([0, -0.1, 1.01, "0.5", true, 85])),
        ("compression.preserve", json!([-0.1, 1.01, "0.3", {"tokens": 100}])),
        ("compression.topPreserve", json!([-1, 2, [0.2]])),
        ("compression.density.readWritePruning", json!([0, 1, "true", "on", {}])),
        ("compression.density.recencyRetention", json!(["3", true, []])),
    ];
    for (key, values) in wrong {
        for bad in values.as_array().unwrap().iter().chain([&Value::Null]) {
            for position in 0..4 {
                let mut layers = vec![json!({key: setting_default(key)}); position];
                layers.push(json!({key: bad}));
                let error = refused(&layers);
                assert_eq!(error.option_key(), Some(key), "{key}: {bad}");
                assert!(error.message().contains(&format!("layer {position}")), "{}", error.message());
            }
        }
    }
    assert!(refused(&[json!({"compression.preserve": null})]).message().contains("found null in layer 0"));
}

/// A value that the setting may have.
fn setting_default(key: &str) -> Value {
    match setting(key).kind {
        SettingKind::Strategy { .. } => json!("auto"),
        SettingKind::Text => json!("flash"),
        SettingKind::Number { .. } => json!(0.5),
        SettingKind::Choice { values } => json!(values[0]),
        SettingKind::Switch { .. } => json!(true),
    }
}

#[test]
fn req_013_6_a_small_retention_is_no_error() {
    for retention in [json!(0), json!(-3), json!(2.5)] {
        let layer = json!({"compression.density.recencyRetention": retention});
        assert_eq!(value(&[layer], "compression.density.recencyRetention"), retention);
    }
}

#[test]
fn an_unknown_key_names_the_nearest() {
    let expected = [
        ("compression.treshold", "compression.threshold"),
        ("compression.top-preserve", "compression.topPreserve"),
        ("compresion.strategy", "compression.strategy"),
        ("density.fileDedup", "compression.density.fileDedupe"),
        ("recency_retention", "compression.density.recencyRetention"),
        ("READWRITEPRUNING", "compression.density.readWritePruning"),
        ("compression_threshold", "compression.threshold"),
        ("__proto__", ""),
        ("", ""),
    ];
    for (given, nearest) in expected {
        let error = refused(&[json!({}), json!({given: 1})]);
        assert_eq!(error.option_key(), Some(given));
        let message = error.message();
        assert!(
            message.starts_with(&format!("setting {given}: found an unknown key in layer 1")),
            "{message}"
        );
        assert!(message.ends_with(&format!("the nearest is {nearest}")) || nearest.is_empty(), "{message}");
    }
    let long = "x".repeat(1_000_000);
    assert!(refused(&[json!({long: 1})]).message().len() < 200);
}

#[test]
fn a_layer_is_an_object() {
    for layer in [Value::Null, json!([]), json!("auto"), json!(1)] {
        let message = refused(&[json!({}), layer]).message().to_owned();
        assert!(message.starts_with("layer 1 (profile): found "), "{message}");
    }
}

#[test]
fn structured_keeps_no_tail_unless_one_is_set() {
    let structured = json!({"compression.strategy": "structured"});
    assert_eq!(value(std::slice::from_ref(&structured), "compression.preserve"), Value::Null);
    let tail = json!({"compression.preserve": 0.3});
    assert_eq!(value(&[structured, tail], "compression.preserve"), 0.3);
}

#[test]
fn no_default_stands_twice() {
    let threshold = |strategy: Strategy| json!(strategy.info().trigger.default_threshold);
    assert!(Strategy::ALL.into_iter().all(|strategy| threshold(strategy) == defaults::THRESHOLD));
    let budget = Budget::new(&options(json!({"strategy": "high-density", "contextLimit": 1000}))).unwrap();
    assert_eq!(json!(budget.trigger), defaults::THRESHOLD * 1000.0);

    // What the documentation of the options says of their defaults.
    let documented = [
        ("src/options/rules.rs", "compression.density.readWritePruning", "read_write_pruning"),
        ("src/options/rules.rs", "compression.density.fileDedupe", "file_dedupe"),
        ("src/options/rules.rs", "compression.density.recencyPruning", "recency_pruning"),
        ("src/options/rules.rs", "compression.density.recencyRetention", "recency_retention"),
        ("src/options.rs", "compression.preserve", "preserve"),
        ("src/summary/settings.rs", "compression.preserve", "preserve"),
        ("src/summary/settings.rs", "compression.topPreserve", "top_preserve"),
    ];
    let documentation = std::fs::read_to_string(root().join("src/conversation/settings.rs")).unwrap();
    let (strategy, _) = documentation.split_once("    pub strategy: Option<").unwrap();
    assert!(strategy.contains(&format!("/// @default \"{}\"", Strategy::DEFAULT.name())));
    for (file, key, field) in documented {
        let text = std::fs::read_to_string(root().join(file)).unwrap();
        let (above, _) = text.split_once(&format!("    pub {field}: Option<")).unwrap();
        let (_, default) = above.rsplit_once("/// @default ").unwrap();
        let default = default.lines().next().unwrap().split(',').next().unwrap();
        assert_eq!(
            serde_json::from_str::<Value>(default).unwrap().as_f64(),
            value(&[], key).as_f64(),
            "{key}"
        );
        assert_eq!(
            default.trim_matches('"'),
            value(&[], key).to_string().trim_matches('"').trim_end_matches(".0")
        );
    }
}

#[test]
fn what_is_resolved_crosses_as_places() {
    let layers = [json!({}), json!({"compression-threshold": 0.123_456_789})];
    let crossed: Value = serde_json::to_value(resolve(&layers).unwrap()).unwrap();
    let list = crossed.as_array().unwrap();
    assert_eq!(list[0], json!(["compression.strategy", -1, "middle-out"]));
    assert_eq!(list[1], json!(["compression.threshold", 1, "compression-threshold"]));
    assert_eq!(list[2], json!(["compression.preserve", -1, 0.3]));
}

/// Which value is in force, as naively as it can be said.
fn naive(layers: &[Value], setting: &Setting) -> Option<Value> {
    let set = layers.iter().flat_map(|layer| setting.names().map(move |name| layer.get(name)));
    set.flatten().next().cloned()
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn the_first_layer_that_has_a_setting_decides(
        picks in prop::collection::vec((0..3_usize, 0..SETTINGS.len(), 0..5_usize, 1..100_u32), 0..20),
    ) {
        let mut layers = vec![json!({}), json!({}), json!({})];
        for (layer, at, name, number) in picks {
            let name = SETTINGS[at].names().nth(name).unwrap_or(SETTINGS[at].key);
            let has_it = SETTINGS[at].names().any(|name| layers[layer].get(name).is_some());
            if has_it {
                continue;
            }
            layers[layer][name] = match SETTINGS[at].kind {
                SettingKind::Strategy { .. } => json!(Strategy::ALL[number as usize % 6].name()),
                SettingKind::Choice { values } => json!(values[number as usize % values.len()]),
                SettingKind::Text => json!(number.to_string()),
                SettingKind::Number { .. } => json!(f64::from(number) / 100.0),
                SettingKind::Switch { .. } => json!(number % 2 == 0),
            };
        }
        let resolved = resolve(&layers).unwrap();
        for setting in &SETTINGS {
            let one: Option<&Resolved> = resolved.iter().find(|one| one.key == setting.key);
            match naive(&layers, setting) {
                Some(expected) => prop_assert_eq!(&one.unwrap().value, &expected),
                None => prop_assert!(one.is_none_or(|one| one.source == Source::Default)),
            }
        }
    }
}
