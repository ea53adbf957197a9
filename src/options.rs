//! What callers can choose. The documentation here is the documentation of the TypeScript types.

mod read;
mod rules;

use serde_json::Value;

use crate::error::Error;
use crate::tools::ToolDefinition;
#[cfg(feature = "constants")]
pub use read::keys_of;
pub use read::{FromOptions, Reader};
pub(crate) use read::{found, invalid, number, shown_key};
pub use rules::{RuleName, RuleSettings};

/// What `optimize` may edit, and when.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "wasm", serde(rename_all = "camelCase"))]
pub struct OptimizeSettings {
    /// A named set of rules; `rules` overrides it.
    ///
    /// - `'lossless'` removes only text that the history shows elsewhere, and outdated file content.
    /// - `'balanced'` also cuts old results, by kind, size and age.
    /// - `'aggressive'` cuts more of them, sooner.
    /// - `'seed'` has the rules of the high-density documents.
    ///
    /// @default "balanced"
    #[cfg_attr(feature = "wasm", tsify(optional, type = "'seed' | 'lossless' | 'balanced' | 'aggressive'"))]
    pub preset: Option<Preset>,
    /// Tokens that the history should not exceed. Above it, densify cuts more old results, the least useful first. In a
    /// growing history it cuts down to four fifths of the budget, so that not every turn cuts. The preset's rules still
    /// apply. `tokensAfter` is the size reached, since protected and short results stay.
    ///
    /// @default no budget
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub budget: Option<f64>,
    /// Switches single rules on or off. This overrides the preset.
    ///
    /// @default the preset's
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub rules: RuleSettings,
    /// The folder that relative paths start from, as in POSIX `path.resolve`. A Windows path (`C:\work`) switches to
    /// Windows rules.
    ///
    /// @default "/"
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub workspace_root: Option<String>,
    /// When densify may edit messages that you already sent. Such a *flush* makes the provider's prompt cache invalid
    /// from the first edit on.
    ///
    /// - `'when-it-pays'`: it starts at the message that saves most at the given `prices`. It must not raise the cost of all
    ///   requests above 1.02 times their cost without edits.
    /// - `'always'`: immediately, for providers without a prompt cache.
    /// - `'never'`: only new messages are edited.
    /// - `{tokens}`: once the waiting edits save this many tokens.
    /// - `'when-cold'`: once the cache has expired.
    ///
    /// A history above its `budget` is flushed, except with `'never'`. Where densify sees a Claude request without a cache
    /// breakpoint, nothing is cached, and the default is `'always'`.
    ///
    /// @default "when-it-pays", with the preset `'seed'` "always", since its documents define the edits of one call
    #[cfg_attr(
        feature = "wasm",
        tsify(optional, type = "'always' | 'never' | 'when-it-pays' | 'when-cold' | InTokens")
    )]
    pub flush: Option<FlushPolicy>,
    /// Prices of an input token, for `flush: 'when-it-pays'` and `plan()`. Only their ratio counts. `cached` is the price
    /// of a token read from the cache, `uncached` of one that is written to it.
    ///
    /// @default those of the named model; without one `{cached: 0.1, uncached: 1.25}`
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub prices: Option<Prices>,
    /// Seconds after which the provider drops an unused cache. After a longer pause, edits cost nothing: densify makes all
    /// waiting edits, and cuts older results further. It measures pauses by `now`, and by the times of messages if the
    /// format has them. `Infinity`: the cache never expires.
    ///
    /// @default the figure of the model's provider (`pricesOf` of `densify/replay`), else `Infinity`
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub cache_ttl: Option<f64>,
    /// Your own tools, and tools that the built-in table describes differently.
    ///
    /// @default []
    #[cfg_attr(feature = "wasm", tsify(optional, type = "readonly ToolDefinition[]"))]
    pub tools: Option<Vec<ToolDefinition>>,
}

/// Which rules are on, and how far they go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preset {
    /// Those of the documents, unchanged.
    Seed,
    /// Only text that the history shows elsewhere, or outdated file content.
    Lossless,
    /// Also old results, by what they are, how large and how old.
    #[default]
    Balanced,
    /// More of it, sooner.
    Aggressive,
}

impl Preset {
    /// All presets with their names.
    pub const ALL: [(&'static str, Self); 4] = [
        ("seed", Self::Seed),
        ("lossless", Self::Lossless),
        ("balanced", Self::Balanced),
        ("aggressive", Self::Aggressive),
    ];

    /// The preset of a name.
    ///
    /// # Errors
    /// [`crate::ErrorCode::InvalidOptions`] if there is none.
    pub fn named(name: &str) -> Result<Self, Error> {
        let known = Self::ALL.into_iter().find(|(known, _)| *known == name);
        known.map(|(_, preset)| preset).ok_or_else(|| {
            invalid("preset", found(&Value::from(name)), "'seed', 'lossless', 'balanced' or 'aggressive'")
        })
    }
}

/// When edits may touch messages that were returned before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FlushPolicy {
    /// Immediately, as the documents demand.
    Always,
    /// Only if the caller requests a flush.
    Never,
    /// Once the waiting edits save this many tokens.
    Tokens(f64),
    /// Once their expected savings exceed the cost of the flush.
    WhenItPays,
    /// When the caller says that the cache is cold.
    WhenCold,
}

impl FlushPolicy {
    /// The default of a preset. The documents define the edits of one call, so theirs doesn't wait.
    #[must_use]
    pub const fn of(preset: Preset) -> Self {
        if matches!(preset, Preset::Seed) { Self::Always } else { Self::WhenItPays }
    }
}

impl OptimizeSettings {
    /// The flush policy that is set, or the preset's.
    #[must_use]
    pub fn flush_policy(&self) -> FlushPolicy {
        self.flush.unwrap_or_else(|| FlushPolicy::of(self.preset.unwrap_or_default()))
    }
}

/// A provider's prices of an input token. Only their ratio counts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "wasm", serde(rename_all = "camelCase"))]
pub struct Prices {
    /// Of a token that the cache holds.
    pub cached: f64,
    /// Of a token that is written to the cache.
    pub uncached: f64,
}

impl Default for Prices {
    fn default() -> Self {
        Self { cached: 0.1, uncached: 1.25 }
    }
}

/// Whether the first user message stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeepFirst {
    /// It is dropped like any other message.
    No,
    /// It stays while the target can be reached without dropping it.
    WhilePossible,
    /// It stays even if the target is missed.
    Always,
}

/// How `compress` makes a history fit.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "wasm", serde(rename_all = "camelCase"))]
pub struct CompressSettings {
    /// The strategy: `'high-density'` or `'top-down-truncation'`.
    #[cfg_attr(feature = "wasm", tsify(type = "DeterministicStrategy"))]
    pub strategy: String,
    /// The model's context window, in tokens.
    pub context_limit: f64,
    /// The part of the window at which compression is due; the target is 0.6 of it.
    ///
    /// @default 0.85
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub threshold: Option<f64>,
    /// Tokens kept free for the model's answer.
    ///
    /// @default 0
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub reserve: Option<f64>,
    /// Tokens of the system prompt and tool definitions, which are sent with every request.
    ///
    /// @default 0
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub overhead: Option<f64>,
    /// The tail, which stays unchanged: a fraction of the messages, or `{ messages }` or `{ tokens }`.
    ///
    /// @default 0.3
    #[cfg_attr(feature = "wasm", tsify(optional, type = "Size"))]
    pub preserve: Option<Size>,
    /// Whether the first user message stays. `true` keeps it while the target can be reached without it;
    /// `metadata.gaveUpFirstRequest` reports its removal. `'always'` keeps it even if the target is missed.
    ///
    /// @default true for 'high-density' and if the provider wants a user message first, else false
    #[cfg_attr(feature = "wasm", tsify(optional, type = "boolean | 'always'"))]
    pub keep_first_request: Option<KeepFirst>,
    /// Lets `high-density` drop the oldest messages if summary lines aren't enough, then the newest todos, then the first
    /// request. User messages stay if dropping them doesn't reach the target or saves under 1 %.
    ///
    /// @default true
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub truncate: Option<bool>,
    /// As for `optimize`.
    ///
    /// @default "/"
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub workspace_root: Option<String>,
    /// As for `optimize`.
    ///
    /// @default []
    #[cfg_attr(feature = "wasm", tsify(optional, type = "readonly ToolDefinition[]"))]
    pub tools: Option<Vec<ToolDefinition>>,
}

/// A part of a history.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size {
    /// A number of tokens.
    Tokens(f64),
    /// A fraction of the messages, from 0 to 1.
    Fraction(f64),
    /// A number of messages.
    Messages(f64),
}

/// The configuration of the density rules for `proposeDensity`, which are those of the preset `'seed'`: nothing has
/// a default.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "wasm", serde(rename_all = "camelCase"))]
pub struct DensityConfig {
    /// Removes stale reads.
    pub read_write_pruning: bool,
    /// Removes earlier inclusions.
    pub file_dedupe: bool,
    /// Prunes old results.
    pub recency_pruning: bool,
    /// How many results of each tool stay.
    pub recency_retention: f64,
    /// The folder that relative paths start from.
    pub workspace_root: String,
}

impl From<DensityConfig> for OptimizeSettings {
    fn from(config: DensityConfig) -> Self {
        Self {
            preset: Some(Preset::Seed),
            rules: RuleSettings {
                read_write_pruning: Some(config.read_write_pruning),
                file_dedupe: Some(config.file_dedupe),
                recency_pruning: Some(config.recency_pruning),
                recency_retention: Some(config.recency_retention),
                ..RuleSettings::default()
            },
            workspace_root: Some(config.workspace_root),
            ..Self::default()
        }
    }
}

/// Reads options from JSON.
///
/// # Errors [`crate::ErrorCode::InvalidOptions`] with the key, the found and the expected value; an unknown key is an
/// error too.
pub fn read_options<T: FromOptions>(options: &Value) -> Result<T, Error> {
    let mut reader = Reader::new("options", options)?;
    let read = T::read(&mut reader)?;
    reader.finish()?;
    Ok(read)
}

impl FromOptions for OptimizeSettings {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        Ok(Self {
            preset: reader.text("preset")?.as_deref().map(Preset::named).transpose()?,
            budget: reader.number("budget")?,
            rules: reader.object("rules")?.unwrap_or_default(),
            workspace_root: reader.text("workspaceRoot")?,
            flush: reader.flush_policy("flush")?,
            prices: reader.prices("prices")?,
            cache_ttl: reader.take("cacheTtl", "a number of seconds above 0", |value| {
                value.as_f64().filter(|seconds| *seconds > 0.0)
            })?,
            tools: reader.tools("tools")?,
        })
    }
}

impl FromOptions for CompressSettings {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        Ok(Self {
            strategy: reader.text("strategy")?.ok_or_else(|| reader.missing("strategy"))?,
            context_limit: reader.number("contextLimit")?.ok_or_else(|| reader.missing("contextLimit"))?,
            threshold: reader.number("threshold")?,
            reserve: reader.number("reserve")?,
            overhead: reader.number("overhead")?,
            preserve: reader.size("preserve")?,
            keep_first_request: reader.keep_first("keepFirstRequest")?,
            truncate: reader.boolean("truncate")?,
            workspace_root: reader.text("workspaceRoot")?,
            tools: reader.tools("tools")?,
        })
    }
}

impl FromOptions for DensityConfig {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let mut switch = |key| reader.boolean(key)?.ok_or_else(|| reader.missing(key));
        let (read_write_pruning, file_dedupe) = (switch("readWritePruning")?, switch("fileDedupe")?);
        let recency_pruning = switch("recencyPruning")?;
        let retention = reader.number("recencyRetention")?;
        let root = reader.text("workspaceRoot")?;
        Ok(Self {
            read_write_pruning,
            file_dedupe,
            recency_pruning,
            recency_retention: retention.ok_or_else(|| reader.missing("recencyRetention"))?,
            workspace_root: root.ok_or_else(|| reader.missing("workspaceRoot"))?,
        })
    }
}
