// Todo items of a conversation: from lists, texts, functions and promises, and never in the way of a turn.
import { type ConversationOptions, createConversation, type SummaryRequest } from 'densify';
import { describe, expect, test } from 'vitest';
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

  test('beforeSend uses what a promise gave last', async () => {
    const talk = full({ todos: () => Promise.resolve(items) });
    expect(shown(summarize(talk).request)).not.toContain('Write the parser');
    await Promise.resolve().then(() => undefined);
    talk.rewind(talk.raw.length);
    expect(shown(summarize(talk).request)).toContain('Write the parser');
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
    const { step } = await askedFor(() => many);
    expect(step.kind).toBe('ready');
  });
});
