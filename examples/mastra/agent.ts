// An agent of Mastra (`npm i @mastra/core densify`) whose model gets a packed history; its memory
// keeps all of it.

import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { type HookOptions, mastraProcessor } from 'densify/ai-sdk';
import { z } from 'zod';

type Model = ConstructorParameters<typeof Agent>[0]['model'];

const files = new Map([['a.ts', 'export const one = 1;\n'.repeat(40)]]);

const read = createTool({
  id: 'read_file',
  description: 'Reads a file.',
  inputSchema: z.object({ path: z.string() }),
  execute: async ({ path }) => files.get(path) ?? 'There is no such file.',
});

const write = createTool({
  id: 'write_file',
  description: 'Writes a file.',
  inputSchema: z.object({ path: z.string(), content: z.string() }),
  execute: async ({ path, content }) => {
    files.set(path, content);
    return 'ok';
  },
});

/** Asks a model, which may use the tools. */
export async function run(model: Model, options: HookOptions = {}) {
  const agent = new Agent({
    id: 'coder',
    name: 'coder',
    instructions: 'You write software.',
    model,
    tools: { read_file: read, write_file: write },
    inputProcessors: [mastraProcessor(options)],
  });
  return agent.generate('Rename `one` to `two` in a.ts.', { maxSteps: 20 });
}
