// Validation of anything at all: it answers, and never throws.
import { detectFormat, repair, type ValidateOptions, validate } from 'densify/validate';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check } from './support/check.js';
import { FORMATS } from './support/native.js';
import { SAMPLES } from './support/samples.js';

const KEYS = [
  'role',
  'content',
  'type',
  'text',
  'id',
  'tool_calls',
  'tool_call_id',
  'call_id',
  'parts',
  'functionCall',
  'blocks',
  'speaker',
  'functionResponse',
  'toolCallId',
  'output',
  'input',
  'source',
  'cache_control',
  'caller',
  'providerOptions',
  'openai',
  'approvalId',
  'state',
  'data',
  'lc',
  'kwargs',
  'lc_kwargs',
  'signature',
  'thinking',
  'summary',
  'name',
  '__proto__',
]; // prettier-ignore
const VALUES = [
  'user',
  'assistant',
  'tool',
  'system',
  'model',
  'human',
  'ai',
  'toolResult',
  'text',
  'tool_use',
  'tool_result',
  'tool-call',
  'tool-result',
  'thinking',
  'reasoning',
  'function_call',
  'function_call_output',
  'tool_call',
  'tool_response',
  'constructor',
  'a',
  'b',
  '',
  ' ',
  '\ud83d',
  'output-available',
  'tool-x',
]; // prettier-ignore

const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<unknown>(...VALUES, undefined, null, 0, -1, Number.NaN, true, 7n, Symbol('s'), () => 1),
    fc.constantFrom<unknown>(
      new Date(0),
      new Uint8Array(2),
      new URL('https://example.com'),
      new Map(),
      /x/,
      Object.create(null),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.constantFrom(...KEYS), tie('value')), { maxLength: 6 })
      .map((entries) => Object.fromEntries(entries) as unknown),
  ),
}));
const samples = Object.values(SAMPLES).flat();
const messages = fc.array(fc.oneof(anything, fc.constantFrom<unknown>(...samples)), { maxLength: 8 });
const options = fc.record(
  {
    provider: fc.constantFrom(
      'anthropic',
      'bedrock',
      'openai',
      'google',
      'mistral',
      'moonshot',
      'cerebras',
      'strict-template',
    ),
    model: fc.constantFrom('claude-sonnet-5-5', 'claude-sonnet-4', 'gpt-5', 'gemini-3-pro', ''),
    thinking: fc.boolean(),
    store: fc.boolean(),
    continues: fc.boolean(),
    allowSystem: fc.boolean(),
    tools: messages,
    system: anything,
    original: messages,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<ValidateOptions>;

describe.each(FORMATS)('%s', (format) => {
  test('any values', () => {
    check(
      400,
      fc.property(messages, options, (list, given) => {
        const { ok, findings } = validate(list, { ...given, format });
        expect(ok).toBe(!findings.some(({ level }) => level === 'error'));
        for (const { code, message, hint, path } of findings) {
          expect([typeof code, typeof message, typeof hint]).toEqual(['string', 'string', 'string']);
          expect([message, hint].join(' ')).not.toMatch(/undefined|\[object|NaN/);
          expect(path.every((key) => ['string', 'number'].includes(typeof key))).toBe(true);
        }
        const mended = repair(list, { ...given, format });
        expect(mended.changed).toBe(mended.messages !== list);
        expect(validate(mended.messages, { ...given, format })).toEqual({ ok: mended.ok, findings: mended.findings });
      }),
    );
  });

  test.each<[string, () => unknown]>([
    ['no list', () => 7],
    ['nothing', () => undefined],
    [
      'a getter that throws',
      () => [
        {
          role: 'user',
          get content() {
            throw new Error('no');
          },
        },
      ],
    ],
    [
      'a proxy that was revoked',
      () => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return [proxy, { role: 'user', content: 'x' }];
      },
    ],
    [
      'a list that is a revoked proxy',
      () => {
        const { proxy, revoke } = Proxy.revocable([], {});
        revoke();
        return proxy;
      },
    ],
    [
      'a cycle',
      () => {
        const message: Record<string, unknown> = { role: 'user' };
        message['content'] = [message];
        message['parts'] = [message];
        message['blocks'] = message['parts'];
        return [message];
      },
    ],
    [
      '100,000 deep',
      () => {
        let deep: unknown = 'x';
        for (let at = 0; at < 100_000; at += 1) deep = [{ type: 'text', text: deep, content: deep }];
        return [{ role: 'user', speaker: 'human', content: deep, parts: deep, blocks: deep }];
      },
    ],
    ['a list with holes', () => new Array(3)],
  ])('%s', (name, make) => {
    const list = make() as unknown[];
    const { ok, findings } = validate(list, { format });
    expect(ok).toBe(!findings.some(({ level }) => level === 'error'));
    // What LangChain's messages hold beside their texts is not always sent.
    if (name !== 'a cycle' || format !== 'langchain') expect(ok).toBe(false);
    const mended = repair(list, { format });
    expect(validate(mended.messages, { format })).toEqual({ ok: mended.ok, findings: mended.findings });
  });
});

test('detection never throws, and what it names is a candidate', () => {
  check(
    1000,
    fc.property(messages, (list) => {
      const detected = detectFormat(list);
      if (detected.kind === 'known') expect(detected.candidates).toEqual([detected.format]);
      if (detected.kind === 'ambiguous') expect(detected.candidates.length).toBeGreaterThan(1);
    }),
  );
});
