// An agent of LangChain (`npm i langchain densify`) whose tools' results are made shorter before
// they are part of its state; the model can ask for all of a result again.

import { createRecall, recallTools } from 'densify/recall';
import { type ShrinkToolsOptions, shrinkTools } from 'densify/tools';
import { createAgent, tool } from 'langchain';

type Model = Exclude<Parameters<typeof createAgent>[0]['model'], string>;

const bash = tool(
  ({ command }: { command: string }) =>
    `${command}\n${'warning: something is odd here\n'.repeat(300)}done`,
  {
    name: 'bash',
    description: 'Runs a command.',
    schema: {
      type: 'object',
      properties: { command: { type: 'string' } },
      required: ['command'],
    } as const,
  },
);

/** Asks a model, which may run commands and recall their full output. */
export async function run(model: Model, secret: string, options: ShrinkToolsOptions = {}) {
  const recall = createRecall({ secret });
  const asking = recallTools(recall).langchain((execute, fields) =>
    tool((input: unknown) => execute(input), fields),
  );
  const agent = createAgent({
    model,
    tools: [...shrinkTools([bash], { recall, ...options }), ...asking],
  });
  return agent.invoke({ messages: [{ role: 'user', content: 'Build it.' }] });
}
