/**
 * The price table: what a model's tokens cost and how its provider caches prompts, in US dollars for a million tokens.
 * Prices are those of the standard tier and of short prompts. Some providers ask more for prompts above 100,000 to 272,000
 * tokens; that changes the bill, but hardly the ratio of cached to uncached tokens.
 */
import { CAPABILITY } from '../generated/protocol.js';
import { claudeOf } from './claude.js';
import { capabilitiesOf, type Family } from './profiles.js';

/** A model's prices, and the lifetime of its provider's prompt cache. */
export interface ModelPrices {
  /** The models that the row is for. */
  readonly family: string;
  /** A million input tokens from the cache. */
  readonly cached: number;
  /** A million input tokens that are neither read from the cache nor written to it. */
  readonly uncached: number;
  /** A million input tokens that are written to the cache. */
  readonly write: number;
  /** A million output tokens. */
  readonly output: number;
  /** Seconds that an unused entry of the cache lives; `undefined` where the provider publishes no figure. */
  readonly cacheTtl: number | undefined;
  /** The longer lifetime that a request may ask for, in seconds, and the price of a million tokens that are written for it. */
  readonly longCache: { readonly cacheTtl: number; readonly write: number } | undefined;
  /** The page that publishes the lifetimes, or states that there are none; empty if the model is unknown. */
  readonly cacheSource: string;
  /** Tokens of the shortest prefix that is cached. */
  readonly minimumCacheable: number;
  /** Whether an edit makes the reasoning behind it useless or invalid. */
  readonly editDropsReasoning: boolean;
  /** The page that publishes the prices; empty if the model is unknown. */
  readonly source: string;
  /** The day on which the prices were read on that page. */
  readonly checked: string;
}

/** A provider, with what holds for all of its models. */
interface Provider {
  readonly family: Family;
  readonly source: string;
  readonly checked: string;
  readonly cacheSource: string;
  /** The longer lifetime that a request may ask for, and how many times the price of input a write costs then. */
  readonly longCache?: { readonly cacheTtl: number; readonly times: number };
}

const MINUTES = 60;
const HOURS = 3600;

/** Anthropic's caches live 5 minutes unless a request asks for an hour; a read starts the time again. */
const ANTHROPIC: Provider = {
  family: 'anthropic',
  cacheSource: 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching',
  // "1-hour cache write tokens are 2 times the base input tokens price"
  longCache: { cacheTtl: HOURS, times: 2 },
  source: 'https://platform.claude.com/docs/en/about-claude/pricing',
  checked: '2026-10-24',
};
/** "Prompt cache pricing is the same for both retention policies." */
const OPENAI: Provider = {
  family: 'openai-responses',
  cacheSource: 'https://developers.openai.com/docs/guides/prompt-caching',
  longCache: { cacheTtl: 24 * HOURS, times: 1 },
  source: 'https://developers.openai.com/api/docs/pricing',
  checked: '2026-11-05',
};
/** OpenAI's models that its page no longer lists, as copies of this file in public repositories have them. */
const OLDER_OPENAI: Provider = {
  ...OPENAI,
  source: 'https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json',
  checked: '2026-11-26',
};
/** "Up to 90% off" for cached tokens; how long they stay is not published. */
const GOOGLE: Provider = {
  family: 'gemini',
  cacheSource: 'https://ai.google.dev/gemini-api/docs/caching',
  source: 'https://ai.google.dev/gemini-api/docs/pricing',
  checked: '2026-06-30',
};
/** Outside peak hours; at peak hours everything costs twice as much. */
const DEEPSEEK: Provider = {
  family: 'openai-chat',
  cacheSource: 'https://api-docs.deepseek.com/guides/kv_cache',
  source: 'https://api-docs.deepseek.com/quick_start/pricing',
  checked: '2026-10-27',
};

type Names = { readonly test: (model: string) => boolean };
type Row = readonly [
  family: string,
  names: Names,
  prices: readonly [cached: number, uncached: number, write: number, output: number],
  cacheTtl: number | undefined,
  minimumCacheable: number,
];

/** Claude models of some families, from one version on. Earlier rows match newer versions. */
const claude = (families: string, since: number): Names => ({
  test: (model) => {
    const found = claudeOf(model);
    return found !== undefined && found.version >= since && families.split(' ').includes(found.family);
  },
});

/**
 * Anthropic's models, the newest of a family first. The shortest cacheable prefix is in "Prompt caching", checked
 * 2026-08-31; for the 5.1 and 5.5 models no figure was found, so they have the largest.
 */
const CLAUDES: readonly Row[] = [
  ['Claude Fable 5.1, Mythos 5.1', claude('fable mythos', 5.01), [0.25, 10, 12.5, 50], 5 * MINUTES, 4096],
  ['Claude Fable 5, Mythos 5', claude('fable mythos', 0), [1, 10, 12.5, 50], 5 * MINUTES, 512],
  ['Claude Opus 5.5', claude('opus', 5.05), [0.2, 4, 5, 20], 5 * MINUTES, 4096],
  ['Claude Opus 5', claude('opus', 5), [0.5, 5, 6.25, 25], 5 * MINUTES, 512],
  ['Claude Opus 4.8', claude('opus', 4.08), [0.5, 5, 6.25, 25], 5 * MINUTES, 1024],
  ['Claude Opus 4.7', claude('opus', 4.07), [0.5, 5, 6.25, 25], 5 * MINUTES, 2048],
  ['Claude Opus 4.5, 4.6', claude('opus', 4.05), [0.5, 5, 6.25, 25], 5 * MINUTES, 4096],
  ['Claude Opus 3, 4, 4.1', claude('opus', 0), [1.5, 15, 18.75, 75], 5 * MINUTES, 1024],
  ['Claude Sonnet 5.5', claude('sonnet', 5.05), [0.1, 2, 2.5, 10], 5 * MINUTES, 4096],
  ['Claude Sonnet 5', claude('sonnet', 5), [0.2, 2, 2.5, 10], 5 * MINUTES, 1024],
  ['Claude Sonnet 3.5 to 4.6', claude('sonnet', 0), [0.3, 3, 3.75, 15], 5 * MINUTES, 1024],
  ['Claude Haiku 5.5', claude('haiku', 5.05), [0.01, 0.1, 0.125, 0.5], 5 * MINUTES, 4096],
  ['Claude Haiku 4.5', claude('haiku', 4.05), [0.1, 1, 1.25, 5], 5 * MINUTES, 4096],
  ['Claude Haiku 3.5', claude('haiku', 3.05), [0.08, 0.8, 1, 4], 5 * MINUTES, 2048],
  ['Claude Haiku 3', claude('haiku', 0), [0.03, 0.25, 0.3, 1.25], 5 * MINUTES, 2048],
];

/**
 * OpenAI's models ("Prompt caching"): since GPT-5.6 a write costs 1.25 times the input and lives 30 minutes; GPT-5.5 keeps
 * entries for 24 hours; earlier models drop them after 5 to 10 minutes without use.
 */
const GPTS: readonly Row[] = [
  ['GPT-6.1 Sol', /gpt-6\.1-sol/, [0.1, 2, 2.5, 10], 30 * MINUTES, 1024],
  ['GPT-6.1 Terra', /gpt-6\.1-terra/, [0.05, 1, 1.25, 5], 30 * MINUTES, 1024],
  ['GPT-6 Astra', /gpt-6-astra/, [1, 10, 12.5, 50], 30 * MINUTES, 1024],
  ['GPT-6 Sol', /gpt-6-sol/, [0.2, 2, 2.5, 10], 30 * MINUTES, 1024],
  ['GPT-6 Luna', /gpt-6-luna/, [0.01, 0.1, 0.125, 0.5], 30 * MINUTES, 1024],
  // The list price; from 2026-08-21 to at least 2026-11-21 it is sold for four fifths of it.
  ['GPT-5.6 Sol', /gpt-5\.6(?!-terra|-luna|-pro)/, [0.5, 5, 6.25, 30], 30 * MINUTES, 1024],
  ['GPT-5.6 Terra', /gpt-5\.6-terra/, [0.2, 2, 2.5, 12], 30 * MINUTES, 1024],
  ['GPT-5.6 Luna', /gpt-5\.6-luna/, [0.02, 0.2, 0.25, 1.2], 30 * MINUTES, 1024],
  ['GPT-5.5', /gpt-5\.5(?!-pro|-mini|-nano)/, [0.5, 5, 5, 30], 24 * HOURS, 1024],
  ['GPT-5.4 mini', /gpt-5\.4-mini/, [0.075, 0.75, 0.75, 4.5], 10 * MINUTES, 1024],
  ['GPT-5.4 nano', /gpt-5\.4-nano/, [0.02, 0.2, 0.2, 1.25], 10 * MINUTES, 1024],
  ['GPT-5.4', /gpt-5\.4(?!-pro)/, [0.25, 2.5, 2.5, 15], 10 * MINUTES, 1024],
  ['GPT-5.2, GPT-5.3 Codex', /gpt-5\.(?:2(?!-pro)|3-codex(?!-spark))/, [0.175, 1.75, 1.75, 14], 10 * MINUTES, 1024],
  ['GPT-5 mini', /gpt-5-mini/, [0.025, 0.25, 0.25, 2], 10 * MINUTES, 1024],
  ['GPT-5, GPT-5.1', /gpt-5(?:\.1)?(?!\.\d|-pro|-nano|-codex-mini)/, [0.125, 1.25, 1.25, 10], 10 * MINUTES, 1024],
  ['GPT-4.1', /gpt-4\.1(?!-mini|-nano)/, [0.5, 2, 2, 8], 10 * MINUTES, 1024],
];

const OLDER_GPTS: readonly Row[] = [
  ['GPT-4.1 mini', /gpt-4\.1-mini/, [0.1, 0.4, 0.4, 1.6], 10 * MINUTES, 1024],
  ['GPT-4.1 nano', /gpt-4\.1-nano/, [0.025, 0.1, 0.1, 0.4], 10 * MINUTES, 1024],
  [
    'GPT-4o mini',
    /gpt-4o-mini(?!-audio|-realtime|-search|-tts|-transcribe)/,
    [0.075, 0.15, 0.15, 0.6],
    10 * MINUTES,
    1024,
  ],
  [
    'GPT-4o',
    /gpt-4o(?!-mini|-audio|-realtime|-search|-transcribe|-2024-05-13)/,
    [1.25, 2.5, 2.5, 10],
    10 * MINUTES,
    1024,
  ],
  ['o4-mini', /(?:^|[/.])o4-mini(?!-deep)/, [0.275, 1.1, 1.1, 4.4], 10 * MINUTES, 1024],
  ['o3', /(?:^|[/.])o3(?!-mini|-pro|-deep)/, [0.5, 2, 2, 8], 10 * MINUTES, 1024],
];

/** Google's models; the shortest cacheable prefix is in "Context caching", updated 2026-05-07. */
const GEMINIS: readonly Row[] = [
  ['Gemini 3.5 Flash', /gemini-3\.5-flash(?!-lite)/, [0.15, 1.5, 1.5, 9], undefined, 4096],
  ['Gemini 3, 3.1 Pro', /gemini-3(?:\.1)?-pro/, [0.2, 2, 2, 12], undefined, 4096],
  ['Gemini 3.1 Flash-Lite', /gemini-3\.1-flash-lite/, [0.025, 0.25, 0.25, 1.5], undefined, 4096],
  ['Gemini 3 Flash', /gemini-3-flash/, [0.05, 0.5, 0.5, 3], undefined, 1024],
  ['Gemini 2.5 Pro', /gemini-2\.5-pro/, [0.125, 1.25, 1.25, 10], undefined, 4096],
  ['Gemini 2.5 Flash-Lite', /gemini-2\.5-flash-lite/, [0.01, 0.1, 0.1, 0.4], undefined, 1024],
  ['Gemini 2.5 Flash', /gemini-2\.5-flash/, [0.03, 0.3, 0.3, 2.5], undefined, 1024],
];

/** DeepSeek's models; entries stay "a few hours to a few days", so no clock calls them cold. */
const DEEPSEEKS: readonly Row[] = [
  ['DeepSeek Flash', /deepseek-(?:v4(?:\.1)?-)?flash/, [0.003, 0.15, 0.15, 0.6], undefined, 1024],
  ['DeepSeek V4 Pro', /deepseek-v4-pro/, [0.022, 0.66, 0.66, 1.98], undefined, 1024],
];

const TABLE: readonly (readonly [Provider, readonly Row[]])[] = [
  [ANTHROPIC, CLAUDES],
  [OPENAI, GPTS],
  [OLDER_OPENAI, OLDER_GPTS],
  [GOOGLE, GEMINIS],
  [DEEPSEEK, DEEPSEEKS],
];

/**
 * The assumptions for a model that is not in the table. It costs as much as Claude Sonnet 4.6, and it has the dearest
 * cache rules of all: nobody asks more for a miss compared with a hit, or caches less. No clock calls its cache cold.
 */
export const UNKNOWN_MODEL: ModelPrices = {
  family: 'unknown',
  ...{ cached: 0.075, uncached: 3, write: 3.75, output: 15 },
  ...{ cacheTtl: undefined, minimumCacheable: 4096, editDropsReasoning: true },
  longCache: { cacheTtl: HOURS, write: 6 },
  ...{ source: '', checked: '', cacheSource: '' },
};

/** Models that somebody gives away name it: `mimo-v2.5-free`, `model:free`. */
const FREE = /[-:]free$/;
const FREE_MODEL: ModelPrices = {
  ...UNKNOWN_MODEL,
  ...{ family: 'free', cached: 0, uncached: 0, write: 0, output: 0, longCache: undefined },
};

/** The row of a model, by its name at the API, at a cloud or at a gateway; else `UNKNOWN_MODEL`. */
export function pricesOf(model: string | undefined): ModelPrices {
  const name = model?.toLowerCase() ?? '';
  if (FREE.test(name)) return FREE_MODEL;
  for (const [{ family: vendor, longCache: long, ...said }, rows] of TABLE) {
    const found = rows.find(([, names]) => names.test(name));
    if (found === undefined) continue;
    const [family, , [cached, uncached, write, output], cacheTtl, minimumCacheable] = found;
    const bits = capabilitiesOf(vendor, { model: name });
    const editDropsReasoning = (bits & (CAPABILITY.thinkingBoundToPrefix | CAPABILITY.changesLoseReasoning)) !== 0;
    const longCache = long && { cacheTtl: long.cacheTtl, write: Math.max(write, long.times * uncached) };
    const prices = { cached, uncached, write, output, longCache };
    return { family, ...prices, cacheTtl, minimumCacheable, editDropsReasoning, ...said };
  }
  return UNKNOWN_MODEL;
}

/** The price of a million tokens that are written to a cache which lives for some seconds. */
export function writePrice({ write, longCache }: Pick<ModelPrices, 'write' | 'longCache'>, cacheTtl: number): number {
  // With `Infinity` no caller waits for the cache to expire. It does not tell which lifetime is paid for.
  const isLong = longCache !== undefined && cacheTtl >= longCache.cacheTtl && cacheTtl < Infinity;
  return isLong ? longCache.write : write;
}
