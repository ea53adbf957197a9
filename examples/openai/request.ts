// Chat Completions (`npm i openai densify`): the loop continues from the packed request, not from
// the whole history.

import { optimizeRequest } from 'densify/openai';
import OpenAI, { type ClientOptions } from 'openai';

const files = new Map([['a.ts', 'export const one = 1;\n'.repeat(40)]]);

const tool = (name: string, ...keys: string[]) => ({
  type: 'function' as const,
  function: {
    name,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])),
    },
  },
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
  let messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'user', content: 'Rename `one` to `two` in a.ts.' },
  ];
  for (;;) {
    const { request } = optimizeRequest(
      { model: 'gpt-4.1', messages, tools },
      { provider: 'openai', ...options },
    );
    const { choices } = await openai.chat.completions.create(request);
    const answer = choices[0]?.message;
    if (answer?.tool_calls === undefined) return answer?.content;
    messages = [...request.messages, answer];
    for (const call of answer.tool_calls) {
      if (call.type !== 'function') continue;
      const content = execute(call.function.name, JSON.parse(call.function.arguments) as object);
      messages.push({ role: 'tool', tool_call_id: call.id, content });
    }
  }
}
