// Conversations correct their estimates by the providers' counts where a vocabulary isn't public.
import { createConversation as ofContents } from 'densify';
import { createConversation as ofAiSdk } from 'densify/ai-sdk';
import { createConversation as ofAnthropic } from 'densify/anthropic';
import { createConversation as ofGemini } from 'densify/gemini';
import { createConversation as ofOpenAi } from 'densify/openai';
import { type Calibration, calibrate, loadTokenizer, uncalibrated } from 'densify/tokens';
import { describe, expect, test } from 'vitest';

const LIMIT = 200_000;
const options = { strategy: 'high-density', contextLimit: LIMIT, threshold: 0.85 } as const;
/** What the providers report over what is estimated: by real logs, and times 1.3 for newer Claudes, as Anthropic says. */
const MEASURED = 1.24;
const NEWER = 1.6;
const own = (text: string) => text.length;
const ARN = { model: 'arn:aws:bedrock:profile/1', generation: 'manual-thinking' } as const;
const learned = (factor: number): Calibration => ({ version: 1, factor, reports: 3 });
/** A conversation that counts as was learned. */
function calibrated<C extends { setCalibration(calibration: Calibration): void }>(
  conversation: C,
  calibration: Calibration,
): C {
  conversation.setCalibration(calibration);
  return conversation;
}

describe('limits are in tokens as they are counted here', () => {
  test.each([
    ['messages of Claude', () => ofAnthropic(options), NEWER],
    ['a Claude whose name says nothing, of a generation', () => ofAnthropic({ ...options, ...ARN }), MEASURED],
    ['messages of Gemini', () => ofGemini(options), MEASURED],
    ['a model of Claude, whatever the format', () => ofAiSdk({ ...options, model: 'claude-opus-4-5' }), MEASURED],
    ['messages of OpenAI', () => ofOpenAi(options), 1],
    ['messages of nobody', () => ofContents(options), 1],
    ['a counter of its own', () => ofAnthropic({ ...options, countTokens: own }), 1],
    ['what was learned', () => calibrated(ofOpenAi(options), learned(1.6)), 1.6],
    ['what was learned of Claude', () => calibrated(ofAnthropic(options), learned(1)), 1],
    ['nothing learned of Claude yet', () => calibrated(ofAnthropic(options), uncalibrated), NEWER],
  ] as const)('%s', (_, create, factor) => {
    const { limit, threshold } = create().tokens;
    expect(limit).toBe(Math.floor(LIMIT / factor));
    expect(threshold * factor).toBeGreaterThan(0.85 * LIMIT - 4);
    expect(threshold * factor).toBeLessThanOrEqual(0.85 * LIMIT);
  });

  test.each([
    ...[
      'claude-opus-4-6',
      'claude-sonnet-4-6',
      'us.anthropic.claude-haiku-4-5-20251001-v1:0',
      'claude-3-5-sonnet-latest',
    ].map((model) => [model, MEASURED] as const),
    ...[
      'claude-opus-4-7',
      'claude-sonnet-5',
      'claude-haiku-5-5',
      'claude-fable-5',
      'claude-mythos-preview',
      'opus',
      'claude-saga-7',
    ].map((model) => [model, NEWER] as const),
  ])('%s counts %f times as much', (model, factor) => {
    for (const create of [ofAnthropic, ofAiSdk, ofContents] as readonly ((options: object) => {
      tokens: { limit: number };
    })[]) {
      expect(create({ ...options, model }).tokens.limit).toBe(Math.floor(LIMIT / factor));
    }
  });

  test('a counter of an encoding that they don’t have', async () => {
    const tokenizer = await loadTokenizer('o200k_base');
    const conversation = ofAnthropic({ ...options, countTokens: tokenizer.count });
    expect(conversation.tokens.limit).toBe(Math.floor(LIMIT / NEWER));
    tokenizer.dispose();
  });

  test('what is kept free is the provider’s, too', () => {
    const sizes = { ...options, reserve: 20_000, overhead: 10_000 };
    const { limit, threshold } = ofAnthropic(sizes).tokens;
    const plain = calibrated(ofAnthropic(sizes), learned(1)).tokens;
    expect(Math.abs(limit * NEWER - plain.limit)).toBeLessThan(4);
    expect(Math.abs(threshold * NEWER - plain.threshold)).toBeLessThan(4);
  });
});

test('a request is shortened before the provider refuses it', () => {
  // As many estimated tokens as Claude has at the default threshold of its window: one more word and it is above it.
  const text = 'the quick brown fox jumps over the lazy dog '.repeat(400);
  const result = (id: string) => ({
    role: 'user' as const,
    content: [{ type: 'tool_result' as const, tool_use_id: id, content: text }],
  });
  const call = (id: string) => ({
    role: 'assistant' as const,
    content: [{ type: 'tool_use' as const, id, name: 'read_file', input: { path: `${id}.ts` } }],
  });
  const seed = { preset: 'seed' } as const;
  const conversation = ofAnthropic({ strategy: 'high-density', contextLimit: 50_000, optimize: seed });
  conversation.add({ role: 'user', content: 'go' });
  let claude = 0;
  for (let at = 0; at < 30; at += 1) {
    conversation.add(call(`c${at}`), result(`c${at}`));
    expect(conversation.beforeSend().kind).toBe('ready');
    claude = Math.max(claude, conversation.tokens.current * NEWER);
  }
  expect(claude).toBeGreaterThan(0.5 * 50_000);
  expect(claude).toBeLessThan(50_000);
});

test('what a run has learned the next one goes by', () => {
  let calibration: Calibration = uncalibrated;
  for (let turn = 0; turn < 30; turn += 1)
    calibration = calibrate(calibration, { counted: 10_000, overhead: 0, usage: { input_tokens: 12_500 } });
  expect(calibrated(ofAnthropic(options), calibration).tokens.limit).toBeCloseTo(LIMIT / 1.25, -2);
});

test('reports that say what was measured change nothing, from the first on', () => {
  let calibration: Calibration = uncalibrated;
  const limit = () => calibrated(ofAnthropic({ ...options, model: 'claude-sonnet-4-5' }), calibration).tokens.limit;
  const before = limit();
  for (let turn = 1; turn < 9; turn += 1) {
    const counted = 10_000 * turn;
    const usage = { input_tokens: Math.round(counted * MEASURED) };
    calibration = calibrate(calibration, { counted, overhead: 0, usage });
    expect(Math.abs(limit() - before)).toBeLessThanOrEqual(1);
  }
});

describe('a running conversation', () => {
  const text = 'the quick brown fox jumps over the lazy dog '.repeat(100);
  const filled = () => {
    const conversation = ofOpenAi({ ...options, contextLimit: 20_000, reserve: 2_000, preserve: { messages: 2 } });
    for (let at = 0; at < 60; at += 1)
      conversation.add(
        { role: 'user', content: `Step ${at}. ${text.slice(0, 1_000)}` },
        { role: 'assistant', content: 'Done.' },
      );
    return conversation;
  };

  test('takes what was learned, and goes by it at the next send', () => {
    const conversation = filled();
    expect(conversation.beforeSend().kind).toBe('ready');
    const { current } = conversation.tokens;
    expect(conversation.stats.compressions).toBe(0);
    conversation.setCalibration(learned(2));
    expect(conversation.tokens).toMatchObject({ limit: 9_000, factor: 2, current });
    expect(conversation.beforeSend().kind).toBe('ready');
    expect(conversation.stats.compressions).toBe(1);
    expect(conversation.tokens.current).toBeLessThan(conversation.tokens.threshold);
    conversation.setCalibration(undefined);
    expect(conversation.tokens).toMatchObject({ limit: 18_000, factor: 1 });
  });

  test('forks know it, and go their own ways; a threshold stays', () => {
    const conversation = filled();
    conversation.setThreshold(0.5);
    conversation.setCalibration(learned(1.25));
    const fork = conversation.fork();
    expect(fork.tokens).toEqual(conversation.tokens);
    expect(fork.tokens.threshold).toBe(0.5 * (16_000 - 1_600));
    fork.setCalibration(learned(2));
    expect(conversation.tokens.factor).toBe(1.25);
    expect(fork.tokens.threshold).toBe(0.5 * 9_000);
  });

  test('a summary that is awaited stays awaited', async () => {
    const conversation = ofOpenAi({ ...options, strategy: 'middle-out', contextLimit: 8_000 });
    for (const message of filled().raw) conversation.add(message);
    const step = conversation.beforeSend();
    if (step.kind !== 'summarize') throw new Error(step.kind);
    conversation.setCalibration(learned(1.25));
    expect(conversation.beforeSend().kind).toBe('pending');
    step.cancel();
    expect(conversation.beforeSend().kind).toBe('summarize');
  });

  test('what is none stays out', () => {
    const conversation = filled();
    const before = conversation.tokens;
    expect(() => conversation.setCalibration({ factor: 2 } as never)).toThrow(
      expect.objectContaining({ code: 'invalid-options', key: 'calibration' }),
    );
    expect(conversation.tokens).toEqual(before);
  });
});

test('what is wrong with sizes is said of them as they were given', () => {
  const wrong = { strategy: 'auto', contextLimit: 1_000, reserve: 2_000 } as const;
  for (const create of [ofAnthropic, ofOpenAi] as readonly ((given: typeof wrong) => unknown)[])
    expect(() => create(wrong)).toThrow(/found 1000, of which reserve and overhead take 2000/);
});

test('a calibration that is none is the caller’s error', () => {
  expect(() => calibrated(ofContents(options), { factor: 2 } as never)).toThrow(
    expect.objectContaining({ code: 'invalid-options', key: 'calibration' }),
  );
});
