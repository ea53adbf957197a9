import type { CompressOptions, ConversationOptions, OptimizeOptions } from 'densify';

/** What runs: the rules alone, or a strategy, with the rules or without them. */
export const STRATEGIES = ['optimize', 'auto', 'high-density', 'digest', 'top-down-truncation'] as const;
export type StrategyChoice = (typeof STRATEGIES)[number];

/** Which rules run: those of the documents, each with its switch, or a set that is tuned as one. */
export const PRESETS = ['seed', 'lossless', 'balanced', 'aggressive'] as const;
export type PresetChoice = (typeof PRESETS)[number];

/** How tokens are counted: estimated, or by a vocabulary that is fetched when it is asked for. */
export const COUNTINGS = ['estimate', 'o200k_base', 'cl100k_base'] as const;
export type Counting = (typeof COUNTINGS)[number];

export const FLUSHES = ['always', 'when-it-pays', 'tokens', 'when-cold', 'never'] as const;

/** What a user tunes here. Names are those of the package's options where it has one. */
export interface Settings {
  readonly strategy: StrategyChoice;
  readonly preset: PresetChoice;
  readonly contextLimit: number;
  readonly threshold: number;
  readonly preserve: number;
  readonly readWritePruning: boolean;
  readonly fileDedupe: boolean;
  readonly recencyPruning: boolean;
  readonly recencyRetention: number;
  readonly flush: (typeof FLUSHES)[number];
  readonly flushTokens: number;
  /** Dollars for a million input tokens that the provider's cache holds. */
  readonly priceCached: number;
  /** The same for all others, with what writing them into the cache costs. */
  readonly priceUncached: number;
  readonly counting: Counting;
  /** Whether cut texts are kept, so that they can be shown again. */
  readonly recall: boolean;
}

export const DEFAULTS: Settings = {
  strategy: 'high-density',
  preset: 'balanced',
  contextLimit: 200_000,
  threshold: 0.85,
  preserve: 0.3,
  readWritePruning: true,
  fileDedupe: true,
  recencyPruning: false,
  recencyRetention: 3,
  flush: 'when-it-pays',
  flushTokens: 5000,
  priceCached: 0.3,
  priceUncached: 3.75,
  counting: 'estimate',
  recall: false,
};

/** What the package's conversations decide, and not the page call by call. */
export const isConversed = ({ strategy }: Pick<Settings, 'strategy'>): boolean =>
  strategy === 'auto' || strategy === 'digest';

/** `auto` compresses from this share of its threshold on: the default of `summary.softThreshold`. */
const AUTO_STARTS = 14 / 17;

/** Tokens from which `auto` compresses, before its threshold; nothing for other strategies. */
export const startOf = ({ strategy }: Pick<Settings, 'strategy'>, trigger: number): number | undefined =>
  strategy === 'auto' ? trigger * AUTO_STARTS : undefined;

export const WINDOWS = [
  4_000, 8_000, 16_000, 24_000, 32_000, 48_000, 64_000, 96_000, 128_000, 200_000, 400_000, 1_000_000,
] as const;

/** The largest of the usual windows that such a conversation outgrows. */
export function windowFor(tokens: number): number {
  return WINDOWS.findLast((size) => size >= 8_000 && size <= tokens * 0.7) ?? WINDOWS[1];
}

type RuleOptions = Pick<OptimizeOptions, 'flush' | 'preset' | 'prices' | 'rules'>;

function ruleOptions(settings: Settings): RuleOptions {
  const { preset, readWritePruning, fileDedupe, recencyPruning, recencyRetention, flush, flushTokens } = settings;
  const rules = { readWritePruning, fileDedupe, recencyPruning, recencyRetention };
  const prices = { cached: settings.priceCached, uncached: settings.priceUncached };
  return {
    preset,
    ...(preset === 'seed' && { rules }),
    flush: flush === 'tokens' ? { tokens: flushTokens } : flush,
    ...(flush === 'when-it-pays' && { prices }),
  };
}

/** Where the history's workspace lies, if that is known: digests and summaries leave relative paths as they are where it isn't. */
export const rootOption = (workspaceRoot: string): { readonly workspaceRoot?: string } =>
  workspaceRoot === '/' ? {} : { workspaceRoot };

export const optimizeOptions = (settings: Settings, workspaceRoot = '/'): OptimizeOptions => ({
  ...ruleOptions(settings),
  ...rootOption(workspaceRoot),
});

/** How a conversation is made, where one decides. */
export function conversationOptions(settings: Settings, workspaceRoot = '/'): ConversationOptions {
  const { strategy, contextLimit, threshold, preserve } = settings;
  if (strategy === 'optimize') throw new TypeError('the rules alone need no conversation');
  return { strategy, contextLimit, threshold, preserve, optimize: optimizeOptions(settings, workspaceRoot) };
}

/** How `compress` is called over the threshold; `undefined` if only the rules run. */
export function compressOptions({
  strategy,
  contextLimit,
  threshold,
  preserve,
}: Settings): Pick<CompressOptions, 'strategy' | 'contextLimit' | 'threshold' | 'preserve'> | undefined {
  if (strategy !== 'high-density' && strategy !== 'top-down-truncation') return undefined;
  // Truncation keeps a share of the messages only if it is asked to.
  if (strategy === 'top-down-truncation' && preserve === DEFAULTS.preserve)
    return { strategy, contextLimit, threshold };
  return { strategy, contextLimit, threshold, preserve };
}

const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  contextLimit: [500, 10_000_000],
  threshold: [0.05, 1],
  preserve: [0, 1],
  recencyRetention: [1, 1000],
  flushTokens: [0, 10_000_000],
  priceCached: [0, 10_000],
  priceUncached: [0, 10_000],
};
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  strategy: STRATEGIES,
  preset: PRESETS,
  counting: COUNTINGS,
  flush: FLUSHES,
};

/** The expected value of a setting, if the given one is wrong. */
export function complaint(key: keyof Settings, value: unknown): string | undefined {
  const [choices, range] = [CHOICES[key], RANGES[key]];
  if (choices) return choices.includes(value as string) ? undefined : `one of ${choices.join(', ')}`;
  if (!range) return typeof value === 'boolean' ? undefined : 'true or false';
  const isNumber = typeof value === 'number' && value >= range[0] && value <= range[1];
  return isNumber ? undefined : `a number from ${range[0]} to ${range[1]}`;
}

/** What is usable of settings from a link: unknown keys and odd values are left out. */
export function readSettings(found: Readonly<Record<string, unknown>>): Partial<Settings> {
  const read: Record<string, unknown> = {};
  for (const key of Object.keys(DEFAULTS) as (keyof Settings)[]) {
    const value = Object.hasOwn(found, key) ? found[key] : undefined;
    if (complaint(key, value) === undefined) read[key] = value;
  }
  return read as Partial<Settings>;
}
