// An agent of pi (`npm i @earendil-works/pi-agent-core densify`): its model gets a packed history,
// and its state keeps all messages.
import { Agent, type AgentOptions, type AgentTool } from '@earendil-works/pi-agent-core';
import { Type } from '@earendil-works/pi-ai';
import { type HookOptions, transformContext } from 'densify/pi';

const files = new Map([['a.ts', 'export const one = 1;\n'.repeat(40)]]);
const said = (text: string) => ({ content: [{ type: 'text' as const, text }], details: {} });

const read: AgentTool = {
  name: 'read_file',
  label: 'Read',
  description: 'Reads a file.',
  parameters: Type.Object({ path: Type.String() }),
  execute: async (_, parameters) =>
    said(files.get((parameters as { path: string }).path) ?? 'There is no such file.'),
};

const write: AgentTool = {
  name: 'write_file',
  label: 'Write',
  description: 'Writes a file.',
  parameters: Type.Object({ path: Type.String(), content: Type.String() }),
  async execute(_, parameters) {
    const { path, content } = parameters as { path: string; content: string };
    files.set(path, content);
    return said('ok');
  },
};

type Model = NonNullable<NonNullable<AgentOptions['initialState']>['model']>;

/** Asks a model, which may use the tools. */
export async function run(
  model: Model,
  streamFn: AgentOptions['streamFn'],
  options: HookOptions = {},
) {
  const agent = new Agent({
    initialState: { systemPrompt: 'You edit files.', model, tools: [read, write] },
    streamFn,
    getApiKey: () => 'none',
    transformContext: transformContext({ model: model.id, provider: model.provider, ...options }),
  });
  await agent.prompt('Rename `one` to `two` in a.ts.');
  return agent.state.messages;
}
