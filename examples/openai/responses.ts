// The Responses API (`npm i openai densify`): you hold the history, and continue from the last
// packed request.

import { optimizeRequest } from 'densify/openai-responses';
import OpenAI, { type ClientOptions } from 'openai';

const files = new Map([['a.ts', 'export const one = 1;\n'.repeat(40)]]);

const tool = (name: string, ...keys: string[]) => ({
  type: 'function' as const,
  name,
  parameters: {
    type: 'object',
    properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])),
  },
  strict: false,
});
const tools = [tool('read_file', 'path'), tool('write_file', 'path', 'content')];

function execute(
  name: string,
  { path = '', content = '' }: { path?: string; content?: string },
): string {
  if (name === 'read_file') return files.get(path) ?? 'There is no such file.';
  files.set(path, content);
  return 'ok';
}

/** Asks a model, which may use the tools. */
export async function run(client: ClientOptions, options: { preset?: 'seed' | 'balanced' } = {}) {
  const openai = new OpenAI(client);
  let input: OpenAI.Responses.ResponseInputItem[] = [
    { role: 'user', content: 'Rename `one` to `two` in a.ts.' },
  ];
  for (;;) {
    const { request } = optimizeRequest({ model: 'gpt-4.1', input, tools, store: false }, options);
    const { output, output_text: text } = await openai.responses.create(request);
    const calls = output.filter((item) => item.type === 'function_call');
    if (calls.length === 0) return text;
    input = [...request.input, ...output] as OpenAI.Responses.ResponseInputItem[];
    for (const { call_id, name, arguments: given } of calls) {
      input.push({
        type: 'function_call_output',
        call_id,
        output: execute(name, JSON.parse(given) as object),
      });
    }
  }
}
