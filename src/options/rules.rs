//! The rules from outside: the names that their edits carry, and their options. `rules/` has what they do.

use super::read::{FromOptions, Reader};
use crate::error::Error;

/// The rule or strategy that an edit comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum RuleName {
    /// A read that a later write of the same file made stale.
    StaleReads = 0,
    /// An inclusion of a file that was included again later.
    Inclusions = 1,
    /// A result older than the newest ones of its tool.
    Recency = 2,
    /// Thinking that an edit before it made invalid.
    BoundThinking = 3,
    /// A result outside the tail that was summarised in one line.
    ResultSummary = 4,
    /// An entry that was given up to reach the target.
    Truncation = 5,
    /// Lines of a result that a later result shows too, or that a call wrote.
    Repeats = 6,
    /// The numbers before a result's lines.
    LineNumbers = 7,
    /// A result that was cut to a size, by its kind and age.
    OldResults = 8,
    /// A result whose lines of a file were shown again or rewritten.
    Superseded = 9,
    /// A result of a call that was made again with nothing changed in between.
    RepeatedCalls = 10,
    /// The arguments of a write whose text a later result shows.
    WriteArguments = 11,
    /// An image or a file that comes again later.
    RepeatedMedia = 12,
    /// A result of a failed call that succeeded later.
    FailedCalls = 13,
    /// What the model thought long ago.
    OldThinking = 14,
}

impl RuleName {
    /// All of them, by their numbers.
    pub const ALL: [Self; 15] = [
        Self::StaleReads,
        Self::Inclusions,
        Self::Recency,
        Self::BoundThinking,
        Self::ResultSummary,
        Self::Truncation,
        Self::Repeats,
        Self::LineNumbers,
        Self::OldResults,
        Self::Superseded,
        Self::RepeatedCalls,
        Self::WriteArguments,
        Self::RepeatedMedia,
        Self::FailedCalls,
        Self::OldThinking,
    ];

    /// Whether an edit may lead to others. The documents' rules and the strategies find nothing in their own output; a rule
    /// that reads results may.
    #[must_use]
    pub const fn leads_on(self) -> bool {
        !matches!(
            self,
            Self::StaleReads
                | Self::Inclusions
                | Self::Recency
                | Self::BoundThinking
                | Self::ResultSummary
                | Self::Truncation
        )
    }
}

/// Switches of single rules, which override the preset.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "wasm", serde(rename_all = "camelCase"))]
pub struct RuleSettings {
    /// Cuts lines of older results that a later result shows again, and lines of results that a call wrote.
    ///
    /// @default true, with the preset `'seed'` false
    #[cfg_attr(feature = "wasm", tsify(optional, type = "boolean | undefined"))]
    pub repeats: Option<bool>,
    /// Removes line numbers from results, except every hundredth.
    ///
    /// @default true, with the preset `'seed'` false
    #[cfg_attr(feature = "wasm", tsify(optional, type = "boolean | undefined"))]
    pub line_numbers: Option<bool>,
    /// Removes results that show lines of a file once a later result shows them again, as they were or as known edits left
    /// them.
    ///
    /// @default true, with the preset `'seed'` false
    #[cfg_attr(feature = "wasm", tsify(optional, type = "boolean | undefined"))]
    pub superseded_reads: Option<bool>,
    /// Removes results of repeated calls if nothing changed in between and the later result has all lines.
    ///
    /// @default true, with the presets `'seed'` and `'lossless'` false
    #[cfg_attr(feature = "wasm", tsify(optional, type = "boolean | undefined"))]
    pub repeated_calls: Option<bool>,
    /// Removes results of failed calls once the same call succeeds.
    ///
    /// @default true, with the presets `'seed'` and `'lossless'` false
    #[cfg_attr(feature = "wasm", tsify(optional, type = "boolean | undefined"))]
    pub failed_calls: Option<bool>,
    /// Shortens the arguments of writes whose text a later result shows.
    ///
    /// @default true, with the preset `'seed'` false
    #[cfg_attr(feature = "wasm", tsify(optional, type = "boolean | undefined"))]
    pub write_arguments: Option<bool>,
    /// Replaces images and files by a short text if they appear again later and the format allows a text there. Media
    /// of the user stay unless the user shows them again.
    ///
    /// @default true, with the preset `'seed'` false
    #[cfg_attr(feature = "wasm", tsify(optional, type = "boolean | undefined"))]
    pub repeated_media: Option<bool>,
    /// Cuts old results, those with the largest product of size and age first. Files stay longer than output. Results that
    /// the model hasn't answered stay.
    ///
    /// @default true, with the presets `'seed'` and `'lossless'` false
    #[cfg_attr(feature = "wasm", tsify(optional, type = "boolean | undefined"))]
    pub old_results: Option<bool>,
    /// Drops thinking before the model's last 4 to 19 results, or the user's last 4 to 19 messages. Thinking that the
    /// provider wants back stays.
    ///
    /// @default true, with the presets `'seed'` and `'lossless'` false, until a `budget` needs it
    #[cfg_attr(feature = "wasm", tsify(optional, type = "boolean | undefined"))]
    pub old_thinking: Option<bool>,
    /// Removes reads of a file once a later write of the same file succeeds.
    ///
    /// @default true, with other presets than `'seed'` false
    #[cfg_attr(feature = "wasm", tsify(optional, type = "boolean | undefined"))]
    pub read_write_pruning: Option<bool>,
    /// Removes all but the newest copy of a file that the user pasted (`--- path ---` … `--- End of content ---`). Except in
    /// `'seed'`, a copy with lines that the newest one lacks stays too: any line in
    /// `'lossless'`, most lines in the other presets.
    ///
    /// @default true
    #[cfg_attr(feature = "wasm", tsify(optional, type = "boolean | undefined"))]
    pub file_dedupe: Option<bool>,
    /// Replaces results older than the newest few of their tool by a note. Presets other than `'seed'` tell the model to
    /// run the tool again for reads only.
    ///
    /// @default false
    #[cfg_attr(feature = "wasm", tsify(optional, type = "boolean | undefined"))]
    pub recency_pruning: Option<bool>,
    /// The number of results of each tool that `recencyPruning` keeps: at least 1, rounded down.
    ///
    /// @default 3
    #[cfg_attr(feature = "wasm", tsify(optional, type = "number | undefined"))]
    pub recency_retention: Option<f64>,
    /// Limits `recencyPruning` to tools of these names.
    ///
    /// @default all tools
    #[cfg_attr(feature = "wasm", tsify(optional, type = "readonly string[] | undefined"))]
    pub recency_tools: Option<Vec<String>>,
}

impl FromOptions for RuleSettings {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        Ok(Self {
            repeats: reader.boolean("repeats")?,
            line_numbers: reader.boolean("lineNumbers")?,
            superseded_reads: reader.boolean("supersededReads")?,
            repeated_calls: reader.boolean("repeatedCalls")?,
            failed_calls: reader.boolean("failedCalls")?,
            write_arguments: reader.boolean("writeArguments")?,
            repeated_media: reader.boolean("repeatedMedia")?,
            old_results: reader.boolean("oldResults")?,
            old_thinking: reader.boolean("oldThinking")?,
            read_write_pruning: reader.boolean("readWritePruning")?,
            file_dedupe: reader.boolean("fileDedupe")?,
            recency_pruning: reader.boolean("recencyPruning")?,
            recency_retention: reader.number("recencyRetention")?,
            recency_tools: reader.texts("recencyTools")?,
        })
    }
}
