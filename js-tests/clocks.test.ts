// The provider's cache is cold after a pause: how each interface learns of pauses.
import { createConversation, createOptimizer, type IContent, type OptimizeOptions, optimize } from 'densify';
import { createOptimizer as createForAnthropic } from 'densify/anthropic';
import { createOptimizer as createForPi } from 'densify/pi';
import { describe, expect, test } from 'vitest';
import { thrownBy } from './support/thrown.js';
import { exchange, lines } from './support/work.js';

const NOON = Date.UTC(2026, 6, 1, 12);
/** So dear that no flush pays by itself. */
const DEAR = { prices: { cached: 0.001, uncached: 1 } };

/** Turns with long output; each message was written at its turn's time, if it has one. */
function turns(times: readonly (number | string | undefined)[]): IContent[] {
  return times.flatMap((timestamp, at) => {
    const pair = exchange(String(at), 'bash', { command: `make ${at}` }, lines(`t${at}`, 0, 80).join('\n'));
    return timestamp === undefined ? pair : pair.map((content) => ({ ...content, metadata: { timestamp } }));
  });
}

const MINUTES = 60_000;
const quick = Array.from({ length: 8 }, (_, at) => NOON + at * 1000);
const withPause = [...quick, NOON + 60 * MINUTES];
const unknown = Array.from({ length: 9 }, () => undefined);

/** How many flushes a handle makes over turns that are asked for at some times. */
function flushes(history: readonly IContent[], clock: readonly number[] | undefined, options: OptimizeOptions) {
  let asked = 0;
  const now = clock && (() => clock[asked] ?? Number.NaN);
  using optimizer = createOptimizer<IContent>({ ...DEAR, ...(now && { now }), ...options });
  let made = 0;
  for (let at = 0; at < history.length; at += 2, asked += 1) {
    if (optimizer.optimize(history.slice(0, at + 2)).flush !== undefined) made += 1;
  }
  return made;
}

describe('a handle', () => {
  test.each([
    ['a clock tells of a pause', unknown, withPause, { cacheTtl: 300 }, 1],
    ['a clock tells of none', unknown, [...quick, NOON + 100_000], { cacheTtl: 300 }, 0],
    ['a clock runs backwards', unknown, [...withPause].reverse(), { cacheTtl: 300 }, 0],
    ['a clock stands', unknown, unknown.map(() => NOON), { cacheTtl: 300 }, 0],
    ['a clock says no time', unknown, unknown.map(() => Number.NaN), { cacheTtl: 300 }, 0],
    [
      'messages tell of one before the newest answer, and no clock',
      withPause,
      unknown.map(() => Number.NaN),
      { cacheTtl: 300 },
      0,
    ],
    ['a cache that is kept for ever', unknown, withPause, { cacheTtl: Infinity }, 0],
    ['a cache of which nothing is known', unknown, withPause, {}, 0],
    ['messages lie, as the clock says', withPause, quick, { cacheTtl: 300 }, 0],
    ['both tell of a pause before the newest answer', [...quick, NOON + 60 * MINUTES], withPause, { cacheTtl: 300 }, 0],
  ] as const)('%s', (_, times, clock, options, expected) => {
    expect(flushes(turns(times), clock, options)).toBe(expected);
  });

  test('the pause lies between an answer and what follows it', () => {
    const history = turns(quick);
    const late = turns([...quick, NOON + 9000]).slice(-2);
    const result = { ...late[1]!, metadata: { timestamp: NOON + 60 * MINUTES } };
    const silent = { now: () => Number.NaN, cacheTtl: 300 };
    using optimizer = createOptimizer<IContent>({ ...DEAR, ...silent });
    for (let at = 2; at <= history.length; at += 2)
      expect(optimizer.optimize(history.slice(0, at)).flush).toBeUndefined();
    const whole = [...history, late[0]!, result];
    const cold = optimizer.optimize(whole);
    expect(cold.flush).toBeDefined();
    // A call without a memory knows the same.
    expect(optimize(whole, { ...DEAR, cacheTtl: 300 }).messages).toStrictEqual(cold.messages);
    expect(optimize(whole, DEAR).messages).toStrictEqual(whole);
  });

  test('a call without a memory asks no clock but yours', () => {
    const history = turns(quick);
    expect(optimize(history, { ...DEAR, cacheTtl: 300 }).messages).toStrictEqual(history);
    const late = { ...DEAR, cacheTtl: 300, now: () => NOON + 60 * MINUTES };
    expect(optimize(history, late).messages).toStrictEqual(history);
    const unstamped = [...history.slice(0, -1), { ...history.at(-1)!, metadata: {} }];
    expect(optimize(unstamped, late).changed).toBe(true);
  });

  test('the table of prices knows how long the cache of a model lives', () => {
    const text = (at: number) => lines(`t${at}`, 0, 80).join('\n');
    const exchanges = Array.from({ length: 9 }, (_, at) => [
      {
        role: 'assistant' as const,
        content: [{ type: 'tool_use' as const, id: `${at}`, name: 'Bash', input: { command: `make ${at}` } }],
      },
      { role: 'user' as const, content: [{ type: 'tool_result' as const, tool_use_id: `${at}`, content: text(at) }] },
    ]).flat();
    const list = [{ role: 'user' as const, content: 'Go.' }, ...exchanges];
    const ofHour = list.map((message) =>
      typeof message.content === 'string' || message.role === 'assistant'
        ? message
        : {
            ...message,
            content: message.content.map((block) => ({
              ...block,
              cache_control: { type: 'ephemeral' as const, ttl: '1h' as const },
            })),
          },
    );
    for (const [model, messages, expected] of [
      ['claude-opus-4-6', list, true],
      ['my-model', list, false],
      ['claude-opus-4-6', ofHour, false],
    ] as const) {
      let time = NOON;
      using optimizer = createForAnthropic({ model, ...DEAR, now: () => time });
      for (let at = 3; at < messages.length; at += 2)
        expect(optimizer.optimize(messages.slice(0, at)).flush).toBeUndefined();
      time += 6 * MINUTES;
      expect(optimizer.optimize(messages).flush !== undefined, model).toBe(expected);
    }
  });

  test('messages of pi have times', () => {
    const text = (at: number) => lines(`t${at}`, 0, 80).join('\n');
    const list = Array.from({ length: 9 }, (_, at) => {
      const timestamp = NOON + at * 1000;
      const call = { type: 'toolCall' as const, id: `${at}`, name: 'bash', arguments: { command: `make ${at}` } };
      const answered = at === 8 ? timestamp + 60 * MINUTES : timestamp;
      const output = [{ type: 'text' as const, text: text(at) }];
      return [
        { role: 'assistant' as const, content: [call], timestamp },
        {
          role: 'toolResult' as const,
          toolCallId: `${at}`,
          toolName: 'bash',
          content: output,
          isError: false,
          timestamp: answered,
        },
      ];
    }).flat();
    using optimizer = createForPi({ ...DEAR, cacheTtl: 300, now: () => Number.NaN });
    for (let at = 2; at < list.length; at += 2)
      expect(optimizer.optimize(list.slice(0, at) as never).flush).toBeUndefined();
    expect(optimizer.optimize(list as never).flush).toBeDefined();
  });
});

test('a conversation reads the clock', () => {
  let time = NOON;
  const optimize = { ...DEAR, cacheTtl: 300, now: () => time };
  using talk = createConversation({ strategy: 'auto', contextLimit: 1_000_000, intake: false, optimize });
  const history = turns(unknown);
  for (let at = 0; at < history.length; at += 2) {
    if (at === history.length - 2) time += 60 * MINUTES;
    talk.addAll(history.slice(at, at + 2));
    talk.beforeSend();
    expect(talk.messages.some((message, place) => message !== history[place])).toBe(at === history.length - 2);
  }
});

test.each([
  [{ cacheTtl: 0 }, 'cacheTtl'],
  [{ cacheTtl: -1 }, 'cacheTtl'],
  [{ cacheTtl: Number.NaN }, 'cacheTtl'],
  [{ cacheTtl: '5m' }, 'cacheTtl'],
  [{ now: 12 }, 'now'],
])('%j is an error that names the key', (options, key) => {
  expect(thrownBy(() => createOptimizer(options as never))).toMatchObject({ code: 'invalid-options', key });
  expect(thrownBy(() => optimize([], options as never))).toMatchObject({ code: 'invalid-options', key });
});

test('a clock that throws tells nothing', () => {
  const now = () => {
    throw new Error('no clock');
  };
  expect(flushes(turns(unknown), undefined, { cacheTtl: 300, now })).toBe(0);
});
