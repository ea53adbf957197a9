// An agent's loop with the AI SDK (`npm i ai densify`) that packs the history before each step.
import { generateText, jsonSchema, type LanguageModel, stepCountIs, tool } from 'ai';
import { type HookOptions, prepareStep } from 'densify/ai-sdk';

const files = new Map([['a.ts', 'export const one = 1;\n'.repeat(40)]]);

const file = jsonSchema<{ path: string; content?: string }>({
  type: 'object',
  properties: { path: { type: 'string' }, content: { type: 'string' } },
  required: ['path'],
});

/** densify knows tools of these names (`read_file`, `write_file`). Declare others with `tools`. */
const tools = {
  read_file: tool({
    description: 'Reads a file.',
    inputSchema: file,
    execute: ({ path }) => files.get(path) ?? 'There is no such file.',
  }),
  write_file: tool({
    description: 'Writes a file.',
    inputSchema: file,
    execute: ({ path, content = '' }) => {
      files.set(path, content);
      return { ok: true };
    },
  }),
};

/** Asks a model, which may use the tools; `observe: true` among the options only reports. */
export async function run(model: LanguageModel, options: HookOptions = {}): Promise<string> {
  const { text } = await generateText({
    model,
    tools,
    prompt: 'Rename `one` to `two` in a.ts.',
    stopWhen: stepCountIs(10),
    prepareStep: prepareStep(options),
    // Without it Anthropic caches nothing, and each call pays for the whole history. Other
    // providers ignore it.
    providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  });
  return text;
}
