//! The settings as data, for a `/set` command or a dialog, and the values that are in force when they are
//! set in several places (documents 001 and 004, requirements section 6).

mod json;
mod parse;
mod resolve;

use crate::defaults;
use crate::strategy::Strategy;
pub use json::registry_json;
pub use parse::parse_setting;
pub use resolve::{Resolved, Source, refusal, resolve};

/// A setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// Its name.
    pub key: &'static str,
    /// Its type, and its default.
    pub kind: SettingKind,
    /// What it does, in a sentence.
    pub description: &'static str,
    /// Where an agent's settings have it.
    pub category: &'static str,
    /// What to type, where that doesn't speak for itself.
    pub hint: Option<&'static str>,
    /// Whether it is saved with a profile.
    pub persist_to_profile: bool,
    /// Other names of the same setting.
    pub aliases: &'static [&'static str],
}

/// What a setting holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingKind {
    /// The name of a strategy.
    Strategy {
        /// What it is unless it is set.
        default: Strategy,
    },
    /// One of some words; without it the choice is left to the strategy.
    Choice {
        /// The words.
        values: &'static [&'static str],
    },
    /// A text that isn't empty; without it the choice is left to the host.
    Text,
    /// A number.
    Number {
        /// What it is unless it is set; without one it is what the strategy says.
        default: Option<f64>,
        /// Strategies that have a default of their own in place of this one.
        no_default_for: &'static [Strategy],
        /// Where the number must lie.
        range: Option<Range>,
    },
    /// On or off.
    Switch {
        /// What it is unless it is set; without one the strategy decides.
        default: Option<bool>,
    },
}

/// Where a number must lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least number.
    pub min: f64,
    /// Whether the least number itself lies outside.
    pub min_excluded: bool,
    /// The greatest number.
    pub max: f64,
}

impl Range {
    const FRACTION: Self = Self { min: 0.0, min_excluded: false, max: 1.0 };

    fn holds(self, number: f64) -> bool {
        number <= self.max && if self.min_excluded { number > self.min } else { number >= self.min }
    }
}

/// What the settings have in common.
const SETTING: Setting = Setting {
    key: "",
    kind: SettingKind::Text,
    description: "",
    category: "cli-behavior",
    hint: None,
    persist_to_profile: true,
    aliases: &[],
};

/// All settings. The aliases are the other names that the documents have for them.
pub static SETTINGS: [Setting; 13] = [
    Setting {
        key: "compression.strategy",
        // The documents' default.
        kind: SettingKind::Strategy { default: Strategy::MiddleOut },
        description: "How the history is made to fit the model's context window",
        aliases: &["strategy", "compressionStrategy", "chatCompression.strategy"],
        ..SETTING
    },
    Setting {
        key: "compression.profile",
        kind: SettingKind::Text,
        description: "The profile of the model that writes summaries; unset, it is the active model",
        hint: Some("profile name"),
        aliases: &["profile", "compressionProfile", "chatCompression.profile"],
        ..SETTING
    },
    Setting {
        key: "compression.threshold",
        kind: SettingKind::Number {
            default: None,
            no_default_for: &[],
            range: Some(Range { min_excluded: true, ..Range::FRACTION }),
        },
        description: "The part of the context window at which compression is due; unset, it is the strategy's",
        aliases: &[
            "compression-threshold",
            "compressionThreshold",
            "contextPercentageThreshold",
            "chatCompression.contextPercentageThreshold",
        ],
        ..SETTING
    },
    Setting {
        key: "compression.preserve",
        kind: SettingKind::Number {
            default: Some(defaults::PRESERVE),
            no_default_for: &[Strategy::Structured],
            range: Some(Range::FRACTION),
        },
        description: "The fraction of the messages, the newest ones, that stays as it is",
        aliases: &["compression-preserve-threshold", "preserveThreshold"],
        ..SETTING
    },
    Setting {
        key: "compression.topPreserve",
        kind: SettingKind::Number {
            default: Some(defaults::TOP_PRESERVE),
            no_default_for: &[],
            range: Some(Range::FRACTION),
        },
        description: "The fraction of the messages, the oldest ones, that 'middle-out' keeps as it is",
        aliases: &["topPreserveThreshold"],
        ..SETTING
    },
    Setting {
        key: "compression.density.readWritePruning",
        kind: SettingKind::Switch { default: Some(defaults::READ_WRITE_PRUNING) },
        description: "Remove reads of a file that a later write of the same file made stale",
        aliases: &["densityReadWritePruning"],
        ..SETTING
    },
    Setting {
        key: "compression.density.fileDedupe",
        kind: SettingKind::Switch { default: Some(defaults::FILE_DEDUPE) },
        description: "Keep only the newest inclusion of each file that the user included",
        aliases: &["densityFileDedupe"],
        ..SETTING
    },
    Setting {
        key: "compression.density.recencyPruning",
        kind: SettingKind::Switch { default: Some(defaults::RECENCY_PRUNING) },
        description: "Replace results older than the newest few of their tool by a pointer",
        aliases: &["densityRecencyPruning"],
        ..SETTING
    },
    Setting {
        key: "compression.density.recencyRetention",
        kind: SettingKind::Number {
            default: Some(defaults::RECENCY_RETENTION),
            no_default_for: &[],
            range: None,
        },
        description: "How many results of each tool recency pruning keeps; less than 1 counts as 1",
        aliases: &["densityRecencyRetention"],
        ..SETTING
    },
    Setting {
        key: "compression.preset",
        kind: SettingKind::Choice { values: &["seed", "lossless", "balanced", "aggressive"] },
        description: "Which rules edit the history before each send; unset, they are the density rules",
        ..SETTING
    },
    Setting {
        key: "compression.flush",
        kind: SettingKind::Choice { values: &["always", "never", "when-it-pays", "when-cold"] },
        description: "When messages that were already sent are edited, which costs the provider's prompt cache",
        ..SETTING
    },
    Setting {
        key: "compression.intake",
        kind: SettingKind::Switch { default: None },
        description: "Shrink results of tools before they are sent for the first time",
        ..SETTING
    },
    Setting {
        key: "compression.recall",
        kind: SettingKind::Switch { default: Some(false) },
        description: "Keep what is cut, so that the model can ask for it again",
        ..SETTING
    },
];

/// The same for loops, which the compiler would unroll if it saw how many there are.
#[inline(never)]
fn settings() -> &'static [Setting] {
    &SETTINGS
}

impl SettingKind {
    /// The type's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Strategy { .. } | Self::Choice { .. } => "enum",
            Self::Text => "string",
            Self::Number { .. } => "number",
            Self::Switch { .. } => "boolean",
        }
    }
}

impl Setting {
    /// The setting's names, its key first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.key).chain(self.aliases.iter().copied())
    }
}
