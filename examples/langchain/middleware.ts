// An agent of LangChain (`npm i langchain densify`) whose model gets a packed history; the agent's
// state keeps all of it.

import { type HookOptions, wrapModelCall } from 'densify/langchain';
import { createAgent, createMiddleware, tool } from 'langchain';

type Model = Exclude<Parameters<typeof createAgent>[0]['model'], string>;

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

/** Asks a model, which may use the tools. */
export async function run(model: Model, options: HookOptions = {}) {
  const densify = createMiddleware({
    name: 'densify',
    wrapModelCall: wrapModelCall(options),
  });
  const agent = createAgent({ model, tools: [read, write], middleware: [densify] });
  return agent.invoke({ messages: [{ role: 'user', content: 'Rename `one` to `two` in a.ts.' }] });
}
