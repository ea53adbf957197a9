// What repairs promise, whatever the messages: nothing is changed in place, nothing is lost unsaid, nothing is mended twice.
import { repair, validate, type Finding, type MessageFormat, type Repair } from 'densify/validate';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { broken, breakUp } from './support/broken.js';
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
        expect(validate(after, options)).toEqual({ ok, findings });
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
