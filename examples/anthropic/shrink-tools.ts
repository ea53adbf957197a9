// Tools of the Anthropic SDK's runner (`npm i @anthropic-ai/sdk densify`) whose results are made
// shorter before they are sent for the first time; the model can ask for all of a result again.
import type Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { createRecall, recallTools } from 'densify/recall';
import { type ShrinkToolsOptions, shrinkTools } from 'densify/tools';

const bash = betaTool({
  name: 'bash',
  description: 'Runs a command.',
  inputSchema: {
    type: 'object',
    properties: { command: { type: 'string' } },
    required: ['command'],
  },
  run: ({ command }) => `${command}\n${'warning: something is odd here\n'.repeat(300)}done`,
});

/** Asks a model, which may run commands and recall their full output. */
export async function run(
  client: Anthropic,
  secret: string,
  options: ShrinkToolsOptions = {},
): Promise<string> {
  const recall = createRecall({ secret });
  const message = await client.beta.messages.toolRunner({
    model: 'claude-opus-4-8',
    max_tokens: 1000,
    // Without a breakpoint Anthropic caches nothing, and each call pays for the whole history.
    cache_control: { type: 'ephemeral' },
    messages: [{ role: 'user', content: 'Build it.' }],
    tools: [
      ...shrinkTools([bash], { recall, ...options }),
      ...recallTools(recall).anthropicRunner(),
    ],
  });
  return message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}
