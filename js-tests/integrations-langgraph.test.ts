// The example of LangGraph's ReAct agent, run by LangGraph itself.
import type { BaseMessage } from '@langchain/core/messages';
import { type HookOptions, preModelHook } from 'densify/langchain';
import { expect, test } from 'vitest';
import { exampleFolder } from './support/examples.js';
import { idsOf, Scripted } from './support/langchain-model.js';

const examples = exampleFolder();
const { run } = await examples.load<{
  run(model: unknown, options?: HookOptions): Promise<{ messages: BaseMessage[] }>;
}>('langchain/langgraph');

test('the model no longer sees the stale read, the state of the graph has all', async () => {
  const model = new Scripted(['read_file', 'write_file', 'read_file']);
  const { messages } = await run(model, { preset: 'seed', model: 'claude-3-5-haiku' });
  expect(model.asked.map(idsOf)).toEqual([[], ['1'], ['2'], ['2', '3']]);
  expect(idsOf(messages)).toEqual(['1', '2', '3']);
});

test('what fails or only observes forwards all, of the step that is asked for', async () => {
  const protect = () => {
    throw new Error('odd');
  };
  for (const options of [{ observe: true }, { protect, onWarning: () => undefined }]) {
    const model = new Scripted(['read_file', 'write_file']);
    await run(model, options);
    expect(model.asked.map(idsOf)).toEqual([[], ['1'], ['1', '2']]);
  }
});

test('wrong options are an error when the hook is made', () => {
  expect(() => preModelHook({ unknown: 1 } as never)).toThrow(/unknown/);
});
