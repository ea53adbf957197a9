// An agent of OpenAI's Agents SDK (`npm i @openai/agents densify`): each request of its loop is
// packed, and so is the history that a session returns from earlier runs.
import {
  Agent,
  type AgentInputItem,
  MemorySession,
  type ModelProvider,
  Runner,
  tool,
} from '@openai/agents-core';
import { callModelInputFilter, type HookOptions, session } from 'densify/openai-agents';

const files = new Map([['a.ts', 'export const one = 1;\n'.repeat(40)]]);

const parameters = (...names: string[]) => ({
  type: 'object' as const,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
  additionalProperties: true as const,
});

const read = tool({
  name: 'read_file',
  description: 'Reads a file.',
  parameters: parameters('path'),
  strict: false,
  execute: (input) => files.get((input as { path: string }).path) ?? 'There is no such file.',
});

const write = tool({
  name: 'write_file',
  description: 'Writes a file.',
  parameters: parameters('path', 'content'),
  strict: false,
  execute(input) {
    const { path, content } = input as { path: string; content: string };
    files.set(path, content);
    return 'ok';
  },
});

/** Asks a model, which may use the tools, as often as there are questions. */
export async function run(
  modelProvider: ModelProvider,
  questions: string[],
  options: HookOptions<AgentInputItem> = {},
) {
  const agent = new Agent({
    name: 'editor',
    instructions: 'You edit files.',
    model: 'gpt-4.1',
    tools: [read, write],
  });
  const runner = new Runner({
    modelProvider,
    tracingDisabled: true,
    callModelInputFilter: callModelInputFilter(options),
  });
  const kept = new MemorySession();
  for (const question of questions)
    await runner.run(agent, question, { session: session(kept, options) });
  return kept.getItems();
}
