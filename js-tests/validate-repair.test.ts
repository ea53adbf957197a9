// Repairs, for any messages: they change nothing in place, report each loss, and find nothing to do a second time.
import type { IContent } from 'densify';
import { type Finding, type MessageFormat, type Repair, repair, validate } from 'densify/validate';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { breakUp, broken } from './support/broken.js';
import { check } from './support/check.js';
import { FORMATS, native } from './support/native.js';

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) frozen(inner);
  }
  return value;
}

/** All texts in a value, with how often each is there. */
function texts(value: unknown, counts = new Map<string, number>()): Map<string, number> {
  if (typeof value === 'string') counts.set(value, (counts.get(value) ?? 0) + 1);
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) texts(inner, counts);
  return counts;
}

const errors = (findings: readonly Finding[]): string[] =>
  findings.filter(({ level }) => level === 'error').map(({ code }) => code);

/** What only a decision can repair, of what random conversations have. */
const DECISIONS: ReadonlySet<string> = new Set([
  'no-messages',
  'missing-call-id',
  'bad-tool-name',
  'bad-shape',
  'not-json',
  'last-role',
  'call-position',
  'unknown-block',
]);

describe.each(FORMATS)('%s', (format) => {
  const options = { format };

  test('any conversation, whole or broken', () => {
    let mended = 0;
    check(
      200,
      fc.property(broken, ({ contents, changes }) => {
        const messages = frozen(breakUp(native[format](contents), changes));
        const before = validate(messages, options);
        const { messages: after, changed, repairs, findings, ok } = repair(messages, options);
        if (changed) mended += 1;
        // What is in order comes back as it is.
        if (before.ok) expect([after === messages, changed, repairs]).toEqual([true, false, []]);
        expect(validate(after, changed ? { ...options, original: messages } : options)).toEqual({ ok, findings });
        expect(errors(findings).filter((code) => !DECISIONS.has(code))).toEqual([]);
        // A second repair finds nothing to do.
        const again = repair(after, options);
        expect([again.messages === after, again.repairs]).toEqual([true, []]);
        const within = repairs.filter(({ action, path }) => action !== 'inserted' || path.length > 1);
        const touched = new Set(within.map(({ path }) => path[0]));
        for (const [at, message] of messages.entries()) if (!touched.has(at)) expect(after).toContain(message);
        nothingIsLost(messages, after, repairs);
      }),
    );
    expect(mended).toBeGreaterThan(20);
  });
});

const speaks = (speaker: IContent['speaker'], ...blocks: IContent['blocks']): IContent => ({ speaker, blocks });

describe('a result that stands before its call', () => {
  const asked = speaks('human', { type: 'text', text: 'Go.' });
  const call = speaks('ai', { type: 'tool_call', id: 'c1', name: 'read', parameters: { path: 'a' } });
  const answered = speaks('tool', { type: 'tool_response', callId: 'c1', toolName: 'read', result: 'KEPT' });

  // The parts of `ai-sdk-ui` are call and result in one.
  test.each(FORMATS.filter((format) => format !== 'ai-sdk-ui'))(
    '%s: goes behind it, and nothing is invented',
    (format) => {
      const inOrder = native[format]([asked, call, answered, asked]);
      for (const contents of [
        [asked, answered, call, asked],
        [answered, asked, call, asked],
      ]) {
        const messages = native[format](contents);
        expect(validate(messages, { format }).findings.map(({ code }) => code)).toContain('misplaced-result');
        const { messages: after, ok, findings } = repair(messages, { format });
        expect([ok, errors(findings)]).toEqual([true, []]);
        expect(texts(after).get('KEPT') ?? 0).toBe(texts(inOrder).get('KEPT'));
        expect(JSON.stringify(after)).not.toContain('No result provided');
      }
    },
  );

  test('parallel calls of the Responses API stay side by side', () => {
    const item = (type: string, call_id: string) =>
      type === 'function_call' ? { type, call_id, name: 'f', arguments: '{}' } : { type, call_id, output: call_id };
    const [one, two] = ['a', 'b'].map((id) => item('function_call', id));
    const [first, second] = ['a', 'b'].map((id) => item('function_call_output', id));
    const user = { role: 'user', content: 'x' };
    const { messages: after } = repair([user, first, second, one, two, user], { format: 'openai-responses' });
    expect(after).toEqual([user, one, two, first, second, user]);
  });

  test('a result within the message of its call, which the AI SDK overlooks, goes behind it', () => {
    const part = { type: 'tool-call', toolCallId: 'a', toolName: 'f', input: {} };
    const result = { type: 'tool-result', toolCallId: 'a', toolName: 'f', output: { type: 'text', value: 'k' } };
    const user = { role: 'user', content: 'x' };
    const { messages: after } = repair([user, { role: 'assistant', content: [part, result] }, user], {
      format: 'ai-sdk',
    });
    const separate = [
      { role: 'assistant', content: [part] },
      { role: 'tool', content: [result] },
    ];
    expect(after).toEqual([user, ...separate, user]);
  });

  test('a second result of an answered call is a duplicate still', () => {
    const messages = native['openai-chat']([asked, call, answered, answered, asked]);
    const { repairs } = repair(messages, { format: 'openai-chat' });
    expect(repairs.map(({ code, action }) => [code, action])).toEqual([['duplicate-result', 'dropped']]);
  });
});

describe('thinking that is bound to what stood before it', () => {
  const thought = (signature: string) => ({ type: 'thinking', thinking: 'hm', signature });
  const said = (signature: string, ...more: object[]) => ({
    role: 'assistant',
    content: [thought(signature), ...more],
  });
  const text = { type: 'text', text: 'ok' };
  const call = { type: 'tool_use', id: 'a', name: 'f', input: {} };
  const result = { type: 'tool_result', tool_use_id: 'a', content: 'k' };
  const user = (content: unknown = 'x') => ({ role: 'user', content });
  const format = 'anthropic';
  const late = [user(), said('s1', call), user(), said('s2', text), user([result]), said('s3', text), user()];
  const missing = [user(), said('s1', call), user(), said('s2', text), user()];
  const signatures = (messages: readonly unknown[]) => JSON.stringify(messages).match(/"s\d"/g);

  test.each([
    ['late', late],
    ['missing', missing],
  ] as const)('goes behind the first repair (a %s result), where the model refuses it', (_name, messages) => {
    const model = 'claude-opus-5-5';
    const { messages: after, ok, repairs } = repair<object>(messages, { format, model });
    expect([ok, signatures(after)]).toEqual([true, ['"s1"']]);
    expect(validate(after, { format, model, original: messages }).ok).toBe(true);
    expect(repairs.some(({ code }) => code === 'thinking-unbound')).toBe(true);
    const manual = repair<object>(messages, { format, model: 'claude-sonnet-4-5' });
    expect([manual.ok, signatures(manual.messages)]).toEqual([true, signatures(messages)]);
    // Of a model that isn't named it is said.
    const { findings } = repair<object>(messages, { format });
    expect(findings.map(({ code, level }) => [code, level])).toContainEqual(['thinking-unbound', 'warning']);
  });
});

/** Every text is in the result, or a repair says that it was dropped or changed. */
function nothingIsLost(messages: readonly unknown[], after: readonly unknown[], repairs: readonly Repair[]): void {
  const kept = texts(after);
  const told = texts(repairs.map(({ before }) => before));
  for (const [text, count] of texts(messages)) {
    expect((kept.get(text) ?? 0) + (told.get(text) ?? 0)).toBeGreaterThanOrEqual(count);
  }
}

describe('what a repair says', () => {
  const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
  const user = { role: 'user', content: 'hi' };
  const orphan = { role: 'tool', tool_call_id: 'gone', content: 'secret' };
  const messages = [user, orphan, { role: 'assistant', content: null, tool_calls: [call] }, user];

  test('paths are those of the messages given', () => {
    const { messages: after, repairs, ok } = repair(messages, { format: 'openai-chat' });
    const answer = { role: 'tool', tool_call_id: 'a', content: 'No result provided' };
    expect(repairs).toEqual([
      { code: 'orphan-result', action: 'dropped', path: [1], before: orphan },
      { code: 'orphan-call', action: 'inserted', path: [3], after: answer },
    ]);
    expect(ok).toBe(true);
    expect(after).toEqual([user, messages[2], answer, user]);
    expect(after.map((message) => messages.indexOf(message as never))).toEqual([0, 2, -1, 0]);
  });

  test('validate with repair: true gives both', () => {
    expect(validate(messages, { format: 'openai-chat', repair: true })).toEqual(
      repair(messages, { format: 'openai-chat' }),
    );
  });

  test('the same messages get the same ids, and different ids stay different', () => {
    const of = (...ids: string[]): unknown[] => [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: ids.map((id) => ({ type: 'tool_use', id, name: 'f', input: {} })) },
      { role: 'user', content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: id })) },
    ];
    const once = repair(of('a.b', 'a b', 'a_b'), { format: 'anthropic' });
    expect(once.messages).toEqual(repair(of('a.b', 'a b', 'a_b'), { format: 'anthropic' }).messages);
    const blocks = (once.messages as { content: { id: string }[] }[])[1]?.content ?? [];
    expect(new Set(blocks.map(({ id }) => id)).size).toBe(3);
    expect(blocks[2]?.id).toBe('a_b');
    expect([once.ok, validate(once.messages, { format: 'anthropic' }).findings]).toEqual([true, []]);
  });

  test('LangChain: what answers a call is of the class of the other results', () => {
    class Base {
      readonly lc_kwargs = {};
      readonly additional_kwargs = {};
      readonly id: string | undefined = 'm1';
      constructor(
        readonly type: string,
        readonly content: string,
        readonly more: Record<string, unknown> = {},
      ) {
        Object.assign(this, more);
      }
    }
    class Tool extends Base {
      readonly status = 'success';
      readonly artifact = { big: true };
    }
    const call2 = (id: string): object => ({ id, name: 'f', args: {}, type: 'tool_call' });
    const list = [
      new Base('human', 'x'),
      new Base('ai', '', { tool_calls: [call2('a'), call2('b')] }),
      new Tool('tool', 'y', { tool_call_id: 'a' }),
    ];
    const { messages: after, ok } = repair<unknown>(list, { format: 'langchain' });
    expect(ok).toBe(true);
    expect(after.slice(0, 3)).toEqual(list);
    expect(after[3]).toBeInstanceOf(Tool);
    expect(after[3]).toMatchObject({ tool_call_id: 'b', status: 'error', content: 'No result provided' });
    expect((after[3] as Record<string, unknown>)['artifact']).toBeUndefined();
    expect((after[3] as Record<string, unknown>)['id']).toBeUndefined();
  });

  test.each<[MessageFormat, unknown[]]>([
    ['anthropic', [user, { role: 'assistant', content: [{ type: 'text', text: '' }] }, user]],
    [
      'ai-sdk',
      [
        user,
        {
          role: 'tool',
          content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'f', output: { type: 'text', value: '' } }],
        },
      ],
    ],
  ])('%s: a message that loses its last block goes with it', (format, list) => {
    const { messages: after, ok } = repair(list, { format });
    expect([ok, after]).toEqual([true, list.filter((message) => message === user)]);
  });
});

test('more repairs than a call takes arguments are made and told one by one', () => {
  const many = 65_000;
  const text = (value: string) => ({ type: 'text', text: value });
  const list = Array.from({ length: many }, (_, at) => {
    return { role: at % 2 === 0 ? 'user' : 'assistant', content: [text(''), text(''), text('x')] };
  });
  const { ok, messages, repairs } = repair<unknown>([...list, { role: 'user', content: 'y' }], { format: 'anthropic' });
  expect([ok, messages.length, repairs.length]).toEqual([true, many + 1, 2 * many]);
  expect(messages[0]).toEqual({ role: 'user', content: [text('x')] });
}, 60_000);
