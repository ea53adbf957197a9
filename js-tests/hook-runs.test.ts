// The number of runs that a hook keeps apart, its warning when there are more, and runs that are edited or forked.
import type { Conversation, restoreConversation } from 'densify';
import { createConversation, prepareStep } from 'densify/ai-sdk';
import * as anthropic from 'densify/anthropic';
import { describe, expect, test, vi } from 'vitest';
import { formatOf, hooks, markedLast, requestsOf, session } from './support/hooks.js';
import type { Message } from './support/loose.js';
import { goodReply } from './support/replies.js';
import { thrownBy } from './support/thrown.js';

/** Nothing goes with the messages that a hook might have to see. */
const ALONE = { overhead: 0, reserve: 0 };

const user = (content: string) => ({ role: 'user' as const, content });
const reply = { role: 'assistant' as const, content: 'So.' };

/** Lets so many runs take their steps by turns; gives how many conversations were made. */
async function made(runs: number, maxRuns: number | undefined, onWarning: (warning: unknown) => void) {
  let count = 0;
  const step = prepareStep({
    conversation: () => {
      count += 1;
      return createConversation({ strategy: 'high-density', contextLimit: 100_000, ...ALONE });
    },
    onWarning,
    ...(maxRuns === undefined ? {} : { maxRuns }),
  });
  const lists = Array.from({ length: runs }, (_, run) => [user('You are an agent.'), user(`Task ${run}`)]);
  for (let turn = 0; turn < 3; turn += 1) {
    for (const list of lists) {
      await step({ messages: [...list] });
      list.push(reply as never, user('Go on.'));
    }
  }
  return count;
}

test('a hundred runs go on at once', async () => {
  const onWarning = vi.fn();
  expect(await made(100, undefined, onWarning)).toBe(100);
  expect(onWarning).not.toHaveBeenCalled();
});

test('of more than are kept it is said once that a run was forgotten', async () => {
  const onWarning = vi.fn();
  expect(await made(4, 3, onWarning)).toBe(12);
  expect(onWarning).toHaveBeenCalledExactlyOnceWith({
    code: 'run-forgotten',
    message: expect.stringContaining('maxRuns'),
  });
  expect(await made(4, 4, onWarning)).toBe(4);
  expect(onWarning).toHaveBeenCalledTimes(1);
});

test('whatever was thrown is told as an error', async () => {
  const onWarning = vi.fn();
  const thrown = [new RangeError('odd'), 'odd'];
  for (const cause of thrown) {
    const onResult = () => {
      throw cause;
    };
    await prepareStep({ onResult, onWarning })({ messages: [user('You are an agent.')] });
  }
  const [[first], [second]] = onWarning.mock.calls as [[unknown], [unknown]];
  expect(first).toBe(thrown[0]);
  expect(second).toBeInstanceOf(Error);
  expect(second).toMatchObject({
    code: 'callback-failed',
    message: "a callback threw 'odd', expected an Error",
    cause: 'odd',
  });
});

test('runs that ended make room for others without a word', async () => {
  const onWarning = vi.fn();
  const step = prepareStep({
    conversation: () => createConversation({ strategy: 'high-density', contextLimit: 100_000, ...ALONE }),
    maxRuns: 2,
    onWarning,
  });
  for (let run = 0; run < 8; run += 1) {
    const list = [user('You are an agent.'), user(`Task ${run}`)];
    await step({ messages: list });
    await step({ messages: [...list, reply as never, user('Go on.')] });
  }
  expect(onWarning).not.toHaveBeenCalled();
});

test('wrong numbers of runs are errors that name the option', () => {
  const conversation = () => createConversation({ contextLimit: 1 });
  for (const maxRuns of [0, -1, 1.5, NaN, '3' as never]) {
    expect(thrownBy(() => prepareStep({ conversation, maxRuns }))).toMatchObject({
      code: 'invalid-options',
      key: 'maxRuns',
    });
  }
});

describe.each(hooks.map((hook) => [hook.name, hook] as const))('%s: a list that goes on otherwise', (_, hook) => {
  const format = formatOf(hook);
  const create = (options: object) =>
    format.verbs.createConversation(options as never) as unknown as Conversation<Message>;

  /** A hook that keeps its runs within a small window; counts conversations and summaries. */
  function keeping(strategy: 'middle-out' | 'one-shot' = 'middle-out') {
    const counts = { conversations: 0, summaries: 0 };
    const made: Conversation<Message>[] = [];
    const onWarning = vi.fn();
    const send = hook.make({
      ...('model' in format.known ? format.known : {}),
      conversation: () => {
        counts.conversations += 1;
        made.push(create({ strategy, contextLimit: 18_000, ...ALONE, ...format.known }));
        return made.at(-1) as never;
      },
      summarize: async () => {
        counts.summaries += 1;
        return goodReply({ strategy });
      },
      onWarning,
    });
    return { counts, made, send, onWarning };
  }

  const messages = format.from(session('one', 24));
  const said = (text: string) => format.from([{ speaker: 'human', blocks: [{ type: 'text', text }] }]);
  const says = (list: readonly Message[], text: string) => JSON.stringify(list).includes(text);

  test.each(['kept', 'copied'])('keeps its summary, by objects that are %s', async (how) => {
    const given = (list: readonly Message[]) => (how === 'kept' ? [...list] : structuredClone([...list]));
    const { counts, send, onWarning } = keeping();
    const first = await send(given([...messages, ...said('What now?')]));
    expect(counts).toEqual({ conversations: 1, summaries: 1 });
    expect(first.length).toBeLessThan(messages.length);
    // The last message is edited; then it is taken back, and said otherwise.
    const edited = await send(given([...messages, ...said('What else?')]));
    expect(edited).toHaveLength(first.length);
    expect([says(edited, 'What else?'), says(edited, 'What now?')]).toEqual([true, false]);
    expect(edited.filter((message) => !says(first, JSON.stringify(message)))).toHaveLength(2);
    const taken = await send(given(messages));
    expect(taken).toEqual(edited.slice(0, -1));
    const other = await send(given([...messages, ...said('Go on.')]));
    expect(other.slice(0, -1)).toEqual(taken);
    // What was said first is still there to go on from.
    const on = await send(given([...messages, ...said('What now?'), ...said('Well?')]));
    expect(on.slice(0, -1)).toEqual(first);
    expect(counts).toEqual({ conversations: 1, summaries: 1 });
    expect(onWarning).not.toHaveBeenCalled();
  });

  test('the conversation that its host made is that of the newest list', async () => {
    const { made, send } = keeping();
    await send([...messages, ...said('What now?')]);
    const edited = await send([...messages, ...said('What else?')]);
    expect(made[0]!.messages).toEqual(edited);
    expect(made[0]!.raw).toEqual([...messages, ...said('What else?')]);
    // It works like any other: it can be stored and rewound, and has all messages that its summary replaces.
    const options = { strategy: 'middle-out', contextLimit: 18_000, ...format.known } as const;
    const restore = format.verbs.restoreConversation as unknown as typeof restoreConversation;
    const { raw } = made[0]!;
    const restored = restore(made[0]!.snapshot(), raw as never, options) as unknown as Conversation<Message>;
    expect(restored.messages).toEqual(edited);
    expect(restored.stats.tokensBefore).toBe(format.verbs.estimateTokens(raw as never));
    restored.rewind(raw.length - 2);
    expect(restored.messages).toEqual(raw.slice(0, -2));
  });

  test('lists that go on at the same time stay apart', async () => {
    const { counts, send } = keeping();
    const [one, other] = await Promise.all([
      send([...messages, ...said('What now?')]),
      send([...messages, ...said('What else?')]),
    ]);
    expect([says(one, 'What now?'), says(one, 'What else?')]).toEqual([true, false]);
    expect([says(other, 'What now?'), says(other, 'What else?')]).toEqual([false, true]);
    expect(counts.summaries).toBe(2);
  });

  test('begins anew where nothing is known of what is left', async () => {
    const { counts, send } = keeping();
    await send([...messages, ...said('What now?')]);
    // So early an edit leaves nothing that was summarised; and a run of its own may begin as others do.
    await send([messages[0]!, ...said('Something else.')]);
    expect(counts).toEqual({ conversations: 2, summaries: 1 });
  });
});

test('breakpoints that move with the end cost no summary, and none stays behind', async () => {
  const format = formatOf({ format: 'anthropic' });
  const hook = hooks.find(({ name }) => name === 'anthropic middleware')!;
  let summaries = 0;
  const send = hook.make({
    conversation: () =>
      anthropic.createConversation({ strategy: 'middle-out', contextLimit: 12_000, generation: 'no-thinking' }),
    summarize: async () => {
      summaries += 1;
      return goodReply({ strategy: 'middle-out' });
    },
  });
  const messages = format.from(session('one', 30));
  for (const request of requestsOf(messages).slice(10)) {
    const sent = await send(markedLast(request));
    expect(JSON.stringify(sent).split('cache_control')).toHaveLength(2);
    expect(sent.at(-1)).toEqual(markedLast(request).at(-1));
  }
  const plain = hook.make({
    conversation: () =>
      anthropic.createConversation({ strategy: 'middle-out', contextLimit: 12_000, generation: 'no-thinking' }),
    summarize: async () => {
      expected += 1;
      return goodReply({ strategy: 'middle-out' });
    },
  });
  let expected = 0;
  for (const request of requestsOf(messages).slice(10)) await plain(request);
  expect(expected).toBeGreaterThan(0);
  expect(summaries).toBe(expected);
});
