// A conversation takes other options in place.
import { type ConversationOptions, createConversation, restoreConversation } from 'densify';
import { createConversation as createAnthropic } from 'densify/anthropic';
import { describe, expect, test } from 'vitest';
import { full, LIMIT, options, summarize, turns } from './support/conversing.js';
import { goodReply } from './support/replies.js';
import { human, inclusion } from './support/say.js';

describe('configure', () => {
  test('changes strategy, limits, rules and prompts, and loses nothing', () => {
    const talk = createConversation({ ...options, contextLimit: 1_000_000 });
    talk.add(...turns(24), human(inclusion('b', 'one')), human(inclusion('b', 'two')));
    const { raw, messages } = talk;
    talk.setThreshold(0.9);
    talk.configure({ strategy: 'high-density', contextLimit: LIMIT, optimize: { preset: 'seed' } });
    expect(talk.raw).toEqual(raw);
    expect(talk.messages).toEqual(messages);
    expect(talk.tokens).toMatchObject({ limit: LIMIT, threshold: 0.9 * LIMIT });
    expect(talk.isDirty).toBe(true);
    expect(talk.beforeSend().kind).toBe('ready');
    expect(talk.stats).toMatchObject({ compressions: 1, edits: { inclusions: 1 } });
    talk.configure({
      strategy: 'one-shot',
      contextLimit: 600,
      summary: { window: 50_000, instructions: 'Watch the parser.' },
    });
    const step = summarize(talk);
    expect(JSON.stringify(step.request.messages)).toContain('Watch the parser.');
    expect(step.request.strategy).toBe('one-shot');
    expect(talk.stats.compressions).toBe(1);
  });

  test('in the middle of a summary: it may still arrive, and so may messages', () => {
    const talk = full();
    const step = summarize(talk);
    talk.add(human('meanwhile'));
    talk.configure({ strategy: 'high-density', contextLimit: 2 * LIMIT });
    expect(talk.stats.queued).toBe(1);
    expect(talk.beforeSend()).toMatchObject({ kind: 'pending' });
    const done = step.complete(goodReply(step.request));
    expect(done).toMatchObject({ kind: 'applied', state: { version: 1 } });
    expect(talk.messages.at(-1)).toEqual(human('meanwhile'));
    expect(talk.beforeSend().kind).toBe('ready');
    talk.rewind(10);
    expect(talk.messages).toHaveLength(10);
  });

  test.each([
    [{ strategy: 'middle' }, 'strategy'],
    [{ contextLimit: -1 }, 'contextLimit'],
    [{ optimise: {} }, 'optimise'],
    [{ summary: { window: 0 } }, 'window'],
    [{ todos: 7 }, 'todos'],
    [{ summary: { giveUp: 'tail' } }, 'giveUp'],
    [{ giveUp: 'tail' }, 'giveUp'],
    [{ recall: {} }, 'recall'],
  ] as const)('%o is an error, and the conversation is as it was', (changes, key) => {
    const talk = full();
    const before = [talk.tokens, talk.stats.edits];
    expect(() => talk.configure(changes as never)).toThrow(new RegExp(key));
    expect([talk.tokens, talk.stats.edits]).toEqual(before);
    const step = summarize(talk);
    expect(step.complete(goodReply(step.request)).kind).toBe('applied');
  });

  test('is known to forks and to what is restored', () => {
    const talk = full();
    const step = summarize(talk);
    step.complete(goodReply(step.request));
    talk.configure({ strategy: 'top-down-truncation', contextLimit: 700 });
    const fork = talk.fork();
    fork.configure({ contextLimit: 5 * LIMIT });
    expect(talk.tokens.limit).toBe(700);
    const other: ConversationOptions = { ...options, strategy: 'structured', contextLimit: 9_000 };
    const restored = restoreConversation(talk.snapshot(), talk.raw, other);
    expect(restored.messages).toEqual(talk.messages);
    expect(restored.tokens.limit).toBe(9_000);
    restored.configure({ strategy: 'top-down-truncation', contextLimit: 700 });
    expect(restored.beforeSend().kind).toBe('ready');
    expect(talk.beforeSend().kind).toBe('ready');
    expect(restored.messages).toEqual(talk.messages);
  });

  test('of a format: another model is another provider’s demands', () => {
    const talk = createAnthropic({ contextLimit: 100_000, strategy: 'high-density', model: 'claude-sonnet-4-5' });
    talk.add({ role: 'user', content: 'Go.' });
    const { factor } = talk.tokens;
    talk.configure({ model: 'claude-opus-4-7' });
    expect(talk.tokens.factor).toBeGreaterThan(factor);
    expect(talk.messages).toHaveLength(1);
  });
});
