// The price table: which row a name gets, and that no row contradicts another.
import { type ModelPrices, pricesOf } from 'densify/replay';
import { describe, expect, test } from 'vitest';

/** Names as APIs, clouds, gateways and logs have them, and the row that each must get. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'Claude Opus 5.5': ['claude-opus-5-5', 'opus', 'us.anthropic.claude-opus-5-5-20260922-v1:0', 'claude-opus-6'],
  'Claude Opus 5': ['claude-opus-5', 'anthropic/claude-opus-5.1', 'claude-opus-5[1m]'],
  'Claude Opus 4.8': ['claude-opus-4-8'],
  'Claude Opus 4.7': ['claude-opus-4-7'],
  'Claude Opus 4.5, 4.6': ['claude-opus-4-5-20251101', 'claude-opus-4-6-thinking', 'Opus 4.5'],
  'Claude Opus 3, 4, 4.1': ['claude-opus-4@20250514', 'claude-3-opus-20240229', 'claude-opus-4-1'],
  'Claude Sonnet 5.5': ['sonnet', 'claude-sonnet-5-5'],
  'Claude Sonnet 5': ['claude-sonnet-5'],
  'Claude Sonnet 3.5 to 4.6': [
    'claude-3-7-sonnet-latest',
    'claude-sonnet-4-5-20250929',
    'litellm_proxy/claude-sonnet-4',
  ],
  'Claude Haiku 4.5': ['claude-haiku-4-5-20251001'],
  'Claude Haiku 3.5': ['claude-3-5-haiku-20241022'],
  'Claude Fable 5, Mythos 5': ['claude-fable-5'],
  'Claude Fable 5.1, Mythos 5.1': ['claude-mythos-5-1', 'fable'],
  'GPT-5.6 Sol': ['gpt-5.6-sol', 'gpt-5.6', 'openai/gpt-5.6-sol-2026-07-09'],
  'GPT-5.6 Terra': ['gpt-5.6-terra'],
  'GPT-5.5': ['gpt-5.5', 'gpt-5.5-2026-03-01'],
  'GPT-5.4': ['gpt-5.4', 'azure/gpt-5.4'],
  'GPT-5.4 mini': ['gpt-5.4-mini'],
  'GPT-5.2, GPT-5.3 Codex': ['gpt-5.3-codex', 'gpt-5.2-codex', 'gpt-5.2'],
  'GPT-5, GPT-5.1': ['gpt-5', 'gpt-5-codex', 'gpt-5.1-codex-max', 'gpt-5-2025-08-07'],
  'GPT-4o': ['gpt-4o', 'openai/gpt-4o-2024-08-06'],
  'GPT-4o mini': ['gpt-4o-mini'],
  'GPT-4.1 mini': ['gpt-4.1-mini-2025-04-14'],
  o3: ['o3', 'openai/o3-2025-04-16'],
  'o4-mini': ['o4-mini'],
  'GPT-5 mini': ['gpt-5-mini', 'gpt-5-mini-2025-08-07'],
  'Gemini 3, 3.1 Pro': ['google/gemini-3-pro-preview', 'gemini-3.1-pro-preview'],
  'Gemini 3 Flash': ['gemini-3-flash', 'gemini-3-flash-preview'],
  'Gemini 2.5 Flash-Lite': ['gemini-2.5-flash-lite'],
  'DeepSeek Flash': ['deepseek-v4-flash', 'opencode-go/deepseek-v4-flash'],
  free: ['mimo-v2.5-free', 'deepseek-v4-flash-free', 'vendor/model:free'],
  unknown: [
    '',
    'gpt-5.3-codex-spark',
    'gpt-5-nano',
    'claude-2.1',
    'my-model',
    '<synthetic>',
    'gpt-4o-audio-preview',
    'o3-pro',
    'gpt-5.4-pro',
    'gpt-5.9',
  ],
};

const ROWS: readonly ModelPrices[] = Object.values(NAMES).map(([name]) => pricesOf(name));

describe('a name gets its row', () => {
  test.each(Object.entries(NAMES).flatMap(([family, names]) => names.map((name) => [name, family])))(
    '%s: %s',
    (name, family) => {
      expect(pricesOf(name).family).toBe(family);
    },
  );
});

test('each known row has a page and a day, and prices in the order that providers ask', () => {
  for (const { family, cached, uncached, write, output, source, checked, minimumCacheable, cacheSource } of ROWS) {
    if (family === 'unknown' || family === 'free') continue;
    expect(source, family).toMatch(/^https:\/\//);
    expect(cacheSource, family).toMatch(/^https:\/\//);
    expect(checked, family).toMatch(/^2026-\d\d-\d\d$/);
    expect(cached, family).toBeLessThan(uncached);
    expect(write, family).toBeGreaterThanOrEqual(uncached);
    expect(output, family).toBeGreaterThan(uncached);
    expect(minimumCacheable, family).toBeGreaterThanOrEqual(512);
  }
});

test('an unknown model has the dearest cache rules of all', () => {
  const unknown = pricesOf(undefined);
  expect(unknown.source).toBe('');
  expect(unknown.cacheTtl).toBeUndefined();
  for (const { family, cached, write, longCache, minimumCacheable } of ROWS) {
    if (family === 'free') continue;
    const long = longCache?.write ?? write;
    expect(unknown.longCache!.write / unknown.cached, family).toBeGreaterThanOrEqual(long / cached);
    expect(unknown.write / unknown.cached, family).toBeGreaterThanOrEqual(write / cached);
    expect(unknown.minimumCacheable, family).toBeGreaterThanOrEqual(minimumCacheable);
  }
});

test('an edit drops reasoning where the provider binds it to its prefix', () => {
  expect(pricesOf('claude-opus-5-5').editDropsReasoning).toBe(true);
  expect(pricesOf('gpt-5.6-sol').editDropsReasoning).toBe(true);
  expect(pricesOf('claude-opus-4-6').editDropsReasoning).toBe(false);
  expect(pricesOf('gemini-3-flash').editDropsReasoning).toBe(false);
});

test('a cache that lives longer has its own price where the provider asks for one', () => {
  const { uncached, write, longCache } = pricesOf('claude-sonnet-4-6');
  expect(longCache).toEqual({ cacheTtl: 3600, write: 2 * uncached });
  expect(longCache!.write).toBeGreaterThan(write);
  expect(pricesOf('gpt-5.1').longCache).toEqual({ cacheTtl: 86_400, write: pricesOf('gpt-5.1').write });
  expect(pricesOf('gemini-3-flash').longCache).toBeUndefined();
});
