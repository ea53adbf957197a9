// Results shrunk and digests made over the messages of every format: the same decisions as for the neutral form, and
// nothing but results is touched.
import { digest, shrinkResults } from 'densify';
import { createRecall } from 'densify/recall';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { history } from './support/arbitrary.js';
import { breakUp, broken } from './support/broken.js';
import { check } from './support/check.js';
import { complaints, formats, neutralSaid, plain, type Said } from './support/formats.js';
import type { Message } from './support/loose.js';
import { ai, call, human, response, tool } from './support/say.js';
import { frozen } from './support/simulation.js';

const NOISY = [
  'make: entering\n'.repeat(40),
  '\u001b[31merror\u001b[0m: it broke\n'.repeat(3),
  JSON.stringify({ rows: Array.from({ length: 40 }, (_, id) => ({ id, name: `n${id}` })) }, null, 2),
  'short',
];

/** A history whose results are worth shrinking. */
const noisy = fc
  .tuple(history(8), fc.array(fc.nat({ max: NOISY.length - 1 }), { minLength: 1 }))
  .map(([entries, picks]) => {
    let at = 0;
    return plain(entries, false).map((entry) => ({
      ...entry,
      blocks: entry.blocks.map((block) =>
        block.type === 'tool_response' ? { ...block, result: NOISY[picks[at++ % picks.length]!]! } : block,
      ),
    }));
  });

const results = (said: readonly Said[]) =>
  said.filter(({ kind }) => kind === 'result').map(({ what, text }) => `${what}: ${text}`);
const others = (said: readonly Said[]) => said.filter(({ kind }) => kind !== 'result');

describe.each(formats)('$name', (format) => {
  const { verbs, known, from, said } = format;
  const shrunk = (messages: readonly Message[], options: object = {}) =>
    verbs.shrinkResults(messages as never, { ...options, ...known } as never) as unknown as {
      messages: readonly Message[];
      changed: boolean;
      reducers: readonly string[];
    };

  test('results become what the neutral ones become, and nothing else is touched', () =>
    check(
      60,
      fc.property(noisy, fc.boolean(), (entries, merged) => {
        const messages = frozen(from(entries, merged)) as Message[];
        const neutral = shrinkResults(entries);
        const { messages: made, changed, reducers } = shrunk(messages);
        expect(results(made.flatMap(said))).toEqual(results(neutral.messages.flatMap(neutralSaid)));
        expect([changed, [...reducers].sort()]).toEqual([neutral.changed, [...neutral.reducers].sort()]);
        expect(others(made.flatMap(said))).toEqual(others(messages.flatMap(said)));
        if (!changed) expect(made).toBe(messages);
        made.forEach((message, at) => {
          if (results(said(message)).join() === results(said(messages[at]!)).join()) expect(message).toBe(messages[at]);
        });
        expect(shrunk(made).messages).toBe(made);
      }),
    ));

  test('what was sent as it is stays, its calls are known', () => {
    const entries = [
      human('Build it.'),
      ai(call('1', 'bash', { command: 'make' }), call('2', 'bash', { command: 'cat a.txt' })),
      tool(response('1', 'bash', NOISY[0]!)),
      tool(response('2', 'bash', NOISY[0]!)),
      ai(call('3', 'bash', { command: 'make' })),
      tool(response('3', 'bash', NOISY[0]!)),
    ];
    const messages = from(entries);
    const { messages: made } = shrunk(messages, { since: messages.length - 1 });
    expect(made.slice(0, -1).every((message, at) => message === messages[at])).toBe(true);
    expect(results(said(made.at(-1)!))[0]).toContain('(repeated 40 times)');
    const recall = createRecall({ secret: 'a secret of at least sixteen bytes' });
    const noted = results(shrunk(messages, { recall }).messages.flatMap(said));
    const [, reference = ''] = /all of it: recall (r\w{13})/.exec(noted[0]!) ?? [];
    expect(recall.recall(reference)?.text).toBe(NOISY[0]);
    // A command that shows a file.
    expect(noted[1]).toBe(`2: ${NOISY[0]}`);
  });

  test('no history is too odd, and a digest breaks no pair', () =>
    check(
      60,
      fc.property(broken, ({ contents, changes }) => {
        const messages = frozen(breakUp(from(plain(contents, false)), changes)) as Message[];
        expect(() => shrunk(messages)).not.toThrow();
        const options = { preserve: { messages: 4 }, ...known };
        const result = verbs.digest(messages as never, options as never);
        if (result.kind !== 'applied') {
          expect(result.messages).toBe(messages);
          return;
        }
        const before = complaints(format, messages);
        for (const [complaint, count] of complaints(format, result.messages)) {
          expect([complaint, count <= (before.get(complaint) ?? 0)]).toEqual([complaint, true]);
        }
        const kept = new Set<unknown>(messages);
        expect(result.messages.filter((message) => !kept.has(message)).length).toBeLessThanOrEqual(2);
      }),
    ));

  test('a digest says what the neutral one says', () => {
    const entries = Array.from({ length: 12 }, (_, at) => [
      human(`Please mend file${at}.ts, and mind the tests of part ${at}. ${'Go on. '.repeat(20)}`),
      ai(call(`${at}`, 'bash', { command: `npm test ${at}` })),
      tool(response(`${at}`, 'bash', `error: it broke ${at}\n`.repeat(9))),
      ai(`I looked at part ${at}.`),
    ]).flat();
    const options = { preserve: { messages: 4 } };
    const neutral = digest(entries, options);
    const made = verbs.digest(from(entries) as never, { ...options, ...known } as never);
    expect(made.kind).toBe('applied');
    const textOf = (messages: readonly unknown[], read: (message: never) => readonly Said[]) =>
      messages.flatMap((message) => read(message as never)).find(({ kind }) => kind === 'text')?.what;
    expect(textOf(made.messages, said as never)).toBe(textOf(neutral.messages, neutralSaid as never));
  });

  test('a wrong option is an error that names it', () => {
    for (const [key, options] of [
      ['since', { since: -1 }],
      ['recall', { recall: 1 }],
      ['reducers.colours', { reducers: { colours: true } }],
      ['countTokens', { countTokens: () => 1 }],
    ] as const) {
      expect(() => shrunk([], options)).toThrow(expect.objectContaining({ code: 'invalid-options', key }));
    }
  });
});
