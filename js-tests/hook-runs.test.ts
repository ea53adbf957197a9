// How many runs a hook keeps apart, and what it says when that isn't enough.
import { createConversation, prepareStep } from 'densify/ai-sdk';
import { expect, test, vi } from 'vitest';
import { thrownBy } from './support/thrown.js';

const user = (content: string) => ({ role: 'user' as const, content });
const reply = { role: 'assistant' as const, content: 'So.' };

/** Lets so many runs take their steps by turns; gives how many conversations were made. */
async function made(runs: number, maxRuns: number | undefined, onWarning: (warning: unknown) => void) {
  let count = 0;
  const step = prepareStep({
    conversation: () => {
      count += 1;
      return createConversation({ strategy: 'high-density', contextLimit: 100_000 });
    },
    onWarning,
    ...(maxRuns === undefined ? {} : { maxRuns }),
  });
  const lists = Array.from({ length: runs }, (_, run) => [user('You are an agent.'), user(`Task ${run}`)]);
  for (let turn = 0; turn < 3; turn += 1) {
    for (const list of lists) {
      await step({ messages: [...list], steps: [] });
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

test('runs that ended make room for others without a word', async () => {
  const onWarning = vi.fn();
  const step = prepareStep({
    conversation: () => createConversation({ strategy: 'high-density', contextLimit: 100_000 }),
    maxRuns: 2,
    onWarning,
  });
  for (let run = 0; run < 8; run += 1) {
    const list = [user('You are an agent.'), user(`Task ${run}`)];
    await step({ messages: list, steps: [] });
    await step({ messages: [...list, reply as never, user('Go on.')], steps: [] });
  }
  expect(onWarning).not.toHaveBeenCalled();
});

test('wrong numbers, and a number without conversations, are errors that name the option', () => {
  const conversation = () => createConversation({ contextLimit: 1 });
  for (const maxRuns of [0, -1, 1.5, NaN, '3' as never]) {
    expect(thrownBy(() => prepareStep({ conversation, maxRuns }))).toMatchObject({
      code: 'invalid-options',
      key: 'maxRuns',
    });
  }
  expect(thrownBy(() => prepareStep({ maxRuns: 3 })).key).toBe('maxRuns');
});
