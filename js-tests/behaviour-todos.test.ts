// Todo items of a conversation: from lists, texts, functions and promises, and never in the way of a turn.
import { type ConversationOptions, createConversation, type SummaryRequest } from 'densify';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { answer, full, json, options, summarize, turns } from './support/conversing.js';
import { human } from './support/say.js';

const items = [{ content: 'Write the parser', status: 'in_progress', subtasks: [{ content: 'and its tests' }] }];
const TEXT = 'The todos:\n- [IN_PROGRESS] Write the parser\n  - and its tests';

const shown = (request: SummaryRequest) => json(request.messages);

async function askedFor(todos: NonNullable<ConversationOptions['todos']>) {
  const talk = full({ todos });
  const asked: SummaryRequest[] = [];
  const step = await talk.prepare({
    summarize: (request) => {
      asked.push(request);
      return answer(request);
    },
    timeout: 20,
  });
  return { talk, step, text: asked.map(shown).join('') };
}

describe('are in the request', () => {
  test.each([
    ['a list', items],
    ['a text', TEXT],
    ['a function', () => items],
    ['a promise of a list', () => Promise.resolve(items)],
    ['a promise of a text', () => Promise.resolve(TEXT)],
  ])('%s', async (_, todos) => {
    const { text, step } = await askedFor(todos);
    expect(text).toContain('- [IN_PROGRESS] Write the parser\\n  - and its tests');
    expect(step).toMatchObject({ kind: 'ready', warnings: [] });
  });

  test('nothing and blank text add nothing', async () => {
    for (const todos of ['', () => undefined, () => Promise.resolve(undefined)]) {
      expect((await askedFor(todos)).text).not.toContain('IN_PROGRESS');
    }
  });

  test('beforeSend uses what a promise gave last, and asks anew for the next time', async () => {
    let asked = 0;
    const talk = full({ todos: async () => [{ content: `Item ${(asked += 1)}` }] });
    const seen = [];
    for (let round = 0; round < 3; round += 1) {
      const step = summarize(talk);
      seen.push(/Item \d/.exec(shown(step.request))?.[0]);
      step.cancel();
      await vi.waitUntil(() => asked > round);
      await Promise.resolve();
    }
    expect(seen).toEqual([undefined, 'Item 1', 'Item 2']);
  });
});

describe('are waited for', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const never = () => new Promise<never>(() => undefined);

  test('only where a summary may be due', async () => {
    const todos = vi.fn(never);
    const talk = createConversation({ ...options, todos });
    talk.add(human('hello'));
    expect(await talk.prepare({ summarize: answer })).toMatchObject({ kind: 'ready', warnings: [] });
    expect(todos).not.toHaveBeenCalled();
  });

  test.each(['before', 'meanwhile'])('until the signal aborts (%s)', async (when) => {
    const talk = full({ todos: never });
    const aborting = new AbortController();
    const reason = new Error('the user left');
    if (when === 'before') aborting.abort(reason);
    const prepared = talk.prepare({ summarize: answer, signal: aborting.signal });
    aborting.abort(reason);
    await expect(prepared).rejects.toBe(reason);
    expect(talk.messages).toHaveLength(96);
  });

  test('once, where the answer never comes: later items are used as soon as they are there', async () => {
    const todos = vi.fn(never);
    const talk = full({ todos });
    const prepared = talk.prepare({ summarize: answer });
    await vi.advanceTimersByTimeAsync(5000);
    expect(await prepared).toMatchObject({ kind: 'ready', warnings: [{ code: 'todos-failed' }] });
    talk.addAll(turns(24, 100));
    expect(await talk.prepare({ summarize: answer })).toMatchObject({ kind: 'ready' });
    expect([talk.stats.summaries, todos.mock.calls.length]).toEqual([2, 2]);
    todos.mockResolvedValue(items as never);
    const asked: string[] = [];
    for (const from of [200, 300]) {
      talk.addAll(turns(24, from));
      const summarize = (request: SummaryRequest) => {
        asked.push(shown(request));
        return answer(request);
      };
      expect(await talk.prepare({ summarize })).toMatchObject({ kind: 'ready', warnings: [] });
    }
    expect(asked.at(-1)).toContain('[IN_PROGRESS] Write the parser');
  });

  test('an answer that comes after a newer one is left alone', async () => {
    let late!: (items: readonly { content: string }[]) => void;
    const todos = vi.fn(() => new Promise<readonly { content: string }[]>((resolve) => (late = resolve)));
    const talk = full({ todos });
    const prepared = talk.prepare({ summarize: answer });
    await vi.advanceTimersByTimeAsync(5000);
    await prepared;
    const first = late;
    todos.mockResolvedValue([{ content: 'NEWER' }]);
    talk.addAll(turns(24, 100));
    await talk.prepare({ summarize: answer });
    first([{ content: 'OLDER' }]);
    await vi.advanceTimersByTimeAsync(1);
    const step = talk.summarize({ preserve: { messages: 0 } });
    if (step.kind !== 'summarize') throw new Error(step.kind);
    expect(shown(step.request)).toContain('NEWER');
    expect(shown(step.request)).not.toContain('OLDER');
  });

  test.each([
    ['other options', () => ({ contextLimit: 3900 }), 'FIRST'],
    ['other items', () => ({ todos: async () => [{ content: 'SECOND' }] }), 'SECOND'],
  ])('while the conversation gets %s', async (_, changes, wanted) => {
    let resolve!: (items: readonly { content: string }[]) => void;
    const promise = new Promise<readonly { content: string }[]>((resolved) => (resolve = resolved));
    const talk = full({ todos: () => promise });
    const asked: string[] = [];
    const prepared = talk.prepare({
      summarize: (request) => {
        asked.push(shown(request));
        return answer(request);
      },
    });
    talk.configure(changes());
    resolve([{ content: 'FIRST' }]);
    expect(await prepared).toMatchObject({ kind: 'ready', warnings: [] });
    expect(asked.join('')).toContain(wanted);
  });
});

describe('that fail are a warning, and the turn goes on', () => {
  test.each([
    [
      'a throw',
      () => {
        throw new Error('gone');
      },
    ],
    ['a rejection', () => Promise.reject(new Error('gone'))],
    ['a promise that hangs', () => new Promise<never>(() => undefined)],
    ['what are no todos', () => 7 as never],
    ['a promise of what are no todos', () => Promise.resolve([{ content: 7 }] as never)],
  ])('%s', async (_, todos) => {
    const { step, text, talk } = await askedFor(todos);
    expect(step).toMatchObject({ kind: 'ready', warnings: [{ code: 'todos-failed', error: { key: 'todos' } }] });
    expect(text).not.toBe('');
    expect(talk.stats.summaries).toBe(1);
    talk.add(human('more'));
    expect(talk.beforeSend()).toMatchObject({ kind: 'ready', warnings: [] });
    expect(talk.digest().kind).toBeDefined();
    const automatic = createConversation({ ...options, strategy: 'auto', todos });
    automatic.add(...turns(24));
    expect(['ready', 'summarize']).toContain(automatic.beforeSend().kind);
  });

  test('a list that is no list of todos is an error when the conversation is made', () => {
    expect(() => full({ todos: 7 as never })).toThrow(/todos/);
  });

  test('huge ones leave room for the history', async () => {
    const many = Array.from({ length: 20_000 }, (_, at) => ({
      content: `Item ${at} of a very long list of things to do`,
    }));
    const text = many.map(({ content }) => `- [PENDING] ${content}`).join('\n');
    for (const todos of [many, text, () => many, async () => text]) {
      const { step, text: asked } = await askedFor(todos);
      if (step.kind !== 'ready') throw new Error(step.kind);
      const [left] = /(?<=… and )\d+(?= more items)/.exec(asked) ?? [];
      expect(Number(left)).toBeGreaterThan(19_000);
      expect(step.warnings).toEqual([{ code: 'todos-left-out', count: Number(left) }]);
    }
  });

  test('one huge item is left out, and a digest stays small', async () => {
    const huge = [{ content: 'word '.repeat(200_000), status: 'in_progress' }];
    const { step } = await askedFor(huge);
    expect(step).toMatchObject({ warnings: [{ code: 'todos-left-out', count: 1 }] });
    const many = Array.from({ length: 20_000 }, (_, at) => ({ content: `Item ${at} of a very long list` }));
    for (const todos of [huge, many]) {
      const talk = full({ todos, strategy: 'digest' });
      expect(talk.digest().kind).toBe('applied');
      expect(talk.tokens.current).toBeLessThan(talk.tokens.threshold);
    }
  });
});
