// A ReAct agent of LangGraph (`npm i @langchain/langgraph densify`) whose model gets a packed
// history; the state keeps all of it.

import { tool } from '@langchain/core/tools';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { type HookOptions, preModelHook } from 'densify/langchain';

type Model = Parameters<typeof createReactAgent>[0]['llm'];

const files = new Map([['a.ts', 'export const one = 1;\n'.repeat(40)]]);

const schema = {
  type: 'object',
  properties: { path: { type: 'string' }, content: { type: 'string' } },
  required: ['path'],
} as const;

const read = tool(({ path }: { path: string }) => files.get(path) ?? 'There is no such file.', {
  name: 'read_file',
  description: 'Reads a file.',
  schema,
});

const write = tool(
  ({ path, content = '' }: { path: string; content?: string }) => {
    files.set(path, content);
    return 'ok';
  },
  { name: 'write_file', description: 'Writes a file.', schema },
);

/** Asks a model, which may use the tools. A graph doesn't name its model, so you pass `model`. */
export async function run(llm: Model, options: HookOptions = { model: 'claude-3-5-haiku' }) {
  const agent = createReactAgent({
    llm,
    tools: [read, write],
    preModelHook: preModelHook(options),
  });
  return agent.invoke({ messages: [{ role: 'user', content: 'Rename `one` to `two` in a.ts.' }] });
}
