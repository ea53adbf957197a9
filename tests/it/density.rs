//! The documents' own form of `optimize`: removals and replacements (REQ-HD-001, 003, 013).

use std::collections::BTreeMap;

use densify::content::Content;
use densify::edit::{DensityResult, apply_density_result, check_density};
use densify::optimizer::DensityMetadata;
use densify::options::{DensityConfig, FlushPolicy, read_options};
use densify::{ErrorCode, propose_density};
use proptest::prelude::*;
use serde_json::json;

use crate::histories::{Manner, cases, history};
use crate::oracle::Config;
use crate::script::{assert_script, parse};
use crate::session::{Session, settings};
use crate::support::{density_config, options};

fn config() -> DensityConfig {
    options(density_config())
}

fn result(removals: &[usize], replacements: &[(usize, Content)]) -> DensityResult {
    DensityResult {
        removals: removals.to_vec(),
        replacements: replacements.iter().cloned().collect(),
        metadata: DensityMetadata::default(),
    }
}

#[test]
fn req_001_2_req_001_5_req_001_8_optimize_proposes_removals_replacements_and_counts() {
    let history = parse(
        "human: --- a.ts ---\\nold\\n--- End of content ---\\nHere.
         ai: read_file#1 a.ts
         tool: #1 old
         ai: write_file#2 a.ts | grep#3
         tool: #2 ok | #3 x*100
         human: --- a.ts ---\\nnew\\n--- End of content ---\\n
         ai: grep#4
         tool: #4 x*100",
    );
    let config = DensityConfig { recency_pruning: true, recency_retention: 1.0, ..config() };
    let proposed = propose_density(&history, &config).unwrap();
    assert_eq!(proposed.removals, [1, 2]);
    assert_eq!(proposed.replacements.keys().copied().collect::<Vec<_>>(), [0, 4]);
    let counts =
        DensityMetadata { read_write_pairs_pruned: 1, file_deduplications_pruned: 1, recency_pruned: 1 };
    assert_eq!(proposed.metadata, counts);
    assert_script(
        &apply_density_result(&history, &proposed).unwrap(),
        "human: Here.
         ai: write_file#2 a.ts | grep#3
         tool: #2 ok | #3 [Result pruned — re-run tool to retrieve]
         human: --- a.ts ---\\nnew\\n--- End of content ---\\n
         ai: grep#4
         tool: #4 x*100",
    );
}

#[test]
fn req_001_6_an_index_may_not_be_removed_and_replaced() {
    let history = parse("human: a\nhuman: b");
    let both = result(&[1], &[(1, history[0].clone())]);
    let error = apply_density_result(&history, &both).unwrap_err();
    assert_eq!((error.code(), error.index()), (ErrorCode::InvalidDensityResult, Some(1)));
    let twice = result(&[0, 1, 0], &[]);
    assert_eq!(apply_density_result(&history, &twice).unwrap_err().index(), Some(0));
}

#[test]
fn req_001_7_indices_lie_within_the_history() {
    let history = parse("human: a\nhuman: b");
    for wrong in [result(&[2], &[]), result(&[], &[(2, history[0].clone())]), result(&[usize::MAX], &[])] {
        let error = apply_density_result(&history, &wrong).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidDensityResult);
    }
    for index in [-1.0, 0.5, f64::NAN, f64::INFINITY, 2.0, 1e300] {
        assert!(check_density(2, &[index], &[]).is_err(), "{index}");
        assert!(check_density(2, &[], &[index]).is_err(), "{index}");
    }
    assert!(check_density(2, &[0.0], &[-0.0]).is_err(), "-0 is 0");
    assert!(check_density(2, &[0.0], &[1.0]).is_ok());
    assert!(check_density(0, &[0.0], &[]).is_err());
}

#[test]
fn req_001_9_nothing_in_the_configuration_has_a_default() {
    for key in ["readWritePruning", "fileDedupe", "recencyPruning", "recencyRetention", "workspaceRoot"] {
        let mut without = density_config();
        without.as_object_mut().unwrap().remove(key);
        let error = read_options::<DensityConfig>(&without).unwrap_err();
        assert_eq!((error.code(), error.option_key()), (ErrorCode::InvalidOptions, Some(key)));
    }
    assert_eq!(config().recency_retention.to_bits(), 3.0_f64.to_bits());
}

#[test]
fn req_003_2_replacements_come_first_so_that_indices_are_those_of_the_raw_history() {
    let history = parse("human: 0\nhuman: 1\nhuman: 2\nhuman: 3");
    let new = parse("human: new").remove(0);
    let proposed = result(&[0, 2], &[(1, new.clone()), (3, new)]);
    assert_script(&apply_density_result(&history, &proposed).unwrap(), "human: new\nhuman: new");
}

#[test]
fn req_003_3_the_order_of_removals_does_not_matter() {
    let history = parse("human: 0\nhuman: 1\nhuman: 2\nhuman: 3");
    for removals in [[3, 0, 1], [0, 1, 3], [1, 3, 0]] {
        let left = apply_density_result(&history, &result(&removals, &[])).unwrap();
        assert_script(&left, "human: 2");
    }
}

#[test]
fn req_013_2_apply_fails_before_it_changes_anything() {
    let history = parse("human: a\nhuman: b");
    let copy = history.clone();
    assert!(apply_density_result(&history, &result(&[0, 9], &[])).is_err());
    assert_eq!(history, copy);
}

#[test]
fn an_empty_result_changes_nothing() {
    let history = parse("human: a\nai: \"b\"");
    let proposed = propose_density(&history, &config()).unwrap();
    assert_eq!((proposed.removals.len(), proposed.replacements), (0, BTreeMap::new()));
    assert_eq!(apply_density_result(&history, &result(&[], &[])).unwrap(), history);
}

#[test]
fn a_retention_that_is_no_number_is_an_error() {
    let config = DensityConfig { recency_retention: f64::NAN, ..config() };
    let error = propose_density(&[], &config).unwrap_err();
    assert_eq!((error.code(), error.option_key()), (ErrorCode::InvalidOptions, Some("recencyRetention")));
    let settings = json!({"rules": {"recencyRetention": null}});
    assert!(read_options::<densify::options::OptimizeSettings>(&settings).is_err());
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn req_013_7_the_documents_form_gives_the_same_history(history in history(Manner::Any, 20)) {
        let config = Config { recency: Some(2), ..Config::default() };
        let mut session = Session::new(&settings(&config, FlushPolicy::Always));
        session.push(&history);
        let run = session.run(false);
        let given = DensityConfig {
            read_write_pruning: true,
            file_dedupe: true,
            recency_pruning: true,
            recency_retention: 2.0,
            workspace_root: "/".to_owned(),
        };
        let proposed = propose_density(&history, &given).unwrap();
        prop_assert_eq!(proposed.metadata, run.metadata());
        prop_assert!(proposed.removals.is_sorted());
        for (index, replacement) in &proposed.replacements {
            prop_assert_ne!(replacement, &history[*index]);
        }
        prop_assert_eq!(apply_density_result(&history, &proposed).unwrap(), session.output());
    }
}
