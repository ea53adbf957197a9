// densify/tokens: what a prompt costs besides its texts, and what providers report of it.
import {
  type Calibration,
  calibrate,
  calibrated,
  encodingOf,
  imageTokens,
  loadTokenizer,
  promptOverhead,
  promptTokens,
  uncalibrated,
} from 'densify/tokens';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check } from './support/check.js';

test.each([
  [
    'o200k_base',
    ['gpt-4o', 'gpt-4o-mini-2024-07-18', 'openai/gpt-4.1', 'gpt-4.5-preview', 'gpt-5', 'gpt-5.5', 'gpt-6'],
  ],
  ['o200k_base', ['chatgpt-4o-latest', 'o1', 'o3-pro', 'azure/o4-mini', 'codex-mini-latest', 'gpt-oss-120b']],
  ['cl100k_base', ['gpt-4', 'gpt-4-0613', 'gpt-4-turbo', 'gpt-3.5-turbo', 'gpt-35-turbo', 'text-embedding-3-small']],
  [undefined, ['claude-opus-5-5', 'gemini-3-pro', 'llama-4', 'text-davinci-003', '']],
] as const)('the encoding %s is that of %j', (encoding, models) => {
  for (const model of models) expect([model, encodingOf(model)]).toEqual([model, encoding]);
});

test('a model in the place of its encoding is told which have which', async () => {
  await expect(loadTokenizer('gpt-4o' as 'o200k_base')).rejects.toThrow(
    /gpt-4o and later have 'o200k_base', gpt-4 .*Claude/,
  );
});

describe('images cost what the providers publish', () => {
  test.each([
    // The examples of the providers' own pages.
    ['gpt-4o', { width: 1024, height: 1024 }, 765],
    ['gpt-4o', { width: 2048, height: 4096 }, 1105],
    ['gpt-4o', { width: 4096, height: 8192, detail: 'low' }, 85],
    [{ kind: 'patches', most: 1536, factor: 1 }, { width: 1024, height: 1024 }, 1024],
    [{ kind: 'patches', most: 1536, factor: 1 }, { width: 1800, height: 2400 }, 1452],
    ['claude', { width: 1092, height: 1092 }, 39 * 39],
    // As they were measured by the API: huggingface.co/datasets/JOHNISKING/image-token-cost, less the text beside them.
    ['claude-haiku-4-5', { width: 256, height: 256 }, 165 - 65],
    ['claude-haiku-4-5', { width: 1024, height: 1024 }, 1434 - 65],
    ['claude-haiku-4-5', { width: 1920, height: 1080 }, 1625 - 65],
    ['claude-opus-5-5', { width: 1280, height: 720 }, 1273 - 77],
    ['claude-opus-5-5', { width: 1080, height: 1920 }, 2768 - 77],
    ['gpt-6', { width: 256, height: 256 }, 77],
    ['gpt-6', { width: 1920, height: 1080 }, 2448],
    ['gpt-6', { width: 4032, height: 3024 }, 14_364],
    ['gpt-6', { width: 2560, height: 1440, detail: 'high' }, 2931],
    ['gpt-6', { width: 4032, height: 3024, detail: 'high' }, 2942],
    ['gpt-5.5', { width: 3840, height: 2160 }, 9792],
    ['gpt-5.5', { width: 4032, height: 3024 }, 11_868],
    // By what the provider says of the largest that it takes.
    ['claude-opus-4-7', { width: 2560, height: 1440 }, 4784],
    ['claude-opus-4-7', { width: 8000, height: 10 }, 92],
    ['computer-use-preview', { width: 1024, height: 768 }, 65 + 4 * 129],
    ['gemini', { width: 384, height: 384 }, 258],
    ['gemini', { width: 960, height: 540 }, 6 * 258],
    ['gemini-3', { width: 960, height: 540 }, 1120],
    ['gpt-4.1', { width: 1024, height: 1024 }, 765],
    ['o3', { width: 1024, height: 1024 }, 675],
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
          ['claude', 1568],
          ['claude-4.7', 4784],
          ['gpt-5.5', 12_000],
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
    ['formula', () => imageTokens('llama-4', { width: 1, height: 1 })],
    ['formula', () => imageTokens('toString' as 'claude', { width: 1, height: 1 })],
    ['formula.base', () => imageTokens({ kind: 'tiles' } as never, { width: 1, height: 1 })],
    ['formula.tokens', () => imageTokens({ kind: 'flat', tokens: Number.NaN }, { width: 1, height: 1 })],
    ['formula.most', () => imageTokens({ kind: 'patches', factor: 1, most: 0 }, { width: 1, height: 1 })],
    ['formula.side', () => imageTokens({ kind: 'grid', most: 9 } as never, { width: 1, height: 1 })],
    ['width', () => imageTokens('claude', { width: Number.NaN, height: 1 })],
    ['height', () => imageTokens('claude', { width: 1 } as { width: number; height: number })],
  ])('an error names the %s', (key, action) => {
    expect(action).toThrow(expect.objectContaining({ code: 'invalid-options', key }));
  });
});

/** The conversation of the OpenAI cookbook's "How to count tokens with tiktoken", and what the API reported for it. */
const COOKBOOK: readonly (readonly [text: string, name?: string])[] = [
  ['You are a helpful, pattern-following assistant that translates corporate jargon into plain English.'],
  ['New synergies will help drive top-line growth.', 'example_user'],
  ['Things working well together will increase revenue.', 'example_assistant'],
  [
    "Let's circle back when we have more bandwidth to touch base on opportunities for increased leverage.",
    'example_user',
  ],
  ["Let's talk later when we're less busy about how to do better.", 'example_assistant'],
  ["This late pivot means we don't have time to boil the ocean for the client deliverable."],
];

describe('messages cost what the providers publish', () => {
  test.each([
    ['cl100k_base', 129],
    ['o200k_base', 124],
  ] as const)('in %s: %i tokens', async (encoding, expected) => {
    const tokenizer = await loadTokenizer(encoding);
    const texts = COOKBOOK.flat().filter((text) => text !== undefined);
    const names = COOKBOOK.filter(([, name]) => name !== undefined).length;
    const tokens = texts.reduce((sum, text) => sum + tokenizer.count(text), 0);
    expect(tokens + promptOverhead('openai', { messages: COOKBOOK.length, names })).toBe(expected);
    tokenizer.dispose();
  });

  test('a provider that publishes nothing but the cost of tools', () => {
    expect(promptOverhead('anthropic', { messages: 3, tools: true })).toBe(346);
  });

  test.each([
    ['provider', () => promptOverhead('nobody' as 'openai', { messages: 1 })],
    ['messages', () => promptOverhead('openai', { messages: Number.NaN })],
    ['messages', () => promptOverhead('openai', { messages: -3 })],
    ['messages', () => promptOverhead('openai', undefined as never)],
    ['names', () => promptOverhead('openai', { messages: 1, names: -1 })],
  ])('an error names what is wrong: %s', (key, action) => {
    expect(action).toThrow(expect.objectContaining({ code: 'invalid-options', key }));
  });
});

describe('usage', () => {
  test.each([
    [{ input_tokens: 12, cache_creation_input_tokens: 500, cache_read_input_tokens: 8000, output_tokens: 9 }, 8512],
    [{ input_tokens: 12, cache_read_input_tokens: null, cache_creation_input_tokens: 0 }, 12],
    [{ prompt_tokens: 900, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 512 } }, 900],
    [{ input_tokens: 900, input_tokens_details: { cached_tokens: 512 } }, 900],
    [{ promptTokenCount: 700, cachedContentTokenCount: 600, candidatesTokenCount: 3 }, 700],
    // With Anthropic, the AI SDK up to major 5 leaves cached tokens out; from major 6 on it counts and details them.
    [{ inputTokens: 70, cachedInputTokens: 60 }, 70],
    [{ inputTokens: 700, cachedInputTokens: 9300 }, 10_000],
    [{ inputTokens: 70, cachedInputTokens: 90, inputTokenDetails: { cacheReadTokens: 90 } }, 70],
    [{ inputTokens: { total: 9000, noCache: 12, cacheRead: 8988 } }, 9000],
    // Amazon Bedrock, and Anthropic where it tells what was written by lifetime alone.
    [{ inputTokens: 12, cacheReadInputTokens: 9000, cacheWriteInputTokens: 500 }, 9512],
    [{ input_tokens: 12, cache_creation: { ephemeral_5m_input_tokens: 400, ephemeral_1h_input_tokens: 100 } }, 512],
    [{ input: 12, output: 3, cache: { read: 9000, write: 400 } }, 9412],
    [{ promptTokenCount: 9000, toolUsePromptTokenCount: 500 }, 9000],
    [{ input: 3, output: 4, cacheRead: 50, cacheWrite: 7 }, 60],
    [{ prompt_tokens: Number.NaN }, undefined],
    [{ prompt_tokens: -1, input_tokens: '7' }, undefined],
    [{}, undefined],
    [null, undefined],
    ['900', undefined],
  ])('%j', (usage, tokens) => {
    expect(promptTokens(usage)).toBe(tokens);
  });

  test('that throws when it is read says nothing', () => {
    const fail = (): never => {
      throw new Error('nobody may know');
    };
    expect(promptTokens(Object.defineProperty({}, 'prompt_tokens', { get: fail, enumerable: true }))).toBeUndefined();
    expect(promptTokens(new Proxy({}, { ownKeys: fail }))).toBeUndefined();
  });
});

describe('a calibration', () => {
  const report = (counted: number, tokens: number) => ({ counted, overhead: 0, usage: { prompt_tokens: tokens } });

  test('believes the first report by half, later ones by weight, and follows a change', () => {
    let calibration = calibrate(uncalibrated, report(1000, 1200));
    expect(calibration).toEqual({ version: 1, factor: expect.closeTo(1.2) as number, reports: 1 });
    calibration = calibrate(calibration, report(1000, 1400));
    expect(calibration.factor).toBeCloseTo(1.3);
    for (let i = 0; i < 40; i += 1) calibration = calibrate(calibration, report(1000, 900));
    expect(calibrated(calibration, 10_000)).toBe(9000);
  });

  test('is plain JSON', () => {
    const calibration = calibrate(uncalibrated, report(1000, 1200));
    expect(JSON.parse(JSON.stringify(calibration))).toEqual(calibration);
    expect(calibrated(JSON.parse(JSON.stringify(calibration)) as Calibration, 1000)).toBe(1200);
  });

  test.each([
    [report(100, 300)],
    [report(0, 300)],
    [report(1000, 1e300)],
    [report(1000, 4001)],
    [report(1000, 499)],
    [{ counted: 1000, overhead: 0, usage: {} }],
    [{ counted: 1000, overhead: 0, usage: undefined }],
    [{ counted: 1000, overhead: 5000, usage: { prompt_tokens: 1200 } }],
    [{ counted: 1000, usage: {} }],
  ])('learns nothing from %j', (nothing) => {
    expect(calibrate(uncalibrated, nothing)).toEqual(uncalibrated);
  });

  test('learns from what came on top where nobody says what else a request holds', () => {
    // A system prompt and tools of 12,000 tokens, and a provider that counts 1.2 times what is counted here.
    const sent = (counted: number) => ({ counted, usage: { prompt_tokens: 12_000 + Math.round(counted * 1.2) } });
    let calibration = calibrate(uncalibrated, sent(900));
    expect(calibration).toEqual({ ...uncalibrated, last: { counted: 900, tokens: 13_080 } });
    // Too little came on top to tell anything: it counts once there is more.
    expect(calibrate(calibration, sent(1000))).toEqual(calibration);
    for (let counted = 2000; counted < 20_000; counted += 500) calibration = calibrate(calibration, sent(counted));
    expect(calibration.factor).toBeCloseTo(1.2);
    // A compression makes the prompt smaller, by as much as it was larger.
    expect(calibrate(calibration, sent(5000)).factor).toBeCloseTo(1.2);
    expect(calibrate(calibration, sent(5000)).reports).toBe(calibration.reports + 1);
    // More tools than before: that is no growth of the messages, and the next report is held against this one.
    const more = { counted: 20_000, usage: { prompt_tokens: 50_000 } };
    expect(calibrate(calibration, more)).toEqual({ ...calibration, last: { counted: 20_000, tokens: 50_000 } });
    expect(calibrate(calibration, { counted: 1e5, usage: {} })).toEqual(calibration);
  });

  test('takes what is more than double as double', () => {
    expect(calibrate(uncalibrated, report(1000, 3000)).factor).toBe(2);
  });

  test('reads a report of the AI SDK 5 with what Anthropic cached as the count says', () => {
    let calibration = uncalibrated;
    for (const [inputTokens, cachedInputTokens] of [
      [700, 9300],
      [5100, 4900],
      [10_000, 9000],
    ])
      calibration = calibrate(calibration, {
        counted: 9_000,
        overhead: 1_000,
        usage: { inputTokens, cachedInputTokens },
      });
    expect(calibration).toEqual({ version: 1, factor: 1, reports: 3 });
  });

  test('stays within bounds, whatever is reported', () => {
    const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, 1, 1e308, -5));
    check(
      300,
      fc.property(
        fc.array(fc.tuple(number.map((value) => Math.abs(value) || 0).filter(Number.isFinite), number)),
        (reports) => {
          let calibration = uncalibrated;
          for (const [counted, tokens] of reports) {
            calibration = calibrate(calibration, report(counted, tokens));
            calibration = calibrate(calibration, { counted, usage: { prompt_tokens: tokens } });
            expect(calibrated(JSON.parse(JSON.stringify(calibration)) as Calibration, 1)).toBeGreaterThanOrEqual(0);
          }
          expect(calibration.factor >= 0.5 && calibration.factor <= 2).toBe(true);
        },
      ),
    );
  });

  test.each<[string, object]>([
    ['Anthropic', { id: 'x', usage: { input_tokens: 200, cache_read_input_tokens: 1000 } }],
    ['Gemini', { candidates: [], usageMetadata: { promptTokenCount: 1200 } }],
    ['Vertex', { usage_metadata: { prompt_token_count: 1200 } }],
    ['LangChain', { content: '', usage_metadata: { input_tokens: 1200, output_tokens: 3 } }],
    ['a getter', Object.create({}, { usage: { get: () => ({ inputTokens: 1200 }) } }) as object],
  ])('finds the usage in the whole response of %s', (_, usage) => {
    expect(promptTokens(usage)).toBe(1200);
    expect(calibrate(uncalibrated, { counted: 1000, overhead: 0, usage })).toMatchObject({ factor: 1.2, reports: 1 });
  });

  test.each(['counted', 'overhead'])('%s is a number', (key) => {
    for (const value of [
      null,
      '1000',
      Number.NaN,
      Number.POSITIVE_INFINITY,
      -1,
      ...(key === 'counted' ? [undefined] : []),
    ]) {
      const wrong = { counted: 1000, usage: { prompt_tokens: 1200 }, [key]: value };
      expect(() => calibrate(uncalibrated, wrong as never)).toThrow(
        expect.objectContaining({ code: 'invalid-options', key }),
      );
    }
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
