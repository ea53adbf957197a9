// What Anthropic's models demand of thinking, by generation, when messages before it are edited.
import {
  applySummary,
  compress,
  createConversation,
  createOptimizer,
  digest,
  optimize,
  requestSummary,
} from 'densify/anthropic';
import { validate } from 'densify/validate';
import { describe, expect, test } from 'vitest';
import { ai, type Message, result, text, thinking, use, user } from './support/formats-anthropic.js';
import { goodReply } from './support/replies.js';
import { thrownBy } from './support/thrown.js';

describe('thinking', () => {
  const looped: readonly Message[] = [
    { role: 'user', content: 'Go.' },
    ai(thinking('one'), text('I look.'), use('t1', 'read_file', 'a.ts')),
    user(result('t1')),
    ai(thinking('two'), use('t2', 'write_file', 'a.ts')),
    user(result('t2', 'ok')),
    ai({ type: 'redacted_thinking', data: 'cipher' }, text('Next.'), use('t3', 'grep', 'b')),
    user(result('t3')),
  ];
  const types = (messages: readonly Message[]) =>
    messages.map(({ content }) => (typeof content === 'string' ? [content] : content.map(({ type }) => type)));

  test('bound to what precedes it, it goes behind an edit, all of it', () => {
    const output = optimize(looped, { preset: 'seed', model: 'claude-opus-5-5' });
    expect(types(output.messages)).toEqual([
      ['Go.'],
      ['thinking', 'text'],
      ['tool_use'],
      ['tool_result'],
      ['text', 'tool_use'],
      ['tool_result'],
    ]);
    expect(output.edits.filter(({ rule }) => rule === 'bound-thinking')).toHaveLength(2);
    expect(output.warnings).toEqual([{ code: 'reasoning-dropped', index: 3 }]);
    // A plan says so before: both messages behind the read.
    const waiting = createOptimizer({ preset: 'seed', model: 'claude-opus-5-5', flush: 'never' });
    expect(waiting.optimize(looped).changed).toBe(false);
    expect(waiting.plan()?.reasoning).toBe(2);
    expect(createOptimizer({ preset: 'seed', generation: 'no-thinking' }).plan()).toBeUndefined();
  });

  test('bound to what precedes it, it goes behind a summary too', () => {
    const history = [...looped, ai(text('So.')), user(text('More.')), ...looped.slice(1)];
    const options = { strategy: 'one-shot', preserve: { messages: 6 } } as const;
    const request = requestSummary(history, { ...options, model: 'claude-opus-5-5' });
    if (request.kind !== 'request') throw new Error(request.reason);
    const applied = applySummary(request, goodReply({ strategy: 'one-shot' }), history, { model: 'claude-opus-5-5' });
    if (applied.kind !== 'applied') throw new Error(applied.kind);
    expect(types(applied.messages).flat()).not.toContain('thinking');
    expect(applied.messages.at(-1)).toBe(history.at(-1));
    expect(requestSummary(history, options).kind).toBe('request');
    expect(requestSummary(history, { ...options, generation: 'manual-thinking' }).kind).toBe('request');
  });

  test('a stored request knows the model that it was made for', () => {
    const history = [...looped, ai(text('So.')), user(text('More.')), ...looped.slice(1)];
    for (const target of [{ model: 'claude-opus-5-5' }, { generation: 'manual-thinking' }] as const) {
      const request = requestSummary(history, { strategy: 'one-shot', preserve: { messages: 6 }, ...target });
      if (request.kind !== 'request') throw new Error(request.reason);
      expect(request.target).toEqual(target);
      const stored = JSON.parse(JSON.stringify(request)) as typeof request;
      const reply = goodReply({ strategy: 'one-shot' });
      const applied = applySummary(stored, reply, history);
      expect(applied.kind).toBe('applied');
      expect(applied.messages).toEqual(applySummary(request, reply, history, target).messages);
      expect(() => applySummary({ ...stored, target: { model: 1 as unknown as string } }, reply, history)).toThrow(
        /request\.target/,
      );
    }
    const plain = requestSummary(history.slice(0, 2), { strategy: 'one-shot', preserve: { messages: 0 } });
    expect('target' in plain).toBe(false);
  });

  test('of manual models it stays while calls are open', () => {
    const output = optimize(looped, { preset: 'seed', model: 'claude-sonnet-4-5-20250929' });
    expect(types(output.messages)).toEqual([
      ['Go.'],
      ['thinking', 'text'],
      ['thinking', 'tool_use'],
      ['tool_result'],
      ['redacted_thinking', 'text', 'tool_use'],
      ['tool_result'],
    ]);
  });

  test('where nobody says which model it is, the edit waits until the user speaks', () => {
    const output = optimize(looped, { preset: 'seed' });
    expect(output.messages).toBe(looped);
    const held = new Set(output.edits.filter(({ pending }) => pending).map(({ index }) => index));
    expect(held.size).toBeGreaterThan(0);
    expect(output.warnings).toEqual([...held].map((index) => ({ code: 'edit-held-back', index })));
    expect(createOptimizer<Message>({ preset: 'seed' }).optimize(looped).warnings).toEqual(output.warnings);
    expect(optimize(looped, { preset: 'seed', flush: 'never' }).warnings).toEqual([]);
    const closed = [...looped, ai(text('Done.')), { role: 'user' as const, content: 'Thanks.' }];
    const later = optimize(closed, { preset: 'seed' });
    expect(types(later.messages).flat()).not.toContain('redacted_thinking');
  });

  test.each(['never', 'when-cold', 'when-it-pays', { tokens: 1 }, 'always'] as const)(
    'where nobody says which model it is, no plan promises what no flush makes: %j',
    (flush) => {
      const optimizer = createOptimizer<Message>({ preset: 'seed', flush });
      const output = optimizer.optimize(looped);
      expect(output.warnings[0]).toEqual({ code: 'edit-held-back', index: 1 });
      expect(optimizer.plan()).toBeUndefined();
      expect(optimizer.flush().messages).toEqual(looped);
      const closed = [...looped, ai(text('Done.')), { role: 'user' as const, content: 'Thanks.' }];
      optimizer.push(...closed.slice(looped.length));
      const plan = optimizer.plan();
      const before = optimizer.optimize(undefined);
      if (flush !== 'always' && typeof flush !== 'object') {
        expect(plan?.saved).toBeGreaterThan(0);
        const { tokensAfter } = before;
        expect(before.warnings).toEqual([]);
        expect(tokensAfter - optimizer.flush().tokensAfter).toBeGreaterThanOrEqual(plan?.saved ?? Infinity);
      }
      expect(optimizer.plan()).toBeUndefined();

      const conversation = createConversation<Message>({
        strategy: 'auto',
        contextLimit: 100_000,
        intake: false,
        optimize: { preset: 'seed', flush },
      });
      conversation.addAll(looped);
      expect(conversation.beforeSend({ cold: true })).toMatchObject({ warnings: [{ code: 'model-unknown' }] });
      expect(conversation.plan()).toBeUndefined();
      expect(conversation.messages).toEqual(looped);
    },
  );

  test('where nobody says which model it is, what must become smaller does, and the thinking behind it goes', () => {
    const before = JSON.stringify(looped);
    const [first, ...rest] = looped;
    const again = rest.map((message) => JSON.parse(JSON.stringify(message).replaceAll(/"t(\d)"/g, '"u$1"')) as Message);
    const twice = [first!, ...rest, ...again];
    for (const options of [{}, { model: 'arn:aws:bedrock:eu-west-1:1:application-inference-profile/x7' }]) {
      const output = compress(twice, { strategy: 'high-density', contextLimit: 300, ...options });
      expect(output.kind).toBe('applied');
      expect(
        types(output.messages)
          .flat()
          .filter((type) => type.includes('thinking')),
      ).toEqual([]);
      expect(output.warnings).toMatchObject([{ code: 'reasoning-dropped' }]);
      expect(output.messages.at(-1)).toBe(twice.at(-1));
      const found = validate(output.messages, { format: 'anthropic', model: 'claude-opus-5-5', original: twice });
      expect(found.findings).toEqual([]);
    }
    expect(JSON.stringify(looped)).toBe(before);
    const digested = digest(twice, { preserve: { messages: 2 } });
    expect(digested.kind).toBe('applied');
    expect(types(digested.messages).flat()).not.toContain('thinking');
  });

  test('a conversation says once that edits wait for want of a model, and keeps its window all the same', () => {
    const optimize = { preset: 'seed', flush: 'when-it-pays' } as const;
    const conversation = createConversation<Message>({ strategy: 'high-density', contextLimit: 100_000, optimize });
    conversation.addAll(looped);
    const step = conversation.beforeSend();
    expect(step).toMatchObject({ kind: 'ready', warnings: [{ code: 'model-unknown' }] });
    expect(conversation.messages).toEqual(looped);
    conversation.add(ai(thinking('more'), use('t4', 'read_file', 'c.ts')), user(result('t4')));
    conversation.add(ai(thinking('more'), use('t5', 'write_file', 'c.ts')), user(result('t5', 'ok')));
    expect(conversation.beforeSend()).toMatchObject({ kind: 'ready', warnings: [] });

    const long = Array.from({ length: 30 }, (_, n) => [
      ai(thinking(`step ${n}`), use(`l${n}`, 'bash', `make ${n}`)),
      user(result(`l${n}`, `${n} lorem ipsum dolor sit amet\n`.repeat(200))),
    ]).flat();
    for (const strategy of ['high-density', 'top-down-truncation', 'digest'] as const) {
      const full = createConversation<Message>({ strategy, contextLimit: 25_000 });
      full.addAll([{ role: 'user', content: 'Fix the tests.' }, ...long]);
      expect(full.beforeSend().kind).toBe('ready');
      expect(full.tokens.current).toBeLessThan(20_000);
    }
  });

  test('a word of the user beside results doesn’t close the loop', () => {
    const spoken = [...looped.slice(0, -1), user(result('t3'), text('And hurry.'))];
    expect(optimize(spoken, { preset: 'seed' }).messages).toBe(spoken);
  });

  test('once the result before it is gone it does, and the same again changes nothing', () => {
    const spoken = [
      { role: 'user' as const, content: 'Go.' },
      ai(thinking('one'), use('t1', 'read_file', 'a.ts')),
      user(result('t1')),
      ai(use('t2', 'read_file', 'a.ts')),
      user(result('t2'), text('And hurry.')),
      ai(use('t3', 'write_file', 'a.ts')),
      user(result('t3', 'ok')),
    ];
    const { messages, warnings } = optimize(spoken, { preset: 'seed' });
    expect(messages).toEqual([spoken[0], user(text('And hurry.')), ...spoken.slice(5)]);
    expect(warnings).toEqual([]);
    expect(optimize(messages, { preset: 'seed' }).messages).toBe(messages);
  });

  test('a generation that isn’t one is an error that names the option', () => {
    expect(thrownBy(() => optimize(looped, { preset: 'seed', generation: 'new' as never })).code).toBe(
      'invalid-options',
    );
    expect(thrownBy(() => optimize(looped, { preset: 'seed', model: 7 as never })).code).toBe('invalid-options');
    expect(thrownBy(() => optimize(looped, { unknown: 1 } as never)).code).toBe('invalid-options');
    for (const key of ['modelId', 'modell', 'providers']) {
      const { code, message } = thrownBy(() => optimize(looped, { [key]: 'claude-opus-5-5' } as never));
      expect([code, message]).toEqual([
        'invalid-options',
        expect.stringMatching(/ (model|provider), (model|provider), generation, /),
      ]);
    }
  });
});
