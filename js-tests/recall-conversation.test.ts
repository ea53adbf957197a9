/** Every text that a conversation cuts can be recalled until the conversation forgets it. */
import { createConversation, type IContent, restoreConversation } from 'densify';
import * as anthropic from 'densify/anthropic';
import { createRecall, memoryStore, recallTools } from 'densify/recall';
import { shrinkResult } from 'densify/tools';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check } from './support/check.js';
import { conversation as made } from './support/conversations.js';
import { call, noise, resultOf, secret, whole } from './support/recalling.js';
import { ai, human, turn } from './support/say.js';

describe('whatever happens to a conversation', () => {
  /** What may happen to a conversation between two calls. */
  const acts = fc.array(fc.constantFrom('send', 'digest', 'fork', 'rewind', 'restore', 'compress'), {
    minLength: 1,
    maxLength: 8,
  });

  it('all that is no longer in its messages is had again, byte for byte', () =>
    check(
      40,
      fc.property(fc.nat({ max: 1000 }), acts, (seed, steps) => {
        const store = memoryStore();
        const options = {
          strategy: 'auto',
          contextLimit: 4_000,
          optimize: { rules: { recencyPruning: true } },
        } as const;
        let recall = createRecall({ secret, store, maxCharacters: 10_000_000 });
        let talk = createConversation({ ...options, recall });
        steps.forEach((step, at) => {
          talk.add(...made(seed + at, 12), ...call(`${at}`, noise));
          if (step === 'send' || step === 'compress') talk.beforeSend();
          if (step === 'compress') talk.compress();
          if (step === 'digest') talk.digest();
          if (step === 'fork') talk = talk.fork();
          if (step === 'rewind') talk.rewind(Math.floor(talk.raw.length / 2));
          if (step !== 'restore') return;
          const stored = JSON.parse(JSON.stringify([talk.snapshot(), talk.raw, recall.snapshot()]));
          recall = createRecall({ secret, snapshot: stored[2], maxCharacters: 10_000_000 });
          const before = talk.messages;
          talk = restoreConversation(stored[0], stored[1], { ...options, recall });
          expect(talk.messages).toEqual(before);
        });
        const kept = new Set(JSON.stringify(talk.messages).match(/recall r\w{13}/g) ?? []);
        for (const note of kept) expect(recall.recall(note.slice(7))?.text, note).toBeDefined();
        expectAllKept(talk, recall);
      }),
    ));
});

/** Every message that a conversation changed or dropped can be recalled to the letter. */
function expectAllKept(talk: ReturnType<typeof createConversation>, recall: ReturnType<typeof createRecall>): void {
  /** A value with each note replaced by the text that it refers to. */
  const original = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(original);
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, original(inner)]));
    }
    if (typeof value !== 'string') return value;
    const [, reference] = /(?:^|\n)… \(all of it: recall (r\w{13})\)$/.exec(value) ?? [];
    return reference === undefined ? value : original(recall.recall(reference)?.text);
  };
  const had = new Set(talk.messages.map((message) => JSON.stringify(original(message))));
  for (const [, { text }] of recall.snapshot().entries) {
    if (text.startsWith('{"speaker"')) had.add(JSON.stringify(original(JSON.parse(text))));
  }
  for (const message of talk.raw) expect(had.has(JSON.stringify(message)), JSON.stringify(message)).toBe(true);
}

describe('a conversation with a recall', () => {
  it('goes on where the store fails, and says so', () => {
    const store = memoryStore();
    store.set = () => {
      throw new Error('the disk is full');
    };
    const recall = createRecall({ secret, store });
    const talk = createConversation({ strategy: 'auto', contextLimit: 1_000_000, recall });
    // What can't be kept isn't shrunk.
    talk.add(...call('1', noise), ...made(1, 60));
    expect(resultOf(talk.messages[1])).toBe(noise);
    expect(talk.digest().kind).toBe('applied');
    expect(JSON.stringify(talk.messages[0])).not.toContain('all of it');
    const warnings = [
      { code: 'recall-failed', error: expect.objectContaining({ message: 'the disk is full' }) as Error },
    ];
    expect(talk.beforeSend()).toMatchObject({ kind: 'ready', warnings });
    expect(talk.beforeSend()).toMatchObject({ kind: 'ready', warnings: [] });
  });

  it('notes behind a shrunk result where all of it is, byte for byte', () => {
    const recall = createRecall({ secret });
    const talk = createConversation({ strategy: 'auto', contextLimit: 1_000_000, recall });
    talk.add(...call('1', noise), ...call('2', 'short\n'.repeat(3)));
    const shrunk = resultOf(talk.messages[1]);
    const [, reference = ''] = /\n… \(all of it: recall (r\w{13})\)$/.exec(shrunk) ?? [];
    expect(whole(recall, reference)).toBe(noise);
    expect(recall.recall(reference)).toMatchObject({ cause: 'intake', tool: 'bash' });
    expect(resultOf(talk.messages[3])).toBe('short\n'.repeat(3));
    // What comes of it is shrunk no further, and a fork says the same.
    expect(shrinkResult({ name: 'bash' }, shrunk).changed).toBe(false);
    expect(talk.fork().messages).toStrictEqual(talk.messages);
  });

  it('leaves what was recalled as it is', () => {
    const recall = createRecall({ secret });
    const talk = createConversation({ strategy: 'auto', contextLimit: 1_000_000, recall });
    talk.add(...call('1', noise));
    const [reference = ''] = /r\w{13}/.exec(resultOf(talk.messages[1])) ?? [];
    const asked = recallTools(recall).execute('recall', { reference })!;
    expect(shrinkResult({ name: 'other' }, asked).changed).toBe(true);
    expect(shrinkResult({ name: 'recall' }, asked).changed).toBe(false);
    const recalled = { type: 'tool_response', callId: '2', toolName: 'recall', result: asked } as const;
    talk.add(
      { speaker: 'ai', blocks: [{ type: 'tool_call', id: '2', name: 'recall', parameters: { reference } }] },
      { speaker: 'tool', blocks: [recalled] },
    );
    expect(resultOf(talk.messages[3])).toBe(asked);
  });

  it.each(['high-density', 'top-down-truncation', 'digest', 'auto'] as const)('keeps all that %s cuts', (strategy) => {
    const recall = createRecall({ secret, maxCharacters: 1_000_000 });
    const options = { strategy, contextLimit: 5_000, recall, optimize: { rules: { recencyPruning: true } } } as const;
    const talk = createConversation(options);
    for (let seed = 1; seed < 6; seed += 1) {
      talk.add(...made(seed, 30));
      talk.beforeSend();
    }
    if (strategy === 'auto') talk.digest();
    const kept = new Set<unknown>(talk.messages);
    const gone = talk.raw.filter((message) => !kept.has(message));
    expect(gone.length).toBeGreaterThan(20);
    const texts = new Set(recall.snapshot().entries.map(([, { text }]) => text));
    for (const message of gone) {
      const results = message.blocks.flatMap((block) => (block.type === 'tool_response' ? [block.result] : []));
      const strings = results.map((result) =>
        typeof result === 'object' ? (result as { output?: unknown }).output : result,
      );
      const isKept = strings.length > 0 && strings.every((text) => typeof text !== 'string' || texts.has(text));
      expect(isKept || texts.has(JSON.stringify(message)), JSON.stringify(message)).toBe(true);
    }
  });

  it('forgets a result also in what a digest kept, then and later', () => {
    const recall = createRecall({ secret });
    const talk = createConversation({ strategy: 'auto', contextLimit: 1_000_000, recall });
    talk.add({ speaker: 'human', blocks: [{ type: 'text', text: 'Go.' }] });
    talk.add(...call('1', `${noise}the password is hunter2\n`), ...made(1, 60));
    const [reference = ''] = /r\w{13}/.exec(resultOf(talk.messages[2])) ?? [];
    const early = talk.fork();
    expect(talk.digest().kind).toBe('applied');
    expect(recall.search('hunter2').length).toBeGreaterThan(1);
    expect(recall.forget(reference)).toBe(true);
    const isGone = () => expect(JSON.stringify([recall.search('hunter2'), recall.snapshot()])).not.toContain('hunter2');
    isGone();
    talk.add(...made(2, 60));
    talk.digest();
    isGone();
    // Where it is still in the messages, it is kept no more when they are cut; the rest is.
    expect(early.digest().kind).toBe('applied');
    isGone();
    expect(recall.search('Go.').length).toBeGreaterThan(0);
  });

  it('notes behind a summary where all of its messages are', () => {
    const recall = createRecall({ secret, maxCharacters: 1_000_000 });
    const talk = createConversation({ strategy: 'auto', contextLimit: 1_000_000, intake: false, recall });
    talk.add(...made(1, 60));
    const before = talk.messages;
    expect(talk.digest().kind).toBe('applied');
    const [, reference = ''] =
      /\(all of it: recall (r\w{13})\)$/.exec(JSON.stringify(talk.messages[0]).replace(/"}.*/, '')) ?? [];
    const gone = JSON.parse(whole(recall, reference)) as IContent[];
    expect([...gone, ...talk.messages.slice(2)]).toStrictEqual([...before]);
    // The next digest doesn't carry the note along; its own says more.
    talk.add(...made(2, 60));
    talk.digest();
    expect(JSON.stringify(talk.messages[0]).match(/recall r/g)).toHaveLength(1);
  });

  it("works on a provider's own messages", () => {
    const recall = createRecall({ secret });
    const talk = anthropic.createConversation({ strategy: 'auto', contextLimit: 1_000_000, recall } as never);
    const use = { type: 'tool_use', id: 't1', name: 'bash', input: { command: 'make' } };
    const shown = { type: 'tool_use', id: 't2', name: 'bash', input: { command: 'cat a.txt' } };
    const result = (id: string) => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: noise }],
    });
    const messages = [
      { role: 'user', content: 'Build it.' },
      { role: 'assistant', content: [use] },
      result('t1'),
      { role: 'assistant', content: [shown] },
      result('t2'),
    ];
    talk.add(...(messages as never[]));
    const [, , built, , read] = talk.messages as unknown as typeof messages;
    expect(JSON.stringify(built)).toContain('all of it: recall r');
    expect(read).toBe(messages[4]);
  });
});

describe('what a conversation forgets', () => {
  const noisy = `${Array.from({ length: 80 }, (_, at) => `test parser::case_${at} ... ok`).join('\n')}\nthe token is hunter2-hunter2\n`;
  const start = () => {
    const recall = createRecall({ secret });
    const talk = createConversation({ strategy: 'auto', contextLimit: 1_000_000, recall });
    talk.add(human('Run the tests.'), ...turn('1', 'bash', { command: 'cargo test' }, noisy), ai('They pass.'));
    const [, reference = ''] = /recall (r\w{13})/.exec(JSON.stringify(talk.messages)) ?? [];
    return { recall, talk, reference };
  };

  it('is told with the places where it still stands', () => {
    const { recall, talk, reference } = start();
    expect(talk.forget(reference)).toEqual({ wasKept: true, messages: [2], raw: [2], isInSnapshot: false });
    expect(recall.recall(reference)).toBeUndefined();
    // The store has forgotten it, so only the note is found.
    expect(talk.forget(reference)).toEqual({ wasKept: false, messages: [2], raw: [], isInSnapshot: false });
    talk.rewind(2);
    expect(talk.forget(reference)).toMatchObject({ messages: [], raw: [] });
  });

  it('is told where a summary quotes it', () => {
    const { recall, talk } = start();
    const asked = 'Please print the numbers.\nPlease do number 2 before all others.';
    talk.add(human(asked), ai('Done.'), ...made(1, 40));
    const reference = recall.keep(`${asked}\nAnd then what nobody has said so far.`, { cause: 'host' });
    expect(talk.digest({ preserve: { messages: 2 } }).kind).toBe('applied');
    expect(talk.forget(reference)).toEqual({ wasKept: true, messages: [0], raw: [4], isInSnapshot: true });
  });

  it('needs a recall', () => {
    const talk = createConversation({ strategy: 'auto', contextLimit: 1_000_000 });
    expect(() => talk.forget('r0123456789abc')).toThrow(expect.objectContaining({ key: 'recall' }));
  });
});
