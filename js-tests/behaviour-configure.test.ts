// A conversation takes other options in place.
import { type ConversationOptions, createConversation, restoreConversation } from 'densify';
import { createConversation as createAnthropic, restoreConversation as restoreAnthropic } from 'densify/anthropic';
import { conversationOptions, resolveSettings } from 'densify/host';
import { createRecall } from 'densify/recall';
import { describe, expect, test, vi } from 'vitest';
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
    [{ keepFirstRequest: 'always' }, 'keepFirstRequest'],
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

  test('takes the store that the conversation has, as settings give it every time', () => {
    const recall = createRecall({ secret: 's'.repeat(32) });
    const settings = (strategy: 'one-shot' | 'digest') =>
      conversationOptions(resolveSettings([{ 'compression.recall': true, 'compression.strategy': strategy }]), {
        recall,
      });
    const talk = createConversation({ ...settings('one-shot'), contextLimit: LIMIT });
    talk.add(...turns(24));
    talk.configure({ ...settings('digest') });
    expect(talk.beforeSend().kind).toBe('ready');
    expect(recall.snapshot().entries.length).toBeGreaterThan(0);
    const other = createRecall({ secret: 's'.repeat(32) });
    expect(() => talk.configure({ recall: other })).toThrow(expect.objectContaining({ key: 'recall' }));
  });

  test('of prompts: the next request shows them', () => {
    const talk = full({ strategy: 'one-shot' });
    const prompts = new Map([['compression/one-shot.md', 'Say in three lines what was done.']]);
    talk.configure({ summary: { prompts } });
    const step = summarize(talk);
    expect(JSON.stringify(step.request.messages)).toContain('Say in three lines what was done.');
    expect(step.request.plan).toMatchObject({ overridden: true });
    expect(step.complete('All of it was done. Nothing is open.')).toMatchObject({ kind: 'applied' });
    talk.configure({ summary: { prompts: undefined } });
    talk.add(...turns(24, 100));
    expect(JSON.stringify(summarize(talk).request.messages)).not.toContain('Say in three lines');
  });

  test('while prepare waits for the model: the reply is applied, and the new options hold', async () => {
    const talk = full({ strategy: 'one-shot' });
    let reply!: (text: string) => void;
    const prepared = talk.prepare({
      summarize: (request) => new Promise((resolve) => (reply = () => resolve(goodReply(request)))),
    });
    await vi.waitUntil(() => (reply as unknown) !== undefined);
    talk.configure({ strategy: 'digest', contextLimit: 3 * LIMIT, optimize: { preset: 'lossless' } });
    reply('');
    const step = await prepared;
    expect(step).toMatchObject({ kind: 'ready' });
    expect(talk.stats).toMatchObject({ summaries: 1, failures: 0 });
    expect(talk.tokens.limit).toBe(3 * LIMIT);
    expect(talk.raw).toHaveLength(96);
  });

  test('of what is restored: another preset, other rules, prompts and another model', () => {
    const talk = createAnthropic({ contextLimit: 100_000, strategy: 'high-density', model: 'claude-sonnet-4-5' });
    talk.add({ role: 'user', content: inclusion('b', 'one') }, { role: 'user', content: inclusion('b', 'two') });
    talk.beforeSend();
    const other = {
      contextLimit: 50_000,
      strategy: 'one-shot',
      model: 'claude-opus-4-7',
      optimize: { preset: 'seed', rules: { fileDedupe: false } },
      summary: { prompts: new Map([['compression/one-shot.md', 'Say in three lines what was done.']]) },
    } as const;
    const restored = restoreAnthropic(talk.snapshot(), talk.raw, other);
    expect(restored.messages).toEqual(talk.messages);
    expect(restored.stats.edits).toEqual(talk.stats.edits);
    expect(restored.tokens.factor).toBeGreaterThan(talk.tokens.factor);
    restored.addAll([
      { role: 'assistant', content: 'Read.' },
      ...Array.from({ length: 4 }, (_, at) => ({ role: 'user' as const, content: `${inclusion('c', `${at}`)}` })),
      { role: 'assistant', content: 'Read.' },
      { role: 'user', content: 'Go on.' },
    ]);
    restored.beforeSend();
    // The rule is off now.
    expect(restored.stats.edits.inclusions).toBe(talk.stats.edits.inclusions);
    const step = restored.summarize({ preserve: { messages: 1 } });
    if (step.kind !== 'summarize') throw new Error(step.kind);
    expect(JSON.stringify(step.request.messages)).toContain('Say in three lines what was done.');
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
