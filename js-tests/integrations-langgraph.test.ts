// The example of LangGraph's ReAct agent, run by LangGraph itself.
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, type ToolMessage } from '@langchain/core/messages';
import { preModelHook, type WrapModelCallOptions } from 'densify/langchain';
import { expect, test } from 'vitest';
import { exampleFolder } from './support/examples.js';

const examples = exampleFolder();
const { run } = await examples.load<{
  run(model: unknown, options?: WrapModelCallOptions): Promise<{ messages: BaseMessage[] }>;
}>('langchain/langgraph');

/** A model that calls tools, one after the other, and notes what it was asked. */
class Scripted extends BaseChatModel {
  readonly asked: BaseMessage[][] = [];
  readonly #tools: readonly string[];

  constructor(tools: readonly string[]) {
    super({});
    this.#tools = tools;
  }

  _llmType(): string {
    return 'anthropic';
  }

  override bindTools(): this {
    return this;
  }

  async _generate(messages: BaseMessage[]) {
    this.asked.push(messages);
    const name = this.#tools[this.asked.length - 1];
    const call = { type: 'tool_call' as const, id: `${this.asked.length}`, name: name ?? '', args: { path: 'a.ts' } };
    const message = name === undefined ? new AIMessage('Done.') : new AIMessage({ content: '', tool_calls: [call] });
    return { generations: [{ text: '', message }] };
  }
}

const idsOf = (messages: readonly BaseMessage[]) =>
  messages.filter(({ type }) => type === 'tool').map((message) => (message as ToolMessage).tool_call_id);

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
