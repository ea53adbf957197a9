// Formats recognised by contents, wrong options, and what levels depend on.

import { readFileSync } from 'node:fs';
import { readTranscript } from 'densify/transcripts';
import { detectFormat, formatRules, providerRules, repair, type ValidateOptions, validate } from 'densify/validate';
import { describe, expect, test } from 'vitest';
import { FORMATS, native } from './support/native.js';
import { thrownBy } from './support/thrown.js';

const log = readTranscript(
  readFileSync(new URL('./fixtures/transcripts/codex.jsonl', import.meta.url), 'utf8'),
).contents;

describe('detectFormat', () => {
  test.each(FORMATS)('%s', (format) => {
    const detected = detectFormat(native[format](log));
    // A list of parts is a content of both; a text tells them apart.
    if (format.startsWith('ai-sdk') && format !== 'ai-sdk-ui') {
      expect(detected).toEqual({ kind: 'ambiguous', candidates: ['ai-sdk', 'ai-sdk-prompt'] });
    } else expect(detected).toEqual({ kind: 'known', format, candidates: [format] });
  });

  test('what fits several formats is ambiguous, and what fits none unknown', () => {
    expect(detectFormat([{ role: 'user', content: 'x' }])).toEqual({
      kind: 'ambiguous',
      candidates: ['anthropic', 'openai-chat', 'openai-responses', 'ai-sdk'],
    });
    for (const messages of [[], [7], [{}], [null], 'text' as unknown as unknown[]])
      expect(detectFormat(messages)).toEqual({ kind: 'unknown', candidates: [] });
  });

  test('one broken message does not hide the format', () => {
    expect(detectFormat([...native['anthropic'](log), { role: 'wizard' }])).toMatchObject({ format: 'anthropic' });
  });

  test('without a format, validation asks for one only where it must', () => {
    expect(validate(native['gemini'](log), { model: 'gemini-2.5-flash' }).ok).toBe(true);
    const error = thrownBy(() => validate([{ role: 'user', content: 'x' }]));
    expect(error).toMatchObject({ name: 'DensifyError', code: 'invalid-options', key: 'format' });
    expect(String(error)).toMatch(/anthropic, openai-chat, openai-responses, ai-sdk/);
    expect(thrownBy(() => repair([{}]))).toMatchObject({ key: 'format' });
  });
});

test('wrong calls are errors that name what is wrong', () => {
  const wrong = (options: unknown): unknown => thrownBy(() => validate([], options as ValidateOptions));
  const error = (key: string): unknown =>
    expect.objectContaining({ name: 'DensifyError', code: 'invalid-options', key });
  expect(wrong({ format: 'word' })).toEqual(error('format'));
  expect(wrong({ format: 'pi', provider: 'acme' })).toEqual(error('provider'));
  expect(wrong({ format: 'pi', generation: 'gpt-9' })).toEqual(error('generation'));
  expect(wrong({ format: 'pi', modle: 'x' })).toEqual(error('modle'));
  expect(wrong({ format: 'pi', model: 5 })).toEqual(error('model'));
  expect(wrong({ format: 'pi', tools: {} })).toEqual(error('tools'));
  expect(wrong({ format: 'pi', original: 'x' })).toEqual(error('original'));
  expect(wrong({ format: 'pi', store: 1 })).toEqual(error('store'));
  expect(wrong({ format: 'pi', repair: 'yes' })).toEqual(error('repair'));
  expect(wrong(null)).toEqual(error('options'));
  for (const key of ['format', 'model', 'tools', 'thinking', 'system', 'repair']) {
    const options = { get [key](): never { throw new Error('no'); } }; // biome-ignore format: one thing
    expect(wrong(options)).toEqual(error(key));
  }
  expect(thrownBy(() => repair([], { format: 'pi', repair: true } as ValidateOptions))).toEqual(error('repair'));
  expect(validate([], { format: 'pi', model: undefined }).findings.map(({ code }) => code)).toEqual(['no-messages']);
});

describe('generations', () => {
  const prefill = [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: 'y' },
  ];
  const level = (options: ValidateOptions): string | undefined =>
    validate(prefill, { format: 'anthropic', ...options }).findings.find(({ code }) => code === 'last-role')?.level;

  test.each<[string, string, string | undefined]>([
    ['claude-3-5-sonnet-20241022', 'no-thinking', undefined],
    ['claude-3-7-sonnet', 'manual-thinking', undefined],
    ['claude-sonnet-4-20250514', 'manual-thinking', undefined],
    ['us.anthropic.claude-opus-4-5-20251101-v1:0', 'manual-thinking', undefined],
    ['claude-opus-4-6', 'adaptive-thinking', 'error'],
    ['anthropic/claude-sonnet-4.6', 'adaptive-thinking', 'error'],
    ['claude-sonnet-5', 'adaptive-thinking', 'error'],
    ['claude-fable-5', 'adaptive-thinking', 'error'],
    ['claude-fable-5-1', 'preserved-thinking', 'error'],
    ['claude-mythos-5.1', 'preserved-thinking', 'error'],
    ['claude-haiku-5-5', 'preserved-thinking', 'error'],
  ])('%s is %s', (model, generation, expected) => {
    const [name] =
      Object.entries(providerRules.anthropic.generations).find(([, { models }]) => models.test(model)) ?? [];
    expect([name, level({ model }), level({ generation: generation as never })]).toEqual([
      generation,
      expected,
      expected,
    ]);
  });

  test('what only some models reject is a warning until the model is known', () => {
    expect([level({}), level({ model: 'someone-elses' })]).toEqual(['warning', 'warning']);
    expect(validate(prefill, { format: 'anthropic' }).ok).toBe(true);
  });

  test('a provider may be asked about in any format', () => {
    const messages = native['ai-sdk'](log).map(
      (message) => JSON.parse(JSON.stringify(message).replaceAll('"c1"', '"c.1"')) as object,
    );
    expect(validate(messages, { format: 'ai-sdk' }).findings).toEqual([]);
    const { findings } = validate(messages, { format: 'ai-sdk', provider: 'anthropic' });
    expect(findings.map(({ code }) => code).filter((code) => code !== 'last-role')).toEqual([
      'bad-call-id',
      'bad-call-id',
    ]);
  });

  test('the tables are data', () => {
    expect(Object.keys(formatRules).toSorted()).toEqual(FORMATS.toSorted());
    for (const { generations } of Object.values(providerRules))
      for (const { models } of Object.values(generations)) expect(models.test('nobody’s')).toBe(false);
  });
});

describe('a conversation that is continued at the provider', () => {
  const output = { type: 'function_call_output', call_id: 'c', output: 'x' };
  test('may begin with the outputs of calls that are stored there', () => {
    expect(validate([output], { format: 'openai-responses' }).ok).toBe(false);
    expect(validate([output], { format: 'openai-responses', continues: true }).findings).toEqual([]);
  });
});

describe('AI SDK', () => {
  const call = { type: 'tool-call', toolCallId: 'a', toolName: 'f', input: {} };
  const asked = {
    role: 'assistant',
    content: [call, { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' }],
  };
  const answered = { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'p', approved: true }] };
  const user = { role: 'user', content: 'x' };

  test('a call that was just approved is run by the SDK itself', () => {
    expect(validate([user, asked, answered], { format: 'ai-sdk' }).findings).toEqual([]);
    expect(validate([user, asked, answered, user], { format: 'ai-sdk' }).findings.map(({ code }) => code)).toEqual([
      'orphan-call',
    ]);
    expect(validate([user, asked], { format: 'ai-sdk' }).ok).toBe(false);
  });

  test('what the provider ran needs no message of a tool', () => {
    const run = [
      { ...call, providerExecuted: true },
      { type: 'tool-result', toolCallId: 'a', toolName: 'f', output: { type: 'json', value: 1 } },
    ];
    expect(validate([user, { role: 'assistant', content: run }], { format: 'ai-sdk' }).findings).toEqual([]);
  });
});
