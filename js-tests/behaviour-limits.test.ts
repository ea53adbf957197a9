// Before a conversation answers `over-limit` it gives up what it keeps, and says so.
import {
  type Conversation,
  type ConversationOptions,
  createConversation,
  estimateTokens,
  type IContent,
  type OverLimitStep,
  type SummaryProgress,
} from 'densify';
import { describe, expect, test } from 'vitest';
import { answer, json } from './support/conversing.js';
import { formats } from './support/formats.js';
import { goodReply } from './support/replies.js';
import { ai, human, read } from './support/say.js';

type GiveUp = NonNullable<NonNullable<ConversationOptions['summary']>['giveUp']>[number];

const words = (tokens: number, word = 'word') => `${word} `.repeat(tokens);
const reading = (id: string, tokens: number) => read(id, `src/${id}.ts`, words(tokens));

function talkOf(messages: readonly IContent[], options: Partial<ConversationOptions>): Conversation {
  const talk = createConversation({
    ...{ contextLimit: 10_000, intake: false },
    ...options,
    summary: { window: 100_000, ...options.summary },
  });
  talk.addAll(messages);
  return talk;
}

/** The content that was given up before the messages could be sent, and the reports. */
async function prepared(talk: Conversation) {
  const progress: SummaryProgress[] = [];
  const step = await talk.prepare({ summarize: answer, onProgress: (one) => progress.push(one) });
  if (step.kind === 'over-limit') return { step, gaveUp: [], progress };
  const gaveUp = step.warnings.flatMap((warning) => (warning.code === 'gave-up' ? [warning.what] : []));
  return { step, gaveUp, progress };
}

const small = (count: number) =>
  Array.from({ length: count }, (_, at) => [human(`Question ${at}.`), ai(`Answer ${at}.`)]).flat();

/** Histories of which something large keeps the rest from fitting. */
const histories: Readonly<Record<string, readonly IContent[]>> = {
  'a large top': [human('Go.'), ...reading('a', 12_000), ai('Read.'), ...small(20)],
  'a large first request': [human(words(12_000)), ai('Read.'), ...small(20)],
  'a large tail': [
    human('Go.'),
    ai('Well.'),
    ...small(10),
    ...reading('a', 6_000),
    ...reading('b', 6_000),
    ai('Read.'),
  ],
  'three large messages': [human(words(4_000)), human(words(4_000)), human(words(4_000))],
  'two large messages': [human(words(6_000)), ai(words(6_000))],
};
const strategies = [
  'middle-out',
  'one-shot',
  'structured',
  'auto',
  'high-density',
  'top-down-truncation',
  'digest',
] as const;

type Loss = GiveUp | 'newest-request';

/** What each strategy gives up for them; nothing where the ordinary compression is enough. */
const costs: Readonly<Record<string, Partial<Record<(typeof strategies)[number], readonly Loss[]>>>> = {
  'a large top': { 'middle-out': ['top'] },
  'a large first request': {
    'middle-out': ['first-request'],
    auto: ['first-request'],
    'high-density': ['first-request'],
  },
  'a large tail': {
    'middle-out': ['tail'],
    'one-shot': ['tail'],
    'top-down-truncation': ['newest-request'],
    digest: ['tail'],
  },
  'three large messages': {
    'middle-out': ['top'],
    'one-shot': ['tail'],
    auto: ['top'],
    'high-density': ['first-request'],
    digest: ['tail'],
  },
  'two large messages': {
    'middle-out': ['first-request'],
    'one-shot': ['tail'],
    auto: ['first-request'],
    'high-density': ['first-request'],
    'top-down-truncation': ['tail'],
    digest: ['tail'],
  },
};

describe.each(strategies)('%s', (strategy) => {
  test.each(Object.keys(histories))('%s is no dead end, and what it costs is told', async (name) => {
    const talk = talkOf(histories[name]!, { strategy });
    const before = talk.raw;
    const { step, gaveUp } = await prepared(talk);
    expect(step.kind, json(step)).toBe('ready');
    expect(gaveUp).toEqual(costs[name]![strategy] ?? []);
    expect(talk.tokens.current).toBeLessThanOrEqual(talk.tokens.limit);
    // 'structured' keeps no tail unless it is told to.
    if (strategy !== 'structured') expect(talk.messages.at(-1)).toBe(before.at(-1));
    expect(talk.raw).toEqual(before);
  });

  test('over the limit remains what is too large alone, and is named', async () => {
    const talk = talkOf([...small(4), human(words(11_000))], { strategy, preserve: { messages: 1 } });
    const step = (await prepared(talk)).step as OverLimitStep;
    expect(step).toMatchObject({ kind: 'over-limit', reason: 'nothing-left' });
    expect(step.largest?.index).toBe(talk.messages.length - 1);
    expect(step.message).toContain(`message ${talk.messages.length - 1} (${step.largest!.tokens} tokens;`);
    // Nothing is lost: a larger window takes it.
    talk.configure({ contextLimit: 40_000 });
    expect((await prepared(talk)).step.kind).toBe('ready');
  });
});

test.each(['middle-out', 'one-shot', 'auto'] as const)(
  '%s: an earlier summary goes, too, before the newest exchange is over the limit',
  async (strategy) => {
    const before = talkOf([...small(10), ai(words(6_000))], { strategy: 'one-shot' });
    const wished = before.summarize({ preserve: { messages: 0 } });
    if (wished.kind !== 'summarize') throw new Error(wished.kind);
    wished.complete(goodReply(wished.request, words(2_000)));
    // After the long summary there is no message that another summary could replace.
    const summarised = before.messages;
    const newest = reading('a', 9_000);
    const talk = talkOf([...summarised, ...newest], { strategy });
    expect(talk.tokens.current).toBeGreaterThan(talk.tokens.limit);
    const { step, gaveUp } = await prepared(talk);
    expect(step.kind, json(step)).toBe('ready');
    expect(gaveUp).toEqual(['model']);
    expect(talk.tokens.current).toBeLessThanOrEqual(talk.tokens.limit);
    expect(talk.messages).not.toContain(summarised[0]);
    expect(talk.messages.slice(-2)).toEqual(newest);
  },
);

const orders: readonly (readonly [string, GiveUp])[] = [
  ['a large top', 'top'],
  ['a large first request', 'first-request'],
  ['a large tail', 'tail'],
];

test.each(orders)('middle-out: %s costs no more than the %s', async (name, what) => {
  const talk = talkOf(histories[name]!, { strategy: 'middle-out' });
  const { gaveUp, progress } = await prepared(talk);
  expect(gaveUp).toEqual([what]);
  expect(progress.map(({ kind, givesUp }) => [kind, givesUp])).toEqual([
    ['started', what],
    ['applied', what],
  ]);
  expect(talk.messages.includes(histories[name]![0]!)).toBe(what === 'top');
});

test.each(orders)('%s: giving up the %s can be forbidden', async (name, what) => {
  const giveUp = (['top', 'first-request', 'tail', 'model'] as const).filter((one) => one !== what);
  const talk = talkOf(histories[name]!, { strategy: 'middle-out', summary: { giveUp } });
  const { gaveUp } = await prepared(talk);
  expect(gaveUp).not.toContain(what);
  const first = histories[name]![0]!;
  if (what === 'first-request') expect(talk.messages[0]).toBe(first);
  const none = talkOf(histories[name]!, { strategy: 'middle-out', summary: { giveUp: [] } });
  const { step } = await prepared(none);
  expect(step).toMatchObject({
    kind: 'over-limit',
    message: expect.stringMatching(/giveUp have top, first-/) as string,
  });
  expect(none.messages).toEqual(none.raw);
});

test.each(['middle-out', 'one-shot', 'digest', 'top-down-truncation'] as const)(
  '%s: the rules may have a newest exchange that is too large alone',
  async (strategy) => {
    const numbered = Array.from({ length: 900 }, (_, at) => `${String(at + 1).padStart(6)}→const line${at} = ${at};`);
    const messages = [human('Go.'), ai('Well.'), ...read('a', 'src/a.ts', numbered.join('\n'))];
    const contextLimit = estimateTokens(messages.slice(2)) - 1000;
    const talk = talkOf(messages, { strategy, contextLimit });
    const { step, gaveUp } = await prepared(talk);
    expect([step.kind, gaveUp]).toEqual(['ready', ['tail']]);
    expect(json(talk.messages)).toContain('const line899 = 899;');
    expect(talk.raw).toEqual(messages);
    const giveUp = ['top', 'first-request', 'model'] as const;
    const forbidden = talkOf(messages, { strategy, contextLimit, summary: { giveUp } });
    expect((await prepared(forbidden)).step.kind).toBe('over-limit');
  },
);

/** Summaries that are told to keep the first request. */
describe.each(['one-shot', 'structured'] as const)('%s, keepFirstRequest: true', (strategy) => {
  const kept = { strategy, keepFirstRequest: true } as const;

  test('a large first request goes, and the tail stays', async () => {
    const messages = histories['a large first request']!;
    const talk = talkOf(messages, { ...kept, preserve: { messages: 10 } });
    const { step, gaveUp, progress } = await prepared(talk);
    expect([step.kind, gaveUp]).toEqual(['ready', ['first-request']]);
    expect(progress.map(({ kind, givesUp }) => [kind, givesUp])).toContainEqual(['applied', 'first-request']);
    expect(talk.messages.slice(-10)).toEqual(messages.slice(-10));
    expect(talk.messages).not.toContain(messages[0]);
  });

  test('a large tail costs both, and both are told', async () => {
    const messages = [...histories['a large tail']!, human('Go on.')];
    const talk = talkOf(messages, { ...kept, preserve: { messages: 6 } });
    const { step, gaveUp } = await prepared(talk);
    expect([step.kind, gaveUp]).toEqual(['ready', ['first-request', 'tail']]);
    expect(talk.messages).not.toContain(messages[0]);
  });

  test.each([
    [['first-request'], ['first-request']],
    [['first-request', 'model'], ['first-request']],
    [['tail', 'model'], 'over-limit'],
  ] as const)('giveUp: %j', async (giveUp, expected) => {
    const talk = talkOf(histories['a large first request']!, { ...kept, summary: { giveUp } });
    const { step, gaveUp } = await prepared(talk);
    if (expected === 'over-limit') expect(step).toMatchObject({ kind: 'over-limit', reason: 'nothing-left' });
    else expect([step.kind, gaveUp]).toEqual(['ready', expected]);
    expect(talk.messages.includes(talk.raw[0]!)).toBe(expected === 'over-limit');
  });
});

test('a tail that must stay is not shortened by the last digest either', async () => {
  const giveUp = ['top', 'first-request', 'model'] as const;
  const messages = histories['a large tail']!;
  const talk = talkOf(messages, { strategy: 'one-shot', preserve: { messages: 5 }, summary: { giveUp } });
  expect((await prepared(talk)).step.kind).toBe('over-limit');
  expect(talk.messages).toEqual(messages);
});

test('an unknown thing to give up is an error that names those that there are', () => {
  expect(() => createConversation({ contextLimit: 10, summary: { giveUp: ['tial'] as never } })).toThrow(
    /option giveUp: found 'tial', expected a list of 'top', 'first-request', 'tail', 'model'/,
  );
});

test('a digest is the last resort, and no model is asked where no summary of one would fit', async () => {
  const newest = human(words(8_000));
  const contextLimit = estimateTokens([newest]) + 350;
  const talk = talkOf([human(words(3_000)), ai('Read.'), newest], { strategy: 'one-shot', contextLimit });
  const { step, gaveUp, progress } = await prepared(talk);
  expect([step.kind, gaveUp, progress]).toEqual(['ready', ['model'], []]);
  const forbidden = talkOf(talk.raw, { strategy: 'one-shot', contextLimit, summary: { giveUp: ['tail'] } });
  expect((await prepared(forbidden)).step).toMatchObject({ kind: 'over-limit' });
});

test.each(['high-density', 'top-down-truncation', 'digest'] as const)('fallback: %s', async (fallback) => {
  const talk = talkOf(histories['a large tail']!, { strategy: 'middle-out' });
  const error = expect.objectContaining({ code: 'summary-failed' }) as Error;
  const step = await talk.prepare({ summarize: () => Promise.reject(new Error('down')), fallback });
  expect(step).toMatchObject({ kind: 'ready' });
  if (step.kind === 'ready') expect(step.warnings).toContainEqual({ code: 'fell-back', strategy: fallback, error });
  expect(talk.tokens.current).toBeLessThanOrEqual(talk.tokens.limit);
});

const neutral = {
  name: 'densify',
  verbs: { createConversation },
  from: (list: readonly IContent[]) => list,
  known: {},
};
const truncating = (['top-down-truncation', 'high-density'] as const).flatMap((strategy) =>
  [undefined, true, false].map((keepFirstRequest) => ({ strategy, keepFirstRequest })),
);

describe.each([neutral, ...formats])('$name: a first request of 60,000 words', ({ verbs, from, known }) => {
  test.each(truncating)(
    '$strategy, keepFirstRequest: $keepFirstRequest: truncates seldom, and only as needed',
    (own) => {
      const create = verbs.createConversation as (options: object) => Conversation;
      const talk = create({ contextLimit: 100_000, ...own, ...known });
      const add = (...list: IContent[]) => talk.addAll(from(list) as never);
      add(human(words(60_000)));
      let fewest = Infinity;
      let gaveUp = 0;
      for (let turn = 0; turn < 60; turn += 1) {
        add(ai(words(700)), human(words(800)));
        const step = talk.beforeSend();
        if (step.kind !== 'ready') throw new Error(step.kind);
        gaveUp += step.warnings.filter(({ code }) => code === 'gave-up').length;
        if (turn > 20) fewest = Math.min(fewest, talk.messages.length);
      }
      expect(talk.stats.compressions).toBeLessThanOrEqual(3);
      expect(fewest).toBeGreaterThan(40);
      if (own.keepFirstRequest !== undefined) expect(gaveUp).toBe(own.keepFirstRequest ? 1 : 0);
    },
  );
});
