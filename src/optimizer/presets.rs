//! What presets and switches come to.

use crate::options::{FlushPolicy, OptimizeSettings, Preset};
use crate::rules::{AGGRESSIVE, BALANCED, Results, Switches};

/// The rules that look into results, if any of them is on.
pub(super) fn results(settings: &OptimizeSettings, preset: Preset) -> Option<Results> {
    let is_on = |switch: Option<bool>| switch.unwrap_or(preset != Preset::Seed);
    let rules = &settings.rules;
    // An earlier result is not part of a later one, unless both are equal.
    let is_bold = |switch: Option<bool>| is_on(switch.or((preset == Preset::Lossless).then_some(false)));
    let rung = match preset {
        Preset::Seed | Preset::Lossless => None,
        Preset::Balanced => Some(BALANCED),
        Preset::Aggressive => Some(AGGRESSIVE),
    };
    let on = Switches {
        repeats: is_on(rules.repeats),
        line_numbers: is_on(rules.line_numbers),
        superseded_reads: is_on(rules.superseded_reads),
        repeated_calls: is_bold(rules.repeated_calls),
        failed_calls: is_bold(rules.failed_calls),
        write_arguments: is_on(rules.write_arguments),
        repeated_media: is_on(rules.repeated_media),
        is_strict: preset == Preset::Lossless,
        waits: settings.flush_policy() == FlushPolicy::WhenItPays,
        old_thinking: rules.old_thinking.or(rung.is_some().then_some(true)),
        old: match rules.old_results {
            Some(false) => None,
            Some(true) => rung.or(Some(BALANCED)),
            None => rung,
        },
    };
    let by_calls = on.superseded_reads || on.repeated_calls || on.failed_calls || on.write_arguments;
    let by_content = on.repeats || on.repeated_media || on.line_numbers;
    let by_age = on.old.is_some() || on.old_thinking == Some(true) || settings.budget.is_some();
    (by_calls || by_content || by_age).then(|| Results::new(on))
}
