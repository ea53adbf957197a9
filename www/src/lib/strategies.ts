/** What each way to run densify does, for the views that put them side by side. */
export interface Explained {
  readonly name: string;
  readonly what: string;
}

const SEED = 'two rules: a read goes once its file was written, and of a pasted file only the newest copy stays';

/** The rows of Compare. */
export const STRATEGY_WORDS: readonly Explained[] = [
  { name: 'Auto', what: 'rules, then one-line results, then a digest, where an agent would get a model’s summary' },
  { name: 'Seed rules', what: `${SEED}; each edit is made immediately` },
  { name: 'Seed rules + older results', what: 'the same; of each tool only the newest results stay' },
  { name: 'Lossless rules', what: 'only repeated and outdated text; edits wait until they pay' },
  { name: 'Balanced rules', what: 'also old output; edits wait until they pay' },
  { name: 'Balanced, edited immediately', what: 'the same rules; each edit breaks the cache at its place' },
  { name: 'Aggressive rules', what: 'more old output, sooner; edits wait until they pay' },
  { name: 'High density', what: 'balanced rules; at the threshold, each old result becomes one line' },
  { name: 'Digest', what: 'no rules; at the threshold, a summary by rules' },
  { name: 'Truncation', what: 'balanced rules; at the threshold, the oldest messages are dropped' },
];

/** The rows of Replay. */
export const POLICY_WORDS: readonly Explained[] = [
  { name: 'intake', what: 'results are shortened before they are first sent; nothing is edited later' },
  { name: 'seed', what: `${SEED}; each edit is made immediately` },
  { name: 'lossless', what: 'only repeated and outdated text; edits wait until they pay' },
  { name: 'balanced', what: 'also old output; edits wait until they pay' },
  { name: 'aggressive', what: 'more old output, sooner; edits wait until they pay' },
  { name: 'high-density', what: 'balanced rules; at the threshold, each old result becomes one line' },
  { name: 'top-down-truncation', what: 'no rules; at the threshold, the oldest messages are dropped' },
  { name: 'digest', what: 'no rules; at the threshold, a summary by rules' },
  {
    name: 'auto',
    what: 'balanced rules, then one-line results, then a digest, where an agent would get a model’s summary',
  },
];
