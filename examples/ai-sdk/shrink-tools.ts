// Tools of the AI SDK (`npm i ai densify`) whose results are made shorter before the model sees
// them for the first time; the model can ask for all of a result again.
import { generateText, jsonSchema, stepCountIs, tool } from 'ai';
import { createRecall, recallTools } from 'densify/recall';
import { type ShrinkToolsOptions, shrinkTools } from 'densify/tools';

type Model = Parameters<typeof generateText>[0]['model'];

const mine = {
  bash: tool({
    description: 'Runs a command.',
    inputSchema: jsonSchema<{ command: string }>({
      type: 'object',
      properties: { command: { type: 'string' } },
    }),
    execute: ({ command }) => `${command}\n${'warning: something is odd here\n'.repeat(300)}done`,
  }),
};

/** Asks a model, which may run commands and recall their full output. */
export async function run(
  model: Model,
  secret: string,
  options: ShrinkToolsOptions = {},
): Promise<string> {
  const recall = createRecall({ secret });
  const tools = {
    ...shrinkTools(mine, { recall, ...options }),
    ...recallTools(recall).aiSdk(jsonSchema),
  };
  const { text } = await generateText({
    model,
    tools,
    prompt: 'Build it.',
    stopWhen: stepCountIs(8),
  });
  return text;
}
