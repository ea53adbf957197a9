// Tools of the OpenAI SDK's runner (`npm i openai densify`) whose results are made shorter before
// they are sent for the first time.

import { type ShrinkToolsOptions, shrinkTools } from 'densify/tools';
import type OpenAI from 'openai';

const bash = {
  type: 'function' as const,
  function: {
    name: 'bash',
    description: 'Runs a command.',
    parameters: {
      type: 'object',
      properties: { command: { type: 'string' } },
      required: ['command'],
    },
    parse: (text: string) => JSON.parse(text) as { command: string },
    function: ({ command }: { command: string }) =>
      `${command}\n${'warning: something is odd here\n'.repeat(300)}done`,
  },
};

/** Asks a model, which may run commands. */
export async function run(
  client: OpenAI,
  options: ShrinkToolsOptions = {},
): Promise<string | null> {
  const runner = client.chat.completions.runTools({
    model: 'gpt-4o',
    messages: [{ role: 'user', content: 'Build it.' }],
    tools: shrinkTools([bash], options),
  });
  return runner.finalContent();
}
