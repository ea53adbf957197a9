//! What can be chosen about intake.

use crate::error::Error;
use crate::options::{FromOptions, Reader, invalid, number};

/// Which reducers there are, in the order in which they are tried; each has a switch of its own.
macro_rules! reducers {
    ($($(#[$doc:meta])* $field:ident $key:literal $default:literal),* $(,)?) => {
        /// The reducers that shrink results, one by one.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        #[cfg_attr(feature = "wasm-full", derive(tsify::Tsify))]
        #[cfg_attr(feature = "wasm-full", serde(rename_all = "camelCase"))]
        #[allow(missing_docs)]
        pub struct ReducerSettings {
            $($(#[$doc])* #[cfg_attr(feature = "wasm-full", tsify(optional))] pub $field: Option<bool>,)*
        }

        /// Which reducers are on, in the order of their names.
        pub(super) const KEYS: &[&str] = &[$($key),*];

        impl ReducerSettings {
            fn switches(&self) -> Vec<bool> {
                vec![$(self.$field.unwrap_or($default)),*]
            }
        }

        impl FromOptions for ReducerSettings {
            fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
                Ok(Self { $($field: reader.boolean($key)?),* })
            }
        }
    };
}

reducers! {
    /// Codes that colour a terminal and move its cursor go. Gaps between texts, addresses of links and marks of what is
    /// struck through stay. Loses nothing that can be read.
    ///
    /// @default true
    escapes "escapes" true,
    /// Of a line that was written over and over, what stood there last stays.
    ///
    /// @default true
    progress "progress" true,
    /// Runs of equal lines, and of equal groups of up to 8 lines, stand once with their number. Loses nothing.
    ///
    /// @default true
    repeats "repeats" true,
    /// JSON without blanks between its tokens; objects that are all alike as one line of keys and a line of
    /// values for each. Loses nothing.
    ///
    /// @default true
    json "json" true,
    /// Tables that are drawn with lines, without the blanks that align their cells. Loses nothing.
    ///
    /// @default true
    tables "tables" true,
    /// What was found in a file, or is wrong with it, under one line with its path. Loses nothing.
    ///
    /// @default true
    search "search" true,
    /// Lists of paths under their folders, trees by indentation alone. Loses nothing.
    ///
    /// @default true
    listings "listings" true,
    /// Runs of lines whose numbers stay the same or count up by one, and runs that report the progress of one task: the
    /// first and the last line stay.
    ///
    /// @default true
    similar_lines "similarLines" true,
    /// Runs of lines in which builds and installers name files or packages: the first and the last stay.
    ///
    /// @default true
    build_steps "buildSteps" true,
    /// Runs of passing tests; failures, skipped tests and totals stay.
    ///
    /// @default true
    passing_tests "passingTests" true,
    /// Frames of libraries in stack traces, but for the first of each trace.
    ///
    /// @default true
    library_frames "libraryFrames" true,
    /// Hunks of lock files and of what tools generate; their sizes stay.
    ///
    /// @default true
    generated_diffs "generatedDiffs" true,
    /// Paths below folders that tools fill (`node_modules`, `.git`), unless the call names the folder.
    ///
    /// @default true
    filled_folders "filledFolders" true,
    /// Of logs of 200 lines and more, what lies between errors and warnings.
    ///
    /// @default true
    logs "logs" true,
    /// Of results that are longer than `maxResultTokens`, all but the ends and what matters most in between.
    ///
    /// @default true
    ends "ends" true,
}

/// How results are shrunk at intake.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "wasm-full", derive(tsify::Tsify))]
#[cfg_attr(feature = "wasm-full", serde(rename_all = "camelCase"))]
pub struct IntakeSettings {
    /// Larger results (estimated tokens) keep their first and last lines, and from the middle the lines about errors
    /// or the call's subject; at least 100.
    ///
    /// @default 8000
    #[cfg_attr(feature = "wasm-full", tsify(optional))]
    pub max_result_tokens: Option<f64>,
    /// Reducers that are to be off, or on.
    ///
    /// @default each as it says
    #[cfg_attr(feature = "wasm-full", tsify(optional))]
    pub reducers: Option<ReducerSettings>,
}

impl FromOptions for IntakeSettings {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        Ok(Self {
            max_result_tokens: reader.number("maxResultTokens")?,
            reducers: reader.object("reducers")?,
        })
    }
}

const DEFAULT_TOKENS: f64 = 8000.0;
const LEAST_TOKENS: f64 = 100.0;

/// The settings, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntakeLimits {
    pub(super) max_tokens: u32,
    pub(super) switches: Vec<bool>,
}

impl IntakeLimits {
    /// The limits that settings describe.
    ///
    /// # Errors
    /// [`crate::ErrorCode::InvalidOptions`].
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub fn new(settings: &IntakeSettings) -> Result<Self, Error> {
        let tokens = settings.max_result_tokens.unwrap_or(DEFAULT_TOKENS);
        if tokens.is_nan() || tokens < LEAST_TOKENS {
            return Err(invalid("maxResultTokens", number(tokens), "a number of at least 100"));
        }
        let reducers = settings.reducers.clone().unwrap_or_default();
        Ok(Self { max_tokens: tokens as u32, switches: reducers.switches() })
    }
}
