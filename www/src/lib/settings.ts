import type { CompressOptions, OptimizeOptions } from 'densify';

/** What runs: the rules alone, or the rules and, over the threshold, a strategy. */
export const STRATEGIES = ['optimize', 'high-density', 'top-down-truncation'] as const;
export type StrategyChoice = (typeof STRATEGIES)[number];

/** Which rules run: those of the documents, each with its switch, or a set that is tuned as one. */
export const PRESETS = ['seed', 'lossless', 'balanced', 'aggressive'] as const;
export type PresetChoice = (typeof PRESETS)[number];

/** How tokens are counted: estimated, or by a vocabulary that is fetched when it is asked for. */
export const COUNTINGS = ['estimate', 'o200k_base', 'cl100k_base'] as const;
export type Counting = (typeof COUNTINGS)[number];

export const FLUSHES = ['always', 'never', 'tokens'] as const;

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
  readonly counting: Counting;
}

export const DEFAULTS: Settings = {
  strategy: 'high-density',
  preset: 'seed',
  contextLimit: 200_000,
  threshold: 0.85,
  preserve: 0.3,
  readWritePruning: true,
  fileDedupe: true,
  recencyPruning: false,
  recencyRetention: 3,
  flush: 'always',
  flushTokens: 5000,
  counting: 'estimate',
};

export const WINDOWS = [
  4_000, 8_000, 16_000, 24_000, 32_000, 48_000, 64_000, 96_000, 128_000, 200_000, 400_000, 1_000_000,
] as const;

/** The largest of the usual windows that such a conversation outgrows. */
export function windowFor(tokens: number): number {
  return WINDOWS.findLast((size) => size >= 8_000 && size <= tokens * 0.7) ?? WINDOWS[1];
}

export function optimizeOptions(settings: Settings, workspaceRoot = '/'): OptimizeOptions {
  const { preset, readWritePruning, fileDedupe, recencyPruning, recencyRetention, flush, flushTokens } = settings;
  const switches = { readWritePruning, fileDedupe, recencyPruning, recencyRetention };
  return {
    ...(preset === 'seed' ? switches : { preset }),
    flush: flush === 'tokens' ? { tokens: flushTokens } : flush,
    workspaceRoot,
  };
}

/** How `compress` is called over the threshold; `undefined` if only the rules run. */
export function compressOptions({
  strategy,
  contextLimit,
  threshold,
  preserve,
}: Settings): Pick<CompressOptions, 'strategy' | 'contextLimit' | 'threshold' | 'preserve'> | undefined {
  return strategy === 'optimize' ? undefined : { strategy, contextLimit, threshold, preserve };
}

const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  contextLimit: [500, 10_000_000],
  threshold: [0.05, 1],
  preserve: [0, 1],
  recencyRetention: [1, 1000],
  flushTokens: [0, 10_000_000],
};

/** What is usable of settings from elsewhere (a link, a file): unknown keys and odd values are left out. */
export function readSettings(found: Readonly<Record<string, unknown>>): Partial<Settings> {
  const read: Record<string, unknown> = {};
  for (const [key, fallback] of Object.entries(DEFAULTS)) {
    const value = Object.hasOwn(found, key) ? found[key] : undefined;
    if (isUsable(key, value, fallback)) read[key] = value;
  }
  return read as Partial<Settings>;
}

function isUsable(key: string, value: unknown, fallback: unknown): boolean {
  if (key === 'strategy') return (STRATEGIES as readonly unknown[]).includes(value);
  if (key === 'preset') return (PRESETS as readonly unknown[]).includes(value);
  if (key === 'counting') return (COUNTINGS as readonly unknown[]).includes(value);
  if (key === 'flush') return (FLUSHES as readonly unknown[]).includes(value);
  if (typeof value !== typeof fallback) return false;
  const range = RANGES[key];
  return range === undefined || (typeof value === 'number' && value >= range[0] && value <= range[1]);
}
