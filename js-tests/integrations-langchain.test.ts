// The example of LangChain's middleware, run by LangChain itself.
import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import type { HookOptions } from 'densify/langchain';
import { expect, test } from 'vitest';
import { exampleFolder } from './support/examples.js';
import { idsOf, Scripted } from './support/langchain-model.js';

const examples = exampleFolder();
const { run } = await examples.load<{
  run(model: unknown, options?: HookOptions): Promise<{ messages: BaseMessage[] }>;
}>('langchain/middleware');

test('the model no longer sees the stale read, the state of the agent has all', async () => {
  const model = new Scripted(['read_file', 'write_file', 'read_file']);
  const { messages } = await run(model, { preset: 'seed' });
  expect(model.asked.map(idsOf)).toEqual([[], ['1'], ['2'], ['2', '3']]);
  expect(idsOf(messages)).toEqual(['1', '2', '3']);
  for (const asked of model.asked) {
    const calls = asked.flatMap((message) => (message as AIMessage).tool_calls?.map(({ id }) => id) ?? []);
    expect(idsOf(asked)).toEqual(calls);
  }
});

test('what fails or only observes forwards all', async () => {
  const protect = () => {
    throw new Error('odd');
  };
  for (const options of [{ observe: true }, { protect, onWarning: () => undefined }]) {
    const model = new Scripted(['read_file', 'write_file']);
    await run(model, options);
    expect(model.asked.map(idsOf)).toEqual([[], ['1'], ['1', '2']]);
  }
});
