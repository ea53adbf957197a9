// densify/tokens: what a prompt costs besides its texts, and what providers report of it.
import {
  type Calibration,
  calibrate,
  calibrated,
  imageTokens,
  promptOverhead,
  promptTokens,
  uncalibrated,
} from 'densify/tokens';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check } from './support/check.js';

describe('images cost what the providers publish', () => {
  test.each([
    // The examples of the providers' own pages.
    ['gpt-4o', { width: 1024, height: 1024 }, 765],
    ['gpt-4o', { width: 2048, height: 4096 }, 1105],
    ['gpt-4o', { width: 4096, height: 8192, detail: 'low' }, 85],
    [{ kind: 'patches', most: 1536, factor: 1 }, { width: 1024, height: 1024 }, 1024],
    [{ kind: 'patches', most: 1536, factor: 1 }, { width: 1800, height: 2400 }, 1452],
    ['claude', { width: 200, height: 200 }, 54],
    ['claude', { width: 1000, height: 1000 }, 1334],
    ['claude', { width: 1092, height: 1092 }, 1590],
    ['gemini', { width: 384, height: 384 }, 258],
    ['gemini', { width: 960, height: 540 }, 6 * 258],
  ] as const)('%j %j', (formula, image, tokens) => {
    expect(imageTokens(formula, image)).toBe(tokens);
  });

  test('of any size: a whole number, and bounded where the provider scales down', () => {
    const side = fc.integer({ min: 1, max: 30_000 });
    check(
      500,
      fc.property(side, side, (width, height) => {
        for (const [formula, most] of [
          ['gpt-4o', 85 + 170 * 8],
          ['claude', 1600],
          ['o4-mini', Math.ceil(1536 * 1.72)],
        ] as const) {
          const tokens = imageTokens(formula, { width, height });
          expect(Number.isInteger(tokens) && tokens > 0 && tokens <= most, `${formula}: ${tokens}`).toBe(true);
        }
        expect(imageTokens('gemini', { width, height }) % 258).toBe(0);
      }),
    );
  });

  test.each([
    ['formula', () => imageTokens('gpt-1' as 'claude', { width: 1, height: 1 })],
    ['formula', () => imageTokens('toString' as 'claude', { width: 1, height: 1 })],
    ['width', () => imageTokens('claude', { width: Number.NaN, height: 1 })],
    ['height', () => imageTokens('claude', { width: 1 } as { width: number; height: number })],
  ])('an error names the %s', (key, action) => {
    expect(action).toThrow(expect.objectContaining({ code: 'invalid-options', key }));
  });
});

test('messages cost what the providers publish', () => {
  expect(promptOverhead('openai', { messages: 6, names: 4 })).toBe(3 + 6 * 3 + 4);
  expect(promptOverhead('anthropic', { messages: 3, tools: true })).toBe(346);
  expect(() => promptOverhead('nobody' as 'openai', { messages: 1 })).toThrow(
    expect.objectContaining({ code: 'invalid-options', key: 'provider' }),
  );
});

describe('usage', () => {
  test.each([
    [{ input_tokens: 12, cache_creation_input_tokens: 500, cache_read_input_tokens: 8000, output_tokens: 9 }, 8512],
    [{ input_tokens: 12, cache_read_input_tokens: null, cache_creation_input_tokens: 0 }, 12],
    [{ prompt_tokens: 900, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 512 } }, 900],
    [{ input_tokens: 900, input_tokens_details: { cached_tokens: 512 } }, 900],
    [{ promptTokenCount: 700, cachedContentTokenCount: 600, candidatesTokenCount: 3 }, 700],
    [{ inputTokens: 70, cachedInputTokens: 60 }, 70],
    [{ input: 3, output: 4, cacheRead: 50, cacheWrite: 7 }, 60],
    [{ prompt_tokens: Number.NaN }, undefined],
    [{ prompt_tokens: -1, input_tokens: '7' }, undefined],
    [{}, undefined],
    [null, undefined],
    ['900', undefined],
  ])('%j', (usage, tokens) => {
    expect(promptTokens(usage)).toBe(tokens);
  });
});

describe('a calibration', () => {
  const report = (counted: number, tokens: number) => ({ counted, usage: { prompt_tokens: tokens } });

  test('takes the first report as it is, later ones by weight, and follows a change', () => {
    let calibration = calibrate(uncalibrated, report(1000, 1200));
    expect(calibration).toEqual({ version: 1, factor: 1.2, reports: 1 });
    calibration = calibrate(calibration, report(1000, 1400));
    expect(calibration.factor).toBeCloseTo(1.3);
    for (let i = 0; i < 40; i += 1) calibration = calibrate(calibration, report(1000, 900));
    expect(calibrated(calibration, 10_000)).toBe(9000);
  });

  test('is plain JSON', () => {
    const calibration = calibrate(uncalibrated, report(1000, 1100));
    expect(JSON.parse(JSON.stringify(calibration))).toEqual(calibration);
    expect(calibrated(JSON.parse(JSON.stringify(calibration)) as Calibration, 1000)).toBe(1100);
  });

  test.each([
    [report(100, 300)],
    [report(0, 300)],
    [report(Number.NaN, 300)],
    [report(Number.POSITIVE_INFINITY, 300)],
    [{ counted: 1000, usage: {} }],
    [{ counted: 1000, usage: undefined }],
  ])('learns nothing from %j', (nothing) => {
    expect(calibrate(uncalibrated, nothing)).toEqual(uncalibrated);
  });

  test('stays within bounds, whatever is reported', () => {
    const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, 1, 1e308, -5));
    check(
      300,
      fc.property(fc.array(fc.tuple(number, number)), (reports) => {
        let calibration = uncalibrated;
        for (const [counted, tokens] of reports) calibration = calibrate(calibration, report(counted, tokens));
        expect(calibration.factor >= 0.5 && calibration.factor <= 2).toBe(true);
      }),
    );
  });

  test.each([[null], [{}], [{ version: 2, factor: 1, reports: 0 }], [{ version: 1, factor: Number.NaN, reports: 0 }]])(
    'an error says that %j is none',
    (stored) => {
      expect(() => calibrated(stored as Calibration, 1)).toThrow(
        expect.objectContaining({ code: 'invalid-options', key: 'calibration' }),
      );
    },
  );
});
