// How conversations go by what providers count, where their vocabularies aren't public.
import { createConversation as ofContents } from 'densify';
import { createConversation as ofAiSdk } from 'densify/ai-sdk';
import { createConversation as ofAnthropic } from 'densify/anthropic';
import { createConversation as ofGemini } from 'densify/gemini';
import { createConversation as ofOpenAi } from 'densify/openai';
import { type Calibration, calibrate, loadTokenizer, uncalibrated } from 'densify/tokens';
import { describe, expect, test } from 'vitest';

const LIMIT = 200_000;
const options = { strategy: 'high-density', contextLimit: LIMIT, threshold: 0.85 } as const;
/** What the providers report over what is estimated, by real logs. */
const MEASURED = 1.24;
const own = (text: string) => text.length;
const learned = (factor: number): Calibration => ({ version: 1, factor, reports: 3 });

describe('limits are in tokens as they are counted here', () => {
  test.each([
    ['messages of Claude', () => ofAnthropic(options), MEASURED],
    ['messages of Gemini', () => ofGemini(options), MEASURED],
    ['a model of Claude, whatever the format', () => ofAiSdk({ ...options, model: 'claude-opus-4-5' }), MEASURED],
    ['messages of OpenAI', () => ofOpenAi(options), 1],
    ['messages of nobody', () => ofContents(options), 1],
    ['a counter of its own', () => ofAnthropic({ ...options, countTokens: own }), 1],
    ['what was learned', () => ofOpenAi({ ...options, calibration: learned(1.6) }), 1.6],
    ['what was learned of Claude', () => ofAnthropic({ ...options, calibration: learned(1) }), 1],
    ['nothing learned of Claude yet', () => ofAnthropic({ ...options, calibration: uncalibrated }), MEASURED],
  ] as const)('%s', (_, create, factor) => {
    const { limit, threshold } = create().tokens;
    expect(limit).toBe(Math.floor(LIMIT / factor));
    expect(threshold * factor).toBeGreaterThan(0.85 * LIMIT - 4);
    expect(threshold * factor).toBeLessThanOrEqual(0.85 * LIMIT);
  });

  test('a counter of an encoding that they don’t have', async () => {
    const tokenizer = await loadTokenizer('o200k_base');
    const conversation = ofAnthropic({ ...options, countTokens: tokenizer.count });
    expect(conversation.tokens.limit).toBe(Math.floor(LIMIT / MEASURED));
    tokenizer.dispose();
  });

  test('what is kept free is the provider’s, too', () => {
    const { limit, threshold } = ofAnthropic({ ...options, reserve: 20_000, overhead: 10_000 }).tokens;
    const plain = ofAnthropic({ ...options, reserve: 20_000, overhead: 10_000, calibration: learned(1) }).tokens;
    expect(Math.abs(limit * MEASURED - plain.limit)).toBeLessThan(4);
    expect(Math.abs(threshold * MEASURED - plain.threshold)).toBeLessThan(4);
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
    claude = Math.max(claude, conversation.tokens.current * MEASURED);
  }
  expect(claude).toBeGreaterThan(0.5 * 50_000);
  expect(claude).toBeLessThan(50_000);
});

test('what a run has learned the next one goes by', () => {
  let calibration: Calibration = uncalibrated;
  for (let turn = 0; turn < 30; turn += 1)
    calibration = calibrate(calibration, { counted: 10_000, overhead: 0, usage: { input_tokens: 12_500 } });
  expect(ofAnthropic({ ...options, calibration }).tokens.limit).toBeCloseTo(LIMIT / 1.25, -2);
});

test('a calibration that is none is the caller’s error', () => {
  expect(() => ofContents({ ...options, calibration: { factor: 2 } as never })).toThrow(
    expect.objectContaining({ code: 'invalid-options', key: 'calibration' }),
  );
});
