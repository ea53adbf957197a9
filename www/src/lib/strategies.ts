/** What each way to run densify does, for the views that put them side by side. */
export interface Explained {
  readonly name: string;
  readonly what: string;
}

const WHAT = {
  seed:
    'two rules: a read goes once its file was written, and of a pasted file only the newest copy stays; ' +
    'each edit is made immediately',
  lossless: 'cuts line numbers, repeated text and outdated text; edits wait until they pay',
  balanced: 'cuts old results, too; edits wait until they pay',
  aggressive: 'cuts more, sooner; edits wait until they pay',
  highDensity: 'balanced rules; at the threshold, each old result becomes one line',
  digest: 'edits nothing until the threshold; then a summary of the oldest messages, made without a model',
  auto: 'balanced rules; from 82% of the threshold on, one-line results; then a digest, in place of a model’s summary',
} as const;

/** The rows of Compare. */
export const STRATEGY_WORDS: readonly Explained[] = [
  { name: 'Auto', what: WHAT.auto },
  { name: 'Seed rules', what: WHAT.seed },
  { name: 'Seed rules + older results', what: 'the same; of each tool, only the newest three results stay' },
  { name: 'Lossless rules', what: WHAT.lossless },
  { name: 'Balanced rules', what: WHAT.balanced },
  { name: 'Balanced, edited immediately', what: 'the same rules; each edit breaks the cache at its place' },
  { name: 'Aggressive rules', what: WHAT.aggressive },
  { name: 'High density', what: WHAT.highDensity },
  { name: 'Digest', what: WHAT.digest },
  { name: 'Truncation', what: 'balanced rules; at the threshold, the oldest messages are dropped' },
];

/** The rows of Replay. */
export const POLICY_WORDS: readonly Explained[] = [
  { name: 'intake', what: 'results are shortened before they are first sent; nothing is edited later' },
  { name: 'seed', what: WHAT.seed },
  { name: 'lossless', what: WHAT.lossless },
  { name: 'balanced', what: WHAT.balanced },
  { name: 'aggressive', what: WHAT.aggressive },
  { name: 'high-density', what: WHAT.highDensity },
  { name: 'top-down-truncation', what: 'edits nothing until the threshold; then drops the oldest messages' },
  { name: 'digest', what: WHAT.digest },
  { name: 'auto', what: WHAT.auto },
];
