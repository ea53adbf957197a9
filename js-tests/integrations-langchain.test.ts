// The example of LangChain's middleware, run by LangChain itself.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, type ToolMessage } from '@langchain/core/messages';
import type { WrapModelCallOptions } from 'densify/langchain';
import { transform } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The example lies beneath node_modules, so that it finds the package and LangChain. */
const folder = mkdtempSync(new URL('node_modules/.examples-', import.meta.url).pathname);
afterAll(() => rmSync(folder, { recursive: true }));

let run: (model: unknown, options?: WrapModelCallOptions) => Promise<{ messages: BaseMessage[] }>;
beforeAll(async () => {
  const source = readFileSync(new URL('../examples/langchain/middleware.ts', import.meta.url), 'utf8');
  const { code } = await transform(source, { loader: 'ts', format: 'esm' });
  const file = join(folder, 'middleware.mjs');
  writeFileSync(file, code);
  ({ run } = await import(file));
});

/** A model that calls tools, one after the other, and notes what it was asked. */
class Scripted extends BaseChatModel {
  readonly asked: BaseMessage[][] = [];
  readonly model = 'claude-3-5-haiku';
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
