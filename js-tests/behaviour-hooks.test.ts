// A conversation's callbacks: before and after each step that shrinks the history, for messages, and for tokens.
import {
  type Conversation,
  type ConversationHooks,
  type ConversationOptions,
  createConversation,
  estimateTokens,
  type IContent,
} from 'densify';
import { describe, expect, test } from 'vitest';
import { answer, full, LIMIT, options, summarize, turns } from './support/conversing.js';
import { goodReply } from './support/replies.js';
import { ai, human, read } from './support/say.js';

type Told<K extends keyof ConversationHooks<IContent>> = Parameters<NonNullable<ConversationHooks<IContent>[K]>>[0];
type CompressionStart = Told<'beforeCompression'>;
type CompressionEnd = Told<'afterCompression'>;

/** A conversation over its threshold, and what its hooks heard; `more` are further hooks. */
function heard(given: Partial<ConversationOptions>, more: ConversationHooks<IContent> = {}) {
  const starts: CompressionStart[] = [];
  const ends: CompressionEnd[] = [];
  const hooks: ConversationHooks<IContent> = {
    beforeCompression: (start) => void starts.push(start),
    afterCompression: (end) => void ends.push(end),
    ...more,
  };
  return { conversation: full({ optimize: { preset: 'seed' }, ...given, hooks }), starts, ends };
}

/** An end with the counts that its report has. */
function agreeing(end: CompressionEnd): CompressionEnd {
  const { originalMessageCount, compressedMessageCount, tokensBefore, tokensAfter } = end.metadata!;
  return {
    ...end,
    messagesBefore: originalMessageCount,
    messagesAfter: compressedMessageCount,
    tokensBefore,
    tokensAfter,
  };
}

describe('compressions by rules are told as summaries are', () => {
  test.each([
    ['high-density', 'high-density'],
    ['top-down-truncation', 'top-down-truncation'],
    ['digest', 'digest'],
    ['auto', 'high-density'],
  ] as const)('%s', async (strategy, first) => {
    const { conversation, starts, ends } = heard({ strategy });
    const { current } = conversation.tokens;
    const messagesBefore = conversation.messages.length;
    await conversation.prepare({ summarize: answer });
    expect(starts[0]).toMatchObject({ strategy: first, reason: 'threshold', usesModel: false, isBackground: false });
    expect(starts[0]).toMatchObject({ messagesBefore });
    // Rules that run before the strategy may have made it smaller.
    expect(starts[0]!.tokensBefore).toBeLessThanOrEqual(current);
    expect(ends).toHaveLength(starts.length);
    const applied = ends.filter(({ outcome }) => outcome === 'applied');
    const { messages, tokens } = conversation;
    expect(applied.at(-1)).toMatchObject({ messagesAfter: messages.length, tokensAfter: tokens.current });
    expect(applied.at(-1)!.tokensAfter).toBeLessThan(applied.at(-1)!.tokensBefore);
    expect(applied.at(-1)!.metadata).toMatchObject({ strategyUsed: applied.at(-1)!.strategy });
  });

  test('with the reason, where nothing changed', () => {
    const { conversation, ends } = heard({ strategy: 'middle-out' });
    conversation.rewind(2);
    conversation.digest();
    conversation.compress();
    const noops = ends.map(({ strategy, reason, outcome, noop }) => [strategy, reason, outcome, noop]);
    expect(noops).toEqual([
      ['digest', 'requested', 'noop', 'too-few-compressible'],
      ['high-density', 'requested', 'noop', 'already-under-target'],
    ]);
  });

  test('what is given up is named', async () => {
    const { conversation, starts, ends } = heard({
      ...{ strategy: 'top-down-truncation', contextLimit: 1200 },
      preserve: { messages: 3 },
    });
    conversation.rewind(0);
    conversation.add(human('word '.repeat(500)), human('word '.repeat(500)), human('word '.repeat(500)));
    await conversation.prepare({ summarize: answer });
    const limit = ends.filter(({ reason }) => reason === 'limit');
    expect(limit.map(({ givesUp, outcome }) => [givesUp, outcome])).toEqual([['tail', 'applied']]);
    expect(starts.length).toBe(ends.length);
  });

  test('a newest exchange that the rules shorten is told, and a hook may forbid it', async () => {
    const numbered = Array.from({ length: 900 }, (_, at) => `${String(at + 1).padStart(6)}→const line${at} = ${at};`);
    const newest = read('a', 'src/a.ts', numbered.join('\n'));
    const contextLimit = estimateTokens(newest) - 1000;
    const limit = { strategy: 'one-shot', contextLimit, intake: false, optimize: {} } as const;
    const { conversation, starts, ends } = heard(limit);
    conversation.rewind(0);
    conversation.add(human('Go.'), ai('Well.'), ...newest);
    expect((await conversation.prepare({ summarize: answer })).kind).toBe('ready');
    expect(starts[0]).toMatchObject({ strategy: 'high-density', reason: 'limit', givesUp: 'tail', usesModel: false });
    const [end] = ends;
    expect(end).toMatchObject({ outcome: 'applied', metadata: { strategyUsed: 'high-density', targetReached: true } });
    expect(agreeing(end!)).toEqual(end);
    const forbidden = heard(limit, { beforeCompression: () => false }).conversation;
    forbidden.rewind(0);
    forbidden.add(human('Go.'), ai('Well.'), ...newest);
    const step = await forbidden.prepare({ summarize: answer });
    expect(step).toMatchObject({ kind: 'over-limit', message: expect.stringContaining('beforeCompression') as string });
    expect(forbidden.messages).toEqual(forbidden.raw);
  });

  test.each(['one-shot', 'digest', 'high-density', 'top-down-truncation'] as const)(
    '%s: where not even a digest fits, the report says what was dropped',
    async (strategy) => {
      const newest = human('word '.repeat(8_000));
      const contextLimit = estimateTokens([newest]) + 60;
      const { conversation, ends } = heard({ strategy, contextLimit });
      conversation.rewind(0);
      conversation.add(human('word '.repeat(3_000)), ai('word '.repeat(500)), human('More.'), ai('Read.'), newest);
      const step = await conversation.prepare({ summarize: answer });
      if (step.kind !== 'ready') throw new Error(step.kind);
      const what = step.warnings.flatMap((warning) => (warning.code === 'gave-up' ? [warning.what] : []));
      // Truncation drops it without being asked.
      expect(what.includes('first-request')).toBe(strategy !== 'top-down-truncation');
      const end = ends.findLast(({ outcome }) => outcome === 'applied')!;
      expect(end.noop).toBeUndefined();
      expect(end.metadata).toBeDefined();
      expect(agreeing(end)).toEqual(end);
      expect(conversation.messages.at(-1)).toBe(newest);
    },
  );

  test.each(['digest', 'high-density', 'top-down-truncation'] as const)(
    'a fallback of two steps is told as two (%s)',
    async (fallback) => {
      const large = () => 'word '.repeat(6_000);
      const { conversation, ends } = heard({ strategy: 'middle-out', contextLimit: 10_000, intake: false });
      conversation.rewind(0);
      conversation.add(human('Go.'), ai(large()), human('And?'), ai(large()), human('Go on.'), ai('Well.'));
      const summarize = () => Promise.reject(new Error('down'));
      const step = await conversation.prepare({ summarize, fallback });
      if (step.kind !== 'ready') throw new Error(step.kind);
      const applied = ends.filter(({ outcome }) => outcome === 'applied');
      expect(applied.length).toBeGreaterThan(0);
      for (const end of applied) expect(agreeing(end)).toEqual(end);
      expect(applied.at(-1)!.tokensAfter).toBe(conversation.tokens.current);
      expect(ends.map(({ reason }) => reason)).toContain('fallback');
    },
  );

  test('auto: work in the background, and a digest that pays for itself, have reasons of their own', async () => {
    const soft = heard({ strategy: 'auto', contextLimit: Math.ceil(full().tokens.current / 0.75) });
    await soft.conversation.prepare({ summarize: answer });
    expect(soft.starts[0]).toMatchObject({ reason: 'soft-threshold' });
    const { conversation, starts, ends } = heard({ strategy: 'auto', contextLimit: 400_000 });
    for (let turn = 0; turn < 80 && starts.length === 0; turn += 1) {
      conversation.addAll(turns(12, 100 + 12 * turn));
      await conversation.prepare({ summarize: answer });
    }
    expect(starts[0]).toMatchObject({ strategy: 'digest', reason: 'payback', usesModel: false });
    expect(ends[0]).toMatchObject({ outcome: 'applied', metadata: { strategyUsed: 'digest' } });
  });

  test('a compress that does nothing has metadata, too', () => {
    const { conversation } = heard({ strategy: 'high-density' });
    conversation.rewind(2);
    const count = conversation.messages.length;
    expect(conversation.compress()).toMatchObject({
      kind: 'noop',
      reason: 'already-under-target',
      metadata: {
        ...{ strategyUsed: 'high-density', originalMessageCount: count, compressedMessageCount: count },
        llmCallMade: false,
      },
    });
  });
});

describe('summaries of a model', () => {
  test('from the request to the history', async () => {
    const { conversation, starts, ends } = heard({ strategy: 'one-shot' });
    await conversation.prepare({ summarize: answer });
    expect(starts).toMatchObject([{ strategy: 'one-shot', reason: 'threshold', usesModel: true }]);
    expect(ends).toMatchObject([{ outcome: 'applied', metadata: { llmCallMade: true } }]);
    expect(ends[0]!.tokensAfter).toBe(conversation.tokens.current);
  });

  test('that fail, are cancelled, or whose history goes', async () => {
    const { conversation, ends } = heard({ strategy: 'one-shot' });
    summarize(conversation).fail(new Error('no network'));
    summarize(conversation).cancel();
    summarize(conversation);
    conversation.rewind(10);
    expect(ends.map(({ outcome }) => outcome)).toEqual(['failed', 'cancelled', 'cancelled']);
    expect(ends[0]!.error).toMatchObject({ code: 'summary-failed', message: 'the summary failed: no network' });
  });

  test('that are pending when the conversation is disposed are told as cancelled', () => {
    const { conversation, starts, ends } = heard({ strategy: 'one-shot' });
    const step = summarize(conversation);
    conversation.dispose();
    expect([starts.length, ends.map(({ outcome }) => outcome)]).toEqual([1, ['cancelled']]);
    expect(step.complete(goodReply(step.request))).toEqual({ kind: 'ended' });
  });

  test('the strategy in their place is told as one', async () => {
    const { conversation, ends } = heard({ strategy: 'one-shot' });
    await conversation.prepare({ summarize: () => Promise.reject(new Error('down')), fallback: 'digest' });
    expect(ends.map(({ reason, outcome }) => `${reason} ${outcome}`)).toEqual(['threshold failed', 'fallback applied']);
  });

  test('go on through a configure, also with other hooks', () => {
    const { conversation, ends } = heard({ strategy: 'one-shot' });
    const step = summarize(conversation);
    const others: CompressionEnd[] = [];
    conversation.configure({ hooks: { afterCompression: (end) => others.push(end) } });
    expect(step.complete(goodReply(step.request)).kind).toBe('applied');
    expect([ends.length, others.length]).toEqual([0, 1]);
  });
});

describe('a hook may forbid it', () => {
  const strategies = ['high-density', 'top-down-truncation', 'digest', 'auto', 'middle-out', 'one-shot'] as const;
  test.each(strategies)('%s: nothing changes, and nothing is lost', async (strategy) => {
    const contextLimit = Math.ceil(LIMIT * 1.4);
    const beforeCompression = () => false;
    const { conversation, ends } = heard({ strategy, contextLimit }, { beforeCompression });
    const before = conversation.messages;
    const step = await conversation.prepare({ summarize: answer });
    expect(step).toMatchObject({ kind: 'ready' });
    expect(conversation.messages).toEqual(before);
    expect(ends).toEqual([]);
    // Once it is allowed it happens, without anything new.
    conversation.configure({ hooks: {} });
    await conversation.prepare({ summarize: answer });
    expect(conversation.tokens.current).toBeLessThan(conversation.tokens.threshold);
  });

  test('over the limit that ends in over-limit, and what you ask for yourself goes on', async () => {
    const { conversation } = heard({ strategy: 'one-shot' }, { beforeCompression: () => false });
    const step = await conversation.prepare({ summarize: answer, fallback: 'digest' });
    expect(step).toMatchObject({ kind: 'over-limit', message: expect.stringContaining('beforeCompression') as string });
    expect(conversation.digest().kind).toBe('applied');
  });

  test.each(strategies)('%s: over the limit it is asked again at each send', async (strategy) => {
    let isAllowed = false;
    const { conversation } = heard({ strategy, contextLimit: 1500 }, { beforeCompression: () => isAllowed });
    expect((await conversation.prepare({ summarize: answer })).kind).toBe('over-limit');
    isAllowed = true;
    expect((await conversation.prepare({ summarize: answer })).kind).toBe('ready');
    expect(conversation.raw).toHaveLength(96);
  });
});

test('messages and tokens are told once they are there', () => {
  const told: string[] = [];
  const hooks: ConversationHooks<IContent> = {
    contentAdded: ({ messages, index }) => told.push(`${messages.length} at ${index}: ${conversation.raw.length}`),
    tokensUpdated: ({ current }) => told.push(`tokens ${current === conversation.tokens.current}`),
  };
  const conversation: Conversation = createConversation({ ...options, hooks });
  conversation.add(...turns(2));
  conversation.addAll([]);
  conversation.add(human('more'));
  expect(conversation.tokens.current).toBeGreaterThan(0);
  expect(told).toEqual(['8 at 0: 8', 'tokens true', '1 at 8: 9', 'tokens true']);
  conversation.rewind(8);
  expect(told.slice(4)).toEqual(['tokens true']);
});

describe('bad hooks', () => {
  test('one that throws is a warning, and what it was told of goes on', async () => {
    const fail = () => {
      throw new Error('of the host');
    };
    const hooks = { beforeCompression: fail, afterCompression: fail, contentAdded: fail, tokensUpdated: fail };
    const conversation = full({ strategy: 'high-density', optimize: { preset: 'seed' }, hooks });
    const step = await conversation.prepare({ summarize: answer });
    if (step.kind !== 'ready') throw new Error(step.kind);
    expect(step.warnings.map(({ code }) => code)).toContain('hook-failed');
    expect(conversation.stats.compressions).toBeGreaterThan(0);
    expect(conversation.raw).toHaveLength(96);
  });

  test('one that is asynchronous can forbid nothing, and its error is a warning', async () => {
    const late = async () => Promise.reject(new Error('of the host'));
    const conversation = full({
      strategy: 'high-density',
      optimize: { preset: 'seed' },
      hooks: { beforeCompression: (async () => false) as never, afterCompression: late, contentAdded: late },
    });
    const warnings = [];
    for (const wanted of [human('one'), human('two')]) {
      conversation.add(wanted);
      const step = await conversation.prepare({ summarize: answer, onProgress: late });
      if (step.kind === 'ready') warnings.push(...step.warnings);
      await new Promise((resolve) => setTimeout(resolve));
    }
    expect(conversation.stats.compressions).toBe(1);
    const said = warnings.map((warning) => 'error' in warning && (warning.error as Error).message);
    expect(said).toContain('of the host');
    expect(said).toContainEqual(expect.stringContaining('hooks.beforeCompression: found a promise'));
  });

  test('one that uses the conversation before a compression is a warning, too', async () => {
    let caught: unknown;
    const conversation: Conversation = full({
      strategy: 'high-density',
      optimize: { preset: 'seed' },
      hooks: { beforeCompression: () => void conversation.add(human('no')) },
    });
    const step = await conversation.prepare({ summarize: answer });
    if (step.kind === 'ready') for (const warning of step.warnings) if ('error' in warning) caught = warning.error;
    expect(caught).toMatchObject({ code: 'callback-failed' });
    expect(conversation.raw).toHaveLength(96);
  });

  test.each([
    [[], 'hooks'],
    ['on', 'hooks'],
    [{ afterCompression: true }, 'hooks.afterCompression'],
    [{ onCompression: () => undefined }, 'hooks.onCompression'],
  ])('%j is an error that names the key', (hooks, key) => {
    const create = () => createConversation({ ...options, hooks } as never);
    expect(create).toThrow(expect.objectContaining({ code: 'invalid-options', key }));
    const conversation = full();
    expect(() => conversation.configure({ hooks } as never)).toThrow(expect.objectContaining({ key }));
    expect(conversation.raw).toHaveLength(96);
  });
});
