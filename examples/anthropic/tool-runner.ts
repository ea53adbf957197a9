// Anthropic's tool runner (`npm i @anthropic-ai/sdk densify`): a middleware of the client packs
// each request.
import Anthropic, { type ClientOptions } from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { type HookOptions, middleware } from 'densify/anthropic';

const files = new Map([['a.ts', 'export const one = 1;\n'.repeat(40)]]);

const path = { type: 'string' } as const;

const read = betaTool({
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path }, required: ['path'] },
  run: ({ path }) => files.get(path) ?? 'There is no such file.',
});

const write = betaTool({
  name: 'write_file',
  description: 'Writes a file.',
  inputSchema: {
    type: 'object',
    properties: { path, content: { type: 'string' } },
    required: ['path'],
  },
  run({ path, content = '' }) {
    files.set(path, content);
    return 'ok';
  },
});

/** Asks a model, which may use the tools. */
export async function run(client: ClientOptions, options: HookOptions = {}) {
  const anthropic = new Anthropic({ ...client, middleware: [middleware(options)] });
  return anthropic.beta.messages.toolRunner({
    model: 'claude-3-5-haiku-latest',
    max_tokens: 1_000,
    // Without a breakpoint Anthropic caches nothing, and each call pays for the whole history.
    cache_control: { type: 'ephemeral' },
    // Send the history with each request: densify can't pack a thread that the provider holds.
    thread: false,
    tools: [read, write],
    messages: [{ role: 'user', content: 'Rename `one` to `two` in a.ts.' }],
  });
}
