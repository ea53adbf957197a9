//! Options, and errors that name the key.

use densify::ErrorCode;
use densify::options::{
    CompressSettings, FlushPolicy, OptimizeSettings, Preset, Prices, RuleSettings, Size, read_options,
};
use serde_json::{Value, json};

#[track_caller]
fn fails<T: densify::options::FromOptions + std::fmt::Debug>(options: Value, key: &str) -> String {
    let error = read_options::<T>(&options).unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidOptions);
    assert_eq!(error.option_key(), Some(key), "{error}");
    assert!(error.message().contains(key), "{error}");
    error.message().to_owned()
}

#[test]
fn req_001_9_all_keys_are_read() {
    let read: OptimizeSettings = read_options(&json!({
        "preset": "lossless", "budget": 5, "rules": {
            "repeats": false, "lineNumbers": true, "recencyRetention": 2.5, "recencyTools": ["grep"],
        }, "workspaceRoot": "/w", "flush": {"tokens": 100},
        "prices": {"cached": 0.5, "uncached": 1}, "cacheTtl": 300, "tools": [],
    }))
    .unwrap();
    let expected = OptimizeSettings {
        preset: Some(Preset::Lossless),
        budget: Some(5.0),
        rules: RuleSettings {
            repeats: Some(false),
            line_numbers: Some(true),
            recency_retention: Some(2.5),
            recency_tools: Some(vec!["grep".to_owned()]),
            ..RuleSettings::default()
        },
        workspace_root: Some("/w".to_owned()),
        flush: Some(FlushPolicy::Tokens(100.0)),
        prices: Some(Prices { cached: 0.5, uncached: 1.0 }),
        cache_ttl: Some(300.0),
        tools: Some(vec![]),
    };
    assert_eq!(read, expected);
    assert_eq!(read_options::<OptimizeSettings>(&json!({})).unwrap(), OptimizeSettings::default());
}

/// A name of a field as the key of an option: a capital letter begins each further word.
fn key_of(field: &str) -> String {
    let mut words = field.split('_');
    let first = words.next().unwrap().to_owned();
    words.fold(first, |key, word| key + &word[..1].to_uppercase() + &word[1..])
}

#[test]
fn each_key_of_the_rules_sets_the_field_of_its_name() {
    let none = format!("{:?}", RuleSettings::default());
    let fields: Vec<&str> =
        none.split([' ', ':']).filter(|word| word.starts_with(char::is_lowercase)).collect();
    assert!(fields.len() >= 14, "{none}");
    for field in fields {
        let values = [json!(true), json!(2.5), json!(["grep"])];
        let read = |value| read_options::<RuleSettings>(&json!({ key_of(field): value })).ok();
        let set = values.into_iter().find_map(read).unwrap_or_else(|| panic!("no option for {field}"));
        let set = format!("{set:?}");
        assert!(set.contains(&format!("{field}: Some(")), "{set}");
        assert_eq!(set.matches("Some(").count(), 1, "{set}");
    }
}

#[test]
fn a_cache_lives_for_some_time() {
    for wrong in [json!(0), json!(-1), json!("5m"), json!(null)] {
        fails::<OptimizeSettings>(json!({ "cacheTtl": wrong }), "cacheTtl");
    }
}

#[test]
fn an_unknown_key_is_an_error_that_lists_the_known_ones() {
    let message = fails::<OptimizeSettings>(json!({"rules": {"fileDedup": true}}), "rules.fileDedup");
    assert!(
        message.contains("one of fileDedupe, repeats") && message.contains("recencyRetention"),
        "{message}"
    );
    let message = fails::<OptimizeSettings>(json!({"rule": {}}), "rule");
    assert!(message.contains("one of rules, preset"), "{message}");
    let message = fails::<OptimizeSettings>(json!({"xyz": {}}), "xyz");
    assert!(message.contains("one of preset, budget"), "{message}");
    fails::<OptimizeSettings>(json!({"__proto__": 1}), "__proto__");
    fails::<CompressSettings>(json!({"strategy": "x", "contextLimit": 1, "contextlimit": 1}), "contextlimit");
    fails::<OptimizeSettings>(json!({"tools": [{"name": "x", "kind": "read", "paths": 1}]}), "tools.0.paths");
}

#[test]
fn a_value_of_the_wrong_type_is_an_error_and_null_is_no_absence() {
    for (key, value) in [
        ("preset", json!("safe")),
        ("preset", json!(1)),
        ("budget", json!("5")),
        ("rules", json!("all")),
        ("rules", Value::Null),
        ("workspaceRoot", json!(7)),
        ("flush", json!("sometimes")),
        ("flush", json!({"tokens": -1})),
        ("flush", json!({"tokens": 1, "more": 2})),
        ("flush", json!({"token": 1})),
        ("tools", json!({"name": "x"})),
    ] {
        fails::<OptimizeSettings>(json!({key: value}), key);
    }
    for (key, value) in [
        ("repeats", json!("yes")),
        ("lineNumbers", json!(1)),
        ("oldResults", json!([])),
        ("readWritePruning", json!("yes")),
        ("recencyPruning", Value::Null),
        ("recencyRetention", json!("3")),
        ("recencyTools", json!("grep")),
        ("recencyTools", json!([1])),
    ] {
        fails::<OptimizeSettings>(json!({"rules": {key: value}}), &format!("rules.{key}"));
    }
    for (tool, key) in [
        (json!(7), "tools.1"),
        (json!({"kind": "read"}), "tools.1.name"),
        (json!({"name": "x"}), "tools.1.kind"),
        (json!({"name": "x", "kind": "reads"}), "tools.1.kind"),
        (json!({"name": "x", "kind": "read", "pathKeys": "path"}), "tools.1.pathKeys"),
    ] {
        fails::<OptimizeSettings>(json!({"tools": [{"name": "y", "kind": "read"}, tool]}), key);
    }
    fails::<OptimizeSettings>(json!([]), "options");
    fails::<OptimizeSettings>(Value::Null, "options");
}

#[test]
fn compress_needs_a_strategy_and_a_limit() {
    fails::<CompressSettings>(json!({"contextLimit": 1}), "strategy");
    fails::<CompressSettings>(json!({"strategy": "high-density"}), "contextLimit");
    fails::<CompressSettings>(json!({"strategy": "high-density", "contextLimit": null}), "contextLimit");
}

#[test]
fn a_size_is_a_fraction_or_says_what_it_measures() {
    let size = |preserve: Value| {
        let settings = json!({"strategy": "x", "contextLimit": 1, "preserve": preserve});
        read_options::<CompressSettings>(&settings).map(|settings| settings.preserve)
    };
    assert_eq!(size(json!(0.5)), Ok(Some(Size::Fraction(0.5))));
    assert_eq!(size(json!({"fraction": 0.5})), Ok(Some(Size::Fraction(0.5))));
    assert_eq!(size(json!({"messages": 5})), Ok(Some(Size::Messages(5.0))));
    assert_eq!(size(json!({"tokens": 5})), Ok(Some(Size::Tokens(5.0))));
    for wrong in
        [json!("0.5"), json!({}), json!({"tokens": 1, "messages": 1}), json!({"tokens": "1"}), json!([1])]
    {
        assert_eq!(size(wrong).unwrap_err().option_key(), Some("preserve"));
    }
}

#[test]
fn errors_say_what_was_found_and_what_would_be_right() {
    let message =
        fails::<OptimizeSettings>(json!({"rules": {"recencyRetention": "many"}}), "rules.recencyRetention");
    assert_eq!(message, "option rules.recencyRetention: found 'many', expected a finite number");
    let message = fails::<OptimizeSettings>(json!({"flush": {"tokens": -1}}), "flush");
    assert_eq!(
        message,
        "option flush: found an object with tokens -1, expected 'always', 'never', 'when-it-pays', 'when-cold' or { tokens } with a number of at least 0"
    );
    let long = "x".repeat(10_000);
    assert!(fails::<OptimizeSettings>(json!({"flush": long}), "flush").len() < 200);
}
