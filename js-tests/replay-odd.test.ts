// Replays of contents that no log would hold, and of policies that return what they must not.
import type { IContent } from 'densify';
import { type OwnPolicy, replay } from 'densify/replay';
import { describe, expect, test } from 'vitest';
import { ai, call, human, response, tool } from './support/say.js';

const thrower = (): never => {
  throw new Error('do not touch');
};

function cyclic(): object {
  const value: Record<string, unknown> = { path: 'src/a.ts', text: 'const some_name = 1;' };
  value['self'] = value;
  value['list'] = [value, { value }];
  return value;
}

/** A log in which a tool is called with a value and returns it, before and after an edit. */
const around = (value: unknown): IContent[] => [
  human('Please mend src/a.ts.'),
  ai('Reading some_name.', call('1', 'read_file', value)),
  tool(response('1', 'read_file', value)),
  ai(call('2', 'edit_file', { path: 'src/a.ts', old_string: 'const some_name = 1;', more: value })),
  tool(response('2', 'edit_file', 'ok')),
  ai(call('3', 'read_file', value)),
  tool(response('3', 'read_file', value)),
  ai('Done with src/a.ts.'),
];

const VALUES: Readonly<Record<string, () => unknown>> = {
  'something cyclic': cyclic,
  'a list of 150,000 numbers': () => ({ rows: Array.from({ length: 150_000 }, (_, at) => at) }),
  'an edit of 130,000 lines': () => ({ old_string: 'a line that is there\n'.repeat(130_000) }),
  'a patch of 130,000 lines': () => `*** Begin Patch\n${'-a line that is there\n'.repeat(130_000)}`,
  'something 100,000 deep': () => {
    let value: unknown = 'x';
    for (let left = 100_000; left > 0; left -= 1) value = [value];
    return value;
  },
  'a throwing accessor': () => ({ text: 'x', get path(): string { return thrower(); } }), // biome-ignore format: one thing
  'a throwing proxy': () => new Proxy({}, { get: thrower, ownKeys: thrower, has: thrower }),
  'a bigint': () => ({ size: 2n ** 80n }),
  nothing: () => undefined,
};

test.each(Object.entries(VALUES))(
  'a replay is no error, and ends: %s',
  (_, make) => {
    const { requests, policies } = replay(around(make()), { policies: ['lossless'] });
    expect(requests).toBe(4);
    for (const { prefixBreaks, tokens } of policies)
      expect([typeof prefixBreaks, tokens > 0]).toEqual(['number', true]);
    expect(policies[0]).toMatchObject({ prefixBreaks: 0, regret: 0 });
  },
  60_000,
);

test('what is read of something cyclic counts as used', () => {
  const contents = [...around(cyclic()).slice(0, 4), ai('Done.')];
  const [none] = replay(contents, { policies: [] }).policies;
  expect(none!.recollection.editedLines.of).toBeGreaterThan(0);
  expect(none!.recollection.editedLines.kept).toBe(none!.recollection.editedLines.of);
});

test.each<[string, unknown]>([
  ['null', null],
  ['a text', 'text'],
  ['without a type', {}],
  ['a text without a text', { type: 'text' }],
  ['a text of another type', { type: 'text', text: 5 }],
  ['a text that throws', { type: 'text', get text(): string { return thrower(); } }], // biome-ignore format: one thing
  ['a call without anything', { type: 'tool_call' }],
  ['a response without anything', { type: 'tool_response' }],
])('an odd block is no error, and lost nowhere: %s', (_, block) => {
  const contents = [...around('x'), { speaker: 'tool', blocks: [block] } as unknown as IContent, ai('Done.')];
  const { requests, policies } = replay(contents, { policies: ['none', 'lossless'] });
  expect(requests).toBe(5);
  for (const { regret, rejected, prefixBreaks } of policies)
    expect([regret, rejected, prefixBreaks]).toEqual([0, 0, 0]);
});

test.each<[string, unknown]>([
  ['a message of chat completions', { role: 'user', content: 'hi' }],
  ['null', null],
  ['a text', 'hi'],
  ['blocks that are none', { speaker: 'ai', blocks: 'x' }],
  ['blocks that throw', { speaker: 'ai', get blocks(): [] { return thrower(); } }], // biome-ignore format: one thing
])('what is no content is told, with what makes contents: %s', (_, odd) => {
  const given = [human('Hello.'), odd] as readonly IContent[];
  const wanted = { code: 'invalid-messages', index: 1, message: expect.stringContaining('readTranscript') as string };
  expect(() => replay(given)).toThrow(expect.objectContaining(wanted));
});

describe('a policy of one’s own', () => {
  const history = (changes: object): OwnPolicy => ({
    name: 'mine',
    create: () =>
      ({ add: () => undefined, messages: () => [], dispose: () => undefined, ...changes }) as ReturnType<
        OwnPolicy['create']
      >,
  });

  test.each<[string, OwnPolicy, string]>([
    ['without dispose', history({ dispose: undefined }), 'dispose'],
    ['without messages', history({ messages: 5 }), 'messages'],
    ['without a list', history({ messages: () => 5 }), 'returned 5'],
    ['a list of something else', history({ messages: () => [null] }), 'a list of contents'],
    ['nothing', { name: 'mine', create: () => undefined as never }, 'undefined'],
  ])('that breaks its word is told by name: %s', (_, policy, word) => {
    const wanted = { code: 'callback-failed', key: 'policies', message: expect.stringMatching(`mine.*`) as string };
    expect(() => replay(around('x'), { policies: [policy] })).toThrow(expect.objectContaining(wanted));
    expect(() => replay(around('x'), { policies: [policy] })).toThrow(word);
  });

  test('may be a class with a state of its own', () => {
    class Mine implements OwnPolicy {
      readonly name = 'mine';
      readonly #sent: IContent[] = [];
      create() {
        const sent = this.#sent;
        return { add: (news: readonly IContent[]) => void sent.push(...news), messages: () => sent, dispose: () => undefined }; // biome-ignore format: one thing
      }
    }
    const [none, mine] = replay(around('x'), { policies: [new Mine()] }).policies;
    expect(mine!.tokens).toBe(none!.tokens);
  });
});

test.each(['a', '_', 'a_', 'a/', 'aB', '1a', '/'])(
  'a word of 300,000 signs takes no time by its square: %s',
  (sign) => {
    // In time by its square it takes longer than this test may.
    expect(replay(around(`${sign.repeat(300_000 / sign.length)} \0`), { policies: [] }).policies).toHaveLength(1);
  },
  60_000,
);
