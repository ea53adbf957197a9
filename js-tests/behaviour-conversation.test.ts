// Conversations: what `beforeSend` answers, and the history after it.
import { type Conversation, type ConversationOptions, createConversation, type IContent } from 'densify';
import { describe, expect, test } from 'vitest';
import { full, json, LIMIT, LONG, options, summarize, turns } from './support/conversing.js';
import { goodReply } from './support/replies.js';
import { ai, call, human, inclusion, read, write } from './support/say.js';

describe('before a send', () => {
  test('nothing to do: ready, with the same list each time', () => {
    const conversation = createConversation(options);
    const entries = turns(2);
    conversation.add(...entries);
    const step = conversation.beforeSend();
    expect(step).toEqual({ kind: 'ready', messages: entries, warnings: [] });
    expect(conversation.beforeSend()).toEqual(step);
    if (step.kind === 'ready') expect(conversation.messages).toBe(step.messages);
    step.kind === 'ready' && step.messages.forEach((message, at) => expect(message).toBe(entries[at]));
  });

  test('a continuous strategy optimizes what was added, once', () => {
    const conversation = createConversation({ ...options, strategy: 'high-density', optimize: { preset: 'seed' } });
    conversation.add(...read('r', 'a.ts'), ...write('w', 'a.ts'), ai('ok'));
    expect(conversation.isDirty).toBe(true);
    expect(conversation.beforeSend()).toMatchObject({ kind: 'ready', messages: { length: 3 } });
    expect(conversation.isDirty).toBe(false);
    expect(conversation.stats.density.readWritePairsPruned).toBe(1);
    expect(conversation.raw).toHaveLength(5);
    conversation.add(human(inclusion('b', 'one')));
    expect(conversation.ensureOptimized()).toBe(false);
    conversation.add(human(inclusion('b', 'two')));
    expect(conversation.ensureOptimized()).toBe(true);
    expect(conversation.stats.edits.inclusions).toBe(1);
  });

  test('a strategy that is not continuous leaves it alone', () => {
    const conversation = createConversation(options);
    conversation.add(...read('r', 'a.ts'), ...write('w', 'a.ts'));
    expect(conversation.ensureOptimized()).toBe(false);
    expect(conversation.messages).toHaveLength(4);
  });

  test.each(['high-density', 'top-down-truncation'] as const)('%s compresses over the threshold', (strategy) => {
    const conversation = full({ strategy, optimize: { preset: 'seed' } });
    expect(conversation.tokens.current).toBeGreaterThan(conversation.tokens.threshold);
    expect(conversation.beforeSend().kind).toBe('ready');
    expect(conversation.tokens.current).toBeLessThan(conversation.tokens.threshold);
    expect(conversation.stats.compressions).toBe(1);
  });

  test('pending tokens count', () => {
    const conversation = createConversation(options);
    conversation.add(...turns(12));
    expect(conversation.beforeSend().kind).toBe('ready');
    expect(conversation.beforeSend({ pendingTokens: LIMIT / 2 }).kind).toBe('summarize');
  });

  test('the threshold that is set precedes the others', () => {
    const conversation = createConversation({ ...options, threshold: 0.5 });
    expect(conversation.tokens).toMatchObject({ limit: LIMIT, threshold: LIMIT / 2 });
    conversation.setThreshold(0.9);
    expect(conversation.tokens.threshold).toBe(0.9 * LIMIT);
    conversation.setThreshold(undefined);
    expect(conversation.tokens.threshold).toBe(LIMIT / 2);
    expect(createConversation(options).tokens.threshold).toBe(0.85 * LIMIT);
  });

  test('any number of messages can be added at once', () => {
    const conversation = createConversation({ ...options, contextLimit: 100_000_000 });
    conversation.addAll(Array.from({ length: 200_000 }, () => human('hi')));
    conversation.addAll([]);
    expect(conversation.messages).toHaveLength(200_000);
    expect(() => conversation.addAll(7 as never)).toThrow(/expected/);
  });

  test('nothing of it can be read once it is disposed', () => {
    const conversation = full();
    conversation.dispose();
    for (const key of ['messages', 'raw', 'curated', 'tokens', 'stats', 'isDirty'] as const) {
      expect(() => conversation[key], key).toThrow(expect.objectContaining({ code: 'disposed' }) as Error);
    }
  });

  test('what does not fit and cannot be made to is said', () => {
    const conversation = createConversation(options);
    conversation.add(human(LONG.repeat(1000)));
    const step = conversation.beforeSend();
    const { current: floor } = conversation.tokens;
    const largest = { index: 0, tokens: floor };
    const message = `the history has ${floor} tokens, and the limit is ${LIMIT}. Nothing more can be cut: shorten message 0 (${floor} tokens; shrinkResult) before you add it, or use a larger window`;
    expect(step).toEqual({ kind: 'over-limit', message, floor, reason: 'nothing-left', largest });
  });

  test('an explicit compression', () => {
    const conversation = full();
    expect(conversation.compress().kind).toBe('applied');
    expect(conversation.beforeSend().kind).toBe('ready');
    expect(full().compress({ strategy: 'top-down-truncation' }).messages.length).toBeLessThan(96);
  });
});

describe('a summary', () => {
  test('is asked for, applied, and is the history from then on', () => {
    const conversation = full();
    const raw = conversation.raw;
    const step = summarize(conversation);
    expect(step.isOpen).toBe(true);
    expect(conversation.beforeSend()).toMatchObject({ kind: 'pending', task: { isOpen: true } });
    conversation.add(human('meanwhile'));
    expect(conversation.stats.queued).toBe(1);
    const result = step.complete(goodReply(step.request));
    if (result.kind !== 'applied') throw new Error(json(result));
    expect(result.messages).toBe(conversation.messages);
    expect(conversation.messages.at(-1)).toEqual(human('meanwhile'));
    expect(conversation.raw).toEqual([...raw, human('meanwhile')]);
    expect(conversation.beforeSend().kind).toBe('ready');
    expect(conversation.stats).toMatchObject({ summaries: 1, failures: 0, queued: 0 });
    expect(conversation.stats.tokensBefore).toBeGreaterThan(conversation.stats.tokensAfter);
    expect(step.isOpen).toBe(false);
    expect(step.complete('again')).toEqual({ kind: 'ended' });
  });

  test.each(['fail', 'cancel'] as const)('that ends by %s leaves the history as it was', (end) => {
    const conversation = full();
    const before = conversation.messages;
    const step = summarize(conversation);
    const meanwhile = [human('one'), human('two')];
    conversation.add(...meanwhile);
    expect(conversation.stats.queued).toBe(2);
    step[end]();
    expect(conversation.messages).toEqual([...before, ...meanwhile]);
    conversation.messages.forEach((message, at) => expect(message).toBe([...before, ...meanwhile][at]));
    step[end]();
    expect(conversation.stats).toMatchObject({ failures: end === 'fail' ? 1 : 0, queued: 0 });
  });

  test('that fails three times in a row is tried again when something was added', () => {
    const conversation = createConversation({ ...options, contextLimit: LIMIT });
    conversation.add(...turns(20));
    for (let left = 3; left > 0; left -= 1) summarize(conversation).fail(new Error('down'));
    const error = { code: 'summary-failed', message: 'the summary failed: down' };
    expect(conversation.beforeSend()).toMatchObject({
      kind: 'ready',
      warnings: [{ code: 'summaries-stopped', error }],
    });
    expect(conversation.beforeSend()).toMatchObject({ kind: 'ready', warnings: [] });
    conversation.add(human('more'));
    summarize(conversation);
  });

  test('that fails three times in a row over the limit: it says why nothing is tried', () => {
    const conversation = createConversation({ ...options, contextLimit: LIMIT / 4 });
    conversation.add(...turns(20));
    for (let left = 3; left > 0; left -= 1) summarize(conversation).fail(new Error('down'));
    const floor = conversation.tokens.current;
    expect(conversation.beforeSend()).toEqual({
      kind: 'over-limit',
      message: expect.stringMatching(/Summaries failed too often: call digest\(\)/) as string,
      floor,
      reason: 'summaries-stopped',
      error: expect.objectContaining({ message: 'the summary failed: down' }) as Error,
      largest: { index: expect.any(Number) as number, tokens: expect.any(Number) as number },
      offer: 'digest',
    });
    conversation.add(human('more'));
    summarize(conversation);
  });

  test('whose reply is no good is repaired, three replies at most', () => {
    const conversation = full();
    const before = conversation.messages;
    const step = summarize(conversation);
    const first = step.complete('no');
    expect(first).toMatchObject({ kind: 'failed', request: { attempt: 1 } });
    expect(step.request).toMatchObject({ attempt: 1 });
    expect(step.complete('no')).toMatchObject({ kind: 'failed', request: { attempt: 2 } });
    expect(step.complete('no')).not.toHaveProperty('request');
    expect(step.isOpen).toBe(false);
    expect(conversation.messages).toBe(before);
    const another = summarize(conversation);
    another.complete('no');
    expect(another.complete(goodReply(another.request)).kind).toBe('applied');
  });

  test('in parts', () => {
    const conversation = full({ summary: { window: 4500 } });
    conversation.add(...turns(20, 50));
    const step = summarize(conversation);
    const { parts } = step.request;
    expect(parts).toBeGreaterThan(1);
    for (let part = 1; part < parts; part += 1) {
      expect(step.complete(goodReply(step.request)).kind).toBe('continue');
    }
    expect(step.complete(goodReply(step.request)).kind).toBe('applied');
  });

  test.each([
    ['a window that the prompt alone fills', { summary: { window: 300 } }, 'window-too-small'],
    ['a call that is open, in append mode', { summary: { mode: 'append' } }, 'open-calls'],
  ] as const)('that %s allows of none is said once, and the conversation goes on', (_, more, code) => {
    const conversation = full({ ...more, contextLimit: LIMIT * 2, threshold: 0.5 });
    conversation.add(ai(call('open', 'read_file', { path: 'a' })));
    const { messages } = conversation;
    const step = conversation.beforeSend();
    expect(step).toMatchObject({ kind: 'ready', warnings: [{ code: 'threshold-unreachable' }, { error: { code } }] });
    expect(step.kind === 'ready' && step.messages).toBe(messages);
    expect(conversation.beforeSend()).toMatchObject({ kind: 'ready', warnings: [] });
    expect(conversation.stats.failures).toBe(0);
  });

  test('whose end the counter spoils leaves nothing half done', () => {
    let isDown = false;
    const countTokens = (text: string) => {
      if (isDown) throw new Error('down');
      return Math.ceil(text.length / 4);
    };
    const conversation = full({ countTokens });
    const step = summarize(conversation);
    const reply = goodReply(step.request);
    const before = conversation.messages;
    isDown = true;
    conversation.add(human('meanwhile'));
    expect(() => step.complete(reply)).toThrow(expect.objectContaining({ code: 'token-counter-failed' }) as Error);
    expect(conversation.messages).toEqual([...before, human('meanwhile')]);
    expect(step.isOpen).toBe(true);
    step.fail();
    isDown = false;
    expect(conversation.stats.failures).toBe(1);
    const again = summarize(conversation);
    expect(again.complete(goodReply(again.request)).kind).toBe('applied');
    expect(conversation.messages.at(-1)).toEqual(human('meanwhile'));
  });

  test('that would help, were the fixed overhead smaller: said once, and no model is asked every turn', async () => {
    const conversation = createConversation({
      ...options,
      overhead: 10_000,
      contextLimit: 50_000,
      threshold: 0.01,
      preserve: { messages: 8 },
    });
    let asked = 0;
    const warnings: string[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      conversation.add(...turns(1, turn));
      const step = await conversation.prepare({
        summarize: (request) => {
          asked += 1;
          return Promise.resolve(goodReply(request));
        },
      });
      if (step.kind === 'ready') warnings.push(...step.warnings.map(({ code }) => code));
    }
    expect({ asked, warnings }).toEqual({ asked: 1, warnings: ['threshold-unreachable'] });
  });

  test('that can be asked for no more, over the limit: it says why, and offers a digest', () => {
    const giveUp = ['top', 'first-request', 'tail'] as const;
    const conversation = createConversation({ ...options, contextLimit: LIMIT / 4, summary: { window: 300, giveUp } });
    conversation.add(...turns(20));
    expect(conversation.beforeSend()).toMatchObject({
      kind: 'over-limit',
      reason: 'nothing-left',
      error: { code: 'window-too-small', key: 'window' },
      offer: 'digest',
    });
    expect(conversation.beforeSend()).not.toHaveProperty('error');
  });

  test('of a history that is gone back is awaited no more', () => {
    const conversation = full();
    const step = summarize(conversation);
    conversation.rewind(40);
    expect(step.complete(goodReply(step.request))).toEqual({ kind: 'ended' });
    expect(conversation.messages).toHaveLength(40);
  });
});

describe('auto', () => {
  test('makes a summary in the background from the soft threshold on, and waits at the hard one', () => {
    const conversation = createConversation({ ...options, strategy: 'auto' });
    let step = conversation.beforeSend();
    let at = 0;
    while (step.kind === 'ready' && step.background === undefined && at < 60) {
      conversation.add(human(`${at} ${LONG.repeat(6)}`), ai(`answer ${at}`));
      at += 1;
      step = conversation.beforeSend();
    }
    if (step.kind !== 'ready' || step.background === undefined) throw new Error(json(step.kind));
    expect(conversation.tokens.current).toBeLessThan(conversation.tokens.threshold);
    const { background } = step;
    expect(background.isBackground).toBe(true);
    expect(conversation.beforeSend()).not.toHaveProperty('background');
    conversation.add(human(LONG.repeat(70)));
    expect(conversation.beforeSend()).toMatchObject({ kind: 'pending', task: { isBackground: true } });
    expect(background.complete(goodReply(background.request)).kind).toBe('applied');
  });
});

test('curated is without empty entries of the model', () => {
  const conversation = createConversation(options);
  conversation.add(human('hi'), ai(), ai(' '), ai('hello'));
  expect(conversation.curated).toEqual([human('hi'), ai('hello')]);
  expect(conversation.messages).toHaveLength(4);
});

test('after dispose it is an error to go on', () => {
  const conversation = full();
  const step = summarize(conversation);
  conversation.dispose();
  conversation.dispose();
  expect(step.complete('x')).toEqual({ kind: 'ended' });
  expect(() => conversation.add(human('x'))).toThrow(expect.objectContaining({ code: 'disposed' }) as Error);
});

test('what a callback throws comes out, and nothing has changed', () => {
  let isBad = false;
  const conversation = createConversation<IContent>({
    ...options,
    optimize: {
      ...options.optimize,
      protect: () => {
        if (isBad) throw new Error('mine');
        return false;
      },
    },
  });
  conversation.add(...turns(24));
  const step = summarize(conversation);
  const before = conversation.messages;
  isBad = true;
  expect(() => conversation.add(human('x'))).toThrow(expect.objectContaining({ code: 'callback-failed' }) as Error);
  expect(() => step.complete(goodReply(step.request))).toThrow(
    expect.objectContaining({ code: 'callback-failed' }) as Error,
  );
  expect(conversation.messages).toBe(before);
  isBad = false;
  expect(step.complete(goodReply(step.request)).kind).toBe('applied');
});

test('a callback cannot use the conversation that calls it', () => {
  const conversation: Conversation = createConversation<IContent>({
    ...options,
    optimize: {
      isFailure: () => {
        conversation.add(human('no'));
        return false;
      },
    },
  });
  const used = expect.objectContaining({ code: 'callback-failed' }) as Error;
  expect(() => conversation.add(...turns(24))).toThrow(used);
});

describe('options', () => {
  test.each([
    [{}, 'contextLimit'],
    [{ contextLimit: 10, threshold: 2 }, 'threshold'],
    [{ contextLimit: 10, foo: 1 }, 'foo'],
    [{ contextLimit: 10, optimize: { foo: 1 } }, 'optimize.foo'],
    [{ contextLimit: 10, optimize: 1 }, 'optimize'],
    [{ contextLimit: 10, tools: [] }, 'tools'],
    [{ contextLimit: 10, summary: { redact: 1 } }, 'redact'],
    [{ contextLimit: 10, summary: { tools: [] } }, 'summary.tools'],
    [{ contextLimit: 10, summary: { foo: 1 } }, 'summary.foo'],
    [{ contextLimit: 10, preserve: 'x' }, 'preserve'],
  ])('%j: names the key %s', (bad, key) => {
    expect(() => createConversation(bad as unknown as ConversationOptions)).toThrow(
      expect.objectContaining({ code: 'invalid-options', key }) as Error,
    );
  });
});
